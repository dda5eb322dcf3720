// SPDX-License-Identifier: Apache-2.0
// The command line of a server program: its configuration file, and stdio or HTTP.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace enfold::server {

struct CommandLine {
  std::optional<std::string> config;       ///< path of the file; nullopt: none
  std::optional<std::uint16_t> http_port;  ///< nullopt: stdio
  std::optional<std::string> host;         ///< address to listen on, with `http_port`
  bool help = false;                       ///< show help_page() and do nothing else
};

/// `words`: the arguments of the program, without its name. `takes_config`: whether the program has
/// the option --config. Fails with `invalid_input`.
[[nodiscard]] Result<CommandLine> read_command_line(std::span<const std::string> words,
                                                    bool takes_config);

/// "usage: PROGRAM [options]", without a newline.
[[nodiscard]] std::string usage_line(std::string_view program, bool takes_config);
/// The text that --help prints. `schema`: of the configuration; null: the program takes none.
[[nodiscard]] std::string help_page(std::string_view program, const json::Value& schema);

}  // namespace enfold::server
