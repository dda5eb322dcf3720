// SPDX-License-Identifier: Apache-2.0
// Reads HTTP/1.x heads and bodies from bytes, without I/O. It is strict where a difference between
// two readers could be exploited: lines end with CRLF, a body has one length, chunked is the only
// transfer coding, and header lines are not folded. Why Enfold has its own parser:
// docs/decisions/0008.
#pragma once

#include "enfold/net/http/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace enfold::net {

/// The result of looking for a head. Neither bytes nor fault: the head is incomplete.
struct HeadOutcome {
  std::size_t head_bytes = 0;  ///< size of the head with its empty line
  std::optional<HttpFault> fault;
};

/// `bytes` begins with a head; more may follow. `into` is valid only if the head is complete.
[[nodiscard]] HeadOutcome parse_request_head(std::string_view bytes, const HttpLimits& limits,
                                             HttpHead& into);
/// `answers_head`: the response answers a HEAD request. Then it has no body, even if its fields
/// announce one.
[[nodiscard]] HeadOutcome parse_response_head(std::string_view bytes, const HttpLimits& limits,
                                              bool answers_head, HttpHead& into);

/// Finds the end of a head that arrives in several pieces. It remembers how far it has searched, so
/// that each byte is searched once.
class HeadScanner {
 public:
  /// `bytes` begins with all bytes of the previous call.
  [[nodiscard]] HeadOutcome find_end(std::string_view bytes, const HttpLimits& limits);
  void restart() { searched_ = 0; }  ///< the next bytes begin another head

 private:
  std::size_t searched_ = 0;  ///< bytes at the beginning that need not be searched again
};

/// The size of the empty lines at the beginning of `bytes`. Before a request they are no part of it
/// (RFC 9112, 2.2).
[[nodiscard]] inline std::size_t count_leading_line_ends(std::string_view bytes) {
  std::size_t count = 0;
  while (bytes.substr(count).starts_with("\r\n")) count += 2;
  return count;
}

/// Removes the framing of a body. It keeps no bytes: its output points into its input.
class BodyDecoder {
 public:
  BodyDecoder() = default;
  explicit BodyDecoder(const HttpHead& head);

  struct Step {
    std::size_t used = 0;   ///< bytes of the input that are consumed, `data` included
    std::string_view data;  ///< the next bytes of the body; may be empty
    std::optional<HttpFault> fault;
  };
  /// Returns at most one contiguous piece of the body. Call again with the bytes after `used` until
  /// is_done() or no bytes are left.
  [[nodiscard]] Step next(std::string_view bytes);
  /// Called when the connection has ended. Returns whether the body is complete then, which only
  /// BodyKind::until_close allows.
  [[nodiscard]] bool ends_with_connection();

  [[nodiscard]] bool is_done() const { return state_ == State::done; }

 private:
  enum class State {
    done,
    length,       // a body with Content-Length
    until_close,  // a body that the end of the connection ends
    // In a chunked body: what the next byte belongs to.
    size,               // the digits of a chunk size
    extension,          // the rest of a size line
    size_line_feed,     // the LF of a size line
    data,               // the data of a chunk
    data_return,        // the CR after the data
    data_line_feed,     // the LF after the data
    trailer_start,      // a trailer, or the empty line that ends the body
    trailer_name,       // the name of a trailer
    trailer,            // the value of a trailer
    trailer_line_feed,  // the LF of a trailer
    last_line_feed      // the LF of the empty line
  };
  /// Takes the next bytes as data. `after`: the state once all `left_` bytes have come.
  [[nodiscard]] Step data_step(std::string_view bytes, State after);
  // Read one byte; nullopt: it is valid.
  [[nodiscard]] std::optional<HttpFault> framing_byte(char c);
  [[nodiscard]] std::optional<HttpFault> size_byte(char c);
  /// Counts a byte of the trailers; 431 if they become too long.
  [[nodiscard]] std::optional<HttpFault> count_trailer_byte();

  State state_ = State::done;
  std::uint64_t left_ = 0;        ///< bytes to come: of the body, or of the chunk
  std::uint32_t digits_ = 0;      ///< of the chunk size, so far
  std::uint32_t line_bytes_ = 0;  ///< bytes of the extension, or of all trailers, so far
};

}  // namespace enfold::net
