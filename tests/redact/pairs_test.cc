// SPDX-License-Identifier: Apache-2.0
// Secrets that stand beside their name, and what only looks like that.
#include "enfold/json/write.h"
#include "enfold/redact/redact.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace enfold::redact {
namespace {

std::string redacted(std::string_view text) {
  const auto result = redact(json::parse_own(text).view(), {});
  const auto again = redact(result->value.view(), {});
  EXPECT_FALSE(again->changed) << "not stable: " << text;
  return std::string(result->value->raw());
}

TEST(Pairs, lose_the_value_that_a_sensitive_name_stands_beside) {
  struct Row {
    std::string_view input;
    std::string_view want;
  };
  for (const Row& row : {
           Row{R"({"env":[{"name":"DB_PASSWORD","value":"hunter2Secr3tPass!"}]})",
               R"({"env":[{"name":"DB_PASSWORD","value":"[REDACTED:PASSWORD]"}]})"},
           {R"([{"name":"DB_PASSWORD","value":"swordfish"}])",
            R"([{"name":"DB_PASSWORD","value":"[REDACTED:PASSWORD]"}])"},
           {R"({"value":"hunter2Secr3t","key":"password","id":7})",
            R"({"value":"[REDACTED:PASSWORD]","key":"password","id":7})"},
           {R"({"Key":"api_key","Value":"a1b2c3d4e5f6"})",
            R"({"Key":"api_key","Value":"[REDACTED:API_KEY]"})"},
           {R"({"name":"Authorization","value":"Basic dXNlcjpodW50ZXIy"})",
            R"({"name":"Authorization","value":"[REDACTED:ACCESS_TOKEN]"})"},
           {R"({"name":"Cookie","value":"sid=0a1b2c3d4e"})",
            R"({"name":"Cookie","value":"[REDACTED:COOKIE]"})"},
           {R"([["Authorization","Basic dXNlcjpodW50ZXIy"],["Accept","*/*"]])",
            R"([["Authorization","[REDACTED:ACCESS_TOKEN]"],["Accept","*/*"]])"},
           {R"(["X-Api-Key","a1b2c3d4e5f6g7"])", R"(["X-Api-Key","[REDACTED:API_KEY]"])"},
           {R"({"text":"{\"name\":\"DB_PASSWORD\",\"value\":\"hunter2Secr3t\"}"})",
            R"({"text":"{\"name\":\"DB_PASSWORD\",\"value\":\"[REDACTED:PASSWORD]\"}"})"},
           {R"({"header":"Basic dXNlcjpodW50ZXIy"})",
            R"({"header":"Basic [REDACTED:ACCESS_TOKEN]"})"},
       }) {
    EXPECT_EQ(redacted(row.input), row.want);
  }
}

TEST(Pairs, of_ordinary_data_stay) {
  for (const std::string_view input : {
           R"({"name":"token","value":"EOS"})",
           R"({"name":"token","value":42})",
           R"({"name":"token","value":"comma"})",
           R"({"name":"password","value":"required"})",
           R"({"name":"password","value":"Passwort"})",
           R"({"name":"password","value":"Contraseña"})",
           R"({"name":"password","value":"Mot de passe 2"})",
           R"({"name":"password","value":"addressLine1"})",
           R"({"key":"DB_PASSWORD","value":"${DB_PASSWORD}"})",
           R"({"key":"PWD","value":"/home/joe"})",
           R"({"key":"secret","value":"/run/secrets/db"})",
           R"({"name":"author","value":"a1b2c3d4e5f6"})",
           R"({"name":"next_page_token","value":"a1b2c3d4e5f6"})",
           R"({"name":"Authorization","value":"Customers must authorise the 2nd payment"})",
           R"({"name":"secret","note":"a1b2c3d4e5f6"})",
           R"({"required":["password","username1"]})",
           R"({"required":["password","addressLine1"]})",
           R"(["token","user_id_12345"])",
           R"({"required":["client_secret","oauth2_client_id"]})",
           R"({"enum":["password","sha256_fingerprint"]})",
           R"(["access_token","oauth2_token_type"])",
           R"(["api_key","k8s:cluster:read"])",
           R"(["password","utf8mb4_general_ci"])",
           R"(["auth_token","x86_64-linux-gnu"])",
           R"(["secret","src/app1/main.rs"])",
           R"(["token","tokenizers==0.15.2"])",
           R"(["--password","--username=foo1"])",
           R"({"key":"AUTH-12","value":"blocked"})",
           R"({"key":"TOKEN-12","value":"In-Progress"})",
           R"({"key":"SECRET-7","value":"won't-fix"})",
           R"({"key":"PIN-3","value":"1234"})",
           R"({"key":"LOGIN_PASSWORD","value":"Kennwort"})",
           R"({"key":"forgotPassword","value":"Forgot?"})",
           R"({"key":"password","value":"Ändern?"})",
           R"({"key":"login.password","value":"Password*"})",
           R"({"name":"IMAGE_PULL_SECRET","value":"regcred"})",
           R"({"name":"TLS_SECRET","value":"wildcard-tls"})",
           R"({"name":"DB_PASSWORD","value":"vault:secret/data/db#password"})",
           R"({"name":"DB_PASSWORD","value":"arn:aws:secretsmanager:eu-1:12:secret:db-1"})",
           R"({"name":"MYSQL_RANDOM_ROOT_PASSWORD","value":"1"})",
           R"(["password","a1b2c3d4e5f6g7","x"])",
           R"({"text":"Basic authentication and basic information, BASIC 12345678"})",
           R"({"text":"Basic dGVzdGluZ3Rlc3Rpbmc="})",
       }) {
    EXPECT_EQ(redacted(input), input);
  }
}

TEST(Redact, takes_no_image_with_its_digest_for_a_login) {
  const std::string image = R"({"image":"docker://nginx:latest@sha256:0123456789abcdef"})";
  EXPECT_EQ(redacted(image), image);
}

TEST(Redact, takes_a_private_key_that_is_cut_with_its_header_lines) {
  const std::string key = std::string("-----BEGIN RSA PRIVATE") + " KEY-----\\n" +
                          "Proc-Type: 4,ENCRYPTED\\nDEK-Info: AES-128-CBC,0A1B2C3D\\n\\n" +
                          "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\\nygWyF0GBz";
  EXPECT_EQ(redacted(R"({"file":"a )" + key + "\"}"), R"({"file":"a [REDACTED:PRIVATE_KEY]"})");
}

}  // namespace
}  // namespace enfold::redact
