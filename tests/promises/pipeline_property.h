// SPDX-License-Identifier: Apache-2.0
// Promises over the whole pipeline as a property of drawn answers.
#pragma once

#include "tests/promises/pipeline_checks.h"
#include "tests/support/cases.h"

#include <cstdint>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold::testing {

/// The long run is `pipeline_promises`, where one answer serves all checks.
inline constexpr int kPipelineCases = 5'000;

inline void check_pipeline(const std::string& name, const std::vector<Check>& checks,
                           int cases = kPipelineCases, store::Archive* archive = nullptr) {
  check_property(name, cases, [&] {
    const auto byte = rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 256));
    const auto drawn = *rc::gen::resize(40, rc::gen::container<std::vector<int>>(byte));
    std::string choices;
    for (const int one : drawn) choices.push_back(static_cast<char>(one));
    const auto claim = [](bool holds, const std::string& what) {
      if (!holds) RC_FAIL(what);
    };
    check_answer(choices, checks, claim, archive);
  });
}

}  // namespace enfold::testing
