// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hidden_text.h"

#include <gtest/gtest.h>

namespace enfold {
namespace {

TEST(HiddenText, is_taken_out_where_writing_does_not_need_it) {
  const struct {
    const char* text;
    const char* want;
  } rows[] = {
      {"plain text, déjà vu, 日本語", "plain text, déjà vu, 日本語"},
      {"read\u200B_file", "read_file"},
      {"a\u202Eb\u202C\u2066c\u2069\u200E\u200F\u061C", "abc"},
      {"sum\U000E0049\U000E0067\U000E006E\U000E007F", "sum"},
      {"a\uFEFFb\u2060c\u00ADd", "abcd"},
      {"a\u200Db\uFE0F", "ab"},
      {"\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
       "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"},
      {"\U0001F469\u200D\U0001F4BB \u26A0\uFE0F", "\U0001F469\u200D\U0001F4BB \u26A0\uFE0F"},
      {"\u26A0\uFE0F\uFE01\uFE02", "\u26A0\uFE0F"},
      {"x\U000E0100\U000E01EF", "x"},
  };
  for (const auto& row : rows) EXPECT_EQ(without_hidden(row.text), row.want) << row.text;
}

// Default_Ignorable_Code_Point in DerivedCoreProperties.txt of Unicode 14.0.
TEST(HiddenText, includes_what_unicode_calls_default_ignorable) {
  const struct {
    std::uint32_t first;
    std::uint32_t last;
  } ranges[] = {{0xAD, 0xAD},      {0x34F, 0x34F},   {0x61C, 0x61C},     {0x115F, 0x1160},
                {0x17B4, 0x17B5},  {0x180B, 0x180F}, {0x200B, 0x200F},   {0x202A, 0x202E},
                {0x2060, 0x206F},  {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
                {0xFFA0, 0xFFA0},  {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
                {0xE0000, 0xE0FFF}};
  std::size_t count = 0;
  for (const auto& range : ranges) {
    for (std::uint32_t c = range.first; c <= range.last; ++c, ++count) {
      EXPECT_TRUE(is_hidden(c)) << c;
    }
  }
  std::size_t all = 0;
  for (std::uint32_t c = 0; c <= 0x10FFFF; ++c) all += is_hidden(c) ? 1 : 0;
  EXPECT_EQ(all, count + 3) << "U+FFF9 to U+FFFB";
  for (const std::uint32_t c : {0x0U, 0x1BU, 0x20U, 0x115EU, 0x1161U, 0xFF9FU, 0xFFA1U, 0xFFFDU}) {
    EXPECT_FALSE(is_hidden(c)) << c;
  }
}

TEST(HiddenText, is_shown_on_one_line) {
  EXPECT_EQ(visible_line("a\nb\r\x1b[31mred\x7f"), "a\\u{a}b\\u{d}\\u{1b}[31mred\\u{7f}");
  EXPECT_EQ(visible_line("\u009B2J\u2028x\u202Ey"), "\\u{9b}2J\\u{2028}x\\u{202e}y");
  EXPECT_EQ(visible_line("\xff\xfe ok é"), "\\xff\\xfe ok é");
}

}  // namespace
}  // namespace enfold
