// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/reduce.h"

#include "enfold/answer/fit/keep_blocks.h"
#include "enfold/answer/fit/measure.h"
#include "enfold/answer/fit/trim.h"
#include "enfold/answer/stored/original.h"
#include "enfold/contract/errors/warning_codes.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

namespace enfold::answer {
namespace {

using budget::Fitted;
using budget::Size;
using model::Response;

constexpr Size kTooLarge{SIZE_MAX, SIZE_MAX, SIZE_MAX};
constexpr std::size_t kOneWord = 12;  // bytes
constexpr std::size_t kLongestHandle = 24;

enum class Words { all, few, fewest, none, no_handle };

class Reducing {
 public:
  Reducing(ReadAnswer answer, const Receipt& receipt, std::string_view limit,
           const FitSettings& settings)
      : answer_(std::move(answer)), receipt_(receipt), limit_(limit), settings_(settings) {
    // What the document had beside the model is restored only where nothing else stands now.
    answer_.reading.origin.altered = true;
    whole_ = response();
    payload_ = this->payload();
    opened_ = as_archived(answer_);
    const auto& residue = answer_.reading.origin.residue;
    const auto lost = [](const json::Change& change) { return change.before.has_value(); };
    // What an earlier reduction said stands in the original now, behind the handle of this one.
    trimmed_parts_ = whole_.reduction || std::any_of(residue.begin(), residue.end(), lost);
  }

  Result<FittedAnswer> run() {
    if (!settings_.only_payload) trim_fixed_parts();
    choose_blocks();
    Result<FittedAnswer> best = fitted();
    // What a tool says beside its data may not cost all of the data.
    if (best && best->fitted.level > model::Fidelity::partial && !response().blocks.empty()) {
      drop_all_blocks();
      take_if_better(fitted(), best);
    }
    if (best && !response().failure && shows_too_little(*best)) say_it_shorter(best);
    const bool too_small = !best && best.error().code == ErrorCode::budget_too_small;
    // What a failure says is worth more than its data.
    const bool bare = best && !response().failure && is_bare(*best);
    if (too_small || (bare && !settings_.only_payload)) leave_all_beside(best);
    return best;
  }

 private:
  // Nor may our own words. Whoever asked for a page has its handle.
  void say_it_shorter(Result<FittedAnswer>& best) {
    drop_all_blocks();
    answer_.reading.origin.concise = true;
    for (const Words words : {Words::few, Words::fewest, Words::none, Words::no_handle}) {
      if (words > Words::fewest && !settings_.only_payload) return;
      words_ = words;
      take_if_better(fitted(), best);
      if (best && !shows_too_little(*best)) return;
    }
  }

  // The reference alone must fit: without anything beside it, in few words, and in the end with the
  // short handle alone, which opens the same.
  void leave_all_beside(Result<FittedAnswer>& best) {
    if (settings_.only_payload) return say_it_shorter(best);
    drop_all_blocks();
    trim_to(kTrimSteps);
    answer_.reading.origin.concise = true;
    for (const Words words : {Words::few, Words::fewest, Words::none}) {
      // What presses goes last, and only where nothing fits beside it.
      if (words == Words::none && best && !response().warnings.empty()) return;
      words_ = words;
      if (words >= Words::fewest) leave_a_word();
      take_if_better(fitted(), best);
      if (best && (response().failure || !shows_too_little(*best))) return;
    }
  }

  // It names no places: that data is missing shows, and no more.
  static bool is_bare(const FittedAnswer& finished) {
    return finished.fitted.level == model::Fidelity::reference_only &&
           finished.fitted.dropped.empty();
  }

  // A reference, though the policy allows more; or a bare one.
  [[nodiscard]] bool shows_too_little(const FittedAnswer& finished) const {
    if (finished.fitted.level < model::Fidelity::reference_only) return false;
    return settings_.policy.partial || settings_.policy.summary || is_bare(finished);
  }

  static void take_if_better(Result<FittedAnswer> other, Result<FittedAnswer>& best) {
    const auto rank = [](const FittedAnswer& finished) {
      return std::pair(finished.fitted.level, finished.fitted.dropped.empty());
    };
    if (!best || (other && rank(*other) < rank(*best))) best = std::move(other);
  }

  Response& response() { return answer_.reading.response; }
  [[nodiscard]] const Response& response() const { return answer_.reading.response; }

  // A failure without a payload has its message to be cut.
  [[nodiscard]] json::Value payload() const {
    if (response().payload) return *response().payload;
    if (response().failure) return json::string_value(response().failure->message);
    return json::string_value(response().message);
  }

  Result<FittedAnswer> fitted() {
    const budget::OutputSchema* schema = response().failure ? nullptr : settings_.schema;
    const auto measure = [&](const Fitted& fitted) { return size_with(fitted); };
    Result<Fitted> fitted = budget::fit(payload_.view(), settings_.budget, settings_.policy, schema,
                                        *settings_.tokenizer, measure);
    if (!fitted) return tl::unexpected(fitted.error());
    FittedAnswer finished{.answer = answer_with(*fitted), .size = fitted->size};
    finished.fitted = std::move(*fitted);
    return finished;
  }

  [[nodiscard]] Size size_with(const Fitted& fitted) const {
    const Result<json::Output> envelope = write_envelope(answer_with(fitted), settings_.shape);
    if (!envelope) return kTooLarge;
    return sum(size_of(envelope->str(), *settings_.tokenizer), blocks_.size);
  }

  // The answer with the fitted payload and everything that must be said about it.
  [[nodiscard]] ReadAnswer answer_with(const Fitted& fitted) const {
    ReadAnswer out = answer_;
    Response& shown = out.reading.response;
    show_payload(fitted, shown);
    model::Reduction reduction;
    reduction.level = std::max(fitted.level, model::Fidelity::partial);
    reduction.dropped_ids = fitted.dropped;
    const bool whole_hash = words_ < Words::fewest;
    if (is_kept() && words_ < Words::no_handle) {
      reduction.archive = {
          {receipt_.handle, whole_hash ? receipt_.hash : short_hash(receipt_.hash)}};
    }
    reduction.briefed = fitted.briefed;
    reduction.clipped = fitted.clipped;
    name_lost_message(shown, reduction);
    name_lost_page(reduction);
    tell_what_is_beside(reduction);
    reduction.columnar = fitted.columnar;
    reduction.facts = fitted.facts;
    reduction.index = fitted.index;
    if (whole_.reduction) go_on_from(*whole_.reduction, reduction);
    if (settings_.name_places) settings_.name_places(reduction);
    shown.reduction = std::move(reduction);
    shown.warnings.push_back(truncation(fitted));
    if (!is_kept() && words_ < Words::fewest) {
      shown.warnings.push_back(contract::make_warning(
          "ARCHIVE_DISABLED", "The rest is not kept: ask for less at a time to see it"));
    }
    if (fitted.schema_note && words_ == Words::all) {
      shown.warnings.push_back(contract::make_warning("SCHEMA_MISMATCH", *fitted.schema_note));
    }
    return out;
  }

  // A bare reference names nothing: that data is missing shows. Of words alone it must be said.
  void name_lost_message(const Response& shown, model::Reduction& reduction) const {
    const bool named = !reduction.dropped_ids.empty() || !reduction.clipped.empty();
    if (shown.payload || named || words_ >= Words::fewest) return;
    const bool same = shown.failure ? shown.failure->message == whole_.failure->message
                                    : shown.message == whole_.message;
    if (!same) reduction.dropped_ids = {""};
  }

  // The cursor of a page leads past it, so one that shows nothing names at least itself.
  void name_lost_page(model::Reduction& reduction) const {
    if (!settings_.only_payload || reduction.level < model::Fidelity::reference_only) return;
    if (reduction.dropped_ids.empty()) reduction.dropped_ids = {""};
  }

  // An answer that had been cut before is no better than it was: its ways back stay, the short
  // handle of each for the room there is, and what was counted on the whole goes before what can be
  // counted now.
  void go_on_from(const model::Reduction& earlier, model::Reduction& now) const {
    constexpr std::size_t most = 3;
    now.level = std::max(now.level, earlier.level);
    for (const model::ArchiveEntry& entry : earlier.archive) {
      if (words_ >= Words::none || now.archive.size() > most) break;
      if (entry.handle.size() > kLongestHandle) continue;
      now.archive.push_back({entry.handle, short_hash(entry.hash)});
    }
    for (const std::string& place : earlier.columnar) {
      const auto& known = now.columnar;
      if (words_ >= Words::fewest || known.size() > most) break;
      if (std::find(known.begin(), known.end(), place) == known.end())
        now.columnar.push_back(place);
    }
    if (!now.facts || !earlier.facts) return;
    json::Writer facts;
    facts.begin_object();
    for (const json::Member& member : now.facts->view().members()) {
      facts.key(member.key)
          .value(earlier.facts->view().find(member.key.string()).value_or(member.value));
    }
    now.facts = std::move(facts.end_object()).finish_value();
  }

  // Beside the payload. In few words the whole result stands for all of it.
  void tell_what_is_beside(model::Reduction& reduction) const {
    if (words_ < Words::fewest) {
      append(reduction.dropped_ids, blocks_.dropped);
      append(reduction.clipped, blocks_.clipped);
      if (trimmed_parts_) append(reduction.clipped, {place_in_result(opened_, "")});
    } else if (trimmed_parts_ || !blocks_.dropped.empty() || !blocks_.clipped.empty()) {
      // Without a payload the message is what was cut, which the result holds too.
      if (words_ >= Words::none && !response().payload) reduction.dropped_ids.clear();
      // A payload full of results makes this long; everything there is has a short name too.
      std::string result = place_in_result(opened_, "");
      if (words_ >= Words::none && result.size() > kLongestHandle) result.clear();
      append(reduction.dropped_ids, {std::move(result)});
    }
  }

  [[nodiscard]] bool is_kept() const { return !receipt_.handle.empty(); }

  [[nodiscard]] std::size_t a_word() const { return words_ >= Words::none ? 0 : kOneWord; }

  void leave_a_word() {
    response().request_id.clear();
    if (words_ >= Words::none) response().warnings.clear();
    response().message = clipped(whole_.message, a_word());
    trimmed_parts_ |= response().message != whole_.message;
    if (!settings_.tokenizer->fits(response().tool.id, kOneWord)) response().tool.id.clear();
    if (!response().failure) return;
    response().failure->message = clipped(whole_.failure->message, a_word());
    response().failure->code.clear();  // its kind has one
    trimmed_parts_ |= response().failure->message != whole_.failure->message;
  }

  static void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
  }

  void show_payload(const Fitted& fitted, Response& shown) const {
    if (shown.payload) {
      shown.payload = fitted.payload;
      return;
    }
    std::string& message = shown.failure ? shown.failure->message : shown.message;
    if (fitted.payload->is_string()) {
      message = fitted.payload->string();
    } else {
      message = clipped(payload_->string(), words_ >= Words::fewest ? a_word() : kFewWords);
    }
  }

  [[nodiscard]] model::Warning truncation(const Fitted& fitted) const {
    const std::size_t count = fitted.dropped_count + blocks_.dropped_count;
    if (words_ == Words::few) return contract::make_warning("CONTENT_TRUNCATED", "Cut to fit");
    if (words_ >= Words::fewest) {
      return {.code = "CONTENT_TRUNCATED", .message = is_kept() ? "Cut" : "Cut, rest not kept"};
    }
    json::Writer context;
    context.begin_object().member("dropped_count", static_cast<std::int64_t>(count));
    context.member("reason", fmt::format("{}_limit_exceeded", limit_)).end_object();
    const bool clips = !fitted.clipped.empty() || !blocks_.clipped.empty();
    const std::string less = clips ? "long texts shortened" : "shown in brief";
    const std::string left = fmt::format("{} part{} left out", count, count == 1 ? "" : "s");
    return contract::make_warning("CONTENT_TRUNCATED", "Cut to fit: " + (count > 0 ? left : less),
                                  std::move(context).finish_value());
  }

  // An abbreviated hash ends in dots, as the contract has it.
  static std::string short_hash(const std::string& hash) {
    constexpr std::size_t digits = 4;
    return hash.substr(0, hash.find(':') + 1 + digits) + "...";
  }

  // The envelope without its payload may take half of what a bare reference leaves of the budget.
  void trim_fixed_parts() {
    for (int step = 0; step < kTrimSteps && !is_light(); ++step) {
      trim_to(step + 1);
      if (step > 1) answer_.reading.origin.concise = true;
    }
  }

  void trim_to(int steps) {
    bool changed = false;
    for (; trimmed_ < steps; ++trimmed_) {
      if (trimmed_ == 0 && !answer_.reading.origin.residue.empty()) {
        answer_.reading.origin.residue.clear();
        changed = true;
      }
      changed |=
          trim(response(), whole_, trimmed_, *settings_.tokenizer, settings_.budget.tokens / 4);
    }
    trimmed_parts_ |= changed;
  }

  [[nodiscard]] bool is_light() const {
    ReadAnswer bare = answer_;
    Response& shown = bare.reading.response;
    if (shown.payload) {
      shown.payload = json::parse_own("{}");
    } else {
      (shown.failure ? shown.failure->message : shown.message).clear();
    }
    const Result<json::Output> envelope = write_envelope(bare, settings_.shape);
    if (!envelope) return false;
    constexpr std::size_t reference_tokens = 120;
    constexpr std::size_t reference_characters = 480;
    const auto half_beside = [](std::size_t all, std::size_t reference) {
      return all > reference ? (all - reference) / 2 : 0;
    };
    const std::size_t tokens = half_beside(settings_.budget.tokens, reference_tokens) + 32;
    const std::size_t characters =
        half_beside(settings_.budget.characters, reference_characters) + 128;
    // An envelope takes some 20 to 80 tokens whatever stands in it.
    return envelope->size() <= characters + 256 &&
           settings_.tokenizer->fits(envelope->str(), tokens + 64);
  }

  void choose_blocks() {
    if (response().blocks.empty()) return;
    blocks_ = keep_blocks(response().blocks, payload_.view(), opened_, settings_);
    response().blocks = blocks_.blocks;
  }

  void drop_all_blocks() {
    if (response().blocks.empty()) return;
    blocks_ = drop_blocks(blocks_.dropped_count + response().blocks.size(), opened_);
    response().blocks.clear();
  }

  ReadAnswer answer_;
  const Receipt& receipt_;
  std::string_view limit_;
  const FitSettings& settings_;
  Response whole_;
  ArchivedAnswer opened_;  ///< as retrieval will open it
  json::Value payload_;    ///< what is fitted
  KeptBlocks blocks_;
  int trimmed_ = 0;
  bool trimmed_parts_ = false;  ///< something beside payload and blocks
  Words words_ = Words::all;
};

}  // namespace

Result<FittedAnswer> reduce(ReadAnswer answer, const Receipt& receipt, std::string_view limit,
                            const FitSettings& settings) {
  return Reducing(std::move(answer), receipt, limit, settings).run();
}

}  // namespace enfold::answer
