// SPDX-License-Identifier: Apache-2.0
// Transforms a payload into the `data` of the generic contract, and back: extracts a list from the
// object around it, reads the counters beside it, and keeps the other members as metadata.
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/shape.h"
#include "enfold/json/document.h"

#include <charconv>
#include <set>

namespace enfold::contract::detail {
namespace {

using model::Number;
using model::Page;
using model::Response;
using model::Shape;

/// The pagination counters found beside a list, and the offsets of the values they were read from.
struct PageCounters {
  Page page;
  std::set<std::uint32_t> used;
  bool cut = false;  ///< `originalCount` says that the tool left out items
};

template <class T>
bool set_if_empty(std::optional<T>& slot, T value) {
  if (slot) return false;
  slot = std::move(value);
  return true;
}

bool read_counter(std::string_view key, json::View value, std::int64_t returned,
                  PageCounters& counts) {
  Page& page = counts.page;
  const Number number{std::string(value.number())};
  switch (counter_of(key, value)) {
    case Counter::offset: return set_if_empty(page.offset, number);
    case Counter::limit: return set_if_empty(page.page_size, number);
    case Counter::more:
      return !(counts.cut && !value.boolean()) && set_if_empty(page.has_more, value.boolean());
    case Counter::before: return set_if_empty(page.before, value.string());
    case Counter::after: return set_if_empty(page.after, value.string());
    case Counter::returned:
      return value.integer() == returned && set_if_empty(page.returned, number);
    case Counter::next:
      if (page.next_offset || page.cursor) return false;
      return value.is_string() ? set_if_empty(page.cursor, value.string())
                               : set_if_empty(page.next_offset, number);
    default: return false;
  }
}

bool exceeds(json::View object, std::string_view key, std::int64_t returned) {
  const auto value = object.find(key);
  return value && value->integer().value_or(0) > returned;
}

// If there are several totals, the most general name wins: totalCount before totalUnread.
std::optional<json::View> best_total(json::View object, std::int64_t returned) {
  constexpr std::array<std::string_view, 5> plain{"total", "totalCount", "total_count",
                                                  "totalResults", "total_results"};
  for (const std::string_view key : plain) {
    const auto value = object.find(key);
    if (value && value->is_number()) return value;
  }
  for (const json::Member& member : object.members()) {
    const std::string key = member.key.string();
    if (key != "originalCount" && counter_of(key, member.value) == Counter::total) {
      return member.value;
    }
  }
  for (const char* key : {"originalCount", "count"}) {
    if (exceeds(object, key, returned)) return object.find(key);
  }
  return std::nullopt;
}

// Chat logs page by message id: the oldest or newest id is where the next page starts.
void take_message_ids(json::View pagination, PageCounters& counts) {
  const auto filter = json::string_member(pagination, "filterType");
  if (!filter || !counts.page.has_more.value_or(false)) return;
  const bool after = *filter == "after";
  const auto id = pagination.find(after ? "newestMessageId" : "oldestMessageId");
  if (!id || !id->is_string()) return;
  if (set_if_empty(after ? counts.page.after : counts.page.before, id->string())) {
    counts.used.insert(id->offset());
  }
}

PageCounters read_counters(json::View object, std::int64_t returned) {
  PageCounters counts;
  counts.cut = exceeds(object, "originalCount", returned);
  const json::View pagination = object_at(object, "pagination").value_or(json::View());
  auto total = best_total(object, returned);
  if (!total) total = best_total(pagination, returned);
  if (total) {
    counts.page.total = Number{std::string(total->number())};
    counts.used.insert(total->offset());
  }
  for (const json::View from : {object, pagination}) {
    for (const json::Member& member : from.members()) {
      if (total && member.value.offset() == total->offset()) continue;
      if (read_counter(member.key.string(), member.value, returned, counts)) {
        counts.used.insert(member.value.offset());
      }
    }
  }
  if (counts.cut) counts.page.has_more = true;
  take_message_ids(pagination, counts);
  return counts;
}

std::optional<std::int64_t> integer_of(const std::optional<Number>& number) {
  if (!number) return std::nullopt;
  constexpr std::int64_t safe = std::int64_t{1} << 53;
  std::int64_t value = 0;
  const char* const end = number->text.data() + number->text.size();
  const auto [stop, error] = std::from_chars(number->text.data(), end, value);
  const bool fits = error == std::errc() && stop == end && value > -safe && value < safe;
  return fits ? std::optional(value) : std::nullopt;
}

// Derives has_more and next_offset from the counters.
void derive_missing(Page& page, std::int64_t returned) {
  page.returned = Number::of(returned);
  const auto offset = integer_of(page.offset);
  const auto total = integer_of(page.total);
  if (!page.has_more && total && (offset || !page.offset)) {
    page.has_more = offset.value_or(0) + returned < *total;
  }
  const bool known = page.next_offset || page.cursor;
  if (!known && page.has_more.value_or(false) && offset) {
    page.next_offset = Number::of(*offset + returned);
  }
}

// The members of `object` whose values were not used as counters, also inside `pagination`.
std::optional<json::Value> unused_members(json::View object, const std::set<std::uint32_t>& used) {
  json::Writer writer;
  writer.begin_object();
  bool any = false;
  for (const json::Member& member : object.members()) {
    if (used.contains(member.value.offset())) continue;
    const bool pagination = member.key.equals("pagination") && member.value.is_object();
    const auto left = pagination ? unused_members(member.value, used) : json::Value(member.value);
    if (!left) continue;
    writer.key(member.key).value(*left);
    any = true;
  }
  writer.end_object();
  return any ? std::optional(std::move(writer).finish_value()) : std::nullopt;
}

DataTransform extract_list(json::View object, const std::string& key) {
  DataTransform out{.how = DataTransform::How::extracted, .key = key};
  json::Writer rest;
  rest.begin_object();
  std::size_t index = 0;
  for (const json::Member& member : object.members()) {
    if (member.key.equals(key)) {
      out.at = index;
    } else {
      rest.key(member.key).value(member.value);
    }
    ++index;
  }
  rest.end_object();
  out.rest = std::move(rest).finish_value();
  return out;
}

void take_list(const std::string& key, GenericForm& shown) {
  Response& response = shown.response;
  const json::Value whole = *response.payload;
  const json::View list = *whole->find(key);
  shown.transform = extract_list(whole.view(), key);
  PageCounters counts;
  if (!response.page) {
    counts = read_counters(whole.view(), static_cast<std::int64_t>(list.size()));
    response.page = counts.page;
  }
  counts.used.insert(list.offset());
  const auto message = whole->find("message");
  if (response.message.empty() && message && !message->string().empty()) {
    response.message = message->string();
    counts.used.insert(message->offset());
  }
  response.metadata = joined_members(unused_members(whole.view(), counts.used), response.metadata);
  response.payload = json::Value(list);
}

void box_payload(GenericForm& shown) {
  json::Writer writer;
  writer.begin_array().value(*shown.response.payload).end_array();
  shown.response.payload = std::move(writer).finish_value();
  shown.transform = DataTransform{.how = DataTransform::How::boxed};
}

void wrap_payload(GenericForm& shown) {
  const model::Wrapping wrapping = wrapping_of(shown.response);
  if (wrapping == model::Wrapping::none) return;
  json::Writer writer;
  write_payload_as_object(writer, shown.response);
  shown.response.payload = std::move(writer).finish_value();
  shown.transform =
      DataTransform{.how = DataTransform::How::wrapped, .key = std::string(model::name(wrapping))};
}

void show_list(const Classification& classified, GenericForm& shown) {
  if (classified.list_key) {
    take_list(*classified.list_key, shown);
  } else if (!shown.response.payload->view().is_array()) {
    box_payload(shown);
  }
  const auto returned = static_cast<std::int64_t>(shown.response.payload->view().size());
  if (!shown.response.page) shown.response.page.emplace();
  derive_missing(*shown.response.page, returned);
}

// Actions often put their message inside their data.
void show_action(const Response& source, GenericForm& shown) {
  if (shown.response.message.empty()) {
    const json::View payload = source.payload->view();
    const bool text = source.wrapping == model::Wrapping::text && payload.is_string();
    shown.response.message =
        text ? payload.string() : json::string_member(payload, "message").value_or("");
  }
  wrap_payload(shown);
}

}  // namespace

GenericForm to_generic_form(const Response& response) {
  const Classification classified = classify(response);
  GenericForm shown{.shape = classified.shape, .response = response, .transform = {}};
  if (!response.payload) return shown;
  switch (classified.shape) {
    case Shape::list:
    case Shape::tool_catalog: show_list(classified, shown); break;
    case Shape::action: show_action(response, shown); break;
    case Shape::single: wrap_payload(shown); break;
    case Shape::error:
      if (!response.payload->view().is_array()) wrap_payload(shown);
      break;
  }
  return shown;
}

void undo_transform(Response& response, const DataTransform& transform) {
  if (!response.payload) return;
  const json::Value data = *response.payload;
  if (transform.how == DataTransform::How::boxed) {
    if (const auto only = data->item(0)) response.payload = json::Value(*only);
    return;
  }
  if (transform.how == DataTransform::How::wrapped) {
    if (const auto inside = data->find(transform.key)) response.payload = json::Value(*inside);
    return;
  }
  json::Writer writer;
  writer.begin_object();
  std::size_t index = 0;
  for (const json::Member& member : transform.rest->members()) {
    if (index++ == transform.at) writer.key(transform.key).value(data);
    writer.key(member.key).value(member.value);
  }
  if (index <= transform.at) writer.key(transform.key).value(data);
  writer.end_object();
  response.payload = std::move(writer).finish_value();
}

json::Value to_json(const DataTransform& transform) {
  json::Writer writer;
  writer.begin_object();
  switch (transform.how) {
    case DataTransform::How::boxed: writer.member("boxed", true); break;
    case DataTransform::How::wrapped: writer.member("wrapped", transform.key); break;
    case DataTransform::How::extracted:
      writer.member("key", transform.key).member("at", static_cast<std::int64_t>(transform.at));
      writer.member("rest", transform.rest);
      break;
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

std::optional<DataTransform> transform_from_json(json::View object) {
  if (boolean_at(object, "boxed").value_or(false))
    return DataTransform{.how = DataTransform::How::boxed};
  if (const auto name = json::string_member(object, "wrapped")) {
    return DataTransform{.how = DataTransform::How::wrapped, .key = *name};
  }
  const auto key = json::string_member(object, "key");
  const auto rest = object_at(object, "rest");
  const auto at = object.find("at");
  const std::int64_t index = at ? at->integer().value_or(-1) : -1;
  if (!key || !rest || index < 0) return std::nullopt;
  return DataTransform{.how = DataTransform::How::extracted,
                       .key = *key,
                       .at = static_cast<std::size_t>(index),
                       .rest = json::Value(*rest)};
}

std::optional<json::Value> joined_members(const std::optional<json::Value>& object,
                                          const std::optional<json::Value>& extra) {
  if (!object || !extra) return object ? object : extra;
  std::set<std::string> taken;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : object->view().members()) {
    taken.insert(member.key.string());
    writer.key(member.key).value(member.value);
  }
  for (const json::Member& member : extra->view().members()) {
    std::string key = member.key.string();
    while (!taken.insert(key).second) key += '_';
    writer.key(key).value(member.value);
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::contract::detail
