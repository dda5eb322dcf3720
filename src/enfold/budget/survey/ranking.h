// SPDX-License-Identifier: Apache-2.0
// The records with the highest or the lowest values of a field. A record counts once, with its most
// extreme value.
#pragma once

#include "enfold/json/document.h"

namespace enfold::budget::detail {

/// A record, with its position: an item of a list, or a member of a map with its key.
struct Place {
  std::uint32_t position = 0;
  json::View item;
  json::View key = {};  ///< of a map's member; else null
};

/// A value that can be compared: a number, a time, or the size of a container.
struct Ranked {
  double number = 0;       ///< compared first
  std::int64_t exact = 0;  ///< then this: of times and sizes
  std::string_view text;   ///< then this, by value: of numbers
  json::View value;
  Place place;
};

class Ranking {
 public:
  enum class End { lowest, highest };
  /// `first`: which end of the values comes first.
  explicit Ranking(End first) : highest_(first == End::highest) {}

  void add(const Ranked& one);
  void clear() { best_.clear(); }
  [[nodiscard]] bool empty() const { return best_.empty(); }
  /// The most extreme value, of the first record that has it. Not of an empty ranking.
  [[nodiscard]] const Ranked& first() const { return best_.front(); }
  /// How many records share the most extreme value.
  [[nodiscard]] std::size_t ties() const { return ties_; }
  /// At most `most` records, up to 3, of which each comes before all records that are not among
  /// them; the most extreme first. Empty: too many share a value.
  [[nodiscard]] std::vector<Ranked> leading(std::size_t most) const;

 private:
  [[nodiscard]] bool is_before(const Ranked& a, const Ranked& b) const;
  /// Counts the record in `ties_` if it shares the first place.
  void add_tie(const Ranked& one);

  bool highest_;                ///< the highest value comes first
  std::vector<Ranked> best_;    ///< up to 4 records, the most extreme first
  std::size_t ties_ = 0;        ///< records with the value of the first
  std::uint32_t last_tie_ = 0;  ///< position of the last of them
};

}  // namespace enfold::budget::detail
