// SPDX-License-Identifier: Apache-2.0
// Credentials in URLs and connection strings.
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/forms.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/find/scanner.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

constexpr std::size_t kLongestPassword = 2048;  // bytes

// Whether the byte cannot be part of user, password and host of a URL.
bool ends_authority(char c) {
  return is(c, kSpace) || is_quote(c) || c == '<' || c == '>' || c == '\\' || c == '\0';
}

// Whether the scheme is one for web addresses or files, whose paths may contain '@'.
bool is_web(std::string_view scheme) {
  return scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss" ||
         scheme == "file";
}

// Whether a host follows the '@' at `at`. `needs_dot`: the host must have a dot. The caller asks
// for it after a '/' in a web address, because the '@' may be part of a path.
bool host_follows(std::string_view text, std::size_t at, bool needs_dot) {
  std::size_t end = at + 1;
  bool dot = false;
  while (end < text.size() && end - at < 256 &&
         (is(text[end], kName) || text[end] == ':' || text[end] == '[' || text[end] == ']')) {
    dot = dot || text[end] == '.';
    ++end;
  }
  const char after = byte(text, end);
  const bool ends =
      ends_authority(after) || std::string_view("/?#,;)}").find(after) != std::string_view::npos;
  return end > at + 1 && ends && (dot || !needs_dot);
}

// The offset of the '@' that ends the password at `password`. A password may contain an unescaped
// '@', '/' or '#', so this is the first '@' that a host follows. If no host follows any '@', it is
// the last '@' before a '/', '?' or '#'. 0: there is no '@'. `web`: is_web.
std::size_t find_at_sign(std::string_view text, std::size_t password, bool web) {
  constexpr std::size_t kMostBeyondSlash = 256;
  std::size_t last = 0;
  std::size_t limit = std::min(text.size(), password + kLongestPassword);
  bool beyond_slash = false;
  for (std::size_t i = password; i < limit && !ends_authority(text[i]); ++i) {
    const char c = text[i];
    if (!beyond_slash && (c == '/' || c == '?' || c == '#')) {
      if (last != 0 || run_end(text, password, kDigit) == i) break;  // has an '@', or is a port
      beyond_slash = true;
      limit = std::min(limit, i + kMostBeyondSlash);
    }
    if (c != '@') continue;
    if (host_follows(text, i, web && beyond_slash)) return i;
    if (!beyond_slash) last = i;
  }
  return last;
}

// Whether the user of `https://TOKEN@host` is a token.
bool is_token_user(std::string_view user) {
  constexpr std::size_t kShortest = 20;
  return user.size() >= kShortest && run_end(user, 0, kToken) == user.size() &&
         (classes_of(user) & kDigit) != 0 && (classes_of(user) & kLetter) != 0 && !has_words(user);
}

}  // namespace

// `at`: where `://` begins.
Match match_url_password(std::string_view text, std::size_t at) {
  std::size_t scheme = at;
  while (scheme > 0 && at - scheme < 24 &&
         (is(text[scheme - 1], kAlnum) || text[scheme - 1] == '+')) {
    --scheme;
  }
  if (at - scheme < 2) return std::nullopt;
  const bool web = is_web(text.substr(scheme, at - scheme));
  const std::size_t begin = at + 3;
  std::size_t password = begin + marker_length(text.substr(begin));
  while (password < text.size() && password - begin < 256 && text[password] != ':' &&
         text[password] != '/' && text[password] != '@' && !ends_authority(text[password])) {
    ++password;
  }
  if (byte(text, password) == '@' && web && is_token_user(text.substr(begin, password - begin))) {
    return Secret{begin, password, label::kAccessToken};
  }
  if (byte(text, password) != ':') return std::nullopt;
  ++password;
  const std::size_t end = find_at_sign(text, password, web);
  if (end <= password) return std::nullopt;
  if (text.substr(end + 1, 7) == "sha256:") return std::nullopt;  // docker://image:tag@sha256:…
  const std::string_view value = text.substr(password, end - password);
  if (is_placeholder(value) || is_sample_password(value)) return std::nullopt;
  return Secret{password, end, label::kConnectionString};
}

// `user:password@tcp(host:port)/db`, as Go writes it. `at`: the `@`.
Match match_dsn(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestLogin = 128;  // bytes of user:password
  if (text.substr(at, 5) != "@tcp(") return std::nullopt;
  std::size_t user = at;
  while (user > 0 && at - user < kLongestLogin && !ends_authority(text[user - 1]) &&
         text[user - 1] != '=') {
    --user;
  }
  const std::size_t password = text.find(':', user) + 1;
  if (password == 0 || password >= at) return std::nullopt;
  const std::string_view value = text.substr(password, at - password);
  if (is_placeholder(value) || is_sample_password(value)) return std::nullopt;
  return Secret{password, at, label::kConnectionString};
}

}  // namespace enfold::redact::detail
