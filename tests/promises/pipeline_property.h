// SPDX-License-Identifier: Apache-2.0
// A promise over the whole pipeline as a property: 5,000 cases here, 1,000,000 in `make nightly`.
#pragma once

#include "tests/promises/pipeline_checks.h"
#include "tests/support/cases.h"

#include <cstdint>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold::testing {

inline void check_pipeline(const std::string& name,
                           void (*check)(std::string_view choices, const Claim& claim),
                           int cases = property_cases(5'000, 1'000'000)) {
  check_property(name, cases, [&] {
    const auto byte = rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 256));
    const auto drawn = *rc::gen::resize(40, rc::gen::container<std::vector<int>>(byte));
    std::string choices;
    for (const int one : drawn) choices.push_back(static_cast<char>(one));
    check(choices, [](bool holds, const std::string& what) {
      if (!holds) RC_FAIL(what);
    });
  });
}

}  // namespace enfold::testing
