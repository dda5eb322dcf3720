// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/questions.h"

#include "enfold/base/hash.h"
#include "enfold/json/duplicate_members.h"
#include "enfold/server/detail/offer_requests.h"

#include <algorithm>

namespace enfold::server {
namespace {

// Objects with their members in the order of the keys: a client may send them in another order.
void write_sorted(json::Writer& writer, json::View value) {
  if (value.is_object()) {
    writer.begin_object();
    for (const json::detail::Entry& member : json::detail::effective_members(value)) {
      writer.key(member.key);
      write_sorted(writer, member.value);
    }
    writer.end_object();
  } else if (value.is_array()) {
    writer.begin_array();
    for (const json::View item : value.items()) write_sorted(writer, item);
    writer.end_array();
  } else {
    writer.value(value);
  }
}

// Whose state it is: the name of the tool or prompt, or the URI of the resource.
std::string owner_of(const mcp::Call& call) {
  const auto* tool = std::get_if<mcp::ToolCall>(&call.params);
  return tool != nullptr ? tool->name : subject_of(call);
}

// A hash of the arguments of the call.
std::string arguments_name(const mcp::Call& call) {
  const json::Value* arguments = nullptr;
  if (const auto* tool = std::get_if<mcp::ToolCall>(&call.params)) arguments = &tool->arguments;
  if (const auto* prompt = std::get_if<mcp::PromptGet>(&call.params)) {
    arguments = &prompt->arguments;
  }
  json::Writer writer;
  if (arguments != nullptr && !(*arguments)->is_null()) {
    write_sorted(writer, arguments->view());
  } else {
    writer.begin_object().end_object();
  }
  return sha256_name(std::move(writer).finish().str());
}

void write_answer(json::Writer& writer, const GivenAnswer& answer) {
  writer.begin_object().member("key", answer.key).member("question", answer.question);
  writer.member("result", answer.result).end_object();
}

GivenAnswer read_answer(json::View answer) {
  return {json::string_member(answer, "key").value_or(""),
          json::string_member(answer, "question").value_or(""),
          json::Value(answer.find("result").value_or(json::View()))};
}

}  // namespace

Status read_answers(const mcp::Call& call, const tools::AnswerServices& services,
                    CallFacts& facts) {
  facts.inputs = call.inputs;
  if (!call.inputs.state) return {};
  ENFOLD_TRY(const json::Value sealed,
             tools::open_state(*call.inputs.state, owner_of(call), facts.principal, services));
  if (json::string_member(sealed.view(), "arguments") != arguments_name(call)) {
    return fail(ErrorCode::invalid_input, "expected the arguments that the question was about",
                "requestState", "call again without it");
  }
  if (const auto state = sealed->find("state")) facts.state = json::Value(*state);
  // Only answers to what was asked count. Other answers are visible only to Call::input().
  for (const json::Member& asked : sealed->find("asked").value_or(json::View()).members()) {
    const json::Value* given = call.inputs.find(asked.key.string());
    if (given != nullptr) {
      facts.answers.push_back({asked.key.string(), asked.value.string(), *given});
    }
  }
  for (const json::View earlier : sealed->find("answers").value_or(json::View()).items()) {
    GivenAnswer answer = read_answer(earlier);
    // A later question may have the same key; its answer is the one that input() finds.
    if (std::ranges::find(facts.answers, answer.key, &GivenAnswer::key) == facts.answers.end()) {
      std::erase_if(facts.inputs.responses,
                    [&](const mcp::InputResponse& one) { return one.key == answer.key; });
      facts.inputs.responses.push_back({answer.key, answer.result});
    }
    facts.answers.push_back(std::move(answer));
  }
  return {};
}

mcp::InputRequired ask(NeedsInput&& needs, const mcp::Call& call, const CallFacts& facts,
                       const tools::AnswerServices& services, std::chrono::seconds life) {
  json::Writer state;
  state.begin_object().member("arguments", arguments_name(call));
  if (needs.state) state.member("state", *needs.state);
  std::vector<std::string> asked;
  state.key("asked").begin_object();
  for (const mcp::InputRequest& request : needs.requests) {
    asked.push_back(name_of_question(request));
    state.member(request.key, asked.back());
  }
  state.end_object().key("answers").begin_array();
  for (const GivenAnswer& answer : facts.answers) {  // a question that is asked again has none
    if (std::ranges::find(asked, answer.question) == asked.end()) write_answer(state, answer);
  }
  state.end_array().end_object();
  return {std::move(needs.requests),
          tools::seal_state(std::move(state).finish_value(), owner_of(call), facts.principal,
                            services, life),
          {}};
}

}  // namespace enfold::server
