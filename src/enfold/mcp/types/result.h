// SPDX-License-Identifier: Apache-2.0
// The results of requests: the result of a tool, cache hints, and `input_required`, by which a
// server asks the client for input (elicitation, sampling, roots) before it can answer. In the
// stateless era these input requests are part of a result, and the client repeats its call with the
// answers; in the session era the server sends them as requests. Here they have one form, which
// ServerPeer and ClientPeer translate. era_2025 and era_2026 write the members that differ between
// the eras.
#pragma once

#include "enfold/mcp/wire/message.h"
#include "enfold/mcp/wire/protocol.h"

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace enfold::mcp {

struct InputRequest {
  std::string key;  ///< chosen by the server; the client's answer has the same key
  std::string method;
  json::Value params;  ///< null: none
  friend bool operator==(const InputRequest&, const InputRequest&) = default;
};

struct InputRequired {
  std::vector<InputRequest> requests;
  std::optional<std::string> state;  ///< opaque; the client sends it back unchanged; nullopt: none
  /// The result of the upstream, which a stateless client gets unchanged; null: no upstream.
  json::Value original;
};

/// The result of the input request with this key.
struct InputResponse {
  std::string key;
  json::Value result;
  friend bool operator==(const InputResponse&, const InputResponse&) = default;
};

/// The answers that a client sends when it repeats a call.
struct InputResponses {
  std::vector<InputResponse> responses;
  std::optional<std::string> state;  ///< InputRequired::state, sent back; nullopt: none

  [[nodiscard]] const json::Value* find(std::string_view key) const;  ///< nullptr: no answer
  [[nodiscard]] bool any() const { return !responses.empty() || state.has_value(); }
  friend bool operator==(const InputResponses&, const InputResponses&) = default;
};

/// From the params of a request. Answers that are not objects are ignored.
[[nodiscard]] InputResponses read_input_responses(json::View params);
/// Writes the members `inputResponses` and `requestState` into an open object.
void write_input_responses(json::Writer& writer, const InputResponses& inputs);

/// From a result with resultType "input_required". `protocol_violation` if it has neither requests
/// nor state, or a request without a method.
[[nodiscard]] Result<InputRequired> read_input_required(json::View result);
/// Writes the member `inputRequests` into an open object.
void write_input_requests(json::Writer& writer, const std::vector<InputRequest>& requests);
/// Writes resultType, inputRequests and requestState into an open object.
void write_input_required(json::Writer& writer, const InputRequired& required);

/// The capabilities that this request needs and the client did not declare, such as {"roots":{}};
/// null: none are missing, or the method is unknown.
[[nodiscard]] json::Value missing_capabilities(const InputRequest& request,
                                               const Capabilities& client);

/// The error (stateless era) if the client did not declare what these requests need; else nullopt.
[[nodiscard]] std::optional<RpcError> reason_not_to_ask(const InputRequired& required,
                                                        const Capabilities& client);

/// elicitation/create in form mode; `schema` is the requestedSchema.
[[nodiscard]] InputRequest ask_form(std::string key, std::string_view message, json::View schema);
/// elicitation/create in url mode.
[[nodiscard]] InputRequest ask_url(std::string key, std::string_view message, std::string_view url,
                                   std::string_view elicitation_id);
[[nodiscard]] InputRequest ask_roots(std::string key);
/// sampling/createMessage with these params.
[[nodiscard]] InputRequest ask_sampling(std::string key, json::Value params);

/// The answer of the user to an elicitation.
enum class ElicitAction { accept, decline, cancel };
struct ElicitResult {
  ElicitAction action = ElicitAction::cancel;
  json::Value content;  ///< of an accepted form, an object; else null
};
/// nullopt: the result has no known action.
[[nodiscard]] std::optional<ElicitResult> read_elicit_result(json::View result);

struct Root {
  std::string uri;
  std::optional<std::string> name;
  friend bool operator==(const Root&, const Root&) = default;
};
[[nodiscard]] std::vector<Root> read_roots(json::View result);  ///< ignores roots without a uri

struct CacheHint {
  enum class Scope { only_for_caller, for_everyone };  ///< on the wire: private, public
  std::chrono::milliseconds ttl{0};  ///< how long the result may be cached; 0: not at all
  Scope scope = Scope::only_for_caller;
  friend bool operator==(const CacheHint&, const CacheHint&) = default;
};
/// Writes the members `ttlMs` and `cacheScope` into an open object.
void write_cache_hint(json::Writer& writer, const CacheHint& hint);

/// `other`: defined by an extension, such as "task". Results of the session era have no type and
/// count as complete.
enum class ResultType { complete, input_required, other };
[[nodiscard]] inline ResultType result_type(json::View result) {
  const auto type = result.find("resultType");
  if (!type || type->equals("complete")) return ResultType::complete;
  return type->equals("input_required") ? ResultType::input_required : ResultType::other;
}

struct ToolResult {
  std::vector<json::Value> content;
  std::optional<json::Value> structured;  ///< any JSON value; nullopt: none
  bool is_error = false;
  std::optional<json::Value> meta;  ///< the member `_meta`; nullopt: none
};
/// Fails with `protocol_violation` if `content` is not an array.
[[nodiscard]] Result<ToolResult> read_tool_result(json::View result);
/// An item of `content`: {"type": "text", "text": …}.
[[nodiscard]] json::Value text_block(std::string_view text);
[[nodiscard]] ToolResult text_result(std::string_view text, bool is_error = false);

/// A result in the form that both eras share. The peer adds the members that the era of the caller
/// requires.
struct CompleteResult {
  /// The result object. As a Value it may hold anything; as an Output it must be minified, hold
  /// none of resultType, ttlMs and cacheScope, and _meta only as its last member.
  std::variant<json::Value, json::Output> object;
  /// Used if results of the method carry a cache hint; nullopt: ServerConfig::cache.
  std::optional<CacheHint> cache;
  bool has_meta = false;  ///< an Output whose last member is _meta
};
/// In the session era structured content that is not an object is wrapped: {"result": …}.
[[nodiscard]] CompleteResult complete(const ToolResult& result, Era era);
[[nodiscard]] inline CompleteResult complete(json::Value object) {
  return {std::move(object), std::nullopt};
}
[[nodiscard]] inline CompleteResult complete(json::Output object, bool has_meta = false) {
  return {std::move(object), std::nullopt, has_meta};
}
[[nodiscard]] CompleteResult empty_result();  ///< {}

/// The result of an upstream server. A caller of the same era gets it byte for byte; for a caller
/// of the other era only the members that differ between the eras change.
struct UpstreamResult {
  json::Value result;
  /// Of the upstream; nullopt: not known, then it is taken for stateless if `result` has a
  /// `resultType`.
  std::optional<Era> era;
};

/// The answer of an application to a call.
using Reply = std::variant<CompleteResult, UpstreamResult, InputRequired, RpcError>;

/// The result of completion/complete.
struct CompletionValues {
  std::vector<std::string> values;    ///< at most 100 are written
  std::optional<std::int64_t> total;  ///< of all values that match; nullopt: not known
  bool has_more = false;              ///< written as true also if more than 100 were given
};
[[nodiscard]] CompleteResult complete(const CompletionValues& values);

}  // namespace enfold::mcp
