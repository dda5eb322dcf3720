// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/record/recorder.h"

#include "enfold/base/text.h"
#include "enfold/redact/redact.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxHistories = 500;  // tools
constexpr std::size_t kMaxOpened = 20'000;  // handles
constexpr std::size_t kMaxIdBytes = 128;    // of a request id, which clients may choose

// The memory that an original keeps: the message that it is part of, with its index, and the plan.
std::size_t bytes_of(const RecordedAnswer& answer) {
  constexpr std::size_t kPlanBytes = 4'096;
  std::size_t bytes = sizeof(RecordedAnswer) + kPlanBytes + answer.reply.size();
  if (const json::detail::Storage* const storage = answer.source.view().storage()) {
    bytes += storage->bytes.capacity();
    bytes += storage->containers.size() * sizeof(json::detail::Container);
  }
  return bytes;
}

// 0 for long arguments, which would take long; arguments that are equal have the same hash.
std::uint64_t hash_of(json::View arguments) {
  constexpr std::size_t kMaxHashedBytes = 4'096;
  const std::string_view text = arguments.raw();
  return text.size() <= kMaxHashedBytes ? std::hash<std::string_view>()(text) : 0;
}

// The result that the client gets, as JSON.
std::string text_of(const mcp::Reply& reply) {
  if (const auto* passed = std::get_if<mcp::UpstreamResult>(&reply)) {
    return std::string(passed->result.view().raw());
  }
  const auto* complete = std::get_if<mcp::CompleteResult>(&reply);
  if (complete == nullptr) return {};
  if (const auto* value = std::get_if<json::Value>(&complete->object)) {
    return std::string(value->view().raw());
  }
  const auto* written = std::get_if<json::Output>(&complete->object);
  return written != nullptr ? written->str() : std::string();
}

// Over HTTP a result came with status 200; a call that failed before has that of the failure.
int http_status_of(const CallDetails& details) {
  if (details.http_status != 0 || !details.plan || !details.plan->about.over_http) {
    return details.http_status;
  }
  const bool has_result = details.facts != nullptr && !details.facts->source->is_null();
  return has_result && !details.plan->about.plan.cache_hit ? 200 : 0;
}

}  // namespace

NamesTable::Id Recorder::name(std::string_view text) {
  return names_.find(text, [&] {
    const auto& policy = environment_.settings.answers.redaction;
    return policy ? redact::redact_text(text, *policy) : std::string(text);
  });
}

NamesTable::Id Recorder::add_client(const CallDetails& details) {
  if (details.caller == nullptr) return 0;
  return clients_.find(details.caller->client_info.view().raw(), [&] {
    const std::string version = details.caller->client_version();
    const std::string text =
        fmt::format("{}{}{}", details.caller->client_name(), version.empty() ? "" : " ", version);
    const auto& policy = environment_.settings.answers.redaction;
    return policy ? redact::redact_text(text, *policy) : text;
  });
}

void Recorder::add(const serve::LogLine& line, const CallDetails& details) {
  RecordedCall& call = calls_.emplace_back();
  call.id = ++last_id_;
  call.time = std::chrono::floor<std::chrono::milliseconds>(environment_.host.calendar());
  call.client = add_client(details);
  // Without principals all calls have the same name, which says nothing.
  const bool has_principals = !environment_.settings.principals.empty();
  call.principal = name(has_principals ? line.principal : std::string_view());
  call.upstream = name(metrics_name(line.upstream));
  call.tool = name(line.tool);
  call.outcome = name(line.outcome);
  call.request_id = utf8::shortened(line.request_id, kMaxIdBytes);
  call.weight = line.weight;
  call.duration = line.duration;
  call.http_status = http_status_of(details);
  call.is_refused = details.is_refused;
  call.is_exact = details.is_exact;
  call.is_cut = !line.fidelity.empty() && line.fidelity != "full";
  call.is_failed = line.outcome == "failed" || line.outcome == "refused";
  if (details.plan) {
    call.is_from_cache = details.plan->about.plan.cache_hit;
    call.arguments_hash = hash_of(details.plan->about.plan.arguments.view());
  }
  if (details.facts != nullptr) {
    call.is_repaired = details.facts->is_repaired;
    call.is_redacted = details.facts->redactions > 0;
    call.kind = details.facts->kind;
    call.error = details.facts->error;
    call.handle = details.facts->receipt.handle;
    keep_original(call, details);
  }
  count_opened(line);
  const auto tool = std::pair(call.upstream, call.tool);
  if (tools_.size() < kMaxHistories || tools_.contains(tool)) {
    ToolHistory& history = tools_[tool];
    ++history.calls;
    history.cut += call.is_cut ? 1 : 0;
    history.redacted += call.is_redacted ? 1 : 0;
    ToolHistory::Minute& minute = history.at(std::chrono::floor<std::chrono::minutes>(call.time));
    ++minute.calls;
    minute.tokens_before += call.weight.tokens_before;
    minute.tokens_after += call.weight.tokens_after;
  }
  make_room();
}

// The log line of `enfold_fetch` names the answer that was opened.
void Recorder::count_opened(const serve::LogLine& line) {
  if (line.opened.empty() || line.outcome == "failed") return;
  if (opened_.size() < kMaxOpened || opened_.contains(line.opened)) ++opened_[line.opened];
}

void Recorder::keep_original(RecordedCall& call, const CallDetails& details) {
  if (limits_.bytes == 0 || !details.plan || details.reply == nullptr) return;
  if (!originals_.take(environment_.host.now())) return;
  auto answer = std::make_shared<RecordedAnswer>();
  answer->plan = details.plan;
  answer->source = details.facts->source;
  answer->receipt = details.facts->receipt;
  if (answer->source->is_null()) answer->reply = text_of(*details.reply);
  bytes_ += bytes_of(*answer);
  ++original_count_;
  call.answer = std::move(answer);
}

void Recorder::drop_original(RecordedCall& call) {
  if (!call.answer) return;
  bytes_ -= bytes_of(*call.answer);
  --original_count_;
  call.answer.reset();
}

void Recorder::make_room() {
  while (calls_.size() > limits_.calls) {
    drop_original(calls_.front());
    calls_.pop_front();
  }
  const std::uint64_t first = last_id_ + 1 - calls_.size();
  oldest_original_ = std::max(oldest_original_, first);
  for (; bytes_ > limits_.bytes && oldest_original_ <= last_id_; ++oldest_original_) {
    drop_original(calls_[oldest_original_ - first]);
  }
}

const RecordedCall* Recorder::find(std::uint64_t id) const {
  const std::uint64_t first = last_id_ + 1 - calls_.size();
  return id >= first && id <= last_id_ ? &calls_[id - first] : nullptr;
}

}  // namespace enfold::gateway
