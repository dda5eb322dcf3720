// SPDX-License-Identifier: Apache-2.0
// Secrets whose name is not directly in front of them.
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/forms.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/find/scanner.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

// In bytes.
constexpr std::size_t kMostBetween = 64;     // between a name and its value
constexpr std::size_t kLongestMark = 16;     // of the `: |2-` before a YAML block
constexpr std::size_t kLongestWord = 32;     // of an XML element's name, or a key such as `value`
constexpr std::size_t kLongestValue = 4096;  // of a YAML block or an XML element

Match secret_if(bool plausible, const NameInText& name, std::string_view text,
                const ValueInText& value) {
  if (!plausible) return std::nullopt;
  return Secret{value.begin, value.end,
                refined_label(name.key, text.substr(value.begin, value.end - value.begin))};
}

std::string_view view_of(std::string_view text, const ValueInText& value) {
  return text.substr(value.begin, value.end - value.begin);
}

std::string_view name_of(std::string_view text, const NameInText& name) {
  return text.substr(name.begin, name.end - name.begin);
}

// A name in capitals is taken for that of an environment variable.
PairOf kind_of(std::string_view name) {
  return (classes_of(name) & kLower) == 0 ? PairOf::environment : PairOf::anything;
}

// The last byte before the name and its quote that is no blank or backslash; NUL: there is none.
char byte_before_blanks(std::string_view text, const NameInText& name) {
  std::size_t at = name.begin;
  if (name.quoted) --at;
  while (at > 0 && (is(text[at - 1], kBlank) || text[at - 1] == '\\')) --at;
  return at > 0 ? text[at - 1] : '\0';
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

struct Line {
  std::size_t begin;
  std::size_t content;  ///< after the indentation
  std::size_t end;
};
Line line_at(std::string_view text, std::size_t begin) {
  std::size_t end = line_end(text, begin);
  const std::size_t content = run_end(text.substr(0, end), begin, kBlank);
  if (end > content && text[end - 1] == '\r') --end;
  return {begin, content, end};
}

// The column of the name, from 0; nullopt if other bytes than blanks and dashes are in front of it.
std::optional<std::size_t> indentation(std::string_view text, const NameInText& name) {
  constexpr std::size_t kDeepest = 128;
  std::size_t begin = name.quoted ? name.begin - 1 : name.begin;
  const std::size_t column = begin;
  while (begin > 0 && column - begin < kDeepest &&
         (is(text[begin - 1], kBlank) || text[begin - 1] == '-')) {
    --begin;
  }
  if (begin > 0 && text[begin - 1] != '\n') return std::nullopt;
  return column - begin;
}

// `password: |` or `password:`, and the value on the next lines, further to the right.
Match match_block(std::string_view text, const NameInText& name) {
  if (byte(text, name.after) != ':') return std::nullopt;
  std::size_t at = run_end(text, name.after + 1, kBlank, kFewBlanks);
  const bool is_block = byte(text, at) == '|' || byte(text, at) == '>';
  const std::size_t mark_end = name.after + kLongestMark;
  while (is_block && contains("|>+-0123456789", byte(text, at)) && at < mark_end) ++at;
  if (byte(text, at) == '\r') ++at;
  const auto column = indentation(text, name);
  if (!column || byte(text, at) != '\n') return std::nullopt;
  const Line first = line_at(text, at + 1);
  std::size_t end = first.end;
  if (first.content - first.begin <= *column || first.content >= end) return std::nullopt;
  for (std::size_t next = end; next < text.size() && next - at < kLongestValue;) {
    const Line line = line_at(text, line_end(text, next) + 1);
    if (line.begin >= text.size() || line.content - line.begin <= *column) break;
    if (line.content == line.end) break;
    if (!is_block) return std::nullopt;  // several lines: a mapping or a list
    next = end = line.end;
  }
  const std::string_view value = text.substr(first.content, first.end - first.content);
  if (value.starts_with("-----BEGIN")) return std::nullopt;  // match_private_key finds these
  const bool plausible = is_block ? is_secret_member(name.key, name_of(text, name), value)
                                  : value.front() != '-' && looks_like_password(value) &&
                                        value.find(": ") == std::string_view::npos &&
                                        value.back() != ':' &&
                                        is_secret_member(name.key, name_of(text, name), value);
  return secret_if(plausible, name, text, {.begin = first.content, .end = end});
}

// `name: DB_PASSWORD` and `value: …`; `key="ApiSecret" value="…"`.
Match match_pair(std::string_view text, const NameInText& name) {
  const char before = byte_before_blanks(text, name);
  if (before != ':' && before != '=') return std::nullopt;
  std::size_t at = name.after;
  while (at < text.size() && at - name.after < kMostBetween &&
         (is(text[at], kSpace) || text[at] == ',' || is_quote(text[at]) || text[at] == '\\')) {
    ++at;
  }
  const std::size_t end = run_end(text, at, kLetter, kLongestWord);
  if (end - at < 5 || !equals_ignoring_case(text.substr(end - 5, 5), "value")) return std::nullopt;
  at = end;
  while (byte(text, at) == '\\' || is_quote(byte(text, at))) ++at;
  at = run_end(text, at, kBlank, kFewBlanks);
  if (byte(text, at) != ':' && byte(text, at) != '=') return std::nullopt;
  at = run_end(text, at + 1, kBlank, kFewBlanks);
  const ValueInText value = read_value(text, at);
  const std::string_view key = name_of(text, name);
  const bool plausible = is_secret_of_pair(name.key, key, view_of(text, value), kind_of(key));
  return secret_if(plausible, name, text, value);
}

// `<string name="api_key">…</string>`, `<key>apiKey</key> <string>…</string>`
Match match_xml_text(std::string_view text, const NameInText& name) {
  std::size_t at = name.after;
  if (name.quoted && byte_before_blanks(text, name) == '=' && byte(text, at) == '>') {
    ++at;
  } else if (name.before == '>' && text.substr(at, 2) == "</") {
    at = text.substr(0, std::min(text.size(), at + kMostBetween)).find('>', at);
    if (at == std::string_view::npos) return std::nullopt;
    at = run_end(text, at + 1, kSpace, kMostSpace);
    if (byte(text, at) != '<' || byte(text, at + 1) == '/') return std::nullopt;
    at = run_end(text, at + 1, kLetter, kLongestWord);
    if (byte(text, at) != '>') return std::nullopt;
    ++at;
  } else {
    return std::nullopt;
  }
  const std::size_t end = text.substr(0, std::min(text.size(), at + kLongestValue)).find('<', at);
  if (end == std::string_view::npos || end == at) return std::nullopt;
  const ValueInText value{.begin = at, .end = end};
  const bool plausible = is_secret_cell(name.key, name_of(text, name), view_of(text, value));
  return secret_if(plausible, name, text, value);
}

// `define('DB_PASSWORD', '…')`, `setdefault("SECRET_KEY", "…")`
Match match_argument(std::string_view text, const NameInText& name) {
  if (!name.quoted || byte_before_blanks(text, name) != '(') return std::nullopt;
  std::size_t at = run_end(text, name.after, kBlank, kFewBlanks);
  if (byte(text, at) != ',') return std::nullopt;
  at = run_end(text, at + 1, kSpace, kMostSpace);
  const ValueInText value = read_value(text, at);
  const std::string_view key = name_of(text, name);
  const std::string_view found = view_of(text, value);
  const bool plausible =
      value.quoted && (kind_of(key) == PairOf::environment ? is_secret_member(name.key, key, found)
                                                           : is_secret_cell(name.key, key, found));
  return secret_if(plausible, name, text, value);
}

bool ends_statement(std::string_view text, std::size_t at) {
  at = run_end(text, std::min(at, text.size()), kBlank, kMostBlanks);
  return at == text.size() || is(text[at], kNewline) || text[at] == ';';
}

// `requirepass …`, `machine h login u password …`, `ENV DB_PASSWORD …`, `WITH PASSWORD '…'`. In
// prose, too, a blank and a word follow the name, so the value must end the line and look random.
Match match_after_blank(std::string_view text, const NameInText& name) {
  std::size_t at = run_end(text, name.end, kBlank, kMostBlanks);
  if (name.quoted || at == name.end) return std::nullopt;
  if (is(byte(text, at), kDigit) && is(byte(text, at + 1), kBlank)) at += 2;  // `password 7 …`
  const ValueInText value = read_value(text, at);
  const std::string_view found = view_of(text, value);
  if (value.end <= value.begin || (!value.quoted && !ends_statement(text, value.end))) {
    return std::nullopt;
  }
  const bool is_prose = found.back() == ':' || found.back() == '.' || found.front() == '-' ||
                        is_identifier(found) || is_date(found);
  const bool plausible = !is_prose && looks_like_password(found) &&
                         is_secret_member(name.key, name_of(text, name), found);
  return secret_if(plausible, name, text, value);
}

}  // namespace

Match match_distant_value(std::string_view text, const NameInText& name) {
  // Values of these kinds are found directly after their name (match_assignment), and in cells.
  const KeyKind kind = name.key.kind;
  if (kind == KeyKind::cookie || kind == KeyKind::pin || kind == KeyKind::signature) {
    return std::nullopt;
  }
  for (const auto match :
       {match_block, match_pair, match_xml_text, match_argument, match_after_blank}) {
    if (const Match found = match(text, name)) return found;
  }
  return std::nullopt;
}

// `IDENTIFIED BY '…'`, in SQL. `at`: the first letter.
Match match_identified(std::string_view text, std::size_t at) {
  constexpr std::string_view kWord = "identified";
  if (!starts_with_ignoring_case(text.substr(at), kWord)) return std::nullopt;
  std::size_t place = at + kWord.size();
  // Also finds `IDENTIFIED WITH plugin BY '…'`.
  constexpr std::string_view kBy = " BY ";
  const std::string_view next_words = text.substr(place, kMostBetween);
  const std::size_t found = std::min(next_words.find(kBy), next_words.find(" by "));
  if (found == std::string_view::npos) return std::nullopt;
  place = run_end(text, place + found + kBy.size(), kBlank, kFewBlanks);
  const ValueInText value = read_value(text, place);
  const std::string_view password = view_of(text, value);
  if (!value.quoted || password.size() < kShortestPassword || is_placeholder(password) ||
      is_sample_password(password)) {
    return std::nullopt;
  }
  return Secret{value.begin, value.end, label::kPassword};
}

}  // namespace enfold::redact::detail
