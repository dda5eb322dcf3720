// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/resource_search.h"

#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/call/forwarded_call.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

using mcp::Method;
using ChannelPtr = std::shared_ptr<serve::ClientChannel>;

constexpr std::size_t kMaxUpstreamsAsked = 16;  // for one call; the others are not asked

// Servers report a missing resource with different errors, so any refusal may mean that another
// upstream has it.
bool may_be_elsewhere(const client::CallFailure& failure) {
  return failure.refusal || failure.error.code == ErrorCode::unavailable;
}

// Some servers answer completion/complete for an unknown template with an empty list.
bool completes_nothing(json::View result) {
  const auto completion = mcp::object_member(result, "completion");
  const auto values = completion ? completion->find("values") : std::nullopt;
  return values && values->size() == 0;
}

std::shared_ptr<serve::OpenCall> search_and_reply(const CallServices& services,
                                                  const mcp::Call& call,
                                                  const ChannelPtr& channel) {
  return ResourceSearch::begin(
      services, call, channel, [&services](ResourceSearch& self, client::CallResult result) {
        // The upstream may need input before it returns the resource.
        *result = services.elicitations.sign_state(self, std::move(*result));
        self.reply(as_reply(std::move(result)));
      });
}

// A server may accept a subscription to a resource that it does not have, so Enfold reads the
// resource first.
std::shared_ptr<serve::OpenCall> search_and_subscribe(const CallServices& services,
                                                      const mcp::Call& call,
                                                      const ChannelPtr& channel) {
  mcp::Call read = call;
  read.method = Method::resources_read;
  read.method_name = mcp::name(read.method);
  read.params = mcp::ResourceRead{*resource_of(call)};
  auto deferred = std::make_shared<DeferredCall>();
  deferred->begin([&] {
    return ResourceSearch::begin(
        services, read, channel,
        [&services, call, weak = std::weak_ptr(deferred)](ResourceSearch& self,
                                                          const client::CallResult& /*result*/) {
          const ChannelPtr open = self.channel();
          self.abandon("it was found");  // ends the search without a reply: SubscribeCall replies
          const auto one = weak.lock();
          if (open && one) one->begin([&] { return SubscribeCall::begin(services, call, open); });
        });
  });
  return deferred;
}

// Some servers answer completion/complete for any template, even one that they do not have. So
// Enfold first fetches the lists of templates, and asks all upstreams only if none lists it.
std::shared_ptr<serve::OpenCall> search_template(const CallServices& services,
                                                 const mcp::Call& call, const ChannelPtr& channel) {
  constexpr auto kList = Method::resources_templates_list;
  std::vector<Upstream*> not_listed;  // whose templates are not known yet
  for (const auto& upstream : services.upstreams.current()) {
    const bool has_list = upstream->identity && upstream->identity->capabilities.has("resources");
    if (has_list && !upstream->known.contains(kList)) not_listed.push_back(upstream.get());
  }
  auto deferred = std::make_shared<DeferredCall>();
  services.lists.fetch(
      not_listed, kList, call, *channel,
      services.alive.guarded([&services, call, deferred, weak = std::weak_ptr(channel)] {
        const ChannelPtr open = weak.lock();
        if (!open) return;
        deferred->begin([&] {
          return services.resources.must_ask_all_upstreams(call)
                     ? search_and_reply(services, call, open)
                     : ForwardedCall::begin(services, call, open);
        });
      }));
  return deferred;
}

}  // namespace

std::shared_ptr<serve::OpenCall> search_resource(const CallServices& services,
                                                 const mcp::Call& call, const ChannelPtr& channel) {
  if (call.method == Method::resources_subscribe)
    return search_and_subscribe(services, call, channel);
  return call.method == Method::resources_read ? search_and_reply(services, call, channel)
                                               : search_template(services, call, channel);
}

std::shared_ptr<serve::OpenCall> ResourceSearch::begin(const CallServices& services,
                                                       const mcp::Call& call,
                                                       const ChannelPtr& channel, OnFound found) {
  auto self = std::make_shared<ResourceSearch>(services, call, channel, std::move(found));
  self->start(*channel);
  return self;
}

void ResourceSearch::start(serve::ClientChannel& channel) {
  const std::string_view capability =
      call().method == Method::resources_read ? "resources" : "completions";
  for (const auto& upstream : services_.upstreams.current()) {
    // An upstream that has not answered `initialize` may have any capability.
    const bool lacks_it = upstream->identity && !upstream->identity->capabilities.has(capability);
    if (!lacks_it && remaining_.size() < kMaxUpstreamsAsked) remaining_.push_back(upstream->number);
  }
  std::ranges::reverse(remaining_);  // next() takes from the end
  Upstream* const first = next();
  ask(first != nullptr ? *first : services_.upstreams.first(), channel);
}

Upstream* ResourceSearch::next() {
  Upstream* found = nullptr;
  while (found == nullptr && !remaining_.empty()) {
    found = services_.upstreams.with_number(remaining_.back());
    remaining_.pop_back();
  }
  return found;
}

void ResourceSearch::ask(Upstream& upstream, serve::ClientChannel& channel) {
  asked_ = upstream.number;
  const auto connection = services_.connections.for_call(channel, call(), upstream);
  send(connection, request_for(services_, *this, *connection));
}

void ResourceSearch::on_result(client::CallResult result) {
  if (result && !completes_nothing(result->view())) {
    Upstream* const owner = services_.upstreams.with_number(asked_);
    if (owner != nullptr) {
      services_.resources.set_owner(*resource_of(call()), *owner, ResourceOwners::From::elsewhere);
    }
    found_(*this, std::move(result));
    return;
  }
  const bool may_continue = result || may_be_elsewhere(result.error());
  if (!reply_ || (result && !*reply_)) reply_ = std::move(result);
  Upstream* const other = may_continue ? next() : nullptr;
  const ChannelPtr channel = this->channel();
  if (other == nullptr || !channel) {
    reply(as_reply(std::move(*reply_)));
  } else {
    ask(*other, *channel);
  }
}

}  // namespace enfold::gateway
