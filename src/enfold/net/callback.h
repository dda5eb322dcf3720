// SPDX-License-Identifier: Apache-2.0
// A move-only callable, for functions whose captures may be move-only. A function of the size of up
// to three pointers needs no allocation.
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
  Callback(F&& function) {  // implicit, so that a lambda can be passed as a Callback
    using Held = std::remove_cvref_t<F>;
    if constexpr (fits_inline<Held>) {
      ::new (storage_) Held(std::forward<F>(function));
      actions_ = &kStoredInline<Held>;
    } else {
      ::new (storage_) Held*(new Held(std::forward<F>(function)));
      actions_ = &kStoredOnHeap<Held>;
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

  /// An empty callback must not be called; it converts to false.
  R operator()(Arguments... arguments) {  // NOLINT(performance-unnecessary-value-param)
    return actions_->call(storage_, std::forward<Arguments>(arguments)...);
  }

 private:
  /// What can be done with the function; the pointers are to `storage_` of a Callback.
  struct Actions {
    R (*call)(void*, Arguments&&...);
    void (*move)(void* from, void* to) noexcept;
    void (*destroy)(void*) noexcept;
  };

  static constexpr std::size_t kInlineBytes = 3 * sizeof(void*);

  template <class Held>
  static constexpr bool fits_inline =
      sizeof(Held) <= kInlineBytes && alignof(Held) <= alignof(void*) &&
      std::is_nothrow_move_constructible_v<Held>;

  template <class Held>
  static constexpr Actions kStoredInline = {
      [](void* storage, Arguments&&... arguments) -> R {
        return (*static_cast<Held*>(storage))(std::forward<Arguments>(arguments)...);
      },
      [](void* from, void* to) noexcept {
        ::new (to) Held(std::move(*static_cast<Held*>(from)));
        std::destroy_at(static_cast<Held*>(from));
      },
      [](void* storage) noexcept { std::destroy_at(static_cast<Held*>(storage)); }};

  template <class Held>
  static constexpr Actions kStoredOnHeap = {
      [](void* storage, Arguments&&... arguments) -> R {
        return (**static_cast<Held**>(storage))(std::forward<Arguments>(arguments)...);
      },
      [](void* from, void* to) noexcept { ::new (to) Held*(*static_cast<Held**>(from)); },
      [](void* storage) noexcept { delete *static_cast<Held**>(storage); }};

  void take(Callback& other) noexcept {
    actions_ = std::exchange(other.actions_, nullptr);
    if (actions_ != nullptr) actions_->move(other.storage_, storage_);
  }
  void reset() noexcept {
    if (const Actions* actions = std::exchange(actions_, nullptr)) actions->destroy(storage_);
  }

  alignas(void*) std::byte storage_[kInlineBytes];
  const Actions* actions_ = nullptr;  ///< for the held function; null: the callback is empty
};

using Task = Callback<void()>;

}  // namespace enfold::net
