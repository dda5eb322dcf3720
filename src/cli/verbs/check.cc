// SPDX-License-Identifier: Apache-2.0
#include "cli/input/check_calls.h"
#include "cli/input/input.h"
#include "cli/input/server_link.h"
#include "cli/settings/fit_settings.h"
#include "cli/terminal/check_report.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/answer/output_check.h"
#include "enfold/check/report.h"
#include "enfold/check/rules.h"
#include "enfold/json/pointer.h"
#include "enfold/mcp/types/result.h"
#include "enfold/token/client_name.h"

#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <set>

namespace enfold::cli {
namespace {

constexpr std::size_t kMaxTools = 128;  // several clients accept no more of one server

struct CheckVerbOptions {
  ServerOptions server;
  bool all = false;                     ///< also call tools that do not declare readOnlyHint
  std::optional<std::string> calls;     ///< file of calls to make; nullopt: calls are generated
  std::optional<std::string> contract;  ///< of every answer; nullopt: each answer's own
  std::optional<std::string> client;    ///< profile to check for; nullopt: all known clients
  bool strict = false;                  ///< notes count as findings for the exit code and JUnit
  bool as_json = false;
  std::optional<std::string> junit;  ///< file to write; nullopt: none
};

void declare_check_options(Arguments& arguments, CheckVerbOptions& options) {
  declare_server_options(arguments, options.server);
  arguments.flag("--all", options.all, "Also call tools that do not declare readOnlyHint");
  arguments.text("--calls", "FILE", options.calls,
                 "Make these calls instead of generated ones; see below");
  arguments.text("--contract", "NAME", options.contract, "Contract that every answer must have");
  arguments.text("--client", "NAME", options.client,
                 "Introduce itself as this client, such as claude-code, and check only\n"
                 "its limits");
  arguments.flag("--strict", options.strict, "Treat notes as findings");
  arguments.text("--junit", "FILE", options.junit, "Also write a JUnit report");
  arguments.flag("--json", options.as_json, "One JSON object instead of text");
  arguments.footer(
      std::string(kServerHelp) +
      "Without --calls each tool is called once with sample arguments generated from its input\n"
      "schema and, if it requires any, once without arguments, to see how it fails. --calls is a\n"
      "JSON array:\n"
      "  [{\"name\": \"finds it\", \"tool\": \"search\", \"arguments\": {\"query\": \"tea\"},\n"
      "    \"error\": false, \"save\": {\"id\": \"/structuredContent/items/0/id\"}},\n"
      "   {\"tool\": \"open\", \"arguments\": {\"id\": \"${id}\"}}]\n"
      "Exit code 2 if there is an error or a warning. docs/guide/check.md explains the rules.\n\n"
      "Examples:\n"
      "  enfold check -- ./my-server --stdio\n"
      "  enfold check --calls calls.json --junit report.xml -- npx -y some-server\n"
      "  enfold check --all --client claude-code --url http://127.0.0.1:8080/mcp\n"
      "  enfold check --json -- ./my-server | jq -r '.tools[].findings[].message'");
}

/// A tool that is checked.
struct Subject {
  const client::OfferedTool* offered;
  std::optional<schema::Schema> output_schema;  ///< nullopt: none, or it cannot be compiled
  check::ToolReport report;                     ///< grows with each call

  [[nodiscard]] bool only_reads() const {
    const auto& annotations = offered->tool.annotations;
    const auto hint = annotations ? annotations->view().find("readOnlyHint") : std::nullopt;
    return hint && hint->boolean();
  }
  [[nodiscard]] bool requires_arguments() const {
    const auto required = offered->tool.input_schema.view().find("required");
    return required && required->size() > 0;
  }
};

class CheckRun {
 public:
  CheckRun(const CheckVerbOptions& options, Terminal& terminal)
      : options_(options), terminal_(terminal), server_(options.server) {}

  /// Returns the exit code.
  int run() {
    if (const int code = prepare(); code != kOk) return code;
    int code = kOk;
    link_ = ServerLink::open(server_, terminal_, code);
    if (!link_) return code;
    auto tools = (*link_)->tools();
    if (!tools) return terminal_.report(tools.error().error);
    check_definitions(*tools);
    code = options_.calls ? make_calls() : make_sample_calls();
    terminal_.end_progress();
    if (code != kOk) return code;
    return finish(*tools);
  }

 private:
  // Reads the options before a server is started. Returns the exit code of an error, else kOk.
  int prepare() {
    if (options_.contract) {
      const auto named = contract_named(*options_.contract, "--contract");
      if (!named) return terminal_.report_usage(named.error());
      if (!*named || !contract::schema(**named)) {
        return terminal_.report_usage(
            {ErrorCode::invalid_input,
             fmt::format("expected a contract with a schema, found \"{}\"", *options_.contract),
             "--contract", "`enfold contracts` lists them"});
      }
      check_options_.contract = *named;
    }
    if (options_.client) {
      const auto profile = client_named(*options_.client);
      if (!profile) return terminal_.report_usage(profile.error());
      check_options_.client = *profile;
      server_.client_name = token::client_name_of(**profile);
    } else {
      check_options_.client = &token::default_profile();
    }
    if (!options_.calls) return kOk;
    auto calls = read_calls(*options_.calls);
    if (!calls) return terminal_.report(calls.error(), *options_.calls);
    calls_ = std::move(*calls);
    return kOk;
  }

  // Checks the definitions of the tools, and adds a Subject for each.
  void check_definitions(const client::Toolbox& tools) {
    const mcp::ServerIdentity& server = link_->server();
    report_.server = server_name(server);
    report_.protocol = server.version;
    std::set<std::string> names;
    for (const client::OfferedTool& one : tools.tools) {
      report_.has_enfold = report_.has_enfold || one.tool.name == answer::kFetchToolName;
      Subject subject{.offered = &one};
      subject.report.tool = one.tool.name;
      subject.report.findings = check::check_tool(one.tool.original.view(), names);
      if (one.tool.output_schema) {
        auto schema = schema::Schema::compile(*one.tool.output_schema);
        if (schema) subject.output_schema = std::move(*schema);
      }
      subjects_.push_back(std::move(subject));
    }
  }

  // Calls the tools with generated arguments. Returns kOk also if the server could no longer be
  // reached: the report says which tools were not called.
  int make_sample_calls() {
    for (Subject& subject : subjects_) {
      if (!options_.all && !subject.only_reads()) {
        subject.report.not_called = "it does not declare readOnlyHint; --all calls it too";
        continue;
      }
      const auto sample = check::sample_arguments(subject.offered->tool.input_schema);
      if (!sample) {
        subject.report.not_called =
            fmt::format("{}; {}", sample.error().message, sample.error().hint);
        continue;
      }
      const auto result = call(subject, "with sample arguments", *sample, /*fails=*/std::nullopt);
      if (!result) return kOk;
      if (!options_.client) call_as_others(subject, "with sample arguments", *sample, *result);
      if (!subject.requires_arguments()) continue;
      if (!call(subject, "without arguments", json::parse_own("{}"), /*fails=*/std::nullopt))
        return kOk;
    }
    return kOk;
  }

  // Makes the calls of the file. Returns the exit code of an error in the file, else kOk, also if
  // the server could no longer be reached.
  int make_calls() {
    for (Subject& subject : subjects_) {
      const bool is_called = std::any_of(calls_.begin(), calls_.end(), [&](const PlannedCall& one) {
        return one.tool == subject.report.tool;
      });
      if (!is_called) subject.report.not_called = "no call of it in the file";
    }
    SavedValues saved;
    for (const PlannedCall& planned : calls_) {
      const auto subject =
          std::find_if(subjects_.begin(), subjects_.end(),
                       [&](const Subject& one) { return one.report.tool == planned.tool; });
      if (subject == subjects_.end()) {
        return report_error({ErrorCode::not_found,
                             fmt::format("the server has no tool \"{}\"", planned.tool),
                             planned.name, "`enfold tools` lists its tools"});
      }
      const auto arguments = substitute_variables(planned.arguments, saved);
      if (!arguments) {
        Error error = arguments.error();
        error.where = planned.name;
        return report_error(error);
      }
      const auto result = call(*subject, planned.name, *arguments, planned.fails);
      if (!result) return kOk;
      for (const auto& [variable, place] : planned.saves) {
        const auto pointer = json::Pointer::parse(place);
        const auto found = pointer ? pointer->resolve(result->view()) : std::nullopt;
        if (found) saved[variable] = json::Value(*found);
      }
    }
    return kOk;
  }

  // Reports an error in the file of calls.
  int report_error(const Error& error) {
    terminal_.end_progress();
    terminal_.report(error, options_.calls.value_or(""));
    return kBadInput;
  }

  /// Makes a call and adds its findings. `fails`: whether a failure is expected; nullopt: either.
  /// Returns the result, which may report a failure; JSON null if the call had no result; nullopt
  /// if the server can no longer be reached.
  std::optional<json::Value> call(Subject& subject, const std::string& name,
                                  const json::Value& arguments, std::optional<bool> fails) {
    check::ToolReport& report = subject.report;
    terminal_.progress(fmt::format("{} {}", printable(report.tool), name));
    check::CheckOptions options_of_call = check_options_;
    options_of_call.call = name;
    options_of_call.tool = report.tool;
    options_of_call.expects_failure = fails == true;
    options_of_call.output_schema = subject.output_schema ? &*subject.output_schema : nullptr;
    client::ToolRequest request = client::request_for(*subject.offered, arguments);
    request.retries.attempts = 1;
    const client::ToolOutcome outcome = (*link_)->call(std::move(request), {});
    ++report.calls;
    if (outcome) {
      check_result(report, *outcome, options_of_call, fails);
      return outcome->result;
    }
    const client::CallFailure& failure = outcome.error();
    if (failure.refusal) {
      check::merge(report.findings, check::check_refusal(*failure.refusal, options_of_call));
      if (fails == false) {
        check::merge(report.findings,
                     {{check::Rule::outcome, check::Severity::error,
                       fmt::format("expected a success, found JSON-RPC error {}: {}",
                                   failure.refusal->code, failure.refusal->message),
                       name}});
      }
      return json::Value();
    }
    check::merge(report.findings,
                 {{check::Rule::no_answer, check::Severity::error, failure.error.message, name}});
    return reopen() ? std::optional(json::Value()) : std::nullopt;
  }

  // A server may fit its answers to the client that calls. So `result` is a finding for another
  // client only if the server gives that client an answer over its limits, too: makes the call
  // again as each client whose limits `result` exceeds.
  void call_as_others(Subject& subject, const std::string& name, const json::Value& arguments,
                      const json::Value& result) {
    for (const token::Profile* const client : check::too_large_for(result.view())) {
      if (client == check_options_.client) continue;
      ServerOptions server = options_.server;
      server.client_name = token::client_name_of(*client);
      auto [at, is_new] = others_.try_emplace(client);
      int code = kOk;
      if (is_new) at->second = ServerLink::open(server, terminal_, code);
      if (!at->second) continue;
      client::ToolRequest request = client::request_for(*subject.offered, arguments);
      request.retries.attempts = 1;
      const client::ToolOutcome outcome = (*at->second)->call(std::move(request), {});
      ++subject.report.calls;
      if (!outcome) continue;
      check::CheckOptions as_client = check_options_;
      as_client.call = fmt::format("{}, as {}", name, client->name);
      as_client.client = client;
      check::Findings found = check::check_answer(outcome->result.view(), as_client);
      std::erase_if(found, [](const check::Finding& one) { return one.rule != check::Rule::size; });
      check::merge(subject.report.findings, std::move(found));
    }
  }

  void check_result(check::ToolReport& report, const client::ToolAnswer& answer,
                    const check::CheckOptions& options_of_call, std::optional<bool> fails) {
    const json::View result = answer.result.view();
    // A request for input and a task are no answers.
    if (mcp::result_type(result) != mcp::ResultType::complete) return;
    if (!result.find("content") && result.find("task")) return;
    check::merge(report.findings, check::check_answer(result, options_of_call));
    if (const auto id = check::contract_in(result)) report.contract = contract::name(*id);
    if (!fails || *fails == answer.is_error) return;
    check::merge(report.findings, {{check::Rule::outcome, check::Severity::error,
                                    *fails ? "expected a failure, found a success"
                                           : "expected a success, found a failure",
                                    options_of_call.call}});
  }

  // Opens a new connection after a call without an answer: a late answer could disturb the next
  // call. False: the server can no longer be reached.
  bool reopen() {
    terminal_.end_progress();
    int code = kOk;
    link_.reset();
    link_ = ServerLink::open(server_, terminal_, code);
    return link_ != nullptr;
  }

  // Writes the reports and returns the exit code.
  int finish(const client::Toolbox& tools) {
    for (Subject& subject : subjects_) {
      if (subject.report.calls == 0 && subject.report.not_called.empty()) {
        subject.report.not_called = "the server could no longer be reached";
      }
      report_.tools.push_back(std::move(subject.report));
    }
    for (const client::UnusableTool& one : tools.unusable) {
      check::ToolReport broken{.tool = one.name, .not_called = "its definition cannot be used"};
      broken.findings.push_back({check::Rule::schema, check::Severity::error, one.why.message, {}});
      report_.tools.push_back(std::move(broken));
    }
    if (options_.junit && !write_junit(*options_.junit)) return kBadInput;
    if (options_.as_json) {
      terminal_.out_line(check::to_json(report_));
    } else {
      print_report(report_, terminal_);
      if (report_.tools.size() > kMaxTools) {
        terminal_.warn(fmt::format("{} tools; several clients accept at most {}",
                                   report_.tools.size(), kMaxTools));
      }
    }
    const check::Counts counts = check::count(report_);
    const bool has_findings =
        counts.errors + counts.warnings > 0 || (options_.strict && counts.notes > 0);
    return has_findings ? kNegative : kOk;
  }

  bool write_junit(const std::string& file) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << check::to_junit(report_, options_.strict);
    out.close();
    if (out) return true;
    terminal_.report({ErrorCode::invalid_input, "the report could not be written", file,
                      "choose a file in an existing folder"});
    return false;
  }

  // Name and version.
  static std::string server_name(const mcp::ServerIdentity& server) {
    const std::string whole = describe(server);
    return whole.substr(0, whole.find(", protocol"));
  }

  const CheckVerbOptions& options_;
  Terminal& terminal_;
  std::vector<PlannedCall> calls_;     ///< of the file; empty without --calls
  check::CheckOptions check_options_;  ///< for every call, which adds its own members
  ServerOptions server_;               ///< with the name of the client that the options choose
  std::unique_ptr<ServerLink> link_;   ///< nullptr: not connected
  /// Connections under the names of other clients; nullptr: it could not be opened.
  std::map<const token::Profile*, std::unique_ptr<ServerLink>> others_;
  std::vector<Subject> subjects_;
  check::Report report_;
};

int run_check(const CheckVerbOptions& options, Terminal& terminal) {
  return CheckRun(options, terminal).run();
}

}  // namespace

Run set_up_check(Arguments& arguments) {
  return set_up(arguments, declare_check_options, run_check);
}

}  // namespace enfold::cli
