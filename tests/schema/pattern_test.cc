// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/pattern/pattern.h"

#include <gtest/gtest.h>
#include <string>

namespace enfold::schema::detail {
namespace {

TEST(Pattern, matches_as_ecma_262_does) {
  const struct {
    std::string pattern;
    std::string text;
    bool want;
  } rows[] = {
      {"b", "abc", true},
      {"^b", "abc", false},
      {"^abc$", "abc\n", false},
      {"^abc$", "x\nabc\ny", false},
      {"^.$", "\n", false},
      {"^.$", "\xE2\x80\xA8", false},
      {"^.$", "\xF0\x9F\x90\xB2", true},
      {"^\\d$", "7", true},
      {"^\\d$", "\xDF\x80", false},
      {"^\\w+$", "a_Z9", true},
      {"^\\w$", "\xC3\xA9", false},
      {"^\\W$", "\xC3\xA9", true},
      {"^\\s$", "\xEF\xBB\xBF", true},
      {"^\\s$", "\v", true},
      {"^\\S$", "\xE3\x80\x80", false},
      {"^[\\s,]+$", " ,\xC2\xA0", true},
      {"^[^\\s]$", "x", true},
      {"^[\\S]$", "\xE2\x80\x83", false},
      {"^\\u00e9$", "\xC3\xA9", true},
      {"^\\ud83d\\udc32$", "\xF0\x9F\x90\xB2", true},
      {"^\\u{1F432}$", "\xF0\x9F\x90\xB2", true},
      {"^[\\u{1F431}-\\u{1F433}]$", "\xF0\x9F\x90\xB2", true},
      {"^\\x41\\cA\\0$", std::string("A\x01\x00", 3), true},
      {"^a\\/b\\-c\\.$", "a/b-c.", true},
      {"^(?<year>\\d{4})-(?:x|y)$", "2024-y", true},
      {"^\\p{Letter}+$", "\xC3\xA9", true},
      {"^\\p{Lu}$", "a", false},
      {"^\\P{L}$", "1", true},
      {"^[\\p{Script=Greek}\\d]+$",
       "\xCE\xB1"
       "1",
       true},
      {"^\\p{sc=Cyrl}$", "\xD0\x96", true},
      {"^\\p{General_Category=Decimal_Number}$", "\xE0\xA7\xAA", true},
      {"^\\p{digit}+$", "42", true},
      {"^\\p{ASCII}$", "\xC3\xA9", false},
      {"[]", "anything", false},
      {"^[^]$", "\n", true},
      {"^[[:alpha:]$", "[", true},
      {"^[\\w-.]+$", "a-b.c", true},
      {"^[a\\-z]$", "-", true},
      {"^[-a]$", "-", true},
      {"^[\\b]$", "\b", true},
      {"\\bfoo\\b", "a foo b", true},
      {"\\Boo", "foo", true},
      {"^{a}]$", "{a}]", true},
      {"^a{,2}$", "a{,2}", true},
      {"^a{2}?$", "a", false},
      {"^(?:ab){2,3}?$", "ababab", true},
      {"^a*?b+?c??$", "aab", true},
      {"^(|a)$", "", true},
      {"^.{3,}$", "ab", false},
      {"", "", true},
  };
  for (const auto& row : rows) {
    const auto pattern = schema::detail::Pattern::compile(row.pattern);
    ASSERT_TRUE(pattern) << row.pattern << ": " << pattern.error().message;
    EXPECT_EQ(pattern->matches(row.text), row.want) << row.pattern << " on " << row.text;
  }
}

TEST(Pattern, repeats_beyond_a_thousand_are_written_out) {
  const auto one = schema::detail::Pattern::compile("^[a-z]{2,2048}?$");
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_TRUE(one->matches(std::string(2048, 'a')));
  EXPECT_FALSE(one->matches(std::string(2049, 'a')));
  EXPECT_FALSE(one->matches("a"));
  EXPECT_FALSE(one->matches(""));

  const auto nested = schema::detail::Pattern::compile("^([a-z]{1,63}[.]){1,20}$");
  ASSERT_TRUE(nested) << nested.error().message;
  std::string name;
  for (int i = 0; i < 20; ++i) name += std::string(63, 'x') + ".";
  EXPECT_TRUE(nested->matches(name));
  EXPECT_FALSE(nested->matches(name + "x."));

  const auto endless = schema::detail::Pattern::compile("^a{1500,}$");
  ASSERT_TRUE(endless) << endless.error().message;
  EXPECT_FALSE(endless->matches(std::string(1499, 'a')));
  EXPECT_TRUE(endless->matches(std::string(4000, 'a')));
}

TEST(Pattern, what_the_matcher_cannot_express_is_unsupported) {
  for (const std::string text :
       {"(?=a)b", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<x>a)\\k<x>", "\\ud800",
        "\\p{Script_Extensions=Greek}", "\\p{Emoji}", "(a{1000}){1000}(b{1000}){1000}"}) {
    const auto pattern = schema::detail::Pattern::compile(text);
    ASSERT_FALSE(pattern) << text;
    EXPECT_EQ(pattern.error().code, ErrorCode::unsupported) << text;
    EXPECT_NE(pattern.error().message.find(text), std::string::npos) << pattern.error().message;
  }
}

TEST(Pattern, broken_patterns_are_refused) {
  for (const std::string text :
       {"(",   ")",   "a)",    "[a",          "a**",  "*a",    "a{2,1}", "^*",  "[z-a]", "\\",
        "\\a", "\\Z", "\\u12", "\\u{110000}", "\\c1", "(?i)a", "(?<>a)", "\\p", "\\01",  "a?{2}"}) {
    const auto pattern = schema::detail::Pattern::compile(text);
    ASSERT_FALSE(pattern) << text;
    EXPECT_EQ(pattern.error().code, ErrorCode::invalid_input) << text;
  }
}

TEST(Pattern, nesting_is_bounded) {
  const auto deep =
      schema::detail::Pattern::compile(std::string(100'000, '(') + std::string(100'000, ')'));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code, ErrorCode::unsupported);
}

TEST(Pattern, takes_linear_time_on_patterns_that_make_others_backtrack) {
  const auto pattern = schema::detail::Pattern::compile("^(a+)+$");
  ASSERT_TRUE(pattern);
  EXPECT_FALSE(pattern->matches(std::string(100'000, 'a') + "b"));
}

}  // namespace
}  // namespace enfold::schema::detail
