// SPDX-License-Identifier: Apache-2.0
// What each tier allows. All tools exist at every tier; a tier decides how far they go. Whatever
// is held back is named in an upgrade hint, with the lowest tier that has it.
#pragma once

#include "enfold/server/context.h"
#include "source.h"

#include <string>

namespace scalpel {

using enfold::model::Tier;

struct TierLimits {
  std::size_t file_bytes;
  std::size_t files;          ///< per call that reads a folder
  std::size_t findings;       ///< per scan
  std::size_t context_lines;  ///< around a finding or an extract
  std::size_t extract_lines;
  std::size_t references;  ///< per search
  bool compiled_languages;
  bool imports;  ///< of the file, beside an extract
};

[[nodiscard]] const TierLimits& limits_of(Tier tier);
[[nodiscard]] bool has_language(Tier tier, Language language);
/// C, C++ and Go: read from pro on.
[[nodiscard]] bool is_compiled(Language language);
void hint_at_languages(enfold::server::Context& context);

/// The lowest tier above `tier` with more of a limit than `tier` has; `tier` when none has.
[[nodiscard]] Tier next_with_more(Tier tier, std::size_t TierLimits::* limit);

/// Names `limit` as the cause when a higher tier has more of it; otherwise says nothing.
void hint_at(enfold::server::Context& context, Tier tier, std::size_t TierLimits::* limit,
             std::string feature, const std::string& unit);

}  // namespace scalpel
