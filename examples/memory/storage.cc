// SPDX-License-Identifier: Apache-2.0
#include "storage.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "rows.h"

#include <algorithm>
#include <fmt/core.h>
#include <functional>

namespace memory {
namespace {

using enfold::ErrorCode;
using enfold::fail;
using Lock = std::lock_guard<std::mutex>;

constexpr double kSame = 0.95;  // from here on two memories say the same
constexpr std::size_t kMostAssociated = 3;
constexpr std::size_t kPiecesLookedFor = 64;

std::string json_of(const std::map<std::string, std::string>& metadata) {
  enfold::json::Writer writer;
  writer.begin_object();
  for (const auto& [key, value] : metadata) writer.member(key, value);
  writer.end_object();
  return std::move(writer).finish().str();
}

// Lines, with a break before and after each tag, so that one can be found whole.
std::string lines_of(const std::vector<std::string>& tags) {
  std::string out = tags.empty() ? "" : "\n";
  for (const std::string& tag : tags) out += tag + "\n";
  return out;
}

// What a caller cannot know without counting. Nothing of the content is repeated.
std::map<std::string, std::string> made_metadata(const std::string& content) {
  return {{"characters", std::to_string(enfold::utf8::length(content))}};
}

std::vector<std::string> each_once(const std::vector<std::string>& ids) {
  std::vector<std::string> once;
  for (const std::string& id : ids) {
    if (std::find(once.begin(), once.end(), id) == once.end()) once.push_back(id);
  }
  return once;
}

}  // namespace

Result<std::unique_ptr<Storage>> Storage::open(const std::string& path, StorageOptions options) {
  ENFOLD_TRY(auto database, Database::open(path));
  ENFOLD_TRY(Folding folding, database->folding());
  return std::unique_ptr<Storage>(new Storage(std::move(database), std::move(folding), options));
}

Result<std::string> Storage::cursor_key() {
  const Lock lock(turn_);
  std::string key;
  ENFOLD_TRY(database_->run("SELECT cursor_key FROM secret", {},
                            [&](const Row& row) { key = row.text(0); }));
  return key;
}

Status Storage::check_room() {
  ENFOLD_TRY(const std::int64_t count, database_->number("SELECT count(*) FROM memory"));
  if (count < options_.max_memories) return {};
  return fail(ErrorCode::limit_exceeded,
              fmt::format("expected room for one more, found {} memories", count), "",
              "Delete what is not needed any more, or raise max_memories.");
}

Result<Kept> Storage::add(const Draft& draft) {
  const Lock lock(turn_);
  Kept kept;
  kept.memory.content = draft.content;
  kept.memory.scope = draft.scope;
  kept.memory.category = draft.category;
  kept.memory.tags = draft.tags;
  kept.memory.metadata = draft.metadata.value_or(made_metadata(draft.content));
  Transaction transaction(*database_);
  ENFOLD_TRY(transaction.begin());
  ENFOLD_TRY(check_room());
  ENFOLD_TRY(insert(kept.memory));
  ENFOLD_TRY(relate(kept));
  ENFOLD_TRY(transaction.commit());
  return kept;
}

std::string Storage::searched(const Memory& memory) const {
  return folding_.fold(memory.content + "\n" + lines_of(memory.tags) + "\n" + memory.category);
}

Status Storage::insert(Memory& memory) {
  const std::int64_t now = milliseconds_now();
  memory.id = new_id();
  memory.created_at = memory.updated_at = time_text(now);
  return database_->run(
      "INSERT INTO memory(id,content,scope,category,tags,metadata,folded,created,updated,revision)"
      " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?8,1)",
      {memory.id, memory.content, memory.scope, memory.category, lines_of(memory.tags),
       json_of(memory.metadata), searched(memory), now});
}

// Looks in the same scope for what is similar: the same is a duplicate, the nearest are associated.
Status Storage::relate(Kept& kept) {
  const Pieces pieces = pieces_of(folding_.fold(kept.memory.content));
  std::vector<std::pair<double, std::string>> similar;
  Status done = database_->run(
      "SELECT memory.id,memory.content FROM memory_text JOIN memory ON memory.row=memory_text.rowid"
      " WHERE memory_text MATCH ?1 AND scope=?2 AND id<>?3 ORDER BY memory_text.rank LIMIT 20",
      {any_of(pieces, kPiecesLookedFor), kept.memory.scope, kept.memory.id}, [&](const Row& row) {
        similar.emplace_back(similarity(pieces, pieces_of(folding_.fold(row.text(1)))),
                             row.text(0));
      });
  std::sort(similar.begin(), similar.end(), std::greater<>());
  for (const auto& [how_much, id] : similar) {
    if (how_much >= kSame && !kept.duplicate_of) kept.duplicate_of = id;
    const bool enough = kept.associated.size() == kMostAssociated;
    if (!done || enough || how_much < options_.associate_from) break;
    const Result<bool> connected = connect(kept.memory.id, id, how_much);
    if (!connected) return tl::unexpected(connected.error());
    kept.associated.push_back(id);
  }
  return done;
}

Result<std::optional<Memory>> Storage::look(const std::string& id) {
  std::optional<Memory> found;
  const Status done = database_->run("SELECT " MEMORY_COLUMNS " FROM memory WHERE id=?1", {id},
                                     [&](const Row& row) { found = read_memory(row); });
  if (!done) return tl::unexpected(done.error());
  return found;
}

Result<std::optional<Memory>> Storage::find(const std::string& id) {
  const Lock lock(turn_);
  return look(id);
}

Result<std::optional<Memory>> Storage::change(const std::string& id, const Change& change,
                                              std::optional<std::int64_t> expected) {
  const Lock lock(turn_);
  Transaction transaction(*database_);
  if (Status begun = transaction.begin(); !begun) return tl::unexpected(begun.error());
  Result<std::optional<Memory>> found = look(id);
  if (!found || !*found) return found;
  Memory memory = std::move(**found);
  if (expected && *expected != memory.revision) {
    return fail(ErrorCode::conflict,
                fmt::format("expected revision {}, found {}", *expected, memory.revision), "",
                "Get the memory again, then change what is there now.");
  }
  const bool is_made = memory.metadata == made_metadata(memory.content);
  memory.content = change.content.value_or(memory.content);
  memory.category = change.category.value_or(memory.category);
  memory.tags = change.tags.value_or(memory.tags);
  memory.metadata =
      change.metadata.value_or(is_made ? made_metadata(memory.content) : memory.metadata);
  memory.revision += 1;
  const std::int64_t now = milliseconds_now();
  memory.updated_at = time_text(now);
  Status done = database_->run(
      "UPDATE memory SET content=?2,category=?3,tags=?4,metadata=?5,updated=?6,revision=?7,"
      "folded=?8 WHERE id=?1",
      {id, memory.content, memory.category, lines_of(memory.tags), json_of(memory.metadata), now,
       memory.revision, searched(memory)});
  if (done) done = transaction.commit();
  if (!done) return tl::unexpected(done.error());
  return memory;
}

Result<Done> Storage::remove(const std::vector<std::string>& ids) {
  const Lock lock(turn_);
  Transaction transaction(*database_);
  ENFOLD_TRY(transaction.begin());
  Done removed;
  for (const std::string& id : each_once(ids)) {
    ENFOLD_TRY(std::optional<Memory> found, look(id));
    ENFOLD_TRY(database_->run("DELETE FROM memory WHERE id=?1", {id}));
    found ? removed.memories.push_back(std::move(*found)) : removed.missing.push_back(id);
  }
  ENFOLD_TRY(transaction.commit());
  return removed;
}

Result<Done> Storage::move(const std::vector<std::string>& ids, const std::string& scope) {
  const Lock lock(turn_);
  Transaction transaction(*database_);
  ENFOLD_TRY(transaction.begin());
  Done moved;
  for (const std::string& id : each_once(ids)) {
    ENFOLD_TRY(
        database_->run("UPDATE memory SET scope=?2,updated=?3,revision=revision+1 WHERE id=?1",
                       {id, scope, milliseconds_now()}));
    ENFOLD_TRY(std::optional<Memory> found, look(id));
    found ? moved.memories.push_back(std::move(*found)) : moved.missing.push_back(id);
  }
  ENFOLD_TRY(transaction.commit());
  return moved;
}

Result<bool> Storage::connect(const std::string& a, const std::string& b, double strength) {
  const Status done = database_->run(
      "INSERT OR REPLACE INTO association SELECT one.row,other.row,?3,?4 FROM memory one"
      " JOIN memory other WHERE (one.id=?1 AND other.id=?2) OR (one.id=?2 AND other.id=?1)",
      {a, b, strength, milliseconds_now()});
  if (!done) return tl::unexpected(done.error());
  return database_->changes() > 0;
}

Result<bool> Storage::associate(const std::string& a, const std::string& b, double strength) {
  const Lock lock(turn_);
  return connect(a, b, strength);
}

Result<bool> Storage::dissociate(const std::string& a, const std::string& b) {
  const Lock lock(turn_);
  const Status done = database_->run(
      "DELETE FROM association WHERE (source,target) IN (SELECT one.row,other.row FROM memory one"
      " JOIN memory other WHERE (one.id=?1 AND other.id=?2) OR (one.id=?2 AND other.id=?1))",
      {a, b});
  if (!done) return tl::unexpected(done.error());
  return database_->changes() > 0;
}

}  // namespace memory
