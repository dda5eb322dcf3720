// SPDX-License-Identifier: Apache-2.0
// A SQLite connection for untrusted statements. It opens no file, knows no clock, allows only
// SELECT with listed functions, and ends a statement that takes too many steps, too much time or
// too much memory.
#pragma once

#include "enfold/base/result.h"
#include "enfold/retrieve/sql/sql.h"

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
  explicit Sandbox(const SqlBounds& bounds) : bounds_(bounds) {}

  /// An empty database in memory, without any restriction yet.
  [[nodiscard]] Result<Connection> open();
  /// From here on only what is allowed.
  void close_doors(sqlite3* database);
  /// For statements of Enfold's own, until the doors are closed again.
  static void open_doors(sqlite3* database);

  /// What the statement did that is not allowed; empty: nothing.
  [[nodiscard]] const std::string& denied() const { return denied_; }
  enum class Stop { none, late, steps, memory };
  [[nodiscard]] Stop stop() const { return stop_; }

 private:
  static int authorize(void* self, int action, const char* first, const char* second,
                       const char* database, const char* trigger);
  static int on_progress(void* self);
  int deny(std::string what);

  const SqlBounds& bounds_;
  std::string denied_;
  Stop stop_ = Stop::none;
  std::uint64_t steps_ = 0;
  std::int64_t memory_before_ = 0;
};

/// Refuses what does not begin like a SELECT. SQLite copies an expression behind WITH for every
/// use, before it can be interrupted: refuses statements with too many copies.
[[nodiscard]] Status check_statement(std::string_view statement);

}  // namespace enfold::retrieve::detail
