// SPDX-License-Identifier: Apache-2.0
// A bare MCP tool result of either protocol era, alone or inside a JSON-RPC response.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure.h"
#include "enfold/json/document.h"
#include "enfold/model/content.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;
using model::Wrapping;

// A result without `content` has at most structuredContent, isError, resultType and _meta.
constexpr std::size_t kMostResultMembers = 4;

// The members of a result that MCP does not define for an answer; nullopt: there are none.
std::optional<json::Value> unknown_members(json::View result) {
  const auto is_unknown = [](const json::Member& member) {
    return !model::is_answer_member(member.key);
  };
  for (const json::Member& member : result.members()) {  // most results have no other members
    if (is_unknown(member)) return json::select_members(result, is_unknown);
  }
  return std::nullopt;
}

// Whether the result has any member that MCP defines for the answer of a tool.
bool is_tool_result(json::View result) {
  return std::any_of(model::kAnswerMembers.begin(), model::kAnswerMembers.end(),
                     [&](std::string_view name) { return result.find(name).has_value(); });
}

bool has_value(json::View object, json::View value) {
  for (const json::Member& member : object.members()) {
    if (json::equal(member.value, value)) return true;
  }
  return false;
}

// Whether a text block only repeats the structured content: its JSON, the JSON of one of its
// members (a list must be wrapped, because structured content is an object), or one of its strings.
bool repeats(json::View structured, json::View text, const Limits& limits) {
  if (text.string_source().size() >= structured.raw().size() &&
      json::string_buffer(text).view() == structured.raw()) {
    return true;  // most servers write the text like this
  }
  const auto inner = parse_json_text(text, limits);
  if (inner && json::equal(inner->view(), structured)) return true;
  if (!structured.is_object()) return false;
  const bool is_part = inner && inner->view().is_container() && inner->view().size() > 0;
  return has_value(structured, text) || (is_part && has_value(structured, inner->view()));
}

// The structured content is the payload; text blocks that only repeat it are left out.
void read_structured(json::View structured, json::View content, const Limits& limits,
                     Response& response) {
  response.payload = json::Value(structured);
  for (const json::View block : content.items()) {
    const auto text = model::text_of(block);
    if (!text || !repeats(structured, *text, limits)) response.blocks.emplace_back(block);
  }
}

void read_one_text(json::View text, const Limits& limits, Response& response) {
  if (auto inner = parse_json_text(text, limits)) {
    response.payload = std::move(*inner);
  } else {
    response.payload = json::Value(text);
    response.wrapping = Wrapping::text;
  }
}

// Several blocks, or one that is not text: the payload lists all of them, with binary data replaced
// by its size and hash; the binary blocks themselves go to `blocks`.
void read_blocks(json::View content, Response& response) {
  json::Writer writer;
  writer.begin_array();
  bool any_binary = false;
  for (const json::View block : content.items()) {
    model::write_block_description(block, writer);
    if (!model::binary_member(block)) continue;
    response.blocks.emplace_back(block);
    any_binary = true;
  }
  writer.end_array();
  response.payload = any_binary ? std::move(writer).finish_value() : json::Value(content);
  response.wrapping = Wrapping::content;
}

// The content as a list of blocks. Content that is no list gives a list of one block that holds it.
json::Value block_list(json::View content) {
  if (content.is_array()) return json::Value(content);
  json::Writer writer;
  writer.begin_array();
  if (json::string_member(content, "type")) {
    writer.value(content);
  } else {
    writer.begin_object().member("type", "text").key("text");
    content.is_string() ? writer.value(content) : writer.string(json::to_text(content));
    writer.end_object();
  }
  writer.end_array();
  return std::move(writer).finish_value();
}

void read_content(json::View result, const Limits& limits, Response& response) {
  const auto found = present_at(result, "content");
  const json::Value list = found ? block_list(*found) : json::Value();
  const json::View content = list.view();
  if (found && !found->is_array()) {
    response.warnings.push_back(
        make_warning("SCHEMA_MISMATCH",
                     fmt::format("content is no list of blocks but {}, and was read as one block",
                                 json::name(found->kind()))));
  }
  if (const auto structured = present_at(result, "structuredContent")) {
    return read_structured(*structured, content, limits, response);
  }
  if (content.size() == 0) return;
  const auto only_text =
      content.size() == 1 ? model::text_of(*content.item(0)) : std::optional<json::View>();
  const bool bare = only_text && content.item(0)->size() == 2;  // only `type` and `text`
  if (bare) return read_one_text(*only_text, limits, response);
  read_blocks(content, response);
}

Result<Response> read_rpc_error(json::View error, ReadContext& context) {
  Response response;
  response.outcome = Outcome::failed;
  FailureReading found = failure_of_error(error);
  response.failure = with_message(std::move(found.failure));
  // `rule` tells `enfold explain` what decided the outcome.
  context.rule = "a JSON-RPC error is a failure; its kind: " + found.reason;
  return response;
}

bool detects_mcp(json::View document) {
  const auto rpc = json::string_member(document, "jsonrpc");
  if (rpc && (document.find("result") || document.find("error"))) return true;
  if (const auto content = array_at(document, "content")) {
    for (const json::View block : content->items()) {
      if (!json::string_member(block, "type")) return false;
    }
    return content->size() != 0 || document.size() == 1 || document.find("isError") ||
           document.find("structuredContent") || document.find("resultType");
  }
  if (document.find("content") && document.find("isError"))
    return true;  // content of a wrong shape
  return document.find("structuredContent") && document.size() <= kMostResultMembers;
}

// The result of a tool. Has one return, so that the response is not moved, which is slow.
Result<Response> read_tool_result(json::View result, ReadContext& context) {
  Result<Response> out(tl::in_place);
  Response& response = *out;
  read_content(result, context.options.limits, response);
  context.from_text = !result.find("structuredContent") && response.wrapping == Wrapping::none;
  const auto flag = result.find("isError");
  decide_outcome(response,
                 !flag                             ? ErrorFlag::none
                 : model::is_failed_result(result) ? ErrorFlag::yes
                                                   : ErrorFlag::no,
                 context);
  if (auto unknown = unknown_members(result)) response.metadata = std::move(unknown);
  return out;
}

Result<Response> read_mcp(json::View document, ReadContext& context) {
  json::View result = document;
  if (json::string_member(document, "jsonrpc")) {
    const auto error = present_at(document, "error");
    const bool failed =
        error && (error->is_object() || (error->is_string() && !document.find("result")));
    if (failed) return read_rpc_error(*error, context);
    if (const auto inner = document.find("result")) result = *inner;
    // The response of another method than tools/call is read as plain JSON.
    if (!is_tool_result(result)) return kJson.read(result, context);
  }
  if (!result.is_object()) return kJson.read(result, context);
  if (const auto type = json::string_member(result, "resultType"); type && *type != "complete") {
    context.rule = "resultType is " + *type + ": not a finished tool answer, shown as it is";
    return Response{.payload = json::Value(result)};
  }
  return read_tool_result(result, context);
}

// The content blocks that the payload lists, with their binary data. read_blocks() replaced the
// data by size and hash; the original blocks follow in the same order in `response.blocks`.
std::vector<json::Value> blocks_of(const Response& response) {
  std::vector<json::Value> blocks;
  auto binary = response.blocks.begin();
  for (const json::View block : response.payload->view().items()) {
    const auto resource = object_at(block, "resource");
    const bool has_hash = block.find("hash") || (resource && resource->find("hash"));
    const bool is_binary = has_hash && binary != response.blocks.end();
    blocks.push_back(is_binary ? *binary++ : json::Value(block));
  }
  return blocks;
}

void render_mcp(const Response& response, const RenderOptions& /*options*/, json::Writer& writer) {
  writer.begin_object().key("content").begin_array();
  const auto text_block = [&](auto&& write_text) {  // write_text writes the value of `text`
    writer.begin_object().member("type", "text").key("text");
    write_text();
    writer.end_object();
  };
  const bool blocks_in_payload = response.wrapping == Wrapping::content && response.payload;
  if (blocks_in_payload) {
    for (const json::Value& block : blocks_of(response)) writer.value(block);
  } else if (response.failure) {
    text_block([&] { writer.string(message_of(*response.failure)); });
  } else if (response.payload && response.payload->view().is_string()) {
    text_block([&] { writer.value(*response.payload); });
  } else if (response.payload) {
    json::Writer payload;
    payload.value(*response.payload);
    text_block([&] { writer.string_holding(std::move(payload).finish()); });
  }
  if (!blocks_in_payload) {
    for (const json::Value& block : response.blocks) writer.value(block);
  }
  writer.end_array();
  if (response.payload && response.payload->view().is_object()) {
    writer.key("structuredContent").value(*response.payload);
  }
  if (response.failure) writer.member("isError", true);
  writer.end_object();
}

}  // namespace

void write_blocks(const Response& response, json::Writer& writer) {
  writer.begin_array();
  for (const json::Value& block : blocks_of(response)) writer.value(block);
  writer.end_array();
}

const Envelope kMcp{detects_mcp, read_mcp, render_mcp};

}  // namespace enfold::contract::detail
