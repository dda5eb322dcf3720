// SPDX-License-Identifier: Apache-2.0
// `enfold serve --config FILE`: what the file asks for, checked as a whole before anything starts.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/gateway/config/settings_from_config.h"
#include "enfold/gateway/run.h"

#include <string>

namespace enfold::cli {

/// Everything that is wrong with the file, or what to serve. Opens neither archive nor upstream.
[[nodiscard]] tools::ConfigResult<gateway::Serving> load_serving(const std::string& file);

/// What a process has for as long as it lives.
struct LastingConfig {
  explicit LastingConfig(const gateway::Serving& serving);
  std::string address;
  std::vector<std::string> hosts;
  std::vector<std::string> origins;
  std::string archive;
  store::Durability durability;
  gateway::Observed observed;
  std::size_t workers;
  bool keeps;   ///< an archive was opened
  bool counts;  ///< and counters in it
};

/// On SIGHUP: the settings of the file as it is now. A change of what lasts is told in the log and
/// waits for the next start. State is opened only when there is none yet: a store that does not
/// answer now must not stop those who want nothing of it.
[[nodiscard]] tools::ConfigResult<gateway::Renewal> reload_serving(const std::string& file,
                                                                   const LastingConfig& first);

/// --check: says what the file asks for, or what is wrong with it.
[[nodiscard]] int check_config(const std::string& file, bool as_json, Terminal& terminal);

}  // namespace enfold::cli
