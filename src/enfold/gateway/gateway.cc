// SPDX-License-Identifier: Apache-2.0
// How a gateway begins and ends, who it says it is, and what happens on the connections of its
// clients beside their calls.
#include "enfold/gateway/gateway.h"

#include "enfold/mcp/wire/meta.h"
#include "enfold/redact/patterns.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

using mcp::Method;

json::Value own_info(const std::string& version) {
  json::Writer writer;
  writer.begin_object().member("name", "enfold").member("version", version).end_object();
  return std::move(writer).finish_value();
}

// Who sends a first message, as far as it says.
std::shared_ptr<const mcp::Caller> caller_in(std::string_view message) {
  auto caller = std::make_shared<mcp::Caller>();
  const auto read = mcp::read_messages(json::Buffer(message));
  if (!read || read->messages.empty()) return caller;
  const auto* request = std::get_if<mcp::Request>(&read->messages.front());
  if (request == nullptr) return caller;
  json::View said = request->params.view();
  const bool begins_session = mcp::method_from_name(request->method) == Method::initialize;
  const auto meta = mcp::object_member(said, "_meta");
  if (!begins_session && meta) {
    caller->era = mcp::Era::stateless;
    said = *meta;
  }
  const auto take = [&](std::string_view session_key, std::string_view stateless_key) {
    return mcp::object_member(said, begins_session ? session_key : stateless_key);
  };
  if (const auto info = take("clientInfo", mcp::meta::client_info)) {
    caller->client_info = json::Value(*info);
  }
  if (const auto capabilities = take("capabilities", mcp::meta::client_capabilities)) {
    caller->capabilities = mcp::Capabilities(json::Value(*capabilities));
  }
  return caller;
}

}  // namespace

Gateway::Gateway(Settings settings, net::Loop& loop, serve::Host& host)
    : settings_(std::move(settings)),
      loop_(loop),
      host_(host),
      config_(std::make_shared<const mcp::ServerConfig>()) {
  for (UpstreamSettings& one : settings_.upstreams) {
    upstreams_.push_back(std::make_unique<Upstream>(std::move(one), ++upstreams_made_));
  }
}

Gateway::~Gateway() { *alive_ = false; }

// What to do, or what the server said last, belongs to it: the client's log is where people look.
std::string Gateway::told_to_client(const Error& error) const {
  std::string text = fmt::format("{}: {}", error.where, error.message);
  if (!error.hint.empty()) text += fmt::format("; {}", error.hint);
  const auto& redaction = settings_.answers.redaction;
  return redaction ? redact::redact_text(text, *redaction) : text;
}

Result<std::unique_ptr<Gateway>> Gateway::create(Settings settings, net::Loop& loop,
                                                 serve::Host& host) {
  std::unique_ptr<Gateway> gateway(new Gateway(std::move(settings), loop, host));
  auto own = gateway->make_own(gateway->settings_.answers);
  if (!own) return tl::unexpected(own.error());
  gateway->own_ = std::move(*own);
  return gateway;
}

Result<std::shared_ptr<Gateway::Own>> Gateway::make_own(const tools::ServiceSettings& answers) {
  auto settings = std::make_unique<tools::ServiceSettings>(own_settings(answers));
  ENFOLD_TRY(tools::CallServices services,
             tools::make_services(*settings, "enfold", settings_.version, host_));
  auto own = std::make_shared<Own>(Own{std::move(settings), std::move(services), nullptr});
  ENFOLD_TRY(own->tools,
             tools::LocalTools::create(own->services, {}, [this](tools::AnswerContract contract) {
               return tool_facts(contract);
             }));
  return own;
}

std::shared_ptr<const mcp::Caller> Gateway::nobody() const {
  auto caller = std::make_shared<mcp::Caller>();
  caller->client_info = own_info(settings_.version);
  return caller;
}

// Whoever can be reached is served, even if another one takes its time.
void Gateway::connect(net::Callback<void(Status status)> done) {
  struct Progress {
    std::size_t left;
    Status status;
    net::Callback<void(Status)> done;
    bool is_late = false;
  };
  auto progress = std::make_shared<Progress>(Progress{upstreams_.size(), {}, std::move(done)});
  const auto look = [this, progress] {
    const bool any = std::any_of(upstreams_.begin(), upstreams_.end(),
                                 [](const auto& one) { return one->identity.has_value(); });
    if (!progress->done || (progress->left > 0 && !(progress->is_late && any))) return;
    take_identity();
    std::exchange(progress->done, nullptr)(any ? Status() : progress->status);
  };
  const auto ended = [progress, look] {
    --progress->left;
    look();
  };
  for (const auto& upstream : upstreams_) {
    upstream->shared = make_link(*upstream, nobody(), std::nullopt);
    upstream->shared->connect(
        [this, progress, ended, link = upstream->shared](Result<mcp::ServerIdentity> server) {
          if (server) {
            learn_tools(link, ended);
            return;
          }
          progress->status = tl::unexpected(server.error());
          ended();
        });
  }
  connect_patience_ = host_.after(kListPatience, [progress, look] {
    progress->is_late = true;
    look();
  });
}

void Gateway::greet(std::string_view first_message, Greeted done) {
  was_greeted_ = true;
  const std::shared_ptr<const mcp::Caller> caller = caller_in(first_message);
  auto left = std::make_shared<std::size_t>(upstreams_.size());
  auto refusal = std::make_shared<std::optional<mcp::RpcError>>();
  auto then = std::make_shared<Greeted>(std::move(done));
  for (const auto& upstream : upstreams_) {
    const auto first =
        caller->era == mcp::Era::sessions ? std::optional(mcp::Era::sessions) : std::nullopt;
    upstream->shared = make_link(*upstream, caller, first);
    const auto connected = [this, left, refusal, then](const Result<mcp::ServerIdentity>& server) {
      if (!server) {
        *refusal =
            mcp::RpcError{mcp::code::internal_error, told_to_client(server.error()), std::nullopt};
      }
      if (--*left > 0) return;
      const bool any = std::any_of(upstreams_.begin(), upstreams_.end(),
                                   [](const auto& one) { return one->identity.has_value(); });
      if (any) take_identity();
      (*then)(any ? std::nullopt : *refusal);
    };
    upstream->shared->connect(connected);
  }
}

void Gateway::close(net::Task done) {
  auto then = std::make_shared<net::Task>(std::move(done));
  std::vector<std::shared_ptr<Link>> all = links();
  all.insert(all.end(), retiring_.begin(), retiring_.end());
  auto left = std::make_shared<std::size_t>(all.size());
  if (all.empty()) loop_.defer(std::move(*then));
  for (const std::shared_ptr<Link>& link : all) {
    link->close([left, then] {
      if (--*left == 0) (*then)();
    });
  }
}

void Gateway::opened(serve::Port& port, const std::shared_ptr<const mcp::Caller>& caller) {
  Visitor& visitor = visitor_of(port);
  visitor.caller = caller;
  visitor.has_session = true;
  for (const auto& upstream : upstreams_) {
    if (const std::shared_ptr<Link> link = link_of(visitor, *upstream)) update_watch(link);
  }
}

void Gateway::cancelled(serve::Port& port, mcp::CallKey call) {
  const auto found = visitors_.find(&port);
  if (found == visitors_.end()) return;
  Visitor& visitor = *found->second;
  if (const auto relay = visitor.relays.find(call); relay != visitor.relays.end()) {
    relay->second->cancel("the client cancelled the call");
    return;
  }
  if (const auto list = visitor.lists.find(call); list != visitor.lists.end()) {
    for (const auto& one : list->second) one->cancel("the client cancelled the call");
    visitor.lists.erase(list);
    return;
  }
  if (visitor.listens.erase(call) == 0) return;
  for (const auto& upstream : upstreams_) {
    if (upstream->shared) update_watch(upstream->shared);
  }
}

void Gateway::level_set(serve::Port& port, mcp::LogLevel level) {
  Visitor& visitor = visitor_of(port);
  visitor.level = level;
  json::Writer params;
  params.begin_object().member("level", mcp::name(level)).end_object();
  const json::Value said = std::move(params).finish_value();
  for (const auto& upstream : upstreams_) {
    const std::shared_ptr<Link> link = link_of(visitor, *upstream);
    if (!link || !link->is_ready() || link->server().era != mcp::Era::sessions) continue;
    if (!link->server().capabilities.has("logging")) continue;
    link->request(link->prepare(mcp::name(Method::set_level), said), {});
  }
}

void Gateway::noticed(serve::Port& port, const mcp::Notification& notification) {
  const auto found = visitors_.find(&port);
  if (found == visitors_.end()) return;
  for (const auto& upstream : upstreams_) {
    if (const std::shared_ptr<Link> link = link_of(*found->second, *upstream)) {
      link->notify(notification.method, notification.params.view());
    }
  }
}

void Gateway::gone(serve::Port& port) {
  const auto found = visitors_.find(&port);
  if (found == visitors_.end()) return;
  const std::unique_ptr<Visitor> visitor = std::move(found->second);
  visitors_.erase(found);
  while (!visitor->relays.empty()) {
    const std::shared_ptr<Relay> relay = visitor->relays.begin()->second;
    visitor->relays.erase(visitor->relays.begin());
    relay->cancel("the client has gone");
  }
  for (const auto& [call, parts] : visitor->lists) {
    for (const auto& one : parts) one->cancel("the client has gone");
  }
  std::erase_if(questions_, [&](const Question& one) {
    if (one.port != &port) return false;
    if (const auto link = one.link.lock()) {
      link->answer(one.upstream, tl::unexpected(mcp::RpcError{
                                     mcp::code::internal_error, "The client has gone", {}}));
    }
    return true;
  });
  for (auto& [upstream, link] : visitor->links) retire(std::move(link));
  if (visitor->listens.empty()) return;
  for (const auto& upstream : upstreams_) {
    if (upstream->shared) update_watch(upstream->shared);
  }
}

}  // namespace enfold::gateway
