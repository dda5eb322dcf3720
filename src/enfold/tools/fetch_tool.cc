// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/fetch_tool.h"

#include "enfold/answer/answer.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/contract/cursors/sealed.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/retrieve/continuation.h"
#include "enfold/tools/offered_tool.h"
#include "enfold/tools/opened_answers.h"

#include <algorithm>
#include <chrono>
#include <fmt/core.h>

namespace enfold::tools {
namespace {

namespace failures = contract::failures;

// The arguments that are read here; retrieve::parse_arguments reads those of the query.
constexpr std::array<std::string_view, 3> kOwnArguments{"handle", "cursor", "page_size"};
// Room for the request id and the duration, which are added to the fitted answer.
constexpr std::size_t kCallTokens = 48;
constexpr std::size_t kCallCharacters = 160;

// The hint of the error, as the remediation of a failure.
failures::Extra remediation_of(const Error& error) {
  failures::Extra extra;
  if (!error.hint.empty()) extra.remediation.push_back(error.hint);
  return extra;
}

// For an error of the query or the cursor; errors of the archive are retrieve::archive_failure.
model::Response failure_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::not_found:
      return contract::make_failure(failures::Other{.message = answer::place_and_message(error),
                                                    .code = "NOT_FOUND",
                                                    .extra = remediation_of(error)});
    case ErrorCode::unauthorized:
    case ErrorCode::invalid_input:
    case ErrorCode::budget_too_small:
    case ErrorCode::limit_exceeded:
      return contract::make_failure(failures::Validation{
          .message = answer::place_and_message(error), .extra = remediation_of(error)});
    default:
      return contract::make_failure(
          failures::Internal{.message = "The archived answer cannot be read"});
  }
}

constexpr std::size_t kMostSearched = 1'000;  // entries whose hashes are compared
constexpr std::size_t kMostOpened = 50;       // entries that are read to find an id
constexpr std::size_t kMostBytesRead = std::size_t{64} << 20;  // of the opened entries together

// "sha256:ab12..." without its dots; empty: the reference is no beginning of a hash.
std::string_view abbreviated_hash(std::string_view reference) {
  constexpr std::string_view start = "sha256:";
  constexpr std::size_t fewest_digits = 4;
  for (const std::string_view dots : {"...", "…"}) {
    if (reference.ends_with(dots)) reference.remove_suffix(dots.size());
  }
  const std::string_view digits = reference.substr(std::min(start.size(), reference.size()));
  const bool is_hash = reference.starts_with(start) && digits.size() >= fewest_digits &&
                       digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return is_hash ? reference : std::string_view();
}

std::string handles_of(const std::vector<store::Entry>& entries) {
  std::string out;
  for (const store::Entry& entry : entries) out += (out.empty() ? "" : ", ") + entry.handle;
  return out;
}

/// What a call of `enfold_fetch` asks for: a page of a query, or the rest of a cut answer.
struct FetchRequest {
  retrieve::Position position;           ///< of a query; empty `archive`: see find_by_id
  std::optional<std::size_t> page_size;  ///< nullopt: that of the cursor, or the default
  std::string rest_of;                   ///< cursor of the cut answer; empty: a query
};

/// The request, or the failure that answers the call.
using ParsedRequest = tl::expected<FetchRequest, model::Response>;

model::Response bad_cursor(const std::string& cursor, const Error& error) {
  return contract::make_failure(failures::InvalidCursor{.cursor = cursor, .reason = error.message});
}

// The remediation of a call without a handle. It names the answers that were archived last, also
// those of calls whose client did not wait for them.
std::vector<std::string> handles_to_send(const FetchSource& source) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> remediation = {
      "Send the handle that the cut answer names in meta.content_archive_hashes, or a cursor."};
  const auto latest =
      source.archive->find(source.principal, {.tool = {}, .limit = kMostNamed}, source.now);
  if (!latest || latest->empty()) return remediation;
  std::string named;
  for (const store::Entry& entry : *latest) {
    named += fmt::format("{}{} ({}, {} s ago)", named.empty() ? "" : ", ", entry.handle,
                         entry.meta.tool, (source.now - entry.created).count());
  }
  remediation.push_back(fmt::format("The latest: {}.", named));
  return remediation;
}

ParsedRequest parse_request(json::View arguments, const FetchSource& source) {
  const auto refuse = [](model::Response response) -> ParsedRequest {
    return tl::unexpected(std::move(response));
  };
  Result<retrieve::Query> query = retrieve::parse_arguments(arguments, kOwnArguments);
  if (!query) return refuse(failure_of(query.error()));
  FetchRequest wanted{{.query = std::move(*query)}};
  if (const auto size = arguments.find("page_size"); size && !size->is_null()) {
    if (!size->integer()) {
      return refuse(contract::make_failure(failures::Validation{
          .message = "page_size: expected an integer from 1 to 1000", .field = "page_size"}));
    }
    wanted.page_size = static_cast<std::size_t>(contract::clamp_page_size(size->integer()));
  }
  const auto cursor = arguments.find("cursor");
  const auto handle = arguments.find("handle");
  if (cursor && cursor->is_string()) {
    for (const json::Member& member : arguments.members()) {
      if (member.key.equals("cursor") || member.key.equals("page_size")) continue;
      return refuse(contract::make_failure(failures::Validation{
          .message = fmt::format("expected cursor alone, found it beside {}", member.key.string()),
          .field = "cursor",
          .extra = {
              .remediation = {"Send only the cursor: it goes on with what it was made for."}}}));
    }
    if (contract::is_continuation(cursor->string())) {
      wanted.rest_of = cursor->string();
      return wanted;
    }
    Result<retrieve::Position> opened =
        source.key != nullptr
            ? retrieve::from_cursor(cursor->string(), *source.key, source.principal)
            : contract::refuse_cursor("decode_failed", "this server makes no cursors");
    if (!opened) return refuse(bad_cursor(cursor->string(), opened.error()));
    wanted.position = std::move(*opened);
    return wanted;
  }
  const bool asks_by_id =
      std::holds_alternative<retrieve::select::Ids>(wanted.position.query.selection);
  const bool has_no_handle = !handle || handle->is_null() || handle->equals("");
  if (has_no_handle && asks_by_id) return wanted;  // find_by_id finds the answer
  // Handles are digits, and some models send them as a number.
  const bool is_number = !has_no_handle && handle->integer().value_or(-1) >= 0;
  if (has_no_handle || !(handle->is_string() || is_number)) {
    return refuse(contract::make_failure(failures::MissingRequired{
        .field = "handle", .extra = {.remediation = handles_to_send(source)}}));
  }
  wanted.position.archive = is_number ? std::string(handle->number()) : handle->string();
  return wanted;
}

/// The parsed answer of an entry. `of_archive` is called if the archive fails, with its error, and
/// returns the error to report. Errors of parsing are returned as they are.
template <class OfArchive>
Result<retrieve::OpenedAnswerPtr> open_entry(const store::Entry& entry, const FetchSource& source,
                                             OfArchive of_archive) {
  const std::string key = OpenedAnswers::key_of(entry);
  retrieve::OpenedAnswerPtr kept = source.opened != nullptr ? source.opened->find(key) : nullptr;
  if (kept) return kept;
  const Result<std::string> bytes = source.archive->get(source.principal, entry.handle, source.now);
  if (!bytes) return tl::unexpected(of_archive(bytes.error()));
  ENFOLD_TRY(
      retrieve::OpenedAnswerPtr opened,
      retrieve::open_answer(*bytes, entry.meta.media_type, Limits{.max_bytes = kLargestDocument}));
  if (source.opened != nullptr) source.opened->add(key, opened, bytes->size());
  return opened;
}

// What an SQL statement may use: 1.5 seconds, and the archived answers that it names. `source` must
// outlive the result.
retrieve::SqlContext sql_context(const FetchSource& source) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
  retrieve::SqlContext context;
  context.bounds.is_late = [end] { return std::chrono::steady_clock::now() > end; };
  context.bounds.now =
      std::chrono::duration_cast<std::chrono::milliseconds>(source.now.time_since_epoch()).count();
  context.open = [&source](const std::string& reference) -> Result<retrieve::OpenedAnswerPtr> {
    ENFOLD_TRY(const store::Entry entry,
               find_entry(*source.archive, source.principal, reference, source.now));
    return open_entry(entry, source, [](const Error& error) { return error; });
  };
  return context;
}

// The handle of the archived answer of the caller that has one of the ids; a failure if there is
// none or more than one.
tl::expected<std::string, model::Response> find_by_id(const retrieve::Query& query,
                                                      const FetchSource& source) {
  const Result<std::vector<store::Entry>> entries =
      source.archive->find(source.principal, {.tool = {}, .limit = kMostOpened}, source.now);
  if (!entries) return tl::unexpected(retrieve::archive_failure(entries.error(), ""));
  std::vector<store::Entry> found;
  std::size_t bytes_read = 0;
  for (const store::Entry& entry : *entries) {
    bytes_read += entry.size;
    if (bytes_read > kMostBytesRead) break;
    const Result<std::string> bytes =
        source.archive->get(source.principal, entry.handle, source.now);
    if (bytes && retrieve::retrieve_bytes(*bytes, entry.meta.media_type, query,
                                          Limits{.max_bytes = kLargestDocument})) {
      found.push_back(entry);
    }
  }
  if (found.size() == 1) return found.front().handle;
  const std::string id = std::get_if<retrieve::select::Ids>(&query.selection)->ids.front();
  if (found.empty()) {
    return tl::unexpected(contract::make_failure(failures::NotFound{
        .resource_type = "Content",
        .resource_id = id,
        .extra = {.remediation = {"Send the handle of the cut answer beside the id."}}}));
  }
  return tl::unexpected(contract::make_failure(failures::Validation{
      .message = fmt::format("{} archived answers have the id {}: {}", found.size(), id,
                             handles_of(found)),
      .field = "handle",
      .extra = {.remediation = {"Send one of these handles beside the id."}}}));
}

// A page of a query, or why there is none.
tl::expected<answer::FittedAnswer, model::Response> look_up(FetchRequest wanted,
                                                            const FetchSource& source,
                                                            const answer::FitSettings& settings) {
  const bool asks_by_id =
      std::holds_alternative<retrieve::select::Ids>(wanted.position.query.selection);
  if (wanted.position.archive.empty() && asks_by_id) {
    auto handle = find_by_id(wanted.position.query, source);
    if (!handle) return tl::unexpected(std::move(handle.error()));
    wanted.position.archive = std::move(*handle);
  }
  const std::string& reference = wanted.position.archive;
  const Result<store::Entry> entry =
      find_entry(*source.archive, source.principal, reference, source.now);
  if (!entry && entry.error().code == ErrorCode::invalid_input) {
    return tl::unexpected(failure_of(entry.error()));
  }
  if (!entry) return tl::unexpected(retrieve::archive_failure(entry.error(), reference));
  std::optional<model::Response> archive_failure;  // nullopt: the archive did not fail
  const Result<retrieve::OpenedAnswerPtr> opened =
      open_entry(*entry, source, [&](const Error& error) {
        archive_failure = retrieve::archive_failure(error, reference);
        return error;
      });
  if (!opened)
    return tl::unexpected(archive_failure ? std::move(*archive_failure)
                                          : failure_of(opened.error()));
  // Cursors name the handle and not the hash, because it takes fewer tokens and is valid as long.
  wanted.position.archive = entry->handle;
  const retrieve::PageRequest request{.position = std::move(wanted.position),
                                      .page_size = wanted.page_size,
                                      .archived = {entry->handle, entry->hash},
                                      .key = source.key,
                                      .principal = source.principal};
  const Result<retrieve::QueryResult> found = retrieve::retrieve(
      **opened, request.position.query, retrieve::window_of(request), sql_context(source));
  if (!found) return tl::unexpected(failure_of(found.error()));
  Result<answer::FittedAnswer> page = retrieve::answer_page(*found, request, settings);
  if (!page) return tl::unexpected(failure_of(page.error()));
  return std::move(*page);
}

// The next records of a cut answer, or why there are none. `tool` set: only answers of this tool
// are continued, in the form of its answers. Empty: answers of any tool, as a list of records.
tl::expected<answer::FittedAnswer, model::Response> look_up_rest(
    const FetchRequest& wanted, const FetchSource& source, const answer::FitSettings& settings,
    const std::string& tool) {
  const auto refuse = [&](const Error& error) {
    return tl::unexpected(bad_cursor(wanted.rest_of, error));
  };
  Result<contract::Continuation> from =
      source.key != nullptr
          ? contract::read_continuation(wanted.rest_of, *source.key, source.principal)
          : contract::refuse_cursor("decode_failed", "this server makes no cursors");
  if (!from) return refuse(from.error());
  const Result<store::Entry> entry =
      source.archive->stat(source.principal, from->handle, source.now);
  const Result<std::string> bytes =
      entry ? source.archive->get(source.principal, from->handle, source.now)
            : Result<std::string>(tl::unexpected(entry.error()));
  if (!bytes) return tl::unexpected(retrieve::archive_failure(bytes.error(), from->handle));
  if (!tool.empty() && entry->meta.tool != tool) {
    return refuse(
        contract::refuse_cursor("bad_signature", "expected a cursor of this tool").value());
  }
  Result<answer::FittedAnswer> page =
      retrieve::continue_answer(*bytes, entry->meta.media_type,
                                {.from = std::move(*from),
                                 .archived = {entry->handle, entry->hash},
                                 .tool = entry->meta.tool,
                                 .cursors = {source.key, source.principal},
                                 .page_size = wanted.page_size,
                                 .in_payload = !tool.empty()},
                                settings);
  const bool is_bad_cursor = !page && page.error().where == "cursor";  // see refuse_cursor
  if (is_bad_cursor) return refuse(page.error());
  if (!page) return tl::unexpected(failure_of(page.error()));
  return std::move(*page);
}

answer::ReadAnswer as_answer(model::Response response, const answer::FitSettings& settings,
                             const answer::Call& call) {
  response.tool.id = call.tool;
  Result<answer::ReadAnswer> read =
      answer::read_response(response, /*rule=*/"the archive", settings.shape, call);
  if (read) return std::move(*read);
  return {.reading = {.response = contract::make_failure(
                          failures::Internal{.message = "The answer is too large"})}};
}

// The settings with a budget that is smaller by what `finished` adds, unless it is near the
// smallest.
answer::FitSettings with_room_for_call(answer::FitSettings settings) {
  const auto less = [](std::size_t& room, std::size_t by, std::size_t least) {
    if (room >= least + by) room -= by;
  };
  less(settings.budget.tokens, kCallTokens, budget::kSmallestBudget);
  less(settings.budget.characters, kCallCharacters, budget::kFewestCharacters);
  return settings;
}

// The page with the tool, request id and duration of the call, or the failure as an answer.
answer::ReadAnswer finished(tl::expected<answer::FittedAnswer, model::Response> found,
                            const answer::FitSettings& settings, const answer::Call& call) {
  if (!found) return as_answer(std::move(found.error()), settings, call);
  model::Response& response = found->answer.reading.response;
  response.tool.id = call.tool;
  response.request_id = call.request_id;
  if (call.duration_ms) response.telemetry = model::Telemetry{.duration_ms = call.duration_ms};
  return std::move(found->answer);
}

}  // namespace

Result<store::Entry> find_entry(store::Archive& archive, std::string_view principal,
                                std::string_view reference, store::Time now) {
  Result<store::Entry> exact = archive.stat(principal, reference, now);
  const std::string_view hash_start = abbreviated_hash(reference);
  if (exact || exact.error().code != ErrorCode::not_found || hash_start.empty()) return exact;
  ENFOLD_TRY(std::vector<store::Entry> all,
             archive.find(principal, {.tool = {}, .limit = kMostSearched}, now));
  std::erase_if(all,
                [&](const store::Entry& entry) { return !entry.hash.starts_with(hash_start); });
  if (all.empty()) return exact;
  const bool several = std::ranges::any_of(
      all, [&](const store::Entry& entry) { return entry.hash != all.front().hash; });
  if (several) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{} archived answers have a hash that begins so: {}", all.size(),
                            handles_of(all)),
                std::string(reference), "send one of these handles");
  }
  return std::move(all.front());
}

answer::ReadAnswer fetch(json::View arguments, const FetchSource& source,
                         const answer::FitSettings& settings, const answer::Call& call) {
  ParsedRequest wanted = parse_request(arguments, source);
  if (!wanted) return as_answer(std::move(wanted.error()), settings, call);
  const answer::FitSettings narrow = with_room_for_call(settings);
  return finished(wanted->rest_of.empty() ? look_up(std::move(*wanted), source, narrow)
                                          : look_up_rest(*wanted, source, narrow, {}),
                  settings, call);
}

bool is_in_archive(json::View arguments, const FetchSource& source) {
  const auto cursor = json::string_member(arguments, "cursor");
  if (cursor && source.key != nullptr) {
    return contract::is_continuation_of(*cursor, *source.key) ||
           retrieve::from_cursor(*cursor, *source.key, source.principal);
  }
  const auto handle = arguments.find("handle");
  if (!handle || handle->is_container()) return false;
  const std::string reference = handle->is_string() ? handle->string() : std::string(handle->raw());
  return find_entry(*source.archive, source.principal, reference, source.now).has_value();
}

answer::ReadAnswer continue_call(const std::string& cursor, const FetchSource& source,
                                 const answer::FitSettings& settings, const answer::Call& call,
                                 const std::string& tool) {
  const FetchRequest wanted{.position = {}, .page_size = {}, .rest_of = cursor};
  return finished(look_up_rest(wanted, source, with_room_for_call(settings), tool), settings, call);
}

// Looks into the arguments whose names tools commonly use for the cursor of the page before.
std::optional<std::string> own_cursor(json::View arguments, const OfferedTool& tool,
                                      const contract::CursorKey& key) {
  if (tool.spec.name == kFetchTool) return std::nullopt;
  for (const json::Member& member : arguments.members()) {
    // Nearly no argument is a cursor of Enfold, so the value is looked at before the name.
    const bool is_cursor = member.value.has_escapes()
                               ? contract::is_continuation(member.value.string())
                               : contract::is_continuation(member.value.string_source());
    if (!is_cursor) continue;
    const std::string name = to_lower(member.key.string());
    const bool takes_cursor = name.ends_with("cursor") || name.ends_with("token") ||
                              name == "after" || name == "bookmark" || name == "marker" ||
                              name == "starting_after";
    if (!takes_cursor) continue;
    const std::string cursor = member.value.string();
    const auto& declared = tool.arguments;
    // The tool may have made a cursor that is signed with another key.
    const bool is_for_tool =
        !contract::is_continuation_of(cursor, key) &&
        std::find(declared.begin(), declared.end(), member.key.string()) != declared.end();
    if (!is_for_tool) return cursor;
  }
  return std::nullopt;
}

// Every session pays the tokens of this text: at most 250 with the schema. Arguments that the
// schema does not declare (regex, context, count, chars, ids, stat, raw, page_size) are read too.
std::string_view fetch_tool_description(bool has_sql) {
  if (!has_sql) {
    return "Ask an answer that was cut: handle and one of find (a text), where (a condition on "
           "records: status = failed and amount > 5), id, pointer (JSON Pointer), range (0..9) or "
           "lines (1..20). Example: {\"handle\":\"…\",\"where\":\"status = failed\"}";
  }
  return "Ask an answer that was cut: handle and one SELECT (SQLite). Tables: each list by its "
         "last "
         "name (the only one: items); maps, with _key; lists in records: orders_lines, _parent = "
         "orders._i; CSV, Markdown tables, JSON Lines: rows; folder trees: files(path, name, "
         "folder, "
         "ext, depth, is_folder, target); texts: lines(n, text); further ones rows_2, lines_2; "
         "doc(json). Columns: members (customer.tier: customer_tier), _i, _json. regexp works. "
         "Example: {\"handle\":\"…\",\"sql\":\"select status, count(*) from items group by 1\"}";
}

json::Value fetch_tool_input_schema() {
  json::Writer writer;
  writer.begin_object().member("type", "object").key("properties").begin_object();
  for (const std::string_view name :
       {"handle", "sql", "b", "cursor", "pointer", "range", "lines", "find", "where", "id"}) {
    if (!retrieve::has_sql() && (name == "sql" || name == "b")) continue;
    writer.key(name).begin_object().member("type", "string").end_object();
  }
  return std::move(writer.end_object().end_object()).finish_value();
}

}  // namespace enfold::tools
