// SPDX-License-Identifier: Apache-2.0
// Reading a failure out of prose. A number or a system code inside the text is better evidence
// than its words, so those are looked for first.
#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace enfold::contract {
namespace {

using model::ErrorKind;

// The beginning says what happened; what follows is often a dump in which any word may occur.
constexpr std::size_t kWorthReading = 1000;

struct Phrase {
  std::string_view words;
  ErrorKind kind;
};

// The first match decides. Specific phrases stand before the general ones that they contain.
constexpr auto kPhrases = std::to_array<Phrase>({
    {"rate limit", ErrorKind::throttled},
    {"rate-limit", ErrorKind::throttled},
    {"ratelimit", ErrorKind::throttled},
    {"too many requests", ErrorKind::throttled},
    {"quota exceeded", ErrorKind::throttled},
    {"exceeded your quota", ErrorKind::throttled},
    {"throttl", ErrorKind::throttled},
    {"unauthorized", ErrorKind::unauthenticated},
    {"unauthenticated", ErrorKind::unauthenticated},
    {"not authenticated", ErrorKind::unauthenticated},
    {"not logged in", ErrorKind::unauthenticated},
    {"must be logged in", ErrorKind::unauthenticated},
    {"must be authenticated", ErrorKind::unauthenticated},
    {"authentication", ErrorKind::unauthenticated},
    {"invalid api key", ErrorKind::unauthenticated},
    {"invalid credentials", ErrorKind::unauthenticated},
    {"bad credentials", ErrorKind::unauthenticated},
    {"token expired", ErrorKind::unauthenticated},
    {"token has expired", ErrorKind::unauthenticated},
    {"file not found", ErrorKind::missing},
    {"no such file", ErrorKind::missing},
    {"did you mean", ErrorKind::correctable},
    {"not a file", ErrorKind::bad_input},
    {"must be", ErrorKind::bad_input},
    {"cannot be empty", ErrorKind::bad_input},
    {"invalid path", ErrorKind::bad_path},
    {"path traversal", ErrorKind::bad_path},
    {"permission", ErrorKind::not_allowed},
    {"forbidden", ErrorKind::not_allowed},
    {"access denied", ErrorKind::not_allowed},
    {"access is denied", ErrorKind::not_allowed},
    {"not allowed", ErrorKind::not_allowed},
    {"not permitted", ErrorKind::not_allowed},
    {"not authorized", ErrorKind::not_allowed},
    {"outside allowed", ErrorKind::bad_path},
    {"outside of allowed", ErrorKind::bad_path},
    {"outside the allowed", ErrorKind::bad_path},
    {"timeout", ErrorKind::timeout},
    {"timed out", ErrorKind::timeout},
    {"time out", ErrorKind::timeout},
    {"deadline exceeded", ErrorKind::timeout},
    {"requires pro", ErrorKind::tier_too_low},
    {"requires enterprise", ErrorKind::tier_too_low},
    {"requires the pro", ErrorKind::tier_too_low},
    {"requires the enterprise", ErrorKind::tier_too_low},
    {"requires a paid", ErrorKind::tier_too_low},
    {"upgrade to", ErrorKind::tier_too_low},
    {"upgrade your", ErrorKind::tier_too_low},
    {"upgrade required", ErrorKind::tier_too_low},
    {"too large", ErrorKind::too_large},
    {"too big", ErrorKind::too_large},
    {"exceeds maximum", ErrorKind::too_large},
    {"exceeds the maximum", ErrorKind::too_large},
    {"exceeds the limit", ErrorKind::too_large},
    {"not implemented", ErrorKind::not_built},
    {"not supported", ErrorKind::not_built},
    {"unsupported", ErrorKind::not_built},
    {"feature flag", ErrorKind::flag_off},
    {"feature is disabled", ErrorKind::flag_off},
    {"is not enabled", ErrorKind::flag_off},
    {"out of memory", ErrorKind::exhausted},
    {"no space left", ErrorKind::exhausted},
    {"disk full", ErrorKind::exhausted},
    {"resource exhausted", ErrorKind::exhausted},
    {"too many open files", ErrorKind::exhausted},
    {"connection refused", ErrorKind::dependency_down},
    {"connection reset", ErrorKind::dependency_down},
    {"connection closed", ErrorKind::dependency_down},
    {"connection error", ErrorKind::dependency_down},
    {"failed to connect", ErrorKind::dependency_down},
    {"could not connect", ErrorKind::dependency_down},
    {"unable to connect", ErrorKind::dependency_down},
    {"cannot connect", ErrorKind::dependency_down},
    {"unreachable", ErrorKind::dependency_down},
    {"network error", ErrorKind::dependency_down},
    {"fetch failed", ErrorKind::dependency_down},
    {"bad gateway", ErrorKind::dependency_down},
    {"unavailable", ErrorKind::dependency_down},
    {"failed to start", ErrorKind::dependency_down},
    {"failed to launch", ErrorKind::dependency_down},
    {"already exist", ErrorKind::conflict},
    {"conflict", ErrorKind::conflict},
    {"duplicate", ErrorKind::conflict},
    {"not found", ErrorKind::missing},
    {"does not exist", ErrorKind::missing},
    {"doesn't exist", ErrorKind::missing},
    {"no such", ErrorKind::missing},
    {"could not find", ErrorKind::missing},
    {"cannot find", ErrorKind::missing},
    {"unable to find", ErrorKind::missing},
    {"no files matching", ErrorKind::missing},
    {"unknown tool", ErrorKind::missing},
    {"unknown resource", ErrorKind::missing},
    {"invalid", ErrorKind::bad_input},
    {"validation", ErrorKind::bad_input},
    {"malformed", ErrorKind::bad_input},
    {"is required", ErrorKind::bad_input},
    {"missing required", ErrorKind::bad_input},
    {"required parameter", ErrorKind::bad_input},
    {"required argument", ErrorKind::bad_input},
    {"expected", ErrorKind::bad_input},
});

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// The digits that begin at `at`, with a sign.
std::string_view number_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && text[end] == '-') ++end;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end < text.size() && is_word(text[end])) return {};
  return text.substr(at, end - at);
}

// The number after a phrase that announces one: "MCP error -32602: …", "HTTP 404", "status: 503".
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

// A word such as ENOENT. Only the codes of the operating system stand in prose unannounced.
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
  const std::string_view beginning = message.substr(0, kWorthReading);
  const std::string lower = to_lower(beginning);
  if (const CodeEntry* const entry = announced_number(lower)) return entry->kind;
  if (const CodeEntry* const entry = system_code(beginning)) return entry->kind;
  const auto* const found = std::ranges::find_if(
      kPhrases, [&](const Phrase& phrase) { return lower.find(phrase.words) != lower.npos; });
  return found == kPhrases.end() ? ErrorKind::bug : found->kind;
}

}  // namespace enfold::contract
