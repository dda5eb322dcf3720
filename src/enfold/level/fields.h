// SPDX-License-Identifier: Apache-2.0
// Declares the response of a tool: a struct whose `fields()` lists every member with the lowest
// level that shows it. Rendering and the JSON Schema are derived from this list.
//   static constexpr auto fields() {
//     return level::fields(level::field("id", &Stored::id, Level::minimal),
//                          level::field("scope", &Stored::scope, Level::minimal)
//                              .when(&Stored::scope_changed));
//   }
#pragma once

#include "enfold/json/write.h"
#include "enfold/model/response.h"

#include <concepts>
#include <functional>
#include <tuple>

namespace enfold::level {

using model::Level;

/// The condition of an unconditional field.
struct Always {};

/// `MemberType Struct::*` is a data member or a const member function without arguments.
template <class Struct, class MemberType, class Condition = Always>
struct Field {
  std::string_view name;
  MemberType Struct::* member;
  Level from;  ///< the lowest level that shows it; every higher one does too
  Condition condition{};
  bool is_required = false;
  std::string_view description{};
  std::optional<std::size_t> preview_length{};  ///< code points shown below `full`

  /// Shown only if `test` is true: a bool member, or a function of the struct without captures. The
  /// test does not depend on the level, so higher levels always show what lower ones show.
  template <class Test>
  [[nodiscard]] constexpr auto when(Test test) const {
    static_assert(std::is_same_v<Condition, Always>, "a field takes one condition");
    static_assert(std::predicate<Test, const Struct&>,
                  "a field's condition must be a bool member or a function of the response");
    static_assert(
        std::is_empty_v<Test> || std::is_pointer_v<Test> || std::is_member_pointer_v<Test>,
        "a field's condition must capture nothing");
    return Field<Struct, MemberType, Test>{name,        member,      from,          test,
                                           is_required, description, preview_length};
  }

  /// Shown at its level even if empty: an empty optional as null, an empty list as [].
  [[nodiscard]] constexpr Field required() const {
    Field field = *this;
    field.is_required = true;
    return field;
  }

  /// `text` becomes the description in the JSON Schema.
  [[nodiscard]] constexpr Field describe(std::string_view text) const {
    Field field = *this;
    field.description = text;
    return field;
  }
};

template <class... All>
struct Fields {
  std::tuple<All...> all;
};

namespace detail {

template <class T>
inline constexpr bool is_fields = false;
template <class... All>
inline constexpr bool is_fields<Fields<All...>> = true;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_text =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

template <class T>
inline constexpr bool is_maybe_text = is_text<T>;
template <class T>
inline constexpr bool is_maybe_text<std::optional<T>> = is_text<T>;

/// The type of a declared member's value, without reference and const.
template <class Member, class Struct>
using MemberValue = std::remove_cvref_t<std::invoke_result_t<Member, const Struct&>>;

}  // namespace detail

template <class Struct, class MemberType>
[[nodiscard]] constexpr Field<Struct, MemberType> field(std::string_view name,
                                                        MemberType Struct::* member, Level from) {
  return {name, member, from};
}

/// A text that levels below `full` shorten to `length` code points and "...". The only case in
/// which the level changes a value.
template <class Struct, class MemberType>
[[nodiscard]] constexpr Field<Struct, MemberType> preview(std::string_view name,
                                                          MemberType Struct::* member,
                                                          std::size_t length,
                                                          Level from = Level::minimal) {
  static_assert(detail::is_maybe_text<detail::MemberValue<MemberType Struct::*, Struct>>,
                "a preview can only be made of text");
  Field<Struct, MemberType> field{name, member, from};
  field.preview_length = length;
  return field;
}

template <class... All>
[[nodiscard]] constexpr Fields<All...> fields(All... all) {
  return {{all...}};
}

/// A type with a `fields()` declaration.
template <class T>
concept Declared = requires {
  { T::fields() };
  requires detail::is_fields<std::remove_cvref_t<decltype(T::fields())>>;
};

namespace detail {

template <Declared T>
inline constexpr auto fields_of = T::fields();

/// Calls visit(field) for every declared field, in order.
template <Declared T, class Visit>
constexpr void each(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, fields_of<T>.all);
}

template <Declared T>
constexpr bool names_are_unique() {
  bool unique = true;
  std::size_t index = 0;
  each<T>([&](const auto& field) {
    std::size_t other = 0;
    each<T>([&](const auto& before) {
      if (other++ < index && before.name == field.name) unique = false;
    });
    ++index;
  });
  return unique;
}

template <Declared T>
constexpr bool required_fields_are_unconditional() {
  bool good = true;
  each<T>([&]<class S, class G, class Condition>(const Field<S, G, Condition>& field) {
    if (field.is_required && !std::is_same_v<Condition, Always>) good = false;
  });
  return good;
}

/// Compile-time checks of a response type, with messages for tool authors.
template <class T>
constexpr void demand_declared() {
  static_assert(!std::is_same_v<T, json::Value> && !std::is_same_v<T, json::View> &&
                    !std::is_same_v<T, json::Document> && !std::is_same_v<T, json::Output>,
                "raw JSON cannot be a response: declare a struct with fields()");
  static_assert(Declared<T>,
                "a response type must declare its fields: "
                "static constexpr auto fields() { return level::fields(level::field(...), ...); }");
  if constexpr (Declared<T>) {
    static_assert(names_are_unique<T>(), "a response declares each field name once");
    static_assert(required_fields_are_unconditional<T>(),
                  "a required field cannot have a condition");
  }
}

template <class>
inline constexpr bool unsupported = false;

}  // namespace detail
}  // namespace enfold::level
