// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"

#include "tests/support/cases.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold {
namespace {

TEST(Hex, writes_two_lower_case_digits_a_byte) {
  const std::uint8_t bytes[] = {0x00, 0x09, 0x0A, 0x7F, 0x80, 0xFF};
  EXPECT_EQ(to_hex(bytes), "00090a7f80ff");
  EXPECT_EQ(to_hex({}), "");
}

TEST(Base64Url, agrees_with_rfc_4648_and_the_cursor_vectors) {
  const struct {
    std::string bytes;
    const char* text;
  } rows[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xfb\xef\xbe", "----"},
      {"\xff\xff\xff", "____"},
      {R"({"last_id":"item_123","version":1})", "eyJsYXN0X2lkIjoiaXRlbV8xMjMiLCJ2ZXJzaW9uIjoxfQ=="},
      {R"({"offset":20,"version":1})", "eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ=="},
      {R"({"offset":100,"version":1})", "eyJvZmZzZXQiOjEwMCwidmVyc2lvbiI6MX0="},
      {R"({"last_id":"a/b?c>d","version":1})", "eyJsYXN0X2lkIjoiYS9iP2M-ZCIsInZlcnNpb24iOjF9"},
      {R"({"last_id":"\u30bf\u30b9\u30af","version":1})",
       "eyJsYXN0X2lkIjoiXHUzMGJmXHUzMGI5XHUzMGFmIiwidmVyc2lvbiI6MX0="},
      {R"({"offset":20})", "eyJvZmZzZXQiOjIwfQ=="},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(to_base64url(row.bytes), row.text);
    EXPECT_EQ(from_base64url(row.text), row.bytes) << row.text;
  }
}

TEST(Base64Url, refuses_everything_but_the_one_right_spelling) {
  const struct {
    const char* name;
    std::string text;
  } rows[] = {
      {"no padding", "Zg"},
      {"half the padding", "Zg="},
      {"too much padding", "Zm9v===="},
      {"padding for a full group", "Zm9v="},
      {"three padding signs", "Z==="},
      {"only padding", "===="},
      {"padding in the middle", "Zg==Zm9v"},
      {"padding before a digit", "Z=g="},
      {"trailing bits after one byte", "Zh=="},
      {"trailing bits after two bytes", "Zm9="},
      {"standard alphabet plus", "++++"},
      {"standard alphabet slash", "////"},
      {"white space", "Zm9v\n"},
      {"space inside", "Zm 9"},
      {"NUL", std::string("Zm9\0", 4)},
      {"not ASCII", "Zm9\xc3"},
      {"one digit", "Z"},
  };
  for (const auto& row : rows) EXPECT_EQ(from_base64url(row.text), std::nullopt) << row.name;
}

TEST(Base64Url, reads_back_what_it_wrote) {
  testing::check_property("base64url_round_trip", testing::property_cases(2'000, 100'000), [] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    const std::string text = to_base64url(bytes);
    RC_ASSERT(text.size() == (bytes.size() + 2) / 3 * 4);
    RC_ASSERT(from_base64url(text) == bytes);
    std::string standard = text;
    for (char& c : standard) c = c == '-' ? '+' : c == '_' ? '/' : c;
    RC_ASSERT(from_base64(standard) == bytes);
  });
}

TEST(Base64Url, accepts_no_two_texts_for_the_same_bytes) {
  testing::check_property("base64url_one_spelling", testing::property_cases(2'000, 100'000), [] {
    const auto digit = rc::gen::element('A', 'B', 'Q', 'Z', 'g', '8', '9', '-', '_', '=', '+');
    const auto text = *rc::gen::container<std::string>(4, digit);
    if (const auto bytes = from_base64url(text)) RC_ASSERT(to_base64url(*bytes) == text);
  });
}

TEST(Base64, reads_the_standard_alphabet_as_strictly) {
  EXPECT_EQ(from_base64("++//"), "\xfb\xef\xff");
  EXPECT_EQ(from_base64("Zm9vYg=="), "foob");
  for (const char* text : {"--__", "Zg", "Zh==", "Zm9=", "Zm9v\n", "=Zm9", "===="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

TEST(Text, lowers_ascii_letters_and_nothing_else) {
  EXPECT_EQ(to_lower("AZaz09@[`{"), "azaz09@[`{");
  EXPECT_EQ(to_lower("\u00c9\xff"), "\u00c9\xff");
  EXPECT_EQ(to_lower(std::string_view("A\0B", 3)), std::string("a\0b", 3));
}

TEST(Text, is_compared_ignoring_case_as_its_lower_case_is) {
  for (std::size_t size = 0; size < 20; ++size) {
    const std::string same(size, 'k');
    EXPECT_TRUE(equals_ignoring_case(same, std::string(size, 'K')));
    EXPECT_FALSE(equals_ignoring_case(same, same + "k"));
    for (std::size_t at = 0; at < size; ++at) {
      for (int first = 0; first < 256; ++first) {
        for (const int second :
             {first, first ^ 0x20, first ^ 0x80, first + 1, int{'a'}, int{'Z'}}) {
          std::string a = same;
          std::string b = same;
          a[at] = static_cast<char>(first);
          b[at] = static_cast<char>(second);
          ASSERT_EQ(equals_ignoring_case(a, b), to_lower(a) == to_lower(b)) << a << " and " << b;
        }
      }
    }
  }
}

TEST(Text, loses_the_blanks_at_its_ends) {
  EXPECT_EQ(trimmed(" \t a b\t "), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("..a .", "."), "a ");
}

}  // namespace
}  // namespace enfold
