// SPDX-License-Identifier: Apache-2.0
// Time stamps and levels of log lines, by their position in the line.
#pragma once

#include "enfold/budget/text/lines.h"

#include <cstdint>
#include <optional>
#include <string>

namespace enfold::budget::text {

/// A time stamp near the beginning of a line.
struct Stamp {
  std::size_t begin = 0;
  std::size_t end = 0;
  /// Stamps of one shape are compared as time by comparing their bytes: year first, numbers of
  /// fixed width, the same zone. 0: they are not.
  std::uint64_t shape = 0;
};

/// In the first five words; nullopt: none.
[[nodiscard]] std::optional<Stamp> find_stamp(std::string_view line);

/// Finds the stamps of consecutive lines; fast while they are written alike.
class StampFinder {
 public:
  [[nodiscard]] std::optional<Stamp> find(std::string_view line);

 private:
  [[nodiscard]] bool is_like_last(std::string_view line) const;
  Stamp last_;
  std::string
      last_line_;  ///< up to one byte behind the stamp; empty: there is none to compare with
};

/// A level, and where it is written: which word behind the time stamp, or `level=`.
struct Level {
  std::string_view name;  ///< in capitals: "ERROR"; WARNING is WARN, ERR is ERROR
  std::uint8_t slot = 0;
  auto operator<=>(const Level&) const = default;
};
inline constexpr std::size_t kLevelSlots = 8;

/// The first level behind the time stamp, which ends at `from`: a word in capitals, in brackets or
/// before a colon, or the value of level=, lvl= or severity=. nullopt: none in the first six words.
/// `plain` gets a word before it that is a level if the other lines have theirs there: "warn".
[[nodiscard]] std::optional<Level> find_level(std::string_view line, std::size_t from,
                                              std::optional<Level>* plain = nullptr);

/// ERROR and above.
[[nodiscard]] bool is_severe(std::string_view level);

/// Whether the lines are those of a log: most begin with a time stamp or a level, or continue the
/// line before them.
[[nodiscard]] bool is_log(const Sample& sample);

}  // namespace enfold::budget::text
