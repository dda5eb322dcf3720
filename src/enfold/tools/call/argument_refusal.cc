// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/answer.h"
#include "enfold/base/text.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/json/pointer.h"
#include "enfold/redact/redact.h"
#include "enfold/tools/call/call_plan.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::tools {
namespace {

namespace failures = contract::failures;
using Kind = schema::Violation::Kind;

constexpr std::size_t kMostProblems = 10;             // that one failure names
constexpr std::string_view kMarkerRule = "redacted";  // the constraint that a marker breaks

// The pointer as people write it: "/filter/min" becomes "filter.min".
std::string readable_path(std::string_view pointer) {
  std::string out(pointer.starts_with('/') ? pointer.substr(1) : pointer);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

// The readable path of the argument. For a missing member: of where it is expected, with its name.
std::string field_of(const Problem& problem) {
  std::string place = readable_path(problem.place);
  if (problem.kind != Kind::missing_member) return place;
  return place + (place.empty() ? "" : ".") + problem.member;
}

// The keyword of the schema that does not hold: "required", "type", "pattern", "maximum"; else
// "range", for a number beyond its C++ type.
std::string_view constraint_of(const Problem& problem) {
  const std::string_view rule = problem.rule;
  if (problem.kind == Kind::missing_member) return "required";
  return rule.empty() ? "range" : rule.substr(rule.find_last_of('/') + 1);
}

std::string expected_of(const Problem& problem) {
  if (problem.kind == Kind::missing_member) return "a value";
  return problem.kind == Kind::unknown_member ? "no argument of this name" : problem.expected;
}

// What was sent instead; nothing for a value that is too long to repeat.
void write_received(json::Writer& writer, const Problem& problem, json::View sent) {
  constexpr std::size_t most_shown = 200;
  if (!problem.received->is_null()) {
    writer.key("received").value(problem.received);
    return;
  }
  const auto place = json::Pointer::parse(problem.place);
  const auto value =
      place && problem.kind != Kind::missing_member ? place->resolve(sent) : std::nullopt;
  if (!value) {
    writer.key("received").null();
  } else if (value->raw().size() <= most_shown) {
    writer.member("received", *value);
  }
}

// Writes a problem with the members that response-v2 names for details of a validation.
void write_problem(json::Writer& writer, const Problem& problem, json::View schema,
                   json::View sent) {
  const std::string_view constraint = constraint_of(problem);
  writer.member("field", field_of(problem)).member("constraint", constraint);
  const auto rule = json::Pointer::parse(
      std::string_view(problem.rule).substr(problem.rule.starts_with('#') ? 1 : 0));
  const auto keyword = constraint == "pattern" && rule ? rule->resolve(schema) : std::nullopt;
  if (keyword) writer.member("pattern", *keyword);
  writer.member("expected", expected_of(problem));
  write_received(writer, problem, sent);
}

// The details of a failure: the first problem, and all of them if there are several.
json::Value details_of(const std::vector<Problem>& problems, json::View schema, json::View sent) {
  json::Writer details;
  write_problem(details.begin_object(), problems.front(), schema, sent);
  if (problems.size() > 1) {
    details.key("problems").begin_array();
    for (const Problem& problem : problems) {
      write_problem(details.begin_object(), problem, schema, sent);
      details.end_object();
    }
    details.end_array();
  }
  details.end_object();
  return std::move(details).finish_value();
}

// Sorts the problems as declared, and keeps the first kMostProblems.
void sort_and_limit(std::vector<Problem>& problems, json::View schema) {
  sort_as_declared(problems, schema);
  problems.resize(std::min(problems.size(), kMostProblems));
}

bool all_are(const std::vector<Problem>& problems, std::string_view constraint) {
  return std::ranges::all_of(problems,
                             [&](const Problem& one) { return constraint_of(one) == constraint; });
}

// The first problems in one sentence, and the number of the others.
std::string sentence(const std::vector<Problem>& problems) {
  constexpr std::size_t most_named = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(problems.size(), most_named); ++i) {
    const Problem& problem = problems[i];
    const std::string field = field_of(problem);
    if (i != 0) out += "; ";
    out += problem.kind == Kind::missing_member
               ? fmt::format("{} is missing", field)
               : fmt::format("{}: expected {}, found {}", field.empty() ? "arguments" : field,
                             expected_of(problem), problem.found);
  }
  if (problems.size() > most_named)
    out += fmt::format("; and {} more", problems.size() - most_named);
  return out;
}

// What to do about an argument that the tool does not have.
std::string advice_for_unknown(const OfferedTool& tool, const Problem& problem) {
  const Result<json::Pointer> pointer = json::Pointer::parse(problem.place);
  std::vector<std::string> parent = pointer ? pointer->tokens() : std::vector<std::string>{};
  if (!parent.empty()) parent.pop_back();
  const std::vector<std::string> known =
      members_of(schema_at(tool.spec.input_schema.view(), parent));
  return fmt::format("There is no argument {}: {}", field_of(problem),
                     did_you_mean(problem.member, known, "leave it out."));
}

// What the caller can do: the remediation of the failure.
std::vector<std::string> advice(const OfferedTool& tool, const std::vector<Problem>& problems) {
  std::vector<std::string> out;
  bool has_others = false;
  for (const Problem& problem : problems) {
    if (problem.kind == Kind::unknown_member) {
      out.push_back(advice_for_unknown(tool, problem));
    } else if (constraint_of(problem) == kMarkerRule) {
      out.push_back(fmt::format("Leave {} out, or ask the user for its value.", field_of(problem)));
    } else {
      has_others = true;
    }
  }
  if (has_others) {
    out.push_back(fmt::format("Correct the {}arguments of {} and call it again.",
                              out.empty() ? "" : "other ", tool.spec.name));
  }
  return out;
}

Problem problem_of(const redact::Marker& marker) {
  Problem problem{
      marker.pointer, "a value",
      fmt::format("the marker of a secret that was taken out ([REDACTED:{}])", marker.label)};
  problem.rule = fmt::format("#/{}", kMarkerRule);
  return problem;
}

}  // namespace

std::optional<model::Response> argument_refusal(const OfferedTool& tool, json::View arguments) {
  const Result<schema::Validation> checked = tool.input.validate(arguments, {}, kMostProblems);
  if (!checked) return answer::failure_of(checked.error());
  const auto marker = redact::find_marker(arguments);
  if (checked->valid && !marker) return std::nullopt;
  std::vector<Problem> problems;
  if (marker) problems.push_back(problem_of(*marker));
  for (const schema::Violation& violation : checked->violations) {
    problems.push_back(tools::problem_of(violation));
  }
  if (tool.spec.find_problems != nullptr) tool.spec.find_problems(arguments, problems);
  return bad_arguments(tool, std::move(problems), arguments);
}

model::Response marker_refusal(const OfferedTool& tool, const redact::Marker& marker,
                               json::View arguments) {
  return bad_arguments(tool, {problem_of(marker)}, arguments);
}

model::Response bad_arguments(const OfferedTool& tool, std::vector<Problem> problems,
                              json::View arguments) {
  const json::View schema = tool.spec.input_schema.view();
  sort_and_limit(problems, schema);
  const Problem& first = problems.front();
  failures::Extra extra{.remediation = advice(tool, problems),
                        .details = details_of(problems, schema, arguments)};
  if (problems.size() == 1 && first.kind == Kind::missing_member) {
    return contract::make_failure(
        failures::MissingRequired{.field = field_of(first), .extra = std::move(extra)});
  }
  std::string message = sentence(problems);
  if (all_are(problems, "type")) {
    return contract::make_failure(
        failures::InvalidFormat{.message = std::move(message), .extra = std::move(extra)});
  }
  return contract::make_failure(
      failures::Validation{.message = std::move(message), .extra = std::move(extra)});
}

model::Response bad_form(std::vector<Problem> problems, json::View schema, json::View sent,
                         std::string_view subject) {
  sort_and_limit(problems, schema);
  return contract::make_failure(
      failures::Validation{.message = fmt::format("{}{}", subject, sentence(problems)),
                           .extra = {.details = details_of(problems, schema, sent)}});
}

}  // namespace enfold::tools
