// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/scanner.h"

#include "enfold/base/text.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/replace/unescape.h"

#include <algorithm>
#include <tuple>

namespace enfold::redact::detail {
namespace {

// JSON nested in strings up to three levels deep; deeper escapes are not decoded.
constexpr int kEscapeLevels = 3;

// One left-to-right pass over one text.
struct Pass {
  std::string_view text;
  const Policy& policy;
  // The ends of what find_name, match_number and find_cells have read, so that they read it once.
  std::size_t names_done = 0;
  std::size_t numbers_done = 0;
  std::size_t lines_done = 0;
  std::vector<Secret> cells;  ///< secrets in tables, in any order

  // The value of the sensitive name at `at`. If the name heads a column, adds its values to
  // `cells`.
  [[nodiscard]] Match match_name(std::size_t at) {
    const auto name = find_name(text, at, policy, names_done);
    if (!name) return std::nullopt;
    if (Match match = match_assignment(text, *name)) return match;
    if (Match match = match_distant_value(text, *name)) return match;
    find_cells(text, *name, policy, lines_done, cells);
    return std::nullopt;
  }

  // The secret of a candidate. A key name is tried first, because it says more about a value than
  // the shape of the value.
  [[nodiscard]] Match match(const Candidate& candidate) {
    const auto [at, anchors] = candidate;
    Match match;
    if ((anchors & kKeywordAnchor) != 0) match = match_name(at);
    if (!match && (anchors & kPrefixAnchor) != 0) match = match_token(text, at);
    if (!match && (anchors & kJwtAnchor) != 0) match = match_jwt(text, at);
    if (!match && (anchors & kMarkAnchor) != 0) match = match_marked(text, at);
    if (!match && (anchors & kMarkAnchor) != 0) match = match_dsn(text, at);
    if (!match && (anchors & kDiscordAnchor) != 0) match = match_discord(text, at);
    if (!match && (anchors & kHashAnchor) != 0) match = match_password_hash(text, at);
    if (!match && (anchors & kOptionAnchor) != 0) match = match_option(text, at);
    if (!match && (anchors & kPgpassAnchor) != 0) match = match_pgpass(text, at);
    if (!match && (anchors & kIdentifiedAnchor) != 0) match = match_identified(text, at);
    if (!match && (anchors & kPemAnchor) != 0) match = match_private_key(text, at);
    if (!match && (anchors & kPemAnchor) != 0) match = match_encoded_key(text, at);
    if (!match && (anchors & kUrlAnchor) != 0) match = match_url_password(text, at);
    if (!match && (anchors & kBearerAnchor) != 0) match = match_bearer(text, at);
    if (!match && (anchors & kBasicAnchor) != 0) match = match_basic(text, at);
    if (!match && (anchors & kBotAnchor) != 0) match = match_bot_token(text, at);
    if (!match && (anchors & kHookAnchor) != 0) match = match_webhook(text, at);
    if (!match && (anchors & kEmailAnchor) != 0) match = match_email(text, at);
    if (!match && (anchors & kDigitAnchor) != 0) match = match_number(text, at, numbers_done);
    return match;
  }
};

constexpr char kEsc = '\x1B';

// Whether a whole character of more than one byte ends at `at`.
bool ends_character(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t length = 2; length <= std::min(kLongest, at); ++length) {
    std::size_t next = at - length;
    if (static_cast<unsigned char>(text[next]) < 0xC2) continue;
    (void)utf8::next(text, next);
    return next == at;
  }
  return false;
}

// Whether what is hidden at `at` may split a secret: it is a terminal code, or a character between
// printable ASCII characters or parts of a code or a character. Others, beside emoji and line ends,
// are common and harmless.
bool splits_text(std::string_view text, std::size_t at) {
  if (text[at] == kEsc) return true;
  if (hidden_length(text, at) == 0 || at == 0) return false;
  const auto is_ascii_part = [](char c) { return (c > ' ' && c <= '~') || c == kEsc; };
  const auto is_byte_of_character = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  const bool follows_part =
      is_byte_of_character(text[at - 1]) ? !ends_character(text, at) : is_ascii_part(text[at - 1]);
  if (!follows_part) return false;
  std::size_t next = at;  // the end of the run, which only its first character searches
  while (const std::size_t more = hidden_length(text, next)) next += more;
  const char after = byte(text, next);
  return is_ascii_part(after) || (static_cast<unsigned char>(after) & 0xC0) == 0x80;
}

// The checks below find personal data; they run only if the policy enables it.
bool passes_luhn(std::string_view digits) {
  int sum = 0;
  bool doubled = false;
  for (auto it = digits.rbegin(); it != digits.rend(); ++it, doubled = !doubled) {
    const int digit = (*it - '0') * (doubled ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 == 0;
}

bool is_card(std::string_view digits) {
  return digits.size() >= 13 && digits.size() <= 19 && digits[0] >= '3' && digits[0] <= '6' &&
         digits.find_first_not_of(digits[0]) != std::string_view::npos && passes_luhn(digits);
}

// 123-45-6789, without the numbers that are never issued.
bool is_ssn(std::string_view run) {
  if (run.size() != 11 || run[3] != '-' || run[6] != '-') return false;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (i != 3 && i != 6 && !is(run[i], kDigit)) return false;
  }
  const std::string_view area = run.substr(0, 3);
  return area != "000" && area != "666" && area[0] != '9' && run.substr(4, 2) != "00" &&
         run.substr(7) != "0000";
}

// "+49 30 1234567", "(212) 555-0123", "212-555-0123"; a bare run of digits is not a phone number.
bool is_phone(std::string_view run, std::size_t digits) {
  if (run[0] == '+') return digits >= 8 && digits <= 15;
  std::string shape;
  for (const char c : run) shape.push_back(is(c, kDigit) ? '9' : c);
  std::replace(shape.begin(), shape.end(), '.', '-');
  return shape == "(999) 999-9999" || shape == "(999)999-9999" || shape == "999-999-9999" ||
         shape == "1-999-999-9999" || shape == "999 999 9999";
}

// In order of position; of two that begin at the same place, the longer one is first.
bool begins_first(const Secret& a, const Secret& b) {
  return std::tie(a.begin, b.end) < std::tie(b.begin, a.end);
}

// Adds the secrets of tables, in order of position. Of two that overlap, the one that begins first
// stays; if both begin at the same place, the longer one.
void merge(std::vector<Secret>& found, const std::vector<Secret>& cells) {
  found.insert(found.end(), cells.begin(), cells.end());
  std::sort(found.begin(), found.end(), begins_first);
  std::size_t last_end = 0;
  std::erase_if(found, [&](const Secret& secret) {
    const bool overlaps = secret.begin < last_end;
    if (!overlaps) last_end = secret.end;
    return overlaps;
  });
}

// Separators inside a number.
bool joins_digits(char c) { return c == ' ' || c == '-' || c == '.' || c == '(' || c == ')'; }

}  // namespace

std::vector<Secret> Scanner::find(std::string_view text) const {
  return find(text, {.escape_levels = kEscapeLevels, .hidden = true, .markers = true});
}

std::vector<Secret> Scanner::find(std::string_view text, const Removals& left) const {
  std::vector<Secret> found;
  Pass pass{text, policy_};
  Candidates candidates(prefilter_, text);
  std::size_t at = 0;
  std::size_t last_end = 0;  // of the last secret
  while (at < text.size()) {
    const Candidate candidate = candidates.next(at);
    if (candidate.at >= text.size()) break;
    // Escapes and hidden characters keep the matchers from finding a secret. They are removed, and
    // the search starts again.
    if ((candidate.anchors & kNestedEscape) != 0 && left.escape_levels > 0 &&
        is_nested_escape(text, candidate.at)) {
      return find_in(
          UnescapedText::nested_escapes(text),
          {.escape_levels = left.escape_levels - 1, .hidden = true, .markers = left.markers});
    }
    if ((candidate.anchors & kHiddenAnchor) != 0 && left.hidden &&
        splits_text(text, candidate.at)) {
      return find_in(
          UnescapedText::visible(text),
          {.escape_levels = left.escape_levels, .hidden = false, .markers = left.markers});
    }
    if (text[candidate.at] == '[' && left.markers && inner_marker_length(text, candidate.at) != 0) {
      return find_around_markers(text, left);
    }
    at = candidate.at + 1;
    const Match match = pass.match(candidate);
    if (!match || match->begin < last_end) continue;
    found.push_back(*match);
    at = last_end = match->end;
  }
  if (!pass.cells.empty()) merge(found, pass.cells);
  return found;
}

// A marker may be a part of one secret, or the end of another: the text is searched with and
// without the markers.
std::vector<Secret> Scanner::find_around_markers(std::string_view text, Removals left) const {
  left.markers = false;
  std::vector<Secret> found = find(text, left);
  const std::vector<Secret> joined = find_in(UnescapedText::without_inner_markers(text), left);
  found.insert(found.end(), joined.begin(), joined.end());
  std::sort(found.begin(), found.end(), begins_first);
  std::vector<Secret> united;
  for (const Secret& secret : found) {
    if (!united.empty() && secret.begin < united.back().end) {
      united.back().end = std::max(united.back().end, secret.end);
    } else {
      united.push_back(secret);
    }
  }
  return united;
}

std::vector<Secret> Scanner::find_in(const UnescapedText& plain, const Removals& left) const {
  std::vector<Secret> found = find(plain.text(), left);
  for (Secret& secret : found) {
    std::tie(secret.begin, secret.end) = plain.in_source(secret.begin, secret.end);
  }
  return found;
}

// `at`: the `@`.
Match match_email(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestLocal = 64;
  constexpr std::size_t kLongestDomain = 253;
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLongestLocal &&
         (is(text[begin - 1], kName) || text[begin - 1] == '+' || text[begin - 1] == '%')) {
    --begin;
  }
  if (begin == at) return std::nullopt;
  std::size_t end = run_end(text, at + 1, kAlnum | kDot | kJoiner, kLongestDomain);
  while (end > at && !is(text[end - 1], kAlnum)) --end;
  const std::string_view domain = text.substr(at + 1, end > at ? end - at - 1 : 0);
  const std::size_t dot = domain.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || domain.size() - dot < 3 ||
      run_end(domain, dot + 1, kLetter) != domain.size()) {
    return std::nullopt;
  }
  return Secret{begin, end, label::kEmail};
}

Match match_number(std::string_view text, std::size_t at, std::size_t& numbers_done) {
  constexpr std::size_t kLongestRun = 40;
  if (at < numbers_done) return std::nullopt;
  std::size_t end = at + 1;
  std::string digits(is(text[at], kDigit) ? 1 : 0, text[at]);
  // Separators between digits are part of the number; at most two in sequence, such as `) `.
  for (std::size_t i = end; i < text.size() && i - at < kLongestRun; ++i) {
    if (is(text[i], kDigit)) {
      digits.push_back(text[i]);
      end = i + 1;
    } else if (!joins_digits(text[i]) || i - end >= 2) {
      break;
    }
  }
  const bool starts_here = at == 0 || !is(text[at - 1], kToken | kDot);
  const bool stops_here = !is(byte(text, end), kToken);
  // A run of digits can be skipped: no other number starts inside it.
  numbers_done = run_end(text, at, kDigit);
  if (!starts_here || !stops_here) return std::nullopt;
  const std::string_view run = text.substr(at, end - at);
  if (is_ssn(run)) return Secret{at, end, label::kSsn};
  if (is(run[0], kDigit) && is_card(digits)) return Secret{at, end, label::kCreditCard};
  if (is_phone(run, digits.size())) return Secret{at, end, label::kPhone};
  return std::nullopt;
}

}  // namespace enfold::redact::detail
