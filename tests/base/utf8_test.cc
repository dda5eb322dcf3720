// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold::utf8 {
namespace {

using Offset = std::optional<std::size_t>;

// The rows follow RFC 3629 section 4 and table 3-7 of the Unicode standard: every boundary of every
// row of that table, from both sides.
TEST(Utf8, finds_the_first_byte_that_is_not_utf8) {
  const struct {
    const char* name;
    std::string bytes;
    Offset want;
  } rows[] = {
      {"empty", "", std::nullopt},
      {"ASCII with NUL and DEL", std::string("a\0\x7f", 3), std::nullopt},
      {"smallest of two bytes", "\xC2\x80", std::nullopt},
      {"largest of two bytes", "\xDF\xBF", std::nullopt},
      {"smallest of three bytes", "\xE0\xA0\x80", std::nullopt},
      {"last before the surrogates", "\xED\x9F\xBF", std::nullopt},
      {"first after the surrogates", "\xEE\x80\x80", std::nullopt},
      {"largest of three bytes", "\xEF\xBF\xBF", std::nullopt},
      {"byte order mark", "\xEF\xBB\xBF", std::nullopt},
      {"smallest of four bytes", "\xF0\x90\x80\x80", std::nullopt},
      {"largest code point", "\xF4\x8F\xBF\xBF", std::nullopt},
      {"lone continuation", "ab\x80", 2},
      {"two bytes overlong C0", "\xC0\x80", 0},
      {"two bytes overlong C1", "\xC1\xBF", 0},
      {"three bytes overlong", "x\xE0\x9F\xBF", 1},
      {"four bytes overlong", "\xF0\x8F\xBF\xBF", 0},
      {"first surrogate", "\xED\xA0\x80", 0},
      {"last surrogate", "\xED\xBF\xBF", 0},
      {"surrogate pair as CESU-8", "\xED\xA0\xBD\xED\xB8\x80", 0},
      {"beyond U+10FFFF", "\xF4\x90\x80\x80", 0},
      {"lead byte F5", "\xF5\x80\x80\x80", 0},
      {"five byte form", "\xF8\x88\x80\x80\x80", 0},
      {"six byte form", "\xFC\x84\x80\x80\x80\x80", 0},
      {"FE", "\xFE", 0},
      {"FF", "\xFF", 0},
      {"two bytes cut off", "a\xC3", 1},
      {"three bytes cut off", "a\xE2\x82", 1},
      {"four bytes cut off", "a\xF0\x9F\x98", 1},
      {"ASCII in place of a continuation", "\xC3(", 0},
      {"second continuation missing", "\xE2\x82(", 0},
      {"third continuation missing", "\xF0\x9F\x98(", 0},
      {"NUL in place of a continuation", std::string("\xC3\0", 2), 0},
      {"after good text", "\u00e9\u20ac\U0001F600\xBF", 9},
  };
  for (const auto& row : rows) EXPECT_EQ(first_invalid(row.bytes), row.want) << row.name;
}

TEST(Utf8, encodes_every_length_and_surrogates_as_wtf8) {
  const struct {
    std::uint32_t code_point;
    std::string want;
  } rows[] = {
      {0, std::string(1, '\0')},
      {0x7F, "\x7F"},
      {0x80, "\xC2\x80"},
      {0x7FF, "\xDF\xBF"},
      {0x800, "\xE0\xA0\x80"},
      {0xD7FF, "\xED\x9F\xBF"},
      {0xD800, "\xED\xA0\x80"},
      {0xDBFF, "\xED\xAF\xBF"},
      {0xDC00, "\xED\xB0\x80"},
      {0xDFFF, "\xED\xBF\xBF"},
      {0xE000, "\xEE\x80\x80"},
      {0xFFFF, "\xEF\xBF\xBF"},
      {0x10000, "\xF0\x90\x80\x80"},
      {0x10FFFF, "\xF4\x8F\xBF\xBF"},
  };
  for (const auto& row : rows) {
    std::string out = "x";
    append(out, row.code_point);
    EXPECT_EQ(out, "x" + row.want) << std::hex << row.code_point;
  }
}

TEST(Utf8, reads_back_every_scalar_value) {
  for (std::uint32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    std::string text;
    append(text, code_point);
    std::size_t at = 0;
    const std::uint32_t read = next(text, at);
    if (surrogate) {
      ASSERT_EQ(first_invalid(text), Offset(0)) << std::hex << code_point;
      ASSERT_EQ(read, 0xFFFDU) << std::hex << code_point;
      ASSERT_EQ(at, 1U) << std::hex << code_point;
    } else {
      ASSERT_EQ(first_invalid(text), std::nullopt) << std::hex << code_point;
      ASSERT_EQ(read, code_point);
      ASSERT_EQ(at, text.size()) << std::hex << code_point;
      ASSERT_EQ(length(text), 1U) << std::hex << code_point;
    }
  }
}

TEST(Utf8, gives_malformed_bytes_out_one_by_one) {
  const std::string text = "a\xE2\x82z\xED\xA0\x80\xF0\x9F\x98\x80\xFF";
  std::vector<std::uint32_t> read;
  for (std::size_t at = 0; at < text.size();) read.push_back(next(text, at));
  EXPECT_EQ(read, (std::vector<std::uint32_t>{'a', 0xFFFD, 0xFFFD, 'z', 0xFFFD, 0xFFFD, 0xFFFD,
                                              0x1F600, 0xFFFD}));
}

TEST(Utf8, counts_code_points) {
  EXPECT_EQ(length(""), 0U);
  EXPECT_EQ(length("abc"), 3U);
  EXPECT_EQ(length("\u00e9\u20ac\U0001F600"), 3U);
  EXPECT_EQ(length("e\u0301"), 2U) << "code points, not what a reader sees as one letter";
}

TEST(Utf8, cuts_between_code_points_only) {
  const std::string text = "a\u00e9\u20ac\U0001F600";  // 1 + 2 + 3 + 4 bytes
  const std::size_t want[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t max = 0; max < std::size(want); ++max) {
    EXPECT_EQ(prefix(text, max), text.substr(0, want[max])) << max;
  }
}

// Any bytes: reading them piece by piece agrees with the check of the whole, and always ends.
TEST(Utf8, reading_and_checking_agree_on_any_bytes) {
  testing::check_property("utf8_next_agrees", testing::property_cases(2'000, 100'000), [] {
    const auto piece = rc::gen::element<std::string>(
        "a", "\u00e9", "\u20ac", "\U0001F600", "\x80", "\xBF", "\xC0", "\xC3", "\xE0", "\xED",
        "\xA0", "\xF0", "\x90", "\xF4", "\xF8", "\xFF", std::string(1, '\0'));
    std::string text;
    for (const std::string& one : *rc::gen::container<std::vector<std::string>>(piece)) text += one;
    std::string again;
    Offset broken;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t before = at;
      const std::uint32_t code_point = next(text, at);
      RC_ASSERT(at > before);
      RC_ASSERT(at <= text.size());
      std::string one;
      append(one, code_point);
      if (!broken && one != text.substr(before, at - before)) broken = before;
      again += one;
    }
    RC_ASSERT(first_invalid(text) == broken);
    RC_ASSERT(first_invalid(again) == std::nullopt);
    if (!broken) RC_ASSERT(again == text);
  });
}

TEST(Utf8, a_prefix_of_good_text_is_good_and_as_long_as_can_be) {
  testing::check_property("utf8_prefix", testing::property_cases(2'000, 100'000), [] {
    const auto letter = rc::gen::element<std::string>("a", "\u00e9", "\u20ac", "\U0001F600");
    std::string text;
    for (const auto& one : *rc::gen::container<std::vector<std::string>>(letter)) text += one;
    const auto max = *rc::gen::inRange<std::size_t>(0, text.size() + 4);
    const std::string_view cut = prefix(text, max);
    RC_ASSERT(cut.size() <= max);
    RC_ASSERT(text.starts_with(cut));
    RC_ASSERT(!first_invalid(cut));
    if (cut.size() < text.size()) {
      std::size_t at = cut.size();
      (void)next(text, at);
      RC_ASSERT(at > max);
    }
  });
}

}  // namespace
}  // namespace enfold::utf8
