// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/cursor.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>
#include <vector>

namespace enfold::contract {
namespace {

using testing::check_property;
using testing::property_cases;

std::string encoded(std::string_view json) { return encode_cursor(json::parse_own(json).view()); }

std::string reason_of(std::string_view cursor) {
  const auto decoded = decode_cursor(cursor);
  return decoded ? "none" : decoded.error().message.substr(0, decoded.error().message.find(':'));
}

TEST(Cursor, is_written_byte_for_byte) {
  struct Case {
    std::string_view position, want;
  };
  const Case cases[] = {
      {R"({"last_id":"item_123"})", "eyJsYXN0X2lkIjoiaXRlbV8xMjMiLCJ2ZXJzaW9uIjoxfQ=="},
      {R"({ "last_id" : "item_123" })", "eyJsYXN0X2lkIjoiaXRlbV8xMjMiLCJ2ZXJzaW9uIjoxfQ=="},
      {R"({"offset":20})", "eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ=="},
      {R"({"offset":100})", "eyJvZmZzZXQiOjEwMCwidmVyc2lvbiI6MX0="},
      {R"({"last_id":"a/b?c>d"})", "eyJsYXN0X2lkIjoiYS9iP2M-ZCIsInZlcnNpb24iOjF9"},
      {R"({"last_id":"タスク"})", "eyJsYXN0X2lkIjoiXHUzMGJmXHUzMGI5XHUzMGFmIiwidmVyc2lvbiI6MX0="},
      {R"({"version":9,"offset":20})", "eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ=="},
      {R"({})", "eyJ2ZXJzaW9uIjoxfQ=="},
  };
  for (const Case& c : cases) EXPECT_EQ(encoded(c.position), c.want) << c.position;
}

TEST(Cursor, of_an_offset_or_a_text_equals_the_one_of_its_object) {
  EXPECT_EQ(encode_offset_cursor("20"), encoded(R"({"offset":20})"));
  EXPECT_EQ(encode_text_cursor("last_id", "タスク"), encoded(R"({"last_id":"タスク"})"));
  EXPECT_EQ(encode_text_cursor("after", "a\"b\\c"), encoded(R"({"after":"a\"b\\c"})"));
}

TEST(Cursor, escapes_what_lies_beyond_the_basic_plane_as_a_pair) {
  EXPECT_EQ(from_base64url(encode_text_cursor("last_id", "\xF0\x9F\x98\x80")),
            R"({"last_id":"\ud83d\ude00","version":1})");
}

TEST(Cursor, keeps_every_member_of_the_position) {
  const auto decoded =
      decode_cursor(encoded(R"({"last_ts":"2026","n":[1,{"k":null}],"big":1e400})"));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded,
            json::parse_own(R"({"last_ts":"2026","n":[1,{"k":null}],"big":1e400,"version":1})"));
}

TEST(Cursor, without_a_version_is_accepted) {
  const auto decoded = decode_cursor("eyJvZmZzZXQiOjIwfQ==");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, json::parse_own(R"({"offset":20})"));
}

TEST(Cursor, that_is_bad_is_refused_with_its_reason) {
  struct Case {
    const char* name;
    std::string cursor;
    const char* want;
  };
  const Case cases[] = {
      {"nothing", "", "empty"},
      {"not Base64", "not_valid_base64!!!", "decode_failed"},
      {"text, not JSON", to_base64url("not json"), "decode_failed"},
      {"no UTF-8", to_base64url("{\"a\":\"\xFF\"}"), "decode_failed"},
      {"JSON and more", to_base64url("{} {}"), "decode_failed"},
      {"an array", to_base64url("[1,2]"), "not_a_dict"},
      {"a number", to_base64url("7"), "not_a_dict"},
      {"null", to_base64url("null"), "not_a_dict"},
      {"padding missing", "eyJvZmZzZXQiOjIwfQ", "decode_failed"},
      {"padding doubled", "eyJvZmZzZXQiOjIwfQ====", "decode_failed"},
      {"blank inside", "eyJvZmZz ZXQiOjIwfQ==", "decode_failed"},
      {"line end", "eyJvZmZzZXQiOjIwfQ==\n", "decode_failed"},
      {"standard alphabet", "eyJsYXN0X2lkIjoiYS9iP2M+ZCIsInZlcnNpb24iOjF9", "decode_failed"},
      {"loose bits", "eyJvZmZzZXQiOjIwfR==", "decode_failed"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(reason_of(c.cursor), c.want) << c.name;
    const auto decoded = decode_cursor(c.cursor);
    ASSERT_FALSE(decoded) << c.name;
    EXPECT_EQ(decoded.error().code, ErrorCode::invalid_input) << c.name;
    EXPECT_FALSE(decoded.error().hint.empty()) << c.name;
  }
}

TEST(Cursor, that_is_bad_is_reported_back) {
  const auto decoded = decode_cursor("not_valid_base64!!!");
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().where, "cursor \"not_valid_base64!!!\"");
  const auto huge = decode_cursor(std::string(100'000, '!'));
  ASSERT_FALSE(huge);
  EXPECT_LT(huge.error().where.size(), 300U);
}

TEST(Cursor, comes_back_from_its_url_safe_form) {
  check_property("cursor_round_trip", property_cases(200, 20'000), [](const std::string& bytes) {
    const std::string cursor = encode_text_cursor("last_id", bytes);
    RC_ASSERT(cursor.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789-_=") == std::string::npos);
    const auto decoded = decode_cursor(cursor);
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(encode_cursor(decoded->view()) == cursor);
    RC_ASSERT(decoded->view().find("version")->integer() == 1);
  });
}

TEST(Cursor, of_any_text_is_decoded_or_refused) {
  check_property("cursor_any_text", property_cases(300, 20'000), [](const std::string& text) {
    const auto decoded = decode_cursor(text);
    RC_ASSERT(decoded.has_value() || !decoded.error().message.empty());
  });
}

TEST(PageSize, is_clamped) {
  struct Case {
    std::optional<std::int64_t> requested;
    std::int64_t want;
  };
  const Case cases[] = {{std::nullopt, 100}, {0, 1},       {-1, 1},     {-100, 1}, {1, 1}, {50, 50},
                        {1000, 1000},        {1001, 1000}, {5000, 1000}};
  for (const Case& c : cases) EXPECT_EQ(clamp_page_size(c.requested), c.want);
  EXPECT_EQ(clamp_page_size(std::nullopt, 25), 25);
  EXPECT_EQ(clamp_page_size(300, 25, 200), 200);
  EXPECT_EQ(clamp_page_size(std::nullopt, 500, 200), 200);
  EXPECT_EQ(clamp_page_size(5, 1, 0), 1) << "a page holds something";
}

// Pages are fetched with one row more than asked for, to learn whether there is a next one.
TEST(Cursor, walks_a_list_to_its_end) {
  const std::vector<std::string> rows{"a", "b", "c"};
  std::string cursor;
  std::vector<std::string> seen;
  std::vector<bool> more;
  for (int call = 0; call < 5; ++call) {
    std::size_t from = 0;
    if (!cursor.empty()) {
      const auto position = decode_cursor(cursor);
      ASSERT_TRUE(position);
      from = static_cast<std::size_t>(position->view().find("offset")->integer().value());
    }
    const auto size = static_cast<std::size_t>(clamp_page_size(2));
    const std::size_t to = std::min(rows.size(), from + size);
    seen.insert(seen.end(), rows.begin() + static_cast<std::ptrdiff_t>(from),
                rows.begin() + static_cast<std::ptrdiff_t>(to));
    more.push_back(to < rows.size());
    if (!more.back()) break;
    cursor = encode_offset_cursor(std::to_string(to));
  }
  EXPECT_EQ(seen, rows);
  EXPECT_EQ(more, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace enfold::contract
