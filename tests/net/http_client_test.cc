// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http_client.h"

#include "enfold/net/http_server.h"
#include "tests/net/running_loop.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace enfold::net {
namespace {

using std::chrono::seconds;
using Outcome = std::optional<Result<ClientResponse>>;

Url url_of(std::uint16_t port, const std::string& target = "/") {
  return parse_url("http://127.0.0.1:" + std::to_string(port) + target).value();
}

ClientRequest post_to(std::uint16_t port, std::string body, const std::string& target = "/") {
  ClientRequest request;
  request.method = "POST";
  request.url = url_of(port, target);
  request.body = std::move(body);
  return request;
}

struct Both {
  Both() {
    server = HttpServer::listen(*loop, {}, [this](HttpRequest& request, Responder responder) {
               if (request.head.path() == "/later")
                 waiting.push_back(std::move(responder));
               else if (request.head.path() == "/stream")
                 streams.push_back(responder.stream({200, {}, ""}));
               else
                 responder.respond({200, {}, "echo " + request.body});
             }).value();
    client = std::make_unique<HttpClient>(*loop);
  }
  Result<ClientResponse> fetch(ClientRequest request) {
    Outcome outcome;
    const HttpCall call = client->fetch(std::move(request),
                                        [&](Result<ClientResponse> r) { outcome = std::move(r); });
    EXPECT_FALSE(outcome) << "never inside the call";
    if (!loop.until([&] { return outcome.has_value(); }))
      return fail(ErrorCode::internal, "the test waited in vain");
    return *std::move(outcome);
  }

  RunningLoop loop;
  std::vector<Responder> waiting;
  std::vector<BodyWriter> streams;
  std::unique_ptr<HttpServer> server;
  std::unique_ptr<HttpClient> client;
};

/// A server that a test plays by hand.
struct PlayedServer {
  PlayedServer() {
    listener.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener.get(), 10), 0);
    EXPECT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port = ntohs(address.sin_port);
  }
  RawPeer accept() const { return RawPeer(::accept(listener.get(), nullptr, nullptr)); }
  FileDescriptor listener;
  std::uint16_t port = 0;
};

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

TEST(HttpClient, a_paused_call_makes_the_server_wait) {
  Both both;
  std::size_t seen = 0;
  ClientRequest request = post_to(both.server->port(), "", "/stream");
  CallEvents events;
  std::optional<HttpCall> call;
  events.on_data = [&](std::string_view bytes) {
    seen += bytes.size();
    call->pause();
  };
  call = both.client->send(std::move(request), std::move(events));
  ASSERT_TRUE(both.loop.until([&] { return both.streams.size() == 1; }));
  const std::string piece(100'000, 'p');
  std::size_t written = 0;
  Flow flow = Flow::open;
  while (flow == Flow::open && written < 10'000 * piece.size()) {
    flow = both.streams[0].write(piece);
    written += piece.size();
    both.loop->turn(Duration::zero());
  }
  EXPECT_EQ(flow, Flow::full);
  EXPECT_LE(seen, std::size_t{64} << 10);
  ASSERT_TRUE(both.loop.until([&] {
    call->resume();
    return seen == written;
  }));
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
    RunningLoop loop;
    HttpClient client(*loop);
    const PlayedServer server;
    Outcome outcome;
    const HttpCall call = client.fetch(post_to(server.port, "x"),
                                       [&](Result<ClientResponse> r) { outcome = std::move(r); });
    loop.settle();
    RawPeer peer = server.accept();
    ASSERT_TRUE(loop.until([&] { return peer.has("\r\n\r\nx"); })) << c.name;
    peer.send(c.answer);
    if (c.closes) peer.close();
    ASSERT_TRUE(loop.until([&] { return outcome.has_value(); })) << c.name;
    ASSERT_FALSE(*outcome) << c.name;
    EXPECT_EQ(outcome->error().code, c.want) << c.name << ": " << outcome->error().message;
    EXPECT_EQ(client.connections(), 0U) << c.name;
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
    RunningLoop loop;
    HttpClient client(*loop);
    const PlayedServer server;
    Outcome outcome;
    const HttpCall call = client.fetch(post_to(server.port, "x"),
                                       [&](Result<ClientResponse> r) { outcome = std::move(r); });
    loop.settle();
    RawPeer peer = server.accept();
    for (const char byte : c.answer) {
      peer.send({&byte, 1});
      loop->turn(Duration::zero());
    }
    ASSERT_TRUE(peer.has("\r\n\r\nx"));
    if (c.closes) peer.close();
    ASSERT_TRUE(loop.until([&] { return outcome.has_value(); })) << c.name;
    ASSERT_TRUE(*outcome) << c.name << ": " << outcome->error().message;
    EXPECT_EQ((*outcome)->body, c.body) << c.name;
    loop.settle();
    EXPECT_EQ(client.connections(), c.kept) << c.name;
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
    RunningLoop loop;
    HttpClient client(*loop);
    const PlayedServer server;
    Outcome outcome;
    const HttpCall call = client.fetch(post_to(server.port, "x"),
                                       [&](Result<ClientResponse> r) { outcome = std::move(r); });
    loop.settle();
    RawPeer peer = server.accept();
    ASSERT_TRUE(loop.until([&] { return peer.has("POST"); }));
    peer.send(c.answer);
    loop.settle();
    EXPECT_FALSE(outcome) << c.name;
    loop->advance(seconds(61));
    ASSERT_TRUE(loop.until([&] { return outcome.has_value(); })) << c.name;
    EXPECT_EQ(outcome->error().code, ErrorCode::timed_out) << c.name;
    EXPECT_NE(outcome->error().message.find(c.message), std::string::npos) << c.name;
  }
}

TEST(HttpClient, a_kept_connection_that_the_server_closed_is_not_used) {
  RunningLoop loop;
  HttpClient client(*loop);
  const PlayedServer server;
  Outcome outcome;
  const auto take = [&](Result<ClientResponse> r) { outcome = std::move(r); };
  const HttpCall first = client.fetch(post_to(server.port, "1"), take);
  loop.settle();
  RawPeer peer = server.accept();
  peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
  outcome.reset();
  peer.close();  // and the loop has not heard of it
  const HttpCall second = client.fetch(post_to(server.port, "2"), take);
  loop.settle();
  RawPeer again = server.accept();
  again.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
  EXPECT_TRUE(*outcome);
  EXPECT_TRUE(again.has("\r\n\r\n2"));
}

TEST(HttpClient, repeats_only_what_is_safe_to_repeat) {
  for (const bool safe : {false, true}) {
    RunningLoop loop;
    HttpClient client(*loop);
    const PlayedServer server;
    Outcome outcome;
    const auto take = [&](Result<ClientResponse> r) { outcome = std::move(r); };
    const HttpCall first = client.fetch(post_to(server.port, "1"), take);
    loop.settle();
    RawPeer peer = server.accept();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
    outcome.reset();
    ClientRequest request = post_to(server.port, "2");
    request.is_safe_to_repeat = safe;
    const HttpCall second = client.fetch(std::move(request), take);
    ASSERT_TRUE(loop.until([&] { return peer.has("\r\n\r\n2"); }));
    peer.close();  // after it has the request: nobody knows whether it acted
    if (safe) {
      for (int i = 0; i < 100; ++i) loop->turn(std::chrono::milliseconds(1));
      RawPeer again = server.accept();
      again.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
      EXPECT_TRUE(*outcome);
      EXPECT_TRUE(again.has("\r\n\r\n2"));
    } else {
      ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
      ASSERT_FALSE(*outcome);
      EXPECT_NE(outcome->error().message.find("is not known"), std::string::npos);
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

TEST(Url, is_taken_apart_or_refused) {
  struct Case {
    std::string text;
    std::string origin;  ///< empty: refused
    std::string target;
    std::string authority;
  };
  const std::vector<Case> cases = {
      {"http://localhost", "http://localhost:80", "/", "localhost"},
      {"HTTP://LocalHost:8080/Mcp?x=1#frag", "http://localhost:8080", "/Mcp?x=1", "localhost:8080"},
      {"https://example.org/", "https://example.org:443", "/", "example.org"},
      {"http://[::1]:81?q", "http://[::1]:81", "/?q", "[::1]:81"},
      {"example.org", "", "", ""},
      {"ftp://example.org", "", "", ""},
      {"http://", "", "", ""},
      {"http://a b/", "", "", ""},
      {"http://a:0/", "", "", ""},
      {"http://a:65536/", "", "", ""},
      {"http://a:80x/", "", "", ""},
      {"http://user:secret@a/", "", "", ""},
      {"http://[::1/", "", "", ""},
      {"http://a/b c", "", "", ""},
      {"http://a/b\r\nX: y", "", "", ""},
  };
  for (const Case& c : cases) {
    const Result<Url> url = parse_url(c.text);
    ASSERT_EQ(url.has_value(), !c.origin.empty()) << c.text;
    if (!url) continue;
    EXPECT_EQ(url->origin(), c.origin);
    EXPECT_EQ(url->target, c.target);
    EXPECT_EQ(url->authority(), c.authority);
  }
}

}  // namespace
}  // namespace enfold::net
