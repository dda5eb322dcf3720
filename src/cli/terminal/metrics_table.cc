// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/metrics_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <tuple>

namespace enfold::cli {
namespace {

/// A line of the Prometheus text format: metric{label="value",…} number
struct Sample {
  std::string_view metric;
  std::map<std::string, std::string> labels;
  double value = 0;

  /// The value of a label; empty: the sample has no such label.
  [[nodiscard]] std::string label(const std::string& key) const {
    const auto found = labels.find(key);
    return found != labels.end() ? found->second : std::string();
  }
};

// Moves {key="value",…} from the front of `text` into `labels`; false: the labels are malformed.
bool take_labels(std::string_view& text, std::map<std::string, std::string>& labels) {
  text.remove_prefix(1);
  while (!text.empty() && text.front() != '}') {
    const std::size_t equals = text.find("=\"");
    if (equals == std::string_view::npos) return false;
    std::string& value = labels[std::string(text.substr(0, equals))];
    text.remove_prefix(equals + 2);
    while (!text.empty() && text.front() != '"') {
      const bool escape = text.front() == '\\' && text.size() > 1;
      if (escape) text.remove_prefix(1);
      value += escape && text.front() == 'n' ? '\n' : text.front();
      text.remove_prefix(1);
    }
    if (text.empty()) return false;
    text.remove_prefix(1);
    if (!text.empty() && text.front() == ',') text.remove_prefix(1);
  }
  if (text.empty()) return false;
  text.remove_prefix(1);
  return true;
}

// False: the line is malformed.
bool read_sample(std::string_view line, Sample& sample) {
  const std::size_t end = line.find_first_of("{ ");
  if (end == std::string_view::npos) return false;
  sample.metric = line.substr(0, end);
  line.remove_prefix(end);
  if (line.front() == '{' && !take_labels(line, sample.labels)) return false;
  if (line.empty() || line.front() != ' ') return false;
  const std::string number(line.substr(1));
  char* stopped = nullptr;
  sample.value = std::strtod(number.c_str(), &stopped);
  return stopped != number.c_str();
}

// Adds a sample of a metric enfold_tool_… to the figures of its tool.
void add_tool_sample(const Sample& sample, GatewayFigures& out) {
  constexpr std::string_view kPrefix = "enfold_tool_";
  const std::string_view metric = sample.metric.substr(kPrefix.size());
  ToolFigures& tool = out.tools[{sample.label("upstream"), sample.label("tool")}];
  if (metric == "calls_total") {
    tool.outcomes[sample.label("outcome")] = sample.value;
  } else if (metric == "answers_total") {
    tool.fidelities[sample.label("fidelity")] = sample.value;
  } else if (metric == "call_duration_seconds_bucket") {
    const std::string bound = sample.label("le");
    tool.buckets.emplace_back(bound == "+Inf" ? std::numeric_limits<double>::infinity()
                                              : std::strtod(bound.c_str(), nullptr),
                              sample.value);
  } else if (metric == "call_duration_seconds_count") {
    tool.calls = sample.value;
  } else if (metric == "tokens_before_total") {
    tool.tokens_before = sample.value;
  } else if (metric == "tokens_after_total") {
    tool.tokens_after = sample.value;
  } else if (metric == "archived_bytes_total") {
    tool.archived_bytes = sample.value;
  }
}

void add_sample(const Sample& sample, GatewayFigures& out) {
  const std::string_view metric = sample.metric;
  if (metric.starts_with("enfold_tool_")) {
    add_tool_sample(sample, out);
  } else if (metric == "enfold_build_info") {
    out.version = sample.label("version");
  } else if (metric == "enfold_ready") {
    out.ready = sample.value > 0;
  } else if (metric == "enfold_sessions") {
    out.sessions = sample.value;
  } else if (metric == "enfold_open_calls") {
    out.open_calls = sample.value;
  } else if (metric == "enfold_archive_entries") {
    out.has_archive = true;
    out.archive_entries = sample.value;
  } else if (metric == "enfold_archive_bytes") {
    out.archive_bytes = sample.value;
  } else if (metric == "enfold_archive_stored_bytes") {
    out.archive_stored_bytes = sample.value;
  } else if (metric == "enfold_upstream_state" && sample.value > 0) {
    out.upstreams[sample.label("upstream")] = sample.label("state");
  } else if (metric == "enfold_upstream_restarts_total") {
    out.restarts[sample.label("upstream")] = sample.value;
  }
}

// The calls between two readings of the metrics, with their buckets. A gateway never changes the
// bounds of its buckets, so a bucket has the same index in both readings.
ToolFigures since(const ToolFigures& now, const ToolFigures& before) {
  ToolFigures out;
  out.calls = now.calls - before.calls;
  for (std::size_t i = 0; i < now.buckets.size(); ++i) {
    const double earlier = i < before.buckets.size() ? before.buckets[i].second : 0;
    out.buckets.emplace_back(now.buckets[i].first, now.buckets[i].second - earlier);
  }
  return out;
}

// The number in the largest unit in which it is at least 1. `step`: the factor between two units.
std::string in_units(double number, double step, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  while (number >= step && unit + 1 < units.size()) {
    number /= step;
    ++unit;
  }
  return unit == 0 || number >= 99.95 ? fmt::format("{:.0f}{}", number, units[unit])
                                      : fmt::format("{:.1f}{}", number, units[unit]);
}

}  // namespace

Result<GatewayFigures> read_metrics(std::string_view text) {
  GatewayFigures out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    Sample sample;
    if (read_sample(line, sample)) add_sample(sample, out);
  }
  if (!out.version.empty()) return out;
  return fail(ErrorCode::invalid_input, "expected the metrics of an enfold gateway, found others",
              {}, "name the URL of `enfold serve`, such as http://127.0.0.1:8080/mcp");
}

double quantile(const ToolFigures& tool, double share) {
  if (tool.calls <= 0 || tool.buckets.empty()) return 0;
  const double wanted = share * tool.calls;
  double lower_bound = 0;  // of the bucket, in seconds
  double calls_below = 0;  // calls in the buckets before it
  for (const auto& [bound, calls] : tool.buckets) {
    if (calls >= wanted && calls > calls_below) {
      if (std::isinf(bound)) return lower_bound;
      return lower_bound + (bound - lower_bound) * (wanted - calls_below) / (calls - calls_below);
    }
    lower_bound = bound;
    calls_below = calls;
  }
  return lower_bound;
}

std::vector<ToolRow> rows_of(const GatewayFigures& now, const GatewayFigures* before,
                             std::chrono::duration<double> between) {
  std::vector<ToolRow> rows;
  for (const auto& [key, tool] : now.tools) {
    ToolRow row{key.first, key.second, tool};
    ToolFigures for_latency = tool;
    if (before != nullptr) {
      const auto earlier = before->tools.find(key);
      const ToolFigures recent =
          since(tool, earlier != before->tools.end() ? earlier->second : ToolFigures());
      if (between.count() > 0) row.per_second = std::max(0.0, recent.calls / between.count());
      if (recent.calls > 0) for_latency = recent;
    }
    row.p50 = quantile(for_latency, 0.5);
    row.p99 = quantile(for_latency, 0.99);
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const ToolRow& a, const ToolRow& b) {
    return std::tie(b.all.calls, a.upstream, a.tool) < std::tie(a.all.calls, b.upstream, b.tool);
  });
  return rows;
}

std::string shown_count(double number) {
  constexpr std::array<std::string_view, 4> kUnits{"", "k", "M", "G"};
  return in_units(number, 1000, kUnits);
}

std::string shown_bytes(double bytes) {
  constexpr std::array<std::string_view, 4> kUnits{" B", " KB", " MB", " GB"};
  return in_units(bytes, 1000, kUnits);
}

std::string shown_time(double seconds) {
  if (seconds <= 0) return "–";
  if (seconds < 0.01) return fmt::format("{:.1f}ms", seconds * 1000);
  return seconds < 1 ? fmt::format("{:.0f}ms", seconds * 1000) : fmt::format("{:.1f}s", seconds);
}

json::Output to_json(const GatewayFigures& now, const std::vector<ToolRow>& rows) {
  json::Writer writer;
  const auto write_count = [&](std::string_view key, double value) {
    writer.member(key, static_cast<std::int64_t>(value));
  };
  const auto write_counts = [&](std::string_view key, const std::map<std::string, double>& counts) {
    writer.key(key).begin_object();
    for (const auto& [name, count] : counts) write_count(name, count);
    writer.end_object();
  };
  writer.begin_object().member("version", now.version).member("ready", now.ready);
  write_count("sessions", now.sessions);
  write_count("open_calls", now.open_calls);
  writer.key("upstreams").begin_object();
  for (const auto& [name, state] : now.upstreams) writer.member(name, state);
  writer.end_object();
  if (now.has_archive) {
    writer.key("archive").begin_object();
    write_count("entries", now.archive_entries);
    write_count("bytes", now.archive_bytes);
    write_count("stored_bytes", now.archive_stored_bytes);
    writer.end_object();
  }
  writer.key("tools").begin_array();
  for (const ToolRow& row : rows) {
    writer.begin_object().member("upstream", row.upstream).member("tool", row.tool);
    write_count("calls", row.all.calls);
    writer.key("calls_per_second").real(row.per_second);
    write_counts("outcomes", row.all.outcomes);
    writer.key("p50_ms").real(row.p50 * 1000).key("p99_ms").real(row.p99 * 1000);
    write_count("tokens_before", row.all.tokens_before);
    write_count("tokens_after", row.all.tokens_after);
    write_counts("fidelity", row.all.fidelities);
    write_count("archived_bytes", row.all.archived_bytes);
    writer.end_object();
  }
  writer.end_array().end_object();
  return std::move(writer).finish();
}

}  // namespace enfold::cli
