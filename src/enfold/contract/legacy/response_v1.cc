// SPDX-License-Identifier: Apache-2.0
// response-v1, deprecated: success, schema_version, the payload's members at the root, error. Two
// older variants have neither success nor schema_version; one of them has `found`. Enfold reads all
// three and writes the first.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/stated_outcome.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure_kind.h"
#include "enfold/json/document.h"

namespace enfold::contract::detail {
namespace {

using model::Response;

constexpr std::string_view kSchemaVersion = "1.0.0";

const ReservedNames& envelope_members() {
  static const ReservedNames names{"success",    "schema_version", "error",   "error_code",
                                   "error_type", "remediation",    "details", kFlatSlot};
  return names;
}

model::Failure read_failure(json::View document) {
  model::Failure failure = failure_of_any_error(present_at(document, "error"));
  read_error_members(document, failure);
  failure.kind =
      failure.type
          ? kind_of(failure.code, failure.type)
          : kind_of_failure({.code = failure.code, .status = {}, .message = failure.message}).kind;
  return failure;
}

// The name of the variant, for the rule that decided the outcome.
std::string_view variant_of(json::View document) {
  if (document.find("success") || document.find("schema_version")) return "response-v1";
  return document.find("found") ? "response-v1 (found family)" : "response-v1 (plain family)";
}

bool detects_response_v1(json::View document) {
  const auto version = document.find("schema_version");
  const std::string_view text = !version               ? std::string_view()
                                : version->is_string() ? version->string_source()
                                                       : version->number();
  // A document without `error` is data with a `schema_version` of another format. The two older
  // variants are not detected; they are read only if the caller names the contract.
  return (text == "1" || text.starts_with("1.")) && document.find("success") &&
         document.find("error");
}

// Whether a member with a reserved name is payload of a success, as `error_code` and `details` are.
bool is_payload_of_success(const json::Member& member) {
  return !member.key.equals("success") && !member.key.equals("schema_version") &&
         !member.key.equals("error") && !member.key.equals(kFlatSlot);
}

Result<Response> read_response_v1(json::View document, ReadContext& context) {
  Response response;
  const bool failed = read_stated_outcome(document, variant_of(document), response, context);
  if (failed) response.failure = read_failure(document);
  read_flat_payload(document, envelope_members(), "result", response,
                    failed ? is_no_error_member : is_payload_of_success);
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
