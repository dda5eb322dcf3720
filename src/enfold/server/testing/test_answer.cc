// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/testing/test_answer.h"

#include "enfold/contract/contract.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/json/pointer.h"

#include <algorithm>

namespace enfold::server {
namespace {

using detail::resolve;

// The first text in the result of a tool, a resource or a prompt; nullopt: there is none.
std::optional<json::View> first_text(json::View result) {
  for (const char* place : {"/content/0/text", "/contents/0/text", "/messages/0/content/text"}) {
    if (const auto text = resolve(result, place)) return text;
  }
  return std::nullopt;
}

// The structured content, else the JSON in the first text; null: neither is there.
json::Value envelope_of(json::View result) {
  if (const auto structured = result.find("structuredContent")) return json::Value(*structured);
  const auto text = first_text(result);
  if (!text || !text->is_string()) return {};
  const Result<json::Document> parsed = json::parse(text->string());
  return parsed ? parsed->value() : json::Value();
}

// The response that the envelope holds; if it holds none, only the failure of a result with
// isError.
model::Response response_of(json::View result, const json::Value& envelope) {
  model::Response response;
  if (!envelope->is_null()) {
    const Result<contract::Reading> read =
        contract::read(contract::detect(envelope.view()), envelope.view());
    if (read) response = read->response;
  }
  const auto failed = result.find("isError");
  if (failed && failed->is_boolean() && failed->boolean() && !response.failure) {
    response.outcome = model::Outcome::failed;
    response.failure.emplace();
    if (const auto text = first_text(result)) response.failure->message = text->string();
  }
  return response;
}

}  // namespace

namespace detail {

std::optional<json::View> resolve(json::View value, std::string_view pointer) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  return parsed ? parsed->resolve(value) : std::nullopt;
}

TestForm form_of(json::View params) {
  const auto schema = params.find("requestedSchema");
  return {json::string_member(params, "message").value_or(""),
          schema ? json::Value(*schema) : json::Value()};
}

std::vector<std::pair<std::string, TestForm>> forms_in(json::View result) {
  std::vector<std::pair<std::string, TestForm>> forms;
  const auto requests = result.find("inputRequests");
  if (!requests) return forms;
  for (const json::Member& one : requests->members()) {
    const auto method = one.value.find("method");
    const auto params = one.value.find("params");
    if (params && method && method->equals("elicitation/create"))
      forms.emplace_back(one.key.string(), form_of(*params));
  }
  return forms;
}

void read_result(TestAnswer& answer) {
  const json::View result = answer.result.view();
  answer.envelope = envelope_of(result);
  answer.response = response_of(result, answer.envelope);
  if (const auto values = resolve(result, "/completion/values")) {
    for (const json::View value : values->items()) answer.completions.push_back(value.string());
  }
  for (auto& [key, form] : forms_in(result)) answer.questions.push_back(std::move(form));
}

}  // namespace detail

std::string TestAnswer::code() const {
  if (!response.failure) return {};
  if (!response.failure->code.empty()) return response.failure->code;
  return std::string(contract::traits(response.failure->kind).code);
}

std::string TestAnswer::message() const {
  if (error) return *error;
  if (!questions.empty()) return questions.front().message;
  return response.failure ? response.failure->message : response.message;
}

json::Value TestAnswer::data() const {
  if (response.failure) return response.failure->details.value_or(json::Value());
  return response.payload.value_or(json::Value());
}

std::string TestAnswer::at(std::string_view pointer) const {
  const json::Value value = data();
  const auto found = resolve(value.view(), pointer);
  return found ? json::to_text(*found) : "";
}

bool TestAnswer::has_warning(std::string_view code) const {
  return std::ranges::find(response.warnings, code, &model::Warning::code) !=
         response.warnings.end();
}

std::optional<bool> TestAnswer::cache_hit() const {
  return response.telemetry ? response.telemetry->cache_hit : std::nullopt;
}

std::optional<std::int64_t> TestAnswer::downstream_calls() const {
  if (!response.telemetry || !response.telemetry->downstream_calls) return std::nullopt;
  return json::parse_own(response.telemetry->downstream_calls->text)->integer();
}

std::string TestAnswer::handle() const {
  if (!response.reduction || response.reduction->archive.empty()) return {};
  return response.reduction->archive.front().handle;
}

std::string TestAnswer::text() const {
  const auto found = first_text(result.view());
  return found && found->is_string() ? found->string() : "";
}

std::optional<std::string> TestAnswer::cursor() const {
  // Where the contracts have the cursor; the last place is that of contract `none`.
  for (const char* place :
       {"/meta/pagination/cursor", "/enfold/pagination/cursor", "/pagination/nextOffset",
        "/data/_envelope/pagination/cursor", "/_envelope/pagination/cursor", "/next_cursor"}) {
    const auto found = resolve(envelope.view(), place);
    if (found && found->is_string()) return found->string();
  }
  return std::nullopt;
}

std::string TestNotification::uri() const {
  return json::string_member(params.view(), "uri").value_or("");
}

}  // namespace enfold::server
