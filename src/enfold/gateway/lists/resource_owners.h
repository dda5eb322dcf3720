// SPDX-License-Identifier: Apache-2.0
// Finds the upstream that has a resource: the one that listed it, or the one whose URI template has
// the longest prefix of the URI.
#pragma once

#include "enfold/gateway/upstream/upstream_set.h"
#include "enfold/mcp/types/call.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace enfold::gateway {

/// The URI of the resource or template in the params of a call; nullopt: there is none.
[[nodiscard]] std::optional<std::string> resource_of(const mcp::Call& call);

class ResourceOwners {
 public:
  explicit ResourceOwners(const UpstreamSet& upstreams) : upstreams_(upstreams) {}

  void note(std::string uri, Upstream& upstream);
  void forget(const Upstream& upstream);
  /// nullptr: the owner is not known.
  [[nodiscard]] Upstream* owner_of(const std::string& uri) const;
  [[nodiscard]] bool is_of_another(const std::string& uri, const Upstream& upstream) const;
  /// Whether a call names a resource whose owner is not known, so that every upstream must be asked
  /// for it. False with a single upstream.
  [[nodiscard]] bool must_ask_all_upstreams(const mcp::Call& call) const;

 private:
  const UpstreamSet& upstreams_;
  std::unordered_map<std::string, Upstream*> owners_;
};

}  // namespace enfold::gateway
