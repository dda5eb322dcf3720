// SPDX-License-Identifier: Apache-2.0
// Standard output that does not take what is written: never lost in silence.
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Output : public ProgramTest {
 protected:
  Output() { write("answer.json", R"({"success":true,"n":1})"); }
};

const std::vector<std::vector<std::string>>& every_verb() {
  static const std::vector<std::vector<std::string>> verbs{
      {"--help"},
      {"--version"},
      {"convert", "--help"},
      {"contracts"},
      {"schema", "memory"},
      {"validate", "answer.json"},
      {"convert", "--to", "json", "answer.json"},
      {"parse", "answer.json"},
      {"explain", "answer.json"}};
  return verbs;
}

TEST_F(Output, to_a_full_disk_is_an_error) {
  for (const std::vector<std::string>& verb : every_verb()) {
    SCOPED_TRACE(::testing::PrintToString(verb));
    EXPECT_THAT(enfold_with({.arguments = verb, .sink = Sink::full_disk}),
                ends(1, "",
                     "error: cannot write to standard output: No space left on device\n"
                     "hint: what was written is not complete\n"));
  }
}

TEST_F(Output, that_was_closed_is_an_error) {
  for (const std::vector<std::string>& verb : every_verb()) {
    SCOPED_TRACE(::testing::PrintToString(verb));
    EXPECT_THAT(enfold_with({.arguments = verb, .sink = Sink::closed}),
                ends(1, "", StartsWith("error: cannot write to standard output: ")));
  }
}

TEST_F(Output, that_was_closed_does_not_end_up_in_another_file) {
  EXPECT_THAT(enfold_with({.arguments = {"convert", "--to", "json", "--report", "report.jsonl",
                                         "answer.json"},
                           .sink = Sink::closed}),
              ends(1, "", HasSubstr("cannot write to standard output")));
  EXPECT_THAT(read("report.jsonl"), StartsWith(R"({"file":"answer.json","from":"memory")"));
}

TEST_F(Output, whose_reader_has_left_ends_quietly) {
  for (const std::vector<std::string>& verb : every_verb()) {
    SCOPED_TRACE(::testing::PrintToString(verb));
    EXPECT_THAT(enfold_with({.arguments = verb, .sink = Sink::reader_leaves}), ends(1, "", ""));
  }
}

TEST_F(Output, whose_reader_has_left_ends_an_endless_stream) {
  EXPECT_THAT(enfold_with({.arguments = {"convert", "--to", "json", "--jsonl"},
                           .input = "{\"a\":1}\n",
                           .input_never_ends = true,
                           .sink = Sink::reader_leaves}),
              ends(1, "", ""));
}

TEST_F(Output, keeps_the_code_of_a_worse_end) {
  EXPECT_THAT(enfold_with({.arguments = {"convert", "--to", "json", "none.json", "answer.json"},
                           .sink = Sink::full_disk}),
              ends(4, "", HasSubstr("error: cannot write to standard output")));
}

}  // namespace
}  // namespace enfold::cli
