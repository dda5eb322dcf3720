// SPDX-License-Identifier: Apache-2.0
// Finds secrets in texts by a policy.
#pragma once

#include "enfold/redact/find/anchors.h"
#include "enfold/redact/redact.h"

namespace enfold::redact::detail {

class Scanner {
 public:
  explicit Scanner(const Policy& policy) : policy_(policy), prefilter_(policy) {}  ///< borrows it

  [[nodiscard]] std::vector<Secret> find(std::string_view text) const;
  [[nodiscard]] const Prefilter& prefilter() const { return prefilter_; }
  [[nodiscard]] const Policy& policy() const { return policy_; }

 private:
  [[nodiscard]] std::vector<Secret> find(std::string_view text, int escape_levels) const;

  const Policy& policy_;
  Prefilter prefilter_;
};

// One function per family of secrets. Each checks one candidate, whose anchor is at `at`, and
// returns the secret there, if any. Lookbehind is limited, and text read ahead without a match is
// limited or not read again, so a scan takes linear time.

using Match = std::optional<Secret>;

[[nodiscard]] Match match_token(std::string_view text, std::size_t at);
[[nodiscard]] Match match_jwt(std::string_view text, std::size_t at);
[[nodiscard]] Match match_private_key(std::string_view text, std::size_t at);
[[nodiscard]] Match match_bearer(std::string_view text, std::size_t at);
[[nodiscard]] Match match_basic(std::string_view text, std::size_t at);
[[nodiscard]] Match match_bot_token(std::string_view text, std::size_t at);
[[nodiscard]] Match match_webhook(std::string_view text, std::size_t at);
/// The password of scheme://user:password@host.
[[nodiscard]] Match match_url_password(std::string_view text, std::size_t at);

/// The value of `key=value`, `key: value`, `"key":"value"`, `<key>value</key>`, `--key value`.
/// `names_done` is the end of the last name checked; no name is checked twice.
[[nodiscard]] Match match_assignment(std::string_view text, std::size_t at, const Policy& policy,
                                     std::size_t& names_done);

[[nodiscard]] Match match_email(std::string_view text, std::size_t at);
/// Cards, social security and phone numbers. `numbers_done` as `names_done` above.
[[nodiscard]] Match match_number(std::string_view text, std::size_t at, std::size_t& numbers_done);

}  // namespace enfold::redact::detail
