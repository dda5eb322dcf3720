// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/way_back.h"

#include "enfold/answer/output_check.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/continuation.h"
#include "enfold/json/write.h"
#include "enfold/model/marks.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::answer {
namespace {

constexpr std::size_t kLongestName = 40;    // bytes of a name in the example, which stays short
constexpr std::size_t kEnoughTokens = 400;  // of the budget; in a smaller one there is no example

// Whether SQL takes the name without quotes.
bool is_plain_name(std::string_view name) {
  static constexpr std::array kWords =
      std::to_array<std::string_view>({"add",       "all",        "alter",       "and",
                                       "as",        "begin",      "between",     "by",
                                       "case",      "cast",       "check",       "commit",
                                       "create",    "cross",      "default",     "delete",
                                       "desc",      "distinct",   "drop",        "else",
                                       "end",       "escape",     "except",      "exists",
                                       "filter",    "for",        "foreign",     "from",
                                       "full",      "group",      "having",      "if",
                                       "in",        "index",      "inner",       "insert",
                                       "into",      "is",         "isnull",      "join",
                                       "key",       "left",       "like",        "limit",
                                       "match",     "natural",    "no",          "not",
                                       "nothing",   "notnull",    "null",        "of",
                                       "offset",    "on",         "or",          "order",
                                       "outer",     "over",       "primary",     "references",
                                       "returning", "right",      "row",         "rows",
                                       "select",    "set",        "table",       "temp",
                                       "then",      "to",         "transaction", "trigger",
                                       "union",     "unique",     "update",      "using",
                                       "values",    "view",       "virtual",     "when",
                                       "where",     "window",     "with",        "without",
                                       "collate",   "constraint", "intersect",   "autoincrement",
                                       "deferrable"});
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  const std::string lower = to_lower(name);
  // Tables whose names begin so belong to SQLite.
  for (const std::string_view taken : {"sqlite_", "pragma_", "dbstat", "json_", "fts"}) {
    if (lower.starts_with(taken)) return false;
  }
  return !name.empty() && name.size() <= kLongestName && is_letter(name.front()) &&
         std::ranges::all_of(name, fits) && std::ranges::find(kWords, lower) == kWords.end();
}

/// How SQL names the list that the answer is about; empty: no simple name is certain.
std::string table_name(const Cut& cut) {
  if (!cut.answer.whole || !cut.answer.whole->list || !cut.payload.view().is_container()) return {};
  const std::string& pointer = *cut.answer.whole->list;
  if (pointer.empty()) return "items";
  std::string name = pointer.substr(1);
  if (!is_plain_name(name)) return {};
  // A list inside an earlier member may have the same name and come first.
  for (const json::Member& member : cut.payload.view().members()) {
    if (member.key.equals(name)) return name;
    if (member.value.is_container()) return {};
  }
  return {};
}

/// A member of records by which a reader would count them; empty: none.
std::string group_column(json::View record) {
  for (const std::string_view name : {"status", "state", "type", "kind", "category", "level",
                                      "severity", "priority", "language", "country", "role"}) {
    const auto value = record.find(name);
    if (value && value->is_string()) return std::string(name);
  }
  return {};
}

/// The form of a payload that is a text, if the facts say it.
std::string form_of(const budget::FitResult& fitted) {
  const auto facts = fitted.facts ? fitted.facts->view().find("") : std::nullopt;
  return facts ? json::string_member(*facts, "form").value_or("") : std::string();
}

/// A statement that certainly works on the archived answer; empty: none is known.
std::string example_statement(const Cut& cut, const budget::FitResult& fitted) {
  if (cut.list) {
    const std::string table = table_name(cut);
    if (table.empty()) return {};
    const std::string group = group_column(cut.list->items->item(0).value_or(json::View()));
    if (group.empty()) return fmt::format("select * from {} limit 3", table);
    return fmt::format("select {}, count(*) from {} group by 1", group, table);
  }
  const json::View payload = cut.payload.view();
  if (!payload.is_string() || cut.whole.failure) return {};
  const std::string form = form_of(fitted);
  if (form == "csv" || form == "tsv" || form == "markdown_table" || form == "json_lines") {
    return "select * from rows limit 3";
  }
  if (form == "tree") return "select ext, count(*) from files group by 1";
  // No example for a text that may be JSON: which tables it has is not certain.
  const std::string begin = payload.string().substr(0, 64);
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  const bool may_be_json = first == std::string::npos || begin[first] == '{' || begin[first] == '[';
  return may_be_json ? "" : "select n, text from lines where text like '%error%'";
}

// What is missing of payload and blocks; `dropped`: how many parts of them.
std::string what_data_is_missing(const Cut& cut, const budget::FitResult& fitted,
                                 std::size_t dropped) {
  const std::size_t left = cut.list ? contract::count_of(fitted.left) : 0;
  if (left > 0) {
    const std::string name = table_name(cut);
    return fmt::format("{} of {} {} not shown", left, cut.list->items->size(),
                       name.empty() || name == "items" ? "records" : name);
  }
  if (const auto list = shortened_list(cut, fitted)) {
    return fmt::format("{} of {} {} not shown", list->missing, list->total,
                       is_plain_name(list->name) ? list->name : "records");
  }
  if (fitted.lines_left > 0 && dropped == fitted.lines_left) {
    return fmt::format("{} of {} lines not shown", fitted.lines_left, fitted.text_lines);
  }
  const bool clips = !fitted.clipped.empty() || !cut.blocks.clipped.empty();
  if (fitted.dropped.empty() && cut.blocks.dropped_count == 0) {
    if (fitted.briefed.empty() && clips) return "Long texts shortened";
    if (dropped == 0) return "Shown in brief";
  }
  return fmt::format("{} part{} left out", dropped, dropped == 1 ? "" : "s");
}

}  // namespace

std::optional<ShortenedList> shortened_list(const Cut& cut, const budget::FitResult& fitted) {
  if (cut.whole.reduction) return std::nullopt;  // an earlier cut may have shortened the list
  std::vector<std::string> list;
  std::size_t missing = 0;
  for (const std::string& place : fitted.dropped) {
    const Result<json::Pointer> pointer = json::Pointer::parse(place);
    if (!pointer || pointer->tokens().empty()) return std::nullopt;
    std::vector<std::string> tokens = pointer->tokens();
    const std::optional<Range> range = read_range(tokens.back());
    tokens.pop_back();
    if (!range || !range->last || (missing > 0 && tokens != list)) return std::nullopt;
    list = std::move(tokens);
    missing += *range->last - range->first + 1;
  }
  if (missing == 0 || missing != fitted.dropped_count + cut.blocks.dropped_count) {
    return std::nullopt;
  }
  const json::Pointer place(list);
  const auto items = place.resolve(cut.payload.view());
  const auto shown = place.resolve(fitted.payload.view());
  if (!items || !items->is_array()) return std::nullopt;
  // `dropped` also names items of which only members are missing. Such items are shown, so the
  // counts exceed the list.
  const bool is_list = shown && shown->is_array();
  if (is_list && model::count_items(*shown) + missing > items->size()) return std::nullopt;
  return ShortenedList{list.empty() ? "" : list.back(), items->size(), missing};
}

std::string what_is_missing(const Cut& cut, const budget::FitResult& fitted, std::size_t dropped) {
  const std::size_t warnings = cut.dropped_warnings();
  if (warnings == 0) return what_data_is_missing(cut, fitted, dropped);
  const std::string text =
      fmt::format("{} of {} warnings not shown", warnings, cut.whole.warnings.size());
  if (dropped == warnings) return text;
  return fmt::format("{}, {}", what_data_is_missing(cut, fitted, dropped - warnings), text);
}

std::string way_back(const Cut& cut, const budget::FitResult& fitted) {
  const bool has_room = cut.settings.budget.tokens >= kEnoughTokens;
  if (!cut.is_kept() || cut.settings.is_fetched_page || !has_room) return {};
  json::Writer arguments;
  arguments.begin_object().member("handle", cut.receipt.handle);
  const bool only_warnings = fitted.dropped_count == 0 && cut.blocks.dropped_count == 0 &&
                             fitted.briefed.empty() && fitted.clipped.empty();
  if (const std::string place = place_of_warnings(cut); only_warnings && !place.empty()) {
    arguments.member("pointer", place).end_object();
    return fmt::format("{} {}", kFetchToolName, std::move(arguments).finish().str());
  }
  const std::string sql = cut.settings.offers_sql ? example_statement(cut, fitted) : "";
  if (!sql.empty()) arguments.member("sql", sql);
  arguments.end_object();
  return fmt::format("{} {}", kFetchToolName, std::move(arguments).finish().str());
}

}  // namespace enfold::answer
