// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/shape.h"

#include "enfold/base/text.h"
#include "enfold/contract/reading/failed_parts.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/contract/reading/pages/paging.h"
#include "enfold/contract/reading/words.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <optional>

namespace enfold::contract::detail {
namespace {

using model::Shape;

// Members around a payload that are not part of it. In the form of plain().
constexpr WordText kEnvelopeMembers(
    "success ok error errors err status statuscode code message msg responsemetadata jsonapi links "
    "jsonrpc requestid traceid correlationid timestamp time took timedout shards warnings warning "
    "meta metadata extensions version apiversion kind schemaversion toolname object etag included "
    "odatacontext odatacount maxscore class expand filter filters sort sortby orderby query q "
    "truncated cached cachehit duration durationms elapsed elapsedms source incompleteresults "
    "doingdeephistoricalindex selflink facets aggregations aggs columns fields columnnames schema "
    "fieldcount rowcount rowsaffected scannedcount consumedcapacity type id");

// Lists beside the main one that are never the items.
constexpr WordText kSideLists(
    "errors warnings notices links link columns fields columnnames facets included headers "
    "consumedcapacity sort filters schema suggestions hints failures failed rejected unprocessed");

// Members that hold the payload, beside members that are about it. kListWrappers: members inside
// which the list of the answer is searched.
constexpr WordText kWrappers("data result response payload output body item");
constexpr WordText kListWrappers(
    "embedded hits response result data message query payload body output");

// Usual names of the list that an answer is about, the better ones first.
constexpr WordText kUsualLists(
    "items results result data records entries rows values value list elements nodes edges "
    "documents docs hits objects matches content contents members resources");

// The tool of this name lists the tools of its server. A list in its answer is a catalog, whatever
// members its items have.
constexpr std::string_view kCatalogTool = "mcp_list_tools";

// The last word of a name; empty if the name has none, or ends in another character than a letter
// or digit.
std::string last_word(std::string_view name) { return words_of(name).back(); }

// Whether a list is not what the answer is about. An empty `messages` is about the call.
bool is_side_list(std::string_view name, json::View value) {
  if (!value.is_array()) return false;
  return has_word<kSideLists>(name) || (name == "messages" && value.size() == 0);
}

// Whether the array is not empty, and all its items are objects.
bool holds_objects(json::View array) {
  for (const json::View item : array.items()) {
    if (!item.is_object()) return false;
  }
  return array.size() != 0;
}

// Whether an item describes a tool: a name and a schema of the arguments, or {"type": "function",
// "function": tool}.
bool is_tool(json::View item) {
  if (const auto function = item.find("function")) return is_tool(*function);
  // The schema is looked for first, because most records have a name, and no schema.
  for (const std::string_view key : {"inputSchema", "schema", "input_schema", "parameters"}) {
    const auto schema = item.find(key);
    if (schema && schema->is_object()) return json::string_member(item, "name").has_value();
  }
  return false;
}

bool is_catalog(json::View array) {
  return array.size() != 0 && std::ranges::all_of(array.items(), is_tool);
}

/// A list that may be what the answer is about.
struct Candidate {
  std::string key;
  json::View value;
  bool named = false;  ///< its key occurs in the tool's name
};

// The only candidate that is accepted; nullptr: none is, or several are.
template <class Predicate>
const Candidate* the_only(const std::vector<Candidate>& all, Predicate&& accepts) {
  const auto first = std::find_if(all.begin(), all.end(), accepts);
  if (first == all.end()) return nullptr;
  return std::find_if(first + 1, all.end(), accepts) == all.end() ? &*first : nullptr;
}

// Whether the object has this key more than once.
bool is_duplicate(json::View object, std::string_view key) {
  return std::ranges::count_if(object.members(), [&](const json::Member& member) {
           return member.key.equals(key);
         }) > 1;
}

// The list that the answer is about among the members of `object`: one that the tool's name
// mentions, else one with a usual name, else the only list of objects, else the only list.
std::optional<Candidate> main_list(json::View object, std::string_view tool) {
  const std::string tool_text = plain(tool);
  std::vector<Candidate> lists;
  for (const json::Member& member : object.members()) {
    if (!member.value.is_array()) continue;
    const std::string key = member.key.string();
    const std::string name = plain(key);
    const bool named = !name.empty() && tool_text.find(name) != std::string::npos;
    if (!named && is_side_list(name, member.value) && object.size() > 1) continue;
    lists.push_back({key, member.value, named});
  }
  const Candidate* found = the_only(lists, [](const Candidate& one) { return one.named; });
  for (std::string_view names = kUsualLists.view(); !names.empty() && found == nullptr;) {
    const std::string_view name = names.substr(0, names.find(' '));
    found = the_only(lists, [&](const Candidate& one) { return plain(one.key) == name; });
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  if (found == nullptr) {
    found = the_only(lists, [](const Candidate& one) { return holds_objects(one.value); });
  }
  if (found == nullptr && lists.size() == 1) found = &lists.front();
  if (found == nullptr || is_duplicate(object, found->key)) return std::nullopt;
  return *found;
}

// Whether a member is not part of the payload: flags, paging, versions. `rpc`: in a JSON-RPC
// response, where `id` is the number of the call.
bool is_around(const json::Member& member, bool rpc) {
  const std::string name = plain(member.key.string());
  const std::string_view key = name;  // compares faster with a literal
  if (is_paging_member(key, member.value)) return true;
  if (key == "id" || key == "type") return rpc && !member.value.is_container();
  if (key == "message" && member.value.is_object()) return false;
  // message-version, api_version: which form the answer has.
  if (key.ends_with("version") && !member.value.is_container()) return true;
  return has_word<kEnvelopeMembers>(key);
}

/// Members of an object that are neither flags nor paging.
std::vector<json::Member> content_members(json::View object) {
  std::vector<json::Member> out;
  const bool rpc = is_rpc(object);
  for (const json::Member& member : object.members()) {
    if (member.value.is_null()) continue;
    if (!is_around(member, rpc)) out.push_back(member);
  }
  return out;
}

// Whether an object says how the call went, so that it wraps what the call returned.
bool is_flagged(json::View object) {
  return object.find("ok") || object.find("success") || object.find("jsonrpc") ||
         object.find("ResponseMetadata");
}

bool says_call_succeeded(json::View object) {
  const auto status = json::string_member(object, "status");
  return is_flagged(object) ||
         (status && has_word<"ok success succeeded successful">(to_lower(*status)));
}

// Whether a member beside a wrapper may be ignored: an empty container, or a member such as
// `message-type`, which is about `message`.
bool is_negligible(const json::Member& member, json::View object) {
  if (member.value.is_container()) return member.value.size() == 0;
  const std::string name = member.key.string();
  return std::ranges::any_of(object.members(), [&](const json::Member& other) {
    const std::string wrapper = other.key.string();
    return other.value.is_object() && name.size() > wrapper.size() && name.starts_with(wrapper) &&
           last_word(name) == "type";
  });
}

constexpr std::size_t kMaxMembersBeside = 32;  // an object with more is no wrapper

// The one member that holds the payload beside flags; nullopt: the object is the payload.
std::optional<json::Member> only_content(json::View object) {
  auto content = content_members(object);
  if (content.size() > 1 && content.size() <= kMaxMembersBeside) {
    std::erase_if(content, [&](const json::Member& one) { return is_negligible(one, object); });
  }
  if (content.size() != 1) return std::nullopt;
  const std::string key = plain(content[0].key.string());
  if (is_duplicate(object, content[0].key.string())) return std::nullopt;
  if (has_word<kWrappers>(key)) return content[0];
  if (key == "message" && says_call_succeeded(object)) return content[0];
  return is_flagged(object) && content[0].value.is_object() ? std::optional(content[0])
                                                            : std::nullopt;
}

struct FoundList {
  std::vector<std::string> path;
  Candidate list;
};

// Whether a list holds records, or has a usual name of such lists. The list of words in an echoed
// query, for example, does neither.
bool is_main(const Candidate& list) {
  const std::string key = plain(list.key);
  return list.named || holds_objects(list.value) || has_word<kUsualLists>(key) ||
         key.ends_with("list") || key.ends_with("ids");
}

// The list that the answer is about, in the object or up to three levels below.
std::optional<FoundList> find_list(json::View object, std::string_view tool, int depth = 0) {
  if (!object.is_object() || depth > 3) return std::nullopt;
  if (auto list = main_list(object, tool)) {
    return FoundList{{list->key}, *list};
  }
  const auto descend = [&](std::string key, json::View value) -> std::optional<FoundList> {
    auto found = find_list(value, tool, depth + 1);
    if (found) found->path.insert(found->path.begin(), std::move(key));
    return found;
  };
  const auto content = content_members(object);
  if (content.size() == 1 && content[0].value.is_object() &&
      !is_duplicate(object, content[0].key.string())) {
    if (auto found = descend(content[0].key.string(), content[0].value)) return found;
  }
  for (const json::Member& member : object.members()) {
    const std::string key = member.key.string();
    if (!has_word<kListWrappers>(plain(key)) || is_duplicate(object, key)) continue;
    auto found = descend(key, member.value);
    if (found && is_main(found->list)) return found;
  }
  if (depth > 0 || (verb_of(tool) != Verb::list && verb_of(tool) != Verb::search)) {
    return std::nullopt;
  }
  // If all members with content are objects, and exactly one member holds a main list: that list.
  if (std::ranges::any_of(content,
                          [](const json::Member& one) { return !one.value.is_object(); })) {
    return std::nullopt;
  }
  std::optional<FoundList> only;
  for (const json::Member& member : object.members()) {
    auto found = descend(member.key.string(), member.value);
    if (!found || !is_main(found->list)) continue;
    if (only) return std::nullopt;
    only = std::move(found);
  }
  return only;
}

// Whether nothing beside the list, at each level of its path, is content. No content: flags,
// paging, null, side lists, and empty lists with the same last word (`archived_tasks` beside
// `tasks`).
bool has_no_content_beside(const FoundList& found, json::View root) {
  json::View object = root;
  for (const std::string& key : found.path) {
    for (const json::Member& member : content_members(object)) {
      const std::string name = plain(member.key.string());
      if (member.key.equals(key) || member.value.is_null()) continue;
      if (is_side_list(name, member.value)) continue;
      const bool same_last_word = last_word(member.key.string()) == last_word(key);
      if (member.value.is_array() && member.value.size() == 0 && same_last_word) continue;
      return false;
    }
    object = object.find(key).value_or(json::View());
  }
  return true;
}

// Whether a member beside the list, at any level of its path, is about pages.
bool has_paging(const FoundList& found, json::View root) {
  json::View object = root;
  for (const std::string& key : found.path) {
    for (const json::Member& member : object.members()) {
      if (is_paging_member(plain(member.key.string()), member.value)) return true;
    }
    object = object.find(key).value_or(json::View());
  }
  return false;
}

// Whether an object around the list has an id or a name, so that the answer is about that thing.
bool is_about_thing(const FoundList& found, json::View root) {
  json::View object = root;
  for (const std::string& key : found.path) {
    for (const json::Member& member : object.members()) {
      if (has_word<"id uuid key name title sku slug">(plain(member.key.string())) &&
          !member.value.is_container()) {
        return true;
      }
    }
    object = object.find(key).value_or(json::View());
  }
  return false;
}

// Whether the list is inside the thing that the tool names: get_trace answers {"trace": {"spans":
// […]}}, which is one trace.
bool is_in_named_thing(const FoundList& found, json::View root, std::string_view tool) {
  const std::string named = last_word(tool);
  if (named.empty()) return false;  // plain() of a key in another script is empty too
  json::View object = root;
  for (const std::string& key : found.path) {
    object = object.find(key).value_or(json::View());
    const bool singular = !key.ends_with('s');
    if (object.is_object() && singular && named == plain(key)) return true;
  }
  return false;
}

// Whether an object says that it is a list: {"object": "list"} of Stripe and Notion, kind PodList
// of Kubernetes.
bool says_list(json::View object) {
  const std::string kind = json::string_member(object, "kind").value_or("");
  return json::string_member(object, "object") == "list" || kind.ends_with("List");
}

// Whether `success` is beside an id or a time, as in the answer of an action.
bool has_result_mark(json::View object) {
  if (!object.find("success") || object.find("success")->is_container()) return false;
  return std::ranges::any_of(object.members(), [](const json::Member& member) {
    const std::string key = member.key.string();
    return key == "id" || key == "timestamp" || key.ends_with("Id") || key.ends_with("ID") ||
           key.ends_with("_id") || key.ends_with("At") || key.ends_with("_at");
  });
}

// Whether a sentence of a tool that lists or searches says that there are no items: "No channels
// found".
bool says_no_items(std::string_view sentence) {
  const std::string lower = to_lower(sentence);
  for (const std::string_view start : {"no ",
                                       "0 ",
                                       "zero ",
                                       "none",
                                       "nothing",
                                       "there are no ",
                                       "there is no ",
                                       "there were no ",
                                       "there are currently no ",
                                       "you have no ",
                                       "you don't have any ",
                                       "found 0 ",
                                       "found no ",
                                       "keine",
                                       "nichts",
                                       "es gibt keine",
                                       "es wurden keine",
                                       "aucun",
                                       "il n'y a aucun",
                                       "rien",
                                       "ningun",
                                       "ningún",
                                       "sin resultados",
                                       "no hay ",
                                       "nenhum",
                                       "não há ",
                                       "sem resultados",
                                       "nessun",
                                       "non ci sono ",
                                       "geen ",
                                       "er zijn geen ",
                                       "brak ",
                                       "nie znaleziono",
                                       "ничего",
                                       "Ничего",
                                       "нет ",
                                       "Нет ",
                                       "没有",
                                       "未找到",
                                       "暂无",
                                       "無",
                                       "없음"}) {
    if (lower.starts_with(start)) return true;
  }
  // Japanese and Korean have these words after the subject.
  const auto holds = [&](std::string_view text) { return lower.find(text) != std::string::npos; };
  return holds("ありません") || holds("見つかりませんでした") || holds("없습니다");
}

// Whether an object of a list tool says that there are no items: {"message": "No channels found"}.
bool says_no_items(json::View object) {
  const auto message = json::string_member(object, "message");
  return message && content_members(object).empty() && says_no_items(std::string_view(*message));
}

// The payload is the whole answer.
ShapeReading whole(Shape shape, std::string reason) {
  return {.shape = shape, .path = {}, .reason = std::move(reason)};
}

// The payload is the list that was found.
ShapeReading found_in(const FoundList& found, Shape shape, std::string reason) {
  return {.shape = shape, .path = found.path, .reason = std::move(reason)};
}

// A list without items; a message says so in place of the list.
ShapeReading no_items(std::string reason) {
  return {.shape = Shape::list, .path = {}, .is_empty_list = true, .reason = std::move(reason)};
}

// The payload is the one member beside flags, else the whole object.
ShapeReading one_thing(json::View object, Shape shape, std::string reason) {
  ShapeReading out = whole(shape, std::move(reason));
  if (const auto content = only_content(object)) out.path = {content->key.string()};
  return out;
}

ShapeReading shape_of_object(json::View object, std::string_view tool) {
  const Verb verb = verb_of(tool);
  const auto found = find_list(object, tool);
  if (found && (tool == kCatalogTool || is_catalog(found->list.value))) {
    return found_in(*found, Shape::tool_catalog, "the items have names and input schemas");
  }
  if (found && says_list(object))
    return found_in(*found, Shape::list, "the answer says that it is a list");
  if (found && verb == Verb::list) return found_in(*found, Shape::list, "the tool lists");
  if (verb == Verb::list || verb == Verb::search) {
    if (says_no_items(object)) return no_items("a message says that there are none");
  }
  const bool list_is_answer =
      found && has_no_content_beside(*found, object) && !is_in_named_thing(*found, object, tool);
  if (found && verb == Verb::search && (list_is_answer || !is_about_thing(*found, object))) {
    return found_in(*found, Shape::list, "the tool searches, and the answer holds a list");
  }
  if (found && verb == Verb::run && !is_about_thing(*found, object) &&
      !has_statuses(found->list.value) &&
      has_word<"rows records results items">(plain(found->list.key))) {
    return found_in(*found, Shape::list, "the answer is a table of rows");
  }
  if (verb == Verb::list && object.size() != 0) return whole(Shape::list, "the tool lists");
  if (verb == Verb::action || verb == Verb::run)
    return one_thing(object, Shape::action, "the tool acts");
  if (found && found->list.named && list_is_answer) {
    return found_in(*found, Shape::list, "the list has the name that the tool has");
  }
  if (has_result_mark(object))
    return one_thing(object, Shape::action, "success beside an id or a time");
  const bool is_list =
      found &&
      ((list_is_answer && is_main(found->list)) ||
       (has_paging(*found, object) &&
        (list_is_answer || (holds_objects(found->list.value) && !is_about_thing(*found, object)))));
  if (is_list) {
    return found_in(*found, Shape::list, "a list, and nothing beside it but paging");
  }
  return one_thing(object, Shape::single, "one object");
}

}  // namespace

std::vector<std::string> list_in(json::View data, std::string_view tool) {
  auto found = find_list(data, tool);
  return found ? std::move(found->path) : std::vector<std::string>();
}

json::View at_path(json::View data, const std::vector<std::string>& path) {
  for (const std::string& key : path) data = data.find(key).value_or(json::View());
  return data;
}

bool answers_with_rows(std::string_view tool) {
  const Verb verb = verb_of(tool);
  const std::vector<std::string> words = words_of(tool);
  const auto has = [&](std::string_view any) {
    return std::ranges::any_of(words, [&](const std::string& one) { return has_word(any, one); });
  };
  if (has("file document text content attachment resource")) return false;
  return verb == Verb::list || verb == Verb::search || (verb == Verb::run && has("sql query"));
}

ShapeReading shape_of(json::View data, std::string_view tool) {
  if (data.is_object()) return shape_of_object(data, tool);
  if (data.is_array()) {
    const bool catalog = tool == kCatalogTool || is_catalog(data);
    return whole(catalog ? Shape::tool_catalog : Shape::list, "the answer is an array");
  }
  const Verb verb = verb_of(tool);
  constexpr std::size_t longest_sentence = 120;
  const bool is_sentence = data.is_string() && data.string_source().size() <= longest_sentence &&
                           data.string_source().find("\\n") == std::string_view::npos;
  if (is_sentence && (verb == Verb::list || verb == Verb::search) && says_no_items(data.string())) {
    return no_items("a sentence says that there are none");
  }
  return verb == Verb::action || verb == Verb::run ? whole(Shape::action, "the tool acts")
                                                   : whole(Shape::single, "one value");
}

}  // namespace enfold::contract::detail
