// SPDX-License-Identifier: Apache-2.0
// Classifies key names. `password`, `accessToken`, `X-Api-Key`, `DB_PASSWORD` are sensitive;
// `token_count`, `nextPageToken`, `author`, `passwordless` are not.
#pragma once

#include "enfold/redact/redact.h"

namespace enfold::redact {

enum class KeyKind : std::uint8_t {
  password,
  secret,          ///< secrets, API keys, credentials
  token,           ///< access tokens, JWTs
  authorization,   ///< a header value: scheme and credentials
  cookie,          ///< only if the value is `name=value`
  pin,             ///< only if the value consists of digits
  working_folder,  ///< `pwd`: a password unless the value is a path
  weak,            ///< `pass`, `reset_password`: only if the value looks random
  any,             ///< named by the policy: whatever the value looks like
  signature,       ///< `sig`: only in a query string
};

struct SensitiveKey {
  KeyKind kind = KeyKind::secret;
  std::string_view label;
  friend bool operator==(const SensitiveKey&, const SensitiveKey&) = default;
};

/// nullopt: the name is not sensitive.
[[nodiscard]] std::optional<SensitiveKey> classify_key(std::string_view name, const Policy& policy);

/// Lower case, without `_-. /:$`: `X-Api-Key`, `x_api_key` and `xApiKey` are one name.
[[nodiscard]] std::string normal_key(std::string_view name);

}  // namespace enfold::redact
