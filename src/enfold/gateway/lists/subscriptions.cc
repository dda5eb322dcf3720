// SPDX-License-Identifier: Apache-2.0
// What clients want to be told of, as the upstream's era has it: one standing request with all of
// it, or a subscription for each resource.
#include "enfold/gateway/gateway.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

void add(mcp::SubscriptionFilter& all, const mcp::SubscriptionFilter& more) {
  all.tools = all.tools || more.tools;
  all.prompts = all.prompts || more.prompts;
  all.resources = all.resources || more.resources;
  for (const std::string& uri : more.uris) {
    if (std::find(all.uris.begin(), all.uris.end(), uri) == all.uris.end()) all.uris.push_back(uri);
  }
}

json::Value uri_params(const std::string& uri) {
  json::Writer writer;
  writer.begin_object().member("uri", uri).end_object();
  return std::move(writer).finish_value();
}

}  // namespace

void Gateway::listening(serve::Port& port, const mcp::Listening& listening) {
  visitor_of(port).listens[listening.call] = listening.filter;
  for (const auto& upstream : upstreams_) {
    if (upstream->shared) update_watch(upstream->shared);
  }
}

void Gateway::update_watch(const std::shared_ptr<UpstreamConnection>& link) {
  if (!link->is_ready()) return;  // on_ready comes here again
  const bool stateless = link->server().era == mcp::Era::stateless;
  mcp::SubscriptionFilter wanted;
  for (const Visitor* visitor : visitors_on(*link)) {
    for (const auto& [call, filter] : visitor->listens) add(wanted, filter);
    // A session is told of changes without asking; of resources when it asked, which a server with
    // sessions has heard itself.
    if (visitor->has_session && stateless) add(wanted, {true, true, true, visitor->watched});
  }
  std::erase_if(wanted.uris, [&](const std::string& uri) { return is_elsewhere(uri, *link); });
  Watching& now = watching_[link.get()];
  if (now.filter == wanted) return;
  const mcp::SubscriptionFilter before = std::exchange(now.filter, wanted);
  if (!stateless) {
    const auto tell = [&](mcp::Method method, const auto& some, const auto& others) {
      for (const std::string& uri : some) {
        if (std::find(others.begin(), others.end(), uri) != others.end()) continue;
        link->request(link->prepare(mcp::name(method), uri_params(uri)), {});
      }
    };
    tell(mcp::Method::resources_subscribe, wanted.uris, before.uris);
    tell(mcp::Method::resources_unsubscribe, before.uris, wanted.uris);
    return;
  }
  if (now.ticket) link->cancel(*now.ticket, "what is wanted has changed");
  now.ticket.reset();
  if (wanted == mcp::SubscriptionFilter{}) return;
  json::Writer params;
  params.begin_object().key("notifications");
  mcp::write_filter(params, wanted);
  params.end_object();
  mcp::CallOptions options =
      link->prepare(mcp::name(mcp::Method::listen), std::move(params).finish_value());
  options.idle_timeout = mcp::Time(0);
  options.call_timeout = mcp::Time(0);
  now.ticket = link->request(
      std::move(options),
      {.done = [this, alive = alive_, which = link.get()](const client::CallResult& /*result*/) {
        if (*alive) watching_.erase(which);
      }});
}

void Gateway::stop_watching(UpstreamConnection& link) {
  const auto found = watching_.find(&link);
  if (found == watching_.end()) return;
  const std::optional<mcp::CallKey> ticket = found->second.ticket;
  watching_.erase(found);
  if (ticket) link.cancel(*ticket, "nobody listens any more");
}

}  // namespace enfold::gateway
