// SPDX-License-Identifier: Apache-2.0
#include "workbench.h"

#include "enfold/base/text.h"
#include "symbols.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <map>

namespace scalpel {
namespace {

using namespace enfold;

// A guard for the walk, far above what any tier reads.
constexpr std::size_t kMostListed = 20'000;

// What the caller did not choose, so that it must be told.
bool is_surprising(SkipReason reason) {
  return reason != SkipReason::language_not_requested && reason != SkipReason::no_rule &&
         reason != SkipReason::hidden;
}

std::string extension_of(const std::string& path) {
  return to_lower(std::filesystem::path(path).extension().string());
}

Or<Language> readable_language(const Workbench& bench, const Place& file,
                               server::Context& context) {
  const std::optional<Language> language = language_of(file.path);
  if (!language) {
    return refused("not_implemented",
                   fmt::format("{} is in no language that is known here", file.path),
                   "Python, JavaScript, TypeScript, C, C++ and Go are known.");
  }
  if (!has_language(bench.tier, *language)) {
    hint_at_languages(context);
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

class Survey {
 public:
  Survey(const Workbench& bench, const Choice& choice, const EachFile& each,
         server::Context& context)
      : bench_(bench), choice_(choice), each_(each), context_(context) {}

  Or<Coverage> run(const std::vector<Place>& places);

 private:
  [[nodiscard]] std::optional<SkipReason> reason_to_skip(const Place& file) const;
  void skip(const std::string& file, SkipReason reason);
  void count_skipped();
  void hint() const;

  const Workbench& bench_;
  const Choice& choice_;
  const EachFile& each_;
  server::Context& context_;
  Coverage coverage_;
};

std::optional<SkipReason> Survey::reason_to_skip(const Place& file) const {
  const TierLimits& limits = limits_of(bench_.tier);
  if (file.unusable) return file.unusable;
  const std::optional<Language> language = language_of(file.path);
  if (!language) return SkipReason::unknown_language;
  if (const auto reason = choice_(*language)) return reason;
  if (!has_language(bench_.tier, *language)) return SkipReason::language_not_in_tier;
  if (file.bytes > limits.file_bytes) return SkipReason::too_large;
  if (coverage_.analysed >= limits.files) return SkipReason::over_file_limit;
  return std::nullopt;
}

void Survey::skip(const std::string& file, SkipReason reason) {
  coverage_.skipped_files.push_back({file, reason});
}

Or<Coverage> Survey::run(const std::vector<Place>& places) {
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (context_.is_cancelled() || std::chrono::steady_clock::now() - began >= bench_.time_limit) {
      return refused("timeout",
                     fmt::format("The call took longer than {} ms; {} of {} files were read",
                                 bench_.time_limit.count(), coverage_.analysed, places.size()),
                     "Name a smaller folder.");
    }
    const Place& place = places[i];
    if (const auto reason = reason_to_skip(place)) {
      skip(place.path, *reason);
    } else if (auto text = bench_.root.read(place, limits_of(bench_.tier).file_bytes)) {
      each_({place.path, *language_of(place.path), std::move(*text)});
      ++coverage_.analysed;
    } else {
      skip(place.path, SkipReason::unreadable);
    }
    context_.progress(static_cast<double>(i + 1), static_cast<double>(places.size()), place.path);
  }
  coverage_.files = places.size();
  count_skipped();
  hint();
  return std::move(coverage_);
}

void Survey::count_skipped() {
  std::map<std::pair<SkipReason, std::string>, std::size_t> counts;
  for (const SkippedFile& one : coverage_.skipped_files) {
    ++counts[{one.reason, extension_of(one.file)}];
  }
  for (const auto& [group, files] : counts) {
    coverage_.skipped_by.push_back({group.first, group.second, files});
  }
  coverage_.skipped = coverage_.skipped_files.size();
}

// One hint for each limit that bit.
void Survey::hint() const {
  const auto skipped_for = [&](SkipReason reason) {
    return std::any_of(coverage_.skipped_by.begin(), coverage_.skipped_by.end(),
                       [&](const SkippedGroup& group) { return group.reason == reason; });
  };
  if (skipped_for(SkipReason::over_file_limit)) {
    hint_at(context_, bench_.tier, &TierLimits::files, "more_files", "files");
  }
  if (skipped_for(SkipReason::too_large)) {
    hint_at(context_, bench_.tier, &TierLimits::file_bytes, "larger_files", "bytes a file");
  }
  if (skipped_for(SkipReason::language_not_in_tier)) hint_at_languages(context_);
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

Or<SourceFile> read_source(const Workbench& bench, const std::string& path,
                           server::Context& context) {
  const Or<Place> place = bench.root.find(path);
  if (!place) return tl::unexpected(place.error());
  if (place->is_folder) {
    return refused("invalid_path", place->path + " is a folder", "Name a file.");
  }
  const Or<Language> language = readable_language(bench, *place, context);
  if (!language) return tl::unexpected(language.error());
  Or<std::string> text = bench.root.read(*place, limits_of(bench.tier).file_bytes);
  if (!text) return tl::unexpected(text.error());
  return SourceFile{place->path, *language, std::move(*text)};
}

std::optional<std::vector<SourceLine>> granted_imports(const Workbench& bench,
                                                       const SourceFile& file,
                                                       const std::vector<Token>& tokens,
                                                       server::Context& context) {
  if (!limits_of(bench.tier).imports) {
    context.suggest_upgrade("include_imports", Tier::pro, "imports are shown from pro on");
    return std::nullopt;
  }
  const std::vector<std::string_view> lines = lines_of(file.text);
  std::vector<SourceLine> imports;
  for (const std::size_t line : import_lines(tokens, file.language)) {
    imports.push_back({line, std::string(lines[line - 1])});
  }
  return imports;
}

std::vector<std::string> Coverage::warnings() const {
  std::size_t missed = 0;
  std::string causes;
  for (const SkippedGroup& group : skipped_by) {
    if (!is_surprising(group.reason)) continue;
    missed += group.files;
    causes += fmt::format("{}{} {} ({})", causes.empty() ? "" : ", ", group.files,
                          group.extension.empty() ? "without ending" : group.extension,
                          model::name(group.reason));
  }
  if (missed == 0) return {};
  return {fmt::format("{} of {} files were not analysed: {}", missed, files, causes)};
}

Or<Coverage> survey(const Workbench& bench, const std::string& path, const Choice& choice,
                    const EachFile& each, server::Context& context) {
  const Or<Place> place = bench.root.find(path);
  if (!place) return tl::unexpected(place.error());
  std::vector<Place> places{*place};
  if (place->is_folder) {
    auto listed = bench.root.list(*place, kMostListed);
    if (!listed) return tl::unexpected(listed.error());
    places = std::move(*listed);
  } else if (const auto language = readable_language(bench, *place, context); !language) {
    return tl::unexpected(language.error());
  }
  return Survey(bench, choice, each, context).run(places);
}

}  // namespace scalpel
