// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/detail/shape.h"

#include "enfold/base/text.h"
#include "enfold/contract/detail/members.h"

#include <algorithm>
#include <array>
#include <vector>

namespace enfold::contract::detail {
namespace {

using model::Response;
using model::Shape;

bool any_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// discord_list_channels, listChannels and list-channels are all list + channels.
std::vector<std::string> words_of(std::string_view tool) {
  std::vector<std::string> words(1);
  for (const char c : tool) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool letter = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if ((!letter || upper) && !words.back().empty()) words.emplace_back();
    if (letter) words.back().push_back(static_cast<char>(upper ? c - 'A' + 'a' : c));
  }
  return words;
}

bool has_word(std::string_view tool, std::span<const std::string_view> wanted) {
  const auto words = words_of(tool);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return any_of(word, wanted); });
}

constexpr std::array<std::string_view, 4> kListVerbs{"list", "search", "read", "find"};
constexpr std::array<std::string_view, 12> kActionVerbs{"send",   "edit",     "reply",  "delete",
                                                        "update", "download", "create", "add",
                                                        "remove", "set",      "move",   "write"};

bool all_objects(json::View array) {
  for (const json::View item : array.items()) {
    if (!item.is_object()) return false;
  }
  return true;
}

bool is_catalog(json::View array) {
  if (!array.is_array() || array.size() == 0) return false;
  for (const json::View item : array.items()) {
    const bool schema =
        item.find("inputSchema") || item.find("schema") || item.find("input_schema");
    if (!string_at(item, "name") || !schema) return false;
  }
  return true;
}

// The array a list answer is about: the only array of objects, else the first of them, else the
// first array of anything.
struct Arrays {
  std::string first_of_objects;
  std::string first;
  std::size_t of_objects = 0;
  bool any = false;
};
Arrays arrays_of(json::View object) {
  Arrays arrays;
  for (const json::Member& member : object.members()) {
    if (!member.value.is_array()) continue;
    if (!arrays.any) arrays.first = member.key.string();
    arrays.any = true;
    if (!all_objects(member.value)) continue;
    if (arrays.of_objects++ == 0) arrays.first_of_objects = member.key.string();
  }
  return arrays;
}

bool has_result_mark(json::View object) {
  if (!boolean_at(object, "success")) return false;
  for (const json::Member& member : object.members()) {
    const std::string key = member.key.string();
    if (key == "id" || key.ends_with("Id") || key.ends_with("_id") || key == "timestamp" ||
        key.ends_with("At") || key.ends_with("_at")) {
      return true;
    }
  }
  return false;
}

std::optional<Classified> as_catalog(std::string_view tool, json::View payload) {
  if (payload.is_array()) {
    if (tool == "mcp_list_tools" || is_catalog(payload)) return Classified{Shape::tool_catalog, ""};
    return std::nullopt;
  }
  const auto tools = array_at(payload, "tools");
  if (tools && (tool == "mcp_list_tools" || is_catalog(*tools))) {
    return Classified{Shape::tool_catalog, "tools"};
  }
  return std::nullopt;
}

}  // namespace

Classified classify(const Response& response) {
  if (response.failure) return {Shape::error, ""};
  if (!response.payload) return {response.shape.value_or(Shape::single), ""};
  const json::View payload = response.payload->view();
  const std::string& tool = response.tool.id;
  if (response.shape) {
    const bool list = *response.shape == Shape::list || *response.shape == Shape::tool_catalog;
    const Arrays arrays = list && payload.is_object() ? arrays_of(payload) : Arrays{};
    return {*response.shape, arrays.of_objects == 1 ? arrays.first_of_objects : ""};
  }
  if (response.wrapping == model::Wrapping::content) return {Shape::list, ""};
  if (const auto catalog = as_catalog(tool, payload)) return *catalog;
  if (payload.is_array()) return {Shape::list, ""};
  if (!payload.is_object()) return {Shape::single, ""};
  const Arrays arrays = arrays_of(payload);
  if (tool == "discord_list_channel_filters") return {Shape::list, arrays.first_of_objects};
  if (has_word(tool, kListVerbs) && arrays.any) {
    return {Shape::list, arrays.of_objects != 0 ? arrays.first_of_objects : arrays.first};
  }
  if (has_result_mark(payload) || has_word(tool, kActionVerbs)) return {Shape::action, ""};
  if (arrays.of_objects == 1) return {Shape::list, arrays.first_of_objects};
  return {Shape::single, ""};
}

bool is_partial_action(json::View payload) {
  bool succeeded = false;
  bool failed = false;
  for (const json::Member& member : payload.members()) {
    const auto count = member.value.integer();
    if (!count || *count <= 0) continue;
    const std::string key = to_lower(member.key.string());
    succeeded = succeeded || key.starts_with("success");
    failed = failed || key.starts_with("fail");
  }
  return succeeded && failed;
}

}  // namespace enfold::contract::detail
