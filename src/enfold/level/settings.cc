// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/settings.h"

#include "enfold/json/write.h"

#include <fmt/core.h>

namespace enfold::level {
namespace {

// The error for a wrong value in the configuration, at the JSON Pointer `where`.
tl::unexpected<Error> wrong(std::string_view expected, json::View found, const std::string& where,
                            std::string hint = {}) {
  const std::string what =
      found.is_string() ? json::to_text(found) : std::string(json::name(found.kind()));
  return fail(ErrorCode::invalid_input, fmt::format("expected {}, found {}", expected, what), where,
              std::move(hint));
}

Status read_level(json::View value, const std::string& where, std::optional<Level>& out) {
  if (value.is_string()) out = model::from_name<Level>(value.string());
  if (!out) return wrong("\"minimal\", \"standard\" or \"full\"", value, where);
  return {};
}

Status read_patterns(json::View value, const std::string& where, std::vector<std::string>& out) {
  if (!value.is_array()) return wrong("an array of patterns", value, where);
  for (const json::View item : value.items()) {
    if (!item.is_string()) return wrong("a pattern", item, fmt::format("{}/{}", where, out.size()));
    out.push_back(item.string());
  }
  return {};
}

Status read_projection(json::View value, const std::string& where, Projection& out) {
  if (!value.is_object()) return wrong("an object with keep and drop", value, where);
  for (const json::Member& member : value.members()) {
    const std::string key = member.key.string();
    Status read;
    if (key == "keep") {
      read = read_patterns(member.value, json::below(where, key), out.keep);
    } else if (key == "drop") {
      read = read_patterns(member.value, json::below(where, key), out.drop);
    } else {
      read = wrong("keep or drop", member.key, where);
    }
    if (!read) return read;
  }
  return {};
}

Status read_tool(const std::string& tool, json::View value, const std::string& where,
                 LevelConfig& levels, std::vector<Projection>& projections) {
  if (!value.is_object()) return wrong("an object", value, where);
  for (const json::Member& member : value.members()) {
    const std::string key = member.key.string();
    Status read;
    if (key == "level") {
      std::optional<Level> level;
      read = read_level(member.value, json::below(where, key), level);
      if (level) levels.per_tool[tool] = *level;
    } else if (const auto level = model::from_name<Level>(key)) {
      Projection& projection = projections.emplace_back();
      projection.level = *level;
      read = read_projection(member.value, json::below(where, key), projection);
    } else {
      read = wrong("level, minimal, standard or full", member.key, where);
    }
    if (!read) return read;
  }
  return {};
}

Status read_tools(json::View value, LevelConfig& levels, ProjectionConfig& projections) {
  if (!value.is_object()) return wrong("an object of tools by name", value, "/tools");
  for (const json::Member& member : value.members()) {
    const std::string tool = member.key.string();
    std::vector<Projection> of_tool;
    ENFOLD_TRY(read_tool(tool, member.value, json::below("/tools", tool), levels, of_tool));
    if (of_tool.empty()) continue;
    std::vector<Projection>& all = projections[tool];
    all.insert(all.end(), of_tool.begin(), of_tool.end());
  }
  return {};
}

}  // namespace

Result<Settings> read_settings(json::View config) {
  if (!config.is_object()) return wrong("an object", config, "");
  Settings settings;
  ProjectionConfig projections;
  for (const json::Member& member : config.members()) {
    const std::string key = member.key.string();
    Status read;
    if (key == "default_level") {
      read = read_level(member.value, "/default_level", settings.levels.default_level);
    } else if (key == "tools") {
      read = read_tools(member.value, settings.levels, projections);
    } else {
      read = wrong("default_level or tools", member.key, "");
    }
    if (!read) return tl::unexpected(read.error());
  }
  ENFOLD_TRY(settings.projections, ProjectionSet::compile(projections));
  return settings;
}

}  // namespace enfold::level
