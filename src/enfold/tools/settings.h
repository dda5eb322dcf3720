// SPDX-License-Identifier: Apache-2.0
// How a service answers tool calls and what it allows: the same for a server of typed tools and for
// the gateway. Every default is safe on a laptop.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/budget/budget.h"
#include "enfold/contract/contract.h"
#include "enfold/contract/legacy/flags.h"
#include "enfold/level/decide.h"
#include "enfold/serve/settings.h"
#include "enfold/store/archive.h"
#include "enfold/store/counters.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace enfold::tools {

struct ServiceSettings : serve::Settings {
  // Answers.
  /// A contract's name, or "none": bare results, neither cut nor redacted.
  std::string contract = "response-v2";
  std::map<std::string, std::string, std::less<>> client_contracts;  ///< by client name
  contract::Members members = contract::Members::strict;
  answer::Channels channels = answer::Channels::both;
  std::optional<redact::Policy> redaction = redact::Policy{};  ///< nullopt: off
  level::LevelConfig levels;
  /// nullopt: what is known of the client decides, else the default.
  std::optional<budget::Budget> budget;
  const token::Profile* profile = nullptr;  ///< of every client; nullptr: by the client's own name
  /// Of single clients, by NAME or NAME/VERSION, where 1.2 means 1.2 and 1.2.3 but not 1.20.
  std::map<std::string, const token::Profile*, std::less<>> client_profiles;
  answer::Unstored unstored = answer::Unstored::whole;
  /// `server` and `enfold_fetch`.
  bool local_tools = true;

  // State. What is not given lives in memory and ends with the process.
  std::shared_ptr<store::Archive> archive;
  /// false: there is no archive and no enfold_fetch; choose with it what `unstored` means.
  bool keeps_originals = true;
  std::shared_ptr<store::Counters> counters;
  std::string cursor_key;  ///< at least 16 random bytes; empty: made at the start

  // Who may do what.
  contract::Flags flags = contract::Flags::standard();
  std::optional<model::Tier> tier;
  std::optional<store::RateLimit> rate_limit;  ///< per tool, where the tool says nothing itself
  /// Of single principals, before what a tool says.
  std::map<std::string, store::RateLimit, std::less<>> principal_limits;
};

}  // namespace enfold::tools
