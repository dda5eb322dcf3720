// SPDX-License-Identifier: Apache-2.0
// One memory, as it is kept and as every answer shows it: a list at level minimal says what is in
// it, full says all.
#pragma once

#include "enfold/level/fields.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memory {

namespace level = enfold::level;
using enfold::model::Level;

inline constexpr std::size_t kPreview = 100;

struct Memory {
  std::string id;
  std::string content;
  std::string scope;
  std::string category;
  std::vector<std::string> tags;
  std::map<std::string, std::string> metadata;
  std::string created_at;
  std::string updated_at;
  std::int64_t revision = 1;

  // How it came up, where it was looked for.
  std::optional<double> score{};
  std::optional<double> strength{};
  std::optional<std::int64_t> distance{};

  [[nodiscard]] bool has_category() const { return !category.empty(); }
  static constexpr auto fields() {
    using level::field;
    return level::fields(
        field("memory_id", &Memory::id, Level::minimal),
        level::preview("content", &Memory::content, kPreview)
            .describe("Its beginning; the whole at level full"),
        field("score", &Memory::score, Level::standard).describe("Higher is a better match"),
        field("strength", &Memory::strength, Level::standard).describe("0 to 1"),
        field("distance", &Memory::distance, Level::standard).describe("Associations in between"),
        field("scope", &Memory::scope, Level::standard),
        field("category", &Memory::category, Level::standard).when(&Memory::has_category),
        field("tags", &Memory::tags, Level::standard),
        field("created_at", &Memory::created_at, Level::standard),
        field("updated_at", &Memory::updated_at, Level::full),
        field("revision", &Memory::revision, Level::full),
        field("metadata", &Memory::metadata, Level::full));
  }
};

}  // namespace memory
