// SPDX-License-Identifier: Apache-2.0
// The commands that open what Enfold cut from the answer of a server.
#pragma once

#include "cli/input/server_link.h"

#include <string>

namespace enfold::cli {

class WayBack {
 public:
  /// `has_fetch_tool`: the server has the tool enfold_fetch.
  WayBack(const ServerOptions& server, bool has_fetch_tool)
      : server_(server), has_fetch_tool_(has_fetch_tool) {}

  /// The line that leads to the records left out; empty if no command is known to open them.
  /// `cursor`: from the server, and so is `handle`, of the answer that was cut.
  [[nodiscard]] std::string to_next_page(const std::string& cursor,
                                         const std::string& handle) const;
  /// The line that leads to the original; empty if this is no handle or hash.
  [[nodiscard]] std::string to_original(const std::string& handle) const;

 private:
  [[nodiscard]] std::string through_server(const std::string& found,
                                           const std::string& argument) const;

  const ServerOptions& server_;
  bool has_fetch_tool_;
};

}  // namespace enfold::cli
