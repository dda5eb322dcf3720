// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/check_run.h"

#include "enfold/answer/provenance.h"
#include "enfold/check/rules.h"
#include "enfold/client/blocking.h"
#include "enfold/gateway/policy/names.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxTools = 128;                // with sample calls
constexpr std::chrono::seconds kMaxIdle{20};          // timeout of a sample call
constexpr std::chrono::milliseconds kStopPeriod{50};  // between two looks at the stop flag
constexpr const char* kSampleCall = "with sample arguments";

// The report of this tool, which is added if it is not there.
check::ToolReport& report_of(check::Report& report, const std::string& tool) {
  const auto found = std::ranges::find(report.tools, tool, &check::ToolReport::tool);
  if (found != report.tools.end()) return *found;
  report.tools.push_back({.tool = tool});
  return report.tools.back();
}

bool only_reads(const mcp::Tool& tool) {
  const auto hint = tool.annotations ? tool.annotations->view().find("readOnlyHint") : std::nullopt;
  return hint && hint->boolean();
}

check::Finding no_answer(const Error& error, const std::string& call) {
  return {check::Rule::no_answer, check::Severity::error, error.message, call};
}

// Interrupts a client when the run must end: when `stop` is true, or after `most_time`.
class RunEnd {
 public:
  RunEnd(client::BlockingClient& client, const std::atomic<bool>& stop,
         std::chrono::milliseconds most_time)
      : client_(client),
        stop_(stop),
        end_(std::chrono::steady_clock::now() + most_time),
        timer_(client.loop(), [this] { look(); }) {
    timer_.set_after(kStopPeriod);
  }
  [[nodiscard]] bool is_reached() const {
    return stop_ || std::chrono::steady_clock::now() >= end_;
  }

 private:
  void look() {
    if (is_reached()) return client_.interrupt();
    timer_.set_after(kStopPeriod);
  }
  client::BlockingClient& client_;
  const std::atomic<bool>& stop_;
  std::chrono::steady_clock::time_point end_;
  net::Timer timer_;
};

class CheckRun {
 public:
  CheckRun(const CheckSubject& subject, const std::atomic<bool>& stop)
      : subject_(subject), stop_(stop) {
    report_.server = subject.settings.name;
  }

  check::Report run() {
    check_definitions();
    for (const auto& [tool, answers] : subject_.answers) {
      for (const json::Value& answer : answers) {
        if (stop_) return std::move(report_);
        add_findings(tool, answer.view(), "a recorded answer");
      }
    }
    if (!subject_.calls) return std::move(report_);
    if (const Status made = make_calls(); !made) {
      report_of(report_, "").findings.push_back(no_answer(made.error(), "connect"));
    }
    return std::move(report_);
  }

 private:
  void check_definitions() {
    std::set<std::string> names;
    for (const json::Value& definition : subject_.definitions) {
      const std::string name = json::string_member(definition.view(), "name").value_or("");
      check::merge(report_of(report_, name).findings, check::check_tool(definition.view(), names));
    }
  }

  // `call` names the call in the findings.
  check::Findings findings_in(const std::string& tool, json::View result, const char* call) {
    return check::check_answer(result,
                               {.call = call, .tool = tool, .client = &token::default_profile()});
  }
  void add_findings(const std::string& tool, json::View result, const char* call) {
    check::merge(report_of(report_, tool).findings, findings_in(tool, result, call));
  }

  // Findings quote the answer, so the rules get it redacted. Only the rule that looks for secrets
  // gets it unredacted: its findings do not quote the secret.
  void check_live_answer(const std::string& tool, const json::Value& result) {
    const redact::Policy* const policy = subject_.redaction ? &*subject_.redaction : nullptr;
    const Result<json::Value> redacted = answer::pass_through(result, policy);
    check::Findings found = findings_in(tool, result.view(), kSampleCall);
    std::erase_if(found, [](const auto& one) { return one.rule != check::Rule::secret; });
    check::merge(report_of(report_, tool).findings, std::move(found));
    if (redacted) add_findings(tool, redacted->view(), kSampleCall);
  }

  Status make_calls() {
    const client::ClientOptions options{.eras = subject_.settings.eras,
                                        .startup_timeout = subject_.settings.startup_timeout,
                                        .idle_timeout = kMaxIdle,
                                        .call_timeout = kMaxIdle};
    ENFOLD_TRY(const auto client, client::BlockingClient::open(subject_.settings.target, options));
    const RunEnd end(*client, stop_, subject_.most_time);
    ENFOLD_TRY(const mcp::ServerIdentity server, client->connect());
    report_.protocol = server.version;
    const auto tools = client->tools();
    if (!tools) return tl::unexpected(tools.error().error);
    std::size_t called = 0;
    std::string ended;  // why no more tools are called; empty: they are
    for (const client::OfferedTool& offered : tools->tools) {
      if (!is_offered(subject_.settings, offered.tool.name)) continue;
      std::string& not_called = report_of(report_, offered.tool.name).not_called;
      if (ended.empty() && end.is_reached()) ended = "the time for sample calls was over";
      if (ended.empty() && called == kMaxTools) ended = "128 other tools were called";
      if (!only_reads(offered.tool)) {
        not_called = "it does not declare readOnlyHint";
      } else if (!ended.empty()) {
        not_called = ended;
      } else {
        ++called;
        if (!call(*client, offered)) ended = "the server could not be reached any more";
      }
    }
    if (!end.is_reached()) client->close();
    return {};
  }

  // False: the server cannot be reached any more.
  bool call(client::BlockingClient& client, const client::OfferedTool& offered) {
    check::ToolReport& report = report_of(report_, offered.tool.name);
    const auto arguments = check::sample_arguments(offered.tool.input_schema);
    if (!arguments) {
      report.not_called = arguments.error().message;
      return true;
    }
    client::ToolRequest request = client::request_for(offered, *arguments);
    request.retries.attempts = 1;
    const client::ToolOutcome outcome = client.call(std::move(request), {});
    ++report.calls;
    if (outcome) {
      check_live_answer(offered.tool.name, outcome->result);
    } else if (outcome.error().refusal) {
      check::merge(report.findings,
                   check::check_refusal(*outcome.error().refusal,
                                        {.call = kSampleCall, .tool = offered.tool.name}));
    } else {
      report.findings.push_back(no_answer(outcome.error().error, kSampleCall));
      return outcome.error().error.code != ErrorCode::unavailable;
    }
    return true;
  }

  const CheckSubject& subject_;
  const std::atomic<bool>& stop_;
  check::Report report_;
};

}  // namespace

check::Report run_check(const CheckSubject& subject, const std::atomic<bool>& stop) {
  return CheckRun(subject, stop).run();
}

}  // namespace enfold::gateway
