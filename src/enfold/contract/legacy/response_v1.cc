// SPDX-License-Identifier: Apache-2.0
// response-v1, deprecated: success, schema_version, the payload's members at the root, error. There
// were three variants of it; Enfold reads all and writes the third.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure_kind.h"
#include "enfold/json/document.h"

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;

constexpr std::string_view kSchemaVersion = "1.0.0";

const ReservedNames& envelope_members() {
  static const ReservedNames names{"success",    "schema_version", "error",   "error_code",
                                   "error_type", "remediation",    "details", kFlatSlot};
  return names;
}

model::Failure read_failure(json::View document) {
  model::Failure failure;
  failure.message = json::string_member(document, "error").value_or("");
  read_error_members(document, failure);
  failure.kind = failure.type ? kind_of(failure.code, failure.type)
                              : kind_of_failure({failure.code, {}, failure.message}).kind;
  return failure;
}

// Whether the document is a success, by the rules of its variant; `rule` names the rule.
bool family_success(json::View document, std::string& rule) {
  if (const auto success = boolean_at(document, "success")) {
    rule = *success ? "response-v1 says success: true" : "response-v1 says success: false";
    return *success;
  }
  const bool failed = json::string_member(document, "error").has_value();
  const bool found_family = boolean_at(document, "found").has_value();
  rule = std::string(found_family ? "response-v1 (found family)" : "response-v1 (plain family)") +
         (failed ? " has an error text" : " has no error text");
  return !failed;
}

bool detects_response_v1(json::View document) {
  const auto version = json::string_member(document, "schema_version");
  // The third variant always has `error`; without it, this is data with a version of its own.
  return version && version->starts_with("1.") && boolean_at(document, "success") &&
         document.find("error");
}

Result<Response> read_response_v1(json::View document, ReadContext& context) {
  Response response;
  if (!family_success(document, context.rule)) {
    response.outcome = Outcome::failed;
    response.failure = read_failure(document);
  }
  read_flat_payload(document, envelope_members(), "result", response);
  return response;
}

void render_response_v1(const Response& response, const RenderOptions& /*options*/,
                        json::Writer& writer) {
  writer.begin_object().member("success", succeeded(response));
  writer.member("schema_version", kSchemaVersion);
  write_flat_payload(writer, response, envelope_members(), "result");
  writer.key("error");
  if (!response.failure) {
    writer.null().end_object();
    return;
  }
  writer.string(message_of(*response.failure));
  write_error_members(writer, *response.failure, traits(response.failure->kind).type);
  writer.end_object();
}

}  // namespace

const Envelope kResponseV1{detects_response_v1, read_response_v1, render_response_v1};

}  // namespace enfold::contract::detail
