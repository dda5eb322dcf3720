// SPDX-License-Identifier: Apache-2.0
// The tool `security_scan`: known weaknesses in a file or folder, by rules over tokens.
#pragma once

#include "enfold/server/fields.h"
#include "workbench.h"

#include <map>

namespace scalpel {

struct ScanRequest {
  std::string path = ".";
  std::optional<std::vector<Language>> languages;
  std::optional<std::vector<std::string>> rules;
  Severity min_severity = Severity::low;
  std::size_t context_lines = 0;

  static constexpr auto arguments() {
    return server::arguments(
        server::argument("path", &ScanRequest::path)
            .describe("File or folder below the source folder")
            .defaulted(),
        server::argument("languages", &ScanRequest::languages).describe("Only these").at_least(1),
        server::argument("rules", &ScanRequest::rules).describe("Only these, by id").at_least(1),
        server::argument("min_severity", &ScanRequest::min_severity)
            .describe("Leave out what is less severe")
            .defaulted(),
        server::argument("context_lines", &ScanRequest::context_lines)
            .describe("Lines of source to show before and after each finding's line")
            .at_most(20)
            .defaulted());
  }
};

struct Finding {
  std::string rule;
  Severity severity = Severity::low;
  std::string file;
  std::size_t line = 0;
  std::string what;
  std::string cwe;
  std::string advice;
  std::optional<std::vector<SourceLine>> context;

  static constexpr auto fields() {
    return level::fields(level::field("rule", &Finding::rule, Level::minimal),
                         level::field("severity", &Finding::severity, Level::minimal),
                         level::field("file", &Finding::file, Level::minimal),
                         level::field("line", &Finding::line, Level::minimal),
                         level::field("what", &Finding::what, Level::minimal),
                         level::field("context", &Finding::context, Level::minimal),
                         level::field("cwe", &Finding::cwe, Level::standard),
                         level::field("advice", &Finding::advice, Level::standard));
  }
};

/// The highest severity that was found; unknown where no file was analysed.
enum class Risk { unknown, none, low, medium, high, critical };

struct ScanReport {
  bool success = true;
  Risk risk_level = Risk::unknown;
  std::vector<Finding> findings;
  std::size_t findings_left_out = 0;
  Coverage coverage;
  std::vector<std::string> warnings;
  std::map<std::string, std::size_t> by_severity;
  std::vector<std::string> rules_applied;

  [[nodiscard]] bool left_findings_out() const { return findings_left_out > 0; }

  static constexpr auto fields() {
    using Report = ScanReport;
    return level::fields(
        level::field("success", &Report::success, Level::minimal),
        level::field("risk_level", &Report::risk_level, Level::minimal)
            .describe("The highest severity of all findings, those left out included; unknown when "
                      "no file was analysed"),
        level::field("findings", &Report::findings, Level::minimal).required(),
        level::field("findings_left_out", &Report::findings_left_out, Level::minimal)
            .when(&Report::left_findings_out)
            .describe("Found beyond the tier's limit; the least severe are left out first"),
        level::field("coverage", &Report::coverage, Level::minimal),
        level::field("warnings", &Report::warnings, Level::minimal),
        level::field("by_severity", &Report::by_severity, Level::standard)
            .describe("All findings, those left out included"),
        level::field("rules_applied", &Report::rules_applied, Level::full));
  }
};

[[nodiscard]] server::Answer<ScanReport> scan(const Workbench& bench, const ScanRequest& asked,
                                              server::Context& context);

}  // namespace scalpel

template <>
struct enfold::model::Names<scalpel::Risk> {
  static constexpr std::array<std::string_view, 6> values{"unknown", "none", "low",
                                                          "medium",  "high", "critical"};
};
