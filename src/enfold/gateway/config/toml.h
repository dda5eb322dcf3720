// SPDX-License-Identifier: Apache-2.0
// Reads TOML into a JSON value and records the line and column of every key and value, for error
// messages.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <map>
#include <set>

namespace enfold::gateway {

struct TextPlace {
  std::size_t line = 1;    ///< counted from 1
  std::size_t column = 1;  ///< counted from 1
  friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

struct Toml {
  std::string name;   ///< name of the file, for messages
  json::Value value;  ///< an object; the members of every table are sorted by key
  // Where keys and values begin, by JSON Pointer into `value`. Items of arrays have no key.
  std::map<std::string, TextPlace, std::less<>> keys;
  std::map<std::string, TextPlace, std::less<>> values;
  // The place after the last character of each value, but for tables with a header [NAME].
  std::map<std::string, TextPlace, std::less<>> ends;
  std::set<std::string, std::less<>> inline_tables;  ///< pointers to tables in braces

  /// The place of a value, as text: "enfold.toml, line 3, column 1". If there is no such value,
  /// that of the nearest table that would contain it.
  [[nodiscard]] std::string where(std::string_view pointer) const;
  /// The place of a key, as text; for an item of an array, that of the value.
  [[nodiscard]] std::string where_key(std::string_view pointer) const;
};

/// What read_toml does with values that JSON does not have (dates, times, infinity, NaN): they are
/// an error, or become text.
enum class TomlExtras : bool { refused, as_text };

/// `name`: of the file, for messages. `invalid_input` for a text that is not valid TOML, or has a
/// value that `extras` refuses.
[[nodiscard]] Result<Toml> read_toml(std::string_view text, std::string name,
                                     TomlExtras extras = TomlExtras::refused);

/// A JSON Pointer as a TOML key: "upstreams.docs.url".
[[nodiscard]] std::string dotted(std::string_view pointer);

/// A TOML string with its quotes.
[[nodiscard]] std::string toml_string(std::string_view utf8);
/// A TOML key, quoted only if necessary.
[[nodiscard]] std::string toml_key(std::string_view utf8);

}  // namespace enfold::gateway
