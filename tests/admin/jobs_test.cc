// SPDX-License-Identifier: Apache-2.0
// The long requests of the dashboard: those whose client has gone are dropped.
#include "enfold/gateway/admin/pages/source.h"
#include "enfold/serve/loop_host.h"
#include "tests/net/http_peers.h"

#include <future>
#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

class JobsTest : public ::testing::Test {
 protected:
  JobsTest() {
    server = std::move(*net::HttpServer::listen(
        *loop, {}, [this](net::HttpRequest& request, net::Responder responder) {
          jobs.run(
              [this, path = std::string(request.head.path())](const IsAbandoned& is_abandoned) {
                started.push_back(path);
                if (path == "/first") {
                  running.set_value(is_abandoned);
                  go_on.get_future().wait();
                }
                return net::HttpResponse{.body = "done"};
              },
              Respond(std::move(responder)), [this] { ++finished; });
        }));
  }
  ~JobsTest() override {
    if (!has_gone_on) go_on.set_value();
    EXPECT_TRUE(host.workers().is_idle_within(std::chrono::seconds(10)));
    loop.settle();
  }
  /// Lets the job of /first end.
  void go() {
    has_gone_on = true;
    go_on.set_value();
  }
  net::RawPeer request(const std::string& path) {
    net::RawPeer peer = net::RawPeer::to_port(server->port());
    peer.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return peer;
  }
  net::RunningLoop loop;
  serve::LoopHost host{*loop, 1, 8};
  std::vector<std::string> started;  ///< paths whose jobs have started; written by the worker
  std::promise<IsAbandoned> running;
  std::promise<void> go_on;
  bool has_gone_on = false;
  int finished = 0;
  AdminJobs jobs{host, 1};
  std::unique_ptr<net::HttpServer> server;
};

TEST_F(JobsTest, are_not_started_for_a_client_that_has_gone) {
  net::RawPeer first = request("/first");
  auto is_running = running.get_future();
  ASSERT_TRUE(loop.until(
      [&] { return is_running.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
  {
    net::RawPeer second = request("/second");
    ASSERT_TRUE(loop.until([&] { return server->stats().requests == 2; }));
  }
  net::RawPeer third = request("/third");
  EXPECT_TRUE(loop.until([&] { return server->stats().requests == 3; }));  // after that end
  go();
  EXPECT_TRUE(loop.until([&] { return third.has("done"); }));
  EXPECT_TRUE(first.has("done"));
  EXPECT_EQ(started, (std::vector<std::string>{"/first", "/third"}));
  EXPECT_EQ(finished, 2);
}

TEST_F(JobsTest, learn_that_their_client_has_gone) {
  IsAbandoned is_abandoned;
  {
    net::RawPeer first = request("/first");
    auto is_running = running.get_future();
    ASSERT_TRUE(loop.until(
        [&] { return is_running.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
    is_abandoned = is_running.get();
    EXPECT_FALSE(*is_abandoned);
  }
  EXPECT_TRUE(loop.until([&] { return is_abandoned->load(); }));
  go();
  EXPECT_TRUE(loop.until([&] { return finished == 1; }));
}

// As `nc -N` does: the client closes its sending side, but reads.
TEST_F(JobsTest, answer_clients_that_only_stopped_sending_with_an_error) {
  net::RawPeer first = request("/first");
  auto is_running = running.get_future();
  ASSERT_TRUE(loop.until(
      [&] { return is_running.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
  net::RawPeer second = request("/second");  // waits in the lane
  ASSERT_TRUE(loop.until([&] { return server->stats().requests == 2; }));
  second.stop_sending();
  net::RawPeer third = request("/third");
  ASSERT_TRUE(loop.until([&] { return server->stats().requests == 3; }));
  go();
  EXPECT_TRUE(loop.until([&] { return second.has_ended() && third.has("done"); }));
  EXPECT_TRUE(second.has("HTTP/1.1 503 ")) << second.received();
  EXPECT_TRUE(second.has("\"code\":\"unavailable\"")) << second.received();
  EXPECT_EQ(started, (std::vector<std::string>{"/first", "/third"}));
}

TEST_F(JobsTest, answer_clients_that_stopped_sending_while_the_job_waits_for_a_worker) {
  std::promise<void> free;
  ASSERT_TRUE(host.workers().run([&] { free.get_future().wait(); }));
  net::RawPeer second = request("/second");
  ASSERT_TRUE(loop.until([&] { return server->stats().requests == 1; }));
  second.stop_sending();
  loop.settle();
  free.set_value();
  EXPECT_TRUE(loop.until([&] { return second.has_ended(); }));
  EXPECT_TRUE(second.has("HTTP/1.1 503 ")) << second.received();
}

}  // namespace
}  // namespace enfold::gateway
