// SPDX-License-Identifier: Apache-2.0
// A client for programs that do one thing at a time: a Client with a loop of its own, which runs
// while a call waits. Every call ends, because every request has a timeout.
#pragma once

#include "enfold/client/client.h"
#include "enfold/client/list.h"
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
  /// Kills a child that close() has not ended.
  ~BlockingClient();

  [[nodiscard]] Result<mcp::ServerIdentity> connect();
  [[nodiscard]] CallResult request(mcp::CallOptions options);
  [[nodiscard]] CallResult request(std::string_view method, json::Value params = {});
  [[nodiscard]] ListResult list(mcp::Method method);
  [[nodiscard]] tl::expected<Toolbox, CallFailure> tools();
  /// `done` of the events is not used.
  [[nodiscard]] ToolOutcome call(ToolRequest request, ToolEvents events = {});
  void close();

  /// From a signal handler on the loop: what is awaited ends now, with `cancelled`.
  void interrupt();

  [[nodiscard]] Client& client() { return client_; }
  [[nodiscard]] net::Loop& loop() { return *loop_; }

 private:
  BlockingClient(std::unique_ptr<net::Loop> loop, Target target, ClientOptions options,
                 OnEvent on_event);
  template <class Outcome>
  [[nodiscard]] std::optional<Outcome> wait(const std::shared_ptr<std::optional<Outcome>>& outcome);

  std::unique_ptr<net::Loop> loop_;
  Client client_;
  bool interrupted_ = false;
};

}  // namespace enfold::client
