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
  std::size_t begin = 0;  ///< offset in the line
  std::size_t end = 0;    ///< offset after the last byte
  /// Stamps with the same hash are written alike (year first, numbers of fixed width, the same
  /// zone), so comparing their bytes compares the times. 0: this stamp cannot be compared.
  std::uint64_t format_hash = 0;
};

/// The time stamp in the first five words; nullopt: none.
[[nodiscard]] std::optional<Stamp> find_stamp(std::string_view line);

/// Finds the stamps of consecutive lines; fast while consecutive stamps are written alike.
class StampFinder {
 public:
  [[nodiscard]] std::optional<Stamp> find(std::string_view line);

 private:
  [[nodiscard]] bool is_like_last(std::string_view line) const;
  Stamp last_;
  /// The last line up to one byte after its stamp; empty: none, or its stamp cannot be compared.
  std::string last_line_;
};

/// A level, and the place in the line where it is written.
struct Level {
  std::string_view name;  ///< in capitals: "ERROR"; WARNING is WARN, ERR is ERROR
  /// 0 to 5: how many words are between the time stamp and it; kKeyedSlot, kKlogSlot.
  std::uint8_t slot = 0;
  auto operator<=>(const Level&) const = default;
};
inline constexpr std::size_t kLevelSlots = 8;
inline constexpr std::uint8_t kKeyedSlot = 6;  // the value of level=, lvl= or severity=
inline constexpr std::uint8_t kKlogSlot = 7;   // the letter with which a line of klog begins

/// The first level after the time stamp, which ends at `from`: a word in capitals, in brackets or
/// before a colon, or the value of level=, lvl= or severity=. nullopt: none in the first six words.
/// Sets `plain`, unless it is null or set, to the first word before that level (if none is found:
/// of the six words) that names a level but is not marked so, such as "warn". It is a level only if
/// other lines have their levels at the same place.
[[nodiscard]] std::optional<Level> find_level(std::string_view line, std::size_t from,
                                              std::optional<Level>* plain = nullptr);

/// ERROR and above.
[[nodiscard]] bool is_severe(std::string_view level);

/// Whether the lines are those of a log: most begin with a time stamp or a level, or continue the
/// line before them.
[[nodiscard]] bool is_log(const Sample& sample);

}  // namespace enfold::budget::text
