// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/client.h"
#include "tests/net/http_peers.h"

#include <gtest/gtest.h>

namespace enfold::net {
namespace {

using std::chrono::seconds;

constexpr std::string_view kEmptyAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

TEST(HttpClient, fetches_and_uses_its_connection_again) {
  Both both;
  for (int i = 0; i < 5; ++i) {
    const auto got = both.fetch(post_to(both.server->port(), std::to_string(i)));
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->head.status(), 200);
    EXPECT_EQ(got->body, "echo " + std::to_string(i));
  }
  EXPECT_EQ(both.server->stats().accepted, 1U);
  EXPECT_EQ(both.client->connections(), 1U);
  EXPECT_EQ(both.client->calls(), 0U);
}

TEST(HttpClient, sends_many_at_once_over_a_bounded_number_of_connections) {
  Both both;
  HttpClientOptions options;
  options.limits.max_connections_per_origin = 4;
  HttpClient client(*both.loop, std::move(options));
  std::vector<HttpCall> calls;
  std::size_t right = 0;
  for (int i = 0; i < 100; ++i)
    calls.push_back(client.fetch(post_to(both.server->port(), std::to_string(i)),
                                 [&right, i](const Result<ClientResponse>& got) {
                                   right += got && got->body == "echo " + std::to_string(i);
                                 }));
  EXPECT_TRUE(both.loop.until([&] { return right == 100; }));
  EXPECT_EQ(both.server->stats().accepted, 4U);
}

TEST(HttpClient, refuses_more_waiting_calls_than_allowed) {
  Both both;
  HttpClientOptions options;
  options.limits.max_connections_per_origin = 1;
  options.limits.max_waiting_calls = 2;
  HttpClient client(*both.loop, std::move(options));
  std::vector<HttpCall> calls;
  std::vector<ErrorCode> refused;
  for (int i = 0; i < 5; ++i)
    calls.push_back(client.fetch(post_to(both.server->port(), "", "/later"),
                                 [&](const Result<ClientResponse>& got) {
                                   if (!got) refused.push_back(got.error().code);
                                 }));
  ASSERT_TRUE(both.loop.until([&] { return refused.size() == 2; }));
  EXPECT_EQ(refused[0], ErrorCode::limit_exceeded);
}

TEST(HttpClient, a_cancelled_call_does_not_count_as_waiting) {
  Both both;
  HttpClientOptions options;
  options.limits.max_connections_per_origin = 1;
  options.limits.max_waiting_calls = 1;
  HttpClient client(*both.loop, std::move(options));
  const HttpCall first = client.fetch(post_to(both.server->port(), "", "/later"), [](auto&&) {});
  HttpCall second = client.fetch(post_to(both.server->port(), "2"), [](auto&&) {});
  second.cancel();
  Outcome third;
  const HttpCall call = client.fetch(post_to(both.server->port(), "3"),
                                     [&](Result<ClientResponse> got) { third = std::move(got); });
  ASSERT_TRUE(both.loop.until([&] { return both.waiting.size() == 1 || third; }));
  ASSERT_FALSE(third) << "it waits";
  both.waiting.front().respond({200, {}, ""});
  ASSERT_TRUE(both.loop.until([&] { return third.has_value(); }));
  ASSERT_TRUE(*third) << third->error().message;
  EXPECT_EQ((*third)->body, "echo 3");
}

TEST(HttpClient, errors_do_not_show_the_query) {
  PlayedFetch fetch;
  fetch.start(post_to(fetch.server.port, "x", "/path?key=secret"));
  RawPeer peer = fetch.accept();
  ASSERT_TRUE(fetch.loop.until([&] { return peer.has("\r\n\r\nx"); }));
  peer.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n");
  ASSERT_TRUE(fetch.has_outcome());
  ASSERT_FALSE(*fetch.outcome);
  EXPECT_EQ(fetch.outcome->error().code, ErrorCode::limit_exceeded);
  EXPECT_EQ(fetch.outcome->error().where, url_of(fetch.server.port, "/path").shown());
}

TEST(HttpClient, gives_a_large_body_both_ways) {
  Both both;
  HttpServerOptions options;
  options.limits.message.max_body_bytes = std::size_t{16} << 20;
  auto server = HttpServer::listen(*both.loop, std::move(options),
                                   [](HttpRequest& request, Responder responder) {
                                     responder.respond({200, {}, std::move(request.body)});
                                   })
                    .value();
  std::string body(std::size_t{10} << 20, 'x');
  for (std::size_t i = 0; i < body.size(); i += 997) body[i] = static_cast<char>('a' + i % 26);
  const auto got = both.fetch(post_to(server->port(), body));
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_TRUE(got->body == body);
}

TEST(HttpClient, gives_a_stream_as_it_comes_and_keeps_the_connection_after_its_end) {
  Both both;
  std::string seen;
  int status = 0;
  std::optional<Status> ended;
  ClientRequest request = post_to(both.server->port(), "", "/stream");
  request.stall_timeout = Duration::max();
  CallEvents events;
  events.on_head = [&](const HttpHead& head) { status = head.status(); };
  events.on_data = [&](std::string_view bytes) { seen += bytes; };
  events.on_end = [&](Status end) { ended = std::move(end); };
  const HttpCall call = both.client->send(std::move(request), std::move(events));
  ASSERT_TRUE(both.loop.until([&] { return status == 200 && both.streams.size() == 1; }));
  both.streams[0].write("data: 1\n\n");
  ASSERT_TRUE(both.loop.until([&] { return seen == "data: 1\n\n"; }));
  both.loop->advance(std::chrono::hours(1));
  both.streams[0].write("data: 2\n\n");
  ASSERT_TRUE(both.loop.until([&] { return seen == "data: 1\n\ndata: 2\n\n"; }));
  EXPECT_FALSE(ended);
  both.streams[0].end();
  ASSERT_TRUE(both.loop.until([&] { return ended.has_value(); }));
  EXPECT_TRUE(*ended);
  EXPECT_TRUE(both.fetch(post_to(both.server->port(), "x")));
  EXPECT_EQ(both.server->stats().accepted, 1U);
}

TEST(HttpClient, dropping_a_call_tells_the_server_and_no_callback_comes) {
  Both both;
  bool called = false;
  bool gone = false;
  {
    const HttpCall call = both.client->fetch(post_to(both.server->port(), "", "/later"),
                                             [&](const Result<ClientResponse>&) { called = true; });
    ASSERT_TRUE(both.loop.until([&] { return both.waiting.size() == 1; }));
    both.waiting[0].on_close([&] { gone = true; });
  }
  EXPECT_TRUE(both.loop.until([&] { return gone; }));
  EXPECT_FALSE(called);
  EXPECT_EQ(both.client->calls(), 0U);
  EXPECT_TRUE(both.fetch(post_to(both.server->port(), "next")));
}

TEST(HttpClient, a_call_may_be_dropped_inside_its_own_callbacks) {
  Both both;
  std::optional<HttpCall> call;
  int seen = 0;
  CallEvents events;
  events.on_data = [&](std::string_view) {
    ++seen;
    call.reset();
  };
  events.on_end = [&](const Status&) { seen += 100; };
  call = both.client->send(post_to(both.server->port(), "x"), std::move(events));
  ASSERT_TRUE(both.loop.until([&] { return seen > 0; }));
  both.loop.settle();
  EXPECT_EQ(seen, 1);
}

TEST(HttpClient, says_what_went_wrong) {
  Both both;
  PlayedServer gone;
  const std::uint16_t port = gone.port;
  gone.listener.reset();
  const auto refused = both.fetch(post_to(port, ""));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_NE(refused.error().message.find("connect"), std::string::npos);
  EXPECT_EQ(refused.error().where, "http://127.0.0.1:" + std::to_string(port) + "/");
  EXPECT_FALSE(refused.error().hint.empty());

  ClientRequest unknown;
  unknown.url = parse_url("http://no-such-host.invalid/").value();
  const auto not_found = both.fetch(std::move(unknown));
  ASSERT_FALSE(not_found);
  EXPECT_TRUE(not_found.error().code == ErrorCode::not_found ||
              not_found.error().code == ErrorCode::unavailable);
}

TEST(HttpClient, bad_answers_are_errors_and_cost_little) {
  struct Case {
    const char* name;
    std::string answer;
    bool closes;
    ErrorCode want;
  };
  const std::vector<Case> cases = {
      {"not HTTP", "SSH-2.0-x\r\n\r\n", false, ErrorCode::protocol_violation},
      {"endless head", "HTTP/1.1 200 OK\r\nX: " + std::string(50'000, 'x'), false,
       ErrorCode::protocol_violation},
      {"both framings",
       "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", false,
       ErrorCode::protocol_violation},
      {"bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", false,
       ErrorCode::protocol_violation},
      {"cut off", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", true, ErrorCode::unavailable},
      {"cut off in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", true,
       ErrorCode::unavailable},
      {"closed without a word", "", true, ErrorCode::unavailable},
      {"too long by its length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", false,
       ErrorCode::limit_exceeded},
      {"switching protocols", "HTTP/1.1 101 X\r\n\r\n", false, ErrorCode::protocol_violation},
  };
  for (const Case& c : cases) {
    PlayedFetch fetch;
    fetch.post("x");
    RawPeer peer = fetch.accept();
    ASSERT_TRUE(fetch.loop.until([&] { return peer.has("\r\n\r\nx"); })) << c.name;
    peer.send(c.answer);
    if (c.closes) peer.close();
    ASSERT_TRUE(fetch.has_outcome()) << c.name;
    ASSERT_FALSE(*fetch.outcome) << c.name;
    EXPECT_EQ(fetch.outcome->error().code, c.want)
        << c.name << ": " << fetch.outcome->error().message;
    EXPECT_EQ(fetch.client.connections(), 0U) << c.name;
  }
}

TEST(HttpClient, reads_good_answers_of_all_kinds) {
  struct Case {
    const char* name;
    std::string answer;
    bool closes;
    std::string body;
    std::size_t kept;
  };
  const std::vector<Case> cases = {
      {"length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", false, "abc", 1},
      {"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", false,
       "ab", 1},
      {"until the end", "HTTP/1.1 200 OK\r\n\r\nabc", true, "abc", 0},
      {"after 100 and 103",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nA: b\r\n\r\n"
       "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
       false, "", 1},
      {"closing", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na", false, "a",
       0},
      {"more than asked for", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc", false, "a", 0},
  };
  for (const Case& c : cases) {
    PlayedFetch fetch;
    fetch.post("x");
    RawPeer peer = fetch.accept();
    for (const char byte : c.answer) {
      peer.send({&byte, 1});
      fetch.loop->turn(Duration::zero());
    }
    ASSERT_TRUE(peer.has("\r\n\r\nx"));
    if (c.closes) peer.close();
    ASSERT_TRUE(fetch.has_outcome()) << c.name;
    ASSERT_TRUE(*fetch.outcome) << c.name << ": " << fetch.outcome->error().message;
    EXPECT_EQ((*fetch.outcome)->body, c.body) << c.name;
    fetch.loop.settle();
    EXPECT_EQ(fetch.client.connections(), c.kept) << c.name;
  }
}

TEST(HttpClient, times_out_by_what_it_waits_for) {
  struct Case {
    const char* name;
    std::string answer;
    std::string_view message;
  };
  for (const Case& c :
       {Case{"head", "", "did not answer in time"},
        Case{"body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "stopped coming"}}) {
    PlayedFetch fetch;
    fetch.post("x");
    RawPeer peer = fetch.accept();
    ASSERT_TRUE(fetch.loop.until([&] { return peer.has("POST"); }));
    peer.send(c.answer);
    fetch.loop.settle();
    EXPECT_FALSE(fetch.outcome) << c.name;
    fetch.loop->advance(seconds(61));
    ASSERT_TRUE(fetch.has_outcome()) << c.name;
    EXPECT_EQ(fetch.outcome->error().code, ErrorCode::timed_out) << c.name;
    EXPECT_NE(fetch.outcome->error().message.find(c.message), std::string::npos) << c.name;
  }
}

TEST(HttpClient, a_kept_connection_that_the_server_closed_is_not_used) {
  PlayedFetch fetch;
  fetch.post("1");
  RawPeer peer = fetch.accept();
  peer.send(kEmptyAnswer);
  ASSERT_TRUE(fetch.has_outcome());
  peer.close();  // and the loop has not heard of it
  fetch.post("2");
  RawPeer again = fetch.accept();
  again.send(kEmptyAnswer);
  ASSERT_TRUE(fetch.has_outcome());
  EXPECT_TRUE(*fetch.outcome);
  EXPECT_TRUE(again.has("\r\n\r\n2"));
}

TEST(HttpClient, repeats_only_what_is_safe_to_repeat) {
  for (const bool safe : {false, true}) {
    PlayedFetch fetch;
    fetch.post("1");
    RawPeer peer = fetch.accept();
    peer.send(kEmptyAnswer);
    ASSERT_TRUE(fetch.has_outcome());
    ClientRequest request = post_to(fetch.server.port, "2");
    request.is_safe_to_repeat = safe;
    fetch.start(std::move(request));
    ASSERT_TRUE(fetch.loop.until([&] { return peer.has("\r\n\r\n2"); }));
    peer.close();  // after it has the request: nobody knows whether it acted
    if (safe) {
      for (int i = 0; i < 100; ++i) fetch.loop->turn(std::chrono::milliseconds(1));
      RawPeer again = fetch.accept();
      again.send(kEmptyAnswer);
      ASSERT_TRUE(fetch.has_outcome());
      EXPECT_TRUE(*fetch.outcome);
      EXPECT_TRUE(again.has("\r\n\r\n2"));
    } else {
      ASSERT_TRUE(fetch.has_outcome());
      ASSERT_FALSE(*fetch.outcome);
      EXPECT_NE(fetch.outcome->error().message.find("is not known"), std::string::npos);
    }
  }
}

TEST(HttpClient, idle_connections_are_closed_after_their_time) {
  Both both;
  ASSERT_TRUE(both.fetch(post_to(both.server->port(), "x")));
  both.loop->advance(seconds(29));
  both.loop.settle();
  EXPECT_EQ(both.client->connections(), 1U);
  both.loop->advance(seconds(2));
  both.loop.settle();
  EXPECT_EQ(both.client->connections(), 0U);
}

}  // namespace
}  // namespace enfold::net
