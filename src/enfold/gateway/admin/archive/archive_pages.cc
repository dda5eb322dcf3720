// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/archive/archive_pages.h"

#include "enfold/gateway/admin/record/row.h"
#include "enfold/retrieve/page.h"
#include "enfold/retrieve/retrieve.h"
#include "enfold/tools/fetch_tool.h"
#include "enfold/tools/opened_answers.h"

#include <algorithm>
#include <unordered_map>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxEntries = 1'000;     // in one reply of the list
constexpr std::size_t kPageTokens = 10'000;    // as `enfold fetch` without --budget
constexpr std::chrono::seconds kQueryTime{5};  // after which an SQL statement is stopped

using Services = tools::AnswerServices;
using Opened = Recorder::Opened;  // how often each handle was opened

// What the recorder knows about the calls whose original is one archived answer. Equal originals
// are archived once, so there may be many calls.
struct RecentAnswers {
  std::string upstream;       ///< of the last call
  std::uint64_t answers = 0;  ///< calls
  std::uint64_t last_id = 0;  ///< of the last call
};
using Recent = std::unordered_map<std::string, RecentAnswers>;  // by handle

// What the recorder knows about archived answers. It is collected on the loop's thread and may be
// large, so the jobs share it.
struct Usage {
  Recent recent;
  Opened opened;

  // Of what the recorder does not know any more, everything is empty.
  [[nodiscard]] RecentAnswers recent_of(const std::string& handle) const {
    const auto found = recent.find(handle);
    return found != recent.end() ? found->second : RecentAnswers();
  }
  [[nodiscard]] std::uint64_t opened_of(const std::string& handle) const {
    const auto found = opened.find(handle);
    return found != opened.end() ? found->second : 0;
  }
};
using UsagePtr = std::shared_ptr<const Usage>;

// `handle`: only of this archived answer; empty: of all.
UsagePtr usage_in(const Recorder& recorder, const std::string& handle = {}) {
  auto usage = std::make_shared<Usage>();
  for (const RecordedCall& call : recorder.calls()) {
    if (call.handle.empty() || (!handle.empty() && call.handle != handle)) continue;
    RecentAnswers& of = usage->recent[call.handle];
    of.upstream = recorder.upstream_of(call);
    of.last_id = call.id;
    ++of.answers;
  }
  if (handle.empty()) {
    usage->opened = recorder.opened();
  } else if (const auto found = recorder.opened().find(handle); found != recorder.opened().end()) {
    usage->opened.insert(*found);
  }
  return usage;
}

// Whether the upstream of an entry is the wanted one. `wanted`: a name; empty: any; or
// Metrics::kUnknown, which is no name of an upstream.
bool is_from(const store::Entry& entry, const std::string& wanted, const Usage& usage) {
  if (wanted.empty()) return true;
  return usage.recent_of(entry.handle).upstream == (wanted == Metrics::kUnknown ? "" : wanted);
}

// The entries with this handle, without a list of the whole archive.
Result<OwnedEntries> entries_of(const Services& services, const std::vector<std::string>& owners,
                                const std::string& handle, const std::string& tool) {
  const store::Time now = tools::store_time(*services.host);
  OwnedEntries found;
  for (const std::string& owner : owners) {
    Result<store::Entry> entry = services.archive->stat(owner, handle, now);
    if (entry && entry->handle == handle && (tool.empty() || entry->meta.tool == tool)) {
      found.push_back({owner, std::move(*entry)});
    } else if (!entry && entry.error().code != ErrorCode::not_found) {
      return tl::unexpected(entry.error());
    }
  }
  return found;
}

net::HttpResponse entries_reply(const OwnedEntries& all, std::size_t offset, std::size_t limit,
                                const Usage& usage) {
  json::Writer writer;
  writer.begin_object().key("entries").begin_array();
  for (std::size_t i = offset; i < all.size() && i < offset + limit; ++i) {
    const store::Entry& entry = all[i].entry;
    const RecentAnswers seen = usage.recent_of(entry.handle);
    writer.begin_object().member("handle", entry.handle).key("upstream");
    seen.upstream.empty() ? writer.null() : writer.string(seen.upstream);
    writer.member("tool", entry.meta.tool);
    writer.member("owner", all[i].owner).member("time", rfc3339(entry.created));
    writer.member("expires", rfc3339(entry.expires)).member("bytes", entry.size);
    writer.member("stored_bytes", entry.stored_size);
    writer.member("opened", usage.opened_of(entry.handle)).member("answers", seen.answers);
    writer.key("last_answer");
    seen.last_id == 0 ? writer.null() : writer.integer(static_cast<std::int64_t>(seen.last_id));
    writer.end_object();
  }
  writer.end_array().member("total", all.size()).end_object();
  return json_reply(std::move(writer));
}

// Sums over the entries of one tool, one owner or one age.
struct Group {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t opened = 0;
  void add(const store::Entry& entry, std::uint64_t times_opened) {
    ++entries;
    bytes += entry.size;
    opened += times_opened;
  }
};
// The members of a group, into an open object.
void write_group(json::Writer& writer, std::string_view name, const Group& group) {
  writer.member("name", name).member("entries", group.entries);
  writer.member("bytes", group.bytes).member("opened", group.opened);
}

struct Age {
  std::string_view name;
  std::chrono::seconds max;
};
constexpr std::array<Age, 5> kAges{{{"1 h", std::chrono::hours(1)},
                                    {"6 h", std::chrono::hours(6)},
                                    {"1 d", std::chrono::hours(24)},
                                    {"7 d", std::chrono::hours(24 * 7)},
                                    {"older", std::chrono::seconds::max()}}};

net::HttpResponse statistics_reply(const store::Statistics& totals, const OwnedEntries& all,
                                   const Usage& usage, store::Time now) {
  std::map<std::pair<std::string, std::string>, Group> tools;  // by upstream and tool
  std::map<std::string, Group> owners;
  std::uint64_t answers = 0;
  std::array<Group, kAges.size()> ages;
  for (const OwnedEntry& one : all) {
    const std::uint64_t times = usage.opened_of(one.entry.handle);
    const RecentAnswers seen = usage.recent_of(one.entry.handle);
    answers += seen.answers;
    tools[{seen.upstream, one.entry.meta.tool}].add(one.entry, times);
    owners[one.owner].add(one.entry, times);
    const auto first = std::ranges::find_if(
        kAges, [&](const Age& age) { return now - one.entry.created <= age.max; });
    ages.at(static_cast<std::size_t>(first - kAges.begin())).add(one.entry, times);
  }
  json::Writer writer;
  writer.begin_object().member("entries", totals.entries).member("bytes", totals.bytes);
  writer.member("stored_bytes", totals.stored_bytes).member("answers", answers);
  writer.key("by_tool").begin_array();
  for (const auto& [tool, group] : tools) {
    write_group(writer.begin_object(), tool.second, group);
    writer.key("upstream");
    tool.first.empty() ? writer.null() : writer.string(tool.first);
    writer.end_object();
  }
  writer.end_array().key("by_owner").begin_array();
  for (const auto& [owner, group] : owners) {
    write_group(writer.begin_object(), owner, group);
    writer.end_object();
  }
  writer.end_array().key("by_age").begin_array();
  for (std::size_t i = 0; i < kAges.size(); ++i) {
    write_group(writer.begin_object(), kAges.at(i).name, ages.at(i));
    writer.end_object();
  }
  writer.end_array().end_object();
  return json_reply(std::move(writer));
}

// An entry with its content, parsed.
struct OpenedEntry {
  std::string owner;
  store::Entry entry;
  retrieve::OpenedAnswerPtr answer;
};

// The parsed answer of an entry. Answers that were opened last are kept, also those that clients
// opened with `enfold_fetch`, so that further queries neither read nor parse them again.
Result<retrieve::OpenedAnswerPtr> open_answer(const Services& services, const std::string& owner,
                                              const store::Entry& entry, store::Time now) {
  const std::string key = tools::OpenedAnswers::key_of(entry);
  if (retrieve::OpenedAnswerPtr kept = services.opened->find(key)) return kept;
  ENFOLD_TRY(const std::string bytes, services.archive->get(owner, entry.handle, now));
  ENFOLD_TRY(retrieve::OpenedAnswerPtr answer,
             retrieve::open_answer(bytes, entry.meta.media_type, {.max_bytes = kLargestDocument}));
  services.opened->add(key, answer, bytes.size());
  return answer;
}

// The entry of a handle, of the first owner that has it.
Result<OpenedEntry> open_entry(const Services& services, const std::vector<std::string>& owners,
                               const std::string& handle) {
  const store::Time now = tools::store_time(*services.host);
  Result<OpenedEntry> out = fail(ErrorCode::not_found, "no archived answer has this handle", handle,
                                 "it may have expired; GET /api/v1/archive lists them");
  for (const std::string& owner : owners) {
    Result<store::Entry> entry = tools::find_entry(*services.archive, owner, handle, now);
    if (!entry && entry.error().code == ErrorCode::not_found) continue;
    if (!entry) return tl::unexpected(entry.error());
    ENFOLD_TRY(retrieve::OpenedAnswerPtr answer, open_answer(services, owner, *entry, now));
    return OpenedEntry{owner, std::move(*entry), std::move(answer)};
  }
  return out;
}

// Where the rows of a table are: a pointer, with * for each record of a table that holds lists.
std::string place_of(const retrieve::Tables& tables, const retrieve::Table& table) {
  std::string pointer =
      table.parent ? place_of(tables, tables.tables[*table.parent]) + "/*" : table.pointer;
  for (const std::string& token : table.path) json::append_token(pointer, token);
  return pointer;
}

net::HttpResponse tables_reply(const OpenedEntry& opened) {
  json::Writer writer;
  writer.begin_object().key("tables").begin_array();
  const auto& tables = *opened.answer->tables();
  for (const retrieve::Table& table : tables.tables) {
    writer.begin_object().member("name", table.name).member("pointer", place_of(tables, table));
    writer.member("rows", table.count).key("columns").begin_array();
    for (const retrieve::Column& column : table.columns) {
      if (column.is_hidden) continue;
      writer.begin_object().member("name", column.name);
      writer.member("type", retrieve::name(column.type)).end_object();
    }
    writer.end_array().end_object();
  }
  writer.end_array().end_object();
  return json_reply(std::move(writer));
}

std::optional<std::string> optional_text(const AdminRequest& request, std::string_view member) {
  return json::string_member(request.body.view(), member);
}

Result<retrieve::Query> query_in(const AdminRequest& request) {
  return retrieve::parse_query({.pointer = optional_text(request, "pointer"),
                                .range = optional_text(request, "range"),
                                .lines = optional_text(request, "lines"),
                                .find = optional_text(request, "find"),
                                .regex = optional_text(request, "regex"),
                                .where = optional_text(request, "where"),
                                .sql = optional_text(request, "sql")});
}

// The records of a page as a table: the columns are the members of all records. `rows` is null if
// the page has no list of objects.
void write_rows(json::Writer& writer, const model::Response& response) {
  writer.key("rows");
  const auto& payload = response.payload;
  if (!payload || !payload->view().is_array()) {
    writer.null();
    return;
  }
  std::vector<std::string> columns;
  for (const json::View record : payload->view().items()) {
    if (!record.is_object()) {
      writer.null();
      return;
    }
    for (const json::Member& member : record.members()) {
      std::string name = member.key.string();
      if (std::ranges::find(columns, name) == columns.end()) columns.push_back(std::move(name));
    }
  }
  writer.begin_object().member("columns", columns).key("rows").begin_array();
  for (const json::View record : payload->view().items()) {
    writer.begin_array();
    for (const std::string& column : columns) {
      const auto value = record.find(column);
      value ? writer.value(*value) : writer.null();
    }
    writer.end_array();
  }
  writer.end_array().end_object();
}

// Does the same steps as `enfold fetch`.
Result<answer::FittedAnswer> answer_query(const Services& services, const OpenedEntry& opened,
                                          retrieve::Position position,
                                          const answer::FitSettings& settings,
                                          const IsAbandoned& is_abandoned) {
  position.archive = opened.entry.handle;
  const retrieve::PageRequest request{.position = std::move(position),
                                      .archived = {opened.entry.handle, opened.entry.hash},
                                      .key = &services.key,
                                      .principal = opened.owner};
  const auto end = std::chrono::steady_clock::now() + kQueryTime;
  retrieve::SqlContext sql;
  sql.bounds.is_late = [end, is_abandoned] {
    return *is_abandoned || std::chrono::steady_clock::now() > end;
  };
  sql.bounds.now = std::chrono::duration_cast<std::chrono::milliseconds>(
                       services.host->calendar().time_since_epoch())
                       .count();
  ENFOLD_TRY(const retrieve::QueryResult found,
             retrieve::retrieve(*opened.answer, request.position.query,
                                retrieve::window_of(request), sql));
  return retrieve::answer_page(found, request, settings);
}

net::HttpResponse query_reply(const Services& services, const OpenedEntry& opened,
                              retrieve::Position position, const IsAbandoned& is_abandoned) {
  const std::chrono::microseconds began = services.host->clock();
  answer::FitSettings settings;
  answer::apply_budget({}, kPageTokens, settings);
  const Result<answer::FittedAnswer> page =
      answer_query(services, opened, std::move(position), settings, is_abandoned);
  if (!page) return error_reply(page.error());
  Result<json::Output> envelope = answer::write_envelope(page->answer, settings.shape);
  if (!envelope) return error_reply(envelope.error());
  const model::Response& response = page->answer.reading.response;
  json::Writer writer;
  writer.begin_object().key("answer").splice(std::move(*envelope));
  write_rows(writer, response);
  writer.key("cursor");
  const bool has_cursor = response.page && response.page->cursor;
  has_cursor ? writer.string(*response.page->cursor) : writer.null();
  const std::chrono::microseconds took = services.host->clock() - began;
  writer.key("ms").real(static_cast<double>(took.count()) / 1000).end_object();
  return json_reply(std::move(writer));
}

}  // namespace

std::vector<std::string> ArchivePages::owners() const {
  const Settings& settings = source_.calls.environment.settings;
  if (settings.principals.empty()) return {settings.answers.principal};
  std::vector<std::string> names;
  for (const Principal& one : settings.principals) names.push_back(one.name);
  return names;
}

void ArchivePages::with_archive(const Respond& respond, Work work) const {
  const auto services = source_.calls.local.services();
  if (!services->archive || !source_.calls.environment.settings.answers.keeps_originals) {
    respond(error_reply(404, "not_found", "this gateway has no archive",
                        "set archive in the configuration, or --archive"));
    return;
  }
  jobs_.run([services, work = std::move(work)](
                const IsAbandoned& is_abandoned) { return work(*services, is_abandoned); },
            respond);
}

void ArchivePages::list(const AdminRequest& request, const Respond& respond) const {
  std::vector<std::string> wanted = owners();
  const std::string& owner = request.parameter("owner");
  if (!owner.empty()) std::erase_if(wanted, [&](const std::string& one) { return one != owner; });
  const std::size_t limit = std::min<std::uint64_t>(request.number("limit", 100), kMaxEntries);
  const std::size_t offset = request.number("offset", 0);
  const std::string& handle = request.parameter("handle");
  with_archive(respond, [list = list_, wanted, handle, tool = request.parameter("tool"), limit,
                         offset, upstream = request.parameter("upstream"),
                         usage = usage_in(recorder_, handle)](const Services& services,
                                                              const auto&) {
    OwnedEntries accepted;
    const auto accept = [&](const OwnedEntry& one) {
      if (is_from(one.entry, upstream, *usage)) accepted.push_back(one);
    };
    if (!handle.empty()) {
      const auto found = entries_of(services, wanted, handle, tool);
      if (!found) return error_reply(found.error());
      std::ranges::for_each(*found, accept);
      return entries_reply(accepted, offset, limit, *usage);
    }
    const auto all = list->find(*services.archive, wanted, tool, tools::store_time(*services.host));
    if (!all) return error_reply(all.error());
    if (upstream.empty()) return entries_reply(*all->entries, offset, limit, *usage);
    std::ranges::for_each(*all->entries, accept);
    return entries_reply(accepted, offset, limit, *usage);
  });
}

void ArchivePages::statistics(const Respond& respond) const {
  with_archive(respond, [list = list_, all_owners = owners(), usage = usage_in(recorder_)](
                            const Services& services, const auto&) {
    const store::Time now = tools::store_time(*services.host);
    const auto all = list->find(*services.archive, all_owners, /*tool=*/"", now);
    return all ? statistics_reply(all->totals, *all->entries, *usage, now)
               : error_reply(all.error());
  });
}

void ArchivePages::drop_old_lists() const {
  serve::Host& host = source_.calls.environment.host;
  static_cast<void>(
      host.work([list = list_, now = tools::store_time(host)] { list->drop_old(now); }));
}

void ArchivePages::tables(const AdminRequest& request, const Respond& respond) const {
  with_archive(respond,
               [all = owners(), handle = request.path[3]](const Services& services, const auto&) {
                 const Result<OpenedEntry> opened = open_entry(services, all, handle);
                 return opened ? tables_reply(*opened) : error_reply(opened.error());
               });
}

void ArchivePages::query(const AdminRequest& request, const Respond& respond) const {
  with_archive(respond, [all = owners(), handle = request.path[3], request](
                            const Services& services, const IsAbandoned& is_abandoned) {
    const Result<OpenedEntry> opened = open_entry(services, all, handle);
    if (!opened) return error_reply(opened.error());
    retrieve::Position position;
    if (const std::string cursor = request.text("cursor"); !cursor.empty()) {
      Result<retrieve::Position> read = retrieve::from_cursor(cursor, services.key, opened->owner);
      if (!read) return error_reply(read.error());
      position = std::move(*read);
    } else {
      Result<retrieve::Query> query = query_in(request);
      if (!query) return error_reply(query.error());
      position.query = std::move(*query);
    }
    return query_reply(services, *opened, std::move(position), is_abandoned);
  });
}

}  // namespace enfold::gateway
