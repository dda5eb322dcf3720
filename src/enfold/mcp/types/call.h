// SPDX-License-Identifier: Apache-2.0
// A request that the application (the gateway, or a server built with the library) has to answer:
// typed params if the protocol defines the method, and always the unchanged params.
#pragma once

#include "enfold/mcp/types/notifications.h"
#include "enfold/mcp/types/result.h"
#include "enfold/mcp/wire/message.h"
#include "enfold/mcp/wire/protocol.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace enfold::mcp {

/// Replaces the JSON-RPC id of a call. Chosen by a ServerPeer, or by the owner of a ClientPeer.
enum class CallKey : std::uint64_t {};

/// The client behind a call, as it describes itself. Enfold cannot verify it.
struct Caller {
  Era era = Era::sessions;
  std::string version;      ///< the protocol revision
  json::Value client_info;  ///< Implementation: name, version; null: the client gave none
  Capabilities capabilities;

  // From client_info; empty: the client gave none.
  [[nodiscard]] std::string client_name() const {
    return json::string_member(client_info.view(), "name").value_or("");
  }
  [[nodiscard]] std::string client_version() const {
    return json::string_member(client_info.view(), "version").value_or("");
  }
};

/// What a client declares about itself: client_info and capabilities together.
inline constexpr std::size_t kMaxDeclaredBytes = std::size_t{32} << 10;
/// The refusal of a client that declares more; nullopt: it is accepted. A null View: not declared.
[[nodiscard]] std::optional<RpcError> check_declared(json::View client_info,
                                                     json::View capabilities);
/// The same client without the rest of the message that it was read from, which can be long: for
/// owners that outlive the request.
[[nodiscard]] std::shared_ptr<const Caller> without_message(const Caller& caller);

struct ListRequest {                  ///< tools, resources, resource templates, prompts
  std::optional<std::string> cursor;  ///< nullopt: the first page
};
struct ToolCall {
  std::string name;
  json::Value arguments;  ///< an object; null: none were sent
};
struct ResourceRead {
  std::string uri;
};
struct ResourceSubscription {  ///< resources/subscribe and unsubscribe
  std::string uri;
};
struct PromptGet {
  std::string name;
  json::Value arguments;  ///< an object; null: none were sent
};
struct CompletionRequest {
  enum class Target { prompt, resource };
  Target target = Target::prompt;
  std::string reference;  ///< name of the prompt, or URI (template) of the resource
  std::string argument;   ///< name of the argument to complete
  std::string value;      ///< its text so far
  json::Value context;    ///< arguments that the user has filled in already; null: none
};
struct TaskRequest {  ///< tasks/get, tasks/update, tasks/cancel, tasks/result
  std::string id;
};
struct OtherRequest {};  ///< any other method: see Call::raw_params

using CallParams = std::variant<OtherRequest, ListRequest, ToolCall, ResourceRead,
                                ResourceSubscription, PromptGet, CompletionRequest, TaskRequest>;

struct Call {
  CallKey key{};
  Id id;  ///< of the JSON-RPC request, for logs
  Method method = Method::other;
  std::string method_name;  ///< also of a method that is `other`
  CallParams params;
  json::Value raw_params;  ///< unchanged; null: none
  std::shared_ptr<const Caller> caller;
  std::optional<Id> progress_token;  ///< nullopt: the client wants no progress
  /// Stateless era: the least severe message that this request wants; nullopt: no messages.
  std::optional<LogLevel> log_level;
  InputResponses inputs;  ///< not empty if the client repeats the call after `input_required`
  // W3C trace context from the headers of the HTTP request; not yet validated. Empty: none.
  std::string traceparent;
  std::string tracestate;
  /// Headers of the HTTP request, name and value: those that the settings of the server name.
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Moves the parts of the request into a call. Does not set log_level, inputs and the members that
/// come from HTTP headers. `invalid_params`, with `request` unchanged, if a needed member is
/// missing or of the wrong type.
[[nodiscard]] tl::expected<Call, RpcError> read_call(Request& request, CallKey key,
                                                     std::shared_ptr<const Caller> caller);

}  // namespace enfold::mcp
