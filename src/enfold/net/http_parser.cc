// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http_parser.h"

#include <array>
#include <cstring>
#include <limits>

namespace enfold::net {
namespace {

using CharacterTable = std::array<bool, 256>;

constexpr CharacterTable make_token_table() {
  CharacterTable table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    table[static_cast<std::size_t>(c)] = true;
  return table;
}
constexpr CharacterTable kToken = make_token_table();

bool is_token_character(char c) { return kToken[static_cast<unsigned char>(c)]; }

// Branch-free over the whole text, so that the compiler can take many bytes at a time.
bool is_field_value(std::string_view text) {
  unsigned bad = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    bad |= static_cast<unsigned>(byte < 0x20U) & static_cast<unsigned>(byte != 0x09U);
    bad |= static_cast<unsigned>(byte == 0x7FU);
  }
  return bad == 0;
}

bool is_visible(std::string_view text) {
  unsigned bad = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    bad |= static_cast<unsigned>(byte <= 0x20U) | static_cast<unsigned>(byte >= 0x7FU);
  }
  return bad == 0 && !text.empty();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> parse_length(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

bool is_target(std::string_view method, std::string_view target) {
  if (!is_visible(target)) return false;
  if (target.front() == '/') return true;
  if (target == "*") return method == "OPTIONS";
  const auto absolute = [target](std::string_view scheme) {
    return target.size() > scheme.size() && target[scheme.size()] != '/' &&
           equals_ignoring_case(target.substr(0, scheme.size()), scheme);
  };
  return absolute("http://") || absolute("https://");
}

std::optional<HttpFault> parse_version(std::string_view text, int& minor) {
  if (text == "HTTP/1.1" || text == "HTTP/1.0") {
    minor = text.back() - '0';
    return std::nullopt;
  }
  if (text.size() == 8 && text.starts_with("HTTP/") && text[6] == '.')
    return HttpFault{505, "only HTTP/1.1 and HTTP/1.0 are spoken here"};
  return HttpFault{400, "the start line does not name a version HTTP/1.1 or HTTP/1.0"};
}

}  // namespace

HeadScanner::Found HeadScanner::find_end(std::string_view bytes, const HttpLimits& limits) {
  const char* const begin = bytes.data();
  while (looked_at_ < bytes.size()) {
    const void* found = std::memchr(begin + looked_at_, '\n', bytes.size() - looked_at_);
    if (found == nullptr) break;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - begin);
    if (at == 0 || begin[at - 1] != '\r')
      return {0, HttpFault{400, "a line of the head does not end with CR LF"}};
    looked_at_ = at + 1;
    if (looked_at_ > limits.max_head_bytes) break;
    if (at >= 2 && begin[at - 2] == '\n') return {looked_at_, std::nullopt};
  }
  if (bytes.size() > limits.max_head_bytes || looked_at_ > limits.max_head_bytes)
    return {0, HttpFault{431, "the head is longer than this server reads"}};
  looked_at_ = bytes.size();
  return {};
}

std::size_t count_leading_line_ends(std::string_view bytes) {
  std::size_t count = 0;
  while (bytes.substr(count).starts_with("\r\n")) count += 2;
  return count;
}

/// One head on its way into a value.
class HeadParser {
 public:
  HeadParser(std::string_view bytes, const HttpLimits& limits, HttpHead& into)
      : limits_(limits), head_(into) {
    head_.bytes_.assign(bytes);
    head_.fields_.clear();
    head_.first_ = head_.second_ = head_.host_ = {};
    head_.content_length_ = 0;
    head_.status_ = 0;
    head_.minor_version_ = 1;
    head_.body_kind_ = BodyKind::none;
    head_.expects_continue_ = false;
    rest_ = head_.bytes_;
  }

  std::optional<HttpFault> request() {
    if (auto fault = request_line(next_line())) return fault;
    if (auto fault = fields()) return fault;
    if (head_.minor_version_ == 1 && !has_host_)
      return HttpFault{400, "a request of HTTP/1.1 must have one Host field"};
    return frame_request();
  }

  std::optional<HttpFault> response(bool answers_head) {
    if (auto fault = status_line(next_line())) return fault;
    if (auto fault = fields()) return fault;
    return frame_response(answers_head);
  }

 private:
  std::string_view next_line() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos || end == 0) {
      rest_ = {};
      return {};
    }
    const std::string_view line = rest_.substr(0, end - 1);
    rest_.remove_prefix(end + 1);
    return line;
  }

  HttpHead::Piece piece(std::string_view part) const {
    return {static_cast<std::uint32_t>(part.data() - head_.bytes_.data()),
            static_cast<std::uint32_t>(part.size())};
  }

  std::optional<HttpFault> request_line(std::string_view line) {
    const std::size_t method_end = line.find(' ');
    const std::size_t target_end = line.rfind(' ');
    if (method_end == std::string_view::npos || target_end <= method_end)
      return HttpFault{400, "the request line is not METHOD TARGET VERSION"};
    const std::string_view method = line.substr(0, method_end);
    const std::string_view target = line.substr(method_end + 1, target_end - method_end - 1);
    if (!is_token(method)) return HttpFault{400, "the method is not a token"};
    if (auto fault = parse_version(line.substr(target_end + 1), head_.minor_version_)) return fault;
    if (!is_target(method, target))
      return HttpFault{400, "the request target is neither a path nor an absolute URL"};
    head_.first_ = piece(method);
    head_.second_ = piece(target);
    return std::nullopt;
  }

  std::optional<HttpFault> status_line(std::string_view line) {
    if (line.size() < 12 || line[8] != ' ' || (line.size() > 12 && line[12] != ' '))
      return HttpFault{502, "the status line is not VERSION STATUS REASON"};
    if (auto fault = parse_version(line.substr(0, 8), head_.minor_version_)) return fault;
    const std::optional<std::uint64_t> status = parse_length(line.substr(9, 3));
    if (!status || *status < 100 || *status > 599)
      return HttpFault{502, "the status is not a number from 100 to 599"};
    if (!is_field_value(line.substr(12)))
      return HttpFault{502, "the reason has a control character"};
    head_.status_ = static_cast<int>(*status);
    return std::nullopt;
  }

  std::optional<HttpFault> fields() {
    head_.keeps_alive_ = head_.minor_version_ == 1;
    for (;;) {
      const std::string_view line = next_line();
      if (line.empty()) break;
      if (head_.fields_.size() == limits_.max_header_fields)
        return HttpFault{431, "the head has more fields than this server reads"};
      std::size_t colon = 0;
      while (colon < line.size() && is_token_character(line[colon])) ++colon;
      if (colon == 0 || colon == line.size() || line[colon] != ':')
        return HttpFault{400, "a header line is not NAME: VALUE"};
      const std::string_view name = line.substr(0, colon);
      const std::string_view value = trimmed(line.substr(colon + 1));
      if (!is_field_value(value)) return HttpFault{400, "a header value has a control character"};
      head_.fields_.push_back({piece(name), piece(value)});
      if (auto fault = note(name, value)) return fault;
    }
    // The empty line must be the end: what a bare CR LF CR in the middle hides is not for guessing.
    if (!rest_.empty()) return HttpFault{400, "the head goes on after its empty line"};
    return std::nullopt;
  }

  // The fields that decide about framing, host and connection. Lengths tell nearly all others
  // apart.
  std::optional<HttpFault> note(std::string_view name, std::string_view value) {
    switch (name.size()) {
      case 4:
        if (!equals_ignoring_case(name, "host")) return std::nullopt;
        if (has_host_) return HttpFault{400, "a request must have one Host field, not two"};
        has_host_ = true;
        head_.host_ = piece(value);
        return std::nullopt;
      case 6:
        if (!equals_ignoring_case(name, "expect")) return std::nullopt;
        if (!equals_ignoring_case(value, "100-continue"))
          return HttpFault{417, "the only expectation known here is 100-continue"};
        head_.expects_continue_ = head_.minor_version_ == 1;
        return std::nullopt;
      case 10:
        if (!equals_ignoring_case(name, "connection")) return std::nullopt;
        if (has_token(value, "close"))
          closes_ = true;
        else if (has_token(value, "keep-alive"))
          head_.keeps_alive_ = true;
        return std::nullopt;
      case 14:
        return equals_ignoring_case(name, "content-length") ? note_length(value) : std::nullopt;
      case 17:
        return equals_ignoring_case(name, "transfer-encoding") ? note_coding(value) : std::nullopt;
      default: return std::nullopt;
    }
  }

  std::optional<HttpFault> note_length(std::string_view value) {
    if (has_length_) return HttpFault{400, "a message must have one Content-Length, not two"};
    const std::optional<std::uint64_t> length = parse_length(value);
    if (!length) return HttpFault{400, "Content-Length is not a number of bytes"};
    has_length_ = true;
    head_.content_length_ = *length;
    return std::nullopt;
  }

  std::optional<HttpFault> note_coding(std::string_view value) {
    if (is_chunked_) return HttpFault{400, "a message must have one Transfer-Encoding, not two"};
    if (!equals_ignoring_case(value, "chunked"))
      return HttpFault{501, "the only transfer coding known here is chunked"};
    is_chunked_ = true;
    return std::nullopt;
  }

  std::optional<HttpFault> check_framing() {
    if (closes_) head_.keeps_alive_ = false;
    if (is_chunked_ && has_length_)
      return HttpFault{400, "a message must not have both Content-Length and Transfer-Encoding"};
    if (is_chunked_ && head_.minor_version_ == 0)
      return HttpFault{400, "HTTP/1.0 has no Transfer-Encoding"};
    return std::nullopt;
  }

  std::optional<HttpFault> frame_request() {
    if (auto fault = check_framing()) return fault;
    if (is_chunked_)
      head_.body_kind_ = BodyKind::chunked;
    else if (head_.content_length_ > 0)
      head_.body_kind_ = BodyKind::length;
    return std::nullopt;
  }

  std::optional<HttpFault> frame_response(bool answers_head) {
    if (auto fault = check_framing()) return fault;
    const int status = head_.status_;
    if (answers_head || status < 200 || status == 204 || status == 304) {
      head_.content_length_ = 0;
    } else if (is_chunked_) {
      head_.body_kind_ = BodyKind::chunked;
    } else if (!has_length_) {
      head_.body_kind_ = BodyKind::until_close;
      head_.keeps_alive_ = false;
    } else if (head_.content_length_ > 0) {
      head_.body_kind_ = BodyKind::length;
    }
    return std::nullopt;
  }

  const HttpLimits& limits_;
  HttpHead& head_;
  std::string_view rest_;
  bool has_host_ = false;
  bool has_length_ = false;
  bool is_chunked_ = false;
  bool closes_ = false;
};

std::optional<HttpFault> parse_request_head(std::string_view bytes, const HttpLimits& limits,
                                            HttpHead& into) {
  return HeadParser(bytes, limits, into).request();
}

std::optional<HttpFault> parse_response_head(std::string_view bytes, const HttpLimits& limits,
                                             bool answers_head, HttpHead& into) {
  return HeadParser(bytes, limits, into).response(answers_head);
}

}  // namespace enfold::net
