// SPDX-License-Identifier: Apache-2.0
// The promise no_loop over the whole pipeline: the input is the string of choices from which
// an answer, its settings and its budget are made.
#include "fuzz/check.h"
#include "tests/promises/pipeline_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view choices = enfold::fuzz::text_of(data, size);
  enfold::testing::check_no_loop(choices, [&](bool holds, const std::string& what) {
    enfold::fuzz::require(holds, what.c_str(), choices);
  });
  return 0;
}
