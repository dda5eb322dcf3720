// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/pairs.h"

#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/plausible.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace enfold::redact::detail {
namespace {

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
std::optional<SensitiveName> named_by(json::View name, const Scanner& scanner) {
  const std::string_view raw = name.raw();
  if (scanner.prefilter().next(raw, 0).at >= raw.size()) return std::nullopt;
  std::string text = name.string();
  const auto key = classify_key(text, scanner.policy());
  return key ? std::optional(SensitiveName{*key, std::move(text)}) : std::nullopt;
}

}  // namespace

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
  std::optional<SensitiveName> pair = named_by(*name, scanner);
  const bool secret = pair && is_secret_of_pair(pair->key, pair->name, value->string(), of);
  return secret ? pair : std::nullopt;
}

std::optional<SensitiveName> pair_in_list(json::View array, const Scanner& scanner) {
  if (array.size() != 2 || !array.item(0)->is_string() || !array.item(1)->is_string()) {
    return std::nullopt;
  }
  std::optional<SensitiveName> pair = named_by(*array.item(0), scanner);
  const bool secret = pair && is_secret_of_list(pair->key, pair->name, array.item(1)->string());
  return secret ? pair : std::nullopt;
}

}  // namespace enfold::redact::detail
