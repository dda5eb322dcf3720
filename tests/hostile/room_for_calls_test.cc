// SPDX-License-Identifier: Apache-2.0
// What is refused has not run, what ran is answered, and no client takes the places of another.
#include "enfold/store/stores.h"
#include "tests/gateway/archived.h"
#include "tests/gateway/front.h"
#include "tests/store/broken_archive.h"
#include "tests/store/slow_archive.h"
#include "tests/store/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <thread>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

std::string waits_for(const std::string& file) { return fmt::format(R"({{"file":"{}"}})", file); }

TEST(Answers, of_calls_that_ran_are_not_refused_while_the_workers_are_busy) {
  const auto archive = std::make_shared<store::testing::SlowArchive>();
  Settings settings = in_front_of(upstream());
  settings.answers.archive = archive;
  Meeting meeting(std::move(settings));
  std::vector<int> calls;
  for (int i = 0; i < 100; ++i) {  // two workers and 64 places in their queue
    calls.push_back(meeting.start(
        "tools/call", fmt::format(R"({{"name":"result","arguments":{{"raw":{}}}}})",
                                  json::quote(large_answer(1000, fmt::format("row {}", i))))));
  }
  EXPECT_EQ(at(meeting.call("echo"), "/isError"), "false") << "all have run";
  archive->open();
  for (const int call : calls) {
    const json::Value answer = meeting.wait_for(call);
    EXPECT_EQ(at(answer, "/isError"), "false");
    EXPECT_EQ(at(answer, "/structuredContent/meta/content_fidelity"), R"("partial")");
  }
}

TEST(Calls, do_not_run_while_no_more_answers_can_be_kept) {
  const store::testing::TemporaryFolder folder;
  const std::unique_ptr<store::Archive> real = store::memory_archive();
  Settings settings = in_front_of(upstream());
  settings.answers.archive = std::make_shared<store::testing::BrokenArchive>(
      *real, Error{ErrorCode::unavailable, "the disk is full", {}, {}});
  settings.answers.archive_options.max_bytes_per_principal = 1'500'000;
  Meeting meeting(std::move(settings));
  std::string text(800'000, ' ');  // that does not get much shorter
  std::uint32_t random = 1;
  for (char& letter : text) {
    letter = static_cast<char>('0' + ((random = random * 1664525 + 1013904223) >> 25) % 75);
    if (letter == '\\') letter = '-';
  }
  const json::Value kept = meeting.result(
      fmt::format(R"({{"content":[{{"type":"text","text":{}}}]}})", json::quote(text)));
  EXPECT_THAT(json::to_text(kept.view()), HasSubstr("ARCHIVE_VOLATILE"));
  const json::Value refused = meeting.call("wait_for_file", waits_for(folder.file("go")));
  EXPECT_THAT(json::to_text(refused.view()), HasSubstr("no more answers fit into memory"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("go.waits"))) << "it ran";
}

TEST(Handles, that_are_in_memory_because_the_archive_fails_outlive_a_reload) {
  const std::unique_ptr<store::Archive> real = store::memory_archive();
  const auto broken = std::make_shared<store::testing::BrokenArchive>(
      *real, Error{ErrorCode::unavailable, "the disk is full", {}, {}});
  const auto settings = [&] {
    Settings made = in_front_of(upstream());
    made.answers.archive = broken;
    return made;
  };
  Meeting meeting(settings());
  const json::Value kept = meeting.result(long_result());
  Settings next = settings();
  next.answers.log = [](const serve::LogLine&) {};
  next.answers.archive.reset();  // as the configuration file of a running gateway is read
  meeting.reload(std::move(next));
  const std::string which =
      fmt::format(R"({{"handle":"{}","pointer":"/rows/3999"}})", handle_in(kept));
  EXPECT_THAT(json::to_text(meeting.call("enfold_fetch", which).view()), HasSubstr(R"("id":3999)"));
}

TEST(Archive, and_counters_are_the_same_after_any_number_of_reloads) {
  for (const bool is_configured : {true, false}) {
    Settings settings = in_front_of(upstream());
    if (is_configured) settings.answers.archive = store::memory_archive();
    Meeting meeting(std::move(settings));
    const auto archive = meeting.gateway->archive();
    for (int i = 0; i < 2; ++i) meeting.reload(in_front_of(upstream()));
    EXPECT_EQ(meeting.gateway->archive(), archive);
    EXPECT_EQ(meeting.gateway->report().stores.size(), is_configured ? 1U : 0U);
  }
}

Settings of_two_principals(UpstreamSettings one) {
  Settings settings = for_many(std::move(one), "none");
  settings.principals = {principal("ada", "key of ada"), principal("bob", "key of bob")};
  return settings;
}

TEST(OpenCalls, of_clients_that_are_gone_still_take_their_places) {
  const store::testing::TemporaryFolder folder;
  Settings settings = of_two_principals(upstream());
  settings.max_open_calls = 6;
  Front front(std::move(settings));
  const auto ada = front.voice("key of ada");
  const std::string session = ada->open_session();
  const auto send = [&](int i) {
    return ada->send("POST",
                     fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":)"
                                 R"({{"name":"wait_for_file","arguments":{}}}}})",
                                 i, waits_for(folder.file(std::to_string(i)))),
                     Voice::in(session));
  };
  for (int i = 0; i < 3; ++i) {
    const std::size_t before = front.gateway->report().open_calls;
    const auto sent = send(i);
    ASSERT_TRUE(front.loop.until([&] { return front.gateway->report().open_calls > before; }));
  }  // nobody waits for the answers
  front.loop.settle();
  EXPECT_EQ(front.gateway->report().open_calls, 3U);
  const Heard refused = ada->wait(*send(3));
  EXPECT_THAT(refused.body, HasSubstr("Too many open calls of this client"));
  EXPECT_EQ(front.gateway->report().open_calls, 3U) << "it was not sent";
  const auto bob = front.voice("key of bob");
  EXPECT_EQ(bob->call_in(bob->open_session(), "echo").at("/isError"), "(none)");
  EXPECT_EQ(ada->request("DELETE", "", Voice::in(session)).status, 200);
  EXPECT_TRUE(front.loop.until([&] { return front.gateway->report().open_calls == 0; }));
  const std::string other = ada->open_session();
  EXPECT_EQ(ada->call_in(other, "echo").at("/isError"), "(none)") << "the places are free again";
}

// A client that stops waiting, such as one with a timeout of its own, has to know whether the call
// ran before it calls again.
TEST(Outcome, of_a_call_that_was_cancelled_but_ran_can_be_fetched) {
  const store::testing::TemporaryFolder folder;
  const std::string file = folder.file("go");
  Meeting meeting(in_front_of(upstream()));
  const int call = meeting.start(
      "tools/call", fmt::format(R"({{"name":"wait_for_file","arguments":{}}})", waits_for(file)));
  ASSERT_TRUE(meeting.loop.until([&] { return std::filesystem::exists(file + ".waits"); }));
  meeting.say(fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}})",
      call));
  std::ofstream(file) << "now";
  ASSERT_TRUE(meeting.loop.until([&] {
    return std::ranges::count(meeting.lines, "outcome_kept", &serve::LogLine::event) == 1;
  }));
  EXPECT_FALSE(meeting.answer_to(call)) << "the client does not want it";
  EXPECT_THAT(at(meeting.call("heard"), "/content/0/text"), HasSubstr("notifications/cancelled"));
  const std::string advice = json::to_text(meeting.call("enfold_fetch").view());
  const std::size_t named = advice.find(" (wait_for_file, ");
  ASSERT_NE(named, std::string::npos) << advice;
  const std::string handle = advice.substr(named - 12, 12);
  EXPECT_THAT(json::to_text(
                  meeting.call("enfold_fetch", fmt::format(R"({{"handle":"{}"}})", handle)).view()),
              HasSubstr("it came"));
}

TEST(Outcome, of_a_call_whose_client_has_closed_the_stream_can_be_fetched) {
  const store::testing::TemporaryFolder folder;
  const std::string file = folder.file("go");
  Front front(for_many(upstream("stateless")));
  const auto client = front.voice();
  {
    const auto sent = client->send_call("wait_for_file", waits_for(file));
    ASSERT_TRUE(front.loop.until([&] { return std::filesystem::exists(file + ".waits"); }));
  }
  front.loop.settle();
  std::ofstream(file) << "now";
  ASSERT_TRUE(front.loop.until([&] {
    return std::ranges::count(front.lines, "outcome_kept", &serve::LogLine::event) == 1;
  }));
  EXPECT_THAT(client->call("enfold_fetch").body, HasSubstr("wait_for_file, "));
  EXPECT_EQ(front.gateway->report().open_calls, 0U);
}

/// A server of the stateless era over HTTP on a thread of its own, which leaves calls of the tool
/// `slow` without an answer.
class RemoteServer {
 public:
  RemoteServer() {
    http_ = net::HttpServer::listen(*loop_, {},
                                    [this](net::HttpRequest& request, net::Responder responder) {
                                      answer(request, std::move(responder));
                                    })
                .value();
    port_ = http_->port();
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) loop_->turn(std::chrono::milliseconds(5));
    });
  }
  ~RemoteServer() {
    thread_.request_stop();
    thread_.join();
  }
  RemoteServer(const RemoteServer&) = delete;
  RemoteServer& operator=(const RemoteServer&) = delete;

  [[nodiscard]] UpstreamSettings settings(std::size_t connections) const {
    UpstreamSettings settings;
    auto target = client::http_target(fmt::format("http://127.0.0.1:{}/mcp", port_)).value();
    target.max_connections = connections;
    settings.target = std::move(target);
    settings.allow_unlisted_tools = true;
    return settings;
  }

 private:
  void answer(const net::HttpRequest& request, net::Responder responder) {
    if (request.head.method() != "POST") return responder.respond({405, {}, ""});
    const json::Value message = json::parse_own(request.body);
    if (request.body.find("slow") != std::string::npos) {
      open_.push_back(std::move(responder));
      return;
    }
    const bool discovers = message->find("method")->equals("server/discover");
    const bool lists = message->find("method")->equals("tools/list");
    net::HttpResponse response{
        200,
        {},
        fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})",
                    json::to_text(*message->find("id")),
                    discovers ? R"({"resultType":"complete","supportedVersions":["2026-07-28"],)"
                                R"("capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"})"
                    : lists   ? R"({"resultType":"complete","tools":[],"ttlMs":0,)"
                                R"("cacheScope":"private"})"
                              : R"({"resultType":"complete","content":[]})")};
    response.headers.add("Content-Type", "application/json");
    responder.respond(std::move(response));
  }

  net::RunningLoop loop_;
  std::vector<net::Responder> open_;
  std::unique_ptr<net::HttpServer> http_;
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

TEST(ConnectionsToAServer, are_not_taken_by_the_slow_calls_of_another_principal) {
  const RemoteServer server;
  Front front(of_two_principals(server.settings(2)));
  const auto ada = front.voice("key of ada");
  const auto bob = front.voice("key of bob");
  EXPECT_EQ(ada->call("quick").status, 200);
  std::vector<std::unique_ptr<Voice::Sent>> open;
  for (int i = 0; i < 4; ++i) open.push_back(ada->send_call("slow"));
  ASSERT_TRUE(front.loop.until([&] { return front.gateway->report().open_calls == 4; }));
  EXPECT_EQ(bob->call("quick").status, 200);
}

}  // namespace
}  // namespace enfold::gateway
