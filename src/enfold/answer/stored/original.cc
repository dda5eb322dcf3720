// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/stored/original.h"

#include "enfold/answer/stored/places.h"
#include "enfold/model/canonical.h"

namespace enfold::answer {
namespace {

using model::Response;

const std::string& message_of(const Response& response) {
  return response.failure ? response.failure->message : response.message;
}

// The response without payload, message and blocks.
Response rest_of(const Response& response) {
  Response rest = response;
  rest.payload.reset();
  rest.blocks.clear();
  rest.message.clear();
  if (rest.failure) rest.failure->message.clear();
  return rest;
}

// Whether the tool made nothing but a payload. Not counted are what Enfold adds to every answer
// (the tool's id, version and tier, level, telemetry, request id) and what only describes the
// payload (wrapping, shape). Capabilities of the tool count, so that the stored document keeps
// them.
bool is_only_payload(const Response& response) {
  Response rest = response;
  rest.payload.reset();
  rest.tool = {.capabilities = response.tool.capabilities};
  rest.wrapping = {};
  rest.shape.reset();
  rest.level.reset();
  rest.telemetry.reset();
  rest.request_id.clear();
  return response.payload && rest == Response{};
}

// The response as an MCP result; see make_document.
json::Value as_result(const Response& response) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  if (!message_of(response).empty()) {
    writer.begin_object().member("type", "text").member("text", message_of(response)).end_object();
  }
  for (const json::Value& block : response.blocks) writer.value(block);
  writer.end_array().key("structuredContent");
  if (response.payload) {
    writer.value(*response.payload);
  } else {
    writer.string(message_of(response));
  }
  if (response.failure) writer.member("isError", true);
  writer.key("_meta").begin_object();
  writer.member("dev.enfold/response", model::to_json(rest_of(response))).end_object();
  return std::move(writer.end_object()).finish_value();
}

}  // namespace

void make_document(ReadAnswer& answer) {
  Response& response = answer.reading.response;
  if (!answer.is_made_here || answer.from == contract::Id::mcp || is_only_payload(response)) return;
  answer.source = as_result(response);
  answer.from = contract::Id::mcp;
  // The answer refers to the parts of the document from here on, so that each part has a place
  // there. The blocks are the last items of `content`.
  if (response.payload) response.payload = json::Value(*answer.source->find("structuredContent"));
  const json::View content = *answer.source->find("content");
  std::size_t position = content.size() - response.blocks.size();
  for (json::Value& block : response.blocks) block = json::Value(*content.item(position++));
}

ArchivedAnswer as_archived(const ReadAnswer& answer) {
  json::Value stored = stored_value(answer);
  if (answer.is_made_here) return open_typed_answer(answer.from, std::move(stored));
  return open_foreign_answer(answer.reading.response, answer.from, std::move(stored));
}

Original::Original(const ReadAnswer& answer) {
  if (answer.from == contract::Id::text) {
    text_ = answer.source->string();
  } else {
    value_ = stored_value(answer);
  }
}

std::string_view Original::bytes() const {
  return value_ ? value_->view().raw() : std::string_view(text_);
}

}  // namespace enfold::answer
