// SPDX-License-Identifier: Apache-2.0
// What a server offers, made ready for serving: schemas compiled, and the answers of the list
// methods. Does not change while it serves.
#pragma once

#include "enfold/mcp/peer/server_action.h"
#include "enfold/server/server.h"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::server {

/// A tool and the handler behind it.
struct HandledTool {
  tools::OfferedTool offered;
  Run run;
};

class Catalog {
 public:
  /// Fails, with the tool's name, for a schema that does not compile.
  [[nodiscard]] static Result<Catalog> create(const Server& server);

  [[nodiscard]] const HandledTool* find(std::string_view name) const;
  [[nodiscard]] const std::vector<HandledTool>& tools() const { return tools_; }
  [[nodiscard]] std::set<std::string> names() const;

 private:
  std::vector<HandledTool> tools_;
};

/// What the connections of this server say about it. `headers` says which arguments of a tool
/// travel as HTTP headers.
[[nodiscard]] mcp::ServerConfig server_config(
    const Server& server, std::function<const mcp::ParamHeaders*(std::string_view tool)> headers);

[[nodiscard]] json::Output list_resources(const Server& server);
[[nodiscard]] json::Output list_templates(const Server& server);
[[nodiscard]] json::Output list_prompts(const Server& server);

}  // namespace enfold::server
