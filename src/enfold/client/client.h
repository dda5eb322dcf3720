// SPDX-License-Identifier: Apache-2.0
// An MCP client of both eras on an event loop: finds out what the server speaks, carries requests
// to their end, answers what the server asks. Any number of clients share a loop; everything here
// belongs to the loop's thread. `blocking.h` is the same for a program that waits.
#pragma once

#include "enfold/client/options.h"
#include "enfold/net/callback.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::client {

/// Why a request has no result. `error` always says it in words.
struct CallFailure {
  Error error;
  std::optional<mcp::RpcError> refusal;             ///< when the server answered with an error
  std::optional<std::chrono::seconds> retry_after;  ///< when the server named a time
  int http_status = 0;  ///< with which the server refused the request or the connection; 0: none
};
using CallResult = tl::expected<json::Value, CallFailure>;

/// Names a request of ours until it is done.
enum class Ticket : std::uint64_t {};

struct CallEvents {
  net::Callback<void(CallResult result)> done;  ///< comes once, unless the request is cancelled
  std::function<void(const mcp::Progressed& progressed)> on_progress;
  std::function<void(const mcp::SubscriptionFilter& filter)> on_acknowledged;
};

namespace detail {
class Core;
}

class Client {
 public:
  Client(net::Loop& loop, Target target, ClientOptions options, ClientEvents events = {});
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  /// At once: a child is killed, open requests are dropped without a word. close() is kinder.
  ~Client();

  /// Starts the child, or looks for the server, and greets it. `done` never comes inside this call.
  /// Also after the connection broke; the era is remembered.
  void connect(net::Callback<void(Result<mcp::ServerIdentity> server)> done);

  /// A request with the patience of the options; fields may be changed before it is sent.
  [[nodiscard]] mcp::CallOptions prepare(std::string_view method, json::Value params = {}) const;
  /// While the connection is being made the request waits for it. `done` never comes inside this
  /// call. In a session that the server has forgotten it is sent once more in a new one.
  Ticket request(mcp::CallOptions options, CallEvents events);
  void cancel(Ticket ticket, std::string_view reason);

  void notify(std::string_view method, json::View params);
  /// To a question of the server (ClientEvents::on_ask).
  void answer(mcp::AskKey ask, mcp::Outcome outcome);

  /// Ends a session or a child in good order, within the graces of the target. Open requests fail
  /// with `cancelled`, or as they are told. Once more: a child is not waited for, but terminated.
  void close(net::Task done);
  void close(net::Task done, const Error& told);

  [[nodiscard]] bool is_ready() const;
  [[nodiscard]] const mcp::ServerIdentity& server() const;  ///< once it is ready
  [[nodiscard]] bool is_over_http() const;
  [[nodiscard]] std::size_t open_requests() const;
  [[nodiscard]] const ClientOptions& options() const;
  [[nodiscard]] net::Loop& loop() const;

 private:
  std::shared_ptr<detail::Core> core_;
};

}  // namespace enfold::client
