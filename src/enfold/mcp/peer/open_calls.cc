// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/peer/open_calls.h"

#include <algorithm>

namespace enfold::mcp {
namespace {

bool has_idle_timeout(const OpenCall& call) {
  return call.missing_inputs == 0 && call.options.idle_timeout.count() > 0;
}

}  // namespace

const OpenCall& OpenCalls::add(CallKey key, Id id, CallOptions options, Time now) {
  remove(key);
  const OpenCall& call =
      calls_.emplace(key, OpenCall{std::move(id), std::move(options), now, now, {}}).first->second;
  ids_.emplace(call.id, key);
  if (call.options.call_timeout.count() > 0) {
    call_deadlines_.emplace(now + call.options.call_timeout, key);
  }
  schedule_idle(key, call);
  return call;
}

void OpenCalls::remove(CallKey key) {
  const auto found = calls_.find(key);
  if (found == calls_.end()) return;
  const OpenCall& call = found->second;
  unschedule_idle(key, call);
  call_deadlines_.erase({call.started + call.options.call_timeout, key});
  ids_.erase(call.id);
  calls_.erase(found);
}

void OpenCalls::clear() {
  calls_.clear();
  ids_.clear();
  idle_deadlines_.clear();
  call_deadlines_.clear();
}

const OpenCall* OpenCalls::find(CallKey key) const {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : &found->second;
}

std::optional<CallKey> OpenCalls::with_id(const Id& id) const {
  const auto found = ids_.find(id);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<CallKey> OpenCalls::awaiting(const Id& id) const {
  const std::optional<CallKey> key = with_id(id);
  return key && calls_.at(*key).missing_inputs == 0 ? key : std::nullopt;
}

std::vector<CallKey> OpenCalls::keys() const {
  std::vector<CallKey> out;
  out.reserve(calls_.size());
  for (const auto& [key, call] : calls_) out.push_back(key);
  return out;
}

void OpenCalls::touch(CallKey key, Time now) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  call.last_activity = now;
  schedule_idle(key, call);
}

void OpenCalls::touch_all(Time now) {
  for (const auto& [key, call] : calls_) touch(key, now);
}

void OpenCalls::require_inputs(CallKey key, std::size_t number, std::optional<std::string> state,
                               Time now) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  ++call.rounds;
  call.inputs = {{}, std::move(state)};
  call.missing_inputs = number;
  call.last_activity = now;
  schedule_idle(key, call);
}

void OpenCalls::add_input(CallKey key, std::string input, json::Value response) {
  OpenCall& call = calls_.at(key);
  unschedule_idle(key, call);
  call.inputs.responses.push_back({std::move(input), std::move(response)});
  --call.missing_inputs;
  schedule_idle(key, call);
}

const OpenCall& OpenCalls::start_round(CallKey key, Id id, Time now) {
  OpenCall& call = calls_.at(key);
  ids_.erase(call.id);
  call.id = std::move(id);
  ids_.emplace(call.id, key);
  touch(key, now);
  return call;
}

std::optional<Time> OpenCalls::next_deadline(Timeouts which) const {
  std::optional<Time> next;
  if (!call_deadlines_.empty()) next = call_deadlines_.begin()->first;
  if (which == Timeouts::all && !idle_deadlines_.empty()) {
    const Time idle = idle_deadlines_.begin()->first;
    next = next ? std::min(*next, idle) : idle;
  }
  return next;
}

std::vector<CallKey> OpenCalls::late(Time now, Timeouts which) const {
  std::vector<CallKey> out;
  const auto take = [&](const Deadlines& deadlines) {
    for (auto each = deadlines.begin(); each != deadlines.end() && each->first <= now; ++each) {
      out.push_back(each->second);
    }
  };
  take(call_deadlines_);
  if (which == Timeouts::all) take(idle_deadlines_);
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

void OpenCalls::schedule_idle(CallKey key, const OpenCall& call) {
  if (!has_idle_timeout(call)) return;
  idle_deadlines_.emplace(call.last_activity + call.options.idle_timeout, key);
}

void OpenCalls::unschedule_idle(CallKey key, const OpenCall& call) {
  idle_deadlines_.erase({call.last_activity + call.options.idle_timeout, key});
}

}  // namespace enfold::mcp
