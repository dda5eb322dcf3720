// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/cut_report.h"

#include "enfold/answer/fit/trim.h"
#include "enfold/contract/errors/error_codes.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

namespace enfold::answer {
namespace {

using budget::FitResult;
using model::Response;

constexpr std::size_t kLongestHandle = 24;

// An abbreviated hash ends in dots, as the contract has it.
std::string short_hash(const std::string& hash) {
  constexpr std::size_t digits = 4;
  return hash.substr(0, hash.find(':') + 1 + digits) + "...";
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

void show_payload(const Cut& cut, const FitResult& fitted, Response& shown) {
  if (shown.payload) {
    shown.payload = fitted.payload;
    return;
  }
  std::string& message = shown.failure ? shown.failure->message : shown.message;
  if (fitted.payload->is_string()) {
    message = fitted.payload->string();
  } else {
    message = clipped(cut.payload->string(),
                      cut.words >= Words::fewest ? one_word(cut.words) : kFewWords);
  }
}

// A bare reference names nothing: that data is missing shows. Of words alone it must be said.
void name_lost_message(const Cut& cut, const Response& shown, model::Reduction& reduction) {
  const bool named = !reduction.dropped_ids.empty() || !reduction.clipped.empty();
  if (shown.payload || named || cut.words >= Words::fewest) return;
  const bool same = shown.failure ? shown.failure->message == cut.whole.failure->message
                                  : shown.message == cut.whole.message;
  if (!same) reduction.dropped_ids = {""};
}

// The cursor of a page leads past it, so one that shows nothing names at least itself.
void name_lost_page(const Cut& cut, model::Reduction& reduction) {
  if (!cut.settings.only_payload || reduction.level < model::Fidelity::reference_only) return;
  if (reduction.dropped_ids.empty()) reduction.dropped_ids = {""};
}

// An answer that had been cut before is no better than it was: its ways back stay, the short
// handle of each for the room there is, and what was counted on the whole goes before what can be
// counted now.
void go_on_from(const Cut& cut, const model::Reduction& earlier, model::Reduction& now) {
  constexpr std::size_t most = 3;
  now.level = std::max(now.level, earlier.level);
  for (const model::ArchiveEntry& entry : earlier.archive) {
    if (cut.words >= Words::none || now.archive.size() > most) break;
    if (entry.handle.size() > kLongestHandle) continue;
    now.archive.push_back({entry.handle, short_hash(entry.hash)});
  }
  for (const std::string& place : earlier.columnar) {
    const auto& known = now.columnar;
    if (cut.words >= Words::fewest || known.size() > most) break;
    if (std::find(known.begin(), known.end(), place) == known.end()) now.columnar.push_back(place);
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
void tell_what_is_beside(const Cut& cut, model::Reduction& reduction) {
  if (cut.words < Words::fewest) {
    append(reduction.dropped_ids, cut.blocks.dropped);
    append(reduction.clipped, cut.blocks.clipped);
    if (cut.trimmed_parts) append(reduction.clipped, {place_in_result(cut.opened, "")});
  } else if (cut.trimmed_parts || !cut.blocks.dropped.empty() || !cut.blocks.clipped.empty()) {
    // Without a payload the message is what was cut, which the result holds too.
    if (cut.words >= Words::none && !cut.response().payload) reduction.dropped_ids.clear();
    // A payload full of results makes this long; everything there is has a short name too.
    std::string result = place_in_result(cut.opened, "");
    if (cut.words >= Words::none && result.size() > kLongestHandle) result.clear();
    append(reduction.dropped_ids, {std::move(result)});
  }
}

model::Warning truncation(const Cut& cut, const FitResult& fitted) {
  const std::size_t count = fitted.dropped_count + cut.blocks.dropped_count;
  if (cut.words == Words::few) return contract::make_warning("CONTENT_TRUNCATED", "Cut to fit");
  if (cut.words >= Words::fewest) {
    return {.code = "CONTENT_TRUNCATED", .message = cut.is_kept() ? "Cut" : "Cut, rest not kept"};
  }
  json::Writer context;
  context.begin_object().member("dropped_count", static_cast<std::int64_t>(count));
  context.member("reason", fmt::format("{}_limit_exceeded", cut.limit)).end_object();
  const bool clips = !fitted.clipped.empty() || !cut.blocks.clipped.empty();
  const std::string less = clips ? "long texts shortened" : "shown in brief";
  const std::string left = fmt::format("{} part{} left out", count, count == 1 ? "" : "s");
  return contract::make_warning("CONTENT_TRUNCATED", "Cut to fit: " + (count > 0 ? left : less),
                                std::move(context).finish_value());
}

}  // namespace

std::size_t one_word(Words words) { return words >= Words::none ? 0 : kOneWord; }

ReadAnswer answer_with(const Cut& cut, const FitResult& fitted) {
  ReadAnswer out = cut.answer;
  Response& shown = out.reading.response;
  show_payload(cut, fitted, shown);
  model::Reduction reduction;
  reduction.level = std::max(fitted.level, model::Fidelity::partial);
  reduction.dropped_ids = fitted.dropped;
  const bool whole_hash = cut.words < Words::fewest;
  if (cut.is_kept() && cut.words < Words::no_handle) {
    reduction.archive = {
        {cut.receipt.handle, whole_hash ? cut.receipt.hash : short_hash(cut.receipt.hash)}};
  }
  reduction.briefed = fitted.briefed;
  reduction.clipped = fitted.clipped;
  name_lost_message(cut, shown, reduction);
  name_lost_page(cut, reduction);
  tell_what_is_beside(cut, reduction);
  reduction.columnar = fitted.columnar;
  reduction.facts = fitted.facts;
  reduction.index = fitted.index;
  if (cut.whole.reduction) go_on_from(cut, *cut.whole.reduction, reduction);
  if (cut.settings.name_places) cut.settings.name_places(reduction);
  shown.reduction = std::move(reduction);
  shown.warnings.push_back(truncation(cut, fitted));
  if (!cut.is_kept() && cut.words < Words::fewest) {
    shown.warnings.push_back(contract::make_warning(
        "ARCHIVE_DISABLED", "The rest is not kept: ask for less at a time to see it"));
  }
  if (fitted.schema_note && cut.words == Words::all) {
    shown.warnings.push_back(contract::make_warning("SCHEMA_MISMATCH", *fitted.schema_note));
  }
  return out;
}

}  // namespace enfold::answer
