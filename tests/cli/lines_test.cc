// SPDX-License-Identifier: Apache-2.0
// `--jsonl`: one answer a line, one line an answer, as they come.
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Lines : public ProgramTest {};

TEST_F(Lines, become_lines) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--jsonl"}, "{\"a\":1}\r\n\n  \n[2]\n{\"b\":3}"),
              ends(0,
                   "{\"success\":true,\"a\":1}\n{\"success\":true,\"data\":[2]}\n"
                   "{\"success\":true,\"b\":3}\n",
                   ""));
}

TEST_F(Lines, that_are_broken_do_not_stop_the_others) {
  write("answers.jsonl", "{\"a\":1}\n{\"a\":\n{\"a\":3}\n");
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--jsonl", "answers.jsonl"}),
              ends(4, "{\"success\":true,\"a\":1}\n{\"success\":true,\"a\":3}\n",
                   "error: expected a JSON value, found the end of the input\n"
                   "  at answers.jsonl:2, column 6 (byte 5)\n"
                   "hint: the text was probably cut off\n"));
}

TEST_F(Lines, that_are_too_long_are_skipped) {
  const std::string input = "{\"a\":1}\n\"" + std::string(200, 'x') + "\"\n{\"a\":3}\n";
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--jsonl", "--max-bytes", "100"}, input),
              ends(4, "{\"success\":true,\"a\":1}\n{\"success\":true,\"a\":3}\n",
                   "error: the input has more than 100 bytes\n  at standard input:2, byte 100\n"
                   "hint: raise the limit with --max-bytes, or split the answer into pages\n"));
}

TEST_F(Lines, that_never_end_are_given_up) {
  const Ended ended =
      enfold_with({.arguments = {"convert", "--to", "memory", "--jsonl", "--max-bytes", "100000"},
                   .input = std::string(65536, 'x'),
                   .input_never_ends = true});
  EXPECT_THAT(ended, ends(4, "",
                          "error: found no line end in 1600000 bytes\n  at standard input\n"
                          "hint: is it JSON Lines? without --jsonl the whole input is one "
                          "answer\n"));
}

TEST_F(Lines, of_several_files_follow_each_other) {
  write("a.jsonl", "{\"a\":1}\n{\"a\":2}");
  write("b.jsonl", "{\"b\":1}\n");
  EXPECT_THAT(enfold({"parse", "--tool", "get_row", "--jsonl", "a.jsonl", "b.jsonl"}),
              ends(0,
                   R"({"toolName":"get_row","responseType":"single","data":{"a":1}})"
                   "\n"
                   R"({"toolName":"get_row","responseType":"single","data":{"a":2}})"
                   "\n"
                   R"({"toolName":"get_row","responseType":"single","data":{"b":1}})"
                   "\n",
                   ""));
}

TEST_F(Lines, warn_with_their_number_and_are_refused_with_strict) {
  const std::string input = "{}\n{\"a\":1,\"a\":2}\n{}\n";
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--jsonl"}, input),
              ends(0, HasSubstr("{\"success\":true,\"a\":1,\"a\":2}\n"),
                   StartsWith("warning: standard input:2: 1 repeated member name")));
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--jsonl", "--strict"}, input),
              ends(4, "{\"success\":true}\n{\"success\":true}\n",
                   AllOf(StartsWith("error: refused by --strict: "),
                         HasSubstr("\n  at standard input:2\n"))));
}

TEST_F(Lines, stream_with_little_memory) {
  std::string lines;
  const std::string answer = R"({"rows":[)" + std::string(100000, '1') + "]}\n";
  for (int i = 0; i < 400; ++i) lines += answer;  // 40 MB
  const Ended few = enfold({"convert", "--to", "memory", "--jsonl"}, answer);
  const Ended many = enfold({"convert", "--to", "memory", "--jsonl"}, lines);
  EXPECT_THAT(few, ends(0, StartsWith("{\"success\":true,\"rows\":[1"), ""));
  EXPECT_EQ(many.exit_code, 0);
  EXPECT_EQ(many.out.size(), few.out.size() * 400);
  EXPECT_EQ(many.err, "");
}

TEST_F(Lines, show_progress_on_a_terminal_only) {
  std::string lines;
  for (int i = 0; i < 2000; ++i) lines += "{}\n";
  const Ended watched = enfold_with({.arguments = {"convert", "--to", "memory", "--jsonl"},
                                     .input = lines,
                                     .error_to_terminal = true});
  EXPECT_EQ(watched.exit_code, 0);
  EXPECT_THAT(watched.err, AllOf(HasSubstr("1000 answers, 0 MB"), HasSubstr("2000 answers, 0 MB"),
                                 EndsWith("\r\033[K")));
  EXPECT_THAT(watched.out, Not(HasSubstr("answers")));
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--jsonl"}, lines), ends(0, watched.out, ""));
}

}  // namespace
}  // namespace enfold::cli
