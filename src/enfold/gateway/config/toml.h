// SPDX-License-Identifier: Apache-2.0
// A TOML text as a JSON value, with the place of every key and value in the text, so that whatever
// is found wrong with a value can be said where its author looks.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <map>
#include <string>
#include <string_view>

namespace enfold::gateway {

struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
  friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

struct Toml {
  std::string name;   ///< what people call the text: its file
  json::Value value;  ///< an object; tables in the order of their keys
  /// By JSON Pointer into `value`. Items of arrays have no key.
  std::map<std::string, TextPlace, std::less<>> keys;
  std::map<std::string, TextPlace, std::less<>> values;

  /// "enfold.toml, line 3, column 1": of the value, or of what is nearest around it.
  [[nodiscard]] std::string where(std::string_view pointer) const;
  [[nodiscard]] std::string where_key(std::string_view pointer) const;
};

/// `invalid_input` for what is no TOML, and for what JSON cannot hold: dates, infinity, NaN.
[[nodiscard]] Result<Toml> read_toml(std::string_view text, std::string name);

/// "upstreams.docs.url", as an author of TOML has it.
[[nodiscard]] std::string dotted(std::string_view pointer);

/// A TOML string with its quotes.
[[nodiscard]] std::string toml_string(std::string_view utf8);
/// A TOML key: bare where it can be.
[[nodiscard]] std::string toml_key(std::string_view utf8);

}  // namespace enfold::gateway
