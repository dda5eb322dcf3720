// SPDX-License-Identifier: Apache-2.0
// The input schema of declared arguments, and the parser. A call is checked against the schema
// first, so the parser gets only values of the right type. An integer that does not fit its C++
// type is reported as a problem.
#pragma once

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/schema/schema.h"
#include "enfold/tools/declare/arguments.h"

#include <cmath>
#include <concepts>
#include <limits>

namespace enfold::tools {

/// An argument that does not match its declaration.
struct Problem {
  std::string place;  ///< JSON Pointer into the arguments
  std::string expected;
  std::string found;
  schema::Violation::Kind kind = schema::Violation::Kind::other;
  std::string member{};  ///< the name of an unknown or missing argument
  std::string rule{};    ///< JSON Pointer to the keyword that does not hold, in the schema
  friend bool operator==(const Problem&, const Problem&) = default;
};

[[nodiscard]] inline Problem problem_of(const schema::Violation& violation) {
  return {violation.instance,
          violation.expected,
          violation.found,
          violation.kind,
          violation.member,
          violation.schema.substr(std::min(violation.schema.find('#'), violation.schema.size()))};
}

namespace detail {

template <class T>
inline constexpr bool is_maybe = false;
template <class T>
inline constexpr bool is_maybe<std::optional<T>> = true;

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class T>
inline constexpr bool is_dictionary = false;
template <class T>
inline constexpr bool is_dictionary<std::map<std::string, T>> = true;

template <class T>
concept Enumerated = std::is_enum_v<T> && requires { model::Names<T>::values; };

template <class T>
concept Whole = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

template <class>
inline constexpr bool cannot_be_argument = false;

template <Declares T>
void write_object_schema(json::Writer& writer);

/// Writes the members of the schema for the type T.
template <class T>
void write_kind(json::Writer& writer) {
  if constexpr (std::is_same_v<T, bool>) {
    writer.member("type", "boolean");
  } else if constexpr (Whole<T>) {
    writer.member("type", "integer");
  } else if constexpr (std::floating_point<T>) {
    writer.member("type", "number");
  } else if constexpr (std::is_same_v<T, std::string>) {
    writer.member("type", "string");
  } else if constexpr (Enumerated<T>) {
    writer.member("type", "string").key("enum").begin_array();
    for (const std::string_view name : model::Names<T>::values) writer.string(name);
    writer.end_array();
  } else if constexpr (std::is_same_v<T, json::Value>) {
    // Anything.
  } else if constexpr (is_maybe<T>) {
    write_kind<typename T::value_type>(writer);
  } else if constexpr (is_list<T>) {
    writer.member("type", "array");
    if constexpr (!std::is_same_v<typename T::value_type, json::Value>) {
      writer.key("items").begin_object();
      write_kind<typename T::value_type>(writer);
      writer.end_object();
    }
  } else if constexpr (is_dictionary<T>) {
    writer.member("type", "object").key("additionalProperties");
    if constexpr (std::is_same_v<typename T::mapped_type, json::Value>) {
      writer.boolean(true);
    } else {
      writer.begin_object();
      write_kind<typename T::mapped_type>(writer);
      writer.end_object();
    }
  } else if constexpr (Declares<T>) {
    write_object_schema<T>(writer);
  } else {
    static_assert(cannot_be_argument<T>,
                  "an argument must be bool, a number, std::string, an enum with model::Names, "
                  "json::Value, a struct with arguments(), or an optional, vector or map of these");
  }
}

inline void write_limit(json::Writer& writer, std::string_view key, double limit) {
  writer.key(key);
  if (std::trunc(limit) == limit && std::abs(limit) < 9e15) {
    writer.integer(static_cast<std::int64_t>(limit));
  } else {
    writer.real(limit);
  }
}

/// The limits of the C++ integer type are limits of the argument, up to 32 bits.
template <class T>
void write_limits(json::Writer& writer, std::optional<double> least, std::optional<double> most) {
  if constexpr (is_maybe<T>) {
    write_limits<typename T::value_type>(writer, least, most);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (least) write_limit(writer, "minLength", *least);
    if (most) write_limit(writer, "maxLength", *most);
  } else if constexpr (is_list<T>) {
    if (least) write_limit(writer, "minItems", *least);
    if (most) write_limit(writer, "maxItems", *most);
  } else if constexpr (Whole<T>) {
    using Limits = std::numeric_limits<T>;
    if (!least && (sizeof(T) < 8 || std::is_unsigned_v<T>)) {
      least = static_cast<double>(Limits::min());
    }
    if (!most && sizeof(T) < 8) most = static_cast<double>(Limits::max());
    if (least) write_limit(writer, "minimum", *least);
    if (most) write_limit(writer, "maximum", *most);
  } else if constexpr (std::floating_point<T>) {
    if (least) write_limit(writer, "minimum", *least);
    if (most) write_limit(writer, "maximum", *most);
  }
}

template <class T>
void write_default(json::Writer& writer, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    writer.boolean(value);
  } else if constexpr (Whole<T>) {
    writer.number(std::to_string(value));
  } else if constexpr (std::floating_point<T>) {
    writer.real(static_cast<double>(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    writer.string(value);
  } else if constexpr (Enumerated<T>) {
    writer.string(model::name(value));
  } else if constexpr (std::is_same_v<T, json::Value>) {
    writer.value(value);
  } else if constexpr (is_list<T>) {
    writer.begin_array();
    for (const auto& item : value) write_default(writer, item);
    writer.end_array();
  } else if constexpr (is_dictionary<T>) {
    writer.begin_object();
    for (const auto& [key, item] : value) write_default(writer.key(key), item);
    writer.end_object();
  } else {
    writer.begin_object().end_object();
  }
}

template <Declares T>
void write_object_schema(json::Writer& writer) {
  static_assert(argument_names_are_unique<T>(), "a request declares each argument name once");
  const T defaults{};
  writer.member("type", "object").key("properties").begin_object();
  bool any_required = false;
  each_argument<T>([&](const auto& argument) {
    using Held = typename std::remove_cvref_t<decltype(argument)>::Held;
    writer.key(argument.name).begin_object();
    write_kind<Held>(writer);
    write_limits<Held>(writer, argument.least, argument.most);
    if (!argument.text_pattern.empty()) writer.member("pattern", argument.text_pattern);
    if (!argument.text_format.empty()) writer.member("format", argument.text_format);
    if (!argument.description.empty()) writer.member("description", argument.description);
    if (!argument.header_name.empty()) writer.member("x-mcp-header", argument.header_name);
    if constexpr (!is_maybe<Held>) {
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
      if (!is_maybe<Held> && !argument.has_default) writer.string(argument.name);
    });
    writer.end_array();
  }
  writer.member("additionalProperties", false);
}

[[nodiscard]] Problem out_of_range(std::string place, json::View found);

template <Declares T>
void read_object(json::View value, const std::string& place, T& out,
                 std::vector<Problem>& problems);

template <class T>
void read_value(json::View value, const std::string& place, T& out,
                std::vector<Problem>& problems) {
  if constexpr (std::is_same_v<T, bool>) {
    out = value.boolean();
  } else if constexpr (Whole<T>) {
    std::optional<std::int64_t> number = value.integer();
    // 3.0 and 3e0 are integers too.
    if (const auto real = value.real(); !number && real && std::abs(*real) < 9e15) {
      number = static_cast<std::int64_t>(*real);
    }
    if (number && std::in_range<T>(*number)) {
      out = static_cast<T>(*number);
    } else {
      problems.push_back(out_of_range(place, value));
    }
  } else if constexpr (std::floating_point<T>) {
    const auto number = value.real();
    number ? void(out = static_cast<T>(*number))
           : void(problems.push_back(out_of_range(place, value)));
  } else if constexpr (std::is_same_v<T, std::string>) {
    out = value.string();
  } else if constexpr (Enumerated<T>) {
    out = model::from_name<T>(value.string()).value_or(out);
  } else if constexpr (std::is_same_v<T, json::Value>) {
    out = json::Value(value);
  } else if constexpr (is_maybe<T>) {
    if (value.is_null()) return;
    read_value(value, place, out.emplace(), problems);
  } else if constexpr (is_list<T>) {
    out.clear();
    std::size_t index = 0;
    for (const json::View item : value.items()) {
      typename T::value_type read{};
      read_value(item, place + "/" + std::to_string(index++), read, problems);
      out.push_back(std::move(read));
    }
  } else if constexpr (is_dictionary<T>) {
    out.clear();
    for (const json::Member& member : value.members()) {
      const std::string key = member.key.string();
      read_value(member.value, json::below(place, key), out[key], problems);
    }
  } else {
    read_object(value, place, out, problems);
  }
}

template <Declares T>
void read_object(json::View value, const std::string& place, T& out,
                 std::vector<Problem>& problems) {
  each_argument<T>([&](const auto& argument) {
    const auto given = value.find(argument.name);
    if (!given) return;
    read_value(*given, json::below(place, argument.name), out.*argument.member, problems);
  });
}

}  // namespace detail

template <Declares T>
[[nodiscard]] json::Value input_schema_of() {
  json::Writer writer;
  writer.begin_object();
  detail::write_object_schema<T>(writer);
  writer.end_object();
  return std::move(writer).finish_value();
}

/// `value` has been checked against input_schema_of<T>().
template <Declares T>
[[nodiscard]] T read_arguments(json::View value, std::vector<Problem>& problems) {
  T out{};
  detail::read_object(value, "", out, problems);
  return out;
}

}  // namespace enfold::tools
