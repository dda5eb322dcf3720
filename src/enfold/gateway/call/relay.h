// SPDX-License-Identifier: Apache-2.0
// One call of a client and the request that carries it to an upstream. Where the upstream has
// sessions and the client has none, a question in between ends the client's call and leaves the
// request standing (parked) until the client comes back with the answer.
#pragma once

#include "enfold/gateway/upstream/connection.h"
#include "enfold/serve/service.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace enfold::gateway {

/// What an upstream answered, as it is; or why it did not.
[[nodiscard]] mcp::Reply as_reply(client::CallResult result);

class Relay : public std::enable_shared_from_this<Relay> {
 public:
  using Done = std::function<void(Relay& relay, client::CallResult result)>;
  /// The client's call has its answer, or needs none any more.
  using Ended = std::function<void(Relay& relay)>;

  Relay(mcp::Call call, const std::shared_ptr<serve::Port>& port,
        std::shared_ptr<UpstreamConnection> link)
      : call_(std::move(call)), port_(port), link_(std::move(link)) {}
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  void on_ended(Ended ended) { ended_ = std::move(ended); }
  /// `done` must reply, now or later.
  void send(mcp::CallOptions options, Done done);
  /// Asks somebody else: what was sent has failed.
  void turn_to(std::shared_ptr<UpstreamConnection> link) { link_ = std::move(link); }
  void reply(mcp::Reply reply);
  /// The client wants no answer any more.
  void cancel(std::string_view reason);
  /// A notification of the upstream that belongs to this call.
  void notify(std::string_view method, json::View params);

  /// Asks the client by ending its call; `state` is what it must send along when it comes back.
  void park(mcp::AskKey ask, const mcp::InputRequest& request, const std::string& state);
  [[nodiscard]] bool is_parked() const { return !state_.empty(); }
  [[nodiscard]] const std::string& state() const { return state_; }
  /// The client is back, with a call of its own.
  void resume(mcp::Call call, const std::shared_ptr<serve::Port>& port);

  [[nodiscard]] const mcp::Call& call() const { return call_; }
  [[nodiscard]] std::shared_ptr<serve::Port> port() const { return port_.lock(); }
  [[nodiscard]] const std::shared_ptr<UpstreamConnection>& link() const { return link_; }
  [[nodiscard]] bool is_ended() const { return !ended_; }

 private:
  void end();

  mcp::Call call_;
  std::weak_ptr<serve::Port> port_;
  std::shared_ptr<UpstreamConnection> link_;
  std::optional<mcp::CallKey> ticket_;
  Done done_;
  Ended ended_;
  std::string state_;
  mcp::AskKey ask_{};
  std::string question_;
  std::optional<mcp::Reply> kept_;  ///< the answer that came while nobody was there to take it
};

}  // namespace enfold::gateway
