// SPDX-License-Identifier: Apache-2.0
// What happened to the answers of each tool, summed up and minute by minute.
#pragma once

#include "enfold/gateway/admin/record/names_table.h"

#include <array>
#include <chrono>
#include <map>

namespace enfold::gateway {

struct ToolHistory {
  /// Sums over the calls that ended in one minute.
  struct Minute {
    std::chrono::sys_time<std::chrono::minutes> begin;
    std::uint64_t calls = 0;
    std::uint64_t tokens_before = 0;
    std::uint64_t tokens_after = 0;
  };
  static constexpr std::size_t kMinutes = 60;

  std::uint64_t calls = 0;
  std::uint64_t cut = 0;
  std::uint64_t redacted = 0;
  /// A ring: minute M since the epoch is at M modulo kMinutes. A place keeps its minute until a
  /// newer one needs it, so it may be older than kMinutes.
  std::array<Minute, kMinutes> minutes{};

  /// The place of this minute; clears it if it has an older one.
  [[nodiscard]] Minute& at(std::chrono::sys_time<std::chrono::minutes> begin) {
    const auto position = static_cast<std::size_t>(begin.time_since_epoch().count()) % kMinutes;
    Minute& minute = minutes.at(position);
    if (minute.begin != begin) minute = {.begin = begin};
    return minute;
  }
};

/// By upstream and tool.
using ToolHistories = std::map<std::pair<NamesTable::Id, NamesTable::Id>, ToolHistory>;

}  // namespace enfold::gateway
