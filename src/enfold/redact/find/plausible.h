// SPDX-License-Identifier: Apache-2.0
// Whether what follows a sensitive name in free text is a secret, or prose, code or a placeholder.
#pragma once

#include "enfold/redact/key_names.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace enfold::redact::detail {

enum class Separator : std::uint8_t {
  tight,   ///< `name=value`
  spaced,  ///< `name: value`, `name = value`
  flag,    ///< `--name value`
};

struct Claim {
  std::string_view value;
  std::string_view scheme;  ///< of an authorization header, lower case; often empty
  Separator separator = Separator::spaced;
  bool quoted = false;
  bool json_name = false;  ///< the name stands in quotes of its own
  bool caps = false;       ///< THE_NAME, as in an environment
  bool own_line = false;   ///< nothing else on the line, as in YAML or a header
};

[[nodiscard]] bool is_plausible(const SensitiveKey& key, const Claim& claim);

/// Whether the string value of a JSON member with this key is a secret.
[[nodiscard]] bool is_secret_member(const SensitiveKey& key, std::string_view key_name,
                                    std::string_view value);

/// Whether `value` is a secret that stands beside its name and not under it, as in
/// `{"name":"DB_PASSWORD","value":"…"}`. Data of all kinds comes in such pairs, so the value must
/// look like a secret; that of an environment variable less so, for those are secrets mostly.
enum class PairOf { environment, anything };
[[nodiscard]] bool is_secret_of_pair(const SensitiveKey& key, std::string_view name,
                                     std::string_view value, PairOf of);

/// As above, for a list of two texts: names stand in such lists too.
[[nodiscard]] bool is_secret_of_list(const SensitiveKey& key, std::string_view name,
                                     std::string_view value);

/// The scheme in front of credentials, `Basic dXNlcjpw…`; moves `at` behind it. Empty: none.
[[nodiscard]] std::string_view read_scheme(std::string_view text, std::size_t& at);

/// The label of the key, or the more telling one of the value.
[[nodiscard]] std::string_view refined_label(const SensitiveKey& key, std::string_view value);

}  // namespace enfold::redact::detail
