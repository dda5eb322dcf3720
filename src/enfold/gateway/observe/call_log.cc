// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/call_log.h"

namespace enfold::gateway {
namespace {

constexpr std::size_t kMostWarnings = 100;
constexpr const char* kLocal = "enfold";
constexpr const char* kUnnamed = "upstream";

}  // namespace

std::string_view metrics_name(std::string_view upstream) {
  return upstream.empty() ? std::string_view(kUnnamed) : upstream;
}

// Clients may call any name, so a name that is in no list is counted only after a call of it was
// answered.
bool CallLog::is_counted_by_name(const serve::LogLine& call) const {
  if (metrics_.find(metrics_name(call.upstream), call.tool) != nullptr) return true;
  if (call.upstream == kLocal) return true;
  const std::optional<bool> is_listed = is_listed_(call.upstream, call.tool);
  return is_listed.value_or(call.outcome != "failed" && call.outcome != "refused");
}

void CallLog::note(const serve::LogLine& call) {
  if (call.event == "call" && is_counted_by_name(call)) {
    metrics_.record(metrics_name(call.upstream), call);
  } else if (call.event == "call") {
    serve::LogLine unknown = call;
    unknown.tool = Metrics::kUnknown;
    metrics_.record(metrics_name(call.upstream), unknown);
  }
  environment_.log(call);
}

void CallLog::warn_once(const std::string& key, const serve::LogLine& warning) {
  if (warned_.size() >= kMostWarnings || !warned_.insert(key).second) return;
  environment_.log(warning);
}

serve::Log CallLog::for_local_tools() {
  return [this](const serve::LogLine& line) {
    serve::LogLine local = line;
    local.upstream = kLocal;
    note(local);
  };
}

// Every sixteenth answer is measured, so that the estimate follows what a tool returns.
const serve::LogLine::Weight* CallLog::typical(std::string_view upstream,
                                               std::string_view tool) const {
  constexpr std::uint64_t kOneOf = 16;
  const ToolCounts* const counts = metrics_.find(metrics_name(upstream), tool);
  if (counts == nullptr || counts->calls <= kOneOf || counts->calls % kOneOf == 0) return nullptr;
  const bool is_known = counts->weight.bytes_in > 0 && counts->weight.bytes_out > 0;
  return is_known ? &counts->weight : nullptr;
}

}  // namespace enfold::gateway
