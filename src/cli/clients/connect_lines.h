// SPDX-License-Identifier: Apache-2.0
// How clients are connected to a gateway over HTTP: commands to type and links to open.
#pragma once

#include "cli/terminal/terminal.h"

#include <string>
#include <vector>

namespace enfold::cli {

struct ConnectLine {
  std::string client;
  std::string text;  ///< a command or a link
};

/// `needs_key`: the gateway has principals. Links cannot hold a key: the client asks for it, or it
/// is added to its settings.
[[nodiscard]] std::vector<ConnectLine> connect_lines(const std::string& url, bool needs_key);

/// As a table.
[[nodiscard]] std::string connect_text(const std::string& url, bool needs_key);

}  // namespace enfold::cli
