// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/parser.h"

#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::net {
namespace {

// Finds the first byte that a field value may not contain; in a valid head that is CR.
const char* find_control(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i last_control = _mm_set1_epi8(0x1F);
  const __m128i tab = _mm_set1_epi8('\t');
  const __m128i del = _mm_set1_epi8(0x7F);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i bad =
        _mm_or_si128(_mm_andnot_si128(_mm_cmpeq_epi8(bytes, tab), low), _mm_cmpeq_epi8(bytes, del));
    if (const int mask = _mm_movemask_epi8(bad); mask != 0)
      return at + __builtin_ctz(static_cast<unsigned>(mask));
  }
#endif
  for (; at != end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) return at;
  }
  return end;
}

// Finds the first byte that a field name may not contain; in a valid head that is the colon. Names
// rarely have other characters than letters, digits and '-'.
const char* find_name_end(const char* at, const char* end) {
#if defined(__SSE2__)
  const auto in_range = [](__m128i bytes, char first, char count) {
    const __m128i offset = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(static_cast<char>(count - 1))),
                          offset);
  };
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const __m128i usual =
        _mm_or_si128(_mm_or_si128(in_range(lower, 'a', 26), in_range(bytes, '0', 10)),
                     _mm_cmpeq_epi8(bytes, _mm_set1_epi8('-')));
    if (const int mask = _mm_movemask_epi8(usual) ^ 0xFFFF; mask != 0) {
      at += __builtin_ctz(static_cast<unsigned>(mask));
      break;
    }
  }
#endif
  while (at != end && is_token_character(*at)) ++at;
  return at;
}

bool is_visible(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7F)
      return false;
  return !text.empty();
}

// nullopt: not a number, or one of more than 18 digits.
std::optional<std::uint64_t> parse_length(std::string_view text) {
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

// A path, an absolute URL, or * for OPTIONS.
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

// nullopt: the version is valid. `minor`: its number after the point.
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

/// Parses one head in a single pass over the bytes. If it is valid, the head keeps a copy of them.
class HeadParser {
 public:
  HeadParser(std::string_view bytes, const HttpLimits& limits, HttpHead& into)
      : begin_(bytes.data()),
        at_(begin_),
        end_(begin_ + bytes.size()),
        limits_(limits),
        head_(into) {
    head_.fields_.clear();
    head_.fields_.reserve(16);
    head_.method_ = head_.target_ = head_.path_ = head_.authority_ = {};
    head_.content_length_ = 0;
    head_.status_ = 0;
    head_.minor_version_ = 1;
    head_.body_kind_ = BodyKind::none;
    head_.expects_continue_ = false;
  }

  HeadOutcome request() {
    if (start_line() && request_line() && fields() && request_framing()) return finish();
    return {0, fault_};
  }

  HeadOutcome response(bool answers_head) {
    if (start_line() && status_line() && fields() && response_framing(answers_head))
      return finish();
    return {0, fault_};
  }

 private:
  // Each step returns whether to continue. If not, there is a fault, or the head is incomplete.
  bool refuse(int status, std::string_view message) {
    fault_ = HttpFault{status, message};
    return false;
  }

  HeadOutcome finish() {
    const auto size = static_cast<std::size_t>(at_ - begin_);
    if (size > limits_.max_head_bytes)
      return {0, HttpFault{431, "the head is longer than this server reads"}};
    head_.bytes_.assign(begin_, size);
    return {size, std::nullopt};
  }

  HttpHead::Piece piece(std::string_view part) const {
    return {static_cast<std::uint32_t>(part.data() - begin_),
            static_cast<std::uint32_t>(part.size())};
  }

  /// Reads the remaining part of the line and its CR LF.
  bool rest_of_line(std::string_view& line) {
    const char* stop = find_control(at_, end_);
    if (stop == end_) return false;
    if (*stop == '\n') return refuse(400, "a line of the head does not end with CR LF");
    if (*stop != '\r') return refuse(400, "a line of the head has a control character");
    if (stop + 1 == end_) return false;
    if (stop[1] != '\n') return refuse(400, "a line of the head does not end with CR LF");
    line = {at_, static_cast<std::size_t>(stop - at_)};
    at_ = stop + 2;
    return true;
  }

  bool start_line() { return rest_of_line(start_line_); }

  /// Parses start_line_; status_line() does the same for a response.
  bool request_line() {
    const std::string_view line = start_line_;
    const std::size_t method_end = line.find(' ');
    const std::size_t target_end = line.rfind(' ');
    if (method_end == std::string_view::npos || target_end <= method_end)
      return refuse(400, "the request line is not METHOD TARGET VERSION");
    const std::string_view method = line.substr(0, method_end);
    const std::string_view target = line.substr(method_end + 1, target_end - method_end - 1);
    if (!is_token(method)) return refuse(400, "the method is not a token");
    if (fault_ = parse_version(line.substr(target_end + 1), head_.minor_version_); fault_)
      return false;
    if (!is_target(method, target))
      return refuse(400, "the request target is neither a path nor an absolute URL");
    head_.method_ = piece(method);
    set_target(target);
    return true;
  }

  void set_target(std::string_view target) {
    head_.target_ = piece(target);
    std::string_view path = target;
    if (!target.starts_with('/') && target != "*") {
      path.remove_prefix(target.find("://") + 3);
      head_.authority_ = piece(path.substr(0, path.find_first_of("/?")));
      path.remove_prefix(head_.authority_.size);
    }
    head_.path_ = piece(path.substr(0, path.find('?')));
  }

  bool status_line() {
    const std::string_view line = start_line_;
    // "HTTP/1.1 200", after which a space and the reason may follow.
    if (line.size() < 12 || line[8] != ' ' || (line.size() > 12 && line[12] != ' '))
      return refuse(502, "the status line is not VERSION STATUS REASON");
    if (fault_ = parse_version(line.substr(0, 8), head_.minor_version_); fault_) return false;
    const std::optional<std::uint64_t> status = parse_length(line.substr(9, 3));
    if (!status || *status < 100 || *status > 599)
      return refuse(502, "the status is not a number from 100 to 599");
    head_.status_ = static_cast<int>(*status);
    return true;
  }

  bool fields() {
    head_.keeps_alive_ = head_.minor_version_ == 1;
    for (;;) {
      const char* at = find_name_end(at_, end_);
      if (at == end_) return false;
      const std::string_view name(at_, static_cast<std::size_t>(at - at_));
      if (name.empty() && *at == '\r') return empty_line();
      if (name.empty() || *at != ':') return refuse(400, "a header line is not NAME: VALUE");
      ++at;
      while (at != end_ && (*at == ' ' || *at == '\t')) ++at;
      at_ = at;
      std::string_view value;
      if (!rest_of_line(value)) return false;
      while (!value.empty() && (value.back() == ' ' || value.back() == '\t'))
        value.remove_suffix(1);
      if (head_.fields_.size() == limits_.max_header_fields)
        return refuse(431, "the head has more fields than this server reads");
      head_.fields_.push_back({piece(name), piece(value)});
      if (!apply_field(name, value)) return false;
    }
  }

  bool empty_line() {
    if (at_ + 1 == end_) return false;
    if (at_[1] != '\n') return refuse(400, "a line of the head does not end with CR LF");
    at_ += 2;
    return true;
  }

  // Handles the fields that decide about framing, host and connection. Most other names have other
  // sizes, so that they need no comparison.
  bool apply_field(std::string_view name, std::string_view value) {
    // Compares the bytes first, which is quicker: most senders spell the names as here.
    const auto is = [name](std::string_view known) {
      return name == known || equals_ignoring_case(name, known);
    };
    switch (name.size()) {
      case 4: return !is("Host") || set_host(value);
      case 6: return !is("Expect") || set_expectation(value);
      case 10: return !is("Connection") || set_connection(value);
      case 14: return !is("Content-Length") || set_length(value);
      case 17: return !is("Transfer-Encoding") || set_coding(value);
      default: return true;
    }
  }

  bool set_host(std::string_view value) {
    if (has_host_) return refuse(400, "a request must have one Host field, not two");
    has_host_ = true;
    // The authority of an absolute target overrides the field (RFC 9112, 3.2.2).
    if (head_.authority_.offset == 0) head_.authority_ = piece(value);
    return true;
  }

  bool set_expectation(std::string_view value) {
    if (!equals_ignoring_case(value, "100-continue"))
      return refuse(417, "the only expectation known here is 100-continue");
    head_.expects_continue_ = head_.minor_version_ == 1;
    return true;
  }

  bool set_connection(std::string_view value) {
    if (has_token(value, "close"))
      closes_ = true;
    else if (has_token(value, "keep-alive"))
      head_.keeps_alive_ = true;
    return true;
  }

  bool set_length(std::string_view value) {
    if (has_length_) return refuse(400, "a message must have one Content-Length, not two");
    const std::optional<std::uint64_t> length = parse_length(value);
    if (!length) return refuse(400, "Content-Length is not a number of bytes");
    has_length_ = true;
    head_.content_length_ = *length;
    return true;
  }

  bool set_coding(std::string_view value) {
    if (is_chunked_) return refuse(400, "a message must have one Transfer-Encoding, not two");
    if (!equals_ignoring_case(value, "chunked"))
      return refuse(501, "the only transfer coding known here is chunked");
    is_chunked_ = true;
    return true;
  }

  // Checks what requests and responses have in common, after all fields were read.
  bool check_framing() {
    if (closes_) head_.keeps_alive_ = false;
    if (is_chunked_ && has_length_)
      return refuse(400, "a message must not have both Content-Length and Transfer-Encoding");
    if (is_chunked_ && head_.minor_version_ == 0)
      return refuse(400, "HTTP/1.0 has no Transfer-Encoding");
    return true;
  }

  bool request_framing() {
    if (!check_framing()) return false;
    if (head_.minor_version_ == 1 && !has_host_)
      return refuse(400, "a request of HTTP/1.1 must have one Host field");
    if (is_chunked_)
      head_.body_kind_ = BodyKind::chunked;
    else if (head_.content_length_ > 0)
      head_.body_kind_ = BodyKind::length;
    return true;
  }

  bool response_framing(bool answers_head) {
    if (!check_framing()) return false;
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
    return true;
  }

  const char* const begin_;
  const char* at_;
  const char* const end_;
  const HttpLimits& limits_;
  HttpHead& head_;
  std::string_view start_line_;
  std::optional<HttpFault> fault_;
  bool has_host_ = false;
  bool has_length_ = false;
  bool is_chunked_ = false;
  bool closes_ = false;  ///< there is the field Connection: close
};

HeadOutcome parse_request_head(std::string_view bytes, const HttpLimits& limits, HttpHead& into) {
  return HeadParser(bytes, limits, into).request();
}

HeadOutcome parse_response_head(std::string_view bytes, const HttpLimits& limits, bool answers_head,
                                HttpHead& into) {
  return HeadParser(bytes, limits, into).response(answers_head);
}

HeadOutcome HeadScanner::find_end(std::string_view bytes, const HttpLimits& limits) {
  const char* const begin = bytes.data();
  while (searched_ < bytes.size()) {
    const void* found = std::memchr(begin + searched_, '\n', bytes.size() - searched_);
    if (found == nullptr) break;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - begin);
    if (at == 0 || begin[at - 1] != '\r')
      return {0, HttpFault{400, "a line of the head does not end with CR LF"}};
    searched_ = at + 1;
    if (searched_ > limits.max_head_bytes) break;
    if (at >= 2 && begin[at - 2] == '\n') return {searched_, std::nullopt};
  }
  if (bytes.size() > limits.max_head_bytes || searched_ > limits.max_head_bytes)
    return {0, HttpFault{431, "the head is longer than this server reads"}};
  searched_ = bytes.size();
  return {};
}

}  // namespace enfold::net
