// SPDX-License-Identifier: Apache-2.0
// Bounded replacements of functions of SQLite that could take much time or memory inside one step:
// `printf` with a width of two thousand million, and groups of JSON that double their memory until
// there is no more.
#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/sql/functions.h"
#include "enfold/retrieve/sql/sandbox.h"

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <string_view>

namespace enfold::retrieve::detail {
namespace {

constexpr std::size_t kLongestResult = std::size_t{8} << 20;  // bytes
constexpr int kLargestWidth = 1000;                           // also the largest precision
constexpr unsigned kJsonSubtype = 'J';                        // marks a text of SQLite as JSON

struct FreeText {
  void operator()(char* text) const { sqlite3_free(text); }
};

/// Formats one argument by a specification such as "%-8.3f"; `type` is its last character. `value`
/// nullptr: the call has too few arguments, so 0 or an empty text is formatted.
std::string formatted(const std::string& specification, char type, sqlite3_value* value) {
  std::unique_ptr<char, FreeText> text;
  const std::string flags = specification.substr(0, specification.size() - 1);
  if (std::string_view("diuxXop").find(type) != std::string_view::npos) {
    const sqlite3_int64 number = value != nullptr ? sqlite3_value_int64(value) : 0;
    text.reset(sqlite3_mprintf((flags + "ll" + type).c_str(), number));
  } else if (std::string_view("fFeEgG").find(type) != std::string_view::npos) {
    const double number = value != nullptr ? sqlite3_value_double(value) : 0;
    text.reset(sqlite3_mprintf(specification.c_str(), number));
  } else {
    const std::string string(value != nullptr ? text_of(value) : std::string_view());
    // %c takes the first character. %z would free its argument.
    const char used_type = type == 'c' || type == 'z' ? 's' : type;
    std::size_t first = 0;
    if (type == 'c' && !string.empty()) static_cast<void>(utf8::next(string, first));
    const std::string shown = type == 'c' ? string.substr(0, first) : string;
    text.reset(sqlite3_mprintf((flags + used_type).c_str(), shown.c_str()));
  }
  return text ? text.get() : std::string();
}

/// Reads the specification after a '%', without `l`, and moves `at` past it; false: it has a number
/// that is too large, or `*`.
bool read_specification(std::string_view format, std::size_t& at, std::string& specification) {
  specification = "%";
  int number = 0;  // the width or precision so far
  for (; at < format.size(); ++at) {
    const char c = format[at];
    const bool is_digit = c >= '0' && c <= '9';
    number = is_digit ? number * 10 + (c - '0') : 0;
    if (number > kLargestWidth || c == '*') return false;
    if (!is_digit && std::string_view("-+ #0,!.").find(c) == std::string_view::npos && c != 'l') {
      specification += c;
      ++at;
      return true;
    }
    if (c != 'l') specification += c;
  }
  return true;
}

// SQLite calls it for `printf` and `format`.
void print(sqlite3_context* context, int count, sqlite3_value** values) {
  if (count == 0 || sqlite3_value_type(values[0]) == SQLITE_NULL)
    return sqlite3_result_null(context);
  const std::string format(text_of(values[0]));
  std::string out;
  int next = 1;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      out += format[at++];
      continue;
    }
    std::string specification;
    if (!read_specification(format, ++at, specification)) {
      return sqlite3_result_error(context, "expected a width of at most 1000 and no *", -1);
    }
    const char type = specification.back();
    if (type == '%') {
      out += '%';
    } else if (std::string_view("diuxXofFeEgGcszqQw").find(type) != std::string_view::npos) {
      out += formatted(specification, type, next < count ? values[next] : nullptr);
      ++next;
    }
    if (out.size() > kLongestResult) return sqlite3_result_error_toobig(context);
  }
  return_text(context, out);
}

/// The JSON of a group so far, in memory that SQLite fills with zeros and frees. The text is memory
/// of SQLite too, so that the bound of a statement counts it.
struct Group {
  sqlite3_str* text;  ///< nullptr: no row yet; freed by finish_group
  bool is_too_long;
};

void append(sqlite3_str* to, std::string_view text) {
  sqlite3_str_append(to, text.data(), static_cast<int>(text.size()));
}

// As json_group_array of SQLite writes a value.
std::string as_json(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_NULL: return "null";
    case SQLITE_FLOAT:
      if (!std::isfinite(sqlite3_value_double(value))) return "null";
      [[fallthrough]];
    case SQLITE_INTEGER: return std::string(text_of(value));
    default: break;
  }
  if (sqlite3_value_subtype(value) == kJsonSubtype) return std::string(text_of(value));
  return json::quote(text_of(value));
}

// SQLite calls it for each row: with a value, or with a key and a value.
void add_to_group(sqlite3_context* context, int count, sqlite3_value** values) {
  auto* group = static_cast<Group*>(sqlite3_aggregate_context(context, sizeof(Group)));
  if (group == nullptr) return sqlite3_result_error_nomem(context);
  if (group->text == nullptr) group->text = sqlite3_str_new(sqlite3_context_db_handle(context));
  if (group->is_too_long) return;
  const int before = sqlite3_str_length(group->text);
  if (before > 0) append(group->text, ",");
  if (count == 2) append(group->text, json::quote(text_of(values[0])) + ":");
  append(group->text, as_json(values[count - 1]));
  group->is_too_long = sqlite3_str_errcode(group->text) != SQLITE_OK ||
                       static_cast<std::size_t>(sqlite3_str_length(group->text)) > kLongestResult;
  if (group->is_too_long) return sqlite3_result_error_toobig(context);
  // A text doubles its memory when it is full. One row may do that to many texts in one step of
  // SQLite, so a check between steps would be too late.
  constexpr int few = 1 << 16;  // bytes
  auto& sandbox = *static_cast<Sandbox*>(sqlite3_user_data(context));
  if (before > few && !sandbox.may_continue()) {
    sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  }
}

// SQLite calls it after the last row of a group.
template <bool is_object>
void finish_group(sqlite3_context* context) {
  auto* group = static_cast<Group*>(sqlite3_aggregate_context(context, 0));
  const std::unique_ptr<char, FreeText> text(group != nullptr ? sqlite3_str_finish(group->text)
                                                              : nullptr);
  if (group != nullptr && group->is_too_long) return sqlite3_result_error_toobig(context);
  const std::string out =
      fmt::format("{}{}{}", is_object ? '{' : '[', text ? text.get() : "", is_object ? '}' : ']');
  return_text(context, out);
  sqlite3_result_subtype(context, kJsonSubtype);
}

}  // namespace

std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

void return_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

bool register_bounded_functions(sqlite3* database, Sandbox& sandbox) {
  constexpr int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const auto add_group = [&](const char* name, int arguments, auto* finish) {
    return sqlite3_create_function_v2(database, name, arguments, flags | SQLITE_SUBTYPE, &sandbox,
                                      nullptr, add_to_group, finish, nullptr) == SQLITE_OK;
  };
  const auto add_print = [&](const char* name) {
    return sqlite3_create_function_v2(database, name, -1, flags, nullptr, print, nullptr, nullptr,
                                      nullptr) == SQLITE_OK;
  };
  return add_print("printf") && add_print("format") &&
         add_group("json_group_array", 1, &finish_group<false>) &&
         add_group("json_group_object", 2, &finish_group<true>);
}

}  // namespace enfold::retrieve::detail
