// SPDX-License-Identifier: Apache-2.0
// One call of a tool from its arguments to its reply. A rate limit that others share is asked for
// on a worker. Quick handlers run at once; slow ones on a worker, with a deadline. Whoever is
// first, the handler or its deadline, gives the reply; nothing that comes later is heard.
#pragma once

#include "enfold/server/detail/dispatch.h"

#include <memory>

namespace enfold::server {

/// What a handler says while it runs, brought to the serving thread.
class CallOutbox final : public Outbox {
 public:
  CallOutbox(Dispatcher& dispatcher, mcp::CallKey call, std::weak_ptr<serve::Port> port,
             bool on_worker)
      : dispatcher_(dispatcher), call_(call), port_(std::move(port)), on_worker_(on_worker) {}

  void progress(mcp::Progress progress) override;
  void log(mcp::LogMessage message) override;
  void close_stream() override;
  void list_changed(mcp::ListKind kind) override;
  void resource_updated(std::string uri) override;
  [[nodiscard]] std::shared_ptr<serve::Port> port() const { return port_.lock(); }

 private:
  template <class What>
  void tell(What what);
  template <class Todo>
  void run(Todo todo);

  Dispatcher& dispatcher_;
  mcp::CallKey call_;
  std::weak_ptr<serve::Port> port_;
  bool on_worker_;
};

class ToolRun : public std::enable_shared_from_this<ToolRun> {
 public:
  ToolRun(Dispatcher& dispatcher, const OfferedTool& tool, mcp::Call&& call,
          const std::shared_ptr<serve::Port>& port,
          std::shared_ptr<serve::Cancellation> cancellation);

  void start();

 private:
  [[nodiscard]] Given run_handler(Context& context) const;
  [[nodiscard]] Given run_server_tool();
  [[nodiscard]] AnswerFacts facts() const;
  void run();
  void start_on_worker();
  [[nodiscard]] Concluded work(Context& context);
  void start_here();
  void finish_on_worker(answer::Prepared prepared);
  void miss_deadline();
  void deliver(Concluded&& concluded);
  /// False: no worker is free, and the caller was told so.
  template <class Work, class Then>
  bool on_worker(Work work, Then then);
  [[nodiscard]] Context make_context();
  [[nodiscard]] bool is_enabled(std::string_view flag) const;

  Dispatcher& dispatcher_;
  const OfferedTool& tool_;
  mcp::Call call_;
  CallPlan plan_;
  CallOutbox outbox_;
  std::optional<mcp::RpcError> bad_state_;
  std::optional<json::Value> state_;
  std::shared_ptr<serve::Cancellation> cancellation_;
  std::chrono::microseconds began_;
  std::unique_ptr<serve::Alarm> deadline_;
  bool answered_ = false;
  bool on_worker_ = false;
};

}  // namespace enfold::server
