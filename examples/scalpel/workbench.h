// SPDX-License-Identifier: Apache-2.0
// What all tools work with, and the way from a path to a source file or to all files of a folder.
// Whatever is not read is counted with the reason: an answer never looks like more than it is.
#pragma once

#include "enfold/server/answer.h"
#include "root.h"
#include "rules.h"

#include <chrono>
#include <functional>
#include <optional>

namespace scalpel {

namespace level = enfold::level;
namespace server = enfold::server;
using enfold::model::Level;

/// Never changes after the start.
struct Workbench {
  SourceRoot root;
  Tier tier = Tier::community;
  std::vector<Rule> rules;  ///< built in and the operator's own
  std::chrono::milliseconds time_limit{10'000};
};

struct SourceLine {
  std::size_t line = 0;
  std::string text;
  static constexpr auto fields() {
    return level::fields(level::field("line", &SourceLine::line, Level::minimal),
                         level::field("text", &SourceLine::text, Level::minimal));
  }
};

/// The lines around `first` to `last`, as many as there are.
[[nodiscard]] std::vector<SourceLine> excerpt(const std::vector<std::string_view>& lines,
                                              std::size_t first, std::size_t last);

/// The tier's share of the lines of context that were asked for; says so when it is less.
[[nodiscard]] std::size_t granted_context(const Workbench& bench, std::size_t asked,
                                          server::Context& context);

struct SourceFile {
  std::string path;
  Language language = Language::python;
  std::string text;
};

/// Fails for what is no file, and for a file that the tier does not read: its language, its size.
[[nodiscard]] Or<SourceFile> read_source(const Workbench& bench, const std::string& path,
                                         server::Context& context);

/// The lines that bring other files in; nothing, with a hint, where the tier does not have them.
[[nodiscard]] std::optional<std::vector<SourceLine>> granted_imports(
    const Workbench& bench, const SourceFile& file, const std::vector<Token>& tokens,
    server::Context& context);

struct SkippedFile {
  std::string file;
  SkipReason reason = SkipReason::unreadable;
  static constexpr auto fields() {
    return level::fields(level::field("file", &SkippedFile::file, Level::minimal),
                         level::field("reason", &SkippedFile::reason, Level::minimal));
  }
};

struct SkippedGroup {
  SkipReason reason = SkipReason::unreadable;
  std::string extension;  ///< ".rb"; empty: the names have none
  std::size_t files = 0;
  static constexpr auto fields() {
    using Group = SkippedGroup;
    return level::fields(level::field("reason", &Group::reason, Level::minimal),
                         level::field("extension", &Group::extension, Level::minimal),
                         level::field("files", &Group::files, Level::minimal));
  }
};

/// How much of a folder an answer is about.
struct Coverage {
  std::size_t files = 0;  ///< analysed + skipped
  std::size_t analysed = 0;
  std::size_t skipped = 0;
  std::vector<SkippedGroup> skipped_by;
  std::vector<SkippedFile> skipped_files;

  static constexpr auto fields() {
    return level::fields(
        level::field("files", &Coverage::files, Level::minimal),
        level::field("analysed", &Coverage::analysed, Level::minimal),
        level::field("skipped", &Coverage::skipped, Level::minimal),
        level::field("skipped_by", &Coverage::skipped_by, Level::minimal)
            .describe("How many files were skipped, by reason and ending of their names"),
        level::field("skipped_files", &Coverage::skipped_files, Level::standard));
  }
  /// A sentence about files that were skipped though the call asked for them; none: no file was.
  [[nodiscard]] std::vector<std::string> warnings() const;
};

/// Whether a call is about a language; the reason when it is not.
using Choice = std::function<std::optional<SkipReason>(Language)>;
using EachFile = std::function<void(const SourceFile&)>;

/// Hands each file of a folder to `each` that the call is about and that the tier reads, in the
/// order of their paths, and adds a hint for each limit that bit. A path of one file is read as by
/// read_source().
[[nodiscard]] Or<Coverage> survey(const Workbench& bench, const std::string& path,
                                  const Choice& choice, const EachFile& each,
                                  server::Context& context);

}  // namespace scalpel
