// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/runner.h"

#include "enfold/answer/provenance.h"
#include "enfold/mcp/types/result.h"
#include "enfold/model/content.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::check {
namespace {

bool declares_read_only(json::View definition) {
  const auto annotations = mcp::object_member(definition, "annotations");
  const auto hint = annotations ? annotations->find("readOnlyHint") : std::nullopt;
  return hint && hint->boolean();
}

// A request for input and a task are no answers.
bool is_answer(json::View result) {
  return mcp::result_type(result) == mcp::ResultType::complete &&
         (result.find("content") || !result.find("task"));
}

// What is wrong with a reply that should have been a failure, or should not; empty: nothing.
std::string outcome_problem(const CallReply& reply, bool fails) {
  if (const auto* refusal = std::get_if<mcp::RpcError>(&reply)) {
    return fails ? ""
                 : fmt::format("expected a success, found JSON-RPC error {}: {}", refusal->code,
                               refusal->message);
  }
  const auto* result = std::get_if<json::Value>(&reply);
  if (result == nullptr || !is_answer(result->view()) ||
      model::is_failed_result(result->view()) == fails) {
    return "";
  }
  return fails ? "expected a failure, found a success" : "expected a success, found a failure";
}

std::string_view structured_text(json::View result) {
  const auto structured = result.find("structuredContent");
  return structured ? structured->raw() : std::string_view();
}

}  // namespace

bool CheckedTool::requires_arguments() const {
  const auto required = input_schema.view().find("required");
  return required && required->size() > 0;
}

CheckedTool& Runner::add_definition(json::View definition) {
  const std::string name = json::string_member(definition, "name").value_or("");
  CheckedTool* const known = find(name);
  CheckedTool& tool =
      known != nullptr && !known->report.has_definition ? *known : tools_.emplace_back();
  tool.report.tool = name;
  tool.report.has_definition = true;
  merge(tool.report.findings, check_tool(definition, names_));
  tool.only_reads = declares_read_only(definition);
  if (const auto input = definition.find("inputSchema")) tool.input_schema = json::Value(*input);
  if (const auto output = definition.find("outputSchema")) {
    auto schema = schema::Schema::compile(json::Value(*output));
    if (schema) tool.output_schema = std::move(*schema);
  }
  return tool;
}

CheckedTool* Runner::find(std::string_view name) {
  const auto found =
      std::ranges::find_if(tools_, [&](const CheckedTool& one) { return one.report.tool == name; });
  return found != tools_.end() ? &*found : nullptr;
}

CheckedTool& Runner::find_or_add(const std::string& name) {
  if (CheckedTool* const found = find(name)) return *found;
  return tools_.emplace_back(CheckedTool{.report = {.tool = name}});
}

CheckOptions Runner::options_for(const CheckedTool& tool, const std::string& name) const {
  CheckOptions options = every_call_;
  options.call = name;
  options.tool = tool.report.tool;
  options.output_schema = tool.output_schema ? &*tool.output_schema : nullptr;
  return options;
}

void Runner::check(CheckedTool& tool, const std::string& name, json::View result,
                   bool expects_failure) {
  if (!is_answer(result)) return;
  CheckOptions options = options_for(tool, name);
  options.expects_failure = expects_failure;
  merge(tool.report.findings, check_redacted(result, options));
  if (const auto id = contract_in(result)) tool.report.contract = contract::name(*id);
}

// Findings quote the answer, so the rules get it redacted. Two rules get it unredacted: the one
// that looks for secrets, which does not quote them, and the one for the output schema, because a
// marker may break the schema. An answer that was redacted earlier is not compared with the schema.
Findings Runner::check_redacted(json::View result, const CheckOptions& options) const {
  Findings found = check_answer(result, options);
  if (!redaction_) return found;
  const Result<json::Value> redacted = answer::pass_through(json::Value(result), &*redaction_);
  const bool is_changed = !redacted || structured_text(redacted->view()) != structured_text(result);
  const bool has_marker = structured_text(result).find("[REDACTED:") != std::string_view::npos;
  std::erase_if(found, [&](const Finding& one) {
    return one.rule != Rule::secret && (one.rule != Rule::schema_drift || has_marker);
  });
  for (Finding& one : found) {
    if (one.rule == Rule::schema_drift && one.quotes_content && is_changed) {
      one.what = "the structuredContent does not match the output schema";
    }
  }
  if (!redacted) return found;
  Findings quoting = check_answer(redacted->view(), options);
  std::erase_if(quoting, [](const Finding& one) { return one.rule == Rule::schema_drift; });
  merge(found, std::move(quoting));
  return found;
}

CallReply Runner::call(CheckedTool& tool, const std::string& name, const json::Value& arguments,
                       std::optional<bool> fails, const Call& make) {
  CallReply reply = make(tool, name, arguments);
  ++tool.report.calls;
  Findings& findings = tool.report.findings;
  if (const auto* result = std::get_if<json::Value>(&reply)) {
    check(tool, name, result->view(), fails == true);
  } else if (const auto* refusal = std::get_if<mcp::RpcError>(&reply)) {
    merge(findings, check_refusal(*refusal, options_for(tool, name)));
  } else {
    merge(findings, {{Rule::no_answer, Severity::error, std::get<Error>(reply).message, name}});
  }
  if (std::string what = fails ? outcome_problem(reply, *fails) : ""; !what.empty()) {
    merge(findings, {{Rule::outcome, Severity::error, std::move(what), name}});
  }
  return reply;
}

void Runner::make_sample_calls(const SampleCalls& calls) {
  // False: the server can no longer be reached.
  const auto make = [&](CheckedTool& tool, const char* name, const json::Value& arguments,
                        const OnResult& on_result) {
    const CallReply reply = call(tool, name, arguments, /*fails=*/std::nullopt, calls.call);
    const auto* const result = std::get_if<json::Value>(&reply);
    if (result != nullptr && on_result) on_result(tool, arguments, *result);
    return !std::holds_alternative<Error>(reply) || calls.reconnect();
  };
  bool is_reachable = true;
  for (CheckedTool& tool : tools_) {
    if (calls.includes && !calls.includes(tool)) continue;
    std::string& not_called = tool.report.not_called;
    if (!calls.calls_all && !tool.only_reads) {
      not_called = calls.reason_to_omit;
      continue;
    }
    not_called = is_reachable ? calls.reason_to_end ? calls.reason_to_end() : ""
                              : "the server could no longer be reached";
    if (!not_called.empty()) continue;
    const auto sample = sample_arguments(tool.input_schema);
    if (!sample) {
      not_called = fmt::format("{}; {}", sample.error().message, sample.error().hint);
      continue;
    }
    is_reachable = make(tool, kSampleCall, *sample, calls.on_result);
    if (is_reachable && calls.leaves_out_arguments && tool.requires_arguments()) {
      const OnResult nothing;
      is_reachable = make(tool, kCallWithoutArguments, json::parse_own("{}"), nothing);
    }
  }
}

void Runner::move_to(Report& report) {
  for (CheckedTool& tool : tools_) report.tools.push_back(std::move(tool.report));
  tools_.clear();
}

}  // namespace enfold::check
