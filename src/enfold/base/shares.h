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
  /// A place, until the result is destroyed; null: the owner has its share, or all are taken.
  [[nodiscard]] std::shared_ptr<void> take(const std::string& owner, Limit limit = Limit::share) {
    const auto found = state_->by_owner.find(owner);
    const std::size_t own = found != state_->by_owner.end() ? found->second : 0;
    if (state_->free == 0 || (limit == Limit::share && own > state_->free / 2)) return nullptr;
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
