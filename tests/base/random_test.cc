// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/random.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace enfold {
namespace {

TEST(Chance, gives_no_bytes_out_twice) {
  std::set<std::array<std::uint8_t, 16>> seen;
  for (int i = 0; i < 1000; ++i) {
    std::array<std::uint8_t, 16> bytes{};
    fill_random(bytes);
    EXPECT_TRUE(seen.insert(bytes).second) << i;
  }
}

TEST(Chance, fills_more_than_is_fetched_at_once) {
  std::vector<std::uint8_t> bytes(16'384, 0);
  fill_random(bytes);
  // Every value turns up somewhere, and no run of zeros is left over.
  for (int value = 0; value < 256; ++value) {
    EXPECT_NE(std::ranges::find(bytes, static_cast<std::uint8_t>(value)), bytes.end()) << value;
  }
  EXPECT_EQ(std::ranges::search_n(bytes, 8, 0).size(), 0U);
}

}  // namespace
}  // namespace enfold
