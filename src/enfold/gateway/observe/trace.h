// SPDX-License-Identifier: Apache-2.0
// W3C trace context: read from the headers or `_meta` of a call and forwarded to the upstream with
// a new parent id. An invalid trace context is dropped; it never makes a call fail.
#pragma once

#include "enfold/mcp/types/call.h"
#include "enfold/mcp/wire/headers.h"
#include "enfold/serve/host.h"

#include <array>

namespace enfold::gateway {

/// The names of the headers, and the same keys in `_meta`.
inline constexpr std::string_view kTraceParent = mcp::header::traceparent;
inline constexpr std::string_view kTraceState = mcp::header::tracestate;

struct TraceContext {
  std::string trace_id;   ///< 32 hex digits, not all 0
  std::string parent_id;  ///< 16 hex digits, not all 0: the span that caused this call
  std::string flags;      ///< 2 hex digits
  std::string state;      ///< tracestate: values of tracing vendors; empty: none

  friend bool operator==(const TraceContext&, const TraceContext&) = default;
};

/// The context of the header values. nullopt: `parent` is no traceparent of any version. A `state`
/// that is not valid is left out.
[[nodiscard]] std::optional<TraceContext> read_trace(std::string_view parent,
                                                     std::string_view state);

/// The value of the header traceparent: 00-TRACE-PARENT-FLAGS.
[[nodiscard]] std::string write_traceparent(const TraceContext& trace);

/// Whether a call may have a trace context: a fast test without parsing. Most calls have none.
[[nodiscard]] inline bool may_have_trace(const mcp::Call& call) {
  return !call.traceparent.empty() ||
         call.raw_params.view().raw().find("\"trace") != std::string_view::npos;
}
/// The trace context of a call, from `_meta`, else from the headers; nullopt: neither is valid.
[[nodiscard]] std::optional<TraceContext> trace_of(const mcp::Call& call);

/// The context for the upstream call: the same trace, with the span of this gateway as its parent.
/// `random` is the id of that span.
[[nodiscard]] TraceContext child_context(TraceContext trace,
                                         const std::array<std::uint8_t, 8>& random);

/// The params with this trace context in `_meta`; nullopt: without any.
[[nodiscard]] json::Value with_trace(const json::Value& params,
                                     const std::optional<TraceContext>& trace);
/// The headers traceparent and, if the context has a state, tracestate.
[[nodiscard]] std::vector<mcp::Header> trace_headers(const TraceContext& trace);

/// The params and headers of an upstream call.
struct TracedRequest {
  json::Value params;
  std::vector<mcp::Header> headers;
};
/// The params and headers of an upstream call with the trace context of the client's call, with a
/// new parent id. If the call has no valid context, `params` without one and no headers.
[[nodiscard]] TracedRequest forward_trace(const mcp::Call& call, const json::Value& params,
                                          serve::Host& host);

}  // namespace enfold::gateway
