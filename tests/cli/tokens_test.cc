// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::HasSubstr;

class Tokens : public ProgramTest {
 protected:
  Tokens() {
    write("hello.txt", "Hello, world!");
    write("japanese.txt", "日本語");
  }
};

TEST_F(Tokens, counts_each_file_and_names_the_encoding) {
  EXPECT_THAT(enfold({"tokens", "hello.txt", "japanese.txt"}),
              ends(0,
                   "hello.txt: 4 tokens (o200k_base)\n"
                   "japanese.txt: 2 tokens (o200k_base)\n",
                   ""));
  EXPECT_THAT(enfold({"tokens", "--encoding", "cl100k_base", "japanese.txt"}),
              ends(0, "japanese.txt: 4 tokens (cl100k_base)\n", ""));
}

TEST_F(Tokens, reads_standard_input) {
  EXPECT_THAT(enfold({"tokens"}, "a"), ends(0, "standard input: 1 token (o200k_base)\n", ""));
  EXPECT_THAT(enfold({"tokens", "-"}, ""), ends(0, "standard input: 0 tokens (o200k_base)\n", ""));
}

TEST_F(Tokens, says_when_a_count_is_an_estimate) {
  EXPECT_THAT(enfold({"tokens", "--client", "claude", "hello.txt"}),
              ends(0, "hello.txt: 6 tokens (estimate for claude, o200k_base*1.5)\n", ""));
  EXPECT_THAT(enfold({"tokens", "--client", "codex", "hello.txt"}),
              ends(0, "hello.txt: 4 tokens (codex, o200k_base)\n", ""));
}

TEST_F(Tokens, writes_one_json_object_a_file) {
  EXPECT_THAT(enfold({"tokens", "--json", "hello.txt", "-"}, "{}"),
              ends(0,
                   R"({"file":"hello.txt","tokens":4,"encoding":"o200k_base"})"
                   "\n"
                   R"({"file":"-","tokens":1,"encoding":"o200k_base"})"
                   "\n",
                   ""));
  EXPECT_THAT(enfold({"tokens", "--json", "--client", "gemini", "hello.txt"}),
              ends(0,
                   R"({"file":"hello.txt","tokens":5,"encoding":"o200k_base*1.08",)"
                   R"("client":"gemini","exact":false})"
                   "\n",
                   ""));
}

TEST_F(Tokens, counts_bytes_that_are_no_text) {
  EXPECT_THAT(enfold({"tokens"}, "\xff\xfe"),
              ends(0, "standard input: 2 tokens (o200k_base)\n", ""));
}

TEST_F(Tokens, goes_on_after_a_file_that_cannot_be_read) {
  EXPECT_THAT(enfold({"tokens", "none.txt", "hello.txt"}),
              ends(4, "hello.txt: 4 tokens (o200k_base)\n", HasSubstr("none.txt")));
  EXPECT_THAT(enfold({"tokens", "--max-bytes", "3", "hello.txt"}),
              ends(4, "", HasSubstr("hello.txt")));
}

TEST_F(Tokens, names_what_there_is_when_a_name_is_wrong) {
  EXPECT_THAT(enfold({"tokens", "--encoding", "p50k", "hello.txt"}),
              ends(5, "",
                   "error: expected the name of an encoding, found \"p50k\"\n  at --encoding\n"
                   "hint: choose one of o200k_base, cl100k_base\n"));
  EXPECT_THAT(enfold({"tokens", "--client", "claud", "hello.txt"}),
              ends(5, "",
                   "error: expected the name of a client profile, found \"claud\"\n  at --client\n"
                   "hint: did you mean claude?\n"));
  EXPECT_THAT(enfold({"tokens", "--client", "claude", "--encoding", "o200k_base"}),
              ends(5, "",
                   "error: --encoding and --client exclude each other\n"
                   "hint: a client's profile names its encoding\n"));
}

}  // namespace
}  // namespace enfold::cli
