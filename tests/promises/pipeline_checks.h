// SPDX-License-Identifier: Apache-2.0
// The five promises about cut answers, each as one check over the whole pipeline: prepare, a real
// archive, finish, and what retrieval gives. Properties and fuzz targets run the same checks.
#pragma once

#include "tests/promises/pipeline_case.h"

#include <string_view>

namespace enfold::testing {

void check_never_over_budget(std::string_view choices, const Claim& claim);
void check_true_when_cut(std::string_view choices, const Claim& claim);
void check_every_handle_opens(std::string_view choices, const Claim& claim);
void check_only_for_its_owner(std::string_view choices, const Claim& claim);
void check_no_loop(std::string_view choices, const Claim& claim);
/// Also for fitted answers: JSON, a valid MCP result, and valid in its contract.
void check_always_valid(std::string_view choices, const Claim& claim);

/// The archive of `check_every_handle_opens` is a file in this folder; empty: memory.
void archive_in(const std::string& folder);

}  // namespace enfold::testing
