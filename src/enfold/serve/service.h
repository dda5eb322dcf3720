// SPDX-License-Identifier: Apache-2.0
// The interface between a transport and what answers behind it. A service is handed each call and
// replies once, now or later, through the port that the call came from. Runs on the serving thread.
#pragma once

#include "enfold/serve/host.h"
#include "enfold/serve/open_call.h"
#include "enfold/serve/settings.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace enfold::serve {

/// What a connection remembers from call to call.
struct Memory {
  std::string principal;                ///< whose it is; archive, limits and cursors go by it
  std::optional<std::string> contract;  ///< agreed with capability-negotiate
};

/// The connection that a call came from.
class Port {
 public:
  virtual ~Port() = default;
  virtual void reply(mcp::CallKey call, mcp::Reply reply) = 0;
  virtual void progress(mcp::CallKey call, const mcp::Progress& progress) = 0;
  virtual void log(mcp::CallKey call, const mcp::LogMessage& message) = 0;
  virtual void close_stream(mcp::CallKey call) = 0;
  virtual void list_changed(mcp::ListKind kind) = 0;
  virtual void resource_updated(std::string_view uri) = 0;
  [[nodiscard]] virtual Memory& memory() = 0;

  /// A notification as it is; without a call only sessions can be told.
  virtual void notify(std::optional<mcp::CallKey> call, std::string_view method,
                      json::View params) = 0;
  /// A request to the client of a session. Service::answered follows, once.
  [[nodiscard]] virtual Result<mcp::ServerRequestKey> ask(std::optional<mcp::CallKey> about,
                                                          const mcp::InputRequest& request) = 0;
  virtual void withdraw(mcp::ServerRequestKey ask, std::string_view reason) = 0;
};

class Service {
 public:
  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service() = default;

  /// What connections are made with.
  [[nodiscard]] virtual const std::shared_ptr<const mcp::ServerConfig>& config() const = 0;
  [[nodiscard]] virtual const Settings& settings() const = 0;
  [[nodiscard]] virtual Host& host() const = 0;
  /// Begins a call. The connection keeps what is returned until the call is answered, and cancels
  /// it when the client does; nullptr: it is answered already, or cannot be cancelled.
  [[nodiscard]] virtual std::shared_ptr<OpenCall> begin(mcp::Call&& call,
                                                        const std::shared_ptr<Port>& port) = 0;

  /// The principal that a key of an HTTP request belongs to; nullopt: no valid key. Without
  /// configured principals every request belongs to the one principal of the settings.
  [[nodiscard]] virtual std::optional<std::string> identify(
      std::optional<std::string_view> /*key*/) const {
    return settings().principal;
  }

  /// Comes before anything on a stdio connection is read. A service that must first find out what
  /// it serves calls `done` later; a refusal answers every request received until then.
  using OnStarted = net::Callback<void(const std::optional<mcp::RpcError>& refusal)>;
  virtual void on_first_message(std::string_view /*first_message*/, OnStarted done) {
    done(std::nullopt);
  }

  // Other events of a connection; a service that only answers calls ignores them.
  /// A session has finished its handshake.
  virtual void opened(Port& /*port*/, const std::shared_ptr<const mcp::Caller>& /*caller*/) {}
  virtual void level_set(Port& /*port*/, mcp::LogLevel /*level*/) {}
  /// Stateless era: notifications are wanted until what is returned is cancelled.
  [[nodiscard]] virtual std::shared_ptr<OpenCall> listening(Port& /*port*/,
                                                            const mcp::Listening& /*listening*/) {
    return nullptr;
  }
  virtual void answered(Port& /*port*/, mcp::ServerRequestKey /*ask*/,
                        const mcp::Outcome& /*outcome*/) {}
  virtual void noticed(Port& /*port*/, const mcp::Notification& /*notification*/) {}
  /// Nothing can be sent through it any more.
  virtual void gone(Port& /*port*/) {}

  /// Told of every change while it is there.
  void join(Port& port) { ports_.insert(&port); }
  void leave(Port& port) { ports_.erase(&port); }
  void list_changed(mcp::ListKind kind) {
    tell([kind](Port& port) { port.list_changed(kind); });
  }
  void resource_updated(std::string_view uri) {
    tell([uri](Port& port) { port.resource_updated(uri); });
  }

 private:
  // A port that is told may leave, or make others leave.
  template <class Tell>
  void tell(const Tell& one) {
    const std::set<Port*> told = ports_;
    for (Port* port : told) {
      if (ports_.contains(port)) one(*port);
    }
  }
  std::set<Port*> ports_;
};

}  // namespace enfold::serve
