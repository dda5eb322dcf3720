// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/hidden_text.h"

#include "enfold/base/hidden_text.h"
#include "enfold/json/write.h"

#include <algorithm>

namespace enfold::mcp {
namespace {

constexpr std::uint32_t kDeepest = 64;  // deeper parts stay as they are

// Every hidden character is written as bytes beyond ASCII, or as an escape.
bool may_have_hidden(std::string_view raw) {
  return std::ranges::any_of(raw, [](char c) { return static_cast<signed char>(c) < 0; }) ||
         raw.find("\\u") != std::string_view::npos;
}

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
    } else {
      writer.value(value);
    }
  }
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  void write_object(json::Writer& writer, json::View value, std::uint32_t depth) {
    writer.begin_object();
    for (const json::Member& member : value.members()) {
      writer.key(member.key);
      const bool is_read = member.key.equals("description") || member.key.equals("title") ||
                           (depth == 0 && member.key.equals("name"));
      if (!is_read || !member.value.is_string()) {
        write(writer, member.value, depth + 1);
        continue;
      }
      const std::string text = member.value.string();
      const std::string clean = without_hidden(text);
      changed_ = changed_ || clean != text;
      writer.string(clean);
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
  cleaner.write(writer, item, 0);
  if (!cleaner.changed()) return std::nullopt;
  return std::move(writer).finish_value();
}

}  // namespace enfold::mcp
