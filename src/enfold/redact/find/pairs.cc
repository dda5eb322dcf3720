// SPDX-License-Identifier: Apache-2.0
// Secrets in JSON whose name is a value too: beside them in a pair, or above them in a table.
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/forms.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/replace/unescape.h"

#include <algorithm>
#include <initializer_list>

namespace enfold::redact::detail {
namespace {

// `hunter2`, but not `addressLine1`, `id_2` or `Forgot?`: trailing digits and punctuation do not
// count.
bool has_inner_digit_or_symbol(std::string_view value) {
  constexpr std::string_view ends = "?!*.";
  while (!value.empty() && (is(value.back(), kDigit) || contains(ends, value.back()))) {
    value.remove_suffix(1);
  }
  const auto is_ascii_symbol = [](char c) {
    return c > ' ' && c <= '~' && !is(c, kAlnum | kJoiner | kDot) && c != '/' && c != ':';
  };
  return (classes_of(value) & kDigit) != 0 ||
         std::any_of(value.begin(), value.end(), is_ascii_symbol);
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

// An environment variable is a `name` in capitals. A `key` in capitals may also be the key of a
// translation or an issue.
PairOf pair_of(json::View key, json::View name) {
  const std::string_view text = name.string_source();
  const bool capitals =
      std::none_of(text.begin(), text.end(), [](char c) { return is(c, kLower); });
  return capitals && is_one_of(key, {"name", "Name"}) ? PairOf::environment : PairOf::anything;
}

// The name, if it is sensitive. Uses the prefilter first, because most names are harmless.
std::optional<SensitiveName> classify_name(json::View name, const Scanner& scanner) {
  if (!scanner.prefilter().passes(name.raw())) return std::nullopt;
  std::string text = visible_text(name.string());
  const auto key = classify_visible_key(text, scanner.policy());
  return key ? std::optional(SensitiveName{*key, std::move(text)}) : std::nullopt;
}

}  // namespace

bool is_secret_of_pair(const SensitiveKey& key, std::string_view name, std::string_view value,
                       PairOf of) {
  constexpr std::size_t shortest = 3;
  if (value.size() < shortest || is_location(value) || is_issue_key(name)) return false;
  if (!is_secret_member(key, name, value)) return false;
  Claim claim{.value = value};
  claim.capitals = of == PairOf::environment;
  claim.separator = claim.capitals ? Separator::tight : Separator::spaced;
  if (key.kind == KeyKind::authorization || key.kind == KeyKind::token) {
    std::size_t at = 0;
    claim.scheme = read_scheme(value, at);
    claim.value.remove_prefix(at);
  }
  const bool words = claim.scheme.empty() && key.kind != KeyKind::cookie && contains(value, ' ') &&
                     !is_random_placeholder(value);
  if (words || !is_plausible(key, claim)) return false;
  // is_plausible has checked the form of a cookie or PIN.
  const bool has_form = key.kind == KeyKind::cookie || key.kind == KeyKind::pin;
  // Any word may be a password; other secrets are not ordinary words.
  const bool password = claim.capitals && key.kind == KeyKind::password;
  return password || has_form || !claim.scheme.empty() || has_inner_digit_or_symbol(claim.value) ||
         is_long_opaque(claim.value);
}

bool is_secret_of_list(const SensitiveKey& key, std::string_view name, std::string_view value) {
  constexpr std::size_t kShortest = 12;
  std::size_t at = 0;
  const bool words = read_scheme(value, at).empty() && has_words(value);
  return value.size() >= kShortest && has_inner_digit_or_symbol(value) && !words &&
         is_secret_of_pair(key, name, value, PairOf::anything);
}

bool is_secret_cell(const SensitiveKey& key, std::string_view name, std::string_view value) {
  const bool password = key.kind == KeyKind::password || key.kind == KeyKind::weak;
  if (password && is_secret_member(key, name, value) && looks_like_password(value)) return true;
  return is_secret_of_pair(key, name, value, PairOf::anything);
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

Columns sensitive_columns(json::View heading, const Scanner& scanner) {
  constexpr std::size_t kMostColumns = 256;
  Columns columns;
  if (!heading.is_array() || heading.size() < 2 || heading.size() > kMostColumns) return columns;
  std::size_t index = 0;
  for (const json::View item : heading.items()) {
    const auto name = item.is_object() ? item.find("name") : std::optional(item);
    if (!name || !name->is_string()) return {};
    if (auto sensitive = classify_name(*name, scanner)) columns.emplace(index, *sensitive);
    ++index;
  }
  return columns;
}

bool is_columns_key(json::View key) {
  return is_one_of(key, {"columns", "headers", "header", "fields", "column_names", "columnNames",
                         "cols", "meta"});
}

}  // namespace enfold::redact::detail
