// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/legacy/domain_failures.h"

#include "enfold/contract/errors/failure_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

// Code, message, remediation and details of each failure in domain_failures.h. They are those that
// planning tools, searches, backups and AI providers used before there was a common contract.
namespace enfold::contract {
namespace {

using fmt::format;
using namespace detail;
using namespace failures;
using model::Response;

constexpr std::size_t kMostListed = 5;  // names in one sentence

Response build(const CircularDependency& f) {
  std::string message =
      format("'{}' cannot depend on '{}': that would close a cycle", f.item_id, f.target_id);
  if (!f.cycle_path.empty()) message += format(" ({})", fmt::join(f.cycle_path, " → "));
  return build_failure(
      f.extra, "CIRCULAR_DEPENDENCY", std::move(message),
      "Remove one of the dependencies on the cycle, or choose another target.",
      members("item_id", f.item_id, "target_id", f.target_id, "cycle_path", f.cycle_path));
}

Response build(const InvalidParent& f) {
  return build_failure(
      f.extra, "INVALID_PARENT",
      format("'{}' cannot be moved under '{}'{}", f.item_id, f.parent_id, because(f.reason)),
      f.valid_parents.empty() ? "Choose a parent that can hold this kind of item."
                              : format("Choose one of: {}.", listed(f.valid_parents, kMostListed)),
      members("item_id", f.item_id, "parent_id", f.parent_id, "valid_parents", f.valid_parents));
}

Response build(const InvalidPosition& f) {
  const json::Value range = json::parse_own(format("[{},{}]", f.lowest, f.highest));
  return build_failure(
      f.extra, "INVALID_POSITION",
      format("Position {} of '{}' is outside {}…{}", f.position, f.item_id, f.lowest, f.highest),
      format("Use a position from {} to {}.", f.lowest, f.highest),
      members("item_id", f.item_id, "position", f.position, "valid_range", range));
}

Response build(const SelfReference& f) {
  return build_failure(f.extra, "SELF_REFERENCE", format("'{}' cannot refer to itself", f.item_id),
                       "Name another item.", members("item_id", f.item_id));
}

Response build(const DependencyNotFound& f) {
  return build_failure(
      f.extra, "DEPENDENCY_NOT_FOUND",
      format("'{}', a dependency of '{}', was not found", f.dependency_id, f.item_id),
      "Verify the ID of the dependency, or create it first.",
      members("item_id", f.item_id, "dependency_id", f.dependency_id));
}

Response build(const InvalidPattern& f) {
  return build_failure(f.extra, "INVALID_REGEX_PATTERN",
                       format("'{}' is not a valid pattern{}", f.pattern, because(f.reason)),
                       "Correct the pattern: escape special characters, close brackets and groups.",
                       members("pattern", f.pattern, "reason", f.reason));
}

Response build(const PatternTooBroad& f) {
  return build_failure(
      f.extra, "PATTERN_TOO_BROAD",
      format("'{}' matches {} items, at most {} are allowed", f.pattern, f.match_count, f.limit),
      "Make the pattern more specific, or narrow the scope.",
      members("pattern", f.pattern, "match_count", f.match_count, "limit", f.limit));
}

Response build(const NoMatches& f) {
  return build_failure(
      f.extra, "NO_MATCHES_FOUND",
      format("Nothing matches '{}'{}", f.pattern, f.scope.empty() ? "" : " in " + f.scope),
      "Check the pattern, or widen the scope.", members("pattern", f.pattern, "scope", f.scope));
}

Response build(const BackupNotFound& f) {
  return build_failure(f.extra, "BACKUP_NOT_FOUND",
                       f.backup_id.empty()
                           ? format("'{}' has no backup", f.item_id)
                           : format("Backup '{}' of '{}' not found", f.backup_id, f.item_id),
                       "List the backups and choose one of them.",
                       members("item_id", f.item_id, "backup_id", f.backup_id));
}

Response build(const BackupCorrupted& f) {
  return build_failure(f.extra, "BACKUP_CORRUPTED",
                       format("Backup '{}' of '{}' cannot be read", f.backup_id, f.item_id),
                       "Choose an older backup.",
                       members("item_id", f.item_id, "backup_id", f.backup_id));
}

Response build(const RollbackFailed& f) {
  return build_failure(f.extra, "ROLLBACK_FAILED",
                       format("'{}' could not be rolled back{}", f.item_id, because(f.reason)),
                       "Read the item to see its state, then choose another backup.",
                       members("item_id", f.item_id, "backup_id", f.backup_id));
}

Response build(const ComparisonFailed& f) {
  return build_failure(f.extra, "COMPARISON_FAILED",
                       format("'{}' could not be compared{}", f.item_id, because(f.reason)),
                       "Verify that both sides exist and can be read.",
                       members("item_id", f.item_id));
}

Response build(const AiNoProvider& f) {
  return build_failure(f.extra, "AI_NO_PROVIDER", "No AI provider is available",
                       "Configure a provider and its credentials.",
                       members("tried_providers", f.tried));
}

Response build(const AiTimeout& f) {
  return build_failure(
      f.extra, "AI_PROVIDER_TIMEOUT",
      format("AI provider '{}' did not answer within {}", f.provider, detail::seconds(f.seconds)),
      "Try again, raise the time limit, or use another provider.",
      members("provider", f.provider, "timeout_seconds", f.seconds));
}

Response build(const AiError& f) {
  return build_failure(f.extra, "AI_PROVIDER_ERROR",
                       format("AI provider '{}' failed{}", f.provider, because(f.reason)),
                       "Check the provider's configuration and status, or use another provider.",
                       members("provider", f.provider));
}

Response build(const AiContextTooLarge& f) {
  const std::int64_t overflow = f.context_tokens - f.max_tokens;
  return build_failure(
      f.extra, "AI_CONTEXT_TOO_LARGE",
      format("The context has {} tokens, the model takes {}", f.context_tokens, f.max_tokens),
      format("Shorten the input by {} tokens, or use a model with a larger context.", overflow),
      members("provider", f.provider, "context_tokens", f.context_tokens, "max_tokens",
              f.max_tokens, "overflow_tokens", overflow));
}

Response build(const AiCacheStale& f) {
  return build_failure(f.extra, "AI_CACHE_STALE",
                       format("The cached AI answer is {} old, at most {} are allowed",
                              seconds(f.age_seconds), seconds(f.max_age_seconds)),
                       "Ask for a fresh answer.",
                       members("cache_key", f.cache_key, "cache_age_seconds", f.age_seconds,
                               "max_age_seconds", f.max_age_seconds));
}

Response build(const AiPromptNotFound& f) {
  return build_failure(
      f.extra, "AI_PROMPT_NOT_FOUND",
      format("Prompt '{}' not found{}", f.prompt_id,
             f.available.empty() ? "" : ". Available: " + listed(f.available, kMostListed)),
      "Use one of the available prompts.", members("prompt_id", f.prompt_id));
}

}  // namespace

Response make_failure(const failures::Domain& failure) {
  return std::visit([](const auto& f) { return build(f); }, failure);
}

}  // namespace enfold::contract
