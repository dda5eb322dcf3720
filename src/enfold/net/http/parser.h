// SPDX-License-Identifier: Apache-2.0
// Reads HTTP/1.x heads and bodies from bytes, without I/O. Strict where readers have been set
// against each other: lines end with CRLF, a body has one length, chunked is the only transfer
// coding, and nothing is folded or guessed. Why it is our own: docs/decisions/0008.
#pragma once

#include "enfold/net/http/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace enfold::net {

/// What came of looking for a head. Neither bytes nor fault: it is not there as a whole.
struct HeadOutcome {
  std::size_t head_bytes = 0;  ///< with its empty line
  std::optional<HttpFault> fault;
};

/// `bytes` begins with a head and may go on behind it. When the head is there, `into` is replaced.
[[nodiscard]] HeadOutcome parse_request_head(std::string_view bytes, const HttpLimits& limits,
                                             HttpHead& into);
/// The answer to a HEAD request has no body whatever it says.
[[nodiscard]] HeadOutcome parse_response_head(std::string_view bytes, const HttpLimits& limits,
                                              bool answers_head, HttpHead& into);

/// Finds the end of a head that was not there as a whole the first time. Remembers how far it
/// looked, so that a head that comes byte by byte is looked at once, and parsed once.
class HeadScanner {
 public:
  /// With every call `bytes` holds at least what it held before.
  [[nodiscard]] HeadOutcome find_end(std::string_view bytes, const HttpLimits& limits);
  void restart() { looked_at_ = 0; }

 private:
  std::size_t looked_at_ = 0;
};

/// Empty lines before a request are no part of it (RFC 9112, 2.2).
[[nodiscard]] std::size_t count_leading_line_ends(std::string_view bytes);

/// Takes the framing off a body. It keeps no bytes: what it gives points into what it was given.
class BodyDecoder {
 public:
  BodyDecoder() = default;
  explicit BodyDecoder(const HttpHead& head);

  struct Step {
    std::size_t used = 0;   ///< bytes of the input that are done with, `data` included
    std::string_view data;  ///< the next bytes of the body; may be empty
    std::optional<HttpFault> fault;
  };
  /// One run of body bytes at most; call again with the rest until is_done() or nothing is left.
  [[nodiscard]] Step next(std::string_view bytes);
  /// The connection ended. Only a body that lasts until then is whole.
  [[nodiscard]] bool ends_with_connection();

  [[nodiscard]] bool is_done() const { return state_ == State::done; }

 private:
  enum class State {
    done,
    length,
    until_close,
    size,
    extension,
    size_line_feed,
    data,
    data_return,
    data_line_feed,
    trailer_start,
    trailer_name,
    trailer,
    trailer_line_feed,
    last_line_feed
  };
  [[nodiscard]] Step data_step(std::string_view bytes, State after);
  [[nodiscard]] std::optional<HttpFault> framing_byte(char c);
  [[nodiscard]] std::optional<HttpFault> size_byte(char c);
  [[nodiscard]] std::optional<HttpFault> trailer_byte();

  State state_ = State::done;
  std::uint64_t left_ = 0;
  std::uint32_t digits_ = 0;
  std::uint32_t line_bytes_ = 0;  ///< of an extension, or of all trailers
};

}  // namespace enfold::net
