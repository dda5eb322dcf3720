// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"
#include "enfold/json/pointer.h"
#include "enfold/token/profile.h"
#include "tests/cli/archive_program.h"
#include "tests/cli/large_answer.h"
#include "tests/store/redis_server.h"

#include <sys/stat.h>

namespace enfold::cli {
namespace {

constexpr int kItems = 200;

class Fetch : public ArchiveProgramTest {
 protected:
  Fetch() { handle_ = put(large_answer(kItems), {.media_type = "application/json; contract=mcp"}); }

  [[nodiscard]] Ended fetch(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"fetch", handle_});
    return enfold(std::move(arguments));
  }
  [[nodiscard]] std::string key_file() const { return default_file().string() + ".key"; }

  std::string handle_;
};

/// What an answer shows as data, or "" with a failed test.
std::string data_of(const Ended& ended) {
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  const auto document = json::parse(ended.out);
  const auto data = document ? document->root().find("data") : std::nullopt;
  EXPECT_TRUE(data) << ended.out.substr(0, 500);
  return data ? std::string(data->raw()) : "";
}

std::optional<std::string> cursor_of(const Ended& ended) {
  const auto document = json::parse(ended.out);
  const auto pages = document ? document->root().find("meta")->find("pagination") : std::nullopt;
  const auto cursor = pages ? pages->find("cursor") : std::nullopt;
  return cursor && cursor->is_string() ? std::optional(cursor->string()) : std::nullopt;
}

TEST_F(Fetch, gives_what_was_asked_for) {
  const auto item = [](int number) {
    return R"({"id":)" + std::to_string(1000 + number) + R"(,"title":"Item )" +
           std::to_string(number) + R"( of answer 0","state":")" +
           (number % 3 == 0 ? "open" : "closed") + R"(","body":")" +
           std::string(80, static_cast<char>('a' + number % 26)) + R"("})";
  };
  struct Case {
    std::vector<std::string> arguments;
    std::string want;
  };
  const std::vector<Case> cases{
      {{"--id", "1007"}, R"({"items":[)" + item(7) + "]}"},
      {{"--id", "1007", "--id", "1003"}, R"({"items":[)" + item(7) + "," + item(3) + "]}"},
      {{"--id", "/items/7..8"}, R"({"items":[)" + item(7) + "," + item(8) + "]}"},
      {{"--pointer", "/items/3"}, item(3)},
      {{"--pointer", "/total"}, R"({"result":200})"},
      {{"--pointer", "/items/*/id", "--page-size", "2"},
       R"({"items":[{"pointer":"/items/0/id","value":1000},{"pointer":"/items/1/id","value":1001}]})"},
      {{"--range", "18..19"}, R"({"items":[)" + item(18) + "," + item(19) + "]}"},
      {{"--range", "/items/0..0"}, R"({"items":[)" + item(0) + "]}"},
      {{"--find", "ITEM 198 "},
       R"({"items":[{"pointer":"/items/198","value":)" + item(198) + "}]}"},
      {{"--regex", "^Item 198 ", "--count"}, R"({"count":1,"matches":1})"},
      {{"--range=-1"}, R"({"items":[)" + item(199) + "]}"},
      {{"--where", "id > 1197 and state = open"}, R"({"items":[)" + item(198) + "]}"},
      {{"--where", "id > 5000"}, R"({"items":[]})"},
      {{"--pointer", "/items/3/title", "--chars", "0..5"}, R"({"text":"Item 3"})"},
      {{"--pointer", "/items/3/title", "--lines", "1..1"}, R"({"text":"Item 3 of answer 0"})"},
      {{"--pointer", "/items/3/state"}, R"({"text":"open"})"},
      {{"--raw", "--pointer", "/structuredContent/total"}, R"({"result":200})"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(::testing::PrintToString(one.arguments));
    EXPECT_EQ(data_of(fetch(one.arguments)), one.want);
  }
  EXPECT_THAT(data_of(fetch({"--stat"})), HasSubstr(R"("pointer":"/items","count":200,"id":"id")"));
}

TEST_F(Fetch, takes_nothing_behind_an_equals_sign_for_the_empty_value) {
  EXPECT_THAT(data_of(fetch({"--pointer=", "--stat"})), HasSubstr(R"("pointer":"/items")"));
  EXPECT_THAT(data_of(fetch({"--pointer=", "--page-size=1"})), HasSubstr(R"("total":200)"));
  EXPECT_THAT(data_of(fetch({"--pointer="})), HasSubstr(R"("total":200)"));
  EXPECT_THAT(data_of(fetch({"--id=", "--page-size=1"})), HasSubstr(R"("total":200)"));
  EXPECT_THAT(fetch({"--find=", "--page-size=1"}),
              ends(5, "", HasSubstr("expected a text to look for, found none")));
  EXPECT_EQ(data_of(fetch({"--find", "--pointer="})), R"({"items":[]})");
  EXPECT_THAT(fetch({"--page-size=", "--stat"}),
              ends(5, "", HasSubstr("expected a page size from 1 to 1000, found \"\"")));
  EXPECT_THAT(fetch({"--range=", "--stat"}), ends(5, "", HasSubstr("range")));
  EXPECT_THAT(fetch({"--pointr=", "--stat"}), ends(5, "", HasSubstr("did you mean --pointer?")));
}

TEST_F(Fetch, holds_no_more_than_a_page_of_what_it_finds) {
  std::string list = "[\"a\"";
  for (int i = 1; i < 1'000'000; ++i) list += ",\"a\"";
  handle_ = put(list + "]", {.media_type = "application/json; contract=mcp"});
#if defined(__SANITIZE_ADDRESS__)
  constexpr long slack = 1024 * 1024;  // shadow memory and quarantine
#else
  constexpr long slack = 20 * 1024;
#endif
  const long least = fetch({"--pointer", "/7"}).peak_kilobytes;
  for (const std::vector<std::string>& selection :
       std::vector<std::vector<std::string>>{{"--range", "0.."},
                                             {"--range", "500000..", "--page-size", "7"},
                                             {"--find", "a"},
                                             {"--where", ". = a"},
                                             {"--id", "a"},
                                             {"--id", "/0..999999"},
                                             {"--pointer", "/*"}}) {
    SCOPED_TRACE(::testing::PrintToString(selection));
    const Ended ended = fetch(selection);
    const bool shows_places = selection.front() == "--find";
    EXPECT_THAT(data_of(ended),
                StartsWith(shows_places ? R"({"items":[{"pointer":"/0","value":"a"},)"
                                        : R"({"items":["a","a",)"));
    EXPECT_LT(ended.peak_kilobytes, least + slack);
  }
}

TEST_F(Fetch, opens_by_hash_too) {
  EXPECT_THAT(enfold({"fetch", sha256_name(large_answer(kItems)), "--raw"}),
              ends(0, large_answer(kItems), ""));
}

TEST_F(Fetch, keeps_its_own_answers_within_the_budget) {
  for (const std::size_t budget : {128U, 200U, 400U, 1000U, 5000U}) {
    for (const std::vector<std::string>& selection : std::vector<std::vector<std::string>>{
             {}, {"--range", "0.."}, {"--find", "item"}, {"--pointer", "/items"}}) {
      std::vector<std::string> arguments{"--budget", std::to_string(budget)};
      arguments.insert(arguments.end(), selection.begin(), selection.end());
      SCOPED_TRACE(::testing::PrintToString(arguments));
      const Ended ended = fetch(arguments);
      ASSERT_EQ(ended.exit_code, 0) << ended.err;
      EXPECT_LE(token::o200k_base().count(ended.out.substr(0, ended.out.size() - 1)), budget);
    }
  }
  const Ended claude = fetch({"--client", "claude", "--range", "0.."});
  EXPECT_LE(token::find_profile("claude").value()->tokenizer->count(claude.out), 10'001U);
}

TEST_F(Fetch, leads_from_page_to_page_until_all_is_shown_once) {
  std::vector<std::string> arguments{"fetch", handle_, "--range", "0..", "--budget", "2000"};
  std::int64_t next = 1000;
  for (int pages = 1; pages < 100; ++pages) {
    const Ended ended = enfold(arguments);
    ASSERT_EQ(ended.exit_code, 0) << ended.err;
    const auto document = json::parse(ended.out);
    for (const json::View item : document->root().find("data")->find("items")->items()) {
      ASSERT_EQ(item.find("id")->integer(), next++);
    }
    const auto cursor = cursor_of(ended);
    if (!cursor) {
      EXPECT_EQ(next, 1000 + kItems);
      EXPECT_GT(pages, 3);
      return;
    }
    arguments = {"fetch", "--cursor", *cursor, "--budget", "2000"};
  }
  FAIL() << "does not end";
}

TEST_F(Fetch, leads_on_in_every_contract) {
  struct Case {
    std::string contract;
    std::string cursor;  ///< where it stands
    std::string more;
  };
  const std::vector<Case> cases{
      {"response-v2", "/meta/pagination/cursor", "/meta/pagination/has_more"},
      {"response-v1", "/enfold/pagination/cursor", "/enfold/pagination/has_more"},
      {"generic", "/pagination/nextOffset", "/pagination/hasMore"},
      {"scalpel-v1", "/data/_envelope/pagination/cursor", "/data/_envelope/pagination/has_more"},
      {"memory", "/enfold/pagination/cursor", "/enfold/pagination/has_more"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.contract);
    std::vector<std::string> arguments{"fetch", handle_, "--range", "0.."};
    int pages = 0;
    for (std::optional<std::string> cursor("first"); cursor && pages < 9; ++pages) {
      if (pages > 0) arguments = {"fetch", "--cursor", *cursor};
      arguments.insert(arguments.end(), {"--page-size", "80", "--to", one.contract});
      const Ended ended = enfold(arguments);
      ASSERT_EQ(ended.exit_code, 0) << ended.err;
      const auto document = json::parse(ended.out);
      const auto at = [&](const std::string& pointer) {
        return json::Pointer::parse(pointer)->resolve(document->root());
      };
      const auto next = at(one.cursor);
      cursor.reset();
      if (next && next->is_string()) cursor = next->string();
      const auto more = at(one.more);
      EXPECT_EQ(more && more->boolean(), cursor.has_value()) << ended.out.substr(0, 300);
      EXPECT_THAT(ended.out, HasSubstr("\"id\":" + std::to_string(1000 + pages * 80)));
    }
    EXPECT_EQ(pages, 3);
  }
}

TEST_F(Fetch, takes_a_cursor_only_from_whom_it_gave_it) {
  const Ended first = fetch({"--range", "0..", "--page-size", "10"});
  const std::string cursor = cursor_of(first).value();
  EXPECT_THAT(enfold({"fetch", handle_, "--cursor", cursor, "--page-size", "1"}),
              ends(0, HasSubstr("\"id\":1010"), ""));
  std::string altered = cursor;
  altered[10] = altered[10] == 'A' ? 'B' : 'A';
  for (const std::string& bad : {altered, std::string("eyJvZmZzZXQiOjF9"), std::string("x")}) {
    EXPECT_THAT(enfold({"fetch", "--cursor", bad}),
                ends(4, "", AllOf(HasSubstr("error: "), HasSubstr("hint: "))));
  }
  const std::string other = put("[1,2,3]");
  EXPECT_THAT(
      enfold({"fetch", other, "--cursor", cursor}),
      ends(4, "", HasSubstr("expected a cursor of " + other + ", found one of " + handle_)));
  fs::remove(key_file());
  EXPECT_THAT(enfold({"fetch", "--cursor", cursor}), ends(4, "", HasSubstr("bad_signature")));
}

TEST_F(Fetch, keeps_the_key_of_its_cursors_to_its_owner) {
  ASSERT_EQ(fetch({"--range", "0..", "--page-size", "1"}).exit_code, 0);
  struct stat status{};
  ASSERT_EQ(::stat(key_file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(status.st_size, 32);
  fs::permissions(key_file(), fs::perms(0644));
  EXPECT_THAT(
      fetch({"--range", "0..", "--page-size", "1"}),
      ends(0, AllOf(HasSubstr("\"has_more\":true"), Not(HasSubstr("\"cursor\""))),
           HasSubstr(
               "warning: there is more, but no cursor could be created: other users may read")));
  fs::permissions(key_file(), fs::perms(0600));
  fs::resize_file(key_file(), 31);
  EXPECT_THAT(enfold({"fetch", "--cursor", "eyJvZmZzZXQiOjF9"}),
              ends(1, "", HasSubstr("expected 32 bytes in the cursor key, found 31")));
  fs::remove(key_file());
  fs::create_symlink(key_file(), key_file());
  EXPECT_THAT(enfold({"fetch", "--cursor", "eyJvZmZzZXQiOjF9"}),
              ends(1, "",
                   AllOf(HasSubstr("cannot open the cursor key: "),
                         HasSubstr("hint: make the file readable for its owner only"))));
}

TEST_F(Fetch, says_the_same_of_a_handle_that_is_unknown_expired_or_of_others) {
  const std::string expired = put("expired", {}, store::Time(std::chrono::seconds(1'000'000'000)));
  const std::string foreign = put("foreign", {}, today(), "somebody else");
  std::vector<std::string> answers;
  for (const std::string& reference : {std::string("123456789012"), expired, foreign,
                                       "sha256:" + std::string(64, 'a'), std::string("nonsense")}) {
    Ended ended = enfold({"fetch", reference});
    EXPECT_THAT(ended, ends(4,
                            AllOf(StartsWith("{\"success\":false"),
                                  HasSubstr(R"("error_code":"NOT_FOUND")"),
                                  HasSubstr("Call the original tool again")),
                            AllOf(HasSubstr("error: no archived content under this reference"),
                                  HasSubstr("hint: "))));
    for (std::size_t at = 0; (at = ended.out.find(reference)) != std::string::npos;) {
      ended.out.replace(at, reference.size(), "X");
    }
    answers.push_back(ended.out);
    EXPECT_EQ(answers.back(), answers.front());
    EXPECT_THAT(enfold({"fetch", reference, "--raw"}), ends(4, "", HasSubstr("error: ")));
  }
}

TEST_F(Fetch, names_what_is_there_when_a_place_is_not) {
  EXPECT_THAT(fetch({"--pointer", "/itms"}), ends(4, "", HasSubstr("items")));
  EXPECT_THAT(fetch({"--range", "500..600"}), ends(4, "", HasSubstr("they are 0..199")));
  EXPECT_THAT(fetch({"--id", "5000"}), ends(4, "", HasSubstr("5000")));
  EXPECT_THAT(fetch({"--where", "stat = open"}), ends(4, "", HasSubstr("did you mean state?")));
  EXPECT_THAT(fetch({"--id", "1001", "--id", "5000"}),
              ends(0, AllOf(HasSubstr("\"id\":1001"), HasSubstr("no record has the id 5000")), ""));
}

TEST_F(Fetch, reads_archived_text_by_line) {
  std::string log;
  for (int i = 1; i <= 5000; ++i) log += "line " + std::to_string(i) + "\n";
  const std::string handle = put(log, {.media_type = "text/plain"});
  EXPECT_EQ(data_of(enfold({"fetch", handle, "--lines", "40..41"})),
            R"({"text":"line 40\nline 41\n"})");
  EXPECT_EQ(data_of(enfold({"fetch", handle, "--find", "line 499"})).substr(0, 43),
            R"({"items":[{"line":499,"text":"line 499\n"},)");
  EXPECT_THAT(enfold({"fetch", handle, "--raw"}), ends(0, log, ""));
  std::vector<std::string> arguments{"fetch", handle, "--budget", "3000", "--page-size", "1000"};
  std::string all;
  for (int pages = 0; pages < 50; ++pages) {
    const Ended ended = enfold(arguments);
    const auto data = json::parse(data_of(ended));
    all += data->root().find("text")->string();
    const auto cursor = cursor_of(ended);
    if (!cursor) break;
    arguments = {"fetch", "--cursor", *cursor, "--budget", "3000", "--page-size", "1000"};
  }
  EXPECT_EQ(all, log);
}

TEST_F(Fetch, gives_a_record_that_is_too_large_in_pages_of_its_list) {
  std::string answer = R"({"items":[{"id":1,"log":[)";
  for (int i = 0; i < 2000; ++i)
    answer += (i == 0 ? "" : ",") + std::string("\"event ") + std::to_string(i) + "\"";
  answer += R"(]},{"id":2,"log":[]}]})";
  std::vector<std::string> arguments{"fetch", put(answer), "--id", "1", "--budget", "600"};
  int next = 0;
  for (int page = 0; page < 60; ++page) {
    const Ended ended = enfold(arguments);
    ASSERT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_LE(token::o200k_base().count(ended.out), 601U);
    while (ended.out.find("\"event " + std::to_string(next) + "\"") != std::string::npos) ++next;
    const auto cursor = cursor_of(ended);
    if (!cursor) break;
    arguments = {"fetch", "--cursor", *cursor, "--budget", "600"};
  }
  EXPECT_EQ(next, 2000);
}

TEST_F(Fetch, works_on_redis) {
  store::testing::RedisServer server(store::testing::RedisServer::Keeps::nothing);
  ASSERT_EQ(server.start(), "");
  const std::string handle =
      open(server.url())->put(kPrincipal, large_answer(kItems), {}, today())->handle;
  const Ended first =
      enfold({"fetch", handle, "--archive", server.url(), "--range", "0..", "--page-size", "1"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(fs::exists(folder() / ".local" / "state" / "enfold" / "cursor.key"));
  EXPECT_THAT(enfold({"fetch", "--archive", server.url(), "--cursor", cursor_of(first).value()}),
              ends(0, HasSubstr("\"id\":1001"), ""));
  server.kill();
  EXPECT_THAT(enfold({"fetch", handle, "--archive", server.url()}),
              ends(1,
                   AllOf(HasSubstr(R"("error_code":"UNAVAILABLE")"),
                         HasSubstr(R"("retry_after_seconds":5)"), Not(HasSubstr("redis"))),
                   AllOf(HasSubstr("redis+unix://"), HasSubstr("hint: "))));
}

TEST_F(Fetch, without_an_archive_is_an_error) {
  EXPECT_THAT(enfold({"fetch", handle_, "--archive", "none.db"}),
              ends(4, AllOf(StartsWith("{\"success\":false"), HasSubstr("NOT_FOUND")),
                   StartsWith("error: there is no archive\n  at none.db\nhint: ")));
  EXPECT_THAT(enfold({"fetch", "--cursor", "abcd", "--archive", "none.db"}),
              ends(4, "", HasSubstr("bad_signature")));
  EXPECT_FALSE(fs::exists(folder() / "none.db"));
  EXPECT_FALSE(fs::exists(folder() / "none.db.key"));
}

TEST_F(Fetch, of_damaged_content_is_a_failure_that_says_so) {
  tamper("UPDATE content SET data = zeroblob(length(data))");
  EXPECT_THAT(
      fetch({"--range", "0..3"}),
      ends(1,
           AllOf(StartsWith("{\"success\":false"), HasSubstr("\"INTERNAL_ERROR\""),
                 HasSubstr(R"("code":"ARCHIVE_READ_CORRUPT")"),
                 HasSubstr(R"("context":{"handle":")" + handle_ + "\"}"),
                 HasSubstr("Call the original tool again"), Not(HasSubstr("archive.db"))),
           AllOf(HasSubstr("error: the archived content is damaged"), HasSubstr("hint: "))));
  EXPECT_THAT(fetch({"--raw"}), ends(1, "", HasSubstr("damaged")));
}

TEST_F(Fetch, makes_the_key_of_its_cursors_when_a_page_leads_on) {
  EXPECT_EQ(fetch({"--range", "0..3"}).exit_code, 0);
  EXPECT_EQ(fetch({"--raw"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(key_file()));
  const Ended first = fetch({"--range", "0..3", "--page-size", "2"});
  EXPECT_TRUE(fs::exists(key_file()));
  EXPECT_THAT(enfold({"fetch", "--cursor", cursor_of(first).value()}),
              ends(0, HasSubstr("\"id\":1002"), ""));
}

TEST_F(Fetch, goes_on_with_pages_of_the_same_size) {
  const Ended first = fetch({"--range", "0..", "--page-size", "7"});
  const Ended second = enfold({"fetch", "--cursor", cursor_of(first).value()});
  EXPECT_THAT(second, ends(0,
                           AllOf(HasSubstr("\"id\":1007"), HasSubstr("\"id\":1013"),
                                 Not(HasSubstr("\"id\":1014"))),
                           ""));
  EXPECT_THAT(enfold({"fetch", "--cursor", cursor_of(second).value(), "--page-size", "1"}),
              ends(0, AllOf(HasSubstr("\"id\":1014"), Not(HasSubstr("\"id\":1015"))), ""));
}

TEST_F(Fetch, that_is_asked_for_wrongly_says_how) {
  struct Case {
    std::vector<std::string> arguments;
    std::string want;
  };
  const std::vector<Case> cases{
      {{"fetch"}, "error: expected a handle, a hash or --cursor, found none\n"},
      {{"fetch", "1", "--find", "x", "--where", "a = 1"},
       "expected one selection, found --find and --where"},
      {{"fetch", "1", "--range", "18-49"}, "hint: write 18..49\n"},
      {{"fetch", "1", "--range", "9..3"}, "hint: write 3..9\n"},
      {{"fetch", "1", "--pointer", "items.3"}, "hint: write /items/3\n"},
      {{"fetch", "1", "--where", "title = two words"},
       "hint: put a value of several words in quotes"},
      {{"fetch", "1", "--cursor", "c", "--find", "x"},
       "--cursor and a selection exclude each other"},
      {{"fetch", "1", "2"}, "expected no further argument, found \"2\""},
      {{"fetch", "1", "--page-size", "0"}, "expected a page size from 1 to 1000"},
      {{"fetch", "1", "--budget", "100"}, "expected a number of tokens from 128"},
      {{"fetch", "1", "--client", "chatgpt"}, "choose one of openai"},
      {{"fetch", "1", "--to", "reponse-v2"}, "did you mean response-v2?"},
      {{"fetch", "1", "--pionter", "/a"}, "did you mean --pointer?"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(::testing::PrintToString(one.arguments));
    EXPECT_THAT(enfold(one.arguments), ends(5, "", HasSubstr(one.want)));
  }
  write("policy.json", R"({"kep":[]})");
  EXPECT_THAT(fetch({"--policy", "policy.json"}), ends(4, "", HasSubstr("did you mean keep?")));
}

}  // namespace
}  // namespace enfold::cli
