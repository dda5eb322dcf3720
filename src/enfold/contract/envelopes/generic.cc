// SPDX-License-Identifier: Apache-2.0
// generic: toolName, responseType and the members of that type. Unknown members are allowed.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/generic_form.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/stated_outcome.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure_kind.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/json/document.h"

#include <algorithm>

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;
using model::Shape;

constexpr std::string_view kSlot = "enfold";
// Beside the extension, the slot holds the fidelity and what was left out (write_fidelity).
constexpr SlotParts kInSlot{.fidelity = true};

// Members of error.details that hold fields of the failure; the others are the tool's own details.
const ReservedNames& detail_members() {
  static const ReservedNames names{"type", "remediation", "retry_after_seconds"};
  return names;
}

std::optional<model::Page> read_page(json::View document) {
  model::Page page;
  if (const auto pagination = object_at(document, "pagination")) {
    page.offset = number_at(*pagination, "offset");
    page.page_size = number_at(*pagination, "limit");
    page.has_more = boolean_at(*pagination, "hasMore");
    // `nextOffset` may be a cursor too, which is a text.
    page.next_offset = number_at(*pagination, "nextOffset");
    page.cursor = json::string_member(*pagination, "nextOffset");
    page.before = json::string_member(*pagination, "before");
    page.after = json::string_member(*pagination, "after");
  }
  if (const auto summary = object_at(document, "summary")) {
    page.total = number_at(*summary, "total");
    page.returned = number_at(*summary, "returned");
    if (!page.has_more) page.has_more = boolean_at(*summary, "hasMore");
  }
  return page == model::Page{} ? std::nullopt : std::optional(page);
}

model::Failure read_failure(json::View document) {
  const auto error = present_at(document, "error");
  const json::View object = error && error->is_object() ? *error : json::View();
  model::Failure failure;
  failure.message = json::string_member(object, "message").value_or("");
  if (error && !error->is_object()) failure = failure_of_any_error(error);
  if (failure.message.empty())
    failure.message = json::string_member(document, "message").value_or("");
  if (const auto code = present_at(object, "code")) {
    failure.code = code->is_string() ? code->string() : std::string(code->number());
  }
  if (const auto details = object_at(object, "details")) {
    if (const auto type = json::string_member(*details, "type")) failure.type = read_type(*type);
    failure.remediation = strings_at(*details, "remediation");
    failure.retry_after = number_at(*details, "retry_after_seconds");
    failure.details = payload_members(*details, detail_members());
  } else if (const auto text = present_at(object, "details")) {
    failure.details = json::Value(*text);
  }
  // The kind is the class that all contracts share; the type is one that only some of them name.
  failure.kind =
      failure.type
          ? kind_of(failure.code, failure.type)
          : kind_of_failure({.code = failure.code, .status = {}, .message = failure.message}).kind;
  return failure;
}

// Whether the text can be written as a JSON integer that fits 64 bits.
bool is_integer_text(std::string_view text) {
  constexpr std::size_t most_digits = 18;
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text.size() > most_digits || (text.size() > 1 && text[0] == '0'))
    return false;
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

void write_details(json::Writer& writer, const model::Failure& failure) {
  const bool has_fields = failure.type || !failure.remediation.empty() || failure.retry_after;
  if (!failure.details && !has_fields) return;
  writer.key("details");
  // The contract allows an object or a text; other details become `text` of an object.
  const bool is_allowed = failure.details && (failure.details->view().is_object() ||
                                              failure.details->view().is_string());
  if (!has_fields && is_allowed) {
    writer.value(*failure.details);
    return;
  }
  writer.begin_object();
  if (failure.type) writer.member("type", model::name(*failure.type));
  if (!failure.remediation.empty()) writer.member("remediation", failure.remediation);
  write_optional(writer, "retry_after_seconds", failure.retry_after);
  if (failure.details && failure.details->view().is_object()) {
    write_payload_members(writer, failure.details->view(), detail_members());
  } else {
    write_optional(writer, "text", failure.details);
  }
  writer.end_object();
}

void write_error(json::Writer& writer, const model::Failure& failure) {
  writer.key("error").begin_object();
  if (is_integer_text(failure.code)) {
    writer.key("code").number(failure.code);
  } else if (!failure.code.empty()) {
    writer.member("code", failure.code);
  }
  writer.member("message", failure.message);
  write_details(writer, failure);
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
    if (page.cursor) {
      writer.member("nextOffset", *page.cursor);
    } else if (page.next_offset) {
      writer.key("nextOffset").number(page.next_offset->text);
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

const ReservedNames& metadata_members() {
  static const ReservedNames names{kSlot};
  return names;
}

void write_metadata(json::Writer& writer, const Response& response, const RenderOptions& options) {
  const auto slot = slot_content(response, options.extension, kInSlot);
  if (!slot) return write_optional(writer, "metadata", response.metadata);
  writer.key("metadata").begin_object();
  if (response.metadata) {
    write_payload_members(writer, response.metadata->view(), metadata_members());
  }
  writer.member(kSlot, *slot).end_object();
}

// nullopt: no status is written, because only an action needs one for a success, or because a
// warning says that the call may have failed.
std::optional<std::string> status_of(const Response& response, Shape shape) {
  if (response.failure) return "error";
  if (response.outcome == Outcome::partial) return "partial";
  const bool doubtful = std::ranges::any_of(response.warnings, [](const model::Warning& warning) {
    return warning.code == "POSSIBLE_FAILURE";
  });
  if (shape != Shape::action || doubtful) return std::nullopt;
  return "success";
}

bool detects_generic(json::View document) {
  const auto type = json::string_member(document, "responseType");
  if (type && json::string_member(document, "toolName")) return true;
  const auto shape = type ? model::from_name<Shape>(*type) : std::nullopt;
  if (!shape) return false;
  // Without toolName: the data must fit the type, and there must be another member of the contract.
  const auto data = present_at(document, "data");
  const bool list = *shape == Shape::list || *shape == Shape::tool_catalog;
  if (data && (list ? !data->is_array() : !data->is_object())) return false;
  return document.find("data") || document.find("error") || document.find("status") ||
         document.find("summary") || document.find("pagination");
}

// The outcome follows from responseType, status and error together; a status or error that occurs
// twice counts each time. An error beside the status `partial` describes the parts that failed.
void read_outcome(json::View document, Response& response, ReadContext& context) {
  bool says_error = response.shape == Shape::error;
  bool says_success = false;
  bool says_partial = false;
  bool has_error = false;
  for (const json::Member& member : document.members()) {
    if (member.key.equals("status")) {
      says_error = says_error || is_failure_status(member.value);
      says_success = says_success || member.value.equals("success");
      says_partial = says_partial || member.value.equals("partial");
    } else if (member.key.equals("error")) {
      const auto message = member.value.find("message");
      has_error = has_error || names_error(message.value_or(member.value));
    }
  }
  if (says_partial && !says_error) {
    response.outcome = Outcome::partial;
    context.rule = "generic has the status partial";
    if (!has_error) return;
    json::Writer parts;
    parts.begin_object().member("error", *document.find("error")).end_object();
    response.warnings.push_back(make_warning("PARTIAL_FAILURE",
                                             std::string(message_of(read_failure(document))),
                                             std::move(parts).finish_value()));
    return;
  }
  if (!says_error && !has_error) {
    context.rule = "generic has neither responseType nor status error";
    return;
  }
  response.outcome = Outcome::failed;
  context.rule = says_error ? "generic has responseType or status error" : "generic has an error";
  if (says_success || !says_error) {
    context.warnings.push_back(contradiction_warning(
        says_success ? "`status` is success" : "`responseType` is not error", context.rule));
  }
}

Result<Response> read_generic(json::View document, ReadContext& context) {
  Response response;
  response.tool.id = json::string_member(document, "toolName").value_or("");
  const auto type = json::string_member(document, "responseType");
  response.shape = type ? model::from_name<Shape>(*type) : std::nullopt;
  if (const auto data = present_at(document, "data")) response.payload = json::Value(*data);
  response.page = read_page(document);
  read_outcome(document, response, context);
  if (!succeeded(response)) {
    response.failure = read_failure(document);
  } else {
    response.message = json::string_member(document, "message").value_or("");
  }
  if (const auto metadata = object_at(document, "metadata")) {
    const auto slot = object_at(*metadata, kSlot);
    const bool ours = slot && is_enfold_slot(*slot, kInSlot);
    response.metadata = ours ? payload_members(*metadata, metadata_members())
                             : std::optional(json::Value(*metadata));
    if (ours) read_slot(*slot, kInSlot, response);
  }
  return response;
}

void render_generic(const Response& response, const RenderOptions& options, json::Writer& writer) {
  const GenericForm shown = to_generic_form(response, options.form_of_whole);
  const Response& form = shown.response;
  writer.begin_object();
  writer.member("toolName", form.tool.id.empty() ? "unknown" : form.tool.id);
  writer.member("responseType", model::name(shown.shape));
  write_optional(writer, "data", form.payload);
  if (form.page) write_page(writer, *form.page);
  write_optional(writer, "status", status_of(form, shown.shape));
  const std::string& message = form.failure ? form.failure->message : form.message;
  if (!message.empty()) writer.member("message", message);
  if (form.failure) write_error(writer, *form.failure);
  write_metadata(writer, form, options);
  writer.end_object();
}

std::optional<json::View> find_slot(json::View document) {
  const auto metadata = object_at(document, "metadata");
  return metadata ? object_at(*metadata, kSlot) : std::nullopt;
}

}  // namespace

const Envelope kGeneric{detects_generic, read_generic, render_generic, find_slot};

}  // namespace enfold::contract::detail
