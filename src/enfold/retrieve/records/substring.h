// SPDX-License-Identifier: Apache-2.0
// Positions of a text in another one, in time linear in both (Knuth, Morris and Pratt). The
// standard library's searches take the product of the lengths for repetitive texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// A text to search for.
class Substring {
 public:
  /// `wanted` must outlive this object.
  explicit Substring(std::string_view wanted) : wanted_(wanted), fallback_(wanted.size() + 1, 0) {
    for (std::size_t at = 1, matched = 0; at < wanted_.size(); ++at) {
      while (matched > 0 && wanted_[at] != wanted_[matched]) matched = fallback_[matched];
      if (wanted_[at] == wanted_[matched]) ++matched;
      fallback_[at + 1] = static_cast<std::uint32_t>(matched);
    }
  }

  /// The first position in `text` at or after `from`; npos: there is none. An empty text is found
  /// at `from`.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from = 0) const {
    if (wanted_.empty()) return from;
    std::size_t matched = 0;
    for (std::size_t at = from; at < text.size(); ++at) {
      while (matched > 0 && text[at] != wanted_[matched]) matched = fallback_[matched];
      if (text[at] == wanted_[matched]) ++matched;
      if (matched == wanted_.size()) return at + 1 - matched;
    }
    return std::string_view::npos;
  }

 private:
  std::string_view wanted_;
  std::vector<std::uint32_t> fallback_;  ///< the failure function of the algorithm
};

}  // namespace enfold::retrieve
