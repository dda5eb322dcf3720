// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_property.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

constexpr int kParts = 4;

class PipelinePromises : public ::testing::TestWithParam<int> {};

// The million cases of `make nightly`, in parts that may run side by side. Most of a case is the
// way through the pipeline, so every promise about cut answers looks at the same answer.
TEST_P(PipelinePromises, hold_together) {
  std::string name;
  std::vector<testing::Check> checks;
  for (const testing::Promise& promise : testing::kPipelinePromises) {
    name += fmt::format("{}{}", name.empty() ? "" : " + ", promise.name);
    checks.push_back(promise.check);
  }
  testing::check_pipeline(fmt::format("{}, part {} of {}", name, GetParam(), kParts), checks,
                          testing::property_cases(50, 1'000'000 / kParts));
}

INSTANTIATE_TEST_SUITE_P(Nightly, PipelinePromises, ::testing::Range(1, kParts + 1));

}  // namespace
}  // namespace enfold::answer
