// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/foreign_members.h"

#include "enfold/answer/stored/original.h"
#include "enfold/model/content.h"

namespace enfold::answer {
namespace {

bool holds_answer(json::View result) {
  for (const json::Member& member : result.members()) {
    if (model::is_answer_member(member.key)) return true;
  }
  return false;
}

// The result, where its other members are not part of the payload already: a JSON-RPC result
// without any member of a tool's answer, and one that is not finished, are a payload as a whole.
json::View result_with_members(const ReadAnswer& answer) {
  if (answer.from != contract::Id::mcp || answer.is_own) return {};
  const json::View source = answer.source.view();
  const json::View result = stored_value(answer).view();  // a part of the answer, which keeps it
  const auto type = result.find("resultType");
  if (type && !type->equals("complete")) return {};
  return source.find("jsonrpc") && !holds_answer(result) ? json::View() : result;
}

// Without the one member that the sender writes itself.
void write_meta(json::View meta, std::string_view replaced, json::Writer& writer) {
  writer.begin_object();
  for (const json::Member& member : meta.members()) {
    if (!member.key.equals(replaced)) writer.key(member.key).value(member.value);
  }
  writer.end_object();
}

}  // namespace

std::vector<json::Member> foreign_members(const ReadAnswer& answer) {
  std::vector<json::Member> found;
  for (const json::Member& member : result_with_members(answer).members()) {
    if (!model::is_answer_member(member.key)) found.push_back(member);
  }
  return found;
}

void write_foreign_members(const ReadAnswer& answer, std::string_view replaced_meta,
                           json::Writer& writer) {
  for (const json::Member& member : result_with_members(answer).members()) {
    if (model::is_answer_member(member.key)) continue;
    const bool holds_replaced =
        !replaced_meta.empty() && member.key.equals("_meta") && member.value.find(replaced_meta);
    if (holds_replaced && member.value.size() == 1) continue;
    writer.key(member.key);
    holds_replaced ? write_meta(member.value, replaced_meta, writer)
                   : void(writer.value(member.value));
  }
}

}  // namespace enfold::answer
