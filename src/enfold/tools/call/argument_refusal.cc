// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/answer.h"
#include "enfold/base/text.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/redact/redact.h"
#include "enfold/tools/call/call_plan.h"

#include <fmt/core.h>

namespace enfold::tools {
namespace {

namespace failures = contract::failures;
using Kind = schema::Violation::Kind;

constexpr std::size_t kMostProblems = 10;

// The pointer as people write it: "/filter/min" becomes "filter.min".
std::string readable_path(std::string_view pointer) {
  std::string out(pointer.starts_with('/') ? pointer.substr(1) : pointer);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

}  // namespace

std::optional<model::Response> argument_refusal(const OfferedTool& tool, json::View arguments) {
  if (const auto marker = redact::find_marker(arguments)) return marker_refusal(*marker);
  const Result<schema::Validation> checked = tool.input.validate(arguments, {}, kMostProblems);
  if (!checked) return answer::failure_of(checked.error());
  if (checked->valid) return std::nullopt;
  std::vector<Problem> problems;
  for (const schema::Violation& violation : checked->violations) {
    problems.push_back(problem_of(violation));
  }
  return bad_arguments(tool, problems);
}

model::Response marker_refusal(const redact::Marker& marker) {
  return contract::make_failure(failures::Validation{
      .message = fmt::format("{}: expected a value, found the marker of a secret that was taken "
                             "out ([REDACTED:{}])",
                             marker.pointer, marker.label),
      .field = marker.pointer,
      .extra = {.remediation = {"Leave this argument out, or ask the user for its value."}}});
}

model::Response bad_arguments(const OfferedTool& tool, const std::vector<Problem>& problems) {
  json::Writer details;
  details.begin_object().key("problems").begin_array();
  std::vector<std::string> remediation;
  std::string message;
  std::string missing;
  for (const Problem& problem : problems) {
    const bool unknown = problem.kind == Kind::unknown_member;
    std::string place = readable_path(problem.place);
    if (problem.kind == Kind::missing_member) {
      place += (place.empty() ? "" : ".") + problem.member;
      if (missing.empty()) missing = place;
    }
    const std::string expected = unknown ? "no such argument" : problem.expected;
    if (message.empty()) {
      message = fmt::format("{}: expected {}, found {}", place.empty() ? "arguments" : place,
                            expected, problem.found);
    }
    if (unknown) {
      remediation.push_back(did_you_mean(place, tool.arguments, "Leave " + place + " out."));
    }
    details.begin_object().member("argument", place).member("expected", expected);
    details.member("found", problem.found).end_object();
  }
  details.end_array().end_object();
  if (remediation.empty()) {
    remediation.push_back(
        fmt::format("Correct the arguments of {} and call it again.", tool.spec.name));
  }
  failures::Extra extra{.remediation = std::move(remediation),
                        .details = std::move(details).finish_value()};
  if (problems.size() == 1 && !missing.empty()) {
    return contract::make_failure(
        failures::MissingRequired{.field = missing, .extra = std::move(extra)});
  }
  return contract::make_failure(
      failures::Validation{.message = std::move(message), .extra = std::move(extra)});
}

}  // namespace enfold::tools
