// SPDX-License-Identifier: Apache-2.0
// Settings that let others use the gateway, read its keys or change its configuration. The gateway
// does not start with one of them unless the operator names it in `accept_risk`.
#pragma once

#include "enfold/gateway/config/settings_from_config.h"

#include <span>

namespace enfold::gateway {

struct Risk {
  std::string_view name;  ///< in `accept_risk`
  std::string pointer;    ///< of the setting
  std::string message;
  std::string advice;  ///< what to do instead
};

/// The names of all risks.
[[nodiscard]] std::span<const std::string_view> risk_names();

/// The risks of listening: `open_address` and `plain_http`. None on a loopback address.
[[nodiscard]] std::vector<Risk> listening_risks(const serve::HttpOptions& http, bool has_keys);

/// The risks of files that other users may change or read: `writable_config`, `readable_key`. A
/// file that does not exist has none. `key_file`: of TLS; empty: none.
[[nodiscard]] std::vector<Risk> file_risks(const std::string& config_file,
                                           const std::string& key_file);

/// The first risk that is not accepted, as an error. `invalid_input` for an unknown name.
/// `is_command`: the settings come from a command line, not from a configuration.
[[nodiscard]] Status check_risks(const std::vector<Risk>& risks,
                                 const std::vector<std::string>& accepted, bool is_command = false);

}  // namespace enfold::gateway
