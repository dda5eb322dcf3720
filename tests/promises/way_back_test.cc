// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_property.h"

#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

TEST(Promise, the_call_that_a_cut_answer_names_works) {
  testing::check_pipeline("the_call_that_a_cut_answer_names_works", {testing::check_way_back},
                          testing::property_cases(500, 10'000));
}

}  // namespace
}  // namespace enfold::answer
