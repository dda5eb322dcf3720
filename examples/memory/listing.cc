// SPDX-License-Identifier: Apache-2.0
// The parts of the storage that give many memories at once.
#include "enfold/json/write.h"
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

std::string json_of(const std::vector<std::string>& words) {
  enfold::json::Writer writer;
  writer.begin_array();
  for (const std::string& word : words) writer.string(word);
  writer.end_array();
  return std::move(writer).finish().str();
}

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

Query Storage::read_query(std::string_view query, Match match) {
  const Lock lock(turn_);
  return query_of(folding_.fold(query), match);
}

// ?4 the expression for the index, ?5 the short words as JSON, ?6 how many of these are needed, ?7
// the expression for whole words. Rank is better the smaller it is; people expect the opposite.
#define MEMORY_FOUND                                                                      \
  "WITH part(row,score) AS ("                                                             \
  "SELECT rowid,-rank FROM memory_text WHERE memory_text MATCH ?4 UNION ALL "             \
  "SELECT memory.row,1.0 FROM memory JOIN json_each(?5) WHERE instr(folded,value)),"      \
  "found AS (SELECT row,sum(score) AS score FROM part GROUP BY row HAVING count(*)>=?6)," \
  "whole AS (SELECT rowid FROM memory_words WHERE memory_words MATCH ?7) "

Result<Listing> Storage::search(const Query& query, const Filter& filter, Slice slice) {
  const Lock lock(turn_);
  std::vector<Memory> memories;
  const std::string short_words = json_of(query.short_words);
  const auto total = database_->number(
      MEMORY_FOUND "SELECT count(*) FROM found JOIN memory USING(row) WHERE " MEMORY_FILTER,
      {filter.scope, filter.category, filter.tag, query.indexed, short_words, query.needed,
       query.whole});
  // From 0 to 1 for parts of words, from 1 to 2 for whole words.
  const Status done =
      database_->run(MEMORY_FOUND "SELECT " MEMORY_COLUMNS
                                  ",found.score/(1+found.score)+(memory.row IN whole) AS score"
                                  " FROM found JOIN memory USING(row) WHERE " MEMORY_FILTER
                                  " ORDER BY score DESC,memory.row LIMIT ?8 OFFSET ?9",
                     {filter.scope, filter.category, filter.tag, query.indexed, short_words,
                      query.needed, query.whole, number(slice.size), number(slice.offset)},
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
