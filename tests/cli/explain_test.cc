// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Explain : public ProgramTest {
 protected:
  Explain() {
    write("result.json", R"({"content":[{"type":"text","text":"{\"rows\":[1,2],\"n\":2}"}]})");
    write(
        "limited.json",
        R"({"success":false,"data":{"error_code":"RATE_LIMIT_EXCEEDED","error_type":"rate_limit",)"
        R"("remediation":"Wait 45 seconds.","retry_after_seconds":45},"error":"Too many calls",)"
        R"("meta":{"version":"response-v2"}})");
  }
};

TEST_F(Explain, says_what_it_is_and_what_to_do_next) {
  EXPECT_THAT(enfold({"explain", "result.json"}),
              ends(0,
                   "answer    an MCP tool result without a contract (63 bytes, result.json)\n"
                   "outcome   ok – no failure mark\n"
                   "shape     single – one object\n"
                   "payload   an object with 2 members: rows[2], n\n"
                   "what to do next\n"
                   "  • Put it into a contract: enfold convert --to response-v2 result.json\n",
                   ""));
}

TEST_F(Explain, says_how_much_was_dropped) {
  const std::pair<const char*, const char*> table[] = {
      {R"("content_fidelity":"reference_only")", "dropped   the whole payload\n"},
      {R"("content_fidelity":"summary")", "dropped   the whole payload\n"},
      {R"("content_fidelity":"partial")", "dropped   parts that are not named\n"},
      {R"("content_fidelity":"partial","dropped_content_ids":["7","8"])", "dropped   7, 8\n"},
  };
  for (const auto& [reduction, want] : table) {
    const std::string answer =
        std::string(
            R"({"success":true,"data":["x"],"error":null,"meta":{"version":"response-v2",)") +
        reduction + R"(,"content_fidelity_schema_version":"1.0"}})";
    EXPECT_THAT(enfold({"explain"}, answer).out, HasSubstr(want)) << answer;
  }
}

TEST_F(Explain, counts_one_item_as_one) {
  const std::string out =
      enfold({"explain"}, R"({"items":[1],"total":1,"count":1,"has_more":false})").out;
  EXPECT_THAT(out, AllOf(HasSubstr("page      1 item of 1"), Not(HasSubstr("1 items"))));
  EXPECT_THAT(enfold({"explain"}, "[7]").out, HasSubstr("payload   a list of 1 item\n"));
}

TEST_F(Explain, quotes_the_name_of_the_file_for_the_shell) {
  write("two words.json", "{}");
  write("-one.json", "{}");
  EXPECT_THAT(enfold({"explain", "two words.json"}).out,
              HasSubstr("convert --to response-v2 'two words.json'\n"));
  EXPECT_THAT(enfold({"explain", "--", "-one.json"}).out,
              HasSubstr("convert --to response-v2 ./-one.json\n"));
}

TEST_F(Explain, refuses_a_picture_in_json) {
  EXPECT_THAT(enfold({"explain", "--json", "--html", "a.html", "result.json"}),
              ends(5, "", HasSubstr("error: expected --html or --json, found both\n")));
}

TEST_F(Explain, says_of_a_failure_whether_to_try_again) {
  EXPECT_THAT(enfold({"explain", "limited.json"}),
              ends(0,
                   AllOf(StartsWith("answer    an answer in response-v2 ("),
                         HasSubstr("\noutcome   failed – response-v2 says success: false\n"
                                   "error     Too many calls\n"),
                         HasSubstr("(code RATE_LIMIT_EXCEEDED)\n"),
                         HasSubstr("\nwhat to do next\n  • Wait 45 seconds.\n"
                                   "  • Try again after 45 seconds\n")),
                   ""));
}

TEST_F(Explain, says_what_is_wrong) {
  EXPECT_THAT(
      enfold({"explain"},
             R"({"success":true,"data":{},"error":"x","meta":{"version":"response-v2"},"a":1})"),
      ends(0, AllOf(HasSubstr("what is wrong with it\n  • "), HasSubstr("/error: expected null")),
           ""));
  EXPECT_THAT(enfold({"explain"}, R"({"content":[],"structuredContent":{"success":false}})"),
              ends(0,
                   AllOf(HasSubstr("outcome   failed – `success` is false"),
                         Not(HasSubstr("what is wrong with it"))),
                   ""));
}

TEST_F(Explain, knows_errors_of_the_protocol_and_plain_text) {
  EXPECT_THAT(
      enfold({"explain"}, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})"),
      ends(0,
           AllOf(StartsWith("answer    a JSON-RPC error (63 bytes, standard input)\n"),
                 HasSubstr("(code -32601)\n"), Not(HasSubstr("what is wrong"))),
           ""));
  EXPECT_THAT(enfold({"explain", "--from", "text"}, "all done"),
              ends(0,
                   "answer    text without a contract (8 bytes, standard input)\n"
                   "outcome   ok – text without an error flag\n"
                   "shape     single – one value\n"
                   "payload   text of 8 bytes, form text\n"
                   "what to do next\n"
                   "  • Put it into a contract: enfold convert --to response-v2 --from text\n",
                   ""));
}

TEST_F(Explain, separates_several_answers_and_goes_on_after_an_error) {
  EXPECT_THAT(
      enfold({"explain", "result.json", "none.json", "limited.json"}),
      ends(4, AllOf(StartsWith("answer    an MCP"), HasSubstr("\n\nanswer    an answer in")),
           HasSubstr("\n  at none.json\n")));
}

TEST_F(Explain, speaks_json_to_programs) {
  EXPECT_THAT(enfold({"explain", "--json", "result.json"}),
              ends(0,
                   AllOf(StartsWith(R"({"file":"result.json","answer":"an MCP tool result without )"
                                    R"(a contract","contract":"mcp","outcome":"ok","rule":)"),
                         HasSubstr(R"("problems":[],"next":["Put it into a contract: )"),
                         HasSubstr(R"("response":{)")),
                   ""));
}

TEST_F(Explain, is_coloured_on_a_terminal_only) {
  const Ended piped = enfold({"explain", "limited.json"});
  EXPECT_THAT(piped.out, Not(HasSubstr("\033")));
  const Ended shown =
      enfold_with({.arguments = {"explain", "limited.json"}, .sink = Sink::terminal});
  EXPECT_THAT(shown, ends(0,
                          AllOf(HasSubstr("\033[1manswer   \033[0m an answer in"),
                                HasSubstr("\033[31mfailed\033[0m")),
                          ""));
  const Ended refused = enfold_with({.arguments = {"explain", "limited.json"},
                                     .environment = {"NO_COLOR=1"},
                                     .sink = Sink::terminal});
  EXPECT_THAT(refused, ends(0, AllOf(HasSubstr("outcome   failed"), Not(HasSubstr("\033"))), ""));
  const Ended empty = enfold_with({.arguments = {"explain", "limited.json"},
                                   .environment = {"NO_COLOR="},
                                   .sink = Sink::terminal});
  EXPECT_THAT(empty, ends(0, shown.out, ""));
}

TEST_F(Explain, colours_errors_on_a_terminal_only) {
  EXPECT_THAT(enfold_with({.arguments = {"explain", "none.json"}, .error_to_terminal = true}),
              ends(4, "", StartsWith("\033[31merror:\033[0m cannot open the file")));
  EXPECT_THAT(enfold({"explain", "none.json"}), ends(4, "", StartsWith("error: cannot open")));
}

TEST_F(Explain, keeps_words_of_the_tool_from_steering_the_terminal) {
  const Ended ended = enfold(
      {"explain"},
      R"({"content":[{"type":"text","text":"first\n\u001b[2Jsecond\u0007"}],"isError":true})");
  EXPECT_THAT(ended,
              ends(0, HasSubstr("error     first\n          \\u001b[2Jsecond\\u0007\n"), ""));
  EXPECT_THAT(ended.out, Not(HasSubstr("\033")));
}

TEST_F(Explain, shows_no_secret) {
  const Ended ended =
      enfold({"explain"},
             R"({"content":[{"type":"text","text":"login with password=hunter2hunter2 failed"}],)"
             R"("isError":true})");
  EXPECT_THAT(ended, ends(0, HasSubstr("[REDACTED:PASSWORD]"), ""));
  EXPECT_THAT(ended.out, Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace enfold::cli
