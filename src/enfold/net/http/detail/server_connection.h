// SPDX-License-Identifier: Apache-2.0
// One connection of a server: bytes in, requests to the handler, answers out.
#pragma once

#include "enfold/net/http/detail/request_reader.h"
#include "enfold/net/http/detail/response_writer.h"
#include "enfold/net/http/server.h"
#include "enfold/net/stream.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace enfold::net::detail {

/// The request at hand, and what its handler wants to be told about the client.
struct Exchange {
  std::uint64_t id = 0;  ///< 0: none
  bool full = false;     ///< the client reads more slowly than the handler writes
  Task on_drain;
  Task on_close;

  /// The task may end the exchange, or set another task.
  void notify_drained();
  void notify_closed();
};

class ServerConnection final : public StreamOwner {
 public:
  ServerConnection(ServerCore& core, std::uint32_t slot);
  [[nodiscard]] Status open(FileDescriptor socket, const TlsContext* tls);

  [[nodiscard]] std::uint32_t slot() const { return slot_; }
  [[nodiscard]] Exchange& exchange() { return exchange_; }
  [[nodiscard]] std::size_t queued() const { return stream_.queued(); }
  [[nodiscard]] std::string peer() const;

  void respond(HttpResponse response);
  void respond(int status, const HeaderLines& headers, std::string_view body);
  /// False: too many streams; 503 was sent.
  bool start_stream(const HttpResponse& head);
  Flow write(std::string_view bytes);
  void end_stream();
  void close();
  /// An idle connection is given a last moment; a busy one closes after its answer.
  void begin_draining() { set_timer(); }

  // StreamOwner
  std::size_t on_bytes(std::string_view bytes) override;
  void on_end() override;
  void on_failure(const Error& error) override;
  void on_sent() override;
  void on_hang_up() override;

 private:
  enum class State { reading, handling, streaming, lingering, closed };

  std::size_t read_request(std::string_view bytes);
  void dispatch(HttpRequest& request);
  void refuse(const HttpFault& fault);
  void finish_exchange();
  void linger();
  void set_timer();
  void on_due();

  ServerCore& core_;
  Stream stream_;
  RequestReader reader_;
  ResponseWriter writer_;
  Timer timer_;
  Exchange exchange_;
  std::uint64_t sent_mark_ = 0;  ///< bytes that were sent when the deadline was last moved
  std::uint32_t slot_;
  State state_ = State::reading;
  bool stalling_ = false;  ///< output waits for the client
  bool input_ended_ = false;
};

}  // namespace enfold::net::detail
