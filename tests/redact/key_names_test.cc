// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/key_names.h"

#include <gtest/gtest.h>
#include <string_view>

namespace enfold::redact {
namespace {

TEST(KeyNames, sensitive_names_in_every_spelling) {
  struct Row {
    std::string_view name;
    std::string_view label;
  };
  for (const Row& row : {
           Row{"password", label::kPassword},
           {"PASSWD", label::kPassword},
           {"db_password", label::kPassword},
           {"dbPassword", label::kPassword},
           {"dbpassword", label::kPassword},
           {"pwd", label::kPassword},
           {"user-pwd", label::kPassword},
           {"smtpPass", label::kPassword},
           {"passwordHash", label::kPassword},
           {"new_password_2", label::kPassword},
           {"secret", label::kSecretKey},
           {"client_secret", label::kSecretKey},
           {"clientSecret", label::kSecretKey},
           {"token", label::kAccessToken},
           {"access-token", label::kAccessToken},
           {"accessToken", label::kAccessToken},
           {"refresh_token", label::kAccessToken},
           {"GITHUB_TOKEN", label::kGithubToken},
           {"gitlabToken", label::kGitlabToken},
           {"api_key", label::kApiKey},
           {"apikey", label::kApiKey},
           {"apiKey", label::kApiKey},
           {"APIKey", label::kApiKey},
           {"X-Api-Key", label::kApiKey},
           {"private_key", label::kPrivateKey},
           {"privateKey", label::kPrivateKey},
           {"secret_key", label::kSecretKey},
           {"AWS_SECRET_ACCESS_KEY", label::kAwsSecret},
           {"SecretAccessKey", label::kAwsSecret},
           {"auth", label::kAccessToken},
           {"Authorization", label::kAccessToken},
           {"proxy-authorization", label::kAccessToken},
           {"credential", label::kSecretKey},
           {"credentials", label::kSecretKey},
           {"Set-Cookie", label::kCookie},
           {"pass\u200Bword", label::kPassword},
           {"password\u2060", label::kPassword},
           {"client\uFFA0Sec\U0001BCA0ret", label::kSecretKey},
           {"api_\x1B[31mkey\x1B[0m", label::kApiKey},
       }) {
    const auto key = classify_key(row.name, {});
    ASSERT_TRUE(key) << row.name;
    EXPECT_EQ(key->label, row.label) << row.name;
  }
}

TEST(KeyNames, harmless_names) {
  for (const std::string_view name : {"",
                                      "_",
                                      "key",
                                      "id",
                                      "author",
                                      "authors",
                                      "authority",
                                      "authenticated",
                                      "oauth",
                                      "requires_auth",
                                      "passwordless",
                                      "password_policy",
                                      "passed",
                                      "compass",
                                      "first_pass",
                                      "tokens",
                                      "token_count",
                                      "max_tokens",
                                      "tokenizer",
                                      "token_type",
                                      "nextToken",
                                      "next_page_token",
                                      "nextPageToken",
                                      "progressToken",
                                      "continuation_token",
                                      "pad_token",
                                      "secretary",
                                      "secret_name",
                                      "secrets",
                                      "public_key",
                                      "primary_key",
                                      "foreignKey",
                                      "keyboard",
                                      "monkey",
                                      "hotkey",
                                      "cookies",
                                      "accept_cookie",
                                      "pinned",
                                      "spin",
                                      "ssn",
                                      "credit_card",
                                      "access",
                                      "account",
                                      "private",
                                      "api",
                                      "api_url",
                                      "apiKeyName"}) {
    EXPECT_FALSE(classify_key(name, {})) << name;
  }
}

TEST(KeyNames, personal_names_only_on_request) {
  Policy policy;
  policy.personal_data = true;
  EXPECT_EQ(classify_key("ssn", policy)->label, label::kSsn);
  EXPECT_EQ(classify_key("creditCard", policy)->label, label::kCreditCard);
  EXPECT_EQ(classify_key("credit-card-number", policy)->label, label::kCreditCard);
}

TEST(KeyNames, extra_names_are_compared_without_case_and_separators) {
  Policy policy;
  policy.extra_keys = {"Internal Code", ""};
  EXPECT_TRUE(classify_key("internal_code", policy));
  EXPECT_TRUE(classify_key("internalCode", policy));
  EXPECT_FALSE(classify_key("internal_code_2", policy));
  EXPECT_TRUE(classify_key("internal\u200B_code", policy));
  EXPECT_FALSE(classify_key("", policy));
}

}  // namespace
}  // namespace enfold::redact
