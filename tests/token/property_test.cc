// SPDX-License-Identifier: Apache-2.0
// What must hold for every text, whatever the counts are.
#include "enfold/base/text.h"
#include "enfold/token/detail/merge.h"
#include "enfold/token/detail/split_block.h"
#include "enfold/token/estimate.h"
#include "enfold/token/profile.h"
#include "tests/support/cases.h"
#include "tests/token/texts.h"

#include <bit>

namespace enfold::token {
namespace {

using detail::Rules;
using testing::check_property;
using testing::draw_text;
using testing::property_cases;

template <Rules rules>
void same_splits(const std::string& bytes) {
  const detail::Text text(bytes);
  std::size_t at = 0;
  while (at < text.size) {
    const std::size_t end = detail::piece_end<rules>(text, at);
    RC_ASSERT(end > at);
    RC_ASSERT(end <= text.size);
    RC_ASSERT(detail::fast_piece_end<rules>(text, at) == end);
    at = end;
  }
}

TEST(TokenProperty, the_fast_rules_split_as_the_full_ones) {
  check_property("fast split", property_cases(3'000, 200'000), [] {
    const std::string text = draw_text();
    same_splits<Rules::o200k>(text);
    same_splits<Rules::cl100k>(text);
  });
}

// Every bit of a block is the start of a piece, and no piece before the last bit is missed.
template <Rules rules>
std::size_t same_blocks(const std::string& bytes) {
  const detail::Text text(bytes);
  std::size_t found = 0;
  for (std::size_t at = 0; at + detail::kBlock <= text.size;
       at = detail::piece_end<rules>(text, at)) {
    std::uint64_t starts = detail::piece_starts<rules>(text.bytes + at).starts;
    std::size_t want = at;
    for (; starts != 0; starts &= starts - 1, ++found) {
      RC_ASSERT(at + static_cast<std::size_t>(std::countr_zero(starts)) == want);
      want = detail::piece_end<rules>(text, want);
    }
  }
  return found;
}

template <Rules rules>
std::size_t all_end_pieces(const std::string& bytes) {
  const detail::Text text(bytes);
  std::vector<bool> ends(text.size + 1);
  for (std::size_t at = 0; at < text.size; at = detail::piece_end<rules>(text, at)) ends[at] = true;
  ends[text.size] = true;
  std::size_t found = 0;
  for (std::size_t block = 0; block + detail::kBlock <= text.size; block += 7) {
    for (std::uint64_t sure = detail::sure_ends<rules>(text.bytes + block); sure != 0;
         sure &= sure - 1, ++found) {
      RC_ASSERT(ends[block + static_cast<std::size_t>(std::countr_zero(sure)) + 1]);
    }
  }
  return found;
}

TEST(TokenProperty, a_piece_ends_where_it_surely_does) {
  std::size_t found = 0;
  check_property("sure ends", property_cases(2'000, 200'000), [&] {
    const std::string text = *rc::gen::arbitrary<bool>() ? testing::draw_plain_text() : draw_text();
    found += all_end_pieces<Rules::o200k>(text);
    found += all_end_pieces<Rules::cl100k>(text);
  });
  EXPECT_EQ(found > 100'000, detail::kHasBlocks) << found;
}

TEST(TokenProperty, blocks_split_as_the_full_rules) {
  std::size_t found = 0;
  check_property("block split", property_cases(2'000, 200'000), [&] {
    const std::string text = *rc::gen::arbitrary<bool>() ? testing::draw_plain_text() : draw_text();
    found += same_blocks<Rules::o200k>(text);
    found += same_blocks<Rules::cl100k>(text);
  });
  EXPECT_EQ(found > 100'000, detail::kHasBlocks) << found;
}

TEST(TokenProperty, long_pieces_merge_in_windows_as_at_once) {
  check_property("windows", property_cases(1'000, 50'000), [] {
    const std::string text = draw_text() + draw_text();
    RC_PRE(!text.empty());
    const detail::Vocabulary vocabulary(detail::enfold_token_o200k_base);
    // No window holds the longest token twice here, so cuts fail often and the way out is taken
    // too.
    detail::Merger in_windows(*rc::gen::elementOf(std::vector<std::size_t>{100, 160, 300}));
    detail::Merger at_once(1'000'000);
    const detail::Ends want = at_once.ends(vocabulary, text);
    RC_ASSERT(in_windows.ends(vocabulary, text) == want);
    RC_ASSERT(in_windows.count(vocabulary, text) == want.size());
  });
}

// Merges as the definition says.
std::size_t merged_size(const detail::Vocabulary& vocabulary, std::vector<std::string> parts) {
  while (true) {
    detail::Rank lowest = detail::kNoRank;
    std::size_t best = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const std::string both = parts[i] + parts[i + 1];
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(both.data());
      const detail::Rank rank = vocabulary.rank(bytes, both.size());
      if (rank < lowest) {
        lowest = rank;
        best = i;
      }
    }
    if (lowest == detail::kNoRank) return parts.size();
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

TEST(TokenProperty, pieces_of_each_length_merge_as_the_definition_says) {
  const detail::Vocabulary vocabulary(detail::enfold_token_o200k_base);
  detail::Merger merger;
  for (const std::string_view filling : {"\xE6\xBC\xA2", "]", "~", "ab", "\xD0\xB6"}) {
    for (std::size_t size = 1; size <= 110; ++size) {
      for (const std::string_view end : {"", "\xC3\xA9", "in"}) {
        std::string piece = "x";
        while (piece.size() + end.size() < size) piece += filling;
        piece += end;
        std::vector<std::string> bytes;
        for (const char byte : piece) bytes.emplace_back(1, byte);
        EXPECT_EQ(merger.count(vocabulary, piece), merged_size(vocabulary, bytes)) << piece;
      }
    }
  }
}

TEST(TokenProperty, fits_is_a_count_within_the_limit) {
  check_property("fits", property_cases(2'000, 100'000), [] {
    const std::string text = draw_text();
    for (const Profile& profile : profiles()) {
      const Tokenizer& tokenizer = *profile.tokenizer;
      const TokenCount count = tokenizer.count(text);
      const auto limit = static_cast<TokenCount>(*rc::gen::inRange(0, 200));
      RC_ASSERT(tokenizer.fits(text, limit) == (count <= limit));
      RC_ASSERT(tokenizer.fits(text, count));
      RC_ASSERT(count == 0 || !tokenizer.fits(text, count - 1));
    }
  });
}

// Where the tokens of a whole text end.
template <Rules rules>
std::vector<std::size_t> token_ends(const std::string& bytes, const std::uint8_t* table) {
  const detail::Vocabulary vocabulary(table);
  detail::Merger merger;
  const detail::Text text(bytes);
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  while (at < text.size) {
    const std::size_t end = detail::piece_end<rules>(text, at);
    for (const std::size_t each : merger.ends(vocabulary, bytes.substr(at, end - at))) {
      ends.push_back(at + each);
    }
    at = end;
  }
  return ends;
}

bool is_between_code_points(const std::string& text, std::size_t cut) {
  std::size_t at = 0;
  while (at < cut) static_cast<void>(utf8::next(text, at));
  return at == cut;
}

// The longest beginning of at most `limit` of the tokens that fits, found by trying all.
std::size_t longest_prefix(const Tokenizer& encoding, const std::string& text,
                           const std::vector<std::size_t>& ends, TokenCount limit) {
  for (std::size_t kept = std::min(limit, ends.size()); kept > 0; --kept) {
    const std::size_t cut = ends[kept - 1];
    if (!is_between_code_points(text, cut)) continue;
    if (encoding.count(text.substr(0, cut)) <= limit) return cut;
  }
  return 0;
}

TEST(TokenProperty, the_tokens_of_a_text_are_as_many_as_its_count) {
  check_property("tokens", property_cases(2'000, 50'000), [] {
    const std::string text = *rc::gen::arbitrary<bool>() ? testing::draw_plain_text() : draw_text();
    RC_ASSERT(token_ends<Rules::o200k>(text, detail::enfold_token_o200k_base).size() ==
              o200k_base().count(text));
    RC_ASSERT(token_ends<Rules::cl100k>(text, detail::enfold_token_cl100k_base).size() ==
              cl100k_base().count(text));
  });
}

// Short texts are counted in a copy with something behind them, which must not change a piece.
TEST(TokenProperty, short_texts_count_as_their_tokens_whatever_byte_is_last) {
  check_property("short texts", property_cases(1'000, 50'000), [] {
    const std::string drawn = testing::draw_plain_text() + draw_text();
    const auto size = static_cast<std::size_t>(*rc::gen::inRange(0, 100));
    std::string text = drawn.substr(0, size);
    for (int last = 1; last < 256; ++last) {
      text.push_back(static_cast<char>(last));
      RC_ASSERT(token_ends<Rules::o200k>(text, detail::enfold_token_o200k_base).size() ==
                o200k_base().count(text));
      RC_ASSERT(token_ends<Rules::cl100k>(text, detail::enfold_token_cl100k_base).size() ==
                cl100k_base().count(text));
      text.pop_back();
    }
  });
}

TEST(TokenProperty, every_number_of_up_to_three_digits_is_one_token) {
  for (const auto* table : {detail::enfold_token_o200k_base, detail::enfold_token_cl100k_base}) {
    const detail::Vocabulary vocabulary(table);
    for (int number = 0; number < 1000; ++number) {
      const std::string digits = std::to_string(1000 + number).substr(1);
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(digits.data());
      EXPECT_NE(vocabulary.rank(bytes, 3), detail::kNoRank) << digits;
      EXPECT_NE(vocabulary.rank(bytes + 1, 2), detail::kNoRank) << digits.substr(1);
    }
  }
}

TEST(TokenProperty, a_prefix_is_the_longest_that_fits) {
  check_property("longest prefix", property_cases(2'000, 100'000), [] {
    const std::string text = *rc::gen::arbitrary<bool>() ? testing::draw_plain_text() : draw_text();
    const auto limit = static_cast<TokenCount>(*rc::gen::inRange(0, 60));
    const auto check = [&](const Tokenizer& encoding, const std::vector<std::size_t>& ends) {
      const std::string_view prefix = encoding.prefix(text, limit);
      RC_ASSERT(text.substr(0, prefix.size()) == prefix);
      RC_ASSERT(encoding.count(prefix) <= limit);
      RC_ASSERT(prefix.size() == longest_prefix(encoding, text, ends, limit));
    };
    check(o200k_base(), token_ends<Rules::o200k>(text, detail::enfold_token_o200k_base));
    check(cl100k_base(), token_ends<Rules::cl100k>(text, detail::enfold_token_cl100k_base));
  });
}

TEST(TokenProperty, a_prefix_of_an_estimate_fits_and_is_all_when_all_fits) {
  check_property("prefix of profiles", property_cases(1'000, 50'000), [] {
    const std::string text = draw_text();
    const auto limit = static_cast<TokenCount>(*rc::gen::inRange(0, 100));
    for (const Profile& profile : profiles()) {
      const std::string_view prefix = profile.tokenizer->prefix(text, limit);
      RC_ASSERT(text.substr(0, prefix.size()) == prefix);
      RC_ASSERT(profile.tokenizer->count(prefix) <= limit);
      RC_ASSERT(profile.tokenizer->fits(text, limit) == (prefix.size() == text.size()));
    }
  });
}

TEST(TokenProperty, counts_add_up_where_they_are_said_to) {
  check_property("additive", property_cases(3'000, 100'000), [] {
    const std::string text = draw_text() + "\n" + draw_text();
    for (std::size_t at = 0; at <= text.size(); ++at) {
      if (!adds_up_at(text, at)) continue;
      for (const Tokenizer* encoding : encodings()) {
        RC_ASSERT(encoding->count(text) ==
                  encoding->count(text.substr(0, at)) + encoding->count(text.substr(at)));
      }
    }
  });
}

}  // namespace
}  // namespace enfold::token
