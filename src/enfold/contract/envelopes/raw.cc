// SPDX-License-Identifier: Apache-2.0
// JSON and text without a contract.
#include "enfold/base/text.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/envelopes/shape.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/json/number.h"

#include <set>

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;

bool is_real_error(const std::optional<json::View>& error) {
  if (!error || error->is_null()) return false;
  if (error->is_boolean()) return error->boolean();
  if (error->is_number()) return !json::Number(error->number()).is_zero();
  if (error->is_string()) return !error->string_source().empty();
  return error->size() != 0;
}

bool is_code(json::View value) {
  return value.is_number() || (value.is_string() && !value.string_source().empty());
}

std::string code_text(json::View code) {
  return code.is_string() ? code.string() : std::string(code.number());
}

// The first of `keys` whose member `accepts` returns true for.
template <class Predicate>
std::optional<json::View> first_of(json::View object, std::initializer_list<const char*> keys,
                                   Predicate&& accepts) {
  for (const char* key : keys) {
    const auto value = object.find(key);
    if (value && accepts(*value)) return value;
  }
  return std::nullopt;
}

bool is_text(json::View value) { return value.is_string() && !value.string_source().empty(); }
bool is_detail(json::View value) { return value.is_object() || value.is_string(); }

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

Result<Response> read_json(json::View document, ReadContext& context) {
  Response response;
  response.payload = json::Value(document);
  context.rule = "data without a contract: a success";
  warn_if_it_reads_like_failure(response);
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

}  // namespace

std::optional<json::Value> parse_json_text(json::View text, const Limits& limits) {
  const std::string_view source = text.string_source();
  const std::size_t start = source.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return std::nullopt;
  const bool maybe = source[start] == '{' || source[start] == '[' || source[start] == '\\';
  if (!maybe) return std::nullopt;
  json::Buffer inner = json::string_buffer(text);
  const std::size_t first = inner.view().find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::nullopt;
  if (inner.view()[first] != '{' && inner.view()[first] != '[') return std::nullopt;
  auto document = json::parse(std::move(inner), limits);
  return document ? std::optional(document->value()) : std::nullopt;
}

bool says_failure(json::View object) {
  return boolean_at(object, "success") == false || is_real_error(object.find("error"));
}

model::Failure failure_from_error(json::View error) {
  model::Failure failure;
  const auto message = first_of(error, {"message"}, is_text);
  const auto code = first_of(error, {"code"}, is_code);
  if (message) failure.message = message->string();
  if (code) failure.code = code_text(*code);
  const auto is_used = [](json::View value, const std::optional<json::View>& used) {
    return used && used->offset() == value.offset();
  };
  const auto rest = json::select_members(error, [&](const json::Member& member) {
    return !member.value.is_null() && !is_used(member.value, message) &&
           !is_used(member.value, code);
  });
  if (!rest) return failure;
  const auto details = first_of(rest->view(), {"details", "data"}, is_detail);
  failure.details = details && rest->view().size() == 1 ? json::Value(*details) : *rest;
  return failure;
}

FailureWithRest failure_from_members(json::View object) {
  FailureWithRest found;
  model::Failure& failure = found.failure;
  std::set<std::uint32_t> used;
  const auto use = [&](const std::optional<json::View>& value) {
    if (value) used.insert(value->offset());
    return value.has_value();
  };
  const auto error = object.find("error");
  if (is_real_error(error)) {
    use(error);
    if (error->is_object()) {
      failure = failure_from_error(*error);
    } else if (!error->is_string()) {
      failure.details =
          std::move(json::Writer().begin_object().member("error", *error).end_object())
              .finish_value();
    }
  }
  const bool sentence = is_real_error(error) && error->is_string();
  if (failure.message.empty()) {
    const auto text =
        first_of(object, {"message", "errorMessage", "error_message", "reason"}, is_text);
    if (use(text)) failure.message = text->string();
  }
  // If there is a message too, a string in `error` is the code.
  if (sentence) (failure.message.empty() ? failure.message : failure.code) = error->string();
  if (failure.code.empty()) {
    const auto code = first_of(object, {"code", "error_code", "errorCode"}, is_code);
    if (use(code)) failure.code = code_text(*code);
  }
  if (!failure.details) {
    const auto details = first_of(object, {"details"}, is_detail);
    if (use(details)) failure.details = json::Value(*details);
  }
  found.rest = json::select_members(object, [&](const json::Member& member) {
    // `success: false` is expressed by the outcome.
    const bool flag = member.key.equals("success") && member.value.raw() == "false";
    return !flag && !used.contains(member.value.offset());
  });
  return found;
}

model::Failure with_kind_and_message(model::Failure failure) {
  failure.kind = failure.code.empty() ? guess_kind(failure.message) : kind_of(failure.code);
  if (failure.message.empty()) failure.message = "The tool reported a failure without a message.";
  return failure;
}

void warn_if_it_reads_like_failure(Response& response) {
  if (!response.payload) return;
  const json::View payload = response.payload->view();
  if (payload.is_object() && says_failure(payload)) {
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

void merge_outer(Reading& envelope, Reading around) {
  Response& response = envelope.response;
  response.blocks.insert(response.blocks.end(), around.response.blocks.begin(),
                         around.response.blocks.end());
  if (around.response.metadata) {
    response.metadata = joined_members(response.metadata, around.response.metadata);
    // A residue "metadata: null" would remove them again.
    if (envelope.origin.contract == name(Id::generic)) {
      std::erase_if(envelope.origin.residue,
                    [](const json::Change& change) { return change.pointer == "/metadata"; });
    }
  }
  if (succeeded(around.response) || !succeeded(response)) {
    if (!around.rule.empty()) envelope.rule += ", inside an answer where " + around.rule;
    return;
  }
  response.outcome = Outcome::failed;
  response.failure = std::move(around.response.failure);
  envelope.rule = around.rule + ", against the envelope inside";
  envelope.origin.residue.clear();  // computed for a success, so it no longer applies
}

const Envelope kJson{.read = read_json, .render = render_json};

}  // namespace enfold::contract::detail
