// SPDX-License-Identifier: Apache-2.0
// Tokens with a known prefix.
#pragma once

#include "enfold/redact/find/chars.h"
#include "enfold/redact/redact.h"

#include <algorithm>

namespace enfold::redact::detail {

struct TokenShape {
  std::string_view prefix;
  std::string_view label;
  std::size_t least;  ///< minimum number of bytes after the prefix
  int classes;        ///< of those bytes
  enum class Rule : unsigned char { open, exact, key } rule = Rule::open;  ///< see kTokenShapes

  /// The last four bytes of the prefix: they are rarer in text than the first four.
  [[nodiscard]] constexpr std::string_view anchor() const {
    return prefix.substr(prefix.size() - std::min<std::size_t>(prefix.size(), 4));
  }
};

inline constexpr int kUpperDigit = kUpper | kDigit;
inline constexpr int kLowerDigit = kLower | kDigit;
inline constexpr int kLowerHex = kHexLetter | kDigit;
inline constexpr int kDotted = kToken | kDot;
inline constexpr int kDollar = kLowerDigit | kDollarSign;
inline constexpr int kBase64 = kAlnum | kBase64Sign;
inline constexpr int kBase64Url = kToken | kBase64Sign;

/// Sorted by the anchor. Rule `exact`: exactly `least` bytes. `key`: the bytes must end with a
/// UUID, or have a run of 16 or more letters and digits with a digit (8 or more if in mixed case),
/// because the prefix occurs in ordinary words (`sk-learn-…`). `open`: no further rule.
inline constexpr std::array kTokenShapes = {
    TokenShape{"dp.ct.", label::kAccessToken, 30, kDotted},
    TokenShape{"sk.eyJ", label::kAccessToken, 40, kDotted},
    TokenShape{"dp.pt.", label::kAccessToken, 30, kDotted},
    TokenShape{"dp.sa.", label::kAccessToken, 30, kDotted},
    TokenShape{"dp.st.", label::kAccessToken, 30, kDotted},
    TokenShape{"xoxe.xox", label::kSlackToken, 10, kToken},
    TokenShape{"v1.0-", label::kApiKey, 120, kToken, TokenShape::Rule::key},
    TokenShape{"1//0", label::kAccessToken, 40, kToken},
    TokenShape{"sha256~", label::kAccessToken, 40, kToken},
    TokenShape{"GR1348941", label::kGitlabToken, 16, kToken},
    TokenShape{"dG9rOi", label::kAccessToken, 40, kBase64, TokenShape::Rule::key},
    TokenShape{"ABIA", label::kAwsAccessKey, 16, kUpperDigit, TokenShape::Rule::exact},
    TokenShape{"ABSK", label::kApiKey, 80, kBase64, TokenShape::Rule::key},
    TokenShape{"ACCA", label::kAwsAccessKey, 16, kUpperDigit, TokenShape::Rule::exact},
    TokenShape{"AIza", label::kGoogleApiKey, 35, kToken},
    TokenShape{"AKCp", label::kApiKey, 60, kAlnum},
    TokenShape{"AKIA", label::kAwsAccessKey, 16, kUpperDigit, TokenShape::Rule::exact},
    TokenShape{"CLOJARS_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"ASIA", label::kAwsAccessKey, 16, kUpperDigit, TokenShape::Rule::exact},
    TokenShape{"ATBB", label::kAccessToken, 32, kAlnum, TokenShape::Rule::exact},
    TokenShape{"ATATT3", label::kAccessToken, 40, kBase64Url},
    TokenShape{"BBDC-", label::kAccessToken, 40, kBase64Url},
    TokenShape{"ATCTT3", label::kAccessToken, 40, kBase64Url},
    TokenShape{"EAA", label::kAccessToken, 57, kToken, TokenShape::Rule::key},
    TokenShape{"FLWSECK-", label::kSecretKey, 32, kToken, TokenShape::Rule::key},
    TokenShape{"FLWSECK_TEST-", label::kSecretKey, 12, kToken, TokenShape::Rule::key},
    TokenShape{"AGE-SECRET-KEY-1", label::kPrivateKey, 50, kUpperDigit},
    TokenShape{"EZAK", label::kApiKey, 54, kAlnum},
    TokenShape{"EZTK", label::kApiKey, 54, kAlnum},
    TokenShape{"eyJrIjoi", label::kApiKey, 60, kBase64},
    TokenShape{"LTAI", label::kAccessToken, 16, kAlnum, TokenShape::Rule::key},
    TokenShape{"PMAK-", label::kApiKey, 40, kToken},
    TokenShape{"CFPAT-", label::kAccessToken, 40, kToken},
    TokenShape{"CCIPAT_", label::kAccessToken, 40, kToken},
    TokenShape{"CCIPRJ_", label::kAccessToken, 40, kToken},
    TokenShape{"NRAK-", label::kApiKey, 24, kAlnum},
    TokenShape{"NRII-", label::kApiKey, 24, kToken},
    TokenShape{"NRJS-", label::kApiKey, 16, kAlnum},
    TokenShape{"HRKU-", label::kApiKey, 36, kToken, TokenShape::Rule::key},
    TokenShape{"NRRA-", label::kApiKey, 24, kAlnum},
    TokenShape{"NRSP-", label::kApiKey, 24, kAlnum},
    TokenShape{"SG.", label::kApiKey, 40, kDotted, TokenShape::Rule::key},
    TokenShape{"SK", label::kApiKey, 32, kLowerHex, TokenShape::Rule::exact},
    TokenShape{"GOCSPX-", label::kSecretKey, 20, kToken},
    TokenShape{"ops_eyJ", label::kAccessToken, 80, kBase64Url},
    TokenShape{"lsv2_pt_", label::kApiKey, 32, kToken},
    TokenShape{"pscale_pw_", label::kPassword, 30, kDotted},
    TokenShape{"lsv2_sk_", label::kApiKey, 32, kToken},
    TokenShape{"doo_v1_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"dop_v1_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"dor_v1_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"tgp_v1_", label::kApiKey, 40, kToken},
    TokenShape{"wandb_v1_", label::kApiKey, 40, kToken},
    TokenShape{"ya29.", label::kAccessToken, 20, kDotted},
    TokenShape{"aio_", label::kApiKey, 28, kAlnum, TokenShape::Rule::exact},
    TokenShape{"nvapi-", label::kApiKey, 40, kToken},
    TokenShape{"lin_api_", label::kApiKey, 32, kAlnum},
    TokenShape{"xapp-", label::kSlackToken, 16, kToken},
    TokenShape{"sq0atp-", label::kAccessToken, 20, kToken},
    TokenShape{"access_token$sandbox$", label::kAccessToken, 40, kDollar, TokenShape::Rule::key},
    TokenShape{"access-sandbox-", label::kAccessToken, 36, kToken, TokenShape::Rule::key},
    TokenShape{"dt0c01.", label::kAccessToken, 60, kDotted},
    TokenShape{"glcbt-", label::kGitlabToken, 16, kToken},
    TokenShape{"cfk_", label::kApiKey, 32, kToken},
    TokenShape{"dp.scim.", label::kAccessToken, 30, kDotted},
    TokenShape{"cio", label::kAccessToken, 32, kAlnum, TokenShape::Rule::exact},
    TokenShape{"csk-", label::kApiKey, 32, kAlnum},
    TokenShape{"pcsk_", label::kApiKey, 40, kToken},
    TokenShape{"sq0csp-", label::kSecretKey, 20, kToken},
    TokenShape{"cmVmdGtu", label::kAccessToken, 56, kAlnum},
    TokenShape{"dapi", label::kAccessToken, 32, kLowerDigit, TokenShape::Rule::key},
    TokenShape{"dp.audit.", label::kAccessToken, 30, kDotted},
    TokenShape{"rdme_", label::kApiKey, 40, kLowerDigit},
    TokenShape{"rubygems_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"access-development-", label::kAccessToken, 36, kToken, TokenShape::Rule::key},
    TokenShape{"glagent-", label::kGitlabToken, 16, kToken},
    TokenShape{"duffel_test_", label::kAccessToken, 36, kToken},
    TokenShape{"rk_test_", label::kStripeKey, 16, kAlnum},
    TokenShape{"shippo_test_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"sk_test_", label::kStripeKey, 16, kAlnum},
    TokenShape{"pat-eu1-", label::kAccessToken, 36, kToken, TokenShape::Rule::key},
    TokenShape{"cfat_", label::kAccessToken, 32, kToken},
    TokenShape{"fc-", label::kApiKey, 32, kLowerHex, TokenShape::Rule::exact},
    TokenShape{"glffct-", label::kGitlabToken, 16, kToken},
    TokenShape{"fm2_", label::kAccessToken, 60, kBase64},
    TokenShape{"fo1_", label::kAccessToken, 40, kToken},
    TokenShape{"cfut_", label::kAccessToken, 32, kToken},
    TokenShape{"gho_", label::kGithubToken, 20, kAlnum},
    TokenShape{"ghp_", label::kGithubToken, 20, kAlnum},
    TokenShape{"ghr_", label::kGithubToken, 20, kAlnum},
    TokenShape{"ghs_", label::kGithubToken, 20, kDotted},
    TokenShape{"ghu_", label::kGithubToken, 20, kAlnum},
    TokenShape{"glc_", label::kAccessToken, 32, kBase64},
    TokenShape{"gsk_", label::kApiKey, 32, kAlnum},
    TokenShape{"hf_", label::kApiKey, 30, kAlnum},
    TokenShape{"hvb.", label::kAccessToken, 20, kToken},
    TokenShape{"hvr.", label::kAccessToken, 20, kToken},
    TokenShape{"hvs.", label::kAccessToken, 20, kToken},
    TokenShape{"ico-", label::kApiKey, 32, kAlnum, TokenShape::Rule::exact},
    TokenShape{"figd_", label::kAccessToken, 32, kToken},
    TokenShape{"glimt-", label::kGitlabToken, 16, kToken},
    TokenShape{"jina_", label::kApiKey, 40, kToken},
    TokenShape{"access_token$production$", label::kAccessToken, 40, kDollar, TokenShape::Rule::key},
    TokenShape{"access-production-", label::kAccessToken, 36, kToken, TokenShape::Rule::key},
    TokenShape{"packagist_", label::kAccessToken, 40, kToken},
    TokenShape{"duffel_live_", label::kAccessToken, 36, kToken},
    TokenShape{"live_", label::kApiKey, 35, kAlnum, TokenShape::Rule::key},
    TokenShape{"rk_live_", label::kStripeKey, 16, kAlnum},
    TokenShape{"shippo_live_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"sk_live_", label::kStripeKey, 16, kAlnum},
    TokenShape{"bkaj_", label::kAccessToken, 32, kLowerDigit},
    TokenShape{"bkct_", label::kAccessToken, 32, kAlnum},
    TokenShape{"bedrock-api-key-", label::kApiKey, 40, kBase64},
    TokenShape{"key-", label::kApiKey, 32, kLowerHex, TokenShape::Rule::exact},
    TokenShape{"tskey-", label::kApiKey, 16, kToken, TokenShape::Rule::key},
    TokenShape{"bkua_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"gldt-", label::kGitlabToken, 16, kToken},
    TokenShape{"glft-", label::kGitlabToken, 16, kToken},
    TokenShape{"glrt-", label::kGitlabToken, 16, kDotted},
    TokenShape{"glsa_", label::kAccessToken, 24, kToken},
    TokenShape{"glwt-", label::kGitlabToken, 16, kToken},
    TokenShape{"fm1a_", label::kAccessToken, 60, kBase64},
    TokenShape{"fm1r_", label::kAccessToken, 60, kBase64},
    TokenShape{"amzn.mws.", label::kAccessToken, 36, kToken, TokenShape::Rule::key},
    TokenShape{"pat-na1-", label::kAccessToken, 36, kToken, TokenShape::Rule::key},
    TokenShape{"pat-na2-", label::kAccessToken, 36, kToken, TokenShape::Rule::key},
    TokenShape{"nfc_", label::kAccessToken, 36, kAlnum},
    TokenShape{"nfo_", label::kAccessToken, 36, kAlnum},
    TokenShape{"nfp_", label::kAccessToken, 36, kAlnum},
    TokenShape{"npm_", label::kNpmToken, 30, kAlnum},
    TokenShape{"ntn_", label::kAccessToken, 40, kAlnum},
    TokenShape{"fio-u-", label::kAccessToken, 40, kToken},
    TokenShape{"gloas-", label::kGitlabToken, 16, kToken},
    TokenShape{"glsoat-", label::kGitlabToken, 16, kToken},
    TokenShape{"dckr_oat_", label::kAccessToken, 20, kToken},
    TokenShape{"xoxa-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxb-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxc-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxd-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxe-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxo-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxp-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxr-", label::kSlackToken, 10, kToken},
    TokenShape{"xoxs-", label::kSlackToken, 10, kToken},
    TokenShape{"oy2", label::kApiKey, 43, kLowerDigit, TokenShape::Rule::exact},
    TokenShape{"pa-", label::kApiKey, 43, kToken, TokenShape::Rule::key},
    TokenShape{"glpat-", label::kGitlabToken, 16, kDotted},
    TokenShape{"dckr_pat_", label::kAccessToken, 20, kToken},
    TokenShape{"github_pat_", label::kGithubToken, 20, kToken},
    TokenShape{"shpat_", label::kAccessToken, 32, kAlnum},
    TokenShape{"shpca_", label::kAccessToken, 32, kAlnum},
    TokenShape{"phc_", label::kApiKey, 40, kAlnum},
    TokenShape{"phx_", label::kApiKey, 40, kAlnum},
    TokenShape{"zpka_", label::kApiKey, 32, kToken},
    TokenShape{"pplx-", label::kApiKey, 32, kAlnum},
    TokenShape{"pnb_", label::kApiKey, 36, kAlnum},
    TokenShape{"pnu_", label::kApiKey, 36, kAlnum},
    TokenShape{"shppa_", label::kAccessToken, 32, kAlnum},
    TokenShape{"shpss_", label::kSecretKey, 32, kAlnum},
    TokenShape{"glptt-", label::kGitlabToken, 16, kToken},
    TokenShape{"pul-", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"r8_", label::kApiKey, 32, kAlnum},
    TokenShape{"re_", label::kApiKey, 30, kToken, TokenShape::Rule::key},
    TokenShape{"sb_secret_", label::kSecretKey, 24, kToken},
    TokenShape{"secret_", label::kAccessToken, 40, kAlnum},
    TokenShape{"rnd_", label::kApiKey, 28, kAlnum},
    TokenShape{"sk_prod_", label::kApiKey, 24, kAlnum},
    TokenShape{"glrtr-", label::kGitlabToken, 16, kToken},
    TokenShape{"sntrys_", label::kAccessToken, 40, kBase64Url},
    TokenShape{"sntryu_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"dt0s01.", label::kAccessToken, 60, kDotted},
    TokenShape{"dt0s02.", label::kAccessToken, 60, kDotted},
    TokenShape{"sbp_", label::kAccessToken, 40, kToken},
    TokenShape{"sdk-", label::kApiKey, 36, kToken, TokenShape::Rule::key},
    TokenShape{"whsec_", label::kStripeKey, 24, kBase64},
    TokenShape{"sgp_", label::kAccessToken, 40, kToken},
    TokenShape{"xkeysib-", label::kApiKey, 40, kToken},
    TokenShape{"xsmtpsib-", label::kApiKey, 40, kToken},
    TokenShape{"sk-", label::kApiKey, 20, kToken, TokenShape::Rule::key},
    TokenShape{"sk_", label::kApiKey, 48, kLowerHex, TokenShape::Rule::exact},
    TokenShape{"sl.", label::kAccessToken, 100, kToken, TokenShape::Rule::key},
    TokenShape{"sqa_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"sqp_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"squ_", label::kAccessToken, 40, kLowerDigit},
    TokenShape{"tfp_", label::kAccessToken, 40, kDotted},
    TokenShape{"pscale_tkn_", label::kAccessToken, 30, kDotted},
    TokenShape{"lin_oauth_", label::kAccessToken, 32, kAlnum},
    TokenShape{"pscale_oauth_", label::kAccessToken, 30, kDotted},
    TokenShape{"vca_", label::kAccessToken, 24, kAlnum},
    TokenShape{"vci_", label::kAccessToken, 24, kAlnum},
    TokenShape{"vck_", label::kAccessToken, 24, kAlnum},
    TokenShape{"vcp_", label::kAccessToken, 24, kAlnum},
    TokenShape{"vcr_", label::kAccessToken, 24, kAlnum},
    TokenShape{"tvly-", label::kApiKey, 24, kToken},
    TokenShape{"xai-", label::kApiKey, 32, kToken, TokenShape::Rule::key},
    TokenShape{"pypi-", label::kAccessToken, 50, kToken},
};

/// Tokens without a prefix, but with a fixed mark after exactly `before` bytes.
struct MarkedShape {
  std::string_view mark;
  std::size_t before;
  int classes;              ///< of the bytes before the mark
  std::size_t least_after;  ///< minimum number of bytes after the mark
  std::size_t most_after;   ///< maximum number of them
  int classes_after;        ///< of the bytes after the mark
  std::string_view label;
};
inline constexpr std::array kMarkedShapes = {
    MarkedShape{"AZDO", 76, kAlnum, 4, 4, kAlnum, label::kAccessToken},          // Azure DevOps
    MarkedShape{"JQQJ99", 52, kAlnum, 26, 26, kAlnum, label::kApiKey},           // Azure services
    MarkedShape{"NRAL", 36, kAlnum, 0, 0, kAlnum, label::kApiKey},               // New Relic
    MarkedShape{".atlasv1.", 14, kAlnum, 60, 70, kToken, label::kAccessToken},   // Terraform Cloud
    MarkedShape{"-us", 32, kLowerHex, 1, 2, kDigit, label::kApiKey},             // Mailchimp
    MarkedShape{"Q~", 4, kDotted, 31, 34, kDotted | kTilde, label::kSecretKey},  // Azure AD
};

}  // namespace enfold::redact::detail
