// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/hidden_text.h"

#include "enfold/base/hidden_text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <set>

namespace enfold::mcp {
namespace {

constexpr std::uint32_t kDeepest = 64;  // levels; values below that stay as they are

// False only if there is nothing to remove: a hidden character is written with bytes beyond
// printable ASCII, or as an escape.
bool may_have_hidden(std::string_view raw) {
  return std::ranges::any_of(raw,
                             [](char c) { return static_cast<signed char>(c) < 0 || c == 0x7F; }) ||
         raw.find('\\') != std::string_view::npos;
}

// Whether the member is an address: a client sends it back or opens it, so it must not change.
bool is_address(json::View key) {
  return key.equals("uri") || key.equals("uriTemplate") || key.equals("src");
}

// Writes a value without hidden characters.
class Cleaner {
 public:
  void write(json::Writer& writer, json::View value, std::uint32_t depth) {
    if (depth > kDeepest || !may_have_hidden(value.raw())) {
      writer.value(value);
    } else if (value.is_array()) {
      writer.begin_array();
      for (const json::View item : value.items()) write(writer, item, depth + 1);
      writer.end_array();
    } else if (value.is_object()) {
      write_object(writer, value, depth);
    } else if (value.is_string()) {
      writer.string(clean(value));
    } else {
      writer.value(value);
    }
  }
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  std::string clean(json::View text) {
    const std::string former = text.string();
    std::string shown = without_hidden(former);
    changed_ = changed_ || shown != former;
    return shown;
  }

  // Of keys that look the same only the first is kept.
  void write_object(json::Writer& writer, json::View value, std::uint32_t depth) {
    std::set<std::string> keys;
    writer.begin_object();
    for (const json::Member& member : value.members()) {
      std::string key = clean(member.key);
      if (!keys.insert(key).second) continue;
      writer.key(key);
      if (is_address(member.key)) {
        writer.value(member.value);
      } else {
        write(writer, member.value, depth + 1);
      }
    }
    writer.end_object();
  }

  bool changed_ = false;
};

}  // namespace

std::optional<json::Value> without_hidden_text(json::View item) {
  if (!item.is_object() || !may_have_hidden(item.raw())) return std::nullopt;
  json::Writer writer;
  Cleaner cleaner;
  cleaner.write(writer, item, /*depth=*/0);
  if (!cleaner.changed()) return std::nullopt;
  return std::move(writer).finish_value();
}

}  // namespace enfold::mcp
