// SPDX-License-Identifier: Apache-2.0
// Runs a RapidCheck property inside a GoogleTest with a stated number of cases: few in `make test`,
// many in `make nightly`. Seeds are fixed, so a red test stays red until it is repaired.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <rapidcheck.h>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace enfold::testing {

/// ENFOLD_NIGHTLY=1 asks for the long run.
[[nodiscard]] inline bool is_nightly() {
  const char* value = std::getenv("ENFOLD_NIGHTLY");
  return value != nullptr && value[0] != '\0' && std::string_view(value) != "0";
}

[[nodiscard]] inline int property_cases(int in_test, int in_nightly) {
  return is_nightly() ? in_nightly : in_test;
}

/// ENFOLD_SEED, else 0.
[[nodiscard]] inline std::uint64_t given_seed() {
  const char* given = std::getenv("ENFOLD_SEED");
  return given == nullptr ? 0 : std::strtoull(given, nullptr, 10);
}

/// FNV-1a of the name and the given seed: properties that draw in the same way do not look at the
/// same cases.
[[nodiscard]] inline std::uint64_t property_seed(std::string_view name) {
  std::uint64_t hash = 14695981039346656037U ^ given_seed();
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211U;
  }
  return hash;
}

namespace detail {

/// RapidCheck's own listener prints progress and reads its configuration; a test wants neither.
class Silent : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

}  // namespace detail

/// Fails the running test with the shrunk counterexample and the seed that leads to it again.
/// `property` takes generated arguments or draws with `*gen`; it uses RC_ASSERT, or returns bool.
/// Giving up for want of accepted cases is a failure too.
template <class Property>
void check_property(const std::string& name, int cases, Property&& property, int max_size = 100) {
  rc::detail::TestParams params;
  params.seed = property_seed(name);
  params.maxSuccess = cases;
  params.maxSize = max_size;
  rc::detail::TestMetadata metadata;
  metadata.id = name;
  metadata.description = name;
  detail::Silent listener;
  const rc::detail::TestResult result = rc::detail::checkProperty(
      rc::detail::toProperty(std::forward<Property>(property)), metadata, params, listener, {});
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  if (result.template is<rc::detail::SuccessResult>()) {
    // The shape of this line is read by tools/nightly.
    std::cout << "[ property ] " << name << ": " << cases << " cases, seed " << params.seed << '\n';
    return;
  }
  ADD_FAILURE() << "property " << name << " does not hold\n"
                << message.str() << "\nagain: ENFOLD_SEED=" << given_seed()
                << (is_nightly() ? " ENFOLD_NIGHTLY=1" : "");
}

}  // namespace enfold::testing
