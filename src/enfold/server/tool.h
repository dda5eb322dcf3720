// SPDX-License-Identifier: Apache-2.0
// One tool as its author describes it. The types of request and response are erased: the handler is
// behind a function that reads the arguments and answers with process_tool_response, so nothing but
// declared fields can come out of it.
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

/// An error of the tool's own whose message is for the log alone.
struct InternalError {
  std::string message;
};

/// What a call of a handler led to: an answer, a failure, a question to the user, arguments that
/// could not be read (then the handler did not run), or an internal error.
using HandlerResult = std::variant<answer::BeginResult, model::Response, NeedsInput,
                                   std::vector<tools::Problem>, InternalError>;

using Run = std::function<HandlerResult(json::View arguments, Context& context)>;

struct ToolSpec : tools::ToolSpec {
  Run run;
};

/// What the author of a tool says about it, in one chain.
class Tool {
 public:
  explicit Tool(ToolSpec& spec) : spec_(&spec) {}

  // What clients are told.
  Tool& title(std::string text);
  Tool& read_only() { return annotate("readOnlyHint", true); }
  Tool& destructive(bool yes = true) { return annotate("destructiveHint", yes); }
  Tool& idempotent() { return annotate("idempotentHint", true); }
  Tool& open_world(bool yes = true) { return annotate("openWorldHint", yes); }
  /// In place of the schema of the declared arguments; must describe an object.
  Tool& input_schema(json::Value schema);

  // How it runs.
  /// On a worker thread, so that it may take its time; several calls may run at once. Without
  /// this a handler runs between other events and must return at once.
  Tool& slow(std::chrono::milliseconds deadline = std::chrono::seconds(30));
  Tool& rate_limit(store::RateLimit limit);
  Tool& behind_flag(std::string flag);
  Tool& needs_tier(model::Tier tier);
  Tool& version(std::string text);
  Tool& capability(std::string text);
  Tool& policy(budget::Policy policy);

 private:
  Tool& annotate(std::string_view hint, bool value);
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

/// What a response of one of several types needs; one type is the common case.
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

template <class Handler>
Run make_run(Handler handler) {
  using Traits = HandlerTraits<Handler>;
  using Request = typename Traits::Request;
  using Response = typename ResponseOf<std::remove_cvref_t<typename Traits::Returned>>::Type;
  return [handler = std::move(handler)](json::View arguments, Context& context) -> HandlerResult {
    std::vector<tools::Problem> problems;
    const Request request = read_request<Request>(arguments, problems);
    if (!problems.empty()) return problems;
    Answer<Response> answer = [&]() -> Answer<Response> {
      if constexpr (Traits::wants_context) {
        return handler(request, context);
      } else {
        return handler(request);
      }
    }();
    if (Trouble* trouble = answer.trouble()) return result_of(*trouble);
    const CallFacts& facts = context.facts();
    return answer::process_tool_response(*facts.plan, {facts.level, facts.elapsed()},
                                         *answer.response(), context.take_additions());
  };
}

/// A handler is a function, or an object whose operator() is const.
template <class Handler>
[[nodiscard]] ToolSpec make_tool(std::string name, std::string description, Handler handler) {
  using Traits = HandlerTraits<Handler>;
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
    if constexpr (!std::is_same_v<Response, Text> && !std::is_same_v<Response, Attached>) {
      spec.payload_schema = Alternatives<Response>::schema();
      spec.has_levels = Alternatives<Response>::has_levels();
    }
    spec.run = make_run(std::move(handler));
  }
  return spec;
}

}  // namespace detail
}  // namespace enfold::server
