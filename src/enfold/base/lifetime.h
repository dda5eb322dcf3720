// SPDX-License-Identifier: Apache-2.0
// A guard for callbacks that may outlive the object they belong to. Single-threaded: the owner
// ends on the thread on which its callbacks run.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace enfold {

/// Lets callbacks find out whether their owner still exists: `Lifetime alive_;` as the last member,
/// so that it is destroyed first, and `alive_.guarded([this] {…})`.
class Lifetime {
 public:
  Lifetime() = default;
  Lifetime(const Lifetime&) = delete;
  Lifetime& operator=(const Lifetime&) = delete;
  ~Lifetime() = default;

  /// A callable that calls `function` while the owner exists, and does nothing after that.
  template <class F>
  [[nodiscard]] auto guarded(F function) const {
    return [weak = std::weak_ptr<const char>(token_),
            function = std::move(function)](auto&&... arguments) mutable {
      static_assert(std::is_void_v<std::invoke_result_t<F&, decltype(arguments)...>>);
      // The call may destroy the owner, so nothing of the owner is used after it.
      if (!weak.expired()) function(std::forward<decltype(arguments)>(arguments)...);
    };
  }

  /// Expires with the owner. A member function that calls a callback can check with it whether the
  /// callback destroyed the owner.
  [[nodiscard]] std::weak_ptr<const char> watch() const { return token_; }

 private:
  std::shared_ptr<const char> token_ = std::make_shared<const char>('\0');
};

}  // namespace enfold
