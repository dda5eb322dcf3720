// SPDX-License-Identifier: Apache-2.0
// The vocabulary of the protocol: its revisions, its methods, its capabilities and its keys of
// `_meta`. The protocol calls a revision a version in its messages. Enfold groups the revisions
// into two eras: sessions, opened by `initialize` (up to 2025-11-25), and stateless, where every
// request names its revision (from 2026-07-28 on).
#pragma once

#include "enfold/json/write.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

enum class Era { sessions, stateless };

inline constexpr std::string_view kFirstStatelessRevision = "2026-07-28";

/// Every revision that Enfold speaks, newest first.
[[nodiscard]] std::vector<std::string> version_list();

/// Revisions are dates and compare as text. Any text that is not a date counts as older than every
/// date, so it is never stateless.
[[nodiscard]] constexpr bool is_stateless(std::string_view version) {
  constexpr std::string_view form = "dddd-dd-dd";
  if (version == kFirstStatelessRevision) return true;
  if (version.size() != form.size() || version <= kFirstStatelessRevision) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool is_digit = version[i] >= '0' && version[i] <= '9';
    if (form[i] == 'd' ? !is_digit : version[i] != form[i]) return false;
  }
  return true;
}
[[nodiscard]] constexpr Era era_of(std::string_view version) {
  return is_stateless(version) ? Era::stateless : Era::sessions;
}

/// The revisions of one era among `supported`, in the same order.
[[nodiscard]] std::vector<std::string> versions_of_era(std::span<const std::string> supported,
                                                       Era era);
[[nodiscard]] inline bool has_era(std::span<const std::string> supported, Era era) {
  for (const std::string& version : supported) {
    if (era_of(version) == era) return true;
  }
  return false;
}

/// The revision that answers `initialize`: the requested one if it is supported, else the newest
/// supported one of the session era; empty if there is none.
[[nodiscard]] std::string negotiate_session_version(std::string_view requested,
                                                    std::span<const std::string> supported);

/// Only one revision, 2025-03-26, allows batches.
[[nodiscard]] bool has_batches(std::string_view version);

/// `other`: any method that is not in the table; messages keep its name as text.
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
  tasks_get,
  tasks_update,
  tasks_cancel,
  tasks_result,
  tasks_list,
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

/// The extension by which a server answers a tool call later. Up to 2025-11-25 tasks were a part of
/// the protocol, with the capability `tasks`.
inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

struct MethodInfo {
  Method method;
  std::string_view name;
  /// The capability that the server (for sampling, elicitation and roots: the client) must declare;
  /// empty: none.
  std::string_view capability;
  /// The member of `params` that the header Mcp-Name repeats; empty: the method has no such header.
  std::string_view name_param;
  bool sessions = false;   ///< exists up to 2025-11-25
  bool stateless = false;  ///< exists from 2026-07-28 on
  bool notification = false;
  bool is_paged = false;           ///< takes `cursor`, gives `nextCursor`
  bool has_cache_hint = false;     ///< its stateless result carries a cache hint
  bool may_require_input = false;  ///< may be answered with `input_required`
  /// Stateless era: the extension that server and client must declare; empty: none.
  std::string_view extension{};
};

namespace detail {

// The eras of a method and the flags of MethodInfo, as bits of `traits`.
enum Trait : unsigned {
  kSessions = 1,
  kStatelessEra = 2,
  kBoth = kSessions | kStatelessEra,
  kNotification = 4,
  kPaged = 8,
  kCacheHint = 16,
  kMayRequireInput = 32,
};

constexpr MethodInfo row(Method method, std::string_view name, unsigned traits,
                         std::string_view capability = {}, std::string_view name_param = {},
                         std::string_view extension = {}) {
  const auto has = [traits](Trait trait) { return (traits & trait) != 0; };
  return {method,
          name,
          capability,
          name_param,
          has(kSessions),
          has(kStatelessEra),
          has(kNotification),
          has(kPaged),
          has(kCacheHint),
          has(kMayRequireInput),
          extension};
}

inline constexpr std::array kMethods{
    row(Method::other, "", kBoth),
    row(Method::initialize, "initialize", kSessions),
    row(Method::discover, "server/discover", kStatelessEra | kCacheHint),
    row(Method::ping, "ping", kSessions),
    row(Method::tools_list, "tools/list", kBoth | kPaged | kCacheHint, "tools"),
    row(Method::tools_call, "tools/call", kBoth | kMayRequireInput, "tools", "name"),
    row(Method::resources_list, "resources/list", kBoth | kPaged | kCacheHint, "resources"),
    row(Method::resources_templates_list, "resources/templates/list", kBoth | kPaged | kCacheHint,
        "resources"),
    row(Method::resources_read, "resources/read", kBoth | kCacheHint | kMayRequireInput,
        "resources", "uri"),
    row(Method::resources_subscribe, "resources/subscribe", kSessions, "resources"),
    row(Method::resources_unsubscribe, "resources/unsubscribe", kSessions, "resources"),
    row(Method::prompts_list, "prompts/list", kBoth | kPaged | kCacheHint, "prompts"),
    row(Method::prompts_get, "prompts/get", kBoth | kMayRequireInput, "prompts", "name"),
    row(Method::complete, "completion/complete", kBoth, "completions"),
    row(Method::set_level, "logging/setLevel", kSessions, "logging"),
    row(Method::listen, "subscriptions/listen", kStatelessEra),
    row(Method::tasks_get, "tasks/get", kBoth, "tasks", "taskId", kTasksExtension),
    row(Method::tasks_update, "tasks/update", kStatelessEra, "tasks", "taskId", kTasksExtension),
    row(Method::tasks_cancel, "tasks/cancel", kBoth, "tasks", "taskId", kTasksExtension),
    row(Method::tasks_result, "tasks/result", kSessions, "tasks", {}, kTasksExtension),
    row(Method::tasks_list, "tasks/list", kSessions, "tasks", {}, kTasksExtension),
    row(Method::sampling, "sampling/createMessage", kBoth, "sampling"),
    row(Method::elicitation, "elicitation/create", kBoth, "elicitation"),
    row(Method::roots, "roots/list", kBoth, "roots"),
    row(Method::initialized, "notifications/initialized", kSessions | kNotification),
    row(Method::cancelled, "notifications/cancelled", kBoth | kNotification),
    row(Method::progress, "notifications/progress", kBoth | kNotification),
    row(Method::message, "notifications/message", kBoth | kNotification, "logging"),
    row(Method::tools_changed, "notifications/tools/list_changed", kBoth | kNotification, "tools"),
    row(Method::prompts_changed, "notifications/prompts/list_changed", kBoth | kNotification,
        "prompts"),
    row(Method::resources_changed, "notifications/resources/list_changed", kBoth | kNotification,
        "resources"),
    row(Method::resource_updated, "notifications/resources/updated", kBoth | kNotification,
        "resources"),
    row(Method::roots_changed, "notifications/roots/list_changed", kSessions | kNotification,
        "roots"),
    row(Method::elicitation_complete, "notifications/elicitation/complete",
        kSessions | kNotification, "elicitation"),
    row(Method::acknowledged, "notifications/subscriptions/acknowledged",
        kStatelessEra | kNotification),
};

// info() uses a method as an index.
static_assert([] {
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    if (kMethods[i].method != static_cast<Method>(i)) return false;
  }
  return true;
}());

[[nodiscard]] Method find_method(std::string_view name);

}  // namespace detail

[[nodiscard]] constexpr const MethodInfo& info(Method method) {
  return detail::kMethods.at(static_cast<std::size_t>(method));
}
[[nodiscard]] inline Method method_from_name(std::string_view name) {
  // The most frequent method needs no search.
  return name == "tools/call" ? Method::tools_call : detail::find_method(name);
}
[[nodiscard]] constexpr std::string_view name(Method method) { return info(method).name; }
[[nodiscard]] constexpr bool exists(Method method, Era era) {
  return era == Era::sessions ? info(method).sessions : info(method).stateless;
}
/// Whether a server sends this request to a client: sampling, elicitation, roots.
[[nodiscard]] constexpr bool is_server_request(Method method) {
  return method == Method::sampling || method == Method::elicitation || method == Method::roots;
}

/// The capabilities that a peer declares. The object is kept unchanged, so that capabilities
/// unknown to Enfold (experimental ones, extensions) are forwarded like the others.
class Capabilities {
 public:
  Capabilities();  ///< none
  explicit Capabilities(const json::Value& object);

  /// Whether the capability is declared, with a value other than false and null.
  [[nodiscard]] bool has(std::string_view name) const { return is_declared(object_->find(name)); }
  /// The same for a member of the capability: has("resources", "subscribe").
  [[nodiscard]] bool has(std::string_view name, std::string_view member) const {
    const auto found = object_->find(name);
    return found && is_declared(found->find(member));
  }
  [[nodiscard]] const json::Value& value() const { return object_; }

  friend bool operator==(const Capabilities&, const Capabilities&) = default;

 private:
  [[nodiscard]] static bool is_declared(const std::optional<json::View>& found) {
    return found && !found->is_null() && !(found->is_boolean() && !found->boolean());
  }

  json::Value object_;
};

/// The keys of `_meta` that the protocol defines.
namespace meta {
inline constexpr std::string_view version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view client_info = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view client_capabilities =
    "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view subscription_id = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view progress_token = "progressToken";
}  // namespace meta

}  // namespace enfold::mcp
