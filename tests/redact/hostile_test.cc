// SPDX-License-Identifier: Apache-2.0
// Texts made to be expensive.
#include "enfold/redact/redact.h"
#include "tests/redact/fake_secrets.h"

#include <ctime>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace enfold::redact {
namespace {

// Of the processor, so that a busy machine changes nothing.
double seconds(const std::string& text, const Policy& policy) {
  const std::clock_t start = std::clock();
  const auto found = find_secrets(text, policy);
  const std::clock_t end = std::clock();
  EXPECT_LE(found.size(), text.size());
  return static_cast<double>(end - start) / CLOCKS_PER_SEC;
}

// Quadratic work would take minutes here; linear work takes milliseconds, so the bound is wide.
TEST(Patterns, hostile_texts_cost_linear_time) {
  Policy policy;
  policy.personal_data = true;
  for (const std::string& unit : std::vector<std::string>{"password=",
                                                          "password=[REDACTED:A]",
                                                          "password=[REDACTED:A] ",
                                                          "password:",
                                                          "password:\"",
                                                          "password=\\\"",
                                                          "pin:\"",
                                                          "pin='",
                                                          "cookie:",
                                                          "cookie: a ",
                                                          "eyJ",
                                                          "eyJ.",
                                                          "eyJaaaaaaaaaaaa.",
                                                          "-----BEGIN",
                                                          "-----BEGIN PRIVATE KEY-----",
                                                          "BEGIN",
                                                          "sk-",
                                                          "sk-a1-",
                                                          "SG.",
                                                          "ghp_",
                                                          "glpat-",
                                                          "glpat-a.",
                                                          "://",
                                                          "a://b:",
                                                          "a://b:c/",
                                                          "https://a:",
                                                          "Bearer ",
                                                          "bearer a",
                                                          "token",
                                                          "token ",
                                                          "token:",
                                                          "--token ",
                                                          "<password>",
                                                          "authorization: digest ",
                                                          "key",
                                                          " key",
                                                          "\\u0070",
                                                          "\\\\",
                                                          "\\/",
                                                          ":\\/\\/",
                                                          "\\u005c",
                                                          "1",
                                                          "1-",
                                                          "1 ",
                                                          "+1 ",
                                                          "(",
                                                          "@",
                                                          "a@",
                                                          "a@a.",
                                                          ":AA",
                                                          "123456789:AA",
                                                          "hook",
                                                          "hooks/",
                                                          "hooks.slack.com/services/",
                                                          "whsec_",
                                                          "[REDACTED:",
                                                          "*",
                                                          "password=*",
                                                          "password=)",
                                                          "password=x\\n",
                                                          "curl,--user=x",
                                                          " curl -u x",
                                                          " mysql -p'",
                                                          "curl --user=\"a",
                                                          "secret='a b c ",
                                                          "passwordpassword",
                                                          "x_"}) {
    std::string text;
    while (text.size() < (1U << 20)) text += unit;
    EXPECT_LT(seconds(text, policy), 4.0) << unit;
    EXPECT_LT(seconds("password=\"" + text, policy), 4.0) << unit;
  }
}

TEST(ForgedMarker, hides_no_secret_beside_it) {
  for (const std::string text : {R"({"password":"[REDACTED:PASSWORD]hunter2sEcret99"})",
                                 R"({"password":"[REDACTED:PASSWORD] hunter2sEcret99"})",
                                 R"({"password":"hunter2sEcret99[REDACTED:PASSWORD]"})",
                                 R"({"password":"[REDAC[REDACTED:A]TED:A]hunter2sEcret99"})",
                                 R"({"password":"hunter2[REDACTED:PASSWORD]sEcret99"})",
                                 R"({"name":"DB_PASSWORD","value":"[REDACTED:A]hunter2sEcret99"})",
                                 "DB_PASSWORD=[REDACTED:PASSWORD]hunter2sEcret99",
                                 "DB_PASSWORD='[REDACTED:PASSWORD]hunter2sEcret99'",
                                 R"("password": [REDACTED:PASSWORD]hunter2sEcret99)",
                                 "<password>[REDACTED:PASSWORD]hunter2sEcret99</password>",
                                 "mysql -p[REDACTED:PASSWORD]hunter2sEcret99 -u root",
                                 "https://anna:[REDACTED:PASSWORD]hunter2sEcret99@example.com/"}) {
    const std::string shown = redact_text(text, {});
    EXPECT_EQ(shown.find("sEcret99"), std::string::npos) << shown;
    EXPECT_EQ(redact_text(shown, {}), shown);
  }
}

TEST(ForgedMarker, is_a_secret_if_its_label_is_none_that_enfold_writes) {
  for (const std::string secret :
       {"[REDACTED:A1B2C3D4E5F6G7H8I9J0]", "[REDACTED:a1B2c3D4e5F6G7H8I9J0]",
        "[REDACTED:API_KEY A1b2C3D4E5F6G7H8I9J0]", "[REDACTED:SSN[REDACTED:A1B2F6G7H8I9J0]]"}) {
    for (const std::string& text :
         {R"({"password":")" + secret + "\"}",
          R"({"name":"DB_PASSWORD","value":")" + secret + "\"}", "DB_PASSWORD=" + secret,
          "password: '" + secret + "'", "--password " + secret + " x",
          "<password>" + secret + "</password>", "api_key=" + secret,
          "https://anna:" + secret + "@example.com/"}) {
      const std::string shown = redact_text(text, {});
      EXPECT_EQ(shown.find("F6G7"), std::string::npos) << text << "\n" << shown;
      EXPECT_EQ(redact_text(shown, {}), shown);
    }
  }
}

TEST(ForgedMarker, joins_the_parts_of_a_secret_around_it) {
  const std::string token = fake::github();
  for (const std::string between : {"[REDACTED:X]", "[REDACTED:PASSWORD]", "[REDACTED:a b]",
                                    "[REDACTED:X][REDACTED:JWT]", "[REDAC[REDACTED:X]TED:Y]"}) {
    for (const std::size_t at : {2U, 6U, 12U}) {
      const std::string split = token.substr(0, at) + between + token.substr(at);
      const std::string want = "[REDACTED:GITHUB_TOKEN]";
      EXPECT_EQ(redact_text("see " + split + " ok", {}), "see " + want + " ok");
      EXPECT_EQ(redact_text(R"({"a":")" + split + "\"}", {}), R"({"a":")" + want + "\"}");
      const std::string named = redact_text("DB_PASSWORD=" + split + " ok", {});
      EXPECT_EQ(named.find(token.substr(20)), std::string::npos) << named;
    }
    const std::string beside = redact_text("see x" + between + token + " ok", {});
    EXPECT_EQ(beside.find(token.substr(20)), std::string::npos) << beside;
    const std::string name = redact_text("DB_PASS" + between + "WORD=hunter2sEcret99 ok", {});
    EXPECT_EQ(name.find("sEcret99"), std::string::npos) << name;
  }
}

TEST(Placeholder, encloses_words_but_no_random_characters) {
  for (const std::string secret :
       {"<a1B2c3D4e5F6g7H8i9J0k1L2>", "${a1B2c3D4e5F6g7H8i9J0k1L2}", "{{a1B2c3D4e5F6g7H8i9J0k1L2}}",
        "{{ a1B2c3D4e5F6g7H8i9J0k1L2 }}", "****a1B2c3D4e5F6g7H8i9J0k1L2",
        "a1B2c3D4e5F6g7H8i9J0k1L2****", "...a1B2c3D4e5F6g7H8i9J0k1L2", "%sa1B2c3D4e5F6g7H8i9J0k1L2",
        "%(a1B2c3D4e5F6g7H8i9J0k1L2)s", "$(a1B2c3D4e5F6g7H8i9J0k1L2)", "(a1B2c3D4e5F6g7H8i9J0k1L2)",
        "xxxxxxxxa1B2c3D4e5F6g7H8i9J0k1L2", "a1B2c***D4e5F6g7***H8i9J0k1L2m3N"}) {
    for (const std::string& text :
         {R"({"password":")" + secret + "\"}",
          R"({"name":"DB_PASSWORD","value":")" + secret + "\"}", "DB_PASSWORD=" + secret,
          "DB_PASSWORD='" + secret + "'", "postgres://anna:" + secret + "@example.com/"}) {
      if (text.starts_with("postgres") && secret.find_first_of("< ") != std::string::npos) {
        continue;  // the URL ends there
      }
      const std::string shown = redact_text(text, {});
      EXPECT_EQ(shown.find("F6g7"), std::string::npos) << text << "\n" << shown;
    }
  }
  for (const std::string value :
       {"<your-32-character-key>", "<base64 of user:password>", "${OAUTH2_CLIENT_SECRET_V2}",
        "${OAUTH2_CLIENT_SECRET_V2_2024}", "{{ .Values.oauth2ClientSecret }}", "sk-...9f3a",
        "****9f3a", "abcd****", "$(secrets/db1)", "sk-xxxxxxxxxxxxxxxxabcd1234"}) {
    for (const std::string& text : {R"({"password":")" + value + "\"}", "DB_PASSWORD=" + value}) {
      EXPECT_EQ(redact_text(text, {}), text);
    }
  }
}

TEST(Marker, is_left_alone_where_it_is_the_whole_value) {
  for (const std::string text :
       {R"({"password":"[REDACTED:PASSWORD]","authorization":"Bearer [REDACTED:BEARER_TOKEN]"})",
        "DB_PASSWORD=[REDACTED:PASSWORD], PORT=1", "(password: [REDACTED:PASSWORD])",
        R"(\"password\":\"[REDACTED:PASSWORD]\")", "mysql -p[REDACTED:PASSWORD] -u root",
        "https://anna:[REDACTED:CONNECTION_STRING]@example.com/"}) {
    EXPECT_EQ(redact_text(text, {}), text);
  }
}

}  // namespace
}  // namespace enfold::redact
