// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/tasks.h"

#include "enfold/answer/provenance.h"
#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/call/forwarded_call.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/redact/redact.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::string_view kTaskId = "taskId";
constexpr std::string_view kRelatedTask = "io.modelcontextprotocol/related-task";
constexpr std::string_view kStatusMessage = "statusMessage";
constexpr std::size_t kMaxTasks = 1000;  // of one principal; beyond it the oldest are forgotten

/// How to write a result about tasks for a client.
struct Rewrite {
  std::function<std::string(const std::string& id)> id;         ///< the id that the client sees
  std::function<std::string(const std::string& text)> message;  ///< the status message, redacted
  std::function<bool(const std::string& id)> lists;             ///< whether a list shows the task
};

// Rewrites the ids of tasks in every member that may contain one: of a new task, of a list of tasks
// and of a task's result.
void write_as_shown(json::Writer& writer, json::View object, const Rewrite& rewrite) {
  mcp::Overlay overlay;
  if (const auto id = json::string_member(object, kTaskId)) overlay.text(kTaskId, rewrite.id(*id));
  if (const auto message = json::string_member(object, kStatusMessage)) {
    overlay.text(kStatusMessage, rewrite.message(*message));
  }
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

bool is_clean(const json::Value& message, const redact::Policy* policy) {
  if (policy == nullptr) return true;
  const auto clean = redact::redact(message.view(), *policy);
  return clean && !clean->changed;
}

// Redacts the error of a failed task.
json::Value with_redacted_error(json::Value message, const redact::Policy* policy) {
  const auto error = message->find("error");
  if (!error || policy == nullptr) return message;
  auto clean = redact::redact(*error, *policy);
  if (!clean || !clean->changed) return message;
  json::Writer writer;
  mcp::Overlay().value("error", std::move(clean->value)).write(writer, message.view());
  return std::move(writer).finish_value();
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
                        const ShowOptions& options) const {
  const bool is_single = upstreams_.is_single();
  const bool is_unchanged =
      is_single && options.only == nullptr && is_clean(message, options.policy);
  if (is_unchanged || !message->is_object()) return message;
  const Rewrite rewrite{
      [&](const std::string& id) { return is_single ? id : shown_id(upstream.settings.name, id); },
      [&](const std::string& text) {
        return options.policy == nullptr ? text : redact::redact_text(text, *options.policy);
      },
      [&](const std::string& id) {
        return options.only == nullptr ||
               find_in(*options.only, id, upstream) != options.only->end();
      }};
  json::Writer writer;
  write_as_shown(writer, message.view(), rewrite);
  return std::move(writer).finish_value();
}

json::Value Tasks::show_notification(const Upstream& upstream, const json::Value& params,
                                     const redact::Policy* policy, bool has_contract) const {
  json::Value shown = answer::mark_upstream_meta(
      with_redacted_error(show(upstream, params, {.policy = policy}), policy));
  if (!shown->find("result")) return shown;
  if (!has_contract) return answer::pass_through(std::move(shown), policy).value_or(json::Value());
  json::Writer writer;
  mcp::Overlay().without("result").write(writer, shown.view());
  return std::move(writer).finish_value();
}

// Several principals may share a connection. If an upstream uses the id of a task again, it is a
// new task: Enfold then forgets the old one, also of another principal.
json::Value Tasks::remember_task(const ClientCall& call, json::Value result,
                                 const std::shared_ptr<PlannedAnswer>& planned) {
  if (is_finished_answer(result.view())) return result;
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
  tasks.push_back({*id, std::move(kept)});
  return show(upstream, std::move(result), {.policy = policy_of(planned->about.plan)});
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

// Enfold does not know the tool of a task that another gateway started, or that is forgotten.
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
  const tools::CallPlan& plan = planned_->about.plan;
  if (!result) {
    reply(as_reply(std::move(result)));
    return;
  }
  const std::shared_ptr<serve::ClientChannel> channel = this->channel();
  const bool filters = channel && !services_.environment.settings.principals.empty();
  json::Value message = services_.tasks.show(
      services_.upstreams.of(*connection()), std::move(*result),
      {.policy = policy_of(plan),
       .only = filters ? &services_.tasks.tasks_of(channel->state().principal) : nullptr});
  const bool is_answer = call().method_name == "tasks/result" && is_finished_answer(message.view());
  const auto task_result = message->find("result");
  const auto self = std::static_pointer_cast<TaskCall>(shared_from_this());
  if (is_answer) {
    services_.writer.shape(planned_, std::move(message),
                           [self](mcp::Reply reply) { self->reply(std::move(reply)); });
  } else if (task_result && !task_result->is_null()) {
    services_.writer.shape(planned_, json::Value(*task_result), [self, message](mcp::Reply reply) {
      self->reply(replace_task_result(message, std::move(reply)));
    });
  } else {
    message = answer::mark_upstream_meta(with_redacted_error(std::move(message), policy_of(plan)));
    reply(mcp::UpstreamResult{services_.elicitations.sign_state(*this, std::move(message))});
  }
}

}  // namespace enfold::gateway
