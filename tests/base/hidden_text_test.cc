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

TEST(HiddenText, is_shown_on_one_line) {
  EXPECT_EQ(visible_line("a\nb\r\x1b[31mred\x7f"), "a\\u{a}b\\u{d}\\u{1b}[31mred\\u{7f}");
  EXPECT_EQ(visible_line("\u009B2J\u2028x\u202Ey"), "\\u{9b}2J\\u{2028}x\\u{202e}y");
  EXPECT_EQ(visible_line("\xff\xfe ok é"), "\\xff\\xfe ok é");
}

}  // namespace
}  // namespace enfold
