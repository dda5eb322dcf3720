// SPDX-License-Identifier: Apache-2.0
// JSON and text without a contract.
#include "enfold/contract/detail/raw.h"

#include "enfold/base/text.h"
#include "enfold/contract/detail/contracts.h"
#include "enfold/contract/detail/members.h"
#include "enfold/contract/error_codes.h"
#include "enfold/contract/warning_codes.h"

#include <algorithm>
#include <array>

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;

// An `error` that is false, empty or zero says that there was none.
bool is_real_error(const std::optional<json::View>& error) {
  if (!error || error->is_null()) return false;
  if (error->is_boolean()) return error->boolean();
  if (error->is_string()) return error->size() != 0 || !error->string_source().empty();
  return !error->is_container() || error->size() != 0;
}

bool says_failure(json::View object) {
  return boolean_at(object, "success") == false || is_real_error(object.find("error"));
}

bool reads_like_failure(std::string_view text) {
  constexpr std::array<std::string_view, 12> openings{
      "error",     "failed",        "failure",           "exception", "traceback", "fatal",
      "mcp error", "access denied", "permission denied", "timeout",   "timed out", "fetch failed"};
  const std::string start = to_lower(text.substr(0, 64));
  const std::size_t at = start.find_first_not_of(" \t\r\n#*`[");
  if (at == std::string::npos) return false;
  return std::any_of(openings.begin(), openings.end(), [&](std::string_view opening) {
    if (start.compare(at, opening.size(), opening) != 0) return false;
    const std::size_t after = at + opening.size();
    return after >= start.size() || std::isalnum(static_cast<unsigned char>(start[after])) == 0;
  });
}

// The n8n habit: the value inside `output`, sometimes twice.
json::View without_output(json::View document) {
  for (int depth = 0; depth < 4; ++depth) {
    const auto inside = document.size() == 1 ? document.find("output") : std::nullopt;
    if (!inside || !inside->is_container()) break;
    document = *inside;
  }
  return document;
}

}  // namespace

std::optional<json::Value> parse_json_text(json::View text, const Limits& limits) {
  const std::string_view source = text.string_source();
  const std::size_t start = source.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return std::nullopt;
  const bool maybe = source[start] == '{' || source[start] == '[' || source[start] == '\\';
  if (!maybe) return std::nullopt;
  json::Buffer inner = text.string_buffer();
  const std::size_t first = inner.view().find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::nullopt;
  if (inner.view()[first] != '{' && inner.view()[first] != '[') return std::nullopt;
  auto document = json::parse(std::move(inner), limits);
  return document ? std::optional(document->value()) : std::nullopt;
}

std::optional<model::Failure> failure_from_members(json::View object) {
  model::Failure failure;
  const auto error = object.find("error");
  const json::View source = error && error->is_object() ? *error : object;
  for (const char* key : {"message", "errorMessage", "error_message", "error"}) {
    if (!failure.message.empty()) break;
    failure.message = string_at(source, key).value_or("");
  }
  if (failure.message.empty()) failure.message = string_at(object, "message").value_or("");
  for (const char* key : {"code", "error_code", "errorCode"}) {
    const auto code = present_at(source, key);
    if (!failure.code.empty() || !code) continue;
    failure.code = code->is_string() ? code->string() : std::string(code->number());
  }
  for (const char* key : {"details", "data"}) {
    if (failure.details || !error || !error->is_object()) break;
    if (const auto details = present_at(source, key)) failure.details = json::Value(*details);
  }
  if (failure.message.empty() && failure.code.empty() && !says_failure(object)) return std::nullopt;
  failure.kind = failure.code.empty() ? guess_kind(failure.message) : kind_of(failure.code);
  return failure;
}

void decide_raw_outcome(Response& response, ReadContext& context) {
  if (!response.payload) return;
  const json::View payload = response.payload->view();
  if (payload.is_object() && says_failure(payload)) {
    if (context.options.honour_root_failure) {
      response.outcome = Outcome::failed;
      response.failure = failure_from_members(payload).value_or(model::Failure{});
      if (response.failure->message.empty())
        response.failure->message = "The tool reported a failure";
      context.rule = "the root has success: false or an error member";
      return;
    }
    response.warnings.push_back(
        make_warning("POSSIBLE_FAILURE",
                     "The tool answered without an error flag, but its data "
                     "has success: false or an error member"));
  } else if (payload.is_string() && reads_like_failure(payload.string_source())) {
    response.warnings.push_back(
        make_warning("POSSIBLE_FAILURE",
                     "The tool answered without an error flag, but its text reads like a failure"));
  }
}

Result<Response> read_json(json::View document, ReadContext& context) {
  Response response;
  const json::View inside =
      context.options.honour_root_failure ? without_output(document) : document;
  response.payload = json::Value(inside);
  context.rule = "data without a contract: a success";
  decide_raw_outcome(response, context);
  return response;
}

void render_json(const Response& response, const RenderOptions& /*options*/, json::Writer& writer) {
  if (response.payload) {
    writer.value(*response.payload);
  } else if (response.failure) {
    writer.begin_object().member("error", response.failure->message).end_object();
  } else {
    writer.null();
  }
}

}  // namespace enfold::contract::detail
