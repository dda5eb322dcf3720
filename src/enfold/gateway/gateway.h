// SPDX-License-Identifier: Apache-2.0
// A service that speaks for other servers: tool answers go through the pipeline, everything else
// passes as it is, in both directions and between both eras. Lives on the loop's thread; only the
// shaping of long answers and the archive are the workers' business.
#pragma once

#include "enfold/gateway/call/answer_cache.h"
#include "enfold/gateway/call/relay.h"
#include "enfold/gateway/call/tool_answer.h"
#include "enfold/gateway/lists/lists.h"
#include "enfold/gateway/observe/metrics.h"
#include "enfold/gateway/observe/trace.h"
#include "enfold/gateway/upstream/upstream.h"
#include "enfold/tools/local_tools.h"
#include "enfold/tools/server_tool.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace enfold::gateway {

/// A call that will be answered later.
struct Task {
  std::string id;                 ///< as its upstream has it
  std::uint64_t upstream_number;  ///< Upstream::number
  std::shared_ptr<ToolAnswering> about;
};

/// What is known of one connection of a client.
struct Visitor {
  serve::Port* port = nullptr;
  std::shared_ptr<const mcp::Caller> caller;  ///< of its session, else of its last call
  bool has_session = false;
  std::map<const Upstream*, std::shared_ptr<Link>> links;  ///< its own
  std::optional<mcp::LogLevel> level;
  std::vector<std::string> watched;  ///< resources, in a session
  std::map<mcp::CallKey, mcp::SubscriptionFilter> listens;
  std::map<mcp::CallKey, std::shared_ptr<Relay>> relays;
  std::map<mcp::CallKey, std::vector<std::shared_ptr<Gathering>>> lists;  ///< on their way
  std::shared_ptr<SessionUse> use;
  std::map<mcp::ListKind, std::unique_ptr<Pace>> notices;  ///< that lists have changed
};

/// Which resource or template a call is about; nullopt: it is about something else.
[[nodiscard]] std::optional<std::string> resource_of(const mcp::Call& call);

/// What became of a new configuration.
struct Reloaded {
  std::string summary;              ///< in words
  std::set<std::string> dismissed;  ///< principals who are gone, or have another key
};

class Gateway final : public serve::Service, private LinkOwner {
 public:
  /// `loop` and `host` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Gateway>> create(Settings settings, net::Loop& loop,
                                                               serve::Host& host);
  ~Gateway() override;

  /// Finds out who the upstreams are, in nobody's name. For many clients, before the first comes.
  void connect(net::Callback<void(Status status)> done);
  /// What is asked from now on goes by these settings; what is open ends as it began. Upstreams
  /// that are the same keep their connections; new ones are connected first. State that the
  /// settings do not bring stays.
  void reload(Settings settings, net::Callback<void(Result<Reloaded>)> done);
  /// Ends the upstreams in good order; once more: without waiting until they end by themselves.
  void close(net::Task done);

  // Service
  [[nodiscard]] const std::shared_ptr<const mcp::ServerConfig>& config() const override {
    return config_;
  }
  [[nodiscard]] const tools::ServiceSettings& settings() const override {
    return settings_.answers;
  }
  [[nodiscard]] serve::Host& host() const override { return host_; }
  [[nodiscard]] std::optional<std::string> identify(
      std::optional<std::string_view> key) const override;
  void greet(std::string_view first_message, Greeted done) override;
  void begin(mcp::Call&& call, const std::shared_ptr<serve::Port>& port,
             const std::shared_ptr<serve::Cancellation>& cancellation) override;
  void opened(serve::Port& port, const std::shared_ptr<const mcp::Caller>& caller) override;
  void cancelled(serve::Port& port, mcp::CallKey call) override;
  void level_set(serve::Port& port, mcp::LogLevel level) override;
  void listening(serve::Port& port, const mcp::Listening& listening) override;
  void answered(serve::Port& port, mcp::AskKey ask, const mcp::Outcome& outcome) override;
  void noticed(serve::Port& port, const mcp::Notification& notification) override;
  void gone(serve::Port& port) override;

  [[nodiscard]] const std::vector<std::unique_ptr<Upstream>>& upstreams() const {
    return upstreams_;
  }
  /// What is so now, but for what only the front and the archive know.
  [[nodiscard]] Report report() const;
  [[nodiscard]] const Metrics& metrics() const { return metrics_; }
  [[nodiscard]] std::shared_ptr<store::Archive> archive() const { return own_->services.archive; }
  /// Somebody has asked for something.
  [[nodiscard]] bool was_greeted() const { return was_greeted_; }

 private:
  Gateway(Settings settings, net::Loop& loop, serve::Host& host);

  /// In whose name upstreams are asked who they are.
  [[nodiscard]] std::shared_ptr<const mcp::Caller> nobody() const;

  /// Why an upstream could not be reached, without secrets.
  [[nodiscard]] std::string told_to_client(const Error& error) const;

  // LinkOwner
  void on_ready(Link& link) override;
  void on_broken(Link& link, const Error& error) override;
  void on_ask(Link& link, const mcp::InputAsked& asked) override;
  void on_ask_withdrawn(Link& link, mcp::AskKey ask) override;
  void on_log(Link& link, const mcp::Logged& logged) override;
  void on_list_changed(Link& link, const mcp::ListChanged& changed) override;
  void on_resource_updated(Link& link, const mcp::ResourceUpdated& updated) override;
  void on_notification(Link& link, const mcp::Notification& notification) override;
  void on_error_line(Link& link, std::string_view line) override;
  void on_noise(Link& link, const Error& noise) override;

  // links.cc
  /// What a tool or prompt is called where it comes from; no upstream: nobody has it.
  struct Route {
    Upstream* upstream = nullptr;
    std::string name;
  };
  [[nodiscard]] Route route_of(std::string_view shown) const;
  [[nodiscard]] Route route_of_prompt(std::string_view shown) const;
  [[nodiscard]] Route route_of_call(const mcp::Call& call) const;
  [[nodiscard]] std::string shown(const Upstream& upstream, std::string_view name) const;
  [[nodiscard]] std::shared_ptr<Link> link_for(Visitor& visitor, const mcp::Call& call,
                                               Upstream& upstream);
  [[nodiscard]] std::shared_ptr<Link> make_link(Upstream& upstream,
                                                std::shared_ptr<const mcp::Caller> caller,
                                                std::optional<mcp::Era> first);
  [[nodiscard]] std::vector<std::shared_ptr<Link>> links() const;         ///< all that are in use
  [[nodiscard]] std::shared_ptr<Link> shared_of(const Link* link) const;  ///< nullptr: not in use
  [[nodiscard]] Upstream& upstream_of(const Link& link);
  [[nodiscard]] std::vector<Visitor*> visitors_on(const Link& link);
  [[nodiscard]] std::shared_ptr<Link> link_of(const Visitor& visitor, const Upstream& upstream);
  void retire(std::shared_ptr<Link> link);
  void take_identity();

  // calls.cc
  [[nodiscard]] Visitor& visitor_of(serve::Port& port);
  void start(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
             const std::shared_ptr<serve::Cancellation>& cancellation);
  [[nodiscard]] bool resume(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  [[nodiscard]] std::shared_ptr<Relay> start_relay(const mcp::Call& call,
                                                   const std::shared_ptr<serve::Port>& port,
                                                   Upstream& upstream);
  [[nodiscard]] mcp::CallOptions options_for(const Relay& relay, const json::Value& params);
  [[nodiscard]] bool is_shaped_list(const mcp::Call& call, serve::Port& port);
  void relay(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  void watch(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  void call_tool(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                 const std::shared_ptr<serve::Cancellation>& cancellation);
  [[nodiscard]] std::shared_ptr<ToolAnswering> answering(const mcp::Call& call, serve::Port& port,
                                                         const Route& route);
  void send_tool_call(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                      const std::shared_ptr<ToolAnswering>& about);
  void shape(Relay& relay, json::Value result, const std::shared_ptr<ToolAnswering>& about);
  template <class Work>
  void conclude_after(const std::shared_ptr<Relay>& relay,
                      const std::shared_ptr<ToolAnswering>& about, Work work);
  void shape_on_worker(const std::shared_ptr<Relay>& relay, json::Value result,
                       const std::shared_ptr<ToolAnswering>& about);
  void finish_on_worker(const std::shared_ptr<Relay>& relay, answer::Prepared prepared,
                        const std::shared_ptr<ToolAnswering>& about);
  void call_own_tool(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                     const std::shared_ptr<serve::Cancellation>& cancellation);
  void conclude(Relay& relay, const ToolAnswering& about, tools::ToolReply concluded);
  [[nodiscard]] tools::AnswerContract contract_for(const mcp::Call& call, serve::Port& port);

  // admission.cc
  /// What an upstream wants to see again, sealed for whoever it was given to.
  [[nodiscard]] json::Value sealed(const Relay& relay, json::Value result);
  /// The call with the state as the upstream gave it; refused when it is not this caller's.
  [[nodiscard]] tl::expected<mcp::Call, mcp::RpcError> unsealed(const mcp::Call& call,
                                                                serve::Port& port) const;
  void admit(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
             const std::shared_ptr<serve::Cancellation>& cancellation,
             const std::shared_ptr<ToolAnswering>& about);
  void admitted(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                const std::shared_ptr<serve::Cancellation>& cancellation,
                const std::shared_ptr<ToolAnswering>& about);

  // observing.cc
  [[nodiscard]] tools::ServiceSettings own_settings(tools::ServiceSettings answers);
  void note(const serve::LogLine& line);
  /// Whether a tool's calls are counted by its name; clients may call what they like.
  [[nodiscard]] bool is_counted_by_name(const serve::LogLine& call) const;
  /// Each of these once.
  void tell_of_list(const Upstream& upstream, std::string_view event, const std::string& note);
  void tell_left_out(const mcp::Call& call, const std::vector<std::string>& names,
                     std::size_t most);
  void note_call(const ToolAnswering& about, const tools::ToolReply& concluded);
  void refuse_for_load(const mcp::Call& call, serve::Port& port, const ToolAnswering& about);
  void note_passed(ToolAnswering& about, const client::CallResult& result);
  /// May be called from any thread.
  void weigh(json::View result, ToolAnswering& about) const;
  void weigh_small(json::View result, ToolAnswering& about) const;
  /// The next step of a call's trace, if it has one.
  [[nodiscard]] std::optional<TraceContext> step_of(const mcp::Call& call);

  // tasks.cc
  /// A result that is no answer yet as clients see it: the id of a task is remembered and says
  /// whose it is.
  [[nodiscard]] json::Value with_task_noted(Relay& relay, json::Value result,
                                            const std::shared_ptr<ToolAnswering>& about);
  void note_task(Relay& relay, const std::string& id, const std::string& principal,
                 const std::shared_ptr<ToolAnswering>& about);
  struct TasksShown {
    const redact::Policy* policy = nullptr;   ///< nullptr: words stay as they are
    const std::vector<Task>* only = nullptr;  ///< nullptr: lists stay whole
  };
  [[nodiscard]] json::Value with_shown_tasks(const Upstream& upstream, json::Value message,
                                             const TasksShown& shown) const;
  [[nodiscard]] Route route_of_task(std::string_view shown) const;
  [[nodiscard]] Route route_of_tasks() const;
  void tell_of_task(Link& link, const mcp::Notification& notification);
  /// nullptr: it is not theirs.
  [[nodiscard]] std::shared_ptr<ToolAnswering> answering_of_task(const mcp::Call& call,
                                                                 serve::Port& port,
                                                                 const Route& task);
  void ask_about_task(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  void answer_about_task(Relay& relay, json::Value message,
                         const std::shared_ptr<ToolAnswering>& about);

  // archived.cc
  void read_resource(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  void fill_in(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
               const std::shared_ptr<serve::Cancellation>& cancellation,
               const std::shared_ptr<ToolAnswering>& about);
  [[nodiscard]] bool offers_archive(const mcp::Call& call, serve::Port& port);
  [[nodiscard]] std::shared_ptr<SessionUse> use_of(const mcp::Call& call, serve::Port& port);
  [[nodiscard]] std::map<std::string, std::shared_ptr<SessionUse>>& uses_of(
      const std::string& principal);

  // recover.cc
  [[nodiscard]] bool answer_from_cache(Relay& relay, const std::shared_ptr<ToolAnswering>& about,
                                       bool stale_too);
  void keep_answer(const json::Value& result, const ToolAnswering& about);
  /// Once more, somebody else, or an older answer; false: there is nobody left to ask.
  [[nodiscard]] bool recover(Relay& relay, const std::shared_ptr<ToolAnswering>& about,
                             const client::CallFailure& failure);
  void recover_from_fallback(Relay& relay, const std::shared_ptr<ToolAnswering>& about);
  void send_on(Relay& relay, Upstream& upstream, const std::shared_ptr<ToolAnswering>& about);
  void fail_tool_call(Relay& relay, const std::shared_ptr<ToolAnswering>& about,
                      const client::CallFailure& failure);

  // lists.cc
  struct Round;
  void list(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  void gathered(const std::shared_ptr<Round>& round, std::size_t which, Pages pages);
  void answer_list(Round& round);
  void use_known(std::vector<Listed>& of, mcp::Method list);
  void note_resource(std::string uri, Upstream& upstream);
  [[nodiscard]] mcp::Reply write_list(const mcp::Call& call, serve::Port& port,
                                      const std::vector<Listed>& of);
  struct Items {
    json::Value list;
    bool as_they_are = false;  ///< none is left out, added or written anew
  };
  [[nodiscard]] Items write_items(const mcp::Call& call, const std::vector<Listed>& of,
                                  tools::AnswerContract contract,
                                  const std::vector<json::Value>& own, bool archived);
  /// Whether it was written as it is.
  bool write_item(json::Writer& writer, const mcp::Call& call, Upstream& upstream, json::View item,
                  tools::AnswerContract contract);
  bool write_tool(json::Writer& writer, const mcp::Call& call, Upstream& upstream, json::View item,
                  tools::AnswerContract contract);
  [[nodiscard]] std::vector<json::Value> own_tools_beside(const std::set<std::string>& taken,
                                                          contract::Id contract,
                                                          const mcp::Call& call) const;
  [[nodiscard]] std::size_t size_hint(const mcp::Call& call) const;  ///< 0: none
  [[nodiscard]] bool is_structured(const mcp::Call& call) const;
  [[nodiscard]] std::optional<std::size_t> most_tools(const mcp::Call& call) const;
  [[nodiscard]] std::vector<tools::ToolFact> tool_facts(tools::AnswerContract contract) const;
  /// Asks upstreams of which nothing is known yet for their tools, in the caller's name.
  void learn_all_tools(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                       const std::function<void()>& done);

  // known.cc
  /// Asks these for a list, in the caller's name, and waits for it as long as for any list.
  void learn_from(const std::vector<Upstream*>& unknown, mcp::Method list, const mcp::Call& call,
                  const std::shared_ptr<serve::Port>& port, const std::function<void()>& done);
  /// Whether it is news.
  bool know(Upstream& upstream, mcp::Method list, const std::vector<json::Value>& items);
  void know_tools(Upstream& upstream, const std::vector<json::Value>& items);
  void learn_tools(const std::shared_ptr<Link>& link, net::Task done);
  void learned_tools(Upstream& upstream, const std::vector<json::Value>& items);
  void learn_anew(const std::shared_ptr<Link>& link);
  void came_back(Link& link);
  void tell_changed(mcp::ListKind kind, const serve::Port* but = nullptr);
  void tell_changed(Visitor& visitor, mcp::ListKind kind);

  // resource_search.cc
  struct Search;
  [[nodiscard]] Upstream* owner_of(const std::string& uri) const;       ///< nullptr: nobody knows
  [[nodiscard]] bool is_elsewhere(const std::string& uri, Link& link);  ///< another upstream's
  void search_resource(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  [[nodiscard]] bool is_of_nobody_known(const mcp::Call& call) const;
  void search_template(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  void search_to_watch(const mcp::Call& call, const std::shared_ptr<serve::Port>& port);
  void search_for(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                  std::function<void(Relay&, client::CallResult)> found);
  void ask_for(Relay& relay, Upstream& upstream, const std::shared_ptr<Search>& search);

  // reload.cc
  struct Reloading;
  void connect_joining(const std::shared_ptr<Reloading>& reloading);
  [[nodiscard]] Result<Reloaded> swap(Settings settings);
  void let_go(Upstream& upstream);
  void sweep();
  void sweep_later();  ///< when nobody is on the stack
  /// A new configuration may have sent it away.
  [[nodiscard]] bool is_here(const Upstream* upstream) const;

  // questions.cc
  struct Question {
    serve::Port* port;
    std::weak_ptr<Link> link;
    mcp::AskKey upstream;    ///< as the link names it
    mcp::AskKey downstream;  ///< as the port names it
  };
  [[nodiscard]] std::shared_ptr<Relay> last_relay_on(const Link& link, bool parked_too = false);
  void ask_session(Link& link, const mcp::InputAsked& asked, serve::Port& port,
                   std::optional<mcp::CallKey> about);
  void ask_by_result(Relay& relay, const mcp::InputAsked& asked);
  void give_up(const std::string& state);
  [[nodiscard]] bool is_of_many(const Link& link);

  // watch.cc
  void update_watch(const std::shared_ptr<Link>& link);
  void stop_watching(Link& link);

  Settings settings_;
  net::Loop& loop_;
  serve::Host& host_;
  std::vector<std::unique_ptr<Upstream>> upstreams_;
  std::uint64_t upstreams_made_ = 0;
  std::vector<std::unique_ptr<Upstream>> joining_;  ///< of a reload that is not done yet
  std::vector<std::unique_ptr<Upstream>> leaving_;  ///< until their last call has its answer
  std::shared_ptr<const mcp::ServerConfig> config_;
  /// The gateway's own tools, and what every answer is written by.
  struct Own {
    std::unique_ptr<const tools::ServiceSettings> settings;
    tools::CallServices services;
    std::unique_ptr<tools::LocalTools> tools;
  };
  [[nodiscard]] Result<std::shared_ptr<Own>> make_own(const tools::ServiceSettings& answers);
  std::shared_ptr<Own> own_;
  std::vector<std::shared_ptr<Own>> former_;  ///< for calls that began before a reload

  std::map<serve::Port*, std::unique_ptr<Visitor>> visitors_;
  std::map<std::uint64_t, std::shared_ptr<Relay>> relays_;   ///< open ones, in order
  std::map<std::string, Upstream*, std::less<>> resources_;  ///< whose they are, where several may
  std::uint64_t last_relay_ = 0;
  struct Parked {
    std::string principal;
    std::shared_ptr<Relay> relay;
    std::unique_ptr<serve::Alarm> patience;
  };
  std::map<std::string, Parked> parked_;  ///< by the state that the client sends along
  std::vector<Question> questions_;
  AnswerCache cache_{AnswerCache::Limits{}};
  std::vector<std::shared_ptr<Link>> retiring_;
  struct Watching {
    mcp::SubscriptionFilter filter;
    std::optional<Ticket> ticket;  ///< of subscriptions/listen, in the stateless era
  };
  std::map<const Link*, Watching> watching_;
  Metrics metrics_;
  bool was_greeted_ = false;
  std::unique_ptr<serve::Alarm> connect_patience_;
  std::set<std::string> told_;  ///< what the operator need not hear again
  /// Of callers without a session, by principal and client.
  std::map<std::string, std::map<std::string, std::shared_ptr<SessionUse>>> uses_;
  std::map<std::string, std::vector<Task>> tasks_;  ///< by principal
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace enfold::gateway
