// SPDX-License-Identifier: Apache-2.0
// What a typed tool adds to its response: warnings, a page, measurements, media.
#pragma once

#include "enfold/model/response.h"

#include <utility>

namespace enfold::answer {

/// A typed tool fills it while it runs; process_tool_response (answer.h) adds it to the response.
struct ToolContext {
  std::vector<model::Warning> warnings;
  std::vector<model::UpgradeHint> upgrade_hints;
  std::optional<model::Page> page;
  std::vector<json::Value> blocks;  ///< content blocks beside the payload
  std::string message;   ///< for people; a failure ignores it, and `page` and `partial` too
  bool partial = false;  ///< some parts of the work failed
  std::optional<model::RateLimit> rate_limit;
  std::optional<model::Telemetry> telemetry;
  /// More members of `meta` in response-v2, at most 1 KiB; names of the contract are ignored.
  std::vector<std::pair<std::string, json::Value>> meta;
};

}  // namespace enfold::answer
