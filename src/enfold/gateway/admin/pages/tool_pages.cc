// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/tool_pages.h"

#include "enfold/gateway/admin/record/row.h"

#include <algorithm>
#include <set>

namespace enfold::gateway {
namespace {

// Everything about one tool, collected on the loop's thread.
struct CollectedTool {
  SeenTool seen;
  std::string shown_upstream;  ///< redacted, like `shown_tool`
  std::string shown_tool;
  json::Value definition;  ///< null: not known
  ToolCounts counts;
  ToolHistory history;
};
using Collected = std::map<Metrics::ToolKey, CollectedTool>;

// The latency in milliseconds that this share of the calls (0.95: 95 %) does not exceed, rounded up
// to a bound of the histogram; 0: there are no calls.
double percentile(const ToolCounts& counts, double share) {
  const double wanted = share * static_cast<double>(counts.calls);
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i < kLatencyBounds.size(); ++i) {
    passed += counts.latencies.at(i);
    if (counts.calls > 0 && static_cast<double>(passed) >= wanted) {
      return static_cast<double>(kLatencyBounds.at(i)) / 1000;
    }
  }
  return counts.calls == 0 ? 0 : static_cast<double>(kLatencyBounds.back()) / 1000;
}

std::uint64_t failed_calls(const ToolCounts& counts) {
  std::uint64_t failed = 0;
  for (const auto& [outcome, calls] : counts.outcomes) {
    if (outcome == "failed" || outcome == "refused") failed += calls;
  }
  return failed;
}

void write_trend(json::Writer& writer, const ToolHistory& history,
                 std::chrono::sys_time<std::chrono::minutes> now) {
  std::vector<const ToolHistory::Minute*> minutes;
  for (const ToolHistory::Minute& one : history.minutes) {
    const bool is_recent = now - one.begin < std::chrono::minutes(ToolHistory::kMinutes);
    if (one.calls > 0 && is_recent) minutes.push_back(&one);
  }
  std::ranges::sort(minutes, {}, &ToolHistory::Minute::begin);
  writer.key("trend").begin_array();
  for (const ToolHistory::Minute* one : minutes) {
    writer.begin_object().member("time", rfc3339(one->begin)).member("calls", one->calls);
    writer.member("tokens_before", one->tokens_before);
    writer.member("tokens_after", one->tokens_after).end_object();
  }
  writer.end_array();
}

void write_tool(json::Writer& writer, const CollectedTool& tool,
                std::chrono::sys_time<std::chrono::minutes> now) {
  const ToolCounts& counts = tool.counts;
  writer.begin_object().member("upstream", tool.shown_upstream).member("tool", tool.shown_tool);
  writer.member("definition_tokens", tool.seen.definition_tokens);
  writer.member("calls", counts.calls).member("failed", failed_calls(counts));
  writer.member("cut", tool.history.cut).member("redacted", tool.history.redacted);
  writer.member("tokens_before", counts.weight.tokens_before);
  writer.member("tokens_after", counts.weight.tokens_after);
  writer.member("bytes_before", counts.weight.bytes_in);
  writer.key("p50_ms").real(percentile(counts, 0.5)).key("p95_ms").real(percentile(counts, 0.95));
  write_trend(writer, tool.history, now);
  writer.key("advice").begin_array();
  // Advice contains the name of the tool as it is, so a redacted name gets none.
  const bool is_redacted = tool.shown_tool != tool.seen.tool;
  for (const Advice& advice : is_redacted ? std::vector<Advice>() : advise(tool.seen)) {
    writer.begin_object().member("reason", advice.reason).member("toml", advice.toml).end_object();
  }
  writer.end_array().end_object();
}

bool declares_read_only(json::View definition) {
  const auto annotations = definition.find("annotations");
  const auto hint = annotations ? annotations->find("readOnlyHint") : std::nullopt;
  return hint && hint->boolean();
}

// Adds the tools that the upstreams list.
void collect_definitions(const AdminSource& source, Collected& all) {
  const Settings& settings = source.calls.environment.settings;
  for (const auto& upstream : source.calls.upstreams.current()) {
    const auto known = upstream->known.find(mcp::Method::tools_list);
    if (known == upstream->known.end()) continue;
    for (const json::Value& definition : known->second) {
      const std::string name = json::string_member(definition.view(), "name").value_or("");
      if (name.empty()) continue;
      CollectedTool& tool = all[{std::string(metrics_name(upstream->settings.name)), name}];
      tool.definition = definition;
      tool.seen.upstream = upstream->settings.name;
      tool.seen.only_reads = declares_read_only(definition.view());
      tool.seen.is_cached = settings.rules_of(upstream->settings, name).cache_ttl.has_value();
    }
  }
}

// Adds histories and recorded calls to the tools in `all`.
void collect_calls(const Recorder& recorder, Collected& all) {
  std::map<std::pair<NamesTable::Id, NamesTable::Id>, CollectedTool*> by_ids;
  for (const auto& [ids, history] : recorder.tools()) {
    const auto tool = all.find(recorder.key_of(ids));
    if (tool == all.end()) continue;
    tool->second.history = history;
    by_ids[ids] = &tool->second;
  }
  // The handles that are counted already: equal answers share one.
  std::set<std::pair<CollectedTool*, std::string_view>> handles;
  for (const RecordedCall& call : recorder.calls()) {
    const auto found = by_ids.find({call.upstream, call.tool});
    if (found == by_ids.end()) continue;
    SeenTool& seen = found->second->seen;
    if (call.is_cut) {
      ++seen.cut;
      seen.cut_tokens += call.weight.tokens_after;
      const auto opened = recorder.opened().find(call.handle);
      if (opened != recorder.opened().end() && handles.emplace(found->second, call.handle).second) {
        seen.opened_again += opened->second;
      }
      if (call.answer) seen.target = call.answer->plan->about.plan.fit.target;
    }
    const bool is_answer = call.answer && !call.answer->source->is_null() && !call.is_from_cache &&
                           call.arguments_hash != 0;
    if (is_answer) seen.recorded.push_back({call.time, call.arguments_hash, call.answer});
  }
}

}  // namespace

void ToolPages::list(const Respond& respond) const {
  const Environment& environment = source_.calls.environment;
  auto all = std::make_shared<Collected>();
  collect_definitions(source_, *all);
  for (const auto& [key, counts] : source_.log.metrics().tools()) (*all)[key].counts = counts;
  for (auto& [key, tool] : *all) {
    tool.shown_upstream = shown(environment, key.first);
    tool.shown_tool = shown(environment, key.second);
    tool.seen.tool = key.second;
    tool.seen.calls = tool.counts.calls;
    tool.seen.watched =
        std::chrono::duration_cast<std::chrono::seconds>(environment.host.clock() - started_);
  }
  collect_calls(recorder_, *all);
  const auto now = std::chrono::floor<std::chrono::minutes>(environment.host.calendar());
  jobs_.run(
      [all, now](const auto&) {
        json::Writer writer;
        writer.begin_object().key("tools").begin_array();
        for (auto& [key, tool] : *all) {
          if (!tool.definition->is_null()) {
            tool.seen.definition_tokens = token::o200k_base().count(tool.definition->raw());
          }
          write_tool(writer, tool, now);
        }
        writer.end_array().end_object();
        return json_reply(std::move(writer));
      },
      respond);
}

}  // namespace enfold::gateway
