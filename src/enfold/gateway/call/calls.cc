// SPDX-License-Identifier: Apache-2.0
// The calls of clients: relayed as they are, or, for tools, answered through the pipeline.
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/gateway/policy/selection.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/serve/on_worker.h"
#include "enfold/tools/fetch_tool.h"
#include "enfold/tools/server_tool.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

using mcp::Method;

// Longer answers than this are a worker's business: nobody else should wait for them.
constexpr std::size_t kLongForTheLoop = std::size_t{32} << 10;

// The name as the upstream has it, and the answers that a session has collected for this call.
json::Value params_for(const mcp::Call& call, const std::string& own_name) {
  const json::Value& params = call.raw_params;
  const bool adds_inputs =
      call.inputs.any() && call.caller && call.caller->era == mcp::Era::sessions;
  const auto* complete = std::get_if<mcp::CompletionRequest>(&call.params);
  const bool named = call.method == Method::tools_call || call.method == Method::prompts_get;
  const bool renames = !own_name.empty() && named;
  const bool renames_reference = !own_name.empty() && complete != nullptr &&
                                 complete->of == mcp::CompletionRequest::Of::prompt;
  if (!adds_inputs && !renames && !renames_reference) return params;
  json::Writer writer;
  writer.begin_object();
  mcp::Overlay overlay;
  if (renames) overlay.member("name", [&](json::Writer& out) { out.string(own_name); });
  if (renames_reference) {
    overlay.member("ref", [&](json::Writer& out) {
      mcp::Overlay()
          .member("name", [&](json::Writer& inner) { inner.string(own_name); })
          .write(out, *params->find("ref"));
    });
  }
  if (adds_inputs) overlay.without("inputResponses").without("requestState");
  overlay.write_members(writer, params.view());
  if (adds_inputs) mcp::write_input_responses(writer, call.inputs);
  writer.end_object();
  return std::move(writer).finish_value();
}

// A tool that only reads, by its own word, can be asked again and its answer kept.
bool only_reads(const server::OfferedTool& tool) {
  bool reads = false;
  for (const auto& [hint, value] : tool.spec.annotations) {
    if (hint == "readOnlyHint") reads = value;
    if (hint == "idempotentHint" && !value) return false;
  }
  return reads;
}

bool is_list(Method method) {
  return method == Method::tools_list || method == Method::prompts_list ||
         method == Method::resources_list || method == Method::resources_templates_list;
}

}  // namespace

Visitor& Gateway::visitor_of(serve::Port& port) {
  std::unique_ptr<Visitor>& visitor = visitors_[&port];
  if (!visitor) {
    visitor = std::make_unique<Visitor>();
    visitor->port = &port;
  }
  return *visitor;
}

server::AnswerContract Gateway::contract_for(const mcp::Call& call, serve::Port& port) {
  std::vector<model::Warning> ignored;
  return server::contract_for(call, port.memory(), own_tools_->shared(), ignored);
}

void Gateway::begin(mcp::Call&& call, const std::shared_ptr<serve::Port>& port,
                    const std::shared_ptr<serve::Cancellation>& cancellation) {
  Visitor& visitor = visitor_of(*port);
  if (!visitor.has_session) visitor.caller = call.caller;
  if (!call.inputs.state) {
    start(call, port, cancellation);
  } else if (!resume(call, port)) {
    const auto opened = unsealed(call, *port);
    opened ? start(*opened, port, cancellation) : port->reply(call.key, opened.error());
  }
}

void Gateway::start(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                    const std::shared_ptr<serve::Cancellation>& cancellation) {
  if (call.method == Method::tools_call) {
    call_tool(call, port, cancellation);
  } else if (is_list(call.method) && (upstreams_.size() > 1 || is_shaped_list(call, *port))) {
    list(call, port);
  } else if (call.method == Method::resources_read && offers_archive(call, *port) &&
             is_archived(std::get_if<mcp::ResourceRead>(&call.params)->uri)) {
    read_resource(call, port);
  } else if (call.method == Method::resources_subscribe ||
             call.method == Method::resources_unsubscribe) {
    const bool is_found = call.method == Method::resources_unsubscribe || !is_of_nobody_known(call);
    is_found ? watch(call, port) : search_to_watch(call, port);
  } else if (is_of_nobody_known(call)) {
    call.method == Method::resources_read ? search_resource(call, port)
                                          : search_template(call, port);
  } else if (call.method_name.starts_with("tasks/")) {
    ask_about_task(call, port);
  } else {
    relay(call, port);
  }
}

bool Gateway::is_shaped_list(const mcp::Call& call, serve::Port& port) {
  const bool resources =
      call.method == Method::resources_list || call.method == Method::resources_templates_list;
  if (resources) return offers_archive(call, port);
  if (call.method != Method::tools_list) return false;
  const UpstreamSettings& one = upstreams_.front()->settings;
  const bool selects = !one.tools_allow.empty() || !one.tools_deny.empty();
  return selects || settings_.max_description_length || most_tools(call) ||
         contract_for(call, port);
}

bool Gateway::resume(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  const auto found = parked_.find(*call.inputs.state);
  if (found == parked_.end() || found->second.principal != port->memory().principal) return false;
  const std::shared_ptr<Relay> relay = std::move(found->second.relay);
  parked_.erase(found);
  visitor_of(*port).relays[call.key] = relay;
  relay->resume(call, port);
  return true;
}

std::shared_ptr<Relay> Gateway::start_relay(const mcp::Call& call,
                                            const std::shared_ptr<serve::Port>& port,
                                            Upstream& upstream) {
  Visitor& visitor = visitor_of(*port);
  auto relay = std::make_shared<Relay>(call, port, link_for(visitor, call, upstream));
  const std::uint64_t number = ++last_relay_;
  relays_[number] = relay;
  visitor.relays[call.key] = relay;
  relay->on_ended([this, number](Relay& ended) {
    if (const std::shared_ptr<serve::Port> where = ended.port()) {
      const auto found = visitors_.find(where.get());
      if (found != visitors_.end()) found->second->relays.erase(ended.call().key);
    }
    relays_.erase(number);
    sweep_later();
  });
  return relay;
}

mcp::CallOptions Gateway::options_for(const Relay& relay, const json::Value& params) {
  const mcp::Call& call = relay.call();
  const std::optional<TraceContext> trace = step_of(call);
  mcp::CallOptions options = relay.link()->prepare(call.method_name, with_trace(params, trace));
  if (trace) options.headers = trace_headers(*trace);
  options.wants_progress = call.progress_token.has_value();
  options.on_behalf_of = call.caller;
  options.hands_over_input = true;
  options.log_level = call.log_level;
  if (call.caller && call.caller->era == mcp::Era::sessions) {
    // A session is told what it did not ask to be spared.
    const std::shared_ptr<serve::Port> port = relay.port();
    options.log_level =
        port ? visitor_of(*port).level.value_or(mcp::LogLevel::info) : mcp::LogLevel::info;
  }
  return options;
}

void Gateway::relay(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  const Route route = route_of_call(call);
  if (route.upstream == nullptr) {
    port->reply(call.key, mcp::invalid_params("Unknown name: nobody here has it"));
    return;
  }
  const std::shared_ptr<Relay> relay = start_relay(call, port, *route.upstream);
  relay->send(options_for(*relay, params_for(call, route.name)),
              [this](Relay& self, client::CallResult result) {
                if (result) *result = sealed(self, std::move(*result));
                self.reply(as_reply(std::move(result)));
              });
}

void Gateway::watch(const mcp::Call& call, const std::shared_ptr<serve::Port>& port) {
  const std::string uri = std::get_if<mcp::ResourceWatch>(&call.params)->uri;
  const bool begins = call.method == Method::resources_subscribe;
  const auto note = [this, uri, begins](serve::Port& where) {
    std::vector<std::string>& watched = visitor_of(where).watched;
    std::erase(watched, uri);
    if (begins) watched.push_back(uri);
  };
  Upstream& upstream = *route_of_call(call).upstream;
  const std::shared_ptr<Link> link = link_for(visitor_of(*port), call, upstream);
  const std::optional<mcp::ServerIdentity>& known = upstream.identity;
  const bool stateless =
      link->is_ready() ? link->server().era == mcp::Era::stateless
                       : known && known->era == mcp::Era::stateless && link == upstream.shared;
  if (stateless) {
    note(*port);
    update_watch(link);
    port->reply(call.key, mcp::nothing());
    return;
  }
  const std::shared_ptr<Relay> relay = start_relay(call, port, upstream);
  relay->send(options_for(*relay, call.raw_params), [note](Relay& self, client::CallResult result) {
    const std::shared_ptr<serve::Port> where = self.port();
    if (result && where) note(*where);
    self.reply(as_reply(std::move(result)));
  });
}

void Gateway::call_tool(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                        const std::shared_ptr<serve::Cancellation>& cancellation) {
  const std::string& name = std::get_if<mcp::ToolCall>(&call.params)->name;
  const server::AnswerContract contract = contract_for(call, *port);
  const Route route = route_of(name);
  const bool upstreams = route.upstream != nullptr && route.upstream->tools.has(route.name);
  const bool own = name == tools::kFetchTool || name == tools::kServerTool;
  if (contract && own && !upstreams) {
    learn_all_tools(call, port,
                    [this, alive = alive_, call, weak = std::weak_ptr(port), cancellation] {
                      if (const auto open = *alive ? weak.lock() : nullptr) {
                        own_tools_->begin(mcp::Call(call), open, cancellation);
                      }
                    });
    return;
  }
  if (route.upstream == nullptr || !is_offered(route.upstream->settings, route.name)) {
    port->reply(call.key, mcp::invalid_params(fmt::format("Unknown tool: {}", json::quote(name))));
    return;
  }
  admit(call, port, cancellation, answering(call, *port, route));
}

std::shared_ptr<ToolAnswering> Gateway::answering(const mcp::Call& call, serve::Port& port,
                                                  const Route& route) {
  const server::Shared& shared = own_tools_->shared();
  auto about = std::make_shared<ToolAnswering>();
  about->tool = route.upstream->tools.find(route.name);
  about->rules = settings_.rules_of(route.upstream->settings, route.name);
  about->may_repeat = about->rules.is_safe || only_reads(*about->tool);
  about->plan = server::plan_call(call, *about->tool, port.memory(), shared,
                                  {.counted_as = shown(*route.upstream, route.name),
                                   .level = about->rules.level,
                                   .rate_limit = about->rules.rate_limit});
  about->facts = {std::get_if<mcp::ToolCall>(&call.params)->name, call.caller->era, {}};
  about->shared = {own_, &shared};
  about->weighs = settings_.count_tokens;
  about->upstream = route.upstream->settings.name;
  about->upstream_number = route.upstream->number;
  about->over_http = std::holds_alternative<client::HttpTarget>(route.upstream->settings.target);
  if (const auto trace = trace_of(call)) about->trace_id = trace->trace_id;
  about->check = about->rules.output_schema.value_or(settings_.output_schema);
  about->use = use_of(call, port);
  if (settings_.archive_resources &&
      server::profile_for(settings_.answers, call.caller.get()).links) {
    about->plan.link = archive_link;
  }
  return about;
}

void Gateway::send_tool_call(const mcp::Call& call, const std::shared_ptr<serve::Port>& port,
                             const std::shared_ptr<ToolAnswering>& about) {
  const Route route = route_of(about->facts.tool);
  if (route.upstream == nullptr) {  // gone since
    port->reply(call.key, mcp::invalid_params("Unknown tool: nobody here has it any more"));
    return;
  }
  const std::shared_ptr<Relay> relay = start_relay(call, port, *route.upstream);
  if (!answer_from_cache(*relay, about, false)) send_on(*relay, *route.upstream, about);
}

void Gateway::send_on(Relay& relay, Upstream& upstream,
                      const std::shared_ptr<ToolAnswering>& about) {
  mcp::CallOptions options = options_for(relay, params_for(relay.call(), about->tool->spec.name));
  options.param_headers = upstream.tools.find(about->tool->spec.name)->headers;
  relay.send(std::move(options),
             [this, about, began = host_.clock()](Relay& self, client::CallResult result) {
               about->facts.duration = host_.clock() - began;
               if (result) keep_answer(*result, *about);
               if (result && about->plan.contract && is_finished_answer(result->view())) {
                 shape(self, std::move(*result), about);
               } else if (result || (result.error().refusal && !about->first_failure)) {
                 note_passed(*about, result);
                 if (result) *result = with_task_noted(self, std::move(*result), about);
                 if (result) *result = sealed(self, std::move(*result));
                 self.reply(as_reply(without_secrets(std::move(result), about->plan)));
               } else if (!recover(self, about, result.error())) {
                 fail_tool_call(self, about, result.error());
               }
             });
}

void Gateway::fail_tool_call(Relay& relay, const std::shared_ptr<ToolAnswering>& about,
                             const client::CallFailure& failure) {
  settings_.answers.log({.level = serve::LogLine::Level::warning,
                         .event = "upstream_failed",
                         .request_id = about->plan.request_id,
                         .tool = about->facts.tool,
                         .note = fmt::format("{}\n{}", failure.error.message, failure.error.hint),
                         .upstream = about->upstream});
  conclude(relay, *about,
           server::conclude_failure(failure_of(failure, *about), *about->tool, about->plan,
                                    about->facts, *about->shared));
}

void Gateway::shape(Relay& relay, json::Value result, const std::shared_ptr<ToolAnswering>& about) {
  if (about->use) {
    about->share = about->use->take(about->plan.fit.budget.tokens);
    about->plan.fit.budget.tokens = about->share.tokens;
    if (about->share.warning) about->plan.warnings.push_back(*about->share.warning);
  }
  if (result->raw().size() > kLongForTheLoop) {
    shape_on_worker(relay.shared_from_this(), std::move(result), about);
    return;
  }
  weigh_small(result.view(), *about);
  server::Begun begun = begin_answer(result, *about);
  if (auto* done = std::get_if<server::Concluded>(&begun)) {
    conclude(relay, *about, std::move(*done));
  } else {
    finish_on_worker(relay.shared_from_this(), std::move(*std::get_if<answer::Prepared>(&begun)),
                     about);
  }
}

// Relays and their links end on the loop's thread: the worker keeps none.
template <class Work>
void Gateway::conclude_after(const std::shared_ptr<Relay>& relay,
                             const std::shared_ptr<ToolAnswering>& about, Work work) {
  const bool taken = serve::on_worker(
      host_, std::move(work),
      [this, relay, about](server::Concluded done) { conclude(*relay, *about, std::move(done)); });
  if (!taken) conclude(*relay, *about, too_busy(*about));
}

void Gateway::shape_on_worker(const std::shared_ptr<Relay>& relay, json::Value result,
                              const std::shared_ptr<ToolAnswering>& about) {
  conclude_after(relay, about, [this, result = std::move(result), about] {
    weigh(result.view(), *about);
    server::Begun begun = begin_answer(result, *about);
    if (auto* prepared = std::get_if<answer::Prepared>(&begun)) {
      begun = finish_answer(std::move(*prepared), *about);
    }
    return std::move(*std::get_if<server::Concluded>(&begun));
  });
}

void Gateway::finish_on_worker(const std::shared_ptr<Relay>& relay, answer::Prepared prepared,
                               const std::shared_ptr<ToolAnswering>& about) {
  conclude_after(relay, about, [prepared = std::move(prepared), about]() mutable {
    return finish_answer(std::move(prepared), *about);
  });
}

void Gateway::conclude(Relay& relay, const ToolAnswering& about, server::Concluded concluded) {
  if (about.use) {
    const std::uint64_t tokens = concluded.tokens > 0
                                     ? concluded.tokens
                                     : count_tokens(concluded.reply, *about.plan.fit.tokenizer);
    about.use->settle(about.share, tokens);
    concluded.reply = with_session(std::move(concluded.reply), *about.use);
  }
  note_call(about, concluded);
  if (about.around) concluded.reply = in_place(*about.around, std::move(concluded.reply));
  relay.reply(std::move(concluded.reply));
}

}  // namespace enfold::gateway
