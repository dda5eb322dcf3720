// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 messages as values: the head of a received request or response, and a message to send.
// No I/O; parsing is in parser.h.
#pragma once

#include "enfold/base/text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::net {

/// Limits on what a peer may send. A server refuses more with 431 or, for a body, 413.
struct HttpLimits {
  std::size_t max_head_bytes = std::size_t{32} << 10;  ///< start line, fields and empty line
  std::size_t max_header_fields = 100;
  std::size_t max_body_bytes = std::size_t{4} << 20;  ///< without chunk sizes and trailers
};

/// Why a message is refused, and with which status; a client ignores the status.
struct HttpFault {
  int status = 400;
  std::string_view message;  ///< a literal: what is wrong

  friend bool operator==(const HttpFault&, const HttpFault&) = default;
};

struct HeaderField {
  std::string_view name;
  std::string_view value;
};

/// How the end of a body is known.
enum class BodyKind { none, length, chunked, until_close };

/// A start line and its header fields, which point into one copy of the received bytes.
class HttpHead {
 public:
  [[nodiscard]] std::string_view method() const { return text(method_); }  ///< of a request
  /// Of a request, unchanged.
  [[nodiscard]] std::string_view target() const { return text(target_); }
  /// Of the target, without query; "/" if it has none.
  [[nodiscard]] std::string_view path() const { return path_.size == 0 ? "/" : text(path_); }
  /// HOST or HOST:PORT, from an absolute target, else from the field Host; empty: neither has one.
  [[nodiscard]] std::string_view authority() const { return text(authority_); }
  [[nodiscard]] int status() const { return status_; }                ///< of a response
  [[nodiscard]] int minor_version() const { return minor_version_; }  ///< 1, or 0 for HTTP/1.0

  [[nodiscard]] std::size_t field_count() const { return fields_.size(); }
  [[nodiscard]] HeaderField field(std::size_t index) const {
    return {text(fields_[index].name), text(fields_[index].value)};
  }
  /// The value of the first field of that name, ignoring case; nullopt: there is none.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const {
    for (const Field& field : fields_)
      if (equals_ignoring_case(text(field.name), name)) return text(field.value);
    return std::nullopt;
  }

  [[nodiscard]] BodyKind body_kind() const { return body_kind_; }
  /// 0 unless body_kind() is `length`.
  [[nodiscard]] std::uint64_t content_length() const { return content_length_; }
  /// Whether the sender lets the connection carry another message.
  [[nodiscard]] bool keeps_alive() const { return keeps_alive_; }
  /// Whether the sender waits for 100 Continue before it sends the body.
  [[nodiscard]] bool expects_continue() const { return expects_continue_; }

 private:
  friend class HeadParser;
  /// A part of `bytes_`.
  struct Piece {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  struct Field {
    Piece name;
    Piece value;
  };
  [[nodiscard]] std::string_view text(Piece piece) const {
    return std::string_view(bytes_).substr(piece.offset, piece.size);
  }

  std::string bytes_;  ///< of the whole head, as received
  std::vector<Field> fields_;
  Piece method_;
  Piece target_;
  Piece path_;
  Piece authority_;
  std::uint64_t content_length_ = 0;
  int status_ = 0;
  int minor_version_ = 1;
  BodyKind body_kind_ = BodyKind::none;
  bool keeps_alive_ = true;
  bool expects_continue_ = false;
};

struct HttpRequest {
  HttpHead head;
  std::string body;
};

/// Header lines for a message to send. Control characters in a value become spaces, and characters
/// that a name may not have become '-', so that neither can end a line or a message.
class HeaderLines {
 public:
  HeaderLines& add(std::string_view name, std::string_view value);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A response to send. The server adds Content-Length, Transfer-Encoding, Connection and Date.
struct HttpResponse {
  int status = 200;
  HeaderLines headers;
  std::string body;
};

[[nodiscard]] std::string_view reason_phrase(int status);  ///< "Status" for an unknown one
/// Whether a comma-separated list has this token, ignoring case and the parameters after ';'. A
/// token with the weight 0, as in "gzip;q=0", is not there.
[[nodiscard]] bool has_token(std::string_view list, std::string_view token);
/// Characters of a method and of a field name (RFC 9110, 5.6.2).
extern const std::array<bool, 256> kTokenCharacters;
[[nodiscard]] inline bool is_token_character(char c) {
  return kTokenCharacters[static_cast<unsigned char>(c)];
}
[[nodiscard]] inline bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_token_character(c); });
}

}  // namespace enfold::net
