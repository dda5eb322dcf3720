// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/record/row.h"

#include "enfold/base/text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

void write_text_or_null(json::Writer& writer, std::string_view key, std::string_view text) {
  writer.key(key);
  text.empty() ? writer.null() : writer.string(text);
}

// Calls `use` with each word for what happened to the answer, in the order in which they are shown.
template <class Use>
void each_what(const RecordedCall& call, const Use& use) {
  if (call.is_cut) use("cut");
  if (call.is_repaired) use("repaired");
  if (call.is_redacted) use("redacted");
  if (call.is_failed) use("failed");
  const bool was_delivered =
      call.outcome == answer::CallOutcome::ok || call.outcome == answer::CallOutcome::partial;
  const bool was_changed = call.is_cut || call.is_repaired || call.is_redacted;
  if (was_delivered && !was_changed) use("whole");
}

// Why the client got more or fewer tokens than the upstream sent; empty: what is recorded does not
// prove it. Redaction and repair change the data, and a level leaves members out.
std::string_view reason_of(const RecordedCall& call) {
  const auto& [before, after] = std::pair(call.weight.tokens_before, call.weight.tokens_after);
  if (before == 0 || before == after) return {};
  if (after < before) return call.is_cut ? "cut" : std::string_view();
  if (!call.has_envelope || call.is_cut || call.is_repaired || call.is_redacted) return {};
  return call.is_text && !call.is_failed ? "text" : "envelope";
}

}  // namespace

std::string rfc3339(RecordTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (time - seconds).count());
}

void write_row(json::Writer& writer, const RecordedCall& call, const Recorder& recorder) {
  const auto number = [&](std::string_view key, std::uint64_t value) { writer.member(key, value); };
  writer.begin_object();
  number("id", call.id);
  writer.member("time", rfc3339(call.time)).member("client", recorder.client_of(call));
  write_text_or_null(writer, "principal", recorder.principal_of(call));
  writer.member("upstream", recorder.upstream_of(call));
  writer.member("tool", recorder.tool_of(call)).key("http");
  call.http_status == 0 ? writer.null() : writer.integer(call.http_status);
  writer.member("rpc", call.is_refused ? "error" : "ok");
  writer.member("outcome", answer::name(call.outcome));
  write_text_or_null(writer, "kind", call.kind ? model::name(*call.kind) : std::string_view());
  number("tokens_before", call.weight.tokens_before);
  number("tokens_after", call.weight.tokens_after);
  writer.member("exact", call.is_exact);
  write_text_or_null(writer, "reason", reason_of(call));
  number("bytes_before", call.weight.bytes_in);
  number("bytes_after", call.weight.bytes_out);
  writer.key("what").begin_array();
  each_what(call, [&](std::string_view what) { writer.string(what); });
  writer.end_array().key("ms").real(static_cast<double>(call.duration.count()) / 1000);
  write_text_or_null(writer, "handle", call.handle);
  writer.member("recorded", call.answer != nullptr);
  write_text_or_null(writer, "request_id", call.request_id);
  write_text_or_null(writer, "error", call.error);
  writer.member("from_cache", call.is_from_cache).end_object();
}

bool RowFilter::accepts(const RecordedCall& call, const Recorder& recorder) const {
  if (call.id >= before || call.id <= after) return false;
  const auto is = [](const std::string& wanted, std::string_view name) {
    return wanted.empty() || name == wanted;
  };
  if (!is(client, recorder.client_of(call)) || !is(principal, recorder.principal_of(call)) ||
      !is(upstream, recorder.upstream_of(call)) || !is(tool, recorder.tool_of(call)) ||
      !is(outcome, answer::name(call.outcome))) {
    return false;
  }
  if (!what.empty()) {
    bool found = false;
    each_what(call, [&](std::string_view one) { found = found || one == what; });
    if (!found) return false;
  }
  if (text.empty()) return true;
  const std::string wanted = to_lower(text);
  const auto has = [&](std::string_view in) {
    return to_lower(in).find(wanted) != std::string::npos;
  };
  return has(recorder.tool_of(call)) || has(recorder.upstream_of(call)) ||
         has(recorder.client_of(call)) || has(recorder.principal_of(call)) || has(call.error) ||
         has(call.handle) || has(call.request_id);
}

}  // namespace enfold::gateway
