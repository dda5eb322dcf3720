// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/pages/bulk.h"

#include "enfold/json/duplicate_members.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

namespace enfold::retrieve {

Part part_of(json::View container, std::string pointer, std::size_t position) {
  if (const auto item = container.item(position)) {
    json::append_token(pointer, std::to_string(position));
    return {std::move(pointer), *item};
  }
  auto member = container.members().begin();
  for (std::size_t i = 0; i < position; ++i) ++member;
  json::append_token(pointer, json::MemberTokens(container).token((*member).key, position));
  return {std::move(pointer), (*member).value};
}

Bulk bulk_of(json::View object, std::string pointer) {
  Bulk bulk{{}, std::move(pointer), object};
  while (bulk.value.is_object()) {
    std::size_t all = 0;   // bytes of all members
    std::size_t most = 0;  // bytes of the largest member
    std::size_t position = 0;
    std::size_t largest = 0;  // position of the largest member
    for (const json::Member& member : bulk.value.members()) {
      const std::size_t bytes = member.value.raw().size();
      all += bytes;
      if (bytes > most) largest = position;
      most = std::max(most, bytes);
      ++position;
    }
    if (most <= all / 2) break;
    Part part = part_of(bulk.value, std::move(bulk.pointer), largest);
    bulk.pointer = std::move(part.pointer);
    bulk.value = part.value;
    bulk.path.push_back(largest);
  }
  return bulk;
}

void write_around(json::View object, std::span<const std::size_t> path, const json::Value& part,
                  json::Writer& writer) {
  if (path.empty()) {
    writer.value(part);
    return;
  }
  writer.begin_object();
  std::size_t position = 0;
  for (const json::Member& member : object.members()) {
    writer.key(member.key);
    if (position++ == path.front()) {
      write_around(member.value, path.subspan(1), part, writer);
    } else {
      writer.value(member.value);
    }
  }
  writer.end_object();
}

}  // namespace enfold::retrieve
