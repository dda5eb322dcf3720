// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/answer_view.h"

#include "enfold/answer/fit/result_size.h"
#include "enfold/store/stores.h"

namespace enfold::gateway {
namespace {

constexpr std::string_view kCommandLinePrincipal = "local";  // as `enfold fit` uses
constexpr store::Time kAnyTime{};

// The name of the client's profile; empty: the call had none.
std::string_view profile_name(const AnswerContext& about) {
  return about.plan.profile != nullptr ? about.plan.profile->name : std::string_view();
}

// What the client got, written again: the recorded answer has all that the writing depends on, so
// the result is the same.
Result<std::string> written_again(const ViewedAnswer& answer) {
  const AnswerContext& about = *answer.about;
  answer::BeginResult begun = answer::begin(answer.source, about.plan, about.duration);
  auto* const finished = std::get_if<answer::ShapedAnswer>(&begun);
  if (finished != nullptr) return finished->result.str();
  const bool was_archived = !answer.receipt.handle.empty();
  const Result<answer::Receipt> stored = was_archived
                                             ? Result<answer::Receipt>(answer.receipt)
                                             : fail(ErrorCode::unsupported, "there is no archive");
  return answer::finish(std::get<answer::PreparedAnswer>(std::move(begun)), stored, about.plan,
                        {&about.services->key, about.plan.principal})
      .result.str();
}

// The view of an answer that Enfold wrote itself: a failure, or a page of an archived answer.
Result<answer::View> view_of_reply(const ViewedAnswer& answer) {
  const answer::FitSettings& fit = answer.about->plan.fit;
  ENFOLD_TRY(const json::Document reply,
             json::parse(json::Buffer(answer.reply), {.max_bytes = kLargestDocument}));
  answer::View view = answer::view_of_results(json::View(), reply.root(), fit,
                                              std::string(profile_name(*answer.about)));
  const auto read = answer::read_answer(reply.value(), contract::Id::mcp, fit.shape, {});
  if (!read) return view;
  view.failure = read->reading.response.failure;
  view.warnings = read->reading.response.warnings;
  return view;
}

}  // namespace

ViewedAnswer viewed(const RecordedAnswer& recorded) {
  return {recorded.plan->about, recorded.source, recorded.receipt, recorded.reply};
}

Result<answer::View> view_as_given(const ViewedAnswer& answer) {
  if (!has_original(answer)) return view_of_reply(answer);
  const AnswerContext& about = *answer.about;
  const bool has_reply = !answer.reply.empty();
  ENFOLD_TRY(const std::string written,
             has_reply ? Result<std::string>(answer.reply) : written_again(answer));
  ENFOLD_TRY(const json::Document result,
             json::parse(json::Buffer(written), {.max_bytes = kLargestDocument}));
  const std::string client(profile_name(about));
  Result<answer::ExplainedAnswer> explained =
      answer::explain(answer.source, about.plan, about.duration, answer.receipt,
                      {&about.services->key, about.plan.principal});
  if (!explained) {
    return answer::view_of_results(answer.source.view(), result.root(), about.plan.fit, client);
  }
  const answer::FitSettings& fit = about.plan.fit;
  Result<answer::View> view = answer::view_of(*explained, answer.receipt, fit, client,
                                              answer::text_of_result(result.root(), fit).text);
  if (view && has_reply) {
    view->after.size = answer::size_of_result(result.root(), *fit.tokenizer, fit.unit);
  }
  return view;
}

// Does the same steps as `enfold fit`.
Result<answer::View> view_refitted(const ViewedAnswer& answer, const RefitSettings& settings) {
  answer::FitSettings fit;
  fit.shape.contract = settings.contract;
  fit.shape.level = settings.level;
  fit.policy.explain = true;
  answer::apply_budget(settings.budget, budget::Budget{}.tokens, fit);
  ENFOLD_TRY(budget::check(fit.budget));
  answer::ExplainedAnswer explained;
  ENFOLD_TRY(const json::Document document,
             json::parse(json::Buffer(answer.source->raw()), {.max_bytes = kLargestDocument}));
  ENFOLD_TRY(explained.before, answer::read_answer(document, std::nullopt, fit.shape, {}));
  ENFOLD_TRY(answer::PreparedAnswer prepared, answer::prepare(explained.before, fit));
  ENFOLD_TRY(explained.whole, answer::size_of_answer(prepared.answer, fit));
  explained.fits = prepared.fits;
  answer::Receipt receipt;
  if (!prepared.fits) {
    ENFOLD_TRY(const store::Receipt stored,
               store::memory_archive()->put(kCommandLinePrincipal, prepared.to_store(),
                                            {.media_type = prepared.media_type}, kAnyTime));
    receipt = {stored.handle, stored.hash};
  }
  ENFOLD_TRY(explained.finished, answer::finish(std::move(prepared), receipt, fit));
  const token::Profile* const profile = settings.budget.profile;
  return answer::view_of(explained, receipt, fit,
                         profile != nullptr ? std::string(profile->name) : std::string());
}

}  // namespace enfold::gateway
