// SPDX-License-Identifier: Apache-2.0
// memory: a flat contract with `success`, the payload's members at the root, and `message`.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/json/document.h"

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;

const ReservedNames& envelope_members() {
  static const ReservedNames names{"success", "message", "error", kFlatSlot};
  return names;
}

// `error` is a bare code, or an object with code, message and more.
model::Failure read_failure(json::View document) {
  model::Failure failure;
  failure.message = json::string_member(document, "message").value_or("");
  failure.code = json::string_member(document, "error").value_or("");
  if (const auto error = object_at(document, "error")) {
    failure.code = json::string_member(*error, "code").value_or("");
    if (failure.message.empty())
      failure.message = json::string_member(*error, "message").value_or("");
    failure.remediation = strings_at(*error, "suggestions");
    failure.details = value_at(*error, "context");
  }
  failure.kind = failure.code.empty() ? guess_kind(failure.message) : kind_of(failure.code);
  return failure;
}

bool detects_memory(json::View document) { return boolean_at(document, "success").has_value(); }

Result<Response> read_memory(json::View document, ReadContext& context) {
  const auto success = boolean_at(document, "success");
  if (!success) {
    return fail(ErrorCode::invalid_input, "expected a boolean member `success`, found none",
                "/success", "choose another contract with --from");
  }
  Response response;
  if (*success) {
    response.message = json::string_member(document, "message").value_or("");
  } else {
    response.outcome = Outcome::failed;
    response.failure = read_failure(document);
  }
  read_flat_payload(document, envelope_members(), "data", response);
  context.rule = *success ? "memory says success: true" : "memory says success: false";
  return response;
}

void render_memory(const Response& response, const RenderOptions& /*options*/,
                   json::Writer& writer) {
  writer.begin_object().member("success", succeeded(response));
  write_flat_payload(writer, response, envelope_members(), "data");
  if (response.failure) {
    const model::Failure& failure = *response.failure;
    writer.member("error", failure.code.empty() ? traits(failure.kind).code : failure.code);
    writer.member("message", message_of(failure));
  } else if (!response.message.empty()) {
    writer.member("message", response.message);
  }
  writer.end_object();
}

}  // namespace

const Envelope kMemory{detects_memory, read_memory, render_memory};

}  // namespace enfold::contract::detail
