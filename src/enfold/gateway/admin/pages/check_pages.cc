// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/check_pages.h"

#include "enfold/check/rules.h"
#include "enfold/client/blocking.h"
#include "enfold/gateway/admin/record/row.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxTools = 128;        // that are called
constexpr std::size_t kMaxAnswers = 20;       // recorded ones of one tool
constexpr std::chrono::seconds kMaxIdle{20};  // of a sample call

// What a worker checks: copies of what the loop knows.
struct Subject {
  UpstreamSettings settings;
  std::vector<json::Value> definitions;
  std::map<std::string, std::vector<json::Value>> answers;  ///< by tool
  bool calls = false;
};

check::ToolReport& report_of(check::Report& report, const std::string& tool) {
  const auto found = std::ranges::find(report.tools, tool, &check::ToolReport::tool);
  if (found != report.tools.end()) return *found;
  report.tools.push_back({.tool = tool});
  return report.tools.back();
}

void check_definitions(const std::vector<json::Value>& definitions, check::Report& report) {
  std::set<std::string> names;
  for (const json::Value& definition : definitions) {
    const std::string name = json::string_member(definition.view(), "name").value_or("");
    check::merge(report_of(report, name).findings, check::check_tool(definition.view(), names));
  }
}

void check_one_answer(json::View result, const std::string& tool, const std::string& call,
                      check::Report& report) {
  const check::CheckOptions options{
      .call = call, .tool = tool, .client = &token::default_profile()};
  check::merge(report_of(report, tool).findings, check::check_answer(result, options));
}

bool only_reads(const mcp::Tool& tool) {
  const auto hint = tool.annotations ? tool.annotations->view().find("readOnlyHint") : std::nullopt;
  return hint && hint->boolean();
}

// Calls each tool that only reads once, over a connection of its own.
Status make_calls(const Subject& subject, check::Report& report) {
  client::ClientOptions options{.eras = subject.settings.eras,
                                .startup_timeout = subject.settings.startup_timeout,
                                .idle_timeout = kMaxIdle,
                                .call_timeout = kMaxIdle};
  ENFOLD_TRY(const auto client, client::BlockingClient::open(subject.settings.target, options));
  ENFOLD_TRY(const mcp::ServerIdentity server, client->connect());
  report.protocol = server.version;
  const auto tools = client->tools();
  if (!tools) return tl::unexpected(tools.error().error);
  std::size_t called = 0;
  for (const client::OfferedTool& offered : tools->tools) {
    check::ToolReport& tool = report_of(report, offered.tool.name);
    if (!only_reads(offered.tool) || ++called > kMaxTools) {
      tool.not_called = "it does not declare readOnlyHint";
      continue;
    }
    const auto arguments = check::sample_arguments(offered.tool.input_schema);
    if (!arguments) {
      tool.not_called = arguments.error().message;
      continue;
    }
    client::ToolRequest request = client::request_for(offered, *arguments);
    request.retries.attempts = 1;
    const client::ToolOutcome outcome = client->call(std::move(request), {});
    ++tool.calls;
    if (outcome) {
      check_one_answer(outcome->result.view(), offered.tool.name, "with sample arguments", report);
    } else if (!outcome.error().refusal) {
      check::merge(tool.findings, {{check::Rule::no_answer, check::Severity::error,
                                    outcome.error().error.message, "with sample arguments"}});
    }
  }
  client->close();
  return {};
}

check::Report check_subject(const Subject& subject) {
  check::Report report{.server = subject.settings.name};
  check_definitions(subject.definitions, report);
  for (const auto& [tool, answers] : subject.answers) {
    for (const json::Value& answer : answers) {
      check_one_answer(answer.view(), tool, "a recorded answer", report);
    }
  }
  if (!subject.calls) return report;
  if (const Status made = make_calls(subject, report); !made) {
    check::ToolReport& tool = report_of(report, "");
    tool.findings.push_back(
        {check::Rule::no_answer, check::Severity::error, made.error().message, "connect"});
  }
  return report;
}

void write_finding(json::Writer& writer, const std::string& tool, const check::Finding& finding) {
  const redact::Policy policy;
  const check::RuleInfo& rule = check::info(finding.rule);
  writer.begin_object().member("rule", rule.name);
  writer.member("severity", check::name(finding.severity));
  writer.member("tool", redact::redact_text(tool, policy)).member("place", finding.call);
  writer.member("message", redact::redact_text(finding.what, policy));
  writer.member("hint", rule.advice).end_object();
}

// The findings of `report` that `other` does not have; all of them if it is null.
void write_findings(json::Writer& writer, std::string_view key, const check::Report& report,
                    const check::Report* other) {
  writer.key(key).begin_array();
  for (const check::ToolReport& tool : report.tools) {
    for (const check::Finding& finding : tool.findings) {
      const bool is_known =
          other != nullptr && std::ranges::any_of(other->tools, [&](const auto& one) {
            return one.tool == tool.tool &&
                   std::ranges::find(one.findings, finding) != one.findings.end();
          });
      if (!is_known) write_finding(writer, tool.tool, finding);
    }
  }
  writer.end_array();
}

}  // namespace

void CheckPages::keep(Run run, const Respond& respond) {
  run.id = ++last_id_;
  run.time =
      std::chrono::floor<std::chrono::milliseconds>(source_.calls.environment.host.calendar());
  runs_.push_front(std::move(run));
  if (runs_.size() > kMaxRuns) runs_.pop_back();
  json::Writer writer;
  write_run(writer.begin_object(), runs_.front());
  writer.end_object();
  respond(json_reply(std::move(writer)));
}

void CheckPages::write_run(json::Writer& writer, const Run& run) {
  const check::Counts counts = check::count(run.report);
  writer.member("id", run.id).member("time", rfc3339(run.time)).member("upstream", run.upstream);
  write_findings(writer, "findings", run.report, nullptr);
  writer.key("counts").begin_object().member("errors", counts.errors);
  writer.member("warnings", counts.warnings).member("notes", counts.notes);
  writer.member("calls", counts.calls).end_object();
}

void CheckPages::run(const AdminRequest& request, const Respond& respond) {
  const std::string name = request.text("upstream");
  const auto& upstreams = source_.calls.upstreams.current();
  const auto found = std::ranges::find_if(upstreams, [&](const auto& one) {
    return name == metrics_name(one->settings.name) || (name.empty() && upstreams.size() == 1);
  });
  if (found == upstreams.end()) {
    respond(error_reply(404, "not_found", "there is no upstream of this name",
                        "GET /api/v1/upstreams lists them"));
    return;
  }
  auto subject = std::make_shared<Subject>();
  subject->settings = (*found)->settings;
  const auto known = (*found)->known.find(mcp::Method::tools_list);
  if (known != (*found)->known.end()) subject->definitions = known->second;
  const auto calls = request.body->find("call");
  subject->calls = calls && calls->boolean();
  for (auto call = recorder_.calls().rbegin(); call != recorder_.calls().rend(); ++call) {
    if (!call->answer || call->answer->source->is_null() ||
        recorder_.upstream_of(*call) != metrics_name((*found)->settings.name)) {
      continue;
    }
    std::vector<json::Value>& answers = subject->answers[recorder_.tool_of(*call)];
    if (answers.size() < kMaxAnswers) answers.push_back(call->answer->source);
  }
  const std::string shown_name(metrics_name((*found)->settings.name));
  auto report = std::make_shared<check::Report>();
  jobs_.run(
      [subject, report] {
        *report = check_subject(*subject);
        return net::HttpResponse();
      },
      lifetime_.guarded([this, report, shown_name, respond](const net::HttpResponse& response) {
        if (response.status != 200) return respond(response);
        keep({.upstream = shown_name, .report = std::move(*report)}, respond);
      }));
}

void CheckPages::list(const Respond& respond) const {
  json::Writer writer;
  writer.begin_object().key("runs").begin_array();
  for (auto run = runs_.begin(); run != runs_.end(); ++run) {
    const auto before = std::find_if(std::next(run), runs_.end(), [&](const Run& other) {
      return other.upstream == run->upstream;
    });
    write_run(writer.begin_object(), *run);
    const check::Report& former = before != runs_.end() ? before->report : run->report;
    write_findings(writer, "new", run->report, &former);
    write_findings(writer, "gone", former, &run->report);
    writer.end_object();
  }
  writer.end_array().end_object();
  respond(json_reply(std::move(writer)));
}

}  // namespace enfold::gateway
