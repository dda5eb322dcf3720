// SPDX-License-Identifier: Apache-2.0
// kill -9 at a random moment: every handle that had been printed opens afterwards, byte for byte.
#include "enfold/store/archive.h"
#include "enfold/store/stores.h"
#include "tests/store/putter.h"
#include "tests/store/redis_server.h"
#include "tests/store/stores.h"
#include "tests/support/killable.h"

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace enfold::store::testing {
namespace {

using enfold::testing::kill_many_times;

/// A store_putter that runs.
class Putter : public enfold::testing::Killable {
 public:
  Putter(const std::string& place, int seed, const char* count = nullptr)
      : Killable([&](int out, int nothing) {
          dup2(out, STDOUT_FILENO);
          dup2(nothing, STDERR_FILENO);
          const std::string number = std::to_string(seed);
          execl(ENFOLD_STORE_PUTTER, "store_putter", place.c_str(), number.c_str(), count, nullptr);
        }) {}

  /// At least until there is something.
  void live_for(std::chrono::microseconds time) {
    listen_until(1);
    listen(time);
  }
};

/// How many were printed; every one of them must open.
std::size_t check(Archive& archive, const std::vector<std::string>& handles, int seed) {
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const auto got = archive.get("ann", handles[i], Time());
    EXPECT_TRUE(got) << "dead handle " << handles[i] << ": " << (got ? "" : got.error().message);
    EXPECT_TRUE(!got || *got == content_of(seed, static_cast<int>(i))) << "wrong bytes";
  }
  return handles.size();
}

void expect_sound(Archive& archive) {
  const auto verified = archive.verify();
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_TRUE(verified->damaged.empty());
}

TEST(Durability, every_printed_handle_opens_after_kill_9_of_the_program_with_sqlite) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  kill_many_times("sqlite", 11, [&](int seed, std::mt19937& random) {
    Putter putter(file, seed);
    putter.live_for(std::chrono::microseconds(random() % 30'000));
    putter.kill();
    const auto archive = open_archive(file).value();
    if (seed % 10 == 0) expect_sound(*archive);
    return check(*archive, putter.lines(), seed);
  });
}

TEST(Durability, every_printed_handle_opens_after_kill_9_of_redis_or_of_the_program) {
  RedisServer server(RedisServer::Keeps::every_write);
  ASSERT_EQ(server.start(), "");
  kill_many_times("redis", 13, [&](int seed, std::mt19937& random) {
    server.tell({"FLUSHALL"});  // a long append-only file takes long to load
    Putter putter(server.url(), seed);
    putter.live_for(std::chrono::microseconds(random() % 30'000));
    if (seed % 4 == 0) putter.kill();
    server.kill();
    putter.finish();
    EXPECT_EQ(server.start(), "");
    const auto archive = open_archive(server.url()).value();
    expect_sound(*archive);
    return check(*archive, putter.lines(), seed);
  });
}

TEST(Durability, several_processes_may_put_into_one_file) {
  const TemporaryFolder folder;
  const std::string file = folder.file("new/folder/a.db");  // they race to create it, too
  std::vector<std::unique_ptr<Putter>> putters;
  for (int seed = 1; seed <= 4; ++seed) putters.push_back(std::make_unique<Putter>(file, seed));
  for (auto& putter : putters) putter->live_for(std::chrono::milliseconds(30));
  for (auto& putter : putters) putter->kill();
  auto archive = open_archive(file);
  ASSERT_TRUE(archive) << archive.error().message;
  for (int seed = 1; seed <= 4; ++seed) {
    EXPECT_GT(check(**archive, putters[static_cast<std::size_t>(seed - 1)]->lines(), seed), 0U);
  }
  EXPECT_TRUE((*archive)->verify()->damaged.empty());
}

TEST(Durability, a_process_that_ends_leaves_the_log_to_those_that_go_on) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  auto ours = open_archive(file).value();
  const auto counters = open_counters(file).value();
  (void)is_sqlite_archive(file);
  std::vector<std::string> handles;
  for (int round = 1; round <= 10; ++round) {
    Putter visitor(file, round, "1");
    visitor.finish();
    EXPECT_EQ(check(*ours, visitor.lines(), round), 1U);
    const auto receipt = ours->put("ann", content_of(100, round - 1), {}, Time());
    ASSERT_TRUE(receipt) << receipt.error().message;
    handles.push_back(receipt->handle);
  }
  ours.reset();
  const auto archive = open_archive(file).value();
  expect_sound(*archive);
  EXPECT_EQ(check(*archive, handles, 100), 10U);
  EXPECT_EQ(archive->statistics()->entries, 20U);
}

}  // namespace
}  // namespace enfold::store::testing
