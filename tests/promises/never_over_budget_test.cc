// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_property.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

// What a reader is charged for, the envelope in one channel and every block beside it, is within
// all limits, in every contract, whatever the tool answered.
TEST(Promise, never_over_budget) {
  testing::check_pipeline("never_over_budget", {testing::check_never_over_budget});
}

}  // namespace
}  // namespace enfold::answer
