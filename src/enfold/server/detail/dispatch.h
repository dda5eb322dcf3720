// SPDX-License-Identifier: Apache-2.0
// Carries out calls: finds what is asked for, runs its handler where it belongs, and replies
// exactly once, whatever the handler does. Lives on the serving thread.
#pragma once

#include "enfold/serve/service.h"
#include "enfold/server/detail/call_plan.h"
#include "enfold/server/detail/finish_answer.h"
#include "enfold/tools/server_tool.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace enfold::server {

/// Calls by what their envelopes said.
struct Metrics {
  std::uint64_t calls = 0;
  std::map<std::string, std::uint64_t, std::less<>> outcomes;
  std::map<std::string, std::uint64_t, std::less<>> codes;
};

class Dispatcher final : public serve::Service {
 public:
  /// Fails when the server describes a tool that cannot work. `server` and `host` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Dispatcher>> create(const Server& server,
                                                                  serve::Host& host);

  [[nodiscard]] const std::shared_ptr<const mcp::ServerConfig>& config() const override {
    return config_;
  }
  [[nodiscard]] const Settings& settings() const override { return shared_.server->settings(); }
  [[nodiscard]] serve::Host& host() const override { return *shared_.host; }
  [[nodiscard]] const Shared& shared() const { return shared_; }

  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(
      mcp::Call&& call, const std::shared_ptr<serve::Port>& port) override;

  /// Tools of others, for the tool `server` to list before its own.
  using MoreTools = std::function<std::vector<tools::ToolFact>(AnswerContract contract)>;
  void also_lists(MoreTools more) { more_tools_ = std::move(more); }

  /// Of the calls that wait for a worker or run on one.
  [[nodiscard]] std::size_t running() const { return running_; }
  [[nodiscard]] const Metrics& metrics() const { return metrics_; }

 private:
  friend class ToolRun;
  Dispatcher(const Server& server, Catalog catalog, serve::Host& host, contract::CursorKey key);

  [[nodiscard]] mcp::Reply answer(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  [[nodiscard]] mcp::Reply list(const mcp::Call& call, serve::Port& port) const;
  [[nodiscard]] mcp::Reply read_resource(const mcp::Call& call, Context& context) const;
  [[nodiscard]] mcp::Reply get_prompt(const mcp::Call& call, Context& context) const;
  [[nodiscard]] mcp::Reply complete(const mcp::Call& call) const;
  void count(const serve::LogLine& line);

  Catalog catalog_;
  Shared shared_;
  std::shared_ptr<const mcp::ServerConfig> config_;
  std::size_t running_ = 0;
  MoreTools more_tools_;
  Metrics metrics_;
};

}  // namespace enfold::server
