// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/upstream_set.h"

#include "enfold/net/tls.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

bool is_same(const std::shared_ptr<net::TlsContext>& a, const std::shared_ptr<net::TlsContext>& b) {
  return a == b || (a && b && a->is_like(*b));
}

bool is_same(const client::Target& a, const client::Target& b) {
  if (a.index() != b.index()) return false;
  if (const auto* program = std::get_if<client::StdioTarget>(&a)) {
    const auto& other = *std::get_if<client::StdioTarget>(&b);
    return program->command == other.command && program->environment == other.environment &&
           program->folder == other.folder;
  }
  const auto& endpoint = *std::get_if<client::HttpTarget>(&a);
  const auto& other = *std::get_if<client::HttpTarget>(&b);
  return endpoint.url.origin() == other.url.origin() && endpoint.url.target == other.url.target &&
         is_same(endpoint.tls, other.tls) && endpoint.headers == other.headers;
}

// The settings that connections depend on. The others may change without a new connection.
bool has_same_connections(const UpstreamSettings& a, const UpstreamSettings& b) {
  return a.name == b.name && is_same(a.target, b.target) && a.eras == b.eras &&
         a.startup_timeout == b.startup_timeout && a.idle_timeout == b.idle_timeout &&
         a.call_timeout == b.call_timeout &&
         a.circuit_breaker.initial_backoff == b.circuit_breaker.initial_backoff &&
         a.circuit_breaker.max_backoff == b.circuit_breaker.max_backoff &&
         a.circuit_breaker.failure_threshold == b.circuit_breaker.failure_threshold;
}

auto find_like(UpstreamSet::List& upstreams, const UpstreamSettings& settings) {
  return std::ranges::find_if(upstreams, [&](const std::unique_ptr<Upstream>& one) {
    return one && has_same_connections(one->settings, settings);
  });
}

}  // namespace

UpstreamSet::UpstreamSet(std::vector<UpstreamSettings> settings) {
  for (UpstreamSettings& one : settings) {
    current_.push_back(std::make_unique<Upstream>(std::move(one), ++last_number_));
  }
  index();
}

void UpstreamSet::index() {
  by_number_.clear();
  by_name_.clear();
  by_settings_.clear();
  longest_name_ = 0;
  for (std::size_t i = 0; i < current_.size(); ++i) {
    Upstream* const one = current_[i].get();
    one->position = i;
    by_number_.emplace(one->number, one);
    by_name_.emplace(one->settings.name, one);
    longest_name_ = std::max(longest_name_, one->settings.name.size());
  }
  for (const List* const list : {&current_, &joining_, &leaving_}) {
    for (const auto& one : *list) by_settings_.emplace(&one->settings, one.get());
  }
}

bool UpstreamSet::any_reached() const {
  return std::ranges::any_of(current_, [](const auto& one) { return one->identity.has_value(); });
}

Upstream* UpstreamSet::with_number(std::uint64_t number) const {
  const auto found = by_number_.find(number);
  return found != by_number_.end() ? found->second : nullptr;
}

Upstream* UpstreamSet::with_name(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : nullptr;
}

Upstream& UpstreamSet::of(const UpstreamConnection& link) const {
  return *by_settings_.find(&link.settings())->second;  // an upstream outlives its connections
}

void UpstreamSet::join(const std::vector<UpstreamSettings>& settings) {
  for (const UpstreamSettings& one : settings) {
    if (find_like(current_, one) != current_.end()) continue;
    joining_.push_back(std::make_unique<Upstream>(one, ++last_number_));
  }
  index();
}

void UpstreamSet::discard_joining() {
  for (auto& one : joining_) leaving_.push_back(std::move(one));
  joining_.clear();
}

UpstreamSet::Change UpstreamSet::replace(std::vector<UpstreamSettings> settings) {
  Change change;
  List next;
  for (UpstreamSettings& one : settings) {
    const auto known = find_like(current_, one);
    if (known != current_.end()) ++change.kept;
    auto& found = known != current_.end() ? *known : *find_like(joining_, one);
    found->settings = std::move(one);
    next.push_back(std::move(found));
  }
  std::swap(current_, next);
  change.joined = joining_.size();
  joining_.clear();
  for (auto& one : next) {
    if (!one) continue;
    change.removed.push_back(one.get());
    leaving_.push_back(std::move(one));
  }
  index();
  return change;
}

void UpstreamSet::erase_leaving(const std::function<bool(const Upstream&)>& is_unused) {
  const auto erased = std::erase_if(
      leaving_, [&](const std::unique_ptr<Upstream>& one) { return is_unused(*one); });
  if (erased > 0) index();
}

}  // namespace enfold::gateway
