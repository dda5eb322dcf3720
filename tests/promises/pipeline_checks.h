// SPDX-License-Identifier: Apache-2.0
// The promises about cut answers, each as one check of an answer that went through the whole
// pipeline: prepare, a real archive, finish, and what retrieval gives. Properties and fuzz targets
// run the same checks.
#pragma once

#include "tests/promises/pipeline_run.h"

#include <string_view>
#include <vector>

namespace enfold::testing {

/// `archive` is the one that the run stored its answer in.
using Check = void (*)(const Run& run, store::Archive& archive, const Claim& claim);

void check_status_never_changes(const Run& run, store::Archive& archive, const Claim& claim);
void check_never_over_budget(const Run& run, store::Archive& archive, const Claim& claim);
void check_true_when_cut(const Run& run, store::Archive& archive, const Claim& claim);
void check_every_handle_opens(const Run& run, store::Archive& archive, const Claim& claim);
void check_only_for_its_owner(const Run& run, store::Archive& archive, const Claim& claim);
void check_no_loop(const Run& run, store::Archive& archive, const Claim& claim);
/// Also for fitted answers: JSON, a valid MCP result, and valid in its contract.
void check_always_valid(const Run& run, store::Archive& archive, const Claim& claim);
/// The call that opens the rest works as it stands in the answer.
void check_way_back(const Run& run, store::Archive& archive, const Claim& claim);
void check_exact_pass_through(const Run& run, store::Archive& archive, const Claim& claim);

struct Promise {
  std::string_view name;
  Check check;
};
inline constexpr Promise kPipelinePromises[] = {
    {"status_never_changes_when_cut", check_status_never_changes},
    {"never_over_budget", check_never_over_budget},
    {"true_when_cut", check_true_when_cut},
    {"every_handle_opens", check_every_handle_opens},
    {"only_for_its_owner", check_only_for_its_owner},
    {"no_loop", check_no_loop},
    {"always_valid_when_fitted", check_always_valid},
    {"the_call_that_a_cut_answer_names_works", check_way_back},
    {"exact_pass_through_beside_the_answer", check_exact_pass_through},
};

/// One answer, made from `choices`, is taken through the pipeline and checked. Without an archive
/// it gets one of its own, in memory.
void check_answer(std::string_view choices, const std::vector<Check>& checks, const Claim& claim,
                  store::Archive* archive = nullptr);

}  // namespace enfold::testing
