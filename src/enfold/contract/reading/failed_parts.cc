// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/failed_parts.h"

#include "enfold/contract/reading/words.h"

namespace enfold::contract::detail {
namespace {

// Members that list or count parts that succeeded. In the form of plain().
constexpr WordText kSuccesses(
    "deleted created updated imported added sent processed uploaded moved removed inserted "
    "modified "
    "written accepted completed passed saved copied invited installed applied");

// A number, or the size of a container; nullopt: the value counts nothing.
std::optional<double> count_of(json::View value) {
  if (value.is_array()) return static_cast<double>(value.size());
  if (value.is_object()) return static_cast<double>(value.size());
  return value.is_number() ? value.real() : std::nullopt;
}

// The status of an item, or of the only member in it: {"index": {"status": 201}}.
std::optional<json::View> status_of(json::View item) {
  json::View inner = item;
  if (item.size() == 1) {
    for (const json::Member& member : item.members()) inner = member.value;
  }
  return inner.find("status");
}

bool is_failed_item(json::View item) {
  const auto status = status_of(item);
  return status && is_failed_status(*status);
}

}  // namespace

bool names_failed_parts(std::string_view key) {
  return (key.starts_with("fail") && key != "failfast" && key != "failedat") ||
         key.starts_with("unprocessed") || key.starts_with("invalid") ||
         has_word<"rejected partialfailures errorcount numerrors">(key);
}

bool lists_parts(std::string_view key) { return has_word<"responses items results">(key); }

bool has_statuses(json::View list) {
  constexpr int most = 16;
  int seen = 0;
  for (const json::View item : list.items()) {
    if (seen++ == most) return false;
    if (status_of(item)) return true;
  }
  return false;
}

FailedParts failed_parts(json::View object) {
  FailedParts parts;
  for (const json::Member& member : object.members()) {
    const std::string key = plain(member.key.string());
    const json::View value = member.value;
    const auto count = count_of(value);
    const bool positive = count.value_or(0) > 0;
    if (names_failed_parts(key) && (value.is_container() || value.is_number())) {
      if (positive && parts.failed.empty()) parts.failed = member.key.string();
    } else if (count && (key.starts_with("succe") || has_word<kSuccesses>(key))) {
      parts.says_success = true;
      parts.succeeded = parts.succeeded || positive;
    } else if (key == "shards" && value.is_object()) {
      const auto failed = value.find("failed");
      if (failed && failed->integer().value_or(0) > 0) parts.failed = "_shards/failed";
      parts.succeeded = parts.succeeded || object.find("hits").has_value();
    } else if (lists_parts(key) && has_statuses(value)) {
      std::size_t failed = 0;
      for (const json::View item : value.items()) failed += is_failed_item(item) ? 1U : 0U;
      if (failed != 0 && failed < value.size()) parts.failed = member.key.string();
      if (failed < value.size()) parts.succeeded = true;
    } else if (!describes_failure(key) && value.is_container() && !is_empty(value)) {
      parts.succeeded = true;
    }
  }
  return parts;
}

}  // namespace enfold::contract::detail
