// SPDX-License-Identifier: Apache-2.0
// The redaction policy, and the labels of secrets.
#pragma once

#include "enfold/json/document.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

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
}  // namespace label

/// JSON Pointers at which a value violates its announced schema; empty if it is valid.
using BrokenPlaces = std::function<std::vector<std::string>(json::View)>;

struct Policy {
  bool credentials = true;
  bool personal_data = false;  ///< e-mail, phone, card and social security numbers
  /// Additional sensitive key names; case, `-`, `_` and camelCase are ignored.
  std::vector<std::string> extra_keys;
  /// Subtrees that are not redacted: JSON Pointers in which `*` matches any token.
  std::vector<std::string> allow_pointers;
  /// Called after redaction. A marker that violates the schema is replaced by a neutral value of
  /// the same type and, if needed, the same length and shape.
  BrokenPlaces broken_places;
};

}  // namespace enfold::redact
