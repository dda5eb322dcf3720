// SPDX-License-Identifier: Apache-2.0
// A SQLite connection for untrusted statements. It opens no file, knows no clock, allows only
// SELECT with listed functions, and ends a statement that takes too many steps, too much time or
// too much memory.
#pragma once

#include "enfold/base/result.h"
#include "enfold/retrieve/sql/sql.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;

namespace enfold::retrieve::detail {

struct CloseDatabase {
  void operator()(sqlite3* database) const;
};
using Connection = std::unique_ptr<sqlite3, CloseDatabase>;

class Sandbox {
 public:
  /// `bounds` must outlive this object.
  explicit Sandbox(const SqlBounds& bounds) : bounds_(bounds) { ++running_; }
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox() { --running_; }

  /// An empty database in memory, without any restriction yet.
  [[nodiscard]] Result<Connection> open();
  /// From here on the connection allows only SELECT and listed functions, and ends a statement that
  /// reaches a bound.
  void lock_down(sqlite3* database);
  /// Lets Enfold declare tables, until `lock_down` is called again.
  static void unlock(sqlite3* database);

  /// Functions call it for work inside one step: about one unit for each character that they look
  /// at. False: a bound is reached, and the function has to end.
  [[nodiscard]] bool spend(std::uint64_t work);
  /// Whether no bound is reached; else `stop` says which.
  [[nodiscard]] bool may_continue();

  /// What the statement asked for that is not allowed ("the function random()"); empty: nothing.
  [[nodiscard]] const std::string& denied() const { return denied_; }
  /// Which bound ended the statement: SqlBounds::is_late, most_steps or most_memory.
  /// `calls`: the statement has too many calls of functions.
  enum class Stop { none, late, steps, memory, calls };
  [[nodiscard]] Stop stop() const { return stop_; }

 private:
  /// SQLite calls it for each action of a statement, when it compiles the statement.
  static int authorize(void* self, int action, const char* first, const char* second,
                       const char* database, const char* trigger);
  /// SQLite calls it every few hundred steps; 1 ends the statement.
  static int on_progress(void* self);
  /// Keeps `what` for `denied`; returns the code by which `authorize` denies an action.
  int deny(std::string what);

  static inline std::atomic<int> running_ = 0;  ///< sandboxes, on all threads

  const SqlBounds& bounds_;
  std::string denied_;
  Stop stop_ = Stop::none;
  std::uint64_t steps_ = 0;           ///< of SQLite's virtual machine, and work counted as steps
  std::uint64_t unchecked_work_ = 0;  ///< since `spend` last checked the bounds
  int calls_ = 0;                     ///< of functions, in the text of the statement
  std::int64_t memory_before_ = 0;    ///< bytes of SQLite in the process, before the statement
  int most_running_ = 1;              ///< sandboxes at a time, since the statement began
};

/// Refuses a statement that does not begin like a SELECT, and a statement with too many uses of the
/// expressions of WITH: SQLite copies such an expression for each use, before it can be
/// interrupted.
[[nodiscard]] Status check_statement(std::string_view statement);

}  // namespace enfold::retrieve::detail
