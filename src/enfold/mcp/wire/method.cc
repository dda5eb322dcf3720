// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/method.h"

#include <algorithm>
#include <array>

namespace enfold::mcp {
namespace {

constexpr bool y = true;
constexpr bool n = false;

// In the order of the enumeration.
constexpr std::array<MethodInfo, 30> kMethods{{
    {Method::other, "", "", "", n, y, y, n, n, n},
    {Method::initialize, "initialize", "", "", n, y, n, n, n, n},
    {Method::discover, "server/discover", "", "", n, n, y, n, y, n},
    {Method::ping, "ping", "", "", n, y, n, n, n, n},
    {Method::tools_list, "tools/list", "tools", "", n, y, y, y, y, n},
    {Method::tools_call, "tools/call", "tools", "name", n, y, y, n, n, y},
    {Method::resources_list, "resources/list", "resources", "", n, y, y, y, y, n},
    {Method::resources_templates_list, "resources/templates/list", "resources", "", n, y, y, y, y,
     n},
    {Method::resources_read, "resources/read", "resources", "uri", n, y, y, n, y, y},
    {Method::resources_subscribe, "resources/subscribe", "resources", "", n, y, n, n, n, n},
    {Method::resources_unsubscribe, "resources/unsubscribe", "resources", "", n, y, n, n, n, n},
    {Method::prompts_list, "prompts/list", "prompts", "", n, y, y, y, y, n},
    {Method::prompts_get, "prompts/get", "prompts", "name", n, y, y, n, n, y},
    {Method::complete, "completion/complete", "completions", "", n, y, y, n, n, n},
    {Method::set_level, "logging/setLevel", "logging", "", n, y, n, n, n, n},
    {Method::listen, "subscriptions/listen", "", "", n, n, y, n, n, n},
    {Method::sampling, "sampling/createMessage", "sampling", "", n, y, y, n, n, n},
    {Method::elicitation, "elicitation/create", "elicitation", "", n, y, y, n, n, n},
    {Method::roots, "roots/list", "roots", "", n, y, y, n, n, n},
    {Method::initialized, "notifications/initialized", "", "", y, y, n, n, n, n},
    {Method::cancelled, "notifications/cancelled", "", "", y, y, y, n, n, n},
    {Method::progress, "notifications/progress", "", "", y, y, y, n, n, n},
    {Method::message, "notifications/message", "logging", "", y, y, y, n, n, n},
    {Method::tools_changed, "notifications/tools/list_changed", "tools", "", y, y, y, n, n, n},
    {Method::prompts_changed, "notifications/prompts/list_changed", "prompts", "", y, y, y, n, n,
     n},
    {Method::resources_changed, "notifications/resources/list_changed", "resources", "", y, y, y, n,
     n, n},
    {Method::resource_updated, "notifications/resources/updated", "resources", "", y, y, y, n, n,
     n},
    {Method::roots_changed, "notifications/roots/list_changed", "roots", "", y, y, n, n, n, n},
    {Method::elicitation_complete, "notifications/elicitation/complete", "elicitation", "", y, y, n,
     n, n, n},
    {Method::acknowledged, "notifications/subscriptions/acknowledged", "", "", y, n, y, n, n, n},
}};

}  // namespace

std::span<const MethodInfo> all_methods() { return kMethods; }

const MethodInfo& info(Method method) { return kMethods.at(static_cast<std::size_t>(method)); }

Method method_from_name(std::string_view name) {
  if (name == "tools/call") return Method::tools_call;  // what is asked for most
  // Thirty names of different lengths: comparing lengths first makes this a few steps.
  const auto* const found = std::find_if(kMethods.begin() + 1, kMethods.end(),
                                         [&](const MethodInfo& row) { return row.name == name; });
  return found == kMethods.end() ? Method::other : found->method;
}

std::string_view name(Method method) { return info(method).name; }

bool exists(Method method, Era era) {
  return era == Era::sessions ? info(method).sessions : info(method).stateless;
}

}  // namespace enfold::mcp
