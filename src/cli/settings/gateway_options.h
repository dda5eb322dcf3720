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
  std::string client;
  std::string level;
  std::string archive;
  std::optional<std::size_t> startup_timeout;  ///< seconds
  std::size_t idle_timeout = 60;               ///< seconds
  std::string protocol = "auto";
  std::string upstream;
  std::vector<std::string> headers;  ///< "Name: value"
  std::vector<std::string> command;
  bool no_redact = false;
  bool log_calls = false;
  bool log_json = false;
};

void accept_gateway(Arguments& arguments, GatewayOptions& options);

/// The part of the help that both verbs share.
extern const char* const kGatewayHelp;

/// Archive, counters and cursor key at a place, empty for the usual one. "memory", like the
/// contract none, leaves them as they are; "none" means that there is no archive.
[[nodiscard]] Status open_state(const std::string& archive, gateway::Settings& settings);

/// `invalid_input` for what cannot be meant; `code` says how the program ends then.
[[nodiscard]] Result<gateway::Settings> gateway_settings(const GatewayOptions& options, int& code);

}  // namespace enfold::cli
