// SPDX-License-Identifier: Apache-2.0
// The client and our own servers, in both eras and over both transports.
#include "tests/client/peers.h"

#include <gmock/gmock.h>

namespace enfold::client {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using Eras = ClientOptions::Eras;

struct Way {
  std::string name;
  bool http = false;
  Eras eras = Eras::both;
  mcp::Era era = mcp::Era::stateless;
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

class ClientWithExamples : public ::testing::TestWithParam<Way> {
 protected:
  void talk_to(const char* path, ClientOptions options = {}, OnEvent on_event = {}) {
    options.eras = GetParam().eras;
    if (GetParam().http) {
      example_ = std::make_unique<HttpExample>(outside_, path);
      talk_ = std::make_unique<Talk>(example_->target(), std::move(options), std::move(on_event));
    } else {
      talk_ = std::make_unique<Talk>(program(path), std::move(options), std::move(on_event));
    }
    const auto server = talk_->connect();
    ASSERT_TRUE(server.has_value()) << server.error().message << server.error().hint;
    EXPECT_EQ(server->era, GetParam().era);
  }
  void TearDown() override {
    if (talk_) talk_->close();
  }
  net::RunningLoop outside_;
  std::unique_ptr<HttpExample> example_;
  std::unique_ptr<Talk> talk_;
};

TEST_P(ClientWithExamples, lists_and_calls_a_tool) {
  talk_to(ENFOLD_EXAMPLE_HELLO);
  const auto tools = talk_->tools();
  ASSERT_TRUE(tools.has_value()) << tools.error().error.message;
  const OfferedTool* greet = tools->find("greet");
  ASSERT_NE(greet, nullptr);
  EXPECT_TRUE(request_for(*greet, {}).may_retry);
  const json::Value arguments = json::parse_own(R"({"name":"Ada"})");
  EXPECT_TRUE(check_arguments(*greet, arguments.view()).has_value());
  const ToolOutcome outcome = talk_->call(request_for(*greet, arguments));
  ASSERT_TRUE(outcome.has_value()) << outcome.error().error.message;
  EXPECT_FALSE(outcome->is_error);
  EXPECT_EQ(outcome->reading.origin.contract, "response-v2");
  EXPECT_THAT(json::to_text(outcome->result.view()), HasSubstr("Hello, Ada!"));
  EXPECT_TRUE(check_answer(*greet, outcome->result.view()).has_value());
}

TEST_P(ClientWithExamples, gets_a_typed_failure_for_bad_arguments) {
  talk_to(ENFOLD_EXAMPLE_HELLO);
  const ToolOutcome outcome = talk_->call("greet", R"({"nam":"Ada"})");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().error.message;
  EXPECT_TRUE(outcome->is_error);
  ASSERT_TRUE(outcome->reading.response.failure.has_value());
  EXPECT_EQ(outcome->reading.response.failure->kind, model::ErrorKind::bad_input);
}

TEST_P(ClientWithExamples, is_refused_an_unknown_tool_and_an_unknown_method) {
  talk_to(ENFOLD_EXAMPLE_HELLO);
  const ToolOutcome outcome = talk_->call("no_such_tool");
  ASSERT_FALSE(outcome.has_value());
  ASSERT_TRUE(outcome.error().refusal.has_value());
  EXPECT_EQ(outcome.error().refusal->code, mcp::code::invalid_params);
  const CallResult other = talk_->request("no/such/method");
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().error.code, ErrorCode::unsupported);
}

TEST_P(ClientWithExamples, hears_of_progress) {
  talk_to(ENFOLD_EXAMPLE_CONFORMANCE);
  ToolRequest request;
  request.name = "test_tool_with_progress";
  request.wants_progress = true;
  std::vector<double> heard;
  ToolEvents events;
  events.on_progress = [&](const mcp::ProgressReport& one) {
    heard.push_back(one.progress.progress);
  };
  const ToolOutcome outcome = talk_->call(std::move(request), std::move(events));
  ASSERT_TRUE(outcome.has_value()) << outcome.error().error.message;
  EXPECT_EQ(heard, (std::vector<double>{0, 50, 100}));
}

TEST_P(ClientWithExamples, answers_what_the_server_asks) {
  ClientOptions options;
  options.capabilities = mcp::Capabilities(json::parse_own(R"({"elicitation":{},"roots":{}})"));
  std::vector<std::string> asked;
  const auto on_ask = [&](const mcp::ServerRequest& ask) {
    asked.push_back(ask.request.method);
    talk_->client().answer(
        ask.key, json::parse_own(R"({"action":"accept","content":{"name":"Ada","username":"ada",)"
                                 R"("email":"a@example.org"}})"));
  };
  talk_to(ENFOLD_EXAMPLE_CONFORMANCE, std::move(options), on<mcp::ServerRequest>(on_ask));
  const bool sessions = GetParam().era == mcp::Era::sessions;
  const ToolOutcome outcome =
      talk_->call(sessions ? "test_elicitation" : "test_input_required_result_elicitation",
                  sessions ? R"({"message":"who?"})" : "{}");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().error.message;
  EXPECT_THAT(asked, Contains("elicitation/create"));
  EXPECT_THAT(json::to_text(outcome->result.view()), HasSubstr("Ada"));
}

TEST_P(ClientWithExamples, cancels_a_call_without_a_word_and_goes_on) {
  talk_to(ENFOLD_EXAMPLE_CONFORMANCE);
  bool came = false;
  mcp::CallOptions options = talk_->client().prepare(
      "tools/call", json::parse_own(R"({"name":"test_tool_with_progress"})"));
  options.wants_progress = true;
  std::optional<mcp::CallKey> ticket;
  ticket = talk_->client().request(
      std::move(options),
      {.done = [&](CallResult) { came = true; },
       .on_progress =
           [&](const mcp::ProgressReport&) { talk_->client().cancel(*ticket, "enough"); }});
  ASSERT_TRUE(talk_->loop().until([&] { return talk_->client().open_requests() == 0; }));
  EXPECT_TRUE(talk_->call("test_simple_text").has_value());
  EXPECT_FALSE(came);
}

TEST_P(ClientWithExamples, follows_lists_of_resources_and_prompts) {
  talk_to(ENFOLD_EXAMPLE_CONFORMANCE);
  for (const mcp::Method method : {mcp::Method::resources_list, mcp::Method::prompts_list,
                                   mcp::Method::resources_templates_list}) {
    std::optional<ListResult> outcome;
    list(talk_->client(), method, [&](ListResult listed) { outcome = std::move(listed); });
    ASSERT_TRUE(talk_->loop().until([&] { return outcome.has_value(); }));
    ASSERT_TRUE(outcome->has_value()) << outcome->error().error.message;
    EXPECT_FALSE((*outcome)->items.empty()) << mcp::name(method);
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryWay, ClientWithExamples,
    ::testing::Values(Way{"stdio_auto", false, Eras::both, mcp::Era::stateless},
                      Way{"stdio_sessions", false, Eras::sessions, mcp::Era::sessions},
                      Way{"http_auto", true, Eras::both, mcp::Era::stateless},
                      Way{"http_sessions", true, Eras::sessions, mcp::Era::sessions}),
    [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace enfold::client
