// SPDX-License-Identifier: Apache-2.0
// Structs that declare their members for reading from JSON: the requests of typed tools and
// configurations. `fields()` or `arguments()` names every member once; schema and parser are
// derived from it. A struct with both is read by arguments() and written by fields().
#pragma once

#include "enfold/level/faults.h"

namespace enfold::tools {

/// Declares a member, under another name or under its own.
template <class Struct, class Member>
[[nodiscard]] constexpr auto argument(std::string_view name, Member Struct::* member) {
  return level::field(name, member);
}
template <auto member>
[[nodiscard]] constexpr auto argument() {
  return level::field<member>();
}

/// An argument that may be left out: a key of a configuration.
template <class Struct, class Member>
[[nodiscard]] constexpr auto setting(std::string_view name, Member Struct::* member,
                                     std::string_view description) {
  return argument(name, member).describe(description).defaulted();
}

/// What the function arguments() of a struct that is read returns: its members.
template <class... All>
[[nodiscard]] constexpr level::Fields<All...> arguments(All... all) {
  return {{all...}};
}

/// A type that can be read.
template <class T>
concept Declares = level::Declared<T>;

/// For tools without arguments.
struct NoArguments {
  static constexpr auto fields() { return level::fields(); }
};

class Problems;

namespace detail {

template <class T>
concept ChecksItself = requires(const T& request, Problems& found) {
  { request.check(found) } -> std::same_as<void>;
};

struct HasCheck {
  void check();
};
/// Whether a struct has a function `check`, of any shape; see level::detail::Both.
template <class T>
[[nodiscard]] constexpr bool has_check() {
  if constexpr (requires { requires std::is_member_object_pointer_v<decltype(&T::check)>; }) {
    return false;
  } else if constexpr (std::is_final_v<T>) {
    return requires { &T::check; };
  } else {
    return !requires { &level::detail::Both<T, HasCheck>::check; };
  }
}

/// The use of a declaration for reading; level::detail::Writing is the other one.
struct Reading {
  static constexpr bool reads = true;
  template <class T>
  static constexpr bool has_wrong_check = has_check<T>() && !ChecksItself<T>;
};
template <class T, class Place = T>
using RequestFault = level::detail::DeclarationFault<Reading, T, Place>;

/// Calls visit(argument) for each declared argument, in order, then for those of page_fields()
/// (server::PageRequest).
template <Declares T, class Visit>
constexpr void each_argument(Visit&& visit) {
  level::detail::each_for<Reading, T>(std::forward<Visit>(visit));
}

/// A T with its defaults, before anything is read into it. T::page_size, if there is one, replaces
/// the default of `limit`.
template <Declares T>
[[nodiscard]] T unread() {
  T made{};
  if constexpr (requires { made.limit = T::page_size; }) made.limit = T::page_size;
  return made;
}

}  // namespace detail
}  // namespace enfold::tools
