// SPDX-License-Identifier: Apache-2.0
// Enfold's own tools, `server` and `enfold_fetch`, as one object that lists them and answers calls
// of them. Servers of typed tools and the gateway both offer them beside other tools.
#pragma once

#include "enfold/tools/answer_services.h"
#include "enfold/tools/server_tool.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::tools {

/// A tool as `server` lists it.
[[nodiscard]] ToolFact fact_of(const OfferedTool& tool, AnswerContract contract);

class LocalTools {
 public:
  /// The tools beside these, which `server` lists first.
  using OtherTools = std::function<std::vector<ToolFact>(AnswerContract contract)>;

  /// Without those whose names are `taken`, and without enfold_fetch where nothing is archived.
  /// `services` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<LocalTools>> create(
      const AnswerServices& services, const std::set<std::string>& taken, OtherTools others);

  [[nodiscard]] const std::vector<OfferedTool>& all() const { return tools_; }
  [[nodiscard]] const OfferedTool* find(std::string_view name) const;

  /// `tool` is one of these.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(const OfferedTool& tool, mcp::Call&& call,
                                                       const std::shared_ptr<serve::Port>& port);

  /// Calls that wait for a worker or run on one.
  [[nodiscard]] std::size_t running() const { return running_; }

 private:
  LocalTools(const AnswerServices& services, OtherTools others)
      : services_(services), others_(std::move(others)) {}

  const AnswerServices& services_;
  OtherTools others_;
  std::vector<OfferedTool> tools_;
  std::size_t running_ = 0;
};

}  // namespace enfold::tools
