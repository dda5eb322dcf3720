// SPDX-License-Identifier: Apache-2.0
#include "enfold/pipeline/retrieve_records.h"

#include "enfold/base/suggest.h"
#include "enfold/base/utf8.h"
#include "enfold/contract/contract.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <unordered_set>

namespace enfold::pipeline {
namespace {

constexpr std::array<std::string_view, 18> kUsualIds{
    "id",   "_id",  "key", "uuid", "guid", "number", "iid",  "sha",   "hash",
    "slug", "path", "uri", "url",  "file", "name",   "code", "title", "label"};

bool is_result(json::View archived) {
  if (!archived.is_object()) return false;
  const auto content = archived.find("content");
  return archived.find("structuredContent") || (content && content->is_array());
}

std::string below(const std::string& pointer, std::string_view token) {
  std::string longer = pointer;
  json::append_token(longer, token);
  return longer;
}

bool selects(const Range& range, std::size_t position) {
  return position >= range.first && (!range.last || position <= *range.last);
}

/// Calls `use(token, child)` for the items or members of a container.
template <class Use>
void each_child(json::View container, Use use) {
  std::size_t position = 0;
  if (container.is_array()) {
    for (const json::View item : container.items()) use(std::to_string(position++), item);
  } else {
    for (const json::Member& member : container.members()) use(member.key.string(), member.value);
  }
}

using Tokens = std::span<const std::string>;

void expand(Place here, Tokens tokens, Located& found) {
  for (; !tokens.empty(); tokens = tokens.subspan(1)) {
    const std::string& token = tokens.front();
    if (const auto child = json::Pointer({token}).resolve(here.value)) {
      here = {below(here.pointer, token), *child, std::nullopt};
      continue;
    }
    const std::optional<Range> range =
        token.find("..") != std::string::npos ? read_range(token) : std::nullopt;
    if (range && range->last && *range->last < range->first) return;
    if (range && here.value.is_string() && tokens.size() == 1) {
      here = {below(here.pointer, token), here.value, range};
      continue;
    }
    if (!here.value.is_container() || (token != "*" && !range)) return;
    found.several = true;
    std::size_t position = 0;
    each_child(here.value, [&](const std::string& name, json::View child) {
      if (!range || selects(*range, position)) {
        expand({below(here.pointer, name), child, std::nullopt}, tokens.subspan(1), found);
      }
      ++position;
    });
    return;
  }
  found.places.push_back(std::move(here));
}

Located expanded(json::View root, Tokens tokens, std::string prefix = {}) {
  Located found;
  expand({std::move(prefix), root, std::nullopt}, tokens, found);
  return found;
}

// Envelopes put a payload that is no object under a name; whoever read that will use it.
bool is_wrapping(json::View payload, std::string_view name) {
  if (payload.is_array()) return name == "items" || name == "content";
  return !payload.is_object() && (name == "result" || name == "text");
}

Located in_payload(json::View payload, Tokens tokens) {
  Located found = expanded(payload, tokens);
  if (!found.places.empty() || tokens.empty()) return found;
  if (is_wrapping(payload, tokens[0])) {
    found = expanded(payload, tokens.subspan(1), below("", tokens[0]));
  }
  return found;
}

constexpr std::string_view kResult = "/result";

// Members of a result that a place may begin with without more.
bool is_of_result(std::string_view name) {
  return name == "content" || name == "structuredContent";
}

// How many names it takes to mean the whole result: one more than lead anywhere in the payload, or
// in the result itself.
std::size_t result_names(const Opened& opened) {
  std::vector<std::string> names{"result"};
  while (!in_payload(opened.payload.view(), names).places.empty() ||
         !expanded(opened.result.view(), names).places.empty()) {
    names.emplace_back("result");
  }
  return names.size();
}

Located behind_result_names(const Opened& opened, Tokens tokens) {
  std::string prefix;
  for (std::size_t i = result_names(opened); i > 0; --i, tokens = tokens.subspan(1)) {
    if (tokens.empty() || tokens.front() != "result") return {};
    prefix += kResult;
  }
  return expanded(opened.result.view(), tokens, std::move(prefix));
}

// Named as places of the answer, so that they lead there again.
Located in_result(const Opened& opened, Tokens tokens, const std::string& pointer) {
  std::string prefix = place_in_result(opened, pointer);
  prefix.resize(prefix.size() - pointer.size());
  return expanded(opened.result.view(), tokens, std::move(prefix));
}

std::string names_in(json::View object, std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  for (const json::Member& member : object.members()) names.push_back(member.key.string());
  const std::size_t shown = std::min(most, names.size());
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > shown) text += ", …";
  return text;
}

// Goes as far as the pointer leads and says what stands there instead. Of several places the first
// one speaks for all.
tl::unexpected<Error> nothing_at(json::View root, Tokens tokens) {
  Place here{"", root, std::nullopt};
  std::string message;
  std::string hint;
  for (const std::string& token : tokens) {
    const Located next = expanded(here.value, Tokens(&token, 1), here.pointer);
    if (!next.places.empty() && !next.places.front().lines) {
      here = next.places.front();
      continue;
    }
    if (here.value.is_object()) {
      std::vector<std::string> names;
      const std::string listed = names_in(here.value, names);
      message = fmt::format("expected a member {}, found an object with {}", json::quote(token),
                            names.empty() ? std::string("no members") : "the members " + listed);
      const std::string near = nearest_name(token, names);
      if (!near.empty()) hint = fmt::format("did you mean {}?", below(here.pointer, near));
    } else if (here.value.is_array()) {
      message = fmt::format("expected an item of a list of {}, found {}", here.value.size(),
                            json::quote(token));
      if (here.value.size() > 0) {
        hint = fmt::format("items are {}/0 to {}/{}", here.pointer, here.pointer,
                           here.value.size() - 1);
      }
    } else {
      message = fmt::format("expected an object or a list with {}, found {}", json::quote(token),
                            json::name(here.value.kind()));
    }
    break;
  }
  if (message.empty()) message = "expected something there, found nothing";
  return fail(ErrorCode::not_found, std::move(message),
              here.pointer.empty() ? std::string("the payload") : here.pointer, std::move(hint));
}

template <class Want>
void collect(const Place& here, Want want, std::vector<RecordList>& lists) {
  if (want(here, lists) || !here.value.is_object()) return;
  for (const json::Member& member : here.value.members()) {
    if (!member.value.is_container()) continue;
    collect({below(here.pointer, member.key.string()), member.value, std::nullopt}, want, lists);
  }
}

bool take_array(const Place& here, std::vector<RecordList>& lists) {
  if (!here.value.is_array()) return false;
  lists.push_back({here.pointer, here.value, RecordList::Kind::items});
  return true;
}

bool take_map(const Place& here, std::vector<RecordList>& lists) {
  if (!here.value.is_object() || here.value.size() < 2) return false;
  for (const json::Member& member : here.value.members()) {
    if (!member.value.is_object()) return false;
  }
  lists.push_back({here.pointer, here.value, RecordList::Kind::members});
  return true;
}

void collect_all(const Place& here, std::vector<RecordList>& lists) {
  if (!here.value.is_container()) return;
  if (here.value.is_array()) {
    lists.push_back({here.pointer, here.value, RecordList::Kind::items});
  }
  each_child(here.value, [&](const std::string& name, json::View child) {
    if (child.is_container()) collect_all({below(here.pointer, name), child, std::nullopt}, lists);
  });
}

bool names_every_record(json::View list, std::string_view member) {
  std::unordered_set<std::string_view> seen;
  for (const json::View item : list.items()) {
    const auto value = item.is_object() ? item.find(member) : std::nullopt;
    if (!value || !(value->is_string() || value->is_number())) return false;
    if (!seen.insert(value->raw()).second) return false;
  }
  return !seen.empty();
}

}  // namespace

Result<Opened> open_archived(json::View archived, std::optional<ReadAs> read,
                             const Limits& limits) {
  if (!read) {
    read = ReadAs{is_result(archived) ? contract::Id::mcp : contract::detect(archived)};
  }
  const contract::Id id = read->contract;
  if (read->own) return open_own(id, json::Value(archived));
  Result<contract::Reading> reading = contract::read(
      id, archived, {.honour_root_failure = read->honour_root_failure, .limits = limits});
  if (!reading) return tl::unexpected(reading.error());
  return opened_as(reading->response, id, json::Value(archived));
}

Opened open_own(contract::Id id, json::Value result) {
  const auto payload =
      id == contract::Id::mcp ? result->find("structuredContent") : std::optional<json::View>();
  return {result, payload ? json::Value(*payload) : result};
}

Opened opened_as(const model::Response& response, contract::Id id, json::Value result) {
  Opened opened{result, std::move(result)};
  if (response.payload) {
    opened.payload = *response.payload;
  } else if (response.failure && id == contract::Id::mcp) {
    // The lone text of a failed result is its message, and all there is to retrieve.
    opened.payload = json::string_value(response.failure->message);
  }
  return opened;
}

std::string place_in_result(const Opened& opened, const std::string& pointer) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  const bool plain = parsed && !parsed->tokens().empty() && is_of_result(parsed->tokens()[0]) &&
                     in_payload(opened.payload.view(), parsed->tokens()).places.empty();
  if (plain) return pointer;
  std::string place;
  for (std::size_t i = result_names(opened); i > 0; --i) place += kResult;
  return place + pointer;
}

Result<Located> locate(const Opened& opened, const std::string& pointer, bool raw_result) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  if (!parsed) return tl::unexpected(parsed.error());
  const Tokens tokens(parsed->tokens());
  const json::View payload = opened.payload.view();
  const json::View result = opened.result.view();
  Located found = raw_result ? in_result(opened, tokens, pointer) : in_payload(payload, tokens);
  if (!raw_result && found.places.empty() && !tokens.empty()) {
    if (is_of_result(tokens[0])) {
      found = expanded(result, tokens);
    } else if (tokens[0] == "data") {
      found = in_payload(payload, tokens.subspan(1));
    } else if (tokens[0] == "result") {
      found = behind_result_names(opened, tokens);
    }
  }
  // `*` of an empty list is an answer; a range beside its list is not.
  const bool of_nothing = found.several && !tokens.empty() && tokens.back() == "*";
  if (found.places.empty() && !of_nothing) {
    return nothing_at(raw_result ? result : payload, tokens);
  }
  return found;
}

std::vector<RecordList> record_lists(const Place& root) {
  std::vector<RecordList> lists;
  collect(root, take_array, lists);
  if (lists.empty()) collect(root, take_map, lists);
  if (lists.empty()) lists.push_back({root.pointer, root.value, RecordList::Kind::itself});
  return lists;
}

std::vector<RecordList> all_lists(const Place& root) {
  std::vector<RecordList> lists;
  collect_all(root, lists);
  if (!lists.empty()) return lists;
  return record_lists(root);
}

RecordList main_list(const Place& root) {
  std::vector<RecordList> lists = record_lists(root);
  return *std::max_element(
      lists.begin(), lists.end(),
      [](const RecordList& a, const RecordList& b) { return a.value.size() < b.value.size(); });
}

void each_record(const RecordList& list, const std::function<bool(const Record&)>& use) {
  Record record;
  if (list.kind == RecordList::Kind::itself) {
    record.value = list.value;
    use(record);
  } else if (list.kind == RecordList::Kind::items) {
    for (const json::View item : list.value.items()) {
      record.value = item;
      if (!use(record)) return;
      ++record.position;
    }
  } else {
    for (const json::Member& member : list.value.members()) {
      record.key = member.key;
      record.value = member.value;
      if (!use(record)) return;
      ++record.position;
    }
  }
}

Place place_of(const RecordList& list, const Record& record) {
  switch (list.kind) {
    case RecordList::Kind::items:
      return {fmt::format("{}/{}", list.pointer, record.position), record.value, std::nullopt};
    case RecordList::Kind::members:
      return {below(list.pointer, record.key.string()), record.value, std::nullopt};
    case RecordList::Kind::itself: break;
  }
  return {list.pointer, record.value, std::nullopt};
}

std::string id_member(const RecordList& list) {
  if (list.kind != RecordList::Kind::items) return {};
  for (const std::string_view member : kUsualIds) {
    if (names_every_record(list.value, member)) return std::string(member);
  }
  return {};
}

bool is_usual_id(std::string_view member) {
  return std::find(kUsualIds.begin(), kUsualIds.end(), member) != kUsualIds.end();
}

std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return starts;
}

std::string_view lines_of(std::string_view text, const Range& range) {
  const std::vector<std::size_t> starts = line_starts(text);
  if (range.first >= starts.size()) return {};
  const std::size_t begin = starts[range.first];
  const bool to_end = !range.last || *range.last >= starts.size() - 1;
  return text.substr(begin, (to_end ? text.size() : starts[*range.last + 1]) - begin);
}

std::string_view characters_of(std::string_view text, const Range& range) {
  std::size_t at = 0;
  std::size_t position = 0;
  for (; at < text.size() && position < range.first; ++position) (void)utf8::next(text, at);
  const std::size_t begin = at;
  for (; at < text.size() && selects(range, position); ++position) (void)utf8::next(text, at);
  return text.substr(begin, at - begin);
}

}  // namespace enfold::pipeline
