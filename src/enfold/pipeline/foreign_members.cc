// SPDX-License-Identifier: Apache-2.0
#include "enfold/pipeline/foreign_members.h"

#include "enfold/pipeline/original.h"

#include <algorithm>
#include <array>

namespace enfold::pipeline {
namespace {

// A message that is no result of a call is a payload as a whole.
bool holds_answer(json::View result) {
  for (const json::Member& member : result.members()) {
    if (is_member_of_answers(member.key)) return true;
  }
  return false;
}

}  // namespace

bool is_member_of_answers(json::View key) {
  constexpr std::array<std::string_view, 4> known{"content", "structuredContent", "isError",
                                                  "resultType"};
  return std::any_of(known.begin(), known.end(),
                     [&](std::string_view name) { return key.equals(name); });
}

std::vector<json::Member> foreign_members(const Understood& answer) {
  std::vector<json::Member> found;
  if (answer.from != contract::Id::mcp || answer.made_here) return found;
  const json::Value result = stored_value(answer);  // a part of the answer, which keeps it
  const auto type = result->find("resultType");
  const bool finished = !type || type->equals("complete");
  if (!finished || !holds_answer(result.view())) return found;
  for (const json::Member& member : result->members()) {
    if (!is_member_of_answers(member.key)) found.push_back(member);
  }
  return found;
}

json::Output with_members(json::Output result, const std::vector<json::Member>& members) {
  if (members.empty()) return result;
  json::Writer writer;
  writer.begin_object().splice_members(std::move(result));
  for (const json::Member& member : members) writer.key(member.key).value(member.value);
  writer.end_object();
  return std::move(writer).finish();
}

}  // namespace enfold::pipeline
