// SPDX-License-Identifier: Apache-2.0
// The open requests of a client: sent to the server, or waiting for a connection. The peer uses the
// same keys.
#pragma once

#include "enfold/client/event.h"
#include "enfold/mcp/peer/client_action.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace enfold::client::detail {

struct OpenRequest {
  mcp::CallOptions options;
  CallEvents events;
  bool is_sent = false;
  bool was_resent = false;
};

class Requests {
 public:
  mcp::CallKey add(mcp::CallOptions options, CallEvents events) {
    const auto call = static_cast<mcp::CallKey>(++last_call_);
    open_.emplace(
        call, std::make_shared<OpenRequest>(OpenRequest{std::move(options), std::move(events)}));
    return call;
  }
  /// nullptr: it is not open.
  [[nodiscard]] std::shared_ptr<OpenRequest> find(mcp::CallKey call) const {
    const auto found = open_.find(call);
    return found == open_.end() ? nullptr : found->second;
  }
  std::shared_ptr<OpenRequest> take(mcp::CallKey call) {
    std::shared_ptr<OpenRequest> request = find(call);
    open_.erase(call);
    return request;
  }
  /// The callback may destroy this object.
  void finish(mcp::CallKey call, CallResult result) {
    const std::shared_ptr<OpenRequest> request = take(call);
    if (request && request->events.done) request->events.done(std::move(result));
  }

  [[nodiscard]] std::size_t size() const { return open_.size(); }
  [[nodiscard]] std::vector<mcp::CallKey> keys() const {
    std::vector<mcp::CallKey> out;
    for (const auto& [call, request] : open_) out.push_back(call);
    return out;
  }
  /// Those that wait for a connection.
  [[nodiscard]] std::vector<mcp::CallKey> waiting() const {
    std::vector<mcp::CallKey> out;
    for (const auto& [call, request] : open_) {
      if (!request->is_sent) out.push_back(call);
    }
    return out;
  }

 private:
  std::map<mcp::CallKey, std::shared_ptr<OpenRequest>> open_;
  std::uint64_t last_call_ = 0;
};

}  // namespace enfold::client::detail
