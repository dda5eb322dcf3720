// SPDX-License-Identifier: Apache-2.0
// One tool as its author describes it. A function without the types of request and response wraps
// the handler: it reads the arguments and answers with process_tool_response, so that an answer can
// have only declared fields.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/level/schema_of.h"
#include "enfold/server/answer.h"
#include "enfold/server/arguments.h"
#include "enfold/server/context.h"
#include "enfold/tools/declare/read_arguments.h"
#include "enfold/tools/offered_tool.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace enfold::server {

/// An internal error of the tool; its message is only logged.
struct InternalError {
  std::string message;
};

/// The result of calling a handler: an answer, a failure, questions to the user, arguments that
/// could not be read (then the handler did not run), or an internal error.
using HandlerResult = std::variant<answer::BeginResult, model::Response, NeedsInput,
                                   std::vector<tools::Problem>, InternalError>;

using Handler = std::function<HandlerResult(json::View arguments, Context& context)>;

struct ToolSpec : tools::ToolSpec {
  Handler handler;
};

/// Sets the properties of a tool; calls can be chained.
class Tool {
 public:
  explicit Tool(ToolSpec& spec) : spec_(&spec) {}

  // What tools/list contains.
  Tool& title(std::string text) { return set(spec_->title, std::move(text)); }
  Tool& read_only() { return annotate("readOnlyHint", true); }
  Tool& destructive(bool yes = true) { return annotate("destructiveHint", yes); }
  Tool& idempotent() { return annotate("idempotentHint", true); }
  Tool& open_world(bool yes = true) { return annotate("openWorldHint", yes); }
  /// Replaces the schema of the declared arguments; must describe an object.
  Tool& input_schema(json::Value schema) { return set(spec_->input_schema, std::move(schema)); }

  // How it runs.
  /// Runs the handler on a worker thread; several calls may run at once. Without this, the handler
  /// runs on the serving thread and must return at once.
  Tool& slow(std::chrono::milliseconds deadline = std::chrono::seconds(30)) {
    return set(spec_->deadline, deadline);
  }
  Tool& rate_limit(store::RateLimit limit) { return set(spec_->rate_limit, limit); }
  Tool& behind_flag(std::string flag) { return set(spec_->flag, std::move(flag)); }
  Tool& needs_tier(model::Tier tier) { return set(spec_->tier, tier); }
  Tool& version(std::string text) { return set(spec_->version, std::move(text)); }
  Tool& capability(std::string text) {
    spec_->capabilities.push_back(std::move(text));
    return *this;
  }
  Tool& policy(budget::Policy policy) { return set(spec_->policy, std::move(policy)); }

 private:
  template <class Member, class Value>
  Tool& set(Member& member, Value value) {
    member = std::move(value);
    return *this;
  }
  Tool& annotate(std::string_view hint, bool value) {
    spec_->annotations.emplace_back(hint, value);
    return *this;
  }
  ToolSpec* spec_;
};

namespace detail {

template <class T>
struct ResponseOf {
  using Type = T;
};
template <class T>
struct ResponseOf<Result<T>> {
  using Type = T;
};
template <class T>
struct ResponseOf<Answer<T>> {
  using Type = T;
};

/// Result and first argument of a handler: a function, or an object with one operator().
template <class T>
struct HandlerTraits : HandlerTraits<decltype(&T::operator())> {};
template <class R, class Q>
struct HandlerTraits<R (*)(Q)> {
  using Returned = R;
  using Request = std::remove_cvref_t<Q>;
  static constexpr bool wants_context = false;
};
template <class R, class Q>
struct HandlerTraits<R (*)(Q, Context&)> {
  using Returned = R;
  using Request = std::remove_cvref_t<Q>;
  static constexpr bool wants_context = true;
};
template <class C, class R, class... Q>
struct HandlerTraits<R (C::*)(Q...) const> : HandlerTraits<R (*)(Q...)> {};
template <class C, class R, class... Q>
struct HandlerTraits<R (C::*)(Q...)> : HandlerTraits<R (*)(Q...)> {};

template <class Request>
Request read_request(json::View arguments, std::vector<tools::Problem>& problems) {
  if constexpr (std::is_same_v<Request, json::Value>) {
    (void)problems;
    return json::Value(arguments);
  } else {
    return tools::read_arguments<Request>(arguments, problems);
  }
}

/// What make_tool needs of the response type, which may be a variant of several types.
template <class T>
struct Alternatives {
  static constexpr bool declared = level::Declared<T>;
  static void demand() { level::detail::demand_declared<T>(); }
  static json::Value schema() { return level::schema_of<T>(); }
  static bool has_levels();
};

template <class Response>
bool shows_more_above_minimal() {
  const bool previews = std::apply(
      [](const auto&... field) { return (field.preview_length.has_value() || ... || false); },
      Response::fields().all);
  return previews || level::schema_of<Response>(level::Level::minimal) !=
                         level::schema_of<Response>(level::Level::full);
}

[[nodiscard]] HandlerResult result_of(Trouble& trouble);

template <class T>
bool Alternatives<T>::has_levels() {
  return shows_more_above_minimal<T>();
}

template <class... All>
struct Alternatives<std::variant<All...>> {
  static constexpr bool declared = (level::Declared<All> && ...);
  static void demand() { (level::detail::demand_declared<All>(), ...); }
  static json::Value schema() {
    json::Writer writer;
    writer.begin_object().member("type", "object").key("anyOf").begin_array();
    (writer.value(level::schema_of<All>()), ...);
    writer.end_array().end_object();
    return std::move(writer).finish_value();
  }
  static bool has_levels() { return (shows_more_above_minimal<All>() || ...); }
};

template <class Function>
Handler make_handler(Function function) {
  using Traits = HandlerTraits<Function>;
  using Request = typename Traits::Request;
  using Response = typename ResponseOf<std::remove_cvref_t<typename Traits::Returned>>::Type;
  return [function = std::move(function)](json::View arguments, Context& context) -> HandlerResult {
    std::vector<tools::Problem> problems;
    const Request request = read_request<Request>(arguments, problems);
    if (!problems.empty()) return problems;
    Answer<Response> answer = [&]() -> Answer<Response> {
      if constexpr (Traits::wants_context) {
        return function(request, context);
      } else {
        return function(request);
      }
    }();
    if (Trouble* trouble = answer.trouble()) return result_of(*trouble);
    const CallFacts& facts = context.facts();
    return answer::process_tool_response(*facts.plan, {facts.level, facts.elapsed()},
                                         *answer.response(), std::move(context.additions()));
  };
}

/// A handler is a function, or an object whose operator() is const.
template <class Function>
[[nodiscard]] ToolSpec make_tool(std::string name, std::string description, Function function) {
  using Traits = HandlerTraits<Function>;
  using Request = typename Traits::Request;
  using Response = typename ResponseOf<std::remove_cvref_t<typename Traits::Returned>>::Type;
  Alternatives<Response>::demand();
  ToolSpec spec;
  if constexpr (Alternatives<Response>::declared) {
    static_assert(Declares<Request> || std::is_same_v<Request, json::Value>,
                  "a request type must declare its arguments: static constexpr auto arguments() { "
                  "return server::arguments(server::argument(...), ...); }");
    spec.name = std::move(name);
    spec.description = std::move(description);
    if constexpr (Declares<Request>) {
      spec.input_schema = tools::input_schema_of<Request>();
    } else {
      spec.input_schema = json::parse_own(R"({"type":"object"})");
    }
    if constexpr (!std::is_same_v<Response, Text> && !std::is_same_v<Response, BlocksOnly>) {
      spec.payload_schema = Alternatives<Response>::schema();
      spec.has_levels = Alternatives<Response>::has_levels();
    }
    spec.handler = make_handler(std::move(function));
  }
  return spec;
}

}  // namespace detail
}  // namespace enfold::server
