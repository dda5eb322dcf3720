// SPDX-License-Identifier: Apache-2.0
// What peers decide is limited: size, speed, number. Others are served meanwhile, memory is
// bounded, and the refused one is told why.
#include "enfold/net/http/server.h"
#include "tests/net/running_loop.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace enfold::net {
namespace {

using std::chrono::seconds;

struct Server {
  explicit Server(HttpServerOptions options = {}) {
    server = HttpServer::listen(*loop, std::move(options),
                                [this](HttpRequest& request, Responder responder) {
                                  largest_body = std::max(largest_body, request.body.size());
                                  if (request.head.path() == "/open")
                                    open.push_back(std::move(responder));
                                  else if (request.head.path() == "/large")
                                    responder.respond({200, {}, std::string(large, 'L')});
                                  else
                                    responder.respond({200, {}, "pong"});
                                })
                 .value();
  }
  RawPeer connect(int receive_buffer = 0) const {
    return RawPeer::to_port(server->port(), receive_buffer);
  }
  RawPeer connect_from(const char* host) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, host, &address.sin_addr);
    EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    address.sin_port = htons(server->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return RawPeer(socket);
  }
  bool others_are_served() {
    RawPeer peer = connect();
    peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return loop.until([&] { return peer.has("pong"); });
  }
  RunningLoop loop;
  std::size_t largest_body = 0;
  std::size_t large = std::size_t{8} << 20;
  std::vector<Responder> open;  ///< of requests that get no answer
  std::unique_ptr<HttpServer> server;
};

std::string post_head(std::size_t length) {
  return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(length) +
         "\r\n\r\n";
}

TEST(HttpLimits, a_body_of_a_hundred_megabytes_is_refused_at_its_head_and_the_answer_arrives) {
  Server s;
  RawPeer peer = s.connect();
  const std::size_t size = std::size_t{100} << 20;
  peer.send(post_head(size));
  const std::string piece(std::size_t{256} << 10, 'x');
  std::size_t sent = 0;
  // A client that looks at the answer only when it has sent everything.
  ASSERT_TRUE(s.loop.until([&] {
    sent += peer.send(std::string_view(piece).substr(0, std::min(piece.size(), size - sent)));
    EXPECT_EQ(s.server->stats().unfinished_body_bytes, 0U);
    return sent == size;
  }));
  ASSERT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
  EXPECT_FALSE(peer.was_reset());
  EXPECT_TRUE(peer.received().starts_with("HTTP/1.1 413 Content Too Large\r\n"));
  EXPECT_TRUE(peer.has("Connection: close\r\n"));
  EXPECT_EQ(s.server->stats().requests, 0U);
  EXPECT_TRUE(s.others_are_served());
}

TEST(HttpLimits, a_chunked_body_without_end_is_refused_where_the_limit_is) {
  Server s;
  RawPeer peer = s.connect();
  peer.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
  std::size_t offset = 0;
  std::size_t most = 0;
  ASSERT_TRUE(s.loop.until([&] {
    offset = (offset + peer.send(std::string_view(chunk).substr(offset))) % chunk.size();
    most = std::max(most, s.server->stats().unfinished_body_bytes);
    return peer.has("413 Content Too Large");
  }));
  EXPECT_LE(most, HttpLimits{}.max_body_bytes);
  EXPECT_GT(most, std::size_t{1} << 20);
  EXPECT_EQ(s.server->stats().unfinished_body_bytes, 0U);
}

TEST(HttpLimits, a_body_at_the_limit_is_taken) {
  HttpServerOptions options;
  options.limits.message.max_body_bytes = 100'000;
  Server s(std::move(options));
  RawPeer peer = s.connect();
  const std::string body(100'000, 'x');
  peer.send(post_head(body.size()));
  std::size_t sent = 0;
  ASSERT_TRUE(s.loop.until([&] {
    sent += peer.send(std::string_view(body).substr(sent));
    return peer.has("pong");
  }));
  EXPECT_EQ(s.largest_body, 100'000U);
  RawPeer other = s.connect();
  other.send(post_head(100'001));
  EXPECT_TRUE(s.loop.until([&] { return other.has("413"); }));
}

TEST(HttpLimits, the_body_of_a_request_can_have_a_lower_limit_of_its_own) {
  HttpServerOptions options;
  options.check_head = [](const HttpHead& head, const Peer&) -> HeadCheck {
    return {std::nullopt, head.path() == "/small" ? 10U : 1'000'000'000U};
  };
  Server s(std::move(options));
  const auto answer_to = [&](const std::string& request) {
    RawPeer peer = s.connect();
    peer.send("POST " + request);
    EXPECT_TRUE(s.loop.until([&] { return peer.has("HTTP/1.1 "); })) << request;
    return peer.received().substr(9, 3);
  };
  const std::string small = "/small HTTP/1.1\r\nHost: localhost\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(answer_to(small + "Content-Length: 10\r\n\r\n0123456789"), "200");
  EXPECT_EQ(answer_to(small + "Content-Length: 11\r\n\r\n"), "413") << "before it arrives";
  EXPECT_EQ(answer_to(small + "Content-Length: 11\r\n\r\n0123456789A"), "413");
  EXPECT_EQ(answer_to(small + chunked + "A\r\n0123456789\r\n0\r\n\r\n"), "200");
  EXPECT_EQ(answer_to(small + chunked + "B\r\n0123456789A\r\n"), "413");
  EXPECT_EQ(answer_to("/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n"), "413")
      << "the limit of all requests holds too";
}

TEST(HttpLimits, unfinished_bodies_are_bounded_together) {
  HttpServerOptions options;
  options.limits.max_unfinished_body_bytes = 300'000;
  Server s(std::move(options));
  std::vector<RawPeer> peers;
  const std::string half(50'000, 'x');
  for (int i = 0; i < 10; ++i) {
    peers.push_back(s.connect());
    peers.back().send(post_head(100'000));
    peers.back().send(half);
  }
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().refused == 4; }));
  EXPECT_LE(s.server->stats().unfinished_body_bytes, 300'000U);
  std::size_t told = 0;
  for (RawPeer& peer : peers) told += peer.has("503 Service Unavailable") ? 1U : 0U;
  EXPECT_EQ(told, 4U);
  peers.clear();
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().connections == 0; }));
  EXPECT_EQ(s.server->stats().unfinished_body_bytes, 0U);
}

TEST(HttpLimits, a_flood_of_headers_is_refused) {
  Server s;
  RawPeer peer = s.connect();
  peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n");
  ASSERT_TRUE(s.loop.until([&] {
    peer.send("X-Flood: 0123456789\r\n");
    return peer.has("HTTP/1.1 431 Request Header Fields Too Large");
  }));
  EXPECT_TRUE(s.others_are_served());
}

TEST(HttpLimits, a_head_that_drips_is_cut_off_after_its_time) {
  Server s;
  RawPeer peer = s.connect();
  peer.send("GET / HTT");
  s.loop.settle();
  for (int i = 0; i < 12 && !peer.has_ended(); ++i) {
    peer.send("P");  // a byte a second does not help
    s.loop->advance(seconds(1));
    s.loop.settle();
  }
  ASSERT_TRUE(s.loop.until([&] { return peer.has("408 Request Timeout"); }));
  EXPECT_EQ(s.server->stats().timed_out, 1U);
}

TEST(HttpLimits, an_answer_that_is_read_late_gives_the_next_head_no_more_time) {
  HttpServerOptions options;
  options.limits.high_water_bytes = std::size_t{64} << 20;  // reads on while the answer waits
  Server s(std::move(options));
  RawPeer peer = s.connect(65536);
  peer.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTT");
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().requests == 1; }));
  s.loop.settle();
  s.loop->advance(seconds(9));
  std::size_t got = 0;
  ASSERT_TRUE(s.loop.until([&] {
    got += peer.received().size();
    peer.forget();
    return got > s.large;
  }));
  s.loop.settle();
  EXPECT_EQ(s.server->stats().timed_out, 0U);
  s.loop->advance(seconds(2));
  s.loop.settle();
  EXPECT_EQ(s.server->stats().timed_out, 1U);
}

TEST(HttpLimits, a_body_that_drips_is_cut_off_though_it_moves) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(post_head(1'000'000));
  s.loop.settle();
  for (int i = 0; i < 35 && !peer.has("408"); ++i) {
    peer.send("x");
    s.loop->advance(seconds(1));
    s.loop.settle();
  }
  EXPECT_TRUE(peer.has("408 Request Timeout"));
}

TEST(HttpLimits, a_body_that_gets_on_may_take_minutes) {
  Server s;
  RawPeer peer = s.connect();
  const std::size_t piece = 20'000;
  peer.send(post_head(20 * piece));
  for (std::size_t i = 0; i < 20; ++i) {
    s.loop.settle();
    s.loop->advance(seconds(20));
    peer.send(std::string(piece, 'x'));
    ASSERT_TRUE(s.loop.until([&] {
      return s.server->stats().unfinished_body_bytes == (i + 1) * piece || peer.has("HTTP");
    }));
  }
  EXPECT_TRUE(s.loop.until([&] { return peer.has("200 OK"); }));
}

TEST(HttpLimits, an_idle_connection_is_closed_after_its_time_and_not_before) {
  Server s;
  RawPeer peer = s.connect();
  peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("pong"); }));
  s.loop->advance(seconds(74));
  s.loop.settle();
  EXPECT_FALSE(peer.has_ended());
  s.loop->advance(seconds(2));
  ASSERT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
  EXPECT_FALSE(peer.has("408"));
  EXPECT_EQ(s.server->stats().connections, 0U);
}

TEST(HttpLimits, a_client_that_does_not_read_a_large_answer_is_let_go) {
  Server s;
  RawPeer slow = s.connect(8192);
  slow.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().requests == 1; }));
  s.loop.settle();
  EXPECT_TRUE(s.others_are_served());
  s.loop->advance(seconds(31));
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().slow_readers == 1; }));
}

TEST(HttpLimits, pipelined_requests_wait_while_answers_are_not_read) {
  Server s;
  s.large = std::size_t{6} << 20;
  RawPeer slow = s.connect(65536);
  std::string many;
  for (int i = 0; i < 6; ++i) many += "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
  slow.send(many);
  for (int i = 0; i < 50; ++i) s.loop->turn(Duration::zero());
  EXPECT_EQ(s.server->stats().requests, 1U);
  std::size_t got = 0;
  ASSERT_TRUE(s.loop.until([&] {
    got += slow.received().size();
    slow.forget();
    return got > 6 * s.large;
  }));
  EXPECT_EQ(s.server->stats().requests, 6U);
}

TEST(HttpLimits, connections_beyond_the_limit_are_rejected) {
  HttpServerOptions options;
  options.limits.max_connections = 3;
  Server s(std::move(options));
  std::vector<RawPeer> peers;
  for (std::size_t i = 0; i < 3; ++i) {
    peers.push_back(s.connect());
    peers.back().send("GET /open HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ASSERT_TRUE(s.loop.until([&] { return s.open.size() == i + 1; }));
  }
  for (int i = 0; i < 2; ++i) peers.push_back(s.connect());
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().rejected_connections == 2; }));
  EXPECT_TRUE(s.loop.until([&] { return peers[4].has("503 Service Unavailable"); }));
  EXPECT_EQ(s.server->stats().connections, 3U);
  peers.erase(peers.begin());
  s.open.erase(s.open.begin());
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().connections == 2; }));
  EXPECT_TRUE(s.others_are_served());
}

// Ten thousand connections of one program took all places for 75 seconds: connections without a
// request, after one request, inside a body, or after a refusal.
TEST(HttpLimits, a_connection_that_waits_for_its_client_gives_its_place_to_a_new_one) {
  for (const std::string& sent :
       {std::string(), std::string("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        std::string("GET / HTT"), post_head(100) + "x", post_head(100'000'000)}) {
    HttpServerOptions options;
    options.limits.max_connections = 3;
    Server s(std::move(options));
    RawPeer busy = s.connect();
    busy.send("GET /open HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ASSERT_TRUE(s.loop.until([&] { return s.open.size() == 1; }));
    std::vector<RawPeer> waiting;
    for (int i = 0; i < 20; ++i) {
      waiting.push_back(s.connect());
      waiting.back().send(sent);
      s.loop.settle();
    }
    EXPECT_TRUE(s.others_are_served()) << sent;
    EXPECT_EQ(s.server->stats().rejected_connections, 0U) << sent;
    EXPECT_EQ(s.server->stats().evicted, 19U) << sent;
    EXPECT_FALSE(busy.has_ended()) << "its request is open";
  }
}

TEST(HttpLimits, of_connections_that_wait_the_one_that_was_used_last_is_closed_last) {
  HttpServerOptions options;
  options.limits.max_connections = 3;
  Server s(std::move(options));
  RawPeer first = s.connect();
  s.loop.settle();
  RawPeer second = s.connect();
  s.loop.settle();
  first.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return first.has("200 OK"); }));
  RawPeer third = s.connect();
  EXPECT_TRUE(s.others_are_served());
  EXPECT_TRUE(s.loop.until([&] { return second.has_ended(); }));
  EXPECT_FALSE(first.has_ended());
}

HttpServerOptions for_remote_clients(std::size_t connections) {
  HttpServerOptions options;
  options.limits.max_connections = connections;
  options.limits.trusts_loopback = false;
  return options;
}

TEST(HttpLimits, a_connection_without_a_request_gives_its_place_to_a_remote_client_too) {
  Server s(for_remote_clients(1));
  std::vector<RawPeer> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(s.connect());
  EXPECT_TRUE(s.others_are_served());
  EXPECT_EQ(s.server->stats().rejected_connections, 0U);
}

TEST(HttpLimits, an_address_that_has_its_share_closes_no_connection_of_another) {
  Server s(for_remote_clients(3));
  std::vector<RawPeer> busy;
  for (int i = 0; i < 2; ++i) {
    busy.push_back(s.connect());
    busy.back().send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ASSERT_TRUE(s.loop.until([&] { return busy.back().has("200 OK"); }));
  }
  RawPeer other = s.connect_from("127.0.0.2");
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().connections == 3; }));
  RawPeer rejected = s.connect();
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().rejected_connections == 1; }));
  s.loop.settle();
  EXPECT_FALSE(other.has_ended());
}

TEST(HttpLimits, a_connection_without_a_request_has_the_time_of_a_head) {
  HttpServerOptions options;
  options.limits.head_timeout = std::chrono::milliseconds(20);
  Server s(std::move(options));
  RawPeer peer = s.connect();
  EXPECT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
}

TEST(HttpLimits, noise_is_answered_with_400_and_hurts_nobody) {
  Server s;
  std::string noise;
  for (int i = 0; i < 4000; ++i) noise += static_cast<char>((i * 7919 + i / 13) % 256);
  const std::vector<std::string> noises = {noise,
                                           std::string(100, '\0'),
                                           "\x16\x03\x01\x02",
                                           "{\"jsonrpc\":\"2.0\"}\n",
                                           "\n\n\n\n",
                                           "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                                           "5\r\nTransfer-Encoding: chunked\r\n\r\n"};
  for (const std::string& text : noises) {
    RawPeer peer = s.connect();
    peer.send(text);
    peer.stop_sending();
    EXPECT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
    EXPECT_TRUE(peer.has("HTTP/1.1 400 Bad Request")) << text.substr(0, 20) << peer.received();
  }
  EXPECT_TRUE(s.others_are_served());
}

TEST(HttpLimits, nothing_behind_a_refused_request_is_taken_for_a_request) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n"
      "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n");
  peer.stop_sending();
  ASSERT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
  EXPECT_EQ(count_of(peer.received(), "HTTP/1.1 "), 1U);
  EXPECT_EQ(s.server->stats().requests, 0U);
}

TEST(HttpDrain, loses_no_request_and_ends_when_all_are_answered) {
  RunningLoop loop;
  std::vector<Responder> waiting;
  auto server = HttpServer::listen(*loop, {}, [&](HttpRequest& request, Responder responder) {
                  if (request.head.path() == "/later")
                    waiting.push_back(std::move(responder));
                  else
                    responder.respond({200, {}, "pong"});
                }).value();
  const auto connect = [&] { return RawPeer::to_port(server->port()); };
  RawPeer busy = connect();
  RawPeer idle = connect();
  RawPeer silent = connect();
  busy.send("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n");
  idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(loop.until([&] { return waiting.size() == 1 && idle.has("pong"); }));
  RawPeer in_backlog = connect();  // the server has not accepted it yet
  in_backlog.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  bool drained = false;
  const std::uint16_t port = server->port();
  server->drain(seconds(30), [&] { drained = true; });

  idle.forget();
  idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");  // was on its way
  ASSERT_TRUE(loop.until([&] { return idle.has_ended() && in_backlog.has_ended(); }));
  EXPECT_TRUE(idle.has("Connection: close\r\n")) << idle.received();
  EXPECT_TRUE(idle.has("pong"));
  EXPECT_TRUE(in_backlog.has("pong"));
  idle.close();
  in_backlog.close();
  loop->advance(seconds(1));
  ASSERT_TRUE(loop.until([&] { return silent.has_ended(); }));
  EXPECT_FALSE(drained);
  EXPECT_EQ(server->stats().connections, 1U);

  waiting[0].respond({200, {}, "at last"});
  ASSERT_TRUE(loop.until([&] { return busy.has_ended(); }));
  EXPECT_TRUE(busy.has("at last"));
  busy.close();
  EXPECT_TRUE(loop.until([&] { return drained; }));

  const int refused = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_NE(::connect(refused, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(refused);
}

TEST(HttpDrain, answers_everybody_in_a_long_backlog) {
  RunningLoop loop;
  auto server = HttpServer::listen(*loop, {}, [](HttpRequest&, Responder responder) {
                  responder.respond({200, {}, "pong"});
                }).value();
  std::vector<RawPeer> peers;
  for (int i = 0; i < 300; ++i) {
    peers.push_back(RawPeer::to_port(server->port()));
    peers.back().send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  bool drained = false;
  server->drain(seconds(30), [&] { drained = true; });
  ASSERT_TRUE(loop.until(
      [&] { return std::ranges::all_of(peers, [](RawPeer& peer) { return peer.has_ended(); }); }));
  EXPECT_TRUE(std::ranges::all_of(peers, [](RawPeer& peer) { return peer.has("pong"); }));
  peers.clear();
  EXPECT_TRUE(loop.until([&] { return drained; }));
}

TEST(HttpDrain, breaks_off_what_takes_too_long) {
  RunningLoop loop;
  std::vector<Responder> waiting;
  auto server = HttpServer::listen(*loop, {}, [&](HttpRequest&, Responder responder) {
                  waiting.push_back(std::move(responder));
                }).value();
  RawPeer stuck = RawPeer::to_port(server->port());
  stuck.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(loop.until([&] { return waiting.size() == 1; }));
  int closed = 0;
  waiting[0].on_close([&] { ++closed; });
  bool drained = false;
  server->drain(seconds(5), [&] { drained = true; });
  loop->advance(seconds(6));
  EXPECT_TRUE(loop.until([&] { return drained; }));
  EXPECT_EQ(closed, 1);
  EXPECT_TRUE(loop.until([&] { return stuck.has_ended(); }));
}

}  // namespace
}  // namespace enfold::net
