// SPDX-License-Identifier: Apache-2.0
// The methods of the protocol in one table: who may send them in which era, what they need, and
// where the value of the Mcp-Name header stands. A method that is not here is `Method::other` and
// is carried by its text.
#pragma once

#include "enfold/mcp/wire/version.h"

#include <span>
#include <string_view>

namespace enfold::mcp {

enum class Method {
  other,
  // requests of a client
  initialize,
  discover,
  ping,
  tools_list,
  tools_call,
  resources_list,
  resources_templates_list,
  resources_read,
  resources_subscribe,
  resources_unsubscribe,
  prompts_list,
  prompts_get,
  complete,
  set_level,
  listen,
  // requests of a server; inside `input_required` in the stateless era
  sampling,
  elicitation,
  roots,
  // notifications
  initialized,
  cancelled,
  progress,
  message,
  tools_changed,
  prompts_changed,
  resources_changed,
  resource_updated,
  roots_changed,
  elicitation_complete,
  acknowledged,
};

struct MethodInfo {
  Method method;
  std::string_view name;
  std::string_view capability;  ///< of the side that answers; empty: none needed
  std::string_view name_param;  ///< `params` member behind Mcp-Name; empty: no such header
  bool notification;
  bool sessions;   ///< exists up to 2025-11-25
  bool stateless;  ///< exists from 2026-07-28 on
  bool pages;      ///< takes `cursor`, gives `nextCursor`
  bool cached;     ///< its stateless result carries a cache hint
  bool may_ask;    ///< may be answered with `input_required`
};

[[nodiscard]] std::span<const MethodInfo> all_methods();
[[nodiscard]] const MethodInfo& info(Method method);
[[nodiscard]] Method method_from_name(std::string_view name);
[[nodiscard]] std::string_view name(Method method);
[[nodiscard]] bool exists(Method method, Era era);

}  // namespace enfold::mcp
