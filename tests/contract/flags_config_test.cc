// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/legacy/flags.h"
#include "enfold/json/write.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

constexpr std::int64_t kNow = 1'767'225'600;  // 2026-01-01T00:00:00Z

bool is_on(const Flags& flags, std::string_view name, std::string_view client = "c") {
  return flags.evaluate(name, client, kNow).enabled;
}

TEST(StandardFlags, switch_the_contract_on) {
  const Flags flags = Flags::standard();
  const Flag* const flag = flags.find(kResponseContractFlag);
  ASSERT_NE(flag, nullptr);
  EXPECT_EQ(flag->state, FlagState::stable);
  EXPECT_TRUE(is_on(flags, "response_contract_v2"));
  EXPECT_TRUE(flags.audit(kNow).empty());
}

TEST(FlagConfig, reads_switches_and_objects) {
  const auto flags = Flags::load(json::parse_own(R"({
      "response_contract_v2": {"clients": {"old-client": false}},
      "search": true,
      "legacy": false,
      "rollout": {"description": "d", "state": "stable", "owner": "team", "default_enabled": true,
        "created_at": "2025-12-01", "expires_at": "2026-06-01T00:00:00+02:00",
        "percentage_rollout": 12.5, "allowed_clients": ["a"], "blocked_clients": ["b"],
        "dependencies": ["search"], "metadata": {"ticket": 7}, "enabled": true}
    })")
                                     .view());
  ASSERT_TRUE(flags) << flags.error().message;
  EXPECT_TRUE(is_on(*flags, "response_contract_v2"));
  EXPECT_FALSE(is_on(*flags, "response_contract_v2", "old-client"));
  EXPECT_EQ(flags->find("response_contract_v2")->state, FlagState::stable);
  EXPECT_TRUE(is_on(*flags, "search"));
  EXPECT_FALSE(is_on(*flags, "legacy"));
  const Flag* const flag = flags->find("rollout");
  ASSERT_NE(flag, nullptr);
  EXPECT_EQ(flag->description, "d");
  EXPECT_EQ(flag->owner, "team");
  EXPECT_EQ(flag->created_at, parse_time("2025-12-01T00:00:00Z"));
  EXPECT_EQ(flag->expires_at, parse_time("2026-05-31T22:00:00Z"));
  EXPECT_EQ(flag->percentage_rollout, 12.5);
  EXPECT_EQ(flag->allowed_clients, std::vector<std::string>{"a"});
  EXPECT_EQ(flag->blocked_clients, std::vector<std::string>{"b"});
  EXPECT_EQ(flag->dependencies, std::vector<std::string>{"search"});
  EXPECT_EQ(flag->metadata, json::parse_own(R"({"ticket":7})"));
  EXPECT_EQ(flags->evaluate("rollout", "b", kNow).rule, "override for all clients");
}

TEST(FlagConfig, can_switch_the_contract_off_for_all) {
  const auto flags = Flags::load(json::parse_own(R"({"response_contract_v2":false})").view());
  ASSERT_TRUE(flags);
  EXPECT_FALSE(is_on(*flags, "response_contract_v2"));
}

TEST(FlagConfig, that_is_wrong_is_refused_with_its_place) {
  struct Case {
    const char* config;
    ErrorCode code;
    const char* where;
    const char* message;
  };
  const ErrorCode bad = ErrorCode::invalid_input;
  const Case cases[] = {
      {"[]", bad, "/", "expected an object of feature flags, found []"},
      {R"({"f":1})", bad, "/f", "expected true, false or an object, found 1"},
      {R"({"a/b":1})", bad, "/a~1b", "expected true, false or an object, found 1"},
      {R"({"a b":true})", bad, "/a b",
       R"(expected a flag name of letters, digits, '_', '-' and '.', found "a b")"},
      {R"({"a b":{}})", bad, "/a b",
       R"(expected a flag name of letters, digits, '_', '-' and '.', found "a b")"},
      {R"({"f":{"state":"alpha"}})", bad, "/f/state",
       R"(expected experimental, beta, stable or deprecated, found "alpha")"},
      {R"({"f":{"default_enabled":"yes"}})", bad, "/f/default_enabled",
       R"(expected true or false, found "yes")"},
      {R"({"f":{"description":1}})", bad, "/f/description", "expected a string, found 1"},
      {R"({"f":{"owner":null}})", bad, "/f/owner", "expected a string, found null"},
      {R"({"f":{"expires_at":"soon"}})", bad, "/f/expires_at",
       R"(expected an ISO-8601 date such as "2026-01-31T12:00:00Z", found "soon")"},
      {R"({"f":{"created_at":5}})", bad, "/f/created_at",
       R"(expected an ISO-8601 date such as "2026-01-31T12:00:00Z", found 5)"},
      {R"({"f":{"percentage_rollout":101}})", bad, "/f/percentage_rollout",
       "expected a number from 0 to 100, found 101"},
      {R"({"f":{"percentage_rollout":1e999}})", bad, "/f/percentage_rollout",
       "expected a number from 0 to 100, found 1e999"},
      {R"({"f":{"allowed_clients":"a"}})", bad, "/f/allowed_clients",
       R"(expected an array of strings, found "a")"},
      {R"({"f":{"blocked_clients":[1]}})", bad, "/f/blocked_clients",
       "expected an array of strings, found [1]"},
      {R"({"f":{"metadata":[]}})", bad, "/f/metadata", "expected an object, found []"},
      {R"({"f":{"enabled":1}})", bad, "/f/enabled", "expected true or false, found 1"},
      {R"({"f":{"clients":[]}})", bad, "/f/clients",
       "expected an object of client names and booleans, found []"},
      {R"({"f":{"clients":{"x":1}}})", bad, "/f/clients/x", "expected true or false, found 1"},
      {R"({"f":{"expiry":"2026-01-01"}})", bad, "/f/expiry", "'expiry' is not a field of a flag"},
      {R"({"f":true,"f":false})", ErrorCode::conflict, "/f", "flag 'f' is configured twice"},
      {R"({"f":{"dependencies":["g"]}})", ErrorCode::not_found, "/f/dependencies",
       "flag 'f' depends on 'g', which is not a flag"},
      {R"({"f":{"dependencies":["g"]},"g":{"dependencies":["f"]}})", bad, "/f/dependencies",
       "flags depend on each other in a cycle: f → g → f"},
      {R"({"f":{"dependencies":["f"]}})", bad, "/f/dependencies",
       "flags depend on each other in a cycle: f → f"},
  };
  for (const Case& c : cases) {
    const auto flags = Flags::load(json::parse_own(c.config).view());
    ASSERT_FALSE(flags) << c.config;
    EXPECT_EQ(flags.error().code, c.code) << c.config;
    EXPECT_EQ(flags.error().where, c.where) << c.config;
    EXPECT_EQ(flags.error().message, c.message) << c.config;
  }
}

TEST(FlagConfig, refuses_an_endless_chain) {
  json::Writer writer;
  writer.begin_object();
  for (int i = 0; i < 50'000; ++i) {
    writer.key("f" + std::to_string(100'000 + i)).begin_object().key("dependencies").begin_array();
    writer.string("f" + std::to_string(100'001 + i)).end_array().end_object();
  }
  writer.member("f150000", true).end_object();
  const auto flags = Flags::load(std::move(writer).finish_value().view());
  ASSERT_FALSE(flags);
  EXPECT_EQ(flags.error().code, ErrorCode::limit_exceeded);
}

TEST(FlagTime, is_read_in_the_usual_forms) {
  struct Case {
    const char* text;
    std::optional<std::int64_t> want;
  };
  const Case cases[] = {
      {"1970-01-01", 0},
      {"2026-01-01T00:00:00Z", kNow},
      {"2026-01-01T00:00:00", kNow},
      {"2026-01-01 00:00:00", kNow},
      {"2026-01-01T00:00", kNow},
      {"2026-01-01t00:00:00z", kNow},
      {"2026-01-01T00:00:00.999999Z", kNow},
      {"2026-01-01T02:00:00+02:00", kNow},
      {"2025-12-31T18:30:00-0530", kNow},
      {"2026-01-01T01:00:00+01", kNow},
      {"1969-12-31T23:59:59Z", -1},
      {"2024-02-29", 1'709'164'800},
      {"2023-02-29", std::nullopt},
      {"2026-13-01", std::nullopt},
      {"2026-00-01", std::nullopt},
      {"2026-1-1", std::nullopt},
      {"2026-01-01T24:00:00Z", std::nullopt},
      {"2026-01-01T00:60:00Z", std::nullopt},
      {"2026-01-01T00:00:00.", std::nullopt},
      {"2026-01-01T00:00:00Zx", std::nullopt},
      {"2026-01-01T00:00:00+25:00", std::nullopt},
      {"2026-01-01T", std::nullopt},
      {"20260101", std::nullopt},
      {"", std::nullopt},
      {"soon", std::nullopt},
  };
  for (const Case& c : cases) EXPECT_EQ(parse_time(c.text), c.want) << c.text;
}

TEST(FlagTime, is_written_so_that_it_reads_back) {
  for (const std::int64_t time : {std::int64_t{0}, kNow, kNow + 86'399, std::int64_t{-1}}) {
    EXPECT_EQ(parse_time(format_time(time)), time);
  }
  EXPECT_EQ(format_time(kNow + 3661), "2026-01-01T01:01:01Z");
}

}  // namespace
}  // namespace enfold::contract
