// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/redact.h"

#include "enfold/json/write.h"
#include "enfold/schema/schema.h"
#include "tests/redact/fake_secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace enfold::redact {
namespace {

std::string redacted(std::string_view text, const Policy& policy = {}) {
  const json::Value value = json::parse_own(text);
  const auto result = redact(value.view(), policy);
  EXPECT_TRUE(result.has_value());
  const auto again = redact(result->value.view(), policy);
  EXPECT_EQ(again->value->raw(), result->value->raw()) << "not stable";
  return std::string(result->value->raw());
}

// \uyggr and \udb40udc01 are no escapes of U+200B and U+E0001, which do not count in a name.
TEST(Redact, reads_no_escape_where_none_is) {
  for (const std::string_view name : {"pass\\uyggrword", "pass\\udb40udc01word"}) {
    const std::string text = std::string(name) + "=hunter22";
    EXPECT_EQ(redact_text(text, {}), text);
  }
  EXPECT_EQ(redact_text("pass\\u200bword=hunter22", {}), "pass\\u200bword=[REDACTED:PASSWORD]");
  EXPECT_EQ(redact_text("pass\\udb40\\udc01word=hunter22", {}),
            "pass\\udb40\\udc01word=[REDACTED:PASSWORD]");
}

TEST(Redact, replaces_the_whole_value_of_a_sensitive_member) {
  struct Row {
    std::string_view input;
    std::string_view want;
  };
  for (const Row& row : {
           Row{R"({"password":"x"})", R"({"password":"[REDACTED:PASSWORD]"})"},
           {R"({"user":{"Pass-Word":"a","accessToken":"b1c2d3"}})",
            R"({"user":{"Pass-Word":"a","accessToken":"[REDACTED:ACCESS_TOKEN]"}})"},
           {R"({"apiKey":"https://x"})", R"({"apiKey":"https://x"})"},
           {R"({"token":"hello","credentials":"include","secret":"prod-db-2024"})",
            R"({"token":"hello","credentials":"include","secret":"prod-db-2024"})"},
           {R"({"jsonwebtoken":"^9.0.2","forgot_password":"Forgot your password?"})",
            R"({"jsonwebtoken":"^9.0.2","forgot_password":"Forgot your password?"})"},
           {R"({"datadog.api.key":"0123456789abcdef"})",
            R"({"datadog.api.key":"[REDACTED:API_KEY]"})"},
           {R"({"db/pass":"hunter2hunter2"})", R"({"db/pass":"[REDACTED:PASSWORD]"})"},
           {R"({"auth":"Bearer abc"})", R"({"auth":"[REDACTED:BEARER_TOKEN]"})"},
           {R"({"\u0070assword":"x\ny"})", R"({"\u0070assword":"[REDACTED:PASSWORD]"})"},
           {R"({"password":null,"token":true,"secret":12})",
            R"({"password":null,"token":true,"secret":12})"},
           {R"({"password":"","token":"<token>","secret":"****"})",
            R"({"password":"","token":"<token>","secret":"****"})"},
           {R"({"password":12345678})", R"({"password":0})"},
           {R"({"pin":12345,"otp":"123456"})", R"({"pin":12345,"otp":"[REDACTED:PASSWORD]"})"},
           {R"({"token":1234567890,"token_count":1234567})",
            R"({"token":1234567890,"token_count":1234567})"},
           {R"({"pwd":"/home/joe","PWD":"/x"})", R"({"pwd":"/home/joe","PWD":"/x"})"},
           {R"({"pwd":"hunter2"})", R"({"pwd":"[REDACTED:PASSWORD]"})"},
           {R"({"auth":"oauth2","credentials":"none"})",
            R"({"auth":"oauth2","credentials":"none"})"},
           {R"({"password":"default"})", R"({"password":"[REDACTED:PASSWORD]"})"},
           {R"({"password":"Password"})", R"({"password":"Password"})"},
           {R"({"credentials":{"id":"a1b2c3d4e5","list":["b1b2c3d4e5",1,{"c":"c1b2c3d4e5"}]}})",
            R"({"credentials":{"id":"a1b2c3d4e5","list":["b1b2c3d4e5",1,{"c":"c1b2c3d4e5"}]}})"},
           {R"({"credentials":["b1b2c3d4e5",1,{"c":"c1b2c3d4e5"}]})",
            R"({"credentials":["[REDACTED:SECRET_KEY]",1,{"c":"c1b2c3d4e5"}]})"},
           {R"({"apiKey":{"value":"a1b2c3d4e5","in":"header"}})",
            R"({"apiKey":{"value":"[REDACTED:API_KEY]","in":"header"}})"},
           {R"({"credentials":{"password":"a"}})",
            R"({"credentials":{"password":"[REDACTED:PASSWORD]"}})"},
       }) {
    EXPECT_EQ(redacted(row.input), row.want);
  }
}

TEST(Redact, does_not_take_the_marker_of_a_user_for_a_password) {
  const std::string token = "ghp_" + std::string(30, 'a') + "012345";
  EXPECT_EQ(redacted(R"({"url":"https://)" + token + R"(@github.com/x/y"})"),
            R"({"url":"https://[REDACTED:GITHUB_TOKEN]@github.com/x/y"})");
}

TEST(Redact, leaves_every_other_byte_alone) {
  const std::string before =
      "{ \"a\" : 1.0 ,\t\"b\":[1e400,\"\\u00e9\\/\"],\"c\":\"\\u0070lain\",\n";
  const std::string after = ",\"d\":{ }, \"a\":\"twice\" }";
  EXPECT_EQ(redacted(before + "\"password\": \"x\"" + after),
            before + "\"password\": \"[REDACTED:PASSWORD]\"" + after);
  EXPECT_EQ(redacted(R"("caf\u00e9 \/ password=hunter2 \ud83d\ude00 \"q\"")"),
            R"("caf\u00e9 \/ password=[REDACTED:PASSWORD] \ud83d\ude00 \"q\"")");
}

TEST(Redact, gives_the_value_itself_back_when_nothing_is_found) {
  const json::Value value = json::parse_own(R"({"author":"joe","tokens":5,"u":"\u0041uthor"})");
  const auto result = redact(value.view(), {});
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->changed);
  EXPECT_EQ(result->count, 0U);
  EXPECT_EQ(result->value->raw().data(), value->raw().data());
}

TEST(Redact, redacts_a_part_of_a_document) {
  const json::Value value = json::parse_own(R"({"x":"password=a1b2c3","y":[{"password":"p"}]})");
  const auto result = redact(*value->find("y"), {});
  EXPECT_EQ(result->value->raw(), R"([{"password":"[REDACTED:PASSWORD]"}])");
  EXPECT_EQ(result->findings[0].pointer, "/0/password");
  EXPECT_EQ(redact(json::View(), {})->value->raw(), "null");
}

TEST(Redact, sees_through_json_in_text) {
  const std::string json = R"({"password":"hunter2","n":[1.0, {"token":"a1b2c3"}]})";
  const std::string want =
      R"({"password":"[REDACTED:PASSWORD]","n":[1.0, {"token":"[REDACTED:ACCESS_TOKEN]"}]})";
  std::string nested = json;
  std::string expected = want;
  for (int depth = 0; depth < 5; ++depth) {
    nested = json::quote(nested);
    expected = json::quote(expected);
    EXPECT_EQ(redacted(nested), expected) << depth;
  }
  EXPECT_EQ(redacted(json::quote("result: " + json)).find("hunter2"), std::string::npos);
  EXPECT_EQ(redacted(json::quote("{\"a\":1}\n" + json)).find("hunter2"), std::string::npos);
  EXPECT_EQ(redacted(json::quote(R"({"\u0070assword":"hunter2"})")),
            json::quote(R"({"\u0070assword":"[REDACTED:PASSWORD]"})"));
  EXPECT_EQ(redacted(json::quote(R"({"password":12345678})")), json::quote(R"({"password":0})"));
}

TEST(Redact, replaces_secrets_in_keys_and_keeps_the_keys_apart) {
  const std::string a = fake::github();
  const std::string b = std::string("gh") + "p_" + fake::body(36, 99);
  EXPECT_EQ(redacted("{\"" + a + "\":1,\"x\":2,\"" + b + "\":3,\"pre " + a + "\":4}"),
            "{\"[REDACTED:GITHUB_TOKEN]\":1,\"x\":2,\"[REDACTED:GITHUB_TOKEN]#2\":3,"
            "\"pre [REDACTED:GITHUB_TOKEN]\":4}");
  const json::Value value = json::parse_own("{\"" + a + "\":{\"password\":\"x\"}}");
  const auto result = redact(value.view(), {});
  const std::vector<Finding> want = {
      {"/[REDACTED:GITHUB_TOKEN]", label::kGithubToken, Finding::Where::key},
      {"/[REDACTED:GITHUB_TOKEN]/password", label::kPassword, Finding::Where::value}};
  EXPECT_EQ(result->findings, want);
  EXPECT_EQ(result->count, 2U);
}

TEST(Redact, many_keys_become_as_many_markers) {
  std::string text = "{";
  for (unsigned i = 0; i < 3000; ++i) {
    text += (i == 0 ? "\"" : ",\"") + std::string("gh") + "p_" + fake::body(36, i) + "\":1";
  }
  const json::Value value = json::parse_own(text + "}");
  const auto document = json::parse(redact(value.view(), {})->value->raw());
  EXPECT_EQ(document->root().size(), 3000U);
  EXPECT_EQ(document->oddities().duplicate_key_count, 0U);
}

TEST(Redact, a_string_with_a_lone_surrogate_is_redacted_too) {
  EXPECT_EQ(redacted(R"(["\ud800 password=hunter2"])"),
            R"(["\ud800 password=[REDACTED:PASSWORD]"])");
}

TEST(Redact, a_schema_under_a_sensitive_name_stays_readable) {
  EXPECT_EQ(redacted(R"({"properties":{"password":{"type":"string","description":"The password",)"
                     R"("default":"hunter2"}}})"),
            R"({"properties":{"password":{"type":"string","description":"The password",)"
            R"("default":"[REDACTED:PASSWORD]"}}})");
}

TEST(Redact, counts_a_secret_once_wherever_it_occurs) {
  struct Row {
    std::string input;
    std::size_t want;
  };
  const std::string record =
      R"({"user":"joe","password":"hunter2","token":"a1b2c3d4","otp":"481516"})";
  const std::string header = "Authorization: Bearer " + fake::body(30);
  for (const Row& row : {
           Row{R"({"content":[{"type":"text","text":)" + json::quote(record) +
                   R"(}],"structuredContent":)" + record + "}",
               3},
           {R"({"a":"password=hunter2 password=hunter2","b":{"password":"hunter2"}})", 1},
           {R"({"text":)" + json::quote(header) + R"(,"authorization":)" +
                json::quote(header.substr(15)) + "}",
            1},
           {"[" + json::quote("token=" + fake::github()) + "," + json::quote(fake::github()) + "]",
            1},
           {R"({"password":77812345,"text":"{\"password\":77812345}"})", 1},
           {R"(["password=hunter2","password=hunter3"])", 2},
       }) {
    EXPECT_EQ(redact(json::parse_own(row.input).view(), {})->count, row.want) << row.input;
  }
}

TEST(Redact, keeps_the_members_of_an_object_that_is_named_like_a_secret) {
  for (const std::string_view input : {
           R"({"jsonwebtoken":{"version":"9.0.2","integrity":"sha512-aGVsbG8gd29ybGQ="}})",
           R"({"apiKey":{"type":"apiKey","name":"X-API-Key","in":"header"}})",
           R"({"csrf-token":{"id":"a1b2c3d4e5f6","list":["a1b2c3d4e5f6"]}})",
       }) {
    EXPECT_EQ(redacted(input), input);
  }
}

TEST(Redact, finds_the_sensitive_columns_of_a_table) {
  EXPECT_EQ(redacted(R"({"columns":["id","password"],"rows":[[1,"Lilac77!x"],[2,"no"]]})"),
            R"({"columns":["id","password"],"rows":[[1,"[REDACTED:PASSWORD]"],[2,"no"]]})");
  EXPECT_EQ(redacted(R"([["user","api_key"],["joe","a1b2c3d4e5f6g7"],["ann","b1b2c3d4e5f6g7"]])"),
            R"([["user","api_key"],["joe","[REDACTED:API_KEY]"],["ann","[REDACTED:API_KEY]"]])");
}

TEST(Redact, lists_a_bounded_number_of_findings_and_counts_all) {
  std::string text = "[";
  for (int i = 0; i < 250; ++i) {
    text += std::string(i == 0 ? "" : ",") + "{\"password\":\"x" + std::to_string(i) + "\"}";
  }
  const json::Value value = json::parse_own(text + "]");
  const auto result = redact(value.view(), {});
  EXPECT_EQ(result->findings.size(), kMostFindings);
  EXPECT_EQ(result->count, 250U);
  EXPECT_TRUE(result->changed);
}

TEST(Redact, allowed_pointers_stay) {
  Policy policy;
  policy.allow_pointers = {"/items/*/token", "/a~1b"};
  EXPECT_EQ(redacted(R"({"items":[{"token":"t","password":"p"}],"a/b":{"password":"x"}})", policy),
            R"({"items":[{"token":"t","password":"[REDACTED:PASSWORD]"}],"a/b":{"password":"x"}})");
  policy.allow_pointers = {""};
  EXPECT_EQ(redacted(R"({"password":"x"})", policy), R"({"password":"x"})");
}

TEST(Redact, extra_keys_and_personal_data) {
  Policy policy;
  policy.extra_keys = {"internal_code",
                       "stra\xC3\x9F"
                       "e",
                       "k"};
  policy.personal_data = true;
  EXPECT_EQ(
      redacted(R"({"internalCode":"a","Stra\u00dfe":"b","K":"c","mail":"x@example.org"})", policy),
      R"({"internalCode":"[REDACTED:SECRET_KEY]","Stra\u00dfe":"[REDACTED:SECRET_KEY]",)"
      R"("K":"[REDACTED:SECRET_KEY]","mail":"[REDACTED:EMAIL]"})");
}

TEST(Redact, finds_a_secret_in_a_long_string) {
  std::string text(1 << 20, 'a');
  for (std::size_t i = 0; i < text.size(); i += 61) text[i] = ' ';
  const std::string secret = fake::github();
  const std::string got = redacted(json::quote(text + " " + secret + " " + text));
  EXPECT_EQ(got, json::quote(text + " [REDACTED:GITHUB_TOKEN] " + text));
}

// A policy whose schema is checked as the pipeline does it.
Policy announced(std::string_view schema_text) {
  auto schema = schema::Schema::compile(json::parse_own(schema_text));
  EXPECT_TRUE(schema.has_value());
  Policy policy;
  policy.broken_places = [schema = *std::move(schema)](json::View value) {
    std::vector<std::string> places;
    const auto validation = schema.validate(value);
    for (const auto& violation : validation->violations) {
      places.push_back(violation.instance);
    }
    return places;
  };
  return policy;
}

TEST(Redact, a_replacement_keeps_the_announced_schema_valid) {
  struct Row {
    std::string_view name;
    std::string_view schema;
    std::string_view input;
    std::string_view want;
  };
  for (const Row& row : {
           Row{"no constraint", R"({"type":"string"})", R"("hunter2")", "[REDACTED:PASSWORD]"},
           {"maxLength", R"({"type":"string","maxLength":10})", R"("hunter2")", "*******"},
           {"maxLength counts characters", R"({"maxLength":8})", R"("h\u00e4nter22")", "********"},
           {"minLength", R"({"minLength":25})", R"("aaaaabbbbbcccccdddddeeeee1")",
            "**************************"},
           {"pattern", R"({"pattern":"^[a-z]{3}-[0-9]{4}$"})", R"("abc-1234")", "xxx-0000"},
           {"format", R"({"pattern":"^[0-9A-F-]+$","maxLength":9})", R"("1234-5678")", "0000-0000"},
           {"empty only", R"({"anyOf":[{"const":""},{"const":"hunter2"}]})", R"("hunter2")", ""},
       }) {
    const Policy policy =
        announced(R"({"properties":{"password":)" + std::string(row.schema) + "}}");
    const json::Value value = json::parse_own("{\"password\":" + std::string(row.input) + "}");
    const auto result = redact(value.view(), policy);
    EXPECT_EQ(result->value->find("password")->string(), row.want) << row.name;
    EXPECT_TRUE(policy.broken_places(result->value.view()).empty()) << row.name;
    EXPECT_TRUE(result->unfit.empty()) << row.name;
    const auto again = redact(result->value.view(), policy);
    EXPECT_EQ(again->value->raw(), result->value->raw()) << row.name;
  }
}

TEST(Redact, numbers_stay_numbers_and_within_their_schema) {
  const Policy policy = announced(R"({"properties":{"pin":{"type":"integer","minimum":100000}}})");
  EXPECT_EQ(redacted(R"({"pin":471147})", policy), R"({"pin":100000})");
}

TEST(Redact, text_with_a_secret_keeps_its_length_when_it_must) {
  const Policy policy = announced(R"({"properties":{"log":{"maxLength":24}}})");
  EXPECT_EQ(redacted(R"({"log":"user=joe password=hunt"})", policy),
            R"({"log":"user=joe password=****"})");
}

TEST(Redact, the_items_of_an_array_are_replaced_in_one_way) {
  const Policy policy = announced(R"({"items":{"properties":{"password":{"maxLength":8}}}})");
  std::string text = "[";
  std::string want = "[";
  for (int i = 0; i < 500; ++i) {
    text += std::string(i == 0 ? "" : ",") + R"({"password":"hunter2"})";
    want += std::string(i == 0 ? "" : ",") + R"({"password":"*******"})";
  }
  Policy counting = policy;
  int asked = 0;
  counting.broken_places = [&](json::View value) {
    ++asked;
    return policy.broken_places(value);
  };
  EXPECT_EQ(redact(json::parse_own(text + "]").view(), counting)->value->raw(), want + "]");
  EXPECT_LE(asked, 3);
}

TEST(Redact, keys_keep_the_schema_valid_too) {
  const Policy policy = announced(R"({"propertyNames":{"maxLength":40}})");
  const std::string got = redacted("{\"" + fake::github() + "\":1}", policy);
  EXPECT_EQ(got, "{\"[REDACTED:GITHUB_TOKEN]\":1}");
  const Policy narrow =
      announced(R"({"additionalProperties":false,"patternProperties":{"^[a-z*_]+$":true}})");
  EXPECT_EQ(redacted("{\"" + fake::github() + "\":1}", narrow),
            "{\"" + std::string(40, '*') + "\":1}");
}

TEST(Redact, secrecy_wins_where_no_replacement_fits_and_says_so) {
  const Policy policy = announced(R"({"properties":{"password":{"enum":["hunter2"]}}})");
  const json::Value value = json::parse_own(R"({"password":"hunter2"})");
  const auto result = redact(value.view(), policy);
  EXPECT_EQ(result->value->raw(), R"({"password":"[REDACTED:PASSWORD]"})");
  EXPECT_EQ(result->unfit, std::vector<std::string>{"/password"});
}

TEST(Redact, what_was_broken_before_is_not_our_business) {
  const Policy policy = announced(R"({"properties":{"password":{"type":"integer"}}})");
  EXPECT_EQ(redacted(R"({"password":"hunter2"})", policy), R"({"password":"[REDACTED:PASSWORD]"})");
}

TEST(Marker, coming_back_as_an_argument_is_recognised) {
  struct Row {
    std::string_view input;
    std::optional<Marker> want;
  };
  for (const Row& row : {
           Row{R"({"a":[1,{"b/c":"[REDACTED:PASSWORD]"}]})", Marker{"/a/1/b~1c", "PASSWORD"}},
           {R"({"text":"set it to [REDACTED:API_KEY] please"})", Marker{"/text", "API_KEY"}},
           {R"({"text":"\u005bREDACTED:JWT]"})", Marker{"/text", "JWT"}},
           {R"({"text":"[\u0052EDACTED:JWT]"})", Marker{"/text", "JWT"}},
           {R"({"text":"{\"p\":\"[REDACTED:PASSWORD]\"}"})", Marker{"/text", "PASSWORD"}},
           {R"({"[REDACTED:GITHUB_TOKEN]":1})",
            Marker{"/[REDACTED:GITHUB_TOKEN]", "GITHUB_TOKEN", Finding::Where::key}},
           {R"("[REDACTED:SSN]")", Marker{"", "SSN"}},
           {R"({"text":"[REDACTED:"})", std::nullopt},
           {R"({"text":"[REDACTED:] [REDACTED:x] REDACTED"})", std::nullopt},
           {R"({"text":"[REDACTED: [REDACTED:PASSWORD]"})", Marker{"/text", "PASSWORD"}},
           {R"({"password":"hunter2"})", std::nullopt},
           {"null", std::nullopt},
       }) {
    EXPECT_EQ(find_marker(json::parse_own(row.input).view()), row.want) << row.input;
  }
}

TEST(Marker, is_recognised_with_hidden_characters_inside) {
  for (const char* const text : {"[REDAC\u200BTED:PASSWORD]", "[REDACTED:PASS\u200BWORD]",
                                 "[\u2060REDACTED:PASSWORD\u00AD]", "[REDACTED\U000E0041:PASSWORD]",
                                 "x [RED\x1b[31mACTED:PASSWORD] y", "[REDACTED:PASS\bWORD\x7F]"}) {
    json::Writer in_value;
    in_value.begin_object().member("a", text).end_object();
    EXPECT_EQ(find_marker(std::move(in_value).finish_value().view()), (Marker{"/a", "PASSWORD"}))
        << text;
    json::Writer in_key;
    in_key.begin_object().key(text).integer(1).end_object();
    const auto found = find_marker(std::move(in_key).finish_value().view());
    EXPECT_TRUE(found && found->label == "PASSWORD" && found->where == Finding::Where::key) << text;
  }
  const auto escaped = json::parse_own(R"({"a":"[REDAC\u200bTED:\udb40\udc41PASSWORD]"})");
  EXPECT_EQ(find_marker(escaped.view()), (Marker{"/a", "PASSWORD"}));
  EXPECT_EQ(find_marker(json::parse_own("{\"a\":\"[REDACTED\u00e9:PASSWORD]\"}").view()),
            std::nullopt);
}

TEST(Marker, every_replaced_secret_is_recognised_when_it_comes_back) {
  const json::Value value = json::parse_own(R"({"password":"x"})");
  const auto result = redact(value.view(), {});
  EXPECT_EQ(find_marker(result->value.view()), (Marker{"/password", "PASSWORD"}));
}

}  // namespace
}  // namespace enfold::redact
