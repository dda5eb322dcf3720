// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/server.h"

#include "enfold/answer/answer.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/tools/call/call_plan.h"

namespace enfold::server {

// Not a default argument of the other constructor, with which g++ 12 warns in programs that pass
// settings of their own.
Server::Server(std::string name, std::string version)
    : Server(std::move(name), std::move(version), Settings{}) {}

Server::Server(std::string name, std::string version, Settings settings)
    : name_(std::move(name)), version_(std::move(version)), settings_(std::move(settings)) {}

namespace detail {

void write_field_value(json::Writer& writer, std::string_view text, bool is_text_field) {
  if (!is_text_field) {
    if (const Result<json::Document> parsed = json::parse(std::string(text))) {
      writer.value(parsed->root());
      return;
    }
  }
  writer.string(text);
}

model::Response failure_of(std::vector<tools::Problem> problems, const json::Value& schema,
                           const json::Value& sent, std::string_view subject) {
  return tools::bad_form(std::move(problems), schema.view(), sent.view(), subject);
}

std::vector<tools::Problem> check_object(const json::Value& value, const json::Value& schema) {
  std::vector<tools::Problem> problems;
  const Result<schema::Schema> compiled = schema::Schema::compile(schema);
  if (!compiled) return problems;  // read_arguments() checks the value too
  const Result<schema::Validation> checked = compiled->validate(value.view());
  if (!checked || checked->valid) return problems;
  for (const schema::Violation& one : checked->violations) {
    problems.push_back(tools::problem_of(one));
  }
  return problems;
}

json::Value filled_in_members(json::View answer, json::View schema) {
  const auto declared = schema.find("properties");
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : answer.members()) {
    const std::string name = member.key.string();
    if (member.value.is_null() || !declared || !declared->find(name)) continue;
    writer.member(name, member.value);
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

bool is_internal(const Error& error) {
  return error.code == ErrorCode::internal || error.code == ErrorCode::protocol_violation;
}

HandlerResult result_of(json::Output&& payload) {
  const Limits limits{.max_bytes = kLargestDocument,
                      .max_depth = kMostLevels,
                      .max_elements = 1U << 30,
                      .max_containers = 1U << 30};
  const Result<json::Document> read = json::parse(std::move(payload).buffer(), limits);
  if (!read) return InternalError{answer::place_and_message(read.error())};
  HandlerResult result(std::in_place_type<model::Response>);
  std::get_if<model::Response>(&result)->payload = read->value();
  return result;
}

HandlerResult result_of(Trouble trouble) {
  if (auto* needs = std::get_if<NeedsInput>(&trouble)) return std::move(*needs);
  if (const auto* error = std::get_if<Error>(&trouble)) {
    if (is_internal(*error)) return InternalError{answer::place_and_message(*error)};
    return answer::failure_of(*error);
  }
  model::Response& failed = *std::get_if<model::Response>(&trouble);
  // A model::Response is for failures; a success without declared fields is not allowed.
  if (!model::succeeded(failed)) return std::move(failed);
  return contract::make_failure(contract::failures::Internal{.message = "The tool failed"});
}

}  // namespace detail

}  // namespace enfold::server
