// SPDX-License-Identifier: Apache-2.0
// One connection to the SQLite file: opening with the right modes and schema, statements that are
// prepared once, and SQLite's result codes as Enfold errors. Not for two threads at once.
#pragma once

#include "enfold/base/result.h"
#include "enfold/store/archive.h"
#include "enfold/store/sqlite/open_files.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace enfold::store::detail {

class Database {
 public:
  /// Makes folders (0700), file (0600) and schema as needed. `timeout`: how long an operation waits
  /// for the locks of other connections before it fails with `timed_out`.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::string& path,
                                                              Durability durability,
                                                              std::chrono::milliseconds timeout);
  /// Changes and creates no file.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open_read_only(
      const std::string& path, std::chrono::milliseconds timeout);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// One or more statements without parameters; rows are ignored.
  [[nodiscard]] Status run(const char* sql);
  /// The last error of SQLite on this connection, as "cannot DOING: …".
  [[nodiscard]] Error error(std::string_view doing) const;
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Leaves checkpoints to another connection: they write the log (SQLite's WAL) back into the
  /// file, which takes an fsync, and no put should wait for it.
  void disable_checkpoints();
  /// Pages in the log after the last commit of this connection; 0 unless checkpoints are disabled.
  [[nodiscard]] int wal_pages() const { return wal_pages_; }
  /// `passive` waits for no other connection; `full` waits for writers and readers, and `truncate`
  /// also shortens the log. Returns the number of pages of the log that are not in the file yet.
  enum class Checkpoint { passive, full, truncate };
  [[nodiscard]] Result<int> checkpoint(Checkpoint mode);

  /// The first column of the first row; 0 if there is no row.
  [[nodiscard]] Result<std::int64_t> number(const char* sql);

 private:
  friend class Statement;
  Database(std::string path, std::chrono::milliseconds timeout);
  /// SQLite calls it while another connection holds a lock; 0 ends the wait with an error. `tries`:
  /// how often it was called for this lock before.
  static int wait_for_others(void* self, int tries);
  [[nodiscard]] Status connect(const std::string& name, int flags);
  /// Fails for a database that is no archive, or one of a newer program.
  [[nodiscard]] Status check_format(std::int64_t application, std::int64_t version,
                                    std::int64_t tables) const;
  [[nodiscard]] Status switch_to_wal();
  [[nodiscard]] Status configure(Durability durability);
  /// Brings the file to the current schema (schema.h); refuses files of other programs.
  [[nodiscard]] Status migrate();
  /// The prepared statement, which is prepared at first use; nullptr: SQLite refused it.
  [[nodiscard]] sqlite3_stmt* prepared(const char* sql);

  std::string path_;
  OpenFile open_file_;  ///< registers the file while this connection is open
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point waits_since_{};  ///< for the current lock
  sqlite3* handle_ = nullptr;
  int wal_pages_ = 0;                                   ///< see wal_pages()
  std::map<std::string_view, sqlite3_stmt*> prepared_;  ///< keys are literals
};

/// One use of a prepared statement; the destructor ends it, and with it its read transaction.
/// Only one use of the same `sql` at a time.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Binds parameters in the order of the question marks. Bytes must stay valid until the last
  /// step.
  Statement& number(std::int64_t value);
  Statement& text(std::string_view value);
  Statement& blob(std::string_view value);

  /// True: there is a row. False: there are no more rows.
  [[nodiscard]] Result<bool> step();
  [[nodiscard]] Status finish();  ///< steps until there is no row

  /// Each call reads the next column of the row, from the left; step() starts again at the first.
  [[nodiscard]] std::int64_t next_number();
  [[nodiscard]] std::string next_bytes();
  [[nodiscard]] bool next_is_null() const;  ///< does not move on

 private:
  Database& database_;
  sqlite3_stmt* statement_;
  int parameter_ = 0;  ///< number of the last parameter bound, from 1
  int column_ = 0;     ///< index of the next column, from 0
  bool bound_ = true;  ///< every parameter was bound; else step() fails
};

/// BEGIN IMMEDIATE … COMMIT; the destructor rolls back unless commit() succeeded.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  [[nodiscard]] Status begin();
  [[nodiscard]] Status commit();

 private:
  Database& database_;
  bool open_ = false;
};

}  // namespace enfold::store::detail
