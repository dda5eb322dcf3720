// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/tasks.h"

#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/call/forwarded_call.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/gateway/policy/upstream_words.h"
#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/redact/redact.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::string_view kTaskId = "taskId";
constexpr std::string_view kRelatedTask = "io.modelcontextprotocol/related-task";
constexpr std::size_t kMaxTaskId = 1024;  // bytes
constexpr std::size_t kMaxTaskBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxTasks = 1000;  // of one principal; a new one replaces the oldest

/// How to write a result about tasks for a client.
struct Rewrite {
  std::function<std::string(const std::string& id)> id;  ///< the id that the client sees
  std::function<bool(const std::string& id)> lists;      ///< whether a list shows the task
};

// Rewrites the ids of tasks in every member that may contain one: of a new task, of a list of tasks
// and of a task's result.
void write_as_shown(json::Writer& writer, json::View object, const Rewrite& rewrite) {
  mcp::Overlay overlay;
  if (const auto id = json::string_member(object, kTaskId)) overlay.text(kTaskId, rewrite.id(*id));
  for (const std::string_view key :
       {std::string_view("task"), std::string_view("_meta"), kRelatedTask}) {
    const auto inner = mcp::object_member(object, key);
    if (!inner) continue;
    overlay.member(key, [&rewrite, inner = *inner](json::Writer& out) {
      write_as_shown(out, inner, rewrite);
    });
  }
  if (const auto tasks = object.find("tasks"); tasks && tasks->is_array()) {
    overlay.member("tasks", [&rewrite, tasks = *tasks](json::Writer& out) {
      out.begin_array();
      for (const json::View task : tasks.items()) {
        if (!rewrite.lists(json::string_member(task, kTaskId).value_or(""))) continue;
        task.is_object() ? write_as_shown(out, task, rewrite) : void(out.value(task));
      }
      out.end_array();
    });
  }
  overlay.write(writer, object);
}

json::Value with_task_id(const json::Value& params, const std::string& id) {
  json::Writer writer;
  mcp::Overlay().text(kTaskId, id).write(writer, params.view());
  return std::move(writer).finish_value();
}

// The result of tasks/get without the answer that it contains: `result` keeps only its resultType.
// The answer is shaped separately and inserted again by replace_task_result().
json::Value without_answer(const json::Value& message) {
  const auto answer = message->find("result");
  if (!answer || answer->is_null()) return message;
  json::Writer type;
  type.begin_object();
  if (answer->find("resultType")) type.member("resultType", "complete");
  json::Writer writer;
  mcp::Overlay()
      .value("result", std::move(type.end_object()).finish_value())
      .write(writer, message.view());
  return std::move(writer).finish_value();
}

constexpr std::chrono::hours kTaskLife{24};  // maximum, and default if the server names no time

net::Duration time_to_live(json::View task) {
  constexpr std::int64_t kMost = std::chrono::milliseconds(kTaskLife).count();
  for (const std::string_view key : {"ttl", "ttlMs"}) {
    const auto found = task.find(key);
    const auto number = found ? found->integer() : std::nullopt;
    if (number) return std::chrono::milliseconds(std::clamp<std::int64_t>(*number, 0, kMost));
  }
  return kTaskLife;
}

auto is_task(std::string_view id, const Upstream& upstream) {
  return [id, number = upstream.number](const Task& one) {
    return one.id == id && one.planned->upstream == number;
  };
}

auto find_in(const std::vector<Task>& tasks, std::string_view id, const Upstream& upstream) {
  return std::ranges::find_if(tasks, is_task(id, upstream));
}

}  // namespace

json::Value Tasks::show(const Upstream& upstream, json::Value message,
                        const std::vector<Task>* only) const {
  const bool is_single = upstreams_.is_single();
  if ((is_single && only == nullptr) || !message->is_object()) return message;
  const Rewrite rewrite{
      [&](const std::string& id) { return is_single ? id : shown_id(upstream.settings.name, id); },
      [&](const std::string& id) {
        return only == nullptr || find_in(*only, id, upstream) != only->end();
      }};
  json::Writer writer;
  write_as_shown(writer, message.view(), rewrite);
  return std::move(writer).finish_value();
}

json::Value Tasks::show_notification(const Upstream& upstream, json::Value params,
                                     const redact::Policy* policy, bool has_contract) const {
  if (has_contract && params->find("result")) {
    json::Writer writer;
    mcp::Overlay().without("result").write(writer, params.view());
    params = std::move(writer).finish_value();
  }
  return show(upstream, redact_interim(std::move(params), policy));
}

bool Tasks::is_too_long(json::View result) {
  if (result.raw().size() > kMaxTaskBytes)
    return mcp::result_type(result) != mcp::ResultType::input_required;
  const json::View handle = mcp::object_member(result, "task").value_or(result);
  const auto id = handle.find(kTaskId);
  return id && id->is_string() && id->raw().size() > kMaxTaskId;
}

// Several principals may share a connection. If an upstream uses the id of a task again, it is a
// new task: Enfold then forgets the old one, also of another principal.
json::Value Tasks::remember_task(const ClientCall& call, json::Value result,
                                 const std::shared_ptr<PlannedAnswer>& planned,
                                 net::TimePoint now) {
  const json::View handle = mcp::object_member(result.view(), "task").value_or(result.view());
  const auto id = json::string_member(handle, kTaskId);
  const std::shared_ptr<serve::ClientChannel> channel = call.channel();
  if (!id || id->empty() || !channel) return result;
  const Upstream& upstream = upstreams_.of(*call.connection());  // may be the fallback upstream
  const std::string& principal = channel->state().principal;
  const bool is_shared = call.connection() == upstream.shared;
  for (auto& [owner, tasks] : tasks_) {
    if (is_shared || owner == principal) std::erase_if(tasks, is_task(*id, upstream));
  }
  std::vector<Task>& tasks = tasks_[principal];
  if (tasks.size() == kMaxTasks) tasks.erase(tasks.begin());
  auto kept = std::make_shared<PlannedAnswer>(*planned);
  kept->upstream = upstream.number;
  tasks.push_back({*id, std::move(kept), call.connection(), now + time_to_live(handle)});
  return show(upstream, std::move(result));
}

std::shared_ptr<PlannedAnswer> Tasks::find(const std::string& principal, std::string_view id,
                                           const Upstream& upstream) const {
  const std::vector<Task>& tasks = tasks_of(principal);
  const auto found = find_in(tasks, id, upstream);
  return found != tasks.end() ? std::make_shared<PlannedAnswer>(*found->planned) : nullptr;
}

const std::vector<Task>& Tasks::tasks_of(const std::string& principal) const {
  static const std::vector<Task> none;
  const auto found = tasks_.find(principal);
  return found != tasks_.end() ? found->second : none;
}

bool Tasks::needs(const UpstreamConnection& connection, net::TimePoint now) const {
  return std::ranges::any_of(tasks_, [&](const auto& of_principal) {
    return std::ranges::any_of(of_principal.second, [&](const Task& one) {
      return now < one.needed_until && one.connection.lock().get() == &connection;
    });
  });
}

void Tasks::on_fetched(const std::string& principal, std::string_view id,
                       const Upstream& upstream) {
  const auto found = tasks_.find(principal);
  if (found == tasks_.end()) return;
  const auto task = std::ranges::find_if(found->second, is_task(id, upstream));
  if (task != found->second.end()) task->needed_until = {};
}

void Tasks::forget(const Upstream& upstream) {
  const auto is_of_upstream = [&](const Task& one) {
    return one.planned->upstream == upstream.number;
  };
  for (auto& [principal, tasks] : tasks_) std::erase_if(tasks, is_of_upstream);
}

std::shared_ptr<serve::OpenCall> TaskCall::begin(
    const CallServices& services, const mcp::Call& call,
    const std::shared_ptr<serve::ClientChannel>& channel) {
  const std::string shown = json::string_member(call.raw_params.view(), kTaskId).value_or("");
  const Route route = shown.empty() ? services.routes.tasks() : services.routes.task(shown);
  auto planned = route.upstream != nullptr ? plan_for(services, call, *channel, route) : nullptr;
  if (!planned) {
    channel->reply(call.key,
                   mcp::invalid_params(fmt::format("Unknown task: {}", json::quote(shown))));
    return nullptr;
  }
  auto self = std::make_shared<TaskCall>(services, call, channel, std::move(planned));
  const auto connection = services.connections.for_call(*channel, call, *route.upstream);
  self->send(connection, request_with(services, *self, *connection,
                                      shown.empty() ? call.raw_params
                                                    : with_task_id(call.raw_params, route.name)));
  return self;
}

// Enfold does not know the tool of a task that another gateway started, or that it has forgotten:
// its answer is then planned as that of a tool with the name Metrics::kUnknown.
// Upstreams do not know principals, so with principals Enfold shows a task only to the principal
// that started it.
std::shared_ptr<PlannedAnswer> TaskCall::plan_for(const CallServices& services,
                                                  const mcp::Call& call,
                                                  serve::ClientChannel& channel,
                                                  const Route& route) {
  auto known = services.tasks.find(channel.state().principal, route.name, *route.upstream);
  if (known) return known;
  const bool names_one = !route.name.empty();
  if (names_one && !services.environment.settings.principals.empty()) return nullptr;
  mcp::Call unknown = call;
  unknown.params = mcp::ToolCall{std::string(Metrics::kUnknown), {}};
  return services.writer.plan(unknown, channel, {route.upstream, std::string(Metrics::kUnknown)},
                              services.local.terms_for(unknown, channel));
}

void TaskCall::on_result(client::CallResult result) {
  if (!result) {
    reply(as_reply(std::move(result)));
    return;
  }
  const std::shared_ptr<serve::ClientChannel> channel = this->channel();
  const bool filters = channel && !services_.environment.settings.principals.empty();
  json::Value message = services_.tasks.show(
      services_.upstreams.of(*connection()), std::move(*result),
      filters ? &services_.tasks.tasks_of(channel->state().principal) : nullptr);
  // tasks/result returns the answer itself, tasks/get the state of the task with the answer in it.
  const bool is_answer = call().method_name == "tasks/result";
  const auto found = message->find("result");
  const json::Value task_result = found ? json::Value(*found) : json::Value();
  if (is_answer) note_fetched();
  const auto self = std::static_pointer_cast<TaskCall>(shared_from_this());
  if (is_answer) {
    services_.writer.shape(planned_, std::move(message),
                           [self](mcp::Reply reply) { self->reply(std::move(reply)); });
    return;
  }
  services_.writer.redact_interim(planned_, without_answer(message),
                                  [self, task_result](json::Value shown) {
                                    if (!self->is_ended()) self->finish(shown, task_result);
                                  });
}

void TaskCall::finish(const json::Value& message, const json::Value& answer) {
  const std::string status = json::string_member(message.view(), "status").value_or("");
  const bool has_failed = status == "failed" || status == "cancelled";
  if (has_failed || !answer->is_null()) note_fetched();
  if (answer->is_null()) {
    reply(mcp::UpstreamResult{services_.elicitations.sign_state(*this, message)});
    return;
  }
  const auto self = std::static_pointer_cast<TaskCall>(shared_from_this());
  services_.writer.shape(planned_, answer, [self, message](mcp::Reply reply) {
    self->reply(replace_task_result(message, std::move(reply)));
  });
}

void TaskCall::note_fetched() {
  const std::shared_ptr<serve::ClientChannel> channel = this->channel();
  if (!channel) return;
  const auto id = json::string_member(call().raw_params.view(), kTaskId);
  services_.tasks.on_fetched(channel->state().principal,
                             services_.routes.task(id.value_or("")).name,
                             services_.upstreams.of(*connection()));
}

}  // namespace enfold::gateway
