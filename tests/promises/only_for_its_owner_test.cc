// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_property.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

// A handle, a hash and a cursor open for the principal they were made for; for anybody else they
// are like one that never was.
TEST(Promise, only_for_its_owner) {
  testing::check_pipeline("only_for_its_owner", {testing::check_only_for_its_owner});
}

}  // namespace
}  // namespace enfold::answer
