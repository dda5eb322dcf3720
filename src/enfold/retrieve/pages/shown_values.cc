// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/pages/shown_values.h"

#include "enfold/json/write.h"
#include "enfold/model/content.h"

namespace enfold::retrieve {

json::Value with_pointers(const ResultPage& page) {
  json::Writer writer;
  writer.begin_array();
  auto match = page.matches.begin();
  for (const json::View value : page.value->items()) {
    writer.begin_object();
    // If the whole answer is a text (pointer "/41..45"), the number of the line is enough.
    const bool is_below_top = match->pointer.find('/', 1) != std::string::npos;
    if (match->name) {
      writer.member("key", *match->name);
    } else if (is_below_top || !match->line) {
      writer.member("pointer", match->pointer);
    }
    if (match->line) writer.member("line", *match->line);
    const std::size_t first_line = match->first_line.value_or(match->line.value_or(0));
    if (match->line && first_line != *match->line) writer.member("from", first_line);
    if (match->is_excerpt) {
      for (const json::Member& member : value.members()) writer.key(member.key).value(member.value);
    } else {
      writer.key(match->line ? "text" : "value").value(value);
    }
    writer.end_object();
    ++match;
  }
  return std::move(writer.end_array()).finish_value();
}

json::Value take_media(json::View value, std::vector<json::Value>& blocks) {
  if (value.is_object() && model::binary_member(value)) {
    blocks.emplace_back(value);
    json::Writer writer;
    model::write_block_description(value, writer);
    return std::move(writer).finish_value();
  }
  if (!value.is_array()) return json::Value(value);
  json::Writer writer;
  writer.begin_array();
  const std::size_t before = blocks.size();
  for (const json::View item : value.items()) {
    const bool is_media = item.is_object() && model::binary_member(item);
    is_media ? writer.value(take_media(item, blocks)) : writer.value(item);
  }
  if (blocks.size() == before) return json::Value(value);
  return std::move(writer.end_array()).finish_value();
}

}  // namespace enfold::retrieve
