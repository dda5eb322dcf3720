// SPDX-License-Identifier: Apache-2.0
// Carries out calls: finds what is asked for, runs its handler where it belongs, and replies
// exactly once, whatever the handler does. Lives on the serving thread.
#pragma once

#include "enfold/serve/service.h"
#include "enfold/server/detail/catalog.h"
#include "enfold/tools/local_tools.h"

#include <memory>

namespace enfold::server {

class Dispatcher final : public serve::Service {
 public:
  /// Fails when the server describes a tool that cannot work. `server` and `host` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Dispatcher>> create(const Server& server,
                                                                  serve::Host& host);

  [[nodiscard]] const std::shared_ptr<const mcp::ServerConfig>& config() const override {
    return config_;
  }
  [[nodiscard]] const Settings& settings() const override { return server_.settings(); }
  [[nodiscard]] serve::Host& host() const override { return *services_.host; }
  [[nodiscard]] const tools::AnswerServices& services() const { return services_; }

  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(
      mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) override;

  /// Calls that wait for a worker or run on one.
  [[nodiscard]] std::size_t running() const { return running_ + local_->running(); }

 private:
  Dispatcher(const Server& server, Catalog catalog, tools::AnswerServices services)
      : server_(server), catalog_(std::move(catalog)), services_(std::move(services)) {}

  [[nodiscard]] std::shared_ptr<serve::OpenCall> call_tool(
      mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel);
  [[nodiscard]] mcp::Reply answer(const mcp::Call& call,
                                  const std::shared_ptr<serve::ClientChannel>& channel);
  [[nodiscard]] mcp::Reply list(const mcp::Call& call, serve::ClientChannel& channel) const;
  [[nodiscard]] mcp::Reply list_tools(const mcp::Call& call, serve::ClientChannel& channel) const;
  [[nodiscard]] mcp::Reply read_resource(const mcp::Call& call, Context& context) const;
  [[nodiscard]] mcp::Reply get_prompt(const mcp::Call& call, Context& context) const;
  [[nodiscard]] mcp::Reply complete(const mcp::Call& call) const;
  [[nodiscard]] const mcp::ParamHeaders* headers_of(std::string_view tool) const;

  const Server& server_;
  Catalog catalog_;
  tools::AnswerServices services_;
  std::unique_ptr<tools::LocalTools> local_;
  std::shared_ptr<const mcp::ServerConfig> config_;
  std::size_t running_ = 0;
};

}  // namespace enfold::server
