// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_checks.h"

#include "enfold/answer/fit/measure.h"
#include "enfold/answer/withhold.h"
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/json/pointer.h"
#include "enfold/model/content.h"
#include "enfold/retrieve/page.h"
#include "enfold/schema/schema.h"
#include "enfold/store/stores.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace enfold::testing {
using namespace std::chrono_literals;

namespace {

// Counted here as a reader would: the envelope of one channel, then every block beside it.
void check_size(const std::string& text, const std::string& what, const Run& run,
                const Claim& claim) {
  const answer::FitSettings& settings = run.drawn.settings;
  const auto result = json::parse(text);
  claim(result.has_value(), what + ": a result is JSON");
  const bool texts = settings.shape.channels != answer::Channels::structured;
  const json::View content = *result->root().find("content");
  const auto structured = result->root().find("structuredContent");
  const std::string envelope =
      texts ? content.item(0)->find("text")->string() : std::string(structured->raw());
  claim(!texts || !structured || envelope == structured->raw(), "both channels are the envelope");
  budget::Size size{settings.tokenizer->count(envelope), utf8::length(envelope), 1};
  std::size_t position = 0;
  for (const json::View block : content.items()) {
    if (position++ == 0 && texts) continue;
    if (model::binary_member(block)) {
      size = answer::sum(size, answer::size_of_block(block, settings));
    } else {
      const std::string json = json::to_text(block);
      size = answer::sum(size, {settings.tokenizer->count(json), utf8::length(json), 1});
      const auto plain = model::text_of(block);
      const std::string inner = plain ? plain->string() : std::string();
      size.lines += static_cast<std::size_t>(std::count(inner.begin(), inner.end(), '\n'));
    }
  }
  claim(within(size, settings.budget),
        fmt::format("{}: {} tokens, {} characters, {} lines are within the budget of {}, {}: {}",
                    what, size.tokens, size.characters, size.lines, settings.budget.tokens,
                    settings.budget.characters, text));
}

bool failed(json::View result) {
  const auto flag = result.find("isError");
  return flag && flag->boolean();
}

}  // namespace

void check_never_over_budget(const Run& run, store::Archive& /*archive*/, const Claim& claim) {
  check_size(write_result(run.finished.answer, run.drawn.settings.shape)->str(), "written", run,
             claim);
  if (!run.drawn.exact) return;
  if (!run.sent.empty()) check_size(run.sent, "sent", run, claim);
  if (!run.sent_unstored.empty()) check_size(run.sent_unstored, "sent without archive", run, claim);
}

void check_status_never_changes(const Run& run, store::Archive& /*archive*/, const Claim& claim) {
  claim(succeeded(run.after()) == succeeded(run.before()), "the outcome is the same");
  // An estimate may be half as much again as the count; then the budget may be too small to answer.
  if (!run.drawn.exact && run.drawn.settings.budget.tokens < 256) return;
  for (const std::string& sent : {run.sent, run.sent_unstored}) {
    if (sent.empty()) continue;
    claim(failed(json::parse_own(sent).view()) == !succeeded(run.before()),
          "the outcome is the same when sent: " + sent);
  }
}

// Blocks of an answer that was not cut, and members beside the answer, are there when it is sent.
void check_exact_pass_through(const Run& run, store::Archive& /*archive*/, const Claim& claim) {
  if (run.sent.empty() || run.drawn.made) return;
  if (answer::forbids_source(run.prepared.answer, run.drawn.settings.shape)) return;  // may be code
  const json::Value sent = json::parse_own(run.sent);
  const json::Value source = json::parse_own(run.drawn.bytes);
  const json::View result = source->find("jsonrpc") ? *source->find("result") : source.view();
  for (const json::Member& member : result.members()) {
    if (model::is_answer_member(member.key) || run.drawn.settings.shape.extensions) continue;
    const auto kept = sent->find(member.key.string());
    // The gateway adds members of its own to `_meta`.
    const bool adds = kept && member.key.equals("_meta");
    for (const json::Member& part : adds ? member.value.members() : json::View().members()) {
      const auto same = kept->find(part.key.string());
      claim(same && json::equal(*same, part.value), part.key.string() + " is kept: " + run.sent);
    }
    claim(adds || (kept && json::equal(*kept, member.value)),
          member.key.string() + " is kept: " + run.sent);
  }
  const auto content = result.find("content");
  if (!run.prepared.fits || !content) return;
  for (const json::View block : content->items()) {
    if (!model::binary_member(block)) continue;
    bool kept = false;
    for (const json::View one : sent->find("content")->items()) {
      kept = kept || json::equal(one, block);
    }
    claim(kept, "a block that fits is sent: " + run.sent);
  }
}

// Handles of an earlier cut, by another server, are not ours to open.
void check_sent_handles(const std::string& sent, const Run& run, store::Archive& archive,
                        const Claim& claim) {
  if (sent.empty()) return;
  const std::optional<model::Response> read = response_of(sent, run.drawn);
  claim(read.has_value(), "what is sent can be read");
  if (!read->reduction) return;
  std::vector<model::ArchiveEntry> earlier;
  if (run.before().reduction) earlier = run.before().reduction->archive;
  for (const model::ArchiveEntry& entry : read->reduction->archive) {
    const auto is_same = [&](const auto& one) { return one.handle == entry.handle; };
    if (std::any_of(earlier.begin(), earlier.end(), is_same)) continue;
    claim(archive.get("ann", entry.handle, kNow + 1h).has_value(), "a sent handle opens: " + sent);
  }
}

void check_every_handle_opens(const Run& run, store::Archive& archive, const Claim& claim) {
  check_sent_handles(run.sent, run, archive, claim);
  check_sent_handles(run.sent_unstored, run, archive, claim);
  if (run.prepared.fits) return;
  const model::Reduction& reduction = *run.after().reduction;
  claim(!reduction.archive.empty(), "there is a way back");
  claim(reduction.archive.size() == 1 || run.before().reduction, "and only one");
  const auto& [handle, hash] = reduction.archive.front();
  const std::string_view bytes = run.prepared.to_store();
  claim(handle.size() == 12, "a handle has twelve digits");
  claim(hash == sha256_name(bytes) || hash.ends_with("..."), "the hash is that of the bytes");
  for (const std::string& reference : {handle, run.receipt.hash}) {
    const auto again = archive.get("ann", reference, kNow + 1h);
    claim(again.has_value() && *again == bytes, "the handle and the hash open, byte for byte");
    const auto entry = archive.stat("ann", reference, kNow + 1h);
    claim(entry && entry->meta.media_type == run.prepared.media_type, "as what it is read");
  }
  const auto whole = fetched(run, retrieve::select::At{});
  claim(whole.has_value(), "the payload opens");
  if (run.before().payload) {
    claim(json::equal(whole->value.view(), run.before().payload->view()),
          fmt::format("what opens is the payload that was fitted: {} {}", run.prepared.media_type,
                      run.prepared.to_store()));
  }
  for (const std::string& place : places_of(reduction)) {
    const auto found = fetched(run, retrieve::select::Ids{{place}});
    claim(found.has_value(), fmt::format("\"{}\" opens as an id: {}", place, run.envelope));
    if (!run.before().payload || (!place.empty() && place[0] != '/')) continue;
    const auto there = json::Pointer::parse(place)->resolve(run.before().payload->view());
    if (!there) continue;
    claim(found->value->size() == 1 && json::equal(*found->value->item(0), *there),
          place + " opens what stands there");
  }
}

void check_only_for_its_owner(const Run& run, store::Archive& archive, const Claim& claim) {
  if (run.prepared.fits) return;
  const auto one_answer = [&](const std::string& reference, const std::string& principal,
                              store::Time now) {
    const auto unknown = archive.get(principal, "999999999999", now);
    const auto got = archive.get(principal, reference, now);
    claim(!got && got.error().message == unknown.error().message &&
              got.error().hint == unknown.error().hint,
          "somebody else's is as if it were not there");
    claim(got.error().code == ErrorCode::not_found, "that is NOT_FOUND");
    claim(!archive.stat(principal, reference, now), "nor is anything known about it");
    const model::Response failed = retrieve::archive_failure(got.error(), reference);
    claim(failed.failure && failed.failure->code == "NOT_FOUND", "the answer is NOT_FOUND");
    claim(failed == retrieve::archive_failure(unknown.error(), reference), "in the same words");
  };
  for (const std::string& reference : {run.receipt.handle, run.receipt.hash}) {
    one_answer(reference, "bob", kNow);
    one_answer(reference, "ann", kNow + 169h);  // expired
  }
  // The same bytes of somebody else are theirs alone, under a handle of their own.
  const auto theirs = stored(archive, "bob", run.prepared);
  claim(theirs && theirs->handle != run.receipt.handle, "handles are not shared");
  claim(!archive.get("bob", run.receipt.handle, kNow), "a handle opens for its owner");
  claim(!archive.get("ann", theirs->handle, kNow), "and for no other");

  const auto key = *contract::CursorKey::from_bytes("0123456789abcdef0123456789abcdef");
  const retrieve::Position position{run.receipt.hash, {}, 1};
  const std::string cursor = retrieve::to_cursor(position, key, "ann");
  claim(retrieve::from_cursor(cursor, key, "ann") == position, "a cursor opens for its owner");
  const auto foreign = retrieve::from_cursor(cursor, key, "bob");
  const auto forged = retrieve::from_cursor(
      retrieve::to_cursor(position, *contract::CursorKey::from_bytes("another key, as long as it"),
                          "bob"),
      key, "bob");
  claim(!foreign && !forged && foreign.error() == forged.error(),
        "somebody else's cursor is as good as a forged one");
}

void check_always_valid(const Run& run, store::Archive& /*archive*/, const Claim& claim) {
  static std::map<contract::Id, schema::Schema> compiled;
  const auto check = [&](contract::Id id, json::View document) {
    auto found = compiled.find(id);
    if (found == compiled.end()) {
      found = compiled.emplace(id, *schema::Schema::compile(*contract::schema(id))).first;
    }
    const auto validation = found->second.validate(document);
    claim(validation.has_value(), "can be validated");
    if (validation->valid) return;
    const schema::Violation& first = validation->violations.front();
    claim(false, fmt::format("{} {}: expected {}, found {}\n{}", contract::name(id), first.instance,
                             first.expected, first.found, json::to_text(document)));
  };
  const auto result =
      json::parse(write_result(run.finished.answer, run.drawn.settings.shape)->str());
  claim(result.has_value(), "a result is JSON");
  check(contract::Id::mcp, result->root());
  check(run.drawn.settings.shape.contract, json::parse_own(run.envelope).view());
  if (run.sent.empty()) return;
  const json::Value sent = json::parse_own(run.sent);
  check(contract::Id::mcp, sent.view());
  if (const auto envelope = sent->find("structuredContent")) {
    check(run.drawn.settings.shape.contract, *envelope);
  }
}

void check_answer(std::string_view choices, const std::vector<Check>& checks, const Claim& claim,
                  store::Archive* archive) {
  const auto own = archive == nullptr ? store::memory_archive() : nullptr;
  store::Archive& used = archive == nullptr ? *own : *archive;
  const auto done = run(choices, claim, used);
  if (!done) return;
  for (const Check check : checks) check(*done, used, claim);
}

}  // namespace enfold::testing
