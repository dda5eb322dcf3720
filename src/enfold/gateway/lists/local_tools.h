// SPDX-License-Identifier: Apache-2.0
// Enfold's own tools (enfold_fetch and `server`), and the objects with which every answer is
// written: archive, counters, contract.
#pragma once

#include "enfold/gateway/observe/metrics.h"
#include "enfold/gateway/upstream/upstream_set.h"
#include "enfold/tools/call/call_plan.h"
#include "enfold/tools/fetch_tool.h"
#include "enfold/tools/local_tools.h"

namespace enfold::gateway {

/// The tools::LocalTools of the current configuration; a reload replaces them.
class LocalTools {
 public:
  LocalTools(const Environment& environment, CallLog& log, const UpstreamSet& upstreams,
             const Routes& routes)
      : environment_(environment), log_(log), upstreams_(upstreams), routes_(routes) {}

  /// Uses these settings for new calls. Calls that are running keep the old ones.
  [[nodiscard]] Status configure(const tools::ServiceSettings& settings);

  /// The objects with which every answer is written; shared, so that a call can keep them during a
  /// reload.
  [[nodiscard]] std::shared_ptr<const tools::AnswerServices> services() const {
    return {current_, &current_->services};
  }
  [[nodiscard]] static bool is_local(std::string_view tool) {
    return tool == tools::kFetchTool || tool == tools::kServerTool;
  }
  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(
      mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel,
      tools::ClientTerms client);
  /// The upstreams whose tools a call of `server` lists but whose lists are not known yet.
  [[nodiscard]] std::vector<Upstream*> missing_lists(const mcp::Call& call) const;

  [[nodiscard]] tools::AnswerContract contract_for(const mcp::Call& call,
                                                   serve::ClientChannel& channel) const;
  /// Whether archived answers are shown as resources.
  [[nodiscard]] bool offers_archive(const mcp::Call& call, serve::ClientChannel& channel) const;
  /// The local tools for tools/list, without those whose names an upstream's tool has.
  [[nodiscard]] std::vector<json::Value> list(const std::set<std::string>& taken,
                                              contract::Id contract, const mcp::Call& call) const;

 private:
  /// What configure() made from one configuration.
  struct Generation {
    std::unique_ptr<const tools::ServiceSettings> settings;
    tools::AnswerServices services;
    std::unique_ptr<tools::LocalTools> tools;
  };
  [[nodiscard]] std::vector<tools::ToolFact> upstream_tools(tools::AnswerContract contract) const;

  const Environment& environment_;
  CallLog& log_;
  const UpstreamSet& upstreams_;
  const Routes& routes_;
  std::shared_ptr<Generation> current_;
  std::vector<std::shared_ptr<Generation>>
      former_;  ///< of earlier configurations, while calls use them
};

/// Whether a client reads structured content. For clients that read only text no output schema may
/// be announced, because they would require structured content.
[[nodiscard]] bool reads_structured(const Settings& settings, const mcp::Call& call);

}  // namespace enfold::gateway
