// SPDX-License-Identifier: Apache-2.0
// Texts that occur in many rows, such as the names of tools: each is kept once.
#pragma once

#include <cstdint>
#include <deque>
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

  NamesTable() : texts_{std::string(), std::string(kOther)}, keys_{&texts_[0], &texts_[1]} {}
  NamesTable(const NamesTable&) = delete;
  NamesTable& operator=(const NamesTable&) = delete;

  /// The id of a text, by `key`; `make` gives the text when the key is new. The empty key is the
  /// empty text. `most`: texts of the table, beyond which a new key is not kept.
  template <class Make>
  [[nodiscard]] Id find(std::string_view key, const Make& make, std::size_t most = kMost) {
    if (key.empty()) return 0;
    const auto found = ids_.find(key);
    if (found != ids_.end()) return found->second;
    if (texts_.size() >= most) return 1;
    const Id id = static_cast<Id>(texts_.size());
    texts_.push_back(make());
    keys_.push_back(&ids_.emplace(std::string(key), id).first->first);
    return id;
  }
  [[nodiscard]] const std::string& text(Id id) const { return texts_[id]; }
  /// The key, which is not shown to operators.
  [[nodiscard]] const std::string& key(Id id) const { return *keys_[id]; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Id, Hash, std::equal_to<>> ids_;
  std::deque<std::string> texts_;
  std::vector<const std::string*> keys_;  ///< those of `ids_`; the first two have only a text
};

}  // namespace enfold::gateway
