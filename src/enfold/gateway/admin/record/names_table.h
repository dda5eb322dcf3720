// SPDX-License-Identifier: Apache-2.0
// Names that occur in many rows, such as those of tools: each is kept once, with the text in which
// operators see it (redacted and shortened).
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

  NamesTable() : texts_{std::string(), std::string(kOther)}, names_{&texts_[0], &texts_[1]} {}
  NamesTable(const NamesTable&) = delete;
  NamesTable& operator=(const NamesTable&) = delete;

  /// The id of a name. If the name is new, calls `make` for its text and keeps both; if the table
  /// has `max_texts` already, returns the id of `kOther`. The empty name has the empty text.
  template <class Make>
  [[nodiscard]] Id find(std::string_view name, const Make& make,
                        std::size_t max_texts = kMaxTexts) {
    if (name.empty()) return kEmptyId;
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    if (texts_.size() >= max_texts) return kOtherId;
    const Id id = static_cast<Id>(texts_.size());
    texts_.push_back(make());
    names_.push_back(&ids_.emplace(std::string(name), id).first->first);
    return id;
  }
  [[nodiscard]] const std::string& text(Id id) const { return texts_[id]; }
  /// The name as `find` got it: not redacted, so not shown to operators.
  [[nodiscard]] const std::string& name(Id id) const { return *names_[id]; }

 private:
  static constexpr Id kEmptyId = 0;
  static constexpr Id kOtherId = 1;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Id, Hash, std::equal_to<>> ids_;
  std::deque<std::string> texts_;
  std::vector<const std::string*> names_;  ///< in `ids_`; the first two ids have the text as name
};

}  // namespace enfold::gateway
