// SPDX-License-Identifier: Apache-2.0
// What upstreams say and ask without being asked, brought to the client it is meant for. A client
// with a session is asked by a request; one without is asked by the result of its call.
#include "enfold/base/text.h"
#include "enfold/gateway/gateway.h"

#include <algorithm>
#include <array>

namespace enfold::gateway {
namespace {

// How long somebody may think about a question between two calls.
constexpr std::chrono::minutes kPatience{10};
// Of one principal: each keeps a connection of its own, for a program a process.
constexpr std::ptrdiff_t kMostParked = 64;

bool is_session(const Relay& relay) {
  return relay.call().caller && relay.call().caller->era == mcp::Era::sessions;
}

}  // namespace

std::shared_ptr<Relay> Gateway::last_relay_on(const UpstreamConnection& link, bool parked_too) {
  for (auto it = relays_.rbegin(); it != relays_.rend(); ++it) {
    const std::shared_ptr<Relay>& relay = it->second;
    if (relay->link().get() == &link && (parked_too || !relay->is_parked())) return relay;
  }
  return nullptr;
}

// Which call a question belongs to is not said over stdio. All calls of a connection are of one
// client, and whichever of them carries the question, it is that client who is asked.
void Gateway::on_ask(UpstreamConnection& link, const mcp::InputAsked& asked) {
  const std::shared_ptr<Relay> relay = last_relay_on(link);
  const std::shared_ptr<serve::Port> port = relay ? relay->port() : nullptr;
  if (port && !is_session(*relay)) {
    ask_by_result(*relay, asked);
    return;
  }
  if (port) {
    ask_session(link, asked, *port, relay->call().key);
    return;
  }
  for (const Visitor* visitor : visitors_on(link)) {
    if (!visitor->has_session) continue;
    ask_session(link, asked, *visitor->port, std::nullopt);
    return;
  }
  link.answer(asked.ask, tl::unexpected(mcp::method_not_found(asked.request.method)));
}

void Gateway::ask_session(UpstreamConnection& link, const mcp::InputAsked& asked, serve::Port& port,
                          std::optional<mcp::CallKey> about) {
  const Result<mcp::AskKey> key = port.ask(about, asked.request);
  if (!key) {
    link.answer(asked.ask, tl::unexpected(mcp::to_rpc_error(key.error())));
    return;
  }
  if (const std::shared_ptr<UpstreamConnection> one = shared_of(&link)) {
    questions_.push_back({&port, one, asked.ask, *key});
  }
}

void Gateway::ask_by_result(Relay& relay, const mcp::InputAsked& asked) {
  const bool may = mcp::info(relay.call().method).may_ask &&
                   mcp::missing_for(asked.request, relay.call().caller->capabilities)->is_null();
  if (!may) {
    relay.link()->answer(asked.ask, tl::unexpected(mcp::method_not_found(asked.request.method)));
    return;
  }
  const std::shared_ptr<serve::Port> port = relay.port();
  std::string principal = port ? port->memory().principal : settings_.answers.principal;
  const auto is_theirs = [&](const auto& one) { return one.second.principal == principal; };
  if (std::ranges::count_if(parked_, is_theirs) >= kMostParked) {
    relay.link()->answer(
        asked.ask, tl::unexpected(mcp::RpcError{
                       mcp::code::internal_error, "Too many questions wait for an answer", {}}));
    return;
  }
  std::array<std::uint8_t, 16> chance{};
  host_.fill_random(chance);
  const std::string state = to_hex(chance);
  const std::shared_ptr<Relay> kept = relay.shared_from_this();
  if (port) visitor_of(*port).relays.erase(relay.call().key);
  parked_[state] = {std::move(principal), kept,
                    host_.after(kPatience, [this, state] { give_up(state); })};
  kept->park(asked.ask, asked.request, state);
}

void Gateway::give_up(const std::string& state) {
  const auto found = parked_.find(state);
  if (found == parked_.end()) return;
  const std::shared_ptr<Relay> relay = found->second.relay;
  // The alarm that calls this goes when nobody is inside it any more.
  host_.post([alarm = std::move(found->second.patience)] {});
  parked_.erase(found);
  relay->cancel("the client did not come back with an answer");
}

void Gateway::answered(serve::Port& port, mcp::AskKey ask, const mcp::Outcome& outcome) {
  const auto found = std::find_if(questions_.begin(), questions_.end(), [&](const Question& one) {
    return one.port == &port && one.downstream == ask;
  });
  if (found == questions_.end()) return;
  const Question question = std::move(*found);
  questions_.erase(found);
  if (const auto link = question.link.lock()) link->answer(question.upstream, outcome);
}

void Gateway::on_ask_withdrawn(UpstreamConnection& link, mcp::AskKey ask) {
  const auto found = std::find_if(questions_.begin(), questions_.end(), [&](const Question& one) {
    return one.upstream == ask && one.link.lock().get() == &link;
  });
  if (found == questions_.end()) return;
  const Question question = std::move(*found);
  questions_.erase(found);
  question.port->withdraw(question.downstream, "the server took it back");
}

// A message on a connection that several principals share may be about any of their calls.
bool Gateway::is_of_many(const UpstreamConnection& link) {
  if (settings_.principals.empty()) return false;
  std::set<std::string> whose;
  for (const auto& [number, relay] : relays_) {
    const std::shared_ptr<serve::Port> port = relay->port();
    if (relay->link().get() == &link && port) whose.insert(port->memory().principal);
  }
  for (const Visitor* visitor : visitors_on(link)) whose.insert(visitor->port->memory().principal);
  return whose.size() > 1;
}

void Gateway::on_log(UpstreamConnection& link, const mcp::Logged& logged) {
  if (is_of_many(link)) return;
  const std::string_view method = mcp::name(mcp::Method::message);
  for (auto it = relays_.rbegin(); it != relays_.rend(); ++it) {
    Relay& relay = *it->second;
    if (relay.link().get() != &link || relay.is_parked()) continue;
    const auto& level = relay.call().log_level;
    if (!is_session(relay) && !(level && logged.message.level >= *level)) continue;
    relay.notify(method, logged.params.view());
    return;
  }
  for (const Visitor* visitor : visitors_on(link)) {
    if (visitor->has_session) visitor->port->notify(std::nullopt, method, logged.params.view());
  }
}

void Gateway::on_resource_updated(UpstreamConnection& link, const mcp::ResourceUpdated& updated) {
  for (const Visitor* visitor : visitors_on(link)) visitor->port->resource_updated(updated.uri);
}

void Gateway::on_notification(UpstreamConnection& link, const mcp::Notification& notification) {
  if (is_of_many(link)) return;
  if (notification.method.starts_with("notifications/tasks")) {
    tell_of_task(link, notification);
    return;
  }
  for (const Visitor* visitor : visitors_on(link)) {
    if (!visitor->has_session) continue;
    visitor->port->notify(std::nullopt, notification.method, notification.params.view());
  }
}

}  // namespace enfold::gateway
