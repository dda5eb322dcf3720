// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/check_run.h"

#include "enfold/check/runner.h"
#include "enfold/client/blocking.h"
#include "enfold/gateway/policy/names.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxTools = 128;                // with sample calls
constexpr std::chrono::seconds kMaxIdle{20};          // timeout of a sample call
constexpr std::chrono::milliseconds kStopPeriod{50};  // between two looks at the stop flag

constexpr const char* kRecordedAnswer = "a recorded answer";

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

// The calls of the run, over a connection of its own.
class SampleClient {
 public:
  SampleClient(client::BlockingClient& client, client::Toolbox tools, const RunEnd& end)
      : client_(client), tools_(std::move(tools)), end_(end) {}

  [[nodiscard]] const client::Toolbox& tools() const { return tools_; }

  check::CallReply call(const std::string& tool, const json::Value& arguments) {
    client::ToolRequest request = client::request_for(*tools_.find(tool), arguments);
    request.retries.attempts = 1;
    ++called_;
    client::ToolOutcome outcome = client_.call(std::move(request), {});
    if (outcome) return std::move(outcome->result);
    client::CallFailure& failure = outcome.error();
    is_reachable_ = failure.refusal || failure.error.code != ErrorCode::unavailable;
    if (failure.refusal) return std::move(*failure.refusal);
    return std::move(failure.error);
  }
  [[nodiscard]] bool is_reachable() const { return is_reachable_; }

  [[nodiscard]] std::string reason_to_end() const {
    if (end_.is_reached()) return "the time for sample calls was over";
    return called_ >= kMaxTools ? fmt::format("{} other tools were called", kMaxTools) : "";
  }

 private:
  client::BlockingClient& client_;
  client::Toolbox tools_;
  const RunEnd& end_;
  std::size_t called_ = 0;
  bool is_reachable_ = true;
};

// Adds the sample calls to the run. Fails if the server cannot be reached at all.
Status make_sample_calls(const CheckSubject& subject, const std::atomic<bool>& stop,
                         check::Runner& runner, check::Report& report) {
  const client::ClientOptions options{.eras = subject.settings.eras,
                                      .startup_timeout = subject.settings.startup_timeout,
                                      .idle_timeout = kMaxIdle,
                                      .call_timeout = kMaxIdle};
  ENFOLD_TRY(const auto client, client::BlockingClient::open(subject.settings.target, options));
  const RunEnd end(*client, stop, subject.most_time);
  ENFOLD_TRY(const mcp::ServerIdentity server, client->connect());
  report.protocol = server.version;
  auto tools = client->tools();
  if (!tools) return tl::unexpected(tools.error().error);
  SampleClient calls(*client, std::move(*tools), end);
  for (const client::OfferedTool& offered : calls.tools().tools) {
    const check::CheckedTool* const known = runner.find(offered.tool.name);
    const bool is_known = known != nullptr && known->report.has_definition;
    if (!is_known && is_offered(subject.settings, offered.tool.name)) {
      runner.add_definition(offered.tool.original.view());
    }
  }
  runner.make_sample_calls(
      {.call =
           [&](const check::CheckedTool& tool, const std::string& /*name*/,
               const json::Value& arguments) { return calls.call(tool.report.tool, arguments); },
       .includes =
           [&](const check::CheckedTool& tool) {
             return calls.tools().find(tool.report.tool) != nullptr &&
                    is_offered(subject.settings, tool.report.tool);
           },
       .reason_to_omit = "it does not declare readOnlyHint",
       .reason_to_end = [&] { return calls.reason_to_end(); },
       .reconnect = [&] { return calls.is_reachable(); }});
  if (!end.is_reached()) client->close();
  return {};
}

}  // namespace

check::Report run_check(const CheckSubject& subject, const std::atomic<bool>& stop) {
  check::Report report{.server = subject.settings.name};
  check::Runner runner({.client = &token::default_profile()}, subject.redaction);
  for (const json::Value& definition : subject.definitions)
    runner.add_definition(definition.view());
  for (const auto& [tool, answers] : subject.answers) {
    for (const json::Value& answer : answers) {
      if (!stop) runner.check(runner.find_or_add(tool), kRecordedAnswer, answer.view());
    }
  }
  if (subject.calls && !stop) {
    if (const Status made = make_sample_calls(subject, stop, runner, report); !made) {
      runner.find_or_add("").report.findings.push_back(
          {check::Rule::no_answer, check::Severity::error, made.error().message, "connect"});
    }
  }
  runner.move_to(report);
  return report;
}

}  // namespace enfold::gateway
