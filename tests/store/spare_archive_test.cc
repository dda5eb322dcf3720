// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/stores.h"
#include "tests/store/broken_archive.h"

#include <gtest/gtest.h>

namespace enfold::store {
namespace {

TEST(ArchiveWithSpare, keeps_in_memory_what_the_archive_refuses_and_says_so) {
  const std::shared_ptr<Archive> real = memory_archive();
  const auto broken = std::make_shared<testing::BrokenArchive>(
      *real, Error{.code = ErrorCode::unavailable, .message = "the disk is full"});
  const auto archive = archive_with_spare(broken);
  const auto receipt = archive->put("ann", "bytes", {}, Time());
  ASSERT_TRUE(receipt);
  EXPECT_TRUE(receipt->is_volatile);
  EXPECT_EQ(*archive->get("ann", receipt->handle, Time()), "bytes");
  EXPECT_EQ(archive->stat("ann", receipt->hash, Time())->handle, receipt->handle);
  EXPECT_FALSE(archive->get("ben", receipt->handle, Time()));
  EXPECT_EQ(archive->get("ann", "123456789012", Time()).error().message, "the disk is full");
}

TEST(ArchiveWithSpare, uses_the_archive_while_it_works) {
  const std::shared_ptr<Archive> real = memory_archive();
  const auto archive = archive_with_spare(real);
  const auto receipt = archive->put("ann", "bytes", {}, Time());
  ASSERT_TRUE(receipt);
  EXPECT_FALSE(receipt->is_volatile);
  EXPECT_EQ(*real->get("ann", receipt->handle, Time()), "bytes");
}

TEST(ArchiveWithSpare, does_not_get_around_the_caps_of_the_archive) {
  const std::shared_ptr<Archive> real = memory_archive({.max_bytes_per_principal = 1});
  const auto archive = archive_with_spare(real);
  const auto receipt = archive->put("ann", "bytes", {}, Time());
  ASSERT_FALSE(receipt);
  EXPECT_EQ(receipt.error().code, ErrorCode::limit_exceeded);
}

TEST(ArchiveWithSpare, evicts_nothing_and_has_no_room_for_more_while_the_archive_fails) {
  const std::shared_ptr<Archive> real = memory_archive();
  const auto broken = std::make_shared<testing::BrokenArchive>(
      *real, Error{.code = ErrorCode::unavailable, .message = "the disk is full"});
  const auto archive =
      archive_with_spare(broken, {.max_bytes_per_principal = std::uint64_t{3} << 20});
  std::uint32_t random = 1;
  const auto content = [&] {  // that does not get shorter
    std::string bytes(std::size_t{1} << 20, ' ');
    for (char& byte : bytes)
      byte = static_cast<char>((random = random * 1664525 + 1013904223) >> 24);
    return bytes;
  };
  EXPECT_TRUE(archive->has_room("ann", Time()));
  std::vector<std::string> handles;
  while (archive->has_room("ann", Time())) {
    handles.push_back(archive->put("ann", content(), {}, Time())->handle);
    ASSERT_LE(handles.size(), 3U);
  }
  EXPECT_GE(handles.size(), 2U);
  EXPECT_TRUE(archive->has_room("ben", Time()));
  while (archive->put("ann", content(), {}, Time())) handles.emplace_back();
  EXPECT_LE(handles.size(), 3U);
  for (const std::string& handle : handles) {
    EXPECT_TRUE(handle.empty() || archive->get("ann", handle, Time())) << handle;
  }
  EXPECT_TRUE(archive->has_room("ann", Time() + std::chrono::seconds(5))) << "it may work again";
}

/// Works only when it is told to.
class Switched final : public Archive {
 public:
  Result<Receipt> put(std::string_view principal, std::string_view bytes, const Meta& meta,
                      Time now) override {
    if (works) return real->put(principal, bytes, meta, now);
    return fail(ErrorCode::unavailable, "the disk is full");
  }
  Result<std::string> get(std::string_view principal, std::string_view reference,
                          Time now) override {
    return real->get(principal, reference, now);
  }
  Result<Entry> stat(std::string_view principal, std::string_view reference, Time now) override {
    return real->stat(principal, reference, now);
  }
  Result<std::vector<Entry>> find(std::string_view principal, const Query& query,
                                  Time now) override {
    return real->find(principal, query, now);
  }
  Result<std::uint64_t> expire(Time now) override { return real->expire(now); }
  Result<Statistics> statistics() override { return real->statistics(); }
  Result<Verification> verify() override { return real->verify(); }

  std::unique_ptr<Archive> real = memory_archive();
  bool works = false;
};

TEST(ArchiveWithSpare, moves_what_it_kept_when_the_archive_works_again) {
  const auto main = std::make_shared<Switched>();
  const auto archive = archive_with_spare(main);
  const auto ann = archive->put("ann", "of ann", {.tool = "t"}, Time());
  const auto ben = archive->put("ben", "of ben", {}, Time());
  ASSERT_TRUE(ann && ben);
  EXPECT_TRUE(ann->is_volatile && ben->is_volatile);
  main->works = true;
  ASSERT_TRUE(archive->put("cid", "of cid", {}, Time()));
  EXPECT_EQ(*main->real->get("ann", ann->handle, Time()), "of ann");
  EXPECT_EQ(main->real->stat("ann", ann->handle, Time())->meta.tool, "t");
  EXPECT_EQ(*main->real->get("ben", ben->handle, Time()), "of ben");
  EXPECT_EQ(*archive->get("ben", ben->hash, Time()), "of ben");
}

}  // namespace
}  // namespace enfold::store
