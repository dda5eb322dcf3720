// SPDX-License-Identifier: Apache-2.0
// Whose a resource is: of whoever listed it, or a template that it fits; else it is asked for until
// somebody has it. So it is with templates that somebody wants completed.
#include "enfold/gateway/gateway.h"
#include "enfold/json/member.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMostAsked = 16;

// The text before the first variable; a template that begins with one fits everything and tells
// nothing.
std::string prefix_of(json::View item) {
  const std::string text = json::string_member(item, "uriTemplate").value_or("");
  return text.substr(0, text.find('{'));
}

// Servers say in many ways that they do not have it.
bool may_be_elsewhere(const client::CallFailure& failure) {
  return failure.refusal || failure.error.code == ErrorCode::unavailable;
}

// Some say so of templates that they do not know.
bool completes_nothing(json::View result) {
  const auto completion = mcp::object_member(result, "completion");
  const auto values = completion ? completion->find("values") : std::nullopt;
  return values && values->size() == 0;
}

}  // namespace

Upstream* Gateway::owner_of(const std::string& uri) const {
  const auto found = resources_.find(uri);
  if (found != resources_.end()) return found->second;
  Upstream* owner = nullptr;
  std::size_t longest = 0;
  for (const auto& upstream : upstreams_) {
    const auto known = upstream->known.find(mcp::Method::resources_templates_list);
    if (known == upstream->known.end()) continue;
    for (const json::Value& item : known->second) {
      const std::string prefix = prefix_of(item.view());
      if (prefix.size() <= longest || !uri.starts_with(prefix)) continue;
      longest = prefix.size();
      owner = upstream.get();
    }
  }
  return owner;
}

bool Gateway::is_elsewhere(const std::string& uri, UpstreamConnection& link) {
  const Upstream* const owner = owner_of(uri);
  return owner != nullptr && owner != &upstream_of(link);
}

std::optional<std::string> resource_of(const mcp::Call& call) {
  if (const auto* read = std::get_if<mcp::ResourceRead>(&call.params)) return read->uri;
  if (const auto* watch = std::get_if<mcp::ResourceWatch>(&call.params)) return watch->uri;
  const auto* complete = std::get_if<mcp::CompletionRequest>(&call.params);
  const bool is_its = complete != nullptr && complete->of == mcp::CompletionRequest::Of::resource;
  return is_its ? std::optional(complete->reference) : std::nullopt;
}

bool Gateway::is_of_nobody_known(const mcp::Call& call) const {
  const std::optional<std::string> uri = resource_of(call);
  return upstreams_.size() > 1 && uri && owner_of(*uri) == nullptr;
}

struct Gateway::Search {
  std::vector<std::uint64_t>
      left;  ///< Upstream::number of those who are asked next, the last first
  std::function<void(Relay& relay, client::CallResult result)> found;
  std::optional<client::CallResult> first;  ///< what is said when nobody has it
};

void Gateway::search_resource(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  search_for(call, port, [this](Relay& self, client::CallResult result) {
    *result = sealed(self, std::move(*result));
    self.reply(as_reply(std::move(result)));
  });
}

// Some complete whatever they are asked for, so that lists are looked at first.
void Gateway::search_template(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  constexpr auto kList = mcp::Method::resources_templates_list;
  std::vector<Upstream*> unknown;
  for (const auto& upstream : upstreams_) {
    const bool has_some = upstream->identity && upstream->identity->capabilities.has("resources");
    if (has_some && !upstream->known.contains(kList)) unknown.push_back(upstream.get());
  }
  learn_from(unknown, kList, call, port, [this, alive = alive_, call, weak = std::weak_ptr(port)] {
    const std::shared_ptr<serve::Port> open = *alive ? weak.lock() : nullptr;
    if (open) is_of_nobody_known(call) ? search_resource(call, open) : relay(call, open);
  });
}

// A server may take a subscription to what it does not have; reading says more.
void Gateway::search_to_watch(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  mcp::Call read = call;
  read.method = mcp::Method::resources_read;
  read.method_name = mcp::name(read.method);
  read.params = mcp::ResourceRead{*resource_of(call)};
  search_for(read, port, [this, call](Relay& self, const client::CallResult& /*result*/) {
    const std::shared_ptr<serve::Port> where = self.port();
    self.cancel("it was found");
    if (where) watch(call, where);
  });
}

void Gateway::search_for(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                         std::function<void(Relay&, client::CallResult)> found) {
  const auto search = std::make_shared<Search>();
  search->found = std::move(found);
  const std::string_view capability =
      call.method == mcp::Method::resources_read ? "resources" : "completions";
  Upstream* first = nullptr;
  for (const auto& upstream : upstreams_) {
    const bool has_none = upstream->identity && !upstream->identity->capabilities.has(capability);
    if (has_none || search->left.size() + 1 == kMostAsked) continue;
    if (first == nullptr) {
      first = upstream.get();
    } else {
      search->left.push_back(upstream->number);
    }
  }
  std::ranges::reverse(search->left);
  if (first == nullptr) first = upstreams_.front().get();
  ask_for(*start_relay(call, port, *first), *first, search);
}

void Gateway::ask_for(Relay& relay, Upstream& upstream, const std::shared_ptr<Search>& search) {
  const auto with_number = [this](std::uint64_t number) -> Upstream* {
    const auto found =
        std::ranges::find_if(upstreams_, [&](const auto& one) { return one->number == number; });
    return found != upstreams_.end() ? found->get() : nullptr;
  };
  relay.send(options_for(relay, relay.call().raw_params),
             [this, search, with_number, number = upstream.number](Relay& self,
                                                                   client::CallResult result) {
               if (result && !completes_nothing(result->view())) {
                 Upstream* const owner = with_number(number);
                 if (owner != nullptr) note_resource(*resource_of(self.call()), *owner);
                 search->found(self, std::move(result));
                 return;
               }
               const bool goes_on = result || may_be_elsewhere(result.error());
               if (!search->first || (result && !*search->first)) search->first = std::move(result);
               Upstream* next = nullptr;
               while (goes_on && next == nullptr && !search->left.empty()) {
                 next = with_number(search->left.back());
                 search->left.pop_back();
               }
               const std::shared_ptr<serve::Port> port = self.port();
               if (next == nullptr || !port) {
                 self.reply(as_reply(std::move(*search->first)));
                 return;
               }
               self.turn_to(link_for(visitor_of(*port), self.call(), *next));
               ask_for(self, *next, search);
             });
}

}  // namespace enfold::gateway
