// SPDX-License-Identifier: Apache-2.0
// A client for programs that do one thing at a time: a Client with its own event loop, which runs
// while one of these functions waits. Every function returns, because every request has a timeout.
#pragma once

#include "enfold/client/client.h"
#include "enfold/client/tools.h"

#include <memory>

namespace enfold::client {

class BlockingClient {
 public:
  [[nodiscard]] static Result<std::unique_ptr<BlockingClient>> open(Target target,
                                                                    ClientOptions options,
                                                                    OnEvent on_event = {});
  BlockingClient(const BlockingClient&) = delete;
  BlockingClient& operator=(const BlockingClient&) = delete;
  /// Kills the child unless close() has ended it.
  ~BlockingClient();

  [[nodiscard]] Result<mcp::ServerIdentity> connect();
  [[nodiscard]] CallResult request(mcp::CallOptions options);
  [[nodiscard]] CallResult request(std::string_view method, json::Value params = {});
  [[nodiscard]] ListResult list(mcp::Method method);
  [[nodiscard]] tl::expected<Toolbox, CallFailure> tools();
  /// `done` of the events is ignored.
  [[nodiscard]] ToolOutcome call(ToolRequest request, ToolEvents events = {});
  void close();

  /// Called from a callback on the loop: the function that waits returns now, with `cancelled`, and
  /// so does each one that is called later, except close().
  void interrupt();

  [[nodiscard]] Client& client() { return client_; }
  [[nodiscard]] net::Loop& loop() { return *loop_; }

 private:
  BlockingClient(std::unique_ptr<net::Loop> loop, Target target, ClientOptions options,
                 OnEvent on_event);
  /// Calls `start` with the callback to call when done. nullopt: interrupted.
  template <class Outcome, class Start>
  [[nodiscard]] std::optional<Outcome> wait_for(Start start);

  std::unique_ptr<net::Loop> loop_;
  Client client_;
  bool interrupted_ = false;
};

}  // namespace enfold::client
