// SPDX-License-Identifier: Apache-2.0
// kill -9 at a random moment: every handle that had been printed opens afterwards, byte for byte.
#include "enfold/store/archive.h"
#include "tests/store/putter.h"
#include "tests/store/redis_server.h"
#include "tests/store/stores.h"
#include "tests/support/cases.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <random>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace enfold::store::testing {
namespace {

using Clock = std::chrono::steady_clock;

int kills() { return enfold::testing::property_cases(20, 500); }

/// A store_putter that runs.
class Putter {
 public:
  Putter(const std::string& place, int seed) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
    process_ = fork();
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(ends[1], STDOUT_FILENO);
      dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
      const std::string number = std::to_string(seed);
      execl(ENFOLD_STORE_PUTTER, "store_putter", place.c_str(), number.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    output_ = ends[0];
  }
  ~Putter() {
    kill();
    close(output_);
  }
  Putter(const Putter&) = delete;
  Putter& operator=(const Putter&) = delete;

  /// Reads what it prints for this long, and at least until there is something.
  void read_for(std::chrono::microseconds time) {
    auto deadline = Clock::now() + std::chrono::seconds(20);
    while (printed_.find('\n') == std::string::npos && read_once(deadline)) {
    }
    deadline = Clock::now() + time;
    while (read_once(deadline)) {
    }
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    finish();
  }
  void finish() {
    waitpid(process_, nullptr, 0);
    process_ = -1;
    while (read_once(Clock::now() + std::chrono::seconds(20))) {
    }
  }
  /// Whole lines only: the last may have been cut by the kill.
  [[nodiscard]] std::vector<std::string> handles() const {
    std::vector<std::string> lines;
    std::istringstream stream(printed_.substr(0, printed_.rfind('\n') + 1));
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

 private:
  bool read_once(Clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::microseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd ready{output_, POLLIN, 0};
    const timespec wait{left.count() / 1'000'000, left.count() % 1'000'000 * 1000};
    if (ppoll(&ready, 1, &wait, nullptr) <= 0) return false;
    char buffer[4096];
    const ssize_t got = read(output_, buffer, sizeof buffer);
    if (got <= 0) return false;
    printed_.append(buffer, static_cast<std::size_t>(got));
    return true;
  }

  pid_t process_ = -1;
  int output_ = -1;
  std::string printed_;
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

TEST(Durability, every_printed_handle_opens_after_kill_9_of_the_program_with_sqlite) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.db");
  std::mt19937 random(11);
  std::size_t printed = 0;
  for (int seed = 1; seed <= kills() && !HasFailure(); ++seed) {
    Putter putter(file, seed);
    putter.read_for(std::chrono::microseconds(random() % 30'000));
    putter.kill();
    auto archive = open_archive(file);
    ASSERT_TRUE(archive) << archive.error().message;
    const std::size_t count = check(**archive, putter.handles(), seed);
    EXPECT_GT(count, 0U);
    printed += count;
    if (seed % 10 == 0) {
      const auto verified = (*archive)->verify();
      ASSERT_TRUE(verified) << verified.error().message;
      EXPECT_TRUE(verified->damaged.empty());
    }
  }
  std::cout << "[ kill -9  ] sqlite: " << kills() << " kills, " << printed
            << " handles, all open\n";
}

TEST(Durability, every_printed_handle_opens_after_kill_9_of_redis_or_of_the_program) {
  RedisServer server(RedisServer::Keeps::every_write);
  ASSERT_EQ(server.start(), "");
  std::mt19937 random(13);
  std::size_t printed = 0;
  for (int seed = 1; seed <= kills() && !HasFailure(); ++seed) {
    server.tell({"FLUSHALL"});  // a long append-only file takes long to load
    Putter putter(server.url(), seed);
    putter.read_for(std::chrono::microseconds(random() % 30'000));
    if (seed % 4 == 0) putter.kill();
    server.kill();
    if (seed % 4 != 0) putter.finish();
    ASSERT_EQ(server.start(), "");
    auto archive = open_archive(server.url());
    ASSERT_TRUE(archive) << archive.error().message;
    const std::size_t count = check(**archive, putter.handles(), seed);
    EXPECT_GT(count, 0U);
    printed += count;
    const auto verified = (*archive)->verify();
    ASSERT_TRUE(verified) << verified.error().message;
    EXPECT_TRUE(verified->damaged.empty());
  }
  std::cout << "[ kill -9  ] redis: " << kills() << " kills, " << printed << " handles, all open\n";
}

TEST(Durability, several_processes_may_put_into_one_file) {
  const TemporaryFolder folder;
  const std::string file = folder.file("new/folder/a.db");  // they race to create it, too
  std::vector<std::unique_ptr<Putter>> putters;
  for (int seed = 1; seed <= 4; ++seed) putters.push_back(std::make_unique<Putter>(file, seed));
  for (auto& putter : putters) putter->read_for(std::chrono::milliseconds(30));
  for (auto& putter : putters) putter->kill();
  auto archive = open_archive(file);
  ASSERT_TRUE(archive) << archive.error().message;
  for (int seed = 1; seed <= 4; ++seed) {
    EXPECT_GT(check(**archive, putters[static_cast<std::size_t>(seed - 1)]->handles(), seed), 0U);
  }
  EXPECT_TRUE((*archive)->verify()->damaged.empty());
}

}  // namespace
}  // namespace enfold::store::testing
