// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/trace.h"

#include "enfold/base/text.h"
#include "enfold/json/document.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::size_t kParentLength = 55;      // version-trace-parent-flags: 2, 32, 16 and 2 digits
constexpr std::size_t kMaxStateLength = 4096;  // bytes; the standard requires at least 512
constexpr std::size_t kMaxStateMembers = 32;   // as in the standard
constexpr std::size_t kMaxPartLength = 256;    // of a key or a value in tracestate

// The standard allows only lower-case digits.
bool is_hex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) {
  return text.find_first_not_of('0') == std::string_view::npos;
}

// Whether the text is a valid member KEY=VALUE of tracestate.
bool is_state_member(std::string_view member) {
  const std::size_t equals = member.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = member.substr(0, equals);
  const std::string_view value = member.substr(equals + 1);
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const bool good_key =
      !key.empty() && key.size() <= kMaxPartLength && is_plain(key.front()) &&
      std::ranges::all_of(key, [&](char c) {
        return is_plain(c) || std::string_view("_-*/@").find(c) != std::string_view::npos;
      });
  return good_key && !value.empty() && value.size() <= kMaxPartLength &&
         std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~' && c != '='; });
}

// Whether the text is a valid tracestate with at least one member.
bool is_state(std::string_view state) {
  if (state.size() > kMaxStateLength) return false;
  std::size_t members = 0;
  while (!state.empty()) {
    const std::size_t comma = std::min(state.find(','), state.size());
    const std::string_view member = trimmed(state.substr(0, comma));
    if (!member.empty() && (!is_state_member(member) || ++members > kMaxStateMembers)) return false;
    state.remove_prefix(std::min(comma + 1, state.size()));
  }
  return members > 0;
}

}  // namespace

std::optional<TraceContext> read_trace(std::string_view parent, std::string_view state) {
  parent = trimmed(parent);
  if (parent.size() < kParentLength) return std::nullopt;
  const std::string_view version = parent.substr(0, 2);
  // Versions after 00 may append further fields with a dash; the first four keep their places.
  const bool good_length =
      parent.size() == kParentLength || (version != "00" && parent[kParentLength] == '-');
  const bool dashes = parent[2] == '-' && parent[35] == '-' && parent[52] == '-';
  const std::string_view trace = parent.substr(3, 32);
  const std::string_view span = parent.substr(36, 16);
  const std::string_view flags = parent.substr(53, 2);
  const bool digits = is_hex(version) && is_hex(trace) && is_hex(span) && is_hex(flags);
  if (!good_length || !dashes || !digits || version == "ff" || is_zero(trace) || is_zero(span)) {
    return std::nullopt;
  }
  TraceContext out{std::string(trace), std::string(span), std::string(flags), {}};
  state = trimmed(state);
  if (is_state(state)) out.state = state;
  return out;
}

std::string write_traceparent(const TraceContext& trace) {
  return fmt::format("00-{}-{}-{}", trace.trace_id, trace.parent_id, trace.flags);
}

std::optional<TraceContext> trace_of(const mcp::Call& call) {
  if (const auto meta = mcp::object_member(call.raw_params.view(), "_meta")) {
    const auto parent = json::string_member(*meta, kTraceParent);
    if (parent) {
      const std::string state = json::string_member(*meta, kTraceState).value_or("");
      if (auto trace = read_trace(*parent, state)) return trace;
    }
  }
  return read_trace(call.traceparent, call.tracestate);
}

TraceContext child_context(TraceContext trace, const std::array<std::uint8_t, 8>& random) {
  std::string span = to_hex(random);
  if (is_zero(span)) span.back() = '1';
  trace.parent_id = std::move(span);
  return trace;
}

json::Value with_trace(const json::Value& params, const std::optional<TraceContext>& trace) {
  const auto meta = params->is_object() ? mcp::object_member(params.view(), "_meta") : std::nullopt;
  const bool has_trace = meta && (meta->find(kTraceParent) || meta->find(kTraceState));
  if (!trace && !has_trace) return params;
  mcp::Overlay meta_overlay;
  const auto put = [&](std::string_view key, const std::string& text) {
    if (text.empty()) {
      meta_overlay.without(key);
    } else {
      meta_overlay.member(key, [&text](json::Writer& out) { out.string(text); });
    }
  };
  const std::string parent = trace ? write_traceparent(*trace) : std::string();
  const std::string state = trace ? trace->state : std::string();
  put(kTraceParent, parent);
  put(kTraceState, state);
  json::Writer writer;
  mcp::Overlay()
      .member("_meta",
              [&](json::Writer& out) { meta_overlay.write(out, meta.value_or(json::View())); })
      .write(writer, params.view());
  return std::move(writer).finish_value();
}

TracedRequest forward_trace(const mcp::Call& call, const json::Value& params, serve::Host& host) {
  std::optional<TraceContext> trace = trace_of(call);
  if (!trace) return {with_trace(params, std::nullopt), {}};
  std::array<std::uint8_t, 8> random{};
  host.fill_random(random);
  trace = child_context(std::move(*trace), random);
  return {with_trace(params, trace), trace_headers(*trace)};
}

std::vector<mcp::Header> trace_headers(const TraceContext& trace) {
  std::vector<mcp::Header> headers{{std::string(kTraceParent), write_traceparent(trace)}};
  if (!trace.state.empty()) headers.push_back({std::string(kTraceState), trace.state});
  return headers;
}

}  // namespace enfold::gateway
