// SPDX-License-Identifier: Apache-2.0
// One call of a tool from its arguments to its reply. Quick handlers run at once; slow ones on a
// worker, with a deadline. Whoever is first, the handler or its deadline, gives the reply; nothing
// that comes later is heard.
#pragma once

#include "enfold/server/dispatch.h"

#include <memory>

namespace enfold::server {

class ToolRun : public std::enable_shared_from_this<ToolRun> {
 public:
  ToolRun(Dispatcher& dispatcher, const OfferedTool& tool, const mcp::Call& call,
          const std::shared_ptr<Port>& port, std::shared_ptr<Cancellation> cancellation);

  void start();

 private:
  [[nodiscard]] Given run_handler(Context& context) const;
  [[nodiscard]] Given run_server_tool();
  [[nodiscard]] AnswerFacts facts() const;
  void start_on_worker();
  void work(Context& context);
  void start_here();
  void finish_on_worker(pipeline::Prepared prepared);
  void miss_deadline();
  void deliver(Concluded concluded);
  void deliver_later(Concluded concluded);
  [[nodiscard]] Context make_context();

  Dispatcher& dispatcher_;
  const OfferedTool& tool_;
  mcp::Call call_;
  std::weak_ptr<Port> port_;
  CallPlan plan_;
  std::optional<mcp::RpcError> bad_state_;
  std::optional<json::Value> state_;
  std::shared_ptr<Cancellation> cancellation_;
  std::chrono::microseconds began_;
  std::unique_ptr<Alarm> deadline_;
  bool answered_ = false;
  bool on_worker_ = false;
};

/// What a handler says while it runs, brought to the serving thread.
[[nodiscard]] std::shared_ptr<Outbox> make_outbox(Dispatcher& dispatcher, mcp::CallKey call,
                                                  std::weak_ptr<Port> port, bool on_worker);

}  // namespace enfold::server
