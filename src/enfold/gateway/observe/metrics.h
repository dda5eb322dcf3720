// SPDX-License-Identifier: Apache-2.0
// What a gateway counts, and how it is said to Prometheus (text format 0.0.4). Plain values: the
// loop's thread records and reads them. The number of series has a limit, whatever is called.
#pragma once

#include "enfold/serve/log.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::gateway {

/// Upper bounds of the latency histogram, in microseconds.
inline constexpr std::array<std::int64_t, 16> kLatencyBounds{
    250,     500,     1'000,   2'500,     5'000,     10'000,     25'000,     50'000,
    100'000, 250'000, 500'000, 1'000'000, 2'500'000, 10'000'000, 30'000'000, 60'000'000};

/// Calls of one tool since the start.
struct ToolCounts {
  std::map<std::string, std::uint64_t, std::less<>> outcomes;
  std::map<std::string, std::uint64_t, std::less<>> fidelities;
  std::array<std::uint64_t, kLatencyBounds.size() + 1> latencies{};  ///< the last: longer than all
  std::chrono::microseconds total_time{0};
  std::uint64_t calls = 0;
  serve::LogLine::Weight weight;  ///< sums
};

class Metrics {
 public:
  /// Tools beyond so many, of all upstreams together, are counted as one, `kOther`.
  static constexpr std::size_t kMostTools = 500;
  static constexpr std::size_t kLongestName = 128;  ///< longer ones count as others
  static constexpr std::string_view kOther = "(other)";
  /// For names that no list has: whoever records says so.
  static constexpr std::string_view kUnknown = "(unknown)";

  /// A finished call, as the log has it; `upstream` is whom it is counted for.
  void record(std::string_view upstream, const serve::LogLine& call);

  using ToolKey = std::pair<std::string, std::string>;  ///< upstream, tool
  [[nodiscard]] const std::map<ToolKey, ToolCounts>& tools() const { return tools_; }
  /// nullptr: not called yet. Lives as long as this.
  [[nodiscard]] const ToolCounts* find(std::string_view upstream, std::string_view tool) const;

 private:
  std::map<ToolKey, ToolCounts> tools_;
};

/// How an upstream is doing.
enum class UpstreamState : std::uint8_t {
  ready,    ///< connected
  idle,     ///< not connected; the next call connects
  failing,  ///< failed last; the next call tries again
  open,     ///< the breaker is open: calls are refused for a while
};
[[nodiscard]] std::string_view name(UpstreamState state);

struct UpstreamReport {
  std::string name;
  UpstreamState state = UpstreamState::idle;
  std::size_t connections = 0;      ///< now
  std::uint64_t restarts = 0;       ///< connections that were made anew after they broke
  std::uint64_t failures = 0;       ///< times that it broke or could not be reached
  std::size_t failures_in_row = 0;  ///< as the breaker counts them
};

struct ArchiveReport {
  bool is_known = false;
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stored_bytes = 0;
};

/// What is so now.
struct Report {
  std::string version;
  std::size_t sessions = 0;
  std::size_t open_calls = 0;
  bool draining = false;
  std::vector<UpstreamReport> upstreams;
  ArchiveReport archive;

  /// Whether a call that comes now has a chance.
  [[nodiscard]] bool is_usable() const;
};

inline constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
[[nodiscard]] std::string write_metrics(const Metrics& metrics, const Report& report);

/// {"status":"ok","version":…,"upstreams":{"NAME":"ready"}}; status is ok, draining or unavailable.
[[nodiscard]] std::string write_health(const Report& report);

/// A label's value between its quotes.
[[nodiscard]] std::string escape_label(std::string_view text);

}  // namespace enfold::gateway
