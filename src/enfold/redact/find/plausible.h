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

/// A value in a text that may be a secret, with what is known about its name and the text around.
struct Claim {
  std::string_view value;
  std::string_view scheme;  ///< of an authorization header, lower case; empty: none
  Separator separator = Separator::spaced;
  bool quoted = false;         ///< the value is quoted
  bool json_name = false;      ///< the name is quoted, as in JSON
  bool capitals = false;       ///< the name is in capitals, like an environment variable
  bool alone_on_line = false;  ///< the line holds only the name and the value
  bool in_query = false;       ///< `?name=value` in a URL
  std::string_view name;       ///< the key name, without its quotes; empty: not known
};

inline constexpr std::size_t kShortestPassword = 3;     ///< bytes; shorter ones are no secrets
inline constexpr std::size_t kLongestCookieName = 128;  ///< bytes up to the `=`, with it

/// Whether the value of a sensitive name in a text is a secret.
[[nodiscard]] bool is_plausible(const SensitiveKey& key, const Claim& claim);

/// Whether the string value of a JSON member with this key is a secret.
[[nodiscard]] bool is_secret_member(const SensitiveKey& key, std::string_view key_name,
                                    std::string_view value);

/// Whether the value has digits or symbols, as passwords have. For places where a value is often an
/// ordinary word.
[[nodiscard]] bool looks_like_password(std::string_view value);

/// Whether the value in a column of this name is a secret.
[[nodiscard]] bool is_secret_cell(const SensitiveKey& key, std::string_view name,
                                  std::string_view value);

/// What a pair of name and value belongs to: an environment variable, or anything else.
enum class PairOf { environment, anything };
/// Whether `value` in a pair such as `{"name":"DB_PASSWORD","value":"…"}` is a secret. Such pairs
/// hold many kinds of data, so the value must look like a secret; less so for environment
/// variables.
[[nodiscard]] bool is_secret_of_pair(const SensitiveKey& key, std::string_view name,
                                     std::string_view value, PairOf of);

/// As is_secret_of_pair, for a list of two texts, with stricter rules.
[[nodiscard]] bool is_secret_of_list(const SensitiveKey& key, std::string_view name,
                                     std::string_view value);

/// The authorization scheme at `at`, in lower case, as `basic` in `Basic dXNlcjpw…`; moves `at` to
/// the credentials after it. Empty: there is none, and `at` stays.
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

/// The name in an object like {"name": …, "value": …} with at most eight members; nullopt: the
/// value is no secret, or the object has no such members.
[[nodiscard]] std::optional<SensitiveName> pair_in_object(json::View object,
                                                          const Scanner& scanner);
/// Whether the key is that of the value in such an object: `value`, `Value`.
[[nodiscard]] bool is_pair_value(json::View key);

/// The sensitive columns of a table, by the index of the column, from 0.
using Columns = std::map<std::size_t, SensitiveName>;
/// The sensitive names in a list of column names, or of objects with a `name`. Empty: there are
/// none, or `heading` is no such list.
[[nodiscard]] Columns sensitive_columns(json::View heading, const Scanner& scanner);
/// Whether the key is that of the column names in an object like {"columns": […], "rows": [[…]]}.
[[nodiscard]] bool is_columns_key(json::View key);

/// The first text of a list of two texts, if it is a sensitive name and the second is a secret;
/// else nullopt.
[[nodiscard]] std::optional<SensitiveName> pair_in_list(json::View array, const Scanner& scanner);

// Placeholders for secrets: `****`, `<token>`, `${TOKEN}`, `your-api-key-here`.

/// Whether the whole value is a placeholder: a sample, a filler, a reference, an instruction, a
/// masked secret or a marker; also "" and `null`.
[[nodiscard]] bool is_placeholder(std::string_view value);

/// `{{ a1B2c3D4e5F6 }}`: random characters in the form of a placeholder or a marker.
[[nodiscard]] bool is_random_placeholder(std::string_view value);

/// `invalid`, `integer`, `enabled`: a word that describes a secret but is no secret.
[[nodiscard]] bool is_state(std::string_view value);

/// One kind of placeholder, a sample from documentation: `AKIA…EXAMPLE`, `sk-xxxxxxxx…`.
[[nodiscard]] bool is_sample(std::string_view value);

/// `password`, `secret`: what documentation writes in place of a password.
[[nodiscard]] bool is_sample_password(std::string_view value);

/// A run of one filler (`xxxx`, `0000`, `****`), as in documentation.
[[nodiscard]] bool is_filler(std::string_view value);

/// Length in bytes of the redaction marker at the start of the value; 0 if there is none. Only what
/// Enfold writes is a marker: an upstream can send a secret as the label of another one.
[[nodiscard]] std::size_t marker_length(std::string_view value);

/// The value without its redaction markers; empty if no letter, digit or non-ASCII character is
/// left. What is left can be a secret, because a server can write a marker in front of a secret.
[[nodiscard]] std::string without_markers(std::string_view value);

}  // namespace enfold::redact::detail
