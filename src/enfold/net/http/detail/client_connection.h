// SPDX-License-Identifier: Apache-2.0
// One connection of an HTTP client: looks up the host, connects, sends a request, reads its answer,
// and is then kept for the next request.
#pragma once

#include "enfold/net/http/client.h"
#include "enfold/net/http/parser.h"
#include "enfold/net/stream.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::net::detail {

struct Call;

class ClientConnection final : public StreamOwner {
 public:
  ClientConnection(ClientCore& core, const Url& url);

  /// Looks up the host, connects, and then runs the call.
  void connect_for(Call& call);
  void run(Call& call);  ///< sends the request; the connection is open and has no other call
  [[nodiscard]] bool is_idle() const { return state_ == State::idle; }
  /// Whether it has sent a request whose answer is not complete.
  [[nodiscard]] bool is_busy() const { return state_ == State::head || state_ == State::body; }
  /// Whether the server has not closed the connection; checked before reuse.
  [[nodiscard]] bool is_alive() const;
  [[nodiscard]] const std::string& origin() const { return origin_; }
  void close();  ///< does not report the end of its call

  // StreamOwner
  void on_open() override;
  std::size_t on_bytes(std::string_view bytes) override;
  void on_end() override;
  void on_failure(const Error& error) override;
  void on_sent() override;

 private:
  enum class State { resolving, connecting, head, body, idle, closed };

  void on_resolved(Result<std::vector<Endpoint>> endpoints);
  /// `last`: why the endpoint before could not be connected.
  void try_next_endpoint(const Error& last);
  // These return the number of bytes that they used. 0 from take_head(): the head is incomplete or
  // was refused.
  std::size_t take_head(std::string_view bytes);
  std::size_t take_body(std::string_view bytes);
  /// The answer is complete. `at_end_of_bytes`: no received bytes follow it.
  void complete(bool at_end_of_bytes);
  /// Fails the call and closes the connection.
  void give_up(Error error);
  void on_timeout();
  void set_timeout(Duration after);  ///< Duration::max(): none
  [[nodiscard]] Duration stall_timeout() const;
  [[nodiscard]] std::string where() const;  ///< the URL without its query, for errors

  ClientCore& core_;
  std::string origin_;
  std::string host_;
  std::uint16_t port_;
  bool secure_;
  Stream stream_;
  Timer timer_;
  std::vector<Endpoint> endpoints_;
  std::size_t next_endpoint_ = 0;  ///< index in `endpoints_`
  std::uint64_t call_ = 0;         ///< id of the current call; 0: none
  HeadScanner scanner_;
  BodyDecoder decoder_;
  HttpHead head_;
  State state_ = State::resolving;
  bool was_used_ = false;      ///< an earlier call has used the connection
  bool has_answered_ = false;  ///< a byte of the current answer was received
};

}  // namespace enfold::net::detail
