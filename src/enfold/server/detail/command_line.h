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
  std::optional<std::string> config;       ///< file; nullopt: none
  std::optional<std::uint16_t> http_port;  ///< nullopt: stdio
  std::optional<std::string> host;         ///< address to listen on, with `http_port`
  bool help = false;
};

/// `words`: without the name of the program. `takes_config`: whether --config is an option of it.
[[nodiscard]] Result<CommandLine> read_command_line(std::span<const std::string> words,
                                                    bool takes_config);

[[nodiscard]] std::string usage_line(std::string_view program, bool takes_config);
/// `schema`: of the configuration; null: the program takes none.
[[nodiscard]] std::string help_page(std::string_view program, const json::Value& schema);

}  // namespace enfold::server
