// SPDX-License-Identifier: Apache-2.0
#include "scan.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace scalpel {
namespace {

using namespace enfold;

// The rules of this call; fails for one that does not exist or that the tier does not have.
Or<std::vector<const Rule*>> rules_for(const Workbench& bench, const ScanRequest& asked,
                                       server::Context& context) {
  std::vector<const Rule*> chosen;
  if (!asked.rules) {
    for (const Rule& rule : bench.rules) {
      if (rule.tier <= bench.tier) chosen.push_back(&rule);
    }
    return chosen;
  }
  std::vector<std::string> known;
  known.reserve(bench.rules.size());
  for (const Rule& rule : bench.rules) known.push_back(rule.id);
  for (const std::string& id : *asked.rules) {
    const auto found = std::find(known.begin(), known.end(), id);
    if (found == known.end()) {
      return refused("invalid_argument", fmt::format("there is no rule {}", quoted_name(id)),
                     did_you_mean(id, known, "Leave `rules` out to apply all."));
    }
    const Rule& rule = bench.rules[static_cast<std::size_t>(found - known.begin())];
    if (rule.tier > bench.tier) {
      const std::string_view tier = model::name(rule.tier);
      context.suggest_upgrade("rule " + id, rule.tier, fmt::format("{} begins at {}", id, tier));
      return refused("upgrade_required", fmt::format("rule {} requires the {} tier", id, tier),
                     "Call without this rule.");
    }
    chosen.push_back(&rule);
  }
  return chosen;
}

class Scan {
 public:
  Scan(const Workbench& bench, const ScanRequest& asked, std::vector<const Rule*> rules,
       std::size_t context_lines)
      : bench_(bench), asked_(asked), rules_(std::move(rules)), context_lines_(context_lines) {}

  /// Whether the call is about a language.
  [[nodiscard]] std::optional<SkipReason> reason_to_skip(Language language) const;
  void scan(const SourceFile& file);
  ScanReport finish(Coverage coverage, server::Context& context);

 private:
  void add(const Rule& rule, const std::string& file, std::size_t line,
           const std::vector<std::string_view>& lines);

  const Workbench& bench_;
  const ScanRequest& asked_;
  std::vector<const Rule*> rules_;
  std::size_t context_lines_;
  std::set<Language> languages_;  ///< of the files that were read
  ScanReport report_;
};

std::optional<SkipReason> Scan::reason_to_skip(Language language) const {
  const bool requested = !asked_.languages ||
                         std::find(asked_.languages->begin(), asked_.languages->end(), language) !=
                             asked_.languages->end();
  if (!requested) return SkipReason::language_not_requested;
  // Without rules of the caller's choice the tier decides, and says so.
  const bool has_rule = std::any_of(rules_.begin(), rules_.end(),
                                    [&](const Rule* rule) { return applies(*rule, language); });
  if (asked_.rules && !has_rule) return SkipReason::no_rule;
  return std::nullopt;
}

void Scan::scan(const SourceFile& file) {
  languages_.insert(file.language);
  const std::vector<Token> tokens = tokens_of(file.text, file.language);
  const std::vector<std::string_view> lines = lines_of(file.text);
  for (const Rule* rule : rules_) {
    if (!applies(*rule, file.language) || rule->severity < asked_.min_severity) continue;
    std::size_t last_line = 0;  // one finding of a rule for a line
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      const std::size_t line = tokens[at].line;
      if (line == last_line || !matches(*rule, tokens, at)) continue;
      last_line = line;
      add(*rule, file.path, line, lines);
    }
  }
}

void Scan::add(const Rule& rule, const std::string& file, std::size_t line,
               const std::vector<std::string_view>& lines) {
  Finding finding{rule.id, rule.severity, file, line, rule.what, rule.cwe, rule.advice, {}};
  if (context_lines_ > 0) {
    finding.context =
        excerpt(lines, line > context_lines_ ? line - context_lines_ : 1, line + context_lines_);
  }
  report_.findings.push_back(std::move(finding));
}

Risk risk_of(Severity severity) { return *model::from_name<Risk>(model::name(severity)); }

ScanReport Scan::finish(Coverage coverage, server::Context& context) {
  std::sort(report_.findings.begin(), report_.findings.end(),
            [](const Finding& a, const Finding& b) {
              return std::tie(b.severity, a.file, a.line, a.rule) <
                     std::tie(a.severity, b.file, b.line, b.rule);
            });
  for (const Finding& finding : report_.findings) {
    ++report_.by_severity[std::string(model::name(finding.severity))];
  }
  if (coverage.analysed > 0) {
    report_.risk_level =
        report_.findings.empty() ? Risk::none : risk_of(report_.findings.front().severity);
  }
  const std::size_t most = limits_of(bench_.tier).findings;
  if (report_.findings.size() > most) {
    report_.findings_left_out = report_.findings.size() - most;
    report_.findings.resize(most);
    hint_at(context, bench_.tier, &TierLimits::findings, "more_findings", "findings");
  }
  for (const Rule* rule : rules_) {
    const bool applied = rule->severity >= asked_.min_severity &&
                         std::any_of(languages_.begin(), languages_.end(),
                                     [&](Language language) { return applies(*rule, language); });
    if (applied) report_.rules_applied.push_back(rule->id);
  }
  report_.warnings = coverage.warnings();
  report_.coverage = std::move(coverage);
  return std::move(report_);
}

Or<void> check_languages(const Workbench& bench, const ScanRequest& asked,
                         server::Context& context) {
  for (const Language language : asked.languages.value_or(std::vector<Language>())) {
    if (has_language(bench.tier, language)) continue;
    hint_at_languages(context);
    return refused("upgrade_required",
                   fmt::format("language {} requires the pro tier", model::name(language)),
                   "Call without this language.");
  }
  return {};
}

}  // namespace

server::Answer<ScanReport> scan(const Workbench& bench, const ScanRequest& asked,
                                server::Context& context) {
  Or<void> languages = check_languages(bench, asked, context);
  if (!languages) return std::move(languages.error());
  Or<std::vector<const Rule*>> rules = rules_for(bench, asked, context);
  if (!rules) return std::move(rules.error());
  Scan scan(bench, asked, std::move(*rules), granted_context(bench, asked.context_lines, context));
  Or<Coverage> coverage = survey(
      bench, asked.path, [&](Language language) { return scan.reason_to_skip(language); },
      [&](const SourceFile& file) { scan.scan(file); }, context);
  if (!coverage) return std::move(coverage.error());
  return scan.finish(std::move(*coverage), context);
}

}  // namespace scalpel
