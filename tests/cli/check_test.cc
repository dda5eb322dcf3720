// SPDX-License-Identifier: Apache-2.0
// `enfold check` against the examples, against servers that do everything wrong, and against files
// of calls that are none.
#include "enfold/json/document.h"
#include "tests/cli/program.h"

#include <fmt/format.h>

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kHello = ENFOLD_EXAMPLE_HELLO;
const std::string kFoundry = ENFOLD_EXAMPLE_FOUNDRY;
const std::string kDiscord = ENFOLD_EXAMPLE_DISCORD;

std::string example(const std::string& file) {
  return fmt::format("{}/examples/{}", ENFOLD_SOURCE_DIR, file);
}

const std::vector<std::string> kConfiguredDiscord{kDiscord, "--config",
                                                  example("discord/config.json")};

class Check : public ProgramTest {
 protected:
  [[nodiscard]] Ended check(std::vector<std::string> words,
                            const std::vector<std::string>& server) const {
    words.insert(words.begin(), {"check", "--timeout", "20"});
    words.emplace_back("--");
    words.insert(words.end(), server.begin(), server.end());
    return enfold(words);
  }
  /// A server that lists `tools` and answers every call with these members; if `client` is in the
  /// call, with those for it.
  [[nodiscard]] static std::vector<std::string> scripted(const std::string& tools,
                                                         const std::string& call,
                                                         const std::string& for_client = "",
                                                         const std::string& client = "") {
    const auto says = [](const std::string& method, const std::string& members) {
      return fmt::format(R"(*{}*) printf '{{"jsonrpc":"2.0","id":%s,{}}}\n' "$id";; )", method,
                         members);
    };
    return {"bash", "-c",
            R"(while read -r line; do id=${line#*\"id\":}; id=${id%%[,\}]*}; case $line in )" +
                says("server/discover",
                     R"("result":{"resultType":"complete","supportedVersions":["2026-07-28"],)"
                     R"("capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"})") +
                says("tools/list", R"("result":{"resultType":"complete","ttlMs":0,)"
                                   R"("cacheScope":"private","tools":)" +
                                       tools + "}") +
                (client.empty() ? "" : says("tools/call*" + client, for_client)) +
                (call.empty() ? "*tools/call*) exit 3;; " : says("tools/call", call)) +
                "esac; done"};
  }
};

constexpr const char* kReader =
    R"([{"name":"look","description":"Looks.","inputSchema":{"type":"object"},)"
    R"("outputSchema":{"type":"object","required":["a"]},"annotations":{"readOnlyHint":true}}])";

/// A failure in words only.
constexpr const char* kSentence =
    R"("result":{"resultType":"complete","content":[{"type":"text","text":"Failed to look"}],)"
    R"("isError":true})";

TEST_F(Check, finds_nothing_wrong_with_a_server_of_the_library) {
  EXPECT_THAT(check({}, {kHello}),
              ends(0,
                   AllOf(StartsWith("hello 1.0.0, protocol 2026-07-28: 3 tools, 5 calls\n\n"
                                    "greet  2 calls, response-v2\n\n"),
                         HasSubstr("\n0 errors, 0 warnings, 0 notes\n")),
                   ""));
  EXPECT_THAT(check({"--strict"}, {kHello}), ends(0, HasSubstr("0 notes"), ""));
  EXPECT_THAT(check({"--contract", "response-v2"}, {kHello}), ends(0, HasSubstr("0 errors"), ""));
}

TEST_F(Check, plays_the_calls_of_a_file_in_order) {
  EXPECT_THAT(check({"--calls", example("foundry/calls.json")},
                    {kFoundry, "--config", example("foundry/config.json")}),
              ends(0,
                   AllOf(HasSubstr("task  40 calls, response-v2"),
                         HasSubstr("\n0 errors, 0 warnings, 0 notes\n")),
                   ""));
}

TEST_F(Check, calls_only_what_is_declared_as_read_only) {
  EXPECT_THAT(
      check({}, kConfiguredDiscord),
      ends(0,
           AllOf(HasSubstr("discord_send_message  not called: it does not declare readOnlyHint"),
                 HasSubstr("What to do\n  double-emission  "), HasSubstr("\n0 errors, 0 warnings")),
           ""));
}

TEST_F(Check, wants_a_code_of_every_failure) {
  EXPECT_THAT(check({}, scripted(kReader, kSentence)),
              ends(2,
                   AllOf(HasSubstr("error-shape: a failure without a code: \"Failed to look\""),
                         HasSubstr("\n0 errors, 1 warning")),
                   ""));
}

TEST_F(Check, advises_nothing_that_a_wrap_has_done_already) {
  std::vector<std::string> wrapped{ENFOLD_PROGRAM, "wrap", "--"};
  wrapped.insert(wrapped.end(), kConfiguredDiscord.begin(), kConfiguredDiscord.end());
  EXPECT_THAT(check({"--strict"}, wrapped),
              ends(0, AllOf(HasSubstr(", response-v2\n"), Not(HasSubstr("What to do"))), ""));
}

/// A result with so many letters: too large for copilot if there are more than 28,000.
std::string letters(std::size_t count) {
  return fmt::format(
      R"("result":{{"resultType":"complete","content":[{{"type":"text","text":"{}"}}]}})",
      std::string(count, 'x'));
}

constexpr const char* kTalker =
    R"([{"name":"look","description":"Looks.","inputSchema":{"type":"object"},)"
    R"("annotations":{"readOnlyHint":true}}])";
constexpr const char* kTalkerWithEnfold =
    R"([{"name":"look","description":"Looks.","inputSchema":{"type":"object"},)"
    R"("annotations":{"readOnlyHint":true}},)"
    R"({"name":"enfold_fetch","description":"Fetches.","inputSchema":{"type":"object"}}])";

TEST_F(Check, calls_again_as_a_client_for_which_the_answer_is_too_large) {
  EXPECT_THAT(
      check({}, scripted(kTalker, letters(29'000))),
      ends(2,
           AllOf(HasSubstr("look  2 calls"),
                 HasSubstr("size: 29,000 characters; a client of the profile \"copilot\" shows "
                           "at most 28,000 (with sample arguments, as copilot)"),
                 HasSubstr("put `enfold wrap` in front"), HasSubstr("1 warning")),
           ""));
  EXPECT_THAT(check({"--client", "claude-code"}, scripted(kTalker, letters(29'000))),
              ends(0, HasSubstr("look  1 call"), ""));
}

TEST_F(Check, finds_nothing_in_a_server_that_fits_its_answers_to_each_client) {
  const auto server = scripted(kTalker, letters(29'000), letters(20'000), "github-copilot");
  EXPECT_THAT(check({"--strict"}, server), ends(0, HasSubstr("look  2 calls"), ""));
  EXPECT_THAT(check({"--strict", "--client", "copilot"}, server), ends(0, HasSubstr("1 call"), ""));
}

TEST_F(Check, does_not_advise_enfold_to_a_server_that_has_it) {
  const Ended ended = check({}, scripted(kTalkerWithEnfold, letters(40'000)));
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("lower the budget of the server"), Not(HasSubstr("wrap"))));
}

TEST_F(Check, says_it_as_json_and_as_junit_too) {
  const Ended ended = check({"--json", "--junit", "report.xml"}, scripted(kReader, kSentence));
  EXPECT_EQ(ended.exit_code, 2);
  const json::Value report = json::parse_own(ended.out);
  EXPECT_EQ(report->find("protocol")->string(), "2026-07-28");
  EXPECT_EQ(report->find("errors")->integer(), 0);
  EXPECT_EQ(report->find("warnings")->integer(), 1);
  EXPECT_EQ(report->find("tools")->size(), 1U);
  EXPECT_THAT(read("report.xml"),
              AllOf(HasSubstr(" tests=\"13\" failures=\"1\""),
                    HasSubstr("<failure type=\"warning\" message=\"a failure without a code:")));
  EXPECT_THAT(check({"--junit", "no/such/folder/report.xml"}, {kHello}),
              ends(4, "", HasSubstr("could not be written")));
}

TEST_F(Check, finds_drift_secrets_and_crashes) {
  const std::string secret = "ghp_" + std::string(36, 'a');
  const Ended wrong =
      check({}, scripted(kReader, fmt::format(R"("result":{{"resultType":"complete","content":)"
                                              R"([{{"type":"text","text":"token {}"}}]}})",
                                              secret)));
  EXPECT_THAT(
      wrong,
      ends(2,
           AllOf(HasSubstr("error    schema-drift: the tool has an output schema"),
                 HasSubstr("error    secret: a credential (GITHUB_TOKEN) at /content/0/text"),
                 HasSubstr("\n2 errors, 0 warnings"), Not(HasSubstr(secret))),
           ""));
  EXPECT_THAT(
      check({}, scripted(kReader, R"("error":{"code":-32603,"message":"boom"})")),
      ends(2, HasSubstr("error-shape: JSON-RPC error -32603 instead of a result with isError"),
           ""));
  EXPECT_THAT(check({}, scripted(kReader, "")),
              ends(2, HasSubstr("error    no-answer: the server ended with exit code 3"), ""));
}

TEST_F(Check, holds_a_call_to_what_its_file_says) {
  write("calls.json", R"([{"name":"greets","tool":"greet","arguments":{"name":"Ada"},"error":true,
    "save":{"who":"/structuredContent/data/greeting"}},
    {"tool":"greet","arguments":{"name":"not ${who}"}}])");
  EXPECT_THAT(check({"--calls", "calls.json"}, {kHello}),
              ends(2,
                   AllOf(HasSubstr("outcome: expected a failure, found a success (greets)"),
                         HasSubstr("server  not called: no call of it in the file")),
                   ""));
}

TEST_F(Check, holds_a_refused_call_to_what_its_file_says) {
  write("calls.json", R"([{"name":"looks","tool":"look","error":false}])");
  for (const char* code : {"-32603", "-32042"}) {
    EXPECT_THAT(
        check({"--calls", "calls.json"},
              scripted(kReader, fmt::format(R"("error":{{"code":{},"message":"boom"}})", code))),
        ends(2,
             HasSubstr(fmt::format(
                 "outcome: expected a success, found JSON-RPC error {}: boom (looks)", code)),
             ""));
  }
}

TEST_F(Check, names_a_member_of_a_call_that_nobody_knows) {
  struct Case {
    const char* calls;
    const char* says;
  };
  const Case cases[] = {
      {R"([{"tool":"greet","argments":{"name":"Ada"}}])",
       "error: expected a known member of a call, found \"argments\"\n"
       "  at calls.json, /0/argments\nhint: did you mean arguments?\n"},
      {R"([{"tool":"greet"},{"tool":"greet","saves/":{}}])",
       "error: expected a known member of a call, found \"saves/\"\n"
       "  at calls.json, /1/saves~1\nhint: did you mean save?\n"},
      {R"([{"tool":"greet","Error":true}])",
       "error: expected a known member of a call, found \"Error\"\n"
       "  at calls.json, /0/Error\nhint: did you mean error?\n"},
      {R"([{"tool":"greet","comment":"x"}])",
       "error: expected a known member of a call, found \"comment\"\n"
       "  at calls.json, /0/comment\nhint: there are: tool, arguments, name, error, save\n"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.calls);
    write("calls.json", one.calls);
    EXPECT_THAT(check({"--calls", "calls.json"}, {kHello}), ends(4, "", one.says));
  }
}

TEST_F(Check, refuses_calls_that_cannot_be_made) {
  struct Case {
    const char* name;
    const char* calls;
    const char* says;
  };
  const Case cases[] = {
      {"no JSON", "[", "calls.json"},
      {"no list", "{}", "expected a list of calls, found object"},
      {"no call", "[7]", "expected a call as an object, found number"},
      {"no tool", R"([{"name":"x"}])", "expected the name of a tool"},
      {"arguments that are none", R"([{"tool":"greet","arguments":[]}])", "expected arguments"},
      {"an expectation that is none", R"([{"tool":"greet","error":"yes"}])",
       "expected true or false as error, found string\n  at calls.json, /0/error"},
      {"nothing to save", R"([{"tool":"greet","save":"/a"}])",
       "expected save as an object, found string\n  at calls.json, /0/save"},
      {"a place that is none", R"([{"tool":"greet","save":{"id":7}}])",
       "expected a JSON Pointer into the result, found 7\n  at calls.json, /0/save/id"},
      {"a place of the wrong form", R"([{"tool":"greet","save":{"id":"a.b"}}])",
       "expected a JSON Pointer into the result, found \"a.b\""},
      {"an unknown tool", R"([{"tool":"great"}])", "the server has no tool \"great\""},
      {"nothing saved", R"([{"tool":"greet","arguments":{"name":"${who}"}}])",
       "nothing was saved as \"who\""},
      {"a variable without a name", R"([{"tool":"greet","arguments":{"name":"a ${} b"}}])",
       "nothing was saved as \"\""},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    write("calls.json", one.calls);
    EXPECT_THAT(check({"--calls", "calls.json"}, {kHello}), ends(4, "", HasSubstr(one.says)));
  }
  EXPECT_THAT(check({"--calls", "none.json"}, {kHello}), ends(4, "", HasSubstr("none.json")));
  EXPECT_THAT(check({"--contract", "respones-v2"}, {kHello}),
              ends(5, "",
                   "error: expected the name of a contract, found \"respones-v2\"\n"
                   "  at --contract\nhint: did you mean response-v2?\n"));
  EXPECT_THAT(check({"--contract", "text"}, {kHello}),
              ends(5, "", HasSubstr("expected a contract with a schema, found \"text\"\n")));
  EXPECT_THAT(check({"--client", "nobody"}, {kHello}), ends(5, "", HasSubstr("nobody")));
  EXPECT_THAT(enfold({"check"}), ends(5, "", HasSubstr("--url")));
}

}  // namespace
}  // namespace enfold::cli
