// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/reduce.h"

#include "enfold/answer/fit/cut_report.h"
#include "enfold/answer/fit/measure.h"
#include "enfold/answer/fit/trim.h"
#include "enfold/answer/stored/original.h"

#include <algorithm>
#include <utility>

namespace enfold::answer {
namespace {

using budget::FitResult;
using budget::Size;
using model::Response;

constexpr Size kTooLarge{SIZE_MAX, SIZE_MAX, SIZE_MAX};

// It names no places: that data is missing shows, and no more.
bool is_bare(const FittedAnswer& finished) {
  return finished.fitted.level == model::Fidelity::reference_only &&
         finished.fitted.dropped.empty();
}

void take_if_better(Result<FittedAnswer> other, Result<FittedAnswer>& best) {
  const auto rank = [](const FittedAnswer& finished) {
    return std::pair(finished.fitted.level, finished.fitted.dropped.empty());
  };
  if (!best || (other && rank(*other) < rank(*best))) best = std::move(other);
}

// A failure without a payload has its message to be cut.
json::Value payload_of(const Response& response) {
  if (response.payload) return *response.payload;
  if (response.failure) return json::string_value(response.failure->message);
  return json::string_value(response.message);
}

class Reducing {
 public:
  Reducing(ReadAnswer answer, const Receipt& receipt, std::string_view limit,
           const FitSettings& settings)
      : cut_{
            .answer = std::move(answer), .receipt = receipt, .limit = limit, .settings = settings} {
    // What the document had beside the model is restored only where nothing else stands now.
    cut_.answer.reading.origin.altered = true;
    cut_.whole = cut_.response();
    cut_.payload = payload_of(cut_.whole);
    cut_.opened = as_archived(cut_.answer);
    const auto& residue = cut_.answer.reading.origin.residue;
    const auto lost = [](const json::Change& change) { return change.before.has_value(); };
    // What an earlier reduction said stands in the original now, behind the handle of this one.
    cut_.trimmed_parts = cut_.whole.reduction || std::any_of(residue.begin(), residue.end(), lost);
  }

  Result<FittedAnswer> run() {
    if (!cut_.settings.only_payload) trim_fixed_parts();
    choose_blocks();
    Result<FittedAnswer> best = fitted();
    // What a tool says beside its data may not cost all of the data.
    if (best && best->fitted.level > model::Fidelity::partial && !cut_.response().blocks.empty()) {
      drop_all_blocks();
      take_if_better(fitted(), best);
    }
    if (best && !cut_.response().failure && shows_too_little(*best)) say_it_shorter(best);
    const bool too_small = !best && best.error().code == ErrorCode::budget_too_small;
    // What a failure says is worth more than its data.
    const bool bare = best && !cut_.response().failure && is_bare(*best);
    if (too_small || (bare && !cut_.settings.only_payload)) leave_all_beside(best);
    return best;
  }

 private:
  // Nor may our own words. Whoever asked for a page has its handle.
  void say_it_shorter(Result<FittedAnswer>& best) {
    drop_all_blocks();
    cut_.answer.reading.origin.concise = true;
    for (const Words words : {Words::few, Words::fewest, Words::none, Words::no_handle}) {
      if (words > Words::fewest && !cut_.settings.only_payload) return;
      cut_.words = words;
      take_if_better(fitted(), best);
      if (best && !shows_too_little(*best)) return;
    }
  }

  // The reference alone must fit: without anything beside it, in few words, and in the end with the
  // short handle alone, which opens the same.
  void leave_all_beside(Result<FittedAnswer>& best) {
    if (cut_.settings.only_payload) return say_it_shorter(best);
    drop_all_blocks();
    trim_to(kTrimSteps);
    cut_.answer.reading.origin.concise = true;
    for (const Words words : {Words::few, Words::fewest, Words::none}) {
      // What presses goes last, and only where nothing fits beside it.
      if (words == Words::none && best && !cut_.response().warnings.empty()) return;
      cut_.words = words;
      if (words >= Words::fewest) leave_a_word();
      take_if_better(fitted(), best);
      if (best && (cut_.response().failure || !shows_too_little(*best))) return;
    }
  }

  // A reference, though the policy allows more; or a bare one.
  [[nodiscard]] bool shows_too_little(const FittedAnswer& finished) const {
    if (finished.fitted.level < model::Fidelity::reference_only) return false;
    return cut_.settings.policy.partial || cut_.settings.policy.summary || is_bare(finished);
  }

  Result<FittedAnswer> fitted() {
    const budget::OutputSchema* schema = cut_.response().failure ? nullptr : cut_.settings.schema;
    const auto measure = [&](const FitResult& fitted) { return size_with(fitted); };
    Result<FitResult> fitted =
        budget::fit(cut_.payload.view(), cut_.settings.budget, cut_.settings.policy, schema,
                    *cut_.settings.tokenizer, measure);
    if (!fitted) return tl::unexpected(fitted.error());
    FittedAnswer finished{.answer = answer_with(cut_, *fitted), .size = fitted->size};
    finished.fitted = std::move(*fitted);
    return finished;
  }

  [[nodiscard]] Size size_with(const FitResult& fitted) const {
    const Result<json::Output> envelope =
        write_envelope(answer_with(cut_, fitted), cut_.settings.shape);
    if (!envelope) return kTooLarge;
    return sum(size_of(envelope->str(), *cut_.settings.tokenizer), cut_.blocks.size);
  }

  void leave_a_word() {
    cut_.response().request_id.clear();
    if (cut_.words >= Words::none) cut_.response().warnings.clear();
    cut_.response().message = clipped(cut_.whole.message, one_word(cut_.words));
    cut_.trimmed_parts |= cut_.response().message != cut_.whole.message;
    if (!cut_.settings.tokenizer->fits(cut_.response().tool.id, kOneWord))
      cut_.response().tool.id.clear();
    if (!cut_.response().failure) return;
    cut_.response().failure->message = clipped(cut_.whole.failure->message, one_word(cut_.words));
    cut_.response().failure->code.clear();  // its kind has one
    cut_.trimmed_parts |= cut_.response().failure->message != cut_.whole.failure->message;
  }

  // The envelope without its payload may take half of what a bare reference leaves of the budget.
  void trim_fixed_parts() {
    for (int step = 0; step < kTrimSteps && !is_light(); ++step) {
      trim_to(step + 1);
      if (step > 1) cut_.answer.reading.origin.concise = true;
    }
  }

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
    constexpr std::size_t reference_tokens = 120;
    constexpr std::size_t reference_characters = 480;
    const auto half_beside = [](std::size_t all, std::size_t reference) {
      return all > reference ? (all - reference) / 2 : 0;
    };
    const std::size_t tokens = half_beside(cut_.settings.budget.tokens, reference_tokens) + 32;
    const std::size_t characters =
        half_beside(cut_.settings.budget.characters, reference_characters) + 128;
    // An envelope takes some 20 to 80 tokens whatever stands in it.
    return envelope->size() <= characters + 256 &&
           cut_.settings.tokenizer->fits(envelope->str(), tokens + 64);
  }

  void choose_blocks() {
    if (cut_.response().blocks.empty()) return;
    cut_.blocks =
        keep_blocks(cut_.response().blocks, cut_.payload.view(), cut_.opened, cut_.settings);
    cut_.response().blocks = cut_.blocks.blocks;
  }

  void drop_all_blocks() {
    if (cut_.response().blocks.empty()) return;
    cut_.blocks =
        drop_blocks(cut_.blocks.dropped_count + cut_.response().blocks.size(), cut_.opened);
    cut_.response().blocks.clear();
  }

  Cut cut_;
  int trimmed_ = 0;
};

}  // namespace

Result<FittedAnswer> reduce(ReadAnswer answer, const Receipt& receipt, std::string_view limit,
                            const FitSettings& settings) {
  return Reducing(std::move(answer), receipt, limit, settings).run();
}

}  // namespace enfold::answer
