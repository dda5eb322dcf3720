// SPDX-License-Identifier: Apache-2.0
// The server that a command line names: a URL, or a command after --.
#pragma once

#include "enfold/client/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace enfold::cli {

struct ServerSelection {
  std::string_view option;  ///< the option that takes the URL: "--url"
  const std::string& url;
  const std::vector<std::string>& command;
  const std::vector<std::string>& headers;  ///< "Name: value"
};

/// `invalid_input` unless there is exactly one server, and headers only with a URL.
[[nodiscard]] Result<client::Target> find_target(const ServerSelection& selection);

/// auto, stateless or sessions.
[[nodiscard]] Result<client::ClientOptions::Eras> find_protocol(std::string_view name);

}  // namespace enfold::cli
