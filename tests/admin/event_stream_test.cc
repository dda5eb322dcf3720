// SPDX-License-Identifier: Apache-2.0
// The event stream by itself: what a reader gets under load, and what one costs that does not read.
#include "enfold/gateway/admin/record/event_stream.h"

#include "enfold/gateway/admin/record/row.h"
#include "enfold/serve/loop_host.h"
#include "tests/net/http_peers.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

class EventStreamTest : public ::testing::Test {
 protected:
  EventStreamTest()
      : server_(net::HttpServer::listen(
                    *loop, {},
                    [this](net::HttpRequest& /*request*/, net::Responder responder) {
                      events.open(std::move(responder), [this] { return is_allowed; });
                    })
                    .value()) {}
  net::RawPeer open(int receive_buffer = 0) {
    net::RawPeer reader = net::RawPeer::to_port(server_->port(), receive_buffer);
    reader.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const std::size_t before = events.readers();
    EXPECT_TRUE(loop.until([&] { return events.readers() > before; }));
    return reader;
  }
  void add(std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      recorder.add({.event = "call", .tool = "made", .outcome = "ok"}, {});
    }
    added += calls;
  }
  /// Lets the next event be sent.
  void tick() {
    loop->advance(EventStream::kPeriod);
    loop.settle();
  }
  [[nodiscard]] std::uint16_t server_port() const { return server_->port(); }
  struct Got {
    std::uint64_t rows = 0;
    std::uint64_t dropped = 0;
  };
  static Got count(const std::string& text) {
    Got got;
    const std::string head = "event: answers\ndata: ";
    for (std::size_t at = text.find(head); at != std::string::npos; at = text.find(head, at + 1)) {
      const std::size_t begin = at + head.size();
      const std::string data = text.substr(begin, text.find('\n', begin) - begin);
      for (std::size_t row = data.find("{\"id\":"); row != std::string::npos;
           row = data.find("{\"id\":", row + 1)) {
        ++got.rows;
      }
      const std::size_t dropped = data.rfind("\"dropped\":");
      if (dropped != std::string::npos) got.dropped += std::stoull(data.substr(dropped + 10));
    }
    return got;
  }

  net::RunningLoop loop;
  Settings settings;
  serve::LoopHost host{*loop, 1, 1};
  Environment environment{*loop, host, settings};
  Recorder recorder{environment, RecordingLimits{}};
  EventStream events{*loop, recorder, [](json::Writer& writer) { writer.member("sessions", 0); }};
  std::uint64_t added = 0;
  bool is_allowed = true;

 private:
  std::unique_ptr<net::HttpServer> server_;
};

TEST_F(EventStreamTest, sends_at_most_500_rows_at_once_and_counts_the_others) {
  net::RawPeer reader = open();
  add(800);
  tick();
  ASSERT_TRUE(loop.until([&] { return reader.has("\"dropped\":300}"); }));
  EXPECT_EQ(count(reader.received()).rows, 500U);
}

TEST_F(EventStreamTest, shows_only_calls_after_the_reader_came) {
  add(3);
  net::RawPeer reader = open();
  add(2);
  tick();
  ASSERT_TRUE(loop.until([&] { return reader.has("event: answers"); }));
  EXPECT_EQ(count(reader.received()).rows, 2U);
  EXPECT_TRUE(reader.has("event: state\ndata: {\"sessions\":0}"));
}

TEST_F(EventStreamTest, keeps_little_for_a_reader_that_does_not_read_and_tells_it_what_it_lost) {
  net::RawPeer reader = open(4'096);
  for (int i = 0; i < 100; ++i) {
    add(500);
    tick();
  }
  const std::size_t sent_in_vain = 100 * 500 * 300;  // bytes that the rows have at least
  ASSERT_TRUE(loop.until([&] {
    (void)reader.received();
    tick();
    const Got got = count(reader.received());
    return got.dropped > 0 && got.rows + got.dropped >= added;
  })) << reader.received().size();
  const Got got = count(reader.received());
  EXPECT_EQ(got.rows + got.dropped, added) << "no row is lost without being counted";
  EXPECT_LT(reader.received().size(), sent_in_vain) << "what waited was bounded";
}

TEST_F(EventStreamTest, refuses_more_than_32_readers) {
  std::vector<net::RawPeer> readers;
  for (std::size_t i = 0; i < EventStream::kMaxReaders; ++i) readers.push_back(open());
  net::RawPeer late = net::RawPeer::to_port(server_port());
  late.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(loop.until([&] { return late.has("HTTP/1.1 503"); }));
  events.close_all();
  EXPECT_EQ(events.readers(), 0U);
}

}  // namespace
}  // namespace enfold::gateway
