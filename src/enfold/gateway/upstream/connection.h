// SPDX-License-Identifier: Apache-2.0
// A connection to an upstream, and the calls that are open on it.
#pragma once

#include "enfold/base/shares.h"
#include "enfold/client/client.h"
#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/policy/breaker.h"
#include "enfold/gateway/policy/client_share.h"
#include "enfold/gateway/policy/reserved_bytes.h"
#include "enfold/serve/service.h"

#include <list>
#include <unordered_map>

namespace enfold::gateway {

class UpstreamConnection;

/// Receives the events of connections to upstreams.
class UpstreamOwner {
 public:
  /// The place of the error of `Broken` is the name of the upstream; if it has none, its program or
  /// origin. The handler may destroy the connection.
  virtual void on_event(UpstreamConnection& connection, client::Event event) = 0;
  using Filtered = std::function<void(client::CallResult result)>;
  /// Called with the reply of an upstream to a request of this method, unless it is the answer of a
  /// tool, before the caller of the request sees it. Calls `done` with what that caller may see,
  /// now or later. `principal`: whose request it was; empty: of the gateway itself.
  virtual void filter_reply(std::string_view method, const std::string& principal,
                            client::CallResult result, Filtered done) const = 0;
  /// The params of a progress notification as clients may see them; nullopt: none may see them.
  [[nodiscard]] virtual std::optional<json::Value> shown_progress(UpstreamConnection& connection,
                                                                  const json::Value& params) = 0;
  /// As client::ClientOptions::work, for messages of the upstream.
  virtual void work(const UpstreamSettings& upstream, std::size_t bytes, net::Task job,
                    net::Task done) = 0;

 protected:
  ~UpstreamOwner() = default;
};

/// Longer notifications are not forwarded: they are redacted on the loop, because their order must
/// be kept.
inline constexpr std::size_t kMaxNotificationBytes = std::size_t{256} << 10;

/// Adds the gateway's policy to a Client: connects when a request needs a connection, waits as the
/// circuit breaker of the principal demands, and restarts a child process that hangs.
class UpstreamConnection : public std::enable_shared_from_this<UpstreamConnection> {
 public:
  /// `settings`, `breakers` and `owner` must outlive the connection. `on_behalf_of`: the client
  /// that the server sees; clients with the same name and capabilities may share a connection.
  /// `known_era`: the era to try first; nullopt: not known.
  UpstreamConnection(net::Loop& loop, const UpstreamSettings& settings, Breakers& breakers,
                     UpstreamOwner& owner, std::shared_ptr<const mcp::Caller> on_behalf_of,
                     std::optional<mcp::Era> known_era);
  UpstreamConnection(const UpstreamConnection&) = delete;
  UpstreamConnection& operator=(const UpstreamConnection&) = delete;
  ~UpstreamConnection();

  /// Keeps `until_end` for the lifetime of the connection: its deleter runs when that ends.
  void hold(std::shared_ptr<void> until_end) { held_.push_back(std::move(until_end)); }
  /// `on_request_end` is called when a request has ended, before its caller gets the result.
  void set_on_request_end(std::function<void()> on_request_end) {
    on_request_end_ = std::move(on_request_end);
  }
  /// From now on every request fails with this error, and nothing is connected.
  void refuse(Error why) { refusal_ = std::move(why); }
  [[nodiscard]] bool is_refused() const { return refusal_.has_value(); }

  /// Connects now, even if the circuit breaker is open. `done` is never called before this returns.
  void connect(client::Client::Connected done);

  /// The options of a request with the timeouts of the settings, for request().
  [[nodiscard]] mcp::CallOptions prepare(std::string_view method, json::Value params) const {
    return client_.prepare(method, std::move(params));
  }
  /// Sends a request; connects first if necessary, after the wait of the circuit breaker, or fails
  /// if the breaker is open. `done` is never called before this returns. `principal`: whose call it
  /// is; empty: of the gateway itself.
  mcp::CallKey request(mcp::CallOptions options, client::CallEvents events,
                       const std::string& principal = {});
  /// See Client::cancel.
  bool cancel(mcp::CallKey call, std::string_view reason,
              mcp::LateAnswer late = mcp::LateAnswer::drop) {
    return client_.cancel(call, reason, late);
  }
  void notify(std::string_view method, json::View params) { client_.notify(method, params); }
  /// Replies to a request of the server.
  void answer(mcp::ServerRequestKey key, mcp::ResultOrError outcome) {
    client_.answer(key, std::move(outcome));
  }
  /// Closes the connection; a child process may end gracefully. Open requests fail.
  void close(net::Task done);

  [[nodiscard]] bool is_ready() const { return client_.is_ready(); }
  [[nodiscard]] bool is_connecting() const { return client_.is_connecting(); }
  [[nodiscard]] const mcp::ServerIdentity& server() const { return client_.server(); }
  [[nodiscard]] bool is_over_http() const { return client_.is_over_http(); }
  /// How many handshakes have succeeded.
  [[nodiscard]] std::size_t times_ready() const { return times_ready_; }
  /// The number of open requests, also of those whose reply is being filtered.
  [[nodiscard]] std::size_t open_requests() const { return client_.open_requests() + filtering_; }
  /// When it became ready, or a request last began or ended.
  [[nodiscard]] net::TimePoint last_used() const { return last_used_; }
  [[nodiscard]] const UpstreamSettings& settings() const { return settings_; }
  [[nodiscard]] const std::shared_ptr<const mcp::Caller>& on_behalf_of() const {
    return on_behalf_of_;
  }

 private:
  void on_event(client::Event event);
  /// A request has ended: tells the circuit breaker, completes the error, and then calls
  /// show_reply().
  void on_reply(std::string_view method, const std::string& principal, client::CallResult result,
                net::Callback<void(client::CallResult result)> done);
  /// Filters the reply and gives the caller of the request what it may see.
  void show_reply(std::string_view method, const std::string& principal, client::CallResult result,
                  net::Callback<void(client::CallResult result)> done);
  /// The failure of a request that must not be sent; nullopt: it may be sent.
  [[nodiscard]] std::optional<client::CallFailure> refusal(const std::string& principal) const;
  /// Checks by a ping whether the server hangs, and restarts it if it does. `principal`: whose call
  /// timed out; empty: a request of the gateway itself.
  void probe_after_timeout(const std::string& principal);

  net::Loop& loop_;
  const UpstreamSettings& settings_;
  Breakers& breakers_;
  UpstreamOwner& owner_;
  std::shared_ptr<const mcp::Caller> on_behalf_of_;
  std::vector<std::shared_ptr<void>> held_;  ///< by hold()
  std::function<void()> on_request_end_;
  std::size_t filtering_ = 0;     ///< replies that the owner filters
  std::optional<Error> refusal_;  ///< set by refuse()
  std::size_t times_ready_ = 0;
  net::TimePoint last_used_;
  bool was_ready_ = false;            ///< a handshake has succeeded since the last break
  std::string last_principal_;        ///< of the last call; empty: there was none
  std::set<std::string> broken_for_;  ///< principals whose calls failed at `broken_at_`
  net::TimePoint broken_at_{};        ///< when a call last failed as `unavailable`
  std::string hung_for_;  ///< whose call timed out before the restart; empty: no restart
  bool is_probing_ =
      false;  ///< a ping checks whether a server that did not answer a call still runs
  client::Client client_;
  net::Timer retry_;  ///< connects when the wait of the circuit breaker is over
  Lifetime lifetime_;
};

class OpenCalls;

/// The reply for an upstream's result, or for the failure of the request.
[[nodiscard]] mcp::Reply as_reply(client::CallResult result);

/// An open call of a client and its request to the upstream. During the call an upstream of the
/// session era may ask the client a question (elicitation, sampling, roots). If the client has no
/// session, the question becomes the result of its call; the request to the upstream stays open
/// (the call is parked) until the client calls again with the answer.
class ClientCall : public serve::OpenCall, public std::enable_shared_from_this<ClientCall> {
 public:
  ClientCall(mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel,
             OpenCalls& open_calls)
      : call_(std::move(call)), channel_(channel), open_calls_(open_calls) {}

  /// Replies to the client and ends the call; for a parked call, when it is resumed.
  void reply(mcp::Reply reply);
  void cancel(serve::CancelCause cause) override { abandon(serve::reason(cause)); }
  /// Ends the call without a reply to the client. If the upstream has not answered, its request is
  /// cancelled with this reason.
  void abandon(std::string_view reason);
  /// Sends the client a notification that belongs to this call.
  void notify(std::string_view method, json::View params);
  /// Called when the connection is ready, before the request that waits for it is sent.
  virtual void on_ready() {}

  /// Sends the question `request` to the client as the result of its call. The client returns
  /// `state` with the answer. `key`: of the upstream's request, which resume() answers.
  void park(mcp::ServerRequestKey key, const mcp::InputRequest& request, const std::string& state);
  [[nodiscard]] bool is_parked() const { return !state_.empty(); }
  /// Continues a parked call: the client has sent `call` with the answer.
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
  /// Whether the call can send its client something now: the client waits for its answer.
  [[nodiscard]] bool is_awaited() const { return !is_ended_ && !client_has_left_ && !is_parked(); }
  /// Whether the client has cancelled the call, which is open only for a late answer.
  [[nodiscard]] bool client_has_left() const { return client_has_left_; }

 protected:
  /// Tells the upstream that the call is cancelled, but keeps the call open for an answer that
  /// comes all the same: `on_result` is called, and nothing is sent to the client. False: this is
  /// not possible (see Client::cancel), and nothing was done.
  [[nodiscard]] bool keep_for_late_answer(std::string_view reason);
  /// The same for a call that the upstream has answered: it stays open until the answer is shaped,
  /// which is not sent to the client.
  void keep_until_shaped() { client_has_left_ = true; }
  /// Takes one of the places for open calls, which the call keeps until it ends. False: the client
  /// has its share, so the call must be refused. A place that was taken before is kept.
  [[nodiscard]] bool take_place(const ClientShare& client);
  [[nodiscard]] bool take_place();  ///< finds the share of the client itself
  /// Sends the request to the upstream; the call then belongs to this connection, and not to that
  /// of an earlier attempt. `on_result` is called with the result, unless the call ends before.
  /// If take_place() fails, the client gets OpenCalls::refusal() instead.
  void send(std::shared_ptr<UpstreamConnection> connection, mcp::CallOptions options);
  virtual void on_result(client::CallResult result) = 0;
  /// Cancels the request to the upstream, if it is open; `on_result` is not called.
  void cancel_request(std::string_view reason);
  void replace_call(mcp::Call call) { call_ = std::move(call); }

 private:
  /// Frees the place of the call and removes it from the open calls.
  void end();

  mcp::Call call_;
  std::weak_ptr<serve::ClientChannel> channel_;
  OpenCalls& open_calls_;
  std::shared_ptr<UpstreamConnection> connection_;
  std::list<std::shared_ptr<ClientCall>>::iterator
      position_{};                       ///< position among the calls on `connection_`
  std::optional<mcp::CallKey> request_;  ///< to the upstream, while it is open
  std::shared_ptr<void> share_;          ///< see take_place(); null: none taken
  bool is_ended_ = false;
  bool client_has_left_ = false;
  // Of a parked call.
  std::string state_;                     ///< empty: not parked
  mcp::ServerRequestKey question_{};      ///< the upstream's request
  std::string input_;                     ///< key of the answer among the client's input responses
  std::optional<mcp::Reply> held_reply_;  ///< arrived while the call was parked
};

/// The calls that are open on connections to upstreams, in the order in which they were sent.
class OpenCalls {
 public:
  using List = std::list<std::shared_ptr<ClientCall>>;
  /// Settings must outlive this object.
  explicit OpenCalls(const Settings& settings)
      : settings_(settings), places_(settings.max_open_calls) {}

  /// One of the places for calls of this client; null: it has its share, or all are taken, or the
  /// arguments of its open calls hold too much memory. `bytes`: of the arguments.
  [[nodiscard]] std::shared_ptr<void> take_place(const ClientShare& client, std::size_t bytes) {
    if (bytes <= kSmallArguments) return places_.take(client.owner, client.limit);
    return take_large_place(client, bytes);
  }
  [[nodiscard]] ClientShare share_of(const serve::ConnectionState& client) const {
    return gateway::share_of(settings_, client);
  }
  /// Of a call that got no place; `bytes`: as for take_place().
  [[nodiscard]] mcp::RpcError refusal(std::size_t bytes) const;
  /// Whether arguments of this size are counted: with them, a call may get no place because of its
  /// size.
  [[nodiscard]] static bool counts(std::size_t bytes) { return bytes > kSmallArguments; }
  /// `on_begin` is called whenever a call begins on a connection, before its request is sent.
  void set_on_begin(std::function<void(UpstreamConnection&)> on_begin) {
    on_begin_ = std::move(on_begin);
  }
  /// `on_end` is called whenever a call has ended.
  void set_on_end(std::function<void()> on_end) { on_end_ = std::move(on_end); }
  [[nodiscard]] List::iterator add(UpstreamConnection& connection,
                                   std::shared_ptr<ClientCall> call);
  void remove(const UpstreamConnection& connection, List::iterator position);
  void report_end() const {
    if (on_end_) on_end_();
  }

  [[nodiscard]] List on(const UpstreamConnection& connection) const;  ///< also parked calls
  /// Whether any call is open on a connection, also a parked one.
  [[nodiscard]] bool any_on(const UpstreamConnection& connection) const {
    return calls_.contains(&connection);
  }
  /// Whether a call on a connection is not cancelled: its client waits, or may resume it.
  [[nodiscard]] bool any_wanted_on(const UpstreamConnection& connection) const;
  /// The latest call on a connection whose client waits; nullptr: there is none.
  [[nodiscard]] std::shared_ptr<ClientCall> last_on(const UpstreamConnection& connection) const;
  [[nodiscard]] std::size_t size() const { return size_; }

  /// When the arguments of open calls hold this many bytes, no further call with large arguments
  /// runs. One client (ClientShare) may use a quarter.
  static constexpr std::size_t kMaxArgumentBytes = std::size_t{512} << 20;

 private:
  /// Shorter arguments are not counted: the number of open calls limits them.
  static constexpr std::size_t kSmallArguments = std::size_t{64} << 10;

  [[nodiscard]] std::shared_ptr<void> take_large_place(const ClientShare& client,
                                                       std::size_t bytes);

  const Settings& settings_;
  Shares places_;
  std::shared_ptr<ReservedBytes> arguments_ = std::make_shared<ReservedBytes>();
  std::unordered_map<const UpstreamConnection*, List> calls_;
  std::size_t size_ = 0;
  std::function<void(UpstreamConnection&)> on_begin_;
  std::function<void()> on_end_;
};

inline bool ClientCall::take_place(const ClientShare& client) {
  if (!share_) share_ = open_calls_.take_place(client, call_.raw_params->raw().size());
  return share_ != nullptr;
}

inline bool ClientCall::take_place() {
  if (share_) return true;
  const std::shared_ptr<serve::ClientChannel> channel = channel_.lock();
  return channel && take_place(open_calls_.share_of(channel->state()));
}

}  // namespace enfold::gateway
