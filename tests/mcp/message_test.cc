// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/message.h"

#include "enfold/mcp/wire/method.h"
#include "tests/support/answers.h"

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
    return read_message(json::parse_own(text).view())->index();
  };
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":1,"method":"a"})"), 0U);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","method":"a","params":{}})"), 1U);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":"x","result":{}})"), 2U);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"m"}})"), 2U);
  EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}})"), 2U);
}

TEST(Message, a_broken_response_says_that_there_is_nobody_to_answer) {
  const auto bad = [](const char* text) {
    return read_message(json::parse_own(text).view()).error();
  };
  EXPECT_EQ(bad(R"({"jsonrpc":"2.0","id":1,"result":[]})").as, BadMessage::As::response);
  EXPECT_EQ(bad(R"({"jsonrpc":"2.0","id":1,"result":[]})").id, Id(std::int64_t{1}));
  EXPECT_EQ(bad(R"({"jsonrpc":"2.0","id":1,"error":"x"})").as, BadMessage::As::response);
  EXPECT_EQ(bad(R"({"jsonrpc":"2.0","id":1})").as, BadMessage::As::either);
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
    return *read_message(json::parse_own(written.str()).view());
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

TEST(Errors, the_table_is_pinned) {
  std::string table;
  for (const ErrorRow& row : error_rows()) {
    table += std::to_string(row.code) + " " + std::to_string(row.stateless_status) +
             (row.sessions ? " both\n" : " stateless\n");
  }
  EXPECT_EQ(table,
            "-32700 400 both\n-32600 400 both\n-32601 404 both\n-32602 200 both\n"
            "-32603 200 both\n-32000 400 both\n-32001 404 both\n-32002 0 both\n-32042 0 both\n"
            "-32020 400 stateless\n-32021 400 stateless\n-32022 400 stateless\n");
  EXPECT_EQ(http_status(Era::stateless, -1), 200);
  EXPECT_EQ(http_status(Era::sessions, code::method_not_found), 200);
}

TEST(Errors, withdrawn_codes_are_replaced_for_the_stateless_era_only) {
  for (const std::int64_t withdrawn : {code::resource_not_found, code::url_elicitation}) {
    EXPECT_NE(for_era({withdrawn, "m", {}}, Era::stateless).code, withdrawn);
    EXPECT_EQ(for_era({withdrawn, "m", {}}, Era::sessions).code, withdrawn);
  }
  EXPECT_EQ(for_era({-5, "m", {}}, Era::stateless).code, -5);
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
  EXPECT_EQ(negotiate_session("2025-06-18", all), "2025-06-18");
  EXPECT_EQ(negotiate_session("2031-01-01", all), "2025-11-25");
  EXPECT_EQ(negotiate_session("2026-07-28", all), "2025-11-25");
  EXPECT_EQ(negotiate_session("2025-11-25", std::vector<std::string>{"2026-07-28"}), "");
}

TEST(Method, every_row_is_found_by_its_name_and_stands_at_its_place) {
  std::size_t index = 0;
  for (const MethodInfo& row : all_methods()) {
    EXPECT_EQ(static_cast<std::size_t>(row.method), index++);
    if (row.method != Method::other) {
      EXPECT_EQ(method_from_name(row.name), row.method);
    }
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
