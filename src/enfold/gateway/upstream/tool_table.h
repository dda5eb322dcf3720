// SPDX-License-Identifier: Apache-2.0
// The tools of one upstream as they were last listed: what calls need to know about them. Also the
// names and output schemas that clients see, which depend on the contract.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/mcp/types/catalog.h"
#include "enfold/tools/offered_tool.h"

#include <functional>
#include <set>

namespace enfold::gateway {

using OfferedToolPtr = std::shared_ptr<const tools::OfferedTool>;

class ToolTable {
 public:
  using UnusableSchema = std::function<void(const Error& why)>;

  /// Replaces all tools. Entries that are not valid tools are left out. `version`: of the server.
  void replace(const std::vector<json::Value>& tools, std::string version);
  void clear() {
    tools_.clear();
    real_names_.clear();
    unusable_.clear();
  }

  /// The tool; with no more than name and version if it is not listed. The first find() of a tool
  /// compiles its output schema, so that a list costs nothing for tools that are not used. If the
  /// schema cannot be compiled, `unusable` is called once and the tool's answers are not checked.
  [[nodiscard]] OfferedToolPtr find(std::string_view name, const UnusableSchema& unusable = {}) {
    const auto found = tools_.find(name);
    const bool is_compiled = found != tools_.end() && !needs_compiling(*found->second);
    return is_compiled ? found->second : prepare(name, unusable);
  }
  [[nodiscard]] bool has(std::string_view name) const { return tools_.contains(name); }
  /// The name at the upstream of a tool that clients see without the hidden characters of its name.
  [[nodiscard]] std::string real_name(std::string_view shown) const {
    const auto found = has(shown) ? real_names_.end() : real_names_.find(shown);
    return found == real_names_.end() ? std::string(shown) : found->second;
  }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] bool is_empty() const { return tools_.empty(); }
  [[nodiscard]] const auto& all() const { return tools_; }
  /// The arguments of a tool that HTTP headers repeat; nullptr: the tool is not listed.
  [[nodiscard]] const mcp::ParamHeaders* headers(std::string_view name) const {
    const auto found = tools_.find(name);
    return found == tools_.end() ? nullptr : &found->second->headers;
  }

 private:
  [[nodiscard]] static bool needs_compiling(const tools::OfferedTool& tool) {
    return !tool.payload && !tool.spec.payload_schema->is_null();
  }
  /// As find(), for a tool that is not listed or whose output schema is not compiled.
  [[nodiscard]] OfferedToolPtr prepare(std::string_view name, const UnusableSchema& unusable);
  [[nodiscard]] OfferedToolPtr make_unlisted_tool(std::string_view name) const;

  std::string version_;
  std::map<std::string, OfferedToolPtr, std::less<>> tools_;    ///< by the name at the upstream
  std::map<std::string, std::string, std::less<>> real_names_;  ///< by the name that clients see
  std::set<std::string, std::less<>> unusable_;  ///< tools whose output schema cannot be compiled
};

/// The output schema of answers in the contract, for a tool that declares `declared` (null: none).
/// `check`: what happens to an answer that does not meet `declared`. If it is sent with a warning,
/// the schema allows such an answer as well.
[[nodiscard]] json::Value shown_schema(const json::Value& declared, contract::Id contract,
                                       OutputCheck check);

/// A tool with the name that clients see and, in a contract, its `shown_schema`.
/// `protocol_violation` if `tool` is not a valid tool.
[[nodiscard]] Result<mcp::Tool> shown_tool(json::View tool, std::string name,
                                           tools::AnswerContract contract, OutputCheck check);

/// Turns the output schema that a tool declares into the schema of the payload inside the envelope.
/// References within the schema are adapted to its new place. {}, which allows anything, if there
/// is no schema, if it describes an envelope or names no single type, or if it cannot be moved: it
/// refers to an id or anchor, uses keywords of an old dialect, or the contract has no place for it.
[[nodiscard]] json::Value payload_schema(const json::Value& output_schema, contract::Id contract);

}  // namespace enfold::gateway
