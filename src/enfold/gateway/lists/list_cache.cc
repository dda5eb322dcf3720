// SPDX-License-Identifier: Apache-2.0
// What is known of the lists of upstreams, how it is learned, and who is told that it has changed.
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/policy/selection.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

using mcp::Method;

// Between two lists, and between two notices to one client: some servers say that their tools have
// changed with every one of a thousand, or whenever they list them.
constexpr std::chrono::seconds kRest{1};
constexpr std::size_t kMostKept = std::size_t{8} << 20;  // bytes of one list

bool fits(const std::vector<json::Value>& items) {
  std::size_t bytes = 0;
  for (const json::Value& item : items) bytes += item->raw().size();
  return bytes <= kMostKept;
}

}  // namespace

mcp::ListKind kind_of(Method list) {
  switch (list) {
    case Method::tools_list: return mcp::ListKind::tools;
    case Method::prompts_list: return mcp::ListKind::prompts;
    default: return mcp::ListKind::resources;
  }
}

bool is_same_list(const std::vector<json::Value>& a, const std::vector<json::Value>& b) {
  return std::ranges::equal(
      a, b, [](const json::Value& x, const json::Value& y) { return x->raw() == y->raw(); });
}

bool Gateway::know(Upstream& upstream, Method list, const std::vector<json::Value>& items) {
  if (list == Method::tools_list) know_tools(upstream, items);
  const auto before = upstream.known.find(list);
  const bool is_new = before == upstream.known.end() || !is_same_list(before->second, items);
  if (is_new && fits(items)) upstream.known[list] = items;
  return is_new;
}

void Gateway::know_tools(Upstream& upstream, const std::vector<json::Value>& items) {
  std::vector<json::Value> offered;
  for (const json::Value& item : items) {
    if (is_offered(upstream.settings, name_of(item.view()))) offered.push_back(item);
  }
  upstream.tools.replace(offered);
}

void Gateway::learn_tools(const std::shared_ptr<UpstreamConnection>& link, net::Task done) {
  auto then = std::make_shared<net::Task>(std::move(done));
  if (!link->server().capabilities.has("tools")) {
    (*then)();
    return;
  }
  gather(link, Method::tools_list, {}, nullptr,
         [this, alive = alive_, link, then](const Pages& pages) {
           if (!*alive) return;
           if (!pages.failure) learned_tools(upstream_of(*link), pages.items);
           (*then)();
         });
}

void Gateway::learned_tools(Upstream& upstream, const std::vector<json::Value>& items) {
  const bool is_new = know(upstream, Method::tools_list, items);
  const bool missed = upstream.missed.erase(mcp::ListKind::tools) > 0;
  const bool tells = std::exchange(upstream.tells_news, false);
  if (missed || (tells && is_new)) tell_changed(mcp::ListKind::tools);
}

void Gateway::learn_anew(const std::shared_ptr<UpstreamConnection>& link) {
  Upstream& upstream = upstream_of(*link);
  upstream.learns_on = link;
  if (!upstream.learning) {
    upstream.learning =
        std::make_unique<Pace>(loop_, kRest, [this, &upstream](const Pace::Done& done) {
          const std::shared_ptr<UpstreamConnection> on = upstream.learns_on.lock();
          on && on->is_ready() ? learn_tools(on, done) : done();
        });
  }
  upstream.learning->want();
}

void Gateway::learn_from(const std::vector<Upstream*>& unknown, Method list, const mcp::Call& call,
                         const std::shared_ptr<serve::Port>& port,
                         const std::function<void()>& done) {
  if (unknown.empty()) {
    done();
    return;
  }
  struct Learning {
    std::size_t left;
    std::function<void()> done;
    std::unique_ptr<net::Timer> patience{};
  };
  auto learning = std::make_shared<Learning>(Learning{unknown.size(), done});
  const auto finish = [](Learning& one) {
    if (const auto then = std::exchange(one.done, nullptr)) then();
  };
  if (upstreams_.size() > 1) {  // of one alone there is nothing else to tell
    const auto give_up = [this, finish, weak = std::weak_ptr(learning)] {
      loop_.defer([finish, one = weak.lock()] {
        if (one) finish(*one);
      });
    };
    learning->patience = std::make_unique<net::Timer>(loop_, give_up);
    learning->patience->set_after(kListPatience);
  }
  Visitor& visitor = visitor_of(*port);
  for (Upstream* const upstream : unknown) {
    gather(link_for(visitor, call, *upstream), list, {}, call.caller,
           [this, alive = alive_, upstream, list, learning, finish](const Pages& pages) {
             if (!*alive) return;
             if (!pages.failure && is_here(upstream)) know(*upstream, list, pages.items);
             if (--learning->left == 0) finish(*learning);
           });
  }
}

// Its lists are what they were, for all that clients know; only what has changed is told.
void Gateway::came_back(UpstreamConnection& link) {
  Upstream& upstream = upstream_of(link);
  for (const mcp::ListKind kind : {mcp::ListKind::prompts, mcp::ListKind::resources}) {
    if (upstream.missed.erase(kind) > 0) tell_changed(kind);
  }
  if (!std::exchange(upstream.was_down, false)) return;
  upstream.tells_news = true;
  // Calls that waited for it go first: whether it answers them is what counts.
  loop_.defer([this, alive = alive_, which = &link] {
    const std::shared_ptr<UpstreamConnection> one = *alive ? shared_of(which) : nullptr;
    if (one && one->is_ready()) learn_anew(one);
  });
}

void Gateway::on_list_changed(UpstreamConnection& link, const mcp::ListChanged& changed) {
  for (Visitor* visitor : visitors_on(link)) tell_changed(*visitor, changed.kind);
  if (changed.kind != mcp::ListKind::tools) return;
  if (const std::shared_ptr<UpstreamConnection> one = shared_of(&link)) learn_anew(one);
}

void Gateway::tell_changed(mcp::ListKind kind, const serve::Port* but) {
  std::vector<serve::Port*> ports;
  for (const auto& [port, visitor] : visitors_) {
    if (port != but) ports.push_back(port);
  }
  // Whoever is told may leave, or make others leave.
  for (serve::Port* const port : ports) {
    const auto found = visitors_.find(port);
    if (found != visitors_.end()) tell_changed(*found->second, kind);
  }
}

void Gateway::tell_changed(Visitor& visitor, mcp::ListKind kind) {
  std::unique_ptr<Pace>& pace = visitor.notices[kind];
  if (!pace) {
    pace = std::make_unique<Pace>(loop_, kRest, [port = visitor.port, kind](const auto& done) {
      done();
      port->list_changed(kind);
    });
  }
  pace->want();
}

}  // namespace enfold::gateway
