// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/announced_schema.h"

#include <initializer_list>

namespace enfold::answer {
namespace {

using contract::Id;

// The functions below write a keyword or a member into the open object of a schema.

void required(json::Writer& writer, std::initializer_list<std::string_view> names) {
  writer.key("required").begin_array();
  for (const std::string_view name : names) writer.string(name);
  writer.end_array();
}

void typed(json::Writer& writer, std::string_view name, std::string_view type) {
  writer.key(name).begin_object().member("type", type).end_object();
}

// Two branches, because some clients support only one type in a schema.
void nullable(json::Writer& writer, std::string_view name, std::string_view type) {
  writer.key(name).begin_object().key("anyOf").begin_array();
  writer.begin_object().member("type", type).end_object();
  writer.begin_object().member("type", "null").end_object().end_array().end_object();
}

// Whether a schema is {}, which accepts everything.
bool accepts_anything(json::View schema) { return schema.is_object() && schema.size() == 0; }

// Writes the schema {"properties": {NAME: {"const": VALUE}, "data": PAYLOAD}}. `payload` nullptr or
// {}: without `data`.
void outcome(json::Writer& writer, std::string_view name, bool value, const json::View* payload) {
  writer.begin_object().key("properties").begin_object();
  writer.key(name).begin_object().member("const", value).end_object();
  if (payload != nullptr && !accepts_anything(*payload)) writer.key("data").value(*payload);
  writer.end_object().end_object();
}

// Writes the schema of envelopes that have the warning SCHEMA_MISMATCH in `meta`.
void with_mismatch_warning(json::Writer& writer) {
  writer.begin_object().key("properties").begin_object().key("meta").begin_object();
  writer.key("properties").begin_object().key("warning_details").begin_object();
  writer.key("contains").begin_object().key("properties").begin_object();
  writer.key("code").begin_object().member("const", "SCHEMA_MISMATCH").end_object().end_object();
  required(writer, {"code"});
  writer.end_object().end_object().end_object();
  required(writer, {"warning_details"});
  writer.end_object().end_object().end_object();
}

void write_response_v2(json::Writer& writer, json::View payload, Payloads payloads) {
  writer.key("properties").begin_object();
  typed(writer, "success", "boolean");
  typed(writer, "data", "object");
  nullable(writer, "error", "string");
  typed(writer, "meta", "object");
  writer.end_object();
  required(writer, {"success", "data", "error", "meta"});
  writer.key("anyOf").begin_array();
  outcome(writer, "success", /*value=*/true, &payload);
  outcome(writer, "success", /*value=*/false, /*payload=*/nullptr);
  // A cut payload may be a summary or only a reference; its envelope has `meta.content_fidelity`.
  writer.begin_object().key("properties").begin_object().key("meta").begin_object();
  required(writer, {"content_fidelity"});
  writer.end_object().end_object().end_object();
  if (payloads == Payloads::or_with_warning && !accepts_anything(payload)) {
    with_mismatch_warning(writer);
  }
  writer.end_array();
}

void write_scalpel(json::Writer& writer, json::View payload) {
  writer.key("properties").begin_object();
  for (const std::string_view name : {"tier", "tool_version", "tool_id", "request_id"}) {
    typed(writer, name, "string");
  }
  typed(writer, "capabilities", "array");
  typed(writer, "upgrade_hints", "array");
  typed(writer, "duration_ms", "number");
  nullable(writer, "error", "object");
  writer.end_object();
  required(writer, {"data"});  // the operator may leave out the other members
  if (accepts_anything(payload)) return;
  writer.key("anyOf").begin_array();
  writer.begin_object().key("properties").begin_object().key("data").value(payload);
  writer.end_object().end_object();
  writer.begin_object().key("properties").begin_object();
  typed(writer, "error", "object");
  writer.end_object().end_object();
  // A cut payload reports what was left out in its member `_envelope`.
  writer.begin_object().key("properties").begin_object().key("data").begin_object();
  writer.member("type", "object");
  required(writer, {"_envelope"});
  writer.end_object().end_object().end_object().end_array();
}

// Whether a flat contract can write the payload's members beside its own without renaming one. If
// not, or if the payload's schema names no members, the announced schema is only the envelope's.
// Names that end in '_' count without it, because members are renamed by adding '_'.
bool keeps_names(json::View payload) {
  const auto properties = payload.find("properties");
  if (!properties) return false;
  for (const json::Member& member : properties->members()) {
    std::string name = member.key.string();
    name.erase(name.find_last_not_of('_') + 1);
    for (const std::string_view own :
         {"success", "message", "error", "enfold", "data", "schema_version", "error_code",
          "error_type", "remediation", "details", "result", "warnings"}) {
      if (name == own) return false;
    }
  }
  return true;
}

// `versioned`: true for response-v1, false for memory.
void write_flat(json::Writer& writer, json::View payload, bool versioned) {
  writer.key("properties").begin_object();
  typed(writer, "success", "boolean");
  if (versioned) {
    typed(writer, "schema_version", "string");
    nullable(writer, "error", "string");
  }
  writer.end_object();
  versioned ? required(writer, {"success", "schema_version", "error"})
            : required(writer, {"success"});
  if (!keeps_names(payload)) return;
  writer.key("anyOf").begin_array();
  writer.begin_object().key("properties").begin_object();
  writer.key("success").begin_object().member("const", true).end_object();
  const json::View properties = *payload.find("properties");
  for (const json::Member& member : properties.members()) {
    writer.key(member.key).value(member.value);
  }
  writer.end_object();
  if (const auto names = payload.find("required")) writer.key("required").value(*names);
  writer.end_object();
  outcome(writer, "success", /*value=*/false, /*payload=*/nullptr);
  // The member `enfold` of a cut answer has `content_fidelity`.
  writer.begin_object().key("properties").begin_object().key("enfold").begin_object();
  required(writer, {"content_fidelity"});
  writer.end_object().end_object();
  required(writer, {"enfold"});
  writer.end_object().end_array();
}

void write_generic(json::Writer& writer) {
  writer.key("properties").begin_object();
  typed(writer, "toolName", "string");
  typed(writer, "responseType", "string");
  writer.end_object();
  required(writer, {"toolName", "responseType"});
}

}  // namespace

json::Value announced_schema(Id contract, json::View payload, Payloads payloads) {
  const json::Value anything = json::parse_own("{}");
  // A contract without warnings cannot report a mismatch, so its schema promises nothing about the
  // payload.
  const bool limits_payload = payloads == Payloads::as_declared || contract == Id::response_v2;
  if (!limits_payload) payload = anything.view();
  json::Writer writer;
  writer.begin_object().member("type", "object");
  switch (contract) {
    case Id::response_v2: write_response_v2(writer, payload, payloads); break;
    case Id::scalpel_v1: write_scalpel(writer, payload); break;
    case Id::response_v1:
    case Id::memory: write_flat(writer, payload, contract == Id::response_v1); break;
    case Id::generic: write_generic(writer); break;
    case Id::mcp:
    case Id::json:
    case Id::text: break;
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::answer
