// SPDX-License-Identifier: Apache-2.0
// The rules of `enfold check`, and its findings.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::check {

/// error: some clients fail. warning: costs tokens or quality. note: for information.
enum class Severity : std::uint8_t { note, warning, error };
[[nodiscard]] std::string_view name(Severity severity);

enum class Rule : std::uint8_t {
  tool_name,
  description,
  schema,
  contract,
  schema_drift,
  double_emission,
  size,
  secret,
  error_shape,
  hidden_failure,
  outcome,
  no_answer,
};

struct RuleInfo {
  Rule rule;
  std::string_view name;     ///< in reports: "schema-drift"
  std::string_view summary;  ///< what it looks for
  std::string_view advice;   ///< what to do about a finding
  bool needs_answer;         ///< false: the list of tools is enough
};
[[nodiscard]] std::span<const RuleInfo> rules();
[[nodiscard]] const RuleInfo& info(Rule rule);

struct Finding {
  Rule rule;
  Severity severity;
  std::string what;  ///< the message
  std::string call;  ///< the call that caused it; empty: the tool's definition
  friend bool operator==(const Finding&, const Finding&) = default;
};
using Findings = std::vector<Finding>;

}  // namespace enfold::check
