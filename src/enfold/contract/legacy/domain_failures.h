// SPDX-License-Identifier: Apache-2.0
// Predefined failures of planning tools, searches, backups and AI providers, with the codes that
// such servers used before there was a common contract. They are used like the failures of
// errors/failures.h, which new tools should prefer.
#pragma once

#include "enfold/contract/errors/failures.h"

namespace enfold::contract {
namespace failures {

struct CircularDependency {
  std::string item_id;
  std::string target_id;
  std::vector<std::string> cycle_path;  ///< the ids on the cycle, in order
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
  std::int64_t lowest = 1;   ///< valid position
  std::int64_t highest = 1;  ///< valid position
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
  std::int64_t match_count = 0;  ///< items that match the pattern
  std::int64_t limit = 0;        ///< most items that may match
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
/// An item could not be compared, for example with its backup.
struct ComparisonFailed {
  std::string item_id;
  std::string reason;
  Extra extra;
};

struct AiNoProvider {
  std::vector<std::string> tried;  ///< names of providers
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
/// The message names at most five of the prompts in `available`.
struct AiPromptNotFound {
  std::string prompt_id;
  std::vector<std::string> available;
  Extra extra;
};

using Domain =
    std::variant<CircularDependency, InvalidParent, InvalidPosition, SelfReference,
                 DependencyNotFound, InvalidPattern, PatternTooBroad, NoMatches, BackupNotFound,
                 BackupCorrupted, RollbackFailed, ComparisonFailed, AiNoProvider, AiTimeout,
                 AiError, AiContextTooLarge, AiCacheStale, AiPromptNotFound>;

}  // namespace failures

/// The failed response for a cause.
[[nodiscard]] model::Response make_failure(const failures::Domain& failure);

}  // namespace enfold::contract
