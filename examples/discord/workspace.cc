// SPDX-License-Identifier: Apache-2.0
#include "workspace.h"

#include "enfold/contract/legacy/flags.h"

#include <algorithm>
#include <fmt/core.h>

namespace discord {
namespace {

using namespace enfold;

constexpr std::int64_t kFirstMoment = 1'420'070'400'000;  // of ids: 2015-01-01
constexpr std::int64_t kStep = 1000;

template <class Items>
auto* by_id(Items& items, const std::string& id) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.id == id; });
  return found == items.end() ? nullptr : &*found;
}

// Only * is special. Goes back to the last * when a letter does not fit.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool has(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

bool id_less(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::string iso_time(std::int64_t milliseconds) {
  std::string time = contract::format_time(milliseconds / 1000);
  if (time.ends_with('Z')) time.pop_back();
  return fmt::format("{}.{:03}Z", time, milliseconds % 1000);
}

Result<Workspace> Workspace::load(const std::filesystem::path& file) {
  const Result<std::string> text = tools::detail::read_config_file(file.string());
  if (!text) {
    Error error = text.error();
    error.hint = "name a workspace in the configuration, and the configuration with --config";
    return tl::unexpected(std::move(error));
  }
  server::ConfigResult<WorkspaceFile> read =
      server::read_config<WorkspaceFile>(*text, file.string());
  if (!read) return tl::unexpected(read.error().front());
  Workspace workspace(std::move(*read));
  const auto missing = [&](std::string_view what, const std::string& id) {
    return fail(ErrorCode::invalid_input, fmt::format("there is no {} {}", what, id),
                file.string());
  };
  const WorkspaceFile& all = workspace.file_;
  if (workspace.user(all.self) == nullptr) return missing("user", all.self);
  for (const Guild& guild : all.guilds) {
    for (const Member& member : guild.members) {
      if (workspace.user(member.userId) == nullptr) return missing("user", member.userId);
    }
  }
  for (const Channel& channel : all.channels) {
    if (workspace.guild(channel.guildId) == nullptr) return missing("guild", channel.guildId);
  }
  for (const Message& message : all.messages) {
    if (workspace.channel(message.channelId) == nullptr) {
      return missing("channel", message.channelId);
    }
    if (workspace.user(message.authorId) == nullptr) return missing("user", message.authorId);
  }
  return workspace;
}

const User* Workspace::user(const std::string& id) const { return by_id(file_.users, id); }
const Guild* Workspace::guild(const std::string& id) const { return by_id(file_.guilds, id); }
const Channel* Workspace::channel(const std::string& id) const { return by_id(file_.channels, id); }

Message* Workspace::message(const Channel& channel, const std::string& id) {
  Message* found = by_id(file_.messages, id);
  return found != nullptr && found->channelId == channel.id ? found : nullptr;
}

std::optional<FilterAction> Workspace::decided(const Channel& channel) const {
  if (has(file_.filters.include, channel.id)) return FilterAction::include;
  if (has(file_.filters.exclude, channel.id)) return FilterAction::exclude;
  for (const FilterPattern& pattern : file_.filters.patterns) {
    if (fits(pattern.match, channel.name)) return pattern.action;
  }
  return std::nullopt;
}

bool Workspace::is_shown(const Channel& channel) const {
  return decided(channel).value_or(file_.filters.defaultAction) == FilterAction::include;
}

std::int64_t Workspace::next_moment() { return file_.now += kStep; }

const Message& Workspace::add(Message message) {
  message.id = std::to_string((message.timestamp - kFirstMoment) << 22);
  return file_.messages.emplace_back(std::move(message));
}

void Workspace::remove(const Message& message) {
  const auto place = std::find_if(file_.messages.begin(), file_.messages.end(),
                                  [&](const Message& other) { return &other == &message; });
  if (place != file_.messages.end()) file_.messages.erase(place);
}

}  // namespace discord
