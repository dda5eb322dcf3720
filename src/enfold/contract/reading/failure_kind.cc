// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/failure_kind.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure_words.h"
#include "enfold/contract/reading/words.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <vector>

namespace enfold::contract {
namespace {

using detail::has_word;
using detail::holds_any;
using model::ErrorKind;

template <std::size_t size>
std::optional<ErrorKind> find_phrase(const std::array<PhraseGroup, size>& groups,
                                     std::string_view text) {
  const auto found = std::ranges::find_if(
      groups, [&](const PhraseGroup& one) { return holds_any(text, one.phrases); });
  return found == groups.end() ? std::nullopt : std::optional(found->kind);
}

// The kind whose phrase stands first in the text: messages say first what happened.
template <std::size_t size>
std::optional<ErrorKind> first_phrase(const std::array<PhraseGroup, size>& groups,
                                      std::string_view text) {
  std::optional<ErrorKind> kind;
  std::size_t first = std::string_view::npos;
  for (const PhraseGroup& group : groups) {
    for (std::size_t at = 0; at < group.phrases.size();) {
      const std::size_t end = std::min(group.phrases.find('|', at), group.phrases.size());
      const std::size_t found = text.find(group.phrases.substr(at, end - at));
      if (found < first) {
        first = found;
        kind = group.kind;
      }
      at = end + 1;
    }
  }
  return kind;
}

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

// Codes that say no more than that something failed.
bool is_general(std::string_view code) {
  return has_word(
      "400 500 -32603 -32600 -32602 -32000 -32001 -1 0 1 error failed failure bad_request "
      "badrequest "
      "invalid_request invalid_request_error internal_error internal_server_error unknown "
      "unknown_error general exception security_exception cluster_block_exception operation_failed "
      "api_error request_failed request_denied server_error graphql_validation_failed",
      to_lower(code));
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '-'; });
}

// E404 of npm, HTTP_404, status-503.
std::string_view number_in(std::string_view code) {
  const std::size_t digits = code.find_first_of("0123456789");
  if (digits == std::string_view::npos || digits == 0) return {};
  const std::string_view number = code.substr(digits);
  return number.size() == 3 && is_number(number) ? number : std::string_view();
}

bool is_word_character(char c) { return is_alphanumeric(c) || c == '_'; }

/// Calls `found` with every word of a text until it returns true.
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

// The kind that an HTTP or JSON-RPC number, an errno name or the name of an exception in a line
// says.
std::optional<ErrorKind> named_in(std::string_view line) {
  std::optional<ErrorKind> kind;
  std::string_view before;
  any_word(line, [&](std::string_view word, std::string_view rest) {
    const bool first = word.data() == line.data();
    if (word.size() > 2 && word.front() == 'E') {
      if (const CodeEntry* const entry = find_code(word)) kind = entry->kind;
      if (!kind && word.size() == 4 && is_number(word.substr(1)))
        kind = kind_of_code(word.substr(1));
    } else if (word.size() == 3 && is_number(word)) {
      const bool announced =
          has_word("http status code error returned statuscode", to_lower(before));
      const bool phrase = rest.size() > 1 && rest[0] == ' ' && rest[1] >= 'A' && rest[1] <= 'Z';
      if (announced || (phrase && (first || word.data()[-1] == ' '))) kind = kind_of_code(word);
      if (kind && is_general(word)) kind.reset();
    }
    if (!kind && word.size() > 6) kind = find_word(kExceptions, to_lower(word));
    before = word;
    return kind.has_value();
  });
  return kind;
}

// "main.c:3:5: error:", "src/a.ts(3,5): error TS2304", "error[E0308]": a compiler speaks about its
// input.
bool is_compiler_message(std::string_view line) {
  const std::size_t at = line.find("error");
  if (at == std::string_view::npos) return false;
  if (line.substr(at).starts_with("error[E") || line.substr(at).starts_with("error TS"))
    return true;
  if (at < 3 || line.substr(at - 2, 2) != ": ") return false;
  const char before = line[at - 3];
  return is_digit(before) || before == ')';
}

// The lines of a message that name the failure: of a traceback the last one, else the first, and
// those that begin with "error".
std::vector<std::string_view> telling_lines(std::string_view message) {
  constexpr std::size_t most_lines = 40;
  constexpr std::size_t most_text = 400;
  std::vector<std::string_view> lines;
  std::string_view last;
  bool trace = false;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find('\n', at), message.size());
    const std::string_view line = trimmed(message.substr(at, end - at), " \t\r");
    at = end + 1;
    if (line.empty() || line.front() == '#') continue;
    trace = trace || line.starts_with("Traceback") || line.starts_with("goroutine ") ||
            line.starts_with("at ") || line.starts_with("stack backtrace");
    if (lines.size() < most_lines) lines.push_back(line.substr(0, most_text));
    if (!line.starts_with("at ") && !line.starts_with("File \"")) last = line.substr(0, most_text);
  }
  if (lines.empty()) return lines;
  if (trace && lines.front().starts_with("Traceback")) return {last};
  std::vector<std::string_view> out{lines.front()};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string lower = to_lower(lines[i].substr(0, 48));
    if (is_compiler_message(lines[i]) || lower.starts_with("error") || lower.starts_with("fatal") ||
        lower.starts_with("npm err")) {
      out.push_back(lines[i]);
    }
  }
  return out;
}

/// The kind that a message names, and whether by words that outweigh a number.
struct MessageReading {
  std::optional<ErrorKind> kind;
  bool strong = false;
};

MessageReading read_message(std::string_view message) {
  for (const std::string_view line : telling_lines(message)) {
    const std::string lower = to_lower(line);
    if (const auto kind = find_phrase(kStrongPhrases, lower)) return {kind, true};
    if (lower.find("did you mean") != std::string::npos) return {ErrorKind::correctable, false};
    if (is_compiler_message(line)) return {ErrorKind::bad_input, false};
    if (const auto kind = named_in(line)) return {kind, false};
    if (const auto kind = first_phrase(kPhrases, lower)) return {kind, false};
    if (const auto kind = find_phrase(kLastPhrases, lower)) return {kind, false};
  }
  return {};
}

}  // namespace

std::optional<ErrorKind> kind_of_code(std::string_view code) {
  if (const CodeEntry* const entry = find_code(code)) return entry->kind;
  if (is_number(code)) return std::nullopt;
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

KindReading kind_of_failure(const FailureEvidence& evidence) {
  const MessageReading message = read_message(evidence.message);
  const auto code = evidence.code.empty() ? std::nullopt : kind_of_code(evidence.code);
  if (code && !is_general(evidence.code) && !(message.strong && is_number(evidence.code))) {
    return {*code, fmt::format("the code {}", evidence.code)};
  }
  const auto status = evidence.status.empty() ? std::nullopt : kind_of_code(evidence.status);
  if (status && !is_general(evidence.status) && !message.strong) {
    return {*status, fmt::format("status {}", evidence.status)};
  }
  if (message.kind) return {*message.kind, "words of the message"};
  if (code && evidence.code != "-32000") return {*code, fmt::format("the code {}", evidence.code)};
  if (status) return {*status, fmt::format("status {}", evidence.status)};
  return {ErrorKind::tool_error, "nothing says what went wrong"};
}

std::optional<model::Number> retry_after_of(std::string_view message) {
  const std::string lower = to_lower(message.substr(0, 400));
  for (const std::string_view phrase :
       {"retry after ", "retry in ", "try again in ", "available in "}) {
    const std::size_t at = lower.find(phrase);
    if (at == std::string::npos) continue;
    std::size_t end = at + phrase.size();
    while (end < lower.size() && (is_digit(lower[end]) || lower[end] == '.')) ++end;
    std::string number = lower.substr(at + phrase.size(), end - at - phrase.size());
    while (number.ends_with('.')) number.pop_back();
    if (number.empty() || !is_digit(number.front()) || number.size() > 9) continue;
    const bool minutes = std::string_view(lower).substr(end).starts_with(" minute");
    return minutes ? model::Number::of(std::stoll(number) * 60) : model::Number{number};
  }
  return std::nullopt;
}

}  // namespace enfold::contract
