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

struct Sample {
  std::string_view metric;
  std::map<std::string, std::string> labels;
  double value = 0;

  [[nodiscard]] std::string label(const std::string& key) const {
    const auto found = labels.find(key);
    return found != labels.end() ? found->second : std::string();
  }
};

// Moves {key="value",…} from the front of `text` into `labels`; false: it is malformed.
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

// Calls and buckets between two readings of the metrics; a gateway has fixed bounds of buckets.
ToolFigures since(const ToolFigures& now, const ToolFigures& before) {
  ToolFigures out;
  out.calls = now.calls - before.calls;
  for (std::size_t i = 0; i < now.buckets.size(); ++i) {
    const double earlier = i < before.buckets.size() ? before.buckets[i].second : 0;
    out.buckets.emplace_back(now.buckets[i].first, now.buckets[i].second - earlier);
  }
  return out;
}

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
  double low = 0;
  double below = 0;
  for (const auto& [bound, calls] : tool.buckets) {
    if (calls >= wanted && calls > below) {
      if (std::isinf(bound)) return low;
      return low + (bound - low) * (wanted - below) / (calls - below);
    }
    low = bound;
    below = calls;
  }
  return low;
}

std::vector<ToolRow> rows_of(const GatewayFigures& now, const GatewayFigures* before,
                             std::chrono::duration<double> between) {
  std::vector<ToolRow> rows;
  for (const auto& [key, tool] : now.tools) {
    ToolRow row{key.first, key.second, tool};
    ToolFigures recent = tool;
    if (before != nullptr) {
      const auto earlier = before->tools.find(key);
      const ToolFigures moved =
          since(tool, earlier != before->tools.end() ? earlier->second : ToolFigures());
      if (between.count() > 0) row.per_second = std::max(0.0, moved.calls / between.count());
      if (moved.calls > 0) recent = moved;
    }
    row.p50 = quantile(recent, 0.5);
    row.p99 = quantile(recent, 0.99);
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
  const auto whole = [&](std::string_view key, double value) {
    writer.member(key, static_cast<std::int64_t>(value));
  };
  const auto words = [&](std::string_view key, const std::map<std::string, double>& counts) {
    writer.key(key).begin_object();
    for (const auto& [word, count] : counts) whole(word, count);
    writer.end_object();
  };
  writer.begin_object().member("version", now.version).member("ready", now.ready);
  whole("sessions", now.sessions);
  whole("open_calls", now.open_calls);
  writer.key("upstreams").begin_object();
  for (const auto& [name, state] : now.upstreams) writer.member(name, state);
  writer.end_object();
  if (now.has_archive) {
    writer.key("archive").begin_object();
    whole("entries", now.archive_entries);
    whole("bytes", now.archive_bytes);
    whole("stored_bytes", now.archive_stored_bytes);
    writer.end_object();
  }
  writer.key("tools").begin_array();
  for (const ToolRow& row : rows) {
    writer.begin_object().member("upstream", row.upstream).member("tool", row.tool);
    whole("calls", row.all.calls);
    writer.key("calls_per_second").real(row.per_second);
    words("outcomes", row.all.outcomes);
    writer.key("p50_ms").real(row.p50 * 1000).key("p99_ms").real(row.p99 * 1000);
    whole("tokens_before", row.all.tokens_before);
    whole("tokens_after", row.all.tokens_after);
    words("fidelity", row.all.fidelities);
    whole("archived_bytes", row.all.archived_bytes);
    writer.end_object();
  }
  writer.end_array().end_object();
  return std::move(writer).finish();
}

}  // namespace enfold::cli
