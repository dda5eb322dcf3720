// SPDX-License-Identifier: Apache-2.0
// The findings of `enfold check`, and the report on a server: as JSON, or as JUnit XML for CI.
#pragma once

#include "enfold/json/write.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::check {

/// error: some clients fail. warning: costs tokens or quality. note: for information.
enum class Severity : std::uint8_t { note, warning, error };
[[nodiscard]] std::string_view name(Severity severity);

enum class Rule : std::uint8_t {  // kRules in report.cc explains them, in the same order
  tool_name,
  description,
  schema,
  contract,
  schema_drift,
  double_emission,
  size,
  secret,
  source_code,
  error_shape,
  hidden_failure,
  outcome,
  no_answer,
};

struct RuleInfo {
  Rule rule;
  std::string_view name;                 ///< in reports: "schema-drift"
  std::string_view summary;              ///< what the rule looks for
  std::string_view advice;               ///< what to do about a finding
  bool needs_answer;                     ///< false: the list of tools is enough
  std::string_view own_advice = {};      ///< for a server that has Enfold already; empty: `advice`
  std::string_view gateway_advice = {};  ///< for a server behind a gateway; empty: `advice`
};
[[nodiscard]] std::span<const RuleInfo> rules();
[[nodiscard]] const RuleInfo& info(Rule rule);

struct Finding {
  Rule rule;
  Severity severity;
  std::string what;  ///< the message
  std::string call;  ///< name or arguments of the call that caused it; empty: the definition did
  bool quotes_content = false;  ///< `what` may hold a part of the structured content
  friend bool operator==(const Finding&, const Finding&) = default;
};
using Findings = std::vector<Finding>;

struct ToolReport {
  std::string tool;
  Findings findings;
  std::string contract;         ///< detected in its last answer that has one; empty: in none
  std::size_t calls = 0;        ///< number of calls made
  std::string not_called;       ///< the reason, if `calls` is 0
  bool has_definition = false;  ///< its definition was checked
};

struct Report {
  std::string server;       ///< name and version reported by the server
  bool has_enfold = false;  ///< the server offers enfold_fetch: it uses Enfold, or is a gateway
  std::string protocol;     ///< the negotiated revision
  std::vector<ToolReport> tools;
};

/// What to do about a finding of the rule in this report.
[[nodiscard]] std::string_view advice(const RuleInfo& rule, const Report& report);

/// The same, for a server that Enfold is in front of.
[[nodiscard]] std::string_view advice_behind_gateway(const RuleInfo& rule);

struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t calls = 0;
};
[[nodiscard]] Counts count(const Report& report);

/// Adds the findings `more` of a call. A finding that an earlier call already had is not added
/// again, so it keeps the name of the earlier call.
void merge(Findings& into, Findings more);

[[nodiscard]] json::Output to_json(const Report& report);

/// One test case for each tool and rule; errors and warnings fail, and with `strict` notes too.
/// Rules about answers are skipped for a tool that was not called.
[[nodiscard]] std::string to_junit(const Report& report, bool strict);

}  // namespace enfold::check
