// SPDX-License-Identifier: Apache-2.0
// What the members `success` and `error` at the root of an envelope say together. Envelopes that
// are nearly right are read too: `success` as text or number, twice or missing, and an `error` of
// any form. Where the marks contradict each other, the failure wins.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract::detail {

struct StatedOutcome {
  bool failed = false;
  std::string rule;           ///< what the envelope does: "says success: false"
  std::string reason;         ///< the mark that decided, for people
  std::string contradiction;  ///< another mark that says the opposite; empty: none
};
[[nodiscard]] StatedOutcome stated_outcome(json::View envelope);

/// The failure that an `error` of any form names: text, code, object or list.
[[nodiscard]] model::Failure failure_of_any_error(const std::optional<json::View>& error);

[[nodiscard]] model::Warning contradiction_warning(std::string_view one, std::string_view other);

}  // namespace enfold::contract::detail
