// SPDX-License-Identifier: Apache-2.0
// Texts made to be expensive.
#include "enfold/redact/redact.h"

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
