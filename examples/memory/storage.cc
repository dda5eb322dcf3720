// SPDX-License-Identifier: Apache-2.0
#include "storage.h"

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
constexpr std::size_t kWordsLookedFor = 32;

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

std::string any_of(const Words& words) {
  std::string text;
  std::size_t left = kWordsLookedFor;
  for (const std::string& word : words) {
    if (left-- == 0) break;
    text += word + " ";
  }
  return text_expression(text, Match::any);
}

}  // namespace

Result<std::unique_ptr<Storage>> Storage::open(const std::string& path, StorageOptions options) {
  auto database = Database::open(path);
  if (!database) return tl::unexpected(database.error());
  return std::unique_ptr<Storage>(new Storage(std::move(*database), options));
}

Result<Kept> Storage::add(const Draft& draft) {
  const Lock lock(turn_);
  const Result<std::int64_t> count = database_->number("SELECT count(*) FROM memory");
  if (!count) return tl::unexpected(count.error());
  if (*count >= options_.max_memories) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected room for one more, found {} memories", *count), "",
                "Delete what is not needed any more, or raise max_memories.");
  }
  Kept kept;
  kept.memory.content = draft.content;
  kept.memory.scope = draft.scope;
  kept.memory.category = draft.category;
  kept.memory.tags = draft.tags;
  kept.memory.metadata = draft.metadata;
  Transaction transaction(*database_);
  Status done = transaction.begin();
  if (done) done = insert(kept.memory);
  if (done) done = relate(kept);
  if (done) done = transaction.commit();
  if (!done) return tl::unexpected(done.error());
  return kept;
}

Status Storage::insert(Memory& memory) {
  const std::int64_t now = milliseconds_now();
  memory.id = new_id();
  memory.created_at = memory.updated_at = time_text(now);
  return database_->run(
      "INSERT INTO memory(id,content,scope,category,tags,metadata,created,updated,revision)"
      " VALUES(?1,?2,?3,?4,?5,?6,?7,?7,1)",
      {memory.id, memory.content, memory.scope, memory.category, lines_of(memory.tags),
       json_of(memory.metadata), now});
}

// Looks in the same scope for what is similar: the same is a duplicate, the nearest are associated.
Status Storage::relate(Kept& kept) {
  const Words words = words_of(kept.memory.content);
  const std::string expression = any_of(words);
  if (expression.empty()) return {};
  std::vector<std::pair<double, std::string>> similar;
  Status done = database_->run(
      "SELECT memory.id,memory.content FROM memory_text JOIN memory ON memory.row=memory_text.rowid"
      " WHERE memory_text MATCH ?1 AND scope=?2 AND id<>?3 ORDER BY memory_text.rank LIMIT 20",
      {expression, kept.memory.scope, kept.memory.id}, [&](const Row& row) {
        similar.emplace_back(similarity(words, words_of(row.text(1))), row.text(0));
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
                "Get the memory again and decide anew.");
  }
  memory.content = change.content.value_or(memory.content);
  memory.category = change.category.value_or(memory.category);
  memory.tags = change.tags.value_or(memory.tags);
  memory.metadata = change.metadata.value_or(memory.metadata);
  memory.revision += 1;
  const std::int64_t now = milliseconds_now();
  memory.updated_at = time_text(now);
  Status done = database_->run(
      "UPDATE memory SET content=?2,category=?3,tags=?4,metadata=?5,updated=?6,revision=?7"
      " WHERE id=?1",
      {id, memory.content, memory.category, lines_of(memory.tags), json_of(memory.metadata), now,
       memory.revision});
  if (done) done = transaction.commit();
  if (!done) return tl::unexpected(done.error());
  return memory;
}

Result<bool> Storage::remove(const std::string& id) {
  const Lock lock(turn_);
  const Status done = database_->run("DELETE FROM memory WHERE id=?1", {id});
  if (!done) return tl::unexpected(done.error());
  return database_->changes() > 0;
}

Result<bool> Storage::move(const std::string& id, const std::string& scope) {
  const Lock lock(turn_);
  const Status done =
      database_->run("UPDATE memory SET scope=?2,updated=?3,revision=revision+1 WHERE id=?1",
                     {id, scope, milliseconds_now()});
  if (!done) return tl::unexpected(done.error());
  return database_->changes() > 0;
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
