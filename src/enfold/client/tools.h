// SPDX-License-Identifier: Apache-2.0
// The lists and the tools of a server: all pages of a list, a check of arguments against a tool's
// schema, and calls. A call that the server throttles is retried if the tool allows it. An answer
// is kept unchanged and is also read by the contracts (enfold/contract), so that the warnings and
// failures of all tools have one form.
#pragma once

#include "enfold/client/client.h"
#include "enfold/contract/contract.h"
#include "enfold/mcp/types/catalog.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace enfold::client {

struct List {
  std::vector<json::Value> items;  ///< of all pages, unchanged, in order
  std::size_t pages = 0;           ///< how many were fetched
};
using ListResult = tl::expected<List, CallFailure>;

/// Calls one of the four list methods (tools/list …) for all pages. A cursor that comes twice is an
/// error, because the pages would never end. `idle_timeout` of the client's options holds for each
/// page, `call_timeout` for all together. The client must exist until `done` is called.
void list(Client& client, mcp::Method method, net::Callback<void(ListResult result)> done);

struct OfferedTool {
  mcp::Tool tool;
  mcp::ParamHeaders headers;  ///< arguments that are repeated in headers, over HTTP
};

/// A tool with an invalid declaration, or one that the protocol forbids to use.
struct UnusableTool {
  std::string name;
  Error why;  ///< why it cannot be called
};

struct Toolbox {
  std::vector<OfferedTool> tools;  ///< in the server's order
  std::vector<UnusableTool> unusable;

  [[nodiscard]] const OfferedTool* find(std::string_view name) const;  ///< nullptr: none in `tools`
  [[nodiscard]] std::vector<std::string> names() const;
};

void list_tools(Client& client, net::Callback<void(tl::expected<Toolbox, CallFailure> tools)> done);

/// The tool with this name. `unsupported` if it cannot be used; `not_found` if there is none: then
/// the hint has the most similar name, or lists all names.
[[nodiscard]] Result<const OfferedTool*> choose(const Toolbox& tools, std::string_view name);
/// `invalid_input` lists where the arguments violate the tool's input schema. If the schema cannot
/// be compiled, nothing is checked: the server will decide.
[[nodiscard]] Status check_arguments(const OfferedTool& tool, json::View arguments);
/// `protocol_violation` if structured content violates the declared output schema, or a success has
/// none. As with check_arguments, nothing is checked if the schema cannot be compiled.
[[nodiscard]] Status check_answer(const OfferedTool& tool, json::View result);

/// When a throttled call is retried: the server, or the tool's answer, must say how long to wait.
struct RetryLimits {
  std::size_t attempts = 3;                                       ///< the first one included
  std::chrono::milliseconds max_wait = std::chrono::seconds(60);  ///< all waits together
};

struct ToolRequest {
  std::string name;
  json::Value arguments;      ///< an object; null: none are sent
  json::Value meta;           ///< `_meta` of the request; null: none
  mcp::ParamHeaders headers;  ///< as in OfferedTool
  bool may_retry = false;     ///< the tool is read-only or idempotent
  RetryLimits retries;        ///< used only with `may_retry`
  bool wants_progress = false;
  std::optional<net::Duration> idle_timeout;  ///< of each attempt; nullopt: the client's
  std::optional<net::Duration> call_timeout;  ///< of each attempt; nullopt: the client's
};
/// The request of a call; `may_retry` comes from the tool's annotations.
[[nodiscard]] ToolRequest request_for(const OfferedTool& tool, json::Value arguments);

struct ToolAnswer {
  json::Value result;         ///< unchanged
  bool is_error = false;      ///< `isError` of the result
  contract::Reading reading;  ///< outcome, payload, warnings, failure, page …
  std::size_t attempts = 1;   ///< how many were made
};
/// An answer of the tool, which may report a failure; or why there is no answer.
using ToolOutcome = tl::expected<ToolAnswer, CallFailure>;

/// A call is about to be retried.
struct Retry {
  std::chrono::milliseconds after;  ///< wait before the next attempt
  std::size_t attempt = 2;          ///< number of the next attempt; the first call is 1
  std::string why;                  ///< what the server or the tool said
};

struct ToolEvents {
  net::Callback<void(ToolOutcome outcome)> done;  ///< called once, unless the call is cancelled
  std::function<void(const mcp::ProgressReport& progressed)> on_progress;
  std::function<void(const Retry& retry)> on_retry;
};

/// Refers to a tool call. Destroying this object does not end the call; cancel() ends it, and none
/// of its callbacks is called any more.
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
