// SPDX-License-Identifier: Apache-2.0
// Tokens with a known prefix.
#pragma once

#include "enfold/redact/find/chars.h"
#include "enfold/redact/redact.h"

namespace enfold::redact::detail {

struct TokenShape {
  std::string_view prefix;
  std::string_view label;
  std::size_t least;  ///< bytes after the prefix, at least
  int classes;        ///< of those bytes
  enum class Rule : unsigned char { open, exact, key } rule = Rule::open;
};

inline constexpr int kUpperDigit = kUpper | kDigit;
inline constexpr int kLowerDigit = kLower | kDigit;
inline constexpr int kDotted = kToken | kDot;

/// `exact`: exactly `least` bytes. `key`: needs a run of 16 or more letters and digits with a
/// digit, because the prefix occurs in ordinary words (`sk-learn-…`). `open`: neither.
inline constexpr std::array kTokenShapes = {
    TokenShape{"AKIA", label::kAwsAccessKey, 16, kUpperDigit, TokenShape::Rule::exact},
    TokenShape{"ASIA", label::kAwsAccessKey, 16, kUpperDigit, TokenShape::Rule::exact},
    TokenShape{"ghp_", label::kGithubToken, 20, kAlnum},
    TokenShape{"gho_", label::kGithubToken, 20, kAlnum},
    TokenShape{"ghu_", label::kGithubToken, 20, kAlnum},
    TokenShape{"ghs_", label::kGithubToken, 20, kAlnum},
    TokenShape{"ghr_", label::kGithubToken, 20, kAlnum},
    TokenShape{"github_pat_", label::kGithubToken, 20, kToken},
    TokenShape{"glpat-", label::kGitlabToken, 16, kDotted},
    TokenShape{"gldt-", label::kGitlabToken, 16, kToken},
    TokenShape{"glrt-", label::kGitlabToken, 16, kDotted},
    TokenShape{"glcbt-", label::kGitlabToken, 16, kToken},
    TokenShape{"glptt-", label::kGitlabToken, 16, kToken},
    TokenShape{"glft-", label::kGitlabToken, 16, kToken},
    TokenShape{"glimt-", label::kGitlabToken, 16, kToken},
    TokenShape{"glagent-", label::kGitlabToken, 16, kToken},
    TokenShape{"gloas-", label::kGitlabToken, 16, kToken},
    TokenShape{"glsoat-", label::kGitlabToken, 16, kToken},
    TokenShape{"glsa_", label::kAccessToken, 24, kToken},
    TokenShape{"xoxa-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxb-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxc-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxd-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxe-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxe.xox", label::kSlackToken, 10, kToken},
    TokenShape{"xoxo-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxp-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxr-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxs-", label::kSlackToken, 10, kToken},
    TokenShape{"xapp-", label::kSlackToken, 16, kToken},
    TokenShape{"AIza", label::kGoogleApiKey, 35, kToken},
    TokenShape{"GOCSPX-", label::kSecretKey, 20, kToken},
    TokenShape{"ya29.", label::kAccessToken, 20, kDotted},
    TokenShape{"sk_live_", label::kStripeKey, 16, kAlnum},
    TokenShape{"sk_test_", label::kStripeKey, 16, kAlnum},
    TokenShape{"rk_live_", label::kStripeKey, 16, kAlnum},
    TokenShape{"rk_test_", label::kStripeKey, 16, kAlnum},
    TokenShape{"whsec_", label::kStripeKey, 24, kAlnum | kBase64Sign},
    TokenShape{"sk-", label::kApiKey, 20, kToken, TokenShape::Rule::key},
    TokenShape{"gsk_", label::kApiKey, 32, kAlnum},
    TokenShape{"xai-", label::kApiKey, 32, kToken, TokenShape::Rule::key},
    TokenShape{"pplx-", label::kApiKey, 32, kAlnum},
    TokenShape{"r8_", label::kApiKey, 32, kAlnum},
    TokenShape{"hf_", label::kApiKey, 30, kAlnum},
    TokenShape{"nvapi-", label::kApiKey, 40, kToken},
    TokenShape{"npm_", label::kNpmToken, 30, kAlnum},
    TokenShape{"pypi-", label::kAccessToken, 50, kToken},
    TokenShape{"rubygems_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"dop_v1_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"doo_v1_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"dor_v1_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"dckr_pat_", label::kAccessToken, 20, kToken},
    TokenShape{"dp.pt.", label::kAccessToken, 30, kAlnum},
    TokenShape{"dapi", label::kAccessToken, 32, kLowerDigit, TokenShape::Rule::key},
    TokenShape{"SG.", label::kApiKey, 40, kDotted, TokenShape::Rule::key},
    TokenShape{"shpat_", label::kAccessToken, 32, kAlnum},
    TokenShape{"shpca_", label::kAccessToken, 32, kAlnum},
    TokenShape{"shppa_", label::kAccessToken, 32, kAlnum},
    TokenShape{"shpss_", label::kSecretKey, 32, kAlnum},
    TokenShape{"sq0atp-", label::kAccessToken, 20, kToken},
    TokenShape{"sq0csp-", label::kSecretKey, 20, kToken},
    TokenShape{"hvs.", label::kAccessToken, 20, kToken},
    TokenShape{"hvb.", label::kAccessToken, 20, kToken},
    TokenShape{"hvr.", label::kAccessToken, 20, kToken},
    TokenShape{"AGE-SECRET-KEY-1", label::kPrivateKey, 50, kUpperDigit},
    TokenShape{"lin_api_", label::kApiKey, 32, kAlnum},
    TokenShape{"sntrys_", label::kAccessToken, 40, kToken | kBase64Sign},
    TokenShape{"sntryu_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"tskey-", label::kApiKey, 16, kToken, TokenShape::Rule::key},
    TokenShape{"figd_", label::kAccessToken, 32, kToken},
    TokenShape{"ATATT3", label::kAccessToken, 40, kToken | kBase64Sign},
    TokenShape{"PMAK-", label::kApiKey, 40, kToken},
    TokenShape{"NRAK-", label::kApiKey, 24, kAlnum},
    TokenShape{"pul-", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"xkeysib-", label::kApiKey, 40, kToken},
    TokenShape{"sbp_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"ntn_", label::kAccessToken, 40, kAlnum},
};

}  // namespace enfold::redact::detail
