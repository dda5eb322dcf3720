// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/parser.h"

#include <algorithm>

namespace enfold::net {
namespace {

constexpr std::uint32_t kMaxSizeDigits = 15;        // a chunk size below 2^60 cannot overflow
constexpr std::uint32_t kMaxExtensionBytes = 1024;  // of one chunk
constexpr std::uint32_t kMaxTrailerBytes = 8192;    // of all trailers of a body

// -1: not a hex digit.
int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

}  // namespace

BodyDecoder::BodyDecoder(const HttpHead& head) {
  switch (head.body_kind()) {
    case BodyKind::none: state_ = State::done; break;
    case BodyKind::length:
      state_ = State::length;
      left_ = head.content_length();
      break;
    case BodyKind::chunked: state_ = State::size; break;
    case BodyKind::until_close: state_ = State::until_close; break;
  }
}

BodyDecoder::Step BodyDecoder::next(std::string_view bytes) {
  if (state_ == State::done || bytes.empty()) return {};
  if (state_ == State::until_close) return {bytes.size(), bytes, std::nullopt};
  if (state_ == State::length) return data_step(bytes, State::done);
  std::size_t used = 0;
  while (used < bytes.size() && state_ != State::done) {
    if (state_ == State::data) {
      Step step = data_step(bytes.substr(used), State::data_return);
      step.used += used;
      return step;
    }
    if (auto fault = framing_byte(bytes[used])) return {used, {}, fault};
    ++used;
  }
  return {used, {}, std::nullopt};
}

BodyDecoder::Step BodyDecoder::data_step(std::string_view bytes, State after) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  left_ -= size;
  if (left_ == 0) state_ = after;
  return {size, bytes.substr(0, size), std::nullopt};
}

bool BodyDecoder::ends_with_connection() {
  if (state_ == State::until_close) state_ = State::done;
  return is_done();
}

std::optional<HttpFault> BodyDecoder::size_byte(char c) {
  if (const int digit = hex_value(c); digit >= 0) {
    if (++digits_ > kMaxSizeDigits) return HttpFault{400, "a chunk size has too many digits"};
    left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
    return std::nullopt;
  }
  if (digits_ == 0) return HttpFault{400, "a chunk does not begin with its size"};
  line_bytes_ = 0;
  if (c == '\r')
    state_ = State::size_line_feed;
  else if (c == ';' || c == ' ' || c == '\t')
    state_ = State::extension;
  else
    return HttpFault{400, "a chunk size is not hexadecimal"};
  return std::nullopt;
}

std::optional<HttpFault> BodyDecoder::count_trailer_byte() {
  if (++line_bytes_ > kMaxTrailerBytes) return HttpFault{431, "the trailers are too long"};
  return std::nullopt;
}

// Reads one byte that is not data: of a size line, a line end or a trailer. Every line must end
// with CR LF: a reader that accepts a bare LF finds other chunks than a reader that does not.
std::optional<HttpFault> BodyDecoder::framing_byte(char c) {
  switch (state_) {
    case State::size: return size_byte(c);
    case State::extension:
      if (c == '\r') {
        state_ = State::size_line_feed;
      } else if (is_control(c)) {
        return HttpFault{400, "a chunk extension has a control character"};
      } else if (++line_bytes_ > kMaxExtensionBytes) {
        return HttpFault{400, "a chunk extension is too long"};
      }
      return std::nullopt;
    case State::size_line_feed:
      if (c != '\n') return HttpFault{400, "a chunk size does not end with CR LF"};
      digits_ = 0;
      line_bytes_ = 0;
      state_ = left_ == 0 ? State::trailer_start : State::data;
      return std::nullopt;
    case State::data_return:
      if (c != '\r') return HttpFault{400, "a chunk is longer than its size"};
      state_ = State::data_line_feed;
      return std::nullopt;
    case State::data_line_feed:
      if (c != '\n') return HttpFault{400, "a chunk does not end with CR LF"};
      state_ = State::size;
      return std::nullopt;
    case State::trailer_start:
      if (c == '\r') {
        state_ = State::last_line_feed;
        return std::nullopt;
      }
      if (!is_token_character(c)) return HttpFault{400, "a trailer is not NAME: VALUE"};
      state_ = State::trailer_name;
      return count_trailer_byte();
    case State::trailer_name:
      if (c == ':')
        state_ = State::trailer;
      else if (!is_token_character(c))
        return HttpFault{400, "a trailer is not NAME: VALUE"};
      return count_trailer_byte();
    case State::trailer:
      if (c == '\r')
        state_ = State::trailer_line_feed;
      else if (is_control(c))
        return HttpFault{400, "a trailer has a control character"};
      return count_trailer_byte();
    case State::trailer_line_feed:
      if (c != '\n') return HttpFault{400, "a trailer does not end with CR LF"};
      state_ = State::trailer_start;
      return std::nullopt;
    case State::last_line_feed:
      if (c != '\n') return HttpFault{400, "the last chunk does not end with CR LF"};
      state_ = State::done;
      return std::nullopt;
    case State::done:
    case State::length:
    case State::until_close:
    case State::data: break;
  }
  return std::nullopt;
}

}  // namespace enfold::net
