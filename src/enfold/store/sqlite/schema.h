// SPDX-License-Identifier: Apache-2.0
// The migrations from an empty SQLite file to the current format; docs/reference/formats/archive.md
// explains that format. A released step is never edited; append a new step.
#pragma once

#include <array>
#include <cstdint>

namespace enfold::store::detail {

inline constexpr std::int64_t kApplicationId = 0x456E666F;  // "Enfo"

// Content has its own table: SQLite rewrites a whole row on every update, and extending the life of
// an entry must not write its bytes again.
inline constexpr const char* kSchemaArchive = R"sql(
CREATE TABLE entry(
  id INTEGER PRIMARY KEY,
  principal BLOB NOT NULL,
  hash BLOB NOT NULL,
  handle TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  size INTEGER NOT NULL,
  stored INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  tool TEXT NOT NULL,
  arguments_hash TEXT NOT NULL,
  media_type TEXT NOT NULL);
CREATE UNIQUE INDEX entry_by_hash ON entry(principal, hash);
CREATE UNIQUE INDEX entry_by_handle ON entry(principal, handle);
CREATE UNIQUE INDEX entry_by_age ON entry(sequence);
CREATE INDEX entry_of_principal_by_age ON entry(principal, sequence);
CREATE INDEX entry_by_expiry ON entry(expires);
CREATE TABLE content(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE holding(
  principal BLOB PRIMARY KEY,
  entries INTEGER NOT NULL,
  size INTEGER NOT NULL,
  stored INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
  INSERT INTO holding VALUES(NEW.principal, 1, NEW.size, NEW.stored)
    ON CONFLICT(principal) DO UPDATE SET
      entries = entries + 1, size = size + NEW.size, stored = stored + NEW.stored;
END;
CREATE TRIGGER entry_repacked AFTER UPDATE OF stored ON entry BEGIN
  UPDATE holding SET stored = stored - OLD.stored + NEW.stored WHERE principal = NEW.principal;
END;
CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
  DELETE FROM content WHERE id = OLD.id;
  UPDATE holding SET entries = entries - 1, size = size - OLD.size, stored = stored - OLD.stored
    WHERE principal = OLD.principal;
  DELETE FROM holding WHERE principal = OLD.principal AND entries <= 0;
END;
)sql";

inline constexpr const char* kSchemaCounters = R"sql(
CREATE TABLE bucket(key BLOB PRIMARY KEY, full_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX bucket_by_time ON bucket(full_at);
)sql";

// A handle belongs to one media type: the same bytes with another media type are another entry.
inline constexpr const char* kSchemaKinds = R"sql(
DROP INDEX entry_by_hash;
CREATE UNIQUE INDEX entry_by_hash ON entry(principal, hash, media_type);
)sql";

// The sums over all principals. Computing them from `holding` would read the whole table each time.
inline constexpr const char* kSchemaTotal = R"sql(
CREATE TABLE total(
  id INTEGER PRIMARY KEY CHECK(id = 1),
  principals INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  size INTEGER NOT NULL,
  stored INTEGER NOT NULL);
INSERT INTO total SELECT 1, count(*), coalesce(sum(entries), 0), coalesce(sum(size), 0),
  coalesce(sum(stored), 0) FROM holding;
CREATE TRIGGER holding_added AFTER INSERT ON holding BEGIN
  UPDATE total SET principals = principals + 1, entries = entries + NEW.entries,
    size = size + NEW.size, stored = stored + NEW.stored;
END;
CREATE TRIGGER holding_changed AFTER UPDATE ON holding BEGIN
  UPDATE total SET entries = entries - OLD.entries + NEW.entries,
    size = size - OLD.size + NEW.size, stored = stored - OLD.stored + NEW.stored;
END;
CREATE TRIGGER holding_removed AFTER DELETE ON holding BEGIN
  UPDATE total SET principals = principals - 1, entries = entries - OLD.entries,
    size = size - OLD.size, stored = stored - OLD.stored;
END;
)sql";

// To find the principal that holds most, when all principals together hold too much.
inline constexpr const char* kSchemaShares = R"sql(
CREATE INDEX holding_by_stored ON holding(stored);
)sql";

/// kSchemaSteps[n] migrates from version n to n + 1.
inline constexpr std::array kSchemaSteps{kSchemaArchive, kSchemaCounters, kSchemaKinds,
                                         kSchemaTotal, kSchemaShares};
inline constexpr std::int64_t kSchemaVersion = kSchemaSteps.size();

}  // namespace enfold::store::detail
