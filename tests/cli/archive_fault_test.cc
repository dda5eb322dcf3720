// SPDX-License-Identifier: Apache-2.0
// When the archive fails: the answer is shown whole with a warning, or the call fails, as the user
// wants it; never a handle that does not open.
#include "tests/cli/archive_program.h"
#include "tests/cli/large_answer.h"
#include "tests/store/redis_server.h"

namespace enfold::cli {
namespace {

class ArchiveFaults : public ArchiveProgramTest {
 protected:
  ArchiveFaults() { write("large.json", large_answer(200)); }

  /// Shown whole with code 2 and without a handle; with --require-archive a typed failure.
  void expect_no_handle(Command command, const std::string& reason) const {
    command.arguments = {"fit", "--budget", "300", "large.json"};
    const Ended whole = enfold_with(command);
    EXPECT_THAT(whole, ends(2,
                            AllOf(HasSubstr("ARCHIVE_WRITE_FAILED"), HasSubstr("Item 199 of"),
                                  Not(HasSubstr("content_archive_hashes"))),
                            AllOf(StartsWith("warning: large.json: over the budget, because it "
                                             "could not be archived: "),
                                  HasSubstr(reason))));
    command.arguments.emplace_back("--require-archive");
    const Ended failed = enfold_with(command);
    EXPECT_THAT(failed,
                ends(1,
                     AllOf(StartsWith("{\"success\":false"), HasSubstr("UNAVAILABLE"),
                           Not(HasSubstr("content_archive_hashes")), Not(HasSubstr("Item 199"))),
                     AllOf(StartsWith("error: "), HasSubstr(reason), HasSubstr("hint: "))));
  }
};

TEST_F(ArchiveFaults, of_a_folder_that_cannot_be_written) {
  fs::permissions(folder(), fs::perms(0555));
  expect_no_handle({.as_nobody = true}, ".local");
  fs::permissions(folder(), fs::perms(0755));
}

TEST_F(ArchiveFaults, of_a_full_disk) {
  // Room for an empty archive with its log, and not for the content.
  std::string noise;
  for (std::uint32_t i = 0, x = 1; i < 300'000; ++i) {
    x = x * 1664525U + 1013904223U;
    noise += static_cast<char>('!' + (x >> 16U) % 90U);
    if (noise.back() == '"' || noise.back() == '\\') noise.back() = '-';
  }
  put("there before");
  write("large.json", "{\"noise\":\"" + noise + "\",\"end\":\"Item 199 of\"}");
  expect_no_handle({.largest_file = 100'000}, "");
  EXPECT_THAT(enfold({"archive", "verify"}), ends(0, "checked 1 answer, none damaged\n", ""));
  // With room again, it goes on.
  const Ended ended = enfold({"fit", "--budget", "300", "large.json"});
  EXPECT_THAT(enfold({"fetch", handle_in(ended.out), "--raw"}), ends(0, read("large.json"), ""));
}

TEST_F(ArchiveFaults, of_a_file_that_somebody_else_holds) {
  put("there before");
  const Locked lock(default_file());
  EXPECT_THAT(enfold({"fit", "--budget", "300", "large.json"}),
              ends(2, AllOf(HasSubstr("ARCHIVE_WRITE_FAILED"), HasSubstr("Item 199 of")),
                   HasSubstr("5000 ms")));
}

TEST_F(ArchiveFaults, of_a_file_that_is_no_archive) {
  write("text.db", std::string(5000, 'x'));
  expect_no_handle({.environment = {"ENFOLD_ARCHIVE=text.db"}}, "text.db");
  EXPECT_EQ(read("text.db"), std::string(5000, 'x'));
}

TEST_F(ArchiveFaults, of_a_server_that_is_gone) {
  const std::string nowhere = "redis+unix://:hunter2@" + (folder() / "no-socket").string();
  expect_no_handle({.environment = {"ENFOLD_ARCHIVE=" + nowhere}}, "no-socket");
  EXPECT_THAT(enfold({"fit", "--budget", "300", "--archive", nowhere, "large.json"}).err,
              Not(HasSubstr("hunter2")));
}

TEST_F(ArchiveFaults, of_a_server_without_memory) {
  store::testing::RedisServer server(store::testing::RedisServer::Keeps::nothing);
  ASSERT_EQ(server.start(), "");
  server.tell({"CONFIG", "SET", "maxmemory", "1"});
  expect_no_handle({.environment = {"ENFOLD_ARCHIVE=" + server.url()}}, "memory");
}

TEST_F(ArchiveFaults, of_damaged_content_is_an_error_until_it_is_archived_again) {
  const std::string handle = handle_in(enfold({"fit", "--budget", "300", "large.json"}).out);
  tamper("UPDATE content SET data=CAST(X'00'||substr(data,2) AS BLOB)");
  for (const std::vector<std::string>& selection :
       std::vector<std::vector<std::string>>{{"--raw"}, {"--range", "0..3"}, {}}) {
    std::vector<std::string> arguments{"fetch", handle};
    arguments.insert(arguments.end(), selection.begin(), selection.end());
    const Ended ended = enfold(arguments);
    EXPECT_THAT(ended, ends(1, ::testing::_, AllOf(HasSubstr("damaged"), HasSubstr("hint: "))));
    const bool raw = selection == std::vector<std::string>{"--raw"};
    EXPECT_THAT(ended.out, HasSubstr(raw ? "" : "ARCHIVE_READ_CORRUPT"));
    EXPECT_EQ(ended.out.empty(), raw);
  }
  EXPECT_THAT(enfold({"archive", "verify"}).exit_code, 2);
  EXPECT_EQ(handle_in(enfold({"fit", "--budget", "300", "large.json"}).out), handle);
  EXPECT_THAT(enfold({"fetch", handle, "--raw"}), ends(0, large_answer(200), ""));
  EXPECT_THAT(enfold({"archive", "verify"}).exit_code, 0);
}

}  // namespace
}  // namespace enfold::cli
