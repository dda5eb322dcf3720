// SPDX-License-Identifier: Apache-2.0
// Which upstream a resource belongs to: the one that listed it, or the one with the longest
// template prefix that it begins with.
#pragma once

#include "enfold/gateway/upstream/upstream_set.h"
#include "enfold/mcp/types/call.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace enfold::gateway {

/// The URI of the resource or template that a call is about; nullopt: it is about none.
[[nodiscard]] std::optional<std::string> resource_of(const mcp::Call& call);

class ResourceOwners {
 public:
  explicit ResourceOwners(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  void note(std::string uri, Upstream& upstream);
  void forget(const Upstream& upstream);
  /// nullptr: not known.
  [[nodiscard]] Upstream* owner_of(const std::string& uri) const;
  [[nodiscard]] bool is_of_another(const std::string& uri, const Upstream& upstream) const;
  /// Whether a call is about a resource that may belong to any of several upstreams.
  [[nodiscard]] bool must_search(const mcp::Call& call) const;

 private:
  const UpstreamSet& upstreams_;
  std::unordered_map<std::string, Upstream*> owners_;
};

}  // namespace enfold::gateway
