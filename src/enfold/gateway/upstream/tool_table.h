// SPDX-License-Identifier: Apache-2.0
// The tools of one upstream as they were last listed: what calls need to know about them, and how
// clients see them in a contract.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/mcp/types/catalog.h"
#include "enfold/tools/offered_tool.h"

namespace enfold::gateway {

using OfferedToolPtr = std::shared_ptr<const tools::OfferedTool>;

class ToolTable {
 public:
  /// Replaces all tools. Entries that are not valid tools are left out.
  void replace(const std::vector<json::Value>& tools);
  void clear() { tools_.clear(); }

  /// For a tool that was never listed the result has only the name.
  [[nodiscard]] OfferedToolPtr find(std::string_view name) const {
    const auto found = tools_.find(name);
    return found == tools_.end() ? known_by_name(name) : found->second;
  }
  [[nodiscard]] bool has(std::string_view name) const { return tools_.contains(name); }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool is_empty() const { return tools_.empty(); }
  [[nodiscard]] const auto& all() const { return tools_; }
  /// nullptr: the tool declares none, or is not known.
  [[nodiscard]] const mcp::ParamHeaders* headers(std::string_view name) const {
    const auto found = tools_.find(name);
    return found == tools_.end() ? nullptr : &found->second->headers;
  }

 private:
  [[nodiscard]] static OfferedToolPtr known_by_name(std::string_view name);

  std::map<std::string, OfferedToolPtr, std::less<>> tools_;
};

/// The output schema of answers in the contract, for a tool that declares `declared` (null: none).
[[nodiscard]] json::Value shown_schema(const json::Value& declared, contract::Id contract,
                                       OutputCheck check);

/// A tool with the name that clients see and the output schema of its answers in the contract.
/// Fails with `invalid_input` if it is not a valid tool.
[[nodiscard]] Result<mcp::Tool> shown_tool(json::View tool, std::string name,
                                           tools::AnswerContract contract, OutputCheck check);

/// The schema of the payload inside an envelope: an object schema without references to the
/// outside.
[[nodiscard]] json::Value payload_schema(const json::Value& output_schema, contract::Id contract);

}  // namespace enfold::gateway
