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
#include "enfold/check/runner.h"
#include "enfold/json/pointer.h"
#include "enfold/token/client_name.h"

#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <map>

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

class CheckRun {
 public:
  CheckRun(const CheckVerbOptions& options, Terminal& terminal)
      : options_(options),
        terminal_(terminal),
        server_(options.server),
        runner_(check::CheckOptions{}) {}

  /// Returns the exit code.
  int run() {
    if (const int code = prepare(); code != kOk) return code;
    int code = kOk;
    link_ = ServerLink::open(server_, terminal_, code);
    if (!link_) return code;
    auto tools = (*link_)->tools();
    if (!tools) return terminal_.report(tools.error().error);
    tools_ = std::move(*tools);
    runner_ = check::Runner(check_options_);
    check_definitions();
    if (!options_.calls) make_sample_calls();
    code = options_.calls ? make_calls() : kOk;
    terminal_.end_progress();
    if (code != kOk) return code;
    return finish();
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

  void check_definitions() {
    const mcp::ServerIdentity& server = link_->server();
    report_.server = server_name(server);
    report_.protocol = server.version;
    for (const client::OfferedTool& one : tools_.tools) {
      report_.has_enfold = report_.has_enfold || one.tool.name == answer::kFetchToolName;
      runner_.add_definition(one.tool.original.view());
    }
  }

  // Calls the tools with generated arguments. If the server can no longer be reached, the report
  // says which tools were not called.
  void make_sample_calls() {
    check::Runner::SampleCalls calls;
    calls.call = [this](const auto& tool, const auto& name, const auto& arguments) {
      return call(tool, name, arguments);
    };
    calls.calls_all = options_.all;
    calls.reason_to_omit = "it does not declare readOnlyHint; --all calls it too";
    calls.leaves_out_arguments = true;
    calls.reconnect = [this] { return reopen(); };
    if (!options_.client) {
      calls.on_result = [this](auto& tool, const auto& arguments, const auto& result) {
        call_as_others(tool, arguments, result);
      };
    }
    runner_.make_sample_calls(calls);
  }

  // Makes the calls of the file. Returns the exit code of an error in the file, else kOk, also if
  // the server could no longer be reached.
  int make_calls() {
    for (check::CheckedTool& tool : runner_.tools()) {
      const bool is_called = std::any_of(calls_.begin(), calls_.end(), [&](const PlannedCall& one) {
        return one.tool == tool.report.tool;
      });
      if (!is_called) tool.report.not_called = "no call of it in the file";
    }
    SavedValues saved;
    for (const PlannedCall& planned : calls_) {
      check::CheckedTool* const tool = runner_.find(planned.tool);
      if (tool == nullptr) {
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
      const check::CallReply reply =
          runner_.call(*tool, planned.name, *arguments, planned.fails,
                       [this](const auto& of, const auto& name, const auto& value) {
                         return call(of, name, value);
                       });
      if (std::holds_alternative<Error>(reply) && !reopen()) return kOk;
      const auto* const result = std::get_if<json::Value>(&reply);
      for (const auto& [variable, place] : planned.saves) {
        const auto pointer = json::Pointer::parse(place);
        const auto found =
            pointer && result != nullptr ? pointer->resolve(result->view()) : std::nullopt;
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

  check::CallReply call(const check::CheckedTool& tool, const std::string& name,
                        const json::Value& arguments) {
    terminal_.progress(fmt::format("{} {}", printable(tool.report.tool), name));
    return reply_to(**link_, tool, arguments);
  }

  // Two tools may have one name, so a tool is found by its place: `runner_` and `tools_` have the
  // same order.
  check::CallReply reply_to(client::BlockingClient& client, const check::CheckedTool& tool,
                            const json::Value& arguments) {
    const auto& checked = runner_.tools();
    const auto place = std::ranges::find(checked, &tool, [](const auto& one) { return &one; });
    client::ToolRequest request = client::request_for(
        tools_.tools.at(static_cast<std::size_t>(place - checked.begin())), arguments);
    request.retries.attempts = 1;
    client::ToolOutcome outcome = client.call(std::move(request), {});
    if (outcome) return std::move(outcome->result);
    if (outcome.error().refusal) return std::move(*outcome.error().refusal);
    return std::move(outcome.error().error);
  }

  // A server may fit its answers to the client that calls. So `result` is a finding for another
  // client only if the server gives that client an answer over its limits, too: makes the call
  // again as each client whose limits `result` exceeds.
  void call_as_others(check::CheckedTool& tool, const json::Value& arguments,
                      const json::Value& result) {
    for (const token::Profile* const client : check::too_large_for(result.view())) {
      if (client == check_options_.client) continue;
      ServerOptions server = options_.server;
      server.client_name = token::client_name_of(*client);
      auto [at, is_new] = others_.try_emplace(client);
      int code = kOk;
      if (is_new) at->second = ServerLink::open(server, terminal_, code);
      if (!at->second) continue;
      const check::CallReply reply = reply_to(**at->second, tool, arguments);
      ++tool.report.calls;
      const auto* const other = std::get_if<json::Value>(&reply);
      if (other == nullptr) continue;
      check::CheckOptions as_client = check_options_;
      as_client.call = fmt::format("{}, as {}", check::kSampleCall, client->name);
      as_client.client = client;
      check::Findings found = check::check_answer(other->view(), as_client);
      std::erase_if(found, [](const check::Finding& one) { return one.rule != check::Rule::size; });
      check::merge(tool.report.findings, std::move(found));
    }
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
  int finish() {
    for (check::CheckedTool& tool : runner_.tools()) {
      if (tool.report.calls == 0 && tool.report.not_called.empty()) {
        tool.report.not_called = "the server could no longer be reached";
      }
    }
    runner_.move_to(report_);
    for (const client::UnusableTool& one : tools_.unusable) {
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
  client::Toolbox tools_;  ///< of the server
  check::Runner runner_;
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
