// SPDX-License-Identifier: Apache-2.0
// Failures of planning tools, patterns, backups and AI providers.
#include "enfold/contract/errors/failure_builder.h"

#include <fmt/core.h>
#include <fmt/format.h>

namespace enfold::contract {

using detail::because;
using detail::build_failure;
using detail::FailureMembers;
using detail::listed;
using detail::seconds;
using model::Response;

Response make_failure(const failures::CircularDependency& given) {
  std::string message = fmt::format("'{}' cannot depend on '{}': that would close a cycle",
                                    given.item_id, given.target_id);
  if (!given.cycle_path.empty())
    message += fmt::format(" ({})", fmt::join(given.cycle_path, " → "));
  return build_failure({"CIRCULAR_DEPENDENCY", std::move(message),
                        "Remove one of the dependencies on the cycle, or choose another target."},
                       given.extra,
                       FailureMembers()
                           .text("item_id", given.item_id)
                           .text("target_id", given.target_id)
                           .texts("cycle_path", given.cycle_path)
                           .finish());
}

Response make_failure(const failures::InvalidParent& given) {
  return build_failure({"INVALID_PARENT",
                        fmt::format("'{}' cannot be moved under '{}'{}", given.item_id,
                                    given.parent_id, because(given.reason)),
                        given.valid_parents.empty()
                            ? "Choose a parent that can hold this kind of item."
                            : fmt::format("Choose one of: {}.", listed(given.valid_parents, 5))},
                       given.extra,
                       FailureMembers()
                           .text("item_id", given.item_id)
                           .text("parent_id", given.parent_id)
                           .texts("valid_parents", given.valid_parents)
                           .finish());
}

Response make_failure(const failures::InvalidPosition& given) {
  json::Writer payload;
  payload.begin_object().member("item_id", given.item_id).member("position", given.position);
  payload.key("valid_range").begin_array().integer(given.lowest).integer(given.highest).end_array();
  payload.end_object();
  return build_failure({"INVALID_POSITION",
                        fmt::format("Position {} of '{}' is outside {}…{}", given.position,
                                    given.item_id, given.lowest, given.highest),
                        fmt::format("Use a position from {} to {}.", given.lowest, given.highest)},
                       given.extra, std::move(payload).finish_value());
}

Response make_failure(const failures::SelfReference& given) {
  return build_failure({"SELF_REFERENCE", fmt::format("'{}' cannot refer to itself", given.item_id),
                        "Name another item."},
                       given.extra, FailureMembers().text("item_id", given.item_id).finish());
}

Response make_failure(const failures::DependencyNotFound& given) {
  return build_failure(
      {"DEPENDENCY_NOT_FOUND",
       fmt::format("'{}', a dependency of '{}', was not found", given.dependency_id, given.item_id),
       "Verify the ID of the dependency, or create it first."},
      given.extra,
      FailureMembers()
          .text("item_id", given.item_id)
          .text("dependency_id", given.dependency_id)
          .finish());
}

Response make_failure(const failures::InvalidPattern& given) {
  return build_failure(
      {"INVALID_REGEX_PATTERN",
       fmt::format("'{}' is not a valid pattern{}", given.pattern, because(given.reason)),
       "Correct the pattern: escape special characters, close brackets and groups."},
      given.extra,
      FailureMembers().text("pattern", given.pattern).text("reason", given.reason).finish());
}

Response make_failure(const failures::PatternTooBroad& given) {
  return build_failure({"PATTERN_TOO_BROAD",
                        fmt::format("'{}' matches {} items, at most {} are allowed", given.pattern,
                                    given.match_count, given.limit),
                        "Make the pattern more specific, or narrow the scope."},
                       given.extra,
                       FailureMembers()
                           .text("pattern", given.pattern)
                           .number("match_count", given.match_count)
                           .number("limit", given.limit)
                           .finish());
}

Response make_failure(const failures::NoMatches& given) {
  return build_failure(
      {"NO_MATCHES_FOUND",
       fmt::format("Nothing matches '{}'{}", given.pattern,
                   given.scope.empty() ? "" : " in " + given.scope),
       "Check the pattern, or widen the scope."},
      given.extra,
      FailureMembers().text("pattern", given.pattern).text("scope", given.scope).finish());
}

Response make_failure(const failures::BackupNotFound& given) {
  return build_failure(
      {"BACKUP_NOT_FOUND",
       given.backup_id.empty()
           ? fmt::format("'{}' has no backup", given.item_id)
           : fmt::format("Backup '{}' of '{}' not found", given.backup_id, given.item_id),
       "List the backups and choose one of them."},
      given.extra,
      FailureMembers().text("item_id", given.item_id).text("backup_id", given.backup_id).finish());
}

Response make_failure(const failures::BackupCorrupted& given) {
  return build_failure(
      {"BACKUP_CORRUPTED",
       fmt::format("Backup '{}' of '{}' cannot be read", given.backup_id, given.item_id),
       "Choose an older backup."},
      given.extra,
      FailureMembers().text("item_id", given.item_id).text("backup_id", given.backup_id).finish());
}

Response make_failure(const failures::RollbackFailed& given) {
  return build_failure(
      {"ROLLBACK_FAILED",
       fmt::format("'{}' could not be rolled back{}", given.item_id, because(given.reason)),
       "The item is as it was before the call. Check it, then choose another backup."},
      given.extra,
      FailureMembers().text("item_id", given.item_id).text("backup_id", given.backup_id).finish());
}

Response make_failure(const failures::ComparisonFailed& given) {
  return build_failure(
      {"COMPARISON_FAILED",
       fmt::format("'{}' could not be compared{}", given.item_id, because(given.reason)),
       "Verify that both sides exist and can be read."},
      given.extra, FailureMembers().text("item_id", given.item_id).finish());
}

Response make_failure(const failures::AiNoProvider& given) {
  return build_failure({"AI_NO_PROVIDER", "No AI provider is available",
                        "Configure a provider and its credentials."},
                       given.extra,
                       FailureMembers().texts("tried_providers", given.tried).finish());
}

Response make_failure(const failures::AiTimeout& given) {
  return build_failure({"AI_PROVIDER_TIMEOUT",
                        fmt::format("AI provider '{}' did not answer within {}", given.provider,
                                    seconds(given.seconds)),
                        "Try again, raise the time limit, or use another provider."},
                       given.extra,
                       FailureMembers()
                           .text("provider", given.provider)
                           .number("timeout_seconds", given.seconds)
                           .finish());
}

Response make_failure(const failures::AiError& given) {
  return build_failure(
      {"AI_PROVIDER_ERROR",
       fmt::format("AI provider '{}' failed{}", given.provider, because(given.reason)),
       "Check the provider's configuration and status, or use another provider."},
      given.extra, FailureMembers().text("provider", given.provider).finish());
}

Response make_failure(const failures::AiContextTooLarge& given) {
  const std::int64_t overflow = given.context_tokens - given.max_tokens;
  return build_failure(
      {"AI_CONTEXT_TOO_LARGE",
       fmt::format("The context has {} tokens, the model takes {}", given.context_tokens,
                   given.max_tokens),
       fmt::format("Shorten the input by {} tokens, or use a model with a larger context.",
                   overflow)},
      given.extra,
      FailureMembers()
          .text("provider", given.provider)
          .number("context_tokens", given.context_tokens)
          .number("max_tokens", given.max_tokens)
          .number("overflow_tokens", overflow)
          .finish());
}

Response make_failure(const failures::AiCacheStale& given) {
  return build_failure({"AI_CACHE_STALE",
                        fmt::format("The cached AI answer is {} old, at most {} are allowed",
                                    seconds(given.age_seconds), seconds(given.max_age_seconds)),
                        "Ask for a fresh answer."},
                       given.extra,
                       FailureMembers()
                           .text("cache_key", given.cache_key)
                           .number("cache_age_seconds", given.age_seconds)
                           .number("max_age_seconds", given.max_age_seconds)
                           .finish());
}

Response make_failure(const failures::AiPromptNotFound& given) {
  return build_failure(
      {"AI_PROMPT_NOT_FOUND",
       fmt::format(
           "Prompt '{}' not found{}", given.prompt_id,
           given.available.empty() ? std::string() : ". Available: " + listed(given.available, 5)),
       "Use one of the available prompts."},
      given.extra, FailureMembers().text("prompt_id", given.prompt_id).finish());
}

}  // namespace enfold::contract
