// SPDX-License-Identifier: Apache-2.0
// A client for programs that do one thing at a time: a Client with its own event loop, which runs
// while one of these functions waits. Each function does what its namesake in client.h or tools.h
// does and returns the result. Every function returns, because every request has a timeout.
#pragma once

#include "enfold/client/client.h"
#include "enfold/client/tools.h"

#include <memory>

namespace enfold::client {

class BlockingClient {
 public:
  /// Makes the client and its loop; connects to nothing yet.
  [[nodiscard]] static Result<std::unique_ptr<BlockingClient>> open(Target target,
                                                                    ClientOptions options,
                                                                    OnEvent on_event = {});
  BlockingClient(const BlockingClient&) = delete;
  BlockingClient& operator=(const BlockingClient&) = delete;
  /// Kills the server's process, unless close() has ended it.
  ~BlockingClient();

  [[nodiscard]] Result<mcp::ServerIdentity> connect();
  [[nodiscard]] CallResult request(mcp::CallOptions options);
  [[nodiscard]] CallResult request(std::string_view method, json::Value params = {});
  [[nodiscard]] ListResult list(mcp::Method method);
  [[nodiscard]] tl::expected<Toolbox, CallFailure> tools();
  /// `events.done` is ignored: the outcome is returned.
  [[nodiscard]] ToolOutcome call(ToolRequest request, ToolEvents events = {});
  void close();

  /// To be called from a callback on the loop. The function that waits returns now, with
  /// `cancelled`; functions that are called later do the same, except close().
  void interrupt();

  [[nodiscard]] Client& client() { return client_; }
  [[nodiscard]] net::Loop& loop() { return *loop_; }

 private:
  BlockingClient(std::unique_ptr<net::Loop> loop, Target target, ClientOptions options,
                 OnEvent on_event);
  /// Calls start(on_done), then runs the loop until on_done(outcome) is called and returns that
  /// outcome. nullopt: interrupted.
  template <class Outcome, class Start>
  [[nodiscard]] std::optional<Outcome> wait_for(Start start);

  std::unique_ptr<net::Loop> loop_;
  Client client_;
  bool interrupted_ = false;  ///< interrupt() was called; never reset
};

}  // namespace enfold::client
