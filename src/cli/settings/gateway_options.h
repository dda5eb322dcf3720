// SPDX-License-Identifier: Apache-2.0
// Options that `wrap` and `serve` share: the upstream server, and how its answers are written.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/gateway/config/settings.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::cli {

struct GatewayOptions {
  std::string contract = "response-v2";  ///< of answers; none: they pass unchanged
  std::string members = "strict";        ///< of scalpel-v1
  std::optional<std::size_t> budget;     ///< tokens of an answer; nullopt: the limit of the client
  std::optional<std::size_t> target;     ///< tokens to cut answers to; nullopt: `budget`, or 4,000
  std::string client;   ///< name of a client profile; empty: Enfold recognises the client
  std::string level;    ///< of answers to calls that choose none; empty: level::kBuiltInLevel
  std::string archive;  ///< a place, memory or none; empty: the default archive of the user
  std::optional<std::size_t> startup_timeout;  ///< seconds; nullopt: 60, for a URL 10
  std::size_t idle_timeout = 60;               ///< of a call, in seconds
  std::string protocol = "auto";               ///< auto, stateless or sessions
  std::string upstream;                        ///< URL; empty: `command` starts the server
  std::vector<std::string> headers;            ///< "Name: value"
  std::vector<std::string> command;            ///< empty: the server runs at `upstream`
  bool allow_none = false;                     ///< clients may choose the contract none
  bool no_redact = false;                      ///< show credentials
  bool log_calls = false;                      ///< log every call on standard error
  bool log_json = false;                       ///< as `log_calls`, one JSON object per line
};

void declare_gateway_options(Arguments& arguments, GatewayOptions& options);

/// The part of the help page that `wrap` and `serve` share.
extern const char* const kGatewayHelp;

/// Whether the settings cut answers, whose originals are then archived: with the contract none,
/// only if there is a budget, or another contract for some client.
[[nodiscard]] bool archives_answers(const gateway::Settings& settings);

/// Opens the archive, the counters of rate limits and the cursor key at the place `archive` and
/// puts them into the settings; empty: the default archive of the user. All three stay in memory if
/// `archive` is "memory", or if archives_answers() is false and there are no rate limits. If
/// `archive` is "none", no originals are kept, and counters and cursor key stay in memory. If an
/// archive file is unavailable or locked, all three stay in memory and a warning is logged; other
/// errors are returned.
[[nodiscard]] Status open_state(const std::string& archive, gateway::Settings& settings);

/// Fails with `invalid_input` for options that are wrong or contradict each other, and with the
/// error of open_state(). `code` is set to the exit code for a failure.
[[nodiscard]] Result<gateway::Settings> gateway_settings(const GatewayOptions& options, int& code);

}  // namespace enfold::cli
