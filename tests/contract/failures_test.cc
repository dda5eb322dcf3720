// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/legacy/domain_failures.h"
#include "enfold/json/write.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

using model::ErrorKind;
using model::ErrorType;
using model::Number;
using model::Response;

std::string text(const std::optional<json::Value>& value) {
  return value ? json::to_text(value->view()) : "-";
}

std::string remedy(const Response& response) {
  return response.failure->remediation.empty() ? "" : response.failure->remediation.front();
}

struct Case {
  Response response;
  const char* code;
  ErrorType type;
  ErrorKind kind;
  const char* message;
  const char* payload;
  const char* details;
};

std::vector<Case> general_cases() {
  using namespace failures;
  return {
      {make_failure(Validation{.message = "bad"}), "VALIDATION_ERROR", ErrorType::validation,
       ErrorKind::bad_input, "bad", "-", "-"},
      {make_failure(Validation{.message = "bad", .field = "id"}), "VALIDATION_ERROR",
       ErrorType::validation, ErrorKind::bad_input, "bad", "-", R"({"field":"id"})"},
      {make_failure(MissingRequired{.field = "spec_id"}), "MISSING_REQUIRED", ErrorType::validation,
       ErrorKind::bad_input, "Missing required parameter 'spec_id'", "-",
       R"({"field":"spec_id","constraint":"required"})"},
      {make_failure(InvalidFormat{.message = "no date", .field = "day"}), "INVALID_FORMAT",
       ErrorType::validation, ErrorKind::bad_input, "no date", "-", R"({"field":"day"})"},
      {make_failure(InvalidCursor{.cursor = "x!", .reason = "decode_failed: no"}), "INVALID_FORMAT",
       ErrorType::validation, ErrorKind::bad_input, "Invalid pagination cursor", "-",
       R"({"reason":"decode_failed: no","cursor":"x!"})"},
      {make_failure(UnknownAction{.tool = "server", .action = "dance", .allowed = {"a", "b"}}),
       "VALIDATION_ERROR", ErrorType::validation, ErrorKind::bad_input,
       "Unknown action 'dance' of tool 'server'. Allowed: a, b", "-",
       R"({"action":"dance","allowed_actions":["a","b"]})"},
      {make_failure(UnknownAction{.tool = "server",
                                  .action = "dance",
                                  .allowed = {"a"},
                                  .extra = {.details = json::parse_own(R"({"at":7,"action":1})")}}),
       "VALIDATION_ERROR", ErrorType::validation, ErrorKind::bad_input,
       "Unknown action 'dance' of tool 'server'. Allowed: a", "-",
       R"({"at":7,"action":1,"allowed_actions":["a"]})"},
      {make_failure(NotFound{.resource_type = "Task", .resource_id = "task-7"}), "NOT_FOUND",
       ErrorType::not_found, ErrorKind::missing, "Task 'task-7' not found", "-",
       R"({"resource_type":"task","resource_id":"task-7"})"},
      {make_failure(
           NotFound{.resource_type = "Spec", .resource_id = "s", .code = "SPEC_NOT_FOUND"}),
       "SPEC_NOT_FOUND", ErrorType::not_found, ErrorKind::missing, "Spec 's' not found", "-",
       R"({"resource_type":"spec","resource_id":"s"})"},
      {make_failure(NotFound{.resource_type = "X", .resource_id = "y", .code = "GONE"}), "GONE",
       ErrorType::not_found, ErrorKind::missing, "X 'y' not found", "-",
       R"({"resource_type":"x","resource_id":"y"})"},
      {make_failure(RateLimit{.limit = 100, .retry_after = 45}), "RATE_LIMIT_EXCEEDED",
       ErrorType::rate_limit, ErrorKind::throttled, "Rate limit exceeded: 100 requests per minute",
       "-", "-"},
      {make_failure(Unauthorized{}), "UNAUTHORIZED", ErrorType::authentication,
       ErrorKind::unauthenticated, "Authentication required", "-", "-"},
      {make_failure(Forbidden{.message = "no", .required_permission = "spec:write"}), "FORBIDDEN",
       ErrorType::authorization, ErrorKind::not_allowed, "no",
       R"({"required_permission":"spec:write"})", "-"},
      {make_failure(Forbidden{}), "FORBIDDEN", ErrorType::authorization, ErrorKind::not_allowed,
       "Access denied", "-", "-"},
      {make_failure(Conflict{.message = "taken"}), "CONFLICT", ErrorType::conflict,
       ErrorKind::conflict, "taken", "-", "-"},
      {make_failure(Conflict{.message = "again", .code = "DUPLICATE_ENTRY"}), "DUPLICATE_ENTRY",
       ErrorType::conflict, ErrorKind::conflict, "again", "-", "-"},
      {make_failure(Internal{}), "INTERNAL_ERROR", ErrorType::internal, ErrorKind::bug,
       "An internal error occurred", "-", "-"},
      {make_failure(Unavailable{}), "UNAVAILABLE", ErrorType::unavailable,
       ErrorKind::dependency_down, "The service is temporarily unavailable", "-", "-"},
      {make_failure(Timeout{.what = "Search", .seconds = 30}), "TIMEOUT", ErrorType::unavailable,
       ErrorKind::timeout, "Search timed out after 30 seconds", R"({"timeout_seconds":30})", "-"},
      {make_failure(TooLarge{.what = "The file", .size = 9, .limit = 5}), "PAYLOAD_TOO_LARGE",
       ErrorType::validation, ErrorKind::too_large,
       "The file is too large: 9 bytes, at most 5 are allowed", R"({"size":9,"limit":5})", "-"},
      {make_failure(NotImplemented{.feature = "export"}), "NOT_IMPLEMENTED",
       ErrorType::feature_flag, ErrorKind::not_built, "'export' is not implemented",
       R"({"feature":"export"})", "-"},
      {make_failure(FeatureDisabled{.feature = "beta_search"}), "FEATURE_DISABLED",
       ErrorType::feature_flag, ErrorKind::flag_off, "Feature 'beta_search' is not enabled",
       R"({"feature":"beta_search"})", "-"},
      {make_failure(TierTooLow{.feature = "deep scan", .required_tier = "pro"}), "FEATURE_DISABLED",
       ErrorType::feature_flag, ErrorKind::tier_too_low, "'deep scan' requires the pro tier",
       R"({"feature":"deep scan"})", R"({"required_tier":"pro"})"},
  };
}

std::vector<Case> domain_cases() {
  using namespace failures;
  return {
      {make_failure(CircularDependency{"a", "b", {"a", "b", "a"}}), "CIRCULAR_DEPENDENCY",
       ErrorType::conflict, ErrorKind::conflict,
       "'a' cannot depend on 'b': that would close a cycle (a → b → a)",
       R"({"item_id":"a","target_id":"b","cycle_path":["a","b","a"]})", "-"},
      {make_failure(InvalidParent{.item_id = "a", .parent_id = "b", .valid_parents = {"p"}}),
       "INVALID_PARENT", ErrorType::validation, ErrorKind::bad_input,
       "'a' cannot be moved under 'b'", R"({"item_id":"a","parent_id":"b","valid_parents":["p"]})",
       "-"},
      {make_failure(InvalidPosition{"a", 9, 1, 4}), "INVALID_POSITION", ErrorType::validation,
       ErrorKind::bad_input, "Position 9 of 'a' is outside 1…4",
       R"({"item_id":"a","position":9,"valid_range":[1,4]})", "-"},
      {make_failure(SelfReference{"a"}), "SELF_REFERENCE", ErrorType::validation,
       ErrorKind::bad_input, "'a' cannot refer to itself", R"({"item_id":"a"})", "-"},
      {make_failure(DependencyNotFound{"a", "b"}), "DEPENDENCY_NOT_FOUND", ErrorType::not_found,
       ErrorKind::missing, "'b', a dependency of 'a', was not found",
       R"({"item_id":"a","dependency_id":"b"})", "-"},
      {make_failure(InvalidPattern{"(", "unclosed group"}), "INVALID_REGEX_PATTERN",
       ErrorType::validation, ErrorKind::bad_input, "'(' is not a valid pattern: unclosed group",
       R"({"pattern":"(","reason":"unclosed group"})", "-"},
      {make_failure(PatternTooBroad{".*", 500, 100}), "PATTERN_TOO_BROAD", ErrorType::validation,
       ErrorKind::bad_input, "'.*' matches 500 items, at most 100 are allowed",
       R"({"pattern":".*","match_count":500,"limit":100})", "-"},
      {make_failure(NoMatches{"x", "titles"}), "NO_MATCHES_FOUND", ErrorType::not_found,
       ErrorKind::missing, "Nothing matches 'x' in titles", R"({"pattern":"x","scope":"titles"})",
       "-"},
      {make_failure(BackupNotFound{"s", "b1"}), "BACKUP_NOT_FOUND", ErrorType::not_found,
       ErrorKind::missing, "Backup 'b1' of 's' not found", R"({"item_id":"s","backup_id":"b1"})",
       "-"},
      {make_failure(BackupNotFound{"s", ""}), "BACKUP_NOT_FOUND", ErrorType::not_found,
       ErrorKind::missing, "'s' has no backup", R"({"item_id":"s"})", "-"},
      {make_failure(BackupCorrupted{"s", "b1"}), "BACKUP_CORRUPTED", ErrorType::internal,
       ErrorKind::bug, "Backup 'b1' of 's' cannot be read", R"({"item_id":"s","backup_id":"b1"})",
       "-"},
      {make_failure(RollbackFailed{"s", "b1", "locked"}), "ROLLBACK_FAILED", ErrorType::internal,
       ErrorKind::bug, "'s' could not be rolled back: locked",
       R"({"item_id":"s","backup_id":"b1"})", "-"},
      {make_failure(ComparisonFailed{"s", ""}), "COMPARISON_FAILED", ErrorType::internal,
       ErrorKind::bug, "'s' could not be compared", R"({"item_id":"s"})", "-"},
      {make_failure(AiNoProvider{}), "AI_NO_PROVIDER", ErrorType::unavailable,
       ErrorKind::dependency_down, "No AI provider is available", "-", "-"},
      {make_failure(AiTimeout{"p", 1}), "AI_PROVIDER_TIMEOUT", ErrorType::unavailable,
       ErrorKind::timeout, "AI provider 'p' did not answer within 1 second",
       R"({"provider":"p","timeout_seconds":1})", "-"},
      {make_failure(AiError{"p", "overloaded"}), "AI_PROVIDER_ERROR", ErrorType::unavailable,
       ErrorKind::dependency_down, "AI provider 'p' failed: overloaded", R"({"provider":"p"})",
       "-"},
      {make_failure(AiContextTooLarge{1200, 1000}), "AI_CONTEXT_TOO_LARGE", ErrorType::unavailable,
       ErrorKind::too_large, "The context has 1200 tokens, the model takes 1000",
       R"({"context_tokens":1200,"max_tokens":1000,"overflow_tokens":200})", "-"},
      {make_failure(AiCacheStale{"k", 90, 60}), "AI_CACHE_STALE", ErrorType::unavailable,
       ErrorKind::dependency_down,
       "The cached AI answer is 90 seconds old, at most 60 seconds are allowed",
       R"({"cache_key":"k","cache_age_seconds":90,"max_age_seconds":60})", "-"},
      {make_failure(AiPromptNotFound{"x", {"a", "b", "c", "d", "e", "f", "g"}}),
       "AI_PROMPT_NOT_FOUND", ErrorType::not_found, ErrorKind::missing,
       "Prompt 'x' not found. Available: a, b, c, d, e and 2 more", R"({"prompt_id":"x"})", "-"},
  };
}

void check(const Case& c) {
  SCOPED_TRACE(std::string(c.code) + ": " + c.message);
  EXPECT_EQ(c.response.outcome, model::Outcome::failed);
  ASSERT_TRUE(c.response.failure);
  EXPECT_EQ(c.response.failure->code, c.code);
  EXPECT_EQ(c.response.failure->type, c.type);
  EXPECT_EQ(c.response.failure->kind, c.kind);
  EXPECT_EQ(c.response.failure->message, c.message);
  EXPECT_EQ(text(c.response.payload), c.payload);
  EXPECT_EQ(text(c.response.failure->details), c.details);
  EXPECT_FALSE(c.response.failure->remediation.empty());
}

TEST(Failures, of_general_causes_are_these) {
  for (const Case& c : general_cases()) check(c);
}

TEST(Failures, of_domains_are_these) {
  for (const Case& c : domain_cases()) check(c);
}

TEST(Failures, without_code_and_type_are_internal) {
  const Response response = make_failure(failures::Other{.message = "oops"});
  EXPECT_EQ(response.failure->code, "INTERNAL_ERROR");
  EXPECT_EQ(response.failure->type, ErrorType::internal);
  EXPECT_EQ(response.failure->kind, ErrorKind::bug);
  EXPECT_EQ(response.payload, std::nullopt);
}

TEST(Failures, take_the_type_from_the_code_and_keep_a_given_one) {
  const auto type = [](std::string code, std::optional<ErrorType> given) {
    return make_failure(failures::Other{.message = "m", .code = std::move(code), .type = given})
        .failure->type;
  };
  EXPECT_EQ(type("VALIDATION_ERROR", {}), ErrorType::validation);
  EXPECT_EQ(type("INVALID_INPUT", {}), ErrorType::internal);
  EXPECT_EQ(type("INVALID_INPUT", ErrorType::validation), ErrorType::validation);
  EXPECT_EQ(type("", ErrorType::conflict), ErrorType::conflict);
}

TEST(Failures, of_a_foreign_code_keep_everything_in_its_place) {
  const auto payload = json::parse_own(R"({"field":""})");
  const auto details = json::parse_own(R"({"errors":[{"field":"a"}]})");
  const Response response = make_failure(failures::Other{
      .message = "m",
      .code = "INVALID_INPUT",
      .type = ErrorType::validation,
      .payload = payload,
      .extra = {.remediation = {"do this", "or that"}, .details = details, .request_id = "req_1"}});
  EXPECT_EQ(response.failure->code, "INVALID_INPUT");
  EXPECT_EQ(response.failure->kind, ErrorKind::bad_input);
  EXPECT_EQ(response.payload, payload);
  EXPECT_EQ(response.failure->details, details);
  EXPECT_EQ(response.failure->remediation, (std::vector<std::string>{"do this", "or that"}));
  EXPECT_EQ(response.request_id, "req_1");
}

TEST(Failures, say_the_default_remediation_unless_another_is_given) {
  using namespace failures;
  EXPECT_EQ(remedy(make_failure(NotFound{.resource_type = "Task", .resource_id = "1"})),
            "Verify that the task ID exists and is spelled correctly.");
  EXPECT_EQ(remedy(make_failure(NotFound{
                .resource_type = "Task", .resource_id = "1", .extra = {.remediation = {"mine"}}})),
            "mine");
  EXPECT_EQ(remedy(make_failure(RateLimit{.limit = 1, .retry_after = 45})),
            "Wait 45 seconds before calling again.");
  EXPECT_EQ(remedy(make_failure(Internal{})),
            "Report the failure; a later retry helps only if the cause was temporary.");
  EXPECT_EQ(
      remedy(make_failure(Internal{.extra = {.request_id = "req_7"}})),
      "Report the failure with the reference req_7; a later retry helps only if the cause was "
      "temporary.");
  EXPECT_EQ(remedy(make_failure(Unavailable{})), "Call again later, with increasing pauses.");
  EXPECT_EQ(remedy(make_failure(Unavailable{.retry_after = 1})), "Call again after 1 second.");
  EXPECT_EQ(remedy(make_failure(Forbidden{.required_permission = "w"})),
            "Ask the owner of the resource for the permission 'w'.");
}

TEST(Failures, of_rate_limits_carry_the_limit) {
  const Response response = make_failure(failures::RateLimit{
      .limit = 100, .retry_after = 45, .remaining = 0, .reset_at = "2026-01-01T00:00:00Z"});
  EXPECT_EQ(response.failure->retry_after, Number::of(45));
  EXPECT_EQ(response.rate_limit,
            (model::RateLimit{Number::of(100), Number::of(0), "2026-01-01T00:00:00Z", "minute",
                              Number::of(45)}));
  const Response brief = make_failure(failures::RateLimit{.limit = 5, .period = "hour"});
  EXPECT_EQ(brief.rate_limit->remaining, std::nullopt);
  EXPECT_EQ(brief.rate_limit->period, "hour");
}

TEST(Failures, of_unavailability_carry_the_time_when_known) {
  using failures::Unavailable;
  EXPECT_EQ(make_failure(Unavailable{.retry_after = 30}).failure->retry_after, Number::of(30));
  EXPECT_EQ(make_failure(Unavailable{}).failure->retry_after, std::nullopt);
  EXPECT_EQ(make_failure(Unavailable{}).rate_limit, std::nullopt);
}

TEST(Failures, of_validation_add_the_field_unless_the_details_name_one) {
  const auto details_of = [](const char* details) {
    return text(make_failure(failures::Validation{.message = "m",
                                                  .field = "id",
                                                  .extra = {.details = json::parse_own(details)}})
                    .failure->details);
  };
  EXPECT_EQ(details_of(R"({"min":1})"), R"({"min":1,"field":"id"})");
  EXPECT_EQ(details_of(R"({"field":"other"})"), R"({"field":"other"})");
  EXPECT_EQ(details_of(R"("text")"), R"("text")");
}

TEST(Failures, of_tiers_hint_at_the_upgrade) {
  const Response response =
      make_failure(failures::TierTooLow{.feature = "deep scan", .required_tier = "pro"});
  ASSERT_EQ(response.upgrade_hints.size(), 1U);
  EXPECT_EQ(response.upgrade_hints[0],
            (model::UpgradeHint{"deep scan", "pro", "'deep scan' requires the pro tier"}));
}

}  // namespace
}  // namespace enfold::contract
