// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/id.h"

namespace enfold::mcp {

std::optional<Id> read_id(json::View value) {
  if (value.is_string()) return Id(value.string());
  if (const auto integer = value.integer()) return Id(*integer);
  return std::nullopt;
}

void write_id(json::Writer& writer, const Id& id) {
  if (const auto* integer = std::get_if<std::int64_t>(&id)) {
    writer.integer(*integer);
  } else {
    writer.string(std::get<std::string>(id));
  }
}

std::string text_of(const Id& id) {
  if (const auto* integer = std::get_if<std::int64_t>(&id)) return std::to_string(*integer);
  return json::quote(std::get<std::string>(id));
}

}  // namespace enfold::mcp
