// SPDX-License-Identifier: Apache-2.0
// What comes back for a request, apart from errors: the result of a tool, cache hints, the kind of
// a result. How a result is said in each era is the business of era_2025 and era_2026.
#pragma once

#include "enfold/mcp/types/input.h"
#include "enfold/mcp/wire/message.h"

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace enfold::mcp {

struct CacheHint {
  enum class Scope { only_for_caller, for_everyone };  ///< on the wire: private, public
  std::chrono::milliseconds ttl{0};
  Scope scope = Scope::only_for_caller;
  friend bool operator==(const CacheHint&, const CacheHint&) = default;
};
[[nodiscard]] std::optional<CacheHint> read_cache_hint(json::View result);
void write_cache_hint(json::Writer& writer, const CacheHint& hint);  ///< into an open object

/// `other`: an extension's, such as "task". A result of the session era is always complete.
enum class ResultType { complete, input_required, other };
[[nodiscard]] ResultType result_type(json::View result);

struct ToolResult {
  std::vector<json::Value> content;
  std::optional<json::Value> structured;  ///< any JSON value
  bool is_error = false;
  std::optional<json::Value> meta;  ///< `_meta`
};
[[nodiscard]] Result<ToolResult> read_tool_result(json::View result);
[[nodiscard]] json::Value text_block(std::string_view text);
[[nodiscard]] ToolResult text_result(std::string_view text, bool is_error = false);

/// A finished result in the words that both eras share. The peer adds what the era of the caller
/// asks for.
struct Complete {
  /// The result object. As a Value it may hold anything; as an Output it must be minified and hold
  /// none of resultType, ttlMs, cacheScope and _meta.
  std::variant<json::Value, json::Output> object;
  std::optional<CacheHint> cache;  ///< for the methods that have one; else the server's own
};
[[nodiscard]] Complete complete(const ToolResult& result, Era era);
[[nodiscard]] Complete complete(json::Value object);
[[nodiscard]] Complete complete(json::Output object);
[[nodiscard]] Complete nothing();  ///< {}

/// Another server's result. A caller of the same era gets it byte for byte; for a caller of the
/// other era only the members that the eras say differently change.
struct Relayed {
  json::Value result;
  std::optional<Era> era;  ///< of that server; nullopt: `resultType` tells
};

/// What an application answers to a call.
using Reply = std::variant<Complete, Relayed, InputRequired, RpcError>;

/// completion/complete.
struct CompletionValues {
  std::vector<std::string> values;  ///< at most 100 are written
  std::optional<std::int64_t> total;
  bool has_more = false;
};
[[nodiscard]] Complete complete(const CompletionValues& values);

}  // namespace enfold::mcp
