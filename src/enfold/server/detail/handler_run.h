// SPDX-License-Identifier: Apache-2.0
// One call of a typed tool: quick handlers run at once, slow ones on a worker with a deadline.
#pragma once

#include "enfold/server/detail/dispatch.h"
#include "enfold/tools/call/tool_run.h"

#include <memory>
#include <variant>

namespace enfold::server {

/// What a handler says while it runs, brought to the serving thread.
class CallOutbox final : public Outbox {
 public:
  CallOutbox(Dispatcher& dispatcher, mcp::CallKey call, std::weak_ptr<serve::ClientChannel> channel,
             bool on_worker)
      : dispatcher_(dispatcher), call_(call), channel_(std::move(channel)), on_worker_(on_worker) {}

  void progress(mcp::Progress progress) override;
  void log(mcp::LogMessage message) override;
  void close_stream() override;
  void list_changed(mcp::ListKind kind) override;
  void resource_updated(std::string uri) override;

 private:
  template <class What>
  void tell(What what);
  template <class Todo>
  void run(Todo todo);

  Dispatcher& dispatcher_;
  mcp::CallKey call_;
  std::weak_ptr<serve::ClientChannel> channel_;
  bool on_worker_;
};

class HandlerRun final : public tools::ToolRun {
 public:
  HandlerRun(Dispatcher& dispatcher, const HandledTool& tool, const tools::AnswerServices& services,
             std::size_t& running, mcp::Call&& call,
             const std::shared_ptr<serve::ClientChannel>& channel,
             std::shared_ptr<serve::Cancellation> cancellation);

 private:
  void answer() override;
  void answer_here();
  [[nodiscard]] tools::ToolReply answer_on_worker(Context& context);
  [[nodiscard]] Context make_context();
  [[nodiscard]] HandlerResult run_handler(Context& context) const;
  /// The reply, or an answer over its budget, whose original must be stored first.
  using Shaped = std::variant<tools::ToolReply, answer::PreparedAnswer>;
  [[nodiscard]] Shaped shape(HandlerResult&& result, Context& context) const;
  [[nodiscard]] tools::ToolReply ask(NeedsInput&& needs) const;
  void log(serve::LogLine::Level level, std::string_view event, std::string note) const;

  const HandledTool& handled_;
  CallOutbox outbox_;
  std::optional<json::Value> state_;
};

}  // namespace enfold::server
