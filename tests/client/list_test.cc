// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/blocking.h"
#include "enfold/client/tools.h"
#include "tests/client/peers.h"

#include <gmock/gmock.h>

namespace enfold::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ClientOptions quick() {
  ClientOptions options;
  options.eras = ClientOptions::Eras::stateless;
  options.idle_timeout = std::chrono::seconds(10);
  return options;
}

std::string page(int id, std::string_view tools, std::string_view cursor = {}) {
  std::string members = fmt::format(
      R"("resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{}])", tools);
  if (!cursor.empty()) members += fmt::format(R"(,"nextCursor":"{}")", cursor);
  return result(id, members);
}
std::string tool(std::string_view name) {
  return fmt::format(R"({{"name":"{}","inputSchema":{{"type":"object"}}}})", name);
}

Result<std::unique_ptr<BlockingClient>> connected(const std::string& text,
                                                  const ClientOptions& options = quick()) {
  auto client = BlockingClient::open(script(greeting() + text + "cat >/dev/null"), options);
  EXPECT_TRUE(client.has_value());
  const auto server = (*client)->connect();
  EXPECT_TRUE(server.has_value());
  return client;
}

TEST(List, follows_the_pages_to_the_last) {
  const auto client = connected(reply(page(2, tool("a"), "x")) + reply(page(3, tool("b"), "y")) +
                                reply(page(4, tool("c"))));
  const auto tools = (*client)->tools();
  ASSERT_TRUE(tools.has_value()) << tools.error().error.message;
  EXPECT_THAT(tools->names(), ElementsAre("a", "b", "c"));
  (*client)->close();
}

TEST(List, ends_when_a_cursor_goes_round_in_circles) {
  const auto client = connected(reply(page(2, tool("a"), "x")) + reply(page(3, tool("b"), "y")) +
                                reply(page(4, tool("c"), "x")));
  const auto tools = (*client)->tools();
  ASSERT_FALSE(tools.has_value());
  EXPECT_EQ(tools.error().error.code, ErrorCode::protocol_violation);
  EXPECT_THAT(tools.error().error.message, HasSubstr("came twice"));
}

TEST(List, ends_at_the_limit_of_pages) {
  ClientOptions options = quick();
  options.max_pages = 2;
  const auto client =
      connected(reply(page(2, tool("a"), "x")) + reply(page(3, tool("b"), "y")), options);
  const auto tools = (*client)->tools();
  ASSERT_FALSE(tools.has_value());
  EXPECT_EQ(tools.error().error.code, ErrorCode::limit_exceeded);
}

TEST(List, keeps_good_tools_beside_broken_ones) {
  const auto client =
      connected(reply(page(2, tool("a") + R"(,{"name":"b"},{"inputSchema":{"type":"object"}},7)")));
  const auto tools = (*client)->tools();
  ASSERT_TRUE(tools.has_value()) << tools.error().error.message;
  EXPECT_THAT(tools->names(), ElementsAre("a"));
  ASSERT_EQ(tools->unusable.size(), 3U);
  EXPECT_EQ(tools->unusable[0].name, "b");
}

TEST(List, without_its_array_is_a_violation) {
  const auto client = connected(reply(result(2, R"("resultType":"complete","tool":[])")));
  EXPECT_EQ((*client)->tools().error().error.code, ErrorCode::protocol_violation);
}

TEST(Choose, suggests_what_was_meant) {
  Toolbox box;
  for (const char* name : {"greet", "fetch"}) {
    box.tools.push_back({mcp::read_tool(json::parse_own(tool(name)).view()).value(), {}});
  }
  EXPECT_TRUE(choose(box, "greet").has_value());
  EXPECT_EQ(choose(box, "gret").error().hint, "did you mean greet?");
  EXPECT_EQ(choose(box, "zzzzzz").error().hint, "it offers greet, fetch");
  EXPECT_EQ(choose({}, "x").error().hint, "it offers no tools");
}

TEST(CheckArguments, names_every_place) {
  const auto described = mcp::read_tool(
      json::parse_own(R"({"name":"t","inputSchema":{"type":"object","required":["a"],)"
                      R"("properties":{"a":{"type":"integer"},"b":{"type":"string"}}}})")
          .view());
  const OfferedTool offered{*described, {}};
  struct Case {
    const char* arguments;
    const char* want;  ///< empty: they suit
  };
  for (const Case& one :
       {Case{R"({"a":1})", ""}, Case{R"({"a":"1"})", "/a: expected integer"},
        Case{"null", "(root): expected member \"a\""},
        Case{R"({"a":1,"b":2})", "/b: expected string"}, Case{"[1]", "an object"}}) {
    const Status status = check_arguments(offered, json::parse_own(one.arguments).view());
    ASSERT_EQ(status.has_value(), *one.want == '\0') << one.arguments;
    if (!status) {
      EXPECT_THAT(status.error().message, HasSubstr(one.want));
    }
  }
  // A schema that nobody can use checks nothing.
  const auto odd = mcp::read_tool(
      json::parse_own(R"({"name":"t","inputSchema":{"type":"object","$ref":"http://x/y"}})")
          .view());
  EXPECT_TRUE(check_arguments({*odd, {}}, json::parse_own("{}").view()).has_value());
}

std::string limited(int id, std::string_view seconds) {
  return result(id,
                fmt::format(R"("resultType":"complete","isError":true,"content":[{{"type":"text",)"
                            R"("text":"{{\"success\":false,\"data\":{{\"error_code\":)"
                            R"(\"RATE_LIMIT_EXCEEDED\",\"error_type\":\"rate_limit\",)"
                            R"(\"retry_after_seconds\":{}}},\"error\":\"slow down\",)"
                            R"(\"meta\":{{\"version\":\"response-v2\"}}}}"}}])",
                            seconds));
}
std::string good(int id) {
  return result(id, R"("resultType":"complete","content":[{"type":"text","text":"fine"}])");
}

struct Repeated {
  std::vector<Retry> announced;
  ToolOutcome outcome = tl::unexpected(CallFailure{});
};
Repeated call_with(const std::string& text, bool safe, RetryLimits limits = {}) {
  const auto client = connected(text);
  Repeated repeated;
  ToolRequest request;
  request.name = "t";
  request.may_retry = safe;
  request.retries = limits;
  ToolEvents events;
  events.on_retry = [&](const Retry& one) { repeated.announced.push_back(one); };
  repeated.outcome = (*client)->call(std::move(request), std::move(events));
  (*client)->close();
  return repeated;
}

TEST(ToolCall, comes_back_when_it_was_told_to) {
  const Repeated got = call_with(reply(limited(2, "0.01")) + reply(good(3)), true);
  ASSERT_TRUE(got.outcome.has_value()) << got.outcome.error().error.message;
  EXPECT_FALSE(got.outcome->is_error);
  EXPECT_EQ(got.outcome->attempts, 2U);
  ASSERT_EQ(got.announced.size(), 1U);
  EXPECT_EQ(got.announced[0].after, std::chrono::milliseconds(10));
  EXPECT_EQ(got.announced[0].why, "slow down");
}

TEST(ToolCall, is_not_repeated_where_that_might_do_harm_or_take_too_long) {
  EXPECT_TRUE(call_with(reply(limited(2, "0.01")), false).outcome->is_error);
  EXPECT_TRUE(call_with(reply(limited(2, "3600")), true).outcome->is_error);
  const Repeated got = call_with(reply(limited(2, "0.01")) + reply(limited(3, "0.01")), true,
                                 {.attempts = 2, .max_wait = std::chrono::seconds(5)});
  EXPECT_TRUE(got.outcome->is_error);
  EXPECT_EQ(got.announced.size(), 1U);
  EXPECT_EQ(got.outcome->reading.response.failure->kind, model::ErrorKind::throttled);
}

TEST(ToolCall, exposes_the_warnings_of_an_envelope) {
  const Repeated got = call_with(
      reply(result(2, R"("resultType":"complete","content":[{"type":"text","text":"{)"
                      R"(\"success\":true,\"data\":{},\"error\":null,\"meta\":{\"version\":)"
                      R"(\"response-v2\",\"warnings\":[\"it is old\"]}}"}])")),
      true);
  ASSERT_TRUE(got.outcome.has_value());
  ASSERT_EQ(got.outcome->reading.response.warnings.size(), 1U);
  EXPECT_EQ(got.outcome->reading.response.warnings[0].message, "it is old");
}

TEST(ToolCall, that_is_no_tool_result_is_a_violation) {
  const Repeated got = call_with(reply(result(2, R"("resultType":"complete","content":7)")), true);
  ASSERT_FALSE(got.outcome.has_value());
  EXPECT_EQ(got.outcome.error().error.code, ErrorCode::protocol_violation);
}

TEST(CheckAnswer, holds_a_tool_to_what_it_announces) {
  const auto described = mcp::read_tool(
      json::parse_own(R"({"name":"t","inputSchema":{"type":"object"},"outputSchema":)"
                      R"({"type":"object","required":["n"]}})")
          .view());
  const OfferedTool offered{*described, {}};
  const auto check = [&](const char* text) {
    return check_answer(offered, json::parse_own(text).view()).has_value();
  };
  EXPECT_TRUE(check(R"({"content":[],"structuredContent":{"n":1}})"));
  EXPECT_FALSE(check(R"({"content":[],"structuredContent":{}})"));
  EXPECT_FALSE(check(R"({"content":[]})"));
  EXPECT_TRUE(check(R"({"content":[],"isError":true})"));
}

}  // namespace
}  // namespace enfold::client
