// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/list_cache.h"

#include "enfold/gateway/policy/selection.h"

namespace enfold::gateway {
namespace {

using mcp::Method;

// Some servers send tools/list_changed whenever their tools are listed; the pause prevents an
// endless loop.
constexpr std::chrono::seconds kRefreshPause{1};
constexpr std::size_t kMostBytes = std::size_t{8} << 20;  // of one list

bool fits(const std::vector<json::Value>& items) {
  std::size_t bytes = 0;
  for (const json::Value& item : items) bytes += item->raw().size();
  return bytes <= kMostBytes;
}

std::vector<json::Value> offered_tools(const Upstream& upstream,
                                       const std::vector<json::Value>& items) {
  std::vector<json::Value> offered;
  for (const json::Value& item : items) {
    if (is_offered(upstream.settings, name_of(item.view()))) offered.push_back(item);
  }
  return offered;
}

}  // namespace

bool ListCache::store(Upstream& upstream, Method list, const std::vector<json::Value>& items) {
  if (list == Method::tools_list) upstream.tools.replace(offered_tools(upstream, items));
  if (list == Method::tools_list || list == Method::prompts_list) routes_.invalidate();
  const auto before = upstream.known.find(list);
  const bool is_new = before == upstream.known.end() || !is_same_list(before->second, items);
  if (is_new && fits(items)) upstream.known[list] = items;
  return is_new;
}

void ListCache::fetch_tools(const std::shared_ptr<UpstreamConnection>& link, net::Task done) {
  auto then = std::make_shared<net::Task>(std::move(done));
  if (!link->server().capabilities.has("tools")) {
    (*then)();
    return;
  }
  gather(link, Method::tools_list, {}, nullptr,
         alive_.guarded([this, link, then](const Pages& pages) {
           if (!pages.failure) store_fetched_tools(upstreams_.of(*link), pages.items);
           (*then)();
         }));
}

void ListCache::store_fetched_tools(Upstream& upstream, const std::vector<json::Value>& items) {
  const bool is_new = store(upstream, Method::tools_list, items);
  const bool was_missed = upstream.missed.erase(mcp::ListKind::tools) > 0;
  const bool announces = std::exchange(upstream.announces_changes, false);
  if (was_missed || (announces && is_new)) sessions_.tell_list_changed(mcp::ListKind::tools);
}

void ListCache::refresh_tools(const std::shared_ptr<UpstreamConnection>& link) {
  Upstream& upstream = upstreams_.of(*link);
  upstream.changed_on = link;
  if (!upstream.refresh) {
    upstream.refresh = std::make_unique<Throttle>(
        environment_.loop, kRefreshPause, [this, &upstream](const Throttle::Done& done) {
          const std::shared_ptr<UpstreamConnection> on = upstream.changed_on.lock();
          on && on->is_ready() ? fetch_tools(on, done) : done();
        });
  }
  upstream.refresh->request();
}

void ListCache::fetch(const std::vector<Upstream*>& from, Method list, const mcp::Call& call,
                      serve::Port& port, const std::function<void()>& done) {
  if (from.empty()) {
    done();
    return;
  }
  struct Fetch {
    std::size_t left;
    std::function<void()> done;
    std::unique_ptr<net::Timer> timeout{};
    void finish() {
      if (const auto then = std::exchange(done, nullptr)) then();
    }
  };
  auto fetch = std::make_shared<Fetch>(Fetch{from.size(), done});
  if (!upstreams_.is_single()) {
    const auto give_up = [&loop = environment_.loop, weak = std::weak_ptr(fetch)] {
      loop.defer([one = weak.lock()] {
        if (one) one->finish();
      });
    };
    fetch->timeout = std::make_unique<net::Timer>(environment_.loop, give_up);
    fetch->timeout->set_after(kListTimeout);
  }
  ClientSession& session = sessions_.of(port);
  for (Upstream* const upstream : from) {
    gather(connections_.for_call(session, call, *upstream), list, {}, call.caller,
           alive_.guarded([this, number = upstream->number, list, fetch](const Pages& pages) {
             Upstream* const by = upstreams_.with_number(number);
             if (!pages.failure && by != nullptr) store(*by, list, pages.items);
             if (--fetch->left == 0) fetch->finish();
           }));
  }
}

// Fetches the tools again; clients are notified only if the tools have changed.
void ListCache::on_ready(UpstreamConnection& link) {
  Upstream& upstream = upstreams_.of(link);
  for (const mcp::ListKind kind : {mcp::ListKind::prompts, mcp::ListKind::resources}) {
    if (upstream.missed.erase(kind) > 0) sessions_.tell_list_changed(kind);
  }
  if (!std::exchange(upstream.was_down, false)) return;
  upstream.announces_changes = true;
  // Calls that waited for the connection are sent first, because the circuit breaker counts whether
  // they are answered.
  environment_.loop.defer(alive_.guarded([this, weak = link.weak_from_this()] {
    const std::shared_ptr<UpstreamConnection> one = weak.lock();
    if (one && one->is_ready()) refresh_tools(one);
  }));
}

void ListCache::on_list_changed(UpstreamConnection& link, mcp::ListKind kind) {
  for (ClientSession* const session : connections_.sessions_on(link)) {
    session->tell_list_changed(kind);
  }
  if (kind == mcp::ListKind::tools) refresh_tools(link.shared_from_this());
}

}  // namespace enfold::gateway
