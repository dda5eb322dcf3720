// SPDX-License-Identifier: Apache-2.0
// The outcome that `success` and `error` at the root of an envelope state. Envelopes that are
// nearly right are read too: `success` as text or number, twice or missing, and an `error` of any
// form. If the two contradict each other, the failure wins.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract::detail {

struct StatedOutcome {
  bool failed = false;
  std::string rule;           ///< for `explain`, after the contract's name: "says success: false"
  std::string reason;         ///< of a failure, for people: "`success` is false"
  std::string contradiction;  ///< the member that says success nevertheless; empty: none
};
[[nodiscard]] StatedOutcome stated_outcome(json::View envelope);

/// The failure that an `error` of any form names: text, code, object or list. nullopt: no `error`,
/// which gives an empty failure.
[[nodiscard]] model::Failure failure_of_any_error(const std::optional<json::View>& error);

/// `success` and `failure` name the members that say each: "`success` is true".
[[nodiscard]] model::Warning contradiction_warning(std::string_view success,
                                                   std::string_view failure);

}  // namespace enfold::contract::detail
