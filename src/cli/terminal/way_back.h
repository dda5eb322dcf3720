// SPDX-License-Identifier: Apache-2.0
// The commands that open what Enfold cut from the answer of a server: `enfold fetch` if the answer
// is in the archive of the user, else a call of the server's tool enfold_fetch.
#pragma once

#include "cli/input/server_link.h"

#include <string>

namespace enfold::cli {

class WayBack {
 public:
  /// `has_fetch_tool`: the server has the tool enfold_fetch. Keeps a reference to `server`.
  WayBack(const ServerOptions& server, bool has_fetch_tool)
      : server_(server), has_fetch_tool_(has_fetch_tool) {}

  /// A line with the command that fetches the records left out; empty if none is known to work.
  /// `cursor` and `handle` are those of the cut answer, as the server sent them.
  [[nodiscard]] std::string to_next_page(const std::string& cursor,
                                         const std::string& handle) const;
  /// A line with the command that fetches the original; empty if `handle` is no handle or hash.
  [[nodiscard]] std::string to_original(const std::string& handle) const;

 private:
  /// A line with a call of enfold_fetch. `what`: the beginning of the line, what the call returns.
  [[nodiscard]] std::string through_server(const std::string& what,
                                           const std::string& argument) const;

  const ServerOptions& server_;
  bool has_fetch_tool_;
};

}  // namespace enfold::cli
