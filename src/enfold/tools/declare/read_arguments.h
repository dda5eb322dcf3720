// SPDX-License-Identifier: Apache-2.0
// Reads declared arguments. A call is checked against the input schema first; reading adds what the
// schema cannot tell: an integer that does not fit its C++ type, what As<T> refuses, and what the
// checks of the request and of the structs in it refuse.
#pragma once

#include "enfold/tools/declare/input_schema.h"
#include "enfold/tools/declare/problems.h"

#include <charconv>

namespace enfold::tools {
namespace detail {

/// Reads a number into `out`; false: it does not fit into the type, and `out` is unchanged.
template <class T>
bool read_number(json::View value, T& out) {
  if constexpr (std::floating_point<T>) {
    // A number that is too small for the type is read as 0, one that is too large is refused.
    const auto real = value.real();
    const std::string_view text = value.number();
    T number{};
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool fits = real && (end.ec == std::errc() || (*real > -1 && *real < 1));
    if (fits) out = number;
    return fits;
  } else {
    T number = 0;
    const std::string_view text = value.number();
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    bool fits = end.ec == std::errc() && end.ptr == text.data() + text.size();
    // 3.0 and 3e0 are integers too.
    if (const auto real = value.real();
        !fits && real && *real > -kExactDouble && *real < kExactDouble) {
      const auto whole = static_cast<std::int64_t>(*real);
      fits = std::in_range<T>(whole) && static_cast<double>(whole) == *real;
      number = static_cast<T>(whole);
    }
    if (fits) out = number;
    return fits;
  }
}

/// Whether a value can be read into a T, as far as its JSON type and its members tell.
template <class T>
[[nodiscard]] bool accepts(json::View value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value.is_boolean();
  } else if constexpr (Whole<T> || std::floating_point<T>) {
    T ignored{};
    return value.is_number() && read_number(value, ignored);
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
  } else if constexpr (is_variant<T>) {
    bool any = false;
    each_alternative<T>(
        [&]<class One>(std::type_identity<One>) { any = any || accepts<One>(value); });
    return any;
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

// The functions below return whether the value, and everything in it, could be read. The list of
// problems does not show this: a value that breaks a limit of the schema can still be read.

template <class T>
bool read_value(json::View value, const std::string& place, T& out, std::vector<Problem>& problems);

/// Reads a value of the type As<T>::Type and converts it by As<T>::from.
template <class T>
bool read_converted(json::View value, const std::string& place, T& out,
                    std::vector<Problem>& problems) {
  typename As<T>::Type read{};
  if (!read_value(value, place, read, problems)) return false;
  auto made = As<T>::from(read);
  if constexpr (std::is_convertible_v<decltype(made), T>) {
    out = std::move(made);
    return true;
  } else {
    if (made) {
      out = std::move(*made);
      return true;
    }
    std::string_view expected = "a valid value";
    if constexpr (requires { made.error().message; }) {
      expected = made.error().message;
    } else if constexpr (requires { As<T>::description; }) {
      expected = As<T>::description;
    }
    add_unread(problems, place, expected, value, "format");
    return false;
  }
}

/// Reads the first alternative that accepts the value.
template <class T>
bool read_variant(json::View value, const std::string& place, T& out,
                  std::vector<Problem>& problems) {
  std::optional<bool> read;
  each_alternative<T>([&]<class One>(std::type_identity<One>) {
    if (read || !accepts<One>(value)) return;
    read = read_value(value, place, out.template emplace<One>(), problems);
  });
  if (!read) add_unread(problems, place, "one of the alternatives", value, "anyOf");
  return read.value_or(false);
}

template <class T>
bool read_list(json::View value, const std::string& place, T& out, std::vector<Problem>& problems) {
  out.clear();
  bool all = true;
  std::size_t index = 0;
  for (const json::View item : value.items()) {
    typename T::value_type read{};
    all = read_value(item, place + "/" + std::to_string(index++), read, problems) && all;
    out.insert(out.end(), std::move(read));
  }
  return all;
}

/// Reads the declared members, then calls check() of the struct if all of them could be read.
template <Declares T>
bool read_object(json::View value, const std::string& place, T& out,
                 std::vector<Problem>& problems) {
  bool all = true;
  each_argument<T>([&](const auto& argument) {
    const auto given = value.find(argument.name);
    all = (given ? read_value(*given, json::below(place, argument.name), out.*argument.member,
                              problems)
                 : !is_missing(problems, place, argument.name)) &&
          all;
  });
  if constexpr (ChecksItself<T>) {
    Problems found(problems, value, place);
    if (all) std::as_const(out).check(found);
  }
  return all;
}

/// The JSON type that a T is read from; empty: not a single one.
template <class T>
[[nodiscard]] constexpr std::string_view json_type() {
  if constexpr (std::is_same_v<T, bool>) return "boolean";
  if constexpr (Whole<T>) return "integer";
  if constexpr (std::floating_point<T>) return "number";
  if constexpr (is_text<T> || NamedEnum<T>) return "string";
  if constexpr (ListLike<T>) return "array";
  if constexpr (is_map<T> || Declares<T>) return "object";
  return "";
}
/// Whether the value is of this JSON type; for "integer", whether it is any number.
[[nodiscard]] bool has_type(json::View value, std::string_view type);

template <class T>
bool read_value(json::View value, const std::string& place, T& out,
                std::vector<Problem>& problems) {
  if constexpr (is_optional<T>) {
    return value.is_null() || read_value(value, place, out.emplace(), problems);
  } else if constexpr (level::HasAs<T>) {
    return read_converted(value, place, out, problems);
  } else if constexpr (is_variant<T>) {
    return read_variant(value, place, out, problems);
  } else if constexpr (std::is_same_v<T, json::Value>) {
    out = json::Value(value);
    return true;
  } else if (!has_type(value, json_type<T>())) {
    add_unread(problems, place, json_type<T>(), value, "type");
    return false;
  } else if constexpr (std::is_same_v<T, bool>) {
    out = value.boolean();
    return true;
  } else if constexpr (Whole<T> || std::floating_point<T>) {
    const bool read = read_number(value, out);
    if (!read) {
      add_unread(problems, place, "a number within the range of its type", value, "range");
    }
    return read;
  } else if constexpr (std::is_same_v<T, std::string>) {
    out = value.string();
    return true;
  } else if constexpr (NamedEnum<T>) {
    const auto named = model::from_name<T>(value.string());
    if (named) out = *named;
    if (!named) add_unread(problems, place, "one of the names in the schema", value, "enum");
    return named.has_value();
  } else if constexpr (ListLike<T>) {
    return read_list(value, place, out, problems);
  } else if constexpr (is_map<T>) {
    out.clear();
    bool all = true;
    for (const json::Member& member : value.members()) {
      const std::string key = member.key.string();
      all = read_value(member.value, json::below(place, key), out[key], problems) && all;
    }
    return all;
  } else {
    return read_object(value, place, out, problems);
  }
}

}  // namespace detail

/// Reads a T and adds what cannot be read to `problems`, which holds the violations of the schema
/// if the value was checked against it. The result is usable only if there are no problems
/// afterwards.
template <Declares T>
[[nodiscard]] T read_arguments(json::View value, std::vector<Problem>& problems) {
  T out = detail::unread<T>();
  if constexpr (std::is_same_v<detail::RequestFault<T>, level::detail::NoFault>) {
    detail::read_value(value, "", out, problems);
  }
  return out;
}

/// Adds the problems of reading a T; see ToolSpec::find_problems.
template <Declares T>
void find_problems(json::View value, std::vector<Problem>& problems) {
  static_cast<void>(read_arguments<T>(value, problems));
}

}  // namespace enfold::tools
