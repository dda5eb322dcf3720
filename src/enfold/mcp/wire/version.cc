// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/version.h"

#include <algorithm>
#include <array>

namespace enfold::mcp {
namespace {

constexpr std::array<std::string_view, 5> kVersions{"2026-07-28", "2025-11-25", "2025-06-18",
                                                    "2025-03-26", "2024-11-05"};

// Anything that is no date is older than every date, so that it never counts as stateless.
bool is_date(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd";
  return text.size() == form.size() &&
         std::equal(text.begin(), text.end(), form.begin(),
                    [](char c, char f) { return f == 'd' ? c >= '0' && c <= '9' : c == f; });
}

}  // namespace

std::span<const std::string_view> all_versions() { return kVersions; }

std::vector<std::string> version_list() { return {kVersions.begin(), kVersions.end()}; }

bool is_stateless(std::string_view version) {
  if (version.size() != kStateless.size()) return false;
  return version == kStateless || (version > kStateless && is_date(version));
}

Era era_of(std::string_view version) {
  return is_stateless(version) ? Era::stateless : Era::sessions;
}

std::vector<std::string> of_era(std::span<const std::string> supported, Era era) {
  std::vector<std::string> out;
  for (const std::string& version : supported) {
    if (era_of(version) == era) out.push_back(version);
  }
  return out;
}

std::string negotiate_session(std::string_view requested, std::span<const std::string> supported) {
  const std::vector<std::string> sessions = of_era(supported, Era::sessions);
  if (sessions.empty()) return {};
  if (std::find(sessions.begin(), sessions.end(), requested) != sessions.end()) {
    return std::string(requested);
  }
  return *std::max_element(sessions.begin(), sessions.end());
}

bool has_batches(std::string_view version) { return version == "2025-03-26"; }

}  // namespace enfold::mcp
