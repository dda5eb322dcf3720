// SPDX-License-Identifier: Apache-2.0
// The tools of one upstream as they were last listed: what a call of one needs to know of it, and
// how the list is shown to clients in a contract.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/mcp/types/catalog.h"
#include "enfold/tools/offered_tool.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::gateway {

using OfferedPointer = std::shared_ptr<const tools::OfferedTool>;

class ToolTable {
 public:
  /// Takes the place of what was known. Entries that are no tools are left out.
  void replace(const std::vector<json::Value>& tools);
  void clear() { tools_.clear(); }

  /// A tool that was never listed is known by its name alone.
  [[nodiscard]] OfferedPointer find(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return tools_.contains(name); }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool is_empty() const { return tools_.empty(); }
  [[nodiscard]] const auto& all() const { return tools_; }
  /// nullptr: none are declared, or nothing is known of the tool.
  [[nodiscard]] const mcp::ParamHeaders* headers(std::string_view name) const;

 private:
  std::map<std::string, OfferedPointer, std::less<>> tools_;
};

/// The output schema of answers in the contract, of a tool that declares this one (null: none).
[[nodiscard]] json::Value shown_schema(const json::Value& declared, contract::Id contract,
                                       OutputCheck check);

/// A tool with the name that clients see and the output schema of its answers in the contract.
/// `invalid_input` for what is no tool.
[[nodiscard]] Result<mcp::Tool> shown_tool(json::View tool, std::string name,
                                           tools::AnswerContract contract, OutputCheck check);

/// What the payload of such a tool looks like inside an envelope: an object that stands by itself.
[[nodiscard]] json::Value payload_schema(const json::Value& output_schema, contract::Id contract);

}  // namespace enfold::gateway
