// SPDX-License-Identifier: Apache-2.0
// Whose a resource is: of whoever listed it, or a template that it fits; else it is asked for until
// somebody has it.
#include "enfold/gateway/gateway.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMostAsked = 16;

// The text before the first variable; a template that begins with one fits everything and tells
// nothing.
std::string prefix_of(json::View item) {
  const std::string text = mcp::text_member(item, "uriTemplate").value_or("");
  return text.substr(0, text.find('{'));
}

// Servers say in many ways that they do not have it.
bool may_be_elsewhere(const client::CallFailure& failure) {
  return failure.refusal || failure.error.code == ErrorCode::unavailable;
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

struct Gateway::Search {
  std::vector<std::uint64_t>
      left;  ///< Upstream::number of those who are asked next, the last first
  std::optional<client::CallFailure> first;  ///< what the first said
};

void Gateway::search_resource(const mcp::Call& call, const std::shared_ptr<server::Port>& port) {
  const auto search = std::make_shared<Search>();
  Upstream* first = nullptr;
  for (const auto& upstream : upstreams_) {
    const bool has_none = upstream->identity && !upstream->identity->capabilities.has("resources");
    if (has_none || search->left.size() + 1 == kMostAsked) continue;
    if (first == nullptr) {
      first = upstream.get();
    } else {
      search->left.push_back(upstream->number);
    }
  }
  std::ranges::reverse(search->left);
  if (first == nullptr) first = upstreams_.front().get();
  read_from(*start_relay(call, port, *first), *first, search);
}

void Gateway::read_from(Relay& relay, Upstream& upstream, const std::shared_ptr<Search>& search) {
  const auto with_number = [this](std::uint64_t number) -> Upstream* {
    const auto found =
        std::ranges::find_if(upstreams_, [&](const auto& one) { return one->number == number; });
    return found != upstreams_.end() ? found->get() : nullptr;
  };
  relay.send(options_for(relay, relay.call().raw_params),
             [this, search, with_number, number = upstream.number](Relay& self,
                                                                   client::CallResult result) {
               if (result) {
                 Upstream* const owner = with_number(number);
                 const auto& uri = std::get_if<mcp::ResourceRead>(&self.call().params)->uri;
                 if (owner != nullptr) note_resource(uri, *owner);
                 *result = sealed(self, std::move(*result));
                 self.reply(as_reply(std::move(result)));
                 return;
               }
               const bool goes_on = may_be_elsewhere(result.error());
               if (!search->first) search->first = std::move(result.error());
               Upstream* next = nullptr;
               while (goes_on && next == nullptr && !search->left.empty()) {
                 next = with_number(search->left.back());
                 search->left.pop_back();
               }
               const std::shared_ptr<server::Port> port = self.port();
               if (next == nullptr || !port) {
                 self.reply(as_reply(tl::unexpected(*search->first)));
                 return;
               }
               self.turn_to(link_for(visitor_of(*port), self.call(), *next));
               read_from(self, *next, search);
             });
}

}  // namespace enfold::gateway
