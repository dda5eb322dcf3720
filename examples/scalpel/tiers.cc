// SPDX-License-Identifier: Apache-2.0
#include "tiers.h"

#include <array>
#include <fmt/core.h>

namespace scalpel {
namespace {

constexpr std::array<TierLimits, 3> kTiers{{
    {.file_bytes = 4096,
     .files = 3,
     .findings = 5,
     .context_lines = 0,
     .extract_lines = 25,
     .references = 20,
     .compiled_languages = false,
     .imports = false},
    {.file_bytes = 65536,
     .files = 50,
     .findings = 50,
     .context_lines = 3,
     .extract_lines = 400,
     .references = 200,
     .compiled_languages = true,
     .imports = true},
    {.file_bytes = 1048576,
     .files = 1000,
     .findings = 1000,
     .context_lines = 10,
     .extract_lines = 4000,
     .references = 2000,
     .compiled_languages = true,
     .imports = true},
}};

}  // namespace

const TierLimits& limits_of(Tier tier) { return kTiers[static_cast<std::size_t>(tier)]; }

bool is_compiled(Language language) {
  return language == Language::cpp || language == Language::go;
}

bool has_language(Tier tier, Language language) {
  return !is_compiled(language) || limits_of(tier).compiled_languages;
}

void hint_at_languages(enfold::server::Context& context) {
  context.suggest_upgrade("compiled_languages", Tier::pro, "C, C++ and Go are read from pro on");
}

Tier next_with_more(Tier tier, std::size_t TierLimits::* limit) {
  for (const Tier higher : {Tier::pro, Tier::enterprise}) {
    if (higher > tier && limits_of(higher).*limit > limits_of(tier).*limit) return higher;
  }
  return tier;
}

void hint_at(enfold::server::Context& context, Tier tier, std::size_t TierLimits::* limit,
             std::string feature, const std::string& unit) {
  const Tier higher = next_with_more(tier, limit);
  if (higher == tier) return;
  context.suggest_upgrade(std::move(feature), higher,
                          fmt::format("{} allows {} {}, {} allows {}", enfold::model::name(tier),
                                      limits_of(tier).*limit, unit, enfold::model::name(higher),
                                      limits_of(higher).*limit));
}

}  // namespace scalpel
