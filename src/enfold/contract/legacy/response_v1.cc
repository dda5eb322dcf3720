// SPDX-License-Identifier: Apache-2.0
// response-v1, deprecated: success, schema_version, the payload's members at the root, error. There
// were three variants of it; Enfold reads all and writes the third.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/json/document.h"

#include <fmt/format.h>

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
  failure.code = json::string_member(document, "error_code").value_or("");
  if (const auto type = json::string_member(document, "error_type"))
    failure.type = read_type(*type);
  failure.kind = failure.code.empty() && !failure.type ? guess_kind(failure.message)
                                                       : kind_of(failure.code, failure.type);
  if (const auto text = json::string_member(document, "remediation"))
    failure.remediation.push_back(*text);
  failure.details = value_at(document, "details");
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
  if (!document.is_object()) {
    return fail(ErrorCode::invalid_input, "expected an object in response-v1, found " +
                                              std::string(json::name(document.kind())));
  }
  Response response;
  if (!family_success(document, context.rule)) {
    response.outcome = Outcome::failed;
    response.failure = read_failure(document);
  }
  response.payload = read_flat_payload(document, envelope_members(), response);
  // A payload that is not an object is written as the only member `result`.
  if (response.payload && response.payload->view().size() == 1) {
    const auto result = response.payload->view().find("result");
    if (result && !result->is_object()) {
      response.wrapping = model::Wrapping::result;
      unwrap(response);
      response.wrapping = model::Wrapping::none;
    }
  }
  return response;
}

void render_response_v1(const Response& response, const RenderOptions& /*options*/,
                        json::Writer& writer) {
  writer.begin_object().member("success", succeeded(response));
  writer.member("schema_version", kSchemaVersion);
  if (response.payload && response.payload->view().is_object()) {
    write_payload_members(writer, response.payload->view(), envelope_members());
  } else if (response.payload) {
    writer.key("result").value(*response.payload);
  }
  write_flat_slot(writer, response);
  writer.key("error");
  if (!response.failure) {
    writer.null().end_object();
    return;
  }
  const model::Failure& failure = *response.failure;
  writer.string(message_of(failure));
  writer.member("error_code", failure.code.empty() ? traits(failure.kind).code : failure.code);
  writer.member("error_type", model::name(failure.type.value_or(traits(failure.kind).type)));
  if (!failure.remediation.empty())
    writer.member("remediation", fmt::format("{}", fmt::join(failure.remediation, " ")));
  write_details(writer, failure);
  writer.end_object();
}

}  // namespace

const Envelope kResponseV1{detects_response_v1, read_response_v1, render_response_v1};

}  // namespace enfold::contract::detail
