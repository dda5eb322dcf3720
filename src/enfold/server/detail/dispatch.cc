// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/dispatch.h"

#include "enfold/server/detail/deferred.h"
#include "enfold/server/detail/offer_requests.h"
#include "enfold/server/detail/questions.h"

#include <limits>

namespace enfold::server {
namespace {

using mcp::Method;

// What a connection keeps of a running call, to cancel it.
class RunningCall final : public serve::OpenCall {
 public:
  explicit RunningCall(std::weak_ptr<tools::ToolRun> run) : run_(std::move(run)) {}
  void cancel(serve::CancelCause /*cause*/) override {
    if (const std::shared_ptr<tools::ToolRun> run = run_.lock()) run->withdraw();
  }

 private:
  std::weak_ptr<tools::ToolRun> run_;
};

void log_refused_offer(const Settings& settings, std::string reason) {
  settings.log(
      {.level = serve::LogLine::Level::error, .event = "offer_refused", .note = std::move(reason)});
}

}  // namespace

Dispatcher::Dispatcher(const Server& server, tools::AnswerServices services, AllowThreads allow)
    : server_(server),
      offers_(server.state()),
      services_(std::move(services)),
      allow_threads_(std::move(allow)),
      tasks_(*services_.host, server.settings().max_tasks,
             [this](mcp::Call call, const auto& task, const auto& channel) {
               const std::string& name = std::get_if<mcp::ToolCall>(&call.params)->name;
               if (auto tool = catalog_.find(name)) {
                 (void)run_tool(std::move(tool), std::move(call), channel, task);
               } else {
                 task->settle(mcp::invalid_params("The tool was removed: " + json::quote(name)));
               }
             }),
      thread_(std::make_shared<ServingThread>(*services_.host)) {
  const tools::FairLane::Bounds bounds{.running = settings().workers,
                                       .running_per_principal = settings().workers,
                                       .waiting_per_principal = settings().max_waiting};
  for (const Method method : {Method::resources_read, Method::prompts_get, Method::complete}) {
    lanes_.emplace(method, std::make_shared<tools::FairLane>(bounds));
  }
  offers_->attach(*this);
}

// abandon() calls the stop callbacks of authors, which may finish a reply and so post to the
// serving thread. Therefore `thread_` is closed last.
Dispatcher::~Dispatcher() {
  offers_->detach(*this);
  const std::set<std::shared_ptr<DeferredRun>> open = std::move(open_replies_);
  for (const std::shared_ptr<DeferredRun>& run : open) run->abandon();
  thread_->close();
}

Result<std::unique_ptr<Dispatcher>> Dispatcher::create(const Server& server, serve::Host& host,
                                                       AllowThreads allow) {
  ENFOLD_TRY(tools::AnswerServices services,
             tools::make_services(server.settings(), server.name(), server.version(), host));
  std::unique_ptr<Dispatcher> created(
      new Dispatcher(server, std::move(services), std::move(allow)));
  Dispatcher& self = *created;
  ENFOLD_TRY(self.catalog_, Catalog::create(server));
  // A tool of the author replaces Enfold's own tool of the same name.
  ENFOLD_TRY(self.local_,
             tools::LocalTools::create(
                 self.services_, self.catalog_.names(), [&self](tools::AnswerContract contract) {
                   std::vector<tools::ToolFact> facts;
                   for (const Catalog::Entry& one : self.catalog_.tools()) {
                     facts.push_back(tools::fact_of(one.tool->offered, contract));
                   }
                   return facts;
                 }));
  self.refresh();
  return created;
}

void Dispatcher::on_changed(mcp::ListKind kind) {
  if (changed_.at(static_cast<std::size_t>(kind)).exchange(true)) return;
  host().post([this] { apply_changes(); });
}

void Dispatcher::apply_changes() {
  std::array<bool, std::tuple_size_v<decltype(changed_)>> changed{};
  bool any = false;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    changed[i] = changed_[i].exchange(false);
    any = any || changed[i];
  }
  if (!any) return;
  refresh();
  for (std::size_t i = 0; i < changed.size(); ++i) {
    if (changed[i]) list_changed(static_cast<mcp::ListKind>(i));
  }
}

void Dispatcher::on_updated(std::string uri) {
  host().post([this, uri = std::move(uri)] { resource_updated(uri); });
}

void Dispatcher::on_refused(std::string reason) {
  host().post([this, reason = std::move(reason)] { log_refused_offer(settings(), reason); });
}

void Dispatcher::refresh() {
  for (const Error& error : catalog_.update(server_)) {
    log_refused_offer(settings(), answer::place_and_message(error));
  }
  lists_ = server_.lists();
  config_ = std::make_shared<const mcp::ServerConfig>(
      server_config(server_, [this](std::string_view tool) { return headers_of(tool); }));
  if (!allow_threads_) return;
  constexpr std::size_t for_own_work = 2;  // such as storing an answer: it waits for no handler
  // One set of workers for Enfold's own tools, and one for each lane.
  std::size_t threads = for_own_work + (1 + lanes_.size()) * settings().workers;
  for (const Catalog::Entry& one : catalog_.tools()) {
    if (one.spec->on_worker) threads += concurrency_of(*one.spec, settings());
  }
  allow_threads_(threads);
}

const mcp::ParamHeaders* Dispatcher::headers_of(std::string_view tool) const {
  if (const auto found = catalog_.find(tool)) return &found->offered.headers;
  const tools::OfferedTool* local = local_->find(tool);
  return local != nullptr ? &local->headers : nullptr;
}

std::shared_ptr<serve::OpenCall> Dispatcher::begin(
    mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  apply_changes();
  if (call.method == Method::tools_call) {
    return call_tool(std::move(call), channel);
  }
  switch (call.method) {
    case Method::complete:
    case Method::resources_read:
    case Method::prompts_get: return answer_on_worker(std::move(call), channel);
    case Method::tasks_get:
    case Method::tasks_update:
    case Method::tasks_cancel:
      channel->reply(call.key, tasks_.answer(call, channel));
      return nullptr;
    default: channel->reply(call.key, answer(call, *channel)); return nullptr;
  }
}

std::shared_ptr<serve::OpenCall> Dispatcher::call_tool(
    mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  const std::string& name = std::get_if<mcp::ToolCall>(&call.params)->name;
  if (auto tool = catalog_.find(name)) {
    if (tool->task && tool->task->required && !mcp::accepts_tasks(call)) {
      channel->reply(call.key, mcp::missing_extension(mcp::kTasksExtension));
      return nullptr;
    }
    return run_tool(std::move(tool), std::move(call), channel, nullptr);
  }
  if (const tools::OfferedTool* local = local_->find(name)) {
    return local_->begin(*local, std::move(call), channel,
                         tools::terms_of_client(call, channel->state(), services_));
  }
  const std::set<std::string> names = catalog_.names();
  std::vector<std::string> known(names.begin(), names.end());
  for (const tools::OfferedTool& one : local_->all()) known.push_back(one.spec.name);
  channel->reply(call.key, unknown("tool", name, known));
  return nullptr;
}

std::shared_ptr<serve::OpenCall> Dispatcher::run_tool(
    std::shared_ptr<const HandledTool> tool, mcp::Call&& call,
    const std::shared_ptr<serve::ClientChannel>& channel, std::shared_ptr<ServerTask> task) {
  const bool deferred = tool->deferred;
  const auto make = [&]<class Run>(std::type_identity<Run>) -> std::shared_ptr<HandlerRun> {
    return std::make_shared<Run>(*this, std::move(tool), services_, running_, std::move(call),
                                 channel, task);
  };
  const auto run =
      deferred ? make(std::type_identity<DeferredRun>()) : make(std::type_identity<HandlerRun>());
  if (task) task->set_run(run);
  run->start();
  if (run->is_answered()) return nullptr;  // there is nothing left to cancel
  return std::make_shared<RunningCall>(run);
}

mcp::Reply Dispatcher::answer(const mcp::Call& call, serve::ClientChannel& channel) const {
  switch (call.method) {
    case Method::tools_list: return list_tools(call, channel);
    case Method::resources_list:
    case Method::resources_templates_list:
    case Method::prompts_list: return list_from(*lists_, call, server_.list_page);
    case Method::resources_subscribe: return subscribe_to(*lists_, call);
    case Method::resources_unsubscribe: return mcp::empty_result();
    default: return mcp::method_not_found(call.method_name);
  }
}

CallFacts Dispatcher::facts_of(const mcp::Call& call, serve::ClientChannel& channel) const {
  CallFacts facts;
  std::array<std::uint8_t, 6> random{};
  host().fill_random(random);
  facts.request_id = contract::make_request_id(random);
  facts.tool = subject_of(call);
  facts.principal = channel.state().principal;
  facts.caller = call.caller;
  if (call.caller && !call.caller->client_name().empty()) {
    facts.client = call.caller->client_name();
    facts.client_version = call.caller->client_version();
  }
  facts.traceparent = call.traceparent;
  facts.tracestate = call.tracestate;
  facts.headers = call.headers;
  facts.tier = settings().tier;
  facts.cursor_key = &services_.key;
  facts.offers = offers_;
  facts.clock = [this] { return host().clock(); };
  facts.is_enabled = [this, client = facts.client](std::string_view flag) {
    return settings().flags.is_enabled(flag, client, tools::seconds_of(host()));
  };
  return facts;
}

std::shared_ptr<serve::OpenCall> Dispatcher::answer_on_worker(
    mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel) {
  const mcp::CallKey key = call.key;
  CallFacts facts = facts_of(call, *channel);
  if (const Status read = read_answers(call, services_, facts); !read) {
    channel->reply(key, mcp::invalid_params("Invalid params: " + read.error().message));
    return nullptr;
  }
  auto cancellation = std::make_shared<serve::Cancellation>();
  auto context = std::make_shared<Context>(std::move(facts), cancellation,
                                           std::make_shared<CallOutbox>(*this, key, channel,
                                                                        /*on_worker=*/true));
  const std::shared_ptr<tools::FairLane>& lane = lanes_.at(call.method);
  const std::string principal = context->principal();
  const auto reply = [this, key, weak = std::weak_ptr(channel)](mcp::Reply sent) {
    --running_;
    if (const auto open = weak.lock()) open->reply(key, std::move(sent));
  };
  const mcp::RpcError busy{mcp::code::internal_error, "The server is busy", std::nullopt};
  ++running_;
  const bool entered = lane->enter(
      principal, [this, reply, busy, context, cancellation, lane = std::weak_ptr(lane),
                  lists = lists_, call = std::make_shared<const mcp::Call>(std::move(call))] {
        auto work = [this, context, cancellation, lists, call,
                     slot = Slot(thread_, lane, context->principal())]() -> mcp::Reply {
          // A request that was cancelled while it waited need not begin. The channel drops the
          // reply, because the request is not open any more.
          if (cancellation->is_cancelled()) return mcp::empty_result();
          return answer_from(*lists, *call, *context, services_);
        };
        if (!serve::on_worker(host(), std::move(work), reply)) reply(busy);
      });
  if (!entered) {
    reply(busy);
    return nullptr;
  }
  return cancellation;
}

mcp::Reply Dispatcher::list_tools(const mcp::Call& call, serve::ClientChannel& channel) const {
  const tools::ClientTerms client = tools::terms_of_client(call, channel.state(), services_);
  const bool structured =
      tools::channels_for(server_.settings(), *client.profile) != answer::Channels::text;
  std::vector<const tools::OfferedTool*> offered;
  std::vector<std::uint64_t> numbers;
  for (const Catalog::Entry& one : catalog_.tools()) {
    offered.push_back(&one.tool->offered);
    numbers.push_back(one.number);
  }
  // Enfold's own tools have the largest numbers, so that they are listed last. A tool of the author
  // that was added later under the same name replaces one of them.
  for (const tools::OfferedTool& tool : local_->all()) {
    if (catalog_.find(tool.spec.name)) continue;
    numbers.push_back(std::numeric_limits<std::uint64_t>::max() - local_->all().size() +
                      static_cast<std::size_t>(&tool - local_->all().data()));
    offered.push_back(&tool);
  }
  const auto page =
      page_of(numbers, std::get_if<mcp::ListRequest>(&call.params)->cursor, server_.list_page);
  if (!page) return bad_cursor();
  const mcp::Era era = call.caller ? call.caller->era : mcp::Era::sessions;
  json::Writer writer;
  writer.begin_object().key("tools").begin_array();
  for (std::size_t i = page->begin; i < page->end; ++i) {
    mcp::write(writer, tools::as_mcp(*offered[i], client.contract, structured), era);
  }
  writer.end_array();
  if (page->next) writer.member("nextCursor", *page->next);
  writer.end_object();
  return mcp::complete(std::move(writer).finish());
}

}  // namespace enfold::server
