// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/upstream_set.h"

#include "enfold/base/hidden_text.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/json/document.h"
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
           program->inherited_variables == other.inherited_variables &&
           program->limits == other.limits && program->folder == other.folder;
  }
  const auto& endpoint = *std::get_if<client::HttpTarget>(&a);
  const auto& other = *std::get_if<client::HttpTarget>(&b);
  return endpoint.url.origin() == other.url.origin() && endpoint.url.target == other.url.target &&
         is_same(endpoint.tls, other.tls) && endpoint.headers == other.headers &&
         endpoint.max_connections == other.max_connections;
}

// Compares the settings that connections depend on. The others may change without a new connection.
bool has_same_connections(const UpstreamSettings& a, const UpstreamSettings& b) {
  return a.name == b.name && is_same(a.target, b.target) && a.eras == b.eras &&
         a.is_shared == b.is_shared && a.startup_timeout == b.startup_timeout &&
         a.idle_timeout == b.idle_timeout && a.call_timeout == b.call_timeout &&
         a.circuit_breaker.initial_backoff == b.circuit_breaker.initial_backoff &&
         a.circuit_breaker.max_backoff == b.circuit_breaker.max_backoff &&
         a.circuit_breaker.failure_threshold == b.circuit_breaker.failure_threshold;
}

// Skips entries that replace() has moved to the next list.
auto find_with_same_connections(UpstreamSet::List& upstreams, const UpstreamSettings& settings) {
  return std::ranges::find_if(upstreams, [&](const std::unique_ptr<Upstream>& one) {
    return one && has_same_connections(one->settings, settings);
  });
}

constexpr std::size_t kMaxResources = 100'000;  // entries of ResourceOwners
constexpr std::string_view kUpstreamUriPrefix = "enfold://upstreams/";

// The text of a URI template before its first variable. `route` ignores an empty prefix, which
// every URI would match.
std::string template_prefix(json::View item) {
  const std::string text = json::string_member(item, "uriTemplate").value_or("");
  return text.substr(0, text.find('{'));
}

}  // namespace

UpstreamSet::UpstreamSet(std::vector<UpstreamSettings> settings) {
  for (UpstreamSettings& one : settings) {
    current_.push_back(std::make_unique<Upstream>(std::move(one), ++last_number_));
  }
  rebuild_index();
}

void UpstreamSet::rebuild_index() {
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

Upstream* UpstreamSet::with_name(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : nullptr;
}

Upstream& UpstreamSet::of(const UpstreamConnection& connection) const {
  return *by_settings_.at(&connection.settings());  // an upstream outlives its connections
}

void UpstreamSet::join(const std::vector<UpstreamSettings>& settings) {
  for (const UpstreamSettings& one : settings) {
    if (find_with_same_connections(current_, one) != current_.end()) continue;
    joining_.push_back(std::make_unique<Upstream>(one, ++last_number_));
  }
  rebuild_index();
}

void UpstreamSet::discard_joining() {
  for (auto& one : joining_) leaving_.push_back(std::move(one));
  joining_.clear();
}

UpstreamSet::Change UpstreamSet::replace(std::vector<UpstreamSettings> settings) {
  Change change;
  List next;
  for (UpstreamSettings& one : settings) {
    const auto known = find_with_same_connections(current_, one);
    if (known != current_.end()) ++change.kept;
    auto& found = known != current_.end() ? *known : *find_with_same_connections(joining_, one);
    found->settings = std::move(one);
    next.push_back(std::move(found));
  }
  std::swap(current_, next);
  change.joined = joining_.size();
  joining_.clear();
  for (auto& one : next) {
    if (!one) continue;  // kept
    change.removed.push_back(one.get());
    leaving_.push_back(std::move(one));
  }
  rebuild_index();
  return change;
}

void UpstreamSet::erase_leaving(const std::function<bool(const Upstream&)>& is_unused) {
  const auto erased = std::erase_if(
      leaving_, [&](const std::unique_ptr<Upstream>& one) { return is_unused(*one); });
  if (erased > 0) rebuild_index();
}

std::string Routes::shown(const Upstream& upstream, std::string_view name) const {
  return upstreams_.is_single() ? std::string(name) : shown_name(upstream.settings.name, name);
}

// A name may contain the separator more than once, so that the names of several upstreams match.
// The first of them in the configuration is used.
Route Routes::by_prefix(std::string_view shown, bool allows_empty) const {
  Route route;
  const std::string_view searched =
      shown.substr(0, upstreams_.longest_name() + kNameSeparator.size());
  for (std::size_t at = searched.find(kNameSeparator); at != std::string_view::npos;
       at = searched.find(kNameSeparator, at + 1)) {
    Upstream* const one = upstreams_.with_name(shown.substr(0, at));
    const std::string_view name = shown.substr(at + kNameSeparator.size());
    if (one == nullptr || (name.empty() && !allows_empty)) continue;
    if (route.upstream == nullptr || one->position < route.upstream->position) {
      route = {one, std::string(name)};
    }
  }
  return route;
}

void Routes::rebuild() const {
  tools_.clear();
  prompts_.clear();
  const auto add = [&](Names& names, Upstream& upstream, std::string_view name) {
    std::string shown = shown_name(upstream.settings.name, without_hidden(name));
    if (!name.empty() && shown.size() < kMaxNameLength) return;  // not cut: routed by its prefix
    names.try_emplace(std::move(shown), Route{&upstream, std::string(name)});
  };
  for (const auto& upstream : upstreams_.current()) {
    for (const auto& [name, tool] : upstream->tools.all()) add(tools_, *upstream, name);
    const auto prompts = upstream->known.find(mcp::Method::prompts_list);
    if (prompts == upstream->known.end()) continue;
    for (const json::Value& prompt : prompts->second) {
      add(prompts_, *upstream, json::string_member(prompt.view(), "name").value_or(""));
    }
  }
  is_current_ = true;
}

Route Routes::in(const Names& names, std::string_view shown) const {
  if (!is_current_) rebuild();
  const auto found = names.find(shown);
  return found != names.end() ? found->second : Route{};
}

Route Routes::tool(std::string_view shown) const {
  if (upstreams_.is_single()) {
    return {&upstreams_.first(), upstreams_.first().tools.real_name(shown)};
  }
  if (shown.size() < kMaxNameLength) {
    constexpr bool allows_empty = false;
    Route route = by_prefix(shown, allows_empty);
    if (route.upstream != nullptr) route.name = route.upstream->tools.real_name(route.name);
    if (route.upstream != nullptr) return route;
  }
  return in(tools_, shown);
}

Route Routes::prompt(std::string_view shown) const {
  if (!upstreams_.is_single() && shown.size() >= kMaxNameLength) {
    Route route = in(prompts_, shown);
    if (route.upstream != nullptr) return route;
  }
  return tool(shown);  // all other names are routed like those of tools, by their prefix
}

Route Routes::task(std::string_view shown_id) const {
  if (upstreams_.is_single()) return {&upstreams_.first(), std::string(shown_id)};
  constexpr bool allows_empty = true;
  return by_prefix(shown_id, allows_empty);
}

Route Routes::tasks() const {
  const auto has_tasks = [](const auto& one) {
    return one->identity && one->identity->capabilities.has("tasks");
  };
  const auto found = std::ranges::find_if(upstreams_.current(), has_tasks);
  return {found != upstreams_.current().end() ? found->get() : &upstreams_.first(), {}};
}

std::string shown_uri(const Upstream& upstream, std::string_view uri) {
  std::string shown(kUpstreamUriPrefix);
  return shown.append(upstream.settings.name).append("/").append(uri);
}

std::optional<std::string> resource_of(const mcp::Call& call) {
  if (const auto* read = std::get_if<mcp::ResourceRead>(&call.params)) return read->uri;
  if (const auto* watch = std::get_if<mcp::ResourceSubscription>(&call.params)) return watch->uri;
  const auto* completion = std::get_if<mcp::CompletionRequest>(&call.params);
  const bool names_resource =
      completion != nullptr && completion->target == mcp::CompletionRequest::Target::resource;
  return names_resource ? std::optional(completion->reference) : std::nullopt;
}

// Upstreams may list any number of URIs, so the table is limited. When it is full, the entries of
// the upstream that adds one are removed.
bool ResourceOwners::set_owner(std::string uri, Upstream& upstream, From from) {
  if (owners_.size() >= kMaxResources) forget(upstream);
  if (owners_.size() >= kMaxResources) return true;
  Owner& owner = owners_.try_emplace(std::move(uri), Owner{&upstream, from}).first->second;
  if (upstream.position < owner.upstream->position) owner = {&upstream, from};
  return owner.upstream == &upstream;
}

void ResourceOwners::forget(const Upstream& upstream) {
  std::erase_if(owners_, [&](const auto& one) { return one.second.upstream == &upstream; });
}

void ResourceOwners::forget_listed(const Upstream& upstream) {
  std::erase_if(owners_, [&](const auto& one) {
    return one.second.upstream == &upstream && one.second.from == From::list;
  });
}

Route ResourceOwners::route(const std::string& uri) const {
  if (uri.starts_with(kUpstreamUriPrefix)) {
    const std::size_t end = uri.find('/', kUpstreamUriPrefix.size());
    Upstream* const named = upstreams_.with_name(
        std::string_view(uri).substr(kUpstreamUriPrefix.size(), end - kUpstreamUriPrefix.size()));
    if (end != std::string::npos && named != nullptr) return {named, uri.substr(end + 1)};
  }
  const auto found = owners_.find(uri);
  if (found != owners_.end()) return {found->second.upstream, uri};
  for (const auto& upstream : upstreams_.current()) {
    const auto known = upstream->known.find(mcp::Method::resources_templates_list);
    if (known == upstream->known.end()) continue;
    const bool matches = std::ranges::any_of(known->second, [&](const json::Value& item) {
      const std::string prefix = template_prefix(item.view());
      return !prefix.empty() && uri.starts_with(prefix);
    });
    if (matches) return {upstream.get(), uri};
  }
  return {nullptr, uri};
}

bool ResourceOwners::belongs_to_another(const std::string& uri, const Upstream& upstream) const {
  const Upstream* const owner = owner_of(uri);
  return owner != nullptr && owner != &upstream;
}

bool ResourceOwners::must_ask_all_upstreams(const mcp::Call& call) const {
  if (upstreams_.is_single()) return false;
  const std::optional<std::string> uri = resource_of(call);
  return uri && owner_of(*uri) == nullptr;
}

}  // namespace enfold::gateway
