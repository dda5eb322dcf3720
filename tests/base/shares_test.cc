// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/shares.h"

#include <gtest/gtest.h>
#include <vector>

namespace enfold {
namespace {

using Places = std::vector<std::shared_ptr<void>>;

/// Takes all that the owner can get.
Places take_all(Shares& shares, const std::string& owner) {
  Places places;
  while (std::shared_ptr<void> place = shares.take(owner)) places.push_back(std::move(place));
  return places;
}

TEST(Shares, leave_places_for_others_whatever_an_owner_takes) {
  Shares shares(8'192);
  std::vector<Places> greedy;
  for (int i = 0; i < 20; ++i) greedy.push_back(take_all(shares, "greedy " + std::to_string(i)));
  EXPECT_NEAR(static_cast<double>(greedy[0].size()), 8'192.0 / 3, 2);
  EXPECT_NE(shares.take("modest"), nullptr);
}

TEST(Shares, come_back_when_they_are_given_up) {
  Shares shares(9);
  Places places = take_all(shares, "a");
  EXPECT_EQ(shares.take("a"), nullptr);
  places.clear();
  EXPECT_EQ(take_all(shares, "a").size(), 4U);
  EXPECT_EQ(take_all(shares, "b").size(), 4U) << "as if nothing had been taken";
}

TEST(Shares, outlive_what_gave_them) {
  auto shares = std::make_unique<Shares>(3);
  const std::shared_ptr<void> place = shares->take("a");
  shares.reset();
  EXPECT_NE(place, nullptr);
}

TEST(Shares, of_nothing_are_nothing) { EXPECT_EQ(Shares(0).take("a"), nullptr); }

}  // namespace
}  // namespace enfold
