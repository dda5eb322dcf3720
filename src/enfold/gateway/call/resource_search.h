// SPDX-License-Identifier: Apache-2.0
// A call about a resource that is in no list which Enfold knows: Enfold sends it to one upstream
// after the other until one of them has the resource.
#pragma once

#include "enfold/gateway/call/services.h"
#include "enfold/gateway/upstream/connection.h"

namespace enfold::gateway {

/// Begins a call for which ResourceOwners::must_ask_all_upstreams is true.
[[nodiscard]] std::shared_ptr<serve::OpenCall> search_resource(
    const CallServices& services, const mcp::Call& call,
    const std::shared_ptr<serve::ClientChannel>& channel);

class ResourceSearch final : public ClientCall {
 public:
  /// Called once, with the result of the upstream that has the resource; must reply to the call or
  /// abandon it. If no upstream has the resource, the search replies itself.
  using OnFound = std::function<void(ResourceSearch& search, client::CallResult result)>;
  static std::shared_ptr<serve::OpenCall> begin(
      const CallServices& services, const mcp::Call& call,
      const std::shared_ptr<serve::ClientChannel>& channel, OnFound found);
  ResourceSearch(const CallServices& services, const mcp::Call& call,
                 const std::shared_ptr<serve::ClientChannel>& channel, OnFound found)
      : ClientCall(call, channel, services.open_calls),
        services_(services),
        found_(std::move(found)) {}

 private:
  void start(serve::ClientChannel& channel);
  void ask(Upstream& upstream, serve::ClientChannel& channel);
  /// Takes the next upstream to ask, if it still exists; nullptr: none is left.
  [[nodiscard]] Upstream* next();
  void on_result(client::CallResult result) override;

  const CallServices& services_;
  OnFound found_;
  std::uint64_t asked_ = 0;               ///< Upstream::number of the upstream that was asked last
  std::vector<std::uint64_t> remaining_;  ///< upstreams still to ask, in reverse order
  /// For the client if no upstream has the resource: the first success (an empty list of
  /// completions), else the first failure. Not set until an upstream has answered.
  std::optional<client::CallResult> reply_;
};

}  // namespace enfold::gateway
