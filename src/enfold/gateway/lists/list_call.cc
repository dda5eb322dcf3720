// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/list_call.h"

#include "enfold/gateway/observe/trace.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

using mcp::Method;

bool lists_resources(Method method) {
  return method == Method::resources_list || method == Method::resources_templates_list;
}

}  // namespace

bool ListCall::is_list(Method method) {
  return method == Method::tools_list || method == Method::prompts_list || lists_resources(method);
}

void ListCall::start() {
  const std::shared_ptr<serve::ClientChannel> channel = channel_.lock();
  if (std::get_if<mcp::ListRequest>(&call_.params)->cursor) {
    channel->reply(call_.key, mcp::invalid_params(
                                  "Invalid params: expected no cursor, for there is one page"));
    return;
  }
  const UpstreamSet& upstreams = services_.upstreams;
  net::Loop& loop = services_.environment.loop;
  for (const auto& upstream : upstreams.current()) parts_.push_back({upstream->number});
  unanswered_ = parts_.size();
  // If there is a single upstream and its list is not known, the call waits for it without a time
  // limit.
  if (!upstreams.is_single() || upstreams.first().known.contains(call_.method)) {
    cache_timeout_ = after(kCachedListTimeout, &ListCall::on_cache_timeout);
    timeout_ = after(kListTimeout, &ListCall::answer);
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const ListFetch::Done take =
        services_.alive.guarded([self = shared_from_this(), i](Pages pages) {
          self->on_pages(self->parts_[i], std::move(pages));
        });
    Upstream& upstream = *upstreams.current()[i];
    const auto& identity = upstream.identity;
    if (lists_resources(call_.method) && identity && !identity->capabilities.has("resources")) {
      loop.defer([take] { take({}); });
      continue;
    }
    parts_[i].fetch =
        fetch_list(services_.connections.for_call(*channel, call_, upstream), call_.method,
                   forward_trace(call_, call_.raw_params, services_.environment.host).params,
                   call_.caller, take);
  }
}

// With UpstreamSettings::is_shared the server lists the same for every session, so the cached list
// is as good as a new one. An upstream that a reload removed is left out of the reply.
bool ListCall::is_cache_good_enough(const Part& part) const {
  const Upstream* const upstream = services_.upstreams.with_number(part.upstream);
  return upstream == nullptr ||
         (upstream->settings.is_shared && upstream->known.contains(call_.method));
}

bool ListCall::can_answer_from_cache() const {
  return std::ranges::all_of(
      parts_, [this](const Part& part) { return part.has_arrived || is_cache_good_enough(part); });
}

std::unique_ptr<net::Timer> ListCall::after(net::Duration wait, void (ListCall::*then)()) {
  net::Loop& loop = services_.environment.loop;
  const auto stop_waiting = [&loop, then, weak = weak_from_this()] {
    loop.defer([then, self = weak.lock()] {
      if (self && !self->is_answered_) ((*self).*then)();
    });
  };
  auto timer = std::make_unique<net::Timer>(loop, stop_waiting);
  timer->set_after(wait);
  return timer;
}

void ListCall::on_cache_timeout() {
  if (can_answer_from_cache()) answer();
}

void ListCall::cancel(serve::CancelCause cause) {
  is_answered_ = true;
  cache_timeout_.reset();
  timeout_.reset();
  for (Part& part : parts_) {
    if (const auto fetch = std::exchange(part.fetch, nullptr)) {
      fetch->cancel(serve::reason(cause));
    }
  }
}

// If an upstream's list arrives after the reply, it is stored, and the client is notified if it
// differs from what the reply contained.
void ListCall::on_pages(Part& part, Pages pages) {
  part.fetch.reset();
  services_.connections.retire_unused_later();
  const mcp::ListKind kind = kind_of(call_.method);
  const std::shared_ptr<serve::ClientChannel> channel = channel_.lock();
  Upstream* const upstream = services_.upstreams.with_number(part.upstream);
  if (upstream != nullptr && (!pages.results.empty() || pages.cut_reason) && !pages.failure) {
    services_.cache.store(*upstream, call_.method, pages);
    const bool was_missed = upstream->missed.erase(kind) > 0;
    if (was_missed) services_.sessions.tell_list_changed(kind, channel.get());
  }
  if (is_answered_) {
    ClientSession* const session = services_.sessions.find(channel.get());
    const bool is_new = !pages.failure && !is_same_list(pages.items, part.pages.items);
    if (is_new && session != nullptr) session->tell_list_changed(kind);
    return;
  }
  part.pages = std::move(pages);
  part.has_arrived = true;
  if (--unanswered_ == 0) answer();
}

void ListCall::answer() {
  is_answered_ = true;
  const std::shared_ptr<serve::ClientChannel> channel = channel_.lock();
  if (!channel) return;
  std::vector<UpstreamList> lists;
  for (Part& part : parts_) {
    Upstream* const upstream = services_.upstreams.with_number(part.upstream);
    if (upstream == nullptr) continue;  // a reload removed it
    use_cache(part, *upstream);
    lists.push_back({upstream, part.pages});
  }
  channel->reply(call_.key, services_.writer.write(call_, *channel, lists));
}

void ListCall::use_cache(Part& part, Upstream& upstream) const {
  if (!part.has_arrived) {
    part.pages.failure = client::CallFailure{
        {ErrorCode::timed_out, "the server did not answer in time", upstream.settings.name, {}},
        /*refusal=*/{},
        /*retry_after=*/{}};
  }
  if (!part.pages.failure) return;
  // The server answered with a JSON-RPC error, so it works: an old list would hide this answer.
  if (part.pages.failure->refusal) return;
  const auto known = upstream.known.find(call_.method);
  if (known == upstream.known.end()) {
    upstream.missed.insert(kind_of(call_.method));
    return;
  }
  part.pages = {/*results=*/{}, known->second, /*failure=*/{}, /*cut_reason=*/{}};
}

}  // namespace enfold::gateway
