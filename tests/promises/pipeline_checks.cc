// SPDX-License-Identifier: Apache-2.0
#include "tests/promises/pipeline_checks.h"

#include "enfold/answer/measure.h"
#include "enfold/base/hash.h"
#include "enfold/base/utf8.h"
#include "enfold/contract/cursors/signed_cursor.h"
#include "enfold/json/pointer.h"
#include "enfold/model/content.h"
#include "enfold/retrieve/page.h"
#include "enfold/schema/schema.h"
#include "enfold/store/memory/memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace enfold::testing {
using namespace std::chrono_literals;

void check_never_over_budget(const Run& run, store::Archive& /*archive*/, const Claim& claim) {
  const answer::FitSettings& settings = run.drawn.settings;
  const auto text = write_result(run.finished.answer, settings.shape);
  const auto result = json::parse(text->str());
  claim(result.has_value(), "a result is JSON");
  // Counted here as a reader would: the envelope of one channel, then every block beside it.
  const bool texts = settings.shape.channels != answer::Channels::structured;
  budget::Size size{settings.tokenizer->count(run.envelope), utf8::length(run.envelope), 1};
  std::size_t position = 0;
  for (const json::View block : result->root().find("content")->items()) {
    if (position++ == 0 && texts) {
      claim(block.find("text")->string() == run.envelope, "the text channel is the envelope");
      continue;
    }
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
        fmt::format("{} tokens, {} characters, {} lines are within the budget of {}, {}: {}",
                    size.tokens, size.characters, size.lines, settings.budget.tokens,
                    settings.budget.characters, run.envelope));
  claim(succeeded(run.after()) == succeeded(run.before()), "the outcome is the same");
}

void check_every_handle_opens(const Run& run, store::Archive& archive, const Claim& claim) {
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
    claim(!archive.range(principal, reference, 0, 8, now), "nor is a part of it given");
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
