// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/withhold.h"
#include "enfold/contract/errors/source_code.h"
#include "enfold/json/pointer.h"
#include "enfold/model/content.h"
#include "tests/budget/explanation.h"
#include "tests/budget/truth.h"
#include "tests/promises/pipeline_checks.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::testing {
namespace {

/// What is fitted of a response: its payload, or the words of one that has none.
json::Value main_part(const model::Response& response) {
  if (response.payload) return *response.payload;
  return json::string_value(response.failure ? response.failure->message : response.message);
}

bool is_clipped_or_same(const std::string& shown, const std::string& whole) {
  return shown == whole || is_clip_of(shown, whole);
}

void check_missing_parts(const Run& run, const Claim& claim) {
  const model::Reduction& reduction = *run.after().reduction;
  const json::Value whole = main_part(run.before());
  const json::Value shown = main_part(run.after());
  const auto opened = [&](const std::vector<std::string>& named) {
    std::vector<std::string> places;
    for (const std::string& place : named) {
      if (place.empty() || place[0] == '/') {
        places.push_back(place);
        continue;
      }
      const auto found = fetched(run, retrieve::select::Ids{{place}});
      claim(found.has_value(), "an id in the report opens: " + place);
      for (const retrieve::Match& match : found->matches) places.push_back(match.pointer);
    }
    return places;
  };
  const std::vector<std::string> places = opened(gaps_of(reduction));
  if (run.drawn.settings.schema == nullptr) {
    Missing missing;
    claim(is_true_cut(shown.view(), whole.view(), missing),
          "what is missing has a mark in its place: " + run.envelope);
    for (const std::string& place : missing.places) {
      const auto value = json::Pointer::parse(place)->resolve(whole.view());
      claim(is_reported(places, place, *value), place + " is told: " + run.envelope);
    }
    return;
  }
  // The schema may forbid marks: then what is missing is named as not shown.
  claim(Explanation(opened(reduction.dropped_ids), places).holds(shown.view(), whole.view()),
        "what is shown stands in the original, and what is missing is told: " + run.envelope);
}

// Content of a wrong shape is shown as a text: of its JSON, unless it is one.
bool is_part(json::View value, json::View part) {
  if (json::equal(value, part)) return true;
  const auto text = model::text_of(part);
  return text && text->equals(value.is_string() ? value.string() : json::to_text(value));
}

bool holds(json::View value, json::View part) {
  if (is_part(value, part)) return true;
  for (const json::View item : value.items()) {
    if (holds(item, part)) return true;
  }
  for (const auto& [key, member] : value.members()) {
    if (holds(member, part)) return true;
  }
  return false;
}

// Every block and every word that is no longer there is behind one of the places.
void check_parts_beside(const Run& run, const Claim& claim) {
  const model::Response& before = run.before();
  const model::Response& after = run.after();
  std::vector<json::Value> missing;
  for (const json::Value& block : before.blocks) {
    const auto same = [&](const json::Value& shown) { return shown == block; };
    if (std::none_of(after.blocks.begin(), after.blocks.end(), same)) missing.push_back(block);
  }
  if (run.drawn.made && after.message != before.message) {
    missing.push_back(json::string_value(before.message));
  }
  if (missing.empty()) return;
  std::vector<json::Value> behind;
  for (const std::string& place : gaps_of(*after.reduction)) {
    const auto found = fetched(run, retrieve::select::Ids{{place}});
    if (found) behind.push_back(found->value);
  }
  for (const json::Value& part : missing) {
    const bool found = std::any_of(behind.begin(), behind.end(), [&](const json::Value& value) {
      return holds(value.view(), part.view());
    });
    claim(found, fmt::format("{} is behind a place of the report: {}",
                             json::to_text(part.view()).substr(0, 200), run.envelope));
  }
}

// An answer that had been cut before says no less, and every way back is still open: it is named,
// or stands behind a place that is.
void check_earlier_reduction(const Run& run, const Claim& claim) {
  const auto& earlier = run.before().reduction;
  if (!earlier) return;
  const model::Reduction& now = *run.after().reduction;
  claim(now.level >= earlier->level, "what was lost before is not found by cutting more");
  std::string behind;
  for (const std::string& place : gaps_of(now)) {
    const auto found = fetched(run, retrieve::select::Ids{{place}});
    if (found) behind += found->value->raw();
  }
  const auto is_told = [&](const std::string& text) {
    return behind.find(text) != std::string::npos;
  };
  for (const model::ArchiveEntry& entry : earlier->archive) {
    claim(is_told(entry.handle) && is_told(entry.hash),
          "the earlier archive is behind a place of the report: " + run.envelope);
    const bool named = std::any_of(now.archive.begin(), now.archive.end(),
                                   [&](const auto& one) { return one.handle == entry.handle; });
    const bool room = run.drawn.settings.budget.tokens >= 400 &&
                      run.drawn.settings.budget.characters >= 1600 && earlier->archive.size() < 4;
    claim(named || !room, "an earlier handle stays where there is room: " + run.envelope);
  }
  for (const std::string& place : gaps_of(*earlier)) {
    claim(is_told(place), "so is what was left out before: " + run.envelope);
  }
}

void check_facts(const Run& run, const Claim& claim) {
  const auto& facts = run.after().reduction->facts;
  if (!facts) return;
  const auto& earlier = run.before().reduction;
  const json::Value whole = main_part(run.before());
  for (const auto& [place, fact] : facts->view().members()) {
    const auto known = earlier && earlier->facts ? earlier->facts->view().find(place.string())
                                                 : std::optional<json::View>();
    if (known) {
      claim(json::equal(fact, *known), "what was counted on the whole goes before");
      continue;
    }
    const auto value = json::Pointer::parse(place.string())->resolve(whole.view());
    claim(value.has_value(), "facts are about a place of the payload: " + place.string());
    // The records of a text are counted again in tests/budget.
    if (const auto count = fact.find("count"); count && !value->is_string()) {
      claim(count->integer() == static_cast<std::int64_t>(value->size()),
            "counts are those of the whole");
    }
  }
}

// Whoever reads the envelope learns all of it.
void check_told(const Run& run, const Claim& claim) {
  const auto document = json::parse(run.envelope);
  claim(document.has_value(), "an envelope is JSON");
  const contract::Id id = run.drawn.settings.shape.contract;
  const auto again = contract::read(id, document->root());
  claim(again.has_value(), "an envelope can be read");
  claim(again->response.reduction == run.after().reduction,
        "the contract tells what was reduced: " + run.envelope);
  claim(succeeded(again->response) == succeeded(run.before()), "the outcome is told");
  if (id != contract::Id::response_v2) return;
  const json::View meta = *document->root().find("meta");
  const auto details = meta.find("warning_details");
  claim(details.has_value(), "warnings have details");
  bool found = false;
  for (const json::View detail : details->items()) {
    const json::View message = *detail.find("message");
    bool in_step = false;
    for (const json::View text : meta.find("warnings")->items()) {
      // The way back stands behind the message of the cut.
      in_step = in_step || json::equal(text, message) ||
                text.string().starts_with(message.string() + ". enfold_fetch {");
    }
    claim(in_step, "warnings and details are in step");
    const auto code = detail.find("code");
    found = found || (code && code->equals("CONTENT_TRUNCATED"));
  }
  claim(found, "CONTENT_TRUNCATED is among the warnings");
}

// What the gateway sends of an answer that is cut: read again it names its blocks that are missing,
// and it says that it was cut.
void check_sent(const Run& run, const Claim& claim) {
  if (run.sent.empty() || run.prepared.fits || run.drawn.made) return;
  const auto read = response_of(run.sent, run.drawn);
  claim(read.has_value(), "what is sent can be read");
  // The call's name for the tool may be shorter than the answer's own, so that all of it fits.
  if (!read->reduction || read->reduction == run.before().reduction) return;
  Run sent = run;
  sent.finished.answer.reading.response = *read;
  const json::Value result = json::parse_own(run.sent);
  const auto structured = result->find("structuredContent");
  sent.envelope = structured ? json::to_text(*structured)
                             : result->find("content")->item(0)->find("text")->string();
  check_parts_beside(sent, claim);
  check_told(sent, claim);
}

// scalpel-v1 leaves out of a failure what may be source code; the archive has it.
void check_closed(const Run& run, const Claim& claim) {
  model::Response shown = run.before();
  contract::withhold_source(shown);
  claim(is_clipped_or_same(run.after().failure->message, shown.failure->message),
        "a message without its code is cut at its end only");
}

}  // namespace

void check_true_when_cut(const Run& run, store::Archive& /*archive*/, const Claim& claim) {
  claim(run.after().outcome == run.before().outcome, "the outcome is the same");
  if (run.prepared.fits) {
    claim(run.after() == run.before(), "an answer that fits is not touched");
    return;
  }
  claim(run.after().reduction.has_value(), "a cut answer says so");
  if (answer::forbids_source(run.prepared.answer, run.drawn.settings.shape)) {
    return check_closed(run, claim);
  }
  if (run.after().failure) {
    claim(is_clipped_or_same(run.after().failure->message, run.before().failure->message),
          "a message is cut at its end only");
  }
  const std::string& id = run.after().request_id;
  claim(id.empty() || id == run.before().request_id, "an id is whole or not there");
  const bool is_data = run.finished.fitted.fidelity <= model::Fidelity::partial;
  if (is_data && run.finished.fitted.columnar.empty()) check_missing_parts(run, claim);
  check_parts_beside(run, claim);
  check_earlier_reduction(run, claim);
  check_facts(run, claim);
  check_told(run, claim);
  check_sent(run, claim);
}

}  // namespace enfold::testing
