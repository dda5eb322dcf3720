// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/foreign_members.h"

#include "enfold/answer/original.h"
#include "enfold/model/content.h"

namespace enfold::answer {
namespace {

// A message that is no result of a call is a payload as a whole.
bool holds_answer(json::View result) {
  for (const json::Member& member : result.members()) {
    if (model::is_answer_member(member.key)) return true;
  }
  return false;
}

}  // namespace

std::vector<json::Member> foreign_members(const Understood& answer) {
  std::vector<json::Member> found;
  if (answer.from != contract::Id::mcp || answer.made_here) return found;
  const json::Value result = stored_value(answer);  // a part of the answer, which keeps it
  const auto type = result->find("resultType");
  const bool finished = !type || type->equals("complete");
  if (!finished || !holds_answer(result.view())) return found;
  for (const json::Member& member : result->members()) {
    if (!model::is_answer_member(member.key)) found.push_back(member);
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

}  // namespace enfold::answer
