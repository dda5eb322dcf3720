// SPDX-License-Identifier: Apache-2.0
#include "scan.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/core.h>

namespace scalpel {
namespace {

using namespace enfold;

// A guard for the walk, far above what any tier scans.
constexpr std::size_t kMostListed = 20'000;

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
      return refused("invalid_argument", fmt::format("there is no rule {}", id),
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
  Scan(const Workbench& bench, const ScanRequest& asked, server::Context& context,
       std::vector<const Rule*> rules)
      : bench_(bench),
        asked_(asked),
        context_(context),
        rules_(std::move(rules)),
        context_lines_(granted_context(bench, asked.context_lines, context)),
        began_(std::chrono::steady_clock::now()) {}

  Or<void> run(const std::vector<Place>& files);
  void skip(const std::string& file, SkipReason reason) {
    report_.skipped.push_back({file, reason});
  }
  ScanReport finish();

 private:
  [[nodiscard]] bool is_wanted(Language language) const {
    return !asked_.languages || std::find(asked_.languages->begin(), asked_.languages->end(),
                                          language) != asked_.languages->end();
  }
  [[nodiscard]] std::optional<SkipReason> reason_to_skip(const Place& file,
                                                         Language language) const;
  void scan_text(const std::string& file, std::string_view text, Language language);
  void hint();

  const Workbench& bench_;
  const ScanRequest& asked_;
  server::Context& context_;
  std::vector<const Rule*> rules_;
  std::size_t context_lines_;
  std::chrono::steady_clock::time_point began_;
  ScanReport report_;
};

std::optional<SkipReason> Scan::reason_to_skip(const Place& file, Language language) const {
  const TierLimits& limits = limits_of(bench_.tier);
  if (file.true_path.empty()) return SkipReason::outside_root;
  if (!has_language(bench_.tier, language)) return SkipReason::language_not_in_tier;
  if (file.bytes > limits.file_bytes) return SkipReason::too_large;
  if (report_.files_scanned >= limits.files) return SkipReason::over_file_limit;
  return std::nullopt;
}

Or<void> Scan::run(const std::vector<Place>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (context_.is_cancelled() || std::chrono::steady_clock::now() - began_ >= bench_.time_limit) {
      return refused("timeout",
                     fmt::format("The scan took longer than {} ms; {} of {} files were read",
                                 bench_.time_limit.count(), report_.files_scanned, files.size()),
                     "Scan a smaller folder.");
    }
    const Place& file = files[i];
    const std::optional<Language> language = language_of(file.path);
    if (!language || !is_wanted(*language)) continue;
    if (const auto reason = reason_to_skip(file, *language)) {
      skip(file.path, *reason);
    } else if (const auto text = bench_.root.read(file, limits_of(bench_.tier).file_bytes)) {
      scan_text(file.path, *text, *language);
    } else {
      skip(file.path, SkipReason::unreadable);
    }
    context_.progress(static_cast<double>(i + 1), static_cast<double>(files.size()), file.path);
  }
  return {};
}

void Scan::scan_text(const std::string& file, std::string_view text, Language language) {
  ++report_.files_scanned;
  const std::vector<Token> tokens = tokens_of(text, language);
  const std::vector<std::string_view> lines = lines_of(text);
  for (const Rule* rule : rules_) {
    if (rule->language != language || rule->severity < asked_.min_severity) continue;
    std::size_t last_line = 0;  // one finding of a rule for a line
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      const std::size_t line = tokens[at].line;
      if (line == last_line || !matches(*rule, tokens, at)) continue;
      last_line = line;
      Finding finding{rule->id,   rule->severity, file,         line,
                      rule->what, rule->cwe,      rule->advice, {}};
      if (context_lines_ > 0) {
        finding.context = excerpt(lines, line > context_lines_ ? line - context_lines_ : 1,
                                  line + context_lines_);
      }
      report_.findings.push_back(std::move(finding));
    }
  }
}

// One hint for each limit that bit.
void Scan::hint() {
  const auto skipped_for = [&](SkipReason reason) {
    return std::any_of(report_.skipped.begin(), report_.skipped.end(),
                       [&](const Skipped& skipped) { return skipped.reason == reason; });
  };
  if (report_.left_findings_out()) {
    hint_at(context_, bench_.tier, &TierLimits::findings, "more_findings", "findings");
  }
  if (skipped_for(SkipReason::over_file_limit)) {
    hint_at(context_, bench_.tier, &TierLimits::files, "more_files", "files");
  }
  if (skipped_for(SkipReason::too_large)) {
    hint_at(context_, bench_.tier, &TierLimits::file_bytes, "larger_files", "bytes a file");
  }
  if (skipped_for(SkipReason::language_not_in_tier)) {
    context_.suggest_upgrade("compiled_languages", Tier::pro, "C and C++ are scanned from pro on");
  }
}

ScanReport Scan::finish() {
  std::sort(report_.findings.begin(), report_.findings.end(),
            [](const Finding& a, const Finding& b) {
              return std::tie(b.severity, a.file, a.line, a.rule) <
                     std::tie(a.severity, b.file, b.line, b.rule);
            });
  for (const Finding& finding : report_.findings) {
    ++report_.by_severity[std::string(model::name(finding.severity))];
    report_.risk_level = std::max(report_.risk_level, finding.severity);
  }
  const std::size_t most = limits_of(bench_.tier).findings;
  if (report_.findings.size() > most) {
    report_.findings_left_out = report_.findings.size() - most;
    report_.findings.resize(most);
  }
  report_.files_skipped = report_.skipped.size();
  for (const Rule* rule : rules_) {
    if (is_wanted(rule->language)) report_.rules_applied.push_back(rule->id);
  }
  hint();
  return std::move(report_);
}

Or<void> check_languages(const Workbench& bench, const ScanRequest& asked,
                         server::Context& context) {
  for (const Language language : asked.languages.value_or(std::vector<Language>())) {
    if (has_language(bench.tier, language)) continue;
    context.suggest_upgrade("compiled_languages", Tier::pro, "C and C++ are scanned from pro on");
    return refused("upgrade_required",
                   fmt::format("language {} requires the pro tier", model::name(language)),
                   "Call without this language.");
  }
  return {};
}

}  // namespace

std::vector<SourceLine> excerpt(const std::vector<std::string_view>& lines, std::size_t first,
                                std::size_t last) {
  std::vector<SourceLine> shown;
  for (std::size_t line = first; line <= std::min(last, lines.size()); ++line) {
    shown.push_back({line, std::string(lines[line - 1])});
  }
  return shown;
}

std::size_t granted_context(const Workbench& bench, std::size_t asked, server::Context& context) {
  const std::size_t most = limits_of(bench.tier).context_lines;
  if (asked <= most) return asked;
  hint_at(context, bench.tier, &TierLimits::context_lines, "context_lines", "lines of context");
  return most;
}

Or<Language> readable_language(const Workbench& bench, const Place& file,
                               server::Context& context) {
  const std::optional<Language> language = language_of(file.path);
  if (!language) {
    return refused("not_implemented",
                   fmt::format("{} is in no language that is known here", file.path),
                   "Python, JavaScript, C and C++ are known.");
  }
  if (!has_language(bench.tier, *language)) {
    context.suggest_upgrade("compiled_languages", Tier::pro, "C and C++ are read from pro on");
    return refused("upgrade_required",
                   fmt::format("language {} requires the pro tier", model::name(*language)),
                   "Name a file in another language.");
  }
  const std::size_t most = limits_of(bench.tier).file_bytes;
  if (file.bytes > most) {
    hint_at(context, bench.tier, &TierLimits::file_bytes, "larger_files", "bytes a file");
    return refused("too_large", fmt::format("{} has {} bytes, at most {} are read", file.path,
                                            file.bytes, most));
  }
  return *language;
}

server::Answer<ScanReport> scan(const Workbench& bench, const ScanRequest& asked,
                                server::Context& context) {
  Or<Place> place = bench.root.find(asked.path);
  if (!place) return std::move(place.error());
  Or<void> languages = check_languages(bench, asked, context);
  if (!languages) return std::move(languages.error());
  Or<std::vector<const Rule*>> rules = rules_for(bench, asked, context);
  if (!rules) return std::move(rules.error());
  std::vector<Place> files{*place};
  bool complete = true;
  if (place->is_folder) {
    SourceRoot::Listing listing = bench.root.list(*place, kMostListed);
    files = std::move(listing.files);
    complete = listing.complete;
  } else if (const Or<Language> language = readable_language(bench, *place, context); !language) {
    return language.error();
  }
  if (!complete) {
    return refuse("too_large", fmt::format("{} holds more than {} files", asked.path, kMostListed),
                  "Scan a smaller folder.");
  }
  Scan run(bench, asked, context, std::move(*rules));
  Or<void> done = run.run(files);
  if (!done) return std::move(done.error());
  return run.finish();
}

}  // namespace scalpel
