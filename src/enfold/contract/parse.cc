// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/parse.h"

#include "enfold/base/utf8.h"
#include "enfold/contract/convert.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/raw.h"
#include "enfold/contract/envelopes/shape.h"
#include "enfold/contract/validator.h"
#include "enfold/json/member.h"
#include "enfold/model/content.h"

#include <algorithm>

namespace enfold::contract {
namespace {

using model::Response;
using model::Shape;
using model::Wrapping;

constexpr int kMostLayers = 8;

/// The answer itself, and in `around` what its wrappers said: failure, blocks, further members.
struct Unwrapped {
  std::optional<json::Value> answer;
  Wrapping wrapping = Wrapping::none;
  Reading around;
};

// The value inside a wrapper that says nothing of its own.
std::optional<json::Value> inside_of(json::View value, const Limits& limits) {
  if (value.is_string()) return detail::parse_json_text(value, limits);
  if (value.size() != 1) return std::nullopt;
  for (const char* key : {"output", "result"}) {
    const auto inside = value.find(key);
    if (inside && (inside->is_container() || inside->is_string())) return json::Value(*inside);
  }
  return std::nullopt;
}

// A result that still waits for something is shown as it is.
bool is_finished_result(json::View value) {
  if (detect(value) != Id::mcp) return false;
  const auto rpc =
      json::string_member(value, "jsonrpc") ? detail::object_at(value, "result") : std::nullopt;
  return json::string_member(rpc.value_or(value), "resultType").value_or("complete") == "complete";
}

// Several blocks: JSON in the first is the answer and the others come with it, else all of them
// together are the answer.
void read_blocks(json::View content, const Limits& limits, Unwrapped& out) {
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

// One MCP result taken off; false when what is inside needs no further look.
bool unwrap_result(const ReadOptions& options, Unwrapped& out) {
  const json::Value result = *out.answer;
  detail::ReadContext context{options, {}};
  Result<Response> read = detail::read_mcp(result.view(), context);
  if (!read) return false;
  Response& around = out.around.response;
  if (!succeeded(*read) || succeeded(around)) out.around.rule = context.rule;
  if (!succeeded(*read)) {
    around.outcome = model::Outcome::failed;
    around.failure = std::move(read->failure);
  }
  around.metadata = detail::joined_members(around.metadata, read->metadata);
  if (read->wrapping == Wrapping::content) {
    // As they came: the reader describes binary data, which has no other home here.
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

Unwrapped unwrap(json::View document, const ReadOptions& options) {
  Unwrapped out{.answer = json::Value(document), .wrapping = Wrapping::none, .around = {}};
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

// An answer that is generic already, but for the name of its tool and a null for its data.
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

// Data without a contract: its own words decide whether it is a failure, and name it.
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
  detail::FoundFailure found = detail::failure_from_members(root);
  if (found.failure.message.empty() && response.failure) {
    found.failure.message = response.failure->message;
  }
  response.failure = detail::completed(std::move(found.failure));
  response.metadata = detail::joined_members(found.rest, response.metadata);
  response.payload.reset();
}

Reading read_raw(Unwrapped unwrapped, const ReadOptions& options) {
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

// In a file nothing stands beside the envelope.
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
  Unwrapped unwrapped = unwrap(document, options);
  auto envelope = unwrapped.answer && unwrapped.wrapping == Wrapping::none
                      ? read_envelope(unwrapped.answer->view(), options)
                      : std::nullopt;
  if (!envelope) {
    Reading reading = read_raw(std::move(unwrapped), options);
    keep_blocks(reading);
    return reading;
  }
  keep_blocks(unwrapped.around);
  detail::put_inside(*envelope, std::move(unwrapped.around));
  return std::move(*envelope);
}

Result<Parsed> parse_any(json::View document, const ReadOptions& options) {
  Result<Reading> reading = read_any(document, options);
  if (!reading) return tl::unexpected(reading.error());
  // Of an envelope the slot keeps what generic has no place for; raw data has nothing of the kind.
  ConvertOptions convert;
  convert.extensions = is_envelope(from_name(reading->origin.contract).value_or(Id::json));
  Result<json::Output> output = write(*reading, Id::generic, convert);
  if (!output) return tl::unexpected(output.error());
  return Parsed{std::move(*output), std::move(*reading)};
}

Result<Parsed> parse_any(std::string_view text, const ReadOptions& options) {
  const Result<json::Document> document = json::parse(text, options.limits);
  if (document) return parse_any(document->root(), options);
  if (document.error().code == ErrorCode::limit_exceeded) {
    return tl::unexpected(document.error());
  }
  const auto broken = utf8::first_invalid(text);
  const std::size_t bad = std::min(broken.value_or(text.size()), text.find('\0'));
  if (bad < text.size()) {
    return fail(ErrorCode::invalid_input,
                broken == bad ? "expected JSON or text in UTF-8, found a byte that is neither"
                              : "expected JSON or text in UTF-8, found a NUL byte",
                json::describe_place(text, bad), "convert the file to UTF-8");
  }
  return parse_any(json::string_value(text).view(), options);
}

}  // namespace enfold::contract
