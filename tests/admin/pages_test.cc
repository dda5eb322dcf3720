// SPDX-License-Identifier: Apache-2.0
// The other pages of the admin API: tools, archive, upstreams and sessions, checks, configuration.
#include "enfold/gateway/admin/pages/advice.h"
#include "enfold/tools/fetch_tool.h"
#include "enfold/tools/opened_answers.h"
#include "tests/admin/site.h"
#include "tests/store/temporary_folder.h"

#include <fstream>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

json::Value tool_named(const json::Value& list, const std::string& name) {
  for (const json::View tool : list->find("tools")->items()) {
    if (tool.find("tool")->equals(name)) return json::Value(tool);
  }
  ADD_FAILURE() << name << " in " << json::to_text(list.view());
  return {};
}

std::string body_with(const std::string& key, const std::string& value) {
  return fmt::format(R"({{"{}":{}}})", key, json::quote(value));
}

TEST(AdminPages, send_a_file_again_only_if_it_has_changed) {
  AdminSite site;
  const auto get = [&](const Fields& fields) { return site.send("GET", "/ui/", "", fields).head; };
  const std::string tag(get({}).find("ETag").value_or(""));
  if (tag.empty()) GTEST_SKIP() << "built without the dashboard";
  EXPECT_EQ(tag.substr(0, 3), "W/\"") << "of the file and of its compressed form";
  EXPECT_EQ(get({{"Accept-Encoding", "gzip"}}).find("ETag"), tag);
  EXPECT_EQ(get({{"Accept-Encoding", "gzip"}}).find("Content-Encoding"), "gzip");
  EXPECT_FALSE(get({{"Accept-Encoding", "br, gzip;q=0"}}).find("Content-Encoding"));
  for (const std::string& known : {tag, tag.substr(2), "\"a\", " + tag, std::string("*")}) {
    EXPECT_EQ(get({{"If-None-Match", known}}).status(), 304) << known;
  }
  EXPECT_EQ(get({{"If-None-Match", "\"a\", W/\"b\""}}).status(), 200);
}

TEST(AdminPages, say_what_tools_cost) {
  AdminSite site;
  site.log_in();
  for (int i = 0; i < 3; ++i) (void)site.result(large_answer());
  (void)site.result(R"({"content":[{"type":"text","text":"no"}],"isError":true})");
  const json::Value tool = tool_named(site.get("/api/v1/tools", "tools"), "result");
  EXPECT_EQ(text_at(tool, "/calls"), "4");
  EXPECT_EQ(text_at(tool, "/failed"), "1");
  EXPECT_EQ(text_at(tool, "/cut"), "3");
  EXPECT_GT(tool->find("definition_tokens")->integer().value_or(0), 10);
  EXPECT_GT(tool->find("tokens_before")->integer(), tool->find("tokens_after")->integer());
  EXPECT_EQ(tool->find("trend")->size(), 1U);
}

TEST(AdminPages, show_the_archive_and_count_what_is_opened_again) {
  AdminSite site;
  site.log_in();
  (void)site.result(large_answer());
  const std::string handle = site.last_row()->find("handle")->string();
  (void)site.call("enfold_fetch", fmt::format(R"({{"handle":"{}","range":"0..3"}})", handle));
  const json::Value list = site.get("/api/v1/archive", "archive");
  EXPECT_EQ(text_at(list, "/total"), "1");
  EXPECT_EQ(text_at(list, "/entries/0/handle"), json::quote(handle));
  EXPECT_EQ(text_at(list, "/entries/0/tool"), R"("result")");
  EXPECT_EQ(text_at(list, "/entries/0/opened"), "1");
  EXPECT_EQ(text_at(site.get("/api/v1/archive?tool=other", "archive"), "/total"), "0");
  EXPECT_EQ(text_at(list, "/entries/0/upstream"), R"("up")");
  EXPECT_EQ(text_at(list, "/entries/0/answers"), "1");
  EXPECT_EQ(text_at(list, "/entries/0/last_answer"), "1");
  EXPECT_EQ(text_at(site.get("/api/v1/archive?upstream=up", "archive"), "/total"), "1");
  EXPECT_EQ(text_at(site.get("/api/v1/archive?upstream=other", "archive"), "/total"), "0");
  EXPECT_EQ(text_at(site.get("/api/v1/archive?handle=" + handle, "archive"), "/total"), "1");
  EXPECT_EQ(text_at(site.get("/api/v1/archive?handle=100000000000", "archive"), "/total"), "0");
  const json::Value stats = site.get("/api/v1/archive/stats", "archive-stats");
  EXPECT_EQ(text_at(stats, "/by_tool/0/name"), R"("result")");
  EXPECT_EQ(text_at(stats, "/by_tool/0/upstream"), R"("up")");
  EXPECT_EQ(text_at(stats, "/by_age/0/entries"), "1");
  const std::string path = "/api/v1/archive/" + handle;
  const json::Value tables = site.get(path + "/tables", "archive-tables");
  EXPECT_EQ(text_at(tables, "/tables/0/name"), R"("rows")");
  EXPECT_EQ(text_at(tables, "/tables/0/pointer"), R"("/rows")");
  EXPECT_EQ(text_at(tables, "/tables/0/rows"), "2000");
}

// An original that no recent answer has.
std::string put_original(AdminSite& site, const std::string& text) {
  const AdminSource source = site.gateway->admin_source([&] { return site.gateway->report(); });
  const auto put = site.gateway->archive()->put(
      source.calls.environment.settings.answers.principal, json::quote(text),
      {.tool = "result", .media_type = "application/json"},
      tools::store_time(*source.calls.local.services()->host));
  EXPECT_TRUE(put);
  return put ? put->handle : std::string();
}

TEST(AdminPages, choose_originals_whose_upstream_is_not_known) {
  AdminSite site;
  site.log_in();
  (void)site.result(large_answer());
  const std::string handle = put_original(site, "an original from before the restart");
  EXPECT_EQ(text_at(site.get("/api/v1/archive?tool=result", "archive"), "/total"), "2");
  const json::Value unknown = site.get("/api/v1/archive?upstream=(unknown)", "archive");
  EXPECT_EQ(text_at(unknown, "/total"), "1");
  EXPECT_EQ(text_at(unknown, "/entries/0/handle"), json::quote(handle));
  EXPECT_EQ(text_at(unknown, "/entries/0/upstream"), "null");
}

TEST(AdminPages, find_an_original_that_is_older_than_all_that_are_listed) {
  AdminSite site;
  site.log_in();
  const std::string oldest = put_original(site, "the oldest");
  for (std::size_t i = 0; i < ArchiveList::kMaxCounted; ++i) {
    (void)put_original(site, std::to_string(i));
  }
  const std::string path = "/api/v1/archive?handle=" + oldest;
  const json::Value found = site.get(path, "archive");
  EXPECT_EQ(text_at(found, "/total"), "1");
  EXPECT_EQ(text_at(found, "/entries/0/handle"), json::quote(oldest));
  EXPECT_EQ(text_at(site.get(path + "&tool=result", "archive"), "/total"), "1");
  EXPECT_EQ(text_at(site.get(path + "&tool=other", "archive"), "/total"), "0");
  EXPECT_EQ(text_at(site.get(path + "&upstream=up", "archive"), "/total"), "0");
}

TEST(AdminPages, say_how_many_answers_share_an_original) {
  AdminSite site;
  site.log_in();
  for (int i = 0; i < 3; ++i) (void)site.result(large_answer());
  const json::Value list = site.get("/api/v1/archive", "archive");
  EXPECT_EQ(text_at(list, "/total"), "1");
  EXPECT_EQ(text_at(list, "/entries/0/answers"), "3");
  EXPECT_EQ(text_at(list, "/entries/0/last_answer"), "3");
  EXPECT_EQ(text_at(site.get("/api/v1/archive/stats", "archive-stats"), "/answers"), "3");
}

TEST(AdminPages, count_an_opened_answer_once_however_often_it_was_given) {
  AdminSite site;
  site.log_in();
  for (int i = 0; i < 6; ++i) (void)site.result(large_answer());
  const std::string handle = site.last_row()->find("handle")->string();
  for (int i = 0; i < 2; ++i) {
    (void)site.call("enfold_fetch", fmt::format(R"({{"handle":"{}","range":"0..3"}})", handle));
  }
  const json::Value tool = tool_named(site.get("/api/v1/tools", "tools"), "result");
  EXPECT_THAT(text_at(tool, "/advice"), Not(HasSubstr("were opened")));
}

TEST(AdminPages, answer_questions_to_an_archived_answer) {
  AdminSite site;
  site.log_in();
  (void)site.result(large_answer());
  const std::string path =
      "/api/v1/archive/" + site.last_row()->find("handle")->string() + "/query";
  const auto ask = [&](const std::string& key, const std::string& value) {
    return site.post(path, body_with(key, value), "archive-query");
  };
  const json::Value sum = ask("sql", "select count(*) as n, max(id) as top from rows");
  EXPECT_EQ(text_at(sum, "/rows"), R"({"columns":["n","top"],"rows":[[2000,1999]]})");
  EXPECT_EQ(text_at(ask("where", "id = 7"), "/rows/rows/0/0"), "7");
  EXPECT_EQ(text_at(ask("pointer", "/rows/3/id"), "/rows"), "null");
  EXPECT_THAT(text_at(ask("find", "number 1234 of"), "/answer"), HasSubstr("1234"));
  const json::Value first = ask("sql", "select id from rows");
  const json::Value second =
      site.post(path, body_with("cursor", first->find("cursor")->string()), "archive-query");
  EXPECT_NE(text_at(second, "/rows/rows/0/0"), "0") << "the next page";
  (void)site.post(path, body_with("sql", "drop table rows"), "error");
  (void)site.post("/api/v1/archive/100000000000/query", body_with("find", "x"), "error");
}

TEST(AdminPages, say_that_there_is_no_archive) {
  Settings settings = one_upstream();
  settings.answers.keeps_originals = false;
  AdminSite site(std::move(settings));
  site.log_in();
  (void)site.get("/api/v1/archive", "error");
  EXPECT_EQ(text_at(site.get("/api/v1/session", "session"), "/has_archive"), "false");
}

// 398 sessions that the metrics counted did not appear here.
TEST(AdminPages, show_as_many_sessions_as_the_metrics_count) {
  AdminSite site;
  site.log_in();
  Voice client(site.loop, site.front->url());
  (void)client.open_session();
  const Heard begun = client.request(
      "POST", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":)"
              R"("2025-11-25","capabilities":{},"clientInfo":{"name":"silent","version":"1"}}})");
  ASSERT_FALSE(begun.session.empty());  // its client never sends `initialized`
  (void)site.call("echo");              // of the stateless era
  const json::Value listed = site.get("/api/v1/sessions", "sessions");
  EXPECT_EQ(listed->find("sessions")->size(), 2U);
  EXPECT_EQ(site.front->sessions(), 2U);
  EXPECT_EQ(text_at(listed, "/sessions/1/client"), R"("silent 1")");
  EXPECT_EQ(client.request("DELETE", "", Voice::in(begun.session)).status, 200);
  EXPECT_EQ(site.get("/api/v1/sessions", "sessions")->find("sessions")->size(), 1U);
}

TEST(AdminPages, show_upstreams_and_sessions) {
  Settings settings = one_upstream();
  settings.session_budget = 50'000;
  AdminSite site(std::move(settings));
  site.log_in();
  const json::Value upstreams = site.get("/api/v1/upstreams", "upstreams");
  EXPECT_EQ(text_at(upstreams, "/upstreams/0/name"), R"("up")");
  EXPECT_EQ(text_at(upstreams, "/upstreams/0/state"), R"("ready")");
  EXPECT_EQ(text_at(upstreams, "/upstreams/0/transport"), R"("stdio")");
  Voice voice(site.loop, site.front->url());
  const std::string session = voice.open_session();
  (void)voice.call_in(session, "echo");
  const json::Value sessions = site.get("/api/v1/sessions", "sessions");
  ASSERT_EQ(sessions->find("sessions")->size(), 1U);
  EXPECT_THAT(json::to_text(sessions.view()), Not(HasSubstr(session))) << "the id is a secret";
  EXPECT_EQ(text_at(sessions, "/sessions/0/client"), R"("tester 1")");
  EXPECT_EQ(text_at(sessions, "/sessions/0/calls"), "1");
  EXPECT_EQ(text_at(sessions, "/sessions/0/budget/limit"), "50000");
}

TEST(AdminPages, check_an_upstream_and_tell_what_changed) {
  AdminSite site;
  site.log_in();
  const json::Value first = site.post("/api/v1/check", R"({"upstream":"up"})", "check");
  EXPECT_EQ(text_at(first, "/counts/calls"), "0");
  EXPECT_GT(first->find("counts")->find("tools")->integer().value_or(0), 0);
  EXPECT_EQ(text_at(first, "/counts/answers"), "0");
  (void)site.result(R"({"content":[],"structuredContent":{"error":"it did not work"}})");
  (void)site.post("/api/v1/check", R"({"upstream":"up","call":true})", "check");
  const json::Value runs = site.get("/api/v1/check", "checks");
  ASSERT_EQ(runs->find("runs")->size(), 2U);
  EXPECT_EQ(text_at(runs, "/runs/0/id"), "2");
  EXPECT_EQ(text_at(runs, "/runs/0/counts/answers"), "1");
  EXPECT_EQ(text_at(runs, "/runs/1/new"), "[]");
  (void)site.post("/api/v1/check", R"({"upstream":"nobody"})", "error");
}

TEST(AdminPages, count_the_definitions_that_a_check_found_at_the_server) {
  // The server does not start while the gateway does, so the gateway knows no definition.
  const store::testing::TemporaryFolder folder;
  const std::string down = folder.file("down");
  std::ofstream(down) << "now";
  UpstreamSettings late = with_environment(
      with_environment(upstream("both", "up"), "ENFOLD_TEST_DOWN", down), "ENFOLD_TEST_TOOL",
      R"({"name":"reads","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}})");
  AdminSite site(with_small_budget(for_many(std::move(late))));
  site.log_in();
  const json::Value without = site.post("/api/v1/check", R"({"upstream":"up"})", "check");
  EXPECT_EQ(text_at(without, "/counts/tools"), "0");
  std::filesystem::remove(down);
  const json::Value with = site.post("/api/v1/check", R"({"upstream":"up","call":true})", "check");
  EXPECT_GT(with->find("counts")->find("calls")->integer().value_or(0), 0);
  EXPECT_GT(with->find("counts")->find("tools")->integer().value_or(0), 0);
}

CheckSubject mute_server() {
  CheckSubject subject;
  subject.settings.name = "mute";
  client::StdioTarget target;
  target.command = {"/bin/sh", "-c", "sleep 600"};
  subject.settings.target = target;
  subject.calls = true;
  return subject;
}

TEST(CheckRun, ends_when_its_time_is_over) {
  CheckSubject subject = mute_server();
  subject.most_time = std::chrono::milliseconds(10);
  const std::atomic<bool> stop = false;
  const check::Report report = run_check(subject, stop);
  EXPECT_EQ(check::count(report).errors, 1U);
}

TEST(CheckRun, ends_when_it_is_told_to) {
  std::atomic<bool> stop = false;
  serve::Workers thread(1, 1);
  ASSERT_TRUE(thread.run([&] { (void)run_check(mute_server(), stop); }));
  stop = true;
  EXPECT_TRUE(thread.is_idle_within(std::chrono::seconds(20)));
}

TEST(CheckRun, takes_what_it_does_not_know_of_a_tool_from_the_server) {
  CheckSubject subject;
  subject.settings = with_environment(
      upstream("both", "up"), "ENFOLD_TEST_TOOL",
      R"({"name":"reads","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}})");
  subject.settings.tools_deny = {"last"};
  subject.answers["reads"] = {json::parse_own(R"({"content":[{"type":"text","text":"a"}]})")};
  subject.calls = true;
  const std::atomic<bool> stop = false;
  const check::Report report = run_check(subject, stop);
  const auto tool = [&](std::string_view name) {
    return std::ranges::find(report.tools, name, &check::ToolReport::tool);
  };
  ASSERT_NE(tool("reads"), report.tools.end());
  EXPECT_EQ(tool("reads")->calls, 1U) << tool("reads")->not_called;
  EXPECT_TRUE(tool("reads")->has_definition) << "the run added it, so it counts as checked";
  EXPECT_EQ(tool("last"), report.tools.end()) << "the gateway does not offer it";
}

TEST(AdminPages, redact_findings_as_answers) {
  Settings settings = one_upstream();
  settings.answers.redaction->personal_data = true;
  settings.answers.redaction->extra_keys = {"patient_id"};
  AdminSite site(std::move(settings));
  site.log_in();
  (void)site.call("ada.lovelace@example.com");
  const json::Value run = site.post("/api/v1/check", R"({"upstream":"up","call":true})", "check");
  EXPECT_THAT(json::to_text(run.view()), Not(HasSubstr("ada.lovelace@example.com")));
  EXPECT_GT(run->find("not_called")->size(), 0U) << "tools without readOnlyHint";
}

TEST(AdminPages, have_no_configuration_to_reload_without_a_file) {
  AdminSite site;
  site.log_in();
  EXPECT_EQ(text_at(site.get("/api/v1/config", "config"), "/path"), "null");
  (void)site.post("/api/v1/config/check", "{}", "config");
  (void)site.post("/api/v1/config/reload", "{}", "error");
}

SeenTool seen_tool() {
  SeenTool seen;
  seen.upstream = "files";
  seen.tool = "read file";
  seen.target = 4'000;
  seen.watched = std::chrono::minutes(30);
  return seen;
}

TEST(Advice, says_nothing_about_a_tool_that_was_hardly_seen) {
  SeenTool seen = seen_tool();
  seen.calls = 1;
  EXPECT_TRUE(advise(seen).empty());
}

TEST(Advice, names_tools_that_cost_tokens_and_are_not_called) {
  SeenTool seen = seen_tool();
  seen.definition_tokens = 800;
  const std::vector<Advice> advice = advise(seen);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_THAT(advice.front().reason, HasSubstr("800 tokens"));
  EXPECT_EQ(advice.front().toml, "[upstreams.files]\ntools_deny = [\"read file\"]\n");
}

TEST(Advice, lowers_the_target_if_no_original_was_opened_and_raises_it_if_many_were) {
  SeenTool seen = seen_tool();
  seen.calls = seen.cut = 10;
  seen.cut_tokens = 39'000;
  ASSERT_EQ(advise(seen).size(), 1U);
  EXPECT_EQ(advise(seen).front().toml, "target = 2000\n");
  seen.opened_again = 12;
  EXPECT_EQ(advise(seen).front().toml, "target = 8000\n");
  seen.opened_again = 5;
  EXPECT_TRUE(advise(seen).empty());
}

TEST(Advice, caches_a_tool_that_gave_the_same_answers_to_the_same_calls) {
  SeenTool seen = seen_tool();
  seen.only_reads = true;
  seen.calls = 3;
  const auto plan = std::make_shared<PlannedAnswer>();
  const auto call = [&](int second, const std::string& source) {
    auto answer = std::make_shared<RecordedAnswer>();
    answer->plan = plan;
    answer->source = json::parse_own(source);
    seen.recorded.push_back({RecordTime(std::chrono::seconds(second)), 7, std::move(answer)});
  };
  for (const int second : {0, 10, 42}) call(second, R"({"content":[]})");
  const std::vector<Advice> advice = advise(seen);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice.front().toml, "[upstreams.files.tools.\"read file\"]\ncache_ttl = \"42s\"\n");
  call(50, R"({"content":[1]})");
  EXPECT_TRUE(advise(seen).empty()) << "the answer changed";
}

TEST(AdminPages, keep_an_archived_answer_parsed_for_the_next_question) {
  AdminSite site;
  site.log_in();
  (void)site.result(large_answer());
  const std::string handle = site.last_row()->find("handle")->string();
  const AdminSource source = site.gateway->admin_source([&] { return site.gateway->report(); });
  const auto services = source.calls.local.services();
  const auto entry =
      tools::find_entry(*services->archive, source.calls.environment.settings.answers.principal,
                        handle, tools::store_time(*services->host));
  ASSERT_TRUE(entry);
  const std::string key = tools::OpenedAnswers::key_of(*entry);
  services->opened->drop_unused();
  services->opened->drop_unused();
  EXPECT_EQ(services->opened->find(key), nullptr);
  (void)site.get("/api/v1/archive/" + handle + "/tables", "archive-tables");
  EXPECT_NE(services->opened->find(key), nullptr);
}

TEST(ArchiveList, reads_the_archive_again_when_it_has_changed) {
  const std::shared_ptr<store::Archive> archive = store::open_archive("memory:").value();
  const store::Time now{std::chrono::hours(1'000)};
  ArchiveList list;
  const auto find = [&](std::chrono::seconds later, const std::string& tool = "") {
    return list.find(*archive, {"local"}, tool, now + later).value();
  };
  const auto put = [&](const std::string& tool, const std::string& bytes) {
    ASSERT_TRUE(archive->put("local", bytes, {.tool = tool, .media_type = "text/plain"}, now));
  };
  put("a", "one");
  const auto first = find({});
  EXPECT_EQ(first.entries->size(), 1U);
  EXPECT_EQ(find(std::chrono::seconds(4)).entries, first.entries) << "it was not read again";
  EXPECT_TRUE(find({}, "b").entries->empty());
  put("b", "two");
  EXPECT_EQ(find(std::chrono::seconds(4)).entries->size(), 2U);
  EXPECT_EQ(find({}, "b").entries->size(), 1U);
  const auto second = find(std::chrono::seconds(4));
  EXPECT_NE(find(std::chrono::seconds(10)).entries, second.entries) << "it was too old";
}

TEST(ArchiveList, keeps_lists_only_as_long_as_they_are_used) {
  const std::shared_ptr<store::Archive> archive = store::open_archive("memory:").value();
  const store::Time now{std::chrono::hours(1'000)};
  for (const char* const bytes : {"one", "two", "three"}) {
    ASSERT_TRUE(archive->put("local", bytes, {.media_type = "text/plain"}, now));
  }
  ArchiveList list(/*max_entries=*/7);
  const auto find = [&](const std::string& owner, std::chrono::seconds later = {}) {
    return list.find(*archive, {owner}, "", now + later).value().entries;
  };
  std::weak_ptr<const OwnedEntries> first = find("local");
  EXPECT_FALSE(first.expired());
  list.drop_old(now + ArchiveList::kMaxAge);
  EXPECT_FALSE(first.expired());
  list.drop_old(now + ArchiveList::kMaxAge + std::chrono::seconds(1));
  EXPECT_TRUE(first.expired()) << "a timer dropped it";
  first = find("local");
  (void)find("other", std::chrono::seconds(60));
  EXPECT_TRUE(first.expired()) << "another list was read later";
  first = find("local", std::chrono::seconds(60));
  EXPECT_NE(find("local", std::chrono::seconds(-60)), first.lock()) << "the clock was set back";
}

TEST(ArchiveList, keeps_no_more_entries_than_its_limit) {
  const std::shared_ptr<store::Archive> archive = store::open_archive("memory:").value();
  const store::Time now{std::chrono::hours(1'000)};
  for (const char* const bytes : {"one", "two", "three"}) {
    ASSERT_TRUE(archive->put("local", bytes, {.media_type = "text/plain"}, now));
  }
  for (const std::size_t max_entries : {2, 3, 5}) {
    ArchiveList list(max_entries);
    const std::weak_ptr<const OwnedEntries> one =
        list.find(*archive, {"local"}, "", now).value().entries;
    EXPECT_EQ(one.expired(), max_entries < 3);
    (void)list.find(*archive, {"local", "other"}, "", now);
    EXPECT_TRUE(one.expired());
  }
}

}  // namespace
}  // namespace enfold::gateway
