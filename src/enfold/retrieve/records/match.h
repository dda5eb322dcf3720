// SPDX-License-Identifier: Apache-2.0
// Whether a record is what was asked for: by a text it holds, or by a condition that is true of it.
#pragma once

#include "enfold/json/document.h"
#include "enfold/retrieve/condition.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// Letters of the Latin, Greek and Cyrillic alphabets in lower case, everything else as it is.
/// Of the same length as the text.
[[nodiscard]] std::string fold_case(std::string_view utf8);

/// Looks for one text in many, in any case. Linear in what it looks through, whatever the text.
class Needle {
 public:
  explicit Needle(std::string_view text);

  [[nodiscard]] bool is_in(std::string_view text) const;
  [[nodiscard]] bool is_in_string(json::View string) const;
  /// In a key or a string at any depth.
  [[nodiscard]] bool is_anywhere_in(json::View value) const;

 private:
  std::string text_;
  std::vector<std::uint32_t> fallback_;  ///< of Knuth, Morris and Pratt
};

/// Values of different kinds are neither equal nor ordered; a text that is a number compares as one
/// with a number. Missing members make a comparison false, except `= null`. Of a list, one item
/// that meets the comparison is enough; `!=` is the opposite of `=`.
[[nodiscard]] bool holds(const Condition& condition, json::View record);

/// Whether the path leads anywhere in the record.
[[nodiscard]] bool leads_somewhere(const std::vector<std::string>& path, json::View record);

}  // namespace enfold::retrieve
