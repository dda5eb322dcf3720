// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/cut_report.h"
#include "enfold/answer/fit/measure.h"
#include "enfold/answer/stored/places.h"
#include "enfold/base/text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/page.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::retrieve {
namespace {

/// Shows selected lines with their numbers and members with their pointers, so that a model can
/// fetch what is around them.
json::Value with_pointers(const ResultPage& page) {
  json::Writer writer;
  writer.begin_array();
  auto match = page.matches.begin();
  for (const json::View text : page.value->items()) {
    writer.begin_object();
    // A line of a text at the top of the answer is found by its number alone.
    const bool is_below_top = match->pointer.find('/', 1) != std::string::npos;
    if (is_below_top || !match->line) writer.member("pointer", match->pointer);
    if (match->line) writer.member("line", static_cast<std::int64_t>(*match->line));
    writer.key(match->line ? "text" : "value").value(text).end_object();
    ++match;
  }
  return std::move(writer.end_array()).finish_value();
}

model::Wrapping wrapping_for(const QueryResult& found) {
  return found.value->is_string() ? model::Wrapping::text : model::Wrapping::none;
}

// The caller chose the ids: their number and length in the message are limited.
std::string missing_ids_message(const QueryResult& found) {
  constexpr std::size_t most = 5;
  constexpr std::size_t bytes = 64;
  std::vector<std::string> ids;
  for (const std::string& id : found.missing) {
    if (ids.size() < most) ids.push_back(answer::clipped(id, bytes));
  }
  std::string text = fmt::format("no record has the id {}", fmt::join(ids, ", "));
  if (found.missing.size() > most) text += fmt::format(" and {} more", found.missing.size() - most);
  return text;
}

// Whether one member has most of the bytes, so that pages of members would be of little use.
bool is_lopsided(const QueryResult& found) {
  if (found.unit != Unit::members) return false;
  std::size_t all = 0;
  std::size_t most = 0;
  for (const json::Member& member : found.value->members()) {
    const std::size_t bytes = member.value.raw().size();
    all += bytes;
    most = std::max(most, bytes);
  }
  return most > all / 2;
}

class PageAnswer {
 public:
  PageAnswer(const QueryResult& found, const PageRequest& request,
             const answer::FitSettings& settings)
      : found_(found), request_(request), settings_(settings) {
    settings_.shape.redaction.reset();  // archived answers are redacted already
    if (!is_framed()) settings_.schema = nullptr;
    settings_.only_payload = true;
  }

  /// The whole page if it fits. Else, by what was selected: fewer characters; pages of the parts of
  /// a single record, or of the whole answer; a value cut as one; or the largest page that fits.
  Result<answer::FittedAnswer> run() {
    const std::size_t offset = request_.position.offset;
    ENFOLD_TRY(const ResultPage whole, page(found_, offset, request_.position.page_size));
    Result<answer::PreparedAnswer> prepared = prepared_page(whole);
    if (!prepared || prepared->fits) return finished(std::move(prepared), whole);
    if (request_.rest != nullptr) return largest_that_fits(bound(whole));
    const Selection& selection = request_.position.query.selection;
    if (const auto* wanted = std::get_if<select::Characters>(&selection)) {
      return characters(found_.value->string(), request_.position.query, wanted->range);
    }
    // One record that was selected by id, search or condition.
    const bool is_one_record =
        found_.unit == Unit::records && found_.total == 1 && !found_.matches.empty();
    if (is_one_record) return at_place(*found_.value->item(0), found_.matches.front());
    if (std::holds_alternative<select::Whole>(selection)) {
      return at_place(found_.value.view(), {found_.pointer, std::nullopt});
    }
    if (found_.unit == Unit::single) return as_one(std::move(*prepared), whole);
    if (offset == 0 && is_lopsided(found_)) {
      Result<answer::FittedAnswer> one = whole_object();
      if (one && !leads_back(*one)) return one;
    }
    return largest_that_fits(bound(whole));
  }

 private:
  [[nodiscard]] bool is_framed() const {
    return request_.rest != nullptr && request_.rest->frame != nullptr;
  }

  /// The largest page that fits, by bisection; `most` parts do not fit.
  Result<answer::FittedAnswer> largest_that_fits(std::size_t most) {
    std::size_t fitting = 0;
    std::optional<answer::FittedAnswer> best;
    while (most - fitting > 1) {
      const std::size_t size = fitting + (most - fitting) / 2;
      ENFOLD_TRY(const ResultPage tried, page(found_, request_.position.offset, size));
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
    // Even one part is too large, so it is cut.
    ENFOLD_TRY(const ResultPage one, page(found_, request_.position.offset, 1));
    Result<answer::FittedAnswer> cut = finished(prepared_page(one), one);
    if (cut && std::holds_alternative<select::Sql>(request_.position.query.selection)) {
      forget_places(*cut);
    }
    return cut;
  }

  // A single record, or a whole answer, that does not fit is paged through by its own parts.
  Result<answer::FittedAnswer> at_place(json::View value, const Match& place) const {
    QueryResult there{
        .value = json::Value(value), .pointer = place.pointer, .missing = found_.missing};
    if (place.line) there.first_line = *place.line - 1;
    if (value.is_container()) {
      there.unit = value.is_array() ? Unit::records : Unit::members;
      there.total = value.size();
    } else if (value.is_string()) {
      there.unit = Unit::lines;
      there.total = answer::line_starts(value.string()).size();
    }
    PageRequest request = request_;
    request.position.query = {.selection = select::At{place.pointer}};
    return PageAnswer(there, request, settings_).run();
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

  // Pointers into statistics or rows of SQL mean nothing in the archived answer.
  static void forget_places(answer::FittedAnswer& fitted) {
    auto& reduction = fitted.answer.reading.response.reduction;
    if (!reduction) return;
    *reduction = {.level = reduction->level, .archive = reduction->archive};
  }

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

  [[nodiscard]] tl::unexpected<Error> too_large() const {
    return fail(ErrorCode::budget_too_small,
                fmt::format("expected a budget for {} of {} bytes, found {} tokens",
                            json::name(found_.value->kind()), found_.value->raw().size(),
                            settings_.budget.tokens),
                found_.pointer, "raise the budget, or take the archived bytes as they are");
  }

  // A line too long for any page: from here on, pages are ranges of characters.
  Result<answer::FittedAnswer> characters_from_line() const {
    const std::string text = found_.value->string();
    const std::size_t begin = answer::line_starts(text)[request_.position.offset];
    const std::size_t first = utf8::length(std::string_view(text).substr(0, begin));
    return characters(text.substr(begin), {.within = found_.pointer},
                      answer::Range{first, std::nullopt});
  }

  // Shows as many characters from the beginning of `text` as fit. `range` is the place of `text` in
  // the text that `query` selects; the cursor to the next page is computed from it.
  Result<answer::FittedAnswer> characters(const std::string& text, const Query& query,
                                          const answer::Range& range) const {
    const std::size_t total = utf8::length(text);
    const std::string_view most = settings_.tokenizer->prefix(text, settings_.budget.tokens);
    std::size_t size = std::min(utf8::length(most), settings_.budget.characters);
    bool was_estimated = false;  // once, from the room beside the envelope; then steps of 1/8
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

  // About how many characters fit beside the envelope and its cursor.
  [[nodiscard]] std::size_t characters_beside(answer::ReadAnswer envelope,
                                              std::string_view text) const {
    envelope.reading.response.payload = json::string_value("");
    const Result<budget::Size> size = answer::size_of_answer(envelope, settings_);
    if (!size || !budget::within(*size, settings_.budget)) return 0;
    const std::size_t tokens = settings_.budget.tokens - size->tokens;
    return std::min(utf8::length(settings_.tokenizer->prefix(text, tokens)),
                    settings_.budget.characters - size->characters);
  }

  [[nodiscard]] Result<answer::PreparedAnswer> prepared_characters(
      const std::string& text, std::size_t size, std::size_t total, const Query& query,
      const answer::Range& range) const {
    model::Response response;
    response.payload = json::string_value(answer::characters_of(text, answer::Range{0, size - 1}));
    response.wrapping = model::Wrapping::text;
    response.page = model::Page{
        .has_more = size < total, .offset = number(range.first), .returned = number(size)};
    if (size < total && request_.key != nullptr) {
      Position next = request_.position;
      next.offset = 0;
      next.query = query;
      next.query.selection = select::Characters{{range.first + size, range.last}};
      response.page->cursor = to_cursor(next, *request_.key, request_.principal);
    }
    return prepared_response(std::move(response));
  }

  /// A number of parts that certainly does not fit: a character takes at most six bytes in the
  /// archived text (escaped).
  [[nodiscard]] std::size_t bound(const ResultPage& whole) const {
    // Without overflow: a budget of SIZE_MAX is no limit.
    const std::size_t room =
        settings_.budget.characters < SIZE_MAX / 8 ? settings_.budget.characters * 6 : SIZE_MAX;
    std::size_t bytes = 0;
    std::size_t parts = 0;
    const auto fill = [&](json::View value) {
      ++parts;
      bytes += value.raw().size();
      return bytes <= room;
    };
    for (const json::View item : whole.value->items()) {
      if (!fill(item)) return parts;
    }
    for (const json::Member& member : whole.value->members()) {
      if (!fill(member.value)) return parts;
    }
    return whole.size;
  }

  Result<answer::PreparedAnswer> prepared_page(const ResultPage& shown) const {
    model::Response response;
    response.payload = is_framed()             ? request_.rest->frame(shown.value)
                       : shows_pointers(shown) ? with_pointers(shown)
                                               : shown.value;
    response.wrapping = wrapping_for(found_);
    if (found_.unit != Unit::single) {
      ENFOLD_TRY(response.page, page_of(shown));
    }
    return prepared_response(std::move(response));
  }

  [[nodiscard]] Result<answer::PreparedAnswer> prepared_response(model::Response response) const {
    if (!found_.missing.empty()) {
      response.warnings.push_back(
          contract::make_warning("PARTIAL_FAILURE", missing_ids_message(found_)));
    }
    ENFOLD_TRY(answer::ReadAnswer understood,
               answer::read_response(std::move(response), "retrieved from the archive",
                                     settings_.shape, {}));
    if (request_.rest != nullptr) understood.whole = request_.rest->whole;
    return answer::prepare(std::move(understood), settings_);
  }

  static model::Number number(std::size_t value) {
    return model::Number::of(static_cast<std::int64_t>(value));
  }

  [[nodiscard]] Result<model::Page> page_of(const ResultPage& shown) const {
    if (request_.rest != nullptr) return request_.rest->page(shown);
    if (request_.key != nullptr) {
      return page_info(shown, request_.position, *request_.key, request_.principal);
    }
    return model::Page{.has_more = shown.next.has_value(),
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
    answer::FitSettings translating = settings_;
    translating.name_places = [&](model::Reduction& reduction) {
      if (is_framed()) leave_frame(reduction);
      pointers.apply(reduction);
    };
    return answer::finish(std::move(*prepared), request_.archived, translating);
  }

  // Places of the records in the payload around them become places in the page of records. Those
  // around them are places of the archived answer already.
  void leave_frame(model::Reduction& reduction) const {
    const std::string& list = *request_.rest->whole.list;
    for (auto* places :
         {&reduction.dropped_ids, &reduction.briefed, &reduction.clipped, &reduction.columnar}) {
      for (std::string& place : *places) {
        if (place == list || place.starts_with(list + "/")) place.erase(0, list.size());
      }
    }
    reduction.facts.reset();
    reduction.index.reset();
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
