// SPDX-License-Identifier: Apache-2.0
// What a server offers, made ready for serving, and how its calls are carried out: the dispatcher
// finds the handler, runs it where it belongs, and replies exactly once, whatever the handler does.
// Lives on the serving thread.
#pragma once

#include "enfold/mcp/peer/server_action.h"
#include "enfold/serve/service.h"
#include "enfold/server/detail/offer_state.h"
#include "enfold/server/detail/page_fit.h"
#include "enfold/server/detail/serving_thread.h"
#include "enfold/server/detail/tasks.h"
#include "enfold/server/server.h"
#include "enfold/tools/call/tool_run.h"
#include "enfold/tools/local_tools.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::server {

/// A tool of the author, ready to be called.
struct HandledTool {
  tools::OfferedTool offered;
  std::shared_ptr<const Handler> handler;
  bool on_worker = false;  ///< the handler runs on a worker
  bool deferred = false;   ///< the handler answers through a Reply
  /// The queue of the tool's calls: if the tool has a deadline, they wait in it until they may run.
  /// Weak, because the lane owns the waiting calls, and they own the tool.
  std::weak_ptr<tools::FairLane> lane;
  std::optional<TaskOptions> task;  ///< nullopt: its calls never run as tasks
  bool paged = false;               ///< its request derives from PageRequest
};

/// How many calls of a tool run at the same time, at most.
[[nodiscard]] std::size_t concurrency_of(const ToolSpec& tool, const Settings& settings);

/// The tools of a server, with compiled schemas.
class Catalog {
 public:
  struct Entry {
    std::uint64_t number = 0;              ///< Offered::number
    std::shared_ptr<const ToolSpec> spec;  ///< from which the tool was made
    std::shared_ptr<const HandledTool> tool;
    std::shared_ptr<tools::FairLane> lane;  ///< that of the tool
  };
  /// Fails with the first error of update().
  [[nodiscard]] static Result<Catalog> create(const Server& server);
  /// Compiles the tools that were added since the last update, and drops those that were removed.
  /// Returns an error for each tool that cannot be offered.
  [[nodiscard]] std::vector<Error> update(const Server& server);

  /// nullptr: there is none. A call keeps the result, because the tool may be removed.
  [[nodiscard]] std::shared_ptr<const HandledTool> find(std::string_view name) const;
  [[nodiscard]] const std::vector<Entry>& tools() const { return tools_; }
  [[nodiscard]] std::set<std::string> names() const;

 private:
  std::vector<Entry> tools_;
  /// Lanes of removed tools, until their last call is over.
  std::vector<std::shared_ptr<tools::FairLane>> former_lanes_;
};

/// What the server tells each client about itself. `headers` returns which arguments of a tool are
/// sent as HTTP headers.
[[nodiscard]] mcp::ServerConfig server_config(
    const Server& server, std::function<const mcp::ParamHeaders*(std::string_view tool)> headers);

class DeferredRun;

class Dispatcher final : public serve::Service, private detail::OfferListener {
 public:
  /// Called by create() and after each change of the offers with the number of threads that the
  /// server needs, so that no call waits for a call of another tool. Empty: never called.
  using AllowThreads = std::function<void(std::size_t count)>;

  /// Fails if the server declares a tool that cannot work. `server` and `host` must outlive the
  /// result.
  [[nodiscard]] static Result<std::unique_ptr<Dispatcher>> create(const Server& server,
                                                                  serve::Host& host,
                                                                  AllowThreads allow = nullptr);
  /// Cancels the calls that still need the answer of a Reply; replies may outlive the dispatcher.
  ~Dispatcher() override;

  [[nodiscard]] const std::shared_ptr<const mcp::ServerConfig>& config() const override {
    return config_;
  }
  [[nodiscard]] const Settings& settings() const override { return server_.settings(); }
  [[nodiscard]] serve::Host& host() const override { return *services_.host; }
  [[nodiscard]] std::optional<std::string> identify(
      std::optional<std::string_view> key) const override {
    return server_.identify ? server_.identify(key) : settings().principal;
  }
  [[nodiscard]] const tools::AnswerServices& services() const { return services_; }

  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(
      mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) override;

  [[nodiscard]] std::shared_ptr<serve::OpenCall> on_listen(
      serve::ClientChannel& channel, const mcp::SubscriptionOpened& opened) override {
    return tasks_.listen(channel, opened);
  }

  /// Makes changes of the offers effective, and tells clients. Called before each answer of a
  /// handler and before each call, so that a change is effective for the next call.
  void apply_changes();

  [[nodiscard]] Tasks& tasks() { return tasks_; }
  [[nodiscard]] const std::shared_ptr<ServingThread>& serving_thread() const { return thread_; }

  /// Calls whose handler answers through a Reply, until they are answered.
  [[nodiscard]] std::set<std::shared_ptr<DeferredRun>>& open_replies() { return open_replies_; }
  [[nodiscard]] const std::shared_ptr<detail::OfferState>& offers() const { return offers_; }

  /// Calls that wait for a worker or run on one. Those of resources, prompts and completions also
  /// count while they wait in a lane, tools do not. For tests.
  [[nodiscard]] std::size_t running() const { return running_ + local_->running(); }

 private:
  Dispatcher(const Server& server, tools::AnswerServices services, AllowThreads allow);

  [[nodiscard]] std::shared_ptr<serve::OpenCall> call_tool(
      mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel);
  /// `task`: set if the run repeats the call of this task with the answers of the client. nullptr:
  /// a new call, whose client waits for the answer unless the run makes it a task.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> run_tool(
      std::shared_ptr<const HandledTool> tool, mcp::Call&& call,
      const std::shared_ptr<serve::ClientChannel>& channel, std::shared_ptr<ServerTask> task);
  /// Resources, prompts and completion: their authors' functions run on a worker.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> answer_on_worker(
      mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel);
  /// Methods that are answered at once on the serving thread: lists and subscriptions.
  [[nodiscard]] mcp::Reply answer(const mcp::Call& call, serve::ClientChannel& channel) const;
  [[nodiscard]] mcp::Reply list_tools(const mcp::Call& call, serve::ClientChannel& channel) const;
  /// Arguments that are sent as HTTP headers too; nullptr: there is no such tool.
  [[nodiscard]] const mcp::ParamHeaders* headers_of(std::string_view tool) const;
  /// What the handler of a resource, prompt or completion knows about its request.
  [[nodiscard]] CallFacts facts_of(const mcp::Call& call, serve::ClientChannel& channel) const;

  // Called by the offers, on any thread.
  void on_changed(mcp::ListKind kind) override;
  void on_updated(std::string uri) override;
  void on_refused(std::string reason) override;
  /// Brings catalog, lists, configuration and threads up to date with what is offered now.
  void refresh();

  const Server& server_;
  std::shared_ptr<detail::OfferState> offers_;  ///< of the server
  Catalog catalog_;
  tools::AnswerServices services_;
  std::unique_ptr<tools::LocalTools> local_;  ///< Enfold's own tools
  std::shared_ptr<const OfferLists> lists_;   ///< as of the last refresh()
  std::shared_ptr<const mcp::ServerConfig> config_;
  AllowThreads allow_threads_;
  /// One each for resources/read, prompts/get and completion/complete: calls of one method do not
  /// wait for those of another.
  std::map<mcp::Method, std::shared_ptr<tools::FairLane>> lanes_;
  std::array<std::atomic<bool>, 3> changed_{};  ///< by ListKind: apply_changes() is posted
  Tasks tasks_;
  std::shared_ptr<ServingThread> thread_;
  std::set<std::shared_ptr<DeferredRun>> open_replies_;
  std::size_t running_ = 0;  ///< of running(), without Enfold's own tools
};

/// Sends the messages of a running handler to its client, on the serving thread.
class CallOutbox : public Outbox {
 public:
  /// `on_worker`: the handler runs on a worker, not on the serving thread.
  CallOutbox(Dispatcher& dispatcher, mcp::CallKey call, std::weak_ptr<serve::ClientChannel> channel,
             bool on_worker)
      : dispatcher_(dispatcher), call_(call), channel_(std::move(channel)), on_worker_(on_worker) {}

  void progress(mcp::Progress progress) override;
  void log(mcp::LogMessage message) override;
  void close_stream() override;

 protected:
  /// Runs the task on the serving thread: posted from a worker, else at once.
  template <class Task>
  void run(Task task);

 private:
  /// Calls `message(channel)` on the serving thread, unless the client has gone.
  template <class Message>
  void tell(Message message);

  Dispatcher& dispatcher_;
  mcp::CallKey call_;
  std::weak_ptr<serve::ClientChannel> channel_;
  bool on_worker_;
};

/// What Context::keep stored last. Also decides what answers the call: handler or deadline, the
/// earlier one.
class LastKept final : public KeptAnswer {
 public:
  struct Kept {
    json::Value payload;
    answer::ToolContext additions;
  };
  void keep(json::Value payload, answer::ToolContext additions) override {
    const std::lock_guard lock(mutex_);
    if (state_ == State::open) kept_ = Kept{std::move(payload), std::move(additions)};
  }
  void add_warnings(const std::vector<model::Warning>& all) override {
    const std::lock_guard lock(mutex_);
    if (state_ != State::open) return;
    for (std::size_t i = warnings_.size(); i < all.size(); ++i) warnings_.push_back(all[i]);
  }
  [[nodiscard]] bool deadline_passed() const override { return state_ == State::deadline; }
  /// Called when the handler has returned. False: it is too late, the deadline answers.
  [[nodiscard]] bool claim_for_handler() { return decide(State::handler); }
  /// Called when the deadline has passed. False: the handler has returned, its answer is on its
  /// way.
  [[nodiscard]] bool claim_for_deadline() { return decide(State::deadline); }
  /// After claim_for_deadline(): what was kept, with all warnings; nullopt: nothing.
  [[nodiscard]] std::optional<Kept> take() {
    const std::lock_guard lock(mutex_);
    if (kept_) kept_->additions.warnings = std::move(warnings_);
    return std::exchange(kept_, std::nullopt);
  }

 private:
  enum class State {
    open,      ///< not decided yet
    handler,   ///< the handler answers
    deadline,  ///< the deadline answers
  };
  /// False: it was decided before.
  bool decide(State state) {
    const std::lock_guard lock(mutex_);
    if (state_ != State::open) return false;
    state_ = state;
    return true;
  }

  std::mutex mutex_;
  std::atomic<State> state_ = State::open;  ///< written under the lock
  std::optional<Kept> kept_;
  std::vector<model::Warning> warnings_;
};

class HandlerRun;

/// The outbox of a tool call. In a task, progress becomes the message of the task's status.
class ToolOutbox final : public CallOutbox {
 public:
  ToolOutbox(HandlerRun& handler, Dispatcher& dispatcher, mcp::CallKey call,
             std::weak_ptr<serve::ClientChannel> channel, bool on_worker)
      : CallOutbox(dispatcher, call, std::move(channel), on_worker), handler_(handler) {}
  void progress(mcp::Progress progress) override;
  void start_task() override;

 private:
  HandlerRun& handler_;
};

/// One call of a tool of the author.
class HandlerRun : public tools::ToolRun {
 public:
  using ToolRun::is_answered;
  /// `task`: as in Dispatcher::run_tool.
  HandlerRun(Dispatcher& dispatcher, std::shared_ptr<const HandledTool> tool,
             const tools::AnswerServices& services, std::size_t& running, mcp::Call&& call,
             const std::shared_ptr<serve::ClientChannel>& channel,
             std::shared_ptr<ServerTask> task);

  /// From now on the call is a task, if tool and client allow it: the client gets its id. If the
  /// principal has too many tasks, the call is refused.
  void start_task();
  /// Sends progress to the client; for a task, sets the message of its status.
  void report(const mcp::Progress& progress);

 protected:
  void send(mcp::Reply&& reply) override;
  [[nodiscard]] bool answer_partially() override;
  /// Called when a call with a deadline has got its place in the lane, which `slot` holds: runs the
  /// handler.
  virtual void run(CallFacts facts, Slot slot);

  [[nodiscard]] Dispatcher& dispatcher() const { return dispatcher_; }
  [[nodiscard]] const HandledTool& handled() const { return handled_; }
  [[nodiscard]] Outbox& own_outbox() { return outbox_; }
  [[nodiscard]] std::stop_source& stop() { return stop_; }
  /// nullopt: none; then the handler runs on the serving thread and returns at once.
  [[nodiscard]] std::optional<std::chrono::milliseconds> deadline() const;
  /// Called by answer_partially() if the deadline came before the handler's return: answers with
  /// what was kept. False: nothing was kept, and the caller has to refuse the call.
  [[nodiscard]] virtual bool answer_with_kept();
  // These may be called on a worker.
  /// The reply for what the handler returned; stores the original of an answer over its budget.
  [[nodiscard]] tools::ToolReply reply_to(HandlerResult&& result, Context& context) const;
  [[nodiscard]] HandlerResult run_handler(Context& context) const;
  /// What `run` returns. Its exceptions and internal errors are logged and become a failure.
  [[nodiscard]] HandlerResult catching(net::Callback<HandlerResult()> run) const;
  void log(serve::LogLine::Level level, std::string_view event, std::string_view note) const;
  /// Logs a handler that kept the serving thread for too long.
  void log_if_slow(answer::Duration time) const;

 private:
  void answer() override;
  [[nodiscard]] bool may_be_task() const { return handled_.task && mcp::accepts_tasks(call()); }
  /// Runs the handler on the serving thread and answers. For tools without a deadline.
  void answer_on_serving_thread();
  /// Delivers an answer; if it is over its budget, after a worker has stored its original and cut
  /// it.
  void deliver_when_stored(answer::BeginResult&& begun);
  [[nodiscard]] CallFacts make_facts();
  [[nodiscard]] Context make_context(CallFacts facts);
  /// Runs the handler when a place in the lane of its tool is free.
  void wait_for_lane();
  /// The reply, or an answer over its budget, whose original must be stored first.
  using Shaped = std::variant<tools::ToolReply, answer::PreparedAnswer>;
  [[nodiscard]] Shaped shape(HandlerResult&& result, Context& context,
                             const answer::ToolRequest& request) const;
  [[nodiscard]] answer::BeginResult begin_answer(model::Response&& response, Context& context,
                                                 const answer::ToolRequest& request) const;

  Dispatcher& dispatcher_;
  std::shared_ptr<const HandledTool> kept_tool_;  ///< alive even if the server removes the tool
  const HandledTool& handled_;
  std::shared_ptr<tools::FairLane> lane_;  ///< of the tool, until wait_for_lane() moves it out
  ToolOutbox outbox_;
  std::shared_ptr<ServerTask> task_;  ///< nullptr: the client waits for the answer
  CallFacts answers_;                 ///< only what read_answers() has set, until the handler runs
  std::shared_ptr<LastKept> kept_;    ///< nullptr: the call has no deadline
  std::stop_source stop_{std::nostopstate};  ///< of a call with a deadline
  bool has_place_ = false;  ///< in the lane of its tool; false: the call waits for one
};

}  // namespace enfold::server
