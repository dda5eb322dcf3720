// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/declare/problems.h"

#include "enfold/json/pointer.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace enfold::tools {
namespace {

constexpr std::size_t kMostShown = 40;  // bytes of a value in a message
constexpr std::size_t kMostKept = 100;  // problems; a failure names fewer

// The beginning of a value, for a message.
std::string shown(json::View found) { return std::string(found.raw().substr(0, kMostShown)); }

// X of a message "expected X, found Y" or "expected X"; any other message as it is. The report adds
// the other words itself.
std::string_view expectation(std::string_view message) {
  constexpr std::string_view opening = "expected ";
  if (message.starts_with(opening)) message.remove_prefix(opening.size());
  return message.substr(0, message.rfind(", found "));
}

// Adds the problem, unless there are kMostKept.
void keep(std::vector<Problem>& problems, Problem problem) {
  if (problems.size() < kMostKept) problems.push_back(std::move(problem));
}

// The schema of the member or item that `token` names; null: none describes it.
json::View schema_below(json::View schema, const std::string& token) {
  const auto properties = schema.find("properties");
  if (const auto named = properties ? properties->find(token) : std::nullopt) return *named;
  for (const char* const other : {"items", "additionalProperties"}) {
    if (const auto inner = schema.find(other)) return *inner;
  }
  return {};
}

// The steps from the arguments to the place of the problem, a missing member included.
std::vector<std::string> tokens_of(const Problem& problem) {
  const Result<json::Pointer> pointer = json::Pointer::parse(problem.place);
  std::vector<std::string> tokens = pointer ? pointer->tokens() : std::vector<std::string>{};
  if (problem.kind == schema::Violation::Kind::missing_member) tokens.push_back(problem.member);
  return tokens;
}

// The index of a list that the token is; nullopt: it is none.
std::optional<std::size_t> index_of(std::string_view token) {
  std::size_t index = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool is_index = read.ec == std::errc() && read.ptr == token.data() + token.size();
  return is_index ? std::optional(index) : std::nullopt;
}

// A key for sorting by the declaration, with one number for each step into the arguments: the index
// of the member in the schema, or of the item in its list; for an unknown member the largest
// number.
std::vector<std::size_t> position_of(const Problem& problem, json::View root) {
  constexpr std::size_t after_all = std::string::npos;
  std::vector<std::size_t> position;
  json::View schema = root;
  for (const std::string& token : tokens_of(problem)) {
    schema = followed(schema, root);
    const std::vector<std::string> names = members_of(schema);
    const auto named = std::ranges::find(names, token);
    if (named != names.end()) {
      position.push_back(static_cast<std::size_t>(named - names.begin()));
    } else {
      position.push_back(index_of(token).value_or(after_all));
    }
    schema = schema_below(schema, token);
  }
  return position;
}

}  // namespace

Problem problem_of(const schema::Violation& violation) {
  return {violation.instance,
          violation.expected,
          violation.found,
          violation.kind,
          violation.member,
          violation.schema.substr(std::min(violation.schema.find('#'), violation.schema.size())),
          {}};
}

json::View followed(json::View schema, json::View root) {
  const auto reference = schema.find("$ref");
  if (!reference || !reference->is_string()) return schema;
  const std::string text = reference->string();
  const auto pointer = json::Pointer::parse(std::string_view(text).substr(text.find('#') + 1));
  return pointer ? pointer->resolve(root).value_or(json::View()) : json::View();
}

json::View schema_at(json::View schema, const std::vector<std::string>& tokens) {
  const json::View root = schema;
  for (const std::string& token : tokens) schema = schema_below(followed(schema, root), token);
  return followed(schema, root);
}

std::vector<std::string> members_of(json::View schema) {
  std::vector<std::string> names;
  if (const auto properties = schema.find("properties")) {
    for (const json::Member& member : properties->members()) names.push_back(member.key.string());
  }
  return names;
}

void sort_as_declared(std::vector<Problem>& problems, json::View schema) {
  std::vector<std::pair<std::vector<std::size_t>, Problem>> placed;
  placed.reserve(problems.size());
  for (Problem& problem : problems) {
    std::vector<std::size_t> position = position_of(problem, schema);
    placed.emplace_back(std::move(position), std::move(problem));
  }
  std::ranges::stable_sort(placed, {}, &decltype(placed)::value_type::first);
  problems.clear();
  for (auto& [position, problem] : placed) problems.push_back(std::move(problem));
}

void Problems::add_found(std::string_view field, std::string_view expected,
                         const json::Value& received, std::string_view constraint) {
  std::string place(field.empty() ? "" : "/");
  place += field;
  std::replace(place.begin(), place.end(), '.', '/');
  Problem problem{place_ + place, std::string(expectation(expected)), "missing"};
  const auto pointer = json::Pointer::parse(place);
  const auto sent = pointer ? pointer->resolve(sent_) : std::nullopt;
  if (sent || !received->is_null()) {
    problem.found = shown(received->is_null() ? *sent : received.view());
  }
  problem.rule = "#/";
  problem.rule += constraint;
  problem.received = received;
  keep(*out_, std::move(problem));
}

namespace detail {

void add_unread(std::vector<Problem>& problems, const std::string& place, std::string_view expected,
                json::View found, std::string_view rule) {
  const bool is_reported = std::ranges::any_of(problems, [&](const Problem& one) {
    return one.place.starts_with(place) &&
           (one.place.size() == place.size() || one.place[place.size()] == '/');
  });
  if (is_reported) return;
  Problem problem{place, std::string(expectation(expected)), shown(found)};
  problem.rule = "#/";
  problem.rule += rule;
  keep(problems, std::move(problem));
}

bool is_missing(const std::vector<Problem>& problems, const std::string& place,
                std::string_view member) {
  return std::ranges::any_of(problems, [&](const Problem& one) {
    return one.kind == schema::Violation::Kind::missing_member && one.place == place &&
           one.member == member;
  });
}

}  // namespace detail
}  // namespace enfold::tools
