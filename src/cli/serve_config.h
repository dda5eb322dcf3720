// SPDX-License-Identifier: Apache-2.0
// `enfold serve --config FILE`: what the file asks for, checked as a whole before anything starts.
#pragma once

#include "cli/terminal.h"
#include "enfold/gateway/config_settings.h"

#include <string>

namespace enfold::cli {

/// Everything that is wrong with the file, or what to serve. Opens neither archive nor upstream.
[[nodiscard]] server::ConfigResult<gateway::Serving> load_serving(const std::string& file);

/// --check: says what the file asks for, or what is wrong with it.
[[nodiscard]] int check_config(const std::string& file, bool as_json, Terminal& terminal);

}  // namespace enfold::cli
