// SPDX-License-Identifier: Apache-2.0
// The input schema of declared arguments.
#pragma once

#include "enfold/json/pointer.h"
#include "enfold/level/schema_of.h"
#include "enfold/tools/declare/arguments.h"

#include <limits>

namespace enfold::tools {
namespace detail {

using level::detail::is_map;
using level::detail::is_optional;
using level::detail::is_set;
using level::detail::is_text;
using level::detail::is_variant;
using level::detail::ListLike;
using level::detail::NamedEnum;
using level::detail::Whole;

/// Calls visit(std::type_identity<One>) for each type of the variant T.
template <class T, class Visit>
void each_alternative(Visit visit) {
  [&]<class... All>(std::type_identity<std::variant<All...>>) {
    (visit(std::type_identity<All>()), ...);
  }(std::type_identity<T>());
}

/// A struct whose schema is being written, and where that is in the whole schema. A struct that
/// contains itself refers to this place.
struct SchemaScope {
  const void* type;          ///< identifies the struct
  std::string place;         ///< JSON Pointer
  const SchemaScope* outer;  ///< the struct around this one; nullptr: none
};
/// Its address identifies the type T.
template <class T>
inline constexpr char type_tag = 0;

template <Declares T>
void write_object_schema(json::Writer& writer, const SchemaScope* outer, const std::string& place);

inline constexpr double kExactDouble = 9e15;  ///< below 2^53: a double holds such integers exactly

/// Writes a limit; an integer without a decimal point.
inline void write_limit(json::Writer& writer, std::string_view key, double limit) {
  writer.key(key);
  const bool is_small = limit > -kExactDouble && limit < kExactDouble;
  if (is_small && static_cast<double>(static_cast<std::int64_t>(limit)) == limit) {
    writer.integer(static_cast<std::int64_t>(limit));
  } else {
    writer.real(limit);
  }
}

/// Writes the limits that an argument declares. Where it declares none, an integer has those of its
/// C++ type up to 32 bits, and an unsigned type has the minimum 0.
template <class T>
void write_limits(json::Writer& writer, std::optional<double> least, std::optional<double> most) {
  using Shown = level::detail::ShownType<T>;
  const auto write = [&](std::string_view min, std::string_view max) {
    if (least) write_limit(writer, min, *least);
    if (most) write_limit(writer, max, *most);
  };
  if constexpr (is_text<Shown>) {
    write("minLength", "maxLength");
  } else if constexpr (ListLike<Shown>) {
    write("minItems", "maxItems");
  } else if constexpr (Whole<Shown>) {
    using Limits = std::numeric_limits<Shown>;
    if (!least && (sizeof(Shown) < 8 || std::is_unsigned_v<Shown>)) {
      least = static_cast<double>(Limits::min());
    }
    if (!most && sizeof(Shown) < 8) most = static_cast<double>(Limits::max());
    write("minimum", "maximum");
  } else if constexpr (std::floating_point<Shown>) {
    write("minimum", "maximum");
  }
}

template <class T>
void write_kind(json::Writer& writer, const level::FieldOptions& options, const SchemaScope* outer,
                const std::string& place);

/// Like write_kind, for a value in a list, map or variant, where an empty optional is null and not
/// absent.
template <class T>
void write_element(json::Writer& writer, const level::FieldOptions& options,
                   const SchemaScope* outer, const std::string& place) {
  if constexpr (is_optional<T>) {
    writer.key("anyOf").begin_array().begin_object();
    write_kind<typename T::value_type>(writer, options, outer, place + "/anyOf/0");
    writer.end_object().begin_object().member("type", "null").end_object().end_array();
  } else {
    write_kind<T>(writer, options, outer, place);
  }
}

/// Writes the members of the schema for the type T, at `place` of the whole. Pattern and format of
/// `options` apply to each text of a list.
template <class T>
void write_kind(json::Writer& writer, const level::FieldOptions& options, const SchemaScope* outer,
                const std::string& place) {
  if constexpr (std::is_same_v<T, bool>) {
    writer.member("type", "boolean");
  } else if constexpr (Whole<T>) {
    writer.member("type", "integer");
  } else if constexpr (std::floating_point<T>) {
    writer.member("type", "number");
  } else if constexpr (is_text<T>) {
    writer.member("type", "string");
    if (!options.text_pattern.empty()) writer.member("pattern", options.text_pattern);
    if (!options.text_format.empty()) writer.member("format", options.text_format);
  } else if constexpr (NamedEnum<T>) {
    writer.member("type", "string").key("enum").begin_array();
    for (const std::string_view name : model::Names<T>::values) writer.string(name);
    writer.end_array();
  } else if constexpr (std::is_same_v<T, json::Value>) {
    // Anything.
  } else if constexpr (is_optional<T>) {
    write_kind<typename T::value_type>(writer, options, outer, place);
  } else if constexpr (level::HasAs<T>) {
    level::FieldOptions own = options;
    if constexpr (requires { As<T>::pattern; }) {
      if (own.text_pattern.empty()) own.text_pattern = As<T>::pattern;
    }
    if constexpr (requires { As<T>::format; }) {
      if (own.text_format.empty()) own.text_format = As<T>::format;
    }
    write_kind<typename As<T>::Type>(writer, own, outer, place);
  } else if constexpr (is_variant<T>) {
    writer.key("anyOf").begin_array();
    std::size_t index = 0;
    each_alternative<T>([&]<class One>(std::type_identity<One>) {
      writer.begin_object();
      write_element<One>(writer, {}, outer, place + "/anyOf/" + std::to_string(index++));
      writer.end_object();
    });
    writer.end_array();
  } else if constexpr (ListLike<T>) {
    writer.member("type", "array");
    if (is_set<T>) writer.member("uniqueItems", true);
    if constexpr (!std::is_same_v<typename T::value_type, json::Value>) {
      writer.key("items").begin_object();
      write_element<typename T::value_type>(writer, options, outer, place + "/items");
      writer.end_object();
    }
  } else if constexpr (is_map<T>) {
    writer.member("type", "object").key("additionalProperties");
    if constexpr (std::is_same_v<typename T::mapped_type, json::Value>) {
      writer.boolean(true);
    } else {
      writer.begin_object();
      write_element<typename T::mapped_type>(writer, {}, outer, place + "/additionalProperties");
      writer.end_object();
    }
  } else if constexpr (Declares<T>) {
    write_object_schema<T>(writer, outer, place);
  } else {
    static_assert(level::detail::unsupported<T>, "an argument of this type cannot be read");
  }
}

/// Writes {} for a struct, because its members have defaults of their own.
template <class T>
void write_default(json::Writer& writer, const T& value) {
  if constexpr (Declares<T>) {
    writer.begin_object().end_object();
  } else {
    level::detail::write_value(value, {.level = level::Level::full, .leaves_out_empty = false},
                               writer);
  }
}

/// Writes the member `examples`. `is_text`, or an example that is not JSON: as a text.
void write_example(json::Writer& writer, std::string_view example, bool is_text);

/// Writes the members of the schema of one argument. Pattern and format of a list of texts belong
/// to each text, so write_kind writes them.
template <class Held>
void write_argument(json::Writer& writer, const level::FieldOptions& argument,
                    const SchemaScope* outer, const std::string& place) {
  constexpr bool each_text = ListLike<level::detail::ShownType<Held>> &&
                             is_text<typename level::detail::EachOf<Held>::Type>;
  write_kind<Held>(writer, each_text ? argument : level::FieldOptions{}, outer, place);
  write_limits<Held>(writer, argument.least, argument.most);
  if (!each_text && !argument.text_pattern.empty()) {
    writer.member("pattern", argument.text_pattern);
  }
  if (!each_text && !argument.text_format.empty()) writer.member("format", argument.text_format);
  level::detail::write_description<Held>(argument.description, writer);
  if (!argument.example_text.empty()) {
    using Shown = level::detail::ShownType<Held>;
    write_example(writer, argument.example_text, is_text<Shown> || NamedEnum<Shown>);
  }
  if (!argument.header_name.empty()) writer.member("x-mcp-header", argument.header_name);
}

template <Declares T>
void write_object_schema(json::Writer& writer, const SchemaScope* outer, const std::string& place) {
  for (const SchemaScope* one = outer; one != nullptr; one = one->outer) {
    if (one->type != &type_tag<T>) continue;
    writer.member("$ref", "#" + one->place);
    return;
  }
  const SchemaScope scope{&type_tag<T>, place, outer};
  const T defaults = unread<T>();
  writer.member("type", "object").key("properties").begin_object();
  bool any_required = false;
  each_argument<T>([&](const auto& argument) {
    using Held = typename std::remove_cvref_t<decltype(argument)>::Held;
    writer.key(argument.name).begin_object();
    write_argument<Held>(writer, argument, &scope,
                         json::below(place + "/properties", argument.name));
    if constexpr (!is_optional<Held>) {
      if (argument.has_default) write_default(writer.key("default"), defaults.*argument.member);
      any_required = any_required || !argument.has_default;
    }
    writer.end_object();
  });
  writer.end_object();
  if (any_required) {
    writer.key("required").begin_array();
    each_argument<T>([&](const auto& argument) {
      using Held = typename std::remove_cvref_t<decltype(argument)>::Held;
      if (!is_optional<Held> && !argument.has_default) writer.string(argument.name);
    });
    writer.end_array();
  }
  writer.member("additionalProperties", false);
}

}  // namespace detail

/// The JSON Schema of what can be read into a T.
template <Declares T>
[[nodiscard]] json::Value input_schema_of() {
  json::Writer writer;
  if constexpr (detail::RequestFault<T>::report()) {
    writer.begin_object();
    detail::write_object_schema<T>(writer, nullptr, "");
    writer.end_object();
  }
  return std::move(writer).finish_value();
}

}  // namespace enfold::tools
