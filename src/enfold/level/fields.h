// SPDX-License-Identifier: Apache-2.0
// Declares the members of a struct once, for writing it as the response of a tool, for reading it
// as a request or a configuration, and for the JSON Schema of both:
//   struct Book {
//     std::string id;
//     std::vector<std::string> tags;
//     static constexpr auto fields() {
//       return level::fields(level::field<&Book::id>(),
//                            level::field<&Book::tags>().from_level(Level::standard));
//     }
//   };
#pragma once

#include "enfold/json/write.h"
#include "enfold/level/reject.h"
#include "enfold/level/types.h"
#include "enfold/model/response.h"

#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <variant>

namespace enfold::level {

using model::Level;

/// The condition of a field without `when`.
struct Always {};

/// The options of a field of any type. The functions of Field set and explain them. An option that
/// is an empty text or nullopt is not set.
struct FieldOptions {
  std::string_view name;
  std::string_view description{};

  // Writing.
  Level from = Level::minimal;  ///< the lowest level that shows the field; higher levels do too
  bool is_required = false;
  std::optional<std::size_t> preview_length{};  ///< code points shown below `full`
  std::optional<int> rounded_to{};              ///< decimals

  // Reading.
  bool has_default = false;
  std::optional<double> least{};  ///< value of a number, code points of a text, items of a list
  std::optional<double> most{};   ///< as `least`
  std::string_view text_pattern{};
  std::string_view text_format{};
  std::string_view header_name{};
  std::string_view example_text{};  ///< a text as it is, values of other types as JSON
};

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;

template <class T>
inline constexpr bool is_set = false;
template <class T, class Less, class A>
inline constexpr bool is_set<std::set<T, Less, A>> = true;

template <class T>
inline constexpr bool is_map = false;
template <class T, class Less, class A>
inline constexpr bool is_map<std::map<std::string, T, Less, A>> = true;

template <class T>
inline constexpr bool is_variant = false;
template <class... All>
inline constexpr bool is_variant<std::variant<All...>> = true;

template <class T>
concept ListLike = is_vector<T> || is_set<T>;

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
    std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

/// Integers: neither bool nor characters.
template <class T>
concept Whole = std::integral<T> && !std::same_as<T, bool> && !is_character<T>;

template <class T>
inline constexpr bool is_text =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;

using model::NamedEnum;

/// The type that a T has in JSON: without optional, and As<T>::Type in place of a T with As.
template <class T>
struct Shown {
  using Type = T;
};
template <class T>
struct Shown<std::optional<T>> : Shown<T> {};
template <HasAs T>
struct Shown<T> : Shown<typename As<T>::Type> {};
template <class T>
using ShownType = typename Shown<T>::Type;

/// Whether a T may be NaN or infinity. JSON has neither, so such a value is left out or null.
template <class T>
inline constexpr bool may_be_non_finite = std::floating_point<T>;
template <HasAs T>
inline constexpr bool may_be_non_finite<T> = may_be_non_finite<typename As<T>::Type>;
template <class... All>
  requires(!HasAs<std::variant<All...>>)
inline constexpr bool may_be_non_finite<std::variant<All...>> = (may_be_non_finite<All> || ...);

/// The ShownType of the items, if T is a list; else that of the T itself.
template <class T>
struct EachOf {
  using Type = ShownType<T>;
};
template <class T>
  requires ListLike<ShownType<T>>
struct EachOf<T> {
  using Type = ShownType<typename ShownType<T>::value_type>;
};

/// A text or an optional text.
template <class T>
inline constexpr bool is_maybe_text = is_text<T>;
template <class T>
inline constexpr bool is_maybe_text<std::optional<T>> = is_text<T>;

template <class T>
concept Number = Whole<T> || std::floating_point<T>;

/// Whether a T, or the T of an optional, is a date or a time that is written as a text.
template <class T>
inline constexpr bool is_date = false;
template <class T>
inline constexpr bool is_date<std::optional<T>> = is_date<T>;
template <class T>
  requires requires { As<T>::format; }
inline constexpr bool is_date<T> = std::string_view(As<T>::format).starts_with("date");

// Both<T, HasFields>::fields is ambiguous, and so does not compile, exactly if T has `fields` too.
struct HasFields {
  void fields();
};
struct HasArguments {
  void arguments();
};
template <class T, class Other>
struct Both : T, Other {};

/// Whether a struct may have a declaration: it has a member `fields` or `arguments`, or this cannot
/// be tested (incomplete or final). The type that fields() returns is not tested, because inside
/// fields() of the struct itself it is not known yet.
template <class T>
[[nodiscard]] constexpr bool may_declare() {
  if constexpr (!std::is_class_v<T>) {
    return false;
  } else if constexpr (!requires { sizeof(T); } || std::is_final_v<T>) {
    return true;
  } else {
    return !requires { &Both<T, HasFields>::fields; } ||
           !requires { &Both<T, HasArguments>::arguments; };
  }
}

/// Whether the value of a field may be a T.
template <class T>
[[nodiscard]] constexpr bool can_be_field() {
  if constexpr (is_optional<T> || ListLike<T>) {
    return can_be_field<typename T::value_type>();
  } else if constexpr (is_map<T>) {
    return can_be_field<typename T::mapped_type>();
  } else if constexpr (is_variant<T>) {
    return []<class... All>(std::type_identity<std::variant<All...>>) {
      return (can_be_field<All>() && ...);
    }(std::type_identity<T>());
  } else if constexpr (HasAs<T>) {
    return can_be_field<typename As<T>::Type>();
  } else {
    return std::same_as<T, bool> || Whole<T> || std::floating_point<T> || is_text<T> ||
           NamedEnum<T> || std::same_as<T, json::Value> || may_declare<T>();
  }
}

template <class T>
inline constexpr bool is_field = can_be_field<T>();

/// The type of a declared member's value, without reference and const.
template <class Member, class Struct>
using MemberValue = std::remove_cvref_t<std::invoke_result_t<Member, const Struct&>>;

}  // namespace detail

namespace detail {

/// A copy of the field, after `change` was applied to it.
template <class Field, class Change>
[[nodiscard]] constexpr Field changed(Field field, Change change) {
  change(field);
  return field;
}

}  // namespace detail

/// One member of a struct. `MemberType Struct::*` is a data member, or a const member function
/// without arguments, which can only be written. `named` is the same member as a template argument,
/// so that compiler errors name it; nullptr: the member was given as a function argument. Options
/// that cannot apply do not compile.
template <class Struct, class MemberType, class Condition = Always, auto named = nullptr>
struct Field : FieldOptions {
  using Held = detail::MemberValue<MemberType Struct::*, Struct>;  ///< the type of the value
  using Place = Member<Struct, named, Held>;

  MemberType Struct::* member;
  Condition condition{};

  /// For the model that reads the schema.
  [[nodiscard]] constexpr Field describe(std::string_view text) const {
    return detail::changed(*this, [&](Field& field) { field.description = text; });
  }

  // Writing.
  /// The lowest level that shows the field. Without this, every level does.
  [[nodiscard]] constexpr Field from_level(Level level) const {
    return detail::changed(*this, [&](Field& field) { field.from = level; });
  }
  /// Shown only if `test` is true: a bool member, or a function of the struct without captures. The
  /// test does not know the level, so higher levels always show what lower ones show.
  template <class Test>
  [[nodiscard]] constexpr auto when(Test test) const {
    if constexpr (!std::is_same_v<Condition, Always>) {
      ENFOLD_REJECT(Wrong<Place>{}, "a field takes one condition");
    } else if constexpr (!std::predicate<Test, const Struct&>) {
      ENFOLD_REJECT(Wrong<Place>{},
                    "a field's condition must be a bool member or a function of the response");
    } else if constexpr (!std::is_empty_v<Test> && !std::is_pointer_v<Test> &&
                         !std::is_member_pointer_v<Test>) {
      ENFOLD_REJECT(Wrong<Place>{}, "a field's condition must capture nothing");
    }
    return Field<Struct, MemberType, Test, named>{*this, member, test};
  }
  /// Shown at its level even if empty: an empty optional as null, an empty list as [].
  [[nodiscard]] constexpr Field required() const {
    return detail::changed(*this, [](Field& field) { field.is_required = true; });
  }
  /// Levels below `full` shorten a text to `length` code points and "...". Only this option lets
  /// the level change a value.
  [[nodiscard]] constexpr Field preview(std::size_t length) const {
    if constexpr (!detail::is_maybe_text<Held>) {
      ENFOLD_REJECT(Wrong<Place>{}, "a preview can only be made of text");
    }
    return detail::changed(*this, [&](Field& field) { field.preview_length = length; });
  }
  /// Rounds to this number of decimals: the exact binary value, so that 1.005 becomes 1. Keep money
  /// in integers, such as cents.
  [[nodiscard]] constexpr Field decimals(int count) const {
    if constexpr (!holds_real) {
      ENFOLD_REJECT(Wrong<Place>{}, "decimals() applies to double and float");
    }
    return detail::changed(*this, [&](Field& field) { field.rounded_to = count; });
  }

  // Reading.
  /// May be left out. The member's initialiser is the default that the schema shows.
  [[nodiscard]] constexpr Field defaulted() const {
    return detail::changed(*this, [](Field& field) { field.has_default = true; });
  }
  /// Limits the value of a number, the code points of a text or the items of a list.
  [[nodiscard]] constexpr Field at_least(double limit) const {
    if constexpr (!has_size) {
      ENFOLD_REJECT(Wrong<Place>{}, "at_least() applies to numbers, texts and lists, not to dates");
    }
    return detail::changed(*this, [&](Field& field) { field.least = limit; });
  }
  [[nodiscard]] constexpr Field at_most(double limit) const {
    if constexpr (!has_size) {
      ENFOLD_REJECT(Wrong<Place>{}, "at_most() applies to numbers, texts and lists, not to dates");
    }
    return detail::changed(*this, [&](Field& field) { field.most = limit; });
  }
  /// A regular expression that a text, or each text of a list, must match somewhere.
  [[nodiscard]] constexpr Field pattern(std::string_view expression) const {
    if constexpr (!holds_text) {
      ENFOLD_REJECT(Wrong<Place>{}, "pattern() applies to texts and lists of texts");
    }
    return detail::changed(*this, [&](Field& field) { field.text_pattern = expression; });
  }
  /// An annotation for clients, such as "date-time".
  [[nodiscard]] constexpr Field format(std::string_view name_of_format) const {
    if constexpr (!holds_text && is_simple) {
      ENFOLD_REJECT(Wrong<Place>{}, "format() applies to texts, and what holds them");
    }
    return detail::changed(*this, [&](Field& field) { field.text_format = name_of_format; });
  }
  /// From protocol revision 2026-07-28 on, clients send the argument over HTTP also as the header
  /// Mcp-Param-NAME.
  [[nodiscard]] constexpr Field header(std::string_view name_of_header) const {
    return detail::changed(*this, [&](Field& field) { field.header_name = name_of_header; });
  }
  /// A valid value, for the model and for `enfold check`: a text as it is, other values as JSON.
  [[nodiscard]] constexpr Field example(std::string_view value) const {
    return detail::changed(*this, [&](Field& field) { field.example_text = value; });
  }

 private:
  using Each = typename detail::EachOf<Held>::Type;
  static constexpr bool holds_text = detail::is_text<Each>;
  static constexpr bool holds_real = std::is_floating_point_v<detail::ShownType<Held>>;
  static constexpr bool is_simple = detail::Number<Each> || std::is_same_v<Each, bool>;
  static constexpr bool has_size =
      !detail::is_date<Held> &&
      (detail::Number<detail::ShownType<Held>> || detail::is_text<detail::ShownType<Held>> ||
       detail::ListLike<detail::ShownType<Held>>);
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

/// The struct and the type of a member.
template <class Member>
struct MemberOf;
template <class S, class G>
struct MemberOf<G S::*> {
  using Struct = S;
  using MemberType = G;
};

/// Does not compile: names the first member pointer of these types.
template <class First, class... Rest>
constexpr auto reject_bare_member() {
  if constexpr (std::is_member_pointer_v<First>) {
    using Bare = MemberOf<First>;
    using Place = level::Member<typename Bare::Struct, nullptr, typename Bare::MemberType>;
    ENFOLD_REJECT(Wrong<Place>{},
                  "a member is a template argument, which names it: fields<&T::a, &T::b>(), or "
                  "field<&T::a>() with options");
  } else {
    reject_bare_member<Rest...>();
  }
}

#define ENFOLD_FIELD_TYPES                                                                   \
  "a field is bool, a number, text, an enum class (at most 64 enumerators from 0 without a " \
  "gap), json::Value, a std::chrono time or date, a path, a type with enfold::As, a struct " \
  "with fields(), or an optional, vector, set, variant or map<string, ...> of these"

}  // namespace detail

/// Declares a member, under its own name or another one.
template <auto named>
[[nodiscard]] constexpr auto field(
    std::string_view name = model::detail::name_of_argument<named>()) {
  using Member = detail::MemberOf<decltype(named)>;
  using Struct = typename Member::Struct;
  using MemberType = typename Member::MemberType;
  using Held = detail::MemberValue<decltype(named), Struct>;
  if constexpr (!detail::is_field<Held>) {
    using Place = level::Member<Struct, named, Held>;
    ENFOLD_REJECT(Wrong<Place>{}, ENFOLD_FIELD_TYPES);
  }
  return Field<Struct, MemberType, Always, named>{{.name = name}, named};
}

/// The same for a member that is not a template argument. Compiler errors then name the struct and
/// the type of the member, but not the member.
template <class Struct, class MemberType>
[[nodiscard]] constexpr Field<Struct, MemberType> field(std::string_view name,
                                                        MemberType Struct::* member,
                                                        Level from = Level::minimal) {
  using Held = detail::MemberValue<MemberType Struct::*, Struct>;
  if constexpr (!detail::is_field<Held>) {
    using Place = Member<Struct, nullptr, Held>;
    ENFOLD_REJECT(Wrong<Place>{}, ENFOLD_FIELD_TYPES);
  }
  return {{.name = name, .from = from}, member};
}

/// A member without a name does not compile: a function argument does not tell its name.
template <class Struct, class MemberType>
[[nodiscard]] constexpr auto field(MemberType Struct::* member) {
  detail::reject_bare_member<MemberType Struct::*>();
  return Field<Struct, MemberType>{{}, member};
}

#undef ENFOLD_FIELD_TYPES

/// A field with a preview.
template <class Struct, class MemberType>
[[nodiscard]] constexpr Field<Struct, MemberType> preview(std::string_view name,
                                                          MemberType Struct::* member,
                                                          std::size_t length,
                                                          Level from = Level::minimal) {
  return field(name, member, from).preview(length);
}

template <class... All>
[[nodiscard]] constexpr Fields<All...> fields(All... all) {
  return {{all...}};
}
/// Members without field() do not compile: function arguments do not tell their names.
template <class... All>
  requires(std::is_member_pointer_v<All> || ...)
[[nodiscard]] constexpr auto fields(All... /*all*/) {
  detail::reject_bare_member<All...>();
  return Fields<>{};
}

/// Declares members under their own names, without options.
template <auto... members>
  requires(sizeof...(members) > 0)
[[nodiscard]] constexpr auto fields() {
  return fields(field<members>()...);
}

namespace detail {

template <class T>
concept WithFields = requires { requires is_fields<std::remove_cvref_t<decltype(T::fields())>>; };
template <class T>
concept WithArguments =
    requires { requires is_fields<std::remove_cvref_t<decltype(T::arguments())>>; };

}  // namespace detail

/// A type with a declaration: `fields()`, or `arguments()` for one that is only read.
template <class T>
concept Declared = detail::WithFields<T> || detail::WithArguments<T>;

namespace detail {

/// What fields() returns, or arguments() if there is no fields().
template <Declared T>
[[nodiscard]] constexpr auto declaration_of() {
  if constexpr (WithFields<T>) {
    return T::fields();
  } else {
    return T::arguments();
  }
}

template <Declared T>
inline constexpr auto fields_of = declaration_of<T>();

/// Calls visit(field) for every declared field, in order.
template <Declared T, class Visit>
constexpr void each(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, fields_of<T>.all);
}

/// For static_assert in the branch of a type that no other branch handles.
template <class>
inline constexpr bool unsupported = false;

}  // namespace detail
}  // namespace enfold::level
