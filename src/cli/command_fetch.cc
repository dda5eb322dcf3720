// SPDX-License-Identifier: Apache-2.0
// More of an answer that was cut: looked up in the archive, within a budget of its own.
#include "cli/archive_place.h"
#include "cli/cursor_key.h"
#include "cli/exit_code.h"
#include "cli/fit_settings.h"
#include "enfold/pipeline/retrieve_answer.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

constexpr std::size_t kUsualTokens = 10'000;

// What is to be done, before anything was opened.
struct Plan {
  pipeline::FitSettings settings;
  pipeline::Query query;
  ArchivePlace place;
};

Result<Plan> plan(const FetchOptions& options) {
  Plan made;
  const bool selects = !options.ids.empty() || options.pointer || options.range || options.lines ||
                       options.characters || options.find || options.where || options.stat ||
                       options.raw;
  if (!options.cursor.empty() && selects) {
    return fail(ErrorCode::invalid_input, "--cursor and a selection exclude each other", "",
                "a cursor goes on with the selection that it was made for");
  }
  if (options.cursor.empty() && options.reference.empty()) {
    return fail(ErrorCode::invalid_input, "expected a handle, a hash or --cursor, found none", "",
                "a cut answer names its handle in content_archive_hashes; `enfold archive ls` "
                "lists them");
  }
  const Result<contract::Id> to = contract_to_write(options.to);
  if (!to) return tl::unexpected(to.error());
  made.settings.shape.contract = *to;
  if (Status done = apply_budget(options.budget, kUsualTokens, made.settings); !done) {
    return tl::unexpected(done.error());
  }
  Result<pipeline::Query> query = pipeline::parse_query({.ids = options.ids,
                                                         .pointer = options.pointer,
                                                         .range = options.range,
                                                         .lines = options.lines,
                                                         .characters = options.characters,
                                                         .find = options.find,
                                                         .where = options.where,
                                                         .raw = options.raw,
                                                         .stat = options.stat});
  if (!query) return tl::unexpected(query.error());
  made.query = std::move(*query);
  Result<ArchivePlace> place = archive_place(options.archive);
  if (!place) return tl::unexpected(place.error());
  made.place = std::move(*place);
  return made;
}

Status print(const pipeline::Understood& answer, const Plan& plan, Terminal& terminal) {
  const Result<json::Output> envelope = pipeline::write_envelope(answer, plan.settings.shape);
  if (!envelope) return tl::unexpected(envelope.error());
  terminal.out(*envelope);
  terminal.out("\n");
  return {};
}

// For programs on standard output, in the contract that they asked for; for people by the error.
Status print_not_found(const std::string& reference, const Plan& plan, Terminal& terminal) {
  const Result<pipeline::Understood> answer = pipeline::understand_response(
      pipeline::handle_not_found(reference), "no such handle", plan.settings.shape, {});
  if (!answer) return tl::unexpected(answer.error());
  return print(*answer, plan, terminal);
}

Status show(const FetchOptions& options, const std::string& bytes, const store::Entry& entry,
            const pipeline::Position& position, const Result<contract::CursorKey>& key,
            const Plan& plan, Terminal& terminal) {
  const Result<pipeline::Found> found = pipeline::retrieve_bytes(
      bytes, entry.meta.media_type, position.query, Limits{.max_bytes = kLargestDocument});
  if (!found) return tl::unexpected(found.error());
  const pipeline::PageRequest request{.position = position,
                                      .page_size = options.page_size,
                                      .archived = {entry.handle, entry.hash},
                                      .key = key ? &*key : nullptr,
                                      .principal = std::string(kPrincipal)};
  const Result<pipeline::Finished> answer = pipeline::answer_page(*found, request, plan.settings);
  if (!answer) return tl::unexpected(answer.error());
  const auto& page = answer->answer.reading.response.page;
  if (page && page->has_more.value_or(false) && !key) {
    terminal.warn(fmt::format("there is more, but no cursor to it: {}", key.error().message));
  }
  return print(answer->answer, plan, terminal);
}

Status fetch(const FetchOptions& options, const Plan& plan, Terminal& terminal) {
  const Result<ArchivePointer> archive = open_existing(plan.place);
  if (!archive) return tl::unexpected(archive.error());
  pipeline::Position position{.archive = options.reference, .query = plan.query};
  const bool raw = std::holds_alternative<pipeline::select::Whole>(plan.query.selection);
  Result<contract::CursorKey> key =
      raw ? fail(ErrorCode::unavailable, "not needed") : cursor_key(plan.place);
  if (!options.cursor.empty()) {
    if (!key) return tl::unexpected(key.error());
    Result<pipeline::Position> opened = pipeline::from_cursor(options.cursor, *key, kPrincipal);
    if (!opened) return tl::unexpected(opened.error());
    position = std::move(*opened);
  }
  const Result<store::Entry> entry = (*archive)->stat(kPrincipal, position.archive, now());
  const Result<std::string> bytes = entry ? (*archive)->get(kPrincipal, position.archive, now())
                                          : Result<std::string>(tl::unexpected(entry.error()));
  if (!bytes) {
    if (bytes.error().code == ErrorCode::not_found && !raw) {
      if (Status done = print_not_found(position.archive, plan, terminal); !done) return done;
    }
    return tl::unexpected(bytes.error());
  }
  if (!options.cursor.empty() && !options.reference.empty() && options.reference != entry->handle &&
      options.reference != entry->hash) {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("expected a cursor of {}, found one of {}", options.reference, entry->handle),
        "", "leave the handle out: the cursor names it");
  }
  if (raw) {
    terminal.out(*bytes);
    return {};
  }
  // Shorter than the hash, which saves tokens in every cursor, and as lasting.
  position.archive = entry->handle;
  return show(options, *bytes, *entry, position, key, plan, terminal);
}

}  // namespace

int run_fetch(const FetchOptions& options, Terminal& terminal) {
  Result<Plan> made = plan(options);
  if (!made) {
    terminal.report(made.error());
    return kBadUsage;
  }
  Result<budget::Policy> policy = read_policy_file(options.budget.policy_file);
  if (policy) made->settings.policy = std::move(*policy);
  const Status done =
      policy ? fetch(options, *made, terminal) : Status(tl::unexpected(policy.error()));
  if (done) return kOk;
  terminal.report(done.error());
  return exit_code_of(done.error());
}

}  // namespace enfold::cli
