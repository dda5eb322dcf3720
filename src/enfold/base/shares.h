// SPDX-License-Identifier: Apache-2.0
// Divides a limited number of places (connections, open requests) among owners, so that none of
// them can take so many that another gets none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace enfold {

/// Single-threaded. An owner gets a place only while it holds at most half as many as are free. So
/// the first owner can take a third of all places and each further owner a third of the rest: of
/// 8,000 places, some are left for the twentieth owner.
class Shares {
 public:
  explicit Shares(std::size_t places) : state_(std::make_shared<State>(State{places, {}})) {}

  /// `fair_share`: the rule above. `any_free`: any free place, for owners that are trusted.
  enum class Limit : std::uint8_t { fair_share, any_free };
  /// Whether the owner may have one more place, if `leaving` (nullptr: none) gave one back before.
  [[nodiscard]] bool has_place(const std::string& owner, Limit limit,
                               const std::string* leaving = nullptr) const {
    const auto found = state_->by_owner.find(owner);
    std::size_t own = found != state_->by_owner.end() ? found->second : 0;
    std::size_t free = state_->free;
    if (leaving != nullptr) ++free;
    if (leaving != nullptr && *leaving == owner) --own;
    return free > 0 && (limit == Limit::any_free || own <= free / 2);
  }
  /// A place, which is free again when the result is destroyed. nullptr: the owner holds its share,
  /// or no place is free.
  [[nodiscard]] std::shared_ptr<void> take(const std::string& owner,
                                           Limit limit = Limit::fair_share) {
    if (!has_place(owner, limit)) return nullptr;
    --state_->free;
    ++state_->by_owner[owner];
    return {state_.get(), [kept = state_, owner](void*) { kept->release(owner); }};
  }

 private:
  struct State {
    std::size_t free;                                       ///< number of free places
    std::unordered_map<std::string, std::size_t> by_owner;  ///< number of places that it holds

    void release(const std::string& owner) {
      const auto found = by_owner.find(owner);
      ++free;
      if (--found->second == 0) by_owner.erase(found);
    }
  };
  std::shared_ptr<State> state_;
};

}  // namespace enfold
