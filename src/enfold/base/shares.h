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

/// Single-threaded. An owner may hold half as many places as are free. So one alone gets a third of
/// all, the next a third of the rest, and of 8,000 places something is left for the twentieth.
class Shares {
 public:
  explicit Shares(std::size_t places) : state_(std::make_shared<State>(State{places, {}})) {}

  enum class Limit : std::uint8_t { share, free };  ///< `free`: for owners that are trusted
  /// Whether the owner may have one more place, if `leaving` (nullptr: none) gave one back before.
  [[nodiscard]] bool has_place(const std::string& owner, Limit limit,
                               const std::string* leaving = nullptr) const {
    const auto found = state_->by_owner.find(owner);
    std::size_t own = found != state_->by_owner.end() ? found->second : 0;
    std::size_t free = state_->free;
    if (leaving != nullptr) ++free;
    if (leaving != nullptr && *leaving == owner) --own;
    return free > 0 && (limit == Limit::free || own <= free / 2);
  }
  /// A place, until the result is destroyed; null: the owner has its share, or all are taken.
  [[nodiscard]] std::shared_ptr<void> take(const std::string& owner, Limit limit = Limit::share) {
    if (!has_place(owner, limit)) return nullptr;
    --state_->free;
    ++state_->by_owner[owner];
    return {state_.get(), [kept = state_, owner](void*) { kept->release(owner); }};
  }

 private:
  struct State {
    std::size_t free;
    std::unordered_map<std::string, std::size_t> by_owner;

    void release(const std::string& owner) {
      const auto found = by_owner.find(owner);
      ++free;
      if (--found->second == 0) by_owner.erase(found);
    }
  };
  std::shared_ptr<State> state_;
};

}  // namespace enfold
