// SPDX-License-Identifier: Apache-2.0
// One HTTP message read by our parser, in pieces of a given size, as a connection does it.
#pragma once

#include "enfold/net/http/parser.h"
#include "fuzz/check.h"
#include "fuzz/net_peer.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::fuzz {

inline constexpr net::HttpLimits kLimits{.max_head_bytes = 4096, .max_header_fields = 50};

/// How our parser looked at it, beyond what the peer can say.
struct OwnReading {
  HttpReading reading;
  net::BodyKind kind = net::BodyKind::none;
  bool keeps_alive = false;
  friend bool operator==(const OwnReading&, const OwnReading&) = default;
};

inline net::HeadOutcome parse_head(std::string_view bytes, bool is_request, net::HttpHead& head) {
  return is_request ? net::parse_request_head(bytes, kLimits, head)
                    : net::parse_response_head(bytes, kLimits, false, head);
}

/// As a connection does it: parsed at once if it is there, looked for first if it was not.
inline bool read_head(std::string_view bytes, std::size_t piece, bool is_request,
                      net::HttpHead& head, OwnReading& own) {
  net::HeadScanner scanner;
  for (std::size_t seen = 0; seen < bytes.size();) {
    const bool first = seen == 0;
    seen = std::min(bytes.size(), seen + piece);
    net::HeadOutcome outcome;
    if (first) outcome = parse_head(bytes.substr(0, seen), is_request, head);
    if (outcome.head_bytes == 0 && !outcome.fault) {
      outcome = scanner.find_end(bytes.substr(0, seen), kLimits);
      require(!first || outcome.head_bytes == 0, "parser and scanner see the same end", bytes);
      if (outcome.head_bytes > 0)
        outcome = parse_head(bytes.substr(0, outcome.head_bytes), is_request, head);
    }
    require(outcome.head_bytes <= seen, "a head ends within the bytes", bytes);
    own.reading.refused = outcome.fault.has_value();
    own.reading.used = outcome.head_bytes;
    if (outcome.fault || outcome.head_bytes > 0) return !outcome.fault;
  }
  return false;
}

inline void read_body(std::string_view bytes, std::size_t piece, const net::HttpHead& head,
                      bool ended, OwnReading& own) {
  net::BodyDecoder decoder(head);
  HttpReading& reading = own.reading;
  while (reading.used < bytes.size() && !decoder.is_done()) {
    const auto step = decoder.next(bytes.substr(reading.used, piece));
    require(step.fault || step.used > 0, "a decoder gets on", bytes);
    require(step.used <= bytes.size() - reading.used, "a decoder stays in its bytes", bytes);
    reading.used += step.used;
    reading.body += step.data;
    if (step.fault) {
      reading.refused = true;
      return;
    }
  }
  if (ended) (void)decoder.ends_with_connection();
  reading.complete = decoder.is_done();
}

inline OwnReading read_own(std::string_view bytes, std::size_t piece, bool is_request, bool ended) {
  OwnReading own;
  net::HttpHead head;
  if (!read_head(bytes, piece, is_request, head, own)) return own;
  own.kind = head.body_kind();
  own.keeps_alive = head.keeps_alive();
  own.reading.status = head.status();
  own.reading.method = head.method();
  own.reading.target = head.target();
  for (std::size_t i = 0; i < head.field_count(); ++i)
    own.reading.fields.emplace_back(head.field(i).name, head.field(i).value);
  read_body(bytes, piece, head, ended, own);
  return own;
}

/// Where Beast looks closer than we do, and may refuse for it: at the words of Connection, at the
/// extensions of chunks, and at the meaning of trailers.
inline bool has_what_we_skip(std::string_view bytes, const OwnReading& own) {
  for (const auto& [name, value] : own.reading.fields)
    if (equals_ignoring_case(name, "connection") || equals_ignoring_case(name, "proxy-connection"))
      for (const char c : value)
        if (!net::is_token_character(c)) return true;
  if (own.kind != net::BodyKind::chunked) return false;
  const std::string_view message = bytes.substr(0, own.reading.used);
  return !message.ends_with("\n0\r\n\r\n") ||
         message.find_first_of("; \t", message.find("\r\n\r\n")) != std::string_view::npos;
}

/// A fault may be seen earlier in one way than in the other; a message is taken in both ways or in
/// neither, and then it is the same one.
inline void require_same_in_pieces(std::string_view bytes, const OwnReading& whole, bool is_request,
                                   bool ended) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}}) {
    const OwnReading pieces = read_own(bytes, piece, is_request, ended);
    const bool taken = !whole.reading.refused && whole.reading.complete;
    require((!pieces.reading.refused && pieces.reading.complete) == taken, "pieces are taken alike",
            bytes);
    if (taken) require(pieces == whole, "pieces are read alike", bytes);
  }
}

}  // namespace enfold::fuzz
