// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/tool_call.h"

#include "enfold/contract/cursors/continuation.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/gateway/call/elicitation.h"
#include "enfold/gateway/call/forwarded_call.h"
#include "enfold/gateway/call/handles.h"
#include "enfold/gateway/call/tasks.h"
#include "enfold/gateway/observe/metrics.h"
#include "enfold/gateway/policy/names.h"
#include "enfold/gateway/policy/upstream_words.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/model/content.h"
#include "enfold/serve/service.h"
#include "enfold/tools/fetch_tool.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

mcp::ToolHints hints_of(const tools::OfferedTool& tool) {
  mcp::ToolHints hints;
  for (const auto& [name, value] : tool.spec.annotations) {
    if (name == "readOnlyHint") hints.read_only = value;
    if (name == "idempotentHint") hints.idempotent = value;
  }
  return hints;
}

// The call may not have reached the server, or the server ended or was too slow to answer.
bool is_down(const client::CallFailure& failure) {
  return failure.error.code == ErrorCode::unavailable || failure.error.code == ErrorCode::timed_out;
}

// Whether a result of tools/call is the tool's answer. Not an answer: in the stateless era a
// question (input_required), in either era the handle of a task without content. `resultType` has
// no other effect: otherwise an upstream could switch off redaction, budget and contract by it.
bool is_finished_answer(json::View result, mcp::Era upstream) {
  const bool is_stateless = upstream == mcp::Era::stateless;
  if (is_stateless && mcp::result_type(result) == mcp::ResultType::input_required) return false;
  if (result.find("content") || result.find("structuredContent")) return true;
  const auto type = result.find("resultType");
  const std::optional<json::View> task = !is_stateless                  ? result.find("task")
                                         : type && type->equals("task") ? std::optional(result)
                                                                        : std::nullopt;
  return !task || !json::string_member(*task, "taskId");
}

// Whether the upstream may have the tool. If its list is not known, it may have any offered tool.
bool may_have(const Upstream& upstream, const std::string& tool) {
  return is_offered(upstream.settings, tool) &&
         (upstream.tools.is_empty() || upstream.tools.has(tool));
}

std::int64_t whole_seconds(microseconds time) {
  return std::chrono::duration_cast<seconds>(time).count();
}

// `fresh`: the age up to which a cached answer is not stale.
model::Warning stale_warning(microseconds age, microseconds fresh) {
  json::Writer context;
  context.begin_object().member("cache_age_seconds", whole_seconds(age));
  context.member("max_freshness_seconds", whole_seconds(fresh)).end_object();
  return contract::make_warning(
      "STALE_CACHE",
      fmt::format("The server is down; this is what it said {} s ago", whole_seconds(age)),
      std::move(context).finish_value());
}

model::Warning fallback_warning(const std::string& from, const std::string& to) {
  json::Writer context;
  context.begin_object().member("upstream", from).member("fallback", to).end_object();
  return contract::make_warning("FALLBACK_USED",
                                fmt::format("{} is down; {} answered in its place", from, to),
                                std::move(context).finish_value());
}

mcp::Call with_arguments(const mcp::Call& call, const json::Value& arguments) {
  mcp::Call filled = call;
  json::Writer writer;
  mcp::Overlay()
      .member("arguments", [&](json::Writer& out) { out.value(arguments); })
      .write(writer, call.raw_params.view());
  filled.raw_params = std::move(writer).finish_value();
  if (auto* tool = std::get_if<mcp::ToolCall>(&filled.params)) tool->arguments = arguments;
  return filled;
}

// The upstream that a tool call goes to. With several upstreams, `enfold_fetch` without a prefix
// goes to the first upstream that offers a tool of that name (it is an Enfold too): the client may
// have got the handle in an answer of that upstream.
Route route_to(const CallServices& services, const std::string& name) {
  const Route route = services.routes.tool(name);
  if (route.upstream != nullptr || name != tools::kFetchTool) return route;
  for (const auto& upstream : services.upstreams.current()) {
    const bool has_it = upstream->tools.has(name) && is_offered(upstream->settings, name);
    if (has_it) return {upstream.get(), name};
  }
  return route;
}

bool is_at_upstream(const Route& route) {
  return route.upstream != nullptr && route.upstream->tools.has(route.name);
}

// The `server` tool lists the tools of all upstreams, and `enfold_fetch` may be one of them, so
// their lists are fetched first.
std::shared_ptr<serve::OpenCall> begin_local(const CallServices& services, const mcp::Call& call,
                                             const std::shared_ptr<serve::ClientChannel>& channel,
                                             tools::ClientTerms client) {
  auto deferred = std::make_shared<DeferredCall>();
  services.lists.fetch(
      services.local.missing_lists(call), mcp::Method::tools_list, call, *channel,
      services.alive.guarded(
          [&services, call, deferred, weak = std::weak_ptr(channel), client = std::move(client)] {
            const std::shared_ptr<serve::ClientChannel> open = weak.lock();
            if (!open) return;
            const std::string& name = std::get_if<mcp::ToolCall>(&call.params)->name;
            deferred->begin([&]() -> std::shared_ptr<serve::OpenCall> {
              if (is_at_upstream(route_to(services, name))) {
                return ToolCall::begin(services, call, open);
              }
              return services.local.begin(call, open, client);
            });
          }));
  return deferred;
}

// Whether an unlisted tool of this upstream must be refused. A server may accept a tool under names
// that it does not list, which would bypass rules for names. Without any rule, unlisted tools are
// refused only if the list is known already, because a client has asked for it.
bool must_be_listed(const Settings& settings, const Upstream& upstream) {
  const UpstreamSettings& rules = upstream.settings;
  const bool has_rules = !rules.tools_allow.empty() || !rules.tools_deny.empty() ||
                         !rules.tools.empty() || !settings.tools.empty();
  return !rules.allow_unlisted_tools &&
         (has_rules || upstream.known.contains(mcp::Method::tools_list));
}

// Fetches the tools of the upstream before the call begins: they were not listed yet, or the server
// may have got the tool since.
std::shared_ptr<serve::OpenCall> begin_when_listed(
    const CallServices& services, const mcp::Call& call,
    const std::shared_ptr<serve::ClientChannel>& channel, Upstream& upstream) {
  auto deferred = std::make_shared<DeferredCall>();
  const auto begin = [&services, deferred](const mcp::Call& waited,
                                           const std::shared_ptr<serve::ClientChannel>& open) {
    deferred->begin([&] { return ToolCall::begin(services, waited, open, /*is_list_new=*/true); });
  };
  services.lists.fetch_tools_for(upstream, {call, channel, begin});
  return deferred;
}

}  // namespace

std::shared_ptr<serve::OpenCall> ToolCall::begin(
    const CallServices& services, mcp::Call call,
    const std::shared_ptr<serve::ClientChannel>& channel, bool is_list_new) {
  const std::string& name = std::get_if<mcp::ToolCall>(&call.params)->name;
  const Route route = route_to(services, name);
  tools::ClientTerms client = services.local.terms_for(call, *channel);
  if (LocalTools::is_local(name) && !is_at_upstream(route) &&
      (client.contract || client.contract_when_cut)) {
    if (!client.contract)
      client.contract = client.contract_when_cut;  // a local tool may have to cut
    return begin_local(services, call, channel, std::move(client));
  }
  const bool is_refused =
      route.upstream == nullptr || !is_offered(route.upstream->settings, route.name);
  const bool is_unlisted = !is_refused && !route.upstream->tools.has(route.name) &&
                           must_be_listed(services.environment.settings, *route.upstream);
  if (is_unlisted && !is_list_new &&
      (route.upstream->tools_wait != nullptr ||
       route.upstream->lookup_limit.take(services.environment.loop.now()))) {
    return begin_when_listed(services, call, channel, *route.upstream);
  }
  if (is_refused || is_unlisted) {
    std::string message = fmt::format("Unknown tool: {}", json::quote(name));
    if (is_unlisted && !route.upstream->known.contains(mcp::Method::tools_list)) {
      message += fmt::format(". The tools of upstream {} could not be listed",
                             json::quote(route.upstream->settings.name));
    }
    channel->reply(call.key, mcp::invalid_params(std::move(message)));
    return nullptr;
  }
  auto self =
      std::make_shared<ToolCall>(services, std::move(call), channel, route, std::move(client));
  self->admit();
  return self;
}

ToolCall::ToolCall(const CallServices& services, mcp::Call call,
                   const std::shared_ptr<serve::ClientChannel>& channel, const Route& route,
                   tools::ClientTerms client)
    : ClientCall(std::move(call), channel, services.open_calls),
      services_(services),
      answer_(services.writer.plan(this->call(), *channel, route, std::move(client))),
      may_retry_(answer_->rules.is_safe || mcp::may_retry(hints_of(*answer_->about.tool))),
      changes_nothing_(answer_->rules.is_safe || hints_of(*answer_->about.tool).read_only) {}

/// `work` must not use the call: it may end, on the loop's thread, while the worker runs.
template <class Work, class Then>
void ToolCall::on_worker(Work work, Then then) {
  const bool is_queued = serve::on_worker(
      services_.environment.host, std::move(work),
      [self = self(), then = std::move(then)]<class... Result>(Result... result) mutable {
        if (!self->is_ended()) then(*self, std::move(result)...);
      });
  if (!is_queued) reply(services_.writer.refuse(answer_, busy_failure()));
}

// Checks the arguments and the rate limit. Counters that several replicas share are on a server,
// whose answer arrives later (take_later). For counters in a file a worker waits.
void ToolCall::admit() {
  if (!take_place(about().client_share)) {
    reply(services_.writer.refuse(
        answer_, busy_failure(OpenCalls::counts(call().raw_params->raw().size())
                                  ? "Too many open calls of this client, or their arguments hold "
                                    "too much memory"
                                  : "Too many open calls of this client")));
    return;
  }
  tools::CallPlan& plan = about().plan;
  const tools::AnswerServices& services = *about().services;
  if (!tools::waits_for_counters(plan, services)) {
    tools::admit(plan, *about().tool, services);
    on_admitted();
    return;
  }
  if (!tools::check_arguments(plan, *about().tool)) return on_admitted();
  // Called on the store's thread, where the call must be neither used nor destroyed: hence `weak`.
  const auto on_decision = [post = services_.late_post.poster(),
                            weak = std::weak_ptr(self())](Result<store::RateDecision> decision) {
    post([weak, decision = std::move(decision)] {
      const auto call = weak.lock();
      if (call && !call->is_ended()) call->on_rate_decision(decision);
    });
  };
  if (services.counters->take_later(tools::bucket_of(plan), *plan.limit, services.host->calendar(),
                                    on_decision)) {
    return;
  }
  on_worker([answer = answer_] { return tools::take(answer->about.plan, *answer->about.services); },
            [](ToolCall& self, const Result<store::RateDecision>& decision) {
              self.on_rate_decision(decision);
            });
}

void ToolCall::on_rate_decision(const Result<store::RateDecision>& decision) {
  tools::finish_admission(about().plan, *about().tool, *about().services, decision);
  on_admitted();
}

std::optional<std::string> ToolCall::own_cursor() {
  const json::View arguments = about().plan.arguments.view();
  const bool may_have_one =
      arguments.raw().find(contract::kContinuationMark) != std::string_view::npos;
  const bool may_be_cut = about().plan.contract || about().plan.contract_when_cut;
  if (!may_be_cut || !may_have_one) return std::nullopt;
  return tools::own_cursor(arguments, *about().tool, about().services->key);
}

void ToolCall::on_admitted() {
  if (about().plan.refusal) {
    model::Response refusal = std::move(*about().plan.refusal);
    reply(services_.writer.refuse(answer_, std::move(refusal)));
  } else if (auto cursor = own_cursor()) {
    if (about().plan.contract_when_cut) tools::use_contract_when_cut(about().plan);
    services_.writer.continue_answer(
        answer_, std::move(*cursor),
        [self = self()](mcp::Reply reply) { self->reply(std::move(reply)); });
  } else if (about().plan.contract && about().plan.called_as == tools::kFetchTool) {
    ask_archive();
  } else if (services_.environment.settings.handles_as_arguments &&
             has_handles(about().plan.arguments.view())) {
    replace_handles();
  } else {
    route();
  }
}

void ToolCall::ask_archive() {
  on_worker(
      [answer = answer_] {
        const AnswerContext& of = answer->about;
        return tools::is_in_archive(of.plan.arguments.view(),
                                    tools::fetch_source(of.plan, *of.services));
      },
      [](ToolCall& self, bool is_own) {
        if (!is_own) return self.route();
        self.about().upstream =
            Metrics::kLocalUpstream;  // no upstream is asked, so metrics count none
        self.services_.writer.fetch_answer(self.answer_, [self = self.self()](mcp::Reply reply) {
          self->reply(std::move(reply));
        });
      });
}

void ToolCall::replace_handles() {
  HandleSource source{.archive = about().services->archive.get(),
                      .principal = about().plan.principal,
                      .now = tools::store_time(services_.environment.host)};
  on_worker(
      [answer = answer_, source = std::move(source)] {
        return gateway::replace_handles(answer->about.plan.arguments.view(), source);
      },
      [](ToolCall& self, tl::expected<json::Value, model::Response> replaced) {
        if (replaced) {
          self.replace_call(with_arguments(self.call(), *replaced));
          self.route();
        } else {
          self.reply(self.services_.writer.refuse(self.answer_, std::move(replaced.error())));
        }
      });
}

void ToolCall::route() {
  Upstream* upstream = services_.upstreams.with_number(answer_->upstream);
  // A reload may have replaced the upstream while the call waited.
  if (upstream == nullptr) upstream = services_.routes.tool(about().plan.called_as).upstream;
  const std::shared_ptr<serve::ClientChannel> channel = this->channel();
  if (upstream == nullptr || !channel) {
    reply(mcp::invalid_params("Unknown tool: no upstream has it any more"));
    return;
  }
  if (answer_from_cache(/*may_be_stale=*/false)) return;
  // A call that has run must be answered, so room for its answer is reserved before it is sent.
  room_ = services_.writer.reserve_room(*answer_);
  if (!room_) {
    reply(services_.writer.refuse(
        answer_, busy_failure("The answers of this client that wait or are expected hold too much "
                              "memory")));
    return;
  }
  const bool may_be_cut = about().plan.contract || about().plan.contract_when_cut;
  if (may_be_cut && !tools::has_archive_room(*about().services, about().plan.principal)) {
    reply(services_.writer.refuse(
        answer_, busy_failure("The archive fails, and no more answers fit into memory")));
    return;
  }
  auto connection = services_.connections.for_call(*channel, call(), *upstream);
  if (connection->is_refused()) {  // the server itself is not down, so nothing is retried
    reply(services_.writer.refuse(answer_, busy_failure(std::string(Connections::kNoProcess))));
    return;
  }
  send_request(std::move(connection), *upstream);
}

void ToolCall::send_request(std::shared_ptr<UpstreamConnection> connection,
                            const Upstream& upstream) {
  const std::string& tool = about().tool->spec.name;
  mcp::CallOptions options = request_for(services_, *this, *connection, tool);
  if (const auto* headers = upstream.tools.headers(tool)) options.param_headers = *headers;
  attempts_.began = services_.environment.host.clock();
  send(std::move(connection), std::move(options));
}

void ToolCall::cancel(serve::CancelCause cause) {
  const bool archives_outcome = about().services->settings->keeps_originals && !changes_nothing_;
  if (archives_outcome && has_run_ && is_awaited()) return keep_until_shaped();
  if (!archives_outcome || !keep_for_late_answer(serve::reason(cause))) ClientCall::cancel(cause);
}

void ToolCall::archive_outcome(json::Value result) {
  services_.writer.archive_unsent(answer_, std::move(result));
  abandon("it has ended");  // the upstream has answered, so the reason is not sent
}

void ToolCall::on_result(client::CallResult result) {
  if (client_has_left()) {
    const bool has_run = result && is_finished_answer(result->view(), connection()->server().era);
    // The upstream has answered, so abandon() cancels no request.
    has_run ? archive_outcome(std::move(*result)) : abandon("it has ended");
    return;
  }
  about().duration = services_.environment.host.clock() - attempts_.began;
  const bool used_fallback = attempts_.before_fallback.has_value();
  if (result) {
    if (is_finished_answer(result->view(), connection()->server().era)) {
      store_in_cache(*result);
      if (used_fallback) {
        about().plan.fallback_warning =
            fallback_warning(about().upstream, connection()->settings().name);
      }
      shape(*result);
    } else {
      forward(std::move(result));
    }
  } else if (result.error().refusal && !used_fallback) {
    forward(std::move(result));
  } else if (!recover(result.error())) {
    fail(used_fallback ? *attempts_.before_fallback : result.error());
  }
}

// Tries one retry (not after a timeout), then the fallback, then a stale answer. False: none is
// possible.
bool ToolCall::recover(const client::CallFailure& failure) {
  // The fallback failed too.
  if (attempts_.before_fallback) return answer_from_cache(/*may_be_stale=*/true);
  if (!may_retry_ || !is_down(failure)) return false;
  const bool broke = failure.error.code == ErrorCode::unavailable;
  const Upstream& upstream = services_.upstreams.of(*connection());
  const Breaker& breaker = upstream.breakers.of(about().plan.principal);
  const bool may_connect = breaker.wait(services_.environment.loop.now()).count() == 0;
  if (broke && may_connect && !std::exchange(attempts_.was_retried, true)) {
    // The failed connection is calling this function, so the retry starts after it has returned.
    services_.environment.loop.defer(services_.alive.guarded([self = self()] {
      if (self->is_ended()) return;
      self->send_request(self->connection(), self->services_.upstreams.of(*self->connection()));
    }));
    return true;
  }
  return fall_back(failure) || answer_from_cache(/*may_be_stale=*/true);
}

bool ToolCall::fall_back(const client::CallFailure& failure) {
  const std::shared_ptr<serve::ClientChannel> channel = this->channel();
  if (!answer_->rules.fallback || !about().plan.contract || !channel) return false;
  Upstream* const other = services_.upstreams.with_name(*answer_->rules.fallback);
  if (other == nullptr || other == &services_.upstreams.of(*connection())) return false;
  if (!may_have(*other, about().tool->spec.name)) return false;
  attempts_.before_fallback = failure;
  send_request(services_.connections.for_call(*channel, call(), *other), *other);
  return true;
}

CacheKey ToolCall::cache_key() const {
  const AnswerContext& about = answer_->about;
  return {about.plan.principal, answer_->upstream, about.tool->spec.name,
          about.plan.arguments->raw()};
}

// A stale answer needs a contract, because only an envelope can say that the answer is stale.
bool ToolCall::answer_from_cache(bool may_be_stale) {
  if (!changes_nothing_ || call().inputs.any()) return false;
  const microseconds fresh = answer_->rules.cache_ttl.value_or(seconds(0));
  microseconds max_age = fresh;
  if (may_be_stale && about().plan.contract) {
    max_age = std::max<microseconds>(fresh, answer_->rules.stale_if_error.value_or(seconds(0)));
  }
  if (max_age.count() == 0) return false;
  auto found = services_.cache.find(cache_key(), max_age, services_.environment.host.clock());
  if (!found) return false;
  about().plan.cache_hit = true;
  if (found->age > fresh) about().plan.warnings.push_back(stale_warning(found->age, fresh));
  shape(found->result);
  return true;
}

void ToolCall::store_in_cache(const json::Value& result) {
  const bool wanted = answer_->rules.cache_ttl || answer_->rules.stale_if_error;
  if (!wanted || !changes_nothing_ || attempts_.before_fallback) return;
  if (model::is_failed_result(result.view())) return;
  services_.cache.put(cache_key(), result, services_.environment.host.clock());
}

void ToolCall::shape(const json::Value& result) {
  room_.reset();  // from now on the answer itself is counted
  has_run_ = true;
  services_.writer.shape(answer_, result, [self = self(), result](mcp::Reply reply) {
    self->client_has_left() ? self->archive_outcome(result) : self->reply(std::move(reply));
  });
}

// Forwards a result that is not yet an answer: a question, a task, a protocol error.
void ToolCall::forward(client::CallResult result) {
  services_.writer.log_forwarded(answer_, result);
  if (result && Tasks::is_too_long(result->view())) {
    reply(mcp::internal_error(
        "The server started a task whose id or description is too long: at most 1 KiB and 64 KiB"));
    return;
  }
  if (!result) return reply(as_reply(std::move(result)));
  if (result->view().find("content") || result->view().find("structuredContent")) {
    json::Writer writer;  // content in a question would bypass budget and contract
    mcp::Overlay().without("content").without("structuredContent").write(writer, result->view());
    *result = std::move(writer).finish_value();
  }
  services_.writer.redact_interim(answer_, std::move(*result), [self = self()](json::Value shown) {
    if (self->is_ended()) return;
    const CallServices& services = self->services_;
    shown = services.tasks.remember_task(*self, std::move(shown), self->answer_,
                                         services.environment.loop.now());
    self->reply(as_reply(services.elicitations.sign_state(*self, std::move(shown))));
  });
}

void ToolCall::fail(const client::CallFailure& failure) {
  about().http_status = failure.http_status;
  services_.environment.log(
      {.level = serve::LogLine::Level::warning,
       .event = "upstream_failed",
       .request_id = about().plan.request_id,
       .tool = about().plan.called_as,
       .note = fmt::format("{}\n{}", failure.error.message, failure.error.hint),
       .upstream = about().upstream});
  reply(services_.writer.fail(answer_, failure_of(failure, about())));
}

}  // namespace enfold::gateway
