// SPDX-License-Identifier: Apache-2.0
// One tool as its author describes it. The types of request and response end here: a Handler reads
// the arguments, runs the author's function and renders its response, so that an answer can have
// only declared fields.
#pragma once

#include "enfold/level/schema_of.h"
#include "enfold/server/answer.h"
#include "enfold/server/context.h"
#include "enfold/server/reply.h"
#include "enfold/server/signature.h"
#include "enfold/tools/declare/read_arguments.h"
#include "enfold/tools/offered_tool.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace enfold::server {

/// The author's function behind a tool, without its types.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler() = default;
  /// Called for each call of the tool, on the serving thread or for a slow() tool on a worker.
  [[nodiscard]] virtual HandlerResult call(json::View arguments, Context& context) const = 0;
};

/// How the calls of a tool run as tasks (extension io.modelcontextprotocol/tasks).
struct TaskOptions {
  /// Clients that did not declare the extension are refused. Otherwise they wait for the answer, as
  /// with any slow() tool.
  bool required = false;
  /// false: a call becomes a task when its handler calls Context::start_task(). Before that the
  /// client waits, and questions are part of the result of its call.
  bool start_at_once = true;
  /// Of the handler, for clients that accept tasks; at most `ttl`. For others, that of slow().
  std::chrono::milliseconds deadline = std::chrono::minutes(10);
  std::chrono::milliseconds ttl = std::chrono::hours(1);  ///< of the task, from its creation on
  std::chrono::milliseconds poll_interval = std::chrono::seconds(1);  ///< that clients should use
};

/// The declaration of a tool, without the types of its author's function.
struct ToolSpec : tools::ToolSpec {
  std::shared_ptr<const Handler> handler;  ///< never nullptr in a tool that is offered
  std::optional<TaskOptions> task;         ///< nullopt: calls never run as tasks
  bool on_worker = false;                  ///< the handler runs on a worker
  bool deferred = false;                   ///< the handler answers through a Reply
  bool paged = false;                      ///< the request derives from PageRequest
  std::size_t max_concurrent = 0;  ///< calls at the same time; 0: as many as the settings say
};

/// Sets the properties of a tool; calls can be chained. A tool that is added while the server runs
/// is offered when its last Tool is destroyed: usually at the end of the statement.
class Tool {
 public:
  explicit Tool(std::shared_ptr<ToolSpec> spec) : spec_(std::move(spec)) {}

  // What tools/list contains.
  /// A name for people.
  Tool& title(std::string text) { return set(spec_->title, std::move(text)); }
  /// The tool changes nothing (readOnlyHint): clients may call it without asking the user.
  Tool& read_only() { return annotate("readOnlyHint", true); }
  /// Whether the tool may delete or overwrite (destructiveHint). Without this, clients assume that
  /// a tool which is not read_only() does.
  Tool& destructive(bool yes = true) { return annotate("destructiveHint", yes); }
  /// Calling it again with the same arguments changes nothing more (idempotentHint): clients may
  /// retry it.
  Tool& idempotent() { return annotate("idempotentHint", true); }
  /// Whether the tool works with systems that the server does not own, such as the web
  /// (openWorldHint). Without this, clients assume that it does.
  Tool& open_world(bool yes = true) { return annotate("openWorldHint", yes); }
  /// Replaces the schema of the declared arguments; must describe an object.
  Tool& input_schema(json::Value schema) { return set(spec_->input_schema, std::move(schema)); }

  // How it runs.
  /// Runs the handler on a worker thread; several calls may run at once. When the deadline passes,
  /// the call fails or gets what Context::keep stored. Without slow(), the handler runs on the
  /// serving thread and must return at once.
  Tool& slow(std::chrono::milliseconds deadline = std::chrono::seconds(30)) {
    spec_->on_worker = true;
    return set(spec_->deadline, deadline);
  }
  /// Of a handler with a Reply: the time until its answer, 30 seconds unless this or slow() sets
  /// it. A server that sets it for a tool that is neither slow() nor has a Reply does not start.
  Tool& deadline(std::chrono::milliseconds deadline) { return set(spec_->deadline, deadline); }
  /// A long-running tool: a client that declared the tasks extension gets a task at once and asks
  /// for its result later. For other clients the tool is slow().
  Tool& task(TaskOptions options = {}) {
    if (!spec_->deadline) slow();
    return set(spec_->task, options);
  }
  /// Of a slow tool, or one with a Reply: how many of its calls run at the same time, at most.
  /// Without this, or with 0: Settings::workers if it is slow, else Settings::max_waiting. Further
  /// calls wait, and the principals take turns. Calls of other tools never wait for them.
  Tool& max_concurrent(std::size_t calls) { return set(spec_->max_concurrent, calls); }
  /// How often each principal may call it; without this, Settings::rate_limit. A call over the
  /// limit is answered RATE_LIMIT_EXCEEDED, with the time to wait.
  Tool& rate_limit(store::RateLimit limit) { return set(spec_->rate_limit, limit); }
  /// Calls are refused unless the feature flag is on.
  Tool& behind_flag(std::string flag) { return set(spec_->flag, std::move(flag)); }
  /// Calls are refused if Settings::tier is lower.
  Tool& needs_tier(model::Tier tier) { return set(spec_->tier, tier); }
  /// The version of the tool in the envelope (scalpel-v1); without this, that of the server.
  Tool& version(std::string text) { return set(spec_->version, std::move(text)); }
  /// Adds a name to the capabilities of the tool in the envelope (scalpel-v1).
  Tool& capability(std::string text);
  /// How answers over the budget are cut.
  Tool& policy(budget::Policy policy);

 private:
  template <class Member, class Value>
  Tool& set(Member& member, Value value) {
    member = std::move(value);
    return *this;
  }
  Tool& annotate(std::string_view hint, bool value);
  std::shared_ptr<ToolSpec> spec_;
};

namespace detail {

/// Adds to `problems` why the arguments cannot be read; then the result is not usable.
template <class Request>
Request read_request(json::View arguments, std::vector<tools::Problem>& problems) {
  if constexpr (std::is_same_v<Request, json::Value>) {
    (void)problems;
    return json::Value(arguments);
  } else {
    return tools::read_arguments<Request>(arguments, problems);
  }
}

/// Whether a level above `minimal` shows more of a T than `minimal` does. `Outer`: the types that
/// contain T, so that a recursive type ends.
template <class T, class... Outer>
[[nodiscard]] constexpr bool has_levels() {
  if constexpr (level::detail::is_optional<T> || level::detail::ListLike<T>) {
    return has_levels<typename T::value_type, Outer...>();
  } else if constexpr (level::detail::is_map<T>) {
    return has_levels<typename T::mapped_type, Outer...>();
  } else if constexpr (level::detail::is_variant<T>) {
    return []<class... All>(std::type_identity<std::variant<All...>>) {
      return (has_levels<All, Outer...>() || ...);
    }(std::type_identity<T>());
  } else if constexpr ((std::is_same_v<T, Outer> || ...) || !level::Declared<T>) {
    return false;
  } else {
    bool any = false;
    level::detail::each<T>([&](const auto& field) {
      using Value = level::detail::MemberValue<decltype(field.member), T>;
      any = any || field.from > model::Level::minimal || field.preview_length.has_value() ||
            has_levels<Value, T, Outer...>();
    });
    return any;
  }
}

/// The schema of a response type, which may be a variant of several types.
template <class T>
[[nodiscard]] json::Value payload_schema() {
  return level::schema_of<T>();
}
template <class T>
  requires(level::detail::is_variant<T>)
[[nodiscard]] json::Value payload_schema() {
  json::Writer writer;
  writer.begin_object().member("type", "object").key("anyOf").begin_array();
  [&]<class... All>(std::type_identity<std::variant<All...>>) {
    (writer.value(level::schema_of<All>()), ...);
  }(std::type_identity<T>());
  writer.end_array().end_object();
  return std::move(writer).finish_value();
}

/// A Handler for a function with these types.
template <class Function>
class TypedHandler final : public Handler {
 public:
  explicit TypedHandler(Function function) : function_(std::move(function)) {}

  HandlerResult call(json::View arguments, Context& context) const override {
    using Traits = Signature<Function>;
    std::vector<tools::Problem> problems;
    const auto request = read_request<typename Traits::Request>(arguments, problems);
    if (!problems.empty()) return problems;
    using Response = typename Traits::Response;
    PageAccess::expect(context, &is_response<Response>);
    if constexpr (Traits::is_deferred) {
      Traits::start(function_, request, context, Reply<Response>(context.facts().reply.lock()));
      return Deferred{};
    } else {
      Answer<Response> answer = Traits::invoke(function_, request, context);
      return result_of(answer, context);
    }
  }

 private:
  Function function_;
};

template <class Function>
[[nodiscard]] ToolSpec make_tool(std::string name, std::string description, Function function) {
  using Request = typename Signature<Function>::Request;
  using Response = typename Signature<Function>::Response;
  ToolSpec spec;
  spec.name = std::move(name);
  spec.description = std::move(description);
  if constexpr (std::is_same_v<Request, json::Value>) {
    spec.input_schema = json::parse_own(R"({"type":"object"})");
  } else {
    spec.input_schema = tools::input_schema_of<Request>();
    spec.paged = std::is_base_of_v<PageRequest, Request>;
    spec.find_problems = &tools::find_problems<Request>;
  }
  if constexpr (!std::is_same_v<Response, Text> && !std::is_same_v<Response, BlocksOnly>) {
    spec.payload_schema = payload_schema<Response>();
    spec.has_levels = has_levels<Response>();
  }
  if constexpr (Signature<Function>::is_deferred) {
    spec.deferred = true;
    spec.deadline = std::chrono::seconds(30);
  }
  spec.handler = std::make_shared<TypedHandler<Function>>(std::move(function));
  return spec;
}

}  // namespace detail
}  // namespace enfold::server
