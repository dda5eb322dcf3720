// SPDX-License-Identifier: Apache-2.0
// Texts that occur in many rows, such as the names of tools: each is kept once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace enfold::gateway {

class NamesTable {
 public:
  using Id = std::uint32_t;
  static constexpr std::size_t kMost = 4'096;  ///< further texts are shown as `kOther`
  static constexpr std::string_view kOther = "(other)";

  NamesTable() : texts_{std::string(), std::string(kOther)} {}

  /// The id of a text, by `key`; `make` gives the text when the key is new. The empty key is the
  /// empty text.
  template <class Make>
  [[nodiscard]] Id find(std::string_view key, const Make& make) {
    if (key.empty()) return 0;
    const auto found = ids_.find(key);
    if (found != ids_.end()) return found->second;
    if (texts_.size() >= kMost) return 1;
    const Id id = static_cast<Id>(texts_.size());
    texts_.push_back(make());
    ids_.emplace(std::string(key), id);
    return id;
  }
  [[nodiscard]] const std::string& text(Id id) const { return texts_[id]; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Id, Hash, std::equal_to<>> ids_;
  std::vector<std::string> texts_;
};

}  // namespace enfold::gateway
