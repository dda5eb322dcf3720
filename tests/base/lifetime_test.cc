// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/lifetime.h"

#include <functional>
#include <gtest/gtest.h>
#include <optional>

namespace enfold {
namespace {

struct Owner {
  int calls = 0;
  Lifetime alive;
  [[nodiscard]] std::function<void(int)> callback() {
    return alive.guarded([this](int by) { calls += by; });
  }
};

TEST(Lifetime, runs_a_guarded_callback_while_its_owner_exists) {
  Owner owner;
  owner.callback()(2);
  EXPECT_EQ(owner.calls, 2);
}

TEST(Lifetime, skips_a_guarded_callback_after_its_owner_is_gone) {
  std::optional<Owner> owner(std::in_place);
  const std::function<void(int)> callback = owner->callback();
  owner.reset();
  callback(1);
}

TEST(Lifetime, lets_the_owner_end_inside_its_callback) {
  std::optional<Owner> owner(std::in_place);
  bool ran = false;
  const auto end = owner->alive.guarded([&] {
    owner.reset();
    ran = true;
  });
  auto copy = end;
  copy();
  EXPECT_TRUE(ran);
  copy();
}

}  // namespace
}  // namespace enfold
