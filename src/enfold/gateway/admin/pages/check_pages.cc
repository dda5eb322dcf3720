// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/check_pages.h"

#include "enfold/gateway/admin/record/row.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxAnswers = 20;  // recorded answers of one tool that are checked

void write_finding(json::Writer& writer, const Environment& environment, const std::string& tool,
                   const check::Finding& finding) {
  const check::RuleInfo& rule = check::info(finding.rule);
  writer.begin_object().member("rule", rule.name);
  writer.member("severity", check::name(finding.severity));
  writer.member("tool", redacted(environment, tool))
      .member("place", redacted(environment, finding.call));
  writer.member("message", redacted(environment, finding.what));
  writer.member("hint", check::advice_behind_gateway(rule)).end_object();
}

// The findings of `report` that `other` does not have; if `other` is null, all findings.
void write_findings(json::Writer& writer, const Environment& environment, std::string_view key,
                    const check::Report& report, const check::Report* other) {
  writer.key(key).begin_array();
  for (const check::ToolReport& tool : report.tools) {
    for (const check::Finding& finding : tool.findings) {
      const bool is_known =
          other != nullptr && std::ranges::any_of(other->tools, [&](const auto& one) {
            return one.tool == tool.tool &&
                   std::ranges::find(one.findings, finding) != one.findings.end();
          });
      if (!is_known) write_finding(writer, environment, tool.tool, finding);
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

void CheckPages::write_run(json::Writer& writer, const Run& run) const {
  const Environment& environment = source_.calls.environment;
  const check::Counts counts = check::count(run.report);
  writer.member("id", run.id).member("time", rfc3339(run.time)).member("upstream", run.upstream);
  write_findings(writer, environment, "findings", run.report, nullptr);
  writer.key("not_called").begin_array();
  for (const check::ToolReport& tool : run.report.tools) {
    if (tool.not_called.empty()) continue;
    writer.begin_object().member("tool", redacted(environment, tool.tool));
    writer.member("reason", redacted(environment, tool.not_called)).end_object();
  }
  writer.end_array();
  writer.key("counts").begin_object().member("errors", counts.errors);
  writer.member("warnings", counts.warnings).member("notes", counts.notes);
  // Counted after the run: sample calls add the definitions that the gateway did not know.
  writer.member("calls", counts.calls).key("tools");
  writer.integer(std::ranges::count_if(run.report.tools, &check::ToolReport::has_definition));
  writer.member("answers", run.answers).end_object();
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
  if (is_running_) {
    respond(error_reply(503, "unavailable", "another check runs", "try again when it has ended"));
    return;
  }
  const auto calls = request.body->find("call");
  start(subject_of(**found, calls && calls->boolean()), respond);
}

CheckSubject CheckPages::subject_of(const Upstream& upstream, bool calls) const {
  CheckSubject subject{.settings = upstream.settings,
                       .redaction = source_.calls.environment.settings.answers.redaction,
                       .calls = calls};
  const auto known = upstream.known.find(mcp::Method::tools_list);
  if (known != upstream.known.end()) subject.definitions = known->second;
  for (std::size_t i = recorder_.calls().size(); i-- > 0;) {
    const RecordedCall* const call = &recorder_.calls()[i];
    if (!call->answer || call->answer->source->is_null()) continue;
    const Metrics::ToolKey tool = recorder_.key_of({call->upstream, call->tool});
    if (tool.first != metrics_name(upstream.settings.name)) continue;
    std::vector<json::Value>& answers = subject.answers[tool.second];
    if (answers.size() < kMaxAnswers) answers.push_back(call->answer->source);
  }
  return subject;
}

void CheckPages::start(CheckSubject subject, const Respond& respond) {
  std::size_t answers = 0;
  for (const auto& [tool, of_tool] : subject.answers) answers += of_tool.size();
  auto done = lifetime_.guarded([this, name = std::string(metrics_name(subject.settings.name)),
                                 answers, respond](check::Report report) {
    is_running_ = false;
    keep({.upstream = name, .answers = answers, .report = std::move(report)}, respond);
  });
  // `done` is moved back to the loop's thread, because it owns the responder and must be destroyed
  // there.
  is_running_ = thread_.run([&host = source_.calls.environment.host, &stop = stop_,
                             subject = std::move(subject), done = std::move(done)]() mutable {
    host.post([done = std::move(done), report = run_check(subject, stop)]() mutable {
      done(std::move(report));
    });
  });
}

void CheckPages::list(const Respond& respond) const {
  const Environment& environment = source_.calls.environment;
  json::Writer writer;
  writer.begin_object().key("runs").begin_array();
  for (auto run = runs_.begin(); run != runs_.end(); ++run) {
    const auto before = std::find_if(std::next(run), runs_.end(), [&](const Run& other) {
      return other.upstream == run->upstream;
    });
    write_run(writer.begin_object(), *run);
    // The first run of an upstream has nothing new.
    const check::Report& former = before != runs_.end() ? before->report : run->report;
    write_findings(writer, environment, "new", run->report, &former);
    write_findings(writer, environment, "gone", former, &run->report);
    writer.end_object();
  }
  writer.end_array().end_object();
  respond(json_reply(std::move(writer)));
}

}  // namespace enfold::gateway
