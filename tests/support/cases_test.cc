// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cases.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace enfold::testing {
namespace {

/// Sets an environment variable for one test and puts back what was there.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(PropertyCases, are_few_unless_it_is_the_nightly_run) {
  {
    const Variable nightly("ENFOLD_NIGHTLY", nullptr);
    EXPECT_EQ(property_cases(2, 100), 2);
  }
  {
    const Variable nightly("ENFOLD_NIGHTLY", "0");
    EXPECT_EQ(property_cases(2, 100), 2);
  }
  const Variable nightly("ENFOLD_NIGHTLY", "1");
  EXPECT_EQ(property_cases(2, 100), 100);
}

TEST(PropertySeed, is_fixed_for_a_name_and_changes_with_the_one_that_is_given) {
  std::vector<std::uint64_t> seeds;
  for (const char* given : {static_cast<const char*>(nullptr), "7", "18446744073709551615"}) {
    const Variable seed("ENFOLD_SEED", given);
    EXPECT_EQ(property_seed("a"), property_seed("a"));
    for (const char* name : {"a", "b"}) seeds.push_back(property_seed(name));
  }
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::unique(seeds.begin(), seeds.end()), seeds.end());
}

TEST(CheckProperty, runs_exactly_the_cases_it_was_asked_for) {
  int runs = 0;
  check_property("self/counts", 321, [&runs](int) { ++runs; });
  EXPECT_EQ(runs, 321);
}

TEST(CheckProperty, draws_the_same_cases_again) {
  std::vector<std::vector<int>> drawn(2);
  for (auto& into : drawn) {
    check_property("self/repeats", 50, [&into](int value) { into.push_back(value); });
  }
  EXPECT_EQ(drawn[0], drawn[1]);
}

TEST(CheckProperty, fails_with_the_shrunk_counterexample) {
  EXPECT_NONFATAL_FAILURE(check_property("small", 1000,
                                         [](const std::vector<int>& values) {
                                           for (const int value : values) RC_ASSERT(value < 50);
                                         }),
                          "([50])");
}

TEST(CheckProperty, names_the_seed_that_leads_to_the_failure_again) {
  const Variable seed("ENFOLD_SEED", "7");
  EXPECT_NONFATAL_FAILURE(check_property("never", 10, [] { return false; }), "ENFOLD_SEED=7");
}

TEST(CheckProperty, takes_a_want_of_cases_for_a_failure) {
  EXPECT_NONFATAL_FAILURE(check_property("empty", 10, [] { RC_PRE(false); }), "Gave up");
}

}  // namespace
}  // namespace enfold::testing
