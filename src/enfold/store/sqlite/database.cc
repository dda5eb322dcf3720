// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/sqlite/database.h"

#include "enfold/base/text.h"
#include "enfold/store/private_folders.h"
#include "enfold/store/sqlite/schema.h"
#include "enfold/store/stores.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace enfold::store::detail {
namespace {

// `problem`: the errno.
tl::unexpected<Error> cannot_make(const std::string& what, int problem) {
  return fail(ErrorCode::unavailable,
              fmt::format("cannot create {}: {}", what, std::generic_category().message(problem)),
              what, "Choose a place that can be written, or correct its permissions.");
}

// Creates the file with mode 0600: SQLite would use the umask. SQLite copies the mode of the file
// to its -wal and -shm files.
Status make_file(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  ENFOLD_TRY(make_private_folders(folder));
  int problem = EEXIST;
  (void)use_if_closed(path, [&] {
    const int handle = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    problem = handle < 0 ? errno : 0;
    if (handle >= 0) close(handle);
  });
  if (problem != 0 && problem != EEXIST) return cannot_make(path, problem);
  if (problem == 0) sync_folder(folder.empty() ? "." : folder);
  return {};
}

// An archive that was created by other means or copied may have another mode.
void make_private(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && (found.st_mode & 0077) != 0) {
    (void)chmod(path.c_str(), 0600);  // fails for the file of another user, whose mode is kept
  }
}

// `result`: a result code of SQLite.
ErrorCode code_of(int result) {
  switch (result & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return ErrorCode::timed_out;
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
    case SQLITE_NOTADB: return ErrorCode::internal;
    case SQLITE_TOOBIG: return ErrorCode::limit_exceeded;
    // Includes writes that fail with EFBIG or EIO: the disk is the cause, not the content.
    default: return ErrorCode::unavailable;
  }
}

const char* hint_of(int result) {
  switch (result & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "Another process holds the file; find it, or try again.";
    case SQLITE_FULL:
    case SQLITE_IOERR: return "Free space on the disk, or lower the archive's size cap.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN: return "Make the file and its folder writable for this user.";
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
    case SQLITE_NOTADB: return "Move the file away; a new one is made when it is missing.";
    default: return "";
  }
}

}  // namespace

Database::Database(std::string path, std::chrono::milliseconds timeout)
    : path_(std::move(path)), open_file_(path_), timeout_(timeout) {}

Database::~Database() {
  for (const auto& [sql, statement] : prepared_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Durability durability,
                                                 std::chrono::milliseconds timeout) {
  ENFOLD_TRY(make_file(path));
  if (is_sqlite_archive(path)) make_private(path);  // before SQLite creates files beside it
  std::unique_ptr<Database> database(new Database(path, timeout));
  ENFOLD_TRY(database->connect(path, SQLITE_OPEN_READWRITE));
  ENFOLD_TRY(database->migrate());
  make_private(path);
  ENFOLD_TRY(database->configure(durability));
  return database;
}

// Even a connection for reading creates the files -wal and -shm, unless the URI has immutable=1.
// With that, SQLite does not read -wal, so it is used only if there is no such file.
Result<std::unique_ptr<Database>> Database::open_read_only(const std::string& path,
                                                           std::chrono::milliseconds timeout) {
  std::error_code ignored;
  const bool has_log = std::filesystem::exists(path + "-wal", ignored);
  const std::string whole = std::filesystem::absolute(path, ignored).lexically_normal().string();
  const std::string name = fmt::format("file:{}?{}", percent_encode(whole, "-._~/"),
                                       has_log ? "mode=ro" : "immutable=1");
  std::unique_ptr<Database> database(new Database(path, timeout));
  ENFOLD_TRY(database->connect(name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  ENFOLD_TRY(const auto application, database->number("PRAGMA application_id"));
  ENFOLD_TRY(const auto version, database->number("PRAGMA user_version"));
  ENFOLD_TRY(const auto tables, database->number("SELECT count(*) FROM sqlite_schema"));
  ENFOLD_TRY(database->check_format(application, version, tables));
  return database;
}

// SQLite's own waits grow to 100 ms. A process that sleeps so long would starve, because processes
// that arrive later get the lock first.
int Database::wait_for_others(void* self, int tries) {
  auto& database = *static_cast<Database*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (tries == 0) database.waits_since_ = now;
  if (now - database.waits_since_ >= database.timeout_) return 0;
  // Different lengths, so that several waiting processes do not wake up together.
  std::this_thread::sleep_for(std::chrono::microseconds(500 + 137 * (tries % 8)));
  return 1;
}

Status Database::connect(const std::string& name, int flags) {
  // The owner's mutex replaces SQLite's.
  flags |= SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    return tl::unexpected(error("open the archive"));
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_handler(handle_, wait_for_others, this);
  // The file must not run code: functions with side effects in its schema are disabled.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  return {};
}

// Only the first process that opens a new file switches it to WAL. SQLite does not wait for locks
// in this case, so this function repeats the switch until the timeout.
Status Database::switch_to_wal() {
  const auto deadline = std::chrono::steady_clock::now() + timeout_;
  for (;;) {
    auto done = run("PRAGMA journal_mode=WAL");
    if (done || done.error().code != ErrorCode::timed_out) return done;
    if (std::chrono::steady_clock::now() >= deadline) return done;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Status Database::configure(Durability durability) {
  ENFOLD_TRY(switch_to_wal());
  ENFOLD_TRY(run("PRAGMA secure_delete=FAST"));
  // In WAL mode FULL syncs the log at every commit, NORMAL only at checkpoints. With NORMAL a
  // commit is in the system's cache, which outlives the process; a power failure may lose the last
  // commits but never damages the file, as OFF would.
  return run(durability == Durability::disk ? "PRAGMA synchronous=FULL"
                                            : "PRAGMA synchronous=NORMAL");
}

void Database::disable_checkpoints() {
  // Replaces the hook by which SQLite runs its automatic checkpoints.
  const auto remember = [](void* self, sqlite3*, const char*, int pages) {
    static_cast<Database*>(self)->wal_pages_ = pages;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(handle_, remember, this);
}

Result<int> Database::checkpoint(Checkpoint mode) {
  int pages = 0;
  int written = 0;
  const int how = mode == Checkpoint::passive ? SQLITE_CHECKPOINT_PASSIVE
                  : mode == Checkpoint::full  ? SQLITE_CHECKPOINT_FULL
                                              : SQLITE_CHECKPOINT_TRUNCATE;
  const int result = sqlite3_wal_checkpoint_v2(handle_, nullptr, how, &pages, &written);
  if (result != SQLITE_OK) return tl::unexpected(error("write the log back"));
  return pages - written;
}

Status Database::check_format(std::int64_t application, std::int64_t version,
                              std::int64_t tables) const {
  if (application != kApplicationId && (application != 0 || version != 0 || tables != 0)) {
    return fail(ErrorCode::invalid_input, "the file is a SQLite database, but no Enfold archive",
                path_, "Choose another path; this file is left as it is.");
  }
  if (version > kSchemaVersion) {
    return fail(ErrorCode::unsupported,
                fmt::format("the archive has format {}, this program knows formats up to {}",
                            version, kSchemaVersion),
                path_, "Use the newer program that wrote it, or another path.");
  }
  return {};
}

Status Database::migrate() {
  ENFOLD_TRY(const auto application, number("PRAGMA application_id"));
  ENFOLD_TRY(const auto version, number("PRAGMA user_version"));
  if (application == kApplicationId && version == kSchemaVersion) return {};
  ENFOLD_TRY(const auto contents, number("SELECT count(*) FROM sqlite_schema"));
  if (application == 0 && contents == 0) {
    // Has no effect inside a transaction.
    ENFOLD_TRY(run("PRAGMA auto_vacuum=INCREMENTAL"));
  }
  Transaction transaction(*this);
  ENFOLD_TRY(transaction.begin());
  // Read again, now that no other process can change it.
  ENFOLD_TRY(const auto id, number("PRAGMA application_id"));
  ENFOLD_TRY(const auto at, number("PRAGMA user_version"));
  ENFOLD_TRY(const auto tables, number("SELECT count(*) FROM sqlite_schema"));
  ENFOLD_TRY(check_format(id, at, tables));
  for (auto step = static_cast<std::size_t>(at); step < kSchemaSteps.size(); ++step) {
    ENFOLD_TRY(run(kSchemaSteps[step]));
  }
  const std::string stamp = fmt::format("PRAGMA application_id={};PRAGMA user_version={}",
                                        kApplicationId, kSchemaVersion);
  ENFOLD_TRY(run(stamp.c_str()));
  return transaction.commit();
}

Status Database::run(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return tl::unexpected(error("use the archive"));
}

Result<std::int64_t> Database::number(const char* sql) {
  Statement statement(*this, sql);
  ENFOLD_TRY(const bool row, statement.step());
  return row ? statement.next_number() : 0;
}

Error Database::error(std::string_view doing) const {
  const int result = handle_ != nullptr ? sqlite3_extended_errcode(handle_) : SQLITE_NOMEM;
  std::string message = fmt::format("cannot {}: {}", doing,
                                    handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory");
  if (code_of(result) == ErrorCode::timed_out) {
    message += fmt::format(" (waited {} ms)", timeout_.count());
  }
  return {code_of(result), std::move(message), path_, hint_of(result)};
}

sqlite3_stmt* Database::prepared(const char* sql) {
  sqlite3_stmt*& statement = prepared_[sql];
  if (statement == nullptr) {
    sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  }
  return statement;
}

Statement::Statement(Database& database, const char* sql)
    : database_(database), statement_(database.prepared(sql)) {}

Statement::~Statement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Statement& Statement::number(std::int64_t value) {
  bound_ = sqlite3_bind_int64(statement_, ++parameter_, value) == SQLITE_OK && bound_;
  return *this;
}

Statement& Statement::text(std::string_view value) {
  const char* const bytes = value.data() != nullptr ? value.data() : "";
  bound_ = sqlite3_bind_text64(statement_, ++parameter_, bytes, value.size(), SQLITE_STATIC,
                               SQLITE_UTF8) == SQLITE_OK &&
           bound_;
  return *this;
}

Statement& Statement::blob(std::string_view value) {
  const char* const bytes = value.data() != nullptr ? value.data() : "";
  bound_ = sqlite3_bind_blob64(statement_, ++parameter_, bytes, value.size(), SQLITE_STATIC) ==
               SQLITE_OK &&
           bound_;
  return *this;
}

Result<bool> Statement::step() {
  column_ = 0;
  if (statement_ == nullptr || !bound_) return tl::unexpected(database_.error("use the archive"));
  switch (sqlite3_step(statement_)) {
    case SQLITE_ROW: return true;
    case SQLITE_DONE: return false;
    default: return tl::unexpected(database_.error("use the archive"));
  }
}

Status Statement::finish() {
  for (;;) {
    ENFOLD_TRY(const bool row, step());
    if (!row) return {};
  }
}

std::int64_t Statement::next_number() { return sqlite3_column_int64(statement_, column_++); }

std::string Statement::next_bytes() {
  const int column = column_++;
  const void* const bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes != nullptr ? std::string(static_cast<const char*>(bytes), size) : std::string();
}

bool Statement::next_is_null() const {
  return sqlite3_column_type(statement_, column_) == SQLITE_NULL;
}

Transaction::~Transaction() {
  if (open_) (void)database_.run("ROLLBACK");
}

Status Transaction::begin() {
  ENFOLD_TRY(database_.run("BEGIN IMMEDIATE"));
  open_ = true;
  return {};
}

Status Transaction::commit() {
  // A commit that fails, on a full disk for example, leaves the transaction open for the rollback.
  ENFOLD_TRY(database_.run("COMMIT"));
  open_ = false;
  return {};
}

}  // namespace enfold::store::detail
