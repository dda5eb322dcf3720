// SPDX-License-Identifier: Apache-2.0
// A move-only callable, which may own move-only captures. Captures of up to three pointers need no
// allocation.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace enfold::net {

template <class Signature>
class Callback;

template <class R, class... Arguments>
class Callback<R(Arguments...)> {
 public:
  Callback() = default;
  Callback(std::nullptr_t) {}

  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, Callback> &&
             std::is_invocable_r_v<R, std::remove_cvref_t<F>&, Arguments...>)
  Callback(F&& function) {  // implicit, as lambdas are passed
    using Held = std::remove_cvref_t<F>;
    if constexpr (fits_inside<Held>) {
      ::new (place_) Held(std::forward<F>(function));
      actions_ = &kInside<Held>;
    } else {
      ::new (place_) Held*(new Held(std::forward<F>(function)));
      actions_ = &kOutside<Held>;
    }
  }

  Callback(Callback&& other) noexcept { take(other); }
  Callback& operator=(Callback&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  Callback& operator=(std::nullptr_t) {
    reset();
    return *this;
  }
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback() { reset(); }

  explicit operator bool() const { return actions_ != nullptr; }

  R operator()(Arguments... arguments) {  // NOLINT(performance-unnecessary-value-param)
    return actions_->call(place_, std::forward<Arguments>(arguments)...);
  }

 private:
  struct Actions {
    R (*call)(void*, Arguments&&...);
    void (*move)(void* from, void* to) noexcept;
    void (*destroy)(void*) noexcept;
  };

  static constexpr std::size_t kPlace = 3 * sizeof(void*);

  template <class Held>
  static constexpr bool fits_inside = sizeof(Held) <= kPlace && alignof(Held) <= alignof(void*) &&
                                      std::is_nothrow_move_constructible_v<Held>;

  template <class Held>
  static constexpr Actions kInside = {
      [](void* place, Arguments&&... arguments) -> R {
        return (*static_cast<Held*>(place))(std::forward<Arguments>(arguments)...);
      },
      [](void* from, void* to) noexcept {
        ::new (to) Held(std::move(*static_cast<Held*>(from)));
        std::destroy_at(static_cast<Held*>(from));
      },
      [](void* place) noexcept { std::destroy_at(static_cast<Held*>(place)); }};

  template <class Held>
  static constexpr Actions kOutside = {
      [](void* place, Arguments&&... arguments) -> R {
        return (**static_cast<Held**>(place))(std::forward<Arguments>(arguments)...);
      },
      [](void* from, void* to) noexcept { ::new (to) Held*(*static_cast<Held**>(from)); },
      [](void* place) noexcept { delete *static_cast<Held**>(place); }};

  void take(Callback& other) noexcept {
    actions_ = std::exchange(other.actions_, nullptr);
    if (actions_ != nullptr) actions_->move(other.place_, place_);
  }
  void reset() noexcept {
    if (const Actions* actions = std::exchange(actions_, nullptr)) actions->destroy(place_);
  }

  alignas(void*) std::byte place_[kPlace];
  const Actions* actions_ = nullptr;
};

using Task = Callback<void()>;

}  // namespace enfold::net
