// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/tasks.h"

#include "enfold/base/text.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/level/types.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::server {
namespace {

using mcp::TaskStatus;

// The wall-clock time, in RFC 3339.
std::string time_now(const serve::Host& host) {
  return level::write_instant(std::chrono::floor<std::chrono::milliseconds>(host.calendar()));
}

// The result as the client would have got it from tools/call.
json::Value inline_result(mcp::CompleteResult&& result) {
  auto* const value = std::get_if<json::Value>(&result.object);
  const json::Value object =
      value != nullptr ? std::move(*value)
                       : json::parse_own(std::get_if<json::Output>(&result.object)->str());
  json::Writer writer;
  mcp::Overlay().text("resultType", "complete").write(writer, object.view());
  return std::move(writer).finish_value();
}

}  // namespace

ServerTask::ServerTask(mcp::Task task, mcp::Call call, serve::Host& host, OnChange on_change)
    : task_(std::move(task)),
      call_(std::move(call)),
      host_(host),
      on_change_(std::move(on_change)) {
  task_.created_at = time_now(host_);
  task_.updated_at = task_.created_at;
}

void ServerTask::set_status(TaskStatus status) {
  task_.status = status;
  task_.updated_at = time_now(host_);
  report_change();
}

void ServerTask::report_change() {
  last_report_ = host_.clock();
  on_change_(task_);
}

void ServerTask::set_message(std::string message) {
  if (is_final(task_.status)) return;
  task_.message = std::move(message);
  task_.updated_at = time_now(host_);
  if (host_.clock() - last_report_ >= task_.poll_interval) report_change();
}

void ServerTask::settle(mcp::Reply&& reply) {
  if (is_final(task_.status)) return;
  if (auto* required = std::get_if<mcp::InputRequired>(&reply)) {
    ask(std::move(*required));
    return;
  }
  if (auto* error = std::get_if<mcp::RpcError>(&reply)) {
    task_.error = mcp::with_stateless_code(std::move(*error));
    set_status(TaskStatus::failed);
    return;
  }
  auto* const complete = std::get_if<mcp::CompleteResult>(&reply);
  task_.result = complete != nullptr ? inline_result(std::move(*complete))
                                     : std::move(std::get_if<mcp::UpstreamResult>(&reply)->result);
  set_status(TaskStatus::completed);
}

void ServerTask::ask(mcp::InputRequired&& required) {
  task_.error = required.requests.empty()
                    ? mcp::internal_error("Expected questions from the tool, found none")
                    : mcp::reason_not_to_ask(required, call_.caller->capabilities);
  if (task_.error) {
    set_status(TaskStatus::failed);
    return;
  }
  answers_ = {{}, std::move(required.state)};
  task_.requests = std::move(required.requests);
  // A key must not occur twice in the life of a task, but a tool may ask the same in each round.
  for (mcp::InputRequest& request : task_.requests) {
    std::string shown = request.key;
    for (std::size_t n = 2; keys_.contains(shown); ++n)
      shown = fmt::format("{}_{}", request.key, n);
    keys_.emplace(shown, std::exchange(request.key, shown));
  }
  set_status(TaskStatus::input_required);
}

std::optional<mcp::Call> ServerTask::take_answers(mcp::InputResponses&& inputs) {
  if (task_.status != TaskStatus::input_required) return std::nullopt;
  for (mcp::InputResponse& input : inputs.responses) {
    const auto asked = std::ranges::find(task_.requests, input.key, &mcp::InputRequest::key);
    if (asked == task_.requests.end()) continue;
    answers_.responses.push_back({keys_.at(input.key), std::move(input.result)});
    task_.requests.erase(asked);
    task_.updated_at = time_now(host_);
  }
  if (!task_.requests.empty()) return std::nullopt;
  set_status(TaskStatus::working);
  mcp::Call again = call_;
  again.inputs = std::move(answers_);
  return again;
}

void ServerTask::cancel() {
  if (is_final(task_.status)) return;
  set_status(TaskStatus::cancelled);
  if (const std::shared_ptr<tools::ToolRun> run = run_.lock()) run->withdraw();
}

// Cannot be guessed, because a server without keys has one principal for all clients.
std::string Tasks::make_id() {
  std::array<std::uint8_t, 16> random{};
  host_.fill_random(random);
  return "task_" + to_hex(random);
}

std::shared_ptr<ServerTask> Tasks::create(const std::string& principal, const mcp::Call& call,
                                          const TaskOptions& options) {
  List& own = tasks_[principal];
  if (own.size() >= max_tasks_) return nullptr;
  mcp::Task facts;
  facts.id = make_id();
  facts.ttl = options.ttl;
  facts.poll_interval = options.poll_interval;
  const std::string id = facts.id;
  auto task = std::make_shared<ServerTask>(
      std::move(facts), call, host_,
      [this, principal](const mcp::Task& changed) { notify_listeners(principal, changed); });
  own.push_back({task, host_.after(options.ttl, [this, principal, id] { expire(principal, id); }),
                 host_.clock() + options.ttl});
  return task;
}

model::Response Tasks::refusal(const std::string& principal) const {
  std::chrono::microseconds next_expiry = host_.clock() + std::chrono::seconds(1);
  const List& own = tasks_.at(principal);
  if (!own.empty()) next_expiry = std::ranges::min_element(own, {}, &Kept::expires)->expires;
  const auto wait = std::chrono::ceil<std::chrono::seconds>(next_expiry - host_.clock());
  return contract::make_failure(contract::failures::Unavailable{
      .message = fmt::format("There are {} tasks already, which is the most", own.size()),
      .retry_after = wait.count()});
}

std::shared_ptr<ServerTask> Tasks::find(const std::string& principal, std::string_view id) const {
  const auto own = tasks_.find(principal);
  if (own == tasks_.end()) return nullptr;
  const auto found = std::ranges::find_if(
      own->second, [&](const Kept& kept) { return kept.task->facts().id == id; });
  return found != own->second.end() ? found->task : nullptr;
}

void Tasks::expire(const std::string& principal, const std::string& id) {
  const auto own = tasks_.find(principal);
  const auto found = std::ranges::find_if(
      own->second, [&](const Kept& kept) { return kept.task->facts().id == id; });
  auto kept = std::make_shared<Kept>(std::move(*found));
  own->second.erase(found);
  if (own->second.empty()) tasks_.erase(own);
  kept->task->cancel();
  // The alarm in `kept` is calling this function, so it is destroyed by a later task.
  host_.post([kept] {});
}

mcp::Reply Tasks::answer(const mcp::Call& call,
                         const std::shared_ptr<serve::ClientChannel>& channel) {
  const std::string& id = std::get_if<mcp::TaskRequest>(&call.params)->id;
  const std::shared_ptr<ServerTask> task = find(channel->state().principal, id);
  if (!task) return mcp::invalid_params(fmt::format("Unknown task: {}", json::quote(id)));
  if (call.method == mcp::Method::tasks_get) return mcp::task_details(task->facts());
  if (call.method == mcp::Method::tasks_cancel) {
    task->cancel();
  } else if (auto again = task->take_answers(mcp::read_input_responses(call.raw_params.view()))) {
    repeat_(std::move(*again), task, channel);
  }
  return mcp::empty_result();
}

// An open subscriptions/listen that names tasks by id.
class Tasks::Listener final : public serve::OpenCall {
 public:
  Listener(Tasks& tasks, serve::ClientChannel& channel, mcp::SubscriptionOpened opened)
      : tasks_(tasks), channel_(channel), opened_(std::move(opened)) {
    tasks_.listeners_.insert(this);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() override { tasks_.listeners_.erase(this); }
  void cancel(serve::CancelCause /*cause*/) override { tasks_.listeners_.erase(this); }

  // Notifies the client if it listens to this task.
  void notify(const std::string& principal, const mcp::Task& task) const {
    if (!opened_.filter.wants_task(task.id) || channel_.state().principal != principal) return;
    channel_.notify(opened_.call, "notifications/tasks", mcp::task_notification(task).view());
  }

 private:
  Tasks& tasks_;
  serve::ClientChannel& channel_;
  mcp::SubscriptionOpened opened_;
};

std::shared_ptr<serve::OpenCall> Tasks::listen(serve::ClientChannel& channel,
                                               const mcp::SubscriptionOpened& opened) {
  if (opened.filter.tasks.empty()) return nullptr;
  auto listener = std::make_shared<Listener>(*this, channel, opened);
  const std::string& principal = channel.state().principal;
  for (const std::string& id : opened.filter.tasks) {
    if (const auto task = find(principal, id)) listener->notify(principal, task->facts());
  }
  return listener;
}

void Tasks::notify_listeners(const std::string& principal, const mcp::Task& task) const {
  const std::set<Listener*> all = listeners_;  // a notified client may go, and its listener with it
  for (Listener* listener : all) {
    if (listeners_.contains(listener)) listener->notify(principal, task);
  }
}

void Tasks::cancel_all() {
  for (const auto& [principal, own] : tasks_) {
    for (const Kept& kept : own) kept.task->cancel();
  }
}

}  // namespace enfold::server
