// SPDX-License-Identifier: Apache-2.0
// The gateway's own tools, beside those of its upstreams: enfold_fetch and `server`. Their server
// also holds what every answer is written with: archive, counters, contract.
#pragma once

#include "enfold/gateway/observe/call_log.h"
#include "enfold/gateway/upstream/routes.h"
#include "enfold/server/detail/dispatch.h"
#include "enfold/tools/server_tool.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace enfold::gateway {

class LocalTools {
 public:
  LocalTools(const Environment& environment, CallLog& log, const UpstreamSet& upstreams,
             const Routes& routes)
      : environment_(environment), log_(log), upstreams_(upstreams), routes_(routes) {}

  /// Serves with these settings from now on. Calls that are running keep what they began with.
  [[nodiscard]] Status configure(const server::Settings& answers);

  [[nodiscard]] const server::Shared& shared() const { return current_->dispatcher->shared(); }
  /// The same, kept for as long as a call needs it.
  [[nodiscard]] std::shared_ptr<const server::Shared> share() const {
    return {current_, &shared()};
  }
  [[nodiscard]] static bool is_local(std::string_view tool);
  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(mcp::Call call,
                                                       const std::shared_ptr<serve::Port>& port);
  /// The upstreams whose tools a call of `server` wants to list and that are not known yet.
  [[nodiscard]] std::vector<Upstream*> missing_lists(const mcp::Call& call) const;

  [[nodiscard]] server::AnswerContract contract_for(const mcp::Call& call, serve::Port& port) const;
  /// Whether archived answers are shown as resources.
  [[nodiscard]] bool offers_archive(const mcp::Call& call, serve::Port& port) const;
  /// As tools/list shows them, without those whose names are taken.
  [[nodiscard]] std::vector<json::Value> list(const std::set<std::string>& taken,
                                              contract::Id contract, const mcp::Call& call) const;

 private:
  struct Instance {
    server::Server server;
    std::unique_ptr<server::Dispatcher> dispatcher;
  };
  [[nodiscard]] std::vector<tools::ToolFact> upstream_tools(server::AnswerContract contract) const;

  const Environment& environment_;
  CallLog& log_;
  const UpstreamSet& upstreams_;
  const Routes& routes_;
  std::shared_ptr<Instance> current_;
  std::vector<std::shared_ptr<Instance>> former_;  ///< for calls that began before a reload
};

/// Whether a client reads structured content. Where it reads text alone no output schema may be
/// announced, for clients would insist on it.
[[nodiscard]] bool reads_structured(const Settings& settings, const mcp::Call& call);

}  // namespace enfold::gateway
