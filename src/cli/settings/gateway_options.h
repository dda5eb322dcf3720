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
  std::optional<std::size_t> budget;
  std::string client;   ///< name of a client profile; empty: Enfold recognises the client
  std::string level;    ///< detail of answers; empty: as the call says
  std::string archive;  ///< empty: the default archive of the user
  std::optional<std::size_t> startup_timeout;  ///< seconds
  std::size_t idle_timeout = 60;               ///< of a call, in seconds
  std::string protocol = "auto";               ///< auto, stateless or sessions
  std::string upstream;
  std::vector<std::string> headers;  ///< "Name: value"
  std::vector<std::string> command;
  bool no_redact = false;
  bool log_calls = false;
  bool log_json = false;
};

void declare_gateway_options(Arguments& arguments, GatewayOptions& options);

/// The part of the help page that `wrap` and `serve` share.
extern const char* const kGatewayHelp;

/// Opens the archive, the counters of rate limits and the cursor key at a place and puts them into
/// the settings; an empty place means the default archive of the user. With "memory", or if the
/// contract is none, all three stay in memory. With "none" there is no archive.
[[nodiscard]] Status open_state(const std::string& archive, gateway::Settings& settings);

/// Fails with `invalid_input` for options that contradict each other; `code` is then the exit code.
[[nodiscard]] Result<gateway::Settings> gateway_settings(const GatewayOptions& options, int& code);

}  // namespace enfold::cli
