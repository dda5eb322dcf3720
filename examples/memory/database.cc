// SPDX-License-Identifier: Apache-2.0
#include "database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace memory {
namespace {

using enfold::Error;
using enfold::ErrorCode;
using enfold::fail;

constexpr int kBusyTimeoutMs = 5000;
constexpr std::int64_t kSchemaVersion = 2;

// `folded` is what is searched: content, tags and category, folded. Two indexes point into it and
// hold no text of their own; triggers keep them in step. memory_text has all sequences of three
// characters, so it finds parts of words and text of any script; memory_words has words, to rank
// whole ones first. An association is in the table in both directions, so that either end finds it.
constexpr const char* kSchema = R"(CREATE TABLE memory(
  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL, scope TEXT NOT NULL,
  category TEXT NOT NULL, tags TEXT NOT NULL, metadata TEXT NOT NULL, folded TEXT NOT NULL,
  created INTEGER NOT NULL, updated INTEGER NOT NULL, revision INTEGER NOT NULL) STRICT;
CREATE INDEX memory_by_scope ON memory(scope);
CREATE VIRTUAL TABLE memory_text USING fts5(folded, content='memory', content_rowid='row',
  tokenize='trigram case_sensitive 1');
CREATE VIRTUAL TABLE memory_words USING fts5(folded, content='memory', content_rowid='row',
  tokenize='unicode61');
CREATE TRIGGER memory_added AFTER INSERT ON memory BEGIN
  INSERT INTO memory_text(rowid, folded) VALUES(new.row, new.folded);
  INSERT INTO memory_words(rowid, folded) VALUES(new.row, new.folded);
END;
CREATE TRIGGER memory_removed AFTER DELETE ON memory BEGIN
  INSERT INTO memory_text(memory_text, rowid, folded) VALUES('delete', old.row, old.folded);
  INSERT INTO memory_words(memory_words, rowid, folded) VALUES('delete', old.row, old.folded);
END;
CREATE TRIGGER memory_changed AFTER UPDATE OF folded ON memory BEGIN
  INSERT INTO memory_text(memory_text, rowid, folded) VALUES('delete', old.row, old.folded);
  INSERT INTO memory_words(memory_words, rowid, folded) VALUES('delete', old.row, old.folded);
  INSERT INTO memory_text(rowid, folded) VALUES(new.row, new.folded);
  INSERT INTO memory_words(rowid, folded) VALUES(new.row, new.folded);
END;
CREATE TABLE association(
  source INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
  target INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
  strength REAL NOT NULL, created INTEGER NOT NULL,
  PRIMARY KEY(source, target)) STRICT, WITHOUT ROWID;
CREATE INDEX association_by_target ON association(target);
CREATE TABLE secret(cursor_key TEXT NOT NULL) STRICT;
INSERT INTO secret VALUES(hex(randomblob(32)));
PRAGMA user_version=2;
)";

ErrorCode code_of(int result) {
  switch (result & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return ErrorCode::invalid_input;
    default: return ErrorCode::unavailable;
  }
}

bool bind(sqlite3_stmt* statement, int place, const Bound& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return sqlite3_bind_int64(statement, place, *number) == SQLITE_OK;
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return sqlite3_bind_double(statement, place, *real) == SQLITE_OK;
  }
  const auto& text = *std::get_if<std::string>(&value);
  return sqlite3_bind_text64(statement, place, text.data(), text.size(), SQLITE_STATIC,
                             SQLITE_UTF8) == SQLITE_OK;
}

// Memories are private. SQLite gives its other files the permissions of this one.
void create_private(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor >= 0) ::close(descriptor);
}

}  // namespace

std::int64_t Row::number(int column) const { return sqlite3_column_int64(statement_, column); }
double Row::real(int column) const { return sqlite3_column_double(statement_, column); }
std::string Row::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes != nullptr ? std::string(bytes, size) : std::string();
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path) {
  std::unique_ptr<Database> database(new Database(path));
  ENFOLD_TRY(database->connect());
  ENFOLD_TRY(database->prepare_schema());
  return database;
}

Database::~Database() {
  for (const auto& [sql, statement] : prepared_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

Status Database::connect() {
  if (path_ != ":memory:") create_private(path_);
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path_.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    return tl::unexpected(error());
  }
  sqlite3_busy_timeout(handle_, kBusyTimeoutMs);
  ENFOLD_TRY(switch_to_wal());
  for (const char* pragma :
       {"PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON", "PRAGMA secure_delete=FAST"}) {
    if (Status done = run(pragma); !done) return done;
  }
  return {};
}

// The first process that opens a new file switches it to WAL. SQLite does not wait for the lock in
// this case, so the others try again.
Status Database::switch_to_wal() {
  for (int tries = kBusyTimeoutMs; tries > 0; --tries) {
    Status done = run("PRAGMA journal_mode=WAL");
    if (done || sqlite3_errcode(handle_) != SQLITE_BUSY) return done;
    sqlite3_sleep(1);
  }
  return run("PRAGMA journal_mode=WAL");
}

// Two processes may start on a new file at once: the first to get the transaction makes the tables.
Status Database::prepare_schema() {
  ENFOLD_TRY(const std::int64_t before, number("PRAGMA user_version"));
  if (before == kSchemaVersion) return {};
  Transaction transaction(*this);
  ENFOLD_TRY(transaction.begin());
  ENFOLD_TRY(const std::int64_t version, number("PRAGMA user_version"));
  ENFOLD_TRY(const std::int64_t tables, number("SELECT count(*) FROM sqlite_schema"));
  if (version == kSchemaVersion) return {};
  if (version != 0 || tables != 0) {
    return fail(ErrorCode::invalid_input,
                "expected a database of this program, found one of another program or version",
                path_, "Name another file as `database`; this one is left as it is.");
  }
  if (sqlite3_exec(handle_, kSchema, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return tl::unexpected(error());
  }
  return transaction.commit();
}

Error Database::error() const {
  const int result = handle_ != nullptr ? sqlite3_extended_errcode(handle_) : SQLITE_NOMEM;
  return {code_of(result), std::string("The memories cannot be reached: ") + sqlite3_errstr(result),
          path_, "Look at the file, its folder and the disk; then try again."};
}

Status Database::run(const char* sql, std::initializer_list<Bound> values, const EachRow& each) {
  sqlite3_stmt*& statement = prepared_[sql];
  if (statement == nullptr && sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                                 &statement, nullptr) != SQLITE_OK) {
    return tl::unexpected(error());
  }
  int place = 0;
  bool good = true;
  for (const Bound& value : values) good = bind(statement, ++place, value) && good;
  int result = SQLITE_DONE;
  while (good && (result = sqlite3_step(statement)) == SQLITE_ROW) {
    if (each) each(Row(statement));
  }
  good = good && result == SQLITE_DONE;
  Status done = good ? Status{} : tl::unexpected(error());
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  return done;
}

Result<std::int64_t> Database::number(const char* sql, std::initializer_list<Bound> values) {
  std::int64_t first = 0;
  const Status done = run(sql, values, [&](const Row& row) { first = row.number(0); });
  if (!done) return tl::unexpected(done.error());
  return first;
}

std::int64_t Database::changes() const { return sqlite3_changes64(handle_); }

Transaction::~Transaction() {
  if (open_) (void)database_.run("ROLLBACK");
}

Status Transaction::begin() {
  Status done = database_.run("BEGIN IMMEDIATE");
  open_ = done.has_value();
  return done;
}

Status Transaction::commit() {
  Status done = database_.run("COMMIT");
  if (done) open_ = false;
  return done;
}

}  // namespace memory
