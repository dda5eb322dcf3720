// SPDX-License-Identifier: Apache-2.0
// Protocol revisions and the two eras they fall into: with sessions (up to 2025-11-25) and
// stateless (from 2026-07-28 on). Revisions are dates and compare as text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

enum class Era { sessions, stateless };

inline constexpr std::string_view kStateless = "2026-07-28";
inline constexpr std::string_view kNewestSession = "2025-11-25";

/// Every revision spoken here, newest first.
[[nodiscard]] std::span<const std::string_view> all_versions();
[[nodiscard]] std::vector<std::string> version_list();

[[nodiscard]] bool is_stateless(std::string_view version);
[[nodiscard]] Era era_of(std::string_view version);

/// The revisions of one era among `supported`, in their order.
[[nodiscard]] std::vector<std::string> of_era(std::span<const std::string> supported, Era era);

/// The answer to `initialize`: what was asked for when it is supported, else our newest of the
/// session era; empty when there is none.
[[nodiscard]] std::string negotiate_session(std::string_view requested,
                                            std::span<const std::string> supported);

/// Batches were in one revision only.
[[nodiscard]] bool has_batches(std::string_view version);

}  // namespace enfold::mcp
