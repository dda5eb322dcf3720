// SPDX-License-Identifier: Apache-2.0
// Calls that a server answers later: the handle passes, and what `tasks/result` or `tasks/get` then
// brings is the answer of the tool, like any other. With several upstreams the id that clients see
// says whose the task is: UPSTREAM__ID.
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/json/member.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/redact/redact.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace enfold::gateway {
namespace {

constexpr std::string_view kId = "taskId";
constexpr std::string_view kRelated = "io.modelcontextprotocol/related-task";
constexpr std::string_view kWords = "statusMessage";
// Of one principal; of older ones nobody knows the tool any more.
constexpr std::size_t kMostTasks = 1000;

struct Rewrite {
  std::function<std::string(const std::string& id)> id;
  std::function<std::string(const std::string& words)> words;
  std::function<bool(const std::string& id)> lists;
};

// Every place where a handle, a list or an answer of tasks names them.
void write_as_shown(json::Writer& writer, json::View object, const Rewrite& rewrite) {
  mcp::Overlay overlay;
  if (const auto id = json::string_member(object, kId)) overlay.text(kId, rewrite.id(*id));
  if (const auto words = json::string_member(object, kWords)) {
    overlay.text(kWords, rewrite.words(*words));
  }
  for (const std::string_view key :
       {std::string_view("task"), std::string_view("_meta"), kRelated}) {
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
        if (!rewrite.lists(json::string_member(task, kId).value_or(""))) continue;
        task.is_object() ? write_as_shown(out, task, rewrite) : void(out.value(task));
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
json::Value with_clean_error(json::Value message, const redact::Policy* policy) {
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
    return one.id == id && one.upstream_number == number;
  };
}

auto find(const std::vector<Task>& tasks, std::string_view id, const Upstream& upstream) {
  return std::ranges::find_if(tasks, is_task(id, upstream));
}

}  // namespace

json::Value Gateway::with_shown_tasks(const Upstream& upstream, json::Value message,
                                      const TasksShown& shown) const {
  const bool is_one = upstreams_.size() == 1;
  const bool is_as_it_is = is_one && shown.policy == nullptr && shown.only == nullptr;
  if (is_as_it_is || !message->is_object()) return message;
  const Rewrite rewrite{
      [&](const std::string& id) { return is_one ? id : shown_id(upstream.settings.name, id); },
      [&](const std::string& words) {
        return shown.policy == nullptr ? words : redact::redact_text(words, *shown.policy);
      },
      [&](const std::string& id) {
        return shown.only == nullptr || find(*shown.only, id, upstream) != shown.only->end();
      }};
  json::Writer writer;
  write_as_shown(writer, message.view(), rewrite);
  return std::move(writer).finish_value();
}

// On a link of several callers an id that comes again is another task: whoever had the first has
// lost it.
void Gateway::note_task(Relay& relay, const std::string& id, const std::string& principal,
                        const std::shared_ptr<ToolAnswering>& about) {
  Upstream& upstream = upstream_of(*relay.link());  // not always the one that was asked first
  const bool is_shared = relay.link() == upstream.shared;
  for (auto& [of, tasks] : tasks_) {
    if (is_shared || of == principal) std::erase_if(tasks, is_task(id, upstream));
  }
  std::vector<Task>& tasks = tasks_[principal];
  if (tasks.size() == kMostTasks) tasks.erase(tasks.begin());
  tasks.push_back({id, upstream.number, about});
}

json::Value Gateway::with_task_noted(Relay& relay, json::Value result,
                                     const std::shared_ptr<ToolAnswering>& about) {
  if (is_finished_answer(result.view())) return result;
  const json::View handle = mcp::object_member(result.view(), "task").value_or(result.view());
  const auto id = json::string_member(handle, kId);
  const std::shared_ptr<serve::Port> port = relay.port();
  if (!id || id->empty() || !port) return result;
  note_task(relay, *id, port->memory().principal, about);
  return with_shown_tasks(upstream_of(*relay.link()), std::move(result),
                          {.policy = policy_of(about->plan)});
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

// Who asks twice gets two answers, each with a share of its own. A task that was started elsewhere,
// or too long ago, is one of a tool that nobody knows. An upstream knows nothing of principals, so
// that where there are any, nobody hears of a task that is not known to be theirs.
std::shared_ptr<ToolAnswering> Gateway::answering_of_task(const mcp::Call& call, serve::Port& port,
                                                          const Route& task) {
  const std::vector<Task>& tasks = tasks_[port.memory().principal];
  const auto known = find(tasks, task.name, *task.upstream);
  if (known != tasks.end()) return std::make_shared<ToolAnswering>(*known->about);
  const bool names_one = !task.name.empty();
  if (names_one && !settings_.principals.empty()) return nullptr;
  mcp::Call unknown = call;
  unknown.params = mcp::ToolCall{std::string(Metrics::kUnknown), {}};
  return answering(unknown, port, {task.upstream, std::string(Metrics::kUnknown)});
}

// Those who ask for all tasks ask one server: the first that has any.
Gateway::Route Gateway::route_of_tasks() const {
  const auto has_tasks = [](const auto& one) {
    return one->identity && one->identity->capabilities.has("tasks");
  };
  const auto found = std::ranges::find_if(upstreams_, has_tasks);
  return {(found != upstreams_.end() ? *found : upstreams_.front()).get(), {}};
}

void Gateway::ask_about_task(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  const std::string shown = json::string_member(call.raw_params.view(), kId).value_or("");
  const Route task = shown.empty() ? route_of_tasks() : route_of_task(shown);
  const auto about = task.upstream != nullptr ? answering_of_task(call, *port, task) : nullptr;
  if (about == nullptr) {
    port->reply(call.key, mcp::invalid_params(fmt::format("Unknown task: {}", json::quote(shown))));
    return;
  }
  const std::shared_ptr<Relay> relay = start_relay(call, port, *task.upstream);
  relay->send(
      options_for(*relay, shown.empty() ? call.raw_params : with_id(call.raw_params, task.name)),
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
  const std::shared_ptr<serve::Port> port = relay.port();
  const bool filters = port && !settings_.principals.empty();
  message = with_shown_tasks(upstream_of(*relay.link()), std::move(message),
                             {.policy = policy_of(about->plan),
                              .only = filters ? &tasks_[port->memory().principal] : nullptr});
  const bool is_answer =
      relay.call().method_name == "tasks/result" && is_finished_answer(message.view());
  const auto inside = message->find("result");
  if (about->plan.contract && is_answer) {
    shape(relay, std::move(message), about);
  } else if (about->plan.contract && inside && !inside->is_null()) {
    about->around = message;
    shape(relay, json::Value(*inside), about);
  } else {
    message = with_clean_error(std::move(message), policy_of(about->plan));
    relay.reply(mcp::Relayed{sealed(relay, std::move(message))});
  }
}

// The answer of a tool has one way to the client: `tasks/get` brings it.
void Gateway::tell_of_task(UpstreamConnection& link, const mcp::Notification& notification) {
  for (Visitor* const visitor : visitors_on(link)) {
    if (!visitor->has_session) continue;
    mcp::Call asked;
    asked.caller = visitor->caller;
    const auto& redaction = settings_.answers.redaction;
    const bool is_shaped = contract_for(asked, *visitor->port).has_value();
    const redact::Policy* const policy = is_shaped && redaction ? &*redaction : nullptr;
    json::Value params =
        with_shown_tasks(upstream_of(link), notification.params, {.policy = policy});
    params = with_clean_error(std::move(params), policy);
    if (is_shaped && params->find("result")) {
      json::Writer writer;
      mcp::Overlay().without("result").write(writer, params.view());
      params = std::move(writer).finish_value();
    }
    visitor->port->notify(std::nullopt, notification.method, params.view());
  }
}

}  // namespace enfold::gateway
