// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/tools.h"

#include "enfold/base/text.h"
#include "enfold/json/document.h"
#include "enfold/model/content.h"
#include "enfold/schema/schema.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace enfold::client {
namespace {

// The member of a result that holds the list.
std::string_view member_of(mcp::Method method) {
  switch (method) {
    case mcp::Method::tools_list: return "tools";
    case mcp::Method::prompts_list: return "prompts";
    case mcp::Method::resources_list: return "resources";
    default: return "resourceTemplates";  // of resources/templates/list
  }
}

json::Value page_params(const std::optional<std::string>& cursor) {
  if (!cursor) return {};
  json::Writer writer;
  writer.begin_object().member("cursor", *cursor).end_object();
  return std::move(writer).finish_value();
}

// Of all pages together; a list of one page is limited by ClientOptions::limits alone.
constexpr std::size_t kMaxListBytes = std::size_t{64} << 20;

/// Requests the pages of a list one after the other.
class ListFetch : public std::enable_shared_from_this<ListFetch> {
 public:
  ListFetch(Client& client, mcp::Method method, net::Callback<void(ListResult)> done)
      : client_(client),
        method_(method),
        done_(std::move(done)),
        deadline_(client.loop().now() + client.options().call_timeout) {}

  /// Requests the page of this cursor and then all pages after it. nullopt: the first page.
  void fetch_from(const std::optional<std::string>& cursor) {
    mcp::CallOptions options = client_.prepare(mcp::name(method_), page_params(cursor));
    const auto left = std::chrono::duration_cast<mcp::Time>(deadline_ - client_.loop().now());
    options.call_timeout = std::max(left, mcp::Time(1));
    client_.request(std::move(options), {.done = [self = shared_from_this()](CallResult result) {
                      self->on_page(std::move(result));
                    }});
  }

 private:
  void on_page(CallResult result) {
    if (!result) {
      done_(tl::unexpected(std::move(result.error())));
      return;
    }
    ++list_.pages;
    bytes_ += (*result)->raw().size();
    if (list_.pages > 1 && bytes_ > kMaxListBytes) {
      give_up(ErrorCode::limit_exceeded,
              fmt::format("{} has more than {} bytes", mcp::name(method_), kMaxListBytes));
      return;
    }
    const auto items = (*result)->find(member_of(method_));
    if (!items || !items->is_array()) {
      give_up(ErrorCode::protocol_violation,
              fmt::format("expected an array {} in the answer to {}",
                          json::quote(member_of(method_)), mcp::name(method_)));
      return;
    }
    for (const json::View item : items->items()) list_.items.emplace_back(item);
    const auto cursor = json::string_member(result->view(), "nextCursor");
    if (!cursor) {
      done_(std::move(list_));
    } else if (list_.items.size() > client_.options().max_items ||
               list_.pages >= client_.options().max_pages) {
      give_up(ErrorCode::limit_exceeded,
              fmt::format("{} has more than {} pages or {} entries", mcp::name(method_),
                          client_.options().max_pages, client_.options().max_items));
    } else if (!seen_cursors_.insert(*cursor).second) {
      give_up(ErrorCode::protocol_violation,
              fmt::format("the pages of {} never end: the cursor {} came twice", mcp::name(method_),
                          json::quote(cursor->substr(0, 80))));
    } else {
      fetch_from(cursor);
    }
  }

  void give_up(ErrorCode code, std::string message) {
    done_(tl::unexpected(CallFailure{
        .error = {code, std::move(message), {}, "report it to the author of the server"}}));
  }

  Client& client_;
  mcp::Method method_;
  net::Callback<void(ListResult)> done_;
  net::TimePoint deadline_;
  List list_;
  std::set<std::string> seen_cursors_;
  std::size_t bytes_ = 0;  ///< of all pages
};

constexpr std::size_t kViolationsShown = 8;  // at most, in one error

std::string name_of(json::View tool) {
  return json::string_member(tool, "name").value_or("(without a name)");
}

// Adds an entry of the list to the toolbox, as usable or not. `with_headers`: the tool is called
// over HTTP in the stateless era, so its declaration of headers must be valid.
void add_tool(Toolbox& box, json::View entry, bool with_headers) {
  Result<mcp::Tool> tool = mcp::read_tool(entry);
  if (!tool) {
    box.unusable.push_back({name_of(entry), tool.error()});
    return;
  }
  OfferedTool offered{std::move(*tool), {}};
  if (with_headers) {
    Result<mcp::ParamHeaders> headers = mcp::read_param_headers(offered.tool.input_schema.view());
    if (!headers) {
      box.unusable.push_back({offered.tool.name, headers.error()});
      return;
    }
    offered.headers = std::move(*headers);
  }
  box.tools.push_back(std::move(offered));
}

std::string describe(const std::vector<schema::Violation>& violations) {
  std::vector<std::string> lines;
  lines.reserve(violations.size());
  for (const schema::Violation& violation : violations) {
    lines.push_back(fmt::format("{}: expected {}, found {}",
                                violation.instance.empty() ? "(root)" : violation.instance,
                                violation.expected, violation.found));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

// Describes where an instance violates its schema. nullopt: nowhere, or the schema cannot be used.
std::optional<std::string> describe_violations(const json::Value& schema, json::View instance) {
  const Result<schema::Schema> compiled = schema::Schema::compile(schema);
  if (!compiled) return std::nullopt;
  const Result<schema::Validation> checked =
      compiled->validate(instance, /*limits=*/{}, kViolationsShown);
  if (!checked || checked->valid) return std::nullopt;
  return describe(checked->violations);
}

json::Value call_params(const ToolRequest& request) {
  json::Writer writer;
  writer.begin_object().member("name", request.name);
  if (!request.arguments->is_null()) writer.member("arguments", request.arguments);
  if (request.meta->is_object()) writer.member("_meta", request.meta);
  writer.end_object();
  return std::move(writer).finish_value();
}

// This many seconds as a duration; nullopt: not a number from 0 to one day. Parses the text,
// because model::Number keeps numbers as text.
std::optional<std::chrono::milliseconds> wait_of(const std::optional<model::Number>& seconds) {
  if (!seconds) return std::nullopt;
  const Result<json::Document> parsed = json::parse(seconds->text);
  const auto value = parsed ? parsed->root().real() : std::nullopt;
  constexpr double kDay = 86'400;
  if (!value || *value < 0 || *value > kDay) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(*value * 1000)));
}

// How long a throttled tool asks to wait; nullopt: it is not throttled, or does not say.
std::optional<std::chrono::milliseconds> requested_wait(const model::Response& response) {
  if (!response.failure || response.failure->kind != model::ErrorKind::throttled) {
    return std::nullopt;
  }
  if (const auto wait = wait_of(response.failure->retry_after)) return wait;
  return response.rate_limit ? wait_of(response.rate_limit->retry_after) : std::nullopt;
}

}  // namespace

void list(Client& client, mcp::Method method, net::Callback<void(ListResult result)> done) {
  std::make_shared<ListFetch>(client, method, std::move(done))->fetch_from(std::nullopt);
}

const OfferedTool* Toolbox::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tools, [&](const OfferedTool& one) { return one.tool.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

std::vector<std::string> Toolbox::names() const {
  std::vector<std::string> out;
  out.reserve(tools.size());
  for (const OfferedTool& one : tools) out.push_back(one.tool.name);
  return out;
}

void list_tools(Client& client,
                net::Callback<void(tl::expected<Toolbox, CallFailure> tools)> done) {
  list(client, mcp::Method::tools_list,
       [&client, done = std::move(done)](ListResult listed) mutable {
         if (!listed) {
           done(tl::unexpected(std::move(listed.error())));
           return;
         }
         const bool with_headers =
             client.is_over_http() && client.server().era == mcp::Era::stateless;
         Toolbox box;
         for (const json::Value& item : listed->items) add_tool(box, item.view(), with_headers);
         done(std::move(box));
       });
}

Result<const OfferedTool*> choose(const Toolbox& tools, std::string_view name) {
  if (const OfferedTool* found = tools.find(name)) return found;
  for (const UnusableTool& one : tools.unusable) {
    if (one.name != name) continue;
    return fail(ErrorCode::unsupported, fmt::format("the tool {} cannot be used", name), {},
                one.why.message);
  }
  const std::vector<std::string> names = tools.names();
  return fail(ErrorCode::not_found, fmt::format("the server has no tool {}", json::quote(name)), {},
              did_you_mean(name, names,
                           names.empty() ? std::string("it offers no tools")
                                         : fmt::format("it offers {}", fmt::join(names, ", "))));
}

Status check_arguments(const OfferedTool& tool, json::View arguments) {
  const json::Value empty = json::parse_own("{}");
  const json::View object = arguments.is_null() ? empty.view() : arguments;
  if (!object.is_object()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected an object of arguments, found {}", json::name(object.kind())),
                {}, R"(write them like {"name": "value"})");
  }
  const auto problem = describe_violations(tool.tool.input_schema, object);
  if (!problem) return {};
  return fail(ErrorCode::invalid_input,
              fmt::format("the arguments do not suit the tool {}:\n{}", tool.tool.name, *problem));
}

Status check_answer(const OfferedTool& tool, json::View result) {
  if (!tool.tool.output_schema) return {};
  const auto structured = result.find("structuredContent");
  if (!structured) {
    if (model::is_failed_result(result)) return {};
    return fail(ErrorCode::protocol_violation,
                "the tool announces an output schema and answers without structured content");
  }
  const auto problem = describe_violations(*tool.tool.output_schema, *structured);
  if (!problem) return {};
  return fail(ErrorCode::protocol_violation,
              fmt::format("the answer does not meet the output schema that the tool announces:\n{}",
                          *problem));
}

ToolRequest request_for(const OfferedTool& tool, json::Value arguments) {
  ToolRequest request;
  request.name = tool.tool.name;
  request.arguments = std::move(arguments);
  request.headers = tool.headers;
  request.may_retry = mcp::may_retry(mcp::read_tool_hints(tool.tool.annotations));
  return request;
}

/// One tool call from its first attempt to its last.
class ToolCall::Run : public std::enable_shared_from_this<Run> {
 public:
  Run(Client& client, ToolRequest request, ToolEvents events)
      : client_(client),
        request_(std::move(request)),
        events_(std::move(events)),
        timer_(client.loop(), [this] { attempt(); }) {}

  void attempt() {
    // After a wait, `waiting_` may be the only reference to this object.
    const std::shared_ptr<Run> alive = std::exchange(waiting_, nullptr);
    ++attempts_;
    mcp::CallOptions options =
        client_.prepare(mcp::name(mcp::Method::tools_call), call_params(request_));
    const auto milliseconds = [](net::Duration time) {
      return std::chrono::duration_cast<mcp::Time>(time);
    };
    if (request_.idle_timeout) options.idle_timeout = milliseconds(*request_.idle_timeout);
    if (request_.call_timeout) options.call_timeout = milliseconds(*request_.call_timeout);
    options.wants_progress = request_.wants_progress;
    options.param_headers = request_.headers;
    CallEvents events;
    events.done = [self = shared_from_this()](CallResult result) {
      self->on_result(std::move(result));
    };
    events.on_progress = [weak = weak_from_this()](const mcp::ProgressReport& progressed) {
      const auto self = weak.lock();
      if (self && self->events_.on_progress) self->events_.on_progress(progressed);
    };
    open_request_ = client_.request(std::move(options), std::move(events));
  }

  void cancel(std::string_view reason) {
    timer_.cancel();
    waiting_ = nullptr;
    if (open_request_) client_.cancel(*open_request_, reason);
    open_request_.reset();
  }

 private:
  void on_result(CallResult result) {
    open_request_.reset();
    if (!result) {
      CallFailure& failure = result.error();
      if (failure.retry_after && schedule_retry(*failure.retry_after, failure.error.message)) {
        return;
      }
      events_.done(tl::unexpected(std::move(failure)));
      return;
    }
    Result<mcp::ToolResult> read = mcp::read_tool_result(result->view());
    if (!read) {
      events_.done(tl::unexpected(CallFailure{.error = read.error()}));
      return;
    }
    ToolAnswer answer{std::move(*result), read->is_error, {}, attempts_};
    contract::ReadOptions options;
    options.tool = request_.name;
    options.limits = client_.options().limits;
    Result<contract::Reading> reading =
        contract::read(contract::Id::mcp, answer.result.view(), options);
    if (!reading) {
      events_.done(tl::unexpected(CallFailure{.error = reading.error()}));
      return;
    }
    answer.reading = std::move(*reading);
    const auto wait = requested_wait(answer.reading.response);
    if (wait && schedule_retry(*wait, answer.reading.response.failure->message)) return;
    events_.done(std::move(answer));
  }

  /// Schedules another attempt after this wait; false: the limits do not allow it.
  bool schedule_retry(std::chrono::milliseconds wait, std::string why) {
    if (!request_.may_retry || attempts_ >= request_.retries.attempts) return false;
    if (waited_ + wait > request_.retries.max_wait) return false;
    waited_ += wait;
    if (events_.on_retry) events_.on_retry({wait, attempts_ + 1, std::move(why)});
    waiting_ = shared_from_this();
    timer_.set_after(wait);
    return true;
  }

  Client& client_;
  ToolRequest request_;
  ToolEvents events_;
  std::optional<mcp::CallKey> open_request_;  ///< nullopt: the call waits for a retry or has ended
  std::size_t attempts_ = 0;                  ///< attempts made, a running one included
  std::chrono::milliseconds waited_{0};       ///< all waits before retries together
  std::shared_ptr<Run> waiting_;  ///< this object, while it waits for a retry; else null
  net::Timer timer_;
};

void ToolCall::cancel(std::string_view reason) const {
  if (const auto run = run_.lock()) run->cancel(reason);
}

ToolCall call_tool(Client& client, ToolRequest request, ToolEvents events) {
  const auto run = std::make_shared<ToolCall::Run>(client, std::move(request), std::move(events));
  run->attempt();
  ToolCall call;
  call.run_ = run;
  return call;
}

}  // namespace enfold::client
