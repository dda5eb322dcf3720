// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/forms.h"
#include "enfold/redact/find/plausible.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

// Longer values are not checked: placeholders are short.
constexpr std::size_t kLongestPlaceholder = 96;

// Words in place of a secret. The list is short, because any word may be a password.
constexpr std::array<std::string_view, 27> kAbsent = {
    "null",     "none",      "nil",       "undefined", "true",        "false",    "n/a",
    "unset",    "empty",     "required",  "optional",  "redacted",    "masked",   "hidden",
    "filtered", "removed",   "omitted",   "string",    "placeholder", "todo",     "tbd",
    "changeme", "change-me", "change_me", "example",   "dummy",       "replaceme"};

// Words that follow a sensitive name in prose, code and type declarations.
constexpr std::array<std::string_view, 24> kStates = {
    "yes",     "no",        "na",      "str",     "text",    "bytes",   "integer", "number",
    "boolean", "object",    "array",   "any",     "type",    "example", "enabled", "disabled",
    "invalid", "incorrect", "expired", "missing", "unknown", "default", "changed", "valid"};

template <std::size_t N>
bool is_one_of(std::string_view value, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return equals_ignoring_case(value, word); });
}

bool is_enclosed(std::string_view value, char open, char close) {
  return value.size() >= 2 && value.front() == open && value.back() == close;
}

// `$TOKEN`, `${TOKEN}`, `$(command)`, `{{token}}`, `{token}`, `[token]`, `%TOKEN%`, `%s`,
// `%(token)s`, `<token>`, `(token)`, `<%= token %>`, `!vault`
bool is_reference(std::string_view value) {
  if (value.front() == '$') {
    const char next = byte(value, 1);
    if (next == '{' || next == '(') return value.find_first_of("})") == value.size() - 1;
    return value.size() > 1 && is(next, kUpper | kJoiner) &&
           run_end(value, 1, kUpper | kDigit | kJoiner) == value.size();
  }
  if (value.front() == '%') {
    return value == "%s" || value == "%v" || value.starts_with("%(") ||
           (value.size() > 2 && value.back() == '%' &&
            run_end(value, 1, kUpper | kJoiner) == value.size() - 1);
  }
  if (value.starts_with("{{") && value.ends_with("}}")) return true;
  if (is_enclosed(value, '<', '>') || is_enclosed(value, '(', ')')) {
    return value.find_first_of("<>()", 1) == value.size() - 1;
  }
  if (value.front() == '!' && value.size() > 1) {  // a tag in YAML
    return run_end(value, 1, kLower) == value.size();
  }
  if (value.starts_with("<%") && value.ends_with("%>")) return true;
  if (is_enclosed(value, '{', '}') || is_enclosed(value, '[', ']')) {
    return run_end(value, 1, kLetter | kJoiner | kDot) == value.size() - 1;
  }
  return false;
}

// `your-api-key`, `insert_token`, `token-here`
bool is_instruction(std::string_view value) {
  if ((classes_of(value) & kDigit) != 0) return false;
  for (const std::string_view start :
       {"your-",      "your_",        "your ",       "yourapi",    "yourkey",   "yourtoken",
        "yoursecret", "yourpassword", "insert-",     "insert_",    "replace-",  "replace_",
        "enter-",     "enter_",       "put your",    "change-me",  "change_me", "sk-your",
        "my-secret",  "my_secret",    "my-password", "my_password"}) {
    if (starts_with_ignoring_case(value, start)) return true;
  }
  if (value.size() < 5) return false;
  const std::string_view tail = value.substr(value.size() - 5);
  return equals_ignoring_case(tail, "-here") || equals_ignoring_case(tail, "_here");
}

// The letters and digits of the value, without runs of three or more `x`.
std::string letters_and_digits(std::string_view value) {
  constexpr std::size_t kFillers = 3;
  std::string kept;
  for (std::size_t at = 0; at < value.size();) {
    std::size_t end = at;
    while (lower(byte(value, end)) == 'x') ++end;
    if (end - at < kFillers) {
      end = std::max(end, at + 1);
      if (is(value[at], kAlnum)) kept += value.substr(at, end - at);
    }
    at = end;
  }
  return kept;
}

// `sk-...9f3a`, `****9f3a`, `abcd****`: stars or dots hide most of the secret.
bool is_masked(std::string_view value) {
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kMostShown = 20;  // letters and digits
  if (value.size() > kLongest || letters_and_digits(value).size() > kMostShown) return false;
  for (const std::string_view mask : {"...", "***", "\xE2\x80\xA6", "\xE2\x80\xA2\xE2\x80\xA2"}) {
    if (value.find(mask) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::size_t marker_length(std::string_view value) {
  if (!value.starts_with(kMarkerOpening)) return 0;
  const std::size_t begin = kMarkerOpening.size();
  std::size_t end = begin;
  while (is(byte(value, end), kUpper | kDigit) || byte(value, end) == '_') ++end;
  const bool is_known =
      byte(value, end) == ']' &&
      std::ranges::find(label::kAll, value.substr(begin, end - begin)) != label::kAll.end();
  return is_known ? end + 1 : 0;
}

std::string without_markers(std::string_view value) {
  std::string rest;
  bool has_text = false;
  for (std::size_t at = 0; at < value.size();) {
    if (const std::size_t marker = marker_length(value.substr(at)); marker != 0) {
      at += marker;
      continue;
    }
    has_text = has_text || is(value[at], kAlnum) || static_cast<unsigned char>(value[at]) >= 0x80;
    rest += value[at++];
  }
  return has_text ? rest : std::string();
}

bool is_filler(std::string_view value) {
  constexpr std::string_view kFillers = "xX.-_#?0 ";
  if (value.find_first_not_of('*') == std::string_view::npos) return true;
  if (kFillers.find(value.front()) != std::string_view::npos) {
    return value.size() >= 3 && value.find_first_not_of(value.front()) == std::string_view::npos;
  }
  // Bullets and black circles, as in masked form fields.
  for (const std::string_view dot : {"\xE2\x80\xA2", "\xE2\x97\x8F"}) {
    std::size_t at = 0;
    while (value.substr(at, 3) == dot) at += 3;
    if (at == value.size()) return true;
  }
  return false;
}

bool is_state(std::string_view value) { return is_one_of(value, kStates); }

bool is_placeholder(std::string_view value) {
  if (value.empty()) return true;
  if (value.size() > kLongestPlaceholder) return is_filler(value);
  if (marker_length(value) == value.size()) return true;
  if (is_filler(value) || is_sample(value) || is_one_of(value, kAbsent) || is_instruction(value)) {
    return true;
  }
  return (is_reference(value) || is_masked(value)) && !has_random_run(value);
}

bool is_random_placeholder(std::string_view value) {
  return !value.empty() && value.size() <= kLongestPlaceholder &&
         (is_reference(value) || value.starts_with(kMarkerOpening)) && has_random_run(value);
}

bool is_sample(std::string_view value) {
  constexpr std::size_t kFillers = 8;     // as many `x` in sequence make a sample
  constexpr std::size_t kMostOther = 20;  // letters and digits in a sample that are no fillers
  if (value.size() >= 16 && value.find("EXAMPLE") != std::string_view::npos) return true;
  std::size_t run = 0;
  for (const char c : value) {
    run = c == 'x' || c == 'X' ? run + 1 : 0;
    if (run == kFillers) return letters_and_digits(value).size() <= kMostOther;
  }
  return false;
}

bool is_sample_password(std::string_view value) {
  return is_one_of(
      value, std::array<std::string_view, 8>{"password", "pass", "passwd", "pwd", "secret", "token",
                                             "mypassword", "yourpassword"});
}

}  // namespace enfold::redact::detail
