// SPDX-License-Identifier: Apache-2.0
// memory: a flat contract with `success`, the payload's members at the root, and `message`.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/reading/failure.h"
#include "enfold/contract/reading/outcome.h"
#include "enfold/json/document.h"

#include <algorithm>

namespace enfold::contract::detail {
namespace {

using model::Response;

const ReservedNames& envelope_members() {
  static const ReservedNames names{"success", "message", "error", kFlatSlot};
  return names;
}

// `error` is a text (the code, unless it is the message) or an object with code, message and more.
model::Failure read_failure(json::View document) {
  model::Failure failure = failure_of_data(document).failure;
  failure.details.reset();
  const auto text = json::string_member(document, "error");
  if (text && failure.code.empty() && failure.message != *text) failure.code = *text;
  if (const auto error = object_at(document, "error")) {
    failure.remediation = strings_at(*error, "suggestions");
    failure.details = value_at(*error, "context");
    static const ReservedNames known{"code", "message", "type", "suggestions", "context"};
    if (!failure.details) failure.details = payload_members(*error, known);
  }
  return failure;
}

// Recognized by a boolean `success` that agrees with the outcome of the data. Other answers are
// read as plain data: those that name failed parts; a success without a payload, whose shape
// depends on the tool; those whose outcome depends on whether the tool reads or acts.
bool detects_memory(json::View document) {
  const auto success = boolean_at(document, "success");
  if (!success) return false;
  const bool has_more = std::ranges::any_of(document.members(), [&](const json::Member& member) {
    return !member.key.equals("success") && !(*success && member.key.equals("message"));
  });
  if (!has_more) return false;
  const model::Outcome stated = *success ? model::Outcome::ok : model::Outcome::failed;
  // No known tool, one that reads, and one that acts.
  constexpr std::string_view tools[] = {"", "get", "delete"};
  return std::ranges::all_of(tools, [&](std::string_view tool) {
    const OutcomeReading found = outcome_of_data(document, tool);
    return found.contradiction.empty() && found.outcome == stated;
  });
}

// Whether the member is a `message` that is no text, and so is payload.
bool is_no_message(const json::Member& member) {
  return member.key.equals("message") && !member.value.is_string() && !member.value.is_null();
}

Result<Response> read_memory(json::View document, ReadContext& context) {
  Response response;
  if (read_stated_outcome(document, "memory", response, context)) {
    response.failure = with_message(read_failure(document));
  } else {
    response.message = json::string_member(document, "message").value_or("");
  }
  read_flat_payload(document, envelope_members(), "data", response, is_no_message);
  return response;
}

// The response with the `message` of a payload that already has the form of this contract as the
// message of the envelope. nullopt: the payload has none, or the response has a message already.
std::optional<Response> with_own_message(const Response& response) {
  if (!says_success(response) || !response.message.empty()) return std::nullopt;
  const auto message = json::string_member(response.payload->view(), "message");
  if (!message) return std::nullopt;
  Response own = response;
  own.message = *message;
  own.payload = json::select_members(response.payload->view(), [](const json::Member& member) {
    return !member.key.equals("message");
  });
  return own;
}

void render_memory(const Response& given, const RenderOptions& /*options*/, json::Writer& writer) {
  const std::optional<Response> own = with_own_message(given);
  const Response& response = own ? *own : given;
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
