// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/metrics.h"

#include "enfold/gateway/policy/upstream_words.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::array<UpstreamState, 4> kStates{UpstreamState::ready, UpstreamState::idle,
                                               UpstreamState::failing, UpstreamState::open};

// Of the label `outcome` or `fidelity`. The gateway itself sets these few values, so the limit only
// guards against programming errors.
constexpr std::size_t kMaxLabelValues = 16;

// Counts a value of a label; an empty value is not counted.
void count_value(std::map<std::string, std::uint64_t, std::less<>>& counts,
                 const std::string& value) {
  if (value.empty()) return;
  const bool is_counted = counts.contains(value) || counts.size() < kMaxLabelValues;
  ++counts[is_counted ? value : std::string(Metrics::kOther)];
}

// Microseconds written as seconds, without the rounding of floating point.
std::string seconds(std::int64_t micros) {
  std::string text = fmt::format("{}.{:06}", micros / 1'000'000, micros % 1'000'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// Writes the Prometheus text format.
class MetricsText {
 public:
  /// Begins a metric; `sample` writes its values. `type`: counter, gauge or histogram.
  void family(std::string_view metric, std::string_view type, std::string_view help) {
    metric_ = metric;
    add("# HELP enfold_{} {}\n# TYPE enfold_{} {}\n", metric, help, metric, type);
  }
  /// `labels`: key="value", separated by commas; empty: none. `suffix`: of the metric's name.
  template <class Value>
  void sample(std::string_view labels, const Value& value, std::string_view suffix = {}) {
    add("enfold_{}{}{}{}{} {}\n", metric_, suffix, labels.empty() ? "" : "{", labels,
        labels.empty() ? "" : "}", value);
  }
  /// A metric with one value and no labels.
  template <class Value>
  void single(std::string_view metric, std::string_view type, std::string_view help,
              const Value& value) {
    family(metric, type, help);
    sample({}, value);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  template <class... Parts>
  void add(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }
  std::string text_;
  std::string metric_;
};

std::string label(std::string_view key, std::string_view value) {
  return fmt::format("{}=\"{}\"", key, escape_label(value));
}

std::string labels_of(const Metrics::ToolKey& key) {
  return label("upstream", key.first) + "," + label("tool", key.second);
}

void write_counts(MetricsText& page, const Metrics& metrics, std::string_view key,
                  std::map<std::string, std::uint64_t, std::less<>> ToolCounts::* member) {
  for (const auto& [tool, counts] : metrics.tools()) {
    for (const auto& [value, number] : counts.*member) {
      page.sample(labels_of(tool) + "," + label(key, value), number);
    }
  }
}

void write_latencies(MetricsText& page, const Metrics& metrics) {
  page.family("tool_call_duration_seconds", "histogram",
              "Time from a call to the upstream's answer.");
  for (const auto& [tool, counts] : metrics.tools()) {
    const std::string labels = labels_of(tool);
    std::uint64_t calls_within = 0;  // buckets are cumulative
    for (std::size_t i = 0; i < kLatencyBounds.size(); ++i) {
      calls_within += counts.latencies[i];
      page.sample(labels + "," + label("le", seconds(kLatencyBounds[i])), calls_within, "_bucket");
    }
    page.sample(labels + "," + label("le", "+Inf"), counts.calls, "_bucket");
    page.sample(labels, seconds(counts.total_time.count()), "_sum");
    page.sample(labels, counts.calls, "_count");
  }
}

void write_tools(MetricsText& page, const Metrics& metrics) {
  page.family("tool_calls_total", "counter", "Calls by outcome.");
  write_counts(page, metrics, "outcome", &ToolCounts::outcomes);
  page.family("tool_answers_total", "counter", "Shaped answers by how much of them was shown.");
  write_counts(page, metrics, "fidelity", &ToolCounts::fidelities);
  write_latencies(page, metrics);
  using Weight = serve::LogLine::Weight;
  const auto write_sums = [&](std::string_view metric, std::string_view help,
                              std::uint64_t Weight::* member) {
    page.family(metric, "counter", help);
    for (const auto& [tool, counts] : metrics.tools()) {
      page.sample(labels_of(tool), counts.weight.*member);
    }
  };
  write_sums("tool_tokens_before_total", "Tokens of the answers as the upstream gave them.",
             &Weight::tokens_before);
  write_sums("tool_tokens_after_total", "Tokens of the answers as clients got them.",
             &Weight::tokens_after);
  write_sums("tool_received_bytes_total", "Bytes of the upstream's results.", &Weight::bytes_in);
  write_sums("tool_sent_bytes_total", "Bytes of the results that clients got.", &Weight::bytes_out);
  write_sums("tool_archived_bytes_total", "Bytes of the answers that were archived.",
             &Weight::archived_bytes);
}

void write_upstreams(MetricsText& page, const Report& report) {
  const auto write_each = [&](std::string_view metric, std::string_view type, std::string_view help,
                              const std::function<std::uint64_t(const UpstreamReport&)>& value) {
    page.family(metric, type, help);
    for (const UpstreamReport& one : report.upstreams) {
      page.sample(label("upstream", one.name), value(one));
    }
  };
  page.family("upstream_state", "gauge", "1 for the state that the upstream is in.");
  for (const UpstreamReport& one : report.upstreams) {
    for (const UpstreamState state : kStates) {
      page.sample(label("upstream", one.name) + "," + label("state", name(state)),
                  one.state == state ? 1 : 0);
    }
  }
  write_each("upstream_connections", "gauge", "Connections that are ready.",
             [](const auto& one) { return one.connections; });
  write_each("upstream_breaker_open", "gauge",
             "1 while calls are refused because it failed too often.",
             [](const auto& one) { return one.state == UpstreamState::open ? 1U : 0U; });
  write_each("upstream_failures_in_row", "gauge", "Failures since its last answer.",
             [](const auto& one) { return one.failures_in_row; });
  write_each("upstream_failures_total", "counter", "Times that it broke or could not be reached.",
             [](const auto& one) { return one.failures; });
  write_each("upstream_restarts_total", "counter", "Connections made again after they broke.",
             [](const auto& one) { return one.restarts; });
}

constexpr std::string_view kThrottled = "RATE_LIMIT_EXCEEDED";  // code of calls over a rate limit
constexpr std::size_t kMaxWarnings = 100;                       // of warn_once
constexpr const char* kUnnamedUpstream = "upstream";  // the only upstream of a command line

}  // namespace

void Metrics::record(std::string_view upstream, const serve::LogLine& call) {
  const ToolKey key{upstream, call.tool};
  auto found = tools_.find(key);
  if (found == tools_.end()) {
    const bool has_room = tools_.size() < kMaxTools && call.tool.size() <= kMaxNameLength;
    found = tools_.try_emplace(has_room ? key : ToolKey{kOther, kOther}).first;
  }
  ToolCounts& counts = found->second;
  ++counts.calls;
  count_value(counts.outcomes, call.outcome);
  count_value(counts.fidelities, call.fidelity);
  const auto bucket =
      std::lower_bound(kLatencyBounds.begin(), kLatencyBounds.end(), call.duration.count());
  ++counts.latencies[static_cast<std::size_t>(bucket - kLatencyBounds.begin())];
  counts.total_time += call.duration;
  counts.weight.bytes_in += call.weight.bytes_in;
  counts.weight.bytes_out += call.weight.bytes_out;
  counts.weight.tokens_before += call.weight.tokens_before;
  counts.weight.tokens_after += call.weight.tokens_after;
  counts.weight.archived_bytes += call.weight.archived_bytes;
}

const ToolCounts* Metrics::find(std::string_view upstream, std::string_view tool) const {
  const auto found = tools_.find({std::string(upstream), std::string(tool)});
  return found != tools_.end() ? &found->second : nullptr;
}

std::string_view name(UpstreamState state) {
  switch (state) {
    case UpstreamState::ready: return "ready";
    case UpstreamState::idle: return "idle";
    case UpstreamState::failing: return "failing";
    case UpstreamState::open: return "open";
  }
  return "idle";
}

bool Report::is_usable() const {
  return !draining && std::ranges::any_of(upstreams, [](const UpstreamReport& one) {
    return one.state != UpstreamState::open;
  });
}

std::string escape_label(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '"') {
      out += "\\\"";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

void write_stores(MetricsText& page, const Report& report) {
  if (report.stores.empty()) return;
  page.family("store_up", "gauge", "1 when the last use of the store did not fail.");
  for (const StoreReport& one : report.stores) {
    page.sample(label("store", one.name), one.is_up ? 1 : 0);
  }
  page.family("store_failures_total", "counter", "Uses of the store that failed.");
  for (const StoreReport& one : report.stores) page.sample(label("store", one.name), one.failures);
}

std::string write_metrics(const Metrics& metrics, const Report& report) {
  MetricsText page;
  page.family("build_info", "gauge", "1, with the version of the gateway.");
  page.sample(label("version", report.version), 1);
  page.single("ready", "gauge", "1 when at least one upstream can be called now.",
              report.is_usable() ? 1 : 0);
  page.single("sessions", "gauge", "Sessions of clients that are open.", report.sessions);
  page.single("open_calls", "gauge", "Calls that wait for an upstream.", report.open_calls);
  write_upstreams(page, report);
  if (report.archive.is_known) {
    page.single("archive_entries", "gauge", "Answers in the archive.", report.archive.entries);
    page.single("archive_bytes", "gauge", "Their bytes.", report.archive.bytes);
    page.single("archive_stored_bytes", "gauge", "Their stored bytes, after compression.",
                report.archive.stored_bytes);
  }
  write_stores(page, report);
  write_tools(page, metrics);
  return page.take();
}

std::string write_health(const Report& report) {
  const char* const status = report.is_usable() ? "ok"
                             : report.draining  ? "draining"
                                                : "unavailable";
  json::Writer writer;
  writer.begin_object().member("status", status).member("version", report.version);
  writer.key("upstreams").begin_object();
  for (const UpstreamReport& one : report.upstreams) writer.member(one.name, name(one.state));
  writer.end_object();
  if (!report.stores.empty()) {
    writer.key("stores").begin_object();
    for (const StoreReport& one : report.stores) {
      writer.member(one.name, one.is_up ? "ready" : "failing");
    }
    writer.end_object();
  }
  writer.end_object();
  return std::move(writer).finish().str();
}

std::string_view metrics_name(std::string_view upstream) {
  return upstream.empty() ? std::string_view(kUnnamedUpstream) : upstream;
}

// Clients may call any name, so a name is counted only if the upstream lists it or, while the list
// is not known, if the call has succeeded. Names with secrets are not counted.
bool CallLog::is_counted_by_name(const serve::LogLine& call) const {
  if (metrics_.find(metrics_name(call.upstream), call.tool) != nullptr) return true;
  if (call.upstream == Metrics::kLocalUpstream) return true;
  const redact::Policy* const policy = policy_for(environment_.settings, RedactionChannel::metrics);
  if (policy != nullptr && !redact::find_secrets(call.tool, *policy).empty()) return false;
  const std::optional<bool> is_listed = is_listed_(call.upstream, call.tool);
  return is_listed.value_or(call.outcome != "failed" && call.outcome != "refused");
}

void CallLog::count(const serve::LogLine& call, CallDetails details) {
  details.is_listed = is_counted_by_name(call);
  if (details.is_listed) {
    metrics_.record(metrics_name(call.upstream), call);
  } else {
    serve::LogLine unknown = call;
    unknown.tool = Metrics::kUnknown;
    metrics_.record(metrics_name(call.upstream), unknown);
  }
  if (listener_) listener_(call, details);
}

void CallLog::record(const serve::LogLine& call, CallDetails details) {
  if (call.event == "call") count(call, std::move(details));
  if (call.code == kThrottled && throttled_.take(environment_.host.now())) {
    serve::LogLine warning = call;
    warning.level = serve::LogLine::Level::warning;
    environment_.log(warning);
    return;
  }
  const bool is_ordinary_call = call.event == "call" && call.level == serve::LogLine::Level::info;
  if (environment_.settings.logs_calls || !is_ordinary_call) environment_.log(call);
}

void CallLog::warn_once(const std::string& key, const serve::LogLine& warning) {
  if (warned_.size() >= kMaxWarnings || !warned_.insert(key).second) return;
  environment_.log(warning);
}

serve::Log CallLog::for_local_tools() {
  return [this](const serve::LogLine& line) {
    serve::LogLine local = line;
    local.upstream = Metrics::kLocalUpstream;
    record(local);
  };
}

// The first 16 answers and then every sixteenth are measured, so that the estimate follows changes.
const serve::LogLine::Weight* CallLog::sums_for_estimate(std::string_view upstream,
                                                         std::string_view tool) const {
  constexpr std::uint64_t kPeriod = 16;
  const ToolCounts* const counts = metrics_.find(metrics_name(upstream), tool);
  if (counts == nullptr || counts->calls <= kPeriod || counts->calls % kPeriod == 0) return nullptr;
  const bool is_known = counts->weight.bytes_in > 0 && counts->weight.bytes_out > 0;
  return is_known ? &counts->weight : nullptr;
}

}  // namespace enfold::gateway
