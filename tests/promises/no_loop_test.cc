// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_property.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

// Following cursors always advances and ends, and fetching what was left out, however often, never
// leads back to a view that was seen on the way. What is fetched is within its budget.
TEST(Promise, no_loop) { testing::check_pipeline("no_loop", {testing::check_no_loop}); }

}  // namespace
}  // namespace enfold::answer
