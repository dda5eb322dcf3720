// SPDX-License-Identifier: Apache-2.0
// The input schema of declared arguments, and the parser. A call is checked against the schema
// first, so the parser gets only values of the right type. An integer that does not fit its C++
// type, and what As<T> or the request's own check refuses, is reported as a problem.
#pragma once

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/level/schema_of.h"
#include "enfold/schema/schema.h"
#include "enfold/tools/declare/arguments.h"

#include <limits>

namespace enfold::tools {

/// An argument that does not match its declaration.
struct Problem {
  std::string place;     ///< JSON Pointer into the arguments
  std::string expected;  ///< X of "expected X, found Y"
  std::string found;     ///< Y
  schema::Violation::Kind kind = schema::Violation::Kind::other;
  std::string member{};    ///< the name of an unknown or missing argument
  std::string rule{};      ///< JSON Pointer to the keyword that does not hold, in the schema
  json::Value received{};  ///< what a request's own check reports; null: the value at `place`
  friend bool operator==(const Problem&, const Problem&) = default;
};

[[nodiscard]] inline Problem problem_of(const schema::Violation& violation) {
  return {violation.instance,
          violation.expected,
          violation.found,
          violation.kind,
          violation.member,
          violation.schema.substr(std::min(violation.schema.find('#'), violation.schema.size())),
          {}};
}

/// Collects what a request's own check refuses:
///   void check(server::Problems& problems) const {
///     if (from > to) problems.add("from", "a date before `to`", from);
///   }
/// All problems are reported at once, like those that the schema finds.
class Problems {
 public:
  explicit Problems(std::vector<Problem>& out) : out_(&out) {}

  /// `field`: the name of a member, or `filter.from` for a nested one. `constraint`: the name of
  /// the rule, for the details of the failure.
  template <class Received>
  void add(std::string_view field, std::string_view expected, const Received& received,
           std::string_view constraint = "check") {
    json::Writer writer;
    level::detail::write_value(as_field(received), {level::Level::full, false}, writer);
    add_found(field, expected, std::move(writer).finish_value(), constraint);
  }
  void add(std::string_view field, std::string_view expected) {
    add_found(field, expected, {}, "check");
  }
  [[nodiscard]] bool empty() const { return out_->empty(); }

 private:
  template <class T>
  static decltype(auto) as_field(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return std::string_view(value);
    } else {
      return (value);
    }
  }
  void add_found(std::string_view field, std::string_view expected, const json::Value& received,
                 std::string_view constraint);
  std::vector<Problem>* out_;
};

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

template <Declares T>
void write_object_schema(json::Writer& writer);

inline constexpr double kExactDouble = 9e15;  ///< below 2^53, up to which a double is exact

inline void write_limit(json::Writer& writer, std::string_view key, double limit) {
  writer.key(key);
  const bool is_small = limit > -kExactDouble && limit < kExactDouble;
  if (is_small && static_cast<double>(static_cast<std::int64_t>(limit)) == limit) {
    writer.integer(static_cast<std::int64_t>(limit));
  } else {
    writer.real(limit);
  }
}

/// An argument also has the limits of a C++ integer type up to 32 bits, and the 0 of unsigned
/// types.
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

/// Writes the members of the schema for the type T. Pattern and format of `options` apply to each
/// text of a list.
template <class T>
void write_kind(json::Writer& writer, const level::FieldOptions& options) {
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
    write_kind<typename T::value_type>(writer, options);
  } else if constexpr (level::HasAs<T>) {
    level::FieldOptions own = options;
    if constexpr (requires { As<T>::pattern; }) {
      if (own.text_pattern.empty()) own.text_pattern = As<T>::pattern;
    }
    if constexpr (requires { As<T>::format; }) {
      if (own.text_format.empty()) own.text_format = As<T>::format;
    }
    write_kind<typename As<T>::Type>(writer, own);
  } else if constexpr (is_variant<T>) {
    writer.key("anyOf").begin_array();
    each_alternative<T>([&]<class One>(std::type_identity<One>) {
      writer.begin_object();
      write_kind<One>(writer, {});
      writer.end_object();
    });
    writer.end_array();
  } else if constexpr (ListLike<T>) {
    writer.member("type", "array");
    if (is_set<T>) writer.member("uniqueItems", true);
    if constexpr (!std::is_same_v<typename T::value_type, json::Value>) {
      writer.key("items").begin_object();
      write_kind<typename T::value_type>(writer, options);
      writer.end_object();
    }
  } else if constexpr (is_map<T>) {
    writer.member("type", "object").key("additionalProperties");
    if constexpr (std::is_same_v<typename T::mapped_type, json::Value>) {
      writer.boolean(true);
    } else {
      writer.begin_object();
      write_kind<typename T::mapped_type>(writer, {});
      writer.end_object();
    }
  } else if constexpr (Declares<T>) {
    write_object_schema<T>(writer);
  } else {
    static_assert(level::detail::unsupported<T>, "an argument of this type cannot be read");
  }
}

template <class T>
void write_default(json::Writer& writer, const T& value) {
  if constexpr (Declares<T>) {
    writer.begin_object().end_object();
  } else {
    level::detail::write_value(value, {level::Level::full, false}, writer);
  }
}

/// An example that is not JSON is shown as text.
void write_example(json::Writer& writer, std::string_view example, bool is_text);

/// Writes the members of the schema of one argument. Pattern and format of a list of texts belong
/// to each text, so write_kind writes them.
template <class Held>
void write_argument(json::Writer& writer, const level::FieldOptions& argument) {
  constexpr bool each_text = ListLike<level::detail::ShownType<Held>> &&
                             is_text<typename level::detail::EachOf<Held>::Type>;
  write_kind<Held>(writer, each_text ? argument : level::FieldOptions{});
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
void write_object_schema(json::Writer& writer) {
  static_assert(argument_names_are_unique<T>(), "a request declares each argument name once");
  const T defaults = unread<T>();
  writer.member("type", "object").key("properties").begin_object();
  bool any_required = false;
  each_argument<T>([&](const auto& argument) {
    using Held = typename std::remove_cvref_t<decltype(argument)>::Held;
    static_assert(std::is_member_object_pointer_v<decltype(argument.member)>,
                  "a request is read into data members, not into functions");
    writer.key(argument.name).begin_object();
    write_argument<Held>(writer, argument);
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

/// For a number that its C++ type cannot hold.
[[nodiscard]] Problem out_of_range(std::string place, json::View found);
/// For a value that As<T>, or every alternative of a variant, refuses.
[[nodiscard]] Problem not_read(std::string place, std::string_view expected, json::View found);

template <Declares T>
void read_object(json::View value, const std::string& place, T& out,
                 std::vector<Problem>& problems);

/// Whether a value can be read into a T, as far as its JSON type and its members tell.
template <class T>
[[nodiscard]] bool accepts(json::View value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value.is_boolean();
  } else if constexpr (Whole<T>) {
    return value.is_number() && value.integer().has_value();
  } else if constexpr (std::floating_point<T>) {
    return value.is_number();
  } else if constexpr (is_text<T>) {
    return value.is_string();
  } else if constexpr (NamedEnum<T>) {
    return value.is_string() && model::from_name<T>(value.string()).has_value();
  } else if constexpr (std::is_same_v<T, json::Value>) {
    return true;
  } else if constexpr (is_optional<T>) {
    return value.is_null() || accepts<typename T::value_type>(value);
  } else if constexpr (level::HasAs<T>) {
    return accepts<typename As<T>::Type>(value);
  } else if constexpr (ListLike<T>) {
    return value.is_array();
  } else if constexpr (is_map<T>) {
    return value.is_object();
  } else {
    bool all = value.is_object();
    std::size_t known = 0;
    each_argument<T>([&](const auto& argument) {
      using Held = typename std::remove_cvref_t<decltype(argument)>::Held;
      const auto given = all ? value.find(argument.name) : std::nullopt;
      known += given ? 1 : 0;
      all = all && (given ? accepts<Held>(*given) : is_optional<Held> || argument.has_default);
    });
    return all && known == value.size();
  }
}

/// Reads a value of As<T>::Type and converts it by As<T>::from.
template <class T>
void read_converted(json::View value, const std::string& place, T& out,
                    std::vector<Problem>& problems);

template <class T>
void read_value(json::View value, const std::string& place, T& out,
                std::vector<Problem>& problems) {
  if constexpr (std::is_same_v<T, bool>) {
    out = value.boolean();
  } else if constexpr (Whole<T>) {
    std::optional<std::int64_t> number = value.integer();
    // 3.0 and 3e0 are integers too.
    if (const auto real = value.real();
        !number && real && *real > -kExactDouble && *real < kExactDouble) {
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
  } else if constexpr (NamedEnum<T>) {
    out = model::from_name<T>(value.string()).value_or(out);
  } else if constexpr (std::is_same_v<T, json::Value>) {
    out = json::Value(value);
  } else if constexpr (is_optional<T>) {
    if (value.is_null()) return;
    read_value(value, place, out.emplace(), problems);
  } else if constexpr (level::HasAs<T>) {
    read_converted(value, place, out, problems);
  } else if constexpr (is_variant<T>) {
    bool read = false;
    each_alternative<T>([&]<class One>(std::type_identity<One>) {
      if (read || !accepts<One>(value)) return;
      read = true;
      read_value(value, place, out.template emplace<One>(), problems);
    });
    if (!read) problems.push_back(not_read(place, "one of the alternatives", value));
  } else if constexpr (ListLike<T>) {
    out.clear();
    std::size_t index = 0;
    for (const json::View item : value.items()) {
      typename T::value_type read{};
      read_value(item, place + "/" + std::to_string(index++), read, problems);
      out.insert(out.end(), std::move(read));
    }
  } else if constexpr (is_map<T>) {
    out.clear();
    for (const json::Member& member : value.members()) {
      const std::string key = member.key.string();
      read_value(member.value, json::below(place, key), out[key], problems);
    }
  } else {
    read_object(value, place, out, problems);
  }
}

template <class T>
void read_converted(json::View value, const std::string& place, T& out,
                    std::vector<Problem>& problems) {
  typename As<T>::Type read{};
  const std::size_t before = problems.size();
  read_value(value, place, read, problems);
  if (problems.size() > before) return;
  auto made = As<T>::from(read);
  if constexpr (std::is_convertible_v<decltype(made), T>) {
    out = std::move(made);
  } else if (made) {
    out = std::move(*made);
  } else if constexpr (requires { made.error().message; }) {
    problems.push_back(not_read(place, made.error().message, value));
  } else {
    problems.push_back(not_read(place, "a valid value", value));
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

/// `value` has been checked against input_schema_of<T>(). A T with `check(Problems&)` checks itself
/// when everything else is right.
template <Declares T>
[[nodiscard]] T read_arguments(json::View value, std::vector<Problem>& problems) {
  T out = detail::unread<T>();
  detail::read_object(value, "", out, problems);
  if constexpr (requires(const T& request, Problems& found) { request.check(found); }) {
    Problems found(problems);
    if (problems.empty()) std::as_const(out).check(found);
  }
  return out;
}

}  // namespace enfold::tools
