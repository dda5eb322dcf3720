// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/envelopes/page.h"

#include "enfold/contract/cursors/cursor.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/json/member.h"

namespace enfold::contract::detail {

bool has_next_page(const model::Response& response) {
  if (!response.page) return false;
  const model::Page& page = *response.page;
  return page.has_more.value_or(false) || page.cursor || page.next_offset || page.before ||
         page.after;
}

std::optional<model::Page> read_page(json::View object) {
  const auto found = object_at(object, "pagination");
  if (!found) return std::nullopt;
  const json::View pagination = *found;
  model::Page page;
  page.cursor = json::string_member(pagination, "cursor");
  page.has_more = boolean_at(pagination, "has_more");
  page.total = number_at(pagination, "total_count");
  page.page_size = number_at(pagination, "page_size");
  if (!page.cursor) return page;
  // A cursor that contains an offset or an id is read as that offset or id.
  const auto position = decode_cursor(*page.cursor);
  if (!position) return page;
  const auto is_cursor = [&](const std::string& text) { return text == *page.cursor; };
  if (const auto offset = number_at(position->view(), "offset");
      offset && is_cursor(encode_offset_cursor(offset->text))) {
    page.next_offset = offset;
    page.cursor.reset();
  } else if (const auto after = json::string_member(position->view(), "after");
             after && is_cursor(encode_text_cursor("after", *after))) {
    page.after = after;
    page.cursor.reset();
  } else if (const auto before = json::string_member(position->view(), "before");
             before && is_cursor(encode_text_cursor("before", *before))) {
    page.before = before;
    page.cursor.reset();
  }
  return page;
}

void write_page(json::Writer& writer, const model::Response& response) {
  model::Page page = response.page.value_or(model::Page{});
  page.total = valid_count(page.total);
  page.page_size = valid_count(page.page_size, 1);
  if (page == model::Page{}) return;
  writer.key("pagination").begin_object();
  const bool more = page.has_more.value_or(false);
  if (page.cursor) {
    writer.member("cursor", *page.cursor);
  } else if (page.next_offset) {
    writer.member("cursor", encode_offset_cursor(page.next_offset->text));
  } else if (page.after) {
    writer.member("cursor", encode_text_cursor("after", *page.after));
  } else if (page.before) {
    writer.member("cursor", encode_text_cursor("before", *page.before));
  } else if (page.has_more && !more) {
    writer.key("cursor").null();
  }
  write_optional(writer, "has_more", page.has_more);
  write_optional(writer, "total_count", page.total);
  write_optional(writer, "page_size", page.page_size);
  writer.end_object();
}

}  // namespace enfold::contract::detail
