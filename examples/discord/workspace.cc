// SPDX-License-Identifier: Apache-2.0
#include "workspace.h"

#include "enfold/contract/legacy/flags.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>

namespace discord {
namespace {

using namespace enfold;
namespace fs = std::filesystem;

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

Result<Workspace> Workspace::open(const fs::path& file, const fs::path& state) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  if (!*text) {
    return fail(ErrorCode::invalid_input, "there is no workspace", file.string(),
                "name a workspace in the configuration, and the configuration with --config");
  }
  server::ConfigResult<WorkspaceFile> read =
      server::read_config<WorkspaceFile>(**text, file.string());
  if (!read) return tl::unexpected(read.error().front());
  Workspace workspace(std::move(*read), Storage(state));
  for (const Status& good : {workspace.check(), workspace.refresh()}) {
    if (!good) return tl::unexpected(good.error());
  }
  return workspace;
}

// Handlers rely on it: what is named is there.
Status Workspace::check() const {
  const auto missing = [](std::string_view what, const std::string& id) {
    return fail(ErrorCode::invalid_input, fmt::format("there is no {} {}", what, id),
                "the workspace");
  };
  if (user(file_.self) == nullptr) return missing("user", file_.self);
  for (const Guild& guild : file_.guilds) {
    for (const Member& member : guild.members) {
      if (user(member.userId) == nullptr) return missing("user", member.userId);
    }
  }
  for (const Channel& channel : file_.channels) {
    if (guild(channel.guildId) == nullptr) return missing("guild", channel.guildId);
  }
  for (const Message& message : file_.state.messages) {
    if (channel(message.channelId) == nullptr) return missing("channel", message.channelId);
    if (user(message.authorId) == nullptr) return missing("user", message.authorId);
  }
  return {};
}

Status Workspace::refresh() {
  Result<std::optional<State>> saved = storage_.load();
  if (!saved) return tl::unexpected(saved.error());
  if (!*saved) return {};
  std::swap(file_.state, **saved);
  Status good = check();
  if (!good) std::swap(file_.state, **saved);
  return good;
}

Result<Change> Change::begin(Workspace& workspace) {
  Result<net::FileDescriptor> lock = workspace.storage_.lock();
  if (!lock) return tl::unexpected(lock.error());
  if (Status fresh = workspace.refresh(); !fresh) return tl::unexpected(fresh.error());
  return Change(workspace, std::move(*lock));
}

// A change that was moved from has no lock any more; the other one undoes it.
Change::~Change() {
  if (lock_ && before_) std::swap(workspace_.file_.state, *before_);
}

Status Change::commit() {
  Status saved = workspace_.storage_.save(workspace_.file_.state);
  if (saved) before_.reset();
  return saved;
}

const User* Workspace::user(const std::string& id) const { return by_id(file_.users, id); }
const Guild* Workspace::guild(const std::string& id) const { return by_id(file_.guilds, id); }
const Channel* Workspace::channel(const std::string& id) const { return by_id(file_.channels, id); }

Message* Workspace::message(const Channel& channel, const std::string& id) {
  Message* found = by_id(file_.state.messages, id);
  return found != nullptr && found->channelId == channel.id ? found : nullptr;
}

std::optional<FilterAction> Workspace::decided(const Channel& channel) const {
  if (has(file_.state.filters.include, channel.id)) return FilterAction::include;
  if (has(file_.state.filters.exclude, channel.id)) return FilterAction::exclude;
  for (const FilterPattern& pattern : file_.state.filters.patterns) {
    if (fits(pattern.match, channel.name)) return pattern.action;
  }
  return std::nullopt;
}

bool Workspace::is_shown(const Channel& channel) const {
  return decided(channel).value_or(file_.state.filters.defaultAction) == FilterAction::include;
}

std::int64_t Workspace::next_moment() { return file_.state.now += kStep; }

const Message& Workspace::add(Message message) {
  message.id = std::to_string((message.timestamp - kFirstMoment) << 22);
  return file_.state.messages.emplace_back(std::move(message));
}

void Workspace::remove(const Message& message) {
  const auto place = std::find_if(file_.state.messages.begin(), file_.state.messages.end(),
                                  [&](const Message& other) { return &other == &message; });
  if (place != file_.state.messages.end()) file_.state.messages.erase(place);
}

}  // namespace discord
