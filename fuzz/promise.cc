// SPDX-License-Identifier: Apache-2.0
// One promise over the whole pipeline, built once for each of them: the input is the string of
// choices from which an answer, its settings and its budget are made.
#include "fuzz/check.h"
#include "tests/promises/pipeline_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view choices = enfold::fuzz::text_of(data, size);
  const auto claim = [&](bool holds, const std::string& what) {
    enfold::fuzz::require(holds, what.c_str(), choices);
  };
  enfold::testing::check_answer(choices, {enfold::testing::ENFOLD_PROMISE}, claim);
  return 0;
}
