// SPDX-License-Identifier: Apache-2.0
// The tool `security_scan`: known weaknesses in a file or folder, by rules over tokens.
#pragma once

#include "enfold/server/answer.h"
#include "enfold/server/arguments.h"
#include "root.h"
#include "rules.h"

#include <chrono>
#include <map>
#include <optional>

namespace scalpel {

namespace level = enfold::level;
namespace server = enfold::server;
using enfold::model::Level;

/// What both tools work with. Never changes after the start.
struct Workbench {
  SourceRoot root;
  Tier tier = Tier::community;
  std::vector<Rule> rules;  ///< built in and the operator's own
  std::chrono::milliseconds time_limit{10'000};
};

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

struct SourceLine {
  std::size_t line = 0;
  std::string text;
  static constexpr auto fields() {
    return level::fields(level::field("line", &SourceLine::line, Level::minimal),
                         level::field("text", &SourceLine::text, Level::minimal));
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

enum class SkipReason {
  too_large,
  over_file_limit,
  language_not_in_tier,
  outside_root,
  unreadable
};

struct Skipped {
  std::string file;
  SkipReason reason = SkipReason::unreadable;
  static constexpr auto fields() {
    return level::fields(level::field("file", &Skipped::file, Level::minimal),
                         level::field("reason", &Skipped::reason, Level::minimal));
  }
};

struct ScanReport {
  bool success = true;
  Severity risk_level = Severity::none;
  std::vector<Finding> findings;
  std::size_t findings_left_out = 0;
  std::size_t files_scanned = 0;
  std::size_t files_skipped = 0;
  std::map<std::string, std::size_t> by_severity;
  std::vector<Skipped> skipped;
  std::vector<std::string> rules_applied;

  [[nodiscard]] bool left_findings_out() const { return findings_left_out > 0; }
  [[nodiscard]] bool skipped_files() const { return files_skipped > 0; }

  static constexpr auto fields() {
    using Report = ScanReport;
    return level::fields(
        level::field("success", &Report::success, Level::minimal),
        level::field("risk_level", &Report::risk_level, Level::minimal)
            .describe("The highest severity of all findings, those left out included"),
        level::field("findings", &Report::findings, Level::minimal).required(),
        level::field("findings_left_out", &Report::findings_left_out, Level::minimal)
            .when(&Report::left_findings_out)
            .describe("Found beyond the tier's limit; the least severe are left out first"),
        level::field("files_scanned", &Report::files_scanned, Level::minimal),
        level::field("files_skipped", &Report::files_skipped, Level::minimal)
            .when(&Report::skipped_files),
        level::field("by_severity", &Report::by_severity, Level::standard)
            .describe("All findings, those left out included"),
        level::field("skipped", &Report::skipped, Level::standard),
        level::field("rules_applied", &Report::rules_applied, Level::full));
  }
};

[[nodiscard]] server::Answer<ScanReport> scan(const Workbench& bench, const ScanRequest& asked,
                                              server::Context& context);

/// The lines around `first` to `last`, as many as there are.
[[nodiscard]] std::vector<SourceLine> excerpt(const std::vector<std::string_view>& lines,
                                              std::size_t first, std::size_t last);

/// The tier's share of the lines of context that were asked for; says so when it is less.
[[nodiscard]] std::size_t granted_context(const Workbench& bench, std::size_t asked,
                                          server::Context& context);

/// Fails for a file that the tier does not read: its language, its size.
[[nodiscard]] Or<Language> readable_language(const Workbench& bench, const Place& file,
                                             server::Context& context);

}  // namespace scalpel

template <>
struct enfold::model::Names<scalpel::SkipReason> {
  static constexpr std::array<std::string_view, 5> values{
      "too_large", "over_file_limit", "language_not_in_tier", "outside_root", "unreadable"};
};
