// SPDX-License-Identifier: Apache-2.0
// Secrets recognized by the name in front of them.
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/key_names.h"
#include "enfold/redact/replace/unescape.h"

#include <algorithm>
#include <array>
#include <bit>

namespace enfold::redact::detail {
namespace {

constexpr std::size_t kLongestName = 64;  // bytes

struct Name {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool flag = false;  ///< `--name`
};

// The name around the byte at `inside`; nullopt if it continues for kLongestName bytes or more.
std::optional<Name> name_around(std::string_view text, std::size_t inside) {
  Name name{inside, inside};
  while (name.begin > 0 && inside - name.begin < kLongestName && is(text[name.begin - 1], kName)) {
    --name.begin;
  }
  name.end = run_end(text, inside, kName, kLongestName + 1);
  if (name.end - inside > kLongestName) return std::nullopt;
  // In escaped text, the `n` of `\n` precedes the name.
  if (name.begin > 0 && text[name.begin - 1] == '\\' && name.end - name.begin > 1 &&
      std::string_view("nrt").find(text[name.begin]) != std::string_view::npos) {
    ++name.begin;
  }
  name.flag = text.substr(name.begin, 2) == "--";
  while (name.begin < name.end && !is(text[name.begin], kAlnum)) ++name.begin;
  return name;
}

// The start of the name. In `API key` and `access token` the word before belongs to the name.
std::size_t with_word_before(std::string_view text, const Name& name) {
  const std::string_view word = text.substr(name.begin, name.end - name.begin);
  if (name.begin < 2 || text[name.begin - 1] != ' ') return name.begin;
  if (!equals_ignoring_case(word, "key") && !equals_ignoring_case(word, "keys") &&
      !equals_ignoring_case(word, "token") && !equals_ignoring_case(word, "secret")) {
    return name.begin;
  }
  constexpr std::size_t kLongestWord = 16;  // bytes
  std::size_t begin = name.begin - 1;
  while (begin > 0 && name.begin - begin <= kLongestWord && is(text[begin - 1], kAlnum)) --begin;
  return begin == name.begin - 1 ? name.begin : begin;
}

std::size_t count_backslashes(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (byte(text, end) == '\\') ++end;
  return end - at;
}

// The end of the string that begins at `at` and whose opening quote has `depth` backslashes in
// front. In JSON nested n levels deep in strings, a quote has 2^n - 1 backslashes and an escaped
// quote 2^(n+1) - 1. A raw line break or the end of the text also closes the string.
std::size_t closing_quote(std::string_view text, std::size_t at, char quote, std::size_t depth) {
  const auto level = std::bit_width(depth);
  std::size_t backslashes = 0;
  for (; at < text.size() && !is(text[at], kNewline); ++at) {
    if (text[at] == quote && (backslashes < depth || ((backslashes - depth) >> level) % 2 == 0)) {
      return at - std::min(backslashes, depth);
    }
    backslashes = text[at] == '\\' ? backslashes + 1 : 0;
  }
  return at;
}

// Whether a bare value ends before the escaped line break in front of `at`: the text ends there, or
// the next line is blank, is indented or begins with another name.
bool ends_at_line_break(std::string_view text, std::size_t at) {
  if (at >= text.size() || is(text[at], kSpace) || text[at] == '\\') return true;
  const std::size_t end = run_end(text, at, kName, kLongestName);
  return end > at && (byte(text, end) == '=' || byte(text, end) == ':');
}

// The end of `<your password>`, `{{ password }}`, `[REDACTED:…]` and the like, which may contain
// blanks; 0: there is none.
std::size_t bracketed_end(std::string_view text, std::size_t begin) {
  struct Brackets {
    std::string_view open;
    std::string_view close;
    std::size_t longest;  // bytes, with the brackets
  };
  constexpr std::array<Brackets, 4> kBrackets = {
      {{"<", ">", 64}, {"(", ")", 64}, {"{{", "}}", 64}, {kMarkerOpening, "]", 128}}};
  for (const auto& [open, close, longest] : kBrackets) {
    const std::string_view inside = text.substr(begin, longest);
    if (!inside.starts_with(open)) continue;
    const std::size_t end = inside.find(close, open.size());
    const bool is_closed = end < inside.find('\n');
    return is_closed ? begin + end + close.size() : 0;
  }
  return 0;
}

// Whether a value without quotes ends at `at`. `before_name`: the byte in front of the name.
// `in_json`: the name is quoted, so commas and brackets end the value.
bool ends_bare_value(std::string_view text, std::size_t at, char before_name, bool in_json) {
  const char c = text[at];
  const char next = byte(text, at + 1);
  if (static_cast<unsigned char>(c) <= ' ' || is_quote(c)) return true;
  switch (c) {
    case '<': return next == '/';
    case ',': return in_json || next == '\0' || is(next, kSpace);
    case '}':
    case ']': return in_json;
    case '&': return before_name == '&' || before_name == '?';
    case ';': return before_name == ';' || next == '\0' || is(next, kSpace);
    case '\\':
      if (is_quote(next) || next == '\\') return true;
      return (next == 'n' || next == 'r' || next == 't') && ends_at_line_break(text, at + 2);
    default: return false;
  }
}

// The end of a value without quotes. Punctuation of the text around it, such as a closing bracket
// without its opening one, is not part of the value.
std::size_t bare_value_end(std::string_view text, std::size_t begin, char before_name,
                           bool in_json) {
  std::size_t end = std::max(begin, bracketed_end(text, begin));
  while (end < text.size()) {
    const bool may_be_marker = text[end] == '[';
    const std::size_t marker =
        may_be_marker ? std::max(marker_length(text.substr(end)), inner_marker_length(text, end))
                      : 0;
    if (marker == 0 && ends_bare_value(text, end, before_name, in_json)) break;
    end += std::max<std::size_t>(marker, 1);
  }
  const std::string_view value = text.substr(begin, end - begin);
  constexpr int kMostClosing = 8;  // bytes of such punctuation
  for (int i = 0; i < kMostClosing && end > begin; ++i) {
    const char last = text[end - 1];
    const bool closes = (last == ')' && value.find('(') == std::string_view::npos) ||
                        (last == ']' && value.find('[') == std::string_view::npos) ||
                        (last == '}' && value.find('{') == std::string_view::npos) || last == ',' ||
                        last == ';' || (last == ':' && text[end - 2] == ')');
    if (!closes) break;
    --end;
  }
  return end;
}

// The end of the line, or of the string that the line is in.
std::size_t line_rest_end(std::string_view text, std::size_t at) {
  while (at < text.size() && !is(text[at], kNewline) && !is_quote(text[at]) && text[at] != '\\') {
    ++at;
  }
  return at;
}

// Whether only blanks and the marks of lists, quotations and diffs are between the start of the
// line and `at`.
bool starts_line(std::string_view text, std::size_t at) {
  constexpr int kLongestStart = 32;  // bytes
  for (int i = 0; i < kLongestStart && at > 0; ++i) {
    const char c = text[at - 1];
    if (is(c, kNewline)) return true;
    if (c == 'n' && at > 1 && text[at - 2] == '\\') return true;
    if (!is(c, kBlank) && c != '-' && c != '>' && c != '<' && c != '*') return false;
    --at;
  }
  return at == 0;
}

// Whether only blanks are between `at` and the end of the line.
bool ends_line(std::string_view text, std::size_t at) {
  at = run_end(text, std::min(at, text.size()), kBlank, kMostBlanks);
  return at == text.size() || is(text[at], kNewline) ||
         (text[at] == '\\' && (byte(text, at + 1) == 'n' || byte(text, at + 1) == 'r'));
}

// Reads the separator after the name and moves `at` to the value; nullopt: there is no separator.
// `json_name`: the name is quoted. `flag`: the name is an option, such as `--name`.
std::optional<Separator> read_separator(std::string_view text, std::size_t& at, bool json_name,
                                        bool flag) {
  const int space = json_name ? kSpace : kBlank;
  const std::size_t name_end = at;
  at = run_end(text, at, space, kMostBlanks);
  const bool spaced_before = at != name_end;
  const char c = byte(text, at);
  const char next = byte(text, at + 1);
  if ((c == '|' || c == '?') && next == c) {  // `process.env.SECRET || 'default'`
    at = run_end(text, at + 2, kBlank, kMostBlanks);
    return is_quote(byte(text, at)) ? std::optional(Separator::spaced) : std::nullopt;
  }
  if (c == ':') {
    if (next == ':') return std::nullopt;
    at += next == '=' ? 2 : 1;
  } else if (c == '=') {
    if (next == '=' || next == '~') return std::nullopt;
    at += next == '>' ? 2 : 1;
  } else if (flag && spaced_before && !json_name && c != '\0' && c != '-') {
    return Separator::flag;
  } else {
    return std::nullopt;
  }
  const std::size_t value = run_end(text, at, space, kMostSpace);
  const bool tight = c == '=' && !spaced_before && value == at;
  at = value;
  return tight ? Separator::tight : Separator::spaced;
}

struct OpeningQuote {
  bool quoted = false;
  char quote = '\0';
  std::size_t depth = 0;  ///< backslashes in front of the quote
};

// Moves `at` past the opening quote, if there is one, and past a string prefix such as b'…'.
OpeningQuote read_opening(std::string_view text, std::size_t& at) {
  std::size_t quote = at;
  while (quote < at + 2 && quote < text.size() &&
         std::string_view("bBrRuUfFnN").find(text[quote]) != std::string_view::npos) {
    ++quote;
  }
  if (!is_quote(byte(text, quote))) quote = at;
  const std::size_t depth = count_backslashes(text, quote);
  if (!is_quote(byte(text, quote + depth))) return {};
  at = quote + depth + 1;
  return {.quoted = true, .quote = text[quote + depth], .depth = depth};
}

// The end of the last string in a list such as `["a", "b"]`. `at`: the end of the first string.
std::size_t list_end(std::string_view text, std::size_t at, const OpeningQuote& opening) {
  while (true) {
    std::size_t next = at + opening.depth + 1;
    next = run_end(text, std::min(next, text.size()), kSpace, kMostSpace);
    if (byte(text, next) != ',') return at;
    next = run_end(text, next + 1, kSpace, kMostSpace);
    const OpeningQuote again = read_opening(text, next);
    if (!again.quoted || again.quote != opening.quote || again.depth != opening.depth) return at;
    at = closing_quote(text, next, opening.quote, opening.depth);
  }
}

// The value of `<password>value</password>`, which begins at `begin`.
Match match_element(std::string_view text, std::size_t begin, SensitiveKey key) {
  std::size_t end = begin;
  while (end < text.size() && text[end] != '<' && !is(text[end], kNewline)) ++end;
  if (text.substr(end, 2) != "</") return std::nullopt;
  const Claim claim{.value = text.substr(begin, end - begin),
                    .scheme = {},
                    .separator = Separator::spaced,
                    .quoted = true,
                    .json_name = true,
                    .name = {}};
  if (!is_plausible(key, claim)) return std::nullopt;
  return Secret{begin, end, refined_label(key, claim.value)};
}

bool has_newline(std::string_view text, std::size_t begin, std::size_t end) {
  return (classes_of(text.substr(begin, end - begin)) & kNewline) != 0;
}

bool all_caps(std::string_view name) { return (classes_of(name) & kLower) == 0; }

}  // namespace

std::optional<NameInText> find_name(std::string_view text, std::size_t at, const Policy& policy,
                                    std::size_t& names_done) {
  const std::size_t inside = is(text[at], kName) ? at : at + 1;  // an anchor may begin before it
  if (inside < names_done || inside >= text.size() || !is(text[inside], kName)) return std::nullopt;
  const auto name = name_around(text, inside);
  names_done = name ? name->end : inside + kLongestName;
  if (!name) return std::nullopt;
  const std::size_t begin = with_word_before(text, *name);
  const auto key = classify_visible_key(text.substr(begin, name->end - begin), policy);
  if (!key) return std::nullopt;
  NameInText found{
      .begin = begin, .end = name->end, .after = name->end, .key = *key, .flag = name->flag};
  found.before = begin > 0 ? text[begin - 1] : '\0';
  const std::size_t depth = count_backslashes(text, name->end);
  found.quoted = is_quote(found.before) && byte(text, name->end + depth) == found.before;
  if (found.quoted) found.after = name->end + depth + 1;
  return found;
}

ValueInText read_value(std::string_view text, std::size_t at) {
  const OpeningQuote opening = read_opening(text, at);
  if (opening.quoted) {
    return {
        .begin = at, .end = closing_quote(text, at, opening.quote, opening.depth), .quoted = true};
  }
  constexpr char before_name = '\0';  // only the value is known
  constexpr bool in_json = false;
  return {.begin = at, .end = bare_value_end(text, at, before_name, in_json)};
}

Match match_assignment(std::string_view text, const NameInText& name) {
  const SensitiveKey& key = name.key;
  std::size_t place = name.after;
  if (name.before == '<' && byte(text, place) == '>') return match_element(text, place + 1, key);
  if (name.quoted && byte(text, place) == ']') ++place;
  const auto separator = read_separator(text, place, name.quoted, name.flag);
  if (!separator) return std::nullopt;
  // In `arn:aws:secretsmanager:…:secret:db` the colons separate parts of one name.
  if (name.before == ':' && byte(text, name.after) == ':' && place == name.after + 1) {
    return std::nullopt;
  }

  const bool list =
      name.quoted && byte(text, place) == '[' && !text.substr(place).starts_with(kMarkerOpening);
  if (list) place = run_end(text, place + 1, kSpace, kMostSpace);
  const std::size_t value = place;
  const OpeningQuote opening = read_opening(text, place);
  // In `prompt('Password: ')` the quote closes the surrounding string.
  if (opening.quoted && !name.quoted && opening.quote == name.before) return std::nullopt;
  // Only quoted values may be on the next line.
  if (!opening.quoted && has_newline(text, name.end, value)) return std::nullopt;
  const bool header = key.kind == KeyKind::authorization || key.kind == KeyKind::token;
  const std::string_view scheme = header ? read_scheme(text, place) : std::string_view();
  std::size_t end = place;
  if (opening.quoted) {
    end = closing_quote(text, place, opening.quote, opening.depth);
    if (list) end = list_end(text, end, opening);
  } else if (key.kind == KeyKind::cookie &&
             text.substr(place, kLongestCookieName).find('=') == std::string_view::npos) {
    return std::nullopt;            // no cookie; a long line is not read for each name in it
  } else if (scheme == "digest") {  // has quoted parts
    end = std::min(text.find_first_of("\r\n\\'`", place), text.size());
  } else if (key.kind == KeyKind::cookie || scheme.starts_with("aws4")) {
    end = line_rest_end(text, place);
  } else {
    end = bare_value_end(text, place, name.before, name.quoted);
  }
  if (end <= place) return std::nullopt;
  Claim claim{text.substr(place, end - place), scheme, *separator, opening.quoted, name.quoted};
  claim.name = text.substr(name.begin, name.end - name.begin);
  claim.capitals = all_caps(claim.name);
  claim.in_query = name.before == '?' || name.before == '&' || name.before == ';';
  claim.alone_on_line =
      starts_line(text, name.begin) && ends_line(text, end + (opening.quoted ? 1 : 0));
  if (!is_plausible(key, claim)) return std::nullopt;
  if (key.label == label::kAccessToken && scheme == "bearer") {
    return Secret{place, end, label::kBearerToken};
  }
  return Secret{place, end, refined_label(key, claim.value)};
}

}  // namespace enfold::redact::detail
