// SPDX-License-Identifier: Apache-2.0
// Writes the responses on one connection of a server, in the form that the current request allows:
// HTTP/1.0 has no chunks, HEAD has no body, and some connections end after the response.
#pragma once

#include "enfold/net/http/server.h"
#include "enfold/net/stream.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::net::detail {

class ResponseWriter {
 public:
  ResponseWriter(ServerCore& core, Stream& stream) : core_(core), stream_(stream) {}

  /// The next response answers this request.
  void set_request(const HttpHead& head) {
    is_http_1_0_ = head.minor_version() == 0;
    answers_head_request_ = head.method() == "HEAD";
    keeps_alive_ = head.keeps_alive();
    lines_.clear();
  }
  /// Adds these header lines to every response to this request.
  void add_lines(std::string lines) { lines_ = std::move(lines); }
  /// The request was answered. If the next bytes are no valid request, their refusal has a body
  /// even after a HEAD request.
  void finish() { answers_head_request_ = false; }
  void close_after_response() { keeps_alive_ = false; }
  /// Whether the connection stays open after the response.
  [[nodiscard]] bool keeps_alive() const { return keeps_alive_; }
  [[nodiscard]] bool answers_head_request() const { return answers_head_request_; }

  void send(HttpResponse response);
  void send(int status, const HeaderLines& headers, std::string_view body);

  /// Sends the head of a response whose body follows in parts; `head.body` is not sent.
  void start_stream(const HttpResponse& head);
  void send_part(std::string_view bytes);  ///< not empty: an empty chunk would end the body
  void end_stream();                       ///< for HTTP/1.0 the caller must end the connection

 private:
  // start_of_head: the status line, Date, Connection and the lines of add_lines(). whole_head: the
  // other header lines and the empty line too. `extra_bytes`: how many bytes to reserve for what
  // the caller appends. `body_bytes`: the Content-Length.
  [[nodiscard]] std::string start_of_head(int status, std::size_t extra_bytes);
  [[nodiscard]] std::string whole_head(int status, const HeaderLines& headers,
                                       std::size_t body_bytes, std::size_t extra_bytes);

  ServerCore& core_;
  Stream& stream_;
  bool keeps_alive_ = true;
  bool is_http_1_0_ = false;
  bool answers_head_request_ = false;
  std::string lines_;  ///< of add_lines(), each with its line end
};

}  // namespace enfold::net::detail
