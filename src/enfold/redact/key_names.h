// SPDX-License-Identifier: Apache-2.0
// Classifies key names. `password`, `accessToken`, `X-Api-Key`, `DB_PASSWORD` are sensitive;
// `token_count`, `nextPageToken`, `author`, `passwordless` are not.
#pragma once

#include "enfold/redact/redact.h"

namespace enfold::redact {

/// What kind of value a sensitive name has, which decides how the value is checked.
enum class KeyKind : std::uint8_t {
  password,
  secret,          ///< secrets, API keys, credentials
  token,           ///< access tokens, JWTs
  authorization,   ///< a header value: scheme and credentials
  cookie,          ///< a secret only if the value is `name=value`
  pin,             ///< a secret only if the value consists of digits
  working_folder,  ///< `pwd`: a password unless the value is a path
  weak,            ///< `pass`, `reset_password`: a secret only if the value looks random
  any,             ///< extra keys of the policy, personal data: every value is a secret
  signature,       ///< `sig`: a secret only in a query string
};

struct SensitiveKey {
  KeyKind kind = KeyKind::secret;
  std::string_view label;  ///< one of redact::label, static
  friend bool operator==(const SensitiveKey&, const SensitiveKey&) = default;
};

/// Hidden characters in the name do not count. nullopt: the name is not sensitive.
[[nodiscard]] std::optional<SensitiveKey> classify_key(std::string_view name, const Policy& policy);
/// The same, for a name that has no hidden characters.
[[nodiscard]] std::optional<SensitiveKey> classify_visible_key(std::string_view name,
                                                               const Policy& policy);

/// The name in lower case without the separators `_-. /:$`, for comparing: `X-Api-Key`, `x_api_key`
/// and `xApiKey` give the same text.
[[nodiscard]] std::string normal_key(std::string_view name);

}  // namespace enfold::redact
