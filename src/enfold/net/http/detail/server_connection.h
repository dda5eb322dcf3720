// SPDX-License-Identifier: Apache-2.0
// One connection of an HTTP server: reads requests, passes them to the handler, writes the answers.
#pragma once

#include "enfold/net/http/detail/response_writer.h"
#include "enfold/net/http/parser.h"
#include "enfold/net/http/server.h"
#include "enfold/net/stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace enfold::net::detail {

/// Reads the requests of one connection, one after the other: head, then body. Refuses what the
/// limits of the server do not allow.
class RequestReader {
 public:
  /// `peer`: of the connection; must outlive this object.
  RequestReader(ServerCore& core, const Peer& peer) : core_(core), peer_(peer) {}

  /// The result of reading some bytes. Without a request, fault or answer more bytes are needed.
  struct Step {
    std::size_t used = 0;
    const HttpHead* head = nullptr;        ///< set if the head became complete in this step
    HttpRequest* request = nullptr;        ///< set if it is complete; valid until the next read()
    std::optional<HttpFault> fault{};      ///< set: the request is refused
    std::optional<HttpResponse> answer{};  ///< check_head refused the request; its body is not read
    bool wants_continue = false;           ///< the client waits for "100 Continue"
    bool made_progress = false;            ///< enough for a new deadline
    std::unique_ptr<HttpRequest> owned{};  ///< owns `request` if its body came in parts
  };
  [[nodiscard]] Step read(std::string_view bytes);

  /// Forgets a request whose body is incomplete.
  void discard();

  [[nodiscard]] bool is_inside_head() const { return head_started_; }
  [[nodiscard]] bool is_inside_body() const { return partial_ != nullptr; }

 private:
  /// Reads bytes outside of a body: empty lines, or a head.
  [[nodiscard]] Step read_head(std::string_view bytes);
  /// The head of `request` is complete. `rest`: the bytes after it; `step`: the result so far.
  [[nodiscard]] Step start_request(HttpRequest& request, std::string_view rest, Step step);
  [[nodiscard]] Step read_body(std::string_view bytes);
  /// Adds data to the incomplete body. A fault if it, or all incomplete bodies together, become too
  /// long.
  [[nodiscard]] std::optional<HttpFault> append(std::string_view data);

  ServerCore& core_;
  const Peer& peer_;
  std::unique_ptr<HttpRequest> partial_;  ///< a request whose body is incomplete
  BodyDecoder decoder_;
  HeadScanner scanner_;
  std::size_t progress_ = 0;  ///< bytes of a body since the deadline was last moved
  std::size_t max_body_ = 0;  ///< of the incomplete body, in bytes
  bool head_started_ = false;
};

/// The open request of a connection, and the callbacks that its handler has set.
struct Exchange {
  std::uint64_t id = 0;      ///< 0: no request is open
  bool output_full = false;  ///< write() returned Flow::full, and on_writable was not called since
  Task on_writable;          ///< see BodyWriter::on_writable
  Task on_close;             ///< see ExchangeHandle::on_close
  std::shared_ptr<void> held;  ///< see Responder::hold

  /// Calls on_writable, which may end the exchange or set another task.
  void notify_writable();
  void notify_closed();
};

class ServerConnection final : public StreamOwner {
 public:
  /// `slot`: the index in the core's table of connections. `address_place`: one of the places that
  /// its network may use (ServerCore::by_address_), kept until the connection closes; null: its
  /// network needs none.
  ServerConnection(ServerCore& core, std::uint32_t slot, std::shared_ptr<const Peer> peer,
                   std::shared_ptr<void> address_place);
  [[nodiscard]] Status open(FileDescriptor socket, const TlsContext* tls);  ///< null: without TLS

  [[nodiscard]] std::uint32_t slot() const { return slot_; }
  [[nodiscard]] Exchange& exchange() { return exchange_; }
  [[nodiscard]] std::size_t queued() const { return stream_.queued(); }
  [[nodiscard]] const Peer& peer() const { return *peer_; }
  [[nodiscard]] bool has_address_place() const { return address_place_ != nullptr; }

  void respond(HttpResponse response);
  void respond(int status, const HeaderLines& headers, std::string_view body);
  /// Sends the head, and the body as the first piece. False: there is no stream to write to,
  /// because it was refused with 503, the request was HEAD, or the connection closed.
  bool start_stream(const HttpResponse& response);
  Flow write(std::string_view bytes);
  void end_stream();
  void close();
  /// An idle connection gets drain_grace for a last request; a busy one closes after its answer.
  void begin_draining() { set_timer(); }

  // StreamOwner
  std::size_t on_bytes(std::string_view bytes) override;
  void on_end() override;
  void on_failure(const Error& error) override;
  void on_sent() override;
  void on_hang_up() override;

 private:
  enum class State { reading, handling, streaming, lingering, closed };

  /// Reads from one request; returns the number of bytes that were used.
  std::size_t read_request(std::string_view bytes);
  void dispatch(HttpRequest& request);
  void refuse(const HttpFault& fault);
  /// The answer is written: reads the next request, or lingers.
  void finish_exchange();
  void linger();
  /// Starts the timeout of the current state.
  void set_timer();
  void on_timeout();

  ServerCore& core_;
  Stream stream_;
  RequestReader reader_;
  ResponseWriter writer_;
  Timer timer_;
  Exchange exchange_;
  TimePoint head_deadline_{};    ///< of a head that has arrived in part
  std::uint64_t sent_mark_ = 0;  ///< Stream::sent() when the stall deadline was last moved
  std::uint32_t slot_;
  bool is_silent_ = true;  ///< no head of a request has arrived
  State state_ = State::reading;
  /// The last attempt to send left bytes in the queue, because the client does not read: the stall
  /// timeout runs. False before the first attempt.
  bool send_is_blocked_ = false;
  bool input_ended_ = false;
  std::shared_ptr<const Peer> peer_;  ///< its Responders may live longer
  std::shared_ptr<void> address_place_;
};

}  // namespace enfold::net::detail
