// SPDX-License-Identifier: Apache-2.0
// The parts of the storage that give many memories at once.
#include "rows.h"
#include "storage.h"

#include <fmt/core.h>

namespace memory {
namespace {

using Lock = std::lock_guard<std::mutex>;

// ?1 scope, ?2 category, ?3 tag. '0' is the character after '/', so the range is what lies inside.
#define MEMORY_FILTER                                                             \
  "(?1='' OR memory.scope=?1 OR (memory.scope>?1||'/' AND memory.scope<?1||'0'))" \
  " AND (?2='' OR memory.category=?2)"                                            \
  " AND (?3='' OR instr(memory.tags,char(10)||?3||char(10)))"

// Three digits are enough to compare by, and cheaper to read.
double rounded(double value) { return std::stod(fmt::format("{:.3g}", value)); }

std::int64_t number(std::size_t value) { return static_cast<std::int64_t>(value); }

// `total` first, because a page may be empty and a count is never.
Result<Listing> listing(const Result<std::int64_t>& total, Status done,
                        std::vector<Memory> memories) {
  if (!total) return tl::unexpected(total.error());
  if (!done) return tl::unexpected(done.error());
  return Listing{std::move(memories), *total};
}

}  // namespace

Result<Listing> Storage::list(const Filter& filter, Slice slice) {
  const Lock lock(turn_);
  std::vector<Memory> memories;
  const auto total = database_->number("SELECT count(*) FROM memory WHERE " MEMORY_FILTER,
                                       {filter.scope, filter.category, filter.tag});
  const Status done = database_->run(
      "SELECT " MEMORY_COLUMNS " FROM memory WHERE " MEMORY_FILTER
      " ORDER BY memory.row DESC LIMIT ?4 OFFSET ?5",
      {filter.scope, filter.category, filter.tag, number(slice.size), number(slice.offset)},
      [&](const Row& row) { memories.push_back(read_memory(row)); });
  return listing(total, done, std::move(memories));
}

Result<Listing> Storage::search(const std::string& expression, const Filter& filter, Slice slice) {
  const Lock lock(turn_);
  std::vector<Memory> memories;
  const auto total = database_->number(
      "SELECT count(*) FROM memory_text JOIN memory ON memory.row=memory_text.rowid"
      " WHERE memory_text MATCH ?4 AND " MEMORY_FILTER,
      {filter.scope, filter.category, filter.tag, expression});
  // Rank is better the smaller it is; people expect the opposite.
  const Status done = database_->run("SELECT " MEMORY_COLUMNS
                                     ",-memory_text.rank"
                                     " FROM memory_text JOIN memory ON memory.row=memory_text.rowid"
                                     " WHERE memory_text MATCH ?4 AND " MEMORY_FILTER
                                     " ORDER BY memory_text.rank,memory.row LIMIT ?5 OFFSET ?6",
                                     {filter.scope, filter.category, filter.tag, expression,
                                      number(slice.size), number(slice.offset)},
                                     [&](const Row& row) {
                                       memories.push_back(read_memory(row));
                                       memories.back().score = rounded(row.real(kMemoryColumns));
                                     });
  return listing(total, done, std::move(memories));
}

Result<std::vector<ScopeCount>> Storage::scopes(const std::string& inside) {
  const Lock lock(turn_);
  std::vector<ScopeCount> scopes;
  const Status done =
      database_->run("SELECT scope,count(*),max(updated) FROM memory WHERE " MEMORY_FILTER
                     " GROUP BY scope ORDER BY scope",
                     {inside, "", ""}, [&](const Row& row) {
                       scopes.push_back({row.text(0), row.number(1), time_text(row.number(2))});
                     });
  if (!done) return tl::unexpected(done.error());
  return scopes;
}

Result<Listing> Storage::associations(const std::string& id, std::int64_t steps, Slice slice) {
#define MEMORY_WALK                                                                      \
  "WITH RECURSIVE walk(row,distance,strength) AS ("                                      \
  "SELECT row,0,1.0 FROM memory WHERE id=?1 UNION "                                      \
  "SELECT target,distance+1,walk.strength*association.strength FROM walk"                \
  " JOIN association ON association.source=walk.row WHERE distance<?2),"                 \
  "reached AS (SELECT row,min(distance) AS distance,max(strength) AS strength FROM walk" \
  " GROUP BY row HAVING min(distance)>0) "
  const Lock lock(turn_);
  std::vector<Memory> memories;
  const auto total = database_->number(MEMORY_WALK "SELECT count(*) FROM reached", {id, steps});
  const Status done =
      database_->run(MEMORY_WALK "SELECT " MEMORY_COLUMNS
                                 ",reached.distance,reached.strength"
                                 " FROM reached JOIN memory USING(row)"
                                 " ORDER BY reached.strength DESC,memory.row LIMIT ?3 OFFSET ?4",
                     {id, steps, number(slice.size), number(slice.offset)}, [&](const Row& row) {
                       memories.push_back(read_memory(row));
                       memories.back().distance = row.number(kMemoryColumns);
                       memories.back().strength = rounded(row.real(kMemoryColumns + 1));
                     });
  return listing(total, done, std::move(memories));
}

}  // namespace memory
