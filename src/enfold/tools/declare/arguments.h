// SPDX-License-Identifier: Apache-2.0
// Structs that declare their members for reading from JSON: the requests of typed tools and
// configurations. `fields()` or `arguments()` names every member once; schema and parser are
// derived from it. A struct with both is read by arguments() and written by fields().
#pragma once

#include "enfold/level/fields.h"

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

namespace detail {

template <Declares T>
[[nodiscard]] constexpr auto arguments_of() {
  if constexpr (level::detail::WithArguments<T>) {
    return T::arguments();
  } else {
    return T::fields();
  }
}

/// Calls visit(argument) for each declared argument, in order, then for those of page_fields()
/// (server::PageRequest).
template <Declares T, class Visit>
constexpr void each_argument(Visit&& visit) {
  constexpr auto declared = arguments_of<T>();
  std::apply([&](const auto&... argument) { (visit(argument), ...); }, declared.all);
  if constexpr (requires { T::page_fields(); }) {
    constexpr auto more = T::page_fields();
    std::apply([&](const auto&... argument) { (visit(argument), ...); }, more.all);
  }
}

template <Declares T>
constexpr bool argument_names_are_unique() {
  bool unique = true;
  std::size_t index = 0;
  each_argument<T>([&](const auto& argument) {
    std::size_t other = 0;
    each_argument<T>([&](const auto& before) {
      if (other++ < index && before.name == argument.name) unique = false;
    });
    ++index;
  });
  return unique;
}

/// A T before anything is read: with its defaults. T::page_size replaces the default of `limit`.
template <Declares T>
[[nodiscard]] T unread() {
  T made{};
  if constexpr (requires { made.limit = T::page_size; }) made.limit = T::page_size;
  return made;
}

}  // namespace detail
}  // namespace enfold::tools
