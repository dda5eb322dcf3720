// SPDX-License-Identifier: Apache-2.0
// The counters of a gateway and their Prometheus text format (0.0.4). The counters are plain
// values: only the loop's thread writes and reads them. The number of series is limited, whatever
// names of tools clients call.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/gateway/config/settings.h"
#include "enfold/mcp/types/result.h"
#include "enfold/serve/http/refusal_log.h"

#include <set>

namespace enfold::gateway {

/// Upper bounds of the latency histogram, in microseconds.
inline constexpr std::array<std::int64_t, 16> kLatencyBounds{
    250,     500,     1'000,   2'500,     5'000,     10'000,     25'000,     50'000,
    100'000, 250'000, 500'000, 1'000'000, 2'500'000, 10'000'000, 30'000'000, 60'000'000};

/// Calls of one tool since the start.
struct ToolCounts {
  std::map<std::string, std::uint64_t, std::less<>> outcomes;    ///< calls by outcome
  std::map<std::string, std::uint64_t, std::less<>> fidelities;  ///< calls by fidelity
  std::array<std::uint64_t, kLatencyBounds.size() + 1>
      latencies{};  ///< calls by bucket of kLatencyBounds, not cumulative; the last: longer calls
  std::chrono::microseconds total_time{0};
  std::uint64_t calls = 0;
  serve::LogLine::Weight weight;  ///< bytes and tokens of the answers, summed over all calls
};

class Metrics {
 public:
  /// Maximum number of tools, of all upstreams together; further ones are counted as one, `kOther`.
  static constexpr std::size_t kMaxTools = 500;
  static constexpr std::size_t kMaxNameLength = 128;  ///< tools with longer names count as `kOther`
  static constexpr std::string_view kOther = "(other)";
  /// The name under which CallLog counts calls of tools that their upstream does not list.
  static constexpr std::string_view kUnknown = "(unknown)";
  static constexpr std::string_view kLocalUpstream = "enfold";  ///< of Enfold's own tools

  /// Counts a finished call under the name `upstream`.
  void record(std::string_view upstream, const serve::LogLine& call);

  using ToolKey = std::pair<std::string, std::string>;  ///< upstream, tool
  [[nodiscard]] const std::map<ToolKey, ToolCounts>& tools() const { return tools_; }
  /// The counts of a tool; nullptr: not called yet. Valid as long as the Metrics object.
  [[nodiscard]] const ToolCounts* find(std::string_view upstream, std::string_view tool) const;

 private:
  std::map<ToolKey, ToolCounts> tools_;
};

enum class UpstreamState : std::uint8_t {
  ready,    ///< connected
  idle,     ///< not connected; the next call connects
  failing,  ///< the last attempt to connect failed; the next call connects again
  open,     ///< the circuit breaker is open: calls are refused until its wait is over
};
[[nodiscard]] std::string_view name(UpstreamState state);

struct UpstreamReport {
  std::string name;
  UpstreamState state = UpstreamState::idle;
  std::size_t connections = 0;      ///< open connections
  std::uint64_t restarts = 0;       ///< connections made again: they broke, or a session expired
  std::uint64_t failures = 0;       ///< times that the upstream broke or could not be reached
  std::size_t failures_in_row = 0;  ///< as the circuit breaker counts them
};

struct ArchiveReport {
  bool is_known = false;  ///< the archive could be read; false: the numbers are not shown
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;         ///< of the originals
  std::uint64_t stored_bytes = 0;  ///< after compression
};

struct StoreReport {
  std::string name;  ///< archive or rate_limits
  bool is_up = true;
  std::uint64_t failures = 0;  ///< uses of the store that failed
};

/// The current state of the gateway, for /metrics and /healthz.
struct Report {
  std::string version;
  std::size_t sessions = 0;    ///< of clients, over HTTP
  std::size_t open_calls = 0;  ///< that wait for an upstream
  bool draining = false;  ///< the gateway is stopping: open calls may end, new ones are refused
  std::vector<UpstreamReport> upstreams;
  ArchiveReport archive;
  std::vector<StoreReport> stores;  ///< in use; if one fails, the gateway works on, but degraded

  /// Whether new calls can be served: the gateway is not draining, and the circuit breaker of at
  /// least one upstream is not open. Else /healthz has status 503.
  [[nodiscard]] bool is_usable() const;
};

inline constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
[[nodiscard]] std::string write_metrics(const Metrics& metrics, const Report& report);

/// {"status":"ok","version":…,"upstreams":{"NAME":"ready"},"stores":{"archive":"ready"}}; status is
/// ok, draining or unavailable; a store is ready or failing.
[[nodiscard]] std::string write_health(const Report& report);

/// Escapes the value of a Prometheus label; the caller adds the quotes.
[[nodiscard]] std::string escape_label(std::string_view text);

/// The name of an upstream in metrics. The only upstream of a command line has no name, so it gets
/// a default.
[[nodiscard]] std::string_view metrics_name(std::string_view upstream);

struct PlannedAnswer;

/// What is known of a finished call beside its log line, for the dashboard. The pointers, but for
/// `plan`, are valid only while the listener runs.
struct CallDetails {
  const mcp::Caller* caller = nullptr;  ///< the client; null: not known
  /// Null: the call was of one of Enfold's own tools. If `facts` is set, nothing else uses the plan
  /// any more: the listener may keep it and clear parts of it.
  std::shared_ptr<PlannedAnswer> plan{};
  const answer::AnswerFacts* facts = nullptr;  ///< null: the answer was forwarded
  const mcp::Reply* reply = nullptr;           ///< to the client; null: not known
  int http_status = 0;                         ///< of the upstream; 0: none, or over stdio
  bool is_refused = false;                     ///< the upstream sent a JSON-RPC error
  bool is_exact = false;                       ///< the tokens were counted, not estimated
  bool is_listed = true;  ///< counted under the name of the tool; set by CallLog
};
/// Called for each finished call.
using CallListener = std::function<void(const serve::LogLine& line, const CallDetails& details)>;

/// Writes the log lines of calls, and counts the calls in Metrics.
class CallLog {
 public:
  /// Whether an upstream lists a tool; nullopt: its list has not been fetched. CallLog asks before
  /// it counts a tool for the first time, so that names which clients invent are not counted. If
  /// the list is not known, a name is counted once a call of it has succeeded, else as `kUnknown`.
  using IsListed =
      std::function<std::optional<bool>(std::string_view upstream, std::string_view tool)>;
  CallLog(const Environment& environment, IsListed is_listed)
      : environment_(environment), is_listed_(std::move(is_listed)) {}

  // All functions are called on the loop's thread.
  /// Writes the line; if its event is `call` (a finished call), counts it too. Of calls beyond a
  /// rate limit about twenty a minute are written as warnings, so that they are logged without
  /// log_calls.
  void record(const serve::LogLine& call, CallDetails details = {});
  /// Replaces the listener, which is called for each finished call; empty: none.
  void set_listener(CallListener listener) { listener_ = std::move(listener); }
  /// Writes a warning, unless one with the same key or 100 warnings have been written before.
  void warn_once(const std::string& key, const serve::LogLine& warning);
  /// A log for Enfold's local tools, which are counted as tools of an upstream "enfold". Unlike
  /// other logs, it may be called only on the loop's thread: ToolRun, its only user, writes
  /// its line there, when it replies to the client.
  [[nodiscard]] serve::Log for_local_tools();

  [[nodiscard]] const Metrics& metrics() const { return metrics_; }
  /// Sums over earlier answers of a tool, whose ratios estimate the tokens of the next answer;
  /// nullptr: the next answer must be measured.
  [[nodiscard]] const serve::LogLine::Weight* sums_for_estimate(std::string_view upstream,
                                                                std::string_view tool) const;

 private:
  /// Whether the call is counted under the name of its tool, see IsListed; else as
  /// `Metrics::kUnknown`.
  [[nodiscard]] bool is_counted_by_name(const serve::LogLine& call) const;
  /// Counts the call and tells the listener.
  void count(const serve::LogLine& call, CallDetails details);

  const Environment& environment_;
  IsListed is_listed_;
  CallListener listener_;
  Metrics metrics_;
  std::set<std::string> warned_;  ///< keys of the warnings that were written
  /// Limits the warnings about calls beyond a rate limit.
  PeriodLimit<mcp::Time> throttled_ = serve::lines_per_minute();
};

}  // namespace enfold::gateway
