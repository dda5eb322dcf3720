// SPDX-License-Identifier: Apache-2.0
// Whatever becomes of an upstream, a client gets an answer in time, and the next call a server.
#include "tests/gateway/meeting.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

struct Fault {
  const char* tool;
  const char* code;
};

UpstreamSettings impatient() {
  UpstreamSettings settings = upstream();
  settings.idle_timeout = std::chrono::milliseconds(300);
  settings.circuit_breaker.initial_backoff = std::chrono::milliseconds(1);
  return settings;
}

class Faults : public ::testing::TestWithParam<Fault> {};

INSTANTIATE_TEST_SUITE_P(OfUpstreams, Faults,
                         ::testing::Values(Fault{"crash", "UPSTREAM_UNAVAILABLE"},
                                           Fault{"half", "UPSTREAM_UNAVAILABLE"},
                                           Fault{"hang", "UPSTREAM_TIMEOUT"},
                                           Fault{"silent", "UPSTREAM_TIMEOUT"},
                                           Fault{"wrong_id", "UPSTREAM_TIMEOUT"},
                                           Fault{"broken", "UPSTREAM_PROTOCOL_ERROR"},
                                           Fault{"not_a_number", "UPSTREAM_PROTOCOL_ERROR"},
                                           Fault{"utf8", "UPSTREAM_PROTOCOL_ERROR"},
                                           Fault{"nothing", "UPSTREAM_PROTOCOL_ERROR"},
                                           Fault{"flood", "UPSTREAM_PROTOCOL_ERROR"}),
                         [](const auto& one) { return std::string(one.param.tool); });

TEST_P(Faults, end_in_a_typed_failure_and_leave_the_next_call_unharmed) {
  UpstreamSettings settings = impatient();
  if (std::string_view(GetParam().tool) == "flood")
    settings.idle_timeout = std::chrono::seconds(20);
  Meeting meeting(in_front_of(std::move(settings)));
  const json::Value result = meeting.call(GetParam().tool);
  EXPECT_EQ(at(result, "/isError"), "true");
  EXPECT_EQ(at(result, "/structuredContent/data/error_code"), json::quote(GetParam().code))
      << json::to_text(result.view());
  EXPECT_EQ(at(result, "/structuredContent/data/error_type"), R"("unavailable")");
  // A server that hangs is found out by a question of its own.
  if (std::string_view(GetParam().tool) == "hang") {
    ASSERT_TRUE(meeting.loop.until([&] {
      return std::any_of(meeting.lines.begin(), meeting.lines.end(), [](const auto& line) {
        return line.note.find("hangs") != std::string::npos;
      });
    }));
  }
  const json::Value next = meeting.call("echo", R"({"a":1})");
  EXPECT_EQ(at(next, "/isError"), "false") << json::to_text(next.view());
}

TEST(Unavailable, says_what_can_be_done_about_the_kind_of_server_that_it_is) {
  struct Case {
    bool over_http;
    ErrorCode code;
    const char* message;
    int http_status;
    const char* remedy;
  };
  const Case cases[] = {
      {false, ErrorCode::unavailable, "the server ended", 0, "is restarted"},
      {true, ErrorCode::unavailable, "connection refused", 0, "Try again later"},
      {true, ErrorCode::unavailable, "found HTTP status 503", 503, "later"},
      {true, ErrorCode::unavailable, "found HTTP status 302", 302, "the url"},
      {true, ErrorCode::unavailable, "found HTTP status 404", 404, "the url"},
      {true, ErrorCode::unauthorized, "found HTTP status 401", 401, "the headers"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.message);
    AnswerContext about;
    about.over_http = one.over_http;
    const model::Response response = failure_of(
        client::CallFailure{{one.code, one.message, {}, {}}, {}, {}, one.http_status}, about);
    ASSERT_TRUE(response.failure);
    EXPECT_EQ(response.failure->code, "UPSTREAM_UNAVAILABLE");
    ASSERT_EQ(response.failure->remediation.size(), 1U);
    EXPECT_THAT(response.failure->remediation.front(), HasSubstr(one.remedy));
  }
}

TEST(Noise, between_messages_harms_nobody) {
  Meeting meeting(in_front_of(upstream()));
  EXPECT_THAT(json::to_text(meeting.call("noise").view()), HasSubstr("after noise"));
}

TEST(Faults, without_a_contract_are_errors_in_words) {
  Meeting meeting(in_front_of(impatient(), "none"));
  const json::Value result = meeting.call("crash");
  EXPECT_EQ(at(result, "/isError"), "true");
  EXPECT_EQ(at(result, "/structuredContent"), "(none)");
  EXPECT_THAT(at(result, "/content/0/text"), HasSubstr("not available"));
}

TEST(Faults, that_come_again_and_again_make_calls_fail_at_once) {
  UpstreamSettings settings = upstream();
  settings.circuit_breaker.initial_backoff = std::chrono::milliseconds(20);
  settings.circuit_breaker.max_backoff = std::chrono::minutes(10);
  settings.circuit_breaker.failure_threshold = 3;
  Meeting meeting(in_front_of(std::move(settings)));
  for (int i = 0; i < 3; ++i) meeting.call("crash");
  // The third wait is short still; what comes within it is refused at once.
  const json::Value refused = meeting.call("echo");
  EXPECT_EQ(at(refused, "/structuredContent/data/error_code"), R"("UPSTREAM_UNAVAILABLE")");
  EXPECT_THAT(at(refused, "/structuredContent/error"), HasSubstr("3 times in a row"));
  EXPECT_EQ(at(refused, "/structuredContent/data/retry_after_seconds"), "1");
  meeting.loop->advance(std::chrono::minutes(10));
  EXPECT_EQ(at(meeting.call("echo"), "/isError"), "false") << "it gets another chance";
}

TEST(Faults, of_a_program_that_cannot_be_started_are_told_to_the_client) {
  UpstreamSettings settings = upstream();
  std::get<client::StdioTarget>(settings.target).command = {"/no/such/program"};
  Meeting meeting(in_front_of(std::move(settings)));
  ASSERT_TRUE(meeting.refusal);
  EXPECT_THAT(meeting.refusal->message, HasSubstr("/no/such/program"));
}

TEST(Faults, of_a_server_behind_a_url_never_spell_it) {
  UpstreamSettings gone;
  gone.name = "gone";
  gone.target = *client::http_target("http://127.0.0.1:1/hook/s3cret/mcp?key=s3cret");
  gone.circuit_breaker = {std::chrono::milliseconds(1), std::chrono::seconds(30), 2};
  Settings settings = in_front_of(upstream("sessions", "here"));
  settings.upstreams.push_back(gone);
  settings.one_client = false;
  Meeting meeting(std::move(settings));
  for (int i = 0; i < 4; ++i) {
    for (const auto& [method, params] :
         {std::pair{"resources/read", R"({"uri":"q://x"})"},
          std::pair{"tools/call", R"({"name":"gone__x","arguments":{}})"},
          std::pair{"completion/complete", R"({"ref":{"type":"ref/resource","uri":"u://{x}"},)"
                                           R"("argument":{"name":"x","value":"a"}})"},
          std::pair{"tasks/get", R"({"taskId":"t"})"}, std::pair{"tools/list", "{}"}}) {
      const std::string said = json::to_text(meeting.ask(method, params).view());
      EXPECT_EQ(said.find("s3cret"), std::string::npos) << method << " " << said;
    }
  }
  Settings alone = in_front_of(gone);
  Meeting refused(std::move(alone));
  ASSERT_TRUE(refused.refusal);
  EXPECT_EQ(refused.refusal->message.find("s3cret"), std::string::npos) << refused.refusal->message;
}

TEST(Breaker, waits_ever_longer_and_forgets_after_a_success) {
  using std::chrono::milliseconds;
  const Breaker::Time start{};
  Breaker breaker({milliseconds(100), milliseconds(300), 3});
  EXPECT_EQ(breaker.wait(start), Breaker::Wait::zero());
  const std::vector<int> want{0, 100, 200, 300, 300};
  for (const int wait : want) {
    breaker.record_failure(start);
    EXPECT_EQ(breaker.wait(start), milliseconds(wait));
  }
  EXPECT_TRUE(breaker.is_open(start));
  EXPECT_FALSE(breaker.is_open(start + milliseconds(300)));
  breaker.record_success();
  EXPECT_EQ(breaker.wait(start), Breaker::Wait::zero());
}

}  // namespace
}  // namespace enfold::gateway
