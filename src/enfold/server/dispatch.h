// SPDX-License-Identifier: Apache-2.0
// Carries out calls: finds what is asked for, runs its handler where it belongs, and replies
// exactly once, whatever the handler does. Lives on the serving thread.
#pragma once

#include "enfold/server/call_plan.h"
#include "enfold/server/conclude.h"
#include "enfold/server/context.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace enfold::server {

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
};

/// Calls by what their envelopes said.
struct Metrics {
  std::uint64_t calls = 0;
  std::map<std::string, std::uint64_t, std::less<>> outcomes;
  std::map<std::string, std::uint64_t, std::less<>> codes;
};

class Dispatcher {
 public:
  /// Fails when the server describes a tool that cannot work. `server` and `host` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Dispatcher>> create(const Server& server, Host& host);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;
  ~Dispatcher() = default;

  /// What connections are made with.
  [[nodiscard]] const std::shared_ptr<const mcp::ServerConfig>& config() const { return config_; }
  [[nodiscard]] const Shared& shared() const { return shared_; }
  [[nodiscard]] Host& host() const { return *shared_.host; }

  /// Told of every change while it is there.
  void join(Port& port) { ports_.insert(&port); }
  void leave(Port& port) { ports_.erase(&port); }
  void list_changed(mcp::ListKind kind);
  void resource_updated(const std::string& uri);

  /// Replies through the port, once, now or later.
  void begin(const mcp::Call& call, const std::shared_ptr<Port>& port,
             const std::shared_ptr<Cancellation>& cancellation);

  /// Of the calls that wait for a worker or run on one.
  [[nodiscard]] std::size_t running() const { return running_; }
  [[nodiscard]] const Metrics& metrics() const { return metrics_; }

 private:
  friend class ToolRun;
  Dispatcher(const Server& server, Catalog catalog, Host& host, contract::CursorKey key);

  [[nodiscard]] mcp::Reply answer(const mcp::Call& call, const std::shared_ptr<Port>& port,
                                  const std::shared_ptr<Cancellation>& cancellation);
  [[nodiscard]] mcp::Reply list(const mcp::Call& call, Port& port) const;
  [[nodiscard]] mcp::Reply read_resource(const mcp::Call& call, Context& context) const;
  [[nodiscard]] mcp::Reply get_prompt(const mcp::Call& call, Context& context) const;
  [[nodiscard]] mcp::Reply complete(const mcp::Call& call) const;
  void count(const LogLine& line);

  Catalog catalog_;
  Shared shared_;
  std::shared_ptr<const mcp::ServerConfig> config_;
  std::set<Port*> ports_;
  std::size_t running_ = 0;
  Metrics metrics_;
};

}  // namespace enfold::server
