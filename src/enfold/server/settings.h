// SPDX-License-Identifier: Apache-2.0
// How a server answers and what it allows. Every member has a default that is safe on a laptop.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/contract/contract.h"
#include "enfold/contract/flags.h"
#include "enfold/level/decide.h"
#include "enfold/pipeline/prepare.h"
#include "enfold/server/log.h"
#include "enfold/store/archive.h"
#include "enfold/store/counters.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace enfold::server {

struct Settings {
  std::string title;
  std::string instructions;

  // Answers.
  /// A contract's name, or "none": bare results, neither cut nor redacted.
  std::string contract = "response-v2";
  std::map<std::string, std::string, std::less<>> client_contracts;  ///< by client name
  contract::Members members = contract::Members::strict;
  pipeline::Channels channels = pipeline::Channels::both;
  std::optional<redact::Policy> redaction = redact::Policy{};  ///< nullopt: off
  level::LevelConfig levels;
  /// nullopt: what is known of the client decides, else the default.
  std::optional<budget::Budget> budget;
  const token::Profile* profile = nullptr;  ///< of every client; nullptr: by the client's own name
  /// Of single clients, by NAME or NAME/VERSION, where 1.2 means 1.2 and 1.2.3 but not 1.20.
  std::map<std::string, const token::Profile*, std::less<>> client_profiles;
  pipeline::Unstored unstored = pipeline::Unstored::whole;
  /// `server` and `enfold_fetch`.
  bool own_tools = true;

  // State. What is not given lives in memory and ends with the process.
  std::shared_ptr<store::Archive> archive;
  /// false: there is no archive and no enfold_fetch; choose with it what `unstored` means.
  bool keeps_originals = true;
  std::shared_ptr<store::Counters> counters;
  std::string cursor_key;  ///< at least 16 bytes of chance; empty: made at the start

  // Who may do what.
  contract::Flags flags = contract::Flags::standard();
  std::optional<model::Tier> tier;
  std::optional<store::RateLimit> rate_limit;  ///< per tool, where the tool says nothing itself
  std::string principal = "local";             ///< of everybody, unless the service has a login
  /// Of single principals, before what a tool says.
  std::map<std::string, store::RateLimit, std::less<>> principal_limits;

  // Work.
  std::size_t workers = 4;
  std::size_t max_waiting = 256;  ///< calls of slow tools that wait for a worker

  // HTTP.
  std::size_t max_sessions = 10'000;
  std::chrono::seconds session_idle = std::chrono::minutes(30);
  std::chrono::seconds drain = std::chrono::seconds(10);  ///< for open calls, after SIGTERM

  Log log = log_to_stderr;
};

}  // namespace enfold::server
