// SPDX-License-Identifier: Apache-2.0
// A new configuration for a gateway that is running. Nobody waits for it and no call is dropped.
#include "enfold/gateway/gateway.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

bool is_same(const std::shared_ptr<net::TlsContext>& a, const std::shared_ptr<net::TlsContext>& b) {
  return a == b || (a && b && a->is_like(*b));
}

bool is_same(const client::Target& a, const client::Target& b) {
  if (a.index() != b.index()) return false;
  if (const auto* program = std::get_if<client::StdioTarget>(&a)) {
    const auto& other = *std::get_if<client::StdioTarget>(&b);
    return program->command == other.command && program->environment == other.environment &&
           program->folder == other.folder;
  }
  const auto& endpoint = *std::get_if<client::HttpTarget>(&a);
  const auto& other = *std::get_if<client::HttpTarget>(&b);
  return endpoint.url.origin() == other.url.origin() && endpoint.url.target == other.url.target &&
         is_same(endpoint.tls, other.tls) && endpoint.headers == other.headers;
}

// What a connection is made by. The rest may change under it.
bool has_same_connections(const UpstreamSettings& a, const UpstreamSettings& b) {
  return a.name == b.name && is_same(a.target, b.target) && a.eras == b.eras &&
         a.startup_timeout == b.startup_timeout && a.idle_timeout == b.idle_timeout &&
         a.call_timeout == b.call_timeout &&
         a.circuit_breaker.initial_backoff == b.circuit_breaker.initial_backoff &&
         a.circuit_breaker.max_backoff == b.circuit_breaker.max_backoff &&
         a.circuit_breaker.failure_threshold == b.circuit_breaker.failure_threshold;
}

std::set<std::string> who_is_dismissed(const Settings& before, const Settings& after) {
  std::set<std::string> gone;
  for (const Principal& one : before.principals) {
    if (std::ranges::find(after.principals, one) == after.principals.end()) gone.insert(one.name);
  }
  const bool alone = before.principals.empty();  // one local user, without a key
  if (alone && (!after.principals.empty() || after.answers.principal != before.answers.principal)) {
    gone.insert(before.answers.principal);
  }
  return gone;
}

}  // namespace

struct Gateway::Reloading {
  Settings settings;
  net::Callback<void(Result<Reloaded>)> done;
  std::size_t left = 0;
};

void Gateway::reload(Settings settings, net::Callback<void(Result<Reloaded>)> done) {
  const auto is_known = [&](const UpstreamSettings& one) {
    return std::ranges::any_of(upstreams_, [&](const auto& upstream) {
      return has_same_connections(upstream->settings, one);
    });
  };
  for (const UpstreamSettings& one : settings.upstreams) {
    if (!is_known(one)) joining_.push_back(std::make_unique<Upstream>(one, ++upstreams_made_));
  }
  auto reloading = std::make_shared<Reloading>(Reloading{std::move(settings), std::move(done)});
  connect_joining(reloading);
}

// Somebody who cannot be reached now may be reached later, as at the start.
void Gateway::connect_joining(const std::shared_ptr<Reloading>& reloading) {
  reloading->left = joining_.size() + 1;
  const auto one_more = [this, reloading, alive = alive_] {
    if (!*alive || --reloading->left > 0) return;
    reloading->done(swap(std::move(reloading->settings)));
  };
  for (const auto& upstream : joining_) {
    upstream->shared = make_link(*upstream, nobody(), std::nullopt);
    upstream->shared->connect(
        [this, one_more, link = upstream->shared](const Result<mcp::ServerIdentity>& server) {
          server ? learn_tools(link, one_more) : one_more();
        });
  }
  loop_.defer(one_more);
}

Result<Reloaded> Gateway::swap(Settings settings) {
  const server::Shared& before = own_tools_->shared();
  if (!settings.answers.archive) settings.answers.archive = before.archive;
  if (!settings.answers.counters) settings.answers.counters = before.counters;
  if (settings.answers.cursor_key.empty()) settings.answers.cursor_key = before.key.bytes();
  Result<std::shared_ptr<Own>> own = make_own(settings.answers);
  if (!own) {
    for (auto& upstream : joining_) leaving_.push_back(std::move(upstream));
    joining_.clear();
    sweep();
    return tl::unexpected(own.error());
  }
  former_.push_back(std::exchange(own_, std::move(*own)));
  own_tools_ = own_->tools.get();
  std::erase_if(former_, [](const std::shared_ptr<Own>& one) {
    return one.use_count() == 1 && one->tools->running() == 0;
  });
  std::vector<std::unique_ptr<Upstream>> now;
  std::size_t kept = 0;
  for (UpstreamSettings& one : settings.upstreams) {
    const auto is_this = [&](const std::unique_ptr<Upstream>& upstream) {
      return upstream && has_same_connections(upstream->settings, one);
    };
    const auto known = std::ranges::find_if(upstreams_, is_this);
    const auto joins = std::ranges::find_if(joining_, is_this);
    auto& found = known != upstreams_.end() ? *known : *joins;
    if (known != upstreams_.end()) ++kept;
    found->settings = std::move(one);
    now.push_back(std::move(found));
  }
  std::swap(upstreams_, now);
  const std::size_t joined = joining_.size();
  joining_.clear();
  std::size_t gone = 0;
  for (auto& upstream : now) {
    if (!upstream) continue;
    ++gone;
    leaving_.push_back(std::move(upstream));
    let_go(*leaving_.back());  // where its connections are still found
  }
  settings.upstreams.clear();
  std::set<std::string> dismissed = who_is_dismissed(settings_, settings);
  settings_ = std::move(settings);
  take_identity();
  for (const auto& upstream : upstreams_) {
    if (upstream->shared) update_watch(upstream->shared);
  }
  for (const mcp::ListKind kind :
       {mcp::ListKind::tools, mcp::ListKind::prompts, mcp::ListKind::resources}) {
    tell_changed(kind);
  }
  sweep();
  return Reloaded{fmt::format("upstreams: {} kept, {} new, {} gone", kept, joined, gone),
                  std::move(dismissed)};
}

// Nothing that is remembered leads there any more; what is open goes on.
void Gateway::let_go(Upstream& upstream) {
  std::erase_if(resources_, [&](const auto& one) { return one.second == &upstream; });
  for (const std::shared_ptr<Link>& link : links()) {
    if (&link->settings() == &upstream.settings) stop_watching(*link);
  }
  const auto is_its = [&](const Task& task) { return task.upstream_number == upstream.number; };
  for (auto& [principal, tasks] : tasks_) std::erase_if(tasks, is_its);
}

void Gateway::sweep_later() {
  if (leaving_.empty()) return;
  loop_.defer([this, alive = alive_] {
    if (*alive) sweep();
  });
}

// A connection goes when its last call has its answer, an upstream with its last connection.
void Gateway::sweep() {
  const auto in_use = [&](const std::shared_ptr<Link>& link) {
    return last_relay_on(*link, true) != nullptr || link->open_requests() > 0;
  };
  for (const auto& upstream : leaving_) {
    const auto retire_idle = [&](std::shared_ptr<Link>& link) {
      if (link && !in_use(link)) retire(std::exchange(link, nullptr));
    };
    retire_idle(upstream->shared);
    for (std::shared_ptr<Link>& link : upstream->lent) retire_idle(link);
    std::erase(upstream->lent, nullptr);
    for (const auto& [port, visitor] : visitors_) {
      const auto own = visitor->links.find(upstream.get());
      if (own == visitor->links.end() || in_use(own->second)) continue;
      retire(std::move(own->second));
      visitor->links.erase(own);
    }
  }
  std::erase_if(leaving_, [&](const std::unique_ptr<Upstream>& upstream) {
    const auto is_its = [&](const std::shared_ptr<Link>& link) {
      return &link->settings() == &upstream->settings;
    };
    return std::ranges::none_of(links(), is_its) && std::ranges::none_of(retiring_, is_its);
  });
}

bool Gateway::is_here(const Upstream* upstream) const {
  return std::ranges::any_of(upstreams_, [&](const auto& one) { return one.get() == upstream; });
}

}  // namespace enfold::gateway
