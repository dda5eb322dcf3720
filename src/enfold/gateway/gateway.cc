// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/gateway.h"

#include "enfold/gateway/call/forwarded_call.h"
#include "enfold/gateway/call/resource_search.h"
#include "enfold/gateway/call/tool_call.h"
#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/gateway/policy/upstream_words.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/protocol.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

// Merges objects of objects, such as capabilities. Of several values of the same inner key the
// first is used; a member that is not an object becomes {}.
json::Value merge_objects(const std::vector<json::Value>& objects) {
  json::Writer writer;
  writer.begin_object();
  std::vector<std::string> seen;
  for (const json::Value& object : objects) {
    for (const json::Member& member : object->members()) {
      std::string key = member.key.string();
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
      writer.key(member.key).begin_object();
      std::vector<std::string> inner_seen;
      for (const json::Value& other : objects) {
        const auto same = other->find(key);
        if (!same || !same->is_object()) continue;
        for (const json::Member& inner : same->members()) {
          std::string inner_key = inner.key.string();
          if (std::find(inner_seen.begin(), inner_seen.end(), inner_key) != inner_seen.end()) {
            continue;
          }
          writer.key(inner.key).value(inner.value);
          inner_seen.push_back(std::move(inner_key));
        }
      }
      writer.end_object();
      seen.push_back(std::move(key));
    }
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

std::string joined_instructions(const UpstreamSet::List& upstreams, const Settings& settings) {
  const tools::ServiceSettings& answers = settings.answers;
  std::string text;
  const auto add = [&](std::string_view part) {
    text += fmt::format("{}{}", text.empty() ? "" : "\n\n", part);
  };
  for (const auto& upstream : upstreams) {
    if (!upstream->identity || upstream->identity->instructions.empty()) continue;
    const std::string instructions =
        show_text(settings, RedactionChannel::instructions, upstream->identity->instructions);
    add(upstreams.size() == 1 ? instructions
                              : fmt::format("{}: {}", upstream->settings.name, instructions));
  }
  if (answers.local_tools && answers.keeps_originals && answers.contract != "none") {
    add("Long answers are cut and name a handle: ask enfold_fetch, with SQL, instead of calling "
        "the "
        "tool again.");
  }
  return text;
}

using mcp::Method;

// Why an upstream could not be reached, with its last output: most users see only the client's log.
std::string connect_message(const Error& error, const Settings& settings) {
  std::string text = fmt::format("{}: {}", error.where, error.message);
  if (!error.hint.empty()) text += fmt::format("; {}", error.hint);
  return show_text(settings, RedactionChannel::errors, std::move(text));
}

UpstreamState state_of(const Breaker& breaker, const UpstreamReport& report, Breaker::Time now) {
  if (breaker.is_open(now)) return UpstreamState::open;
  if (report.connections > 0) return UpstreamState::ready;
  return report.failures_in_row > 0 ? UpstreamState::failing : UpstreamState::idle;
}

}  // namespace

std::shared_ptr<const mcp::Caller> caller_in(std::string_view first_message) {
  auto caller = std::make_shared<mcp::Caller>();
  const auto read = mcp::read_messages(json::Buffer(first_message));
  if (!read || read->messages.empty()) return caller;
  const auto* request = std::get_if<mcp::Request>(&read->messages.front());
  if (request == nullptr) return caller;
  json::View source = request->params.view();
  const bool begins_session = mcp::method_from_name(request->method) == mcp::Method::initialize;
  const auto meta = mcp::object_member(source, "_meta");
  if (!begins_session && meta) {
    caller->era = mcp::Era::stateless;
    source = *meta;
  }
  const auto find = [&](std::string_view session_key, std::string_view stateless_key) {
    return mcp::object_member(source, begins_session ? session_key : stateless_key);
  };
  if (const auto info = find("clientInfo", mcp::meta::client_info)) {
    caller->client_info = json::Value(*info);
  }
  if (const auto capabilities = find("capabilities", mcp::meta::client_capabilities)) {
    caller->capabilities = mcp::Capabilities(json::Value(*capabilities));
  }
  return caller;
}

std::shared_ptr<mcp::ServerConfig> server_identity(const UpstreamSet::List& upstreams,
                                                   const Settings& settings) {
  auto config = std::make_shared<mcp::ServerConfig>();
  config->relay_unknown_requests = true;
  config->instructions = joined_instructions(upstreams, settings);
  if (upstreams.size() == 1 && upstreams.front()->identity) {
    config->info =
        show_texts(settings, RedactionChannel::instructions, upstreams.front()->identity->info);
    config->capabilities = upstreams.front()->identity->capabilities;
  } else {
    config->info = enfold_info(settings.version);
    std::vector<json::Value> capabilities;
    // `listChanged` even if no upstream announces it: one of several may reconnect with other
    // tools, and then Enfold notifies the clients.
    if (upstreams.size() > 1) {
      capabilities.push_back(json::parse_own(R"({"tools":{"listChanged":true}})"));
    }
    for (const auto& upstream : upstreams) {
      if (upstream->identity) capabilities.push_back(upstream->identity->capabilities.value());
    }
    config->capabilities = mcp::Capabilities(merge_objects(capabilities));
  }
  if (settings.archive_resources && settings.answers.contract != "none" &&
      !config->capabilities.has("resources")) {
    json::Writer more;
    mcp::Overlay()
        .member("resources", [](json::Writer& out) { out.begin_object().end_object(); })
        .write(more, config->capabilities.value().view());
    config->capabilities = mcp::Capabilities(std::move(more).finish_value());
  }
  return config;
}

Gateway::Gateway(Settings settings, net::Loop& loop, serve::Host& host)
    : settings_(std::move(settings)),
      environment_{loop, host, settings_},
      principals_(settings_.principals),
      events_([this] { update_config(); }),
      upstreams_(std::move(settings_.upstreams)),
      routes_(upstreams_),
      sessions_(loop),
      open_calls_(settings_),
      connections_(environment_, upstreams_, sessions_, open_calls_, events_),
      log_(environment_,
           // CallLog::IsListed: whether the upstream lists the tool.
           [this](std::string_view upstream, std::string_view tool) -> std::optional<bool> {
             const Upstream* const found = upstreams_.with_name(upstream);
             if (found == nullptr) return false;
             return found->tools.is_empty() ? std::nullopt : std::optional(found->tools.has(tool));
           }),
      lists_(environment_, upstreams_, connections_, sessions_, routes_, log_),
      resources_(upstreams_),
      subscriptions_(loop, upstreams_, connections_, sessions_, resources_),
      local_tools_(environment_, log_, upstreams_, routes_),
      list_writer_(environment_, routes_, local_tools_, resources_, log_),
      list_services_{environment_, upstreams_, connections_, sessions_, lists_, list_writer_},
      cache_(AnswerCache::Limits{}),
      answer_writer_(environment_, local_tools_, sessions_, log_),
      elicitations_(environment_, connections_, open_calls_, local_tools_),
      tasks_(upstreams_),
      call_services_{environment_, upstreams_,     routes_,       sessions_,      connections_,
                     open_calls_,  lists_,         resources_,    subscriptions_, local_tools_,
                     cache_,       answer_writer_, elicitations_, tasks_},
      config_(std::make_shared<const mcp::ServerConfig>()) {
  settings_.answers.log = filtered_log(settings_);
  events_.set_services(call_services_);
  connections_.set_is_needed([this](const UpstreamConnection& connection) {
    return subscriptions_.needs(connection) || tasks_.needs(connection, environment_.loop.now());
  });
}

Result<std::unique_ptr<Gateway>> Gateway::create(Settings settings, net::Loop& loop,
                                                 serve::Host& host) {
  std::unique_ptr<Gateway> gateway(new Gateway(std::move(settings), loop, host));
  ENFOLD_TRY(gateway->local_tools_.configure(gateway->settings_));
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

// A slow upstream delays the start by kListTimeout at most, if another one has answered.
void Gateway::connect(net::Callback<void(Status status)> done) {
  struct Progress {
    std::size_t unanswered;  // upstreams that have neither listed their tools nor failed
    Status status;           // why the last upstream that failed could not be reached
    net::Callback<void(Status)> done;
    bool is_late = false;  // kListTimeout has passed
  };
  auto progress =
      std::make_shared<Progress>(Progress{upstreams_.current().size(), {}, std::move(done)});
  const auto finish_if_done = [this, progress] {
    const bool any = upstreams_.any_reached();
    if (!progress->done || (progress->unanswered > 0 && !(progress->is_late && any))) return;
    update_config();
    std::exchange(progress->done, nullptr)(any ? Status() : progress->status);
  };
  const auto on_answered = [progress, finish_if_done] {
    --progress->unanswered;
    finish_if_done();
  };
  const std::shared_ptr<const mcp::Caller> caller = enfold_as_client(settings_.version);
  for (const auto& upstream : upstreams_.current()) {
    upstream->shared = connections_.make(*upstream, caller, /*known_era=*/std::nullopt);
    upstream->shared->connect([this, progress, on_answered,
                               connection = upstream->shared](Result<mcp::ServerIdentity> server) {
      if (server) {
        lists_.fetch_tools(connection, on_answered);
        return;
      }
      progress->status = tl::unexpected(server.error());
      on_answered();
    });
  }
  connect_timeout_ = environment_.host.after(kListTimeout, [progress, finish_if_done] {
    progress->is_late = true;
    finish_if_done();
  });
}

void Gateway::on_first_message(std::string_view first_message, OnStarted done) {
  has_client_ = true;
  const std::shared_ptr<const mcp::Caller> caller = caller_in(first_message);
  // For a client of the session era the upstream's session era is tried first.
  const auto known_era =
      caller->era == mcp::Era::sessions ? std::optional(mcp::Era::sessions) : std::nullopt;
  auto unanswered = std::make_shared<std::size_t>(upstreams_.current().size());
  auto refusal = std::make_shared<std::optional<mcp::RpcError>>();
  auto then = std::make_shared<OnStarted>(std::move(done));
  for (const auto& upstream : upstreams_.current()) {
    upstream->shared = connections_.make(*upstream, caller, known_era);
    upstream->shared->connect(
        [this, unanswered, refusal, then](const Result<mcp::ServerIdentity>& server) {
          if (!server) {
            *refusal = mcp::RpcError{mcp::code::internal_error,
                                     connect_message(server.error(), settings_), std::nullopt};
          }
          if (--*unanswered > 0) return;
          const bool any = upstreams_.any_reached();
          if (any) update_config();
          (*then)(any ? std::nullopt : *refusal);
        });
  }
}

void Gateway::reload(Settings settings, Reload::Done done) {
  const auto apply = [this](Settings applied) {
    settings_ = std::move(applied);
    settings_.answers.log = filtered_log(settings_);
    principals_ = Principals(settings_.principals);
    list_writer_.forget();
    events_.on_new_settings();
    update_config();
  };
  std::make_shared<Reload>(call_services_, std::move(settings), apply, std::move(done))->start();
}

std::optional<std::string> Gateway::identify(std::optional<std::string_view> key) const {
  if (principals_.is_empty()) return settings_.answers.principal;
  return key ? principals_.find(*key) : std::nullopt;
}

std::shared_ptr<serve::OpenCall> Gateway::begin(
    mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  ClientSession& session = sessions_.of(*channel);
  if (!session.has_session) session.caller = call.caller;
  ++session.calls;
  session.last_call = environment_.loop.now();
  if (!call.inputs.state) return dispatch(std::move(call), channel);
  // The call answers a question. Either the gateway has parked the call that the question belongs
  // to, or the state is that of a stateless upstream, which gets this call with its own state.
  if (auto resumed = elicitations_.resume(call, channel)) return resumed;
  auto restored =
      elicitations_.restore_state(call, *channel, route_of(call_services_, call).upstream);
  if (restored) return dispatch(std::move(*restored), channel);
  channel->reply(call.key, restored.error());
  return nullptr;
}

std::shared_ptr<serve::OpenCall> Gateway::dispatch(
    mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel) {
  if (call.method == Method::tools_call)
    return ToolCall::begin(call_services_, std::move(call), channel);
  if (ListCall::is_list(call.method) &&
      (!upstreams_.is_single() || list_writer_.must_write(call, *channel, upstreams_.first()))) {
    auto list = std::make_shared<ListCall>(list_services_, std::move(call), channel);
    list->start();
    return list;
  }
  if (call.method == Method::resources_read &&
      is_archive_uri(std::get_if<mcp::ResourceRead>(&call.params)->uri) &&
      local_tools_.offers_archive(call, *channel)) {
    answer_archive_read(environment_, local_tools_, call, channel);
    return nullptr;
  }
  if (call.method == Method::resources_unsubscribe) {
    return SubscribeCall::begin(call_services_, call, channel);
  }
  if (resources_.must_ask_all_upstreams(call))
    return search_resource(call_services_, call, channel);
  if (call.method == Method::resources_subscribe) {
    return SubscribeCall::begin(call_services_, call, channel);
  }
  if (call.method_name.starts_with("tasks/")) return TaskCall::begin(call_services_, call, channel);
  return ForwardedCall::begin(call_services_, call, channel);
}

void Gateway::on_session(serve::ClientChannel& channel,
                         const std::shared_ptr<const mcp::Caller>& caller,
                         serve::SessionStage stage) {
  ClientSession& session = sessions_.of(channel);
  if (stage == serve::SessionStage::started) {
    session.caller = caller;
    session.is_listed = true;
    session.opened = environment_.host.calendar();
    return;
  }
  session.has_session = true;
  for (const std::shared_ptr<UpstreamConnection>& connection : connections_.of(session)) {
    subscriptions_.update_for_session(connection, session);
    elicitations_.ask_waiting(*connection);
  }
}

void Gateway::on_log_level(serve::ClientChannel& channel, mcp::LogLevel level) {
  ClientSession& session = sessions_.of(channel);
  session.log_level = level;
  events_.set_log_level(session);
}

void Gateway::on_notification(serve::ClientChannel& channel,
                              const mcp::Notification& notification) {
  const ClientSession* const session = sessions_.find(&channel);
  if (session == nullptr) return;
  // Not sent over a connection that several clients share: the server would apply it to all.
  for (const std::shared_ptr<UpstreamConnection>& connection : connections_.of(*session)) {
    const bool is_own =
        settings_.one_client || std::ranges::any_of(session->connections, [&](const auto& one) {
          return one.second == connection;
        });
    if (is_own) connection->notify(notification.method, notification.params.view());
  }
}

void Gateway::on_closed(serve::ClientChannel& channel) {
  const std::unique_ptr<ClientSession> session = sessions_.remove(channel);
  if (!session) return;
  elicitations_.on_closed(channel);
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
    // With principals, only failures that count for all: a connection that broke during calls of
    // one principal counts for that one alone.
    const Breaker& breaker =
        settings_.principals.empty() ? upstream->breakers.worst() : upstream->breakers.common();
    one.failures_in_row = breaker.failures();
    const auto found = ready.find(&upstream->settings);
    if (found != ready.end()) one.connections = found->second;
    one.state = state_of(breaker, one, now);
    out.upstreams.push_back(std::move(one));
  }
  const auto services = local_tools_.services();
  const auto add_store = [&out](const char* name, const store::Health& health) {
    out.stores.push_back({name, health.is_up, health.failures});
  };
  if (settings_.answers.archive) add_store("archive", services->archive->health());
  if (settings_.answers.counters) add_store("rate_limits", services->counters->health());
  return out;
}

}  // namespace enfold::gateway
