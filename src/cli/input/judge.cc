// SPDX-License-Identifier: Apache-2.0
#include "cli/input/judge.h"

#include "enfold/contract/contract.h"
#include "enfold/redact/redact.h"
#include "enfold/schema/schema.h"

namespace enfold::cli {
namespace {

// The schema of mcp describes results; an error response has its form from JSON-RPC itself.
schema::Validation judge_error(json::View error) {
  schema::Validation validation;
  const auto expect = [&](const char* name, bool holds, const char* expected) {
    if (holds) return;
    validation.valid = false;
    const auto member = error.find(name);
    validation.violations.push_back({std::string("/error/") + name, "", expected,
                                     member ? std::string(json::name(member->kind())) : "missing"});
  };
  const auto code = error.find("code");
  const auto message = error.find("message");
  expect("code", code && code->is_number(), "number");
  expect("message", message && message->is_string(), "string");
  return validation;
}

}  // namespace

Result<schema::Validation> judge(contract::Id id, json::View document, const Limits& limits,
                                 std::size_t max_violations) {
  const schema::Schema* const schema = contract::validator(id);
  if (schema == nullptr) {
    return schema::Validation{
        false,
        {{"", "", "a document of one of the contracts", "JSON that shows none of their marks"}}};
  }
  json::View instance = document;
  std::string place;  // of the instance in the document
  if (id == contract::Id::mcp && document.find("jsonrpc")) {
    if (const auto error = document.find("error")) return judge_error(*error);
    if (const auto result = document.find("result")) {
      instance = *result;
      place = "/result";
    }
  }
  Result<schema::Validation> validation = schema->validate(instance, limits, max_violations);
  if (!validation) return validation;
  for (schema::Violation& violation : validation->violations) {
    violation.instance.insert(0, place);
    violation.found = redact::redact_text(violation.found, redact::Policy{});
  }
  return validation;
}

}  // namespace enfold::cli
