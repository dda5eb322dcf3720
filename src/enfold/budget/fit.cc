// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/fit.h"

#include "enfold/budget/plan/plan.h"
#include "enfold/budget/render/render.h"
#include "enfold/json/write.h"

#include <fmt/core.h>

namespace enfold::budget {
namespace {

using detail::Cost;
using detail::Form;
using detail::Plan;

constexpr int kMeasurements = 8;                 // in one call of settle()
constexpr std::size_t kUnusedShare = 50;         // up to 1/50 of the token budget may stay unused
constexpr std::int64_t kReserve = 16;            // tokens that fill() leaves for a longer report
constexpr std::size_t kLongestToken = 48;        // bytes; longer tokens are rare
constexpr std::size_t kBytesPerCharacter = 4;    // at most, in UTF-8
constexpr std::int64_t kCharactersPerToken = 4;  // about
constexpr std::int64_t kLeastForRatio = 32;      // tokens or characters, for scaled()

// The payload as minified JSON.
json::Value compact(json::View payload) {
  if (payload.is_compact()) return json::Value(payload);
  json::Writer writer;
  writer.value(payload);
  return std::move(writer).finish_value();
}

Cost cost_of(const Size& size) {
  return {static_cast<std::int64_t>(size.tokens), static_cast<std::int64_t>(size.characters)};
}

// A number of tokens, and about as many characters as they have.
Cost with_characters(std::int64_t tokens) { return {tokens, kCharactersPerToken * tokens}; }

// Converts a measured amount to the scale of the estimated prices. The ratio comes from what is
// shown so far: its estimated and its measured cost. The ratio of small costs is mostly noise: then
// the amount is returned as it is.
std::int64_t scaled(std::int64_t amount, std::int64_t estimated, std::int64_t measured) {
  const bool has_ratio = estimated > kLeastForRatio && measured > kLeastForRatio;
  return has_ratio ? amount * estimated / measured : amount;
}

class Fitter {
 public:
  Fitter(json::View payload, const Budget& budget, const Policy& policy, const OutputSchema* schema,
         const token::Tokenizer& tokenizer, const Measure& measure)
      : payload_(payload),
        budget_(budget),
        policy_(policy),
        schema_(schema),
        counter_(tokenizer),
        measure_(measure) {}

  // Tries the forms from the most to the least useful: data that is cut within the schema, a sample
  // of the data beside a summary (outside the schema), a summary, a reference (only the report
  // of what was cut), a bare reference (without the report).
  Result<FitResult> run() {
    if (policy_.partial) {
      if (auto data = cut_data()) return *std::move(data);
    }
    if (policy_.summary) {
      if (schema_ != nullptr && policy_.partial) {
        auto sample = cut(Form::sample, /*schema=*/nullptr, /*whole_only=*/false);
        if (sample) return *std::move(sample);
      }
      if (auto summary = make_summary()) return *std::move(summary);
    }
    return make_reference();
  }

 private:
  // Cuts the payload so that it stays valid: first with briefs (shortened items), then with whole
  // items only, then with the shortest possible strings. Ignores the schema if the payload did not
  // meet it before. nullopt: no data fits.
  std::optional<FitResult> cut_data() {
    if (schema_ == nullptr) return cut(Form::data, /*schema=*/nullptr, /*whole_only=*/false);
    const json::View view = schema_->view();
    const auto meets_schema = [&](const std::optional<FitResult>& fitted) {
      const auto valid = fitted ? schema_->accepts(fitted->payload.view()) : Result<bool>(false);
      return valid && *valid;
    };
    auto fitted = cut(Form::data, &view, /*whole_only=*/false);
    if (fitted && !meets_schema(fitted)) fitted = cut(Form::data, &view, /*whole_only=*/true);
    if (!meets_schema(fitted)) fitted = cut_to_least(view);
    if (meets_schema(fitted)) return fitted;
    const auto was_valid = schema_->accepts(payload_);
    if (!was_valid || !*was_valid) {
      note_ = was_valid ? "the payload did not meet its output schema before it was cut"
                        : "the output schema cannot be evaluated";
      return cut(Form::data, /*schema=*/nullptr, /*whole_only=*/false);
    }
    note_ = "nothing shorter that still meets the output schema fits the budget";
    return std::nullopt;
  }

  // Clips long strings in a brief to at most one byte. Strings that the schema does not allow to be
  // clipped stay whole.
  std::optional<FitResult> cut_to_least(const json::View& schema) {
    Policy least = policy_;
    least.clip = 1;
    return Fitter(payload_, budget_, least, schema_, counter_.tokenizer(), measure_)
        .cut(Form::data, &schema, /*whole_only=*/false);
  }

  // `schema` may be null. `whole_only`: no briefs and no clipped strings.
  // nullopt: no data fits.
  std::optional<FitResult> cut(Form form, const json::View* schema, bool whole_only) {
    Plan plan(detail::outline(payload_, budget_.tokens, policy_, schema, counter_), policy_,
              counter_, max_part_bytes(), whole_only);
    report_.reset();
    FitResult least = render(plan, form, schema_ != nullptr);
    const Size start = measured(least);
    if (!within(start, budget_)) return std::nullopt;
    const Cost room = left(start) - with_characters(margin());
    fill(plan, form, room, report_tokens(least, counter_) + mark_tokens(plan));
    if (auto fitted = settle(plan, form, start)) return fitted;
    // Facts and rows of the index may have used up the room for data: retries with the least data
    // and nothing else.
    plan.undo_to(0);
    detail::fill_least(plan, room);
    return plan.steps() > 0 ? settle(plan, form, start) : std::nullopt;
  }

  // Fills the plan, and corrects it by the estimated growth of the report. This is done before the
  // first measurement, because a measurement costs as much as filling. `start_report_tokens`:
  // tokens of the report and the marks before anything was shown.
  void fill(Plan& plan, Form form, const Cost& room, std::int64_t start_report_tokens) {
    detail::fill(plan, room - with_characters(kReserve));
    for (int i = 0; i < 2; ++i) {
      report_ = report_of(plan, form);
      report_revision_ = plan.revision();
      const std::int64_t grown =
          report_tokens(*report_, counter_) + mark_tokens(plan) - start_report_tokens;
      const Cost target = room - with_characters(grown);
      const Cost over = plan.spent() - target;
      if (over.tokens <= 0 && over.tokens > -kReserve) break;
      if (over.tokens > 0 && !plan.undo_until_free({over.tokens, 0})) break;
      const std::size_t steps = plan.steps();
      detail::fill(plan, target);
      if (over.tokens <= 0 && plan.steps() == steps) break;
    }
  }

  // Measures the answer, then shows more or undoes steps, until the answer fits and the unused
  // tokens, or the unused characters, are at most 1/kUnusedShare of the token budget. `start`: the
  // size before any step. Returns the largest answer that fits and shows data; nullopt: none does.
  std::optional<FitResult> settle(Plan& plan, Form form, const Size& start) {
    std::optional<FitResult> best;
    std::size_t best_tokens = 0;
    std::int64_t safety = 2;  // tokens; doubled after every answer that was too large
    for (int i = 0; i < kMeasurements; ++i) {
      const bool report_is_current = report_ && report_revision_ == plan.revision();
      FitResult fitted =
          render(plan, form, schema_ != nullptr, report_is_current ? &*report_ : nullptr);
      const Size size = measured(fitted);
      const Cost spent = plan.spent();
      const Cost grown = cost_of(size) - cost_of(start);
      const auto in_estimates = [&](const Cost& real) {
        return Cost{scaled(real.tokens, spent.tokens, grown.tokens),
                    scaled(real.characters, spent.characters, grown.characters)};
      };
      if (within(size, budget_)) {
        if (plan.shows_data() && (!best || size.tokens >= best_tokens)) {
          best_tokens = size.tokens;
          if (policy_.explain) fitted.parts = explain(plan, form);
          best = std::move(fitted);
        }
        const Cost slack = left(size) - with_characters(safety);
        const auto may_stay_unused = static_cast<std::int64_t>(budget_.tokens / kUnusedShare);
        if (slack.tokens <= may_stay_unused || slack.characters <= may_stay_unused) break;
        const std::size_t steps = plan.steps();
        detail::fill(plan, spent + in_estimates(slack));
        if (plan.steps() == steps) break;
      } else {
        const Cost over = in_estimates(excess(size, grown)) + with_characters(safety);
        if (!plan.undo_until_free(over)) break;
        detail::fill(plan, spent - over);
        safety *= 2;
      }
    }
    return best;
  }

  // A summary without data: the structure of the payload, and the facts (counts, ranges) that fit.
  std::optional<FitResult> make_summary() {
    Plan plan(detail::outline(payload_, budget_.tokens, policy_, /*schema=*/nullptr, counter_),
              policy_, counter_, max_part_bytes(), /*whole_only=*/false);
    FitResult fitted = render(plan, Form::summary, schema_ != nullptr);
    const Size start = measured(fitted);
    if (!within(start, budget_)) return std::nullopt;
    constexpr std::int64_t inexact = 4;  // tokens by which prices, which are estimates, may be low
    detail::fill_facts(plan, left(start) - with_characters(inexact));
    while (plan.steps() > 0) {
      FitResult more = render(plan, Form::summary, schema_ != nullptr);
      const Size size = measured(more);
      if (within(size, budget_)) {
        fitted = std::move(more);
        break;
      }
      plan.undo_to(plan.steps() / 2);
    }
    if (policy_.explain) fitted.parts = explain(plan, Form::summary);
    return fitted;
  }

  // A reference with the report of what was cut, or else without it.
  Result<FitResult> make_reference() {
    Plan plan(detail::outline(payload_, budget_.tokens, policy_, /*schema=*/nullptr, counter_),
              policy_, counter_, max_part_bytes(), /*whole_only=*/false);
    Size size;
    for (const Form form : {Form::reference, Form::bare}) {
      FitResult fitted = render(plan, form, schema_ != nullptr);
      if (form == Form::bare) note_.reset();
      size = measured(fitted);
      if (!within(size, budget_)) continue;
      if (policy_.explain) fitted.parts = explain(plan, form);
      return fitted;
    }
    return fail(
        ErrorCode::budget_too_small,
        fmt::format("expected a budget that holds at least the envelope and a reference: {}",
                    first_excess(size)),
        "budget", "raise the budget, or ask for fewer envelope members");
  }

  // Describes the first limit that is exceeded: what the answer needs, and the budget.
  [[nodiscard]] std::string first_excess(const Size& size) const {
    const auto says = [](std::size_t need, std::string_view unit, std::size_t found) {
      return fmt::format("{} {}, found {}", need, unit, found);
    };
    if (size.tokens > budget_.tokens) return says(size.tokens, "tokens", budget_.tokens);
    if (size.characters > budget_.characters) {
      return says(size.characters, "characters", budget_.characters);
    }
    return says(size.lines, "lines", budget_.lines.value_or(0));
  }

  Size measured(FitResult& fitted) const {
    fitted.schema_note = note_;
    fitted.size = measure_(fitted);
    return fitted.size;
  }

  // What the budget leaves beside an answer of this size; negative if the answer is too large.
  Cost left(const Size& size) const {
    return Cost{static_cast<std::int64_t>(budget_.tokens),
                static_cast<std::int64_t>(budget_.characters)} -
           cost_of(size);
  }

  // Lines are not priced: an excess of lines becomes its share of `grown`, the cost of all steps.
  Cost excess(const Size& size, const Cost& grown) const {
    const Cost room = left(size);
    Cost over{std::max<std::int64_t>(-room.tokens, 0), std::max<std::int64_t>(-room.characters, 0)};
    if (budget_.lines && size.lines > *budget_.lines) {
      const auto many = static_cast<std::int64_t>(size.lines);
      const auto more = many - static_cast<std::int64_t>(*budget_.lines);
      over.tokens = std::max(over.tokens, grown.tokens * more / many + 1);
    }
    return over;
  }

  // Tokens kept free because prices are estimates.
  [[nodiscard]] std::int64_t margin() const {
    return 6 + static_cast<std::int64_t>(budget_.tokens / 160);
  }

  // The plan does not count the tokens of a part with more bytes than this: it does not fit.
  [[nodiscard]] std::size_t max_part_bytes() const {
    constexpr std::size_t margin_bytes = 64;
    return margin_bytes +
           std::min(kBytesPerCharacter * budget_.characters, kLongestToken * budget_.tokens);
  }

  json::View payload_;
  const Budget& budget_;
  const Policy& policy_;
  const OutputSchema* schema_;
  detail::Counter counter_;
  const Measure& measure_;
  std::optional<std::string> note_;  ///< FitResult::schema_note of the next results
  std::optional<FitResult> report_;  ///< the last report_of() that fill() made; nullopt: none
  std::size_t report_revision_ = 0;  ///< revision of the plan for which `report_` was made
};

// Quick check: a payload that exceeds the budget without an envelope does not fit with one.
bool may_fit(json::View payload, const Budget& budget, const token::Tokenizer& tokenizer) {
  // The ends of the payload may merge with the envelope into fewer tokens.
  constexpr std::size_t merged_tokens = 8;
  return payload.raw().size() <= kBytesPerCharacter * budget.characters &&
         tokenizer.fits(payload.raw(), budget.tokens + merged_tokens);
}

}  // namespace

Result<FitResult> fit(json::View payload, const Budget& budget, const Policy& policy,
                      const OutputSchema* schema, const token::Tokenizer& tokenizer,
                      const Measure& measure) {
  const json::Value whole = compact(payload);
  if (may_fit(whole.view(), budget, tokenizer)) {
    FitResult full;
    full.payload = whole;
    full.size = measure(full);
    if (within(full.size, budget)) {
      if (policy.explain) {
        full.parts.push_back(
            {.pointer = "", .what = "whole", .count = 1, .tokens = full.size.tokens});
      }
      return full;
    }
  }
  return Fitter(whole.view(), budget, policy, schema, tokenizer, measure).run();
}

}  // namespace enfold::budget
