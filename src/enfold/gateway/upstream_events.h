// SPDX-License-Identifier: Apache-2.0
// Forwards the notifications and questions of upstreams to the clients whose calls or sessions they
// belong to.
#pragma once

#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/call/services.h"
#include "enfold/gateway/call/tasks.h"
#include "enfold/serve/loop_host.h"
#include "enfold/tools/call/fair_lane.h"

#include <limits>

namespace enfold::gateway {

class UpstreamEvents final : public UpstreamOwner {
 public:
  /// `on_first_identity` is called for each upstream when its first handshake has succeeded.
  explicit UpstreamEvents(std::function<void()> on_first_identity)
      : on_first_identity_(std::move(on_first_identity)) {}
  /// Must be called before the first connection is made. `services` must outlive this object.
  void set_services(const CallServices& services) { services_ = &services; }

  /// Must be called when a reload has replaced the settings.
  void on_new_settings() { settings_.reset(); }

  /// Sends the log level of a client, which must have set one, to those of its upstreams that are
  /// of the session era and support logging.
  void set_log_level(const ClientSession& session);

  void on_event(UpstreamConnection& connection, client::Event event) override;
  /// Replaces secrets in the reply of an upstream to a request of this method, before the caller of
  /// the request gets it by `done`. Results of tools and tasks stay: AnswerWriter redacts them.
  void filter_reply(std::string_view method, const std::string& principal,
                    client::CallResult result, Filtered done) const override;
  /// The params of a progress notification with secrets replaced; nullopt: they are too long, and
  /// the notification is not forwarded.
  [[nodiscard]] std::optional<json::Value> shown_progress(UpstreamConnection& connection,
                                                          const json::Value& params) override;
  void work(const UpstreamSettings& upstream, std::size_t bytes, net::Task job,
            net::Task done) override;

 private:
  // One function for each alternative of client::Event.
  void on(UpstreamConnection& connection, const mcp::Ready& ready);
  void on(UpstreamConnection& connection, const mcp::Broken& broken);
  void on(UpstreamConnection& connection, const mcp::ServerRequest& question);
  void on(UpstreamConnection& connection, const mcp::ServerRequestWithdrawn& withdrawn);
  void on(UpstreamConnection& connection, const mcp::LogReport& logged);
  void on(UpstreamConnection& connection, const mcp::ListChanged& changed);
  void on(UpstreamConnection& connection, const mcp::ResourceUpdated& updated);
  void on(UpstreamConnection& connection, const mcp::Notification& notification);
  void on(UpstreamConnection& connection, const client::ErrorLine& line);
  void on(UpstreamConnection& connection, const client::Noise& noise);
  /// Logs that a server sent something unusable: at most twenty lines a minute; further ones are
  /// only counted.
  void log_noise(UpstreamConnection& connection, std::string message);
  /// Whether a notification is too long to be forwarded; logs it then.
  [[nodiscard]] bool is_too_long(UpstreamConnection& connection, std::string_view method,
                                 const json::Value& params);
  /// Whether several principals use a connection. A message on it may be about the call of any of
  /// them, so it is forwarded to none.
  [[nodiscard]] bool has_many_principals(const UpstreamConnection& connection) const;
  void forward_task_notification(const UpstreamConnection& connection,
                                 const mcp::Notification& notification) const;

  /// A copy of the settings for workers: a reload may change the originals while workers run.
  [[nodiscard]] std::shared_ptr<const Settings> settings_for_worker() const;

  static constexpr std::size_t kReaders = 2;  ///< threads of work(), one of them for one upstream

  const CallServices* services_ = nullptr;
  /// See settings_for_worker(); null: not needed since the last reload.
  mutable std::shared_ptr<const Settings> settings_;
  /// Questions that a worker redacts, each with a unique number: after a restart a server may use
  /// the same key for another question. A withdrawn question is removed, and then not asked.
  std::map<std::pair<const UpstreamConnection*, mcp::ServerRequestKey>, std::uint64_t> on_worker_;
  std::uint64_t last_on_worker_ = 0;  ///< the last such number
  std::function<void()> on_first_identity_;
  tools::FairLane reading_{{.running = kReaders,
                            .running_per_principal = 1,
                            .waiting_per_principal = std::numeric_limits<std::size_t>::max()}};
  Lifetime alive_;
  serve::Workers readers_{kReaders, kReaders};
};

}  // namespace enfold::gateway
