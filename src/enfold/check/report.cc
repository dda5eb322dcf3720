// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace enfold::check {
namespace {

// Escapes text for XML 1.0. Control characters that XML cannot represent become '?'.
std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\r': out += "&#13;"; break;
      case '\t': out += "&#9;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

// Whether the finding is a failure in JUnit.
bool fails(const Finding& finding, bool strict) {
  return strict || finding.severity != Severity::note;
}

std::string message_with_call(const Finding& finding) {
  return finding.call.empty() ? finding.what
                              : fmt::format("{} (call: {})", finding.what, finding.call);
}

// The text by which findings of different calls are compared. For two rules only the part before
// the first colon counts: the token count or the quotation after it differs from call to call.
std::string_view merge_key(const Finding& finding) {
  const std::string_view what = finding.what;
  const bool varies = finding.rule == Rule::double_emission || finding.rule == Rule::error_shape;
  return varies ? what.substr(0, what.find(':')) : what;
}

std::string test_case(const ToolReport& tool, const RuleInfo& rule, const Report& report,
                      bool strict) {
  std::string inside;
  for (const Finding& finding : tool.findings) {
    if (finding.rule != rule.rule || !fails(finding, strict)) continue;
    inside += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                          name(finding.severity), xml_escaped(message_with_call(finding)),
                          xml_escaped(advice(rule, report)));
  }
  if (inside.empty() && rule.needs_answer && tool.calls == 0) {
    inside = fmt::format("      <skipped message=\"{}\"/>\n", xml_escaped(tool.not_called));
  }
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_escaped(tool.tool), rule.name);
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
}

// Values of RuleInfo::needs_answer.
constexpr bool kNeedsList = false;
constexpr bool kNeedsAnswer = true;

// In the order of Rule.
constexpr std::array<RuleInfo, 13> kRules{{
    {Rule::tool_name, "tool-name", "names that clients or models refuse",
     "use 1 to 64 letters, digits, _, - or .", kNeedsList},
    {Rule::description, "description", "descriptions that are missing or too long",
     "say in at most 1,024 characters what the tool does and when to use it", kNeedsList},
    {Rule::schema, "schema", "tools and schemas that are not valid",
     "repair the definition: strict clients drop the tool", kNeedsList},
    {Rule::contract, "contract", "answers that break the contract they speak",
     "return what the contract's schema says; `enfold schema NAME` prints it", kNeedsAnswer},
    {Rule::schema_drift, "schema-drift", "answers that break the announced output schema",
     "return what the output schema announces, or announce what is returned", kNeedsAnswer},
    {Rule::double_emission, "double-emission", "the same content as text and as structure",
     "clients that read both pay twice; `enfold serve` in front of the server, with the key "
     "`channels`, sends only one",
     kNeedsAnswer, "clients that read both pay twice; with the key `channels` only one is sent",
     "clients that read both pay twice; with the key `channels` Enfold sends only one"},
    {Rule::size, "size", "answers over the limits of clients",
     "return less by default and offer pages, or put `enfold wrap` in front", kNeedsAnswer,
     "lower the budget of the server, or remove it: then the limit of the client applies",
     "Enfold cuts it to the limit of each client; the server could return less and offer pages"},
    {Rule::secret, "secret", "credentials in answers",
     "leave them out, or put `enfold wrap` in front", kNeedsAnswer,
     "leave them out, or switch redaction on",
     "leave them out; Enfold redacts them if redaction is on"},
    {Rule::source_code, "source-code", "source code in failures of scalpel-v1",
     "say in one line what failed and where, without the code", kNeedsAnswer},
    {Rule::error_shape, "error-shape", "failures that a program cannot distinguish",
     "answer with isError and an object that has a code, a message and what to do", kNeedsAnswer},
    {Rule::hidden_failure, "hidden-failure", "successes that read like failures",
     "set isError when the tool failed", kNeedsAnswer},
    {Rule::outcome, "outcome",
     "calls that do not end as the file of calls says, or that fail inside the server",
     "correct the tool, or the file", kNeedsAnswer},
    {Rule::no_answer, "no-answer", "calls that got no answer",
     "answer every call, in time and in the protocol", kNeedsAnswer},
}};

}  // namespace

std::string_view advice(const RuleInfo& rule, const Report& report) {
  return report.has_enfold && !rule.own_advice.empty() ? rule.own_advice : rule.advice;
}

std::string_view advice_behind_gateway(const RuleInfo& rule) {
  return rule.gateway_advice.empty() ? rule.advice : rule.gateway_advice;
}

Counts count(const Report& report) {
  Counts counts;
  for (const ToolReport& tool : report.tools) {
    counts.calls += tool.calls;
    for (const Finding& finding : tool.findings) {
      switch (finding.severity) {
        case Severity::error: ++counts.errors; break;
        case Severity::warning: ++counts.warnings; break;
        case Severity::note: ++counts.notes; break;
      }
    }
  }
  return counts;
}

void merge(Findings& into, Findings more) {
  for (Finding& one : more) {
    const bool known = std::any_of(into.begin(), into.end(), [&](const Finding& other) {
      return other.rule == one.rule && other.severity == one.severity &&
             merge_key(other) == merge_key(one);
    });
    if (!known) into.push_back(std::move(one));
  }
}

json::Output to_json(const Report& report) {
  const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  json::Writer writer;
  writer.begin_object().member("server", report.server).member("protocol", report.protocol);
  writer.key("tools").begin_array();
  for (const ToolReport& tool : report.tools) {
    writer.begin_object().member("name", tool.tool).member("calls", number(tool.calls));
    if (!tool.not_called.empty()) writer.member("not_called", tool.not_called);
    if (!tool.contract.empty()) writer.member("contract", tool.contract);
    writer.key("findings").begin_array();
    for (const Finding& finding : tool.findings) {
      const RuleInfo& rule = info(finding.rule);
      writer.begin_object().member("rule", rule.name).member("severity", name(finding.severity));
      writer.member("message", finding.what);
      if (!finding.call.empty()) writer.member("call", finding.call);
      writer.member("advice", advice(rule, report)).end_object();
    }
    writer.end_array().end_object();
  }
  writer.end_array();
  const Counts counts = count(report);
  writer.member("calls", number(counts.calls)).member("errors", number(counts.errors));
  writer.member("warnings", number(counts.warnings)).member("notes", number(counts.notes));
  writer.end_object();
  return std::move(writer).finish();
}

std::string to_junit(const Report& report, bool strict) {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t skipped = 0;
  std::string cases;
  for (const ToolReport& tool : report.tools) {
    for (const RuleInfo& rule : rules()) {
      const std::string one = test_case(tool, rule, report, strict);
      ++tests;
      if (one.find("<failure") != std::string::npos) ++failures;
      if (one.find("<skipped") != std::string::npos) ++skipped;
      cases += one;
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n{}"
      "  </testsuite>\n</testsuites>\n",
      xml_escaped(report.server), tests, failures, skipped, cases);
}

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
