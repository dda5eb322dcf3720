// SPDX-License-Identifier: Apache-2.0
// A few counts pinned by hand, and the edges. That all counts are right is shown by token_peers.
#include "enfold/token/tokenizer.h"

#include <ctime>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace enfold::token {
namespace {

TEST(Token, counts_what_the_vendor_counts) {
  struct Case {
    const char* name;
    std::string text;
    TokenCount o200k;
    TokenCount cl100k;
  };
  const std::vector<Case> cases{
      {"nothing", "", 0, 0},
      {"one byte", "a", 1, 1},
      {"words", "Hello, world!", 4, 4},
      {"object", R"({"a":1})", 5, 5},
      {"control token as text", "<|endoftext|>", 7, 7},
      {"long word", "internationalizationistically", 3, 3},
      {"digits in threes", "1234567", 3, 3},
      {"white space", "   \n  x", 3, 3},
      {"Japanese", "日本語", 2, 4},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(o200k_base().count(each.text), each.o200k) << each.name;
    EXPECT_EQ(cl100k_base().count(each.text), each.cl100k) << each.name;
  }
}

TEST(Token, counts_bytes_that_are_not_utf8) {
  for (const Tokenizer* encoding : encodings()) {
    EXPECT_EQ(encoding->count("\xff\xfe\xfd"), 3U) << encoding->name();
    EXPECT_GT(encoding->count(std::string("a\0b\xe6\x97", 5)), 3U) << encoding->name();
  }
}

TEST(Token, finds_encodings_by_name) {
  EXPECT_EQ(find_encoding("o200k_base"), &o200k_base());
  EXPECT_EQ(find_encoding("cl100k_base"), &cl100k_base());
  EXPECT_EQ(find_encoding("p50k_base"), nullptr);
  EXPECT_EQ(find_encoding(""), nullptr);
}

TEST(Token, everything_fits_no_limit_and_only_nothing_fits_zero) {
  for (const Tokenizer* encoding : encodings()) {
    EXPECT_TRUE(encoding->fits("some text", kNoLimit));
    EXPECT_TRUE(encoding->fits("", 0));
    EXPECT_FALSE(encoding->fits("a", 0));
    EXPECT_EQ(encoding->prefix("some text", kNoLimit), "some text");
    EXPECT_EQ(encoding->prefix("some text", 0), "");
  }
}

TEST(Token, a_prefix_ends_between_tokens_and_between_code_points) {
  struct Case {
    std::string text;
    TokenCount limit;
    std::string want;
  };
  const std::vector<Case> cases{
      {"one two three", 2, "one two"},           {R"({"name":"x"})", 1, R"({")"},
      {"\U0001F9FF\U0001F9FF", 1, ""},  // one eye costs three tokens of bytes
      {"\U0001F9FF\U0001F9FF", 4, "\U0001F9FF"}, {"I don't", 2, "I don't"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(o200k_base().prefix(each.text, each.limit), each.want) << each.text;
  }
}

// Of the processor: the clock on the wall counts neighbours.
double seconds(const auto& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Half a minute is far beyond what any of these needs, and far below what quadratic time would.
TEST(Token, one_endless_piece_takes_no_quadratic_time) {
  for (const std::string part : {"a", " ", "-", "\u304b", "ab", "\n", "\u0301", "="}) {
    std::string text;
    while (text.size() < 200'000) text += part;
    for (const Tokenizer* encoding : encodings()) {
      TokenCount tokens = 0;
      EXPECT_LT(seconds([&] { tokens = encoding->count(text); }), 30) << part;
      EXPECT_GE(tokens, text.size() / 128) << part;
      EXPECT_TRUE(encoding->fits(text, tokens)) << part;
      EXPECT_FALSE(encoding->fits(text, tokens - 1)) << part;
    }
  }
}

TEST(Token, one_tokenizer_serves_many_threads) {
  std::string text;
  for (int i = 0; i < 2'000; ++i) text += "{\"id\":" + std::to_string(i * 7919) + ",\"ok\":true}\n";
  const TokenCount want = o200k_base().count(text);
  std::vector<TokenCount> found(4);
  std::vector<std::thread> threads;
  for (TokenCount& each : found) {
    threads.emplace_back([&] { each = o200k_base().count(text); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const TokenCount each : found) EXPECT_EQ(each, want);
}

TEST(Token, knows_where_counts_add_up) {
  EXPECT_TRUE(adds_up_at("{\n\"a\"", 2));
  EXPECT_FALSE(adds_up_at("{\n a", 2));
  EXPECT_FALSE(adds_up_at("{\n\u3000a", 2));
  EXPECT_FALSE(adds_up_at("{\n/a", 2));
  EXPECT_FALSE(adds_up_at("{\n\na", 2));
  EXPECT_FALSE(adds_up_at("ab", 1));
  EXPECT_TRUE(adds_up_at("ab", 0));
  EXPECT_TRUE(adds_up_at("ab", 2));
  EXPECT_FALSE(adds_up_at("ab", 3));
}

}  // namespace
}  // namespace enfold::token
