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
  std::string contract = "response-v2";
  std::string members = "strict";
  std::optional<std::size_t> budget;  ///< tokens of an answer; nullopt: the limit of the client
  std::optional<std::size_t> target;  ///< of an answer that is cut; nullopt: `budget`, or 4,000
  std::string client;   ///< name of a client profile; empty: Enfold recognises the client
  std::string level;    ///< for calls that choose none; empty: the built-in one
  std::string archive;  ///< a place, memory or none; empty: the default archive of the user
  std::optional<std::size_t> startup_timeout;  ///< seconds; nullopt: 60, for a URL 10
  std::size_t idle_timeout = 60;               ///< of a call, in seconds
  std::string protocol = "auto";               ///< auto, stateless or sessions
  std::string upstream;                        ///< URL; empty: `command` starts the server
  std::vector<std::string> headers;            ///< "Name: value"
  std::vector<std::string> command;            ///< empty: the server runs at `upstream`
  bool allow_none = false;                     ///< clients may choose the contract none
  bool no_redact = false;
  bool log_calls = false;
  bool log_json = false;
};

void declare_gateway_options(Arguments& arguments, GatewayOptions& options);

/// The part of the help page that `wrap` and `serve` share.
extern const char* const kGatewayHelp;

/// Opens the archive, the counters of rate limits and the cursor key at the place `archive` and
/// puts them into the settings; empty: the default archive of the user. All three stay in memory if
/// `archive` is "memory", or if the contract in the settings is none and there are no rate limits.
/// If `archive` is "none", no originals are kept, and counters and cursor key stay in memory.
[[nodiscard]] Status open_state(const std::string& archive, gateway::Settings& settings);

/// Fails with `invalid_input` for options that are wrong or contradict each other, and with the
/// error of open_state(). `code` is the exit code of a failure.
[[nodiscard]] Result<gateway::Settings> gateway_settings(const GatewayOptions& options, int& code);

}  // namespace enfold::cli
