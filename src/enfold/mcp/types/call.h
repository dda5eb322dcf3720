// SPDX-License-Identifier: Apache-2.0
// A request that an application has to answer, read and checked: typed params where the protocol
// knows the method, and the whole params beside them.
#pragma once

#include "enfold/mcp/types/capabilities.h"
#include "enfold/mcp/types/input.h"
#include "enfold/mcp/types/notices.h"
#include "enfold/mcp/wire/message.h"
#include "enfold/mcp/wire/method.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace enfold::mcp {

/// Names a call between a peer and its application, in place of the id on the wire.
enum class CallKey : std::uint64_t {};

/// Who calls, and how. Self-reported; never a reason to trust.
struct Caller {
  Era era = Era::sessions;
  std::string version;
  json::Value client_info;  ///< null: not said
  Capabilities capabilities;

  [[nodiscard]] std::string client_name() const;
  [[nodiscard]] std::string client_version() const;
};

struct ListRequest {  ///< tools, resources, resource templates, prompts
  std::optional<std::string> cursor;
};
struct ToolCall {
  std::string name;
  json::Value arguments;  ///< an object; null: none were sent
};
struct ResourceRead {
  std::string uri;
};
struct ResourceWatch {  ///< resources/subscribe and unsubscribe
  std::string uri;
};
struct PromptGet {
  std::string name;
  json::Value arguments;
};
struct CompletionRequest {
  enum class Of { prompt, resource };
  Of of = Of::prompt;
  std::string reference;  ///< name of the prompt, or URI (template) of the resource
  std::string argument;
  std::string value;
  json::Value context;  ///< arguments decided before; null: none
};
struct OtherRequest {};

using CallParams = std::variant<OtherRequest, ListRequest, ToolCall, ResourceRead, ResourceWatch,
                                PromptGet, CompletionRequest>;

struct Call {
  CallKey key{};
  Id id;  ///< on the wire, for logs
  Method method = Method::other;
  std::string method_name;
  CallParams params;
  json::Value raw_params;  ///< as they came; null: none
  std::shared_ptr<const Caller> caller;
  std::optional<Id> progress_token;
  std::optional<LogLevel> log_level;  ///< stateless era: what this request wants to be told
  InputResponses inputs;              ///< when the client asks again after `input_required`
  // W3C trace context, as the headers of the HTTP request have it; unchecked.
  std::string traceparent;
  std::string tracestate;
};

/// invalid_params when a member that the method needs is missing or of the wrong type.
[[nodiscard]] tl::expected<CallParams, RpcError> read_call_params(Method method, json::View params);

[[nodiscard]] std::optional<Id> read_progress_token(json::View params);

}  // namespace enfold::mcp
