// SPDX-License-Identifier: Apache-2.0
// Takes a list out of the object that a tool put around it, and puts it back.
#include "enfold/contract/detail/members.h"
#include "enfold/contract/detail/shape.h"

#include <array>

namespace enfold::contract::detail {
namespace {

using model::Number;
using model::Page;
using model::Response;

bool set_number(std::optional<Number>& slot, json::View value) {
  if (slot || !value.is_number()) return false;
  slot = Number{std::string(value.number())};
  return true;
}

// One counter of the root or of a `pagination` member; false: it is no counter and stays data.
bool take_counter(std::string_view key, json::View value, Page& page) {
  if (key == "offset") return set_number(page.offset, value);
  if (key == "limit" || key == "pageSize" || key == "page_size" || key == "per_page") {
    return set_number(page.page_size, value);
  }
  if (key == "nextOffset" || key == "next_offset") {
    if (value.is_string() && !page.cursor) {
      page.cursor = value.string();
      return true;
    }
    return set_number(page.next_offset, value);
  }
  if (key == "hasMore" || key == "has_more") {
    if (page.has_more || !value.is_boolean()) return false;
    page.has_more = value.boolean();
    return true;
  }
  const bool cursor = key == "cursor" || key == "nextCursor" || key == "next_cursor";
  if (cursor && value.is_string() && !page.cursor) {
    page.cursor = value.string();
    return true;
  }
  if (key.starts_with("total")) return set_number(page.total, value);
  return key == "showing" || key == "returned" || key == "returnedCount" || key == "count";
}

// `read_channel` style: which end of the window the next call goes on from.
void take_window(json::View pagination, Page& page) {
  const auto filter = string_at(pagination, "filterType");
  if (const auto oldest = string_at(pagination, "oldestMessageId")) {
    if (!filter || *filter != "after") page.before = oldest;
  }
  if (const auto newest = string_at(pagination, "newestMessageId")) {
    if (filter && *filter == "after") page.after = newest;
  }
  if (const auto before = string_at(pagination, "before")) page.before = before;
  if (const auto after = string_at(pagination, "after")) page.after = after;
}

bool is_true_count(std::string_view key, json::View value, std::size_t returned) {
  const bool counts_items =
      key == "showing" || key == "returned" || key == "returnedCount" || key == "count";
  return !counts_items || value.integer() == static_cast<std::int64_t>(returned);
}

void complete(Page& page, std::size_t returned) {
  page.returned = Number::of(static_cast<std::int64_t>(returned));
  if (page.next_offset || page.cursor || !page.has_more.value_or(false) || !page.offset) return;
  const std::optional<std::int64_t> offset =
      page.offset->text.size() < 16
          ? std::optional(std::strtoll(page.offset->text.c_str(), nullptr, 10))
          : std::nullopt;
  if (offset && page.offset->text == std::to_string(*offset)) {
    page.next_offset = Number::of(*offset + static_cast<std::int64_t>(returned));
  }
}

}  // namespace

std::optional<Lift> lift(Response& response, const Classified& classified) {
  if (classified.list_key.empty() || !response.payload) return std::nullopt;
  const json::Value whole = *response.payload;
  const json::View list = *whole.view().find(classified.list_key);
  Page page;
  json::Writer rest;
  json::Writer metadata;
  rest.begin_object();
  metadata.begin_object();
  bool any_metadata = false;
  for (const json::Member& member : whole.view().members()) {
    if (member.key.equals(classified.list_key)) continue;
    rest.key(member.key).value(member.value);
    const std::string key = member.key.string();
    if (key == "pagination" && member.value.is_object()) {
      for (const json::Member& inner : member.value.members()) {
        static_cast<void>(take_counter(inner.key.string(), inner.value, page));
      }
      take_window(member.value, page);
      continue;
    }
    if (is_true_count(key, member.value, list.size()) && take_counter(key, member.value, page))
      continue;
    metadata.key(member.key).value(member.value);
    any_metadata = true;
  }
  rest.end_object();
  metadata.end_object();

  Lift out{.key = classified.list_key, .rest = std::move(rest).finish_value()};
  if (!response.page) {
    complete(page, list.size());
    response.page = page;
    out.page_derived = true;
  }
  if (any_metadata && !response.metadata) {
    response.metadata = std::move(metadata).finish_value();
    out.metadata_derived = true;
  }
  response.payload = json::Value(list);
  return out;
}

void undo_lift(Response& response, const Lift& lift) {
  if (!response.payload) return;
  json::Writer writer;
  writer.begin_object();
  writer.key(lift.key).value(*response.payload);
  for (const json::Member& member : lift.rest.view().members()) {
    writer.key(member.key).value(member.value);
  }
  writer.end_object();
  response.payload = std::move(writer).finish_value();
  if (lift.page_derived) response.page.reset();
  if (lift.metadata_derived) response.metadata.reset();
}

json::Value to_json(const Lift& lift) {
  json::Writer writer;
  writer.begin_object().member("key", lift.key).member("rest", lift.rest);
  writer.member("page_derived", lift.page_derived);
  writer.member("metadata_derived", lift.metadata_derived).end_object();
  return std::move(writer).finish_value();
}

std::optional<Lift> lift_from_json(json::View object) {
  const auto key = string_at(object, "key");
  const auto rest = object_at(object, "rest");
  if (!key || !rest) return std::nullopt;
  return Lift{.key = *key,
              .rest = json::Value(*rest),
              .page_derived = boolean_at(object, "page_derived").value_or(false),
              .metadata_derived = boolean_at(object, "metadata_derived").value_or(false)};
}

}  // namespace enfold::contract::detail
