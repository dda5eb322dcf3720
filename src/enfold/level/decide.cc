// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/decide.h"

#include "enfold/json/write.h"
#include "enfold/level/render.h"

#include <fmt/core.h>

namespace enfold::level {
namespace {

// Most code points of a wrong text that a warning quotes.
constexpr std::size_t kQuoted = 40;

// nullopt: there is no such member, or it is null.
std::optional<json::View> non_null_member(json::View object, std::string_view key) {
  const std::optional<json::View> found = object.find(key);
  return found && !found->is_null() ? found : std::nullopt;
}

std::string quoted(json::View value) {
  if (!value.is_string()) return fmt::format("a value of type {}", json::name(value.kind()));
  return json::quote(preview_of(value.string(), kQuoted));
}

model::Warning invalid_level(std::string_view field, std::string_view expected, json::View found,
                             const json::Value& allowed) {
  json::Writer context;
  context.begin_object().member("field", field).member("allowed", allowed).end_object();
  return {"INVALID_LEVEL", model::Severity::warning,
          fmt::format("{}: expected {}, found {}; it was ignored", field, expected, quoted(found)),
          std::move(context).finish_value()};
}

model::Warning deprecated_argument() {
  json::Writer context;
  context.begin_object().member("field", kMinimalArgument);
  context.member("use", kLevelArgument).end_object();
  return {"DEPRECATED_FIELD", model::Severity::info,
          fmt::format("{} is deprecated: use {}: \"minimal\"", kMinimalArgument, kLevelArgument),
          std::move(context).finish_value()};
}

// The level that the member names; nullopt: there is none, or a wrong one, which adds a warning.
std::optional<Level> level_in(json::View object, std::string_view key,
                              std::vector<model::Warning>& warnings) {
  const std::optional<json::View> found = non_null_member(object, key);
  if (!found) return std::nullopt;
  const auto level =
      found->is_string() ? model::from_name<Level>(found->string()) : std::optional<Level>();
  if (!level) {
    warnings.push_back(invalid_level(key, "\"minimal\", \"standard\" or \"full\"", *found,
                                     json::parse_own(R"(["minimal","standard","full"])")));
  }
  return level;
}

// Whether the argument is true; a value that is no boolean adds a warning.
bool flag_in(json::View arguments, std::string_view key, std::vector<model::Warning>& warnings) {
  const std::optional<json::View> found = non_null_member(arguments, key);
  if (found && !found->is_boolean()) {
    warnings.push_back(
        invalid_level(key, "true or false", *found, json::parse_own("[true,false]")));
  }
  return found && found->boolean();
}

}  // namespace

LevelDecision determine_response_level(const LevelConfig& config, const LevelRequest& request) {
  const auto view = [](const std::optional<json::Value>& value) {
    return value ? value->view() : json::View();
  };
  return determine_response_level(config, request.tool, view(request.arguments),
                                  view(request.meta));
}

LevelDecision determine_response_level(const LevelConfig& config, std::string_view tool,
                                       json::View arguments, json::View meta) {
  LevelDecision decision;
  const auto decide = [&](Level level, std::string rule) {
    decision.level = level;
    decision.rule = std::move(rule);
    return std::move(decision);
  };
  if (!arguments.is_null()) {
    // A deprecated argument is reported even if another argument decides.
    if (non_null_member(arguments, kMinimalArgument)) {
      decision.warnings.push_back(deprecated_argument());
    }
    if (const auto level = level_in(arguments, kLevelArgument, decision.warnings)) {
      return decide(*level, fmt::format("argument {} of the call", kLevelArgument));
    }
    if (flag_in(arguments, kRichArgument, decision.warnings)) {
      return decide(Level::full, fmt::format("argument {} of the call", kRichArgument));
    }
    if (flag_in(arguments, kMinimalArgument, decision.warnings)) {
      return decide(Level::minimal, fmt::format("argument {} of the call", kMinimalArgument));
    }
  }
  if (const auto level = level_in(meta, kLevelMeta, decision.warnings)) {
    return decide(*level, fmt::format("_meta {} of the call", kLevelMeta));
  }
  if (const auto found = config.per_tool.find(tool); found != config.per_tool.end()) {
    return decide(found->second, fmt::format("configured for the tool {}", tool));
  }
  if (config.default_level) return decide(*config.default_level, "configured for all tools");
  return decide(kBuiltInLevel, "built in");
}

}  // namespace enfold::level
