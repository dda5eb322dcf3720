// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/prepare.h"

#include "enfold/answer/fit/cut_report.h"
#include "enfold/answer/fit/measure.h"
#include "enfold/answer/stored/places.h"
#include "enfold/answer/withhold.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::answer {
namespace {

using budget::FitResult;
using budget::Size;
using model::Response;

// The size of an attempt that cannot be written: larger than any budget.
constexpr Size kTooLarge{SIZE_MAX, SIZE_MAX, SIZE_MAX};

// Whether the answer is only a reference to the archive, without a list of missing places.
bool is_bare(const FittedAnswer& finished) {
  return finished.fitted.fidelity == model::Fidelity::reference_only &&
         finished.fitted.dropped.empty();
}

// Replaces `best` by `other` if `other` shows more data, or as much and also lists what is missing.
void take_if_better(Result<FittedAnswer> other, Result<FittedAnswer>& best) {
  const auto rank = [](const FittedAnswer& finished) {
    return std::pair(finished.fitted.fidelity, finished.fitted.dropped.empty());
  };
  if (!best || (other && rank(*other) < rank(*best))) best = std::move(other);
}

// The value that is cut: the payload; without one, the message of the failure or the response.
json::Value payload_of(const Response& response) {
  if (response.payload) return *response.payload;
  if (response.failure) return json::string_value(response.failure->message);
  return json::string_value(response.message);
}

/// Cuts one answer to its budget. `run` tries ways that leave out more and more, and returns the
/// one that shows most of the data.
class Reducer {
 public:
  Reducer(ReadAnswer answer, const Receipt& receipt, std::string_view limit,
          const FitSettings& settings)
      : cut_{.answer = std::move(answer), .receipt = receipt, .limit = limit, .settings = settings},
        policy_(settings.policy) {
    // The response is changed below, so only residue that adds members is restored.
    cut_.answer.reading.origin.altered = true;
    cut_.archived = as_archived(cut_.answer);
    const bool withheld = withhold_source(cut_.answer, settings.shape);
    cut_.whole = cut_.response();
    cut_.payload = payload_of(cut_.whole);
    const auto& residue = cut_.answer.reading.origin.residue;
    const auto lost = [](const json::Change& change) { return change.before.has_value(); };
    // The report of an earlier cut is replaced, so it takes no room; the original still has it.
    cut_.trimmed_parts =
        withheld || cut_.whole.reduction || std::any_of(residue.begin(), residue.end(), lost);
    cut_.response().reduction.reset();
    read_list();
  }

  Result<FittedAnswer> run() {
    if (!cut_.settings.is_fetched_page) trim_parts_beside();
    choose_blocks();
    Result<FittedAnswer> best = fitted();
    // Warnings take precedence over the cursor, and the cursor over all other parts.
    if (!cut_.response().warnings.empty()) say_less_of_pages(best);
    // Data take precedence over content blocks.
    if (best && best->fitted.fidelity > model::Fidelity::partial &&
        !cut_.response().blocks.empty()) {
      drop_all_blocks();
      take_if_better(fitted(), best);
    }
    if (best && !cut_.response().failure && shows_too_little(*best)) shorten_report(best);
    const bool too_small = !best && best.error().code == ErrorCode::budget_too_small;
    if (too_small || (best && needs_all_room(*best))) drop_all_parts_beside(best);
    say_less_of_pages(best);
    if (best && !cut_.response().failure && shows_too_little(*best)) plan_for_less(best);
    if (cut_.settings.keeps_page && best && !shows_row(*best)) {
      return fail(ErrorCode::budget_too_small, "expected a budget that has room for one row",
                  "budget");
    }
    return best;
  }

 private:
  // Tries slightly smaller budgets. budget::fit plans with estimates: sometimes its plan for the
  // whole budget shows no data, and one for a few tokens less does.
  void plan_for_less(Result<FittedAnswer>& best) {
    budget::Budget budget = cut_.settings.budget;
    for (const std::size_t less : {1U, 1U, 2U, 4U, 4U}) {  // tokens
      if (!best || !shows_too_little(*best) || budget.tokens < budget::kSmallestBudget + less)
        return;
      budget.tokens -= less;
      take_if_better(fitted_to(budget), best);
    }
  }

  // Whether the one row of a page (keeps_page) is shown, at least in brief.
  [[nodiscard]] static bool shows_row(const FittedAnswer& finished) {
    return finished.fitted.fidelity < model::Fidelity::reference_only &&
           finished.fitted.left.empty();
  }

  // For a budget without room for a cursor. Does nothing if `best` is an answer already.
  void say_less_of_pages(Result<FittedAnswer>& best) {
    for (const PageDetail detail : {PageDetail::has_more, PageDetail::none}) {
      if (best || !cut_.list) return;
      cut_.page = detail;
      best = fitted();
    }
  }

  // Reads the list that the answer is about. A page of an archived answer has its own cursor, so
  // its list is not kept.
  void read_list() {
    if (cut_.whole.failure) return;
    contract::WholeReading reading = contract::read_whole(cut_.whole);
    if (!cut_.answer.whole) cut_.answer.whole = std::move(reading.form);
    policy_.list = cut_.answer.whole->list;
    // The tool's schema asks for a text, so a page of the records in it cannot replace the text.
    const bool is_in_typed_text = cut_.settings.schema != nullptr && !policy_.list;
    const bool is_page = cut_.settings.is_fetched_page || cut_.settings.keeps_page;
    if (!is_page && !is_in_typed_text) cut_.list = std::move(reading.list);
  }

  // Data take precedence over the report of the cut. For a page the report may leave out even the
  // handle, because its caller knows it.
  void shorten_report(Result<FittedAnswer>& best) {
    drop_all_blocks();
    cut_.answer.reading.origin.concise = true;
    for (const ReportDetail detail :
         {ReportDetail::few, ReportDetail::fewest, ReportDetail::none, ReportDetail::no_handle}) {
      if (detail > ReportDetail::fewest && !cut_.settings.is_fetched_page) return;
      cut_.detail = detail;
      take_if_better(fitted(), best);
      if (best && !shows_too_little(*best)) return;
    }
  }

  // If nothing fits, or only a reference to the archive (needs_all_room): leaves out all parts
  // beside the payload and shortens the report, at last to the handle and a short hash.
  void drop_all_parts_beside(Result<FittedAnswer>& best) {
    if (cut_.settings.is_fetched_page) return shorten_report(best);
    drop_all_blocks();
    trim_to(kTrimSteps);
    cut_.answer.reading.origin.concise = true;
    for (const ReportDetail detail :
         {ReportDetail::few, ReportDetail::fewest, ReportDetail::none}) {
      // Warnings are dropped last, and only if nothing else fits.
      if (detail == ReportDetail::none && best && !cut_.response().warnings.empty()) return;
      cut_.detail = detail;
      if (detail >= ReportDetail::fewest) shorten_messages_and_names();
      take_if_better(fitted(), best);
      if (best && (cut_.response().failure || !shows_too_little(*best))) return;
    }
  }

  // Whether the answer is a bare reference, or shows no data although the policy allows it. The
  // summary of a payload without a schema is only facts.
  [[nodiscard]] bool shows_too_little(const FittedAnswer& finished) const {
    const bool wants_data = cut_.settings.policy.partial && cut_.settings.schema == nullptr;
    const model::Fidelity enough = wants_data ? model::Fidelity::partial : model::Fidelity::summary;
    if (finished.fitted.fidelity <= enough) return false;
    return cut_.settings.policy.partial || cut_.settings.policy.summary || is_bare(finished);
  }

  // Whether to drop everything beside the data to make room for them: for a bare reference, or any
  // reference without warnings. Never in a failure, whose message is worth more than data.
  [[nodiscard]] bool needs_all_room(const FittedAnswer& finished) const {
    if (cut_.response().failure || cut_.settings.is_fetched_page) return false;
    return is_bare(finished) || (shows_too_little(finished) && cut_.response().warnings.empty());
  }

  // Fits the payload to what the current state of `cut_` leaves of the budget.
  Result<FittedAnswer> fitted() { return fitted_to(cut_.settings.budget); }

  Result<FittedAnswer> fitted_to(const budget::Budget& budget) {
    const budget::OutputSchema* schema = cut_.response().failure ? nullptr : cut_.settings.schema;
    const auto measure = [&](const FitResult& fitted) { return size_with(fitted); };
    Result<FitResult> fitted = budget::fit(cut_.payload.view(), budget, policy_, schema,
                                           *cut_.settings.tokenizer, measure);
    if (!fitted) return tl::unexpected(fitted.error());
    FittedAnswer finished{.answer = answer_with(cut_, *fitted), .size = fitted->size};
    finished.fitted = std::move(*fitted);
    return finished;
  }

  // The size of the answer with this payload; budget::fit calls it for each attempt.
  [[nodiscard]] Size size_with(const FitResult& fitted) const {
    const Result<json::Output> envelope =
        write_envelope(answer_with(cut_, fitted), cut_.settings.shape);
    if (!envelope) return kTooLarge;
    return sum(size_of(envelope->str(), cut_.settings), cut_.blocks.size);
  }

  // Leaves bytes_of_message() of messages; drops ids, codes, long names.
  void shorten_messages_and_names() {
    constexpr std::size_t most_name_tokens = 12;
    cut_.response().request_id.clear();
    if (cut_.detail >= ReportDetail::none) {
      cut_.response().warnings.clear();
      if (cut_.response().outcome == model::Outcome::partial) {
        cut_.response().warnings.push_back({.code = "PARTIAL_FAILURE", .message = "Partial"});
      }
    }
    cut_.response().message = clipped(cut_.whole.message, bytes_of_message(cut_.detail));
    cut_.trimmed_parts |= cut_.response().message != cut_.whole.message;
    if (!cut_.settings.tokenizer->fits(cut_.response().tool.id, most_name_tokens))
      cut_.response().tool.id.clear();
    if (!cut_.response().failure) return;
    cut_.response().failure->message =
        clipped(cut_.whole.failure->message, bytes_of_message(cut_.detail));
    cut_.response().failure->code.clear();  // its kind implies a code
    cut_.trimmed_parts |= cut_.response().failure->message != cut_.whole.failure->message;
  }

  // Shortens parts beside the payload until they take no more than half of the budget that a bare
  // reference leaves (is_light).
  void trim_parts_beside() {
    for (int step = 0; step < kTrimSteps && !is_light(); ++step) {
      trim_to(step + 1);
      if (step > 1) cut_.answer.reading.origin.concise = true;
    }
  }

  // Performs those of the first `steps` steps of `trim` that were not performed yet.
  void trim_to(int steps) {
    bool changed = false;
    for (; trimmed_ < steps; ++trimmed_) {
      if (trimmed_ == 0 && !cut_.answer.reading.origin.residue.empty()) {
        cut_.answer.reading.origin.residue.clear();
        changed = true;
      }
      changed |= trim(cut_.response(), cut_.whole, trimmed_, *cut_.settings.tokenizer,
                      cut_.settings.budget.tokens / 4);
    }
    if (cut_.settings.keeps_page) cut_.response().page = cut_.whole.page;
    cut_.trimmed_parts |= changed;
  }

  [[nodiscard]] bool is_light() const {
    ReadAnswer bare = cut_.answer;
    Response& shown = bare.reading.response;
    if (shown.payload) {
      shown.payload = json::parse_own("{}");
    } else {
      (shown.failure ? shown.failure->message : shown.message).clear();
    }
    const Result<json::Output> envelope = write_envelope(bare, cut_.settings.shape);
    if (!envelope) return false;
    constexpr std::size_t reference_tokens = 120;  // of a report with only a handle, estimated
    constexpr std::size_t reference_characters = 480;
    const auto half_beside = [](std::size_t all, std::size_t reference) {
      return all > reference ? (all - reference) / 2 : 0;
    };
    // Parts of up to 32 tokens or 128 characters stay in any budget.
    const std::size_t tokens = half_beside(cut_.settings.budget.tokens, reference_tokens) + 32;
    const std::size_t characters =
        half_beside(cut_.settings.budget.characters, reference_characters) + 128;
    // An empty envelope takes 20 to 80 tokens, so it is not charged to the parts.
    return envelope->size() <= characters + 256 &&
           cut_.settings.tokenizer->fits(envelope->str(), tokens + 64);
  }

  void choose_blocks() {
    if (cut_.response().blocks.empty()) return;
    cut_.blocks =
        keep_blocks(cut_.response().blocks, cut_.payload.view(), cut_.archived, cut_.settings);
    cut_.response().blocks = cut_.blocks.blocks;
  }

  void drop_all_blocks() {
    if (cut_.response().blocks.empty()) return;
    cut_.blocks =
        drop_blocks(cut_.blocks.dropped_count + cut_.response().blocks.size(), cut_.archived);
    cut_.response().blocks.clear();
  }

  Cut cut_;
  budget::Policy policy_;
  int trimmed_ = 0;  // steps of `trim` that were performed
};

Status check_settings(const FitSettings& settings) {
  if (!contract::is_envelope(settings.shape.contract)) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a contract with room for what was left out, found {}",
                            contract::name(settings.shape.contract)),
                "contract", "choose an envelope such as response-v2");
  }
  return budget::check(settings.budget);
}

model::Warning archive_warning(const Error& error, Unstored if_unstored) {
  json::Writer context;
  context.begin_object().member("reason", mapping(error.code).name).end_object();
  return contract::make_warning("ARCHIVE_WRITE_FAILED",
                                if_unstored == Unstored::fail
                                    ? "The original could not be stored"
                                    : "The original could not be stored, so nothing was left out",
                                std::move(context).finish_value());
}

// Sends the answer whole, or a failure, with a warning. The message of the store is not shown: it
// may name files and hosts.
Result<FittedAnswer> finish_unstored(PreparedAnswer prepared, const Error& error,
                                     const FitSettings& settings) {
  FittedAnswer finished{.answer = std::move(prepared.answer)};
  model::Response& response = finished.answer.reading.response;
  if (settings.if_unstored == Unstored::fail) {
    model::Response failed = contract::make_failure(contract::failures::Unavailable{
        .message = "The answer is larger than the budget and could not be stored"});
    failed.tool = response.tool;
    failed.request_id = response.request_id;
    failed.telemetry = response.telemetry;
    response = std::move(failed);
    finished.answer.reading.origin = {};
  }
  response.warnings.push_back(archive_warning(error, settings.if_unstored));
  const Result<budget::Size> size = size_of_answer(finished.answer, settings);
  if (!size) return tl::unexpected(size.error());
  finished.size = *size;
  if (response.payload) finished.fitted.payload = *response.payload;
  return finished;
}

}  // namespace

void apply_budget(const BudgetChoice& choice, std::size_t otherwise, FitSettings& settings) {
  if (choice.profile != nullptr) {
    use_profile(settings, *choice.profile);
  } else {
    settings.budget = {.tokens = otherwise, .characters = kLargestDocument};
    settings.target = settings.budget.tokens;
  }
  if (choice.tokens) settings.budget.tokens = settings.target = *choice.tokens;
  if (choice.target) settings.target = *choice.target;
  if (choice.characters) settings.budget.characters = *choice.characters;
  if (choice.lines) settings.budget.lines = choice.lines;
  if (choice.characters || choice.lines) settings.failure_characters = std::nullopt;
}

Result<PreparedAnswer> prepare(ReadAnswer answer, const FitSettings& settings) {
  if (Status status = check_settings(settings); !status) {
    return tl::unexpected(status.error());
  }
  PreparedAnswer prepared{.answer = std::move(answer)};
  const Result<SizeCheck> verdict = check_size(prepared.answer, settings);
  if (!verdict) return tl::unexpected(verdict.error());
  prepared.fits = verdict->fits && !withholds_source(prepared.answer, settings.shape);
  prepared.size = verdict->size;
  prepared.limit = verdict->limit;
  // A page (is_fetched_page) is part of an answer that is archived already.
  if (!prepared.fits && !settings.is_fetched_page) make_document(prepared.answer);
  if (!prepared.fits) prepared.original = Original(prepared.answer);
  prepared.media_type =
      media_type({.contract = prepared.answer.from, .is_made_here = prepared.answer.is_made_here});
  return prepared;
}

namespace {

// The settings by which an answer is cut: its budget is the target. A page is what its reader asked
// for, so it may fill the whole budget.
FitSettings for_cutting(const model::Response& response, const FitSettings& settings) {
  FitSettings cutting = settings;
  cutting.budget = budget_for(response, settings);
  if (!settings.is_fetched_page) {
    cutting.budget.tokens = std::min(cutting.budget.tokens, settings.target);
  }
  return cutting;
}

}  // namespace

Result<FittedAnswer> finish(PreparedAnswer prepared, const Result<Receipt>& stored,
                            const FitSettings& settings) {
  if (prepared.fits) {
    FittedAnswer finished{.answer = std::move(prepared.answer), .size = prepared.size};
    const auto& payload = finished.answer.reading.response.payload;
    if (payload) finished.fitted.payload = *payload;
    return finished;
  }
  const bool cuts_unstored =
      settings.if_unstored == Unstored::cut || withholds_source(prepared.answer, settings.shape);
  if (!stored && !cuts_unstored) {
    return finish_unstored(std::move(prepared), stored.error(), settings);
  }
  const FitSettings cutting = for_cutting(prepared.answer.reading.response, settings);
  // `unsupported`: there is no archive, so none has failed.
  const bool has_archive = stored || stored.error().code != ErrorCode::unsupported;
  const Receipt receipt = stored ? *stored : Receipt{.has_failed = has_archive};
  return Reducer(std::move(prepared.answer), receipt, prepared.limit, cutting).run();
}

}  // namespace enfold::answer
