// SPDX-License-Identifier: Apache-2.0
// Counts of programs without enfold::token_tables: never below the exact ones, and not far above.
#include "enfold/token/detail/merge.h"
#include "enfold/token/detail/split_block.h"
#include "enfold/token/profile.h"
#include "tests/support/cases.h"
#include "tests/token/texts.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace enfold::token {
namespace {

using testing::check_property;
using testing::property_cases;

struct Pair {
  const Tokenizer& exact;
  const Tokenizer& bound;
};
const Pair kPairs[] = {{o200k_base(), o200k_base_bound()}, {cl100k_base(), cl100k_base_bound()}};

std::string draw_any_text() {
  return *rc::gen::arbitrary<bool>() ? testing::draw_plain_text() : testing::draw_text();
}

// The count piece by piece, without caches, blocks and copies.
template <detail::Rules rules>
TokenCount count_slowly(const std::string& bytes, const std::uint8_t* table) {
  const detail::Vocabulary vocabulary(table);
  detail::Merger merger;
  const detail::Text text(bytes);
  TokenCount count = 0;
  for (std::size_t at = 0, end = 0; at < text.size; at = end) {
    end = detail::piece_end<rules>(text, at);
    const bool is_token =
        end - at == 1 || vocabulary.rank(text.bytes + at, end - at) != detail::kNoRank;
    count += is_token ? 1 : merger.count(vocabulary, bytes.substr(at, end - at));
  }
  return count;
}

TEST(TokenBound, this_program_counts_exactly) {
  EXPECT_TRUE(counts_exactly());
  EXPECT_EQ(o200k_base().name(), "o200k_base");
  EXPECT_EQ(o200k_base_bound().name(), "o200k_base_bound");
}

TEST(TokenBound, is_never_below_the_exact_count) {
  check_property("bound", property_cases(3'000, 200'000), [] {
    const std::string text = draw_any_text();
    for (const Pair& each : kPairs) RC_ASSERT(each.bound.count(text) >= each.exact.count(text));
  });
}

TEST(TokenBound, counts_the_same_on_every_way_through_a_text) {
  check_property("ways", property_cases(2'000, 50'000), [] {
    const std::string text = draw_any_text();
    RC_ASSERT(count_slowly<detail::Rules::o200k>(text, detail::enfold_token_o200k_base_short) ==
              o200k_base_bound().count(text));
    RC_ASSERT(count_slowly<detail::Rules::cl100k>(text, detail::enfold_token_cl100k_base_short) ==
              cl100k_base_bound().count(text));
  });
}

TEST(TokenBound, fits_and_prefix_agree_with_the_count) {
  check_property("fits", property_cases(2'000, 50'000), [] {
    const std::string text = draw_any_text();
    const auto limit = static_cast<TokenCount>(*rc::gen::inRange(0, 200));
    for (const Pair& each : kPairs) {
      RC_ASSERT(each.bound.fits(text, limit) == (each.bound.count(text) <= limit));
      const std::string_view start = each.bound.prefix(text, limit);
      RC_ASSERT(text.starts_with(start));
      RC_ASSERT(each.exact.count(start) <= limit);
    }
  });
}

TEST(TokenBound, numbers_are_counted_exactly) {
  for (int number = 0; number < 1'000; ++number) {
    const std::string text = std::to_string(number);
    for (const Pair& each : kPairs) EXPECT_EQ(each.bound.count(text), 1U) << text;
  }
}

// docs/reference/tokens.md says so.
TEST(TokenBound, is_less_than_three_tenths_above_for_recorded_answers) {
  for (const Pair& each : kPairs) {
    double exact = 0;
    double bound = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(ENFOLD_SOURCE_DIR) / "tests/golden/samples")) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      const TokenCount counted = each.exact.count(text);
      exact += static_cast<double>(counted);
      bound += static_cast<double>(each.bound.count(text));
      EXPECT_GE(each.bound.count(text), counted) << entry.path();
    }
    ASSERT_GT(exact, 100'000.0);
    EXPECT_LT(bound / exact, 1.3) << each.bound.name() << ": " << bound / exact;
    RecordProperty(std::string(each.bound.name()), std::to_string(bound / exact));
  }
}

}  // namespace
}  // namespace enfold::token
