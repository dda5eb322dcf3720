// SPDX-License-Identifier: Apache-2.0
// A program that works on an archive which the test can also open behind its back.
#pragma once

#include "cli/settings/archive_place.h"
#include "enfold/store/archive.h"
#include "tests/cli/program.h"

#include <chrono>
#include <sqlite3.h>

namespace enfold::cli {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ArchiveProgramTest : public ProgramTest {
 protected:
  /// Where the program keeps its archive when nobody says anything.
  [[nodiscard]] fs::path default_file() const {
    return folder() / ".local" / "state" / "enfold" / "archive.db";
  }

  [[nodiscard]] static std::unique_ptr<store::Archive> open(const std::string& place) {
    auto archive = store::open_archive(place);
    EXPECT_TRUE(archive) << (archive ? "" : archive.error().message);
    return archive ? *std::move(archive) : nullptr;
  }

  /// Puts as the program does; the handle.
  std::string put(std::string_view bytes, const store::Meta& meta = {}, store::Time time = today(),
                  std::string_view principal = kPrincipal) const {
    const auto receipt = open(default_file())->put(principal, bytes, meta, time);
    EXPECT_TRUE(receipt) << (receipt ? "" : receipt.error().message);
    return receipt ? receipt->handle : "";
  }

  [[nodiscard]] static store::Time today() {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  }

  /// Runs SQL on the file of the archive.
  void tamper(const char* sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(default_file().c_str(), &database), SQLITE_OK);
    char* message = nullptr;
    sqlite3_busy_timeout(database, 1000);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, &message), SQLITE_OK) << message;
    sqlite3_close(database);
  }
};

/// Holds the write lock of a SQLite file as long as it lives.
class Locked {
 public:
  explicit Locked(const fs::path& file) {
    EXPECT_EQ(sqlite3_open(file.c_str(), &database_), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~Locked() { sqlite3_close(database_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  sqlite3* database_ = nullptr;
};

}  // namespace enfold::cli
