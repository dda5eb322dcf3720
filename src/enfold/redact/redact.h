// SPDX-License-Identifier: Apache-2.0
// Redacts secrets in JSON values and in text, and finds redaction markers in arguments. All keys
// and strings are checked, including JSON inside strings; all other bytes stay unchanged. Secrets
// are known token shapes, `key=value` in many spellings, URLs with a password, private key blocks.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <array>
#include <functional>

namespace enfold::redact {

/// The LABEL of `[REDACTED:LABEL]`.
namespace label {
inline constexpr std::string_view kApiKey = "API_KEY";
inline constexpr std::string_view kSecretKey = "SECRET_KEY";
inline constexpr std::string_view kAccessToken = "ACCESS_TOKEN";
inline constexpr std::string_view kBearerToken = "BEARER_TOKEN";
inline constexpr std::string_view kPassword = "PASSWORD";
inline constexpr std::string_view kAwsAccessKey = "AWS_ACCESS_KEY";
inline constexpr std::string_view kAwsSecret = "AWS_SECRET";
inline constexpr std::string_view kPrivateKey = "PRIVATE_KEY";
inline constexpr std::string_view kGithubToken = "GITHUB_TOKEN";
inline constexpr std::string_view kGitlabToken = "GITLAB_TOKEN";
inline constexpr std::string_view kSlackToken = "SLACK_TOKEN";
inline constexpr std::string_view kGoogleApiKey = "GOOGLE_API_KEY";
inline constexpr std::string_view kStripeKey = "STRIPE_KEY";
inline constexpr std::string_view kNpmToken = "NPM_TOKEN";
inline constexpr std::string_view kJwt = "JWT";
inline constexpr std::string_view kBase64Secret = "BASE64_SECRET";
inline constexpr std::string_view kConnectionString = "CONNECTION_STRING";
inline constexpr std::string_view kCookie = "COOKIE";
inline constexpr std::string_view kEmail = "EMAIL";
inline constexpr std::string_view kSsn = "SSN";
inline constexpr std::string_view kCreditCard = "CREDIT_CARD";
inline constexpr std::string_view kPhone = "PHONE";
/// All labels.
inline constexpr std::array<std::string_view, 22> kAll = {
    kApiKey,    kSecretKey,  kAccessToken, kBearerToken,  kPassword,         kAwsAccessKey,
    kAwsSecret, kPrivateKey, kGithubToken, kGitlabToken,  kSlackToken,       kGoogleApiKey,
    kStripeKey, kNpmToken,   kJwt,         kBase64Secret, kConnectionString, kCookie,
    kEmail,     kSsn,        kCreditCard,  kPhone};
}  // namespace label

/// JSON Pointers at which a value violates its announced schema; empty if it is valid.
using BrokenPlaces = std::function<std::vector<std::string>(json::View)>;

/// The redaction policy.
struct Policy {
  bool credentials = true;     ///< all labels but the four of personal data
  bool personal_data = false;  ///< e-mail, phone, card and social security numbers
  /// Additional sensitive key names; case and the separators `_-. /:$` are ignored.
  std::vector<std::string> extra_keys;
  /// Subtrees not to redact: JSON Pointers, `*` matches any token. Invalid ones are ignored.
  std::vector<std::string> allow_pointers;
  /// Checks a value against its schema; not set: there is no schema. `redact` calls it with the
  /// redacted and the original value. A marker at a place where only the original value is valid is
  /// replaced by a neutral value of the same type, length or shape.
  BrokenPlaces broken_places;
};

/// A secret that `redact` replaced.
struct Finding {
  enum class Where { key, value };  ///< the secret was in a key of an object, or in a value
  /// A pointer into the redacted value, so that it contains no secret from a key. For a secret in
  /// JSON inside a string, the pointer of that string.
  std::string pointer;
  std::string_view label;  ///< one of redact::label, static
  Where where = Where::value;
  friend bool operator==(const Finding&, const Finding&) = default;
};

inline constexpr std::size_t kMostFindings = 100;

struct RedactionResult {
  json::Value value;
  std::vector<Finding> findings;  ///< the first kMostFindings
  std::size_t count = 0;          ///< different secrets; one that occurs twice counts once
  bool changed = false;           ///< false: `value` is the original value
  /// Pointers where every replacement violates the schema; the marker is used anyway.
  std::vector<std::string> unfit;
};

/// Fails only if the result would exceed the largest document size.
[[nodiscard]] Result<RedactionResult> redact(json::View value, const Policy& policy);

/// A redaction marker in a JSON value.
struct Marker {
  std::string pointer;
  std::string label;
  Finding::Where where = Finding::Where::value;
  friend bool operator==(const Marker&, const Marker&) = default;
};

/// The first redaction marker in the arguments of a tool or prompt, also if hidden characters split
/// it. Enfold refuses such calls, because they would write a marker in place of a secret.
[[nodiscard]] std::optional<Marker> find_marker(json::View arguments);

/// A secret in a text: bytes [begin, end).
struct Secret {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view label;  ///< one of redact::label, static
  friend bool operator==(const Secret&, const Secret&) = default;
};

/// The secrets of a text, in order, without overlaps; takes linear time. JSON inside the text may
/// have escapes (`\"password\"`, `\u0070assword`, `:\/\/`); they are decoded.
[[nodiscard]] std::vector<Secret> find_secrets(std::string_view text, const Policy& policy);

/// Replaces every secret by its marker; redacting the result again changes nothing. JSON is
/// redacted as JSON, other text in up to four scans.
[[nodiscard]] std::string redact_text(std::string_view text, const Policy& policy);

/// "[REDACTED:LABEL]"
[[nodiscard]] std::string marker(std::string_view label);

inline constexpr std::size_t kLongestErrorText = 2000;  // bytes

/// The message without stack frames, code excerpts and fenced blocks, at most kLongestErrorText
/// bytes; "[source omitted]" if nothing else is left.
[[nodiscard]] std::string scrub_error_text(std::string_view text);

}  // namespace enfold::redact
