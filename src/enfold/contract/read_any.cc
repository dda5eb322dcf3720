// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/contract.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/shape.h"
#include "enfold/json/document.h"
#include "enfold/model/content.h"
#include "enfold/schema/schema.h"

namespace enfold::contract {
namespace {

using model::Response;
using model::Shape;
using model::Wrapping;

constexpr int kMostLayers = 8;

/// The answer, and in `around` what its wrappers added: failure, blocks, other members.
struct UnwrappedAnswer {
  std::optional<json::Value> answer;
  Wrapping wrapping = Wrapping::none;
  Reading around;
};

// The value inside a wrapper without other content: JSON in a string, {"output": …}, {"result": …}.
std::optional<json::Value> inside_of(json::View value, const Limits& limits) {
  if (value.is_string()) return detail::parse_json_text(value, limits);
  if (value.size() != 1) return std::nullopt;
  for (const char* key : {"output", "result"}) {
    const auto inside = value.find(key);
    if (inside && (inside->is_container() || inside->is_string())) return json::Value(*inside);
  }
  return std::nullopt;
}

// Whether the value is an MCP result whose `resultType` is absent or "complete".
bool is_finished_result(json::View value) {
  if (detect(value) != Id::mcp) return false;
  const auto rpc =
      json::string_member(value, "jsonrpc") ? detail::object_at(value, "result") : std::nullopt;
  return json::string_member(rpc.value_or(value), "resultType").value_or("complete") == "complete";
}

// Several blocks: if the first is JSON it is the answer and the others are kept as blocks; else the
// list of blocks is the answer.
void read_blocks(json::View content, const Limits& limits, UnwrappedAnswer& out) {
  const auto text = model::text_of(*content.item(0));
  out.answer = text ? detail::parse_json_text(*text, limits) : std::nullopt;
  Response& around = out.around.response;
  if (!out.answer) {
    out.answer = json::Value(content);
    out.wrapping = Wrapping::content;
    return;
  }
  bool first = true;
  for (const json::View block : content.items()) {
    if (!first) around.blocks.emplace_back(block);
    first = false;
  }
}

// Unwraps one MCP result; false if what is inside needs no further unwrapping.
bool unwrap_result(const ReadOptions& options, UnwrappedAnswer& out) {
  const json::Value result = *out.answer;
  detail::ReadContext context{options, {}};
  Result<Response> read = detail::kMcp.read(result.view(), context);
  if (!read) return false;
  Response& around = out.around.response;
  if (!succeeded(*read) || succeeded(around)) out.around.rule = context.rule;
  if (!succeeded(*read)) {
    around.outcome = model::Outcome::failed;
    around.failure = std::move(read->failure);
  }
  around.metadata = detail::joined_members(around.metadata, read->metadata);
  if (read->wrapping == Wrapping::content) {
    // The original blocks: read_mcp replaced binary data by its size and hash.
    const json::View inner = json::string_member(result.view(), "jsonrpc")
                                 ? result->find("result").value_or(result.view())
                                 : result.view();
    read_blocks(detail::content_of(inner).view(), options.limits, out);
    return out.wrapping == Wrapping::none;
  }
  around.blocks.insert(around.blocks.end(), read->blocks.begin(), read->blocks.end());
  out.answer = std::move(read->payload);
  out.wrapping = read->wrapping;
  return out.answer && out.wrapping == Wrapping::none;
}

UnwrappedAnswer unwrap(json::View document, const ReadOptions& options) {
  UnwrappedAnswer out{.answer = json::Value(document), .wrapping = Wrapping::none, .around = {}};
  for (int layer = 0; layer < kMostLayers; ++layer) {
    if (auto inside = inside_of(out.answer->view(), options.limits)) {
      out.answer = std::move(inside);
    } else if (out.answer->view().is_string()) {
      out.wrapping = Wrapping::text;
      break;
    } else if (!is_finished_result(out.answer->view()) || !unwrap_result(options, out)) {
      break;
    }
  }
  return out;
}

// A generic answer, possibly without toolName or with `data: null`, repaired; nullopt if invalid.
std::optional<json::Value> as_generic(json::View answer, const ReadOptions& options) {
  const auto type = json::string_member(answer, "responseType");
  if (!type || !model::from_name<Shape>(*type)) return std::nullopt;
  json::Writer writer;
  writer.begin_object();
  if (!answer.find("toolName")) {
    writer.member("toolName", options.tool.empty() ? "unknown" : options.tool);
  }
  for (const json::Member& member : answer.members()) {
    if (member.key.equals("data") && member.value.is_null()) continue;
    writer.key(member.key).value(member.value);
  }
  writer.end_object();
  json::Value repaired = std::move(writer).finish_value();
  const Result<bool> valid = validator(Id::generic)->accepts(repaired.view(), options.limits);
  return valid && *valid ? std::optional(std::move(repaired)) : std::nullopt;
}

std::optional<Reading> read_envelope(json::View answer, const ReadOptions& options) {
  ReadOptions plain = options;
  plain.honour_root_failure = false;
  Id id = detect(answer);
  json::Value document(answer);
  if (auto generic = as_generic(answer, options)) {
    id = Id::generic;
    document = std::move(*generic);
  } else if (id != Id::response_v2 && id != Id::scalpel_v1 && id != Id::response_v1) {
    return std::nullopt;
  }
  Result<Reading> reading = read(id, document.view(), plain);
  return reading ? std::optional(std::move(*reading)) : std::nullopt;
}

// Data without a contract: its root members decide whether it is a failure.
void read_root(Response& response, std::string& rule) {
  const json::View root = response.payload ? response.payload->view() : json::View();
  if (detail::says_failure(root)) {
    rule = succeeded(response) ? "the root has success: false or an error" : rule;
    response.outcome = model::Outcome::failed;
  } else if (succeeded(response)) {
    if (rule.empty()) rule = "data without a contract: a success";
    if (detail::classify(response).shape != Shape::action || !detail::counts_failures(root)) return;
    rule = "an action counts operations that failed";
    response.outcome = model::Outcome::partial;
    return;
  }
  if (!root.is_object()) return;
  detail::FailureWithRest found = detail::failure_from_members(root);
  if (found.failure.message.empty() && response.failure) {
    found.failure.message = response.failure->message;
  }
  response.failure = detail::with_kind_and_message(std::move(found.failure));
  response.metadata = detail::joined_members(found.rest, response.metadata);
  response.payload.reset();
}

Reading read_raw(UnwrappedAnswer unwrapped, const ReadOptions& options) {
  Reading reading = std::move(unwrapped.around);
  Response& response = reading.response;
  response.payload = std::move(unwrapped.answer);
  response.wrapping = unwrapped.wrapping;
  response.tool.id = options.tool;
  if (response.tool.id.empty() && response.payload) {
    response.tool.id = json::string_member(response.payload->view(), "toolName").value_or("");
  }
  reading.origin.contract = name(response.wrapping == Wrapping::text ? Id::text : Id::json);
  read_root(response, reading.rule);
  return reading;
}

// A file has no content blocks beside the envelope, so they are moved into the metadata.
void keep_blocks(Reading& reading) {
  if (reading.response.blocks.empty()) return;
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  for (const json::Value& block : reading.response.blocks) writer.value(block);
  writer.end_array().end_object();
  reading.response.blocks.clear();
  reading.response.metadata =
      detail::joined_members(reading.response.metadata, std::move(writer).finish_value());
}

}  // namespace

Result<Reading> read_any(json::View document, const ReadOptions& options) {
  UnwrappedAnswer unwrapped = unwrap(document, options);
  auto envelope = unwrapped.answer && unwrapped.wrapping == Wrapping::none
                      ? read_envelope(unwrapped.answer->view(), options)
                      : std::nullopt;
  if (!envelope) {
    Reading reading = read_raw(std::move(unwrapped), options);
    keep_blocks(reading);
    return reading;
  }
  keep_blocks(unwrapped.around);
  detail::merge_outer(*envelope, std::move(unwrapped.around));
  return std::move(*envelope);
}

}  // namespace enfold::contract
