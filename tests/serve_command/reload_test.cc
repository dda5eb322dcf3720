// SPDX-License-Identifier: Apache-2.0
// SIGHUP: a new configuration for what comes, the old one for what is open.
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "tests/serve_command/serving.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Reload : public ::testing::Test {
 protected:
  static std::string config(const std::string& upstreams, const std::string& top = "") {
    return "archive = \"memory\"\n" + top + "[listen]\naddress = \"127.0.0.1:0\"\n" + upstreams;
  }
  void reload(Serving& serving, const std::string& text, const std::string& want = "reloaded") {
    serving.write(text);
    serving.signal(SIGHUP);
    last = serving.wait_for_line("event=" + want);
  }
  /// Which process answers; it is told apart by what it has heard.
  static std::string pid_of(Voice& voice, const std::string& tool = "pid") {
    return voice.call(tool).at("/structuredContent/data/text");
  }

  net::RunningLoop loop;
  std::string last;
};

TEST_F(Reload, takes_effect_for_new_calls_while_open_ones_end_as_they_began) {
  Serving serving(config(upstream_table("one"), "contract = \"response-v2\"\n"));
  const auto voice = serving.voice(loop);
  const std::string session = voice->open_session();
  const std::string before = pid_of(*voice);
  const auto open =
      voice->send_call("wait_for_file", R"({"file":")" + serving.file("go") + R"("})");
  ASSERT_TRUE(loop.until([&] { return serving.exists("go.waits"); }));
  reload(serving, config(upstream_table("one"), "contract = \"scalpel-v1\"\n"));
  EXPECT_THAT(last, HasSubstr("1 kept, 0 new, 0 gone"));
  EXPECT_FALSE(open->heard) << "it still runs";
  std::ofstream(serving.file("go")) << "now";
  EXPECT_EQ(voice->wait(*open).at("/structuredContent/meta/version"), R"("response-v2")");
  const Heard after = voice->call("pid");
  EXPECT_EQ(after.at("/structuredContent/tool_id"), R"("pid")") << after.body;
  EXPECT_EQ(after.at("/structuredContent/data"), before) << "the same process";
  EXPECT_EQ(voice->call_in(session, "pid").at("/structuredContent/tool_id"), R"("pid")");
}

TEST_F(Reload, keeps_upstreams_that_did_not_change_and_ends_those_that_are_gone) {
  Serving serving(config(upstream_table("one") + upstream_table("two")));
  const auto voice = serving.voice(loop);
  const std::string one = pid_of(*voice, "one__pid");
  const std::string two = pid_of(*voice, "two__pid");
  const auto open =
      voice->send_call("two__wait_for_file", R"({"file":")" + serving.file("go") + R"("})");
  ASSERT_TRUE(loop.until([&] { return serving.exists("go.waits"); }));
  reload(serving, config(upstream_table("one") + upstream_table("three")));
  EXPECT_THAT(last, HasSubstr("1 kept, 1 new, 1 gone"));
  EXPECT_EQ(pid_of(*voice, "one__pid"), one);
  EXPECT_NE(pid_of(*voice, "three__pid"), "(none)");
  EXPECT_EQ(voice->call("two__pid").at("/code"), "-32602") << "nobody has it any more";
  EXPECT_FALSE(open->heard);
  std::ofstream(serving.file("go")) << "now";
  EXPECT_EQ(voice->wait(*open).at("/isError"), "false") << "the open call has its answer";
  const pid_t gone = static_cast<pid_t>(std::stol(two.substr(1)));
  EXPECT_TRUE(loop.until([&] { return ::kill(gone, 0) != 0; })) << "then its process ends";
}

TEST_F(Reload, keeps_the_old_when_the_file_is_broken_and_says_everything_that_is_wrong) {
  Serving serving(config(upstream_table("one")));
  const auto voice = serving.voice(loop);
  const std::string before = pid_of(*voice);
  reload(serving, "budgt = 1\nworkers = 0\n" + upstream_table("one"), "reload_failed");
  EXPECT_THAT(last, AllOf(HasSubstr("budgt"), HasSubstr("line 1, column 1")));
  EXPECT_THAT(serving.wait_for_line("reload_failed"),
              AllOf(HasSubstr("workers"), HasSubstr("line 2, column 11")));
  EXPECT_EQ(pid_of(*voice), before);
  reload(serving, config(upstream_table("one"), "workers = 2\n"));
  EXPECT_THAT(
      serving.lines(),
      ::testing::Contains(HasSubstr("a change of workers takes effect with the next start")));
  EXPECT_EQ(pid_of(*voice), before);
}

TEST_F(Reload, changes_who_may_call_and_how_often) {
  const std::string key = "anna-0123456789abcdef";
  Serving serving(config(upstream_table("one")));
  const auto stranger = serving.voice(loop);
  const std::string session = stranger->open_session();
  const auto anna = serving.voice(loop);
  anna->key = key;
  EXPECT_EQ(stranger->call("pid").status, 200);
  reload(serving, config(upstream_table("one") + "[principals.anna]\nkey_sha256 = \"" +
                             to_hex(sha256(key)) + "\"\n",
                         "rate_limit = { per_minute = 1, burst = 1 }\n"));
  EXPECT_EQ(stranger->call("pid").status, 401);
  EXPECT_EQ(stranger->call_in(session, "pid").status, 401);
  EXPECT_EQ(anna->call_in(session, "pid").status, 404) << "a session of nobody's";
  EXPECT_EQ(anna->call("pid").at("/isError"), "false");
  EXPECT_EQ(anna->call("pid").at("/structuredContent/data/error_code"), R"("RATE_LIMIT_EXCEEDED")");
  reload(serving, config(upstream_table("one")));
  EXPECT_EQ(stranger->call("pid").at("/isError"), "false");
}

TEST_F(Reload, ends_what_somebody_listens_to_whose_key_is_gone_or_another) {
  const auto principal = [](const std::string& name, const std::string& key) {
    return fmt::format("[principals.{}]\nkey_sha256 = \"{}\"\n", name, to_hex(sha256(key)));
  };
  const std::string upstream = upstream_table("one");
  const std::string known = upstream + principal("bert", "bert-0123456789abcdef");
  Serving serving(config(known + principal("anna", "anna-0123456789abcdef") +
                         principal("carl", "carl-0123456789abcdef")));
  std::map<std::string, std::unique_ptr<Voice>> voices;
  std::map<std::string, std::unique_ptr<Voice::Sent>> streams;
  for (const std::string name : {"anna", "bert", "carl"}) {
    Voice& voice = *(voices[name] = serving.voice(loop));
    voice.key = name + "-0123456789abcdef";
    streams[name] = voice.send("GET", "", Voice::in(voice.open_session()));
  }
  const auto anna_waits =
      voices["anna"]->send_call("wait_for_file", R"({"file":")" + serving.file("go") + R"("})");
  ASSERT_TRUE(loop.until([&] { return serving.exists("go.waits"); }));
  reload(serving, config(known + principal("carl", "carl-fedcba9876543210")));
  EXPECT_EQ(voices["anna"]->wait(*streams["anna"]).status, 200) << "gone: it ends in order";
  EXPECT_EQ(voices["carl"]->wait(*streams["carl"]).status, 200) << "another key: the same";
  EXPECT_FALSE(streams["bert"]->heard) << "nothing has changed for bert";
  std::ofstream(serving.file("go")) << "now";
  EXPECT_EQ(voices["anna"]->wait(*anna_waits).at("/isError"), "false") << "no call is dropped";
  EXPECT_EQ(voices["anna"]->call("pid").status, 401);
}

TEST_F(Reload, tells_what_waits_for_the_next_start) {
  Serving serving(config(upstream_table("one")));
  reload(serving, config("[observe]\nmetrics = false\n" + upstream_table("one")));
  EXPECT_THAT(
      serving.lines(),
      ::testing::Contains(HasSubstr("a change of observe takes effect with the next start")));
}

TEST_F(Reload, tells_that_limits_of_connections_wait_for_the_next_start) {
  Serving serving(config(upstream_table("one")));
  reload(serving, config("max_connections = 77\nmax_open_requests = 66\n" + upstream_table("one")));
  for (const std::string key : {"max_connections", "max_open_requests"}) {
    EXPECT_THAT(serving.lines(),
                ::testing::Contains(
                    HasSubstr("a change of listen." + key + " takes effect with the next start")));
  }
}

TEST_F(Reload, hides_from_every_list_what_is_denied_from_then_on) {
  Serving serving(config(upstream_table("one")));
  const auto voice = serving.voice(loop);
  const auto tools = [&] { return voice->call("server", R"({"action":"tools"})").body; };
  EXPECT_THAT(tools(), HasSubstr(R"("echo")"));
  reload(serving, config(upstream_table("one", "sessions", "tools_deny = [\"echo\"]\n")));
  EXPECT_THAT(last, HasSubstr("1 kept, 0 new, 0 gone"));
  EXPECT_THAT(tools(), Not(HasSubstr(R"("echo")")));
}

TEST_F(Reload, keeps_what_is_archived_in_memory) {
  Serving serving(config(upstream_table("one")));
  const auto voice = serving.voice(loop);
  const std::string hashes =
      voice->result(large_answer()).at("/structuredContent/meta/content_archive_hashes");
  const std::string fetch = R"({"handle":")" + hashes.substr(2, 12) + R"("})";
  for (int i = 0; i < 3; ++i) {
    reload(serving, config(upstream_table("one")));
    EXPECT_EQ(voice->call("enfold_fetch", fetch).at("/isError"), "false");
  }
}

TEST_F(Reload, leaves_out_of_an_open_list_who_is_gone) {
  Serving serving(config(upstream_table("one") + upstream_table("two")));
  const auto voice = serving.voice(loop);
  const std::string session = Voice::in(voice->open_session());
  const auto open =
      voice->send("POST",
                  fmt::format(R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":)"
                              R"("two__wait_for_file","arguments":{{"file":"{}"}}}}}})",
                              serving.file("go")),
                  session);
  ASSERT_TRUE(loop.until([&] { return serving.exists("go.waits"); }));
  const auto list =
      voice->send("POST", R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", session);
  loop->turn(net::Duration::zero());
  reload(serving, config(upstream_table("one")));
  EXPECT_FALSE(list->heard) << "its server is busy";
  std::ofstream(serving.file("go")) << "now";
  EXPECT_EQ(voice->wait(*open).at("/isError"), "false");
  const Heard tools = voice->wait(*list);
  EXPECT_THAT(tools.body, AllOf(HasSubstr("\"echo\""), Not(HasSubstr("two__"))));
  EXPECT_NE(pid_of(*voice), "(none)") << "and goes on";
}

TEST_F(Reload, ends_a_server_that_was_listened_to) {
  Serving serving(config(upstream_table("one") + upstream_table("two", "stateless")));
  const auto voice = serving.voice(loop);
  EXPECT_FALSE(voice->open_session().empty());
  const std::string two = pid_of(*voice, "two__pid");
  reload(serving, config(upstream_table("one")));
  const pid_t gone = static_cast<pid_t>(std::stol(two.substr(1)));
  EXPECT_TRUE(loop.until([&] { return ::kill(gone, 0) != 0; }));
}

TEST_F(Reload, does_not_give_the_answers_of_a_server_for_those_of_its_successor) {
  const std::string cached = "cache_ttl = \"1h\"\n[upstreams.one.tools.pid]\ncache_ttl = \"1h\"\n";
  Serving serving(config(upstream_table("one", "sessions", cached)));
  const auto voice = serving.voice(loop);
  const std::string before = pid_of(*voice);
  EXPECT_EQ(pid_of(*voice), before);
  reload(serving, config(upstream_table("one", "both", cached)));
  EXPECT_THAT(last, HasSubstr("0 kept, 1 new, 1 gone"));
  EXPECT_NE(pid_of(*voice), before);
}

TEST_F(Reload, does_not_open_again_what_is_open) {
  const store::testing::TemporaryFolder folder;
  const std::string file = folder.file("kept.db");
  const auto kept = [&](const std::string& top) {
    return fmt::format("archive = \"{}\"\n{}[listen]\naddress = \"127.0.0.1:0\"\n{}", file, top,
                       upstream_table("one"));
  };
  Serving serving(kept(""));
  const auto voice = serving.voice(loop);
  const std::string hashes =
      voice->result(large_answer()).at("/structuredContent/meta/content_archive_hashes");
  std::filesystem::rename(file, file + ".away");
  std::filesystem::create_directory(file);  // whoever opens it now fails
  reload(serving, kept("level = \"full\"\n"));
  const std::string fetch = R"({"handle":")" + hashes.substr(2, 12) + R"("})";
  EXPECT_EQ(voice->call("enfold_fetch", fetch).at("/isError"), "false");
}

// Calls all the time, reloads all the time: every call has its answer, and it is its own.
TEST_F(Reload, drops_no_call) {
  const std::string two = upstream_table("one") + upstream_table("two");
  const std::string three = two + upstream_table("three");
  Serving serving(config(two));
  const auto voice = serving.voice(loop);
  int answered = 0;
  for (int round = 0; round < 10; ++round) {
    std::vector<std::unique_ptr<Voice::Sent>> open;
    for (int i = 0; i < 20; ++i) {
      const std::string arguments = fmt::format(R"({{"n":{}}})", round * 100 + i);
      open.push_back(voice->send_call(i % 2 == 0 ? "one__echo" : "two__echo", arguments));
      if (i == 10) {
        serving.write(config(round % 2 == 0 ? three : two));
        serving.signal(SIGHUP);
      }
      loop->turn(net::Duration::zero());
    }
    for (int i = 0; i < 20; ++i) {
      const Heard heard = voice->wait(*open[static_cast<std::size_t>(i)]);
      EXPECT_EQ(heard.at("/isError"), "false") << heard.body;
      EXPECT_EQ(heard.at("/structuredContent/data/arguments/n"),
                fmt::format("{}", round * 100 + i));
      ++answered;
    }
    last = serving.wait_for_line("event=reloaded");
  }
  EXPECT_EQ(answered, 200);
}

}  // namespace
}  // namespace enfold::gateway
