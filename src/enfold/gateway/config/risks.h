// SPDX-License-Identifier: Apache-2.0
// Settings that let other users or machines use the gateway, read its keys or change its
// configuration. The gateway starts with such a setting only if the operator names the risk in
// `accept_risk`.
#pragma once

#include "enfold/gateway/config/settings_from_config.h"

namespace enfold::gateway {

struct Risk {
  std::string_view name;  ///< in `accept_risk`
  std::string pointer;    ///< JSON Pointer to the setting; empty: none, or the whole file
  std::string message;
  std::string advice;  ///< how to avoid the risk
};

/// The risks of listening: `open_address` and `plain_http`. None on a loopback address. `has_keys`:
/// whether clients need a key.
[[nodiscard]] std::vector<Risk> listening_risks(const serve::HttpOptions& http, bool has_keys);

/// The risks of files that other users may change or read: `writable_config`, `readable_key`. A
/// file that does not exist has no risks. `key_file`: the private key of TLS; empty: there is none.
[[nodiscard]] std::vector<Risk> file_risks(const std::string& config_file,
                                           const std::string& key_file);

/// An error with the first risk that is not accepted, or for an unknown name in `accepted`.
/// `is_command`: the settings come from a command line, so the hint names its option.
[[nodiscard]] Status check_risks(const std::vector<Risk>& risks,
                                 const std::vector<std::string>& accepted, bool is_command = false);

}  // namespace enfold::gateway
