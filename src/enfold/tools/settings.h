// SPDX-License-Identifier: Apache-2.0
// Settings of a service that answers tool calls: a server of typed tools, or the gateway.
#pragma once

#include "enfold/answer/channels.h"
#include "enfold/budget/budget.h"
#include "enfold/contract/contract.h"
#include "enfold/contract/legacy/flags.h"
#include "enfold/level/decide.h"
#include "enfold/redact/redact.h"
#include "enfold/serve/settings.h"
#include "enfold/store/archive.h"
#include "enfold/store/counters.h"

namespace enfold::answer {
struct FitSettings;
}  // namespace enfold::answer
namespace enfold::token {
struct Profile;
}  // namespace enfold::token

namespace enfold::tools {

struct ServiceSettings : serve::Settings {
  // Answers.
  /// A contract's name, or "none": results without an envelope. Only a result that exceeds a
  /// `budget` set here is redacted and cut, and then written in response-v2.
  std::string contract = "response-v2";
  bool allow_none = false;  ///< whether clients may choose "none" where it is not configured
  std::map<std::string, std::string, std::less<>> client_contracts;  ///< by client name
  contract::Members members = contract::Members::strict;             ///< that envelopes have
  /// false: `_meta` has the request id; the envelope has it only in failures and in scalpel-v1.
  bool request_id_in_envelope = true;
  answer::Channels channels = answer::Channels::both;
  std::optional<redact::Policy> redaction = redact::Policy{};  ///< nullopt: off
  level::LevelConfig levels;
  /// nullopt: the budget of the client's profile, else the default.
  std::optional<budget::Budget> budget;
  /// Tokens to which an answer over its budget is cut; nullopt: `budget`, or without one 4000.
  std::optional<std::size_t> target;
  const token::Profile* profile =
      nullptr;  ///< for every client; nullptr: chosen by the client's name
  /// For single clients, by NAME or NAME/VERSION; version 1.2 matches 1.2 and 1.2.3, not 1.20.
  std::map<std::string, const token::Profile*, std::less<>> client_profiles;
  /// What happens to an answer over its budget whose original was not stored.
  answer::Unstored if_unstored = answer::Unstored::cut;
  /// Whether to offer `server` and `enfold_fetch`.
  bool local_tools = true;
  bool server_tool = true;  ///< false: without `server`

  // State. If not set, it is kept in memory and ends with the process.
  std::shared_ptr<store::Archive> archive;
  store::ArchiveOptions archive_options;  ///< of an archive in memory; others were opened with them
  /// false: there is no archive and no enfold_fetch; `if_unstored` decides what happens to long
  /// answers.
  bool keeps_originals = true;
  std::shared_ptr<store::Counters> counters;
  /// What becomes of calls with a rate limit while `counters` fail: true, this process counts for
  /// itself; false, they are refused.
  bool limits_fail_open = true;
  std::string cursor_key;  ///< at least 16 random bytes; empty: generated at startup

  // Limits.
  std::size_t max_tasks = 200;  ///< that a principal has at a time, in a server of typed tools
  contract::Flags flags = contract::Flags::standard();
  std::optional<model::Tier> tier;             ///< see ToolSpec::tier; nullopt: community
  std::optional<store::RateLimit> rate_limit;  ///< of each tool that declares none; nullopt: none
  /// Rate limits of single principals, by name; they override those of tools.
  std::map<std::string, store::RateLimit, std::less<>> principal_limits;
};

/// Replaces the budget and target of the client in `fit` by those that the settings set.
void apply_budget(const ServiceSettings& settings, answer::FitSettings& fit);

}  // namespace enfold::tools
