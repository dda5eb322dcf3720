// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/server_action.h"

#include <iterator>

namespace enfold::mcp {

void append(ServerActions& actions, ServerActions more) {
  if (actions.empty()) {
    actions = std::move(more);
    return;
  }
  actions.insert(actions.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

void write_identity(json::Writer& writer, const ServerConfig& config) {
  writer.member("capabilities", config.capabilities.value());
  if (!config.instructions.empty()) writer.member("instructions", config.instructions);
}

bool is_offered(Method method, Era era, const ServerConfig& config) {
  if (method == Method::other) return config.relay_unknown_requests;
  const MethodInfo& row = info(method);
  const bool of_server =
      method == Method::sampling || method == Method::elicitation || method == Method::roots;
  if (row.notification || of_server || !exists(method, era)) return false;
  return row.capability.empty() || config.capabilities.has(row.capability);
}

}  // namespace enfold::mcp
