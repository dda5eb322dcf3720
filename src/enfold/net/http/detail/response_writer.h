// SPDX-License-Identifier: Apache-2.0
// Writes the responses of one connection to a server, in the form that the request at hand allows:
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
  void answer_to(const HttpHead& head) {
    speaks_1_0_ = head.minor_version() == 0;
    answers_head_request_ = head.method() == "HEAD";
    keeps_alive_ = head.keeps_alive();
  }
  /// It was answered. What cannot be read as a request now is refused with a body.
  void finish() { answers_head_request_ = false; }
  void close_after_response() { keeps_alive_ = false; }
  [[nodiscard]] bool keeps_alive() const { return keeps_alive_; }
  [[nodiscard]] bool answers_head_request() const { return answers_head_request_; }

  void send(HttpResponse response);
  void send(int status, const HeaderLines& headers, std::string_view body);

  /// The head of a response whose body is sent in parts.
  void start_stream(const HttpResponse& head);
  void send_part(std::string_view bytes);
  void end_stream();

 private:
  /// With room for so many bytes more.
  [[nodiscard]] std::string start_of_head(int status, std::size_t more);
  [[nodiscard]] std::string whole_head(int status, const HeaderLines& headers, std::size_t body,
                                       std::size_t more);

  ServerCore& core_;
  Stream& stream_;
  bool keeps_alive_ = true;
  bool speaks_1_0_ = false;
  bool answers_head_request_ = false;
};

}  // namespace enfold::net::detail
