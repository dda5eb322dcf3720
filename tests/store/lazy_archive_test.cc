// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/stores.h"
#include "tests/store/temporary_folder.h"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace enfold::store {
namespace {

TEST(LazyArchive, is_opened_by_the_first_who_needs_it_and_only_once) {
  int opened = 0;
  const auto archive = lazy_archive([&]() -> Result<std::unique_ptr<Archive>> {
    ++opened;
    return memory_archive();
  });
  EXPECT_EQ(opened, 0);
  const auto receipt = archive->put("p", "bytes", {}, Time());
  ASSERT_TRUE(receipt);
  EXPECT_EQ(*archive->get("p", receipt->handle, Time()), "bytes");
  EXPECT_EQ(archive->stat("p", receipt->hash, Time())->handle, receipt->handle);
  EXPECT_EQ(archive->find("p", {}, Time())->size(), 1U);
  EXPECT_EQ(archive->statistics()->entries, 1U);
  EXPECT_EQ(archive->verify()->checked, 1U);
  EXPECT_TRUE(archive->expire(Time()));
  EXPECT_EQ(opened, 1);
}

TEST(LazyArchive, that_cannot_be_opened_says_why_and_is_tried_again) {
  bool works = false;
  const auto archive = lazy_archive([&]() -> Result<std::unique_ptr<Archive>> {
    if (!works) return fail(ErrorCode::unavailable, "the disk is away");
    return memory_archive();
  });
  const auto first = archive->put("p", "bytes", {}, Time());
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().message, "the disk is away");
  works = true;
  EXPECT_TRUE(archive->put("p", "bytes", {}, Time()));
}

TEST(LazyArchive, is_one_for_all_threads) {
  std::atomic<int> opened = 0;
  const auto archive = lazy_archive([&]() -> Result<std::unique_ptr<Archive>> {
    ++opened;
    return memory_archive();
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] { (void)archive->put("p", std::to_string(i), {}, Time()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(archive->statistics()->entries, 4U);
}

TEST(SqliteFile, is_known_by_its_first_bytes) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.file("archive.db");
  EXPECT_FALSE(is_sqlite_archive(path)) << "there is none";
  ASSERT_TRUE(sqlite_archive(path));
  EXPECT_TRUE(is_sqlite_archive(path));
  EXPECT_FALSE(is_sqlite_archive(folder.path())) << "a folder";
  std::ofstream(folder.file("notes.txt")) << "SQLite format 3";
  EXPECT_FALSE(is_sqlite_archive(folder.file("notes.txt")));
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(63);
  file.put('\x63');  // of a version to come
  file.close();
  EXPECT_FALSE(is_sqlite_archive(path));
}

}  // namespace
}  // namespace enfold::store
