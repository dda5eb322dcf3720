// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/document.h"
#include "tests/cli/archive_program.h"
#include "tests/store/redis_server.h"

#include <sstream>
#include <sys/stat.h>

namespace enfold::cli {
namespace {

using ::testing::MatchesRegex;

class ArchiveVerb : public ArchiveProgramTest {
 protected:
  [[nodiscard]] Ended archive(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "archive");
    return enfold(std::move(arguments));
  }
};

const store::Time kLongAgo{std::chrono::seconds(1'000'000'000)};

TEST_F(ArchiveVerb, that_only_looks_does_not_make_an_archive) {
  const std::string place = default_file();
  for (const std::string action : {"ls", "stats", "gc", "verify"}) {
    EXPECT_THAT(archive({action}),
                ends(4, "",
                     "error: there is no archive\n  at " + place +
                         "\nhint: `enfold fit` creates it when it first cuts an answer; "
                         "--archive or ENFOLD_ARCHIVE selects another\n"));
  }
  EXPECT_FALSE(fs::exists(default_file().parent_path()));
}

TEST_F(ArchiveVerb, lists_the_latest_first) {
  const std::string first = put("first", {.tool = "list_issues"});
  const std::string second = put(std::string(12'345, 'x'));
  const Ended ended = archive({"ls"});
  std::istringstream lines(ended.out);
  std::string header;
  std::string one;
  std::string two;
  std::getline(lines, header);
  std::getline(lines, one);
  std::getline(lines, two);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(header,
            "HANDLE             SIZE     STORED  CREATED               EXPIRES               TOOL");
  EXPECT_THAT(one, AllOf(StartsWith(second + "    12.3 KB"), EndsWith("Z  -")));
  EXPECT_THAT(two,
              AllOf(StartsWith(first + "        5 B        5 B  20"), EndsWith("Z  list_issues")));
}

TEST_F(ArchiveVerb, lists_one_json_object_an_answer) {
  const std::string handle = put("first", {.tool = "a", .media_type = "application/json"});
  put("second", {.tool = "b"});
  EXPECT_THAT(archive({"ls", "--tool", "a", "--json"}),
              ends(0,
                   MatchesRegex("\\{\"handle\":\"" + handle +
                                "\",\"hash\":\"sha256:[0-9a-f]{64}\",\"tool\":\"a\","
                                "\"media_type\":\"application/json\",\"size\":5,\"stored_size\":5,"
                                "\"created\":\"20[0-9T:-]+Z\",\"expires\":\"20[0-9T:-]+Z\"\\}\n"),
                   ""));
}

TEST_F(ArchiveVerb, says_that_there_are_more_than_it_lists) {
  for (const char* content : {"1", "2", "3"}) put(content);
  EXPECT_THAT(
      archive({"ls", "--limit", "2", "--json"}),
      ends(0, HasSubstr("\n{"), "warning: there are more than 2; use --limit to show more\n"));
  EXPECT_THAT(archive({"ls", "--limit", "3", "--json"}), ends(0, HasSubstr("\n{"), ""));
}

TEST_F(ArchiveVerb, lists_nothing_that_has_expired_or_is_of_others) {
  put("old", {}, kLongAgo);
  put("foreign", {}, today(), "somebody else");
  EXPECT_THAT(archive({"ls"}), ends(0, "nothing is archived\n", ""));
  EXPECT_THAT(archive({"ls", "--json"}), ends(0, "", ""));
}

TEST_F(ArchiveVerb, shows_the_name_of_a_tool_without_control_characters) {
  put("x", {.tool = "\033[2Jevil"});
  EXPECT_THAT(archive({"ls"}).out, AllOf(Not(HasSubstr("\033")), HasSubstr("\\u001b[2Jevil")));
}

TEST_F(ArchiveVerb, counts_what_is_held) {
  put("12345");
  put("foreign", {}, today(), "somebody else");
  EXPECT_THAT(archive({"stats"}), ends(0,
                                       "archive   " + default_file().string() +
                                           "\nanswers   2 (2 principals)\n"
                                           "size      12 B\nstored    12 B (100 %)\n",
                                       ""));
  EXPECT_THAT(archive({"stats", "--json"}),
              ends(0,
                   R"({"archive":")" + default_file().string() +
                       R"(","principals":2,"entries":2,"bytes":12,"stored_bytes":12,"warnings":[]})"
                       "\n",
                   ""));
}

TEST_F(ArchiveVerb, removes_what_has_expired) {
  // A put of today would begin to remove what expired before it.
  const std::string kept = put("new", {}, today(), "a third");
  put("old", {}, kLongAgo);
  put("foreign and old", {}, kLongAgo, "somebody else");
  EXPECT_THAT(archive({"gc", "--json"}), ends(0, "{\"removed\":2}\n", ""));
  EXPECT_THAT(archive({"gc"}), ends(0, "removed 0 expired answers\n", ""));
  EXPECT_EQ(open(default_file())->get("a third", kept, today()), "new");
}

TEST_F(ArchiveVerb, finds_damage_and_ends_with_2) {
  put("sound");
  EXPECT_THAT(archive({"verify"}), ends(0, "checked 1 answer, none damaged\n", ""));
  const std::string handle = put("to be damaged");
  tamper("UPDATE content SET data=X'00' WHERE id=2");
  EXPECT_THAT(archive({"verify"}),
              ends(2,
                   AllOf(StartsWith("checked 2 answers, 1 damaged\n  " + handle + ": "),
                         HasSubstr("\n    sha256:")),
                   ""));
  EXPECT_THAT(
      archive({"verify", "--json"}),
      ends(2, StartsWith(R"({"checked":2,"damaged":[{"handle":")" + handle + R"(","hash":"s)"),
           ""));
}

TEST_F(ArchiveVerb, finds_a_file_that_is_damaged_as_a_whole) {
  put("sound");
  fs::resize_file(default_file(), 8192);
  EXPECT_THAT(archive({"verify"}), ends(2, "", HasSubstr("malformed")));
  EXPECT_THAT(
      archive({"verify", "--json"}),
      ends(2, StartsWith(R"({"checked":null,"damaged":[{"handle":null,"hash":null,"problem":"c)"),
           HasSubstr("malformed")));
}

TEST_F(ArchiveVerb, says_when_only_the_tool_that_was_named_has_nothing) {
  put("x", {.tool = "list_items"});
  EXPECT_THAT(archive({"ls", "--tool", "other"}),
              ends(0, "nothing of the tool other is archived\n", ""));
  EXPECT_THAT(archive({"ls", "--tool", "list_items"}), ends(0, HasSubstr("list_items"), ""));
}

TEST_F(ArchiveVerb, works_on_the_place_that_is_named) {
  auto other = open(folder() / "other.db");
  ASSERT_TRUE(other->put(kPrincipal, "x", {}, today()));
  const std::string want = "checked 1 answer, none damaged\n";
  EXPECT_THAT(archive({"verify", "--archive", "other.db"}), ends(0, want, ""));
  EXPECT_THAT(archive({"verify", "--archive", "sqlite:other.db"}), ends(0, want, ""));
  EXPECT_THAT(
      enfold_with({.arguments = {"archive", "verify"}, .environment = {"ENFOLD_ARCHIVE=other.db"}}),
      ends(0, want, ""));
  EXPECT_THAT(enfold_with({.arguments = {"archive", "verify", "--archive", "other.db"},
                           .environment = {"ENFOLD_ARCHIVE=none.db"}}),
              ends(0, want, ""));
}

TEST_F(ArchiveVerb, keeps_the_archive_where_the_user_keeps_state) {
  fs::create_directories(folder() / "state" / "enfold");
  ASSERT_TRUE(
      open(folder() / "state" / "enfold" / "archive.db")->put(kPrincipal, "x", {}, today()));
  EXPECT_THAT(enfold_with({.arguments = {"archive", "verify"},
                           .environment = {"XDG_STATE_HOME=" + (folder() / "state").string()}}),
              ends(0, "checked 1 answer, none damaged\n", ""));
  EXPECT_THAT(
      enfold_with({.arguments = {"archive", "ls"}, .environment = {"XDG_STATE_HOME=relative"}}),
      ends(4, "", HasSubstr(default_file().string())));
  EXPECT_THAT(enfold_with({.arguments = {"archive", "ls"}, .environment = {"HOME="}}),
              ends(5, "",
                   "error: expected a place for the archive, found none\n"
                   "hint: set HOME or ENFOLD_ARCHIVE, or pass --archive\n"));
}

TEST_F(ArchiveVerb, refuses_what_is_no_archive) {
  write("text.txt", std::string(5000, 'a'));
  EXPECT_THAT(archive({"ls", "--archive", "text.txt"}), ends(1, "", HasSubstr("text.txt")));
  fs::create_directory(folder() / "directory");
  EXPECT_THAT(archive({"ls", "--archive", "directory"}), ends(1, "", HasSubstr("error: ")));
  for (const char* memory : {"memory", "memory:"}) {
    EXPECT_THAT(archive({"ls", "--archive", memory}),
                ends(5, "",
                     "error: expected an archive that outlives the program, found memory\n"
                     "hint: use a file (./memory for a file of that name) or a Redis server\n"));
  }
  EXPECT_THAT(archive({"ls", "--archive", "mysql://root:secret@host"}),
              ends(5, "", AllOf(HasSubstr("found mysql://…"), Not(HasSubstr("secret")))));
}

TEST_F(ArchiveVerb, in_a_folder_that_cannot_be_written_is_an_error_with_a_hint) {
  put("x");
  fs::permissions(folder(), fs::perms(0755));
  for (fs::path path = default_file().parent_path(); path != folder(); path = path.parent_path()) {
    fs::permissions(path, fs::perms(0555));
  }
  fs::permissions(default_file(), fs::perms(0444));
  EXPECT_THAT(enfold_with({.arguments = {"archive", "gc"}, .as_nobody = true}),
              ends(1, "", AllOf(HasSubstr("error: "), HasSubstr("\nhint: "))));
  for (fs::path path = default_file().parent_path(); path != folder(); path = path.parent_path()) {
    fs::permissions(path, fs::perms(0755));
  }
}

TEST_F(ArchiveVerb, waits_for_whoever_holds_the_file_and_then_says_so) {
  put("old", {}, kLongAgo);
  const Locked lock(default_file());
  EXPECT_THAT(archive({"gc"}), ends(1, "", AllOf(HasSubstr("5000 ms"), HasSubstr("\nhint: "))));
  EXPECT_THAT(archive({"ls"}), ends(0, "nothing is archived\n", ""));
}

TEST_F(ArchiveVerb, works_on_redis_and_never_shows_a_password) {
  store::testing::RedisServer server(store::testing::RedisServer::Keeps::nothing);
  ASSERT_EQ(server.start(), "");
  ASSERT_TRUE(open(server.url())->put(kPrincipal, "x", {.tool = "t"}, today()));
  EXPECT_THAT(archive({"verify", "--archive", server.url()}),
              ends(0, "checked 1 answer, none damaged\n", ""));
  EXPECT_THAT(archive({"stats", "--archive", server.url()}),
              ends(0, HasSubstr("answers   1 (1 principal)\n"), StartsWith("warning: ")));
  server.tell({"CONFIG", "SET", "requirepass", "hunter2"});
  const std::string secret = "redis+unix://:hunter2@" + server.socket();
  const Ended stats = archive({"stats", "--archive", secret, "--json"});
  EXPECT_THAT(stats, ends(0, AllOf(HasSubstr(server.url()), Not(HasSubstr("hunter2"))), ""));
  EXPECT_THAT(archive({"ls", "--archive", server.url()}), ends(4, "", HasSubstr("password")));
  server.kill();
  EXPECT_THAT(archive({"ls", "--archive", secret}),
              ends(1, "", AllOf(HasSubstr("hint: "), Not(HasSubstr("hunter2")))));
  EXPECT_THAT(archive({"ls", "--archive", "rediss://localhost"}), ends(5, "", HasSubstr("TLS")));
}

TEST_F(ArchiveVerb, refuses_what_only_a_list_can_be_narrowed_by) {
  put("first", {.tool = "a"});
  EXPECT_THAT(archive({"verify", "--tool", "a"}),
              ends(5, "",
                   "error: expected --tool with ls only, found it with verify\n"
                   "hint: remove it: verify covers the whole archive\n"));
  EXPECT_THAT(archive({"gc", "--limit", "3"}),
              ends(5, "", HasSubstr("expected --limit with ls only, found it with gc")));
  EXPECT_THAT(archive({"stats", "--limit", "3"}), ends(5, "", HasSubstr("--limit with ls only")));
  EXPECT_THAT(archive({"ls", "--tool", "a", "--limit", "3"}), ends(0, HasSubstr("  a\n"), ""));
}

TEST_F(ArchiveVerb, that_is_mistyped_is_named_with_a_way_out) {
  EXPECT_THAT(archive({}),
              ends(5, "",
                   "error: expected ACTION, found none\nhint: for example `enfold archive "
                   "ls`\n"));
  EXPECT_THAT(archive({"verfiy"}), ends(5, "",
                                        "error: expected ls, stats, gc, verify, found \"verfiy\"\n"
                                        "hint: did you mean verify?\n"));
  EXPECT_THAT(archive({"list"}), ends(5, "", HasSubstr("hint: did you mean ls?\n")));
  EXPECT_THAT(archive({"prune"}), ends(5, "", HasSubstr("hint: did you mean gc?\n")));
  EXPECT_THAT(
      archive({"ls", "--limit", "0"}),
      ends(5, "", HasSubstr("expected a number of answers from 1 to 1000000, found \"0\"")));
}

}  // namespace
}  // namespace enfold::cli
