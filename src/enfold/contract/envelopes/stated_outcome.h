// SPDX-License-Identifier: Apache-2.0
// The outcome that `success` and `error` at the root of an envelope state. Envelopes that are
// nearly right are read too: `success` as text or number, twice or missing, and an `error` of any
// form. If they contradict each other, the outcome is a failure.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract::detail {

struct StatedOutcome {
  bool failed = false;
  std::string rule;           ///< for `explain`, after the contract's name: "says success: false"
  std::string reason;         ///< why it failed, for people: "`success` is false"; else unused
  std::string contradiction;  ///< of a failure: the member that says success; empty: none
};
[[nodiscard]] StatedOutcome stated_outcome(json::View envelope);

/// The failure that an `error` of any form names: text, code, object or list. An empty failure if
/// there is no `error` (nullopt).
[[nodiscard]] model::Failure failure_of_any_error(const std::optional<json::View>& error);

/// The warning that an answer was read as a failure although a member says success. `success` and
/// `failure` name the member that says each: "`success` is true".
[[nodiscard]] model::Warning contradiction_warning(std::string_view success,
                                                   std::string_view failure);

}  // namespace enfold::contract::detail
