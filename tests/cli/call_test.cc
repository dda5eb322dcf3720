// SPDX-License-Identifier: Apache-2.0
// `enfold tools` and `enfold call` against the examples and against programs that are no servers.
#include "tests/cli/program.h"

#include <fmt/format.h>

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kHello = ENFOLD_EXAMPLE_HELLO;
const std::string kConformance = ENFOLD_EXAMPLE_CONFORMANCE;

class Tools : public ProgramTest {};
class Call : public ProgramTest {
 protected:
  /// A server that greets in the stateless era, lists `tools` and answers a call with `result`.
  [[nodiscard]] std::vector<std::string> scripted(const std::string& tools,
                                                  const std::string& result) const {
    const auto answer = [](int id, const std::string& members) {
      return fmt::format(
          R"(read -r line; printf '%s\n' '{{"jsonrpc":"2.0","id":{},"result":{{{}}}}}'; )", id,
          members);
    };
    return {"bash", "-c",
            answer(1, R"("resultType":"complete","supportedVersions":["2026-07-28"],)"
                      R"("capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private")") +
                answer(2, R"("resultType":"complete","ttlMs":0,"cacheScope":"private","tools":)" +
                              tools) +
                answer(3, result) + answer(4, result) + answer(5, result) + "cat >/dev/null"};
  }
  [[nodiscard]] Ended call(std::vector<std::string> words,
                           const std::vector<std::string>& server) const {
    words.insert(words.begin(), {"call", "--timeout", "20"});
    words.emplace_back("--");
    words.insert(words.end(), server.begin(), server.end());
    return enfold(words);
  }
};

// A result with a list of a hundred records.
std::string many() {
  std::string items;
  for (int i = 0; i < 100; ++i) items += fmt::format("{}{{\"id\":{}}}", i == 0 ? "" : ",", i);
  return R"("resultType":"complete","content":[],"structuredContent":{"items":[)" + items + "]}";
}

constexpr const char* kReader =
    R"([{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}])";
constexpr const char* kWriter = R"([{"name":"look","inputSchema":{"type":"object"}}])";

TEST_F(Tools, are_listed_with_their_arguments) {
  const Ended ended = enfold({"tools", "--", kHello});
  EXPECT_THAT(ended, ends(0,
                          AllOf(StartsWith("hello 1.0.0, protocol 2026-07-28: 3 tools\n"),
                                HasSubstr("\ngreet  (only reads)\n  Greets somebody by name\n"
                                          "    * name  string  Whom to greet\n")),
                          ""));
}

TEST_F(Tools, come_as_json_exactly_as_the_server_describes_them) {
  const Ended ended = enfold({"tools", "--json", "--protocol", "sessions", "--", kHello});
  EXPECT_THAT(ended,
              ends(0, AllOf(StartsWith(R"({"tools":[{"name":"greet")"), EndsWith("]}\n")), ""));
}

TEST_F(Call, without_a_tool_lists_them) {
  EXPECT_THAT(enfold({"call", "--", kHello}), ends(0, enfold({"tools", "--", kHello}).out, ""));
}

TEST_F(Call, shows_what_an_envelope_carries) {
  const std::string want = "{\n  \"greeting\": \"Hello, Ada!\"\n}\n";
  write("ada.json", R"({"name": "Ada"})");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"greet", R"({"name":"Ada"})"},
           {"greet", "--arg", "name=Ada"},
           {"greet", "@ada.json"},
           {"greet", R"({"name":"Bo"})", "--arg", "name=Ada"},
           {"--protocol", "sessions", "greet", "--arg", "name=Ada"},
           {"--protocol", "stateless", "greet", "--arg", "name=Ada"}}) {
    SCOPED_TRACE(::testing::PrintToString(words));
    EXPECT_THAT(call(words, {kHello}), ends(0, want, ""));
  }
  EXPECT_THAT(enfold({"call", "greet", "-", "--", kHello}, R"({"name":"Ada"})"), ends(0, want, ""));
}

constexpr const char* kOptional =
    R"([{"name":"look","inputSchema":{"type":"object","properties":{"a":{"type":"string"},)"
    R"("b":{"type":["string","null"]},"c":{"type":"integer"},)"
    R"("d":{"type":"array","items":{"type":"object","properties":{"e":{},"f":{}}}}},)"
    R"("required":["c"]}}])";

// A server takes null for what may be left out, or it does not: without the null both take it.
TEST_F(Call, leaves_out_null_where_only_leaving_out_is_allowed) {
  const std::string answered =
      R"("resultType":"complete","content":[{"type":"text","text":"answered"}])";
  EXPECT_THAT(call({"look", R"({"a":null,"b":null,"c":1})"}, scripted(kOptional, answered)),
              ends(0, "answered\n", ""));
  EXPECT_THAT(call({"look", R"({"a":null,"c":null})"}, scripted(kOptional, answered)),
              ends(4, "", AllOf(HasSubstr("c: expected integer"), Not(HasSubstr("a: ")))));
}

TEST_F(Call, without_a_tool_shows_what_lists_hold) {
  EXPECT_THAT(call({}, scripted(kOptional, "")).out, HasSubstr("      d  array of {e, f}\n"));
}

// Whatever follows the first -- belongs to the command, another -- too.
TEST_F(Call, reaches_a_server_through_a_wrap) {
  EXPECT_THAT(call({"greet", "--arg", "name=Ada"}, {ENFOLD_PROGRAM, "wrap", "--", kHello}),
              ends(0, "{\n  \"greeting\": \"Hello, Ada!\"\n}\n", ""));
  EXPECT_THAT(enfold({"call", "--", ENFOLD_PROGRAM, "wrap", "--", kHello}),
              ends(0, AllOf(HasSubstr("\ngreet "), HasSubstr("\nenfold_fetch ")), ""));
}

TEST_F(Call, shows_why_the_server_behind_a_wrap_cannot_be_reached) {
  EXPECT_THAT(call({"x"}, {ENFOLD_PROGRAM, "wrap", "--", "/no/such/program"}),
              ends(1, "",
                   AllOf(HasSubstr("/no/such/program: cannot start the program: No such file or "
                                   "directory; check that it is installed and in PATH"),
                         HasSubstr("\n  at "))));
  EXPECT_THAT(call({"x", "--protocol", "sessions"},
                   {ENFOLD_PROGRAM, "wrap", "--", "bash", "-c", "echo 'no token set' >&2; exit 3"}),
              ends(1, "",
                   AllOf(HasSubstr("bash: the server ended with exit code 3; it said last:"),
                         HasSubstr("\n  no token set\n"))));
}

TEST_F(Call, gives_the_result_as_it_came_with_json) {
  const Ended ended = call({"greet", "--arg", "name=Ada", "--json"}, {kHello});
  EXPECT_THAT(ended, ends(0,
                          AllOf(HasSubstr(R"("structuredContent":{"success":true)"),
                                HasSubstr(R"("resultType":"complete")"), EndsWith("}\n")),
                          ""));
}

TEST_F(Call, shows_blocks_as_what_they_are) {
  EXPECT_THAT(call({"test_multiple_content_types"}, {kConformance}),
              ends(0,
                   AllOf(StartsWith("Multiple content types test:\n[image image/png, "),
                         HasSubstr(R"({"test":"data","value":123})")),
                   ""));
}

TEST_F(Call, of_a_tool_that_fails_ends_with_its_own_code) {
  EXPECT_THAT(call({"test_error_handling"}, {kConformance}),
              ends(2, "",
                   "error: This tool intentionally returns an error for testing\n"
                   "Report the failure; a later retry helps only if the cause was temporary.\n"));
  EXPECT_THAT(call({"greet", R"({"nam":"x"})", "--no-check"}, {kHello}),
              ends(2, "", HasSubstr("VALIDATION_ERROR")));
}

TEST_F(Call, of_a_mistyped_tool_is_met_with_a_suggestion) {
  EXPECT_THAT(call({"gret"}, {kHello}),
              ends(4, "", "error: the server has no tool \"gret\"\nhint: did you mean greet?\n"));
}

TEST_F(Call, checks_arguments_before_anything_is_sent) {
  EXPECT_THAT(call({"greet", R"({"nam":"x"})"}, {kHello}),
              ends(4, "",
                   "error: the arguments do not suit the tool greet:\n"
                   "(root): expected member \"name\", found missing\n"
                   "/nam: expected no further members, found member \"nam\"\n"
                   "hint: nothing was sent; --no-check sends them all the same\n"));
  EXPECT_THAT(call({"greet", "[1]"}, {kHello}),
              ends(4, "", HasSubstr("expected a JSON object as arguments, found array")));
  EXPECT_THAT(call({"greet", R"({"name":)"}, {kHello}),
              ends(4, "", HasSubstr("at the arguments, line 1, column 9")));
  EXPECT_THAT(call({"greet", "--arg", "name"}, {kHello}),
              ends(4, "", HasSubstr("expected an argument as KEY=VALUE, found \"name\"")));
  EXPECT_THAT(call({"greet", "@missing.json"}, {kHello}), ends(4, "", HasSubstr("missing.json")));
}

TEST_F(Call, takes_an_argument_for_text_where_the_tool_wants_text) {
  EXPECT_THAT(call({"greet", "--arg", "name=42"}, {kHello}), ends(0, HasSubstr("Hello, 42!"), ""));
}

TEST_F(Call, shows_warnings_of_an_envelope) {
  const std::string result =
      R"("resultType":"complete","content":[{"type":"text","text":"{\"success\":true,)"
      R"(\"data\":{\"n\":1},\"error\":null,\"meta\":{\"version\":\"response-v2\",)"
      R"(\"warnings\":[\"half of it is old\"]}}"}])";
  const Ended ended = call({"look"}, scripted(kReader, result));
  EXPECT_THAT(ended, ends(0, "{\n  \"n\": 1\n}\n", HasSubstr("half of it is old")));
}

TEST_F(Call, shows_what_a_higher_tier_would_add) {
  const Ended ended = call(
      {"look"},
      scripted(kWriter,
               R"("resultType":"complete","content":[],"structuredContent":{"tier":"community",)"
               R"("tool_version":"1.0.0","tool_id":"look","request_id":"req_1",)"
               R"("capabilities":["envelope-v1"],"duration_ms":1,"error":null,"upgrade_hints":[)"
               R"({"feature":"more_files","tier":"pro","reason":"community reads 3 files"}],)"
               R"("data":{"n":1}})"));
  EXPECT_THAT(ended, ends(0, "{\n  \"n\": 1\n}\n",
                          "more at tier pro: community reads 3 files (more_files)\n"));
}

// The server is asked again as often as is allowed; each wait is announced.
TEST_F(Call, waits_when_it_is_told_to_where_that_is_safe) {
  const std::string limited =
      R"("resultType":"complete","isError":true,"content":[{"type":"text","text":)"
      R"("{\"success\":false,\"data\":{\"error_code\":\"RATE_LIMIT_EXCEEDED\",)"
      R"(\"error_type\":\"rate_limit\",\"retry_after_seconds\":0.01},)"
      R"(\"error\":\"too many calls\",\"meta\":{\"version\":\"response-v2\"}}"}])";
  const Ended reads = call({"look"}, scripted(kReader, limited));
  EXPECT_THAT(reads.err,
              AllOf(HasSubstr("too many calls; trying again in 0.01 seconds (attempt 2)"),
                    HasSubstr("(attempt 3)"), Not(HasSubstr("(attempt 4)"))));
  EXPECT_EQ(reads.exit_code, 2);
  const Ended writes = call({"look"}, scripted(kWriter, limited));
  EXPECT_THAT(writes, ends(2, ::testing::_,
                           AllOf(HasSubstr("error: too many calls"), HasSubstr("0.01 seconds"),
                                 Not(HasSubstr("trying again")))));
  std::string advised = limited;
  advised.insert(advised.find("\\\"retry_after"), R"(\"remediation\":\"Wait 0.01 s.\",)");
  EXPECT_THAT(call({"look"}, scripted(kWriter, advised)).err,
              AllOf(HasSubstr("Wait 0.01 s."), Not(HasSubstr("try again after"))));
}

// An answer in response-v2 that Enfold has cut, as `result` of scripted().
std::string cut_answer(const std::string& cursor, const std::string& handle = "130917537533") {
  return R"("resultType":"complete","content":[],"structuredContent":{"success":true,)"
         R"("data":{"items":[{"id":1}]},"error":null,"meta":{"version":"response-v2",)"
         R"("warnings":["9 of 10 records not shown"],"pagination":{"cursor":")" +
         cursor +
         R"(","has_more":true,"total_count":10},"content_fidelity":"partial",)"
         R"("content_fidelity_schema_version":"1.0","dropped_content_ids":["/items/1..9"],)"
         R"("content_archive_hashes":{")" +
         handle + R"(":"sha256:abc..."}}})";
}

constexpr const char* kFetcher = R"([{"name":"look","inputSchema":{"type":"object"}},)"
                                 R"({"name":"enfold_fetch","inputSchema":{"type":"object"}}])";
const std::string kCursor = "EnfC_a2s2ucDAQABCSGqgG1vhNqDEBYByQ==";

TEST_F(Call, names_the_commands_that_open_the_rest_of_a_cut_answer) {
  EXPECT_THAT(call({"look"}, scripted(kWriter, cut_answer(kCursor))),
              ends(0, StartsWith("{"),
                   "warning: 9 of 10 records not shown\n"
                   "more follows: call the tool again with the cursor " +
                       kCursor + "\nthe whole answer: enfold fetch 130917537533\n"));
  EXPECT_THAT(call({"look"}, scripted(kWriter, cut_answer("of-the-tool"))).err,
              HasSubstr("more follows: call the tool again with the cursor of-the-tool\n"));
}

// Another process of the server does not have what this one kept in memory.
TEST_F(Call, says_that_the_archive_of_a_server_it_started_must_be_on_disk) {
  std::vector<std::string> server = scripted(kFetcher, cut_answer(kCursor));
  server.insert(server.end(), {"server", "TOKEN=secret-1", "--key=secret-2", "--api-key",
                               "secret-3-0123456789", "plain"});
  const Ended ended = call({"look", "--protocol", "stateless"}, server);
  const std::string how =
      ", if the server keeps its archive on disk (… replaces values that may be secret): "
      "enfold call enfold_fetch --arg ";
  const std::string which = " --protocol stateless --timeout 20 -- bash -c 'read -r line; ";
  EXPECT_THAT(ended.err, AllOf(HasSubstr("more follows" + how + "cursor=" + kCursor + which),
                               HasSubstr("the whole answer" + how + "handle=130917537533" + which),
                               HasSubstr(" server 'TOKEN=…' '--key=…' --api-key '…' plain\n"),
                               Not(HasSubstr("secret-"))));
}

TEST_F(Call, shows_no_handle_or_cursor_that_cannot_be_one) {
  for (const char* const tools : {kWriter, kFetcher}) {
    EXPECT_THAT(call({"look"}, scripted(tools, cut_answer(R"(EnfC_a\nrun: rm)", "1309; rm"))),
                ends(0, StartsWith("{"), "warning: 9 of 10 records not shown\n"));
    EXPECT_THAT(call({"look"}, scripted(tools, cut_answer(R"(of\r\nrun: rm)", R"(13091753\nrm)"))),
                ends(0, StartsWith("{"),
                     "warning: 9 of 10 records not shown\n"
                     "more follows: call the tool again with the cursor of\\r\\nrun: rm\n"));
  }
}

TEST_F(Call, opens_the_rest_of_what_a_wrap_has_cut) {
  std::vector<std::string> wrapped{ENFOLD_PROGRAM, "wrap", "--budget", "200", "--"};
  const std::vector<std::string> server = scripted(kReader, many());
  wrapped.insert(wrapped.end(), server.begin(), server.end());
  const Ended cut = call({"look"}, wrapped);
  EXPECT_EQ(cut.exit_code, 0) << cut.err;
  const auto after = [&](const std::string& words) {
    const std::size_t at = cut.err.find(words);
    EXPECT_NE(at, std::string::npos) << words << " in\n" << cut.err;
    const std::size_t start = at + words.size();
    return cut.err.substr(start, cut.err.find('\n', start) - start);
  };
  const std::string cursor = after("more follows: enfold fetch --cursor ");
  const std::string handle = after("the whole answer: enfold fetch ");
  EXPECT_THAT(enfold({"fetch", "--cursor", cursor}), ends(0, HasSubstr("\"success\":true"), ""));
  EXPECT_THAT(enfold({"fetch", handle, "--cursor", cursor}), ends(0, ::testing::_, ""));
  EXPECT_THAT(enfold({"fetch", "123456789012", "--cursor", cursor}),
              ends(4, "", HasSubstr("expected a cursor of 123456789012, found one of " + handle)));
  EXPECT_THAT(enfold({"fetch", handle, "--count"}), ends(0, HasSubstr("\"count\":100"), ""));
  // The archive has the answer, but did not sign this cursor.
  EXPECT_THAT(
      call({"look"}, scripted(kFetcher, cut_answer(kCursor, handle))),
      ends(0, ::testing::_,
           "warning: 9 of 10 records not shown\nthe whole answer: enfold fetch " + handle + "\n"));
}

TEST_F(Call, of_a_running_server_names_commands_without_secrets) {
  std::vector<std::string> words{ENFOLD_PROGRAM, "serve",     "--listen", "127.0.0.1:0", "--budget",
                                 "200",          "--archive", "memory",   "--"};
  // Answers by method, because a gateway over HTTP asks for lists more than once.
  const auto answer = [](const char* method, const std::string& members) {
    return fmt::format(R"(*'"{}"'*) r='{}' ;; )", method, members);
  };
  const std::string complete = R"("resultType":"complete","ttlMs":0,"cacheScope":"private",)";
  words.insert(
      words.end(),
      {"bash", "-c",
       R"(while read -r line; do case "$line" in )" +
           answer("server/discover",
                  complete + R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{}})") +
           answer("tools/list", complete + R"("tools":)" + kReader) + answer("tools/call", many()) +
           R"(*) continue ;; esac; id="${line#*\"id\":}"; )" +
           R"(printf '{"jsonrpc":"2.0","id":%s,"result":{%s}}\n' "${id%%[^0-9]*}" "$r"; done)"});
  enfold::testing::Killable gateway([&](int output, int nothing) {
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
  });
  gateway.listen_until(2);
  ASSERT_THAT(gateway.lines(), ::testing::ElementsAre(StartsWith("listening on http://"),
                                                      StartsWith("dashboard at http://")));
  const std::string url = gateway.lines().front().substr(13);
  const Ended ended = enfold({"call", "look", "--timeout", "30", "--url", url + "?key=hush-1",
                              "--header", "X-Team: hush-2"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  const std::string server = " --timeout 30 --url '" + url + "?…' --header 'X-Team: …'\n";
  const std::string how =
      " (… replaces values that may be secret): enfold call enfold_fetch --arg ";
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("more follows" + how + "cursor=EnfC"), HasSubstr(server),
                    HasSubstr("the whole answer" + how + "handle="), Not(HasSubstr("hush"))));
  const std::size_t at = ended.err.find("handle=");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(enfold({"call", "enfold_fetch", "--arg", ended.err.substr(at, 19), "--arg",
                      "count=true", "--url", url}),
              ends(0, HasSubstr("\"count\": 100"), ""));
}

TEST_F(Call, says_when_the_original_of_a_cut_answer_is_nowhere) {
  std::vector<std::string> wrapped{ENFOLD_PROGRAM, "wrap", "--budget", "200",
                                   "--archive",    "none", "--"};
  const std::vector<std::string> server = scripted(kReader, many());
  wrapped.insert(wrapped.end(), server.begin(), server.end());
  EXPECT_THAT(call({"look"}, wrapped),
              ends(0, ::testing::_, EndsWith("the answer is partial, and names no original\n")));
}

TEST_F(Call, says_how_a_tool_pages) {
  const auto page = [&](const std::string& member) {
    return call({"look"},
                scripted(kWriter, R"("resultType":"complete","content":[],"structuredContent":)"
                                  R"({"success":true,"data":{"items":[1]},"error":null,"meta":)"
                                  R"({"version":"response-v2","pagination":{"has_more":true,)" +
                                      member + "}}}"))
        .err;
  };
  EXPECT_EQ(page(R"("cursor":"abc")"), "more follows: call the tool again with the cursor abc\n");
  EXPECT_EQ(page(R"("cursor":null)"), "more follows: call the tool again\n");
}

TEST_F(Call, of_a_tool_that_fails_in_its_envelope_only_ends_with_the_same_code) {
  const std::string result =
      R"("resultType":"complete","content":[],"structuredContent":{"success":false,"data":)"
      R"({"error_code":"NOT_FOUND","error_type":"not_found"},"error":"no such note",)"
      R"("meta":{"version":"response-v2"}})";
  EXPECT_THAT(call({"look"}, scripted(kWriter, result)),
              ends(2, "", HasSubstr("error: no such note (NOT_FOUND)\n")));
  EXPECT_THAT(call({"look", "--json"}, scripted(kWriter, result)), ends(2, ::testing::_, ""));
}

TEST_F(Call, shows_structured_content_that_no_block_has) {
  const auto shown = [&](const std::string& text, const std::string& structured) {
    return call({"look"},
                scripted(kWriter, R"("resultType":"complete","content":[{"type":"text","text":")" +
                                      text + R"("}],"structuredContent":)" + structured))
        .out;
  };
  EXPECT_EQ(shown("3 rows", R"({"rows":3})"), "3 rows\n{\n  \"rows\": 3\n}\n");
  EXPECT_EQ(shown(R"({\"rows\": 3})", R"({"rows":3})"), "{\"rows\": 3}\n");
  EXPECT_EQ(shown("hello", R"({"result":"hello"})"), "hello\n");
  EXPECT_EQ(shown("[1]", R"({"result":[1]})"), "[1]\n");
  EXPECT_THAT(shown("hello", R"({"result":"hello","n":1})"), StartsWith("hello\n{"));
}

TEST_F(Call, refuses_an_argument_that_comes_twice) {
  EXPECT_THAT(call({"greet", "--arg", "name=Ada", "--arg", "name=Bo"}, {kHello}),
              ends(4, "",
                   "error: expected each argument once, found \"name\" twice\n"
                   "hint: write a list as JSON: --arg 'name=[1, 2]'\n"));
}

TEST_F(Call, shows_no_control_characters_of_strangers) {
  const std::string result =
      R"("resultType":"complete","content":[{"type":"text","text":"a\u001b[2Jb"}])";
  EXPECT_THAT(call({"look"}, scripted(kReader, result)), ends(0, "a\\u001b[2Jb\n", ""));
}

TEST_F(Call, of_something_that_is_no_server_says_what_is_wrong) {
  EXPECT_THAT(call({"x"}, {"/no/such/program"}),
              ends(4, "", AllOf(HasSubstr("cannot start the program"), HasSubstr("PATH"))));
  EXPECT_THAT(call({"x"}, {"bash", "-c", "echo 'no token set' >&2; exit 3"}),
              ends(1, "",
                   "error: the server ended with exit code 3\n  at bash\n"
                   "hint: it said last:\n  no token set\n"));
  EXPECT_THAT(enfold({"call", "x", "--timeout", "1", "--", "sleep", "100"}),
              ends(1, "", HasSubstr("found silence")));
  EXPECT_THAT(enfold({"call", "x", "--url", "http://127.0.0.1:1/mcp"}),
              ends(1, "",
                   "error: cannot connect: Connection refused\n  at http://127.0.0.1:1/mcp\n"
                   "hint: check that the server runs and listens there\n"));
}

TEST_F(Call, of_the_wrong_form_is_refused) {
  struct Case {
    std::vector<std::string> arguments;
    std::string want;
  };
  for (const Case& one : std::vector<Case>{
           {{"call", "x"}, "error: expected a server: --url URL, or its command after --\n"},
           {{"call", "x", "--url", "http://localhost/mcp", "--", "server"},
            "error: expected one server, found both --url and a command\n"},
           {{"call", "x", "--url", "ftp://localhost"}, "error: "},
           {{"call", "x", "--protocol", "new", "--", "server"},
            "error: expected auto, stateless or sessions as protocol, found \"new\"\n"},
           {{"call", "x", "--header", "Authorization", "--url", "http://localhost/mcp"},
            "error: expected a header as NAME: VALUE, found \"Authorization\"\n"},
           {{"call", "x", "--header", "A: b", "--", "server"},
            "error: --header is only for servers with --url\n"},
           {{"call", "x", "--timeout", "0", "--", "server"},
            "error: expected a number of seconds from 1 to 86400, found \"0\"\n  at --timeout\n"},
           {{"call", "x", "{}", "server", "--port", "1"},
            "error: expected the command of a server after --, found \"server\"\n"
            "hint: for example `enfold call -- server --port 1`\n"}}) {
    SCOPED_TRACE(::testing::PrintToString(one.arguments));
    EXPECT_THAT(enfold(one.arguments), ends(5, "", StartsWith(one.want)));
  }
}

TEST_F(Call, shows_progress_on_a_terminal_only) {
  EXPECT_THAT(enfold_with({.arguments = {"call", "test_tool_with_progress", "--", kConformance},
                           .error_to_terminal = true})
                  .err,
              HasSubstr("50 of 100"));
  EXPECT_THAT(call({"test_tool_with_progress"}, {kConformance}), ends(0, ::testing::_, ""));
}

TEST_F(Call, passes_the_log_of_the_server_on_when_asked) {
  const std::vector<std::string> server{"bash", "-c", "echo 'I am here' >&2; exec " + kHello};
  EXPECT_THAT(call({"greet", "--arg", "name=Ada"}, server), ends(0, ::testing::_, ""));
  EXPECT_THAT(call({"greet", "--arg", "name=Ada", "--server-log"}, server),
              ends(0, ::testing::_, HasSubstr("I am here\n")));
}

}  // namespace
}  // namespace enfold::cli
