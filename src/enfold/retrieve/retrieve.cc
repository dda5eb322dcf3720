// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/retrieve.h"

#include "enfold/answer/stored/places.h"
#include "enfold/base/text.h"
#include "enfold/budget/text/form.h"
#include "enfold/json/duplicate_members.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/records/condition_search.h"
#include "enfold/retrieve/records/found.h"
#include "enfold/retrieve/records/text_search.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::retrieve {
namespace {

constexpr std::size_t kMostTexts = 8;  // that an error message names

/// Adds the strings of several lines in a value, in document order, until `texts` has kMostTexts.
void collect_texts(const answer::Place& here, std::vector<answer::Place>& texts) {
  if (texts.size() == kMostTexts) return;
  if (here.value.is_string()) {
    const bool has_lines =
        here.value.has_escapes() && here.value.string().find('\n') != std::string::npos;
    if (has_lines) texts.push_back(here);
    return;
  }
  std::size_t position = 0;
  for (const json::View item : here.value.items()) {
    collect_texts({json::below(here.pointer, std::to_string(position++)), item, std::nullopt},
                  texts);
  }
  const json::MemberTokens tokens(here.value);
  for (const json::Member& member : here.value.members()) {
    const std::string token = tokens.token(member.key, position++);
    collect_texts({json::below(here.pointer, token), member.value, std::nullopt}, texts);
  }
}

/// `texts`: the texts below the place, for the hint.
tl::unexpected<Error> not_a_text(const answer::Place& place,
                                 const std::vector<answer::Place>& texts) {
  std::string hint = "leave out the lines and characters";
  for (const json::Member& member : place.value.members()) {
    if (!member.value.is_string()) continue;
    hint = fmt::format("add a pointer to a text, for example {}",
                       json::below(place.pointer, member.key.string()));
    break;
  }
  if (!texts.empty()) {
    std::vector<std::string> pointers;
    for (const answer::Place& text : texts) pointers.push_back(text.pointer);
    hint = fmt::format("add the pointer of a text: {}", fmt::join(pointers, ", "));
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a text to take lines or characters of, found {}",
                          json::name(place.value.kind())),
              place.pointer.empty() ? std::string("the payload") : place.pointer, std::move(hint));
}

/// Whether the last token selects several items: `*` or a range.
bool ends_in_pattern(const std::string& pointer) {
  const std::string last = last_name(pointer);
  return last == "*" || answer::read_range(last).has_value();
}

/// Whether the result of SQL has no rows, or one row of zeros and nulls, such as count(*) = 0.
bool is_empty_result(const QueryResult& found) {
  if (found.total == 0) return true;
  if (found.total > 1 || found.value->size() == 0) return false;
  for (const json::Member& member : found.value->item(0)->members()) {
    if (!member.value.is_null() && member.value.raw() != "0") return false;
  }
  return true;
}

/// One query over one answer; std::visit calls the function for its selection.
class Retrieval {
 public:
  Retrieval(const OpenedAnswer& opened, const Query& query, answer::Window window,
            const SqlContext& sql)
      : opened_(opened), answer_(opened.answer()), query_(query), window_(window), sql_(sql) {}

  Result<QueryResult> operator()(const select::Whole&) const {
    return QueryResult{.value = answer_.result, .pointer = answer::place_in_result(answer_, "")};
  }

  Result<QueryResult> operator()(const select::At& at) const {
    answer::Hits hits(window_);
    std::optional<answer::Place> first;
    // A pattern in the middle ("/items/*/id") selects parts of records, shown with their pointers.
    const bool is_record = ends_in_pattern(at.pointer);
    const auto use = [&](answer::Place place) {
      if (!first) first = place;
      place.is_record = is_record;
      hits.add([&] { return std::move(place); });
    };
    ENFOLD_TRY(const answer::Reached reached,
               answer::locate(answer_, at.pointer, query_.raw_result, use));
    if (reached.several) return found_records(hits);
    return found_at(*first);  // `locate` fails if there is no place
  }

  Result<QueryResult> operator()(const select::Ids& wanted) const {
    ENFOLD_TRY(const answer::Place scope, within());
    ENFOLD_TRY(FoundIds ids, find_ids(answer_, scope, wanted.ids, query_.raw_result, window_));
    QueryResult found = retrieve::found_records(ids.records, ids.total, window_);
    found.missing = std::move(ids.missing);
    return found;
  }

  Result<QueryResult> operator()(const select::Records& records) const {
    ENFOLD_TRY(const answer::Place scope, within());
    if (scope.value.is_string()) return lines(scope, records.range, /*from=*/0);
    const RecordList list =
        query_.within.empty() || !scope.value.is_container() ? main_list(scope) : whole_list(scope);
    const std::size_t count = list.kind == RecordList::Kind::itself ? 1 : list.value.size();
    const auto range = positions(records.range, count, /*from=*/0);
    if (!range) return beyond_end(records.range, /*from=*/0, count, "records", list.pointer);
    answer::Hits chosen(window_);
    each_record(list, [&](const Record& record) {
      if (record.position >= range->first) chosen.add([&] { return place_of(list, record); });
      return record.position < *range->last;
    });
    return found_records(chosen);
  }

  Result<QueryResult> operator()(const select::Lines& wanted) const {
    ENFOLD_TRY(const answer::Place scope, text_within());
    return lines(scope, wanted.range, /*from=*/1);
  }

  Result<QueryResult> operator()(const select::Characters& wanted) const {
    ENFOLD_TRY(const answer::Place scope, text_within());
    const std::string text = value_of(scope)->string();
    const std::size_t count = utf8::length(text);
    const auto range = positions(wanted.range, count, /*from=*/0);
    if (!range) return beyond_end(wanted.range, /*from=*/0, count, "characters", scope.pointer);
    return QueryResult{.value = json::string_value(answer::characters_of(text, *range)),
                       .first = range->first,
                       .pointer = scope.pointer};
  }

  Result<QueryResult> operator()(const select::Find& wanted) const {
    ENFOLD_TRY(const answer::Place scope, within());
    QueryResult found = find_text(scope, wanted, window_);
    if (!found.match_count) {
      found.notes.push_back("there are more matches than are counted");
    } else if (*found.match_count > found.total) {
      found.notes.push_back(fmt::format("{} matches in {} {}", *found.match_count, found.total,
                                        scope.value.is_string() ? "lines" : "records"));
    }
    return found;
  }

  Result<QueryResult> operator()(const select::Where& where) const {
    ENFOLD_TRY(const answer::Place scope, within());
    return ConditionSearch(scope, where.condition, window_).run();
  }

  Result<QueryResult> operator()(const select::Sql& sql) const {
    ENFOLD_TRY(const answer::Place scope, within());
    const bool is_payload = query_.within.empty() && !query_.raw_result;
    const std::shared_ptr<const Tables> tables =
        is_payload ? opened_.tables()
                   : std::make_shared<const Tables>(
                         tables_of(json::Value(scope.value), /*limits=*/{}, scope.pointer));
    std::vector<SqlSource> sources{{"a", tables.get()}};
    std::shared_ptr<const Tables> second;
    if (!sql.second_answer.empty()) {
      if (!sql_.open) return fail(ErrorCode::unsupported, "a second answer cannot be opened here");
      ENFOLD_TRY(const OpenedAnswerPtr other, sql_.open(sql.second_answer));
      second = other->tables();
      sources.push_back({"b", second.get()});
    }
    ENFOLD_TRY(SqlResult result, run_sql(sql.text, sources, sql_.bounds, window_));
    QueryResult found{.value = std::move(result.rows),
                      .unit = Unit::records,
                      .total = result.total,
                      .first = std::min(window_.offset, result.total)};
    if (is_empty_result(found)) found.notes = near_texts(sql.text, scope.value);
    return found;
  }

  Result<QueryResult> operator()(const select::Stat&) const {
    ENFOLD_TRY(const answer::Place scope, within());
    json::Writer writer;
    const json::View value = scope.value;
    writer.begin_object().member("kind", json::name(value.kind()));
    const std::string text = value.string();  // empty unless the value is a string
    writer.member("bytes", value.is_string() ? text.size() : value.raw().size());
    if (value.is_string()) {
      writer.member("form", budget::text::name(budget::text::read_form(text).form));
      writer.member("lines", answer::line_starts(text).size());
      writer.member("characters", utf8::length(text));
    } else if (value.is_container()) {
      write_lists(scope, writer);
    }
    const Tables tables = tables_of(json::Value(value));
    constexpr std::size_t tables_of_any_text = 2;  // `lines` and `doc`
    if (!value.is_string() || tables.tables.size() > tables_of_any_text) {
      writer.member("tables", describe_tables(tables));
    }
    return QueryResult{.value = std::move(writer.end_object()).finish_value()};
  }

 private:
  [[nodiscard]] QueryResult found_records(const answer::Hits& hits) const {
    return retrieve::found_records(hits.held(), hits.total(), window_);
  }

  /// The container at `scope` as the list itself: its items or members are the records.
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

  /// Whether `query_.within` may end in a range of lines of a text (Place::lines).
  enum class LineRange { refused, allowed };
  /// The one place that `query_.within` points to; `invalid_input` if there are several.
  [[nodiscard]] Result<answer::Place> within(LineRange line_range = LineRange::refused) const {
    std::optional<answer::Place> first;
    const auto use = [&](const answer::Place& place) {
      if (!first) first = place;
    };
    ENFOLD_TRY(const answer::Reached reached,
               answer::locate(answer_, query_.within, query_.raw_result, use));
    const bool is_line_range = first && first->lines;
    if (reached.several || (is_line_range && line_range == LineRange::refused)) {
      return fail(ErrorCode::invalid_input, "expected a pointer to one place, found one to several",
                  query_.within, "leave out the '*' or the range");
    }
    return *first;  // `locate` fails if there is no place
  }

  /// Lines of the text at `scope`; if `scope` is a range of lines, they are counted from the first
  /// line of that range. `from`: the number that `span` gives the first line.
  [[nodiscard]] static Result<QueryResult> lines(const answer::Place& scope, const Span& span,
                                                 std::size_t from) {
    const std::size_t count = answer::line_starts(value_of(scope)->string()).size();
    auto range = positions(span, count, from);
    if (!range) return beyond_end(span, from, count, "lines", scope.pointer);
    std::string text = scope.pointer;
    if (scope.lines) {
      text.resize(text.rfind('/'));  // without the range of `scope`
      range->first += scope.lines->first;
      if (range->last) *range->last += scope.lines->first;
    }
    return found_at({fmt::format("{}/{}", text, to_text(*range)), scope.value, *range});
  }

  /// `from`: the number of the first part; `count`: of parts that there are; `what`: their name.
  static tl::unexpected<Error> beyond_end(const Span& span, std::size_t from, std::size_t count,
                                          std::string_view what, const std::string& pointer) {
    return fail(
        ErrorCode::not_found,
        fmt::format("expected {} {}, found {} of them", what, to_text(span), count),
        pointer.empty() ? std::string("the payload") : pointer,
        count == 0 ? std::string() : fmt::format("they are {}..{}", from, count - 1 + from));
  }

  /// The text, or range of lines, at `within`. If another value is there, the only text of several
  /// lines in it; `invalid_input` if it has none or more than one.
  [[nodiscard]] Result<answer::Place> text_within() const {
    ENFOLD_TRY(const answer::Place scope, within(LineRange::allowed));
    if (scope.value.is_string()) return scope;
    std::vector<answer::Place> texts;
    collect_texts(scope, texts);
    if (texts.size() == 1) return texts.front();
    return not_a_text(scope, texts);
  }

  const OpenedAnswer& opened_;
  const answer::ArchivedAnswer& answer_;  ///< of `opened_`
  const Query& query_;
  answer::Window window_;
  const SqlContext& sql_;
};

/// For a query for the whole payload: the number of records in the main list of that object.
/// nullopt: another query, or the payload is no object with a list.
std::optional<std::size_t> count_of_payload(const answer::ArchivedAnswer& opened,
                                            const Query& query) {
  const auto* at = std::get_if<select::At>(&query.selection);
  const json::View payload = opened.payload.view();
  if (at == nullptr || !at->pointer.empty() || query.raw_result || !payload.is_object()) {
    return std::nullopt;
  }
  const RecordList list = main_list({"", payload, std::nullopt});
  if (list.kind == RecordList::Kind::itself) return std::nullopt;
  return list.value.size();
}

/// The note for an answer that its server had cut: counts and sums are not those of the whole
/// answer.
std::string note_of_cut(const answer::ArchivedAnswer& answer) {
  std::string note = "the server had cut this answer: this is about the part that it sent";
  if (!answer.uncut_handle.empty()) {
    note += fmt::format("; its handle {} opens the whole", answer.uncut_handle);
  }
  return note;
}

/// Runs the query; for `count_only` it replaces the result by {"count": …}.
Result<QueryResult> select_or_count(const OpenedAnswer& opened, const Query& query,
                                    answer::Window window, const SqlContext& sql) {
  if (!query.count_only) {
    return std::visit(Retrieval(opened, query, window, sql), query.selection);
  }
  ENFOLD_TRY(QueryResult found,
             std::visit(Retrieval(opened, query, answer::Window{.size = 1}, sql), query.selection));
  json::Writer writer;
  writer.begin_object().member("count",
                               count_of_payload(opened.answer(), query).value_or(found.total));
  if (found.match_count) writer.member("matches", *found.match_count);
  QueryResult count{.value = std::move(writer.end_object()).finish_value()};
  count.missing = std::move(found.missing);
  count.notes = std::move(found.notes);
  return count;
}

/// Runs the query, and adds the note for an answer that was cut.
Result<QueryResult> run(const OpenedAnswer& opened, const Query& query, answer::Window window,
                        const SqlContext& sql) {
  Result<QueryResult> found = select_or_count(opened, query, window, sql);
  if (found && opened.answer().was_cut) found->notes.push_back(note_of_cut(opened.answer()));
  return found;
}

}  // namespace

Result<QueryResult> retrieve(json::View archived, const Query& query, const Limits& limits,
                             answer::Window window, const SqlContext& sql) {
  ENFOLD_TRY(answer::ArchivedAnswer opened, answer::open_archived(archived, std::nullopt, limits));
  return run(OpenedAnswer(std::move(opened)), query, window, sql);
}

Result<QueryResult> retrieve(const OpenedAnswer& opened, const Query& query, answer::Window window,
                             const SqlContext& sql) {
  return run(opened, query, window, sql);
}

Result<QueryResult> retrieve_bytes(std::string_view archived, std::string_view media_type,
                                   const Query& query, const Limits& limits, answer::Window window,
                                   const SqlContext& sql) {
  ENFOLD_TRY(const OpenedAnswerPtr opened, open_answer(archived, media_type, limits));
  return run(*opened, query, window, sql);
}

Result<json::Value> payload_of(std::string_view bytes, std::string_view media_type,
                               const Limits& limits) {
  ENFOLD_TRY(const OpenedAnswerPtr opened, open_answer(bytes, media_type, limits));
  return opened->answer().payload;
}

Result<QueryResult> retrieve_text(std::string_view archived, const Query& query,
                                  answer::Window window, const SqlContext& sql) {
  const json::Value text = json::string_value(archived);
  return run(OpenedAnswer(answer::ArchivedAnswer{text, text}), query, window, sql);
}

}  // namespace enfold::retrieve
