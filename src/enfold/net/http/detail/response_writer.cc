// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/detail/response_writer.h"

#include "enfold/net/http/detail/server_core.h"

#include <array>
#include <charconv>
#include <utility>

namespace enfold::net::detail {
namespace {

// A body below this is sent in one piece with its head.
constexpr std::size_t kJoinBodyBelow = std::size_t{16} << 10;

// Maximum bytes of the status line with the field Connection, and of the field Content-Length.
constexpr std::size_t kMaxStartBytes = 80;
constexpr std::size_t kMaxLengthFieldBytes = 40;
// Maximum bytes of the field Transfer-Encoding with the empty line, and of a chunk without its
// data.
constexpr std::size_t kMaxCodingFieldBytes = 40;
constexpr std::size_t kMaxChunkFramingBytes = 20;

void append_number(std::string& text, std::uint64_t number, int base = 10) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  text.append(digits.data(), end);
}

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace

std::string ResponseWriter::start_of_head(int status, std::size_t extra_bytes) {
  if (core_.is_draining()) keeps_alive_ = false;
  const std::string& date = core_.date_line();
  std::string head;
  head.reserve(kMaxStartBytes + date.size() + lines_.size() + extra_bytes);
  if (status == 200) {
    head += "HTTP/1.1 200 OK\r\n";
  } else {
    head += "HTTP/1.1 ";
    append_number(head, static_cast<std::uint64_t>(status));
    head += ' ';
    head += reason_phrase(status);
    head += "\r\n";
  }
  head += date;
  if (!keeps_alive_)
    head += "Connection: close\r\n";
  else if (is_http_1_0_)
    head += "Connection: keep-alive\r\n";
  head += lines_;
  return head;
}

std::string ResponseWriter::whole_head(int status, const HeaderLines& headers,
                                       std::size_t body_bytes, std::size_t extra_bytes) {
  std::string head =
      start_of_head(status, kMaxLengthFieldBytes + headers.text().size() + 2 + extra_bytes);
  if (may_have_body(status)) {
    head += "Content-Length: ";
    append_number(head, body_bytes);
    head += "\r\n";
  }
  head += headers.text();
  head += "\r\n";
  return head;
}

void ResponseWriter::send(HttpResponse response) {
  if (response.body.size() < kJoinBodyBelow) {
    send(response.status, response.headers, response.body);
    return;
  }
  stream_.write(whole_head(response.status, response.headers, response.body.size(),
                           /*extra_bytes=*/0));
  if (may_have_body(response.status) && !answers_head_request_)
    stream_.write(std::move(response.body));
}

void ResponseWriter::send(int status, const HeaderLines& headers, std::string_view body) {
  std::string message = whole_head(status, headers, body.size(), body.size());
  if (may_have_body(status) && !answers_head_request_) message += body;
  stream_.write(std::move(message));
}

void ResponseWriter::start_stream(const HttpResponse& response) {
  if (is_http_1_0_) keeps_alive_ = false;  // no chunks: the end of the connection ends the body
  std::string head =
      start_of_head(response.status, response.headers.text().size() + kMaxCodingFieldBytes);
  if (!is_http_1_0_) head += "Transfer-Encoding: chunked\r\n";
  head += response.headers.text();
  head += "\r\n";
  stream_.write(std::move(head));
}

void ResponseWriter::send_part(std::string_view bytes) {
  if (is_http_1_0_) {
    stream_.write(std::string(bytes));
    return;
  }
  std::string chunk;
  chunk.reserve(bytes.size() + kMaxChunkFramingBytes);
  append_number(chunk, bytes.size(), /*base=*/16);
  chunk += "\r\n";
  chunk += bytes;
  chunk += "\r\n";
  stream_.write(std::move(chunk));
}

void ResponseWriter::end_stream() {
  if (!is_http_1_0_) stream_.write("0\r\n\r\n");
}

}  // namespace enfold::net::detail
