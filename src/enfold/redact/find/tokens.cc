// SPDX-License-Identifier: Apache-2.0
// Secrets recognized by their shape.
#include "enfold/base/text.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/find/token_shapes.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

bool has_long_stretch(std::string_view body) {
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = run_end(body, at, kAlnum);
    const std::string_view stretch = body.substr(at, end - at);
    if (stretch.size() >= 16 && (classes_of(stretch) & kDigit) != 0) return true;
    at = end + 1;
  }
  return false;
}

Match match_shape(std::string_view text, std::size_t at, const TokenShape& shape) {
  using Rule = TokenShape::Rule;
  const int before = shape.rule == Rule::exact ? kAlnum : kToken | (shape.classes & kDot);
  if (!starts_token(text, at, before)) return std::nullopt;
  const std::size_t begin = at + shape.prefix.size();
  std::size_t end = begin;
  if (shape.rule == Rule::exact) {
    end = run_end(text, begin, kAlnum, shape.least + 1);
    if (end - begin != shape.least) return std::nullopt;
  } else {
    end = run_end(text, begin, shape.classes);
    while (end > begin && text[end - 1] == '.') --end;
    if (end - begin < shape.least) return std::nullopt;
  }
  const std::string_view body = text.substr(begin, end - begin);
  if (is_filler(body)) return std::nullopt;
  if (shape.rule == Rule::exact && (classes_of(body) & ~shape.classes) != 0) return std::nullopt;
  if (shape.rule == Rule::key && !has_long_stretch(body)) return std::nullopt;
  return Secret{at, end, shape.label};
}

// The end of the header lines of an encrypted key; `body` if there are none.
std::size_t headers_end(std::string_view text, std::size_t body) {
  std::size_t end = body;
  for (const std::string_view header : {"Proc-Type:", "DEK-Info:"}) {
    const std::size_t at = text.substr(end, 16).find(header);
    if (at == std::string_view::npos) continue;
    end += at + header.size();
    while (end < text.size() && (is(text[end], kName | kBlank) || text[end] == ',')) ++end;
  }
  return end;
}

bool ends_authority(char c) {
  return is(c, kSpace) || is_quote(c) || c == '<' || c == '>' || c == '\\' || c == '\0';
}

bool is_web(std::string_view scheme) {
  return scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss" ||
         scheme == "file";
}

// The last '@' of the authority. Database passwords often contain an unescaped '/' or '#', so for
// other schemes than http these count as part of the password, unless a port precedes them.
// `password`: where the password begins; 0: there is none. Returns 0 if there is no '@'.
std::size_t find_at_sign(std::string_view text, std::size_t begin, std::size_t password, bool web) {
  constexpr std::size_t kMost = 2048;
  constexpr std::size_t kMostBeyondSlash = 256;
  std::size_t found = 0;
  std::size_t limit = std::min(text.size(), begin + kMost);
  bool strict = true;
  for (std::size_t i = begin; i < limit && !ends_authority(text[i]); ++i) {
    const char c = text[i];
    if (strict && (c == '/' || c == '?' || c == '#')) {
      const bool port = password != 0 && run_end(text, password, kDigit) == i;
      if (found != 0 || web || port || password == 0) break;
      strict = false;
      limit = std::min(limit, i + kMostBeyondSlash);
    }
    if (c == '@') found = i;
    if (!strict && found != 0) break;
  }
  return found;
}

// The length of a redaction marker at `begin`, in place of a user name; else 0.
std::size_t marker_at(std::string_view text, std::size_t begin) {
  if (!text.substr(begin).starts_with("[REDACTED:")) return 0;
  const std::size_t end = text.find(']', begin);
  return end == std::string_view::npos ? 0 : end + 1 - begin;
}

}  // namespace

Match match_token(std::string_view text, std::size_t at) {
  for (const TokenShape& shape : kTokenShapes) {
    if (text.compare(at, shape.prefix.size(), shape.prefix) != 0) continue;
    if (Match match = match_shape(text, at, shape)) return match;
  }
  return std::nullopt;
}

// Signed: header.claims.signature; encrypted: five parts, of which the second may be empty.
Match match_jwt(std::string_view text, std::size_t at) {
  if (!starts_token(text, at, kToken)) return std::nullopt;
  std::size_t end = run_end(text, at, kToken);
  if (end - at < 12) return std::nullopt;
  const bool claims_follow = text.substr(std::min(end + 1, text.size()), 3) == "eyJ";
  int dots = 0;
  while (dots < 4 && byte(text, end) == '.') {
    ++dots;
    end = run_end(text, end + 1, kToken);
  }
  if (claims_follow ? dots < 2 : dots < 4) return std::nullopt;
  return Secret{at, end, label::kJwt};
}

Match match_private_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kDashes = "-----";
  if (at < 5 || text.substr(at - 5, 5) != kDashes) return std::nullopt;
  const std::string_view line = text.substr(at, 80);
  const std::size_t closing = line.find(kDashes);
  if (closing == std::string_view::npos ||
      line.substr(0, closing).find("PRIVATE KEY") == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t body = at + closing + kDashes.size();
  std::size_t end = text.find(kDashes, body);
  const bool complete = end != std::string_view::npos && text.substr(end + 5, 3) == "END";
  if (complete) {
    const std::size_t tail = text.substr(end + 8, 80).find(kDashes);
    end = tail == std::string_view::npos ? end + 8 : end + 8 + tail + 5;
  } else {
    // Truncated: redacts everything that may be part of the key.
    end = headers_end(text, body);
    while (end < text.size() &&
           (is(text[end], kAlnum | kSpace | kBase64Sign) || text[end] == '\\')) {
      ++end;
    }
    if (byte(text, end) == '"' && end > body && text[end - 1] == '\\') --end;
  }
  std::size_t longest = 0;
  for (std::size_t i = body; i < end;) {
    const std::size_t stretch = run_end(text.substr(0, end), i, kAlnum | kBase64Sign);
    longest = std::max(longest, stretch - i);
    i = stretch + 1;
  }
  if (longest < 16) return std::nullopt;
  return Secret{at - 5, end, label::kPrivateKey};
}

// `Basic ` and the Base64 of user:password.
Match match_basic(std::string_view text, std::size_t at) {
  constexpr std::size_t kMost = 512;
  if (!starts_token(text, at, kAlnum) || !starts_with_ignoring_case(text.substr(at), "basic")) {
    return std::nullopt;
  }
  const std::size_t blank = at + 5;
  const std::size_t begin = run_end(text, blank, kBlank, 4);
  const std::size_t end = run_end(text, begin, kAlnum | kBase64Sign, kMost);
  if (begin == blank || end - begin < 8) return std::nullopt;
  const auto login = from_base64(text.substr(begin, end - begin));
  const bool printable = login && std::all_of(login->begin(), login->end(),
                                              [](char c) { return c >= ' ' && c <= '~'; });
  if (!printable) return std::nullopt;
  const std::size_t colon = login->find(':');
  if (colon == std::string::npos || is_placeholder(std::string_view(*login).substr(colon + 1))) {
    return std::nullopt;
  }
  return Secret{begin, end, label::kAccessToken};
}

Match match_bearer(std::string_view text, std::size_t at) {
  if (!starts_with_ignoring_case(text.substr(at), "bearer") || !starts_token(text, at, kAlnum)) {
    return std::nullopt;
  }
  std::size_t begin = at + 6;
  if (text.substr(begin, 3) == "%20") {
    begin += 3;
  } else {
    const std::size_t blank = begin;
    begin = run_end(text, begin, kBlank, 4);
    if (begin == blank) return std::nullopt;
  }
  std::size_t end = begin;
  while (end < text.size() && (is(text[end], kToken | kDot | kBase64Sign) || text[end] == '~')) {
    ++end;
  }
  while (end > begin && text[end - 1] == '.') --end;
  const std::string_view token = text.substr(begin, end - begin);
  if (token.size() < 16 || (classes_of(token) & kDigit) == 0) return std::nullopt;
  if (is_placeholder(token)) return std::nullopt;
  return Secret{begin, end, label::kBearerToken};
}

// 123456789:AA… – the number of a bot, a colon, 35 bytes.
Match match_bot_token(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin <= 10 && is(text[begin - 1], kDigit)) --begin;
  if (at - begin < 8 || at - begin > 10 || !starts_token(text, begin, kToken)) return std::nullopt;
  const std::size_t end = run_end(text, at + 1, kToken, 36);
  if (end - at - 1 != 35) return std::nullopt;
  return Secret{begin, end, label::kAccessToken};
}

Match match_webhook(std::string_view text, std::size_t at) {
  constexpr std::string_view kSlack = "hooks.slack.com/services/";
  constexpr std::string_view kChat = "hooks/";  // Discord: webhooks/ID/TOKEN
  constexpr std::size_t kMost = 256;
  if (text.compare(at, kSlack.size(), kSlack) == 0) {
    const std::size_t begin = at + kSlack.size();
    std::size_t end = begin;
    while (end < text.size() && end - begin < kMost &&
           (is(text[end], kAlnum) || text[end] == '/')) {
      ++end;
    }
    if (end - begin < 20) return std::nullopt;
    return Secret{begin, end, label::kSlackToken};
  }
  if (text.compare(at, kChat.size(), kChat) == 0) {
    const std::size_t id = at + kChat.size();
    const std::size_t slash = run_end(text, id, kDigit, 32);
    const std::size_t end = run_end(text, std::min(slash + 1, text.size()), kToken, kMost);
    if (slash - id < 15 || byte(text, slash) != '/' || end - slash < 40) return std::nullopt;
    return Secret{slash + 1, end, label::kAccessToken};
  }
  return std::nullopt;
}

Match match_url_password(std::string_view text, std::size_t at) {
  std::size_t scheme = at;
  while (scheme > 0 && at - scheme < 24 &&
         (is(text[scheme - 1], kAlnum) || text[scheme - 1] == '+')) {
    --scheme;
  }
  if (at - scheme < 2) return std::nullopt;
  const std::size_t begin = at + 3;
  std::size_t password = begin + marker_at(text, begin);
  while (password < text.size() && password - begin < 256 && text[password] != ':' &&
         text[password] != '/' && text[password] != '@' && !ends_authority(text[password])) {
    ++password;
  }
  if (byte(text, password) != ':') return std::nullopt;
  ++password;
  const bool web = is_web(text.substr(scheme, at - scheme));
  const std::size_t end = find_at_sign(text, password, password, web);
  if (end <= password) return std::nullopt;
  if (text.substr(end + 1, 7) == "sha256:") return std::nullopt;  // docker://image:tag@sha256:…
  const std::string_view value = text.substr(password, end - password);
  if (is_placeholder(value)) return std::nullopt;
  return Secret{password, end, label::kConnectionString};
}

}  // namespace enfold::redact::detail
