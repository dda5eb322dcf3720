// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2025/questions.h"

#include <algorithm>
#include <utility>

namespace enfold::mcp::era_2025 {
namespace {

template <class Matches>
std::optional<Question> take_first(std::vector<Question>& open, Matches matches) {
  const auto found = std::ranges::find_if(open, matches);
  if (found == open.end()) return std::nullopt;
  std::optional<Question> taken = std::move(*found);
  open.erase(found);
  return taken;
}

template <class Matches>
ServerActions withdraw_each(std::vector<Question>& open, std::string_view reason, Matches matches) {
  ServerActions out;
  std::erase_if(open, [&](const Question& question) {
    if (!matches(question)) return false;
    out.emplace_back(Send{write_cancelled(question.id, reason), question.about, false, 200});
    return true;
  });
  return out;
}

}  // namespace

Send Questions::ask(std::optional<ServerRequestKey> key, std::optional<CallKey> about,
                    const InputRequest& request, Time deadline) {
  const Id id(++last_id_);
  open_.push_back({id, key, about, request.key, deadline});
  return {write_request(id, request.method, request.params.view()), about, false, 200};
}

std::optional<Question> Questions::take(const Id& id) {
  return take_first(open_, [&](const Question& question) { return question.id == id; });
}

std::optional<Question> Questions::take_late(Time now) {
  return take_first(open_, [&](const Question& question) { return question.deadline <= now; });
}

ServerActions Questions::withdraw(ServerRequestKey key, std::string_view reason) {
  return withdraw_each(open_, reason,
                       [&](const Question& question) { return question.key == key; });
}

ServerActions Questions::withdraw_inputs(CallKey call, std::string_view reason) {
  return withdraw_each(open_, reason, [&](const Question& question) {
    return question.about == call && !question.key;
  });
}

ServerActions Questions::fail_all(std::string_view reason) {
  ServerActions out;
  for (const Question& question : std::exchange(open_, {})) {
    if (!question.key) continue;
    out.emplace_back(Answered{
        *question.key,
        tl::unexpected(RpcError{code::internal_error, std::string(reason), std::nullopt})});
  }
  return out;
}

std::optional<Time> Questions::next_deadline() const {
  const auto next = std::ranges::min_element(open_, {}, &Question::deadline);
  return next == open_.end() ? std::nullopt : std::optional(next->deadline);
}

}  // namespace enfold::mcp::era_2025
