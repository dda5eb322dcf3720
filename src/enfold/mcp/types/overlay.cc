// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/overlay.h"

#include <algorithm>

namespace enfold::mcp {

Overlay& Overlay::text(std::string_view key, const std::optional<std::string>& value) {
  if (!value) return without(key);
  return member(key, [text = *value](json::Writer& writer) { writer.string(text); });
}

Overlay& Overlay::value(std::string_view key, const std::optional<json::Value>& value) {
  if (!value) return without(key);
  return member(key, [owned = *value](json::Writer& writer) { writer.value(owned); });
}

Overlay& Overlay::member(std::string_view key, Write write) {
  changes_.push_back({key, std::move(write)});
  return *this;
}

void Overlay::write(json::Writer& writer, json::View original) const {
  writer.begin_object();
  write_members(writer, original);
  writer.end_object();
}

void Overlay::write_members(json::Writer& writer, json::View original) const {
  std::vector<bool> written(changes_.size(), false);
  if (original.is_object()) {
    for (const json::Member& member : original.members()) {
      const auto change = std::find_if(changes_.begin(), changes_.end(), [&](const Change& one) {
        return member.key.equals(one.key);
      });
      if (change == changes_.end()) {
        writer.key(member.key).value(member.value);
        continue;
      }
      const auto index = static_cast<std::size_t>(change - changes_.begin());
      if (written[index]) continue;  // of repeated keys only the first is written
      written[index] = true;
      if (!change->write) continue;
      writer.key(member.key);
      change->write(writer);
    }
  }
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    if (written[i] || !changes_[i].write) continue;
    writer.key(changes_[i].key);
    changes_[i].write(writer);
  }
}

}  // namespace enfold::mcp
