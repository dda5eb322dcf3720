// SPDX-License-Identifier: Apache-2.0
// Reads /metrics of a gateway into the rows that `enfold top` shows. Does no I/O.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/write.h"

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::cli {

/// The metrics of one tool since the gateway started. Numbers are double, as in the metrics.
struct ToolFigures {
  std::map<std::string, double> outcomes;    ///< number of calls by outcome
  std::map<std::string, double> fidelities;  ///< number of answers by fidelity
  /// Upper bound of the latency in seconds, and the number of calls that took at most so long.
  std::vector<std::pair<double, double>> buckets;
  double calls = 0;
  double tokens_before = 0;   ///< of the answers before they were fitted
  double tokens_after = 0;    ///< of the answers as the client got them
  double archived_bytes = 0;  ///< of the originals that were archived
};

struct GatewayFigures {
  std::string version;
  bool ready = false;
  double sessions = 0;
  double open_calls = 0;
  bool has_archive = false;
  double archive_entries = 0;
  double archive_bytes = 0;                      ///< of all entries, before compression
  double archive_stored_bytes = 0;               ///< after compression
  std::map<std::string, std::string> upstreams;  ///< state by name
  std::map<std::string, double> restarts;        ///< by upstream
  std::map<std::pair<std::string, std::string>, ToolFigures> tools;  ///< by upstream and tool
};

/// `invalid_input` if the text is not the metrics of a gateway.
[[nodiscard]] Result<GatewayFigures> read_metrics(std::string_view text);

/// The latency in seconds below which `share` (0 to 1) of the calls are, interpolated inside a
/// bucket; if it is above the last finite bound, that bound. 0 without calls.
[[nodiscard]] double quantile(const ToolFigures& tool, double share);

/// A row of the table. The rate and the latencies cover the calls since the last reading of the
/// metrics; without such calls, the latencies cover all calls.
struct ToolRow {
  std::string upstream;
  std::string tool;
  ToolFigures all;        ///< since the gateway started
  double per_second = 0;  ///< calls per second
  double p50 = 0;         ///< latency in seconds; 0: no calls
  double p99 = 0;         ///< likewise
};
/// One row for each tool, the most called first. `before`: the last reading; nullptr: there is
/// none, so latencies cover all calls and rates are 0. `between`: the time from `before` to `now`.
[[nodiscard]] std::vector<ToolRow> rows_of(const GatewayFigures& now, const GatewayFigures* before,
                                           std::chrono::duration<double> between);

[[nodiscard]] std::string shown_count(double number);  ///< 950, 1.2k, 3.4M
[[nodiscard]] std::string shown_time(double seconds);  ///< 0.4ms, 25ms, 2.5s; 0 is –
[[nodiscard]] std::string shown_bytes(double bytes);   ///< 950 B, 1.2 KB, 3.4 MB

[[nodiscard]] json::Output to_json(const GatewayFigures& now, const std::vector<ToolRow>& rows);

}  // namespace enfold::cli
