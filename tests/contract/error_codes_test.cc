// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/error_codes.h"

#include "enfold/contract/reading/failure_kind.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

namespace enfold::contract {
namespace {

model::ErrorKind kind_of_message(std::string_view message) {
  return kind_of_failure({.code = {}, .status = {}, .message = message}).kind;
}

using model::ErrorKind;
using model::ErrorType;

TEST(ErrorCodes, are_sorted_and_unique) {
  const auto codes = known_codes();
  ASSERT_GT(codes.size(), 100U);
  for (std::size_t i = 1; i < codes.size(); ++i) {
    EXPECT_LT(codes[i - 1].code, codes[i].code) << "at " << i;
  }
  for (const CodeEntry& entry : codes) EXPECT_EQ(find_code(entry.code), &entry) << entry.code;
}

TEST(ErrorCodes, have_the_type_of_the_documents) {
  struct Case {
    ErrorType type;
    std::vector<std::string_view> codes;
  };
  const Case cases[] = {
      {ErrorType::validation, {"VALIDATION_ERROR", "INVALID_FORMAT", "MISSING_REQUIRED"}},
      {ErrorType::not_found, {"NOT_FOUND", "SPEC_NOT_FOUND", "TASK_NOT_FOUND"}},
      {ErrorType::conflict,
       {"DUPLICATE_ENTRY", "CONFLICT", "ALREADY_EXISTS", "INVALID_STATE", "DEPENDENCY_ERROR"}},
      {ErrorType::authentication, {"UNAUTHORIZED"}},
      {ErrorType::authorization, {"FORBIDDEN"}},
      {ErrorType::feature_flag, {"FEATURE_DISABLED"}},
      {ErrorType::rate_limit, {"RATE_LIMIT_EXCEEDED"}},
      {ErrorType::internal, {"INTERNAL_ERROR"}},
      {ErrorType::unavailable, {"UNAVAILABLE"}},
  };
  for (const Case& c : cases) {
    for (const std::string_view code : c.codes) {
      ASSERT_NE(find_code(code), nullptr) << code;
      EXPECT_EQ(type_of(code), c.type) << code;
    }
  }
}

TEST(ErrorCodes, have_the_kind_that_a_chat_means) {
  struct Case {
    std::string_view code;
    ErrorKind kind;
  };
  for (const Case& one :
       {Case{"UNKNOWN_CHANNEL", ErrorKind::missing}, Case{"UNKNOWN_GUILD", ErrorKind::missing},
        Case{"UNKNOWN_MESSAGE", ErrorKind::missing}, Case{"UNKNOWN_USER", ErrorKind::missing},
        Case{"MISSING_PERMISSIONS", ErrorKind::not_allowed},
        Case{"MISSING_ACCESS", ErrorKind::not_allowed},
        Case{"INVALID_FORM_BODY", ErrorKind::bad_input},
        Case{"UNKNOWN_ARGUMENT", ErrorKind::bad_input}}) {
    EXPECT_EQ(kind_of_failure({.code = one.code, .status = {}, .message = "Failed"}).kind, one.kind)
        << one.code;
  }
}

TEST(ErrorCodes, know_every_code_in_use) {
  const char* const codes[] = {
      // planning server, first list
      "INVALID_PARENT", "INVALID_POSITION", "INVALID_REGEX_PATTERN", "PATTERN_TOO_BROAD",
      "PHASE_NOT_FOUND", "DEPENDENCY_NOT_FOUND", "BACKUP_NOT_FOUND", "NO_MATCHES_FOUND",
      "CIRCULAR_DEPENDENCY", "SELF_REFERENCE", "RESOURCE_BUSY", "BACKUP_CORRUPTED",
      "ROLLBACK_FAILED", "COMPARISON_FAILED", "OPERATION_FAILED", "AI_NO_PROVIDER",
      "AI_PROVIDER_TIMEOUT", "AI_PROVIDER_ERROR", "AI_CONTEXT_TOO_LARGE", "AI_PROMPT_NOT_FOUND",
      "AI_CACHE_STALE",
      // added later
      "AUTHORIZATION", "RATE_LIMITED", "AUTONOMY_WRITE_LOCK_ACTIVE", "SPEC_SESSION_EXISTS",
      "NO_ACTIVE_SESSION", "AMBIGUOUS_ACTIVE_SESSION", "LOCK_TIMEOUT", "STEP_RESULT_REQUIRED",
      "STEP_MISMATCH", "INVALID_GATE_EVIDENCE", "INVALID_CURSOR", "SESSION_UNRECOVERABLE",
      "MANUAL_GATE_ACK_REQUIRED", "INVALID_GATE_ACK", "INVALID_STATE_TRANSITION",
      "AUTO_MODE_SPEC_REQUIRED", "SPEC_REBASE_REQUIRED", "REBASE_COMPLETED_TASKS_REMOVED",
      "HEARTBEAT_STALE", "VERSION_CONFLICT", "REBASE_BACKUP_MISSING",
      // in its reference for users
      "INVALID_ACTION", "INVALID_STATUS", "INVALID_OPTIONS", "INVALID_TRANSITION",
      "INVALID_LIFECYCLE_TRANSITION", "TEMPLATE_NOT_FOUND", "WORKSPACE_NOT_FOUND",
      "JOURNAL_NOT_FOUND", "BLOCKED_TASK", "INCOMPLETE_DEPS", "SPEC_LOCKED", "INCOMPLETE_TASKS",
      "ALREADY_ACTIVE", "ALREADY_COMPLETED", "AI_NOT_AVAILABLE", "PROVIDER_TIMEOUT",
      "AI_CONSULTATION_ERROR", "PROVIDER_ERROR", "TEST_FAILED", "TEST_DISCOVERY_FAILED",
      "PYTEST_NOT_FOUND", "TIMEOUT", "CONSULT_FAILED", "SPEC_LOAD_ERROR", "SPEC_SAVE_ERROR",
      "FILE_WRITE_ERROR",
      // memory server
      "MEMORY_NOT_FOUND", "INVALID_SCOPE", "DATABASE_CONNECTION_ERROR",
      "MEMORY_MANAGER_NOT_INITIALIZED", "RESOURCE_LIMIT_ERROR", "UNEXPECTED_ERROR",
      // numbers
      "-32700", "-32600", "-32601", "-32602", "-32603", "-32001", "-32002", "400", "401", "403",
      "404", "409", "413", "429", "500", "501", "503", "504",
      // operating system
      "ENOENT", "EACCES", "EPERM", "ETIMEDOUT", "EEXIST", "ECONNREFUSED", "ENOSPC", "EISDIR"};
  for (const char* code : codes) EXPECT_NE(find_code(code), nullptr) << code;
  EXPECT_EQ(find_code(""), nullptr);
  EXPECT_EQ(find_code("not_Found"), nullptr) << "codes are case sensitive";
  EXPECT_EQ(find_code("zzz"), nullptr);
}

TEST(ErrorCodes, agree_with_the_type_of_their_kind) {
  for (const CodeEntry& entry : known_codes()) {
    // Too large for a provider: typed by the provider, told apart by the kind.
    if (entry.code == "AI_CONTEXT_TOO_LARGE") continue;
    EXPECT_EQ(traits(entry.kind).type, entry.type) << entry.code;
  }
}

TEST(ErrorCodes, cover_the_twelve_of_scalpel_and_no_other_in_lower_case) {
  const std::map<std::string_view, ErrorKind> twelve{
      {"invalid_argument", ErrorKind::bad_input},
      {"invalid_path", ErrorKind::bad_path},
      {"forbidden", ErrorKind::not_allowed},
      {"not_found", ErrorKind::missing},
      {"timeout", ErrorKind::timeout},
      {"too_large", ErrorKind::too_large},
      {"resource_exhausted", ErrorKind::exhausted},
      {"not_implemented", ErrorKind::not_built},
      {"upgrade_required", ErrorKind::tier_too_low},
      {"dependency_unavailable", ErrorKind::dependency_down},
      {"internal_error", ErrorKind::bug},
      {"correction_needed", ErrorKind::correctable},
  };
  std::set<std::string_view> found;
  for (const CodeEntry& entry : known_codes()) {
    if (entry.code.front() < 'a') continue;
    found.insert(entry.code);
    ASSERT_TRUE(twelve.contains(entry.code)) << entry.code;
    EXPECT_EQ(entry.kind, twelve.at(entry.code)) << entry.code;
  }
  EXPECT_EQ(found.size(), twelve.size());
  for (std::size_t i = 0; i < model::Names<ErrorKind>::values.size(); ++i) {
    const KindTraits& kind = traits(static_cast<ErrorKind>(i));
    EXPECT_TRUE(twelve.contains(kind.scalpel_code)) << model::name(kind.kind);
  }
}

TEST(ErrorTypes, have_the_retry_of_the_table) {
  struct Case {
    std::string_view type;
    Retry retry;
  };
  const Case cases[] = {{"validation", Retry::no},           {"authentication", Retry::no},
                        {"authorization", Retry::no},        {"not_found", Retry::no},
                        {"conflict", Retry::after_check},    {"rate_limit", Retry::after_delay},
                        {"feature_flag", Retry::no},         {"internal", Retry::with_backoff},
                        {"unavailable", Retry::with_backoff}};
  for (const Case& c : cases) {
    const auto type = read_type(c.type);
    ASSERT_TRUE(type) << c.type;
    EXPECT_EQ(retry_of(*type), c.retry) << c.type;
  }
  EXPECT_EQ(std::size(cases), model::Names<ErrorType>::values.size());
}

TEST(ErrorTypes, are_a_closed_set_with_one_alias) {
  EXPECT_EQ(read_type("ai_provider"), ErrorType::unavailable);
  EXPECT_EQ(read_type("timeout"), std::nullopt);
  EXPECT_EQ(read_type("Validation"), std::nullopt);
  EXPECT_EQ(read_type(""), std::nullopt);
}

TEST(ErrorKinds, are_spelled_in_every_contract) {
  struct Case {
    ErrorKind kind;
    std::string_view type, code, scalpel;
  };
  const Case cases[] = {
      {ErrorKind::bad_input, "validation", "VALIDATION_ERROR", "invalid_argument"},
      {ErrorKind::bad_path, "validation", "VALIDATION_ERROR", "invalid_path"},
      {ErrorKind::unauthenticated, "authentication", "UNAUTHORIZED", "forbidden"},
      {ErrorKind::not_allowed, "authorization", "FORBIDDEN", "forbidden"},
      {ErrorKind::missing, "not_found", "NOT_FOUND", "not_found"},
      {ErrorKind::conflict, "conflict", "CONFLICT", "invalid_argument"},
      {ErrorKind::throttled, "rate_limit", "RATE_LIMIT_EXCEEDED", "resource_exhausted"},
      {ErrorKind::flag_off, "feature_flag", "FEATURE_DISABLED", "not_implemented"},
      {ErrorKind::tier_too_low, "feature_flag", "FEATURE_DISABLED", "upgrade_required"},
      {ErrorKind::not_built, "feature_flag", "NOT_IMPLEMENTED", "not_implemented"},
      {ErrorKind::timeout, "unavailable", "TIMEOUT", "timeout"},
      {ErrorKind::dependency_down, "unavailable", "UNAVAILABLE", "dependency_unavailable"},
      {ErrorKind::too_large, "validation", "PAYLOAD_TOO_LARGE", "too_large"},
      {ErrorKind::exhausted, "unavailable", "RESOURCE_BUSY", "resource_exhausted"},
      {ErrorKind::correctable, "validation", "VALIDATION_ERROR", "correction_needed"},
      {ErrorKind::bug, "internal", "INTERNAL_ERROR", "internal_error"},
      {ErrorKind::tool_error, "internal", "TOOL_ERROR", "internal_error"},
  };
  EXPECT_EQ(std::size(cases), model::Names<ErrorKind>::values.size());
  for (const Case& c : cases) {
    const KindTraits& kind = traits(c.kind);
    EXPECT_EQ(kind.kind, c.kind);
    EXPECT_EQ(model::name(kind.type), c.type) << model::name(c.kind);
    EXPECT_EQ(kind.code, c.code) << model::name(c.kind);
    EXPECT_EQ(kind.scalpel_code, c.scalpel) << model::name(c.kind);
    EXPECT_EQ(type_of(kind.code), kind.type) << "the code alone leads to the type";
  }
}

TEST(ErrorKinds, of_a_code_come_from_the_registry_then_from_the_type) {
  EXPECT_EQ(kind_of("TASK_NOT_FOUND"), ErrorKind::missing);
  EXPECT_EQ(kind_of("VALIDATION_ERROR", ErrorType::internal), ErrorKind::bad_input);
  EXPECT_EQ(kind_of("INVALID_INPUT", ErrorType::validation), ErrorKind::bad_input);
  EXPECT_EQ(kind_of("ODD", ErrorType::unavailable), ErrorKind::dependency_down);
  EXPECT_EQ(kind_of("ODD"), ErrorKind::tool_error);
  EXPECT_EQ(kind_of(""), ErrorKind::tool_error);
  EXPECT_EQ(type_of("ODD"), ErrorType::internal);
  EXPECT_EQ(kind_of("REPOSITORY_NOT_FOUND"), ErrorKind::missing);
  EXPECT_EQ(type_of("REPOSITORY_NOT_FOUND"), ErrorType::not_found);
  EXPECT_EQ(kind_of("REPOSITORY_NOT_FOUND", ErrorType::conflict), ErrorKind::conflict);
}

TEST(ErrorProse, is_read_by_the_first_phrase) {
  struct Case {
    std::string_view text;
    ErrorKind want;
  };
  const Case cases[] = {
      // the order of the scalpel rules
      {"File not found: a.py", ErrorKind::missing},
      {"No such file or directory, must be a path", ErrorKind::missing},
      {"/tmp is not a file", ErrorKind::bad_input},
      {"depth must be positive; permission denied", ErrorKind::bad_input},
      {"code cannot be empty", ErrorKind::bad_input},
      {"Invalid path: permission denied", ErrorKind::bad_path},
      {"Path traversal detected", ErrorKind::bad_path},
      {"Permission denied: timeout", ErrorKind::not_allowed},
      {"403 Forbidden", ErrorKind::not_allowed},
      {"Timeout while upgrading", ErrorKind::timeout},
      {"this feature requires PRO tier", ErrorKind::tier_too_low},
      {"requires enterprise tier, input too large", ErrorKind::tier_too_low},
      {"Please upgrade to continue", ErrorKind::tier_too_low},
      {"Input too large, mode not implemented", ErrorKind::too_large},
      {"size exceeds maximum of 100000 characters", ErrorKind::too_large},
      {"Response too large", ErrorKind::too_large},
      {"Not implemented", ErrorKind::not_built},
      {"Something odd happened", ErrorKind::tool_error},
      {"", ErrorKind::tool_error},
      // what real servers say
      {"Entity with name Nobody not found", ErrorKind::missing},
      {"Access denied - path outside allowed directories: /etc not in /sandbox",
       ErrorKind::not_allowed},
      {"ENOENT: no such file or directory, open 'x'", ErrorKind::missing},
      {"connect ECONNREFUSED 127.0.0.1:80", ErrorKind::dependency_down},
      {"read ETIMEDOUT", ErrorKind::timeout},
      {"request timed out", ErrorKind::timeout},
      {"API rate limit exceeded for user", ErrorKind::throttled},
      {"Too many requests, must be slower", ErrorKind::throttled},
      {"You must be logged in", ErrorKind::unauthenticated},
      {"Unauthorized", ErrorKind::unauthenticated},
      {"Branch already exists", ErrorKind::conflict},
      {"Symbol 'foo' not found. Did you mean 'fob'?", ErrorKind::correctable},
      {"No space left on device", ErrorKind::exhausted},
      {"service unavailable", ErrorKind::dependency_down},
      {"feature flag beta_search is off", ErrorKind::flag_off},
      {"Missing required argument: path", ErrorKind::bad_input},
      // a number decides over the words
      {"MCP error -32602: Tool no-such-tool not found", ErrorKind::missing},
      {"MCP error -32001: Request timed out", ErrorKind::timeout},
      {"MCP error -31999: rate limit", ErrorKind::throttled},
      {"Request failed with status code 404", ErrorKind::missing},
      {"HTTP 503 from upstream", ErrorKind::dependency_down},
      {"HTTP 2000 not found", ErrorKind::missing},
      {"see http://example.org/500", ErrorKind::tool_error},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(model::name(kind_of_message(c.text)), model::name(c.want)) << c.text;
  }
}

TEST(ErrorProse, beyond_its_beginning_is_not_read) {
  const std::string filler(2000, '.');
  EXPECT_EQ(kind_of_message(filler + "timeout"), ErrorKind::tool_error);
  EXPECT_EQ(kind_of_message("timeout" + filler), ErrorKind::timeout);
}

// The recorded failures of public servers: what each is taken for.
TEST(ErrorProse, of_recorded_failures_is_understood) {
  const std::map<std::string, ErrorKind> want{
      {"chrome-devtools__list_pages__no-browser", ErrorKind::dependency_down},
      {"commands__run_command__exit-3", ErrorKind::tool_error},
      {"eslint__lint-files__missing", ErrorKind::missing},
      {"everything__echo__missing-arg", ErrorKind::bad_input},
      {"everything__echo__wrong-type", ErrorKind::bad_input},
      {"everything__get-structured-content__bad-enum", ErrorKind::bad_input},
      {"everything__no-such-tool__unknown", ErrorKind::missing},
      {"everything__simulate-research-query__task-only-tool", ErrorKind::bad_input},
      {"filesystem__read_text_file__access-denied", ErrorKind::not_allowed},
      {"filesystem__read_text_file__not-found", ErrorKind::missing},
      {"memory__add_observations__unknown-entity", ErrorKind::missing},
      {"sequential-thinking__sequentialthinking__bad", ErrorKind::bad_input},
  };
  std::size_t failures = 0;
  const std::filesystem::path folder =
      std::filesystem::path(ENFOLD_SOURCE_DIR) / "tests/golden/samples";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".json") continue;
    std::ifstream in(file.path());
    std::stringstream text;
    text << in.rdbuf();
    const auto document = json::parse(std::string_view(text.str()));
    ASSERT_TRUE(document) << file.path();
    const auto result = document->root().find("result");
    ASSERT_TRUE(result) << file.path();
    if (!result->find("isError").value_or(json::View()).boolean()) continue;
    ++failures;
    const std::string stem = file.path().stem().string();
    ASSERT_TRUE(want.contains(stem)) << stem;
    const std::string message = result->find("content")->item(0)->find("text")->string();
    EXPECT_EQ(model::name(kind_of_message(message)), model::name(want.at(stem))) << stem;
  }
  EXPECT_EQ(failures, want.size());
}

}  // namespace
}  // namespace enfold::contract
