// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/upstream/routes.h"

#include "enfold/gateway/policy/names.h"
#include "enfold/json/document.h"

#include <algorithm>

namespace enfold::gateway {

std::string Routes::shown(const Upstream& upstream, std::string_view name) const {
  return upstreams_.is_single() ? std::string(name) : shown_name(upstream.settings.name, name);
}

// A name may contain the separator more than once; the upstream that is configured first wins.
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
    std::string shown = shown_name(upstream.settings.name, name);
    if (!name.empty() && shown.size() < kLongestName) return;  // routed by its prefix
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
  if (upstreams_.is_single()) return {&upstreams_.first(), std::string(shown)};
  if (shown.size() < kLongestName) {
    Route route = by_prefix(shown, false);
    if (route.upstream != nullptr) return route;
  }
  return in(tools_, shown);
}

Route Routes::prompt(std::string_view shown) const {
  if (!upstreams_.is_single() && shown.size() >= kLongestName) {
    Route route = in(prompts_, shown);
    if (route.upstream != nullptr) return route;
  }
  return tool(shown);
}

Route Routes::task(std::string_view shown_id) const {
  if (upstreams_.is_single()) return {&upstreams_.first(), std::string(shown_id)};
  return by_prefix(shown_id, true);
}

Route Routes::tasks() const {
  const auto has_tasks = [](const auto& one) {
    return one->identity && one->identity->capabilities.has("tasks");
  };
  const auto found = std::ranges::find_if(upstreams_.current(), has_tasks);
  return {found != upstreams_.current().end() ? found->get() : &upstreams_.first(), {}};
}

}  // namespace enfold::gateway
