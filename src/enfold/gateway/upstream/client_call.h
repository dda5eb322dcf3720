// SPDX-License-Identifier: Apache-2.0
// An open call of a client and the request to the upstream. If an upstream with sessions asks a
// question during the call and the client has no session, the question becomes the result of the
// client's call; the request to the upstream stays open (the call is parked) until the client calls
// again with the answer.
#pragma once

#include "enfold/gateway/upstream/connection.h"
#include "enfold/serve/service.h"

#include <list>
#include <unordered_map>

namespace enfold::gateway {

class OpenCalls;

/// The reply for an upstream's result, or for the failure of the request.
[[nodiscard]] mcp::Reply as_reply(client::CallResult result);

class ClientCall : public serve::OpenCall, public std::enable_shared_from_this<ClientCall> {
 public:
  ClientCall(mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel,
             OpenCalls& open_calls)
      : call_(std::move(call)), channel_(channel), open_calls_(open_calls) {}

  /// Replies to the client and ends the call.
  void reply(mcp::Reply reply);
  void cancel(serve::CancelCause cause) override { abandon(serve::reason(cause)); }
  /// Ends the call without a reply.
  void abandon(std::string_view reason);
  /// Sends the client a notification that belongs to this call.
  void notify(std::string_view method, json::View params);

  /// Sends a question to the client as the result of its call. The client returns `state` with the
  /// answer.
  void park(mcp::ServerRequestKey ask, const mcp::InputRequest& request, const std::string& state);
  [[nodiscard]] bool is_parked() const { return !state_.empty(); }
  /// The client has called again with the answer.
  void resume(mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel);

  [[nodiscard]] const mcp::Call& call() const { return call_; }
  [[nodiscard]] std::shared_ptr<serve::ClientChannel> channel() const { return channel_.lock(); }
  [[nodiscard]] const std::shared_ptr<UpstreamConnection>& connection() const {
    return connection_;
  }
  [[nodiscard]] bool is_from_session() const {
    return call_.caller && call_.caller->era == mcp::Era::sessions;
  }
  [[nodiscard]] bool is_ended() const { return is_ended_; }

 protected:
  /// Requests go over this connection from now on.
  void use(std::shared_ptr<UpstreamConnection> connection);
  /// `on_result` follows, unless the call ends before.
  void send(mcp::CallOptions options);
  virtual void on_result(client::CallResult result) = 0;
  void replace_call(mcp::Call call) { call_ = std::move(call); }

 private:
  void end();

  mcp::Call call_;
  std::weak_ptr<serve::ClientChannel> channel_;
  OpenCalls& open_calls_;
  std::shared_ptr<UpstreamConnection> connection_;
  std::list<std::shared_ptr<ClientCall>>::iterator
      place_{};  ///< position among the calls on `connection_`
  std::optional<mcp::CallKey> request_;
  bool is_ended_ = false;
  std::string state_;
  mcp::ServerRequestKey ask_{};
  std::string question_;
  std::optional<mcp::Reply> kept_;  ///< the reply that arrived while the call was parked
};

/// The calls that are open on connections to upstreams, in the order in which they were sent.
class OpenCalls {
 public:
  using List = std::list<std::shared_ptr<ClientCall>>;

  /// Called whenever a call has ended.
  void on_end(std::function<void()> ended) { on_end_ = std::move(ended); }
  [[nodiscard]] List::iterator add(const UpstreamConnection& connection,
                                   std::shared_ptr<ClientCall> call);
  void remove(const UpstreamConnection& connection, List::iterator place);
  void ended() const {
    if (on_end_) on_end_();
  }

  [[nodiscard]] List on(const UpstreamConnection& connection) const;
  [[nodiscard]] bool any_on(const UpstreamConnection& connection) const {
    return calls_.contains(&connection);
  }
  /// The latest call on a connection that is not parked; nullptr: there is none.
  [[nodiscard]] std::shared_ptr<ClientCall> last_on(const UpstreamConnection& connection) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unordered_map<const UpstreamConnection*, List> calls_;
  std::size_t size_ = 0;
  std::function<void()> on_end_;
};

}  // namespace enfold::gateway
