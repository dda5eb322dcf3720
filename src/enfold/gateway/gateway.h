// SPDX-License-Identifier: Apache-2.0
// An MCP proxy: Enfold puts the tool answers of other servers into the response contract and cuts
// them to the budget. Everything else is forwarded unchanged in both directions, also between
// clients and upstreams of different eras (sessions: revisions up to 2025-11, stateless: from
// 2026). This class only wires the objects that do the work. Runs on the loop's thread; workers
// shape long answers and wait for the archive.
#pragma once

#include "enfold/gateway/call/answer_writer.h"
#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/call/services.h"
#include "enfold/gateway/call/tasks.h"
#include "enfold/gateway/lists/list_call.h"
#include "enfold/gateway/policy/principals.h"
#include "enfold/gateway/reload.h"
#include "enfold/gateway/upstream/upstream_set.h"
#include "enfold/gateway/upstream_events.h"

namespace enfold::gateway {

[[nodiscard]] std::shared_ptr<mcp::ServerConfig> server_identity(const UpstreamSet::List& upstreams,
                                                                 const Settings& settings);

/// Enfold as an implementation: {"name":"enfold","version":…}
[[nodiscard]] json::Value own_info(const std::string& version);

/// The client that sent this message, with name and capabilities if the message has them.
[[nodiscard]] std::shared_ptr<const mcp::Caller> caller_in(std::string_view first_message);

class Gateway final : public serve::Service {
 public:
  /// `loop` and `host` must outlive the gateway.
  [[nodiscard]] static Result<std::unique_ptr<Gateway>> create(Settings settings, net::Loop& loop,
                                                               serve::Host& host);

  /// Connects to all upstreams before the first client connects. Used over HTTP; over stdio the
  /// client's first message triggers the connections instead.
  void connect(net::Callback<void(Status status)> done);
  /// Serves new calls with these settings; open calls continue with the old ones. Upstreams whose
  /// connection settings do not change keep their connections; new upstreams are connected first.
  void reload(Settings settings, Reload::Done done);
  /// Closes the upstreams and waits until they have ended; a second call stops waiting.
  void close(net::Task done) { connections_.close(std::move(done)); }

  // Service
  [[nodiscard]] const std::shared_ptr<const mcp::ServerConfig>& config() const override {
    return config_;
  }
  [[nodiscard]] const tools::ServiceSettings& settings() const override {
    return settings_.answers;
  }
  [[nodiscard]] serve::Host& host() const override { return environment_.host; }
  [[nodiscard]] std::optional<std::string> identify(
      std::optional<std::string_view> key) const override;
  void on_first_message(std::string_view first_message, OnStarted done) override;
  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(
      mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) override;
  void on_session_opened(serve::ClientChannel& channel,
                         const std::shared_ptr<const mcp::Caller>& caller) override;
  void on_log_level(serve::ClientChannel& channel, mcp::LogLevel level) override;
  [[nodiscard]] std::shared_ptr<serve::OpenCall> on_listen(
      serve::ClientChannel& channel, const mcp::SubscriptionOpened& listening) override {
    return subscriptions_.listen(channel, listening);
  }
  void on_client_response(serve::ClientChannel& channel, mcp::ServerRequestKey ask,
                          const mcp::ResultOrError& outcome) override {
    elicitations_.answered(channel, ask, outcome);
  }
  void on_notification(serve::ClientChannel& channel,
                       const mcp::Notification& notification) override;
  void on_closed(serve::ClientChannel& channel) override;

  [[nodiscard]] const UpstreamSet::List& upstreams() const { return upstreams_.current(); }
  /// The parts of the report that concern upstreams and calls; the HTTP server and the archive add
  /// theirs.
  [[nodiscard]] Report report() const;
  [[nodiscard]] const Metrics& metrics() const { return log_.metrics(); }
  [[nodiscard]] std::shared_ptr<store::Archive> archive() const {
    return local_tools_.services()->archive;
  }
  /// Whether a client has sent its first message.
  [[nodiscard]] bool has_client() const { return has_client_; }

 private:
  Gateway(Settings settings, net::Loop& loop, serve::Host& host);
  /// Chooses the object that carries out the call, by its method. `begin` first handles the answers
  /// to questions.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> dispatch(
      mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel);
  void update_config();

  // Each of these objects uses only those above it.
  Settings settings_;
  Environment environment_;
  Principals principals_;
  UpstreamEvents events_;
  UpstreamSet upstreams_;
  Routes routes_;
  ClientSessions sessions_;
  OpenCalls open_calls_;
  Connections connections_;
  CallLog log_;
  ListCache lists_;
  ResourceOwners resources_;
  Subscriptions subscriptions_;
  LocalTools local_tools_;
  ListWriter list_writer_;
  ListServices list_services_;
  AnswerCache cache_;
  AnswerWriter answer_writer_;
  Elicitations elicitations_;
  Tasks tasks_;
  CallServices call_services_;

  std::shared_ptr<const mcp::ServerConfig> config_;
  bool has_client_ = false;
  std::unique_ptr<serve::Alarm> connect_timeout_;
};

}  // namespace enfold::gateway
