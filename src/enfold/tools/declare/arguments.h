// SPDX-License-Identifier: Apache-2.0
// Structs that declare their members for reading from JSON: the requests of typed tools and
// configurations. `arguments()` names every member once; schema and parser are derived from it.
#pragma once

#include "enfold/model/response.h"

#include <tuple>

namespace enfold::tools {

template <class Struct, class Member>
struct Argument {
  using Held = Member;

  std::string_view name;
  Member Struct::* member;
  std::string_view description{};
  std::string_view header_name{};
  std::string_view text_pattern{};
  std::string_view text_format{};
  std::optional<double> least{};  ///< value of a number, code points of a text, items of a list
  std::optional<double> most{};
  bool has_default = false;

  [[nodiscard]] constexpr Argument describe(std::string_view text) const {
    Argument changed = *this;
    changed.description = text;
    return changed;
  }
  /// The argument may be left out. The member's initialiser is the default that the schema shows.
  [[nodiscard]] constexpr Argument defaulted() const {
    Argument changed = *this;
    changed.has_default = true;
    return changed;
  }
  [[nodiscard]] constexpr Argument at_least(double limit) const {
    Argument changed = *this;
    changed.least = limit;
    return changed;
  }
  [[nodiscard]] constexpr Argument at_most(double limit) const {
    Argument changed = *this;
    changed.most = limit;
    return changed;
  }
  /// A regular expression that a text must match somewhere.
  [[nodiscard]] constexpr Argument pattern(std::string_view expression) const {
    Argument changed = *this;
    changed.text_pattern = expression;
    return changed;
  }
  /// An annotation for clients, such as "date-time".
  [[nodiscard]] constexpr Argument format(std::string_view name_of_format) const {
    Argument changed = *this;
    changed.text_format = name_of_format;
    return changed;
  }
  /// Over HTTP, from 2026-07-28 on, also sent as the header Mcp-Param-NAME.
  [[nodiscard]] constexpr Argument header(std::string_view name_of_header) const {
    Argument changed = *this;
    changed.header_name = name_of_header;
    return changed;
  }
};

template <class... All>
struct Arguments {
  std::tuple<All...> all;
};

template <class Struct, class Member>
[[nodiscard]] constexpr Argument<Struct, Member> argument(std::string_view name,
                                                          Member Struct::* member) {
  return {name, member};
}

/// An argument that may be left out: a key of a configuration.
template <class Struct, class Member>
[[nodiscard]] constexpr Argument<Struct, Member> setting(std::string_view name,
                                                         Member Struct::* member,
                                                         std::string_view description) {
  return argument(name, member).describe(description).defaulted();
}

template <class... All>
[[nodiscard]] constexpr Arguments<All...> arguments(All... all) {
  return {{all...}};
}

namespace detail {

template <class T>
inline constexpr bool is_arguments = false;
template <class... All>
inline constexpr bool is_arguments<Arguments<All...>> = true;

}  // namespace detail

/// A type that declares its members with arguments().
template <class T>
concept Declares = requires {
  { T::arguments() };
  requires detail::is_arguments<std::remove_cvref_t<decltype(T::arguments())>>;
};

/// For tools without arguments.
struct NoArguments {
  static constexpr auto arguments() { return tools::arguments(); }
};

namespace detail {

/// Calls visit(argument) for each, in order.
template <Declares T, class Visit>
constexpr void each_argument(Visit&& visit) {
  constexpr auto declared = T::arguments();
  std::apply([&](const auto&... argument) { (visit(argument), ...); }, declared.all);
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

}  // namespace detail
}  // namespace enfold::tools
