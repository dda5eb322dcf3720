// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/list_cache.h"

#include "enfold/gateway/policy/names.h"
#include "enfold/json/document.h"
#include "enfold/mcp/types/hidden_text.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

using mcp::Method;

// Limits for fetching one list; when one is reached, no further page is fetched.
constexpr std::size_t kMaxPages = 1000;
constexpr std::size_t kMaxFetchedBytes = std::size_t{16} << 20;
constexpr std::chrono::seconds kMaxFetchTime{30};
// Limits for the items of one list; further items are left out, because all items are read and
// written for each client that requests the list.
constexpr std::size_t kMaxTools = 1'000;
constexpr std::size_t kMaxItems = 10'000;  // of other lists, whose items are small
constexpr std::size_t kMaxListBytes = std::size_t{4} << 20;

// Some servers send tools/list_changed whenever their tools are listed; the pause prevents an
// endless loop.
constexpr std::chrono::seconds kRefreshPause{1};

// Puts the offered ones of `items`, all tools that the server lists, into the table of tools.
void replace_tools(Upstream& upstream, const std::vector<json::Value>& items, std::string version) {
  std::vector<json::Value> offered;
  for (const json::Value& item : items) {
    if (is_offered(upstream.settings, item_name(item.view()))) offered.push_back(item);
  }
  upstream.tools.replace(offered, std::move(version));
}

// Calls that come from now on do not join `wait`. `upstream`: nullptr: a reload removed it.
void end_wait(Upstream* upstream, const ToolsWait& wait) {
  if (upstream != nullptr && upstream->tools_wait.get() == &wait) upstream->tools_wait.reset();
}

void begin_all(const std::vector<WaitingCall>& calls) {
  for (const WaitingCall& one : calls) {
    if (const auto channel = one.channel.lock()) one.begin(one.call, channel);
  }
}

}  // namespace

std::string item_name(json::View item) { return json::string_member(item, "name").value_or(""); }

std::string_view items_member(Method list) {
  switch (list) {
    case Method::tools_list: return "tools";
    case Method::prompts_list: return "prompts";
    case Method::resources_list: return "resources";
    default: return "resourceTemplates";
  }
}

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

void ListFetch::fetch_from(const std::optional<std::string>& cursor) {
  json::Writer writer;
  mcp::Overlay overlay;
  if (cursor) {
    overlay.member("cursor", [&](json::Writer& out) { out.string(*cursor); });
  } else {
    overlay.without("cursor");
  }
  overlay.write(writer, params_.view());
  mcp::CallOptions options =
      connection_->prepare(mcp::name(method_), std::move(writer).finish_value());
  options.on_behalf_of = caller_;
  options.relay_input_required = true;
  request_ = connection_->request(std::move(options),
                                  {.done = [self = shared_from_this()](client::CallResult result) {
                                    self->on_page(std::move(result));
                                  }});
}

void ListFetch::cancel(std::string_view reason) {
  done_ = nullptr;
  if (const auto request = std::exchange(request_, std::nullopt))
    connection_->cancel(*request, reason);
}

void ListFetch::on_page(client::CallResult result) {
  request_.reset();
  if (!done_) return;
  if (!result) {
    pages_.failure = std::move(result.error());
    finish();
    return;
  }
  bytes_ += (*result)->raw().size();
  if (bytes_ > kMaxFetchedBytes) {  // this page is not used
    cut_short(fmt::format("it has more than {} bytes", kMaxFetchedBytes));
    return;
  }
  std::optional<std::string> cut_reason = add_items(result->view());
  const auto cursor = json::string_member(result->view(), "nextCursor");
  pages_.results.push_back(std::move(*result));
  if (cut_reason) {
    cut_short(*std::move(cut_reason));
  } else if (!cursor) {
    finish();
  } else if (!seen_cursors_.insert(*cursor).second) {
    cut_short("a cursor came twice, so that its pages would never end");
  } else if (pages_.results.size() >= kMaxPages) {
    cut_short(fmt::format("it has more than {} pages", kMaxPages));
  } else if (std::chrono::steady_clock::now() - started_ > kMaxFetchTime) {
    cut_short(fmt::format("its pages took longer than {} s", kMaxFetchTime.count()));
  } else {
    fetch_from(cursor);
  }
}

std::optional<std::string> ListFetch::add_items(json::View page) {
  const auto items = page.find(items_member(method_));
  if (!items) return std::nullopt;
  const std::size_t most = method_ == Method::tools_list ? kMaxTools : kMaxItems;
  for (const json::View item : items->items()) {
    item_bytes_ += item.raw().size();
    if (item_bytes_ > kMaxListBytes) return fmt::format("it has more than {} bytes", kMaxListBytes);
    if (pages_.items.size() == most) return fmt::format("it has more than {} items", most);
    pages_.items.emplace_back(item);
  }
  return std::nullopt;
}

void ListFetch::cut_short(std::string reason) {
  pages_.cut_reason = std::move(reason);
  finish();
}

void ListFetch::finish() {
  const Done done = std::exchange(done_, nullptr);
  done(std::move(pages_));
}

std::shared_ptr<ListFetch> fetch_list(std::shared_ptr<UpstreamConnection> connection, Method method,
                                      json::Value params, std::shared_ptr<const mcp::Caller> caller,
                                      ListFetch::Done done) {
  auto fetch = std::make_shared<ListFetch>(std::move(connection), method, std::move(params),
                                           std::move(caller), std::move(done));
  fetch->fetch_from(std::nullopt);
  return fetch;
}

bool ListCache::store(Upstream& upstream, Method list, const Pages& pages) {
  const std::vector<json::Value>& items = pages.items;
  if (pages.cut_reason) {
    const std::string message =
        fmt::format("{} is not complete: {}", mcp::name(list), *pages.cut_reason);
    log_.warn_once(upstream.settings.name + ": " + message,
                   {.level = serve::LogLine::Level::warning,
                    .event = "list_cut_short",
                    .note = message,
                    .upstream = upstream.settings.name});
  }
  const auto before = upstream.known.find(list);
  const bool is_new = before == upstream.known.end() || !is_same_list(before->second, items);
  if (list == Method::tools_list) {
    const json::View info = upstream.identity ? upstream.identity->info.view() : json::View();
    std::string version = json::string_member(info, "version").value_or("");
    if (is_new || version != upstream.tools.version()) {
      replace_tools(upstream, items, std::move(version));
    }
  }
  if (!is_new) return false;
  if (list == Method::tools_list || list == Method::prompts_list) routes_.invalidate();
  upstream.known[list] = items;
  return true;
}

void ListCache::select_tools(Upstream& upstream) {
  const auto known = upstream.known.find(Method::tools_list);
  if (known == upstream.known.end()) return;
  replace_tools(upstream, known->second, std::string(upstream.tools.version()));
  routes_.invalidate();
}

void ListCache::fetch_tools(const std::shared_ptr<UpstreamConnection>& connection, net::Task done) {
  auto then = std::make_shared<net::Task>(std::move(done));
  if (!connection->server().capabilities.has("tools")) {
    (*then)();
    return;
  }
  fetch_list(connection, Method::tools_list, /*params=*/{}, /*caller=*/nullptr,
             alive_.guarded([this, connection, then](const Pages& pages) {
               if (!pages.failure) store_fetched_tools(upstreams_.of(*connection), pages);
               (*then)();
             }));
}

void ListCache::store_fetched_tools(Upstream& upstream, const Pages& pages) {
  const bool is_new = store(upstream, Method::tools_list, pages);
  const bool was_missed = upstream.missed.erase(mcp::ListKind::tools) > 0;
  const bool announces = std::exchange(upstream.announces_changes, false);
  if (was_missed || (announces && is_new)) sessions_.tell_list_changed(mcp::ListKind::tools);
}

void ListCache::refresh_tools(const std::shared_ptr<UpstreamConnection>& connection) {
  Upstream& upstream = upstreams_.of(*connection);
  upstream.changed_on = connection;
  if (!upstream.refresh) {
    upstream.refresh = std::make_unique<Throttle>(
        environment_.loop, kRefreshPause, [this, &upstream](const Throttle::Done& done) {
          const std::shared_ptr<UpstreamConnection> changed = upstream.changed_on.lock();
          changed && changed->is_ready() ? fetch_tools(changed, done) : done();
        });
  }
  upstream.refresh->request();
}

void ListCache::fetch(const std::vector<Upstream*>& from, Method list, const mcp::Call& call,
                      serve::ClientChannel& channel, const std::function<void()>& done) {
  if (from.empty()) {
    done();
    return;
  }
  struct Fetch {
    std::size_t unanswered;  // upstreams
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
  for (Upstream* const upstream : from) {
    fetch_list(connections_.for_call(channel, call, *upstream), list, /*params=*/{}, call.caller,
               alive_.guarded([this, number = upstream->number, list, fetch](const Pages& pages) {
                 Upstream* const current = upstreams_.with_number(number);
                 if (!pages.failure && current != nullptr) store(*current, list, pages);
                 if (--fetch->unanswered == 0) fetch->finish();
               }));
  }
}

void ListCache::fetch_tools_for(Upstream& upstream, WaitingCall call) {
  if (upstream.tools_wait) {
    upstream.tools_wait->calls.push_back(std::move(call));
    return;
  }
  const std::shared_ptr<serve::ClientChannel> channel = call.channel.lock();
  if (!channel) return;
  const auto connection = connections_.for_call(*channel, call.call, upstream);
  const auto wait = std::make_shared<ToolsWait>(ToolsWait{connection, {call}});
  upstream.tools_wait = wait;
  const auto stop_waiting =
      alive_.guarded([this, number = upstream.number, weak = std::weak_ptr(wait)] {
        if (const auto late = weak.lock()) let_others_fetch(number, *late);
      });
  wait->timeout = std::make_unique<net::Timer>(
      environment_.loop, [&loop = environment_.loop, stop_waiting] { loop.defer(stop_waiting); });
  wait->timeout->set_after(kListTimeout);
  fetch_tools_over(connection, call, upstream.number,
                   [this, number = upstream.number, wait](bool is_fetched) {
                     wait->timeout.reset();
                     if (!is_fetched) let_others_fetch(number, *wait);
                     end_wait(upstreams_.with_number(number), *wait);
                     begin_all(std::exchange(wait->calls, {}));
                   });
}

void ListCache::let_others_fetch(std::uint64_t upstream, ToolsWait& wait) {
  Upstream* const current = upstreams_.with_number(upstream);
  end_wait(current, wait);
  if (current == nullptr) return;  // a reload removed it
  std::map<std::shared_ptr<UpstreamConnection>, std::vector<WaitingCall>> others;
  for (WaitingCall& call : std::exchange(wait.calls, {})) {
    const std::shared_ptr<serve::ClientChannel> channel = call.channel.lock();
    if (!channel) continue;
    auto connection = connections_.for_call(*channel, call.call, *current);
    const bool is_same = connection == wait.connection.lock();
    (is_same ? wait.calls : others[std::move(connection)]).push_back(std::move(call));
  }
  for (auto& [connection, calls] : others) {
    const WaitingCall first = calls.front();
    fetch_tools_over(connection, first, upstream,
                     [calls = std::move(calls)](bool /*is_fetched*/) { begin_all(calls); });
  }
}

void ListCache::fetch_tools_over(const std::shared_ptr<UpstreamConnection>& connection,
                                 const WaitingCall& call, std::uint64_t upstream,
                                 std::function<void(bool is_fetched)> done) {
  fetch_list(connection, Method::tools_list, /*params=*/{}, call.call.caller,
             alive_.guarded([this, upstream, done = std::move(done)](const Pages& pages) {
               Upstream* const current = upstreams_.with_number(upstream);
               if (!pages.failure && current != nullptr) store(*current, Method::tools_list, pages);
               done(!pages.failure);
             }));
}

json::Value ListCache::without_hidden(const std::string& upstream, json::Value result) {
  std::optional<json::Value> clean = mcp::list_without_hidden_text(result.view());
  if (!clean) return result;
  const std::string message = "a list has hidden characters, which were removed";
  log_.warn_once(upstream + ": " + message, {.level = serve::LogLine::Level::warning,
                                             .event = "hidden_text",
                                             .note = message,
                                             .upstream = upstream});
  return *std::move(clean);
}

// After an outage the tools are fetched again; clients are notified only if the tools have changed.
void ListCache::on_ready(UpstreamConnection& connection) {
  Upstream& upstream = upstreams_.of(connection);
  for (const mcp::ListKind kind : {mcp::ListKind::prompts, mcp::ListKind::resources}) {
    if (upstream.missed.erase(kind) > 0) sessions_.tell_list_changed(kind);
  }
  if (!std::exchange(upstream.was_down, false)) return;
  upstream.announces_changes = true;
  // Calls that waited for the connection are sent first, because the circuit breaker counts whether
  // they are answered.
  environment_.loop.defer(alive_.guarded([this, weak = connection.weak_from_this()] {
    const std::shared_ptr<UpstreamConnection> one = weak.lock();
    if (one && one->is_ready()) refresh_tools(one);
  }));
}

void ListCache::on_list_changed(UpstreamConnection& connection, mcp::ListKind kind) {
  for (ClientSession* const session : connections_.sessions_on(connection)) {
    session->tell_list_changed(kind);
  }
  if (kind == mcp::ListKind::tools) refresh_tools(connection.shared_from_this());
}

}  // namespace enfold::gateway
