// SPDX-License-Identifier: Apache-2.0
// What happened to the answers of each tool, summed up and minute by minute.
#pragma once

#include "enfold/gateway/admin/record/names_table.h"

#include <array>
#include <chrono>
#include <map>

namespace enfold::gateway {

struct ToolHistory {
  /// A minute with calls.
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
  /// A ring: the minute M is at M modulo kMinutes, and may be older than the last kMinutes.
  std::array<Minute, kMinutes> minutes{};

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
