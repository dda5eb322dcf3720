// SPDX-License-Identifier: Apache-2.0
// Decides whether the value of a sensitive name is a secret, or prose, code or a placeholder.
#pragma once

#include "enfold/json/document.h"
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/key_names.h"

#include <map>

namespace enfold::redact::detail {

enum class Separator : std::uint8_t {
  tight,   ///< `name=value`
  spaced,  ///< `name: value`, `name = value`
  flag,    ///< `--name value`
};

/// A value that may be a secret, with its context.
struct Claim {
  std::string_view value;
  std::string_view scheme;  ///< of an authorization header, lower case; empty: none
  Separator separator = Separator::spaced;
  bool quoted = false;
  bool json_name = false;      ///< the name is quoted
  bool capitals = false;       ///< the name is in capitals, like an environment variable
  bool alone_on_line = false;  ///< the line holds only the name and the value
  bool in_query = false;       ///< `?name=value` in a URL
  std::string_view name;
};

/// Whether the value of a sensitive name in a text is a secret.
[[nodiscard]] bool is_plausible(const SensitiveKey& key, const Claim& claim);

/// Whether the string value of a JSON member with this key is a secret.
[[nodiscard]] bool is_secret_member(const SensitiveKey& key, std::string_view key_name,
                                    std::string_view value);

/// Whether the value has the digits or signs of a password: for places where words are common.
[[nodiscard]] bool looks_like_password(std::string_view value);

/// Whether the value in a column of this name is a secret.
[[nodiscard]] bool is_secret_cell(const SensitiveKey& key, std::string_view name,
                                  std::string_view value);

/// What the name of a pair names: an environment variable, or anything else.
enum class PairOf { environment, anything };
/// Whether `value` in a pair such as `{"name":"DB_PASSWORD","value":"…"}` is a secret. Such pairs
/// hold many kinds of data, so the value must look like a secret; less so for environment
/// variables.
[[nodiscard]] bool is_secret_of_pair(const SensitiveKey& key, std::string_view name,
                                     std::string_view value, PairOf of);

/// As is_secret_of_pair, for a list of two texts, with stricter rules.
[[nodiscard]] bool is_secret_of_list(const SensitiveKey& key, std::string_view name,
                                     std::string_view value);

/// The authorization scheme before the credentials, as in `Basic dXNlcjpw…`; moves `at` past it.
/// Empty: none.
[[nodiscard]] std::string_view read_scheme(std::string_view text, std::size_t& at);

/// The label of the value if its shape is known, else that of the key.
[[nodiscard]] std::string_view refined_label(const SensitiveKey& key, std::string_view value);

// Secrets in pairs of name and value, as in lists of headers and environment variables:
// `{"name": "DB_PASSWORD", "value": …}`, `["Authorization", "Basic …"]`.

/// A sensitive name that applies to a value.
struct SensitiveName {
  SensitiveKey key;
  std::string name;  ///< of the member, the pair or the column
};

/// The name in an object like {"name": …, "value": …} with at most eight members, if the value is a
/// secret.
[[nodiscard]] std::optional<SensitiveName> pair_in_object(json::View object,
                                                          const Scanner& scanner);
/// Whether this is the key of the value in such an object.
[[nodiscard]] bool is_pair_value(json::View key);

/// The sensitive names among the texts of a list, by index: the heading of a table. Empty: none, or
/// this is no list of texts.
using Columns = std::map<std::size_t, SensitiveName>;
[[nodiscard]] Columns sensitive_columns(json::View heading, const Scanner& scanner);
/// Whether this is the key of the column names in an object like {"columns": […], "rows": [[…]]}.
[[nodiscard]] bool is_heading(json::View key);

/// The first text of a list of two texts, if the second is a secret.
[[nodiscard]] std::optional<SensitiveName> pair_in_list(json::View array, const Scanner& scanner);

// Placeholders for secrets: `****`, `<token>`, `${TOKEN}`, `your-api-key-here`.

/// A value in place of a secret: a sample, a filler, a reference, an instruction, a masked secret;
/// also "" and `null`.
[[nodiscard]] bool is_placeholder(std::string_view value);

/// `invalid`, `integer`, `enabled`: words that describe a secret but are none.
[[nodiscard]] bool is_state(std::string_view value);

/// One kind of placeholder, a sample from documentation: `AKIA…EXAMPLE`, `sk-xxxxxxxx…`.
[[nodiscard]] bool is_sample(std::string_view value);

/// `password`, `secret`: what documentation writes in place of a password.
[[nodiscard]] bool is_sample_password(std::string_view value);

/// A run of one filler (`xxxx`, `0000`, `****`), as in documentation.
[[nodiscard]] bool is_filler(std::string_view value);

/// Length of the redaction marker at the start of the value; 0 if there is none. The closing
/// bracket may be missing, because a value in JSON text ends before it.
[[nodiscard]] std::size_t marker_length(std::string_view value);

/// What stands beside redaction markers. It is judged like a value without them, because a server
/// can write a marker in front of a secret. Empty: nothing but signs.
[[nodiscard]] std::string without_markers(std::string_view value);

}  // namespace enfold::redact::detail
