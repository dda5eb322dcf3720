// SPDX-License-Identifier: Apache-2.0
// What goes wrong around an SQLite store ends in a typed error, never in a dead handle or in wrong
// bytes.
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/store/stores.h"
#include "tests/store/putter.h"
#include "tests/store/stores.h"
#include "tests/support/cases.h"

#include <csignal>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <sqlite3.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace enfold::store::testing {
namespace {

namespace fs = std::filesystem;

/// Runs in a process of its own, so that limits and users of the process are its own too. Empty
/// when all is well.
std::string in_a_child(const std::function<std::string()>& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string said = body();
    (void)!write(ends[1], said.data(), said.size());
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    said.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) said += "killed by signal " + std::to_string(WTERMSIG(status));
  return said;
}

/// Runs SQL on the file behind the archive's back.
void tamper(const std::string& file, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  sqlite3_busy_timeout(database, 1000);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(database);
}

std::string noisy(int seed, std::size_t size) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::string bytes;
  while (bytes.size() < size) bytes += static_cast<char>(random());
  return bytes;
}

TEST(SqliteFaults, a_full_disk_is_an_error_and_every_handle_still_opens) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  const std::string said = in_a_child([&]() -> std::string {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000'000, 1'000'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto archive = sqlite_archive(file);
    if (!archive) return archive.error().message;
    std::vector<std::string> handles;
    int failures = 0;
    for (int i = 0; i < 60; ++i) {
      const auto receipt = (*archive)->put("ann", noisy(i, 40'000), {}, at(0));
      if (receipt) {
        handles.push_back(receipt->handle);
        if (i != static_cast<int>(handles.size()) - 1) return "room again, without a reason";
        continue;
      }
      ++failures;
      if (receipt.error().code != ErrorCode::unavailable) return receipt.error().message;
      if (receipt.error().hint.empty()) return "no hint: " + receipt.error().message;
    }
    if (handles.size() < 5 || failures < 5) return "the limit was not met";
    for (std::size_t i = 0; i < handles.size(); ++i) {
      if ((*archive)->get("ann", handles[i], at(0)) != noisy(static_cast<int>(i), 40'000)) {
        return "dead handle " + std::to_string(i);
      }
    }
    return "";
  });
  EXPECT_EQ(said, "");
  // With room again, it goes on.
  auto archive = sqlite_archive(file);
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_TRUE((*archive)->put("ann", noisy(100, 40'000), {}, at(0)));
  EXPECT_TRUE((*archive)->verify()->damaged.empty());
}

TEST(SqliteFaults, a_folder_that_cannot_be_written_is_an_error) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms(0555));
  const std::string said = in_a_child([&]() -> std::string {
    if (getuid() == 0 && setuid(65534) != 0) return "cannot become nobody";
    const auto archive = sqlite_archive(folder.file("new/a.db"));
    if (archive) return "opened";
    if (archive.error().hint.empty() || archive.error().where.empty()) return "says too little";
    return archive.error().code == ErrorCode::unavailable ? "" : archive.error().message;
  });
  fs::permissions(folder.path(), fs::perms(0700));
  EXPECT_EQ(said, "");
}

TEST(SqliteFaults, an_archive_that_became_read_only_is_an_error_and_not_a_receipt) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  ASSERT_TRUE((*sqlite_archive(file))->put("ann", "kept", {}, at(0)));
  fs::permissions(folder.path(), fs::perms(0555));
  fs::permissions(file, fs::perms(0444));
  const std::string said = in_a_child([&]() -> std::string {
    if (getuid() == 0 && setuid(65534) != 0) return "cannot become nobody";
    auto archive = sqlite_archive(file);
    if (!archive)
      return archive.error().code == ErrorCode::unavailable ? "" : archive.error().message;
    const auto receipt = (*archive)->put("ann", "new", {}, at(0));
    if (receipt) return "a receipt for what cannot be written";
    return receipt.error().code == ErrorCode::unavailable ? "" : receipt.error().message;
  });
  fs::permissions(folder.path(), fs::perms(0700));
  EXPECT_EQ(said, "");
}

TEST(SqliteFaults, a_file_that_another_process_holds_is_an_error_after_the_stated_wait) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  auto archive = sqlite_archive(file, {.timeout = std::chrono::milliseconds(30)});
  const auto before = (*archive)->put("ann", "before", {}, at(0));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto refused = (*archive)->put("ann", "while locked", {}, at(0));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::timed_out);
  EXPECT_NE(refused.error().message.find("30 ms"), std::string::npos) << refused.error().message;
  EXPECT_EQ((*archive)->get("ann", before->handle, at(0)), "before") << "readers go on";
  EXPECT_FALSE((*archive)->expire(at(10'000'000)));
  sqlite3_close(other);
  EXPECT_TRUE((*archive)->put("ann", "while locked", {}, at(0)));
}

TEST(SqliteFaults, expired_entries_go_though_their_time_could_not_be_read_at_first) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  const ArchiveOptions options{.life = std::chrono::seconds(100)};
  ASSERT_TRUE((*sqlite_archive(file, options))->put("ann", "old", {}, at(0)));
  tamper(file, "ALTER TABLE entry RENAME TO hidden");
  {
    auto archive = sqlite_archive(file, options);
    ASSERT_TRUE(archive) << archive.error().message;
    tamper(file, "ALTER TABLE hidden RENAME TO entry");
    ASSERT_TRUE((*archive)->put("ann", "new", {}, at(200)));
  }  // waits for the maintenance
  EXPECT_EQ((*sqlite_archive(file, options))->statistics()->entries, 1U);
}

TEST(SqliteFaults, damaged_content_is_an_error_until_it_is_put_again) {
  const struct {
    const char* name;
    const char* sql;
  } cases[] = {
      {"a flipped byte", "UPDATE content SET data=CAST(X'00'||substr(data,2) AS BLOB)"},
      {"cut short", "UPDATE content SET data=substr(data,1,length(data)-1)"},
      {"emptied", "UPDATE content SET data=X''"},
      {"gone", "DELETE FROM content"},
      {"another codec", "UPDATE entry SET codec=1-codec"},
      {"a codec nobody knows", "UPDATE entry SET codec=7"},
      {"a wrong size", "UPDATE entry SET size=size+1 WHERE codec=1"},
      {"an absurd size", "UPDATE entry SET size=1000000000000 WHERE codec=1"},
  };
  for (const auto& [name, sql] : cases) {
    SCOPED_TRACE(name);
    for (const std::string& bytes : {std::string("short"), content_of(1, 5)}) {
      if (bytes.size() < 1024 && std::string(name).find("size") != std::string::npos) continue;
      const TemporaryFolder folder(TemporaryFolder::On::memory);
      const std::string file = folder.file("a.db");
      auto archive = sqlite_archive(file);
      const auto receipt = (*archive)->put("ann", bytes, {}, at(0));
      tamper(file, sql);
      for (const std::string& reference : {receipt->handle, receipt->hash}) {
        const auto got = (*archive)->get("ann", reference, at(0));
        ASSERT_FALSE(got);
        EXPECT_EQ(got.error().code, ErrorCode::internal) << got.error().message;
        EXPECT_FALSE(got.error().hint.empty());
      }
      const auto found = (*archive)->verify();
      ASSERT_EQ(found->damaged.size(), 1U);
      EXPECT_EQ(found->damaged[0].handle, receipt->handle);
      EXPECT_EQ((*archive)->put("ann", bytes, {}, at(1))->handle, receipt->handle);
      EXPECT_EQ((*archive)->get("ann", receipt->handle, at(1)), bytes);
      EXPECT_TRUE((*archive)->verify()->damaged.empty());
    }
  }
}

TEST(SqliteFaults, a_handle_that_is_not_of_its_content_is_replaced) {
  const TemporaryFolder folder(TemporaryFolder::On::memory);
  const std::string file = folder.file("a.db");
  auto archive = sqlite_archive(file);
  const auto receipt = (*archive)->put("ann", "bytes", {}, at(0));
  tamper(file, "UPDATE entry SET handle='111111111111'");
  EXPECT_EQ((*archive)->put("ann", "bytes", {}, at(1))->handle, receipt->handle);
  EXPECT_EQ((*archive)->get("ann", receipt->handle, at(1)), "bytes");
  EXPECT_TRUE((*archive)->verify()->damaged.empty());
  EXPECT_EQ((*archive)->statistics()->entries, 1U);
}

TEST(SqliteFaults, an_index_that_leads_elsewhere_never_opens_other_content) {
  const TemporaryFolder folder(TemporaryFolder::On::memory);
  const std::string file = folder.file("a.db");
  auto archive = sqlite_archive(file);
  const auto ann = (*archive)->put("ann", "of ann", {}, at(0));
  const auto bob = (*archive)->put("bob", "of bob", {}, at(0));
  const auto more = (*archive)->put("bob", "more of bob", {}, at(0));
  tamper(file,
         "UPDATE content SET data='of bob' WHERE id=1;"
         "UPDATE entry SET hash=(SELECT hash FROM entry WHERE id=2) WHERE id=1;"
         "UPDATE entry SET handle='x' WHERE id=2");
  tamper(file, ("UPDATE entry SET handle='" + bob->handle + "' WHERE id=3").c_str());
  for (const auto& [principal, reference] :
       {std::pair("ann", ann->handle), {"bob", bob->handle}, {"bob", more->hash}}) {
    const auto got = (*archive)->get(principal, reference, at(0));
    ASSERT_FALSE(got) << *got;
    EXPECT_EQ(got.error().code, ErrorCode::internal);
  }
}

TEST(SqliteFaults, whatever_bytes_of_the_file_are_hit_no_wrong_bytes_come_out) {
  const TemporaryFolder folder(TemporaryFolder::On::memory);
  const std::string sound = folder.file("sound.db"), hit = folder.file("hit.db");
  std::vector<std::string> handles;
  {
    auto archive = sqlite_archive(sound);
    for (int i = 0; i < 30; ++i) {
      handles.push_back(
          (*archive)->put("ann", content_of(3, i).substr(0, 3000), {}, at(0))->handle);
    }
  }
  const auto size = fs::file_size(sound);
  std::mt19937 random(7);
  int damaged = 0;
  for (int round = enfold::testing::property_cases(60, 3000); round > 0; --round) {
    fs::remove(hit + "-wal");
    fs::remove(hit + "-shm");
    fs::copy_file(sound, hit, fs::copy_options::overwrite_existing);
    {
      std::fstream stream(hit, std::ios::in | std::ios::out | std::ios::binary);
      for (int hits = 0; hits < 4; ++hits) {
        stream.seekp(static_cast<std::streamoff>(random() % size));
        stream.put(static_cast<char>(random()));
      }
    }
    auto archive = sqlite_archive(hit, {.timeout = std::chrono::milliseconds(20)});
    for (std::size_t i = 0; archive && i < handles.size(); ++i) {
      const auto got = (*archive)->get("ann", handles[i], at(0));
      if (!got) ++damaged;
      if (got) {
        ASSERT_EQ(*got, content_of(3, static_cast<int>(i)).substr(0, 3000));
      }
    }
  }
  EXPECT_GT(damaged, 0) << "nothing was hit";
}

}  // namespace
}  // namespace enfold::store::testing
