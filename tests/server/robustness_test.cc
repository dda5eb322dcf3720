// SPDX-License-Identifier: Apache-2.0
// What bad clients cost a whole server, and what its good clients notice of it. The limits of the
// sockets themselves are tested in tests/net.
#include "enfold/serve/http/http.h"
#include "enfold/serve/stdio.h"
#include "enfold/server/run.h"
#include "tests/net/running_loop.h"
#include "tests/server/book.h"
#include "tests/server/talk.h"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace enfold::server {
namespace {

using net::RawPeer;
using net::RunningLoop;

// Sanitizers keep what was freed, so only a build without them can say what a server costs.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsReal = false;
#else
constexpr bool kMemoryIsReal = true;
#endif

std::size_t resident_bytes() {
  std::ifstream status("/proc/self/statm");
  std::size_t pages = 0;
  status >> pages >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::string post(const std::string& body, const std::string& headers) {
  return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\n" +
         headers + fmt::format("Content-Length: {}\r\n\r\n", body.size()) + body;
}

std::string stateless_call(const std::string& tool) {
  return post(
      fmt::format(R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                  R"({{"name":"{}","arguments":{{"title":"Dune"}},"_meta":{}}}}})",
                  tool, stateless_meta()),
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n");
}

const std::string kInitialize = post(
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
    "");

class TroubledServer : public testing::Test {
 protected:
  void listen(Settings settings = {}) {
    settings.log = [](const serve::LogLine&) {};
    server = std::make_unique<Server>(book_server(std::move(settings)));
    host = std::make_unique<serve::LoopHost>(*loop, 2, 16);
    dispatcher = std::move(*Dispatcher::create(*server, *host));
    front = std::move(*serve::HttpFront::listen(*dispatcher, *loop, {}));
    good = std::make_unique<RawPeer>(RawPeer::to_port(front->port()));
    good_session = open_session(*good);
  }
  void TearDown() override {
    front.reset();
    host.reset();
  }
  std::string open_session(RawPeer& peer) {
    peer.forget();
    peer.send(kInitialize);
    EXPECT_TRUE(loop.until([&] { return peer.has("serverInfo"); }));
    const std::size_t at = peer.received().find("MCP-Session-Id: ");
    return at == std::string::npos ? "" : peer.received().substr(at + 16, 32);
  }
  /// Somebody who behaves, on the same connection and in the same session all the time.
  void expect_good_client_is_served() {
    good->forget();
    good->send(post(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look_up",)"
                    R"("arguments":{"title":"Dune"}}})",
                    "MCP-Session-Id: " + good_session + "\r\n"));
    ASSERT_TRUE(loop.until([&] { return good->has(R"("id":"b-1")"); })) << good->received();
  }

  RunningLoop loop;
  std::unique_ptr<Server> server;
  std::unique_ptr<serve::LoopHost> host;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<serve::HttpFront> front;
  std::unique_ptr<RawPeer> good;
  std::string good_session;
};

TEST_F(TroubledServer, ten_thousand_dropped_sessions_cost_no_more_than_the_limit) {
  Settings settings;
  settings.max_sessions = 500;
  listen(std::move(settings));
  auto peer = std::make_unique<RawPeer>(RawPeer::to_port(front->port()));
  std::size_t after_first = 0;
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_EQ(open_session(*peer).size(), 32U) << i;  // and never comes back to it
    if (i % 50 == 0) peer = std::make_unique<RawPeer>(RawPeer::to_port(front->port()));
    if (i % 400 == 0) {
      loop->advance(std::chrono::milliseconds(1));
      expect_good_client_is_served();
    }
    if (i == 1'000) after_first = resident_bytes();
  }
  EXPECT_EQ(front->sessions(), 500U);
  if (kMemoryIsReal) {
    EXPECT_LT(resident_bytes(), after_first + (std::size_t{8} << 20));
  }
}

TEST_F(TroubledServer, a_stream_whose_client_vanishes_is_free_for_the_next) {
  listen();
  RawPeer opener = RawPeer::to_port(front->port());
  const std::string id = open_session(opener);
  const std::string get =
      "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMCP-Session-Id: " + id +
      "\r\n\r\n";
  for (int i = 0; i < 50; ++i) {
    RawPeer stream = RawPeer::to_port(front->port());
    stream.send(get);
    ASSERT_TRUE(loop.until([&] { return stream.has("text/event-stream"); })) << i;
    i % 2 == 0 ? stream.reset() : stream.close();
    ASSERT_TRUE(loop.until([&] { return front->server().stats().streams == 0; })) << i;
  }
  expect_good_client_is_served();
}

TEST_F(TroubledServer, a_session_whose_client_is_gone_ends_within_a_minute) {
  listen();
  const std::size_t others = front->sessions();
  RawPeer opener = RawPeer::to_port(front->port());
  const std::string id = open_session(opener);
  RawPeer quiet = RawPeer::to_port(front->port());
  static_cast<void>(open_session(quiet));  // never opens a stream, so it may only be thinking
  RawPeer stream = RawPeer::to_port(front->port());
  stream.send(
      "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMCP-Session-Id: " + id +
      "\r\n\r\n");
  ASSERT_TRUE(loop.until([&] { return stream.has("text/event-stream"); }));
  loop->advance(std::chrono::minutes(2));
  loop.settle();
  EXPECT_EQ(front->sessions(), others + 2);
  stream.close();
  ASSERT_TRUE(loop.until([&] { return front->server().stats().streams == 0; }));
  loop->advance(std::chrono::seconds(30));
  loop.settle();
  EXPECT_EQ(front->sessions(), others + 2) << "the client may come back";
  loop->advance(std::chrono::seconds(30));
  loop.settle();
  EXPECT_EQ(front->sessions(), others + 1);
}

TEST_F(TroubledServer, half_open_floods_and_large_bodies_are_the_business_of_their_sender) {
  listen();
  const std::size_t before = resident_bytes();
  std::vector<RawPeer> bad;
  for (int i = 0; i < 200; ++i) {
    RawPeer& peer = bad.emplace_back(RawPeer::to_port(front->port()));
    switch (i % 4) {
      case 0: peer.send("POST /mcp HTTP/1.1\r\nHost: 127."); break;  // and nothing more
      case 1: peer.send("POST /mcp HTTP/1.1\r\nX: " + std::string(40'000, 'x')); break;
      case 2:
        peer.send(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            "Content-Length: 100000000\r\n\r\n" +
            std::string(60'000, ' '));
        break;
      default: peer.send(stateless_call("look_up")); break;  // and never reads
    }
    if (i % 20 == 0) expect_good_client_is_served();
  }
  EXPECT_TRUE(loop.until([&] { return bad[1].has("431") && bad[2].has("413"); }));
  EXPECT_TRUE(bad[2].has("\"jsonrpc\":\"2.0\"")) << "a refusal is JSON-RPC too";
  EXPECT_TRUE(bad[2].has("\"code\":-32600")) << "as over stdio";
  expect_good_client_is_served();
  if (kMemoryIsReal) {
    EXPECT_LT(resident_bytes(), before + (std::size_t{16} << 20));
  }
}

// --- a whole process ---------------------------------------------------------------------------

struct Process {
  pid_t id = -1;
  std::uint16_t port = 0;
};

// The port is in the line that a server says first.
Process start_process() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  Process process{::fork(), 0};
  if (process.id == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    Settings settings;
    settings.log = [](const serve::LogLine&) {};
    _exit(serve_http(book_server(std::move(settings)), {}));
  }
  ::close(ends[1]);
  std::string line;
  char c = 0;
  while (::read(ends[0], &c, 1) == 1 && c != '\n') line += c;
  ::close(ends[0]);
  const std::size_t colon = line.rfind(':');
  if (colon != std::string::npos) {
    process.port = static_cast<std::uint16_t>(std::strtoul(line.c_str() + colon + 1, nullptr, 10));
  }
  return process;
}

TEST(ServerProcess, answers_every_request_that_it_was_sent_when_it_is_terminated_under_load) {
  const Process process = start_process();
  ASSERT_NE(process.port, 0);
  constexpr std::size_t kClients = 32;
  constexpr std::size_t kAnswersBefore = 400;
  std::vector<RawPeer> peers;
  peers.reserve(kClients);
  for (std::size_t i = 0; i < kClients; ++i) peers.push_back(RawPeer::to_port(process.port));
  const auto request = [](std::size_t i) {
    return stateless_call(i % 2 == 0 ? "look_up" : "slow_look_up");
  };
  for (std::size_t i = 0; i < kClients; ++i) peers[i].send(request(i));
  std::vector<bool> finished(kClients);
  std::size_t open = kClients;
  std::size_t answers = 0;
  bool terminated = false;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (open > 0 && std::chrono::steady_clock::now() < limit) {
    for (std::size_t i = 0; i < kClients; ++i) {
      if (finished[i]) continue;
      const bool ended = peers[i].has_ended();  // before the look at what came with it
      const bool answered = peers[i].has(R"("id":"b-1")");
      if (!answered && ended) {
        ADD_FAILURE() << "client " << i << " has no answer: " << peers[i].received();
        finished[i] = true;
        --open;
      }
      if (!answered) continue;
      ++answers;
      // A server that ends says so with its last answer on each connection.
      if (peers[i].has("Connection: close") || peers[i].has("connection: close")) {
        finished[i] = true;
        --open;
        continue;
      }
      peers[i].forget();
      peers[i].send(request(i));
    }
    std::this_thread::yield();
    if (answers >= kAnswersBefore && !terminated) {
      terminated = true;
      ::kill(process.id, SIGTERM);
    }
  }
  EXPECT_EQ(open, 0U);
  EXPECT_TRUE(terminated);
  if (open > 0) ::kill(process.id, SIGKILL);
  peers.clear();
  int status = 0;
  ::waitpid(process.id, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace enfold::server
