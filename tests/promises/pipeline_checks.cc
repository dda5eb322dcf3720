// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_checks.h"

#include "enfold/base/hash.h"
#include "enfold/base/utf8.h"
#include "enfold/contract/signed_cursor.h"
#include "enfold/json/pointer.h"
#include "enfold/json/schema.h"
#include "enfold/model/content.h"
#include "enfold/pipeline/measure.h"
#include "enfold/pipeline/retrieve_page.h"
#include "enfold/store/memory.h"
#include "enfold/store/sqlite.h"
#include "tests/promises/pipeline_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace enfold::testing {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<store::Archive>& shared_archive() {
  static std::unique_ptr<store::Archive> archive = store::memory_archive();
  return archive;
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
