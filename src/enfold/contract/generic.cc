// SPDX-License-Identifier: Apache-2.0
// generic: toolName, responseType and what belongs to that type; open everywhere.
#include "enfold/contract/cursor.h"
#include "enfold/contract/detail/contracts.h"
#include "enfold/contract/detail/members.h"
#include "enfold/contract/detail/shape.h"
#include "enfold/contract/error_codes.h"

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;
using model::Shape;

constexpr std::string_view kSlot = "enfold";

const Reserved& detail_members() {
  static const Reserved names{"type", "remediation", "retry_after_seconds"};
  return names;
}

std::optional<model::Page> read_page(json::View document) {
  model::Page page;
  if (const auto pagination = object_at(document, "pagination")) {
    page.offset = number_at(*pagination, "offset");
    page.page_size = number_at(*pagination, "limit");
    page.has_more = boolean_at(*pagination, "hasMore");
    page.next_offset = number_at(*pagination, "nextOffset");
    page.cursor = string_at(*pagination, "nextOffset");
    page.before = string_at(*pagination, "before");
    page.after = string_at(*pagination, "after");
  }
  if (const auto summary = object_at(document, "summary")) {
    page.total = number_at(*summary, "total");
    page.returned = number_at(*summary, "returned");
    if (!page.has_more) page.has_more = boolean_at(*summary, "hasMore");
  }
  return page == model::Page{} ? std::nullopt : std::optional(page);
}

model::Failure read_failure(json::View document) {
  model::Failure failure;
  const auto error = present_at(document, "error");
  const json::View object = error && error->is_object() ? *error : json::View();
  failure.message = string_at(object, "message").value_or("");
  if (error && error->is_string()) failure.message = error->string();
  if (failure.message.empty()) failure.message = string_at(document, "message").value_or("");
  if (const auto code = present_at(object, "code")) {
    failure.code = code->is_string() ? code->string() : std::string(code->number());
  }
  if (const auto details = object_at(object, "details")) {
    if (const auto type = string_at(*details, "type")) failure.type = read_type(*type);
    failure.remediation = strings_at(*details, "remediation");
    failure.retry_after = number_at(*details, "retry_after_seconds");
    failure.details = payload_members(*details, detail_members());
  } else if (const auto text = present_at(object, "details")) {
    failure.details = json::Value(*text);
  }
  failure.kind = failure.code.empty() && !failure.type ? guess_kind(failure.message)
                                                       : kind_of(failure.code, failure.type);
  return failure;
}

bool is_number_text(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text.size() > 18 || (text.size() > 1 && text[0] == '0')) return false;
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

void write_error(json::Writer& writer, const model::Failure& failure) {
  writer.key("error").begin_object();
  if (is_number_text(failure.code)) {
    writer.key("code").number(failure.code);
  } else {
    writer.member("code", failure.code.empty() ? traits(failure.kind).code : failure.code);
  }
  writer.member("message", failure.message);
  const bool plain = failure.details && !failure.details->view().is_object();
  const bool extra = failure.type || !failure.remediation.empty() || failure.retry_after;
  if (plain && !extra) {
    writer.key("details").value(*failure.details);
  } else if (failure.details || extra) {
    writer.key("details").begin_object();
    if (failure.type) writer.member("type", model::name(*failure.type));
    if (!failure.remediation.empty()) write_strings(writer, "remediation", failure.remediation);
    write_optional(writer, "retry_after_seconds", failure.retry_after);
    if (plain) {
      writer.member("text", *failure.details);
    } else if (failure.details) {
      write_payload_members(writer, failure.details->view(), detail_members());
    }
    writer.end_object();
  }
  writer.end_object();
}

void write_page(json::Writer& writer, const model::Page& page) {
  const bool pagination =
      page.offset || page.page_size || page.next_offset || page.cursor || page.before || page.after;
  if (pagination) {
    writer.key("pagination").begin_object();
    write_optional(writer, "offset", page.offset);
    write_optional(writer, "limit", page.page_size);
    write_optional(writer, "hasMore", page.has_more);
    if (page.next_offset) {
      writer.key("nextOffset").number(page.next_offset->text);
    } else if (page.cursor) {
      writer.member("nextOffset", *page.cursor);
    }
    write_optional(writer, "before", page.before);
    write_optional(writer, "after", page.after);
    writer.end_object();
  }
  if (!page.total && !page.returned && (pagination || !page.has_more)) return;
  writer.key("summary").begin_object();
  write_optional(writer, "total", page.total);
  write_optional(writer, "returned", page.returned);
  write_optional(writer, "hasMore", page.has_more);
  writer.end_object();
}

void write_data(json::Writer& writer, const Response& response, Shape shape) {
  if (!response.payload) return;
  const json::View payload = response.payload->view();
  writer.key("data");
  const bool list = shape == Shape::list || shape == Shape::tool_catalog;
  if (payload.is_array() || (payload.is_object() && !list)) {
    writer.value(payload);
  } else if (list) {
    writer.begin_array().value(payload).end_array();
  } else {
    write_object_form(writer, response);
  }
}

void write_metadata(json::Writer& writer, const Response& response, const RenderOptions& options) {
  if (!response.metadata && !options.extension) return;
  writer.key("metadata").begin_object();
  if (response.metadata) {
    for (const json::Member& member : response.metadata->view().members()) {
      writer.key(member.key).value(member.value);
    }
  }
  write_optional(writer, kSlot, options.extension);
  writer.end_object();
}

std::optional<std::string> status_of(const Response& response, Shape shape) {
  if (response.failure) return "error";
  if (response.outcome == Outcome::partial) return "partial";
  if (shape != Shape::action) return std::nullopt;
  return response.payload && is_partial_action(response.payload->view()) ? "partial" : "success";
}

std::string message_of(const Response& response, Shape shape) {
  if (response.failure) return response.failure->message;
  if (!response.message.empty() || shape != Shape::action || !response.payload)
    return response.message;
  return string_at(response.payload->view(), "message").value_or("");
}

}  // namespace

bool detects_generic(json::View document) {
  const auto type = string_at(document, "responseType");
  return type && model::from_name<Shape>(*type) && string_at(document, "toolName");
}

Result<Response> read_generic(json::View document, ReadContext& context) {
  Response response;
  response.tool.id = string_at(document, "toolName").value_or("");
  const auto type = string_at(document, "responseType");
  response.shape = type ? model::from_name<Shape>(*type) : std::nullopt;
  const auto status = string_at(document, "status");
  const bool failed = response.shape == Shape::error || status == "error";
  if (const auto data = present_at(document, "data")) response.payload = json::Value(*data);
  response.page = read_page(document);
  if (failed) {
    response.outcome = Outcome::failed;
    response.failure = read_failure(document);
  } else {
    if (status == "partial") response.outcome = Outcome::partial;
    response.message = string_at(document, "message").value_or("");
  }
  if (const auto metadata = object_at(document, "metadata")) {
    static const Reserved ours{kSlot};
    response.metadata = object_at(*metadata, kSlot) ? payload_members(*metadata, ours)
                                                    : std::optional(json::Value(*metadata));
  }
  context.rule = failed ? "generic has responseType or status error"
                        : "generic has neither responseType nor status error";
  return response;
}

void render_generic(const Response& response, const RenderOptions& options, json::Writer& writer) {
  const Classified classified = classify(response);
  Response shown = response;
  static_cast<void>(lift(shown, classified));
  writer.begin_object();
  writer.member("toolName", shown.tool.id.empty() ? "unknown" : shown.tool.id);
  writer.member("responseType", model::name(classified.shape));
  write_data(writer, shown, classified.shape);
  if (shown.page) write_page(writer, *shown.page);
  write_optional(writer, "status", status_of(shown, classified.shape));
  const std::string message = message_of(shown, classified.shape);
  if (!message.empty()) writer.member("message", message);
  if (shown.failure) write_error(writer, *shown.failure);
  write_metadata(writer, shown, options);
  writer.end_object();
}

std::optional<json::View> slot_generic(json::View document) {
  const auto metadata = object_at(document, "metadata");
  return metadata ? object_at(*metadata, kSlot) : std::nullopt;
}

}  // namespace enfold::contract::detail
