// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/finding.h"

#include <array>

namespace enfold::check {
namespace {

constexpr std::array<RuleInfo, 12> kRules{{
    {Rule::tool_name, "tool-name", "names that clients or models refuse",
     "use 1 to 64 letters, digits, _, - or .", false},
    {Rule::description, "description", "descriptions that are missing or too long",
     "say in at most 1,024 characters what the tool does and when to use it", false},
    {Rule::schema, "schema", "tools and schemas that are not valid",
     "repair the definition: strict clients drop the tool", false},
    {Rule::contract, "contract", "answers that break the contract they speak",
     "return what the contract's schema says; `enfold schema NAME` prints it", true},
    {Rule::schema_drift, "schema-drift", "answers that break the announced output schema",
     "return what the output schema announces, or announce what is returned", true},
    {Rule::double_emission, "double-emission", "the same content as text and as structure",
     "clients that read both pay twice; with `enfold serve` in front, its key channels sends only "
     "one",
     true},
    {Rule::size, "size", "answers over the limits of clients",
     "return less by default and offer pages, or put `enfold wrap` in front", true},
    {Rule::secret, "secret", "credentials in answers",
     "leave them out, or put `enfold wrap` in front", true},
    {Rule::error_shape, "error-shape", "failures that a program cannot distinguish",
     "answer with isError and an object that has a code, a message and what to do", true},
    {Rule::hidden_failure, "hidden-failure", "successes that read like failures",
     "set isError when the tool failed", true},
    {Rule::outcome, "outcome", "calls that end otherwise than the file of calls says",
     "correct the tool, or the file", true},
    {Rule::no_answer, "no-answer", "calls that got no answer",
     "answer every call, in time and in the protocol", true},
}};

}  // namespace

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "error";
}

std::span<const RuleInfo> rules() { return kRules; }

const RuleInfo& info(Rule rule) { return kRules.at(static_cast<std::size_t>(rule)); }

}  // namespace enfold::check
