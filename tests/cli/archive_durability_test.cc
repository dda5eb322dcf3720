// SPDX-License-Identifier: Apache-2.0
// kill -9 at a random moment: every handle that `enfold fit` had printed opens afterwards, byte for
// byte, and `enfold archive verify` is clean.
#include "tests/cli/archive_program.h"
#include "tests/cli/large_answer.h"
#include "tests/store/redis_server.h"

#include <random>

namespace enfold::cli {
namespace {

using store::testing::RedisServer;

constexpr int kAnswers = 12;  // of one run

class ArchiveDurability : public ArchiveProgramTest {
 protected:
  /// The arguments of a run over answers that no other run has.
  [[nodiscard]] std::vector<std::string> arguments(int seed, const std::string& archive) const {
    std::vector<std::string> words{"fit", "--budget", "200", "--archive", archive};
    for (int i = 0; i < kAnswers; ++i) {
      const std::string name = std::to_string(i) + ".json";
      write(name, large_answer(20 + 17 * i, seed * kAnswers + i));
      words.push_back(name);
    }
    return words;
  }

  /// Until some answer or none was printed, and a moment longer.
  static void live_for_a_while(Running& program, std::mt19937& random) {
    const std::size_t lines = random() % kAnswers;
    program.listen_until(lines);
    program.listen(std::chrono::microseconds(random() % (lines == 0 ? 40'000 : 8'000)));
  }

  /// How many handles were printed.
  std::size_t check(const Running& program, int seed, const std::string& archive) const {
    const std::vector<std::string> lines = program.lines();
    std::size_t printed = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string handle = handle_in(lines[i]);
      if (handle.empty()) {  // the server was gone already
        EXPECT_THAT(lines[i], ::testing::HasSubstr("ARCHIVE_WRITE_FAILED"));
        continue;
      }
      ++printed;
      const int number = static_cast<int>(i);
      EXPECT_THAT(enfold({"fetch", handle, "--raw", "--archive", archive}),
                  ends(0, large_answer(20 + 17 * number, seed * kAnswers + number), ""));
    }
    if (printed > 0) {
      const Ended verified = enfold({"archive", "verify", "--archive", archive});
      EXPECT_THAT(verified, ends(0, ::testing::EndsWith(", none damaged\n"), ""));
    }
    return printed;
  }
};

TEST_F(ArchiveDurability, every_printed_handle_opens_after_kill_9_with_sqlite) {
  testing::kill_many_times("enfold fit, sqlite", 17, [&](int seed, std::mt19937& random) {
    Running program({.arguments = arguments(seed, "archive.db"), .folder = folder()});
    live_for_a_while(program, random);
    program.kill();
    return check(program, seed, "archive.db");
  });
}

TEST_F(ArchiveDurability, every_printed_handle_opens_after_kill_9_with_redis) {
  RedisServer server(RedisServer::Keeps::every_write);
  ASSERT_EQ(server.start(), "");
  testing::kill_many_times("enfold fit, redis", 19, [&](int seed, std::mt19937& random) {
    server.tell({"FLUSHALL"});  // a long append-only file takes long to load
    Running program({.arguments = arguments(seed, server.url()), .folder = folder()});
    live_for_a_while(program, random);
    if (seed % 2 == 0) program.kill();
    server.kill();
    program.finish();
    EXPECT_EQ(server.start(), "");
    return check(program, seed, server.url());
  });
}

}  // namespace
}  // namespace enfold::cli
