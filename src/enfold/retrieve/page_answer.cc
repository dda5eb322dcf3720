// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/cut_report.h"
#include "enfold/answer/fit/measure.h"
#include "enfold/answer/stored/places.h"
#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/page.h"
#include "enfold/retrieve/pages/bulk.h"
#include "enfold/retrieve/pages/shown_values.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::retrieve {
namespace {

// most_parts counts kOverestimate * 4 bytes for each token of the budget, but a token usually has 4
// bytes. So about 1/kOverestimate of those parts fit: the first size that largest_that_fits tries.
constexpr std::size_t kOverestimate = 4;

// A string is sent as plain text, any other value as it is.
model::Wrapping wrapping_for(const QueryResult& found) {
  return found.value->is_string() ? model::Wrapping::text : model::Wrapping::none;
}

// The warning for ids that no record has. Limits the number and length of ids in the message,
// because the caller chose them.
std::string missing_ids_message(const QueryResult& found) {
  constexpr std::size_t most = 5;    // ids
  constexpr std::size_t bytes = 64;  // of one id
  std::vector<std::string> ids;
  for (const std::string& id : found.missing) {
    if (ids.size() < most) ids.push_back(answer::clipped(id, bytes));
  }
  std::string text = fmt::format("no record has the id {}", fmt::join(ids, ", "));
  if (found.missing.size() > most) text += fmt::format(" and {} more", found.missing.size() - most);
  return text;
}

model::Number number(std::size_t value) {
  return model::Number::of(static_cast<std::int64_t>(value));
}

// Sets unit and total by the value; a number, boolean or null stays Unit::single.
void count_parts(QueryResult& found) {
  const json::View value = found.value.view();
  if (value.is_container()) {
    found.unit = value.is_array() ? Unit::records : Unit::members;
    found.total = value.size();
  } else if (value.is_string()) {
    found.unit = Unit::lines;
    found.total = answer::line_starts(value.string()).size();
  }
}

// The bulk of an object (pages/bulk.h: the list, map or text with most of its bytes) as the result
// of a query.
QueryResult found_at_bulk(const Bulk& bulk) {
  QueryResult there{.value = json::Value(bulk.value), .pointer = bulk.pointer};
  count_parts(there);
  return there;
}

// Removes the places from the report of a cut: pointers into statistics or rows of SQL mean nothing
// in the archived answer.
void forget_places(answer::FittedAnswer& fitted) {
  auto& reduction = fitted.answer.reading.response.reduction;
  if (!reduction) return;
  *reduction = {.level = reduction->level, .archive = reduction->archive};
}

// For a page that is the tool's payload with the records in its list at the pointer `list`
// (RestOfAnswer::frame). In the report of a cut, places inside that list become places in the list
// of records, which PagePointers expects; places outside of the list are places of the archived
// answer already. `facts` and `index` describe the page by its own places, so they are left out.
void leave_frame(const std::string& list, model::Reduction& reduction) {
  for (auto* places :
       {&reduction.dropped_ids, &reduction.briefed, &reduction.clipped, &reduction.columnar}) {
    for (std::string& place : *places) {
      if (place == list || place.starts_with(list + "/")) place.erase(0, list.size());
    }
  }
  reduction.facts.reset();
  reduction.index.reset();
}

/// Makes the answer for one page of `found`.
class PageAnswer {
 public:
  PageAnswer(const QueryResult& found, const PageRequest& request,
             const answer::FitSettings& settings)
      : found_(found), request_(request), settings_(settings) {
    settings_.shape.redaction.reset();             // archived answers are redacted already
    if (!is_framed()) settings_.schema = nullptr;  // of the tool's payload, which a page is not
    settings_.is_fetched_page = true;
  }

  /// The whole page if it fits. Else, by what was selected: fewer characters; pages of the parts of
  /// a single record, or of the whole answer; a value cut as one; or the largest page that fits.
  Result<answer::FittedAnswer> run() {
    const std::size_t offset = request_.position.offset;
    ENFOLD_TRY(const ResultPage whole, page(found_, offset, request_.position.page_size));
    // A page that is far too large is not even prepared and measured.
    if (whole.size > 1 && most_parts(whole) < whole.size) return in_parts(whole);
    Result<answer::PreparedAnswer> prepared = prepared_page(whole);
    // Images and other content blocks cannot be split into pages.
    const bool is_media = prepared && found_.unit == Unit::members &&
                          !prepared->answer.reading.response.blocks.empty();
    if (!prepared || prepared->fits || is_media) return finished(std::move(prepared), whole);
    if (request_.rest != nullptr) return in_parts(whole);
    const Selection& selection = request_.position.query.selection;
    if (const auto* wanted = std::get_if<select::Characters>(&selection)) {
      return characters(found_.value->string(), request_.position.query,
                        {static_cast<std::int64_t>(found_.first), wanted->range.last});
    }
    // One record that was selected by id, search or condition.
    const bool is_one_record = found_.unit == Unit::records && found_.total == 1 &&
                               !found_.matches.empty() && !found_.matches.front().is_excerpt;
    if (is_one_record) return at_place(*found_.value->item(0), found_.matches.front());
    if (std::holds_alternative<select::Whole>(selection)) {
      return at_place(found_.value.view(), {.pointer = found_.pointer});
    }
    if (found_.unit == Unit::single) return as_one(std::move(*prepared), whole);
    return in_parts(whole);
  }

 private:
  /// Whether the page is the tool's payload with records in it (RestOfAnswer::frame).
  [[nodiscard]] bool is_framed() const {
    return request_.rest != nullptr && request_.rest->frame != nullptr;
  }

  // A page that does not fit as it is. The first page of an object with a bulk shows its members
  // around a part of the bulk, or in a small budget the object cut as one; other pages show fewer
  // parts.
  Result<answer::FittedAnswer> in_parts(const ResultPage& whole) {
    const bool is_rest = request_.rest != nullptr;
    if (!is_rest && request_.position.offset == 0 && found_.unit == Unit::members) {
      const Bulk bulk = bulk_of(found_.value.view(), found_.pointer);
      // A query of the tool's result itself (--raw) gets no object with a shortened bulk.
      auto start = request_.position.query.raw_result ? std::nullopt : start_of(bulk);
      if (start) return *std::move(start);
      const bool is_small = !bulk.path.empty() && !has_room_inside(bulk.pointer);
      Result<answer::FittedAnswer> one = is_small ? whole_object() : too_large();
      if (one && !leads_back(*one)) return one;
    }
    return largest_that_fits(whole);
  }

  /// The largest page that fits, by bisection. `whole` does not fit.
  Result<answer::FittedAnswer> largest_that_fits(const ResultPage& whole) {
    std::size_t most = whole.size;  // the smallest size that is known not to fit
    std::size_t fitting = 0;        // the largest size that is known to fit
    std::optional<answer::FittedAnswer> best;
    // At least 1: the page of an empty result has no parts.
    std::size_t guess = std::max<std::size_t>(most_parts(whole) / kOverestimate, 1);
    while (most - fitting > 1) {
      const bool is_bounded = most < whole.size;  // a guess did not fit: bisect from now on
      const std::size_t size = is_bounded || guess <= fitting ? fitting + (most - fitting) / 2
                                                              : std::min(guess, most - 1);
      guess = size * 2;
      ENFOLD_TRY(const ResultPage tried, page_of(found_, request_.position.offset, size));
      Result<answer::PreparedAnswer> prepared = prepared_page(tried);
      if (!prepared) return tl::unexpected(prepared.error());
      if (!prepared->fits) {
        most = size;
        continue;
      }
      Result<answer::FittedAnswer> done = finished(std::move(prepared), tried);
      if (!done) return done;
      fitting = size;
      best = std::move(*done);
    }
    if (best) return *std::move(best);
    if (found_.unit == Unit::lines) return characters_from_line();
    // Even one part is too large.
    const bool is_one_place =
        std::holds_alternative<select::At>(request_.position.query.selection) &&
        !request_.position.query.raw_result && found_.matches.empty() && request_.rest == nullptr;
    const auto inside = is_one_place ? inside_part() : std::nullopt;
    if (inside) return *inside;
    ENFOLD_TRY(const ResultPage one, page(found_, request_.position.offset, /*page_size=*/1));
    Result<answer::FittedAnswer> cut = finished(prepared_page(one), one);
    if (cut && std::holds_alternative<select::Sql>(request_.position.query.selection)) {
      forget_places(*cut);
    }
    return cut;
  }

  // A page with parts of a single record, or of a whole answer, that does not fit a page.
  Result<answer::FittedAnswer> at_place(json::View value, const Match& place) const {
    QueryResult there{.value = json::Value(value),
                      .pointer = place.pointer,
                      .missing = found_.missing,
                      .notes = found_.notes};
    if (place.line) there.lines_before = place.first_line.value_or(*place.line) - 1;
    count_parts(there);
    PageRequest request = request_;
    request.position.query = {.selection = select::At{place.pointer}};
    return PageAnswer(there, request, settings_).run();
  }

  /// Whether a cursor into the value at `pointer`, a part of what the caller asked for, leaves most
  /// of the budget to the page.
  [[nodiscard]] bool has_room_inside(const std::string& pointer) const {
    constexpr std::size_t least = 8;  // the budget is at least so many times the cursor
    if (request_.key == nullptr) return true;
    Position there = request_.position;
    there.is_inside = true;
    there.query.selection = select::At{pointer};
    const std::string cursor = to_cursor(there, *request_.key, request_.principal);
    return settings_.tokenizer->fits(cursor, settings_.budget.tokens / least) &&
           cursor.size() <= settings_.budget.characters / least;
  }

  // A page with parts of the part at the offset; the cursor after its last page leads to the parts
  // that follow it. nullopt: its pointer is too long for a cursor in this budget.
  [[nodiscard]] std::optional<Result<answer::FittedAnswer>> inside_part() const {
    const std::size_t offset = request_.position.offset;
    Part place = part_of(found_.value.view(), found_.pointer, offset);
    if (!has_room_inside(place.pointer)) return std::nullopt;
    QueryResult part{.value = json::Value(place.value),
                     .pointer = std::move(place.pointer),
                     .missing = found_.missing,
                     .notes = found_.notes};
    count_parts(part);
    PageRequest request = request_;
    Position& position = request.position;
    position.is_inside = true;
    if (offset + 1 < found_.total) position.later.push_back({found_.pointer, offset + 1});
    position.query.selection = select::At{part.pointer};
    position.offset = 0;
    return PageAnswer(part, request, settings_).run();
  }

  // A value without pages: statistics, an object fitted as a whole, or a scalar.
  Result<answer::FittedAnswer> as_one(answer::PreparedAnswer prepared,
                                      const ResultPage& shown) const {
    if (!found_.value->is_container()) return too_large();
    Result<answer::FittedAnswer> done = finished(std::move(prepared), shown);
    const bool is_stat = std::holds_alternative<select::Stat>(request_.position.query.selection);
    if (!done || !is_stat) return done;
    forget_places(*done);
    return done;
  }

  // The selected object, cut as one value without pages.
  Result<answer::FittedAnswer> whole_object() const {
    QueryResult one = found_;
    one.unit = Unit::single;
    return PageAnswer(one, request_, settings_).run();
  }

  // Whether the reduction report names the whole object, so that fetching it would show the same
  // again.
  [[nodiscard]] bool leads_back(const answer::FittedAnswer& done) const {
    const auto& reduction = done.answer.reading.response.reduction;
    if (!reduction) return false;
    if (reduction->level > model::Fidelity::partial) return true;  // shows no data
    for (const auto* list : {&reduction->dropped_ids, &reduction->briefed, &reduction->clipped}) {
      if (std::find(list->begin(), list->end(), found_.pointer) != list->end()) return true;
    }
    return false;
  }

  // The first page of an object that has a bulk: all other members, and as many parts of the bulk
  // as fit. The cursor continues with its other parts. nullopt: the bulk has no two parts, or not
  // even one part fits.
  [[nodiscard]] std::optional<answer::FittedAnswer> start_of(const Bulk& bulk) const {
    if (bulk.path.empty()) return std::nullopt;
    const QueryResult there = found_at_bulk(bulk);
    if (there.unit == Unit::single || there.total < 2) return std::nullopt;
    std::size_t fitting = 0;         // the largest number of parts that is known to fit
    std::size_t most = there.total;  // the smallest number that is not expected to fit
    std::optional<answer::FittedAnswer> best;
    std::size_t guess = 16;  // parts; doubled until a guess does not fit
    while (most - fitting > 1) {
      const std::size_t size =
          most < there.total ? fitting + (most - fitting) / 2 : std::min(guess, most - 1);
      guess = size * 2;
      auto done = with_start_of(bulk, there, size);
      if (!done) {
        most = size;
        continue;
      }
      fitting = size;
      best = std::move(done);
    }
    return best;
  }

  // The object with the first `size` parts of its bulk; nullopt: it does not fit. `there`: the bulk
  // as a query result.
  [[nodiscard]] std::optional<answer::FittedAnswer> with_start_of(const Bulk& bulk,
                                                                  const QueryResult& there,
                                                                  std::size_t size) const {
    const Result<ResultPage> start = page_of(there, /*offset=*/0, size);
    if (!start) return std::nullopt;
    json::Writer writer;
    write_around(found_.value.view(), bulk.path, start->value, writer);
    model::Response response;
    response.payload = std::move(writer).finish_value();
    response.page = model::Page{.has_more = true,
                                .total = number(there.total),
                                .offset = number(0),
                                .returned = number(size)};
    if (request_.key != nullptr) {
      Position next = request_.position;
      next.offset = size;
      next.query = {.selection = select::At{bulk.pointer}};
      response.page->cursor = to_cursor(next, *request_.key, request_.principal);
    }
    Result<answer::PreparedAnswer> prepared = prepared_response(std::move(response));
    if (!prepared || !prepared->fits) return std::nullopt;
    Result<answer::FittedAnswer> done =
        answer::finish(std::move(*prepared), request_.archived, settings_);
    return done ? std::optional(*std::move(done)) : std::nullopt;
  }

  [[nodiscard]] tl::unexpected<Error> too_large() const {
    return fail(ErrorCode::budget_too_small,
                fmt::format("expected a budget for {} of {} bytes, found {} tokens",
                            json::name(found_.value->kind()), found_.value->raw().size(),
                            settings_.budget.tokens),
                found_.pointer, "raise the budget, or take the archived bytes as they are");
  }

  // The line at the offset is too long for any page: from here on, pages are ranges of characters.
  Result<answer::FittedAnswer> characters_from_line() const {
    const std::string text = found_.value->string();
    const std::size_t begin = answer::line_starts(text)[request_.position.offset];
    const std::size_t first = utf8::length(std::string_view(text).substr(0, begin));
    return characters(text.substr(begin), {.within = found_.pointer},
                      {static_cast<std::int64_t>(first), std::nullopt});
  }

  // Shows as many characters from the beginning of `text` as fit. `range` is the place of `text` in
  // the text that `query` selects; the cursor to the next page is computed from it.
  Result<answer::FittedAnswer> characters(const std::string& text, const Query& query,
                                          const Span& range) const {
    const std::size_t total = utf8::length(text);
    const std::string_view most = settings_.tokenizer->prefix(text, settings_.budget.tokens);
    std::size_t size = std::min(utf8::length(most), settings_.budget.characters);
    // The second size is estimated from the room beside the envelope; later ones are 1/8 smaller.
    bool was_estimated = false;
    while (size > 0) {
      ENFOLD_TRY(answer::PreparedAnswer prepared,
                 prepared_characters(text, size, total, query, range));
      if (prepared.fits) return answer::finish(std::move(prepared), request_.archived, settings_);
      if (was_estimated) {
        size = size * 7 / 8;
        continue;
      }
      was_estimated = true;
      if (size == 1) break;
      size = std::clamp<std::size_t>(characters_beside(prepared.answer, text), 1, size - 1);
    }
    return too_large();
  }

  // An estimate of how many characters of `text` fit beside the envelope and its cursor.
  [[nodiscard]] std::size_t characters_beside(answer::ReadAnswer envelope,
                                              std::string_view text) const {
    envelope.reading.response.payload = json::string_value("");
    const Result<budget::Size> size = answer::size_of_answer(envelope, settings_);
    if (!size || !budget::within(*size, settings_.budget)) return 0;
    const std::size_t tokens = settings_.budget.tokens - size->tokens;
    return std::min(utf8::length(settings_.tokenizer->prefix(text, tokens)),
                    settings_.budget.characters - size->characters);
  }

  // Measures a page with the first `size` of the `total` characters of `text`; see `characters`.
  [[nodiscard]] Result<answer::PreparedAnswer> prepared_characters(const std::string& text,
                                                                   std::size_t size,
                                                                   std::size_t total,
                                                                   const Query& query,
                                                                   const Span& range) const {
    model::Response response;
    response.payload = json::string_value(answer::characters_of(text, answer::Range{0, size - 1}));
    response.wrapping = model::Wrapping::text;
    std::optional<Position> next = after(request_.position);
    if (size < total) {
      next = request_.position;
      next->offset = 0;
      next->query = query;
      next->query.selection =
          select::Characters{{range.first + static_cast<std::int64_t>(size), range.last}};
    }
    response.page = model::Page{.has_more = next.has_value(),
                                .offset = model::Number::of(range.first),
                                .returned = number(size)};
    if (next && request_.key != nullptr) {
      response.page->cursor = to_cursor(*next, *request_.key, request_.principal);
    }
    return prepared_response(std::move(response));
  }

  /// A number of parts that is too large for a page, unless tokens are unusually long: the first
  /// parts with more than `bytes_of_a_token` bytes for each token of the budget; else all parts.
  [[nodiscard]] std::size_t most_parts(const ResultPage& whole) const {
    constexpr std::size_t bytes_of_a_token = 4 * kOverestimate;
    const std::size_t tokens = std::min(settings_.budget.tokens, settings_.budget.characters);
    const std::size_t room =
        tokens < SIZE_MAX / bytes_of_a_token ? tokens * bytes_of_a_token : SIZE_MAX;
    if (whole.value->raw().size() <= room) return whole.size;
    std::size_t bytes = 0;
    std::size_t parts = 0;
    const auto fill = [&](std::size_t size) {
      ++parts;
      bytes += size;
      return bytes <= room;
    };
    for (const json::View item : whole.value->items()) {
      if (!fill(item.raw().size())) return parts;
    }
    for (const json::Member& member : whole.value->members()) {
      if (!fill(member.value.raw().size())) return parts;
    }
    if (whole.value->is_string()) {
      return std::max<std::size_t>(whole.size * room / whole.value->raw().size(), 1);
    }
    return whole.size;
  }

  Result<answer::PreparedAnswer> prepared_page(const ResultPage& shown) const {
    model::Response response;
    response.payload = is_framed()             ? request_.rest->frame(shown.value)
                       : shows_pointers(shown) ? with_pointers(shown)
                                               : shown.value;
    if (!request_.position.query.raw_result && !is_framed()) {
      response.payload = take_media(response.payload->view(), response.blocks);
    }
    response.wrapping = wrapping_for(found_);
    const bool is_single = found_.unit == Unit::single;
    if (!is_single || !request_.position.later.empty()) {
      ENFOLD_TRY(response.page, page_info_of(shown));
    }
    if (is_single && response.page) {  // a single value has no counts
      *response.page = {.cursor = response.page->cursor, .has_more = response.page->has_more};
    }
    return prepared_response(std::move(response));
  }

  /// Adds the warnings of the query to the response, and measures it.
  [[nodiscard]] Result<answer::PreparedAnswer> prepared_response(model::Response response) const {
    if (!found_.missing.empty()) {
      response.warnings.push_back(
          contract::make_warning("PARTIAL_FAILURE", missing_ids_message(found_)));
    }
    if (request_.position.is_inside && !found_.pointer.empty()) {
      response.warnings.push_back(
          contract::make_warning("QUERY_NOTE", fmt::format("from {}", found_.pointer)));
    }
    for (const std::string& note : found_.notes) {
      response.warnings.push_back(contract::make_warning("QUERY_NOTE", note));
    }
    ENFOLD_TRY(answer::ReadAnswer read_answer,
               answer::read_response(std::move(response), "retrieved from the archive",
                                     settings_.shape, /*call=*/{}));
    if (request_.rest != nullptr) read_answer.whole = request_.rest->answer_form;
    return answer::prepare(std::move(read_answer), settings_);
  }

  [[nodiscard]] Result<model::Page> page_info_of(const ResultPage& shown) const {
    if (request_.rest != nullptr) return request_.rest->page(shown);
    if (request_.key != nullptr) {
      return page_info(shown, request_.position, *request_.key, request_.principal);
    }
    return model::Page{.has_more = shown.next || after(request_.position),
                       .total = number(shown.total),
                       .offset = number(shown.offset),
                       .returned = number(shown.size)};
  }

  // The report of a cut has pointers into the page. They are translated to pointers into the
  // archived answer, which are longer, before the answer is measured: later they could exceed the
  // budget.
  Result<answer::FittedAnswer> finished(Result<answer::PreparedAnswer> prepared,
                                        const ResultPage& shown) const {
    if (!prepared) return tl::unexpected(prepared.error());
    PagePointers pointers(found_, shown);
    // The report also names places in the MCP result of this page: the result itself and its
    // content blocks. The archived answer has no such places, so they are removed. The payload of
    // the page has a description in place of each block (take_media).
    const answer::ArchivedAnswer as_answer = answer::as_archived(prepared->answer);
    const std::string result = answer::place_in_result(as_answer, "");
    const std::string blocks = answer::place_in_result(as_answer, "/content");
    answer::FitSettings translating = settings_;
    translating.translate_places = [&](model::Reduction& reduction) {
      std::erase_if(reduction.dropped_ids, [&](const std::string& place) {
        return place == result || place == blocks || place.starts_with(result + "/") ||
               place.starts_with(blocks + "/");
      });
      if (is_framed()) leave_frame(*request_.rest->answer_form.list, reduction);
      pointers.apply(reduction);
    };
    return answer::finish(std::move(*prepared), request_.archived, translating);
  }

  const QueryResult& found_;
  const PageRequest& request_;
  answer::FitSettings settings_;
};

}  // namespace

answer::Window window_of(const PageRequest& request) {
  return window_at(request.position.offset, request.page_size.value_or(request.position.page_size));
}

Result<answer::FittedAnswer> answer_page(const QueryResult& found, const PageRequest& request,
                                         const answer::FitSettings& settings) {
  PageRequest sized = request;
  sized.position.page_size = request.page_size.value_or(request.position.page_size);
  return PageAnswer(found, sized, settings).run();
}

}  // namespace enfold::retrieve
