// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/answer_writer.h"

#include "enfold/answer/fit/measure.h"
#include "enfold/answer/provenance.h"
#include "enfold/base/hidden_text.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/gateway/observe/trace.h"
#include "enfold/gateway/policy/upstream_words.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/model/content.h"
#include "enfold/redact/redact.h"
#include "enfold/serve/service.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

namespace failures = contract::failures;

std::string remedy_over_http(const client::CallFailure& failure) {
  const int status = failure.http_status;
  if (failure.error.code == ErrorCode::unauthorized) {
    return "Check the headers that the gateway's configuration has for this server.";
  }
  if ((status >= 300 && status < 400) || status == 404 || status == 405) {
    return "Check the url that the gateway's configuration has for this server.";
  }
  return "Try again later, or ask the operator of the server.";
}

tools::ToolReply failed_reply(model::Response failed, const AnswerContext& about) {
  return tools::reply_with_failure(std::move(failed), about.plan, about.duration);
}

tools::ToolReply store_and_finish(answer::PreparedAnswer prepared, const AnswerContext& about) {
  return tools::store_and_finish(std::move(prepared), about.plan, *about.services);
}

// Whether the content blocks together, and structuredContent alone, are within the budget uncut.
bool fits(json::View result, const answer::FitSettings& fit) {
  budget::Size blocks;
  if (const auto content = result.find("content"); content && content->is_array()) {
    for (const json::View block : content->items()) {
      if (block.is_object()) blocks = answer::sum(blocks, answer::size_of_block(block, fit));
    }
  }
  const auto structured = result.find("structuredContent");
  return budget::within(blocks, fit.budget) &&
         (!structured || budget::within(answer::size_of(structured->raw(), fit), fit.budget));
}

// A result can be cut only in a contract. So a result over the budget gets the contract
// `contract_when_cut`, which is set if the operator has set a budget for answers or for sessions.
void choose_contract(tools::CallPlan& plan, json::View result) {
  if (plan.contract || !plan.contract_when_cut || fits(result, plan.fit)) return;
  tools::use_contract_when_cut(plan);
  plan.warnings.push_back(contract::make_warning(
      "CONTRACT_APPLIED", "The answer exceeds the budget, so it was cut and put into a contract"));
}

std::size_t count_markers(std::string_view text) {
  constexpr std::string_view kMarker = "[REDACTED:";
  std::size_t count = 0;
  for (std::size_t at = text.find(kMarker); at != std::string_view::npos;
       at = text.find(kMarker, at + kMarker.size())) {
    ++count;
  }
  return count;
}

// The reply for a result that gets no contract: it is only redacted.
tools::ToolReply pass_reply(const json::Value& result, const AnswerContext& about) {
  Result<json::Value> passed = answer::pass_through(result, policy_of(about.plan));
  if (!passed) {
    return failed_reply(contract::make_failure(
                            failures::Internal{.message = "The tool's answer could not be read"}),
                        about);
  }
  const bool failed = model::is_failed_result(result.view());
  const std::string_view former = result.view().raw();
  const std::string_view shown = passed->view().raw();
  const bool is_unchanged = passed->view().storage() == result.view().storage();
  tools::ToolReply reply{.outcome = failed ? answer::CallOutcome::failed : answer::CallOutcome::ok};
  reply.facts.source = *passed;
  reply.facts.redactions =
      is_unchanged ? 0
                   : std::max(count_markers(shown), count_markers(former)) - count_markers(former);
  reply.reply = mcp::UpstreamResult{std::move(*passed), {}};
  return reply;
}

// The key under which AnswerLane remembers how large the answers of this upstream's tool are.
std::string tool_key(const PlannedAnswer& answer) {
  return std::to_string(answer.upstream) + '/' + answer.about.tool->spec.name;
}

serve::LogLine line_of(const PlannedAnswer& answer, std::string_view outcome,
                       std::string_view code) {
  const AnswerContext& about = answer.about;
  serve::LogLine line;
  line.event = "call";
  line.request_id = about.plan.request_id;
  line.tool = about.tool->spec.name;
  line.outcome = outcome;
  line.code = code;
  line.duration = about.duration;
  line.upstream = about.upstream;
  line.principal = about.plan.principal;
  line.client_address = about.client_address;
  line.trace_id = answer.trace_id;
  // An upstream may offer a tool of this name too; then the gateway asks its own archive first.
  const bool asked_own_archive = about.upstream == Metrics::kLocalUpstream;
  if (asked_own_archive && line.tool == tools::kFetchTool) {
    line.fetched_handle = json::string_member(about.plan.arguments.view(), "handle").value_or("");
  }
  return line;
}

}  // namespace

const redact::Policy* policy_of(const tools::CallPlan& plan) {
  const auto& policy = plan.fit.shape.redaction;
  return policy ? &*policy : nullptr;
}

mcp::Reply replace_task_result(const json::Value& message, mcp::Reply answer) {
  const auto former = message->find("result");
  if (const auto* passed = std::get_if<mcp::UpstreamResult>(&answer); passed && former) {
    json::Writer writer;
    mcp::Overlay().value("result", passed->result).write(writer, message.view());
    return mcp::UpstreamResult{std::move(writer).finish_value()};
  }
  auto* const whole = std::get_if<mcp::CompleteResult>(&answer);
  if (whole == nullptr || !former) return answer;
  const bool has_type = former->find("resultType").has_value();
  json::Writer writer;
  mcp::Overlay()
      .member("result",
              [&](json::Writer& out) {
                out.begin_object();
                if (has_type) out.member("resultType", "complete");
                if (auto* const written = std::get_if<json::Output>(&whole->object)) {
                  out.splice_members(std::move(*written));
                } else {
                  mcp::Overlay().write_members(out,
                                               std::get_if<json::Value>(&whole->object)->view());
                }
                out.end_object();
              })
      .write(writer, message.view());
  return mcp::UpstreamResult{std::move(writer).finish_value()};
}

model::Response busy_failure(std::string message) {
  return contract::make_failure(
      failures::Unavailable{.message = std::move(message), .retry_after = 1, .extra = {}});
}

model::Response failure_of(const client::CallFailure& failure, const AnswerContext& about) {
  const Error& error = failure.error;
  const std::string& upstream = about.upstream;
  failures::Other description;
  description.type = model::ErrorType::unavailable;
  description.extra.request_id = about.plan.request_id;
  const std::string who = upstream.empty() ? "The server" : fmt::format("The server {}", upstream);
  switch (error.code) {
    case ErrorCode::timed_out:
      description.code = "UPSTREAM_TIMEOUT";
      description.message = who + " did not answer in time";
      description.extra.remediation = {"Ask for less at a time, or try again later."};
      break;
    case ErrorCode::protocol_violation:
    case ErrorCode::limit_exceeded:
      description.code = "UPSTREAM_PROTOCOL_ERROR";
      description.message =
          fmt::format("{} gave an answer that cannot be used: {}", who, error.message);
      description.extra.remediation = {"Report it to the operator of the server."};
      break;
    default:
      description.code = "UPSTREAM_UNAVAILABLE";
      description.message = fmt::format("{} is not available: {}", who, error.message);
      description.extra.remediation = {about.over_http
                                           ? remedy_over_http(failure)
                                           : "Try again: a server that ended is restarted."};
  }
  model::Response response = contract::make_failure(description);
  if (failure.retry_after && response.failure) {
    response.failure->retry_after = model::Number::of(failure.retry_after->count());
  }
  return response;
}

std::shared_ptr<PlannedAnswer> AnswerWriter::plan(const mcp::Call& call,
                                                  serve::ClientChannel& channel, const Route& route,
                                                  tools::ClientTerms client) {
  const Settings& settings = environment_.settings;
  Upstream& upstream = *route.upstream;
  auto answer = std::make_shared<PlannedAnswer>();
  answer->rules = settings.rules_of(upstream.settings, without_hidden(route.name));
  const ToolRules& rules = answer->rules;
  AnswerContext& about = answer->about;
  about.tool = upstream.tools.find(route.name, [&](const Error& why) {
    const std::string message = fmt::format("the output schema cannot be checked: {}", why.message);
    log_.warn_once(fmt::format("{}: {}: {}", upstream.settings.name, route.name, message),
                   {.level = serve::LogLine::Level::warning,
                    .event = "output_schema_unusable",
                    .tool = route.name,
                    .note = message,
                    .upstream = upstream.settings.name});
  });
  about.services = local_.services();
  about.plan =
      tools::plan_call(call, *about.tool, channel.state().principal, std::move(client),
                       *about.services, {.level = rules.level, .rate_limit = rules.rate_limit});
  about.upstream = upstream.settings.name;
  about.client_address = channel.state().client_address;
  about.client_share = share_of(settings, channel.state());
  about.caller = call.caller;
  about.over_http = std::holds_alternative<client::HttpTarget>(upstream.settings.target);
  about.plan.output_check = rules.output_schema.value_or(settings.output_schema);
  about.plan.fit.shape.detect_envelopes = upstream.settings.detect_envelopes;
  if (settings.archive_resources && about.plan.profile->links) about.plan.link = archive_link;
  answer->upstream = upstream.number;
  if (may_have_trace(call)) {
    if (const auto trace = trace_of(call)) answer->trace_id = trace->trace_id;
  }
  answer->budget = budget_for(call, channel);
  return answer;
}

// A client without a session is recognised by its principal and client name, from call to call.
std::shared_ptr<SessionBudget> AnswerWriter::budget_for(const mcp::Call& call,
                                                        serve::ClientChannel& channel) {
  const auto& cap = environment_.settings.session_budget;
  if (!cap) return nullptr;
  ClientSession& session = sessions_.of(channel);
  if (!session.has_session && !environment_.settings.one_client) {
    return budgets_.of(channel.state().principal, call.caller->client_name(), *cap);
  }
  if (!session.budget) session.budget = std::make_shared<SessionBudget>(*cap);
  return session.budget;
}

const AnswerCost* AnswerWriter::earlier_answers(const PlannedAnswer& answer) const {
  if (!environment_.settings.count_tokens) return nullptr;
  return log_.sums_for_estimate(answer.about.upstream, answer.about.tool->spec.name);
}

AnswerCost AnswerWriter::cost_of(const PlannedAnswer& answer, json::View result,
                                 const AnswerCost* earlier) const {
  if (!environment_.settings.count_tokens) return {};
  return earlier != nullptr ? estimate_result(result, *earlier)
                            : measure_result(result, *answer.about.plan.fit.tokenizer);
}

SessionBudget::Share AnswerWriter::reserve_share(PlannedAnswer& answer) {
  if (!answer.budget) return {};
  answer::AnswerPlan& plan = answer.about.plan;
  const SessionBudget::Share share = answer.budget->reserve(plan.fit.budget.tokens);
  plan.fit.budget.tokens = share.tokens;
  if (share.warning) plan.warnings.push_back(*share.warning);
  return share;
}

std::shared_ptr<void> AnswerWriter::reserve_room(const PlannedAnswer& answer) {
  return lane_.reserve(answer.about.client_share.owner, tool_key(answer));
}

template <class Work>
void AnswerWriter::read_archive_on_worker(const std::shared_ptr<PlannedAnswer>& answer, Done done,
                                          Work work) {
  if (!lane_.may_read_archive(answer->about.client_share.owner))
    return done(refuse(answer, busy_failure()));
  shape_on_worker(answer, reserve_share(*answer), std::move(done), /*bytes=*/0, std::move(work));
}

void AnswerWriter::continue_answer(const std::shared_ptr<PlannedAnswer>& answer, std::string cursor,
                                   Done done) {
  read_archive_on_worker(
      answer, std::move(done), [cursor = std::move(cursor)](const AnswerContext& of) {
        return ShapedAnswer{tools::continue_reply(cursor, of.plan, *of.services, of.duration)};
      });
}

void AnswerWriter::fetch_answer(const std::shared_ptr<PlannedAnswer>& answer, Done done) {
  read_archive_on_worker(answer, std::move(done), [](const AnswerContext& of) {
    return ShapedAnswer{tools::fetch_reply(of.plan, *of.services, of.duration)};
  });
}

void AnswerWriter::shape(const std::shared_ptr<PlannedAnswer>& answer, json::Value result,
                         Done done) {
  if (mcp::result_type(result.view()) != mcp::ResultType::complete) {
    json::Writer writer;
    mcp::Overlay().without("resultType").write(writer, result.view());
    result = std::move(writer).finish_value();
  }
  AnswerContext& about = answer->about;
  const SessionBudget::Share share = reserve_share(*answer);
  const std::size_t bytes = result->raw().size();
  if (lane_.may_change_estimates(bytes)) lane_.record(tool_key(*answer), bytes);
  if (bytes > kMaxBytesOnLoop) {
    const bool count_tokens = environment_.settings.count_tokens;
    shape_on_worker(answer, share, std::move(done), bytes,
                    [count_tokens, result = std::move(result)](AnswerContext& of) {
                      ShapedAnswer shaped;
                      if (count_tokens)
                        shaped.cost = measure_result(result.view(), *of.plan.fit.tokenizer);
                      choose_contract(of.plan, result.view());
                      if (!of.plan.contract) {
                        shaped.reply = pass_reply(result, of);
                        return shaped;
                      }
                      answer::BeginResult begun = answer::begin(result, of.plan, of.duration);
                      auto* const finished = std::get_if<answer::ShapedAnswer>(&begun);
                      shaped.reply =
                          finished != nullptr
                              ? tools::reply_of(std::move(*finished))
                              : store_and_finish(std::get<answer::PreparedAnswer>(std::move(begun)),
                                                 of);
                      return shaped;
                    });
    return;
  }
  const AnswerCost* const earlier = earlier_answers(*answer);
  const AnswerCost cost = cost_of(*answer, result.view(), earlier);
  choose_contract(about.plan, result.view());
  if (!about.plan.contract) {
    done(finish(answer, share, {pass_reply(result, about), cost, earlier}));
    return;
  }
  answer::BeginResult begun = answer::begin(result, about.plan, about.duration);
  if (auto* const finished = std::get_if<answer::ShapedAnswer>(&begun)) {
    done(finish(answer, share, {tools::reply_of(std::move(*finished)), cost, earlier}));
    return;
  }
  shape_on_worker(answer, share, std::move(done), bytes,
                  [cost, earlier, prepared = std::get<answer::PreparedAnswer>(std::move(begun))](
                      const AnswerContext& of) mutable {
                    return ShapedAnswer{store_and_finish(std::move(prepared), of), cost, earlier};
                  });
}

void AnswerWriter::redact_interim(const std::shared_ptr<PlannedAnswer>& answer, json::Value value,
                                  std::function<void(json::Value shown)> done) {
  const std::size_t bytes = value->raw().size();
  const auto show = [answer, value = std::move(value)] {
    return gateway::redact_interim(value, policy_of(answer->about.plan));
  };
  if (bytes <= kMaxBytesOnLoop) return done(show());
  lane_.run(answer->about.client_share.owner, bytes, show, std::move(done));
}

void AnswerWriter::archive_unsent(const std::shared_ptr<PlannedAnswer>& answer,
                                  json::Value result) {
  const std::size_t bytes = result->raw().size();
  lane_.run(
      answer->about.client_share.owner, bytes,
      [answer, result = std::move(result)] {
        return tools::store_outcome(result, answer->about.plan, *answer->about.services);
      },
      [this, answer](const Result<answer::Receipt>& kept) {
        serve::LogLine line = line_of(*answer, "cancelled", {});
        line.event = "outcome_kept";
        line.note =
            kept ? fmt::format("the call ran after its client had gone: handle {}", kept->handle)
                 : fmt::format(
                       "the call ran after its client had gone, and its outcome is "
                       "lost: {}",
                       kept.error().message);
        if (!kept) line.level = serve::LogLine::Level::warning;
        environment_.log(line);
      });
}

// Calls and connections may be destroyed only on the loop's thread, so `work` holds none of them.
template <class Work>
void AnswerWriter::shape_on_worker(const std::shared_ptr<PlannedAnswer>& answer,
                                   const SessionBudget::Share& share, Done done, std::size_t bytes,
                                   Work work) {
  lane_.run(
      answer->about.client_share.owner, bytes,
      [answer, work = std::move(work)]() mutable { return work(answer->about); },
      [this, answer, share, done = std::move(done)](ShapedAnswer shaped) {
        done(finish(answer, share, std::move(shaped)));
      });
}

mcp::Reply AnswerWriter::finish(const std::shared_ptr<PlannedAnswer>& answer,
                                const SessionBudget::Share& share, ShapedAnswer shaped) {
  tools::ToolReply& finished = shaped.reply;
  if (answer->budget) {
    const token::Tokenizer& tokenizer = *answer->about.plan.fit.tokenizer;
    const std::uint64_t tokens =
        finished.tokens > 0 ? finished.tokens : count_tokens(finished.reply, tokenizer);
    answer->budget->settle(share, tokens);
    finished.reply = with_session_usage(std::move(finished.reply), *answer->budget);
  }
  log_shaped(answer, shaped);
  return std::move(finished.reply);
}

mcp::Reply AnswerWriter::fail(const std::shared_ptr<PlannedAnswer>& answer,
                              model::Response failure) {
  return finish(answer, /*share=*/{}, {failed_reply(std::move(failure), answer->about)});
}

mcp::Reply AnswerWriter::refuse(const std::shared_ptr<PlannedAnswer>& answer,
                                model::Response refusal) {
  ShapedAnswer refused{failed_reply(std::move(refusal), answer->about)};
  log_shaped(answer, refused);
  return std::move(refused.reply.reply);
}

void AnswerWriter::log_shaped(const std::shared_ptr<PlannedAnswer>& answer,
                              const ShapedAnswer& shaped) {
  const AnswerContext& about = answer->about;
  const tools::ToolReply& finished = shaped.reply;
  serve::LogLine line = line_of(*answer, answer::name(finished.outcome), finished.code);
  if (about.plan.contract) line.fidelity = model::name(finished.fidelity);
  line.weight = shaped.cost;
  line.weight.archived_bytes = finished.archived_bytes;
  if (environment_.settings.count_tokens) {
    add_reply_cost(line.weight, finished.reply, finished.tokens, shaped.earlier,
                   *about.plan.fit.tokenizer);
  }
  log_.record(line, {.caller = about.caller.get(),
                     .plan = answer,
                     .facts = &finished.facts,
                     .reply = &finished.reply,
                     .http_status = about.http_status,
                     .is_exact = is_exact(shaped.cost, shaped.earlier)});
}

// The result was not shaped, so the log gets only the outcome and the cost of what was forwarded.
void AnswerWriter::log_forwarded(const std::shared_ptr<PlannedAnswer>& answer,
                                 const client::CallResult& result) {
  std::string_view outcome = "refused";
  AnswerCost cost;
  if (result) {
    const bool asks = mcp::result_type(result->view()) == mcp::ResultType::input_required;
    const bool failed = model::is_failed_result(result->view());
    outcome = asks ? "input_required" : failed ? "failed" : "ok";
    const std::size_t bytes = (*result)->raw().size();
    if (bytes <= kMaxBytesOnLoop) {
      cost = cost_of(*answer, result->view(), earlier_answers(*answer));
    } else {
      cost.bytes_in = bytes;
    }
  }
  serve::LogLine line = line_of(*answer, outcome, {});
  line.weight = cost;
  line.weight.bytes_out = cost.bytes_in;
  line.weight.tokens_after = cost.tokens_before;
  log_.record(line, {.caller = answer->about.caller.get(),
                     .plan = answer,
                     .http_status = result ? 0 : result.error().http_status,
                     .is_refused = !result});
}

}  // namespace enfold::gateway
