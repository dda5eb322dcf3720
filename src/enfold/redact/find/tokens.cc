// SPDX-License-Identifier: Apache-2.0
// Secrets recognized by their shape.
#include "enfold/base/text.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/forms.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/find/token_shapes.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

// Whether the bytes after a prefix end with a UUID, or have a run of letters and digits that is no
// word.
bool looks_generated(std::string_view body) {
  constexpr std::size_t kMixed = 8;  // bytes of a run in mixed case
  constexpr std::size_t kLong = 16;  // bytes of any other run
  if (body.size() >= kUuidSize && is_uuid(body.substr(body.size() - kUuidSize))) return true;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = run_end(body, at, kAlnum);
    const std::string_view stretch = body.substr(at, end - at);
    const bool mixed = stretch.size() >= kMixed && is_mixed_case(stretch);
    if ((mixed || stretch.size() >= kLong) && (classes_of(stretch) & kDigit) != 0) return true;
    at = end + 1;
  }
  return false;
}

// The token of this shape whose prefix is at `at`.
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
  if (is_placeholder(body)) return std::nullopt;
  if (shape.rule == Rule::exact && run_end(body, 0, shape.classes) != body.size()) {
    return std::nullopt;
  }
  if (shape.rule == Rule::key && !looks_generated(body)) return std::nullopt;
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

}  // namespace

// `at`: where the anchor begins, which is the end of a prefix (TokenShape::anchor).
Match match_token(std::string_view text, std::size_t at) {
  // For each byte value, the index of the first shape whose anchor begins with it; 0 also if there
  // is none. As kTokenShapes is sorted by the anchor, the other shapes with this byte follow.
  static constexpr auto kFirst = [] {
    std::array<std::uint8_t, 256> first{};
    for (std::size_t i = kTokenShapes.size(); i-- > 0;) {
      first[static_cast<unsigned char>(kTokenShapes[i].anchor().front())] =
          static_cast<std::uint8_t>(i);
    }
    return first;
  }();
  static_assert(kTokenShapes.size() < 256);
  const char second = byte(text, at + 1);
  for (std::size_t i = kFirst[static_cast<unsigned char>(text[at])]; i < kTokenShapes.size(); ++i) {
    const TokenShape& shape = kTokenShapes[i];
    const std::string_view anchor = shape.anchor();
    if (anchor[0] != text[at]) break;
    const std::size_t before = shape.prefix.size() - anchor.size();
    if (anchor[1] != second || at < before ||
        text.compare(at - before, shape.prefix.size(), shape.prefix) != 0) {
      continue;
    }
    if (Match match = match_shape(text, at - before, shape)) return match;
  }
  return std::nullopt;
}

Match match_whole_token(std::string_view value) {
  for (const TokenShape& shape : kTokenShapes) {
    if (!value.starts_with(shape.prefix)) continue;
    if (const Match match = match_shape(value, 0, shape); match && match->end == value.size()) {
      return match;
    }
  }
  return std::nullopt;
}

// `at`: the mark in the middle of the token.
Match match_marked(std::string_view text, std::size_t at) {
  for (const MarkedShape& shape : kMarkedShapes) {
    if (text.compare(at, shape.mark.size(), shape.mark) != 0) continue;
    std::size_t begin = at;
    while (begin > 0 && at - begin <= shape.before && is(text[begin - 1], shape.classes)) --begin;
    const std::size_t tail = at + shape.mark.size();
    const std::size_t end = run_end(text, tail, shape.classes_after, shape.most_after + 1);
    if (at - begin != shape.before || end - tail < shape.least_after ||
        end - tail > shape.most_after) {
      continue;
    }
    return Secret{begin, end, shape.label};
  }
  return std::nullopt;
}

// `$6$salt$hash` and the forms of other hash methods, as in /etc/shadow.
Match match_password_hash(std::string_view text, std::size_t at) {
  constexpr std::size_t kShortest = 30;
  constexpr std::size_t kLongest = 512;
  if (at > 0 && is(text[at - 1], kToken | kDollarSign)) return std::nullopt;
  const std::size_t method_end = run_end(text, at + 1, kLower | kDigit | kJoiner, 16);
  if (byte(text, method_end) != '$') return std::nullopt;
  constexpr std::array<std::string_view, 13> kMethods = {
      "1", "5", "6", "7", "y", "gy", "2a", "2b", "2x", "2y", "apr1", "argon2i", "argon2id"};
  const std::string_view name = text.substr(at + 1, method_end - at - 1);
  if (std::find(kMethods.begin(), kMethods.end(), name) == kMethods.end()) return std::nullopt;
  std::size_t end = method_end;
  while (end < text.size() && end - at < kLongest &&
         (is(text[end], kBase64 | kDot | kDollarSign) || text[end] == ',')) {
    ++end;
  }
  while (!is(text[end - 1], kBase64 | kDot)) --end;
  if (end - at < kShortest) return std::nullopt;
  return Secret{at, end, label::kPassword};
}

// Discord: the Base64 of a number, six bytes for a time, a signature, with dots between them.
Match match_discord(std::string_view text, std::size_t at) {
  if (!starts_token(text, at, kToken | kDot)) return std::nullopt;
  const std::size_t number_end = run_end(text, at, kToken, 32);
  const std::size_t number_size = number_end - at;
  if (number_size < 23 || number_size > 28 || byte(text, number_end) != '.') return std::nullopt;
  const std::size_t time_end = run_end(text, number_end + 1, kToken, 8);
  const std::size_t time_size = time_end - number_end - 1;
  if (time_size < 5 || time_size > 7 || byte(text, time_end) != '.') return std::nullopt;
  const std::size_t end = run_end(text, time_end + 1, kToken, 64);
  if (end - time_end - 1 < 27) return std::nullopt;
  return Secret{at, end, label::kAccessToken};
}

// The Base64 of a PEM block with a private key.
Match match_encoded_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kStart = "LS0tLS1CRUdJTi";
  constexpr std::size_t kHead = 64;  // bytes that are decoded; they hold the first line
  if (text.compare(at, kStart.size(), kStart) != 0) return std::nullopt;
  const auto head = from_base64(text.substr(at, kHead));
  if (!head || head->find("PRIVATE KEY") == std::string::npos) return std::nullopt;
  return Secret{at, run_end(text, at, kBase64), label::kPrivateKey};
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

// `at`: after the five dashes with which the block begins.
Match match_private_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kDashes = "-----";
  if (at < 5 || text.substr(at - 5, 5) != kDashes) return std::nullopt;
  const std::string_view line = text.substr(at, 80);
  const std::size_t closing = line.find(kDashes);  // of the first line, `BEGIN … PRIVATE KEY-----`
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
  if (longest < 16) return std::nullopt;  // only headers or a placeholder, no key
  return Secret{at - 5, end, label::kPrivateKey};
}

// `Basic ` and the Base64 of user:password.
Match match_basic(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 512;
  if (!starts_token(text, at, kAlnum) || !starts_with_ignoring_case(text.substr(at), "basic")) {
    return std::nullopt;
  }
  const std::size_t blank = at + 5;
  const std::size_t begin = run_end(text, blank, kBlank, 4);
  const std::size_t end = run_end(text, begin, kAlnum | kBase64Sign, kLongest);
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

// 123456789:AA… – the number of a bot, a colon, 35 bytes. `at`: the colon.
Match match_bot_token(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin <= 10 && is(text[begin - 1], kDigit)) --begin;
  if (at - begin < 8 || at - begin > 10 || !starts_token(text, begin, kToken)) return std::nullopt;
  const std::size_t end = run_end(text, at + 1, kToken, 36);
  if (end - at - 1 != 35) return std::nullopt;
  return Secret{begin, end, label::kAccessToken};
}

// `at`: `hook` in the host or the path of a URL.
Match match_webhook(std::string_view text, std::size_t at) {
  constexpr std::string_view kSlack = "hooks.slack.com/services/";
  constexpr std::string_view kDiscord = "hooks/";  // webhooks/ID/TOKEN
  constexpr std::string_view kTeams = "hookb2/";
  constexpr std::size_t kLongest = 256;
  if (text.compare(at, kSlack.size(), kSlack) == 0) {
    const std::size_t begin = at + kSlack.size();
    std::size_t end = begin;
    while (end < text.size() && end - begin < kLongest &&
           (is(text[end], kAlnum) || text[end] == '/')) {
      ++end;
    }
    // A sample can be any part of the path. is_placeholder is not used, because most of its forms
    // match only a whole value.
    if (end - begin < 20 || is_sample(text.substr(begin, end - begin))) return std::nullopt;
    return Secret{begin, end, label::kSlackToken};
  }
  if (text.compare(at, kTeams.size(), kTeams) == 0) {  // webhookb2/TENANT/IncomingWebhook/TOKEN/ID
    constexpr std::string_view kBefore = "/IncomingWebhook/";
    const std::size_t marked = text.substr(at, kLongest).find(kBefore);
    if (marked == std::string_view::npos) return std::nullopt;
    const std::size_t begin = at + marked + kBefore.size();
    const std::size_t end = run_end(text, begin, kToken | kBase64Sign, kLongest);
    if (end - begin < 32) return std::nullopt;
    return Secret{begin, end, label::kAccessToken};
  }
  if (text.compare(at, kDiscord.size(), kDiscord) == 0) {
    const std::size_t id = at + kDiscord.size();
    const std::size_t slash = run_end(text, id, kDigit, 32);
    const std::size_t end = run_end(text, std::min(slash + 1, text.size()), kToken, kLongest);
    if (slash - id < 15 || byte(text, slash) != '/' || end - slash < 40) return std::nullopt;
    return Secret{slash + 1, end, label::kAccessToken};
  }
  return std::nullopt;
}

}  // namespace enfold::redact::detail
