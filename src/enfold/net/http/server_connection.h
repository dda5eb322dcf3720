// SPDX-License-Identifier: Apache-2.0
// One connection of a server: bytes in, requests to the handler, answers out.
#pragma once

#include "enfold/net/http/parser.h"
#include "enfold/net/http/server.h"
#include "enfold/net/stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace enfold::net::detail {

class ServerConnection final : public StreamOwner {
 public:
  ServerConnection(ServerCore& core, std::uint32_t slot);
  [[nodiscard]] Status open(FileDescriptor socket, const TlsContext* tls);

  [[nodiscard]] std::uint32_t slot() const { return slot_; }
  [[nodiscard]] std::uint64_t exchange() const { return exchange_; }
  [[nodiscard]] std::size_t queued() const { return stream_.queued(); }
  [[nodiscard]] std::string peer() const;

  void respond(HttpResponse response);
  void respond(int status, const HeaderLines& headers, std::string_view body);
  /// False: too many streams; 503 was sent.
  bool start_stream(const HttpResponse& head);
  Flow write(std::string_view bytes);
  void end_stream();
  void break_off();
  void on_drain(Task task) { on_drain_ = std::move(task); }
  void on_close(Task task) { on_close_ = std::move(task); }
  /// An idle connection is given a last moment; a busy one closes after its answer.
  void begin_draining() { set_timer(); }

  // StreamOwner
  std::size_t on_bytes(std::string_view bytes) override;
  void on_end() override;
  void on_failure(const Error& error) override;
  void on_sent() override;
  void on_hang_up() override;

 private:
  enum class State { head, body, handling, streaming, lingering, closed };

  std::size_t take_head(std::string_view bytes);
  std::size_t take_request(HttpRequest& request, std::string_view bytes, std::size_t head_bytes);
  std::size_t take_body(std::string_view bytes);
  bool append_body(std::string_view data);
  void begin_body(HttpRequest& request, bool body_has_come);
  void dispatch(HttpRequest& request);
  void refuse(const HttpFault& fault);
  void send_whole(HttpResponse response);
  void send_whole(int status, const HeaderLines& headers, std::string_view body);
  /// With room for so many bytes more.
  [[nodiscard]] std::string start_of_head(int status, std::size_t more);
  [[nodiscard]] std::string whole_head(int status, const HeaderLines& headers, std::size_t body,
                                       std::size_t more);
  void finish_exchange();
  void linger();
  void close();
  void drop_partial();
  void set_timer();
  void on_due();
  void notify_closed();
  void run_on_drain();

  ServerCore& core_;
  Stream stream_;
  Timer timer_;
  std::unique_ptr<HttpRequest> partial_;  ///< while its body is on the way
  BodyDecoder decoder_;
  HeadScanner scanner_;
  Task on_drain_;
  Task on_close_;
  std::uint64_t exchange_ = 0;   ///< 0: no request in hand
  std::size_t progress_ = 0;     ///< bytes of a body since the deadline was last moved
  std::uint64_t sent_mark_ = 0;  ///< bytes that were sent then
  std::uint32_t slot_;
  State state_ = State::head;
  bool head_started_ = false;
  bool keeps_alive_ = true;
  bool speaks_1_0_ = false;
  bool answers_head_ = false;
  bool full_ = false;
  bool stalling_ = false;  ///< output waits for the client
  bool input_ended_ = false;
};

}  // namespace enfold::net::detail
