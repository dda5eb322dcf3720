// SPDX-License-Identifier: Apache-2.0
// Which connection to an upstream serves whom, and what is said about the upstreams.
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::size_t kIdleLent = 8;

bool may_be_asked(const mcp::Caller& caller) {
  return caller.capabilities.has("sampling") || caller.capabilities.has("elicitation") ||
         caller.capabilities.has("roots");
}

// The members of all, the first of a name first.
json::Value united(const std::vector<json::Value>& objects) {
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

}  // namespace

std::string Gateway::shown(const Upstream& upstream, std::string_view name) const {
  return upstreams_.size() == 1 ? std::string(name) : shown_name(upstream.settings.name, name);
}

Gateway::Route Gateway::route_of(std::string_view name) const {
  if (upstreams_.size() == 1) return {upstreams_.front().get(), std::string(name)};
  for (const auto& upstream : upstreams_) {
    const std::string_view own = own_name(upstream->settings.name, name);
    if (!own.empty()) return {upstream.get(), std::string(own)};
    for (const std::string& one : upstream->tools.names()) {
      if (shown_name(upstream->settings.name, one) == name) return {upstream.get(), one};
    }
  }
  return {};
}

// Only a list knows what a name was that had to be cut.
Gateway::Route Gateway::route_of_prompt(std::string_view name) const {
  for (const auto& upstream : upstreams_) {
    const auto known = upstream->known.find(mcp::Method::prompts_list);
    if (known == upstream->known.end() || name.size() < kLongestName) continue;
    for (const json::Value& prompt : known->second) {
      std::string own = name_of(prompt.view());
      if (shown(*upstream, own) == name) return {upstream.get(), std::move(own)};
    }
  }
  return route_of(name);
}

Gateway::Route Gateway::route_of_call(const mcp::Call& call) const {
  Upstream* const first = upstreams_.front().get();
  if (upstreams_.size() == 1) return {first, {}};
  if (const auto* tool = std::get_if<mcp::ToolCall>(&call.params)) return route_of(tool->name);
  if (const auto* prompt = std::get_if<mcp::PromptGet>(&call.params)) {
    return route_of_prompt(prompt->name);
  }
  if (const auto uri = resource_of(call)) {
    Upstream* const known = owner_of(*uri);
    return {known != nullptr ? known : first, *uri};
  }
  if (const auto* complete = std::get_if<mcp::CompletionRequest>(&call.params)) {
    return route_of_prompt(complete->reference);
  }
  return {first, {}};
}

std::shared_ptr<UpstreamConnection> Gateway::make_link(Upstream& upstream,
                                                       std::shared_ptr<const mcp::Caller> caller,
                                                       std::optional<mcp::Era> first) {
  UpstreamOwner& owner = *this;
  return std::make_shared<UpstreamConnection>(loop_, upstream.settings, upstream.breaker, owner,
                                              std::move(caller), first);
}

std::shared_ptr<UpstreamConnection> Gateway::link_of(const Visitor& visitor,
                                                     const Upstream& upstream) {
  const auto own = visitor.links.find(&upstream);
  return own != visitor.links.end() ? own->second : upstream.shared;
}

std::shared_ptr<UpstreamConnection> Gateway::link_for(Visitor& visitor, const mcp::Call& call,
                                                      Upstream& upstream) {
  const mcp::Caller& caller = *call.caller;
  if (settings_.one_client) {
    // Somebody who first spoke without saying who they are has said it now.
    const bool other = upstream.shared && caller.era == mcp::Era::sessions &&
                       !(upstream.shared->on_behalf_of()->capabilities == caller.capabilities);
    if (other) retire(std::move(upstream.shared));
    if (!upstream.shared) upstream.shared = make_link(upstream, call.caller, caller.era);
    return upstream.shared;
  }
  if (caller.era == mcp::Era::sessions) {
    std::shared_ptr<UpstreamConnection>& own = visitor.links[&upstream];
    if (!own) own = make_link(upstream, call.caller, mcp::Era::sessions);
    return own;
  }
  const bool stateless = !upstream.identity || upstream.identity->era == mcp::Era::stateless;
  // What a server lists may depend on what it could ask, so it has to be who will call.
  const mcp::MethodInfo& method = mcp::info(call.method);
  if (stateless || !may_be_asked(caller) || !(method.may_ask || method.pages)) {
    if (!upstream.shared) upstream.shared = make_link(upstream, call.caller, std::nullopt);
    return upstream.shared;
  }
  for (const std::shared_ptr<UpstreamConnection>& link : upstream.lent) {
    const bool busy = last_relay_on(*link, true) != nullptr;
    if (!busy && link->on_behalf_of()->capabilities == caller.capabilities) return link;
  }
  upstream.lent.push_back(make_link(upstream, call.caller, mcp::Era::sessions));
  std::shared_ptr<UpstreamConnection> made = upstream.lent.back();
  if (upstream.lent.size() <= kIdleLent) return made;
  const auto idle = std::find_if(upstream.lent.begin(), upstream.lent.end() - 1,
                                 [&](const auto& one) { return !last_relay_on(*one, true); });
  if (idle != upstream.lent.end() - 1) {
    retire(std::move(*idle));
    upstream.lent.erase(idle);
  }
  return made;
}

std::vector<std::shared_ptr<UpstreamConnection>> Gateway::links() const {
  std::vector<std::shared_ptr<UpstreamConnection>> all;
  for (const auto* const some : {&upstreams_, &joining_, &leaving_}) {
    for (const auto& upstream : *some) {
      if (upstream->shared) all.push_back(upstream->shared);
      all.insert(all.end(), upstream->lent.begin(), upstream->lent.end());
    }
  }
  for (const auto& [port, visitor] : visitors_) {
    for (const auto& [upstream, link] : visitor->links) all.push_back(link);
  }
  return all;
}

std::shared_ptr<UpstreamConnection> Gateway::shared_of(const UpstreamConnection* link) const {
  const std::vector<std::shared_ptr<UpstreamConnection>> all = links();
  const auto found = std::ranges::find(all, link, &std::shared_ptr<UpstreamConnection>::get);
  return found != all.end() ? *found : nullptr;
}

Upstream& Gateway::upstream_of(const UpstreamConnection& link) {
  const auto is_its = [&](const auto& one) { return &one->settings == &link.settings(); };
  for (const auto* const all : {&upstreams_, &joining_}) {
    const auto found = std::find_if(all->begin(), all->end(), is_its);
    if (found != all->end()) return **found;
  }
  return **std::find_if(leaving_.begin(), leaving_.end(), is_its);  // it is made for one of them
}

std::vector<Visitor*> Gateway::visitors_on(const UpstreamConnection& link) {
  const Upstream& upstream = upstream_of(link);
  std::vector<Visitor*> out;
  for (const auto& [port, visitor] : visitors_) {
    if (link_of(*visitor, upstream).get() == &link) out.push_back(visitor.get());
  }
  return out;
}

// In good order, and without anybody of it on the stack.
void Gateway::retire(std::shared_ptr<UpstreamConnection> link) {
  if (!link) return;
  watching_.erase(link.get());
  UpstreamConnection* const which = link.get();
  retiring_.push_back(std::move(link));
  loop_.defer([this, alive = alive_, which] {
    if (!*alive) return;
    which->close([this, alive, which] {
      if (!*alive) return;
      std::erase_if(retiring_, [&](const auto& one) { return one.get() == which; });
      sweep();
    });
  });
}

void Gateway::take_identity() {
  auto config = std::make_shared<mcp::ServerConfig>();
  config->relays_unknown = true;
  std::vector<json::Value> capabilities;
  // Of several one may come back with other tools, whether or not it would say so itself.
  if (upstreams_.size() > 1) {
    capabilities.push_back(json::parse_own(R"({"tools":{"listChanged":true}})"));
  }
  for (const auto& upstream : upstreams_) {
    if (!upstream->identity) continue;
    const mcp::ServerIdentity& who = *upstream->identity;
    capabilities.push_back(who.capabilities.value());
    if (who.instructions.empty()) continue;
    if (upstreams_.size() == 1) {
      config->instructions = who.instructions;
    } else {
      config->instructions += fmt::format("{}{}: {}", config->instructions.empty() ? "" : "\n\n",
                                          upstream->settings.name, who.instructions);
    }
  }
  if (upstreams_.size() == 1 && upstreams_.front()->identity) {
    config->info = upstreams_.front()->identity->info;
    config->capabilities = upstreams_.front()->identity->capabilities;
  } else {
    json::Writer info;
    info.begin_object().member("name", "enfold").member("version", settings_.version).end_object();
    config->info = std::move(info).finish_value();
    config->capabilities = mcp::Capabilities(united(capabilities));
  }
  if (settings_.archive_resources && settings_.answers.contract != "none" &&
      !config->capabilities.has("resources")) {
    json::Writer more;
    mcp::Overlay()
        .member("resources", [](json::Writer& out) { out.begin_object().end_object(); })
        .write(more, config->capabilities.value().view());
    config->capabilities = mcp::Capabilities(std::move(more).finish_value());
  }
  config->param_headers = [this](std::string_view tool) -> const mcp::ParamHeaders* {
    const Route route = route_of(tool);
    return route.upstream != nullptr ? route.upstream->tools.headers(route.name) : nullptr;
  };
  config_ = std::move(config);
}

void Gateway::on_event(UpstreamConnection& link, client::Event event) {
  std::visit(
      [&]<class E>(const E& what) {
        if constexpr (std::is_same_v<E, mcp::Ready>) {
          on_ready(link);
        } else if constexpr (std::is_same_v<E, mcp::Broken>) {
          on_broken(link, what.error);
        } else if constexpr (std::is_same_v<E, mcp::InputAsked>) {
          on_ask(link, what);
        } else if constexpr (std::is_same_v<E, mcp::InputWithdrawn>) {
          on_ask_withdrawn(link, what.ask);
        } else if constexpr (std::is_same_v<E, mcp::Logged>) {
          on_log(link, what);
        } else if constexpr (std::is_same_v<E, mcp::ListChanged>) {
          on_list_changed(link, what);
        } else if constexpr (std::is_same_v<E, mcp::ResourceUpdated>) {
          on_resource_updated(link, what);
        } else if constexpr (std::is_same_v<E, mcp::Notification>) {
          on_notification(link, what);
        } else if constexpr (std::is_same_v<E, client::ErrorLine>) {
          on_error_line(link, what.text);
        } else {
          on_noise(link, what.error);
        }
      },
      event);
}

void Gateway::on_ready(UpstreamConnection& link) {
  Upstream& upstream = upstream_of(link);
  if (link.times_ready() > 1) ++upstream.restarts;
  // Of a server that speaks both, the one without sessions says more: it needs no connection of
  // their own for callers without one.
  const bool is_first = !upstream.identity;
  if (is_first || &link == upstream.shared.get()) upstream.identity = link.server();
  if (is_first) take_identity();
  came_back(link);
  const bool sessions = link.server().era == mcp::Era::sessions;
  for (Visitor* visitor : visitors_on(link)) {
    if (!sessions) continue;
    if (visitor->level) level_set(*visitor->port, *visitor->level);
    for (const std::string& uri : visitor->watched) {
      if (is_elsewhere(uri, link)) continue;
      json::Writer params;
      params.begin_object().member("uri", uri).end_object();
      link.request(link.prepare(mcp::name(mcp::Method::resources_subscribe),
                                std::move(params).finish_value()),
                   {});
    }
  }
  watching_.erase(&link);
  loop_.defer([this, alive = alive_, which = &link] {
    if (!*alive) return;
    for (const auto& one : upstreams_) {
      if (one->shared.get() == which) update_watch(one->shared);
    }
  });
}

void Gateway::on_broken(UpstreamConnection& link, const Error& error) {
  watching_.erase(&link);
  Upstream& upstream = upstream_of(link);
  ++upstream.failures;
  upstream.was_down = true;
  upstream.last_failure = error;
  settings_.answers.log({.level = serve::LogLine::Level::warning,
                         .event = "upstream_broke",
                         .note = error.message,
                         .upstream = link.settings().name});
}

void Gateway::on_error_line(UpstreamConnection& link, std::string_view line) {
  if (settings_.log_json) {
    settings_.answers.log(
        {.event = "upstream_said", .note = std::string(line), .upstream = link.settings().name});
    return;
  }
  std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
}

void Gateway::on_noise(UpstreamConnection& link, const Error& noise) {
  settings_.answers.log({.level = serve::LogLine::Level::warning,
                         .event = "upstream_noise",
                         .note = noise.message,
                         .upstream = link.settings().name});
}

}  // namespace enfold::gateway
