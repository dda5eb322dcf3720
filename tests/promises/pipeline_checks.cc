// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_checks.h"

#include "enfold/base/hash.h"
#include "enfold/base/utf8.h"
#include "enfold/contract/signed_cursor.h"
#include "enfold/json/schema.h"
#include "enfold/model/content.h"
#include "enfold/pipeline/measure.h"
#include "enfold/pipeline/retrieve.h"
#include "enfold/pipeline/retrieve_answer.h"
#include "enfold/pipeline/retrieve_page.h"
#include "enfold/store/memory.h"
#include "enfold/store/sqlite.h"
#include "tests/budget/truth.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>

namespace enfold::testing {
namespace {

using namespace std::chrono_literals;
using pipeline::Finished;
using pipeline::Prepared;
using pipeline::Receipt;

constexpr store::Time kNow{std::chrono::seconds(1'700'000'000)};

std::unique_ptr<store::Archive>& shared_archive() {
  static std::unique_ptr<store::Archive> archive = store::memory_archive();
  return archive;
}

Result<Receipt> stored(store::Archive& archive, const std::string& principal,
                       const Prepared& prepared) {
  const auto receipt = archive.put(principal, prepared.to_store(),
                                   {.tool = "list_items", .media_type = prepared.media_type}, kNow);
  if (!receipt) return tl::unexpected(receipt.error());
  return Receipt{receipt->handle, receipt->hash};
}

/// One answer on its way through the whole pipeline.
struct Run {
  PipelineCase drawn;
  Prepared prepared;
  Receipt receipt;  ///< when it did not fit
  Finished finished;
  std::string envelope;

  [[nodiscard]] const model::Response& before() const { return prepared.answer.reading.response; }
  [[nodiscard]] const model::Response& after() const { return finished.answer.reading.response; }
};

std::optional<Run> run(std::string_view bytes, const Claim& claim, store::Archive& archive) {
  Choices choices(bytes);
  Run run{.drawn = draw_pipeline_case(choices)};
  auto prepared = run.drawn.prepare();
  claim(prepared.has_value(), "every answer is understood");
  run.prepared = *prepared;
  Result<Receipt> receipt = Receipt{};
  if (!prepared->fits) {
    receipt = stored(archive, "ann", *prepared);
    claim(receipt.has_value(), "every answer can be stored");
    run.receipt = *receipt;
  }
  auto finished = pipeline::finish(std::move(*prepared), receipt, run.drawn.settings);
  if (!finished) {
    const bool too_small = finished.error().code == ErrorCode::budget_too_small;
    // An estimate may be half as much again as the count; some envelopes then need more.
    const bool may = too_small && !run.drawn.exact && run.drawn.settings.budget.tokens < 256;
    claim(may, "a reference always fits: " + finished.error().message);
    return std::nullopt;
  }
  run.finished = std::move(*finished);
  const auto envelope = write_envelope(run.finished.answer, run.drawn.settings.shape);
  claim(envelope.has_value(), "every answer can be written");
  run.envelope = envelope->str();
  return run;
}

/// Where something is missing.
std::vector<std::string> gaps_of(const model::Reduction& reduction) {
  std::vector<std::string> places;
  for (const auto* list : {&reduction.dropped_ids, &reduction.briefed, &reduction.clipped}) {
    places.insert(places.end(), list->begin(), list->end());
  }
  return places;
}

/// Every place that a report names.
std::vector<std::string> places_of(const model::Reduction& reduction) {
  std::vector<std::string> places = gaps_of(reduction);
  places.insert(places.end(), reduction.columnar.begin(), reduction.columnar.end());
  for (const auto* by_place : {&reduction.facts, &reduction.index}) {
    if (!*by_place) continue;
    for (const json::Member& member : (*by_place)->view().members()) {
      places.push_back(member.key.string());
    }
  }
  return places;
}

Result<pipeline::Found> fetched(const Run& run, pipeline::Selection selection) {
  return pipeline::retrieve_bytes(run.prepared.to_store(), run.prepared.media_type,
                                  {.selection = std::move(selection)});
}

/// What is fitted of a response: its payload, or the words of one that has none.
json::Value main_part(const model::Response& response) {
  if (response.payload) return *response.payload;
  return json::string_value(response.failure ? response.failure->message : response.message);
}

bool is_clipped_or_same(const std::string& shown, const std::string& whole) {
  return shown == whole || is_clip_of(shown, whole);
}

/// Whether a value can be the rest of another after some of it was left out, all of which is told.
class Explanation {
 public:
  explicit Explanation(const std::vector<std::string>& places) : places_(places) {}

  bool holds(json::View shown, json::View whole, const std::string& pointer = "") {
    if (shown.kind() != whole.kind()) return false;
    if (shown.raw() == whole.raw() || json::equal(shown, whole)) return true;
    if (shown.is_string()) return is_told(pointer, whole) && is_clip(shown, whole);
    if (shown.is_object()) return holds_members(shown, whole, pointer);
    return shown.is_array() && holds_items(shown, whole, pointer);
  }

 private:
  [[nodiscard]] bool is_told(const std::string& pointer, json::View value) const {
    return is_reported(places_, pointer, value);
  }
  static bool is_clip(json::View shown, json::View whole) {
    return is_clip_of(shown.string(), whole.string());
  }

  bool holds_members(json::View shown, json::View whole, const std::string& pointer) {
    auto next = shown.members().begin();
    for (const auto& [key, value] : whole.members()) {
      std::string place = pointer;
      json::append_token(place, key.string());
      if (next != shown.members().end() && (*next).key.raw() == key.raw()) {
        if (!holds((*next).value, value, place)) return false;
        ++next;
      } else if (!is_told(place, value)) {
        return false;
      }
    }
    return next == shown.members().end();
  }

  // Items that look alike may each be the one that is shown, so every way is tried.
  bool holds_items(json::View shown, json::View whole, const std::string& pointer) {
    std::vector<json::View> here;
    std::vector<json::View> there;
    for (const json::View item : shown.items()) here.push_back(item);
    for (const json::View item : whole.items()) there.push_back(item);
    if (here.size() > there.size()) return false;
    std::set<std::pair<std::size_t, std::size_t>> hopeless;
    const std::function<bool(std::size_t, std::size_t)> rest = [&](std::size_t i, std::size_t j) {
      if (j == there.size()) return i == here.size();
      if (there.size() - j < here.size() - i || hopeless.contains({i, j})) return false;
      const std::string place = fmt::format("{}/{}", pointer, j);
      if (i < here.size() && holds(here[i], there[j], place) && rest(i + 1, j + 1)) return true;
      if (is_told(place, there[j]) && rest(i, j + 1)) return true;
      hopeless.insert({i, j});
      return false;
    };
    return rest(0, 0);
  }

  const std::vector<std::string>& places_;
};

void check_missing_parts(const Run& run, const Claim& claim) {
  const model::Reduction& reduction = *run.after().reduction;
  const json::Value whole = main_part(run.before());
  const json::Value shown = main_part(run.after());
  std::vector<std::string> places;
  for (const std::string& place : gaps_of(reduction)) {
    if (place.empty() || place[0] == '/') {
      places.push_back(place);
      continue;
    }
    const auto found = fetched(run, pipeline::select::Ids{{place}});
    claim(found.has_value(), "an id in the report opens: " + place);
    for (const pipeline::Match& match : found->matches) places.push_back(match.pointer);
  }
  claim(Explanation(places).holds(shown.view(), whole.view()),
        "what is shown stands in the original, and what is missing is told: " + run.envelope);
}

bool holds(json::View value, json::View part) {
  if (json::equal(value, part)) return true;
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
    const auto found = fetched(run, pipeline::select::Ids{{place}});
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
    const auto found = fetched(run, pipeline::select::Ids{{place}});
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
    if (const auto count = fact.find("count")) {
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
      in_step = in_step || json::equal(text, message);
    }
    claim(in_step, "warnings and details are in step");
    const auto code = detail.find("code");
    found = found || (code && code->equals("CONTENT_TRUNCATED"));
  }
  claim(found, "CONTENT_TRUNCATED is among the warnings");
}

}  // namespace

void archive_in(const std::string& folder) {
  shared_archive() =
      folder.empty() ? store::memory_archive() : *store::sqlite_archive(folder + "/archive.db");
}

void check_never_over_budget(std::string_view choices, const Claim& claim) {
  const auto archive = store::memory_archive();
  const auto done = run(choices, claim, *archive);
  if (!done) return;
  const pipeline::FitSettings& settings = done->drawn.settings;
  const auto text = write_result(done->finished.answer, settings.shape);
  const auto result = json::parse(text->str());
  claim(result.has_value(), "a result is JSON");
  // Counted here as a reader would: the envelope of one channel, then every block beside it.
  const bool texts = settings.shape.channels != pipeline::Channels::structured;
  budget::Size size{settings.tokenizer->count(done->envelope), utf8::length(done->envelope), 1};
  std::size_t position = 0;
  for (const json::View block : result->root().find("content")->items()) {
    if (position++ == 0 && texts) {
      claim(block.find("text")->string() == done->envelope, "the text channel is the envelope");
      continue;
    }
    if (model::binary_member(block)) {
      size = pipeline::sum(size, pipeline::size_of_block(block, settings));
    } else {
      const std::string json = json::to_text(block);
      size = pipeline::sum(size, {settings.tokenizer->count(json), utf8::length(json), 1});
      const auto plain = model::text_of(block);
      const std::string inner = plain ? plain->string() : std::string();
      size.lines += static_cast<std::size_t>(std::count(inner.begin(), inner.end(), '\n'));
    }
  }
  claim(within(size, settings.budget),
        fmt::format("{} tokens, {} characters, {} lines are within the budget of {}, {}: {}",
                    size.tokens, size.characters, size.lines, settings.budget.tokens,
                    settings.budget.characters, done->envelope));
  claim(succeeded(done->after()) == succeeded(done->before()), "the outcome is the same");
}

void check_true_when_cut(std::string_view choices, const Claim& claim) {
  const auto archive = store::memory_archive();
  const auto done = run(choices, claim, *archive);
  if (!done) return;
  claim(done->after().outcome == done->before().outcome, "the outcome is the same");
  if (done->prepared.fits) {
    claim(done->after() == done->before(), "an answer that fits is not touched");
    return;
  }
  claim(done->after().reduction.has_value(), "a cut answer says so");
  if (done->after().failure) {
    claim(is_clipped_or_same(done->after().failure->message, done->before().failure->message),
          "a message is cut at its end only");
  }
  const std::string& id = done->after().request_id;
  claim(id.empty() || id == done->before().request_id, "an id is whole or not there");
  const bool is_data = done->finished.fitted.level <= model::Fidelity::partial;
  if (is_data && done->finished.fitted.columnar.empty()) check_missing_parts(*done, claim);
  check_parts_beside(*done, claim);
  check_earlier_reduction(*done, claim);
  check_facts(*done, claim);
  check_told(*done, claim);
}

void check_every_handle_opens(std::string_view choices, const Claim& claim) {
  store::Archive& archive = *shared_archive();
  const auto done = run(choices, claim, archive);
  if (!done || done->prepared.fits) return;
  const model::Reduction& reduction = *done->after().reduction;
  claim(!reduction.archive.empty(), "there is a way back");
  claim(reduction.archive.size() == 1 || done->before().reduction, "and only one");
  const auto& [handle, hash] = reduction.archive.front();
  const std::string_view bytes = done->prepared.to_store();
  claim(handle.size() == 12, "a handle has twelve digits");
  claim(hash == sha256_name(bytes) || hash.ends_with("..."), "the hash is that of the bytes");
  for (const std::string& reference : {handle, done->receipt.hash}) {
    const auto again = archive.get("ann", reference, kNow + 1h);
    claim(again.has_value() && *again == bytes, "the handle and the hash open, byte for byte");
    const auto entry = archive.stat("ann", reference, kNow + 1h);
    claim(entry && entry->meta.media_type == done->prepared.media_type, "as what it is read");
  }
  const auto whole = fetched(*done, pipeline::select::At{});
  claim(whole.has_value(), "the payload opens");
  if (done->before().payload) {
    claim(json::equal(whole->value.view(), done->before().payload->view()),
          fmt::format("what opens is the payload that was fitted: {} {}", done->prepared.media_type,
                      done->prepared.to_store()));
  }
  for (const std::string& place : places_of(reduction)) {
    const auto found = fetched(*done, pipeline::select::Ids{{place}});
    claim(found.has_value(), fmt::format("\"{}\" opens as an id: {}", place, done->envelope));
    if (!done->before().payload || (!place.empty() && place[0] != '/')) continue;
    const auto there = json::Pointer::parse(place)->resolve(done->before().payload->view());
    if (!there) continue;
    claim(found->value->size() == 1 && json::equal(*found->value->item(0), *there),
          place + " opens what stands there");
  }
}

void check_only_for_its_owner(std::string_view choices, const Claim& claim) {
  const auto archive = store::memory_archive();
  const auto done = run(choices, claim, *archive);
  if (!done || done->prepared.fits) return;
  const auto one_answer = [&](const std::string& reference, const std::string& principal,
                              store::Time now) {
    const auto unknown = archive->get(principal, "999999999999", now);
    const auto got = archive->get(principal, reference, now);
    claim(!got && got.error().message == unknown.error().message &&
              got.error().hint == unknown.error().hint,
          "somebody else's is as if it were not there");
    claim(got.error().code == ErrorCode::not_found, "that is NOT_FOUND");
    claim(!archive->stat(principal, reference, now), "nor is anything known about it");
    claim(!archive->range(principal, reference, 0, 8, now), "nor is a part of it given");
    const model::Response failed = pipeline::archive_failure(got.error(), reference);
    claim(failed.failure && failed.failure->code == "NOT_FOUND", "the answer is NOT_FOUND");
    claim(failed == pipeline::archive_failure(unknown.error(), reference), "in the same words");
  };
  for (const std::string& reference : {done->receipt.handle, done->receipt.hash}) {
    one_answer(reference, "bob", kNow);
    one_answer(reference, "ann", kNow + 169h);  // expired
  }
  // The same bytes of somebody else are theirs alone, under a handle of their own.
  const auto theirs = stored(*archive, "bob", done->prepared);
  claim(theirs && theirs->handle != done->receipt.handle, "handles are not shared");
  claim(!archive->get("bob", done->receipt.handle, kNow), "a handle opens for its owner");
  claim(!archive->get("ann", theirs->handle, kNow), "and for no other");

  const auto key = *contract::CursorKey::from_bytes("0123456789abcdef0123456789abcdef");
  const pipeline::Position position{done->receipt.hash, {}, 1};
  const std::string cursor = pipeline::to_cursor(position, key, "ann");
  claim(pipeline::from_cursor(cursor, key, "ann") == position, "a cursor opens for its owner");
  const auto foreign = pipeline::from_cursor(cursor, key, "bob");
  const auto forged = pipeline::from_cursor(
      pipeline::to_cursor(position, *contract::CursorKey::from_bytes("another key, as long as it"),
                          "bob"),
      key, "bob");
  claim(!foreign && !forged && foreign.error() == forged.error(),
        "somebody else's cursor is as good as a forged one");
}

namespace {

/// Follows every cursor and every place of a report, as a reader might who wants all of it.
class Reader {
 public:
  Reader(const Run& run, const Claim& claim) : run_(run), claim_(claim) {
    settings_ = run.drawn.settings;
    settings_.budget.tokens = std::max<std::size_t>(settings_.budget.tokens, 700);
    settings_.budget.characters = std::max<std::size_t>(settings_.budget.characters, 3000);
    settings_.budget.lines.reset();
    settings_.shape.extensions = false;
  }

  void read(const pipeline::Position& position) {
    const std::string name =
        fmt::format("{} {}", json::to_text(to_arguments(position.query).view()), position.offset);
    claim_(!path_.contains(name),
           fmt::format("{} does not lead back to itself: {}", name, trail()));
    constexpr std::size_t enough = 8;
    if (done_.size() >= enough || !done_.insert(name).second) return;
    path_.insert(name);
    trail_.push_back(name);
    look(position, name);
    trail_.pop_back();
    path_.erase(name);
  }

 private:
  void look(const pipeline::Position& position, const std::string& name) {
    const auto found = pipeline::retrieve_bytes(run_.prepared.to_store(), run_.prepared.media_type,
                                                position.query);
    claim_(found.has_value(), name + " opens: " + (found ? "" : found.error().message));
    const pipeline::PageRequest request{.position = position,
                                        .page_size = 20,
                                        .archived = run_.receipt,
                                        .key = &key_,
                                        .principal = "ann"};
    const auto answer = pipeline::answer_page(*found, request, settings_);
    if (!answer) {
      // One value or one name that nothing smaller can be shown of.
      claim_(answer.error().code == ErrorCode::budget_too_small,
             name + " is answered: " + answer.error().message);
      return;
    }
    const auto text = write_envelope(answer->answer, settings_.shape);
    claim_(settings_.tokenizer->fits(text->str(), settings_.budget.tokens),
           name + " is within the budget");
    const model::Response& response = answer->answer.reading.response;
    if (response.reduction) {
      claim_(response.reduction->archive.front().handle == run_.receipt.handle,
             "what is cut of a part leads to the same archived answer");
      for (const std::string& place : gaps_of(*response.reduction)) {
        read({position.archive, {.selection = pipeline::select::Ids{{place}}}, 0});
      }
    }
    if (!response.page || !response.page->cursor) return;
    const auto next = pipeline::from_cursor(*response.page->cursor, key_, "ann");
    claim_(next.has_value(), "a cursor opens");
    claim_(pipeline::check_advance(position, *next).has_value(),
           fmt::format("{} goes on, to {} {}", name,
                       json::to_text(to_arguments(next->query).view()), next->offset));
    read(*next);
  }

  [[nodiscard]] std::string trail() const { return fmt::format("{}", fmt::join(trail_, " > ")); }

  const Run& run_;
  const Claim& claim_;
  pipeline::FitSettings settings_;
  contract::CursorKey key_ = *contract::CursorKey::from_bytes("0123456789abcdef0123456789abcdef");
  std::set<std::string> done_;
  std::set<std::string> path_;
  std::vector<std::string> trail_;
};

}  // namespace

void check_no_loop(std::string_view choices, const Claim& claim) {
  const auto archive = store::memory_archive();
  const auto done = run(choices, claim, *archive);
  if (!done || done->prepared.fits) return;
  Reader reader(*done, claim);
  reader.read({done->receipt.hash, {}, 0});
  for (const std::string& place : gaps_of(*done->after().reduction)) {
    reader.read({done->receipt.hash, {.selection = pipeline::select::Ids{{place}}}, 0});
  }
}

void check_always_valid(std::string_view choices, const Claim& claim) {
  const auto archive = store::memory_archive();
  const auto done = run(choices, claim, *archive);
  if (!done) return;
  static std::map<contract::Id, json::Schema> compiled;
  const auto check = [&](contract::Id id, json::View document) {
    auto found = compiled.find(id);
    if (found == compiled.end()) {
      found = compiled.emplace(id, *json::Schema::compile(*contract::schema(id))).first;
    }
    const auto validation = found->second.validate(document);
    claim(validation.has_value(), "can be validated");
    if (validation->valid) return;
    const json::Violation& first = validation->violations.front();
    claim(false, fmt::format("{} {}: expected {}, found {}\n{}", contract::name(id), first.instance,
                             first.expected, first.found, json::to_text(document)));
  };
  const auto result =
      json::parse(write_result(done->finished.answer, done->drawn.settings.shape)->str());
  claim(result.has_value(), "a result is JSON");
  check(contract::Id::mcp, result->root());
  check(done->drawn.settings.shape.contract, json::parse_own(done->envelope).view());
}

}  // namespace enfold::testing
