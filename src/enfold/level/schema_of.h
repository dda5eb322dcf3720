// SPDX-License-Identifier: Apache-2.0
// Derives the JSON Schema (2020-12) of a declared response. It contains no $ref, so that it can be
// embedded in the schema of an envelope.
#pragma once

#include "enfold/level/render.h"

namespace enfold::level {
namespace detail {

/// The levels whose answers the schema accepts, both included, and how these answers are rendered.
struct LevelRange {
  Level lowest;
  Level highest;
  RenderOptions options;
};

/// Whether a T may be null, [] or {} in an answer, which RenderOptions::prune_up_to leaves out.
template <class T>
[[nodiscard]] constexpr bool may_be_empty(const LevelRange& range);

/// Whether every answer at these levels shows the field.
template <class S, class F>
[[nodiscard]] constexpr bool is_always_there(const F& field, const LevelRange& range) {
  using Value = MemberValue<decltype(field.member), S>;
  if (field.from > range.lowest) return false;
  if (field.is_required) return true;
  if (is_optional<Value> || may_be_non_finite<Value>) return false;
  if (!std::is_same_v<decltype(field.condition), Always>) return false;
  return !leaves_out_empty(range.options, range.lowest) || !may_be_empty<Value>(range);
}

template <class T>
[[nodiscard]] constexpr bool may_be_empty(const LevelRange& range) {
  if constexpr (Declared<T>) {
    bool empty = true;
    each<T>([&](const auto& field) { empty = empty && !is_always_there<T>(field, range); });
    return empty;
  } else {
    return std::is_same_v<T, json::Value> || ListLike<T> || is_map<T>;
  }
}

/// Writes the members of the schema of T; none if T can be any value. `Outer`: the types that
/// contain T, innermost first. T is recursive if it is one of them.
template <class T, class... Outer>
void write_type(const LevelRange& range, json::Writer& writer);

/// Writes the schema of T as one object.
template <class T, class... Outer>
void write_schema(const LevelRange& range, json::Writer& writer) {
  writer.begin_object();
  write_type<T, Outer...>(range, writer);
  writer.end_object();
}

/// Writes the members of a schema that accepts a T or null.
template <class T, class... Outer>
void write_nullable(const LevelRange& range, json::Writer& writer) {
  writer.key("anyOf").begin_array();
  write_schema<T, Outer...>(range, writer);
  writer.begin_object().member("type", "null").end_object();
  writer.end_array();
}

/// Writes the schema of an item of a list or a map. An item that is NaN or infinity cannot be left
/// out and is written as null, so the schema accepts null; with anyOf and not "type": ["number",
/// "null"], because some clients support only one type per schema.
template <class T, class... Outer>
void write_element(const LevelRange& range, json::Writer& writer) {
  if constexpr (may_be_non_finite<T>) {
    writer.begin_object();
    write_nullable<T, Outer...>(range, writer);
    writer.end_object();
  } else {
    write_schema<T, Outer...>(range, writer);
  }
}

/// The type of a value that is not absent: T without its optional.
template <class T>
struct Present {
  using Type = T;
};
template <class T>
struct Present<std::optional<T>> {
  using Type = T;
};

/// The description and the unit as sentences of one text: "How long to wait. In seconds." The unit
/// is left out if the description names it.
[[nodiscard]] std::string with_unit(std::string_view description, std::string_view unit);

/// Writes the description of a field, or that of its type T if the field has none.
template <class T>
void write_description(std::string_view description, json::Writer& writer) {
  using Type = typename Present<T>::Type;
  if constexpr (requires { As<Type>::description; }) {
    if (description.empty()) description = As<Type>::description;
  }
  if constexpr (requires { As<Type>::unit; }) {
    const std::string text = with_unit(description, As<Type>::unit);
    if (!text.empty()) writer.member("description", text);
  } else if (!description.empty()) {
    writer.member("description", description);
  }
}

/// Writes the pattern and format that As<T> has for the texts of a T.
template <HasAs T>
void write_annotations(json::Writer& writer) {
  if constexpr (requires { As<T>::pattern; }) writer.member("pattern", As<T>::pattern);
  if constexpr (requires { As<T>::format; }) writer.member("format", As<T>::format);
}

template <class S, class... Outer>
void write_object_type(const LevelRange& range, json::Writer& writer) {
  writer.member("type", "object");
  writer.key("properties").begin_object();
  bool any_required = false;
  each<S>([&](const auto& field) {
    using Value = MemberValue<decltype(field.member), S>;
    if (field.from > range.highest) return;
    any_required = any_required || is_always_there<S>(field, range);
    // The value is rendered only at levels that show the field.
    const LevelRange inner{std::max(range.lowest, field.from), range.highest, range.options};
    writer.key(field.name).begin_object();
    if constexpr (is_optional<Value> || may_be_non_finite<Value>) {
      using Inner = typename Present<Value>::Type;
      field.is_required ? write_nullable<Inner, S, Outer...>(inner, writer)
                        : write_type<Inner, S, Outer...>(inner, writer);
    } else {
      write_type<Value, S, Outer...>(inner, writer);
    }
    write_description<Value>(field.description, writer);
    writer.end_object();
  });
  writer.end_object();
  if (!any_required) return;
  writer.key("required").begin_array();
  each<S>([&](const auto& field) {
    if (is_always_there<S>(field, range)) writer.string(field.name);
  });
  writer.end_array();
}

template <class T, class... Outer>
void write_type(const LevelRange& range, json::Writer& writer) {
  if constexpr (std::is_same_v<T, bool>) {
    writer.member("type", "boolean");
  } else if constexpr (Whole<T>) {
    writer.member("type", "integer");
    if (std::unsigned_integral<T>) writer.key("minimum").integer(0);
  } else if constexpr (std::floating_point<T>) {
    writer.member("type", "number");
  } else if constexpr (is_text<T>) {
    writer.member("type", "string");
  } else if constexpr (NamedEnum<T>) {
    writer.member("type", "string").key("enum").begin_array();
    for (const std::string_view name : model::Names<T>::values) writer.string(name);
    writer.end_array();
  } else if constexpr (std::is_same_v<T, json::Value>) {
    // Anything.
  } else if constexpr (is_optional<T>) {
    write_nullable<typename T::value_type, Outer...>(range, writer);
  } else if constexpr (HasAs<T>) {
    write_type<typename As<T>::Type, Outer...>(range, writer);
    write_annotations<T>(writer);
  } else if constexpr (is_variant<T>) {
    writer.key("anyOf").begin_array();
    [&]<class... All>(std::type_identity<std::variant<All...>>) {
      (write_schema<All, Outer...>(range, writer), ...);
    }(std::type_identity<T>());
    writer.end_array();
  } else if constexpr (ListLike<T>) {
    writer.member("type", "array");
    if (is_set<T>) writer.member("uniqueItems", true);
    if constexpr (!std::is_same_v<typename T::value_type, json::Value>) {
      write_element<typename T::value_type, Outer...>(range, writer.key("items"));
    }
  } else if constexpr (is_map<T>) {
    writer.member("type", "object").key("additionalProperties");
    if constexpr (std::is_same_v<typename T::mapped_type, json::Value>) {
      writer.boolean(true);  // some clients reject an empty schema
    } else {
      write_element<typename T::mapped_type, Outer...>(range, writer);
    }
  } else if constexpr ((std::is_same_v<T, Outer> || ...)) {
    // T contains itself: it is described where it first occurs, and not again inside itself.
    writer.member("type", "object");
  } else if constexpr (Declared<T>) {
    write_object_type<T, Outer...>(range, writer);
  } else {
    static_assert(unsupported<T>, "a response field of this type cannot be described");
  }
}

template <class Response>
[[nodiscard]] json::Value schema_over(const LevelRange& range) {
  json::Writer writer;
  if constexpr (demand_declared<Response>()) write_schema<Response>(range, writer);
  return std::move(writer).finish_value();
}

}  // namespace detail

/// Accepts answers of any level; a member is required if all of them show it. Tools announce this
/// schema, because callers choose the level per call. `options`: those of the answers.
template <class Response>
[[nodiscard]] json::Value schema_of(const RenderOptions& options = {}) {
  return detail::schema_over<Response>({Level::minimal, Level::full, options});
}

/// Accepts answers of this level.
template <class Response>
[[nodiscard]] json::Value schema_of(Level level, const RenderOptions& options = {}) {
  return detail::schema_over<Response>({level, level, options});
}

}  // namespace enfold::level
