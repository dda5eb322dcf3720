// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/stores.h"
#include "tests/store/broken_archive.h"

#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::store {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The jobs of an archive, which run when the test says so.
struct Jobs {
  std::shared_ptr<ArchiveWithSpare> archive(std::shared_ptr<Archive> main,
                                            const ArchiveOptions& in_memory = {}) {
    return archive_with_spare(std::move(main), in_memory, [this](std::function<void()> job) {
      waiting.push_back(std::move(job));
      return true;
    });
  }
  void run_one() {
    const std::function<void()> job = std::move(waiting.front());
    waiting.pop_front();
    job();
  }
  void run_all() {
    while (!waiting.empty()) run_one();
  }
  std::deque<std::function<void()>> waiting;
};

std::vector<std::string> tools_in(const Result<std::vector<Entry>>& found) {
  std::vector<std::string> tools;
  if (found) {
    for (const Entry& entry : *found) tools.push_back(entry.meta.tool);
  }
  return tools;
}

TEST(ArchiveWithSpare, keeps_in_memory_what_the_archive_refuses_and_says_so) {
  const std::shared_ptr<Archive> real = memory_archive();
  const auto broken = std::make_shared<testing::BrokenArchive>(
      *real, Error{.code = ErrorCode::unavailable, .message = "the disk is full"});
  Jobs jobs;
  const auto archive = jobs.archive(broken);
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
  Jobs jobs;
  const auto archive = jobs.archive(real);
  const auto receipt = archive->put("ann", "bytes", {}, Time());
  ASSERT_TRUE(receipt);
  EXPECT_FALSE(receipt->is_volatile);
  EXPECT_EQ(*real->get("ann", receipt->handle, Time()), "bytes");
}

TEST(ArchiveWithSpare, does_not_get_around_the_caps_of_the_archive) {
  const std::shared_ptr<Archive> real = memory_archive({.max_bytes_per_principal = 1});
  Jobs jobs;
  const auto archive = jobs.archive(real);
  const auto receipt = archive->put("ann", "bytes", {}, Time());
  ASSERT_FALSE(receipt);
  EXPECT_EQ(receipt.error().code, ErrorCode::limit_exceeded);
}

TEST(ArchiveWithSpare, evicts_nothing_and_has_no_room_for_more_while_the_archive_fails) {
  const std::shared_ptr<Archive> real = memory_archive();
  const auto broken = std::make_shared<testing::BrokenArchive>(
      *real, Error{.code = ErrorCode::unavailable, .message = "the disk is full"});
  Jobs jobs;
  const auto archive = jobs.archive(broken, {.max_bytes_per_principal = std::uint64_t{3} << 20});
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
  EXPECT_FALSE(archive->has_room("ann", Time() + std::chrono::hours(1))) << "nothing has changed";
}

/// Works only when it is told to.
class Switched final : public Archive {
 public:
  explicit Switched(const ArchiveOptions& options = {}) : real(memory_archive(options)) {}
  Result<Receipt> put(std::string_view principal, std::string_view bytes, const Meta& meta,
                      Time now) override {
    ++puts;
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
    if (works) return real->find(principal, query, now);
    return fail(ErrorCode::unavailable, "the server is down");
  }
  Result<std::uint64_t> expire(Time now) override { return real->expire(now); }
  Result<Statistics> statistics() override { return real->statistics(); }
  Result<Verification> verify() override { return real->verify(); }

  std::unique_ptr<Archive> real;
  bool works = false;
  int puts = 0;
};

TEST(ArchiveWithSpare, moves_what_it_kept_when_the_archive_works_again) {
  const auto main = std::make_shared<Switched>();
  Jobs jobs;
  const auto archive = jobs.archive(main);
  const auto first = archive->put("ann", "of ann", {.tool = "first"}, Time(seconds(1)));
  const auto second = archive->put("ann", "too", {.tool = "second"}, Time(seconds(2)));
  const auto ben = archive->put("ben", "of ben", {}, Time(seconds(2)));
  ASSERT_TRUE(first && second && ben);
  EXPECT_TRUE(first->is_volatile && second->is_volatile && ben->is_volatile);
  main->works = true;
  const Time later(seconds(10));
  ASSERT_TRUE(archive->put("cid", "of cid", {}, later));
  EXPECT_FALSE(main->real->get("ann", first->handle, later)) << "not within the put of cid";
  jobs.run_all();
  EXPECT_EQ(*main->real->get("ann", first->handle, later), "of ann");
  EXPECT_EQ(main->real->stat("ann", first->handle, later)->expires, first->expires);
  EXPECT_EQ(*main->real->get("ben", ben->handle, later), "of ben");
  EXPECT_EQ(*archive->get("ben", ben->hash, later), "of ben");
  EXPECT_THAT(tools_in(main->real->find("ann", {}, later)), ElementsAre("second", "first"));
  EXPECT_THAT(tools_in(archive->find("ann", {}, later)), ElementsAre("second", "first"));
  const int puts = main->puts;
  ASSERT_TRUE(archive->put("cid", "more", {}, later + seconds(60)));
  jobs.run_all();
  EXPECT_EQ(main->puts, puts + 1) << "nothing is left to move";
}

// A call that runs and then finds no room for its answer is worse than one that is refused.
TEST(ArchiveWithSpare, without_room_finds_out_by_a_job_whether_the_archive_works_again) {
  const auto main = std::make_shared<Switched>();
  Jobs jobs;
  const auto archive = jobs.archive(main, {.max_entries_per_principal = 1});
  ASSERT_TRUE(archive->put("ann", "kept", {}, Time()));
  EXPECT_FALSE(archive->has_room("ann", Time(seconds(1))));
  EXPECT_THAT(jobs.waiting, IsEmpty()) << "the put has just failed";
  const int puts = main->puts;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(archive->has_room("ann", Time(seconds(6))));
  ASSERT_EQ(jobs.waiting.size(), 1U);
  jobs.run_one();
  EXPECT_EQ(main->puts, puts + 1);
  EXPECT_FALSE(archive->has_room("ann", Time(seconds(7)))) << "it still fails";
  main->works = true;
  EXPECT_FALSE(archive->has_room("ann", Time(seconds(12))));
  jobs.run_all();
  EXPECT_TRUE(archive->has_room("ann", Time(seconds(12))));
  EXPECT_TRUE(archive->has_room("ben", Time(seconds(12))));
}

TEST(ArchiveWithSpare, keeps_only_what_the_archive_does_not_take_under_its_handle) {
  const auto main = std::make_shared<Switched>(ArchiveOptions{.max_bytes_per_principal = 100});
  main->works = true;
  Jobs jobs;
  const auto archive = jobs.archive(main);
  ASSERT_TRUE(archive->put("ann", "same bytes", {.media_type = "a"}, Time()));
  main->works = false;
  const auto other = archive->put("ann", "same bytes", {.media_type = "b"}, Time());
  const auto large = archive->put("ann", std::string(101, 'x'), {.tool = "large"}, Time());
  const auto small = archive->put("ann", "small", {.tool = "small"}, Time());
  ASSERT_TRUE(other && large && small);
  EXPECT_EQ(archive->stat("ann", other->handle, Time())->meta.media_type, "b");
  main->works = true;
  ASSERT_TRUE(archive->put("ann", "next", {}, Time(seconds(6))));
  jobs.run_all();
  EXPECT_TRUE(main->real->get("ann", small->handle, Time()));
  EXPECT_TRUE(archive->get("ann", large->handle, Time()));
  EXPECT_EQ(archive->stat("ann", other->handle, Time())->meta.media_type, "b");
  const int puts = main->puts;
  ASSERT_TRUE(archive->put("ann", "last", {}, Time(seconds(60))));
  jobs.run_all();
  EXPECT_EQ(main->puts, puts + 1) << "what cannot be moved is not copied again";
}

TEST(ArchiveWithSpare, counts_what_is_in_memory_after_compression) {
  const auto main = std::make_shared<Switched>();
  Jobs jobs;
  const auto archive = jobs.archive(main, {.max_bytes_per_principal = 10'000});
  EXPECT_TRUE(archive->put("ann", std::string(1'000'000, 'x'), {}, Time()));
}

TEST(ArchiveWithSpare, finds_what_is_in_memory_too) {
  const auto main = std::make_shared<Switched>();
  Jobs jobs;
  const auto archive = jobs.archive(main);
  main->works = true;
  ASSERT_TRUE(archive->put("ann", "1", {.tool = "one"}, Time(seconds(1))));
  main->works = false;
  ASSERT_TRUE(archive->put("ann", "2", {.tool = "two"}, Time(seconds(2))));
  ASSERT_TRUE(archive->put("ann", "3", {.tool = "three"}, Time(seconds(3))));
  const Time now(seconds(4));
  EXPECT_THAT(tools_in(archive->find("ann", {}, now)), ElementsAre("three", "two"));
  main->works = true;
  EXPECT_THAT(tools_in(archive->find("ann", {}, now)), ElementsAre("three", "two", "one"));
  EXPECT_THAT(tools_in(archive->find("ann", {.tool = {}, .skip = 1, .limit = 1}, now)),
              ElementsAre("two"));
  EXPECT_THAT(tools_in(archive->find("ann", {.tool = "one"}, now)), ElementsAre("one"));
}

TEST(ArchiveWithSpare, moves_much_in_several_jobs) {
  const auto main = std::make_shared<Switched>();
  Jobs jobs;
  const auto archive = jobs.archive(main);
  for (int i = 0; i < 150; ++i) ASSERT_TRUE(archive->put("ann", std::to_string(i), {}, Time()));
  main->works = true;
  ASSERT_TRUE(archive->put("ben", "of ben", {}, Time(seconds(6))));
  int runs = 0;
  for (; !jobs.waiting.empty(); ++runs) jobs.run_one();
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(main->real->statistics()->entries, 151U);
}

}  // namespace
}  // namespace enfold::store
