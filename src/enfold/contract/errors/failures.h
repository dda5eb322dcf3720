// SPDX-License-Identifier: Apache-2.0
// Ready-made failures: one struct per cause, so that every tool says the same thing the same way.
//   make_failure(failures::NotFound{.resource_type = "Task", .resource_id = "task-7"})
// Code, type, members and a remediation come with the cause; `extra` overrides or adds.
#pragma once

#include "enfold/model/response.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace enfold::contract {

namespace failures {

struct Extra {
  std::vector<std::string> remediation;  ///< empty: the usual text of the cause
  std::optional<json::Value> details;
  std::string request_id;
};

/// Anything else. Without a code INTERNAL_ERROR; without a type the code's.
struct Other {
  std::string message;
  std::string code;
  std::optional<model::ErrorType> type;
  std::optional<json::Value> payload;
  Extra extra;
};

struct Validation {
  std::string message;
  std::string field;  ///< added to the details, unless they name one
  Extra extra;
};
struct MissingRequired {
  std::string field;
  Extra extra;
};
struct InvalidFormat {
  std::string message;
  std::string field;
  Extra extra;
};
/// `reason` is the message of decode_cursor's error.
struct InvalidCursor {
  std::string cursor;
  std::string reason;
  Extra extra;
};
struct UnknownAction {
  std::string tool;
  std::string action;
  std::vector<std::string> allowed;
  Extra extra;
};
struct NotFound {
  std::string resource_type;
  std::string resource_id;
  std::string code;  ///< such as SPEC_NOT_FOUND; empty: NOT_FOUND
  Extra extra;
};
struct RateLimit {
  std::int64_t limit = 0;
  std::string period = "minute";
  std::int64_t retry_after = 60;  ///< seconds
  std::optional<std::int64_t> remaining;
  std::optional<std::string> reset_at;
  Extra extra;
};
struct Unauthorized {
  std::string message;
  Extra extra;
};
struct Forbidden {
  std::string message;
  std::string required_permission;
  Extra extra;
};
struct Conflict {
  std::string message;
  std::string code;  ///< such as DUPLICATE_ENTRY; empty: CONFLICT
  Extra extra;
};
/// With a request id the remediation names it as the reference for a report.
struct Internal {
  std::string message;
  Extra extra;
};
struct Unavailable {
  std::string message;
  std::optional<std::int64_t> retry_after;  ///< seconds
  Extra extra;
};
struct Timeout {
  std::string what;
  std::optional<std::int64_t> seconds;
  Extra extra;
};
struct TooLarge {
  std::string what;
  std::optional<std::int64_t> size;
  std::optional<std::int64_t> limit;
  std::string unit = "bytes";
  Extra extra;
};
struct NotImplemented {
  std::string feature;
  Extra extra;
};
struct FeatureDisabled {
  std::string feature;
  Extra extra;
};
/// Another cause than a flag: the same code, the tier in the details and an upgrade hint.
struct TierTooLow {
  std::string feature;
  std::string required_tier;
  Extra extra;
};

struct CircularDependency {
  std::string item_id;
  std::string target_id;
  std::vector<std::string> cycle_path;
  Extra extra;
};
struct InvalidParent {
  std::string item_id;
  std::string parent_id;
  std::string reason;
  std::vector<std::string> valid_parents;
  Extra extra;
};
struct InvalidPosition {
  std::string item_id;
  std::int64_t position = 0;
  std::int64_t lowest = 1;
  std::int64_t highest = 1;
  Extra extra;
};
struct SelfReference {
  std::string item_id;
  Extra extra;
};
struct DependencyNotFound {
  std::string item_id;
  std::string dependency_id;
  Extra extra;
};

struct InvalidPattern {
  std::string pattern;
  std::string reason;
  Extra extra;
};
struct PatternTooBroad {
  std::string pattern;
  std::int64_t match_count = 0;
  std::int64_t limit = 0;
  Extra extra;
};
struct NoMatches {
  std::string pattern;
  std::string scope;
  Extra extra;
};

struct BackupNotFound {
  std::string item_id;
  std::string backup_id;  ///< empty: there is no backup at all
  Extra extra;
};
struct BackupCorrupted {
  std::string item_id;
  std::string backup_id;
  Extra extra;
};
struct RollbackFailed {
  std::string item_id;
  std::string backup_id;
  std::string reason;
  Extra extra;
};
struct ComparisonFailed {
  std::string item_id;
  std::string reason;
  Extra extra;
};

struct AiNoProvider {
  std::vector<std::string> tried;
  Extra extra;
};
struct AiTimeout {
  std::string provider;
  std::int64_t seconds = 0;
  Extra extra;
};
struct AiError {
  std::string provider;
  std::string reason;
  Extra extra;
};
struct AiContextTooLarge {
  std::int64_t context_tokens = 0;
  std::int64_t max_tokens = 0;
  std::string provider;
  Extra extra;
};
struct AiCacheStale {
  std::string cache_key;
  std::int64_t age_seconds = 0;
  std::int64_t max_age_seconds = 0;
  Extra extra;
};
/// The message names at most five of the available prompts.
struct AiPromptNotFound {
  std::string prompt_id;
  std::vector<std::string> available;
  Extra extra;
};

}  // namespace failures

[[nodiscard]] model::Response make_failure(const failures::Other& given);
[[nodiscard]] model::Response make_failure(const failures::Validation& given);
[[nodiscard]] model::Response make_failure(const failures::MissingRequired& given);
[[nodiscard]] model::Response make_failure(const failures::InvalidFormat& given);
[[nodiscard]] model::Response make_failure(const failures::InvalidCursor& given);
[[nodiscard]] model::Response make_failure(const failures::UnknownAction& given);
[[nodiscard]] model::Response make_failure(const failures::NotFound& given);
[[nodiscard]] model::Response make_failure(const failures::RateLimit& given);
[[nodiscard]] model::Response make_failure(const failures::Unauthorized& given);
[[nodiscard]] model::Response make_failure(const failures::Forbidden& given);
[[nodiscard]] model::Response make_failure(const failures::Conflict& given);
[[nodiscard]] model::Response make_failure(const failures::Internal& given);
[[nodiscard]] model::Response make_failure(const failures::Unavailable& given);
[[nodiscard]] model::Response make_failure(const failures::Timeout& given);
[[nodiscard]] model::Response make_failure(const failures::TooLarge& given);
[[nodiscard]] model::Response make_failure(const failures::NotImplemented& given);
[[nodiscard]] model::Response make_failure(const failures::FeatureDisabled& given);
[[nodiscard]] model::Response make_failure(const failures::TierTooLow& given);
[[nodiscard]] model::Response make_failure(const failures::CircularDependency& given);
[[nodiscard]] model::Response make_failure(const failures::InvalidParent& given);
[[nodiscard]] model::Response make_failure(const failures::InvalidPosition& given);
[[nodiscard]] model::Response make_failure(const failures::SelfReference& given);
[[nodiscard]] model::Response make_failure(const failures::DependencyNotFound& given);
[[nodiscard]] model::Response make_failure(const failures::InvalidPattern& given);
[[nodiscard]] model::Response make_failure(const failures::PatternTooBroad& given);
[[nodiscard]] model::Response make_failure(const failures::NoMatches& given);
[[nodiscard]] model::Response make_failure(const failures::BackupNotFound& given);
[[nodiscard]] model::Response make_failure(const failures::BackupCorrupted& given);
[[nodiscard]] model::Response make_failure(const failures::RollbackFailed& given);
[[nodiscard]] model::Response make_failure(const failures::ComparisonFailed& given);
[[nodiscard]] model::Response make_failure(const failures::AiNoProvider& given);
[[nodiscard]] model::Response make_failure(const failures::AiTimeout& given);
[[nodiscard]] model::Response make_failure(const failures::AiError& given);
[[nodiscard]] model::Response make_failure(const failures::AiContextTooLarge& given);
[[nodiscard]] model::Response make_failure(const failures::AiCacheStale& given);
[[nodiscard]] model::Response make_failure(const failures::AiPromptNotFound& given);

}  // namespace enfold::contract
