// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/notifications.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace enfold::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevels{"debug", "info",     "notice", "warning",
                                                  "error", "critical", "alert",  "emergency"};

// Writes whole numbers as integers: 50, not 50.0 or 5e1.
void write_number(json::Writer& writer, double number) {
  if (std::trunc(number) == number && std::abs(number) < 1e15) {
    writer.integer(static_cast<std::int64_t>(number));
  } else {
    writer.real(std::isfinite(number) ? number : 0);
  }
}

// The strings in the array that is this member; empty: the member is no array.
std::vector<std::string> texts(json::View object, std::string_view key) {
  std::vector<std::string> found;
  const auto array = object.find(key);
  if (!array || !array->is_array()) return found;
  for (const json::View one : array->items()) {
    if (one.is_string()) found.push_back(one.string());
  }
  return found;
}

// Writes `_meta` with the id of the subscription; nothing without one.
void write_subscription(json::Writer& writer, const std::optional<Id>& subscription) {
  if (!subscription) return;
  writer.key("_meta").begin_object().key(meta::subscription_id);
  write_id(writer, *subscription);
  writer.end_object();
}

Method changed_method(ListKind kind) {
  switch (kind) {
    case ListKind::tools: return Method::tools_changed;
    case ListKind::prompts: return Method::prompts_changed;
    case ListKind::resources: break;
  }
  return Method::resources_changed;
}

// Whether the member is true.
bool flag(json::View object, std::string_view key) {
  const auto found = object.find(key);
  return found && found->boolean();
}

}  // namespace

std::optional<Progress> read_progress(json::View params) {
  const auto number = [&](std::string_view key) -> std::optional<double> {
    const auto found = params.find(key);
    return found ? found->real() : std::nullopt;
  };
  const auto progress = number("progress");
  if (!progress) return std::nullopt;
  return Progress{*progress, number("total"), json::string_member(params, "message")};
}

json::Output write_progress(const Id& token, const Progress& progress) {
  return write_notification(name(Method::progress), [&](json::Writer& writer) {
    writer.key("progressToken");
    write_id(writer, token);
    writer.key("progress");
    write_number(writer, progress.progress);
    if (progress.total) {
      writer.key("total");
      write_number(writer, *progress.total);
    }
    if (progress.message) writer.member("message", *progress.message);
  });
}

json::Output write_cancelled(const Id& request, std::string_view reason) {
  return write_notification(name(Method::cancelled), [&](json::Writer& writer) {
    writer.key("requestId");
    write_id(writer, request);
    if (!reason.empty()) writer.member("reason", reason);
  });
}

std::string_view name(LogLevel level) { return kLevels.at(static_cast<std::size_t>(level)); }

std::optional<LogLevel> log_level_from_name(std::string_view name) {
  const auto* const found = std::find(kLevels.begin(), kLevels.end(), name);
  if (found == kLevels.end()) return std::nullopt;
  return static_cast<LogLevel>(found - kLevels.begin());
}

std::optional<LogMessage> read_log_message(json::View params) {
  const auto level = log_level_from_name(json::string_member(params, "level").value_or(""));
  const auto data = params.find("data");
  if (!level || !data) return std::nullopt;
  return LogMessage{*level, json::string_member(params, "logger"), json::Value(*data)};
}

json::Output write_log_message(const LogMessage& message) {
  return write_notification(name(Method::message), [&](json::Writer& writer) {
    writer.member("level", name(message.level));
    if (message.logger) writer.member("logger", *message.logger);
    writer.member("data", message.data);
  });
}

std::string_view capability_of(ListKind kind) { return info(changed_method(kind)).capability; }

bool SubscriptionFilter::wants(ListKind kind) const {
  switch (kind) {
    case ListKind::tools: return tools;
    case ListKind::prompts: return prompts;
    case ListKind::resources: break;
  }
  return resources;
}

bool SubscriptionFilter::wants(std::string_view uri) const {
  return std::find(uris.begin(), uris.end(), uri) != uris.end();
}

bool SubscriptionFilter::wants_task(std::string_view id) const {
  return std::find(tasks.begin(), tasks.end(), id) != tasks.end();
}

SubscriptionFilter read_filter(json::View notifications) {
  SubscriptionFilter filter{
      flag(notifications, "toolsListChanged"), flag(notifications, "promptsListChanged"),
      flag(notifications, "resourcesListChanged"), texts(notifications, "resourceSubscriptions"),
      texts(notifications, "taskIds")};
  return filter;
}

void write_filter(json::Writer& writer, const SubscriptionFilter& filter) {
  writer.begin_object();
  if (filter.tools) writer.member("toolsListChanged", true);
  if (filter.prompts) writer.member("promptsListChanged", true);
  if (filter.resources) writer.member("resourcesListChanged", true);
  const auto write_texts = [&](std::string_view key, const std::vector<std::string>& all) {
    if (all.empty()) return;
    writer.key(key).begin_array();
    for (const std::string& text : all) writer.string(text);
    writer.end_array();
  };
  write_texts("resourceSubscriptions", filter.uris);
  write_texts("taskIds", filter.tasks);
  writer.end_object();
}

std::optional<RpcError> check_subscriptions(const std::vector<std::string_view>& names,
                                            std::string_view what, std::size_t max_count) {
  const auto refuse = [what](std::string_view expected, std::size_t limit, std::size_t found) {
    return invalid_params(fmt::format("Invalid params: expected {}, found {}",
                                      fmt::format(fmt::runtime(expected), limit, what), found));
  };
  if (names.size() > max_count) return refuse("at most {} {}", max_count, names.size());
  std::size_t bytes = 0;
  for (const std::string_view name : names) {
    if (name.size() > kMaxSubscriptionBytes) {
      return refuse("names of {1} with at most {0} bytes", kMaxSubscriptionBytes, name.size());
    }
    bytes += name.size();
  }
  if (bytes > kMaxSubscriptionsBytes) {
    return refuse("names of {1} with at most {0} bytes together", kMaxSubscriptionsBytes, bytes);
  }
  return std::nullopt;
}

SubscriptionFilter supported_filter(SubscriptionFilter filter, const Capabilities& server) {
  filter.tools = filter.tools && server.has("tools", "listChanged");
  filter.prompts = filter.prompts && server.has("prompts", "listChanged");
  filter.resources = filter.resources && server.has("resources", "listChanged");
  if (!server.has("resources", "subscribe")) filter.uris.clear();
  if (!server.has("extensions", kTasksExtension)) filter.tasks.clear();
  return filter;
}

json::Output write_list_changed(ListKind kind, const std::optional<Id>& subscription) {
  const std::string_view method = name(changed_method(kind));
  if (!subscription) return write_notification(method);
  return write_notification(
      method, [&](json::Writer& writer) { write_subscription(writer, subscription); });
}

json::Output write_resource_updated(std::string_view uri, const std::optional<Id>& subscription) {
  return write_notification(name(Method::resource_updated), [&](json::Writer& writer) {
    writer.member("uri", uri);
    write_subscription(writer, subscription);
  });
}

}  // namespace enfold::mcp
