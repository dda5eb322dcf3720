// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/result.h"

#include "enfold/json/document.h"
#include "enfold/model/content.h"

namespace enfold::mcp {
namespace {

constexpr std::size_t kMostCompletions = 100;  // the protocol's own bound

void write_structured(json::Writer& writer, const json::Value& structured, Era era) {
  writer.key("structuredContent");
  if (era == Era::stateless || structured->is_object()) {
    writer.value(structured);
  } else {
    writer.begin_object().member("result", structured).end_object();
  }
}

}  // namespace

std::optional<CacheHint> read_cache_hint(json::View result) {
  const auto ttl = result.find("ttlMs");
  const auto number = ttl ? ttl->integer() : std::nullopt;
  if (!number || *number < 0) return std::nullopt;
  const bool everyone = json::string_member(result, "cacheScope") == "public";
  return CacheHint{std::chrono::milliseconds(*number),
                   everyone ? CacheHint::Scope::for_everyone : CacheHint::Scope::only_for_caller};
}

void write_cache_hint(json::Writer& writer, const CacheHint& hint) {
  writer.member("ttlMs", std::int64_t{hint.ttl.count()});
  writer.member("cacheScope", hint.scope == CacheHint::Scope::for_everyone ? "public" : "private");
}

ResultType result_type(json::View result) {
  const auto type = result.find("resultType");
  if (!type || type->equals("complete")) return ResultType::complete;
  return type->equals("input_required") ? ResultType::input_required : ResultType::other;
}

Result<ToolResult> read_tool_result(json::View result) {
  ToolResult out;
  const auto content = result.find("content");
  if (!content || !content->is_array()) {
    return fail(ErrorCode::protocol_violation, "expected a tool result with content, an array",
                "/content", "tell the author of the server");
  }
  for (const json::View block : content->items()) out.content.emplace_back(block);
  if (const auto structured = result.find("structuredContent")) {
    out.structured = json::Value(*structured);
  }
  out.is_error = model::is_failed_result(result);
  if (const auto meta = object_member(result, "_meta")) out.meta = json::Value(*meta);
  return out;
}

json::Value text_block(std::string_view text) {
  json::Writer writer;
  writer.begin_object().member("type", "text").member("text", text).end_object();
  return std::move(writer).finish_value();
}

ToolResult text_result(std::string_view text, bool is_error) {
  ToolResult result;
  result.content.push_back(text_block(text));
  result.is_error = is_error;
  return result;
}

Complete complete(const ToolResult& result, Era era) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  for (const json::Value& block : result.content) writer.value(block);
  writer.end_array();
  if (result.structured) write_structured(writer, *result.structured, era);
  if (result.is_error) writer.member("isError", true);
  if (!result.meta) {
    writer.end_object();
    return {std::move(writer).finish(), std::nullopt};
  }
  writer.member("_meta", *result.meta).end_object();
  return {std::move(writer).finish_value(), std::nullopt};
}

Complete complete(json::Value object) { return {std::move(object), std::nullopt}; }

Complete complete(json::Output object) { return {std::move(object), std::nullopt}; }

Complete nothing() {
  json::Writer writer;
  writer.begin_object().end_object();
  return {std::move(writer).finish(), std::nullopt};
}

Complete complete(const CompletionValues& values) {
  json::Writer writer;
  writer.begin_object().key("completion").begin_object().key("values").begin_array();
  const std::size_t count = std::min(values.values.size(), kMostCompletions);
  for (std::size_t i = 0; i < count; ++i) writer.string(values.values[i]);
  writer.end_array();
  if (values.total) writer.member("total", *values.total);
  writer.member("hasMore", values.has_more || values.values.size() > count);
  writer.end_object().end_object();
  return {std::move(writer).finish(), std::nullopt};
}

}  // namespace enfold::mcp
