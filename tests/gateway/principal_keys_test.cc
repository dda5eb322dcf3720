// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/gateway/policy/principals.h"

#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

TEST(PrincipalKeys, belong_to_one_principal_each) {
  std::vector<Principal> principals;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    principals.push_back({"p" + number, to_hex(sha256("key-" + number))});
  }
  const Principals known(principals);
  EXPECT_FALSE(known.is_empty());
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    EXPECT_EQ(known.find("key-" + number), "p" + number);
  }
  EXPECT_EQ(known.find("key-1000"), std::nullopt);
  EXPECT_EQ(known.find(""), std::nullopt);
}

TEST(PrincipalKeys, are_compared_whole) {
  std::string altered = to_hex(sha256("key"));
  altered.back() = altered.back() == '0' ? '1' : '0';
  EXPECT_EQ(Principals({{"almost", altered}}).find("key"), std::nullopt);
  EXPECT_EQ(Principals({{"almost", altered}, {"right", to_hex(sha256("key"))}}).find("key"),
            "right");
}

TEST(PrincipalKeys, can_be_none) { EXPECT_TRUE(Principals({}).is_empty()); }

}  // namespace
}  // namespace enfold::gateway
