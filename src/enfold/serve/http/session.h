// SPDX-License-Identifier: Apache-2.0
// What lives behind HTTP requests: a session with its streams, or one request of the stateless era.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/mcp/wire/http.h"
#include "enfold/serve/connection.h"
#include "enfold/serve/http/exchange.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace enfold::serve {

class HttpSession final : private Sink {
 public:
  HttpSession(Service& service, std::string id, const std::string& principal);
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;
  ~HttpSession();

  void post(mcp::SessionPost post, net::Responder responder);
  void open_stream(const mcp::SessionStream& asked, net::Responder responder);
  /// Ends the stream that waits for nothing in particular.
  void end_standalone();
  void keep_alive();

  [[nodiscard]] const std::string& principal() const { return connection_->memory().principal; }
  [[nodiscard]] bool is_open() const { return connection_->peer().has_session(); }
  /// It has a call without an answer, or a client that listens.
  [[nodiscard]] bool is_busy() const { return !exchanges_.empty() || listens_; }
  /// Called whenever is_busy() may have changed.
  void on_activity(std::function<void()> changed) { on_activity_ = std::move(changed); }
  [[nodiscard]] mcp::Time last_used() const { return last_used_; }
  void touch(mcp::Time now) { last_used_ = now; }

 private:
  using Exchanges = std::vector<std::pair<mcp::CallKey, std::shared_ptr<HttpExchange>>>;  ///< few

  [[nodiscard]] Exchanges::iterator find(mcp::CallKey call);
  void send(mcp::Send send) override;
  void begin(mcp::CallKey call) override;
  void cancelled(mcp::CallKey call) override;
  void close_stream(mcp::CallKey call) override;
  void resume(const mcp::era_2025::EventLog::Replay& replay, net::BodyWriter body);
  void listen_on(net::BodyWriter body);
  void set_listening(bool listens);
  void tell_activity() {
    if (on_activity_) on_activity_();
  }
  void stream_after(mcp::Time wait);
  void open_late_streams();

  Host& host_;
  StreamLog log_{.events =
                     mcp::era_2025::EventLog({.events = 128, .bytes = std::size_t{256} << 10})};
  std::shared_ptr<Connection> connection_;
  Exchanges exchanges_;
  std::shared_ptr<HttpExchange> current_;  ///< of the POST that is being read
  std::unique_ptr<Alarm> alarm_;           ///< while a JSON body may still be the answer
  net::BodyWriter standalone_;
  bool listens_ = false;  ///< `standalone_` is open
  bool had_standalone_ = false;
  std::uint64_t last_stream_ = 0;
  mcp::Time last_used_{0};
  std::function<void()> on_activity_;
  Lifetime alive_;
};

/// One POST of the stateless era, from its message to the end of its answer.
class StatelessRequest final : private Sink {
 public:
  /// `on_done` is called once, when it may be destroyed; not inside the constructor or start().
  StatelessRequest(Service& service, const std::string& principal, net::Responder responder,
                   net::Task on_done);
  StatelessRequest(const StatelessRequest&) = delete;
  StatelessRequest& operator=(const StatelessRequest&) = delete;
  ~StatelessRequest();

  /// True: it is answered already.
  [[nodiscard]] bool start(mcp::Message message, mcp::HeaderFields fields);
  [[nodiscard]] const std::string& principal() const { return connection_->memory().principal; }
  void end_subscription() { connection_->end_subscriptions(); }
  void keep_alive() { exchange_.keep_alive(); }

 private:
  void send(mcp::Send send) override;
  void begin(mcp::CallKey call) override { call_ = call; }
  void close_stream(mcp::CallKey /*call*/) override {}

  HttpExchange exchange_;
  std::shared_ptr<Connection> connection_;
  std::optional<mcp::CallKey> call_;
  net::Task on_done_;
  bool starting_ = true;
};

}  // namespace enfold::serve
