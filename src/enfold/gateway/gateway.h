// SPDX-License-Identifier: Apache-2.0
// An MCP proxy: Enfold puts the tool answers of other servers into the response contract and cuts
// them to the budget. Everything else is forwarded unchanged in both directions, also between
// clients and upstreams of different eras. This class only connects the objects that do the work.
// It runs on the loop's thread; workers cut long answers and wait for the archive.
#pragma once

#include "enfold/gateway/admin/pages/source.h"
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

/// What the gateway reports about itself to clients. If there is one upstream and its handshake has
/// succeeded: what that upstream reports. Else the name of Enfold and the capabilities of all
/// upstreams whose handshake has succeeded.
[[nodiscard]] std::shared_ptr<mcp::ServerConfig> server_identity(const UpstreamSet::List& upstreams,
                                                                 const Settings& settings);

/// The client that sent this message; without name and capabilities if the message has none.
[[nodiscard]] std::shared_ptr<const mcp::Caller> caller_in(std::string_view first_message);

class Gateway final : public serve::Service {
 public:
  /// `loop` and `host` must outlive the gateway.
  [[nodiscard]] static Result<std::unique_ptr<Gateway>> create(Settings settings, net::Loop& loop,
                                                               serve::Host& host);

  /// Connects to all upstreams before the first client connects. Used over HTTP; over stdio
  /// on_first_message connects. `done` is called when all upstreams have answered, or after
  /// kListTimeout if at least one has; with an error if none can be reached.
  void connect(net::Callback<void(Status status)> done);
  /// Serves new calls with these settings; open calls continue with the old ones. Upstreams whose
  /// connection settings do not change keep their connections; new upstreams are connected first.
  /// `done` is called when the new settings are in use, or with an error if the old ones stay.
  void reload(Settings settings, Reload::Done done);
  /// Closes the connections to the upstreams and then calls `done`. A second call terminates child
  /// processes without waiting for their exit.
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
  void on_session(serve::ClientChannel& channel, const std::shared_ptr<const mcp::Caller>& caller,
                  serve::SessionStage stage) override;
  void on_log_level(serve::ClientChannel& channel, mcp::LogLevel level) override;
  [[nodiscard]] std::shared_ptr<serve::OpenCall> on_listen(
      serve::ClientChannel& channel, const mcp::SubscriptionOpened& listening) override {
    return subscriptions_.listen(channel, listening);
  }
  void on_client_response(serve::ClientChannel& channel, mcp::ServerRequestKey request,
                          const mcp::ResultOrError& outcome) override {
    elicitations_.on_answer(channel, request, outcome);
  }
  void on_notification(serve::ClientChannel& channel,
                       const mcp::Notification& notification) override;
  void on_closed(serve::ClientChannel& channel) override;

  [[nodiscard]] const UpstreamSet::List& upstreams() const { return upstreams_.current(); }
  /// The parts of the report about upstreams and calls; the caller adds those of the HTTP server
  /// and the archive.
  [[nodiscard]] Report report() const;
  [[nodiscard]] const Metrics& metrics() const { return log_.metrics(); }
  [[nodiscard]] std::shared_ptr<store::Archive> archive() const {
    return local_tools_.services()->archive;
  }
  /// For the dashboard. `report`: returns report() with the parts that the caller adds.
  [[nodiscard]] AdminSource admin_source(std::function<Report()> report) {
    return {call_services_, log_, std::move(report)};
  }
  /// Releases what is kept only to make the next request faster and was not used since the previous
  /// call: parsed archived answers.
  void drop_unused() { local_tools_.services()->opened->drop_unused(); }
  /// Whether a client has sent its first message.
  [[nodiscard]] bool has_client() const { return has_client_; }

 private:
  Gateway(Settings settings, net::Loop& loop, serve::Host& host);
  /// Chooses the object that carries out the call, by its method.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> dispatch(
      mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel);
  /// Makes `config_`, which clients that connect from now on get. Called after the first handshake
  /// of an upstream and after a reload.
  void update_config();

  // Each of these objects uses only those above it, except `events_`, which uses `call_services_`.
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
  std::unique_ptr<serve::Alarm> connect_timeout_;  ///< set by connect()
};

}  // namespace enfold::gateway
