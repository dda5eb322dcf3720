// SPDX-License-Identifier: Apache-2.0
// What stands in the SQLite file and in Redis is a promise to the next version:
// docs/reference/formats.
#include "enfold/base/text.h"
#include "enfold/store/sqlite/schema.h"
#include "enfold/store/stores.h"
#include "tests/store/stores.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace enfold::store::testing {
namespace {

/// The first column of the first row, as text.
std::string ask(const std::string& file, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  std::string answer;
  const auto keep = [](void* to, int, char** values, char**) {
    auto& text = *static_cast<std::string*>(to);
    if (text.empty() && values[0] != nullptr) text = values[0];
    return 0;
  };
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), keep, &answer, &message), SQLITE_OK) << message;
  sqlite3_close(database);
  return answer;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t mode_of(const std::string& path) {
  struct stat found{};
  EXPECT_EQ(stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 07777;
}

TEST(SqliteFormat, folders_and_files_are_for_their_owner_only) {
  const TemporaryFolder folder;
  const mode_t before = umask(0);
  const std::string file = folder.file("one/two/a.db");
  auto archive = sqlite_archive(file);
  ASSERT_TRUE(archive) << archive.error().message;
  ASSERT_TRUE((*archive)->put("ann", "x", {}, at(0)));
  umask(before);
  EXPECT_EQ(mode_of(folder.file("one")), 0700U);
  EXPECT_EQ(mode_of(folder.file("one/two")), 0700U);
  for (const char* suffix : {"", "-wal", "-shm"})
    EXPECT_EQ(mode_of(file + suffix), 0600U) << suffix;
}

TEST(SqliteFormat, a_file_that_others_could_read_is_closed_to_them) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  ASSERT_TRUE(sqlite_archive(file));
  std::filesystem::permissions(file, std::filesystem::perms(0644));
  ASSERT_TRUE(sqlite_archive(file));
  EXPECT_EQ(mode_of(file), 0600U);
}

TEST(SqliteFormat, a_file_of_somebody_else_is_left_as_it_is) {
  const TemporaryFolder folder;
  const std::string file = folder.file("other.db");
  ask(file, "PRAGMA auto_vacuum=FULL; CREATE TABLE mine(a); INSERT INTO mine VALUES(1)");
  const std::string text = folder.file("notes.txt");
  std::ofstream(text)
      << "These are notes, and longer than the head of a database would be: so many words.";
  for (const std::string& foreign : {file, text}) {
    std::filesystem::permissions(foreign, std::filesystem::perms(0664));
    const std::string before = bytes_of(foreign);
    EXPECT_FALSE(sqlite_archive(foreign));
    EXPECT_EQ(mode_of(foreign), 0664U);
    EXPECT_EQ(bytes_of(foreign), before);
  }
}

TEST(SqliteFormat, says_what_it_is_and_which_version) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  auto archive = sqlite_archive(file);
  ASSERT_TRUE(archive);
  EXPECT_EQ(ask(file, "PRAGMA application_id"), "1164863087");
  EXPECT_EQ(ask(file, "PRAGMA user_version"), "5");
  EXPECT_EQ(ask(file, "PRAGMA journal_mode"), "wal");
  EXPECT_EQ(ask(file, "PRAGMA auto_vacuum"), "2");
}

TEST(SqliteFormat, principals_are_not_stored) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  {
    auto archive = sqlite_archive(file);
    ASSERT_TRUE((*archive)->put("principal-in-plain-text", "x", {}, at(0)));
  }
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(bytes.find("principal-in-plain"), std::string::npos);
  EXPECT_EQ(ask(file, "SELECT lower(hex(principal)) FROM entry"),
            to_hex(detail::digest_of_parts({"principal-in-plain-text"})));
}

TEST(SqliteFormat, an_older_version_is_migrated_with_its_content) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  Receipt receipt;
  {
    auto archive = sqlite_archive(file);
    receipt = *(*archive)->put("ann", "from version 1", {.tool = "t"}, at(0));
  }
  // Version 1 had no counters, and one entry for the same bytes of any kind.
  ask(file,
      "DROP TRIGGER holding_added; DROP TRIGGER holding_changed; DROP TRIGGER holding_removed;"
      "DROP INDEX holding_by_stored; DROP TABLE total; DROP TABLE bucket; DROP INDEX entry_by_hash;"
      "CREATE UNIQUE INDEX entry_by_hash ON entry(principal, hash); PRAGMA user_version=1");
  auto archive = sqlite_archive(file);
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_EQ(ask(file, "PRAGMA user_version"), "5");
  EXPECT_EQ((*archive)->get("ann", receipt.handle, at(0)), "from version 1");
  EXPECT_TRUE((*sqlite_counters(file))->take({"ann", "t"}, {}, at(0)));
}

// Written by Enfold 0.1.0, which had version 3.
TEST(SqliteFormat, an_archive_of_0_1_0_opens_with_its_content_and_sums) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  std::filesystem::copy_file(ENFOLD_SOURCE_DIR "/tests/store/data/archive-0.1.0.db", file);
  const Time written = at(1'750'000'000);
  auto archive = sqlite_archive(file);
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_EQ(ask(file, "PRAGMA user_version"), "5");
  EXPECT_EQ((*archive)->get("ann", "957126732325", written), "short");
  EXPECT_EQ((*archive)->get("bob", "281281221014", written), "of bob");
  EXPECT_EQ((*archive)->get("ann", "637679616921", written)->size(), 3010U);
  EXPECT_EQ((*archive)->stat("ann", "637679616921", written)->meta.media_type, "application/json");
  EXPECT_EQ((*archive)->stat("ann", "710792065912", written)->meta.media_type, "text/plain");
  EXPECT_FALSE((*archive)->get("bob", "957126732325", written));
  EXPECT_EQ((*archive)->verify()->checked, 4U);
  EXPECT_TRUE((*archive)->verify()->damaged.empty());
  const auto stored = (*archive)->statistics();
  EXPECT_EQ(stored->principals, 2U);
  EXPECT_EQ(stored->entries, 4U);
  EXPECT_EQ(stored->bytes, 5U + 6U + 2 * 3010U);
  EXPECT_EQ((*archive)->put("ann", "short", {}, written)->handle, "957126732325");
  EXPECT_EQ((*archive)->expire(Time::max()), 4U);
  EXPECT_EQ(ask(file, "SELECT principals+entries+size+stored FROM total"), "0");
}

TEST(SqliteFormat, totals_are_the_sums_of_what_is_stored) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  auto archive = sqlite_archive(
      file,
      {.life = std::chrono::seconds(100), .max_bytes_per_principal = 2000, .max_bytes = 5000});
  for (int i = 0; i < 60; ++i) {
    const std::string principal(1, static_cast<char>('a' + i % 4));
    ASSERT_TRUE((*archive)->put(principal, std::string(300 + i % 17, 'x'), {}, at(i * 3)));
  }
  ASSERT_TRUE((*archive)->expire(at(220)));
  EXPECT_EQ(ask(file, "SELECT principals||' '||entries||' '||size||' '||stored FROM total"),
            ask(file,
                "SELECT count(DISTINCT principal)||' '||count(*)||' '||sum(size)||' '||sum(stored) "
                "FROM entry"));
}

TEST(SqliteFormat, every_version_can_be_migrated) {
  for (std::size_t version = 0; version <= detail::kSchemaSteps.size(); ++version) {
    const TemporaryFolder folder(TemporaryFolder::On::memory);
    const std::string file = folder.file("a.db");
    for (std::size_t step = 0; step < version; ++step) ask(file, detail::kSchemaSteps[step]);
    if (version > 0) {
      ask(file, "PRAGMA application_id=1164863087; PRAGMA user_version=" + std::to_string(version));
    }
    auto archive = sqlite_archive(file);
    ASSERT_TRUE(archive) << version << ": " << archive.error().message;
    EXPECT_TRUE((*archive)->put("ann", "x", {}, at(0)));
    EXPECT_TRUE((*sqlite_counters(file))->take({"ann", "t"}, {}, at(0)));
  }
}

TEST(SqliteFormat, a_newer_version_is_refused_and_left_alone) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  ASSERT_TRUE(sqlite_archive(file));
  ask(file, "PRAGMA user_version=99");
  const auto archive = sqlite_archive(file);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code, ErrorCode::unsupported);
  EXPECT_NE(archive.error().message.find("99"), std::string::npos) << archive.error().message;
  EXPECT_EQ(archive.error().where, file);
  EXPECT_EQ(ask(file, "PRAGMA user_version"), "99");
}

TEST(SqliteFormat, files_of_others_are_refused_and_left_alone) {
  const TemporaryFolder folder;
  const std::string database = folder.file("other.db"), text = folder.file("text.db");
  ask(database, "CREATE TABLE notes(text); INSERT INTO notes VALUES('mine')");
  const auto archive = sqlite_archive(database);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code, ErrorCode::invalid_input) << archive.error().message;
  EXPECT_EQ(ask(database, "SELECT text FROM notes"), "mine");
  EXPECT_EQ(ask(database, "PRAGMA journal_mode"), "delete");
  {
    std::ofstream(text) << std::string(2000, 'x');
  }
  EXPECT_EQ(sqlite_archive(text).error().code, ErrorCode::internal);
  EXPECT_EQ(sqlite_archive(folder.path()).error().code, ErrorCode::unavailable);
}

TEST(SqliteFormat, space_comes_back_when_content_expires) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  auto archive = sqlite_archive(file, {.life = std::chrono::seconds(10)});
  std::string bytes(3'000'000, 'x');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i * 31 >> 7);
  ASSERT_TRUE((*archive)->put("ann", bytes, {}, at(0)));
  const auto stored = (*archive)->statistics()->stored_bytes;
  ASSERT_EQ((*archive)->expire(at(10)), 1U);
  EXPECT_LT(std::filesystem::file_size(file), 200'000U) << "stored were " << stored;
  EXPECT_EQ(std::filesystem::file_size(file + "-wal"), 0U);
}

class RedisFormat : public ::testing::Test {
 protected:
  void SetUp() override {
    server = shared_redis();
    ASSERT_NE(server, nullptr);
    server->tell({"FLUSHALL"});
  }
  RedisServer* server = nullptr;
  std::string tag = "enfold:{" + to_hex(detail::digest_of_parts({"ann"})) + "}:";
};

TEST_F(RedisFormat, all_keys_of_a_principal_share_one_hash_tag_and_go_away_by_themselves) {
  auto archive = redis_archive(server->url(), kPatient);
  ASSERT_TRUE((*archive)->put("ann", "x", {}, at(0)));
  std::istringstream keys(server->tell({"KEYS", "*"}));
  int count = 0;
  for (std::string key; std::getline(keys, key); ++count) {
    EXPECT_TRUE(key.starts_with(tag)) << key;
    const int seconds = std::stoi(server->tell({"TTL", key}));
    EXPECT_GE(seconds, 168 * 3600) << key;
    EXPECT_LE(seconds, 169 * 3600) << key;
  }
  EXPECT_EQ(count, 6);
}

TEST_F(RedisFormat, what_older_programs_can_read_stays_theirs_to_read) {
  auto archive = redis_archive(server->url(), kPatient);
  ASSERT_TRUE((*archive)->put("ann", "{}", {.media_type = "application/json"}, at(0)));
  EXPECT_EQ(server->tell({"HGET", tag + "sums", "version"}), "1");
  ASSERT_TRUE((*archive)->put("ann", "{}", {.media_type = "text/plain"}, at(0)));
  EXPECT_EQ(server->tell({"HGET", tag + "sums", "version"}), "2");
}

TEST_F(RedisFormat, a_newer_version_is_refused_and_left_alone) {
  auto archive = redis_archive(server->url(), {.life = std::chrono::seconds(10)});
  const auto receipt = (*archive)->put("ann", "x", {}, at(0));
  server->tell({"HSET", tag + "sums", "version", "3"});
  const auto put = (*archive)->put("ann", "y", {}, at(1));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::unsupported) << put.error().message;
  EXPECT_EQ((*archive)->get("ann", receipt->handle, at(1)).error().code, ErrorCode::unsupported);
  EXPECT_EQ((*archive)->find("ann", {}, at(1)).error().code, ErrorCode::unsupported);
  EXPECT_EQ((*archive)->expire(at(100)), 0U);
  EXPECT_EQ(server->tell({"HLEN", tag + "entry"}), "1");
}

TEST_F(RedisFormat, what_has_expired_leaves_nothing_behind) {
  auto archive = redis_archive(server->url(), {.life = std::chrono::seconds(10)});
  ASSERT_TRUE((*archive)->put("ann", "x", {}, at(0)));
  ASSERT_EQ((*archive)->expire(at(10)), 1U);
  EXPECT_EQ(server->tell({"KEYS", "*"}), tag + "sums\n");
  EXPECT_EQ((*archive)->statistics()->principals, 0U);
}

// Replicas may be far apart in time; what has expired is decided by the server's clock.
TEST_F(RedisFormat, a_wrong_clock_of_one_replica_harms_no_handle) {
  const auto now = [](Instant time) { return std::chrono::floor<std::chrono::seconds>(time); };
  const detail::WallClock wrong = [] { return detail::system_time() + std::chrono::hours(8 * 24); };
  const auto right_archive = redis_archive(server->url(), kPatient).value();
  const auto wrong_archive =
      detail::content_archive(detail::redis_backend(server->url(), {}, wrong).value(), {});
  const auto first = right_archive->put("ann", "first", {}, now(detail::system_time()));
  const auto second = wrong_archive->put("ann", "second", {}, now(wrong()));
  ASSERT_TRUE(first && second);
  for (const auto& receipt : {*first, *second}) {
    EXPECT_TRUE(right_archive->get("ann", receipt.handle, now(detail::system_time())));
    EXPECT_TRUE(wrong_archive->get("ann", receipt.handle, now(wrong())));
  }
  EXPECT_LE(second->expires - first->expires, std::chrono::seconds(60));
  EXPECT_EQ(wrong_archive->expire(now(wrong())), 0U);
  EXPECT_EQ(wrong_archive->find("ann", {}, now(wrong()))->size(), 2U);
}

TEST(RedisCluster, every_operation_keeps_to_the_rules_of_a_cluster) {
  // One node that holds every slot still refuses commands whose keys are in different slots.
  RedisServer server(RedisServer::Keeps::nothing, {"--cluster-enabled", "yes"});
  ASSERT_EQ(server.start(), "");
  server.tell({"CLUSTER", "ADDSLOTSRANGE", "0", "16383"});
  for (int i = 0;
       i < 2000 && server.tell({"CLUSTER", "INFO"}).find("cluster_state:ok") == std::string::npos;
       ++i) {
    usleep(5000);
  }
  ASSERT_EQ(server.tell({"MGET", "a", "b"}).substr(0, 9), "CROSSSLOT");
  auto archive = redis_archive(server.url(), {.max_bytes_per_principal = 1000});
  ASSERT_TRUE(archive) << archive.error().message;
  for (int i = 0; i < 20; ++i) {
    const std::string principal = "p" + std::to_string(i % 5),
                      bytes(300, static_cast<char>('a' + i));
    const auto receipt = (*archive)->put(principal, bytes, {}, at(i));
    ASSERT_TRUE(receipt) << receipt.error().message;
    EXPECT_EQ((*archive)->get(principal, receipt->handle, at(i)), bytes);
    EXPECT_EQ((*archive)->get(principal, receipt->hash, at(i)), bytes);
  }
  EXPECT_EQ((*archive)->find("p0", {}, at(20))->size(), 3U);
  EXPECT_EQ((*archive)->statistics()->principals, 5U);
  EXPECT_EQ((*archive)->verify()->checked, 15U);
  EXPECT_EQ((*archive)->expire(at(10'000'000)), 15U);
  EXPECT_TRUE(
      (*redis_counters(server.url(), kPatient.server_timeout))->take({"ann", "t"}, {}, at(0)));
}

}  // namespace
}  // namespace enfold::store::testing
