// SPDX-License-Identifier: Apache-2.0
// The notifications of the protocol: progress, cancellation, log messages, changed lists, updated
// resources, and the filter by which a client subscribes to them.
#pragma once

#include "enfold/mcp/wire/message.h"
#include "enfold/mcp/wire/protocol.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

struct Progress {
  double progress = 0;                 ///< must grow from one notification to the next
  std::optional<double> total;         ///< nullopt: not known
  std::optional<std::string> message;  ///< for the user; nullopt: none
  friend bool operator==(const Progress&, const Progress&) = default;
};
/// nullopt: `progress` is missing or not a number.
[[nodiscard]] std::optional<Progress> read_progress(json::View params);
[[nodiscard]] json::Output write_progress(const Id& token, const Progress& progress);

/// An empty reason is left out.
[[nodiscard]] json::Output write_cancelled(const Id& request, std::string_view reason);

/// RFC 5424, the least severe first.
enum class LogLevel { debug, info, notice, warning, error, critical, alert, emergency };
[[nodiscard]] std::string_view name(LogLevel level);
/// nullopt: there is no such level.
[[nodiscard]] std::optional<LogLevel> log_level_from_name(std::string_view name);

struct LogMessage {
  LogLevel level = LogLevel::info;
  std::optional<std::string> logger;  ///< name of the logger; nullopt: none
  json::Value data;                   ///< the message: a text or any other JSON value
  friend bool operator==(const LogMessage&, const LogMessage&) = default;
};
/// nullopt: no known level, or no data.
[[nodiscard]] std::optional<LogMessage> read_log_message(json::View params);
[[nodiscard]] json::Output write_log_message(const LogMessage& message);

enum class ListKind { tools, prompts, resources };
/// The capability that a server with such a list declares: "tools", "prompts" or "resources".
[[nodiscard]] std::string_view capability_of(ListKind kind);

/// The notifications that a client opts in to with subscriptions/listen.
struct SubscriptionFilter {
  // Whether to notify of changes of the list.
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::vector<std::string> uris;   ///< resources of which to notify when they are updated
  std::vector<std::string> tasks;  ///< ids of tasks of which to notify when their status changes

  [[nodiscard]] bool wants(ListKind kind) const;
  [[nodiscard]] bool wants(std::string_view uri) const;
  [[nodiscard]] bool wants_task(std::string_view id) const;
  friend bool operator==(const SubscriptionFilter&, const SubscriptionFilter&) = default;
};
[[nodiscard]] SubscriptionFilter read_filter(json::View notifications);
void write_filter(json::Writer& writer, const SubscriptionFilter& filter);
/// The part of a filter that a server with these capabilities supports.
[[nodiscard]] SubscriptionFilter supported_filter(SubscriptionFilter filter,
                                                  const Capabilities& server);

/// Of one URI or task id that a client subscribes to, and of all of one session or
/// subscriptions/listen together.
inline constexpr std::size_t kMaxSubscriptionBytes = std::size_t{4} << 10;
inline constexpr std::size_t kMaxSubscriptionsBytes = std::size_t{128} << 10;
/// Why a session or subscriptions/listen may not have these subscriptions; nullopt: it may.
/// `what`: "resources" or "tasks".
[[nodiscard]] std::optional<RpcError> check_subscriptions(
    const std::vector<std::string_view>& names, std::string_view what, std::size_t max_count);

/// `subscription`: the id of the subscriptions/listen request; nullopt in the session era.
[[nodiscard]] json::Output write_list_changed(ListKind kind, const std::optional<Id>& subscription);
[[nodiscard]] json::Output write_resource_updated(std::string_view uri,
                                                  const std::optional<Id>& subscription);

}  // namespace enfold::mcp
