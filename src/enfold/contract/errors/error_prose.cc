// SPDX-License-Identifier: Apache-2.0
// Guesses the kind of a failure from an error message without a code. A status number or a system
// code in the message is better evidence than its words, so those are looked for first.
#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace enfold::contract {
namespace {

using model::ErrorKind;

// Messages say first what happened; a dump that follows may contain any word.
constexpr std::size_t kLongestRead = 1000;

struct PhraseGroup {
  ErrorKind kind;
  std::string_view phrases;  ///< separated by '|'
};

// The first phrase found decides. Specific phrases stand before the general ones they contain.
constexpr auto kPhrases = std::to_array<PhraseGroup>({
    {ErrorKind::throttled,
     "rate limit|rate-limit|ratelimit|too many requests|quota exceeded|exceeded your quota|"
     "throttl"},
    {ErrorKind::unauthenticated,
     "unauthorized|unauthenticated|not authenticated|not logged in|must be logged in|"
     "must be authenticated|authentication|invalid api key|invalid credentials|bad credentials|"
     "token expired|token has expired"},
    {ErrorKind::missing, "file not found|no such file"},
    {ErrorKind::correctable, "did you mean"},
    {ErrorKind::bad_input, "not a file|must be|cannot be empty"},
    {ErrorKind::bad_path, "invalid path|path traversal"},
    {ErrorKind::not_allowed,
     "permission|forbidden|access denied|access is denied|not allowed|not permitted|"
     "not authorized"},
    {ErrorKind::bad_path, "outside allowed|outside of allowed|outside the allowed"},
    {ErrorKind::timeout, "timeout|timed out|time out|deadline exceeded"},
    {ErrorKind::tier_too_low,
     "requires pro|requires enterprise|requires the pro|requires the enterprise|requires a paid|"
     "upgrade to|upgrade your|upgrade required"},
    {ErrorKind::too_large,
     "too large|too big|exceeds maximum|exceeds the maximum|exceeds the limit"},
    {ErrorKind::not_built, "not implemented|not supported|unsupported"},
    {ErrorKind::flag_off, "feature flag|feature is disabled|is not enabled"},
    {ErrorKind::exhausted,
     "out of memory|no space left|disk full|resource exhausted|too many open files"},
    {ErrorKind::dependency_down,
     "connection refused|connection reset|connection closed|connection error|failed to connect|"
     "could not connect|unable to connect|cannot connect|unreachable|network error|fetch failed|"
     "bad gateway|unavailable|failed to start|failed to launch"},
    {ErrorKind::conflict, "already exist|conflict|duplicate"},
    {ErrorKind::missing,
     "not found|does not exist|doesn't exist|no such|could not find|cannot find|unable to find|"
     "no files matching|unknown tool|unknown resource"},
    {ErrorKind::bad_input,
     "invalid|validation|malformed|is required|missing required|required parameter|"
     "required argument|expected"},
});

bool holds_any(std::string_view text, std::string_view phrases) {
  for (std::size_t at = 0; at < phrases.size();) {
    const std::size_t end = std::min(phrases.find('|', at), phrases.size());
    if (text.find(phrases.substr(at, end - at)) != text.npos) return true;
    at = end + 1;
  }
  return false;
}

bool is_word(char c) { return is_alphanumeric(c) || c == '_'; }

// The integer at `at`; empty if a letter follows it.
std::string_view number_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && text[end] == '-') ++end;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end < text.size() && is_word(text[end])) return {};
  return text.substr(at, end - at);
}

// The number after a phrase such as "MCP error -32602", "HTTP 404", "status: 503".
const CodeEntry* announced_number(std::string_view lower) {
  for (const std::string_view announcement :
       {"mcp error", "json-rpc error", "status code", "http error", "http status", "http/1.1",
        "http", "status", "error code"}) {
    std::size_t at = lower.find(announcement);
    if (at == std::string_view::npos) continue;
    at += announcement.size();
    while (at < lower.size() && (lower[at] == ' ' || lower[at] == ':' || lower[at] == '=')) ++at;
    if (const CodeEntry* const entry = find_code(number_at(lower, at))) return entry;
  }
  // "404 Not Found": a status line without its protocol.
  return find_code(number_at(lower, 0));
}

// The first errno name in the text, such as ENOENT.
const CodeEntry* system_code(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (word.size() > 2 && word.front() == 'E') {
      if (const CodeEntry* const entry = find_code(word)) return entry;
    }
    at = end;
  }
  return nullptr;
}

}  // namespace

ErrorKind guess_kind(std::string_view message) {
  const std::string_view beginning = message.substr(0, kLongestRead);
  const std::string lower = to_lower(beginning);
  if (const CodeEntry* const entry = announced_number(lower)) return entry->kind;
  if (const CodeEntry* const entry = system_code(beginning)) return entry->kind;
  const auto* const found = std::ranges::find_if(
      kPhrases, [&](const PhraseGroup& group) { return holds_any(lower, group.phrases); });
  return found == kPhrases.end() ? ErrorKind::bug : found->kind;
}

}  // namespace enfold::contract
