// SPDX-License-Identifier: Apache-2.0
// Matches records against a search text or a condition.
#pragma once

#include "enfold/json/document.h"
#include "enfold/retrieve/condition.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// Lower case of Latin, Greek and Cyrillic letters; other characters are unchanged. The result has
/// the length of the text.
[[nodiscard]] std::string fold_case(std::string_view utf8);

/// Searches for a text, ignoring case, in linear time.
class Needle {
 public:
  explicit Needle(std::string_view text);

  [[nodiscard]] bool is_in(std::string_view text) const;
  [[nodiscard]] bool is_in_string(json::View string) const;
  /// Whether a key or string at any depth contains the text.
  [[nodiscard]] bool is_anywhere_in(json::View value) const;

 private:
  std::string text_;
  std::vector<std::uint32_t> fallback_;  ///< failure function of Knuth, Morris and Pratt
};

/// Values of different kinds are neither equal nor ordered, but a text that is a number compares
/// with numbers. A comparison with a missing member is false, except `= null`. A list matches if
/// one of its items does; `!=` is the negation of `=`.
[[nodiscard]] bool holds(const Condition& condition, json::View record);

/// Whether the record has a value at the path.
[[nodiscard]] bool path_exists(const std::vector<std::string>& path, json::View record);

}  // namespace enfold::retrieve
