// SPDX-License-Identifier: Apache-2.0
// Which channels a list shows: looking at it and changing it.
#include "answers.h"
#include "tools.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace discord {
namespace {

using namespace enfold;

struct UpdateAsked {
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> remove;
  std::optional<FilterAction> defaultAction;
  static constexpr auto arguments() {
    using This = UpdateAsked;
    return server::arguments(
        server::argument("include", &This::include)
            .describe("Ids of channels to show from now on")
            .defaulted(),
        server::argument("exclude", &This::exclude)
            .describe("Ids of channels to leave out from now on")
            .defaulted(),
        server::argument("remove", &This::remove)
            .describe("Ids of channels about which patterns and the default decide again")
            .defaulted(),
        server::argument("defaultAction", &This::defaultAction)
            .describe("For channels that no filter names"));
  }
};

Answer<FilterConfiguration> configuration(const Workspace& workspace, const server::NoArguments&) {
  const Filters& filters = workspace.all().state.filters;
  FilterConfiguration shown{filters.version,
                            filters.defaultAction,
                            {filters.include, filters.exclude, {}},
                            filters.updatedAt};
  for (const FilterPattern& pattern : filters.patterns) {
    shown.filters.patterns.push_back({pattern.match, pattern.action});
  }
  return shown;
}

bool take_out(std::vector<std::string>& ids, const std::string& id) {
  return std::erase(ids, id) > 0;
}

// A channel is in one list at most. Says whether anything is different now.
bool put(Filters& filters, const std::string& id, FilterAction action) {
  std::vector<std::string>& to =
      action == FilterAction::include ? filters.include : filters.exclude;
  std::vector<std::string>& other =
      action == FilterAction::include ? filters.exclude : filters.include;
  take_out(other, id);
  if (std::find(to.begin(), to.end(), id) != to.end()) return false;
  to.push_back(id);
  return true;
}

Answer<FiltersUpdated> update(Workspace& workspace, const UpdateAsked& asked) {
  constexpr std::string_view kAction = "update channel filters";
  if (asked.include.empty() && asked.exclude.empty() && asked.remove.empty() &&
      !asked.defaultAction) {
    return failed_to(kAction, codes::kInvalidFormBody, "nothing to change was named");
  }
  std::set<std::string> named;
  for (const auto* ids : {&asked.include, &asked.exclude, &asked.remove}) {
    for (const std::string& id : *ids) {
      if (workspace.channel(id) == nullptr) {
        return failed_to(kAction, codes::kUnknownChannel, fmt::format("unknown channel {}", id));
      }
      if (!named.insert(id).second) {
        return failed_to(kAction, codes::kInvalidFormBody,
                         fmt::format("channel {} is named twice", id));
      }
    }
  }
  Filters& filters = workspace.filters();
  FiltersUpdated updated{.message = "Filters updated"};
  for (const std::string& id : asked.include) {
    if (put(filters, id, FilterAction::include)) updated.added.push_back(id);
  }
  for (const std::string& id : asked.exclude) {
    if (put(filters, id, FilterAction::exclude)) updated.added.push_back(id);
  }
  for (const std::string& id : asked.remove) {
    const bool included = take_out(filters.include, id);
    if (take_out(filters.exclude, id) || included) updated.removed.push_back(id);
  }
  filters.defaultAction = asked.defaultAction.value_or(filters.defaultAction);
  ++filters.version;
  filters.updatedAt = iso_time(workspace.next_moment());
  updated.updatedAt = filters.updatedAt;
  return updated;
}

}  // namespace

void add_filter_tools(server::Server& server, const Shared& workspace) {
  server
      .tool("discord_list_channel_filters", "Shows which channels are left out of lists",
            reads(workspace, "list channel filters", configuration))
      .read_only();
  server
      .tool("discord_update_channel_filters", "Changes which channels are left out of lists",
            changes(workspace, "update channel filters", update))
      .destructive(false)
      .idempotent();
}

}  // namespace discord
