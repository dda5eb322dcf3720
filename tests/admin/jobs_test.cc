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
    EXPECT_TRUE(host.workers().is_idle_within(std::chrono::seconds(10)));
    loop.settle();
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
  go_on.set_value();
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
  go_on.set_value();
  EXPECT_TRUE(loop.until([&] { return finished == 1; }));
}

}  // namespace
}  // namespace enfold::gateway
