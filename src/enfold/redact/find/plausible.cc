// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/plausible.h"

#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/forms.h"

#include <algorithm>
#include <initializer_list>

namespace enfold::redact::detail {
namespace {

// Longer values, in bytes, are not checked for words, paths and expressions.
constexpr std::size_t kLongestWord = 256;

// `password=user_password`, `token: TokenType`: the value is a name, not a secret.
bool names_itself(std::string_view value) {
  while (!value.empty() && contains(":*?.", value.back())) value.remove_suffix(1);
  if (value.empty() || value.size() > 40 ||
      run_end(value, 0, kLetter | kJoiner | kDot | kBlank) != value.size()) {
    return false;
  }
  static const Policy kDefault;
  if (classify_visible_key(value, kDefault)) return true;
  for (const std::string_view tail : {"string", "type", "field", "bytes", "provider", "service"}) {
    if (value.size() > tail.size() &&
        equals_ignoring_case(value.substr(value.size() - tail.size()), tail)) {
      return true;
    }
  }
  return false;
}

bool looks_random(std::string_view value, std::size_t min_bytes) {
  return value.size() >= min_bytes && has_digit_and_letter(value);
}

// Whether a quoted value of a sensitive name in text can be a secret of this kind.
bool plausible_quoted(KeyKind kind, std::string_view value) {
  const bool is_prose =
      std::count(value.begin(), value.end(), ' ') > 1 && !is_random_placeholder(value);
  if (is_prose || names_itself(value)) return false;
  if (kind == KeyKind::password) return value.size() >= kShortestPassword;
  if (contains(value, ' ')) return false;
  return is_opaque(value) ||
         (kind == KeyKind::secret && value.size() >= 8 && !is_identifier(value));
}

// `{SSHA}` and Base64, as LDAP writes the hash of a password.
bool is_ldap_hash(std::string_view value) {
  const std::size_t end = run_end(value, 1, kUpper | kDigit);
  return value.starts_with('{') && end > 3 && byte(value, end) == '}' && value.size() - end > 20;
}

// Whether a value without quotes can be a password.
bool plausible_bare_password(const Claim& claim) {
  const std::string_view value = claim.value;
  if (claim.separator == Separator::tight) {
    return value.size() >= (claim.capitals ? 1U : kShortestPassword) && !names_itself(value);
  }
  if (value.size() >= 6 && (has_digit_and_letter(value) || has_symbol(value))) return true;
  if (claim.json_name && value.size() >= 6 && run_end(value, 0, kDigit) == value.size())
    return true;
  if (!claim.alone_on_line) return false;
  if (run_end(value, 0, kDigit) == value.size()) return value.size() >= 4;
  return value.size() >= 5 && !names_itself(value) && value.back() != '.';
}

// Whether a value without quotes can be a secret of this kind.
bool plausible_bare(KeyKind kind, const Claim& claim) {
  const std::string_view value = claim.value;
  const bool environment = claim.capitals && claim.separator == Separator::tight;
  if (is_path(value) || is_url(value) || is_file_name(value) || is_date(value)) return false;
  if (kind == KeyKind::password && is_ldap_hash(value)) return true;
  if (!environment && (is_expression(value) || names_itself(value))) return false;
  if (kind == KeyKind::password) return plausible_bare_password(claim);
  if (environment) {
    return value.size() >= 6 && !names_itself(value) && (classes_of(value) & kLetter) != 0;
  }
  return looks_random(value, claim.separator == Separator::tight ? 6 : 8) ||
         is_long_opaque(value) ||
         (kind == KeyKind::secret && claim.separator == Separator::tight && value.size() >= 8 &&
          !is_identifier(value));
}

// Whether the value after an authorization scheme can be credentials.
bool plausible_authorization(const Claim& claim) {
  const std::string_view value = claim.value;
  return value.size() >= 8 && ((classes_of(value) & kDigit) != 0 || is_mixed_case(value) ||
                               value.size() >= 24 || value.ends_with("="));
}

// Templates, formats and colours: `${user}:${password}`, `%s:%s`, `#f8f8f2`.
bool is_written_by_code(std::string_view value) {
  const bool is_template = value.starts_with("${") || value.starts_with("%s");
  return (is_template && !has_random_run(value)) ||
         (value.starts_with('#') && value.size() <= 9 &&
          run_end(value, 1, kDigit | kLetter) == value.size());
}

constexpr std::array<std::string_view, 13> kSchemes = {
    "bearer", "basic", "token",  "digest", "apikey", "negotiate", "aws4-hmac-sha256",
    "hmac",   "dpop",  "splunk", "ssws",   "key",    "oauth"};

// Whether a value is a secret, for kinds whose values have a fixed form; nullopt: the form does not
// decide.
std::optional<bool> by_form(KeyKind kind, std::string_view value) {
  if (kind == KeyKind::signature) return false;
  if (kind == KeyKind::cookie)
    return value.size() >= 8 && contains(value.substr(0, kLongestCookieName), '=');
  if (kind == KeyKind::pin) {
    return value.size() >= 4 && value.size() <= 12 && run_end(value, 0, kDigit) == value.size();
  }
  if (kind == KeyKind::authorization) {
    for (const std::string_view scheme : {"basic", "bearer", "digest", "oauth", "oauth2"}) {
      if (equals_ignoring_case(value, scheme)) return false;
    }
  }
  if (kind == KeyKind::working_folder && (value.starts_with("/") || is_path(value))) return false;
  return std::nullopt;
}

}  // namespace

bool looks_like_password(std::string_view value) {
  constexpr std::size_t kShortest = 6;
  return value.size() >= kShortest && !contains(value, ' ') && !is_location(value) &&
         !is_expression(value) && (has_digit_and_letter(value) || has_symbol(value));
}

// The scheme, such as `Basic`, is skipped because it is not redacted.
std::string_view read_scheme(std::string_view text, std::size_t& at) {
  for (const std::string_view scheme : kSchemes) {
    if (!starts_with_ignoring_case(text.substr(at, scheme.size()), scheme)) continue;
    const std::size_t end = at + scheme.size();
    const std::size_t value = run_end(text, end, kBlank, kFewBlanks);
    if (value == end || value == text.size()) continue;
    at = value;
    return scheme;
  }
  return {};
}

// Whether the value of a sensitive name is no secret in any context.
bool is_harmless(std::string_view value) {
  return is_human_text(value) || is_version(value) || is_digest(value);
}

bool is_plausible(const SensitiveKey& key, const Claim& claim) {
  if (is_placeholder(claim.value)) return false;
  if (claim.value.find(kMarkerOpening) != std::string_view::npos) {
    const std::string rest = without_markers(claim.value);
    Claim without = claim;
    without.value = rest;
    return rest.find(kMarkerOpening) != std::string::npos || is_plausible(key, without);
  }
  if (key.kind == KeyKind::signature) return claim.in_query && claim.value.size() >= 32;
  if (claim.json_name && claim.quoted) {
    return is_secret_member(key, claim.name, claim.value) ||
           (!claim.scheme.empty() && !names_itself(claim.value));
  }
  if (const auto decided = by_form(key.kind, claim.value)) return *decided;
  if (claim.value.size() > kLongestWord) return true;
  if (is_state(claim.value) || is_written_by_code(claim.value) || is_harmless(claim.value)) {
    return false;
  }
  if (!claim.scheme.empty()) return plausible_authorization(claim);
  if (key.kind == KeyKind::weak) return looks_like_password(claim.value);
  // Judged like passwords: `pwd`, because by_form has excluded paths, and the policy's extra keys.
  const bool password = key.kind == KeyKind::working_folder || key.kind == KeyKind::any;
  const KeyKind kind = password ? KeyKind::password : key.kind;
  return claim.quoted ? plausible_quoted(kind, claim.value) : plausible_bare(kind, claim);
}

bool is_secret_member(const SensitiveKey& key, std::string_view key_name, std::string_view value) {
  if (is_placeholder(value)) return false;
  if (value.find(kMarkerOpening) != std::string_view::npos) {
    const std::string rest = without_markers(value);
    return rest.find(kMarkerOpening) != std::string::npos || is_secret_member(key, key_name, rest);
  }
  if (key.kind == KeyKind::any) return true;
  if (const auto decided = by_form(key.kind, value)) return *decided;
  if (is_harmless(value) || is_location(value) || names_itself(value)) return false;
  if (value.size() <= 64 && normal_key(value) == normal_key(key_name)) return false;
  switch (key.kind) {
    case KeyKind::password:
    case KeyKind::working_folder: return true;
    case KeyKind::weak: return looks_like_password(value);
    default: break;
  }
  std::size_t at = 0;
  if (key.kind != KeyKind::secret && !read_scheme(value, at).empty()) {
    return !is_placeholder(value.substr(at)) && !names_itself(value.substr(at));
  }
  return value.size() > kLongestWord || is_opaque(value);
}

std::string_view refined_label(const SensitiveKey& key, std::string_view value) {
  if (key.kind != KeyKind::secret && key.kind != KeyKind::token) return key.label;
  if (const Match token = match_whole_token(value)) return token->label;
  if (key.label != label::kSecretKey && key.label != label::kAccessToken) return key.label;
  if (value.starts_with("eyJ")) {
    const Match jwt = match_jwt(value, 0);
    return jwt && jwt->end == value.size() ? jwt->label : key.label;
  }
  const int classes = classes_of(value);
  const bool base64 = run_end(value, 0, kAlnum | kBase64Sign) == value.size();
  if (value.size() >= 24 && base64 && (classes & kBase64Sign) != 0 && (classes & kDigit) != 0 &&
      is_mixed_case(value)) {
    return label::kBase64Secret;
  }
  return key.label;
}

}  // namespace enfold::redact::detail
