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
  // Places of keys and of values, by JSON Pointer into `value`. Items of arrays have no key.
  std::map<std::string, TextPlace, std::less<>> keys;
  std::map<std::string, TextPlace, std::less<>> values;
  // One past the last character of each value that is no table of its own.
  std::map<std::string, TextPlace, std::less<>> ends;
  std::set<std::string, std::less<>> inline_tables;  ///< pointers to tables in braces

  /// The place of a value, or of the nearest table that contains it: "enfold.toml, line 3, column
  /// 1".
  [[nodiscard]] std::string where(std::string_view pointer) const;
  /// The place of a key; for an item of an array, of the value.
  [[nodiscard]] std::string where_key(std::string_view pointer) const;
};

/// What becomes of values that JSON does not have: dates, times, infinity, NaN.
enum class TomlExtras : bool { refused, as_text };

/// `invalid_input` if it is not TOML, or holds a value that is refused.
[[nodiscard]] Result<Toml> read_toml(std::string_view text, std::string name,
                                     TomlExtras extras = TomlExtras::refused);

/// The key in TOML notation: "upstreams.docs.url".
[[nodiscard]] std::string dotted(std::string_view pointer);

/// A TOML string with its quotes.
[[nodiscard]] std::string toml_string(std::string_view utf8);
/// A TOML key, quoted only if necessary.
[[nodiscard]] std::string toml_key(std::string_view utf8);

}  // namespace enfold::gateway
