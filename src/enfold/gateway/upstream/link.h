// SPDX-License-Identifier: Apache-2.0
// One connection to an upstream, in the name of one client or of several that declare the same.
// A connection that broke is made anew by the next request, as soon as the breaker allows.
#pragma once

#include "enfold/client/client.h"
#include "enfold/gateway/config/settings.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace enfold::gateway {

class Link;

/// Whoever is told what a server says without being asked.
class LinkOwner {
 public:
  virtual void on_ready(Link& link) = 0;
  virtual void on_broken(Link& link, const Error& error) = 0;
  virtual void on_ask(Link& link, const mcp::InputAsked& asked) = 0;
  virtual void on_ask_withdrawn(Link& link, mcp::AskKey ask) = 0;
  virtual void on_log(Link& link, const mcp::Logged& logged) = 0;
  virtual void on_list_changed(Link& link, const mcp::ListChanged& changed) = 0;
  virtual void on_resource_updated(Link& link, const mcp::ResourceUpdated& updated) = 0;
  virtual void on_notification(Link& link, const mcp::Notification& notification) = 0;
  virtual void on_error_line(Link& link, std::string_view line) = 0;
  virtual void on_noise(Link& link, const Error& noise) = 0;

 protected:
  ~LinkOwner() = default;
};

/// Names a request on its link until it is done.
enum class Ticket : std::uint64_t {};

class Link : public std::enable_shared_from_this<Link> {
 public:
  /// `settings`, `breaker` and `owner` must outlive it. `first`: the era that is tried first.
  Link(net::Loop& loop, const UpstreamSettings& settings, Breaker& breaker, LinkOwner& owner,
       std::shared_ptr<const mcp::Caller> on_behalf_of, std::optional<mcp::Era> first);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link();

  using Connected = net::Callback<void(Result<mcp::ServerIdentity> server)>;
  /// Now, whatever the breaker says. `done` never comes inside this call.
  void connect(Connected done);

  [[nodiscard]] mcp::CallOptions prepare(std::string_view method, json::Value params) const {
    return client_->prepare(method, std::move(params));
  }
  /// Connects when there is no connection. `done` never comes inside this call.
  Ticket request(mcp::CallOptions options, client::CallEvents events);
  void cancel(Ticket ticket, std::string_view reason);
  void notify(std::string_view method, json::View params) { client_->notify(method, params); }
  void answer(mcp::AskKey ask, mcp::Outcome outcome) { client_->answer(ask, std::move(outcome)); }
  /// The child ends in good order; open requests fail.
  void close(net::Task done);

  [[nodiscard]] bool is_ready() const { return client_->is_ready(); }
  [[nodiscard]] const mcp::ServerIdentity& server() const { return client_->server(); }
  [[nodiscard]] bool is_over_http() const { return client_->is_over_http(); }
  [[nodiscard]] std::size_t times_ready() const { return times_ready_; }
  [[nodiscard]] std::size_t open_requests() const { return open_.size(); }
  [[nodiscard]] const UpstreamSettings& settings() const { return settings_; }
  [[nodiscard]] const std::shared_ptr<const mcp::Caller>& on_behalf_of() const { return behalf_; }

 private:
  struct Waiting {
    mcp::CallOptions options;
    client::CallEvents events;
  };
  /// Not sent yet, or known to the client by its own ticket.
  struct Open {
    std::optional<Waiting> waiting;
    client::Ticket sent{};
  };

  [[nodiscard]] client::ClientEvents events();
  [[nodiscard]] Error placed(Error error) const;  ///< without addresses
  void became_ready(const mcp::ServerIdentity& server);
  [[nodiscard]] std::unique_ptr<client::Client> make_client();
  void begin_connecting();
  void send(Ticket ticket, Waiting waiting);
  void send_waiting();
  void refuse(Ticket ticket);
  void look_after_silence();
  void start_over();

  net::Loop& loop_;
  const UpstreamSettings& settings_;
  Breaker& breaker_;
  LinkOwner& owner_;
  std::shared_ptr<const mcp::Caller> behalf_;
  std::optional<mcp::Era> first_;
  std::unique_ptr<client::Client> client_;
  bool connecting_ = false;
  bool is_told_ = false;  ///< whoever connected knows already that it is ready
  std::size_t times_ready_ = 0;
  bool probing_ = false;  ///< whether a server that left a call without an answer still lives
  std::map<Ticket, Open> open_;
  std::uint64_t last_ticket_ = 0;
  net::Timer retry_;
  std::vector<std::shared_ptr<client::Client>> retired_;  ///< on their way out
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace enfold::gateway
