// SPDX-License-Identifier: Apache-2.0
// Finds the first mistake in a declaration at compile time, so that the compiler prints one error
// that names the member. Nested declarations are checked, too. Nothing else is instantiated for a
// declaration that has a fault.
#pragma once

#include "enfold/level/fields.h"

namespace enfold::level::detail {

/// No fault. The faults follow: each has a report() that does not compile, with a message for the
/// author. `At`: the member or struct that the error names.
struct NoFault {
  static constexpr bool report() { return true; }
};
/// A fault that field() has reported already.
struct ReportedFault {
  static constexpr bool report() { return false; }
};
template <class At>
struct RawJsonFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{}, "raw JSON cannot be a response: declare a struct with fields()");
    return false;
  }
};
template <class At>
struct UndeclaredResponseFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        Wrong<At>{},
        "a response type must declare its fields: static constexpr auto fields() { return "
        "server::fields<&Response::member>(); }; for a text, return server::Text");
    return false;
  }
};
template <class At>
struct UndeclaredRequestFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        Wrong<At>{},
        "a struct that is read declares its members: static constexpr auto fields() { return "
        "server::fields<&Request::member>(); }");
    return false;
  }
};
template <class At>
struct NotConstexprFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{}, "fields() is constexpr: static constexpr auto fields() { ... }");
    return false;
  }
};
template <class At>
struct NameTwiceFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{}, "a struct declares each field name once");
    return false;
  }
};
template <class At>
struct RequiredConditionFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{}, "a required field cannot have a condition");
    return false;
  }
};
template <class At>
struct FunctionReadFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{}, "a request is read into data members, not into functions");
    return false;
  }
};
template <class At>
struct ForeignFieldFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{}, "a struct declares its own members, not those of another struct");
    return false;
  }
};
template <class At>
struct ViewReadFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{}, "a text that is read is a std::string, not a std::string_view");
    return false;
  }
};
template <class At>
struct WithoutFromFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        Wrong<At>{},
        "enfold::As of a type that is read has `static T from(const Type&)`, which may also "
        "return an optional or a Result");
    return false;
  }
};
template <class At>
struct WithoutToFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{},
                  "enfold::As of a type that is written has `static Type to(const T&)`");
    return false;
  }
};
template <class At>
struct NoDefaultFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{}, "a struct that is read can be made without arguments");
    return false;
  }
};
template <class At>
struct CheckSignatureFault {
  static constexpr bool report() {
    ENFOLD_REJECT(Wrong<At>{},
                  "check() of a request is `void check(server::Problems& problems) const`");
    return false;
  }
};

/// `First`, or `Second` if `First` is no fault.
template <class First, class Second>
using EarlierFault = std::conditional_t<std::is_same_v<First, NoFault>, Second, First>;
template <class First, class Second>
constexpr EarlierFault<First, Second> operator|(First, Second) {
  return {};
}

/// What a declaration is for (`Use` below): writing. tools::detail::Reading is the other use.
struct Writing {
  static constexpr bool reads = false;
  template <class T>
  static constexpr bool has_wrong_check = false;  ///< only a T that is read has a check()
};

/// The fields of T that are read or written: arguments() or fields().
template <class Use, Declared T>
[[nodiscard]] constexpr auto declaration_for() {
  if constexpr (Use::reads && WithArguments<T>) {
    return T::arguments();
  } else {
    return declaration_of<T>();
  }
}

/// Whether the declaration is a constant expression.
template <class Use, class T>
concept ConstantDeclaration =
    requires { typename std::bool_constant<(declaration_for<Use, T>(), true)>; };

/// Calls visit(field) for each field that is read or written, in order. A request also has the
/// fields of page_fields() (server::PageRequest).
template <class Use, Declared T, class Visit>
constexpr void each_for(Visit&& visit) {
  constexpr auto declared = declaration_for<Use, T>();
  std::apply([&](const auto&... field) { (visit(field), ...); }, declared.all);
  if constexpr (Use::reads && requires { T::page_fields(); }) {
    constexpr auto more = T::page_fields();
    std::apply([&](const auto&... field) { (visit(field), ...); }, more.all);
  }
}

inline constexpr std::size_t kNoField = static_cast<std::size_t>(-1);

/// The index of the first declared field whose name occurs twice: of the later one, or of the only
/// one that is declared, if the other is one of page_fields(). kNoField: the names are unique.
template <class Use, Declared T>
[[nodiscard]] constexpr std::size_t field_named_twice() {
  constexpr std::size_t own = std::tuple_size_v<decltype(declaration_for<Use, T>().all)>;
  std::size_t found = kNoField;
  std::size_t index = 0;
  each_for<Use, T>([&](const auto& field) {
    std::size_t other = 0;
    each_for<Use, T>([&](const auto& before) {
      if (found == kNoField && other < index && before.name == field.name) {
        found = index < own ? index : other;
      }
      ++other;
    });
    ++index;
  });
  return found;
}

/// The index of the first required field that has a condition; kNoField: none.
template <Declared T>
[[nodiscard]] constexpr std::size_t required_field_with_condition() {
  std::size_t found = kNoField;
  std::size_t index = 0;
  each<T>([&](const auto& field) {
    using Condition = std::remove_cvref_t<decltype(field.condition)>;
    const bool is_wrong = field.is_required && !std::is_same_v<Condition, Always>;
    if (found == kNoField && is_wrong) found = index;
    ++index;
  });
  return found;
}

template <class Struct, class MemberType, class Condition, auto named>
Member<Struct, named, typename Field<Struct, MemberType, Condition, named>::Held> place_of(
    const Field<Struct, MemberType, Condition, named>& field);
/// The Member that the field at this index of a declaration is for.
template <class All, std::size_t index>
using PlaceAt = decltype(place_of(std::get<index>(std::declval<const All&>().all)));

template <class T>
concept ReadsAs = requires(const typename As<T>::Type& value) { As<T>::from(value); };
template <class T>
concept WritesAs = requires(const T& value) {
  { As<T>::to(value) } -> std::convertible_to<typename As<T>::Type>;
};

/// Whether a T contains no other declared types.
template <class T>
inline constexpr bool is_simple = std::is_same_v<T, bool> || Whole<T> || std::floating_point<T> ||
                                  is_text<T> || NamedEnum<T> || std::is_same_v<T, json::Value>;

/// The first fault of a struct and of everything in it. `Place`: the member or struct that errors
/// name. `Outer`: the structs that contain it, so that a recursive struct ends.
template <class Use, class T, class Place, class... Outer>
[[nodiscard]] constexpr auto struct_fault();

/// The first fault of the type of a value.
template <class Use, class T, class Place, class... Outer>
[[nodiscard]] constexpr auto value_fault() {
  if constexpr (is_simple<T>) {
    using Fault = std::conditional_t<Use::reads && std::is_same_v<T, std::string_view>,
                                     ViewReadFault<Place>, NoFault>;
    return Fault{};
  } else if constexpr (is_optional<T>) {
    return value_fault<Use, typename T::value_type, Place, Outer...>();
  } else if constexpr (HasAs<T>) {
    if constexpr (Use::reads && !ReadsAs<T>) {
      return WithoutFromFault<Place>{};
    } else if constexpr (!Use::reads && !WritesAs<T>) {
      return WithoutToFault<Place>{};
    } else {
      return value_fault<Use, typename As<T>::Type, Place, Outer...>();
    }
  } else if constexpr (is_variant<T>) {
    return []<class... All>(std::type_identity<std::variant<All...>>) {
      return (NoFault{} | ... | value_fault<Use, All, Place, Outer...>());
    }(std::type_identity<T>());
  } else if constexpr (ListLike<T>) {
    return value_fault<Use, typename T::value_type, Place, Outer...>();
  } else if constexpr (is_map<T>) {
    return value_fault<Use, typename T::mapped_type, Place, Outer...>();
  } else if constexpr ((std::is_same_v<T, Outer> || ...)) {
    return NoFault{};
  } else if constexpr (can_be_field<T>()) {
    return struct_fault<Use, T, Place, Outer...>();
  } else {
    return ReportedFault{};
  }
}

/// The first fault of a field that the struct S declares.
template <class Use, class S, class... Outer, class Struct, class MemberType, class Condition,
          auto named>
[[nodiscard]] constexpr auto field_fault(
    std::type_identity<Field<Struct, MemberType, Condition, named>> /*field*/) {
  using Held = typename Field<Struct, MemberType, Condition, named>::Held;
  using Place = Member<Struct, named, Held>;
  if constexpr (!std::is_base_of_v<Struct, S>) {
    return ForeignFieldFault<Place>{};
  } else if constexpr (Use::reads && !std::is_member_object_pointer_v<MemberType Struct::*>) {
    return FunctionReadFault<Place>{};
  } else {
    return value_fault<Use, Held, Place, S, Outer...>();
  }
}

template <class Use, class T, class Place, class... Outer>
[[nodiscard]] constexpr auto struct_fault() {
  if constexpr (!Declared<T>) {
    return std::conditional_t<Use::reads, UndeclaredRequestFault<Place>,
                              UndeclaredResponseFault<Place>>{};
  } else if constexpr (!ConstantDeclaration<Use, T>) {
    return NotConstexprFault<T>{};
  } else if constexpr (constexpr std::size_t twice = field_named_twice<Use, T>();
                       twice != kNoField) {
    return NameTwiceFault<PlaceAt<decltype(declaration_for<Use, T>()), twice>>{};
  } else if constexpr (constexpr std::size_t wrong = required_field_with_condition<T>();
                       !Use::reads && wrong != kNoField) {
    return RequiredConditionFault<PlaceAt<decltype(declaration_of<T>()), wrong>>{};
  } else if constexpr (Use::reads && !std::is_default_constructible_v<T>) {
    return NoDefaultFault<T>{};
  } else if constexpr (Use::template has_wrong_check<T>) {
    return CheckSignatureFault<T>{};
  } else {
    return []<class... All>(std::type_identity<Fields<All...>>) {
      return (NoFault{} | ... |
              field_fault<Use, T, Outer...>(std::type_identity<std::remove_const_t<All>>{}));
    }(std::type_identity<decltype(declaration_for<Use, T>())>{});
  }
}

/// The fault of a request or response. `Place`: what errors name.
template <class Use, class T, class Place>
[[nodiscard]] constexpr auto declaration_fault() {
  if constexpr (std::is_same_v<T, json::Value> || std::is_same_v<T, json::View> ||
                std::is_same_v<T, json::Document> || std::is_same_v<T, json::Output>) {
    return RawJsonFault<Place>{};
  } else if constexpr (is_variant<T>) {
    return []<class... All>(std::type_identity<std::variant<All...>>) {
      return (NoFault{} | ... | struct_fault<Use, All, Place>());
    }(std::type_identity<T>());
  } else {
    return struct_fault<Use, T, Place>();
  }
}
template <class Use, class T, class Place = T>
using DeclarationFault = decltype(declaration_fault<Use, T, Place>());

/// Whether a response type can be written; does not compile, with the reason, if it cannot.
template <class T>
[[nodiscard]] constexpr bool demand_declared() {
  return DeclarationFault<Writing, T>::report();
}

}  // namespace enfold::level::detail
