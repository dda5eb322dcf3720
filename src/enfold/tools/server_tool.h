// SPDX-License-Identifier: Apache-2.0
// The tool `server`: what this server can do, which contract its answers are written in, which
// tools and flags there are. Pure; whoever serves it says what the facts are.
#pragma once

#include "enfold/contract/legacy/flags.h"
#include "enfold/contract/negotiation/negotiation.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::tools {

inline constexpr std::string_view kServerTool = "server";

/// One tool as `server` lists it.
struct ToolFact {
  std::string name;
  std::string description;
  json::Value input_schema;
  json::Value output_schema;  ///< null: none is announced
};

struct ServerFacts {
  std::string name;
  std::string version;
  contract::ServerFeatures features;
  const contract::Flags* flags = nullptr;  ///< never null when it answers
  std::string client = std::string(contract::kAnonymousClient);
  std::int64_t now = 0;                 ///< seconds since 1970
  std::optional<std::string> contract;  ///< that the client is answered in; nullopt: the default
  std::vector<ToolFact> tools;
};

struct ServerAnswer {
  model::Response response;
  std::optional<std::string> contract;  ///< what was agreed; a session remembers it
};

/// Actions: capabilities, capability-negotiate, tools, schema, flags.
[[nodiscard]] ServerAnswer answer_server_tool(json::View arguments, const ServerFacts& facts);

[[nodiscard]] std::string_view server_tool_description();
[[nodiscard]] json::Value server_tool_input_schema();
[[nodiscard]] json::Value server_tool_payload_schema();

}  // namespace enfold::tools
