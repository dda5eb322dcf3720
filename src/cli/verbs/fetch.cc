// SPDX-License-Identifier: Apache-2.0
// `enfold fetch`: reads parts of an archived answer, within a budget.
#include "cli/settings/archive_place.h"
#include "cli/settings/fit_settings.h"
#include "cli/settings/sql_bounds.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/retrieve/continuation.h"
#include "enfold/retrieve/page.h"
#include "enfold/tools/fetch_tool.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

/// The values of the options of the same names; see declare_fetch_options().
struct FetchOptions {
  std::string reference;  ///< handle or hash; empty: only `cursor` selects the answer
  std::vector<std::string> ids;
  std::optional<std::string> pointer;
  std::optional<std::string> range;
  std::optional<std::string> lines;
  std::optional<std::string> characters;
  std::optional<std::string> find;
  std::optional<std::string> regex;
  std::optional<std::size_t> context;
  std::optional<std::string> where;
  std::optional<std::string> sql;
  std::optional<std::string> second_answer;  ///< handle or hash of a second answer for `sql`
  bool count = false;
  bool stat = false;
  bool raw = false;
  std::string cursor;                    ///< of the page before; empty: the first page
  std::optional<std::size_t> page_size;  ///< nullopt: that of the cursor, else as many as fit
  BudgetOptions budget;
  std::string archive;  ///< empty: the default archive
  std::string to = "response-v2";
};

constexpr std::size_t kDefaultTokens = 10'000;  // without --budget and --client

// What the options mean, after they were checked and before anything is opened.
struct Plan {
  answer::FitSettings settings;
  retrieve::Query query;
  ArchivePlace place;

  /// --raw: the archived bytes are printed, not an envelope.
  [[nodiscard]] bool raw() const {
    return std::holds_alternative<retrieve::select::Whole>(query.selection);
  }
};

Result<Plan> plan(const FetchOptions& options) {
  Plan made;
  const bool selects = !options.ids.empty() || options.pointer || options.range || options.lines ||
                       options.characters || options.find || options.regex || options.where ||
                       options.stat || options.raw || options.sql || options.count;
  if (!options.cursor.empty() && selects) {
    return fail(ErrorCode::invalid_input, "--cursor and a selection exclude each other", "",
                "a cursor continues the selection that it was created for");
  }
  if (options.cursor.empty() && options.reference.empty()) {
    return fail(ErrorCode::invalid_input, "expected a handle, a hash or --cursor, found none", "",
                "a cut answer names its handle in content_archive_hashes; `enfold archive ls` "
                "lists them");
  }
  ENFOLD_TRY(made.settings.shape.contract, contract_to_write(options.to));
  ENFOLD_TRY(apply_budget(options.budget, kDefaultTokens, made.settings));
  ENFOLD_TRY(made.query, retrieve::parse_query({.ids = options.ids,
                                                .pointer = options.pointer,
                                                .range = options.range,
                                                .lines = options.lines,
                                                .characters = options.characters,
                                                .find = options.find,
                                                .regex = options.regex,
                                                .context = options.context,
                                                .where = options.where,
                                                .sql = options.sql,
                                                .second_answer = options.second_answer,
                                                .count = options.count,
                                                .raw = options.raw,
                                                .stat = options.stat}));
  ENFOLD_TRY(made.place, archive_place(options.archive));
  return made;
}

Status print(const answer::ReadAnswer& answer, const Plan& plan, Terminal& terminal) {
  ENFOLD_TRY(const json::Output envelope, answer::write_envelope(answer, plan.settings.shape));
  terminal.out_line(envelope);
  return {};
}

// Reports an error of the archive or the handle twice: prints it on standard output, as a failed
// answer in the contract, for programs (not with --raw); and returns it for the error message.
Status refuse(const Error& error, const std::string& reference, const Plan& plan,
              Terminal& terminal) {
  if (!plan.raw()) {
    ENFOLD_TRY(const answer::ReadAnswer answer,
               answer::read_response(retrieve::archive_failure(error, reference), "the archive",
                                     plan.settings.shape, {}));
    if (Status done = print(answer, plan, terminal); !done) return done;
  }
  return tl::unexpected(error);
}

// The key that signed the cursors of this archive; an error if no key was created yet.
Result<contract::CursorKey> key_of_archive(const Plan& plan) {
  ENFOLD_TRY(std::optional<contract::CursorKey> key, existing_cursor_key(plan.place));
  if (key) return *std::move(key);
  return fail(ErrorCode::invalid_input,
              "bad_signature: expected a cursor of this archive, which has issued none",
              plan.place.shown(), "use the handle again; --archive selects another archive");
}

// The position in the cursor; without a cursor, the start of the query.
Result<retrieve::Position> position_of(const FetchOptions& options, const Plan& plan) {
  if (options.cursor.empty()) {
    return retrieve::Position{.archive = options.reference, .query = plan.query};
  }
  ENFOLD_TRY(const contract::CursorKey key, key_of_archive(plan));
  return retrieve::from_cursor(options.cursor, key, kPrincipal);
}

// Makes a page. If no key exists yet, a placeholder signs its cursor first; a key is created, and
// the page is made again with it, only if there is a next page. Cursors of both keys have the same
// length, so the page shows the same.
Result<answer::FittedAnswer> make_page(const retrieve::QueryResult& found,
                                       retrieve::PageRequest request, const Plan& plan,
                                       Terminal& terminal) {
  Result<std::optional<contract::CursorKey>> key = existing_cursor_key(plan.place);
  const contract::CursorKey placeholder = placeholder_cursor_key();
  if (key) request.key = *key ? &**key : &placeholder;
  Result<answer::FittedAnswer> page = retrieve::answer_page(found, request, plan.settings);
  if (!page || (key && *key)) return page;
  const auto& shown = page->answer.reading.response.page;
  if (!shown || !shown->has_more.value_or(false)) return page;
  const Result<contract::CursorKey> made =
      key ? cursor_key(plan.place) : Result<contract::CursorKey>(tl::unexpected(key.error()));
  if (!made) {
    terminal.warn(
        fmt::format("there is more, but no cursor could be created: {}", made.error().message));
  }
  request.key = made ? &*made : nullptr;
  return retrieve::answer_page(found, request, plan.settings);
}

retrieve::SqlContext sql_context(store::Archive& archive) {
  retrieve::SqlContext context{.bounds = sql_bounds()};
  context.open = [&archive](const std::string& reference) -> Result<retrieve::OpenedAnswerPtr> {
    ENFOLD_TRY(const store::Entry entry, archive.stat(kPrincipal, reference, now()));
    ENFOLD_TRY(const std::string bytes, archive.get(kPrincipal, reference, now()));
    return retrieve::open_answer(bytes, entry.meta.media_type);
  };
  return context;
}

// Prints the page of the answer at the position.
Status show(const FetchOptions& options, store::Archive& archive, const std::string& bytes,
            const store::Entry& entry, retrieve::Position position, const Plan& plan,
            Terminal& terminal) {
  // The handle is shorter than the hash, which saves tokens in every cursor.
  position.archive = entry.handle;
  retrieve::PageRequest request{.position = std::move(position),
                                .page_size = options.page_size,
                                .archived = {entry.handle, entry.hash},
                                .principal = std::string(kPrincipal)};
  ENFOLD_TRY(const retrieve::QueryResult found,
             retrieve::retrieve_bytes(bytes, entry.meta.media_type, request.position.query,
                                      Limits{.max_bytes = kLargestDocument},
                                      retrieve::window_of(request), sql_context(archive)));
  ENFOLD_TRY(const answer::FittedAnswer page, make_page(found, std::move(request), plan, terminal));
  return print(page.answer, plan, terminal);
}

// Fails if both a reference and a cursor are set and they are of different answers.
Status check_reference(const FetchOptions& options, const store::Entry& entry) {
  const std::string& reference = options.reference;
  if (options.cursor.empty() || reference.empty() || reference == entry.handle ||
      reference == entry.hash) {
    return {};
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a cursor of {}, found one of {}", reference, entry.handle), "",
              "remove the handle: the cursor contains it");
}

// Prints records that a cut answer left out: `cursor` is the one in the envelope of that answer.
Status fetch_rest(const FetchOptions& options, const Plan& plan, Terminal& terminal) {
  ENFOLD_TRY(const contract::CursorKey key, key_of_archive(plan));
  ENFOLD_TRY(contract::Continuation from,
             contract::read_continuation(options.cursor, key, kPrincipal));
  const std::string handle = from.handle;
  const Result<ArchivePointer> archive = open_existing(plan.place);
  if (!archive) return refuse(archive.error(), handle, plan, terminal);
  const Result<store::Entry> entry = (*archive)->stat(kPrincipal, handle, now());
  const Result<std::string> bytes = entry ? (*archive)->get(kPrincipal, handle, now())
                                          : Result<std::string>(tl::unexpected(entry.error()));
  if (!bytes) return refuse(bytes.error(), handle, plan, terminal);
  ENFOLD_TRY(check_reference(options, *entry));
  ENFOLD_TRY(const answer::FittedAnswer page,
             retrieve::continue_answer(*bytes, entry->meta.media_type,
                                       {.from = std::move(from),
                                        .archived = {entry->handle, entry->hash},
                                        .tool = entry->meta.tool,
                                        .cursors = {&key, kPrincipal},
                                        .page_size = options.page_size},
                                       plan.settings));
  return print(page.answer, plan, terminal);
}

Status fetch(const FetchOptions& options, const Plan& plan, Terminal& terminal) {
  if (contract::is_continuation(options.cursor)) return fetch_rest(options, plan, terminal);
  ENFOLD_TRY(retrieve::Position position, position_of(options, plan));
  const std::string reference = position.archive;
  const Result<ArchivePointer> archive = open_existing(plan.place);
  if (!archive) return refuse(archive.error(), reference, plan, terminal);
  const Result<store::Entry> entry = tools::find_entry(**archive, kPrincipal, reference, now());
  const Result<std::string> bytes = entry ? (*archive)->get(kPrincipal, entry->handle, now())
                                          : Result<std::string>(tl::unexpected(entry.error()));
  if (!bytes) return refuse(bytes.error(), reference, plan, terminal);
  ENFOLD_TRY(check_reference(options, *entry));
  if (!plan.raw()) {
    return show(options, **archive, *bytes, *entry, std::move(position), plan, terminal);
  }
  terminal.out(*bytes);
  return {};
}

int run_fetch(const FetchOptions& options, Terminal& terminal) {
  Result<Plan> made = plan(options);
  if (!made) return terminal.report_usage(made.error());
  Result<budget::Policy> policy = read_policy_file(options.budget.policy_file);
  if (policy) made->settings.policy = std::move(*policy);
  const Status done =
      policy ? fetch(options, *made, terminal) : Status(tl::unexpected(policy.error()));
  if (done) return kOk;
  return terminal.report(done.error());
}

void declare_fetch_options(Arguments& arguments, FetchOptions& options) {
  arguments.positional("REFERENCE", options.reference,
                       "Handle or hash of a cut answer; not needed with --cursor");
  arguments.text("--sql", "SELECT", options.sql,
                 "Rows of a SELECT over the answer's tables; --stat lists them");
  arguments.text("--b", "REFERENCE", options.second_answer,
                 "A second answer for --sql, whose tables are b.NAME");
  arguments.texts("--id", "ID", options.ids,
                  "Records by id, or by a string of dropped_content_ids; may be repeated");
  arguments.text("--pointer", "POINTER", options.pointer, "Value at a JSON Pointer");
  arguments.text("--range", "A..B", options.range,
                 "Records by position from 0: 18..499; the last five: -5..");
  arguments.text("--lines", "A..B", options.lines,
                 "Lines of a text from 1: 40..80; the last twenty: -20..");
  arguments.text("--chars", "A..B", options.characters, "Characters of a text from 0");
  arguments.text("--find", "TEXT", options.find, "Records that contain a text, ignoring case");
  arguments.text("--regex", "PATTERN", options.regex,
                 "Records in which a regular expression (RE2) matches");
  arguments.number("--context", options.context, {"a number of lines", 0, 100},
                   "With --find or --regex: lines before and after each line found");
  arguments.text("--where", "EXPR", options.where, "Records that meet a condition");
  arguments.flag("--count", options.count,
                 "How many there are, without showing them; alone: the records or lines");
  arguments.flag("--stat", options.stat, "Overview: kind, size, lists and their ids");
  arguments.flag("--raw", options.raw, "The archived bytes, unchanged");
  arguments.text("--cursor", "CURSOR", options.cursor,
                 "Next page, by the cursor of the page before");
  arguments.number("--page-size", options.page_size, {"a page size", 1, 1000},
                   "Maximum records, members or lines of a page, 1 to 1000. Default: that\n"
                   "of the cursor, or as many as fit");
  declare_budget_options(arguments, options.budget, "; 10000 without --client");
  declare_archive_option(arguments, options.archive);
  declare_envelope_option(arguments, options.to);
  arguments.accept_json_flag();
  arguments.footer(
      "Use one selection at a time; --pointer may be combined with another one and limits where\n"
      "it looks. Without a selection the whole payload is returned. Conditions and places are\n"
      "described in docs/reference/retrieval.md.\n"
      "A condition compares values of one type: a number with numbers (and texts that are\n"
      "numbers), a word or quoted text with texts, true, false and null with themselves.\n"
      "A page holds what fits the budget, and the cursor of the next page. Cursors are signed\n"
      "with a key that is created on first use beside the archive (archive.db.key, mode 0600) or,\n"
      "for a Redis server, in ~/.local/state/enfold/cursor.key.\n"
      "An unknown or expired handle, or one of another user, is NOT_FOUND, with exit code 4.\n\n" +
      std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold fetch 184467440737 --stat\n"
      "  enfold fetch 184467440737 --sql 'select state, count(*) from items group by 1'\n"
      "  enfold fetch 184467440737 --range 18..40\n"
      "  enfold fetch 184467440737 --id 1007 --id /items/18..20\n"
      "  enfold fetch 184467440737 --where 'state = open and score >= 0.9'\n"
      "  enfold fetch 184467440737 --pointer /items/3/comments --find timeout\n"
      "  enfold fetch 184467440737 --pointer /log --lines 40..80\n"
      "  enfold fetch --cursor CURSOR --budget 2000\n"
      "  enfold fetch 184467440737 --raw > answer.json");
}

}  // namespace

Run set_up_fetch(Arguments& arguments) {
  return set_up(arguments, declare_fetch_options, run_fetch);
}

}  // namespace enfold::cli
