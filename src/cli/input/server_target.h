// SPDX-License-Identifier: Apache-2.0
// Which server a command line means: an address, or the command behind --.
#pragma once

#include "enfold/client/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace enfold::cli {

struct ServerNamed {
  std::string_view option;  ///< that takes the address: "--url"
  const std::string& url;
  const std::vector<std::string>& command;
  const std::vector<std::string>& headers;  ///< "Name: value"
};

/// `invalid_input` unless there is exactly one server, and headers only where they can be sent.
[[nodiscard]] Result<client::Target> target_of(const ServerNamed& named);

/// auto, modern or legacy.
[[nodiscard]] Result<client::ClientOptions::Eras> eras_named(std::string_view name);

}  // namespace enfold::cli
