// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/protocol.h"

#include <algorithm>
#include <array>

namespace enfold::mcp {
namespace {

constexpr std::array<std::string_view, 5> kVersions{"2026-07-28", "2025-11-25", "2025-06-18",
                                                    "2025-03-26", "2024-11-05"};

// The eras of a method, and what else MethodInfo says about it.
enum Trait : unsigned {
  kSessions = 1,
  kStatelessEra = 2,
  kBoth = kSessions | kStatelessEra,
  kNotice = 4,
  kPages = 8,
  kCached = 16,
  kMayAsk = 32,
};

constexpr MethodInfo row(Method method, std::string_view name, unsigned traits,
                         std::string_view capability = {}, std::string_view name_param = {}) {
  const auto has = [traits](Trait trait) { return (traits & trait) != 0; };
  return {method,       name,        capability,   name_param,  has(kSessions), has(kStatelessEra),
          has(kNotice), has(kPages), has(kCached), has(kMayAsk)};
}

constexpr std::array kMethods{
    row(Method::other, "", kBoth),
    row(Method::initialize, "initialize", kSessions),
    row(Method::discover, "server/discover", kStatelessEra | kCached),
    row(Method::ping, "ping", kSessions),
    row(Method::tools_list, "tools/list", kBoth | kPages | kCached, "tools"),
    row(Method::tools_call, "tools/call", kBoth | kMayAsk, "tools", "name"),
    row(Method::resources_list, "resources/list", kBoth | kPages | kCached, "resources"),
    row(Method::resources_templates_list, "resources/templates/list", kBoth | kPages | kCached,
        "resources"),
    row(Method::resources_read, "resources/read", kBoth | kCached | kMayAsk, "resources", "uri"),
    row(Method::resources_subscribe, "resources/subscribe", kSessions, "resources"),
    row(Method::resources_unsubscribe, "resources/unsubscribe", kSessions, "resources"),
    row(Method::prompts_list, "prompts/list", kBoth | kPages | kCached, "prompts"),
    row(Method::prompts_get, "prompts/get", kBoth | kMayAsk, "prompts", "name"),
    row(Method::complete, "completion/complete", kBoth, "completions"),
    row(Method::set_level, "logging/setLevel", kSessions, "logging"),
    row(Method::listen, "subscriptions/listen", kStatelessEra),
    row(Method::sampling, "sampling/createMessage", kBoth, "sampling"),
    row(Method::elicitation, "elicitation/create", kBoth, "elicitation"),
    row(Method::roots, "roots/list", kBoth, "roots"),
    row(Method::initialized, "notifications/initialized", kSessions | kNotice),
    row(Method::cancelled, "notifications/cancelled", kBoth | kNotice),
    row(Method::progress, "notifications/progress", kBoth | kNotice),
    row(Method::message, "notifications/message", kBoth | kNotice, "logging"),
    row(Method::tools_changed, "notifications/tools/list_changed", kBoth | kNotice, "tools"),
    row(Method::prompts_changed, "notifications/prompts/list_changed", kBoth | kNotice, "prompts"),
    row(Method::resources_changed, "notifications/resources/list_changed", kBoth | kNotice,
        "resources"),
    row(Method::resource_updated, "notifications/resources/updated", kBoth | kNotice, "resources"),
    row(Method::roots_changed, "notifications/roots/list_changed", kSessions | kNotice, "roots"),
    row(Method::elicitation_complete, "notifications/elicitation/complete", kSessions | kNotice,
        "elicitation"),
    row(Method::acknowledged, "notifications/subscriptions/acknowledged", kStatelessEra | kNotice),
};

// info() uses a method as an index.
static_assert([] {
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    if (kMethods[i].method != static_cast<Method>(i)) return false;
  }
  return true;
}());

const json::Value& no_capabilities() {
  static const json::Value empty = json::parse_own("{}");
  return empty;
}

bool is_declared(const std::optional<json::View>& found) {
  return found && !found->is_null() && !(found->is_boolean() && !found->boolean());
}

}  // namespace

std::vector<std::string> version_list() { return {kVersions.begin(), kVersions.end()}; }

std::vector<std::string> of_era(std::span<const std::string> supported, Era era) {
  std::vector<std::string> out;
  std::ranges::copy_if(supported, std::back_inserter(out),
                       [&](const std::string& version) { return era_of(version) == era; });
  return out;
}

bool has_era(std::span<const std::string> supported, Era era) {
  return std::ranges::any_of(supported,
                             [&](const std::string& version) { return era_of(version) == era; });
}

std::string negotiate_session(std::string_view requested, std::span<const std::string> supported) {
  const std::vector<std::string> sessions = of_era(supported, Era::sessions);
  if (sessions.empty()) return {};
  if (std::ranges::find(sessions, requested) != sessions.end()) return std::string(requested);
  return *std::ranges::max_element(sessions);
}

bool has_batches(std::string_view version) { return version == "2025-03-26"; }

const MethodInfo& info(Method method) { return kMethods.at(static_cast<std::size_t>(method)); }

// A linear search is fast enough: comparing two string_views begins with their lengths.
Method detail::find_method(std::string_view name) {
  const auto* const found =
      std::find_if(kMethods.begin() + 1, kMethods.end(),
                   [&](const MethodInfo& method) { return method.name == name; });
  return found == kMethods.end() ? Method::other : found->method;
}

std::string_view name(Method method) { return info(method).name; }

bool exists(Method method, Era era) {
  return era == Era::sessions ? info(method).sessions : info(method).stateless;
}

bool is_server_request(Method method) {
  return method == Method::sampling || method == Method::elicitation || method == Method::roots;
}

Capabilities::Capabilities() : object_(no_capabilities()) {}

Capabilities::Capabilities(const json::Value& object)
    : object_(object->is_object() ? object : no_capabilities()) {}

bool Capabilities::has(std::string_view name) const { return is_declared(object_->find(name)); }

bool Capabilities::has(std::string_view name, std::string_view member) const {
  const auto found = object_->find(name);
  return found && is_declared(found->find(member));
}

}  // namespace enfold::mcp
