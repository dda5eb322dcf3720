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
  static constexpr std::size_t kMaxTexts = 4'096;  ///< further texts are shown as `kOther`
  static constexpr std::string_view kOther = "(other)";

  NamesTable() : texts_{std::string(), std::string(kOther)}, keys_{&texts_[0], &texts_[1]} {}
  NamesTable(const NamesTable&) = delete;
  NamesTable& operator=(const NamesTable&) = delete;

  /// The id of the text with this key. If the key is new, calls `make` for its text and keeps both;
  /// if the table has `max_texts` already, returns the id of `kOther`. The empty key has the empty
  /// text.
  template <class Make>
  [[nodiscard]] Id find(std::string_view key, const Make& make, std::size_t max_texts = kMaxTexts) {
    if (key.empty()) return kEmptyId;
    const auto found = ids_.find(key);
    if (found != ids_.end()) return found->second;
    if (texts_.size() >= max_texts) return kOtherId;
    const Id id = static_cast<Id>(texts_.size());
    texts_.push_back(make());
    keys_.push_back(&ids_.emplace(std::string(key), id).first->first);
    return id;
  }
  [[nodiscard]] const std::string& text(Id id) const { return texts_[id]; }
  /// The key, which is not shown to operators.
  [[nodiscard]] const std::string& key(Id id) const { return *keys_[id]; }

 private:
  static constexpr Id kEmptyId = 0;
  static constexpr Id kOtherId = 1;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Id, Hash, std::equal_to<>> ids_;
  std::deque<std::string> texts_;
  std::vector<const std::string*> keys_;  ///< in `ids_`; the first two ids have the text as key
};

}  // namespace enfold::gateway
