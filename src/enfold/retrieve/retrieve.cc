// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/retrieve.h"

#include "enfold/answer/stored/places.h"
#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/records/records.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::retrieve {
namespace {

/// Reads values at places; caches the last text, because its lines are usually read in a row.
class Reader {
 public:
  json::Value value_of(const answer::Place& place) {
    if (!place.lines) return json::Value(place.value);
    if (place.value.raw().data() != text_at_) {
      text_at_ = place.value.raw().data();
      text_ = place.value.string();
      starts_ = answer::line_starts(text_);
    }
    return json::string_value(answer::lines_of(text_, starts_, *place.lines));
  }

 private:
  const char* text_at_ = nullptr;
  std::string text_;
  std::vector<std::size_t> starts_;
};

/// A value of the answer.
QueryResult found_at(const answer::Place& place) {
  QueryResult found{.value = Reader().value_of(place), .pointer = place.pointer};
  if (place.lines) found.first_line = place.lines->first;
  const json::View value = found.value.view();
  if (value.is_array() || value.is_object()) {
    found.unit = value.is_array() ? Unit::records : Unit::members;
    found.total = value.size();
  } else if (value.is_string()) {
    found.unit = Unit::lines;
    found.total = answer::line_starts(value.string()).size();
  }
  return found;
}

/// Selected records, in the given order.
QueryResult found_records(const std::vector<answer::Place>& records, std::size_t total,
                          answer::Window window) {
  QueryResult found{.unit = Unit::records, .total = total, .first = std::min(window.offset, total)};
  json::Writer writer;
  Reader reader;
  writer.begin_array();
  for (const answer::Place& record : records) {
    if (record.lines) {
      writer.value(reader.value_of(record));
    } else {
      writer.value(record.value);
    }
    Match match{record.pointer, std::nullopt, record.is_record};
    if (record.lines) match.line = record.lines->first + 1;
    found.matches.push_back(std::move(match));
  }
  found.value = std::move(writer.end_array()).finish_value();
  return found;
}

tl::unexpected<Error> not_a_text(const answer::Place& place) {
  std::string hint = "leave out the lines and characters";
  for (const json::Member& member : place.value.members()) {
    if (!member.value.is_string()) continue;
    hint = fmt::format("add a pointer to a text, for example {}",
                       json::below(place.pointer, member.key.string()));
    break;
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a text to take lines or characters of, found {}",
                          json::name(place.value.kind())),
              place.pointer.empty() ? std::string("the payload") : place.pointer, std::move(hint));
}

using Paths = std::vector<const std::vector<std::string>*>;

/// The paths in a condition; `needed`: only those that are not tested for absence.
void collect_paths(const Condition& condition, bool needed, Paths& paths) {
  for (const Condition& part : condition.parts) collect_paths(part, needed, paths);
  if (condition.kind != Condition::Kind::term) return;
  const bool about_absence = condition.term.comparison == Comparison::exists ||
                             condition.term.literal.kind == LiteralKind::null;
  if (!needed || !about_absence) paths.push_back(&condition.term.path);
}

bool any_path_exists(const Paths& paths, const RecordList& list) {
  bool leads = false;
  each_record(list, [&](const Record& record) {
    leads = std::any_of(paths.begin(), paths.end(),
                        [&](const auto* path) { return path_exists(*path, record.value); });
    return !leads;
  });
  return leads;
}

void add_matches(const Condition& condition, const RecordList& list, answer::Hits& hits) {
  each_record(list, [&](const Record& record) {
    if (holds(condition, record.value)) hits.add([&] { return place_of(list, record); });
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

/// The payload of archived bytes: what SQL has tables of.
Result<answer::ArchivedAnswer> open_bytes(std::string_view archived, std::string_view media_type,
                                          const Limits& limits) {
  const std::optional<answer::StoredForm> read = answer::read_as(media_type);
  const auto as_text = [&] {
    const json::Value text = json::string_value(archived);
    return answer::ArchivedAnswer{text, text};
  };
  if (read && read->contract == contract::Id::text) return as_text();
  Limits roomy = limits;
  roomy.max_bytes = kLargestDocument;  // the limits applied when it was archived
  const Result<json::Document> document = json::parse(archived, roomy);
  if (!document && !read) return as_text();
  if (!document) return tl::unexpected(document.error());
  return answer::open_archived(document->root(), read, roomy);
}

class Retrieval {
 public:
  Retrieval(const answer::ArchivedAnswer& opened, const Query& query, answer::Window window,
            const SqlContext& sql)
      : opened_(opened), query_(query), window_(window), sql_(sql) {}

  Result<QueryResult> operator()(const select::Whole&) const {
    return QueryResult{.value = opened_.result, .pointer = answer::place_in_result(opened_, "")};
  }

  Result<QueryResult> operator()(const select::At& at) const {
    answer::Hits hits(window_);
    std::optional<answer::Place> first;
    const auto use = [&](const answer::Place& place) {
      if (!first) first = place;
      hits.add([&] { return place; });
    };
    ENFOLD_TRY(const answer::Reached reached,
               answer::locate(opened_, at.pointer, query_.raw_result, use));
    if (reached.several) return found_records(hits);
    return found_at(*first);
  }

  Result<QueryResult> operator()(const select::Ids& wanted) const {
    ENFOLD_TRY(const answer::Place scope, within());
    ENFOLD_TRY(FoundIds ids, find_ids(opened_, scope, wanted.ids, query_.raw_result, window_));
    QueryResult found = retrieve::found_records(ids.records, ids.total, window_);
    found.missing = std::move(ids.missing);
    return found;
  }

  Result<QueryResult> operator()(const select::Records& records) const {
    ENFOLD_TRY(const answer::Place scope, within());
    if (scope.value.is_string()) return lines(scope, records.range, 0);
    const RecordList list =
        query_.within.empty() || !scope.value.is_container() ? main_list(scope) : whole_list(scope);
    const answer::Range& range = records.range;
    answer::Hits chosen(window_);
    std::size_t count = 0;
    each_record(list, [&](const Record& record) {
      ++count;
      if (record.position >= range.first) chosen.add([&] { return place_of(list, record); });
      return !range.last || record.position < *range.last;
    });
    if (chosen.total() == 0) return answer::beyond_end(range, 0, count, "records", list.pointer);
    return found_records(chosen);
  }

  Result<QueryResult> operator()(const select::Lines& wanted) const {
    ENFOLD_TRY(const answer::Place scope, within());
    if (!scope.value.is_string()) return not_a_text(scope);
    return lines(scope, wanted.range, 1);
  }

  Result<QueryResult> operator()(const select::Characters& wanted) const {
    ENFOLD_TRY(const answer::Place scope, within(Lines::may_be));
    if (!scope.value.is_string()) return not_a_text(scope);
    const std::string text = Reader().value_of(scope)->string();
    const std::string_view part = answer::characters_of(text, wanted.range);
    if (part.empty()) {
      return answer::beyond_end(wanted.range, 0, utf8::length(text), "characters", scope.pointer);
    }
    return QueryResult{.value = json::string_value(part)};
  }

  Result<QueryResult> operator()(const select::Find& wanted) const {
    ENFOLD_TRY(const answer::Place scope, within());
    answer::Hits hits(window_);
    find_text(scope, wanted.text, hits);
    return found_records(hits);
  }

  // Only lists whose records have a member of the condition are searched, so that a negation does
  // not match unrelated lists.
  Result<QueryResult> operator()(const select::Where& where) const {
    ENFOLD_TRY(const answer::Place scope, within());
    if (scope.value.is_string()) {
      return fail(ErrorCode::invalid_input, "expected records for a condition, found a text",
                  "where", "use find, or lines");
    }
    Paths needed;
    Paths named;
    collect_paths(where.condition, true, needed);
    collect_paths(where.condition, false, named);
    answer::Hits hits(window_);
    bool any_list = false;
    each_outer_list(scope, [&](const RecordList& list) {
      if (!any_path_exists(needed.empty() ? named : needed, list)) return;
      any_list = true;
      add_matches(where.condition, list, hits);
    });
    const RecordList list = main_list(scope);
    const bool is_empty = list.kind != RecordList::Kind::itself && list.value.size() == 0;
    if (!any_list && !needed.empty() && !is_empty) return no_such_member(*needed.front(), list);
    if (!any_list) add_matches(where.condition, list, hits);
    return found_records(hits);
  }

  Result<QueryResult> operator()(const select::Sql& sql) const {
    ENFOLD_TRY(const answer::Place scope, within());
    const Tables tables = tables_of(json::Value(scope.value), {}, scope.pointer);
    std::vector<SqlSource> sources{{"a", &tables}};
    Tables second;
    if (!sql.second.empty()) {
      if (!sql_.open) return fail(ErrorCode::unsupported, "a second answer cannot be opened here");
      ENFOLD_TRY(const ArchivedBytes other, sql_.open(sql.second));
      ENFOLD_TRY(const json::Value payload, payload_of(other.bytes, other.media_type));
      second = tables_of(payload);
      sources.push_back({"b", &second});
    }
    ENFOLD_TRY(SqlResult result, run_sql(sql.text, sources, sql_.bounds, window_));
    return QueryResult{.value = std::move(result.rows),
                       .unit = Unit::records,
                       .total = result.total,
                       .first = std::min(window_.offset, result.total)};
  }

  Result<QueryResult> operator()(const select::Stat&) const {
    ENFOLD_TRY(const answer::Place scope, within());
    json::Writer writer;
    const json::View value = scope.value;
    writer.begin_object().member("kind", json::name(value.kind()));
    writer.member("bytes", value.raw().size());
    if (value.is_string()) {
      const std::string text = value.string();
      writer.member("lines", answer::line_starts(text).size());
      writer.member("characters", utf8::length(text));
    } else if (value.is_container()) {
      write_lists(scope, writer);
    }
    const Tables tables = tables_of(json::Value(value));
    constexpr std::size_t always = 2;  // a text has its lines and itself
    if (!value.is_string() || tables.tables.size() > always) {
      writer.member("tables", describe_tables(tables));
    }
    return QueryResult{.value = std::move(writer.end_object()).finish_value()};
  }

 private:
  [[nodiscard]] QueryResult found_records(const answer::Hits& hits) const {
    return retrieve::found_records(hits.held(), hits.total(), window_);
  }

  static RecordList whole_list(const answer::Place& scope) {
    return {scope.pointer, scope.value,
            scope.value.is_array() ? RecordList::Kind::items : RecordList::Kind::members};
  }

  static void write_lists(const answer::Place& scope, json::Writer& writer) {
    constexpr int most = 20;
    int shown = 0;
    writer.key("lists").begin_array();
    each_outer_list(scope, [&](const RecordList& list) {
      if (list.kind == RecordList::Kind::itself || shown++ >= most) return;
      writer.begin_object().member("pointer", list.pointer);
      writer.member("count", list.value.size());
      const std::string id = id_member(list);
      if (!id.empty()) writer.member("id", id);
      writer.end_object();
    });
    writer.end_array();
  }

  /// How `within` may select a value: `may_be` allows a range of lines.
  enum class Lines { none, may_be };
  [[nodiscard]] Result<answer::Place> within(Lines allowed = Lines::none) const {
    std::optional<answer::Place> first;
    const auto use = [&](const answer::Place& place) {
      if (!first) first = place;
    };
    ENFOLD_TRY(const answer::Reached reached,
               answer::locate(opened_, query_.within, query_.raw_result, use));
    const bool lines = first && first->lines;
    if (reached.several || (lines && allowed == Lines::none)) {
      return fail(ErrorCode::invalid_input, "expected a pointer to one place, found one to several",
                  query_.within, "leave out the '*' or the range");
    }
    return *first;
  }

  [[nodiscard]] static Result<QueryResult> lines(const answer::Place& scope,
                                                 const answer::Range& range, std::size_t from) {
    const std::string text = scope.value.string();
    const std::size_t count = answer::line_starts(text).size();
    answer::Range by_index{range.first - from, range.last};
    if (by_index.last) *by_index.last -= from;
    if (by_index.first >= count)
      return answer::beyond_end(range, from, count, "lines", scope.pointer);
    return found_at(
        {fmt::format("{}/{}", scope.pointer, to_text(by_index)), scope.value, by_index});
  }

  const answer::ArchivedAnswer& opened_;
  const Query& query_;
  answer::Window window_;
  const SqlContext& sql_;
};

}  // namespace

Result<QueryResult> retrieve(json::View archived, const Query& query, const Limits& limits,
                             answer::Window window, const SqlContext& sql) {
  ENFOLD_TRY(const answer::ArchivedAnswer opened,
             answer::open_archived(archived, std::nullopt, limits));
  return std::visit(Retrieval(opened, query, window, sql), query.selection);
}

Result<QueryResult> retrieve_bytes(std::string_view archived, std::string_view media_type,
                                   const Query& query, const Limits& limits, answer::Window window,
                                   const SqlContext& sql) {
  ENFOLD_TRY(const answer::ArchivedAnswer opened, open_bytes(archived, media_type, limits));
  return std::visit(Retrieval(opened, query, window, sql), query.selection);
}

Result<json::Value> payload_of(std::string_view bytes, std::string_view media_type,
                               const Limits& limits) {
  ENFOLD_TRY(answer::ArchivedAnswer opened, open_bytes(bytes, media_type, limits));
  return std::move(opened.payload);
}

Result<QueryResult> retrieve_text(std::string_view archived, const Query& query,
                                  answer::Window window, const SqlContext& sql) {
  const json::Value text = json::string_value(archived);
  const answer::ArchivedAnswer opened{text, text};
  return std::visit(Retrieval(opened, query, window, sql), query.selection);
}

}  // namespace enfold::retrieve
