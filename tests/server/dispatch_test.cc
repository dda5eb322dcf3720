// SPDX-License-Identifier: Apache-2.0
#include "tests/server/book.h"
#include "tests/server/talk.h"

#include <algorithm>

namespace enfold::server {
namespace {

class Dispatch : public testing::Test {
 protected:
  Dispatch() { talk.open_session(); }

  Server server = book_server();
  Talk talk{server};
};

TEST_F(Dispatch, answers_in_the_envelope_with_a_request_id) {
  const json::Value result =
      talk.ask("tools/call", R"({"name":"look_up","arguments":{"title":"Dune"}})");
  EXPECT_EQ(at(result, "/structuredContent"),
            R"({"success":true,"data":{"id":"b-1"},"error":null,)"
            R"("meta":{"version":"response-v2","request_id":"req_212223242526"}})");
  EXPECT_EQ(at(result, "/isError"), "false");
  EXPECT_EQ(json::parse_own(result->find("content")->item(0)->find("text")->string()),
            json::Value(*result->find("structuredContent")));
}

TEST_F(Dispatch, speaks_both_eras_on_one_connection) {
  const json::Value result =
      talk.ask("tools/call", R"({"name":"look_up","arguments":{"title":"Dune"},"_meta":)" +
                                 stateless_meta() + "}");
  EXPECT_EQ(at(result, "/resultType"), R"("complete")");
  EXPECT_EQ(at(result, "/structuredContent/data/id"), R"("b-1")");
}

TEST_F(Dispatch, keeps_the_request_id_of_the_caller) {
  const json::Value answer =
      talk.call("look_up", R"({"title":"Dune"})", R"({"request_id":"trace-9"})");
  EXPECT_EQ(at(answer, "/meta/request_id"), R"("trace-9")");
  ASSERT_FALSE(talk.lines.empty());
  EXPECT_EQ(talk.lines.back().request_id, "trace-9");
}

TEST_F(Dispatch, shows_more_at_higher_levels_and_says_how_to_ask) {
  const json::Value full = talk.call("look_up", R"({"title":"Dune","response_level":"full"})");
  EXPECT_EQ(at(full, "/data"), R"({"id":"b-1","title":"Dune","blurb":"long"})");
  EXPECT_EQ(at(full, "/meta/telemetry/duration_ms"), "0");
  const json::Value list = talk.ask("tools/list", "{}");
  EXPECT_EQ(at(list, "/tools/0/inputSchema/properties/response_level/enum"),
            R"(["minimal","standard","full"])");
}

TEST_F(Dispatch, names_the_argument_that_is_wrong) {
  struct Case {
    const char* name;
    const char* arguments;
    const char* code;
    const char* error;
    const char* problem;
  };
  const std::vector<Case> cases{
      {"missing", "{}", R"("MISSING_REQUIRED")", R"("Missing required parameter 'title'")",
       R"({"field":"title","constraint":"required","expected":"a value","received":null})"},
      {"type", R"({"title":7})", R"("INVALID_FORMAT")",
       R"("title: expected string, found number 7")",
       R"({"field":"title","constraint":"type","expected":"string","received":7})"},
      {"limit", R"({"title":"x","copies":10})", R"("VALIDATION_ERROR")", nullptr,
       R"({"field":"copies","constraint":"maximum","expected":"at most 9","received":10})"},
      {"nested", R"({"title":"x","tags":["a",1]})", R"("INVALID_FORMAT")", nullptr,
       R"({"field":"tags.1","constraint":"type","expected":"string","received":1})"},
      {"unknown", R"({"title":"x","copie":1})", R"("VALIDATION_ERROR")", nullptr,
       R"({"field":"copie","constraint":"additionalProperties","expected":"no argument of this name","received":1})"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const json::Value answer = talk.call("look_up", one.arguments);
    EXPECT_EQ(at(answer, "/success"), "false");
    EXPECT_EQ(at(answer, "/data/error_code"), one.code);
    if (one.error != nullptr) {
      EXPECT_EQ(at(answer, "/error"), one.error);
    }
    EXPECT_EQ(at(answer, "/data/details"), one.problem);
  }
  const json::Value several = talk.call("look_up", R"({"title":7,"copies":10})");
  EXPECT_EQ(at(several, "/data/error_code"), R"("VALIDATION_ERROR")");
  EXPECT_EQ(at(several, "/data/details/field"), R"("title")");
  EXPECT_EQ(at(several, "/data/details/problems/1/field"), R"("copies")");
  const json::Value unknown = talk.call("look_up", R"({"title":"x","copie":1})");
  EXPECT_EQ(at(unknown, "/data/remediation"),
            R"("There is no argument copie: did you mean copies?")");
}

TEST_F(Dispatch, refuses_arguments_of_any_name) {
  for (const char* name : {"", " ", "/", "~", "~2", "0", "-1", "99999999999999999999", "\\u0000"}) {
    SCOPED_TRACE(name);
    const json::Value answer = talk.call("look_up", fmt::format(R"({{"title":"x","{}":1}})", name));
    EXPECT_EQ(at(answer, "/success"), "false");
    const json::Value nested = talk.call("look_up", fmt::format(R"({{"tags":{{"{}":1}}}})", name));
    EXPECT_EQ(at(nested, "/success"), "false");
  }
}

TEST_F(Dispatch, takes_null_for_an_argument_that_may_be_left_out) {
  const json::Value answer = talk.call("look_up", R"({"title":"x","copies":null,"tags":null})");
  EXPECT_EQ(at(answer, "/data/id"), R"("b-1")");
}

TEST_F(Dispatch, refuses_a_marker_of_a_secret_that_comes_back) {
  const json::Value answer = talk.call("look_up", R"({"title":"[REDACTED:PASSWORD]"})");
  EXPECT_EQ(at(answer, "/data/error_code"), R"("VALIDATION_ERROR")");
}

TEST_F(Dispatch, tells_typed_errors_and_no_internals) {
  struct Case {
    const char* tool;
    const char* code;
    const char* error;
  };
  const std::vector<Case> cases{
      {"throws", R"("INTERNAL_ERROR")", R"("The tool failed")"},
      {"throws_slowly", R"("INTERNAL_ERROR")", R"("The tool failed")"},
      {"broken", R"("INTERNAL_ERROR")", R"("The tool failed")"},
      {"nonsense", R"("INTERNAL_ERROR")", R"("The tool failed")"},
      {"missing", R"("NOT_FOUND")", R"("shelf 3: expected a book, found none")"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.tool);
    const json::Value answer = talk.call(one.tool, "{}");
    EXPECT_EQ(at(answer, "/data/error_code"), one.code);
    EXPECT_EQ(at(answer, "/error"), one.error);
    EXPECT_EQ(json::to_text(answer.view()).find("/srv"), std::string::npos);
    EXPECT_EQ(talk.lines.back().outcome, "failed");
    EXPECT_FALSE(talk.lines.back().request_id.empty());
  }
  // The operator does learn what was thrown.
  EXPECT_TRUE(std::any_of(talk.lines.begin(), talk.lines.end(), [](const serve::LogLine& line) {
    return line.event == "handler_threw" && line.note.find("/srv/db") != std::string::npos;
  }));
}

TEST_F(Dispatch, logs_what_the_envelope_says) {
  (void)talk.call("look_up", R"({"title":"x"})");
  (void)talk.call("look_up", "{}");
  (void)talk.call("throws", "{}");
  std::vector<std::string> calls;
  for (const serve::LogLine& line : talk.lines) {
    if (line.event == "call") calls.push_back(line.outcome + " " + line.code);
  }
  EXPECT_EQ(calls,
            (std::vector<std::string>{"ok ", "failed MISSING_REQUIRED", "failed INTERNAL_ERROR"}));
}

TEST_F(Dispatch, says_which_tool_was_meant) {
  const json::Value error = talk.ask("tools/call", R"({"name":"lookup","arguments":{}})");
  EXPECT_EQ(at(error, "/code"), "-32602");
  EXPECT_EQ(at(error, "/message"), R"("Unknown tool: \"lookup\", did you mean \"look_up\"?")");
}

TEST_F(Dispatch, gives_pages_with_cursors) {
  const json::Value first = talk.call("browse", R"({"count":3,"limit":2})");
  EXPECT_EQ(at(first, "/data/books"), R"([{"id":"b-0"},{"id":"b-1"}])");
  EXPECT_EQ(at(first, "/meta/pagination/has_more"), "true");
  const json::Value last = talk.call(
      "browse", R"({"count":3,"limit":2,"cursor":)" + at(first, "/meta/pagination/cursor") + "}");
  EXPECT_EQ(at(last, "/data/books"), R"([{"id":"b-2"}])");
  EXPECT_EQ(at(last, "/meta/pagination/has_more"), "false");
  const json::Value bad = talk.call("browse", R"({"cursor":"%%%"})");
  EXPECT_EQ(at(bad, "/data/error_code"), R"("INVALID_FORMAT")");
}

TEST_F(Dispatch, works_on_slow_calls_without_holding_up_others) {
  const std::int64_t slow =
      talk.start("tools/call", R"({"name":"slow_look_up","arguments":{"title":"x"}})");
  EXPECT_EQ(talk.host.jobs.size(), 1U);
  const std::int64_t quick =
      talk.start("tools/call", R"({"name":"look_up","arguments":{"title":"y"}})");
  EXPECT_FALSE(talk.answer_to(quick)->is_null());
  EXPECT_TRUE(talk.answer_to(slow)->is_null());
  talk.host.run();
  EXPECT_EQ(at(talk.answer_to(slow), "/structuredContent/data/id"), R"("b-1")");
}

TEST_F(Dispatch, gives_up_on_a_handler_that_misses_its_deadline) {
  const std::int64_t id =
      talk.start("tools/call", R"({"name":"slow_look_up","arguments":{"title":"x"}})");
  talk.host.advance(std::chrono::milliseconds(1999));
  EXPECT_TRUE(talk.answer_to(id)->is_null());
  talk.host.advance(std::chrono::milliseconds(1));
  EXPECT_EQ(at(talk.answer_to(id), "/structuredContent/data/error_code"), R"("TIMEOUT")");
  const std::size_t said = talk.heard.size();
  talk.host.run();  // the handler returns after all
  EXPECT_EQ(talk.heard.size(), said);
  EXPECT_EQ(talk.dispatcher->running(), 0U);
}

TEST_F(Dispatch, refuses_slow_calls_when_too_many_wait) {
  talk.host.most_jobs = 0;
  const json::Value answer = talk.call("slow_look_up", R"({"title":"x"})");
  EXPECT_EQ(at(answer, "/data/error_code"), R"("UNAVAILABLE")");
  EXPECT_EQ(at(answer, "/data/retry_after_seconds"), "1");
}

TEST_F(Dispatch, is_silent_about_a_call_that_was_withdrawn) {
  const std::int64_t id =
      talk.start("tools/call", R"({"name":"slow_look_up","arguments":{"title":"x"}})");
  talk.say(fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}})", id));
  talk.host.run();
  EXPECT_TRUE(talk.answer_to(id)->is_null());
  EXPECT_EQ(talk.connection->open_calls(), 0U);
}

}  // namespace
}  // namespace enfold::server
