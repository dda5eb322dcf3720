// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/failure_kind.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure_words.h"
#include "enfold/contract/reading/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <vector>

namespace enfold::contract {
namespace {

using detail::has_word;
using detail::holds_any;
using model::ErrorKind;

constexpr std::size_t kMostRead = 400;  // bytes of a message that are searched for single phrases

// The kind of the first group of which a phrase occurs in the text; nullopt: of none.
template <std::size_t size>
std::optional<ErrorKind> find_phrase(const std::array<PhraseGroup, size>& groups,
                                     std::string_view text) {
  const auto found = std::ranges::find_if(
      groups, [&](const PhraseGroup& one) { return holds_any(text, one.phrases); });
  return found == groups.end() ? std::nullopt : std::optional(found->kind);
}

// The kind whose phrase comes first in the text, because messages begin with what happened;
// nullopt: no phrase occurs.
template <std::size_t size>
std::optional<ErrorKind> first_phrase(const std::array<PhraseGroup, size>& groups,
                                      std::string_view text) {
  std::optional<ErrorKind> kind;
  std::size_t first = std::string_view::npos;
  for (const PhraseGroup& group : groups) {
    const std::size_t found = detail::first_of(text, group.phrases);
    if (found >= first) continue;
    first = found;
    kind = group.kind;
  }
  return kind;
}

// The kind of the group that has this word; for groups of words separated by spaces.
template <std::size_t size>
std::optional<ErrorKind> find_word(const std::array<PhraseGroup, size>& groups,
                                   std::string_view word) {
  const auto found = std::ranges::find_if(
      groups, [&](const PhraseGroup& one) { return has_word(one.phrases, word); });
  return found == groups.end() ? std::nullopt : std::optional(found->kind);
}

bool is_sql_state(std::string_view code) {
  return code.size() == 5 && is_digit(code[0]) && is_digit(code[1]) &&
         std::ranges::all_of(code, [](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z'); });
}

// Whether a code says no more than that something failed.
bool is_general(std::string_view code) {
  return has_word<
      "400 500 -32603 -32600 -32602 -32000 -32001 -1 0 1 error failed failure bad_request "
      "badrequest invalid_request invalid_request_error internal_error internal_server_error "
      "unknown unknown_error bad_request_error general exception security_exception "
      "cluster_block_exception operation_failed api_error request_failed request_denied "
      "server_error graphql_validation_failed">(to_lower(code));
}

// Whether a code is an HTTP status, such as 403, or the name of one: many failures share it.
bool is_http(std::string_view code) {
  const bool number = code.size() == 3 && std::ranges::all_of(code, is_digit);
  return number || has_word<"forbidden badrequest unprocessableentity">(detail::plain(code));
}

bool is_single_word(std::string_view text) {
  return !text.empty() && text.size() <= 100 && text.find(' ') == std::string_view::npos;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '-'; });
}

// The three digits at the end of a code such as E404 (npm), HTTP_404 or status-503; empty: it has
// none.
std::string_view number_in(std::string_view code) {
  const std::size_t digits = code.find_first_of("0123456789");
  if (digits == std::string_view::npos || digits == 0) return {};
  const std::string_view number = code.substr(digits);
  return number.size() == 3 && is_number(number) ? number : std::string_view();
}

bool is_word_character(char c) { return is_alphanumeric(c) || c == '_'; }

/// Calls `found(word, rest)` with each word and the text after it, until it returns true.
template <class Function>
bool any_word(std::string_view text, Function&& found) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_character(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word_character(text[end])) ++end;
    if (found(text.substr(at, end - at), text.substr(end))) return true;
    at = end;
  }
  return false;
}

// Whether a word is the name of a failure: ExpiredTokenException, ERR_NAME_NOT_RESOLVED,
// (ResourceGroupNotFound). `before`: the character before the word. `is_last`: nothing follows it.
bool is_failure_name(std::string_view word, char before, bool is_last) {
  if (word.size() < 7) return false;
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (word.ends_with("Exception") || word.ends_with("Error") || word.ends_with("Exceeded"))
    return is_upper(word.front());
  const bool is_constant =
      std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; }) &&
      word.find('_') != std::string_view::npos;
  // A code of an API as the last word: "Slack API error: channel_not_found".
  if (is_last && word.find('_') != std::string_view::npos) return true;
  const bool is_camel = before == '(' && is_upper(word.front()) &&
                        std::ranges::count_if(word, is_upper) > 1 &&
                        std::ranges::any_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  return is_constant || is_camel;
}

// The kind of an HTTP status in a line; nullopt: the number is no HTTP status. It is one after a
// word such as "status" (`before`: the previous word), or after a space (`starts`) and before a
// phrase such as "Not Found" (`rest`: the text after the number).
std::optional<ErrorKind> kind_of_status(std::string_view number, std::string_view before,
                                        std::string_view rest, bool starts) {
  if (number.size() != 3 || !is_number(number) || is_general(number)) return std::nullopt;
  const bool announced = has_word<"http status code error returned statuscode">(to_lower(before));
  const bool phrase = rest.size() > 1 && rest[0] == ' ' && rest[1] >= 'A' && rest[1] <= 'Z';
  return announced || (phrase && starts) ? kind_of_code(number) : std::nullopt;
}

// The kind that an HTTP number, an errno name or the name of an exception in a line says.
std::optional<ErrorKind> named_in(std::string_view line) {
  std::optional<ErrorKind> kind;
  std::string_view before;  // the previous word
  any_word(line, [&](std::string_view word, std::string_view rest) {
    const char left = word.data() == line.data() ? ' ' : word.data()[-1];  // before the word
    if (word.size() > 2 && word.front() == 'E') {
      if (const CodeEntry* const entry = find_code(word)) kind = entry->kind;
      if (!kind && word.size() == 4 && is_number(word.substr(1)))
        kind = kind_of_code(word.substr(1));
    }
    if (!kind) kind = kind_of_status(word, before, rest, left == ' ');
    if (!kind && word.size() > 6) kind = find_word(kExceptions, to_lower(word));
    if (!kind && is_failure_name(word, left, rest.empty())) kind = kind_of_code(word);
    before = word;
    return kind.has_value();
  });
  return kind;
}

// Whether a compiler reports an error in its input: "main.c:3:5: error:", "src/a.ts(3,5): error
// TS2304", "error[E0308]".
bool is_compiler_message(std::string_view line) {
  const std::size_t at = line.find("error");
  if (at == std::string_view::npos) return false;
  if (line.substr(at).starts_with("error[E") || line.substr(at).starts_with("error TS"))
    return true;
  if (at < 3 || line.substr(at - 2, 2) != ": ") return false;
  const char before = line[at - 3];
  return is_digit(before) || before == ')';
}

// Whether a line begins like one that names a failure.
bool begins_failure(std::string_view line) {
  const std::string lower = to_lower(line.substr(0, 48));
  return is_compiler_message(line) ||
         std::ranges::any_of(std::array{"error", "fatal", "npm err", "caused by", "panic:"},
                             [&](const char* start) { return lower.starts_with(start); });
}

// The lines of a message that may name the failure: the first line, or after a traceback the first
// line after its frames; then lines that begin like a failure (begins_failure), and the last line.
std::vector<std::string_view> telling_lines(std::string_view message) {
  constexpr std::size_t most_lines = 40;
  constexpr std::size_t most_text = 400;  // bytes of a line
  std::vector<std::string_view> out;
  std::string_view last;
  bool in_frames = false;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find('\n', at), message.size());
    const std::string_view whole = message.substr(at, end - at);
    const std::string_view line = trimmed(whole, " \t\r").substr(0, most_text);
    at = end + 1;
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("Traceback (")) {
      in_frames = true;
      out.clear();
      continue;
    }
    const bool indented = whole.front() == ' ' || whole.front() == '\t';
    if (in_frames && indented) continue;
    if (line.starts_with("at ") || line.starts_with("File \"")) continue;
    if (out.empty() || (out.size() < most_lines && begins_failure(line))) out.push_back(line);
    in_frames = false;
    last = line;
  }
  if (!out.empty() && out.back() != last) out.push_back(last);
  return out;
}

/// The kind that a message names; nullopt: none.
struct MessageReading {
  std::optional<ErrorKind> kind;
  bool strong = false;  ///< by kStrongPhrases, which override a number
};

// Whether the name of an exception at the start of a line says no more than that something failed,
// so that the phrase after it decides: "TypeError: fetch failed", "MongoServerError: E11000
// duplicate key", "BadRequestError: … context length". `kind`: that of the name. `phrase`: the kind
// of the phrase.
bool does_phrase_decide(ErrorKind kind, ErrorKind phrase, std::string_view line) {
  const std::string name = to_lower(line.substr(0, line.find(':')));
  if (kind == ErrorKind::bad_input) return name.ends_with("badrequesterror");
  if (kind != ErrorKind::bug) return false;
  return phrase == ErrorKind::dependency_down || phrase == ErrorKind::timeout ||
         name.ends_with("servererror");
}

MessageReading read_message(std::string_view message) {
  for (const std::string_view line : telling_lines(message)) {
    const std::string lower = to_lower(line);
    if (const auto kind = find_phrase(kStrongPhrases, lower)) return {.kind = kind, .strong = true};
    if (lower.find("did you mean") != std::string::npos) return {.kind = ErrorKind::correctable};
    if (is_compiler_message(line)) return {.kind = ErrorKind::bad_input};
    const auto phrase = first_phrase(kPhrases, lower);
    if (const auto kind = named_in(line)) {
      return {.kind = phrase && does_phrase_decide(*kind, *phrase, line) ? phrase : kind};
    }
    if (phrase) return {.kind = phrase};
    if (const auto kind = find_phrase(kLastPhrases, lower)) return {.kind = kind};
  }
  return {};
}

/// The length of a unit of time in seconds; nullopt: the word is no unit.
std::optional<double> seconds_of(std::string_view unit) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"s sec secs second seconds", 1},
      {"ms msec millis millisecond milliseconds", 0.001},
      {"m min mins minute minutes", 60},
      {"h hr hrs hour hours", 3600},
      {"d day days", 86'400},
  };
  for (const auto& [words, seconds] : units) {
    if (has_word(words, unit)) return seconds;
  }
  return std::nullopt;
}

// The unit, in seconds, of the value of a member that names a waiting time: 1 for Retry-After,
// retry_in_seconds, wait_seconds and X-RateLimit-Reset-After, 0.001 for retryAfterMs. nullopt: the
// member is about something else.
std::optional<double> wait_unit_of(std::string_view name) {
  const std::vector<std::string> words = detail::words_of(name);
  if (words.size() == 1) return words[0] == "retryafter" ? std::optional(1.0) : std::nullopt;
  const bool waits = std::ranges::any_of(words, [](const std::string& word) {
    return has_word<"retry retryafter try again wait backoff cooldown reset">(word);
  });
  if (!waits) return std::nullopt;
  if (has_word<"after in delay">(words.back())) return 1.0;
  // A short word may be no unit: retry_wait_min is the shortest wait, reset_day a day of the month.
  if (has_word<"m min d day">(words.back())) return std::nullopt;
  return seconds_of(words.back());
}

}  // namespace

std::optional<ErrorKind> kind_of_code(std::string_view code) {
  if (code.empty()) return std::nullopt;
  if (const CodeEntry* const entry = find_code(code)) return entry->kind;
  if (is_number(code)) {  // -404: the status with a sign
    const bool is_signed = code.size() == 4 && (code.starts_with("-4") || code.starts_with("-5"));
    return is_signed ? kind_of_code(code.substr(1)) : std::nullopt;
  }
  if (is_sql_state(code)) {
    const auto kind = find_word(kSqlStates, code);
    return kind ? kind : find_word(kSqlStates, code.substr(0, 2));
  }
  if (const auto kind = find_word(kExceptions, detail::plain(code))) return kind;
  if (const std::string_view number = number_in(code); !number.empty()) return kind_of_code(number);
  const std::size_t scope = code.find_last_of("#/:.");  // com.amazonaws…#ConditionalCheckFailed
  const std::string_view last = scope == std::string_view::npos ? code : code.substr(scope + 1);
  std::string words;
  for (const std::string& word : detail::words_of(last)) words += word + ' ';
  return find_phrase(kCodePhrases, words);
}

bool names_kind(std::string_view code) {
  return !is_general(code) && kind_of_code(code).has_value();
}

KindReading kind_of_failure(const FailureEvidence& evidence) {
  const MessageReading message = read_message(evidence.message);
  const auto reason = kind_of_code(evidence.reason);
  // Status 429 says that a quota is free again later, unless the quota is one of money.
  if (message.kind == ErrorKind::exhausted &&
      (evidence.code == "429" || evidence.status == "429") &&
      holds_any(to_lower(evidence.message), "quota") &&
      !holds_any(to_lower(evidence.message), "billing|credit|fund|balance")) {
    return {ErrorKind::throttled, "status 429 beside a quota"};
  }
  const bool refused = evidence.code == "403" || evidence.status == "403";
  if (refused && holds_any(to_lower(evidence.message.substr(0, kMostRead)), kBadCredentials)) {
    return {ErrorKind::unauthenticated, "words of the message"};
  }
  const bool http = is_http(evidence.code) || (evidence.code.empty() && is_http(evidence.status));
  if ((http || evidence.code.empty()) && names_kind(evidence.message) &&
      is_single_word(evidence.message)) {
    return {*kind_of_code(evidence.message), "the message is a code"};
  }
  if (reason && http && !message.strong) {
    return {*reason, fmt::format("the reason {}", evidence.reason)};
  }
  const auto code = kind_of_code(evidence.code);
  if (code && !is_general(evidence.code) && !(message.strong && is_number(evidence.code)) &&
      !(message.strong && message.kind == ErrorKind::exhausted &&
        *code == ErrorKind::tier_too_low)) {
    return {*code, fmt::format("the code {}", evidence.code)};
  }
  const auto status = kind_of_code(evidence.status);
  if (status && !is_general(evidence.status) && !message.strong) {
    return {*status, fmt::format("status {}", evidence.status)};
  }
  if (message.kind) return {*message.kind, "words of the message"};
  if (reason) return {*reason, fmt::format("the reason {}", evidence.reason)};
  // -32000 is any error of a JSON-RPC server.
  if (code && evidence.code != "-32000") return {*code, fmt::format("the code {}", evidence.code)};
  if (status) return {*status, fmt::format("status {}", evidence.status)};
  // 401001, 40403: an HTTP status followed by a number of the service.
  const bool extended = is_number(evidence.code) && evidence.code.starts_with('4') &&
                        (evidence.code.size() == 5 || evidence.code.size() == 6);
  const auto prefix = extended ? kind_of_code(evidence.code.substr(0, 3)) : std::nullopt;
  if (prefix) return {*prefix, fmt::format("the code {}", evidence.code)};
  return {ErrorKind::tool_error, "nothing says what went wrong"};
}

namespace {

// A decimal number of a text, as JSON writes it: 7 for "007"; nullopt for "1.2.3".
std::optional<model::Number> decimal(std::string text) {
  while (text.ends_with('.')) text.pop_back();
  text.erase(0, std::min(text.find_first_not_of('0'), text.size()));
  if (text.empty() || text.front() == '.') text.insert(0, 1, '0');
  if (std::ranges::count(text, '.') > 1) return std::nullopt;
  return model::Number{std::move(text)};
}

/// What may follow a waiting time in a text.
enum class Following { nothing, any_text };

/// The seconds in "30", "1.5 seconds", "500ms", "2 more minutes" or "1h 30m"; nullopt: the text has
/// another form. `unit`: that of a number without a unit, in seconds. Sums and other units than
/// seconds are rounded up to whole seconds, because an earlier call would fail again.
std::optional<model::Number> read_wait(std::string_view text, double unit, Following following) {
  constexpr double longest = 1e9;  // seconds
  double seconds = 0;
  std::string in_seconds;  // the only number, if it is in seconds
  int parts = 0;
  bool has_unit = true;  // of the last number
  while (has_unit && !text.empty() && is_digit(text.front())) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string number(text.substr(0, end));
    const auto value = end <= 9 ? decimal(number) : std::nullopt;
    if (!value) return std::nullopt;
    const std::string_view rest = text.substr(end);
    std::string_view word = rest.starts_with(" more") ? rest.substr(5) : rest;
    if (word.starts_with(' ')) word.remove_prefix(1);
    const std::size_t size =
        std::min(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), word.size());
    const auto named = seconds_of(word.substr(0, size));
    has_unit = named.has_value();
    if (parts > 0 && !has_unit) break;
    ++parts;
    text = has_unit ? word.substr(size) : rest;
    seconds += std::stod(number) * named.value_or(unit);
    if (named.value_or(unit) == 1) in_seconds = value->text;
    while (text.starts_with(' ') && text.size() > 1 && is_digit(text[1])) text.remove_prefix(1);
  }
  if (parts == 0 || seconds > longest || (following == Following::nothing && !text.empty())) {
    return std::nullopt;
  }
  if (parts == 1 && !in_seconds.empty()) return model::Number{std::move(in_seconds)};
  return model::Number::of(static_cast<std::int64_t>(std::ceil(seconds)));
}

}  // namespace

std::optional<model::Number> waiting_time(std::string_view name, std::string_view text) {
  const auto unit = wait_unit_of(name);
  if (!unit || text.empty() || !is_digit(text.front())) return std::nullopt;
  return read_wait(to_lower(text), *unit, Following::nothing);
}

std::optional<model::Number> retry_after_of(std::string_view message) {
  const std::string lower = to_lower(message.substr(0, kMostRead));
  for (const std::string_view phrase :
       {"retry after ", "retry in ", "try again in ", "available in ", "please wait "}) {
    const std::size_t at = lower.find(phrase);
    if (at == std::string::npos) continue;
    const auto wait = read_wait(std::string_view(lower).substr(at + phrase.size()), /*unit=*/1,
                                Following::any_text);
    if (wait) return wait;
  }
  return std::nullopt;
}

}  // namespace enfold::contract
