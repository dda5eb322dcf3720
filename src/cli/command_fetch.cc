// SPDX-License-Identifier: Apache-2.0
// More of an answer that was cut: looked up in the archive, within a budget of its own.
#include "cli/archive_place.h"
#include "cli/commands.h"
#include "cli/cursor_key.h"
#include "cli/exit_code.h"
#include "cli/fit_settings.h"
#include "enfold/pipeline/retrieve_answer.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct FetchOptions {
  std::string reference;  ///< handle or hash
  std::vector<std::string> ids;
  std::optional<std::string> pointer;
  std::optional<std::string> range;
  std::optional<std::string> lines;
  std::optional<std::string> characters;
  std::optional<std::string> find;
  std::optional<std::string> where;
  bool stat = false;
  bool raw = false;
  std::string cursor;
  std::size_t page_size = 100;
  BudgetOptions budget;
  std::string archive;
  std::string to = "response-v2";
};

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

void accept_fetch(Arguments& arguments, FetchOptions& options) {
  arguments.positional("REFERENCE", options.reference,
                       "Handle or hash of a cut answer; not needed with --cursor");
  arguments.texts("--id", "ID", options.ids, "Records by id, or as dropped_content_ids names them");
  arguments.text("--pointer", "POINTER", options.pointer, "What stands at a JSON Pointer");
  arguments.text("--range", "A..B", options.range, "Records by position from 0: 18..499");
  arguments.text("--lines", "A..B", options.lines, "Lines of a text from 1: 40..80");
  arguments.text("--chars", "A..B", options.characters, "Characters of a text from 0");
  arguments.text("--find", "TEXT", options.find, "Records that hold a text, in any case");
  arguments.text("--where", "EXPR", options.where, "Records of which a condition is true");
  arguments.flag("--stat", options.stat, "What there is: kind, size, lists and their ids");
  arguments.flag("--raw", options.raw, "The archived bytes, exactly");
  arguments.text("--cursor", "CURSOR", options.cursor,
                 "The next page, as the page before names it");
  arguments.number("--page-size", options.page_size, {"a page size", 1, 1000},
                   "Most records, members or lines of a page");
  accept_budget(arguments, options.budget, "; 10000 without --client");
  accept_archive_place(arguments, options.archive);
  arguments.text("--to", "NAME", options.to, "Contract to write");
  arguments.json_anyway();
  arguments.footer(
      "One selection at a time; --pointer beside another says where that one looks. Without "
      "any\n"
      "all of the payload. Conditions and places: docs/retrieval.md.\n"
      "A page holds what fits the budget and the cursor to the next. Cursors are signed with a\n"
      "key that is made beside the archive (archive.db.key, mode 0600), for a Redis server in\n"
      "~/.local/state/enfold/cursor.key.\n"
      "A handle that is unknown, expired or of somebody else is NOT_FOUND, with exit code "
      "4.\n\n" +
      std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold fetch 184467440737 --range 18..40\n"
      "  enfold fetch 184467440737 --where 'state = open and score >= 0.9'\n"
      "  enfold fetch 184467440737 --pointer /items/3/comments --find timeout\n"
      "  enfold fetch 184467440737 --raw > answer.json");
}

}  // namespace

Run set_up_fetch(Arguments& arguments) { return set_up(arguments, accept_fetch, run_fetch); }

}  // namespace enfold::cli
