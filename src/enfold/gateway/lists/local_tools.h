// SPDX-License-Identifier: Apache-2.0
// The local tools, which Enfold itself offers (enfold_fetch and `server`), and the objects that
// writing any answer needs: archive, counters, contract.
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

  /// Uses these settings for new calls. Running calls keep the settings that they began with.
  [[nodiscard]] Status configure(const Settings& settings);

  /// The objects that writing an answer needs; shared, so that a call can keep them during a
  /// reload.
  [[nodiscard]] std::shared_ptr<const tools::AnswerServices> services() const {
    return {current_, &current_->services};
  }
  [[nodiscard]] static bool is_local(std::string_view tool) {
    return tool == tools::kFetchTool || tool == tools::kServerTool;
  }
  /// Begins a call of a local tool. nullptr: the call is answered already.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(
      mcp::Call call, const std::shared_ptr<serve::ClientChannel>& channel,
      tools::ClientTerms client);
  /// The upstreams whose tools must be fetched before this call of `server` or enfold_fetch. Empty
  /// for a call of `server` that does not list tools, and for all other calls.
  [[nodiscard]] std::vector<Upstream*> missing_lists(const mcp::Call& call) const;

  /// What the client decides about its call; see tools::terms_of_client.
  [[nodiscard]] tools::ClientTerms terms_for(const mcp::Call& call,
                                             serve::ClientChannel& channel) const {
    tools::ClientTerms terms = tools::terms_of_client(call, channel.state(), *services());
    // Without a `budget`, terms_of_client sets no contract_when_cut; but a session budget cuts too.
    if (!terms.contract && !terms.contract_when_cut && environment_.settings.session_budget) {
      terms.contract_when_cut =
          services()->contract_with_v2_flag.value_or(contract::Id::response_v2);
    }
    return terms;
  }
  /// The contract of answers to this client; nullopt: `none`.
  [[nodiscard]] tools::AnswerContract contract_for(const mcp::Call& call,
                                                   serve::ClientChannel& channel) const;
  /// Whether archived answers are shown to this client as resources.
  [[nodiscard]] bool offers_archive(const mcp::Call& call, serve::ClientChannel& channel) const;
  /// The local tools for tools/list, without those whose names are in `upstream_names`.
  [[nodiscard]] std::vector<json::Value> list(const std::set<std::string>& upstream_names,
                                              contract::Id contract, const mcp::Call& call) const;

 private:
  /// The objects that configure() made from one configuration.
  struct Generation {
    std::unique_ptr<const tools::ServiceSettings> settings;
    tools::AnswerServices services;
    std::unique_ptr<tools::LocalTools> tools;
  };
  /// The offered tools of all upstreams, for the tool `server`. `contract`: of the client.
  [[nodiscard]] std::vector<tools::ToolFact> upstream_tools(tools::AnswerContract contract) const;

  const Environment& environment_;
  CallLog& log_;
  const UpstreamSet& upstreams_;
  const Routes& routes_;
  std::shared_ptr<Generation> current_;
  std::vector<std::shared_ptr<Generation>>
      former_;  ///< of earlier configurations; configure() removes those that no call uses
};

/// Whether a client reads structured content. For clients that read only text no output schema may
/// be announced, because they would require structured content.
[[nodiscard]] bool reads_structured(const Settings& settings, const mcp::Call& call);

}  // namespace enfold::gateway
