// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_property.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

// Outcome, counts and facts are those of the whole; every shown value stands in the original; what
// is missing is named; and each contract tells all of it.
TEST(Promise, true_when_cut) {
  testing::check_pipeline("true_when_cut", {testing::check_true_when_cut});
}

}  // namespace
}  // namespace enfold::answer
