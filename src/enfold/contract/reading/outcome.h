// SPDX-License-Identifier: Apache-2.0
// Decides whether a call worked, by members about the call, such as `success`, `error` and
// `status`. Words about the subject of the answer do not decide: an answer about a job that failed
// is a success. A member or text that says success or failure is called a mark.
// docs/reference/reading.md has the order of evidence.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <string_view>

namespace enfold::contract::detail {

struct OutcomeReading {
  model::Outcome outcome = model::Outcome::ok;
  bool possible_failure = false;  ///< ambiguous: the answer may report a failure of the call
  std::string reason;             ///< the mark that decided, for people
  std::string contradiction;      ///< another mark that says the opposite; empty: none
};

/// The outcome of data without a contract. `tool` here and below is the name of the tool that
/// answered; empty: not known.
[[nodiscard]] OutcomeReading outcome_of_data(json::View data, std::string_view tool = {});

/// The outcome of text that is not JSON and has no error flag: ok, at most a possible failure.
[[nodiscard]] OutcomeReading outcome_of_text(std::string_view text, std::string_view tool = {});

/// {"result": …, "error": …, "id": …}: a JSON-RPC response, with or without its version.
[[nodiscard]] bool is_rpc(json::View object);

/// What a flag says: a boolean, "true", "false", "yes", "no", 1 or 0; nullopt: something else.
[[nodiscard]] std::optional<bool> truth_of(json::View value);

/// Whether a `status` says that something failed: "error", "failed", 404.
[[nodiscard]] bool is_failure_status(json::View status);

/// Whether an `error` member names an error: a container or text that is not empty; not "none".
[[nodiscard]] bool names_error(json::View error);

}  // namespace enfold::contract::detail
