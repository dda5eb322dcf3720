// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/sql/sandbox.h"

#include "enfold/base/text.h"
#include "enfold/retrieve/sql/functions.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <sqlite3.h>
#include <utility>

namespace enfold::retrieve::detail {
namespace {

constexpr int kStepsBetweenChecks = 500;
// Calls of functions in a statement. Between the calls for one row SQLite checks no bound, and each
// call can take 20 ms for a long text.
constexpr int kMostCalls = 50;
constexpr int kLongestValue = 8 << 20;  // bytes of one text
constexpr const char* kFileSystem = "enfold-none";

// What 'now' means in the statement that runs on this thread (SqlBounds::now). It is no member,
// because SQLite asks for the time without naming the connection.
thread_local std::int64_t statement_time = 0;

// The functions of a file system without files, clock and random numbers; SQLite calls them.

int open_nothing(sqlite3_vfs* /*vfs*/, const char* /*name*/, sqlite3_file* file, int /*flags*/,
                 int* /*out*/) {
  file->pMethods = nullptr;
  return SQLITE_CANTOPEN;
}
int delete_nothing(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync*/) {
  return SQLITE_IOERR_DELETE;
}
int find_nothing(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*flags*/, int* found) {
  *found = 0;
  return SQLITE_OK;
}
int same_name(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}
int no_random(sqlite3_vfs* /*vfs*/, int size, char* out) {
  std::memset(out, 0, static_cast<std::size_t>(size));
  return size;
}
int no_sleep(sqlite3_vfs* /*vfs*/, int /*microseconds*/) { return 0; }

// SqlBounds::now, in milliseconds since the Julian epoch.
int given_time(sqlite3_vfs* /*vfs*/, sqlite3_int64* time) {
  constexpr std::int64_t unix_epoch = 210'866'760'000'000;
  *time = unix_epoch + statement_time;
  return SQLITE_OK;
}
int given_day(sqlite3_vfs* vfs, double* day) {
  constexpr double milliseconds_of_a_day = 86'400'000;
  sqlite3_int64 time = 0;
  given_time(vfs, &time);
  *day = static_cast<double>(time) / milliseconds_of_a_day;
  return SQLITE_OK;
}
int no_error(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*out*/) { return 0; }

/// Registers the file system without files, once for the process and not as the default; it is
/// never removed. False: SQLite refused it.
bool register_file_system() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs made{};
    made.iVersion = 2;
    made.szOsFile = sizeof(sqlite3_file);
    made.mxPathname = 512;
    made.zName = kFileSystem;
    made.xOpen = open_nothing;
    made.xDelete = delete_nothing;
    made.xAccess = find_nothing;
    made.xFullPathname = same_name;
    made.xRandomness = no_random;
    made.xSleep = no_sleep;
    made.xCurrentTime = given_day;
    made.xGetLastError = no_error;
    made.xCurrentTimeInt64 = given_time;
    return made;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK;
}

void set_limits(sqlite3* database) {
  constexpr std::pair<int, int> limits[] = {
      {SQLITE_LIMIT_LENGTH, kLongestValue},
      {SQLITE_LIMIT_SQL_LENGTH, static_cast<int>(kLongestStatement)},
      {SQLITE_LIMIT_COLUMN, 2 * static_cast<int>(kMostColumns)},
      {SQLITE_LIMIT_EXPR_DEPTH, 200},
      {SQLITE_LIMIT_COMPOUND_SELECT, 50},
      {SQLITE_LIMIT_VDBE_OP, 50'000},
      {SQLITE_LIMIT_FUNCTION_ARG, 100},
      {SQLITE_LIMIT_ATTACHED, 0},
      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
      {SQLITE_LIMIT_VARIABLE_NUMBER, 0},
      {SQLITE_LIMIT_TRIGGER_DEPTH, 0},
      {SQLITE_LIMIT_WORKER_THREADS, 0},
  };
  for (const auto& [limit, value] : limits) sqlite3_limit(database, limit, value);
}

// Functions whose results depend on their arguments and 'now' alone. Those for random numbers,
// extensions, files and the state of the process are missing.
constexpr std::string_view kAllowed =
    " abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat cos cosh "
    "count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank "
    "exp first_value floor format glob group_concat hex ifnull iif instr json json_array "
    "json_array_length json_extract json_group_array json_group_object json_insert json_object "
    "json_patch json_quote json_remove json_replace json_set json_type json_valid julianday lag "
    "last_value lead length like likelihood likely ln log log10 log2 lower ltrim max min mod "
    "nth_value "
    "ntile nullif percent_rank pi pow power printf quote radians rank regexp replace round "
    "row_number rtrim sign sin sinh sqrt strftime substr substring sum tan tanh time timediff "
    "total "
    "trim trunc typeof unicode unixepoch unlikely upper -> ->> ";

/// `list`: words in lower case, each with a blank before and after it.
bool is_in(std::string_view list, std::string_view word) {
  return list.find(fmt::format(" {} ", to_lower(word))) != std::string_view::npos;
}

/// How a message names an action that is not allowed. `action`: a code of SQLite's authorizer.
std::string_view statement_kind(int action) {
  switch (action) {
    case SQLITE_ATTACH: return "ATTACH";
    case SQLITE_DETACH: return "DETACH";
    case SQLITE_PRAGMA: return "PRAGMA";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return "a transaction";
    case SQLITE_INSERT: return "INSERT";
    case SQLITE_UPDATE: return "UPDATE";
    case SQLITE_DELETE: return "DELETE";
    default: return "a statement that changes the database";
  }
}

}  // namespace

void CloseDatabase::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Result<Connection> Sandbox::open() {
  const auto refuse = [] { return fail(ErrorCode::internal, "SQLite could not be started"); };
  if (!register_file_system()) return refuse();
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(":memory:", &raw,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY |
                                       SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                                   kFileSystem);
  Connection database(raw);
  const bool has_functions =
      code == SQLITE_OK && register_functions(raw, *this) && register_bounded_functions(raw, *this);
  if (!has_functions) return refuse();
  // json_each and json_tree are declared when they are first used, by statements that the
  // authorizer would refuse.
  const char* const set_up =
      "pragma temp_store = memory; pragma cache_size = -2000;"
      "select 1 from json_each('[]'), json_tree('[]')";
  if (sqlite3_exec(raw, set_up, nullptr, nullptr, nullptr) != SQLITE_OK) return refuse();
  return database;
}

void Sandbox::lock_down(sqlite3* database) {
  for (const int option :
       {SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
        SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, SQLITE_DBCONFIG_TRUSTED_SCHEMA}) {
    sqlite3_db_config(database, option, 0, nullptr);
  }
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  set_limits(database);
  statement_time = bounds_.now;
  if (memory_before_ == 0) memory_before_ = sqlite3_memory_used();
  sqlite3_set_authorizer(database, authorize, this);
  sqlite3_progress_handler(database, kStepsBetweenChecks, on_progress, this);
}

// Raises the length limit, because the declaration of a table with many columns is longer than a
// statement may be.
void Sandbox::unlock(sqlite3* database) {
  constexpr int longest = 1 << 20;
  sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, longest);
  sqlite3_set_authorizer(database, nullptr, nullptr);
}

// Only the first denied action is reported.
int Sandbox::deny(std::string what) {
  if (denied_.empty()) denied_ = std::move(what);
  return SQLITE_DENY;
}

int Sandbox::authorize(void* self, int action, const char* first, const char* second,
                       const char* /*database*/, const char* /*trigger*/) {
  auto& sandbox = *static_cast<Sandbox*>(self);
  const std::string_view table = first != nullptr ? first : "";
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_READ:
      return is_sqlite_table(table) ? sandbox.deny(fmt::format("the table {}", table)) : SQLITE_OK;
    case SQLITE_FUNCTION: {
      const std::string_view function = second != nullptr ? second : "";
      if (++sandbox.calls_ > kMostCalls) {
        sandbox.stop_ = Stop::calls;
        return SQLITE_DENY;
      }
      return is_in(kAllowed, function) ? SQLITE_OK
                                       : sandbox.deny(fmt::format("the function {}()", function));
    }
    default: return sandbox.deny(std::string(statement_kind(action)));
  }
}

int Sandbox::on_progress(void* self) {
  auto& sandbox = *static_cast<Sandbox*>(self);
  sandbox.steps_ += kStepsBetweenChecks;
  return sandbox.may_continue() ? 0 : 1;
}

bool Sandbox::spend(std::uint64_t work) {
  constexpr std::uint64_t work_of_a_step = 32;       // units of work that count as one step
  constexpr std::uint64_t between_checks = 1 << 18;  // units of work
  unchecked_work_ += work;
  if (unchecked_work_ < between_checks) return true;
  steps_ += std::exchange(unchecked_work_, 0) / work_of_a_step;
  return may_continue();
}

// SQLite knows only the memory of the whole process. So that no statement is ended for what others
// use within their bounds, all that run at a time may together use what each of them may.
bool Sandbox::may_continue() {
  most_running_ = std::max(most_running_, running_.load());
  const std::int64_t used = (sqlite3_memory_used() - memory_before_) / most_running_;
  if (steps_ > bounds_.most_steps) {
    stop_ = Stop::steps;
  } else if (used > static_cast<std::int64_t>(bounds_.most_memory)) {
    stop_ = Stop::memory;
  } else if (bounds_.is_late && bounds_.is_late()) {
    stop_ = Stop::late;
  }
  return stop_ == Stop::none;
}

}  // namespace enfold::retrieve::detail
