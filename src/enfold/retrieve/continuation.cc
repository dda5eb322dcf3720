// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/continuation.h"

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/model/canonical.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::retrieve {
namespace {

constexpr std::size_t kMostRecords = 1000;  // on a page

// An answer of a typed tool (StoredForm::is_made_here): its payload, or the MCP result that
// answer::make_document wrote around the payload.
Result<model::Response> read_typed_answer(const json::Value& document) {
  model::Response response;
  const auto meta = document->find("_meta");
  const auto fields = meta ? meta->find("dev.enfold/response") : std::nullopt;
  const auto payload = fields ? document->find("structuredContent") : std::nullopt;
  if (payload) {
    ENFOLD_TRY(model::overlay(response, *fields));
  }
  response.payload = payload ? json::Value(*payload) : document;
  return response;
}

// `media_type`: says how to read the bytes (answer::read_as).
Result<model::Response> read_archived(std::string_view bytes, std::string_view media_type) {
  const std::optional<answer::StoredForm> form = answer::read_as(media_type);
  if (form && form->contract == contract::Id::text) return contract::read_text(bytes).response;
  const Limits limits{.max_bytes = kLargestDocument};
  ENFOLD_TRY(const json::Document document, json::parse(bytes, limits));
  if (form && form->is_made_here) return read_typed_answer(document.value());
  const contract::Id id = form ? form->contract : contract::detect(document.root());
  ENFOLD_TRY(contract::Reading reading, contract::read(id, document.root(), {.limits = limits}));
  return std::move(reading.response);
}

/// The first `most` records of `list` that are in the ranges `left`, with their pointers in the
/// archived answer. The total counts all records in the ranges.
QueryResult records_left(const contract::ListReading& list, const contract::WholeForm& form,
                         const std::vector<model::RecordRange>& left, std::size_t most) {
  QueryResult found{.unit = Unit::records, .total = contract::count_of(left)};
  found.pointer = form.list.value_or("");
  json::Writer writer;
  writer.begin_array();
  std::size_t position = 0;
  auto range = left.begin();
  for (const json::View item : list.items->items()) {
    if (range == left.end() || found.matches.size() == most) break;
    if (position >= range->first) {
      writer.value(item);
      found.matches.push_back(
          {.pointer = fmt::format("{}/{}", found.pointer, position), .line = std::nullopt});
      if (position == range->last) ++range;
    }
    ++position;
  }
  found.value = std::move(writer.end_array()).finish_value();
  return found;
}

model::Number number(std::size_t value) {
  return model::Number::of(static_cast<std::int64_t>(value));
}

// The pagination of a page that shows the first `shown` records of `request.from.left`. While
// records are left after that page, the pagination has Enfold's cursor to them and not the tool's
// own cursor, which would skip them.
model::Page page_after(const contract::ListReading& list, const ContinueRequest& request,
                       std::size_t shown) {
  model::Page page = list.page;
  page.offset.reset();
  page.page_size.reset();
  page.returned = number(shown);
  if (!list.has_paging) {
    page.total = number(list.items->size());
    page.has_more = false;
  }
  std::vector<model::RecordRange> left = contract::without_first(request.from.left, shown);
  if (left.empty()) return page;
  page = {.has_more = true, .total = page.total, .returned = page.returned};
  const contract::Continuation next{request.from.handle, std::move(left)};
  page.cursor = contract::to_cursor(next, *request.cursors.key, request.cursors.principal);
  return page;
}

// The payload with `records` in place of the list at `pointer`.
json::Value with_records(const json::Value& payload, const std::string& pointer,
                         const json::Value& records) {
  if (pointer.empty()) return records;
  json::Change change{.pointer = pointer};
  change.before = json::Value();
  change.after = records;
  return json::apply(payload.view(), {change});
}

}  // namespace

Result<answer::FittedAnswer> continue_answer(std::string_view bytes, std::string_view media_type,
                                             const ContinueRequest& request,
                                             const answer::FitSettings& settings) {
  ENFOLD_TRY(model::Response response, read_archived(bytes, media_type));
  response.tool.id = request.tool;
  // An envelope may name its next page by an offset or an id. It becomes a cursor, which the client
  // sends back unchanged.
  if (response.page) response.page->cursor = contract::cursor_of(*response.page);
  const contract::WholeReading answer = contract::read_whole(response);
  const std::vector<model::RecordRange>& left = request.from.left;
  if (!answer.list || left.empty() || left.back().last >= answer.list->items->size()) {
    return fail(ErrorCode::invalid_input, "decode_failed: expected a cursor of this answer",
                "cursor", "call the tool again without a cursor");
  }
  // Whether pages are the tool's payload with the records in its list, see
  // ContinueRequest::in_payload.
  const bool framed = request.in_payload && answer.form.list;
  RestOfAnswer rest{
      .page =
          [&](const ResultPage& shown) { return page_after(*answer.list, request, shown.size); },
      .frame = {},
      // Without a frame the page is the list itself, at the pointer "".
      .answer_form = {.shape = answer.form.shape, .list = framed ? answer.form.list : ""}};
  if (framed) {
    rest.frame = [&](const json::Value& records) {
      return with_records(*response.payload, *answer.form.list, records);
    };
  }
  PageRequest page{.position = {.archive = request.from.handle},
                   .page_size = request.page_size.value_or(kMostRecords),
                   .archived = request.archived,
                   .key = request.cursors.key,
                   .principal = std::string(request.cursors.principal),
                   .rest = &rest};
  const QueryResult found = records_left(*answer.list, answer.form, left, window_of(page).size);
  return answer_page(found, page, settings);
}

}  // namespace enfold::retrieve
