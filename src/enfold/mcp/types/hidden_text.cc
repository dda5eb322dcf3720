// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/hidden_text.h"

#include "enfold/base/hidden_text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <set>

namespace enfold::mcp {
namespace {

constexpr std::uint32_t kItemDepth = 2;  // of an item in the result of a list request

// False only if there is nothing to remove: a hidden character is written with bytes beyond
// printable ASCII, or as an escape.
bool may_have_hidden(std::string_view raw) {
  return std::ranges::any_of(raw,
                             [](char c) { return static_cast<signed char>(c) < 0 || c == 0x7F; }) ||
         raw.find('\\') != std::string_view::npos;
}

// Writes a value without hidden characters.
class Cleaner {
 public:
  // `item_depth`: how many containers are around an item of a list.
  explicit Cleaner(std::uint32_t item_depth) : item_depth_(item_depth) {}

  void write(json::Writer& writer, json::View value, std::uint32_t depth) {
    if (!may_have_hidden(value.raw())) {
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
  // Whether a client sends the text back, so that it must not change: the address of an item, or
  // the cursor of a list. A member of this name deeper inside, such as in a schema, is not.
  [[nodiscard]] bool is_sent_back(const json::Member& member, std::uint32_t depth) const {
    if (!member.value.is_string()) return false;
    if (depth == item_depth_) return member.key.equals("uri") || member.key.equals("uriTemplate");
    return depth == 0 && member.key.equals("nextCursor");
  }

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
      if (is_sent_back(member, depth)) {
        writer.value(member.value);
      } else {
        write(writer, member.value, depth + 1);
      }
    }
    writer.end_object();
  }

  std::uint32_t item_depth_;
  bool changed_ = false;
};

std::optional<json::Value> cleaned(json::View value, std::uint32_t item_depth) {
  if (!value.is_object() || !may_have_hidden(value.raw())) return std::nullopt;
  json::Writer writer;
  Cleaner cleaner(item_depth);
  cleaner.write(writer, value, /*depth=*/0);
  if (!cleaner.changed()) return std::nullopt;
  return std::move(writer).finish_value();
}

}  // namespace

std::optional<json::Value> without_hidden_text(json::View item) {
  return cleaned(item, /*item_depth=*/0);
}

std::optional<json::Value> list_without_hidden_text(json::View result) {
  return cleaned(result, kItemDepth);
}

}  // namespace enfold::mcp
