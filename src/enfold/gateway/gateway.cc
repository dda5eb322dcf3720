// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/gateway.h"

#include "enfold/gateway/call/archive_access.h"
#include "enfold/gateway/call/forwarded_call.h"
#include "enfold/gateway/call/resource_search.h"
#include "enfold/gateway/call/tool_call.h"
#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/gateway/server_identity.h"
#include "enfold/redact/redact.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

using mcp::Method;

// The reason why an upstream could not be reached, with its last output, because users look into
// the client's log.
std::string connect_message(const Error& error, const Settings& settings) {
  std::string text = fmt::format("{}: {}", error.where, error.message);
  if (!error.hint.empty()) text += fmt::format("; {}", error.hint);
  const auto& redaction = settings.answers.redaction;
  return redaction ? redact::redact_text(text, *redaction) : text;
}

UpstreamState state_of(const Upstream& upstream, const UpstreamReport& report, Breaker::Time now) {
  if (upstream.breaker.is_open(now)) return UpstreamState::open;
  if (report.connections > 0) return UpstreamState::ready;
  return report.failures_in_row > 0 ? UpstreamState::failing : UpstreamState::idle;
}

}  // namespace

Gateway::Gateway(Settings settings, net::Loop& loop, serve::Host& host)
    : settings_(std::move(settings)),
      environment_{loop, host, settings_},
      principals_(settings_.principals),
      events_([this] { update_config(); }),
      upstreams_(std::move(settings_.upstreams)),
      routes_(upstreams_),
      sessions_(loop),
      connections_(environment_, upstreams_, sessions_, open_calls_, events_),
      log_(environment_,
           [this](std::string_view upstream, std::string_view tool) -> std::optional<bool> {
             const Upstream* const found = upstreams_.with_name(upstream);
             if (found == nullptr) return false;
             return found->tools.is_empty() ? std::nullopt : std::optional(found->tools.has(tool));
           }),
      lists_(environment_, upstreams_, connections_, sessions_, routes_),
      resources_(upstreams_),
      subscriptions_(upstreams_, connections_, sessions_, resources_),
      local_tools_(environment_, log_, upstreams_, routes_),
      list_writer_(environment_, routes_, local_tools_, resources_, log_),
      list_services_{environment_, upstreams_, connections_, sessions_, lists_, list_writer_},
      cache_(AnswerCache::Limits{}),
      answer_writer_(environment_, routes_, local_tools_, sessions_, log_),
      elicitations_(environment_, connections_, open_calls_, local_tools_),
      tasks_(upstreams_),
      call_services_{environment_, upstreams_,     routes_,       sessions_,      connections_,
                     open_calls_,  lists_,         resources_,    subscriptions_, local_tools_,
                     cache_,       answer_writer_, elicitations_, tasks_},
      config_(std::make_shared<const mcp::ServerConfig>()) {
  events_.set_services(call_services_);
}

Result<std::unique_ptr<Gateway>> Gateway::create(Settings settings, net::Loop& loop,
                                                 serve::Host& host) {
  std::unique_ptr<Gateway> gateway(new Gateway(std::move(settings), loop, host));
  ENFOLD_TRY(gateway->local_tools_.configure(gateway->settings_.answers));
  return gateway;
}

void Gateway::update_config() {
  std::shared_ptr<mcp::ServerConfig> config = server_identity(upstreams_.current(), settings_);
  config->param_headers = [this](std::string_view tool) -> const mcp::ParamHeaders* {
    const Route route = routes_.tool(tool);
    return route.upstream != nullptr ? route.upstream->tools.headers(route.name) : nullptr;
  };
  config_ = std::move(config);
}

// A slow upstream does not delay serving the others.
void Gateway::connect(net::Callback<void(Status status)> done) {
  struct Progress {
    std::size_t left;
    Status status;
    net::Callback<void(Status)> done;
    bool is_late = false;
  };
  auto progress =
      std::make_shared<Progress>(Progress{upstreams_.current().size(), {}, std::move(done)});
  const auto look = [this, progress] {
    const bool any = upstreams_.any_reached();
    if (!progress->done || (progress->left > 0 && !(progress->is_late && any))) return;
    update_config();
    std::exchange(progress->done, nullptr)(any ? Status() : progress->status);
  };
  const auto ended = [progress, look] {
    --progress->left;
    look();
  };
  auto caller = std::make_shared<mcp::Caller>();
  caller->client_info = own_info(settings_.version);
  for (const auto& upstream : upstreams_.current()) {
    upstream->shared = connections_.make(*upstream, caller, std::nullopt);
    upstream->shared->connect(
        [this, progress, ended, link = upstream->shared](Result<mcp::ServerIdentity> server) {
          if (server) {
            lists_.fetch_tools(link, ended);
            return;
          }
          progress->status = tl::unexpected(server.error());
          ended();
        });
  }
  connect_timeout_ = environment_.host.after(kListTimeout, [progress, look] {
    progress->is_late = true;
    look();
  });
}

void Gateway::on_first_message(std::string_view first_message, OnStarted done) {
  has_client_ = true;
  const std::shared_ptr<const mcp::Caller> caller = caller_in(first_message);
  const auto first =
      caller->era == mcp::Era::sessions ? std::optional(mcp::Era::sessions) : std::nullopt;
  auto left = std::make_shared<std::size_t>(upstreams_.current().size());
  auto refusal = std::make_shared<std::optional<mcp::RpcError>>();
  auto then = std::make_shared<OnStarted>(std::move(done));
  for (const auto& upstream : upstreams_.current()) {
    upstream->shared = connections_.make(*upstream, caller, first);
    upstream->shared->connect(
        [this, left, refusal, then](const Result<mcp::ServerIdentity>& server) {
          if (!server) {
            *refusal = mcp::RpcError{mcp::code::internal_error,
                                     connect_message(server.error(), settings_), std::nullopt};
          }
          if (--*left > 0) return;
          const bool any = upstreams_.any_reached();
          if (any) update_config();
          (*then)(any ? std::nullopt : *refusal);
        });
  }
}

void Gateway::reload(Settings settings, Reload::Done done) {
  const auto apply = [this](Settings applied) {
    settings_ = std::move(applied);
    principals_ = Principals(settings_.principals);
    update_config();
  };
  std::make_shared<Reload>(call_services_, std::move(settings), apply, std::move(done))->start();
}

std::optional<std::string> Gateway::identify(std::optional<std::string_view> key) const {
  if (principals_.is_empty()) return settings_.answers.principal;
  return key ? principals_.find(*key) : std::nullopt;
}

std::shared_ptr<serve::OpenCall> Gateway::begin(mcp::Call&& call,
                                                const std::shared_ptr<serve::Port>& port) {
  ClientSession& session = sessions_.of(*port);
  if (!session.has_session) session.caller = call.caller;
  if (!call.inputs.state) return dispatch(std::move(call), port);
  if (auto resumed = elicitations_.resume(call, port)) return resumed;
  auto unsealed = elicitations_.unseal(call, *port, route_of(call_services_, call).upstream);
  if (unsealed) return dispatch(std::move(*unsealed), port);
  port->reply(call.key, unsealed.error());
  return nullptr;
}

std::shared_ptr<serve::OpenCall> Gateway::dispatch(mcp::Call call,
                                                   const std::shared_ptr<serve::Port>& port) {
  if (call.method == Method::tools_call)
    return ToolCall::begin(call_services_, std::move(call), port);
  if (ListCall::is_list(call.method) &&
      (!upstreams_.is_single() || list_writer_.changes(call, *port, upstreams_.first()))) {
    auto list = std::make_shared<ListCall>(list_services_, std::move(call), port);
    list->start();
    return list;
  }
  if (call.method == Method::resources_read &&
      is_archived(std::get_if<mcp::ResourceRead>(&call.params)->uri) &&
      local_tools_.offers_archive(call, *port)) {
    answer_archive_read(environment_, local_tools_, call, port);
    return nullptr;
  }
  if (call.method == Method::resources_unsubscribe) {
    return SubscribeCall::begin(call_services_, call, port);
  }
  if (resources_.must_ask_all_upstreams(call)) return search_resource(call_services_, call, port);
  if (call.method == Method::resources_subscribe) {
    return SubscribeCall::begin(call_services_, call, port);
  }
  if (call.method_name.starts_with("tasks/")) return TaskCall::begin(call_services_, call, port);
  return ForwardedCall::begin(call_services_, call, port);
}

void Gateway::opened(serve::Port& port, const std::shared_ptr<const mcp::Caller>& caller) {
  ClientSession& session = sessions_.of(port);
  session.caller = caller;
  session.has_session = true;
  for (const std::shared_ptr<UpstreamConnection>& link : connections_.of(session))
    subscriptions_.update(link);
}

void Gateway::level_set(serve::Port& port, mcp::LogLevel level) {
  ClientSession& session = sessions_.of(port);
  session.log_level = level;
  events_.set_log_level(session);
}

void Gateway::noticed(serve::Port& port, const mcp::Notification& notification) {
  const ClientSession* const session = sessions_.find(&port);
  if (session == nullptr) return;
  for (const std::shared_ptr<UpstreamConnection>& link : connections_.of(*session)) {
    link->notify(notification.method, notification.params.view());
  }
}

void Gateway::gone(serve::Port& port) {
  const std::unique_ptr<ClientSession> session = sessions_.remove(port);
  if (!session) return;
  elicitations_.gone(port);
  connections_.retire_all_of(*session);
  if (!session->listens.empty()) subscriptions_.update_shared();
}

Report Gateway::report() const {
  Report out;
  out.version = settings_.version;
  out.open_calls = open_calls_.size();
  const auto ready = connections_.count_ready();
  const auto now = environment_.loop.now();
  for (const auto& upstream : upstreams_.current()) {
    UpstreamReport one;
    one.name = metrics_name(upstream->settings.name);
    one.restarts = upstream->restarts;
    one.failures = upstream->failures;
    one.failures_in_row = upstream->breaker.failures();
    const auto found = ready.find(&upstream->settings);
    if (found != ready.end()) one.connections = found->second;
    one.state = state_of(*upstream, one, now);
    out.upstreams.push_back(std::move(one));
  }
  return out;
}

}  // namespace enfold::gateway
