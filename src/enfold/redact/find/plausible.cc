// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/plausible.h"

#include "enfold/redact/find/chars.h"

#include <algorithm>
#include <initializer_list>

namespace enfold::redact::detail {
namespace {

// Longer values are no words, paths or expressions.
constexpr std::size_t kLongestWord = 256;

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

// Calls, subscripts, generics and member accesses in code.
bool is_expression(std::string_view value) {
  if (value.front() == '!') value.remove_prefix(1);
  for (const char c : {'(', '[', '{', '<', '|'}) {
    if (contains(value, c)) return true;
  }
  if (value.find("::") != std::string_view::npos || value.starts_with('&') ||
      value.find("->") != std::string_view::npos) {
    return true;
  }
  return contains(value, '.') && run_end(value, 0, kLetter | kJoiner | kDot) == value.size();
}

// `password=user_password`, `token: TokenType`: the value is a name, not a secret.
bool names_itself(std::string_view value) {
  if (value.size() > 40 || run_end(value, 0, kLetter | kJoiner | kDot) != value.size()) {
    return false;
  }
  static const Policy kDefault;
  if (classify_key(value, kDefault)) return true;
  for (const std::string_view tail : {"string", "type", "field", "bytes", "provider", "service"}) {
    if (value.size() > tail.size() &&
        equals_ignoring_case(value.substr(value.size() - tail.size()), tail)) {
      return true;
    }
  }
  return false;
}

bool has_digit_and_letter(std::string_view value) {
  const int classes = classes_of(value);
  return (classes & kDigit) != 0 && (classes & kLetter) != 0;
}

// Capitals after the first letter, and lower case: not an ordinary word.
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

bool looks_random(std::string_view value, std::size_t least) {
  return value.size() >= least && has_digit_and_letter(value);
}

bool is_long_opaque(std::string_view value) {
  return value.size() >= 16 && !contains(value, ' ') &&
         (is_mixed_case(value) || (classes_of(value) & kDigit) != 0 ||
          (classes_of(value) & kJoiner) == 0);
}

bool plausible_quoted(KeyKind kind, std::string_view value) {
  if (std::count(value.begin(), value.end(), ' ') > 1 || names_itself(value)) return false;
  if (kind == KeyKind::password) return value.size() >= 3;
  if (contains(value, ' ')) return false;
  return looks_random(value, 6) || is_long_opaque(value) ||
         (kind == KeyKind::secret && value.size() >= 8);
}

bool plausible_bare_password(const Claim& claim) {
  const std::string_view value = claim.value;
  if (claim.separator == Separator::tight) {
    return value.size() >= (claim.capitals ? 1U : 3U) && !names_itself(value);
  }
  if (value.size() >= 6 && (has_digit_and_letter(value) || has_symbol(value))) return true;
  if (!claim.alone_on_line) return false;
  if (run_end(value, 0, kDigit) == value.size()) return value.size() >= 4;
  return value.size() >= 5 && !names_itself(value) && value.back() != '.';
}

bool plausible_bare(KeyKind kind, const Claim& claim) {
  const std::string_view value = claim.value;
  const bool environment = claim.capitals && claim.separator == Separator::tight;
  if (is_path(value) || is_url(value) || is_file_name(value) || is_date(value)) return false;
  if (!environment && (is_expression(value) || names_itself(value))) return false;
  if (kind == KeyKind::password) return plausible_bare_password(claim);
  if (environment) {
    return value.size() >= 6 && !names_itself(value) && (classes_of(value) & kLetter) != 0;
  }
  return looks_random(value, claim.separator == Separator::tight ? 6 : 8) ||
         is_long_opaque(value) ||
         (kind == KeyKind::secret && claim.separator == Separator::tight && value.size() >= 8);
}

bool plausible_authorization(const Claim& claim) {
  const std::string_view value = claim.value;
  return value.size() >= 8 && ((classes_of(value) & kDigit) != 0 || is_mixed_case(value) ||
                               value.size() >= 24 || value.ends_with("="));
}

// Templates, formats and colours: `${user}:${password}`, `%s:%s`, `#f8f8f2`.
bool is_written_by_code(std::string_view value) {
  return value.starts_with("${") || value.starts_with("%s") ||
         (value.starts_with('#') && value.size() <= 9);
}

constexpr std::array<std::string_view, 9> kSchemes = {"bearer",           "basic",  "token",
                                                      "digest",           "apikey", "negotiate",
                                                      "aws4-hmac-sha256", "hmac",   "dpop"};

// Decides for kinds whose values have a fixed form; nullopt: the form does not decide.
std::optional<bool> by_form(KeyKind kind, std::string_view value) {
  if (kind == KeyKind::cookie) return value.size() >= 8 && contains(value.substr(0, 128), '=');
  if (kind == KeyKind::pin) {
    return value.size() >= 4 && value.size() <= 12 && run_end(value, 0, kDigit) == value.size();
  }
  if (kind == KeyKind::authorization) {
    for (const std::string_view scheme : {"basic", "bearer", "digest", "oauth", "oauth2"}) {
      if (equals_ignoring_case(value, scheme)) return false;
    }
  }
  if (kind == KeyKind::working_folder && (value.starts_with("/") || is_path(value))) return false;
  return std::nullopt;
}

// `hunter2`, but not `addressLine1`, `id_2` or `Forgot?`: trailing digits and punctuation do not
// count.
bool has_inner_digit_or_symbol(std::string_view value) {
  constexpr std::string_view ends = "?!*.";
  while (!value.empty() && (is(value.back(), kDigit) || contains(ends, value.back()))) {
    value.remove_suffix(1);
  }
  const auto is_ascii_symbol = [](char c) {
    return c > ' ' && !is(c, kAlnum | kJoiner | kDot) && c != '/' && c != ':';
  };
  return (classes_of(value) & kDigit) != 0 ||
         std::any_of(value.begin(), value.end(), is_ascii_symbol);
}

// `oauth2_client_id`, `x86_64-linux-gnu`, `src/app1/main.rs`, `--user=foo1`: words between
// separators indicate a name, path or option.
bool holds_words(std::string_view value) {
  constexpr std::size_t shortest = 3;
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = run_end(value, at, kAlnum);
    const bool word = end - at >= shortest && run_end(value, at, kLetter) == end;
    const bool apart = at > 0 || end < value.size();
    if (word && apart && !is_mixed_case(value.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

// `vault:secret/data/db#password`, `arn:aws:secretsmanager:…`: a reference to a secret.
bool is_reference(std::string_view value) {
  return value.starts_with("vault:") || value.starts_with("arn:");
}

// `AUTH-12` is an issue key.
bool is_issue_key(std::string_view name) {
  const std::size_t dash = run_end(name, 0, kUpper);
  return dash > 0 && dash + 1 < name.size() && name[dash] == '-' &&
         run_end(name, dash + 1, kDigit) == name.size();
}

bool is_one_of(json::View key, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(), [&](auto name) { return key.equals(name); });
}
bool is_pair_name(json::View key) { return is_one_of(key, {"name", "key", "Name", "Key"}); }

// Environment variables have a `name` in capitals; a `key` may belong to translations or issues.
PairOf pair_of(json::View key, json::View name) {
  const std::string_view text = name.string_source();
  const bool capitals =
      std::none_of(text.begin(), text.end(), [](char c) { return is(c, kLower); });
  return capitals && is_one_of(key, {"name", "Name"}) ? PairOf::environment : PairOf::anything;
}

// Uses the prefilter first, because most names are harmless.
std::optional<SensitiveName> classify_name(json::View name, const Scanner& scanner) {
  const std::string_view raw = name.raw();
  if (scanner.prefilter().next(raw, 0).at >= raw.size()) return std::nullopt;
  std::string text = name.string();
  const auto key = classify_key(text, scanner.policy());
  return key ? std::optional(SensitiveName{*key, std::move(text)}) : std::nullopt;
}

}  // namespace

// Skips the scheme, such as `Basic`, which is not redacted.
std::string_view read_scheme(std::string_view text, std::size_t& at) {
  for (const std::string_view scheme : kSchemes) {
    if (!starts_with_ignoring_case(text.substr(at, scheme.size()), scheme)) continue;
    const std::size_t end = at + scheme.size();
    const std::size_t value = run_end(text, end, kBlank, 8);
    if (value == end || value == text.size()) continue;
    at = value;
    return scheme;
  }
  return {};
}

bool is_plausible(const SensitiveKey& key, const Claim& claim) {
  if (is_placeholder(claim.value) || starts_with_marker(claim.value)) return false;
  if (const auto decided = by_form(key.kind, claim.value)) return *decided;
  if (claim.json_name && claim.quoted) return !names_itself(claim.value);
  if (claim.value.size() > kLongestWord) return true;
  if (is_state(claim.value) || is_written_by_code(claim.value)) return false;
  if (!claim.scheme.empty()) return plausible_authorization(claim);
  const KeyKind kind = key.kind == KeyKind::working_folder ? KeyKind::password : key.kind;
  return claim.quoted ? plausible_quoted(kind, claim.value) : plausible_bare(kind, claim);
}

bool is_secret_member(const SensitiveKey& key, std::string_view key_name, std::string_view value) {
  if (is_placeholder(value)) return false;
  if (const auto decided = by_form(key.kind, value)) return *decided;
  return value.size() > 64 || normal_key(value) != normal_key(key_name);
}

bool is_secret_of_pair(const SensitiveKey& key, std::string_view name, std::string_view value,
                       PairOf of) {
  constexpr std::size_t shortest = 3;
  if (value.size() < shortest || is_reference(value) || is_issue_key(name)) return false;
  if (!is_secret_member(key, name, value)) return false;
  Claim claim{.value = value};
  claim.capitals = of == PairOf::environment;
  claim.separator = claim.capitals ? Separator::tight : Separator::spaced;
  if (key.kind == KeyKind::authorization || key.kind == KeyKind::token) {
    std::size_t at = 0;
    claim.scheme = read_scheme(value, at);
    claim.value.remove_prefix(at);
  }
  const bool words = claim.scheme.empty() && key.kind != KeyKind::cookie && contains(value, ' ');
  if (words || !is_plausible(key, claim)) return false;
  const bool form = key.kind == KeyKind::cookie || key.kind == KeyKind::pin;
  // Any word may be a password; other secrets are not ordinary words.
  const bool password = claim.capitals && key.kind == KeyKind::password;
  return password || form || !claim.scheme.empty() || has_inner_digit_or_symbol(claim.value) ||
         is_long_opaque(claim.value);
}

bool is_secret_of_list(const SensitiveKey& key, std::string_view name, std::string_view value) {
  constexpr std::size_t kShortest = 12;
  std::size_t at = 0;
  const bool words = read_scheme(value, at).empty() && holds_words(value);
  return value.size() >= kShortest && has_inner_digit_or_symbol(value) && !words &&
         is_secret_of_pair(key, name, value, PairOf::anything);
}

std::string_view refined_label(const SensitiveKey& key, std::string_view value) {
  if (key.kind != KeyKind::secret && key.kind != KeyKind::token) return key.label;
  if (const Match token = match_token(value, 0); token && token->end == value.size()) {
    return token->label;
  }
  if (key.label != label::kSecretKey && key.label != label::kAccessToken) return key.label;
  if (value.starts_with("eyJ")) {
    const Match jwt = match_jwt(value, 0);
    return jwt && jwt->end == value.size() ? jwt->label : key.label;
  }
  const int classes = classes_of(value);
  const bool base64 = run_end(value, 0, kAlnum | kBase64Sign) == value.size();
  if (value.size() >= 24 && base64 && (classes & kBase64Sign) != 0 && (classes & kDigit) != 0 &&
      is_mixed_case(value)) {
    return label::kBase64Secret;
  }
  return key.label;
}

bool is_pair_value(json::View key) { return is_one_of(key, {"value", "Value"}); }

std::optional<SensitiveName> pair_in_object(json::View object, const Scanner& scanner) {
  constexpr std::size_t kMostMembers = 8;
  if (object.size() < 2 || object.size() > kMostMembers) return std::nullopt;
  std::optional<json::View> name;
  std::optional<json::View> value;
  PairOf of = PairOf::anything;
  for (const json::Member& member : object.members()) {
    if (is_pair_value(member.key)) {
      value = member.value;
    } else if (is_pair_name(member.key)) {
      name = member.value;
      of = pair_of(member.key, member.value);
    }
  }
  if (!name || !name->is_string() || !value || !value->is_string()) return std::nullopt;
  std::optional<SensitiveName> pair = classify_name(*name, scanner);
  const bool secret = pair && is_secret_of_pair(pair->key, pair->name, value->string(), of);
  return secret ? pair : std::nullopt;
}

std::optional<SensitiveName> pair_in_list(json::View array, const Scanner& scanner) {
  if (array.size() != 2 || !array.item(0)->is_string() || !array.item(1)->is_string()) {
    return std::nullopt;
  }
  std::optional<SensitiveName> pair = classify_name(*array.item(0), scanner);
  const bool secret = pair && is_secret_of_list(pair->key, pair->name, array.item(1)->string());
  return secret ? pair : std::nullopt;
}

}  // namespace enfold::redact::detail
