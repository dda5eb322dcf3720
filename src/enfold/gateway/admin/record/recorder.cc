// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/record/recorder.h"

#include "enfold/base/text.h"
#include "enfold/gateway/admin/record/shown.h"
#include "enfold/json/write.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxHistories = 500;            // one for each tool
constexpr std::size_t kMaxOpened = 20'000;            // handles whose openings are counted
constexpr std::size_t kMaxHandleBytes = 71;           // "sha256:" and 64 digits
constexpr std::size_t kMaxConfiguredNames = 100'000;  // names of upstreams and principals
constexpr std::size_t kMaxIdBytes = 128;              // of a request id, which clients may choose

// The memory that a JSON value keeps alive: the whole message that it is part of, with its index.
std::size_t bytes_of(const json::Value& value) {
  const json::detail::Storage* const storage = value.view().storage();
  if (storage == nullptr) return 0;
  return storage->bytes.capacity() + storage->containers.size() * sizeof(json::detail::Container);
}

// The memory that an original keeps alive. The texts of its plan are counted one by one, because
// clients choose how long they are.
std::size_t bytes_of(const RecordedAnswer& answer) {
  constexpr std::size_t kPlanBytes = 4'096;
  const tools::CallPlan& plan = answer.plan->about.plan;
  return sizeof(RecordedAnswer) + kPlanBytes + plan.called_as.size() + plan.client.size() +
         plan.request_id.size() + answer.reply.size() + bytes_of(plan.arguments) +
         bytes_of(answer.source);
}

// The words of the arguments, as a JSON array. A recorded answer keeps them in place of the
// arguments, which would keep the whole request, with its secrets. Only an answer that was cut
// needs them: a cut prefers records with these words.
json::Value words_of(json::View arguments) {
  json::Writer writer;
  writer.begin_array();
  for (const std::string& word : budget::terms_of(arguments)) writer.string(word);
  return std::move(writer.end_array()).finish_value();
}

// Equal arguments have the same hash; 0 (not known) for long ones, which would take too much time.
std::uint64_t hash_of(json::View arguments) {
  constexpr std::size_t kMaxHashedBytes = 4'096;
  const std::string_view text = arguments.raw();
  return text.size() <= kMaxHashedBytes ? std::hash<std::string_view>()(text) : 0;
}

answer::CallOutcome outcome_named(std::string_view name) {
  for (const answer::CallOutcome outcome :
       {answer::CallOutcome::ok, answer::CallOutcome::partial, answer::CallOutcome::failed,
        answer::CallOutcome::input_required, answer::CallOutcome::refused}) {
    if (answer::name(outcome) == name) return outcome;
  }
  return answer::CallOutcome::cancelled;
}

std::unique_ptr<const RefitSettings> refit_settings_of(const tools::CallPlan& plan) {
  RefitSettings settings{.level = plan.level.level};
  settings.budget = {.profile = plan.profile,
                     .tokens = plan.fit.budget.tokens,
                     .target = plan.fit.target,
                     .characters = plan.fit.budget.characters,
                     .lines = plan.fit.budget.lines};
  settings.contract = plan.contract.value_or(settings.contract);
  return std::make_unique<const RefitSettings>(settings);
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

// The HTTP status of the upstream's response. The details have it only for failures; a result over
// HTTP had status 200. 0: there was no HTTP response.
int http_status_of(const CallDetails& details) {
  if (details.http_status != 0 || !details.plan || !details.plan->about.over_http) {
    return details.http_status;
  }
  const bool has_result = details.facts != nullptr && !details.facts->source->is_null();
  return has_result && !details.plan->about.plan.cache_hit ? 200 : 0;
}

// The texts keep their memory for the next call.
void clear(RecordedCall& call) {
  static_cast<CallFacts&>(call) = {};
  call.request_id.clear();
  call.error.clear();
  call.handle.clear();
  call.fit.reset();
}

void add_to_history(ToolHistory& history, const RecordedCall& call) {
  ++history.calls;
  history.cut += call.is_cut ? 1 : 0;
  history.redacted += call.is_redacted ? 1 : 0;
  ToolHistory::Minute& minute = history.at(std::chrono::floor<std::chrono::minutes>(call.time));
  ++minute.calls;
  minute.tokens_before += call.weight.tokens_before;
  minute.tokens_after += call.weight.tokens_after;
}

}  // namespace

NamesTable::Id Recorder::configured_name(std::string_view name) {
  return configured_names_.find(
      name, [&] { return redacted(environment_, std::string(name)); }, kMaxConfiguredNames);
}

// Tools that no upstream lists (clients may invent them) get only half of the table, so that listed
// tools have the rest.
NamesTable::Id Recorder::tool_name(std::string_view name, bool is_listed) {
  const std::string short_name =
      name.size() > kMaxNameBytes ? utf8::shortened(name, kMaxNameBytes) : std::string();
  return tool_names_.find(
      short_name.empty() ? name : short_name,
      [&] { return utf8::shortened(redacted(environment_, std::string(name)), kMaxNameBytes); },
      is_listed ? NamesTable::kMaxTexts : NamesTable::kMaxTexts / 2);
}

NamesTable::Id Recorder::client_name(const CallDetails& details) {
  constexpr std::size_t kMaxInfoBytes = 512;
  if (details.caller == nullptr) return 0;
  const std::string_view info = details.caller->client_info.view().raw();
  RecentClient& recent = recent_clients_.at(info.size() % recent_clients_.size());
  if (recent.info == info) return recent.id;
  const std::string name = name_and_version(*details.caller);
  const NamesTable::Id id = clients_.find(utf8::shortened(name, kMaxNameBytes), [&] {
    return utf8::shortened(redacted(environment_, name), kMaxNameBytes);
  });
  if (info.size() <= kMaxInfoBytes) recent = {std::string(info), id};
  return id;
}

ToolHistory* Recorder::name_tool(RecordedCall& call, const serve::LogLine& line, bool is_listed) {
  const std::string_view upstream = metrics_name(line.upstream);
  const auto letter = static_cast<unsigned char>(line.tool.empty() ? 0 : line.tool.back());
  RecentTool& recent = recent_tools_.at(letter % recent_tools_.size());
  if (is_listed && recent.tool == line.tool && recent.upstream == upstream) {
    call.upstream = recent.upstream_id;
    call.tool = recent.tool_id;
    return recent.history;
  }
  call.upstream = configured_name(upstream);
  call.tool = tool_name(line.tool, is_listed);
  if (!is_listed) return nullptr;
  const auto tool = std::pair(call.upstream, call.tool);
  const auto found = tools_.find(tool);
  ToolHistory* const history = found != tools_.end()           ? &found->second
                               : tools_.size() < kMaxHistories ? &tools_[tool]
                                                               : nullptr;
  if (line.tool.size() <= kMaxNameBytes) {
    recent = {std::string(upstream), line.tool, call.upstream, call.tool, history};
  }
  return history;
}

void Recorder::add(const serve::LogLine& line, const CallDetails& details) {
  const auto place = calls_.next();
  RecordedCall& call = place.element;
  if (place.is_used) {
    drop_original(call);
    clear(call);
  }
  call.id = ++last_id_;
  call.time = std::chrono::floor<std::chrono::milliseconds>(environment_.host.calendar());
  call.client = client_name(details);
  // Without principals all calls have the same principal, so it is not shown.
  if (!environment_.settings.principals.empty()) call.principal = configured_name(line.principal);
  ToolHistory* const history = name_tool(call, line, details.is_listed);
  call.outcome = outcome_named(line.outcome);
  if (line.request_id.size() <= kMaxIdBytes) {
    call.request_id = line.request_id;
  } else {
    call.request_id = utf8::shortened(line.request_id, kMaxIdBytes);
  }
  call.weight = line.weight;
  call.duration = line.duration;
  call.is_cut = !line.fidelity.empty() && line.fidelity != "full";
  call.is_failed =
      call.outcome == answer::CallOutcome::failed || call.outcome == answer::CallOutcome::refused;
  describe(call, details);
  if (details.facts != nullptr) keep_original(call, details);
  if (!line.fetched_handle.empty()) count_opened(line, call.outcome);
  if (history != nullptr) add_to_history(*history, call);
  make_room();
}

void Recorder::describe(RecordedCall& call, const CallDetails& details) const {
  call.http_status = http_status_of(details);
  call.is_refused = details.is_refused;
  call.is_exact = details.is_exact;
  if (details.plan) {
    call.is_from_cache = details.plan->about.plan.cache_hit;
    call.arguments_hash = hash_of(details.plan->about.plan.arguments.view());
  }
  if (details.facts == nullptr) return;
  call.has_envelope = details.plan && details.plan->about.plan.contract;
  call.is_text = details.facts->is_text;
  call.is_repaired = details.facts->is_repaired;
  call.is_redacted = details.facts->redactions > 0;
  call.kind = details.facts->kind;
  call.error = details.facts->error;
  call.handle = details.facts->receipt.handle;
  if (!call.handle.empty() && details.plan) call.fit = refit_settings_of(details.plan->about.plan);
}

// `line.fetched_handle` is what the client passed to `enfold_fetch`, which need not be a handle. So
// only calls that succeeded are counted.
void Recorder::count_opened(const serve::LogLine& line, answer::CallOutcome outcome) {
  const bool was_opened =
      outcome == answer::CallOutcome::ok || outcome == answer::CallOutcome::partial;
  if (!was_opened || line.fetched_handle.size() > kMaxHandleBytes) return;
  if (opened_.size() < kMaxOpened || opened_.contains(line.fetched_handle))
    ++opened_[line.fetched_handle];
}

// Changes the plan of the call: nothing else uses it, because the call has ended. An original that
// is larger than the limit would be dropped at once, and all others with it.
void Recorder::keep_original(RecordedCall& call, const CallDetails& details) {
  if (limits_.bytes == 0 || !details.plan || details.reply == nullptr) return;
  // A redacted original has no secrets to redact any more, so the reply cannot be written again
  // from it: the warnings would differ.
  const bool needs_reply = details.facts->source->is_null() || call.is_redacted;
  if (needs_reply && call.weight.bytes_out > limits_.bytes) return;
  if (!originals_limit_.take(environment_.host.now())) return;
  auto answer = std::make_shared<RecordedAnswer>();
  AnswerContext& about = details.plan->about;
  about.caller.reset();
  about.plan.arguments = call.is_cut ? words_of(about.plan.arguments.view()) : json::Value();
  answer->plan = details.plan;
  answer->source = details.facts->source;
  answer->receipt = details.facts->receipt;
  if (needs_reply) answer->reply = text_of(*details.reply);
  answer->bytes = bytes_of(*answer);
  if (answer->bytes > limits_.bytes) return;
  bytes_ += answer->bytes;
  ++original_count_;
  call.answer = std::move(answer);
}

void Recorder::drop_original(RecordedCall& call) {
  if (!call.answer) return;
  bytes_ -= call.answer->bytes;
  --original_count_;
  call.answer.reset();
}

void Recorder::make_room() {
  if (bytes_ <= limits_.bytes) return;
  const std::uint64_t first = last_id_ + 1 - calls_.size();
  oldest_original_ = std::max(oldest_original_, first);
  for (; bytes_ > limits_.bytes && oldest_original_ <= last_id_; ++oldest_original_) {
    drop_original(calls_[oldest_original_ - first]);
  }
}

void Recorder::set_counted(std::uint64_t id, std::uint64_t tokens_before,
                           std::uint64_t tokens_after) {
  if (find(id) == nullptr) return;
  RecordedCall& call = calls_[id - (last_id_ + 1 - calls_.size())];
  if (call.is_exact) return;
  call.weight.tokens_before = tokens_before;
  call.weight.tokens_after = tokens_after;
  call.is_exact = true;
}

const RecordedCall* Recorder::find(std::uint64_t id) const {
  const std::uint64_t first = last_id_ + 1 - calls_.size();
  return id >= first && id <= last_id_ ? &calls_[id - first] : nullptr;
}

}  // namespace enfold::gateway
