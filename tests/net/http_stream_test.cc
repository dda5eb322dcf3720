// SPDX-License-Identifier: Apache-2.0
// Answers that are sent piece by piece, to clients that read slowly, vanish, or are many.
#include "enfold/net/http/server.h"
#include "tests/net/running_loop.h"

#include <gtest/gtest.h>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace enfold::net {
namespace {

struct Server {
  explicit Server(HttpServerOptions options = {}) {
    server = HttpServer::listen(*loop, std::move(options),
                                [this](HttpRequest& request, Responder responder) {
                                  if (request.head.path() == "/stream") {
                                    HttpResponse head;
                                    head.headers.add("Content-Type", "text/event-stream");
                                    streams.push_back(responder.stream(std::move(head)));
                                  } else {
                                    responder.respond({200, {}, "pong"});
                                  }
                                })
                 .value();
  }
  RawPeer connect(int receive_buffer = 0) const {
    return RawPeer::to_port(server->port(), receive_buffer);
  }
  RawPeer subscribe(int receive_buffer = 0) {
    RawPeer peer = connect(receive_buffer);
    const std::size_t before = streams.size();
    peer.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(loop.until([&] { return streams.size() > before; }));
    return peer;
  }
  bool others_are_served() {
    RawPeer peer = connect();
    peer.send("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return loop.until([&] { return peer.has("pong"); });
  }

  RunningLoop loop;
  std::list<BodyWriter> streams;
  std::unique_ptr<HttpServer> server;
};

TEST(HttpStream, sends_chunks_as_they_come_and_goes_on_with_the_connection) {
  Server s;
  RawPeer peer = s.subscribe();
  BodyWriter& stream = s.streams.back();
  ASSERT_TRUE(s.loop.until([&] { return peer.has("Transfer-Encoding: chunked\r\n"); }));
  EXPECT_EQ(stream.write("data: one\n\n"), Flow::open);
  ASSERT_TRUE(s.loop.until([&] { return peer.has("b\r\ndata: one\n\n\r\n"); }));
  EXPECT_EQ(stream.write(""), Flow::open);  // not the last chunk
  stream.write("data: two\n\n");
  stream.write("data: three\n\n");
  stream.end();
  EXPECT_FALSE(stream.is_open());
  ASSERT_TRUE(s.loop.until([&] { return peer.has("0\r\n\r\n"); }));
  EXPECT_TRUE(peer.received().ends_with("b\r\ndata: two\n\n\r\nd\r\ndata: three\n\n\r\n0\r\n\r\n"));
  EXPECT_EQ(s.server->stats().streams, 0U);
  peer.send("GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(s.loop.until([&] { return peer.has("pong"); }));
}

TEST(HttpStream, ends_with_the_connection_for_http_1_0) {
  Server s;
  RawPeer peer = s.connect();
  peer.send("GET /stream HTTP/1.0\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return s.streams.size() == 1; }));
  s.streams.back().write("data: one\n\n");
  s.streams.back().end();
  ASSERT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
  EXPECT_TRUE(peer.received().ends_with("\r\n\r\ndata: one\n\n"));
  EXPECT_FALSE(peer.has("chunked"));
}

TEST(HttpStream, dropping_the_writer_leaves_a_visible_gap) {
  Server s;
  RawPeer peer = s.subscribe();
  s.streams.back().write("data: one\n\n");
  s.loop.settle();
  s.streams.clear();
  ASSERT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
  EXPECT_FALSE(peer.has("0\r\n\r\n"));
}

TEST(HttpStream, notices_a_client_that_vanishes_while_nothing_is_sent) {
  for (const bool by_reset : {false, true}) {
    Server s;
    RawPeer peer = s.subscribe();
    int closed = 0;
    s.streams.back().on_close([&] { ++closed; });
    if (by_reset)
      peer.reset();
    else
      peer.close();
    EXPECT_TRUE(s.loop.until([&] { return closed == 1; }));
    EXPECT_EQ(s.streams.back().write("data: x\n\n"), Flow::closed);
    EXPECT_EQ(s.server->stats().streams, 0U);
    EXPECT_EQ(s.server->stats().connections, 0U);
    EXPECT_TRUE(s.others_are_served());
  }
}

TEST(HttpStream, says_full_to_a_fast_writer_and_calls_when_the_client_has_read) {
  Server s;
  RawPeer peer = s.subscribe(8192);
  BodyWriter& stream = s.streams.back();
  const std::string event(10'000, 'e');
  int drained = 0;
  stream.on_writable([&] { ++drained; });
  std::size_t written = 0;
  for (Flow flow = Flow::open; flow == Flow::open && written < 1000; ++written) {
    flow = stream.write(event);
    s.loop->turn(Duration::zero());
  }
  ASSERT_LT(written, 1000U) << "a client that does not read must be noticed";
  EXPECT_GT(stream.queued(), s.server->stats().streams);
  EXPECT_EQ(drained, 0);
  EXPECT_TRUE(s.loop.until([&] {
    (void)peer.received();
    return drained == 1;
  }));
  EXPECT_EQ(stream.write("x"), Flow::open);
  stream.end();
  ASSERT_TRUE(s.loop.until([&] { return peer.has("1\r\nx\r\n0\r\n\r\n"); }));
  EXPECT_EQ(count_of(peer.received(), event), written);
}

TEST(HttpStream, breaks_off_a_client_that_never_reads_and_bounds_what_it_costs) {
  HttpServerOptions options;
  options.limits.max_stream_queue_bytes = std::size_t{1} << 20;
  Server s(std::move(options));
  RawPeer slow = s.subscribe(8192);
  BodyWriter& stream = s.streams.back();
  int closed = 0;
  stream.on_close([&] { ++closed; });
  const std::string event(60'000, 'e');
  std::size_t most = 0;
  int writes = 0;
  while (stream.write(event) != Flow::closed) {
    ASSERT_LT(++writes, 1000);
    most = std::max(most, stream.queued());
    s.loop->turn(Duration::zero());
  }
  EXPECT_LE(most, (std::size_t{1} << 20) + event.size() + 20);
  EXPECT_EQ(closed, 1);
  EXPECT_EQ(s.server->stats().slow_readers, 1U);
  EXPECT_TRUE(s.others_are_served());
}

TEST(HttpStream, sends_one_piece_that_is_larger_than_what_may_wait) {
  HttpServerOptions options;
  options.limits.max_stream_queue_bytes = std::size_t{1} << 20;
  Server s(std::move(options));
  RawPeer peer = s.subscribe();
  BodyWriter& stream = s.streams.back();
  EXPECT_EQ(stream.write(std::string(std::size_t{3} << 20, 'e') + "last"), Flow::full);
  EXPECT_TRUE(s.loop.until([&] { return peer.has("last\r\n"); }));
  EXPECT_TRUE(stream.is_open());
  EXPECT_EQ(s.server->stats().slow_readers, 0U);
}

TEST(HttpStream, breaks_off_a_client_that_stops_reading_after_the_stall_time) {
  Server s;
  RawPeer slow = s.subscribe(8192);
  BodyWriter& stream = s.streams.back();
  const std::string event(100'000, 'e');
  while (stream.write(event) == Flow::open) s.loop->turn(Duration::zero());
  s.loop.settle();
  s.loop->advance(std::chrono::seconds(31));
  EXPECT_TRUE(s.loop.until([&] { return !stream.is_open(); }));
  EXPECT_EQ(s.server->stats().slow_readers, 1U);
}

TEST(HttpStream, lasts_for_hours_without_a_byte) {
  Server s;
  RawPeer peer = s.subscribe();
  s.loop->advance(std::chrono::hours(5));
  s.loop.settle();
  ASSERT_TRUE(s.streams.back().is_open());
  s.streams.back().write("data: still here\n\n");
  EXPECT_TRUE(s.loop.until([&] { return peer.has("still here"); }));
}

TEST(HttpStream, refuses_more_streams_than_allowed) {
  HttpServerOptions options;
  options.limits.max_streams = 2;
  Server s(std::move(options));
  RawPeer one = s.subscribe();
  RawPeer two = s.subscribe();
  RawPeer three = s.subscribe();
  EXPECT_FALSE(s.streams.back().is_open());
  EXPECT_TRUE(s.loop.until([&] { return three.has("503 Service Unavailable"); }));
  one.close();
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().streams == 1; }));
  RawPeer four = s.subscribe();
  EXPECT_TRUE(s.streams.back().is_open());
}

TEST(HttpStream, ten_thousand_clients_come_and_go_without_a_trace) {
  Server s;
  std::vector<RawPeer> peers;
  for (int i = 0; i < 10'000; ++i) {
    peers.push_back(s.connect());
    peers.back().send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
    if (peers.size() == 100) {
      ASSERT_TRUE(s.loop.until([&] { return s.streams.size() == 100; }));
      for (std::size_t k = 0; k < peers.size(); ++k)
        if (k % 2 == 0) peers[k].reset();
      peers.clear();
      ASSERT_TRUE(s.loop.until([&] { return s.server->stats().connections == 0; }));
      s.streams.clear();
    }
  }
  EXPECT_EQ(s.server->stats().accepted, 10'000U);
  EXPECT_EQ(s.server->stats().streams, 0U);
  EXPECT_TRUE(s.others_are_served());
}

}  // namespace
}  // namespace enfold::net
