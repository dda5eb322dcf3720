// SPDX-License-Identifier: Apache-2.0
// One tool call from its first attempt to its last. A server that throttles says when to come back,
// in an envelope or by HTTP; the call is retried then if a retry does no harm.
#include "enfold/client/tools.h"

#include <cmath>
#include <fmt/format.h>

namespace enfold::client {
namespace {

json::Value call_params(const ToolRequest& request) {
  json::Writer writer;
  writer.begin_object().member("name", request.name);
  if (!request.arguments->is_null()) writer.member("arguments", request.arguments);
  if (request.meta->is_object()) writer.member("_meta", request.meta);
  writer.end_object();
  return std::move(writer).finish_value();
}

// Seconds as a contract keeps them, by their text.
std::optional<std::chrono::milliseconds> wait_of(const std::optional<model::Number>& seconds) {
  if (!seconds) return std::nullopt;
  const Result<json::Document> parsed = json::parse(seconds->text);
  const auto value = parsed ? parsed->root().real() : std::nullopt;
  constexpr double kDay = 86'400;
  if (!value || *value < 0 || *value > kDay) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(*value * 1000)));
}

std::optional<std::chrono::milliseconds> asked_wait(const model::Response& response) {
  if (!response.failure || response.failure->kind != model::ErrorKind::throttled) {
    return std::nullopt;
  }
  if (const auto wait = wait_of(response.failure->retry_after)) return wait;
  return response.rate_limit ? wait_of(response.rate_limit->retry_after) : std::nullopt;
}

}  // namespace

class ToolCall::Run : public std::enable_shared_from_this<Run> {
 public:
  Run(Client& client, ToolRequest request, ToolEvents events)
      : client_(client),
        request_(std::move(request)),
        events_(std::move(events)),
        timer_(client.loop(), [this] { attempt(); }) {}

  void attempt() {
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
    events.done = [self = shared_from_this()](CallResult result) { self->take(std::move(result)); };
    events.on_progress = [weak = weak_from_this()](const mcp::ProgressReport& progressed) {
      const auto self = weak.lock();
      if (self && self->events_.on_progress) self->events_.on_progress(progressed);
    };
    ticket_ = client_.request(std::move(options), std::move(events));
  }

  void cancel(std::string_view reason) {
    timer_.cancel();
    waiting_ = nullptr;
    if (ticket_) client_.cancel(*ticket_, reason);
    ticket_.reset();
  }

 private:
  void take(CallResult result) {
    ticket_.reset();
    if (!result) {
      CallFailure& failure = result.error();
      if (failure.retry_after && retry_after(*failure.retry_after, failure.error.message)) return;
      events_.done(tl::unexpected(std::move(failure)));
      return;
    }
    Result<mcp::ToolResult> read = mcp::read_tool_result(result->view());
    if (!read) {
      events_.done(tl::unexpected(CallFailure{read.error(), {}, {}}));
      return;
    }
    ToolAnswer answer{std::move(*result), read->is_error, {}, attempts_};
    contract::ReadOptions options;
    options.tool = request_.name;
    options.limits = client_.options().limits;
    Result<contract::Reading> reading =
        contract::read(contract::Id::mcp, answer.result.view(), options);
    if (!reading) {
      events_.done(tl::unexpected(CallFailure{reading.error(), {}, {}}));
      return;
    }
    answer.reading = std::move(*reading);
    const auto wait = asked_wait(answer.reading.response);
    if (wait && retry_after(*wait, answer.reading.response.failure->message)) return;
    events_.done(std::move(answer));
  }

  bool retry_after(std::chrono::milliseconds wait, std::string why) {
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
  std::optional<mcp::CallKey> ticket_;
  std::size_t attempts_ = 0;
  std::chrono::milliseconds waited_{0};
  std::shared_ptr<Run> waiting_;  ///< itself, while only the timer knows of it
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
