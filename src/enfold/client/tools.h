// SPDX-License-Identifier: Apache-2.0
// The tools of a server: its list, a check of arguments against a tool's schema, and calls that are
// retried when the server throttles them, if a retry does no harm. An answer comes as it was sent
// and also as read by the contracts, so that warnings and failures have one form.
#pragma once

#include "enfold/client/client.h"
#include "enfold/contract/contract.h"
#include "enfold/mcp/types/catalog.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace enfold::client {

struct OfferedTool {
  mcp::Tool tool;
  mcp::ParamHeaders headers;  ///< arguments that are repeated in headers, over HTTP
};

/// A tool that is broken, or that the protocol forbids to use.
struct UnusableTool {
  std::string name;
  Error why;
};

struct Toolbox {
  std::vector<OfferedTool> tools;  ///< in the server's order
  std::vector<UnusableTool> unusable;

  [[nodiscard]] const OfferedTool* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

void list_tools(Client& client, net::Callback<void(tl::expected<Toolbox, CallFailure> tools)> done);

/// `not_found`, with the name that was probably meant.
[[nodiscard]] Result<const OfferedTool*> choose(const Toolbox& tools, std::string_view name);
/// `invalid_input` that names every place where the arguments do not meet the tool's input schema.
/// A schema that cannot be used checks nothing: the server has the last word.
[[nodiscard]] Status check_arguments(const OfferedTool& tool, json::View arguments);
/// `protocol_violation` when structured content does not meet the announced output schema.
[[nodiscard]] Status check_answer(const OfferedTool& tool, json::View result);

/// How often a call is retried when the server says that it is throttled.
struct RetryLimits {
  std::size_t attempts = 3;                                       ///< the first one included
  std::chrono::milliseconds max_wait = std::chrono::seconds(60);  ///< all waits together
};

struct ToolRequest {
  std::string name;
  json::Value arguments;  ///< an object; null: none are sent
  json::Value meta;       ///< `_meta` of the request; null: none
  mcp::ParamHeaders headers;
  bool may_retry = false;  ///< a second call does no harm
  RetryLimits retries;
  bool wants_progress = false;
  std::optional<net::Duration> idle_timeout;  ///< instead of the options'
  std::optional<net::Duration> call_timeout;
};
[[nodiscard]] ToolRequest request_for(const OfferedTool& tool, json::Value arguments);

struct ToolAnswer {
  json::Value result;  ///< as it came
  bool is_error = false;
  contract::Reading reading;  ///< outcome, payload, warnings, failure, page …
  std::size_t attempts = 1;
};
using ToolOutcome = tl::expected<ToolAnswer, CallFailure>;

/// A call will be made again.
struct Retry {
  std::chrono::milliseconds after;
  std::size_t attempt = 2;  ///< the one that will be made
  std::string why;
};

struct ToolEvents {
  net::Callback<void(ToolOutcome outcome)> done;
  std::function<void(const mcp::ProgressReport& progressed)> on_progress;
  std::function<void(const Retry& retry)> on_retry;
};

/// A tool call under way. Dropping it changes nothing; cancel() ends it without a report.
class ToolCall {
 public:
  ToolCall() = default;
  void cancel(std::string_view reason) const;

 private:
  friend ToolCall call_tool(Client& client, ToolRequest request, ToolEvents events);
  class Run;
  std::weak_ptr<Run> run_;
};

/// The client must outlive the call.
ToolCall call_tool(Client& client, ToolRequest request, ToolEvents events);

}  // namespace enfold::client
