// SPDX-License-Identifier: Apache-2.0
// How clients are connected to a gateway over HTTP: commands to type and links to open.
#pragma once

#include "cli/terminal/terminal.h"

#include <string>
#include <vector>

namespace enfold::cli {

struct ConnectLine {
  std::string client;
  std::string text;  ///< a command, a link, or JSON for the settings
};

/// `url`: of the gateway. `needs_key`: the gateway has principals. Links have no place for the key:
/// the client asks the user for it, or the user adds it to the client's settings.
[[nodiscard]] std::vector<ConnectLine> connect_lines(const std::string& url, bool needs_key);

/// The lines as a table for the terminal.
[[nodiscard]] std::string connect_text(const std::string& url, bool needs_key);

}  // namespace enfold::cli
