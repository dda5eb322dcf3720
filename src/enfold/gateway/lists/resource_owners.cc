// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/resource_owners.h"

#include "enfold/json/member.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMostResources = 100'000;

// The text before the first variable. If a template begins with a variable the prefix is empty and
// would fit every URI; owner_of ignores it.
std::string prefix_of(json::View item) {
  const std::string text = json::string_member(item, "uriTemplate").value_or("");
  return text.substr(0, text.find('{'));
}

}  // namespace

std::optional<std::string> resource_of(const mcp::Call& call) {
  if (const auto* read = std::get_if<mcp::ResourceRead>(&call.params)) return read->uri;
  if (const auto* watch = std::get_if<mcp::ResourceSubscription>(&call.params)) return watch->uri;
  const auto* complete = std::get_if<mcp::CompletionRequest>(&call.params);
  const bool names_resource =
      complete != nullptr && complete->of == mcp::CompletionRequest::Of::resource;
  return names_resource ? std::optional(complete->reference) : std::nullopt;
}

// The number of URIs is up to the upstreams, so it is limited. When the table is full, the upstream
// that adds one loses its earlier entries.
void ResourceOwners::note(std::string uri, Upstream& upstream) {
  if (owners_.size() >= kMostResources) forget(upstream);
  if (owners_.size() < kMostResources) owners_.insert_or_assign(std::move(uri), &upstream);
}

void ResourceOwners::forget(const Upstream& upstream) {
  std::erase_if(owners_, [&](const auto& one) { return one.second == &upstream; });
}

Upstream* ResourceOwners::owner_of(const std::string& uri) const {
  const auto found = owners_.find(uri);
  if (found != owners_.end()) return found->second;
  Upstream* owner = nullptr;
  std::size_t longest = 0;
  for (const auto& upstream : upstreams_.current()) {
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

bool ResourceOwners::is_of_another(const std::string& uri, const Upstream& upstream) const {
  const Upstream* const owner = owner_of(uri);
  return owner != nullptr && owner != &upstream;
}

bool ResourceOwners::must_ask_all_upstreams(const mcp::Call& call) const {
  if (upstreams_.is_single()) return false;
  const std::optional<std::string> uri = resource_of(call);
  return uri && owner_of(*uri) == nullptr;
}

}  // namespace enfold::gateway
