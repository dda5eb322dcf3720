// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/forms.h"

#include "enfold/redact/find/chars.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

// "Password" in other languages, in lower case; only translations that are ASCII.
constexpr std::array<std::string_view, 17> kTranslations = {
    "passwort", "kennwort", "contrasena", "mot de passe", "parola",    "wachtwoord",
    "senha",    "clave",    "palavra",    "haslo",        "heslo",     "salasana",
    "passord",  "geslo",    "lozinka",    "adgangskode",  "kata sandi"};

// Sentences have such words, passphrases do not.
constexpr std::array<std::string_view, 40> kFunctionWords = {
    "a",      "an",     "and",  "are",  "as",    "at",   "be",  "by",  "can",  "can't",
    "do",     "does",   "for",  "from", "has",   "have", "if",  "in",  "is",   "isn't",
    "it",     "least",  "may",  "must", "needs", "no",   "not", "of",  "on",   "or",
    "please", "should", "that", "the",  "this",  "to",   "too", "was", "with", "your"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view each) { return equals_ignoring_case(word, each); });
}

// The value must not be empty.
bool is_sentence(std::string_view value) {
  std::size_t words = 0;
  for (std::size_t at = 0; at < value.size(); ++words) {
    const std::size_t end = std::min(value.find(' ', at), value.size());
    if (is_one_of(value.substr(at, end - at), kFunctionWords)) return true;
    at = end + 1;
  }
  const bool ends = contains(".?!:", value.back());
  return words > 1 && (ends || (words > 2 && is(value.front(), kUpper)));
}

// Whether the value has letters beyond ASCII, and no digits or symbols.
bool is_foreign_word(std::string_view value) {
  bool foreign = false;
  for (const char c : value) {
    foreign = foreign || static_cast<unsigned char>(c) >= 0x80;
    const bool plain = is(c, kLetter | kBlank | kDot) || contains("'-,?!:*", c);
    if (!plain && static_cast<unsigned char>(c) < 0x80) return false;
  }
  return foreign;
}

// The end of the word at `at`: `word`, `Word` or `WORD`, so `camelCase` is two words. `at` itself
// if no word begins there.
std::size_t word_end(std::string_view value, std::size_t at) {
  constexpr std::size_t kLongest = 14;
  std::size_t end = run_end(value, at, kUpper);
  if (end - at <= 1) {
    end = run_end(value, end, kLower);
    return end - at >= 2 && end - at <= kLongest ? end : at;
  }
  return end - at <= kLongest && !is(byte(value, end), kLower) ? end : at;
}

// Whether at least half of a run of letters and digits is in words, as in `oauth2ClientSecret`.
bool is_made_of_words(std::string_view run) {
  constexpr std::size_t kShortestWord = 4;  // letters of the same case
  constexpr int kMostNumbers = 2;
  std::size_t in_words = 0;
  int numbers = 0;
  for (std::size_t at = 0; at < run.size();) {
    const int kind = is(run[at], kLower) ? kLower : is(run[at], kUpper) ? kUpper : kDigit;
    const std::size_t end = run_end(run, at, kind);
    if (kind == kDigit) ++numbers;
    if (kind != kDigit && end - at >= kShortestWord) in_words += end - at;
    at = end;
  }
  return numbers <= kMostNumbers && 2 * in_words >= run.size();
}

}  // namespace

bool contains(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }

bool is_path(std::string_view value) {
  if (value.size() > 2 && is(value[0], kLetter) && value[1] == ':' &&
      (value[2] == '\\' || value[2] == '/')) {
    return true;
  }
  if (value.starts_with("./") || value.starts_with("../") || value.starts_with("~/")) return true;
  // Base64 may start with a slash, but has capitals.
  return value.starts_with("/") && (classes_of(value) & kUpper) == 0 && !contains(value, '+') &&
         !contains(value, '=');
}

bool is_url(std::string_view value) {
  return value.substr(0, 16).find("://") != std::string_view::npos;
}

bool is_file_name(std::string_view value) {
  const std::size_t dot = value.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  constexpr std::array<std::string_view, 14> kExtensions = {"pem",  "key", "crt",  "json", "txt",
                                                            "yaml", "yml", "toml", "env",  "js",
                                                            "ts",   "py",  "md",   "html"};
  const std::string_view extension = value.substr(dot + 1);
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

bool is_date(std::string_view value) {
  return value.size() >= 10 && run_end(value, 0, kDigit) == 4 && value[4] == '-' &&
         is(value[5], kDigit) && is(value[6], kDigit) && value[7] == '-';
}

bool is_uuid(std::string_view value) {
  if (value.size() != kUuidSize) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? value[i] != '-' : !is(lower(value[i]), kHexLetter | kDigit)) return false;
  }
  return true;
}

bool is_version(std::string_view value) {
  const std::size_t start = value.find_first_not_of("^~<>=v ");
  if (start == std::string_view::npos || !is(value[start], kDigit)) return false;
  const std::size_t number = run_end(value, start, kDigit);
  if (number - start > 4 || byte(value, number) != '.') return false;
  const char next = byte(value, number + 1);
  if (!is(next, kDigit) && next != '*' && next != 'x') return false;
  return value.find_first_not_of("0123456789.^~<>=v*x |+-abcdehlnprt") == std::string_view::npos;
}

bool is_digest(std::string_view value) {
  for (const std::string_view start : {"sha256-", "sha384-", "sha512-", "sha1-", "md5-"}) {
    if (value.starts_with(start)) return true;
  }
  return value.find("sha256:") != std::string_view::npos;
}

bool is_expression(std::string_view value) {
  if (value.front() == '!') value.remove_prefix(1);
  for (const char c : {'(', '[', '{', '<', '|'}) {
    if (contains(value, c)) return true;
  }
  if (value.find("::") != std::string_view::npos || value.starts_with('&') ||
      value.find("->") != std::string_view::npos) {
    return true;
  }
  const std::size_t choice = value.find('?');
  if (choice != std::string_view::npos && value.find(':', choice) != std::string_view::npos) {
    return true;
  }
  return contains(value, '.') && run_end(value, 0, kLetter | kJoiner | kDot) == value.size();
}

bool is_location(std::string_view value) {
  for (const std::string_view start : {"vault:", "arn:", "env:", "file:", "ssm:", "secretsmanager:",
                                       "keyring:", "awssm:", "projects/"}) {
    if (value.starts_with(start)) return true;
  }
  return is_url(value) || is_path(value) || is_file_name(value);
}

bool is_human_text(std::string_view value) {
  constexpr std::size_t kLongest = 400;
  if (value.empty() || value.size() > kLongest) return false;
  if (is_foreign_word(value)) return true;
  if (contains(value, ' ') && is_sentence(value)) return true;
  if ((classes_of(value) & kDigit) != 0) return false;
  return std::any_of(kTranslations.begin(), kTranslations.end(),
                     [&](std::string_view word) { return starts_with_ignoring_case(value, word); });
}

bool is_identifier(std::string_view value) {
  constexpr std::size_t kLongest = 64;
  constexpr std::size_t kLongestNumber = 4;
  if (value.size() > kLongest) return false;
  bool word = false;
  for (std::size_t at = 0; at < value.size();) {
    if (is(value[at], kJoiner | kDot) || contains("/:,@*", value[at])) {
      ++at;
      continue;
    }
    std::size_t end = word_end(value, at);
    word = word || end - at >= 3;
    for (std::size_t hump = word_end(value, end); hump > end; hump = word_end(value, end)) {
      end = hump;
    }
    const std::size_t number = run_end(value, end, kDigit);
    if (number == at || number - end > kLongestNumber || is(byte(value, number), kLetter)) {
      return false;
    }
    at = number;
  }
  return word;
}

bool has_words(std::string_view value) {
  constexpr std::size_t shortest = 3;
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = run_end(value, at, kAlnum);
    const bool word = end - at >= shortest && run_end(value, at, kLetter) == end;
    const bool is_part = at > 0 || end < value.size();  // a separator is beside the word
    if (word && is_part && !is_mixed_case(value.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

bool has_digit_and_letter(std::string_view value) {
  const int classes = classes_of(value);
  return (classes & kDigit) != 0 && (classes & kLetter) != 0;
}

bool is_mixed_case(std::string_view value) {
  if (value.empty() || (classes_of(value) & kLower) == 0) return false;
  return (classes_of(value.substr(1)) & kUpper) != 0;
}

bool has_symbol(std::string_view value) {
  return std::any_of(value.begin(), value.end(), [](char c) {
    return !is(c, kAlnum | kJoiner | kDot | kSpace) && c != '\'' && c != ',' && c != ':' &&
           c != '/';
  });
}

bool has_random_run(std::string_view value) {
  constexpr std::size_t kMixed = 12;  // bytes of a run in mixed case
  constexpr std::size_t kLong = 16;   // bytes of any other run
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = run_end(value, at, kAlnum);
    const std::string_view run = value.substr(at, end - at);
    const bool is_long = run.size() >= kLong || (run.size() >= kMixed && is_mixed_case(run));
    if (is_long && has_digit_and_letter(run) && !is_made_of_words(run)) return true;
    at = end + 1;
  }
  return false;
}

bool is_long_opaque(std::string_view value) {
  return value.size() >= 16 && !contains(value, ' ') &&
         (is_mixed_case(value) || (classes_of(value) & kDigit) != 0 ||
          (classes_of(value) & kJoiner) == 0);
}

bool is_opaque(std::string_view value) {
  constexpr std::size_t kShortest = 6;
  constexpr std::size_t kLong = 15;
  if (value.size() < kShortest || contains(value, ' ') || is_identifier(value)) return false;
  const bool address = value.size() == 42 && value.starts_with("0x");  // a blockchain account
  return !address && ((classes_of(value) & kDigit) != 0 || is_mixed_case(value) ||
                      value.size() >= kLong || value.back() == '=');
}

}  // namespace enfold::redact::detail
