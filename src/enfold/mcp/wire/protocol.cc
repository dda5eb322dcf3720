// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/protocol.h"

#include <algorithm>

namespace enfold::mcp {
namespace {

constexpr std::array<std::string_view, 5> kVersions{"2026-07-28", "2025-11-25", "2025-06-18",
                                                    "2025-03-26", "2024-11-05"};

const json::Value& no_capabilities() {
  static const json::Value empty = json::parse_own("{}");
  return empty;
}

}  // namespace

std::vector<std::string> version_list() { return {kVersions.begin(), kVersions.end()}; }

std::vector<std::string> versions_of_era(std::span<const std::string> supported, Era era) {
  std::vector<std::string> out;
  std::ranges::copy_if(supported, std::back_inserter(out),
                       [&](const std::string& version) { return era_of(version) == era; });
  return out;
}

std::string negotiate_session_version(std::string_view requested,
                                      std::span<const std::string> supported) {
  const std::vector<std::string> sessions = versions_of_era(supported, Era::sessions);
  if (sessions.empty()) return {};
  if (std::ranges::find(sessions, requested) != sessions.end()) return std::string(requested);
  return *std::ranges::max_element(sessions);
}

bool has_batches(std::string_view version) { return version == "2025-03-26"; }

// A linear search is fast enough: comparing two string_views begins with their lengths. The first
// row is Method::other, which has no name.
Method detail::find_method(std::string_view name) {
  const auto* const found =
      std::find_if(detail::kMethods.begin() + 1, detail::kMethods.end(),
                   [&](const MethodInfo& method) { return method.name == name; });
  return found == detail::kMethods.end() ? Method::other : found->method;
}

Capabilities::Capabilities() : object_(no_capabilities()) {}

Capabilities::Capabilities(const json::Value& object)
    : object_(object->is_object() ? object : no_capabilities()) {}

}  // namespace enfold::mcp
