// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/failed_parts.h"

#include "enfold/contract/reading/outcome.h"
#include "enfold/contract/reading/words.h"

#include <algorithm>

namespace enfold::contract::detail {
namespace {

// Whether a member lists or counts parts that succeeded: inserted, insertedIds, createdCount.
// `key`: its key in the form of plain(). `may_have_prefix`: the key may begin with a word such as
// "total".
bool counts_successes(std::string_view key, bool may_have_prefix = true) {
  if (may_have_prefix) {
    for (const std::string_view prefix : {"total", "num", "number", "n"}) {
      if (key.starts_with(prefix) &&
          counts_successes(key.substr(prefix.size()), /*may_have_prefix=*/false)) {
        return true;
      }
    }
  }
  for (const std::string_view suffix : {"count", "ids", "items", "records", "rows", "total"}) {
    if (key.size() > suffix.size() && key.ends_with(suffix)) {
      key.remove_suffix(suffix.size());
      if (suffix == "count" && key.ends_with("ed") && !has_word<"skipped ignored">(key))
        return true;
      break;
    }
  }
  for (const std::string_view noun : {"rows", "records", "items", "messages", "files", "users"}) {
    if (key.size() > noun.size() && key.starts_with(noun)) {
      key.remove_prefix(noun.size());
      break;
    }
  }
  return key.starts_with("succe") ||
         has_word<
             "deleted created updated imported added sent uploaded moved removed inserted modified "
             "written accepted completed saved copied invited installed applied delivered queued "
             "indexed upserted merged published synced migrated enqueued subscribed registered "
             "assigned archived restored loaded ok valid">(key);
}

// Whether a member counts all parts, also those that failed.
bool counts_all(std::string_view key) {
  return has_word<
      "total processed attempted submitted requested received totalcount totalprocessed "
      "totalrecords totalitems">(key);
}

// A number, or the size of a container; nullopt: the value counts nothing.
std::optional<double> count_of(json::View value) {
  if (value.is_array()) return static_cast<double>(value.size());
  if (value.is_object()) return static_cast<double>(value.size());
  return value.is_number() ? value.real() : std::nullopt;
}

// The item itself, or the object in its only member: {"index": {"status": 201}}.
json::View inner_of(json::View item) {
  if (item.size() != 1 || !item.is_object()) return item;
  json::View inner = item;
  for (const json::Member& member : item.members()) {
    if (!member.key.equals("error")) inner = member.value;
  }
  return inner.is_object() ? inner : item;
}

std::optional<json::View> status_of(json::View item) { return inner_of(item).find("status"); }

// Whether the part of the request that an item answers succeeded; nullopt: the item does not say.
std::optional<bool> has_worked(json::View item) {
  std::optional<bool> worked;
  for (const json::Member& member : inner_of(item).members()) {
    const std::string key = plain(member.key.string_source());
    const json::View value = member.value;
    if (has_word<"error errors errorcode errormessage exception">(key)) {
      if (names_error(value) || (value.is_number() && value.integer().value_or(0) != 0)) {
        return false;
      }
    } else if (has_word<"success ok succeeded">(key)) {
      const auto flag = truth_of(value);
      if (flag == false) return false;
      if (flag) worked = true;
    } else if (has_word<"status statuscode httpstatus code result state outcome">(key)) {
      if (is_failure_status(value)) return false;
      if (value.is_string() &&
          has_word<"rejected invalid undelivered denied">(plain(value.string_source()))) {
        return false;
      }
      if (key.starts_with("status")) worked = true;
    }
  }
  return worked;
}

// Whether the answer is a report on tests, whose counts of failures are its data.
bool is_about_tests(json::View object) {
  return std::ranges::any_of(object.members(), [](const json::Member& member) {
    return has_word<"passed passing passes numpassedtests tests suites testcases assertions">(
        plain(member.key.string_source()));
  });
}

// Adds to `parts` what the items of a list say: each answers one part of the request.
void read_items(const json::Member& member, FailedParts& parts) {
  const ItemOutcomes items = outcomes_of_items(member.value);
  if (items.failed != 0 && parts.failed.empty()) parts.failed = member.key.string();
  if (items.failed < items.read) parts.succeeded = true;
  parts.reports_successes = true;
}

}  // namespace

bool names_failed_parts(std::string_view key) {
  return (key.starts_with("fail") && key != "failfast" && key != "failedat") ||
         key.starts_with("unprocessed") || key.starts_with("invalid") ||
         key.starts_with("rejected") || key.ends_with("failures") || key.ends_with("failed") ||
         (key.size() > 6 && key.ends_with("errors") &&
          !has_word<"validationerrors haserrors">(key)) ||
         has_word<"errorcount errorscount errored undelivered notfoundids unsuccessful">(key);
}

bool lists_parts(std::string_view key) {
  return has_word<"responses items results records operations entries">(key);
}

ItemOutcomes outcomes_of_items(json::View list) {
  constexpr std::size_t most = 1000;
  ItemOutcomes out;
  for (const json::View item : list.items()) {
    if (out.read++ == most) break;
    if (has_worked(item) == false) ++out.failed;
  }
  out.read = std::min(out.read, most);
  return out;
}

bool has_statuses(json::View list) {
  constexpr int most = 16;
  int seen = 0;
  for (const json::View item : list.items()) {
    if (seen++ == most) return false;
    const auto status = status_of(item);
    if (status && is_http_status(*status)) return true;
  }
  return false;
}

FailedParts failed_parts(json::View object, std::string_view tool) {
  FailedParts parts;
  const bool reads = reads_only(tool);
  const bool acts = verb_of(tool) == Verb::action;
  const bool is_report = reads || is_about_tests(object);
  double failed = 0;  // the highest count of failures
  std::optional<double> all;
  for (const json::Member& member : object.members()) {
    const std::string key = plain(member.key.string());
    const json::View value = member.value;
    const auto count = count_of(value);
    const bool positive = count.value_or(0) > 0;
    if (names_failed_parts(key) && (value.is_container() || value.is_number())) {
      // In a report, such members are about its subject, and not about the call.
      const bool may_be_reported =
          value.is_number() || key.starts_with("invalid") || key.ends_with("errors");
      if (!positive || (is_report && may_be_reported)) continue;
      if (parts.failed.empty()) parts.failed = member.key.string();
      failed = std::max(failed, *count);
    } else if (value.is_number() && counts_all(key)) {
      all = count;
    } else if (count && counts_successes(key)) {
      parts.reports_successes = true;
      parts.succeeded = parts.succeeded || positive;
    } else if (key == "shards" && value.is_object()) {
      // {"_shards": {"failed": 1}, "hits": …} of Elasticsearch.
      const auto shards = value.find("failed");
      if (shards && shards->integer().value_or(0) > 0) parts.failed = "_shards/failed";
      parts.succeeded = parts.succeeded || object.find("hits").has_value();
    } else if ((lists_parts(key) || (acts && key == "data")) && value.is_array() &&
               (acts || (has_statuses(value) && !(reads && key != "responses")))) {
      read_items(member, parts);
    } else if (!describes_failure(key) && value.is_container() && !is_empty(value)) {
      parts.succeeded = true;
    }
  }
  if (all && failed > 0 && !parts.succeeded) {
    parts.reports_successes = true;
    parts.succeeded = *all > failed;
  }
  return parts;
}

}  // namespace enfold::contract::detail
