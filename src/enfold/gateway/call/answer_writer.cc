// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/answer_writer.h"

#include "enfold/gateway/lists/archive_resources.h"
#include "enfold/gateway/observe/trace.h"
#include "enfold/model/content.h"
#include "enfold/serve/on_worker.h"

namespace enfold::gateway {
namespace {

// Longer results are shaped on a worker, because on the loop they would delay every other call.
constexpr std::size_t kLongForTheLoop = std::size_t{32} << 10;

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
  line.trace_id = answer.trace_id;
  return line;
}

}  // namespace

std::shared_ptr<PlannedAnswer> AnswerWriter::plan(const mcp::Call& call, serve::Port& port,
                                                  const Route& route) {
  const Settings& settings = environment_.settings;
  const Upstream& upstream = *route.upstream;
  auto answer = std::make_shared<PlannedAnswer>();
  answer->rules = settings.rules_of(upstream.settings, route.name);
  const ToolRules& rules = answer->rules;
  AnswerContext& about = answer->about;
  about.tool = upstream.tools.find(route.name);
  about.services = local_.services();
  about.plan = tools::plan_call(call, *about.tool, port.memory(),
                                tools::terms_of_client(call, port.memory(), *about.services),
                                *about.services,
                                {.counted_as = routes_.shown(upstream, route.name),
                                 .level = rules.level,
                                 .rate_limit = rules.rate_limit});
  about.upstream = upstream.settings.name;
  about.over_http = std::holds_alternative<client::HttpTarget>(upstream.settings.target);
  about.plan.output_check = rules.output_schema.value_or(settings.output_schema);
  if (settings.archive_resources && about.plan.profile->links) about.plan.link = archive_link;
  answer->upstream = upstream.number;
  if (const auto trace = trace_of(call)) answer->trace_id = trace->trace_id;
  if (about.plan.contract) answer->budget = budget_for(call, port);
  return answer;
}

// A client without a session is identified by its principal and its name: nothing else is the same
// in its next call.
std::shared_ptr<SessionBudget> AnswerWriter::budget_for(const mcp::Call& call, serve::Port& port) {
  const auto& cap = environment_.settings.session_budget;
  if (!cap) return nullptr;
  ClientSession& session = sessions_.of(port);
  if (!session.has_session && !environment_.settings.one_client) {
    return budgets_.of(port.memory().principal, call.caller->client_name(), *cap);
  }
  if (!session.budget) session.budget = std::make_shared<SessionBudget>(*cap);
  return session.budget;
}

const AnswerCost* AnswerWriter::typical_for(const PlannedAnswer& answer) const {
  if (!environment_.settings.count_tokens) return nullptr;
  return log_.typical(answer.about.upstream, answer.about.tool->spec.name);
}

AnswerCost AnswerWriter::cost_of(const PlannedAnswer& answer, json::View result,
                                 const AnswerCost* typical) const {
  if (!environment_.settings.count_tokens) return {};
  return typical != nullptr ? estimate(result, *typical)
                            : measure(result, *answer.about.plan.fit.tokenizer);
}

void AnswerWriter::shape(const std::shared_ptr<PlannedAnswer>& answer, json::Value result,
                         Done done) {
  AnswerContext& about = answer->about;
  SessionBudget::Share share;
  if (answer->budget) {
    share = answer->budget->take(about.plan.fit.budget.tokens);
    about.plan.fit.budget.tokens = share.tokens;
    if (share.warning) about.plan.warnings.push_back(*share.warning);
  }
  if (result->raw().size() > kLongForTheLoop) {
    const bool count_tokens = environment_.settings.count_tokens;
    shape_on_worker(answer, share, std::move(done),
                    [count_tokens, result = std::move(result)](const AnswerContext& of) {
                      ShapedAnswer shaped;
                      if (count_tokens)
                        shaped.cost = measure(result.view(), *of.plan.fit.tokenizer);
                      ToolAnswer begun = begin_answer(result, of);
                      auto* const prepared = std::get_if<answer::Prepared>(&begun);
                      shaped.reply = prepared != nullptr
                                         ? finish_answer(std::move(*prepared), of)
                                         : std::move(*std::get_if<tools::ToolReply>(&begun));
                      return shaped;
                    });
    return;
  }
  const AnswerCost* const typical = typical_for(*answer);
  const AnswerCost cost = cost_of(*answer, result.view(), typical);
  ToolAnswer begun = begin_answer(result, about);
  if (auto* const finished = std::get_if<tools::ToolReply>(&begun)) {
    done(finish(*answer, share, {std::move(*finished), cost, typical}));
    return;
  }
  shape_on_worker(answer, share, std::move(done),
                  [cost, typical, prepared = std::move(*std::get_if<answer::Prepared>(&begun))](
                      const AnswerContext& of) mutable {
                    return ShapedAnswer{finish_answer(std::move(prepared), of), cost, typical};
                  });
}

// Calls and their connections end on the loop's thread, so the worker holds none of them.
template <class Work>
void AnswerWriter::shape_on_worker(const std::shared_ptr<PlannedAnswer>& answer,
                                   const SessionBudget::Share& share, Done done, Work work) {
  const bool taken = serve::on_worker(
      environment_.host, [answer, work = std::move(work)]() mutable { return work(answer->about); },
      [this, answer, share, done](ShapedAnswer shaped) {
        done(finish(*answer, share, std::move(shaped)));
      });
  if (!taken) done(finish(*answer, share, {too_busy(answer->about)}));
}

mcp::Reply AnswerWriter::finish(const PlannedAnswer& answer, const SessionBudget::Share& share,
                                ShapedAnswer shaped) {
  tools::ToolReply& finished = shaped.reply;
  if (answer.budget) {
    const token::Tokenizer& tokenizer = *answer.about.plan.fit.tokenizer;
    const std::uint64_t tokens =
        finished.tokens > 0 ? finished.tokens : count_tokens(finished.reply, tokenizer);
    answer.budget->settle(share, tokens);
    finished.reply = with_session(std::move(finished.reply), *answer.budget);
  }
  note(answer, shaped);
  return std::move(finished.reply);
}

mcp::Reply AnswerWriter::fail(const PlannedAnswer& answer, model::Response failure) {
  return finish(answer, {}, {answer_failure(std::move(failure), answer.about)});
}

mcp::Reply AnswerWriter::refuse(const PlannedAnswer& answer, model::Response refusal) {
  ShapedAnswer refused{answer_failure(std::move(refusal), answer.about)};
  note(answer, refused);
  return std::move(refused.reply.reply);
}

mcp::Reply AnswerWriter::refuse_for_load(const PlannedAnswer& answer) {
  ShapedAnswer refused{too_busy(answer.about)};
  note(answer, refused);
  return std::move(refused.reply.reply);
}

void AnswerWriter::note(const PlannedAnswer& answer, const ShapedAnswer& shaped) {
  const tools::ToolReply& finished = shaped.reply;
  serve::LogLine line = line_of(answer, answer::name(finished.outcome), finished.code);
  if (answer.about.plan.contract) line.fidelity = model::name(finished.fidelity);
  line.weight = shaped.cost;
  line.weight.archived_bytes = finished.archived_bytes;
  if (environment_.settings.count_tokens) {
    add_reply(line.weight, finished.reply, finished.tokens, shaped.typical_cost,
              *answer.about.plan.fit.tokenizer);
  }
  log_.note(line);
}

// Enfold has not parsed the result, so the log has only what every result contains.
void AnswerWriter::note_passed(const PlannedAnswer& answer, const client::CallResult& result) {
  std::string_view outcome = "refused";
  AnswerCost cost;
  if (result) {
    const bool asks = mcp::result_type(result->view()) == mcp::ResultType::input_required;
    const bool failed = model::is_failed_result(result->view());
    outcome = asks ? "input_required" : failed ? "failed" : "ok";
    cost = cost_of(answer, result->view(), typical_for(answer));
  }
  serve::LogLine line = line_of(answer, outcome, {});
  line.weight = cost;
  line.weight.bytes_out = cost.bytes_in;
  line.weight.tokens_after = cost.tokens_before;
  log_.note(line);
}

}  // namespace enfold::gateway
