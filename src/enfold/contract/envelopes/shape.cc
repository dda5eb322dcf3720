// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/envelopes/shape.h"

#include "enfold/base/text.h"
#include "enfold/contract/envelopes/members.h"

namespace enfold::contract::detail {
namespace {

using model::Response;
using model::Shape;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// discord_list_channels, discordListChannels and discord-list-channels are the same three words.
std::vector<std::string> words_of(std::string_view tool) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (const char c : tool) {
    const bool starts_word = is_upper(c) && !is_upper(before);
    if ((starts_word || !is_alphanumeric(c)) && !words.back().empty()) words.emplace_back();
    if (is_alphanumeric(c)) words.back().push_back(c);
    before = c;
  }
  for (std::string& word : words) word = to_lower(word);
  return words;
}

enum class Verb { none, list, listing, action };

// The first verb in the name decides: get_deleted_messages is no action.
Verb verb_of(std::string_view tool) {
  struct Known {
    std::string_view word;
    Verb verb;
  };
  constexpr std::array<Known, 19> known{{
      {"list", Verb::list},       {"search", Verb::listing}, {"read", Verb::listing},
      {"find", Verb::listing},    {"send", Verb::action},    {"edit", Verb::action},
      {"reply", Verb::action},    {"delete", Verb::action},  {"update", Verb::action},
      {"download", Verb::action}, {"create", Verb::action},  {"add", Verb::action},
      {"remove", Verb::action},   {"set", Verb::action},     {"move", Verb::action},
      {"get", Verb::none},        {"fetch", Verb::none},     {"show", Verb::none},
      {"describe", Verb::none},
  }};
  for (const std::string& word : words_of(tool)) {
    const auto* found = std::find_if(known.begin(), known.end(),
                                     [&](const Known& one) { return one.word == word; });
    if (found != known.end()) return found->verb;
  }
  return Verb::none;
}

// Only letters and digits in lower case, so that guild-members occurs in listGuildMembers.
std::string letters_and_digits(std::string_view name) {
  std::string out;
  std::copy_if(name.begin(), name.end(), std::back_inserter(out), is_alphanumeric);
  return to_lower(out);
}

bool holds_objects(json::View array) {
  for (const json::View item : array.items()) {
    if (!item.is_object()) return false;
  }
  return array.size() != 0;
}

bool is_catalog(json::View array) {
  if (array.size() == 0) return false;
  for (const json::View item : array.items()) {
    const bool schema = object_at(item, "inputSchema") || object_at(item, "schema") ||
                        object_at(item, "input_schema");
    if (!schema || !json::string_member(item, "name")) return false;
  }
  return true;
}

struct MainArray {
  std::string key;
  json::View value;
  bool named = false;  ///< its key occurs in the tool's name
};

// The only array that `accepts` returns true for; nullptr if there are none or several.
template <class Predicate>
const MainArray* only_match(const std::vector<MainArray>& arrays, Predicate&& accepts) {
  const auto first = std::find_if(arrays.begin(), arrays.end(), accepts);
  if (first == arrays.end()) return nullptr;
  return std::find_if(first + 1, arrays.end(), accepts) == arrays.end() ? &*first : nullptr;
}

std::optional<MainArray> main_array(json::View object, std::string_view tool) {
  constexpr std::array<std::string_view, 6> usual{"items",   "results", "data",
                                                  "records", "entries", "rows"};
  if (!object.is_object()) return std::nullopt;
  const std::string tool_text = letters_and_digits(tool);
  std::vector<MainArray> arrays;
  for (const json::Member& member : object.members()) {
    if (!member.value.is_array()) continue;
    const std::string key = member.key.string();
    const std::string name = letters_and_digits(key);
    const bool named = !name.empty() && tool_text.find(name) != std::string::npos;
    arrays.push_back({key, member.value, named});
  }
  const MainArray* found = only_match(arrays, [](const MainArray& one) { return one.named; });
  for (const std::string_view name : usual) {
    if (found == nullptr) {
      found = only_match(arrays, [&](const MainArray& one) { return one.key == name; });
    }
  }
  if (found == nullptr) {
    found = only_match(arrays, [](const MainArray& one) { return holds_objects(one.value); });
  }
  if (found == nullptr && arrays.size() == 1) found = &arrays.front();
  if (found == nullptr) return std::nullopt;
  // A duplicate key would lose all but the last value.
  std::size_t same = 0;
  for (const json::Member& member : object.members()) same += member.key.equals(found->key) ? 1 : 0;
  return same == 1 ? std::optional(*found) : std::nullopt;
}

bool has_result_mark(json::View object) {
  constexpr std::array<std::string_view, 5> endings{"Id", "ID", "_id", "At", "_at"};
  if (!boolean_at(object, "success")) return false;
  for (const json::Member& member : object.members()) {
    const std::string key = member.key.string();
    if (key == "id" || key == "timestamp") return true;
    const auto ends = [&](std::string_view ending) { return key.ends_with(ending); };
    if (std::any_of(endings.begin(), endings.end(), ends)) return true;
  }
  return false;
}

bool has_counter(json::View object) {
  for (const json::Member& member : object.members()) {
    const std::string key = member.key.string();
    if (key == "pagination" && member.value.is_object()) return true;
    const Counter counter = counter_of(key, member.value);
    if (counter != Counter::none && counter != Counter::before && counter != Counter::after) {
      return true;
    }
  }
  return false;
}

Classification classify_object(json::View object, std::string_view tool) {
  const Verb verb = verb_of(tool);
  const auto list = main_array(object, tool);
  if (list && (tool == "mcp_list_tools" || is_catalog(list->value))) {
    return {Shape::tool_catalog, list->key};
  }
  if (list && (verb == Verb::list || verb == Verb::listing)) return {Shape::list, list->key};
  if (verb == Verb::list && object.size() != 0) return {Shape::list, {}};
  if (verb == Verb::action || has_result_mark(object)) return {Shape::action, {}};
  if (list && (list->named || holds_objects(list->value)) &&
      (object.size() == 1 || has_counter(object))) {
    return {Shape::list, list->key};
  }
  return {Shape::single, {}};
}

bool is_list(Shape shape) { return shape == Shape::list || shape == Shape::tool_catalog; }

}  // namespace

Classification classify(const Response& response) {
  if (response.failure) return {Shape::error, {}};
  const std::string& tool = response.tool.id;
  const json::View payload = response.payload ? response.payload->view() : json::View();
  if (response.shape && *response.shape != Shape::error) {
    Classification out{*response.shape, {}};
    if (const auto list = is_list(out.shape) ? main_array(payload, tool) : std::nullopt) {
      out.list_key = list->key;
    }
    return out;
  }
  const bool blocks = response.wrapping == model::Wrapping::content;
  if (payload.is_object()) return classify_object(payload, tool);
  if (payload.is_array() && !blocks) {
    const bool catalog = tool == "mcp_list_tools" || is_catalog(payload);
    return {catalog ? Shape::tool_catalog : Shape::list, {}};
  }
  return {verb_of(tool) == Verb::action ? Shape::action : Shape::single, {}};
}

Counter counter_of(std::string_view key, json::View value) {
  struct Known {
    std::string_view name;
    Counter counter;
  };
  constexpr std::array<Known, 20> known{{
      {"offset", Counter::offset},     {"limit", Counter::limit},
      {"pageSize", Counter::limit},    {"page_size", Counter::limit},
      {"perPage", Counter::limit},     {"per_page", Counter::limit},
      {"hasMore", Counter::more},      {"has_more", Counter::more},
      {"nextOffset", Counter::next},   {"next_offset", Counter::next},
      {"nextCursor", Counter::next},   {"next_cursor", Counter::next},
      {"cursor", Counter::next},       {"before", Counter::before},
      {"after", Counter::after},       {"showing", Counter::returned},
      {"returned", Counter::returned}, {"returnedCount", Counter::returned},
      {"count", Counter::returned},    {"originalCount", Counter::total},
  }};
  const auto* found =
      std::find_if(known.begin(), known.end(), [&](const Known& one) { return one.name == key; });
  Counter counter = found != known.end() ? found->counter : Counter::none;
  if (key.starts_with("total") && key != "totalPages" && key != "total_pages") {
    const char next = key.size() > 5 ? key[5] : '_';
    if (next == '_' || is_upper(next)) counter = Counter::total;
  }
  switch (counter) {
    case Counter::more: return value.is_boolean() ? counter : Counter::none;
    case Counter::next: return value.is_number() || value.is_string() ? counter : Counter::none;
    case Counter::before:
    case Counter::after: return value.is_string() ? counter : Counter::none;
    default: return value.is_number() ? counter : Counter::none;
  }
}

bool counts_failures(json::View payload) {
  bool succeeded = false;
  bool failed = false;
  for (const json::Member& member : payload.members()) {
    if (!member.value.is_number()) continue;
    const std::string key = to_lower(member.key.string());
    succeeded = succeeded || key.starts_with("succe");
    failed = failed || (key.starts_with("fail") && member.value.real().value_or(1) > 0);
  }
  return succeeded && failed;
}

}  // namespace enfold::contract::detail
