// SPDX-License-Identifier: Apache-2.0
// Calls that a server answers later: the handle passes, and what `tasks/result` or `tasks/get` then
// brings is the answer of the tool, like any other. With several upstreams the id that clients see
// says whose the task is: UPSTREAM__ID.
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/names.h"
#include "enfold/mcp/overlay.h"
#include "enfold/redact/redact.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace enfold::gateway {
namespace {

constexpr std::string_view kId = "taskId";
constexpr std::string_view kRelated = "io.modelcontextprotocol/related-task";
// Of one session or principal; of older ones nobody knows the tool any more.
constexpr std::size_t kMostTasks = 1000;

using Rename = std::function<std::string(std::string_view id)>;

// Every place where a handle, a list or an answer of tasks names them.
void write_renamed(json::Writer& writer, json::View object, const Rename& rename) {
  mcp::Overlay overlay;
  if (const auto id = mcp::text_member(object, kId)) overlay.text(kId, rename(*id));
  for (const std::string_view key :
       {std::string_view("task"), std::string_view("_meta"), kRelated}) {
    const auto inner = mcp::object_member(object, key);
    if (!inner) continue;
    overlay.member(
        key, [&rename, inner = *inner](json::Writer& out) { write_renamed(out, inner, rename); });
  }
  if (const auto tasks = object.find("tasks"); tasks && tasks->is_array()) {
    overlay.member("tasks", [&rename, tasks = *tasks](json::Writer& out) {
      out.begin_array();
      for (const json::View task : tasks.items()) {
        task.is_object() ? write_renamed(out, task, rename) : void(out.value(task));
      }
      out.end_array();
    });
  }
  overlay.write(writer, object);
}

json::Value with_id(const json::Value& params, const std::string& id) {
  json::Writer writer;
  mcp::Overlay().text(kId, id).write(writer, params.view());
  return std::move(writer).finish_value();
}

// A failed task says why inside of its message.
json::Value with_clean_error(json::Value message, const server::CallPlan& plan) {
  const auto error = message->find("error");
  const auto& policy = plan.fit.shape.redaction;
  if (!error || !plan.contract || !policy) return message;
  auto clean = redact::redact(*error, *policy);
  if (!clean || !clean->changed) return message;
  json::Writer writer;
  mcp::Overlay().value("error", std::move(clean->value)).write(writer, message.view());
  return std::move(writer).finish_value();
}

auto find(const std::vector<Task>& tasks, std::string_view id, const Upstream& upstream) {
  return std::ranges::find_if(tasks, [&](const Task& one) {
    return one.id == id && one.upstream_number == upstream.number;
  });
}

}  // namespace

std::vector<Task>& Gateway::tasks_of(server::Port& port) {
  Visitor& visitor = visitor_of(port);
  const bool lasts = visitor.has_session || settings_.one_client;
  return lasts ? visitor.tasks : tasks_[port.memory().principal];
}

json::Value Gateway::with_shown_tasks(const Upstream& upstream, json::Value message) const {
  if (upstreams_.size() == 1 || !message->is_object()) return message;
  json::Writer writer;
  write_renamed(writer, message.view(),
                [&](std::string_view id) { return shown_id(upstream.settings.name, id); });
  return std::move(writer).finish_value();
}

json::Value Gateway::with_task_noted(Relay& relay, json::Value result,
                                     const std::shared_ptr<ToolAnswering>& about) {
  if (is_finished_answer(result.view())) return result;
  const json::View handle = mcp::object_member(result.view(), "task").value_or(result.view());
  const auto id = mcp::text_member(handle, kId);
  const std::shared_ptr<server::Port> port = relay.port();
  Upstream& upstream = upstream_of(*relay.link());  // not always the one that was asked first
  if (!id || !port) return result;
  std::vector<Task>& tasks = tasks_of(*port);
  if (const auto known = find(tasks, *id, upstream); known != tasks.end()) tasks.erase(known);
  if (tasks.size() == kMostTasks) tasks.erase(tasks.begin());
  tasks.push_back({*id, upstream.number, about});
  return with_shown_tasks(upstream, std::move(result));
}

Gateway::Route Gateway::route_of_task(std::string_view shown) const {
  if (upstreams_.size() == 1) return {upstreams_.front().get(), std::string(shown)};
  for (const auto& upstream : upstreams_) {
    if (const auto own = own_id(upstream->settings.name, shown)) {
      return {upstream.get(), std::string(*own)};
    }
  }
  return {};
}

// An upstream knows nothing of principals, so that this has to be seen to here.
bool Gateway::is_of_somebody_else(const Route& task, server::Port& port) {
  const std::string& principal = port.memory().principal;
  const auto has_it = [&](const std::vector<Task>& tasks) {
    return find(tasks, task.name, *task.upstream) != tasks.end();
  };
  if (has_it(tasks_of(port)) || has_it(tasks_[principal])) return false;
  return std::ranges::any_of(tasks_, [&](const auto& of) { return has_it(of.second); }) ||
         std::ranges::any_of(visitors_, [&](const auto& one) {
           return one.first->memory().principal != principal && has_it(one.second->tasks);
         });
}

// Who asks twice gets two answers, each with a share of its own. A task that was started elsewhere,
// or too long ago, is one of a tool that nobody knows.
std::shared_ptr<ToolAnswering> Gateway::answering_of_task(const mcp::Call& call, server::Port& port,
                                                          const Route& task) {
  const std::vector<Task>& tasks = tasks_of(port);
  const auto known = find(tasks, task.name, *task.upstream);
  if (known != tasks.end()) return std::make_shared<ToolAnswering>(*known->about);
  mcp::Call unknown = call;
  unknown.params = mcp::ToolCall{std::string(Metrics::kUnknown), {}};
  return answering(unknown, port, {task.upstream, std::string(Metrics::kUnknown)});
}

void Gateway::ask_about_task(const mcp::Call& call, const std::shared_ptr<server::Port>& port) {
  const auto shown = mcp::text_member(call.raw_params.view(), kId);
  const Route task = shown ? route_of_task(*shown) : Route{upstreams_.front().get(), {}};
  if (task.upstream == nullptr || is_of_somebody_else(task, *port)) {
    port->reply(call.key,
                mcp::invalid_params(fmt::format("Unknown task: {}", json::quote(*shown))));
    return;
  }
  const auto about = answering_of_task(call, *port, task);
  const std::shared_ptr<Relay> relay = start_relay(call, port, *task.upstream);
  relay->send(options_for(*relay, shown ? with_id(call.raw_params, task.name) : call.raw_params),
              [this, about](Relay& self, client::CallResult result) {
                if (result) {
                  answer_about_task(self, std::move(*result), about);
                } else {
                  self.reply(as_reply(without_secrets(std::move(result), about->plan)));
                }
              });
}

void Gateway::answer_about_task(Relay& relay, json::Value message,
                                const std::shared_ptr<ToolAnswering>& about) {
  message = with_shown_tasks(upstream_of(*relay.link()), std::move(message));
  const bool is_answer =
      relay.call().method_name == "tasks/result" && is_finished_answer(message.view());
  const auto inside = message->find("result");
  if (about->plan.contract && is_answer) {
    shape(relay, std::move(message), about);
  } else if (about->plan.contract && inside && !inside->is_null()) {
    about->around = message;
    shape(relay, json::Value(*inside), about);
  } else {
    message = with_clean_error(std::move(message), about->plan);
    relay.reply(mcp::Relayed{sealed(relay, std::move(message))});
  }
}

}  // namespace enfold::gateway
