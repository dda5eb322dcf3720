// SPDX-License-Identifier: Apache-2.0
// Writes a declared response at a level. A higher level shows everything that a lower one shows,
// with the same values (except previews).
#pragma once

#include "enfold/level/faults.h"

#include <functional>

namespace enfold::level {

/// Returns a text with what it must not show, such as secrets, replaced.
using TextFilter = std::function<std::string(std::string_view)>;

struct RenderOptions {
  /// Up to this level, fields with null, [] or {} are omitted unless they are required; nullopt: at
  /// no level. An empty optional, NaN and infinity are omitted at every level unless the field is
  /// required, and then null. "", 0 and false are always shown.
  std::optional<Level> prune_up_to = Level::minimal;
  /// Applied to a text before its preview is cut, because half of a secret would not be recognized.
  /// May be empty.
  TextFilter filter{};
};

/// The first `length` code points, followed by "..." if there are more. What a reader sees as one
/// character, and the marker of a redacted secret, are left out rather than split. `filter` is
/// applied first, unless the text has at most `length` bytes and so is shown whole.
[[nodiscard]] std::string preview_of(std::string_view text, std::size_t length);
[[nodiscard]] std::string preview_of(std::string_view text, std::size_t length,
                                     const TextFilter& filter);
/// A finite number with at most this many decimals, 0 to 17, as JSON. Rounds the exact binary
/// value, ties to even; a number of 2^53 or more is written as it is.
[[nodiscard]] std::string rounded(double value, int decimals);

/// A finite number in the fewest digits that are read as the same float, as JSON.
[[nodiscard]] std::string shortest(float value);

namespace detail {

/// How a value and everything inside it is written.
struct Scope {
  Level level;
  bool leaves_out_empty;               ///< omits fields with null, [] or {} unless required
  const TextFilter* filter = nullptr;  ///< may be nullptr at `full`, which has no previews
  bool as_read = false;                ///< a struct with arguments() is written with these fields
};

/// Scope::leaves_out_empty for answers at this level.
[[nodiscard]] constexpr bool leaves_out_empty(const RenderOptions& options, Level level) {
  return options.prune_up_to && level <= *options.prune_up_to;
}

/// Whether the level and the condition of the field let it be shown.
template <class F, class S>
[[nodiscard]] constexpr bool applies(const F& field, const S& response, Level level) {
  if (field.from > level) return false;
  if constexpr (std::is_same_v<decltype(field.condition), Always>) {
    return true;
  } else {
    return std::invoke(field.condition, response);
  }
}

template <Declared S>
[[nodiscard]] bool shows_nothing(const S& response, const Scope& scope);

/// Whether the value is null, [] or {}, which RenderOptions::prune_up_to omits.
template <class T>
[[nodiscard]] bool is_empty(const T& value, const Scope& scope) {
  if constexpr (std::is_same_v<T, json::Value>) {
    return value->is_null() || (value->is_container() && value->size() == 0);
  } else if constexpr (ListLike<T> || is_map<T>) {
    return value.empty();
  } else if constexpr (is_optional<T>) {
    return !value || is_empty(*value, scope);
  } else if constexpr (Declared<T>) {
    return shows_nothing(value, scope);
  } else {
    return false;
  }
}

/// std::isfinite without its header, which is one of the largest.
[[nodiscard]] constexpr bool is_finite(std::floating_point auto value) {
  return value - value == 0;
}

/// Whether the value is NaN or infinity.
template <class T>
[[nodiscard]] bool is_non_finite(const T& value) {
  if constexpr (std::floating_point<T>) {
    return !is_finite(value);
  } else if constexpr (may_be_non_finite<T> && is_variant<T>) {
    return std::visit([](const auto& one) { return is_non_finite(one); }, value);
  } else if constexpr (may_be_non_finite<T>) {
    return is_non_finite<typename As<T>::Type>(As<T>::to(value));
  } else {
    return false;
  }
}

/// Whether a field with this value is omitted, unless it is required.
template <class T>
[[nodiscard]] bool is_left_out(const T& value, const Scope& scope) {
  if constexpr (is_optional<T>) {
    if (!value || is_left_out(*value, scope)) return true;
  } else if constexpr (may_be_non_finite<T>) {
    if (is_non_finite(value)) return true;
  }
  return scope.leaves_out_empty && is_empty(value, scope);
}

/// Whether the struct would be written as {}.
template <Declared S>
[[nodiscard]] bool shows_nothing(const S& response, const Scope& scope) {
  bool nothing = true;
  each<S>([&](const auto& field) {
    if (!nothing || !applies(field, response, scope.level)) return;
    nothing = !field.is_required && is_left_out(std::invoke(field.member, response), scope);
  });
  return nothing;
}

template <Declared S>
void write_struct(const S& response, const Scope& scope, json::Writer& writer);

template <class T>
void write_value(const T& value, const Scope& scope, json::Writer& writer) {
  if constexpr (std::is_same_v<T, bool>) {
    writer.boolean(value);
  } else if constexpr (Whole<T>) {
    writer.number(std::to_string(value));
  } else if constexpr (std::floating_point<T>) {
    if constexpr (std::is_same_v<T, float>) {
      is_finite(value) ? writer.number(shortest(value)) : writer.null();
    } else {
      is_finite(value) ? writer.real(static_cast<double>(value)) : writer.null();
    }
  } else if constexpr (is_text<T>) {
    writer.string(value);
  } else if constexpr (NamedEnum<T>) {
    writer.string(model::name(value));
  } else if constexpr (std::is_same_v<T, json::Value>) {
    writer.value(value);
  } else if constexpr (is_optional<T>) {
    value ? write_value(*value, scope, writer) : void(writer.null());
  } else if constexpr (HasAs<T>) {
    write_value<typename As<T>::Type>(As<T>::to(value), scope, writer);
  } else if constexpr (is_variant<T>) {
    std::visit([&](const auto& one) { write_value(one, scope, writer); }, value);
  } else if constexpr (ListLike<T>) {
    writer.begin_array();
    for (const auto& item : value) write_value(item, scope, writer);
    writer.end_array();
  } else if constexpr (is_map<T>) {
    writer.begin_object();
    for (const auto& [key, item] : value) {
      writer.key(key);
      write_value(item, scope, writer);
    }
    writer.end_object();
  } else if constexpr (Declared<T>) {
    write_struct(value, scope, writer);
  } else {
    static_assert(unsupported<T>, "a response field of this type cannot be written");
  }
}

/// The number that a number, an optional number or a type with As is written as; nullopt: an empty
/// optional.
template <class T>
[[nodiscard]] std::optional<double> number_of(const T& value) {
  if constexpr (is_optional<T>) {
    return value ? number_of(*value) : std::nullopt;
  } else if constexpr (HasAs<T>) {
    return number_of<typename As<T>::Type>(As<T>::to(value));
  } else {
    return static_cast<double>(value);
  }
}

template <class F, class S>
void write_field(const F& field, const S& response, const Scope& scope, json::Writer& writer) {
  if (!applies(field, response, scope.level)) return;
  const auto& value = std::invoke(field.member, response);
  if (!field.is_required && is_left_out(value, scope)) return;
  writer.key(field.name);
  if constexpr (is_maybe_text<std::remove_cvref_t<decltype(value)>>) {
    if (field.preview_length && scope.level < Level::full) {
      const std::optional<std::string_view> text = value;
      text ? writer.string(preview_of(*text, *field.preview_length, *scope.filter)) : writer.null();
      return;
    }
  } else if constexpr (std::floating_point<ShownType<std::remove_cvref_t<decltype(value)>>>) {
    const auto number = field.rounded_to ? number_of(value) : std::nullopt;
    if (number && is_finite(*number)) {
      writer.number(rounded(*number, *field.rounded_to));
      return;
    }
  }
  write_value(value, scope, writer);
}

template <Declared S>
void write_struct(const S& response, const Scope& scope, json::Writer& writer) {
  writer.begin_object();
  if constexpr (WithArguments<S>) {
    if (scope.as_read) {
      const auto write = [&](const auto& argument) {
        write_value(response.*argument.member, scope, writer.key(argument.name));
      };
      constexpr auto read = S::arguments();
      std::apply([&](const auto&... argument) { (write(argument), ...); }, read.all);
      writer.end_object();
      return;
    }
  }
  each<S>([&](const auto& field) { write_field(field, response, scope, writer); });
  writer.end_object();
}

}  // namespace detail

/// Writes one JSON object: the declared fields in the order of their declaration.
template <class Response>
void render(const Response& response, Level level, json::Writer& writer,
            const RenderOptions& options = {}) {
  if constexpr (detail::demand_declared<Response>()) {
    detail::write_struct(
        response, {level, detail::leaves_out_empty(options, level), &options.filter}, writer);
  }
}

template <class Response>
[[nodiscard]] json::Value render(const Response& response, Level level,
                                 const RenderOptions& options = {}) {
  json::Writer writer;
  render(response, level, writer, options);
  return std::move(writer).finish_value();
}

}  // namespace enfold::level
