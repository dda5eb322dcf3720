// SPDX-License-Identifier: Apache-2.0
// One SQLite file: opened in WAL mode, with statements that are prepared once and values that are
// bound, never pasted into SQL. Not for two threads at once.
#pragma once

#include "enfold/base/result.h"
#include "folding.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace memory {

using enfold::Result;
using enfold::Status;

/// For ?1, ?2 … of a statement.
using Bound = std::variant<std::int64_t, double, std::string>;

/// The row that a statement stands at; columns count from 0.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  sqlite3_stmt* statement_;
};
using EachRow = std::function<void(const Row&)>;

class Database {
 public:
  /// Makes the file when there is none; ":memory:" is a database without a file. Refuses a file
  /// that another program made.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::string& path);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// `sql` must be a literal: what is prepared is kept under its address. No statement may run
  /// inside `each` that is running already.
  [[nodiscard]] Status run(const char* sql, std::initializer_list<Bound> values = {},
                           const EachRow& each = {});
  /// The first column of the first row; 0 without rows.
  [[nodiscard]] Result<std::int64_t> number(const char* sql,
                                            std::initializer_list<Bound> values = {});
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] Result<Folding> folding() const { return Folding::of(handle_); }

 private:
  explicit Database(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] Status connect();
  [[nodiscard]] Status switch_to_wal();
  [[nodiscard]] Status prepare_schema();
  [[nodiscard]] enfold::Error error() const;

  std::string path_;
  sqlite3* handle_ = nullptr;
  std::map<const char*, sqlite3_stmt*> prepared_;
};

/// Everything between begin and commit happens, or nothing.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  [[nodiscard]] Status begin();
  [[nodiscard]] Status commit();

 private:
  Database& database_;
  bool open_ = false;
};

}  // namespace memory
