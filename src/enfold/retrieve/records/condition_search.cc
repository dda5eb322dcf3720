// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/records/condition_search.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/records/found.h"
#include "enfold/retrieve/records/needle.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace enfold::retrieve {
namespace {

using Paths = std::vector<const std::vector<std::string>*>;

/// The paths in a condition. `only_needed`: without those of `exists` and of comparisons with null,
/// which say something about records without the member too.
void collect_paths(const Condition& condition, bool only_needed, Paths& paths) {
  for (const Condition& part : condition.parts) collect_paths(part, only_needed, paths);
  if (condition.kind != Condition::Kind::term) return;
  const bool about_absence = condition.term.comparison == Comparison::exists ||
                             condition.term.literal.kind == LiteralKind::null;
  if (!only_needed || !about_absence) paths.push_back(&condition.term.path);
}

/// Whether some record of the list has a value at one of the paths.
bool any_path_exists(const Paths& paths, const RecordList& list) {
  bool exists = false;
  each_record(list, [&](const Record& record) {
    exists = std::any_of(paths.begin(), paths.end(),
                         [&](const auto* path) { return path_exists(*path, record.value); });
    return !exists;
  });
  return exists;
}

/// Adds the records of `list` that meet the condition. `part`: the part of the answer that holds
/// the list. A record of a list inside a text has no pointer of its own and gets that of the text.
void add_matches(const Condition& condition, const RecordList& list, const AnswerPart& part,
                 answer::Hits& hits) {
  each_record(list, [&](const Record& record) {
    if (!holds(condition, record.value)) return true;
    hits.add([&] {
      answer::Place place = place_of(list, record);
      if (part.is_in_text) place.pointer = part.pointer;
      place.is_named = place.is_named && !part.is_in_text;
      return place;
    });
    return true;
  });
}

tl::unexpected<Error> no_such_member(const std::vector<std::string>& path, const RecordList& list) {
  std::vector<std::string> names;
  each_record(list, [&](const Record& record) {
    for (const json::Member& member : record.value.members()) names.push_back(member.key.string());
    return false;
  });
  constexpr std::size_t most = 20;
  const std::string near = path.empty() ? std::string() : nearest_name(path.front(), names);
  if (names.size() > most) names.resize(most);
  const std::string listed = fmt::format("{}", fmt::join(names, ", "));
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a member that records have, found {}; the first record has {}",
                          json::quote(fmt::format("{}", fmt::join(path, "."))),
                          names.empty() ? "no members" : listed),
              fmt::format("where, in {}", list.pointer.empty() ? "the payload" : list.pointer),
              near.empty() ? std::string("name a member of the records, or use find")
                           : fmt::format("did you mean {}?", near));
}

std::string_view name(LiteralKind kind) {
  switch (kind) {
    case LiteralKind::text: return "text";
    case LiteralKind::number: return "number";
    case LiteralKind::boolean: return "boolean";
    case LiteralKind::null: return "null";
  }
  return "text";
}

std::string would_match(std::size_t records) {
  return fmt::format("{} record{} would match", records, records == 1 ? "" : "s");
}

/// Calls `change` for each term of the condition.
void change_terms(Condition& condition, const std::function<void(Term& term)>& change) {
  for (Condition& part : condition.parts) change_terms(part, change);
  if (condition.kind == Condition::Kind::term) change(condition.term);
}

/// The first eight texts in single quotes in an SQL statement.
std::vector<std::string> texts_in(std::string_view statement) {
  std::vector<std::string> texts;
  constexpr std::size_t most = 8;
  for (std::size_t at = statement.find('\''); at != std::string_view::npos && texts.size() < most;
       at = statement.find('\'', at)) {
    std::string text;
    for (++at; at < statement.size(); ++at) {
      const bool is_doubled = statement.substr(at).starts_with("''");
      if (statement[at] == '\'' && !is_doubled) break;
      text += statement[at];
      if (is_doubled) ++at;
    }
    ++at;
    if (!text.empty()) texts.push_back(std::move(text));
    if (at >= statement.size()) break;
  }
  return texts;
}

/// Counts how the given texts are spelled in a value, in upper and lower case.
class Spellings {
 public:
  explicit Spellings(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) by_folded_[fold_case(text)];
  }
  /// Counts in the value and everything inside it.
  void visit(json::View value) {
    if (value.is_string()) {
      const std::string text = value.string();
      const auto known = by_folded_.find(fold_case(text));
      if (known != by_folded_.end()) ++known->second[text];
    }
    for (const json::View item : value.items()) visit(item);
    for (const json::Member& member : value.members()) visit(member.value);
  }
  /// Each spelling of the text, and how often it occurs.
  [[nodiscard]] const std::map<std::string, std::size_t>& of(const std::string& text) const {
    return by_folded_.at(fold_case(text));
  }

 private:
  /// By folded text: each spelling, and how often it occurs.
  std::map<std::string, std::map<std::string, std::size_t>> by_folded_;
};

}  // namespace

ConditionSearch::ConditionSearch(const answer::Place& scope, const Condition& condition,
                                 answer::Window window)
    : condition_(condition),
      window_(window),
      parts_(parts_of(json::Value(scope.value), /*limits=*/{}, scope.pointer)) {
  std::erase_if(parts_, [](const AnswerPart& part) { return part.is_text; });
}

void ConditionSearch::each_list(const UseListOfPart& use) const {
  for (const AnswerPart& part : parts_) {
    each_outer_list({part.pointer, part.value.view(), std::nullopt},
                    [&](const RecordList& list) { use(list, part); });
  }
}

std::size_t ConditionSearch::count_matches(const Condition& condition) const {
  answer::Hits hits(answer::Window{.size = 0});
  each_list([&](const RecordList& list, const AnswerPart& part) {
    add_matches(condition, list, part, hits);
  });
  return hits.total();
}

Result<QueryResult> ConditionSearch::run() const {
  if (parts_.empty()) {
    return fail(ErrorCode::invalid_input, "expected records for a condition, found a text", "where",
                "use find, or lines");
  }
  Paths needed;
  Paths named;
  collect_paths(condition_, /*only_needed=*/true, needed);
  collect_paths(condition_, /*only_needed=*/false, named);
  answer::Hits hits(window_);
  bool any_list = false;
  each_list([&](const RecordList& list, const AnswerPart& part) {
    if (!any_path_exists(needed.empty() ? named : needed, list)) return;
    any_list = true;
    add_matches(condition_, list, part, hits);
  });
  const AnswerPart& first = parts_.front();
  const RecordList list = main_list({first.pointer, first.value.view(), std::nullopt});
  const bool is_empty = list.kind != RecordList::Kind::itself && list.value.size() == 0;
  if (!any_list && !needed.empty() && !is_empty) return no_such_member(*needed.front(), list);
  // Without any such list, the condition may still hold for records without the member.
  if (!any_list) add_matches(condition_, list, first, hits);
  QueryResult found = found_records(hits.held(), hits.total(), window_);
  if (hits.total() == 0) found.notes = explain_none();
  return found;
}

std::vector<std::string> ConditionSearch::explain_none() const {
  std::vector<std::string> notes;
  // With `!=` almost any other text would match, so a note about it would be no advice.
  bool has_not_equal = false;
  Condition unchanged = condition_;
  change_terms(unchanged, [&](const Term& term) {
    has_not_equal = has_not_equal || term.comparison == Comparison::not_equal;
  });
  if (has_not_equal) return notes;
  std::vector<std::string> read_otherwise;  // literals that were not read as text
  Condition as_text = condition_;
  change_terms(as_text, [&](Term& term) {
    const bool is_compared = term.comparison != Comparison::exists;
    if (!is_compared || term.literal.kind == LiteralKind::text) return;
    read_otherwise.push_back(
        fmt::format("{} was read as {}", term.literal.text, name(term.literal.kind)));
    term.literal.kind = LiteralKind::text;
  });
  if (!read_otherwise.empty()) {
    const std::size_t records = count_matches(as_text);
    if (records > 0) {
      notes.push_back(fmt::format("{}; {} the text: put it in quotes",
                                  fmt::join(read_otherwise, "; "), would_match(records)));
    }
  }
  Condition any_case = condition_;
  change_terms(any_case, [](Term& term) {
    term.literal.any_case = true;
    term.literal.kind = LiteralKind::text;
  });
  const std::size_t records = notes.empty() ? count_matches(any_case) : 0;
  if (records > 0)
    notes.push_back(fmt::format("{} in other case: compare with contains, or write it so",
                                would_match(records)));
  return notes;
}

std::vector<std::string> near_texts(std::string_view statement, json::View value) {
  const std::vector<std::string> texts = texts_in(statement);
  if (texts.empty()) return {};
  Spellings spellings(texts);
  spellings.visit(value);
  std::vector<std::string> notes;
  for (const std::string& text : texts) {
    const auto& found = spellings.of(text);
    if (found.empty() || found.contains(text)) continue;
    std::vector<std::string> spelled;
    for (const auto& [spelling, count] : found) {
      spelled.push_back(fmt::format("{} {}", spelling, count));
    }
    notes.push_back(fmt::format("{} occurs in other case: {}", text, fmt::join(spelled, ", ")));
  }
  return notes;
}

}  // namespace enfold::retrieve
