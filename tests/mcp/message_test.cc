// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/message.h"

#include "enfold/mcp/wire/protocol.h"
#include "tests/support/answers.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace enfold::mcp {
namespace {

TEST(Id, strings_and_integers_are_kept_apart) {
  const struct {
    const char* json;
    std::optional<Id> want;
  } table[] = {
      {"1", Id(std::int64_t{1})},
      {"\"1\"", Id(std::string("1"))},
      {"-9223372036854775808", Id(std::numeric_limits<std::int64_t>::min())},
      {"9223372036854775808", std::nullopt},
      {"1.5", std::nullopt},
      {"null", std::nullopt},
      {"true", std::nullopt},
      {"{}", std::nullopt},
      {"\"\"", Id(std::string())},
  };
  for (const auto& row : table) {
    EXPECT_EQ(read_id(json::parse_own(row.json).view()), row.want) << row.json;
    if (row.want) {
      EXPECT_EQ(text_of(*row.want), row.json);
    }
  }
  EXPECT_NE(Id(std::int64_t{1}), Id(std::string("1")));
}

TEST(Message, kinds_are_told_by_their_members) {
  const auto kind = [](const char* text) {
    return read_messages(json::Buffer(text))->messages.front().index();
  };
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":1,"method":"a"})"), 0U);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","method":"a","params":{}})"), 1U);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":"x","result":{}})"), 2U);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"m"}})"), 2U);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}})"), 2U);
}

TEST(Message, a_batch_of_very_many_is_refused_as_a_whole) {
  const auto batch_of = [](std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
      text += fmt::format(R"({}{{"jsonrpc":"2.0","id":{},"method":"a"}})", i == 0 ? "" : ",", i);
    }
    return read_messages(json::Buffer(text + "]"));
  };
  EXPECT_EQ(batch_of(256)->messages.size(), 256U);
  const auto refused = batch_of(257);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.message, "Expected at most 256 messages in the batch, found 257");
}

TEST(Message, a_broken_response_is_not_answered) {
  const auto bad = [](const char* text) { return read_messages(json::Buffer(text)).error(); };
  EXPECT_EQ(bad(R"({"jsonrpc":"2.0","id":1,"result":[]})").kind, BadMessage::Kind::response);
  EXPECT_EQ(bad(R"({"jsonrpc":"2.0","id":1,"result":[]})").id, Id(std::int64_t{1}));
  EXPECT_EQ(bad(R"({"jsonrpc":"2.0","id":1,"error":"x"})").kind, BadMessage::Kind::response);
  EXPECT_EQ(bad(R"({"jsonrpc":"2.0","id":1})").kind, BadMessage::Kind::either);
}

TEST(Message, bytes_that_are_no_json_are_a_parse_error_with_its_place) {
  const auto read = read_messages(json::Buffer("{\"a\":\n1,}"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().error.code, code::parse_error);
  EXPECT_NE(read.error().error.message.find("line 2"), std::string::npos);
  EXPECT_FALSE(read_messages(json::Buffer(R"({"jsonrpc":"2.0","method":"a"})"), {.max_bytes = 8}));
}

TEST(Message, an_error_without_an_id_has_no_such_member) {
  EXPECT_EQ(write_response(std::nullopt, invalid_request("m")).str(),
            R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}})");
}

RC_GTEST_PROP(Message, what_is_written_is_read_again, ()) {
  const Id id = testing::draw_chance(5) ? Id(std::int64_t{testing::draw_below(1000)})
                                        : Id(testing::draw_text());
  const json::Value object = testing::draw_object();
  const std::string method = "a/" + testing::draw_text();
  const auto again = [](const json::Output& written) {
    return read_messages(json::Buffer(written.str()))->messages.front();
  };
  const auto request = std::get<Request>(again(write_request(id, method, object.view())));
  RC_ASSERT(request.id == id);
  RC_ASSERT(request.method == method);
  RC_ASSERT(request.params == object);
  const auto response = std::get<Response>(again(write_response(id, object.view())));
  RC_ASSERT(response.id == id);
  RC_ASSERT(*response.outcome == object);
  const RpcError error{testing::draw_below(100), testing::draw_text(), object};
  const auto refusal = std::get<Response>(again(write_response(std::optional(id), error)));
  RC_ASSERT(refusal.outcome.error() == error);
}

TEST(Errors, each_code_has_its_http_status) {
  for (const std::int64_t code : {-32700, -32600, -32000, -32020, -32021, -32022}) {
    EXPECT_EQ(http_status(code), 400) << code;
  }
  for (const std::int64_t code : {-32601, -32001}) EXPECT_EQ(http_status(code), 404) << code;
  for (const std::int64_t code : {-32602, -32603, -32002, -32042, -1}) {
    EXPECT_EQ(http_status(code), 200) << code;
  }
}

TEST(Errors, withdrawn_codes_are_replaced_for_the_stateless_era) {
  EXPECT_EQ(with_stateless_code({code::resource_not_found, "m", {}}).code, code::invalid_params);
  EXPECT_EQ(with_stateless_code({code::url_elicitation, "m", {}}).code, code::internal_error);
  EXPECT_EQ(with_stateless_code({-5, "m", {}}).code, -5);
}

TEST(Errors, our_own_keep_place_and_hint) {
  const RpcError error =
      to_rpc_error({ErrorCode::not_found, "expected a tool", "/name", "list the tools"});
  EXPECT_EQ(error.code, code::invalid_params);
  EXPECT_EQ(json::to_text(error.data->view()), R"({"where":"/name","hint":"list the tools"})");
}

TEST(Version, eras_and_negotiation) {
  EXPECT_TRUE(is_stateless("2026-07-28"));
  EXPECT_TRUE(is_stateless("2099-01-01"));
  EXPECT_FALSE(is_stateless("2025-11-25"));
  EXPECT_FALSE(is_stateless("DRAFT-2027"));
  EXPECT_FALSE(is_stateless(""));
  const std::vector<std::string> all = version_list();
  EXPECT_EQ(negotiate_session_version("2025-06-18", all), "2025-06-18");
  EXPECT_EQ(negotiate_session_version("2031-01-01", all), "2025-11-25");
  EXPECT_EQ(negotiate_session_version("2026-07-28", all), "2025-11-25");
  EXPECT_EQ(negotiate_session_version("2025-11-25", std::vector<std::string>{"2026-07-28"}), "");
}

TEST(Method, every_method_is_found_by_its_name) {
  for (int i = 1; i <= static_cast<int>(Method::acknowledged); ++i) {
    const auto method = static_cast<Method>(i);
    EXPECT_EQ(method_from_name(name(method)), method) << name(method);
  }
  EXPECT_EQ(method_from_name("tools/CALL"), Method::other);
  EXPECT_EQ(method_from_name(""), Method::other);
  for (const char* removed : {"initialize", "ping", "logging/setLevel", "resources/subscribe",
                              "notifications/initialized", "notifications/roots/list_changed"}) {
    EXPECT_FALSE(exists(method_from_name(removed), Era::stateless)) << removed;
    EXPECT_TRUE(exists(method_from_name(removed), Era::sessions)) << removed;
  }
}

}  // namespace
}  // namespace enfold::mcp
