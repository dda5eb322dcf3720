// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/server.h"
#include "tests/net/running_loop.h"

#include <deque>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace enfold::net {
namespace {

struct Server {
  explicit Server(HttpServerOptions options = {}) {
    server = HttpServer::listen(*loop, std::move(options),
                                [this](HttpRequest& request, Responder responder) {
                                  paths.emplace_back(request.head.path());
                                  bodies.push_back(request.body);
                                  handle(request, std::move(responder));
                                })
                 .value();
  }
  void handle(HttpRequest& request, Responder responder) {
    if (request.head.path() == "/later") {
      waiting.push_back(std::move(responder));
      return;
    }
    if (request.head.path() == "/nothing") return;  // drops the responder
    HttpResponse response;
    response.headers.add("Content-Type", "text/plain");
    response.body = "you sent: " + request.body;
    responder.respond(std::move(response));
  }
  RawPeer connect() const { return RawPeer::to_port(server->port()); }

  RunningLoop loop;
  std::deque<Responder> waiting;
  std::vector<std::string> paths;
  std::vector<std::string> bodies;
  std::unique_ptr<HttpServer> server;
};

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string post(std::string_view path, std::string_view body) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

TEST(HttpServer, answers_and_keeps_the_connection) {
  Server s;
  RawPeer peer = s.connect();
  for (int i = 0; i < 3; ++i) {
    peer.send(post("/a", "body" + std::to_string(i)));
    ASSERT_TRUE(s.loop.until([&] { return peer.has("you sent: body" + std::to_string(i)); }));
  }
  EXPECT_TRUE(peer.received().starts_with("HTTP/1.1 200 OK\r\nDate: ")) << peer.received();
  EXPECT_NE(peer.received().find(" GMT\r\nContent-Length: 15\r\nContent-Type: text/plain\r\n\r\n"),
            std::string::npos);
  EXPECT_FALSE(peer.has_ended());
  EXPECT_EQ(s.server->stats().connections, 1U);
  EXPECT_EQ(s.server->stats().requests, 3U);
}

TEST(HttpServer, takes_a_request_byte_by_byte) {
  Server s;
  RawPeer peer = s.connect();
  for (const char c : "\r\n" + post("/slow", "hello")) {
    peer.send({&c, 1});
    s.loop->turn(Duration::zero());
  }
  ASSERT_TRUE(s.loop.until([&] { return peer.has("you sent: hello"); }));
}

TEST(HttpServer, answers_pipelined_requests_in_their_order_even_when_answers_come_late) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(post("/later", "1") + post("/now", "2") + post("/later", "3") + post("/now", "4"));
  ASSERT_TRUE(s.loop.until([&] { return s.waiting.size() == 1; }));
  s.loop.settle();
  EXPECT_EQ(peer.received(), "");
  EXPECT_EQ(s.bodies, (std::vector<std::string>{"1"}));
  s.waiting[0].respond({200, {}, "first"});
  ASSERT_TRUE(s.loop.until([&] { return s.waiting.size() == 2; }));
  s.waiting[1].respond({200, {}, "third"});
  ASSERT_TRUE(s.loop.until([&] { return peer.has("you sent: 4"); }));
  const std::string& all = peer.received();
  EXPECT_LT(all.find("first"), all.find("you sent: 2"));
  EXPECT_LT(all.find("you sent: 2"), all.find("third"));
  EXPECT_LT(all.find("third"), all.find("you sent: 4"));
}

TEST(HttpServer, reads_chunked_bodies_and_forgets_their_trailers) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nX-T: 1\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("you sent: hello world"); }));
  peer.send(kGet);
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().requests == 2; }));
  EXPECT_EQ(s.server->stats().unfinished_body_bytes, 0U);
}

TEST(HttpServer, says_continue_to_a_client_that_asks_before_its_body) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("HTTP/1.1 100 Continue\r\n\r\n"); }));
  peer.send("ok");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("you sent: ok"); }));
}

TEST(HttpServer, closes_when_the_client_wants_it_and_for_http_1_0) {
  struct Case {
    const char* name;
    std::string request;
    bool ends;
  };
  const std::vector<Case> cases = {
      {"1.1", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", false},
      {"1.1 close", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", true},
      {"1.0", "GET / HTTP/1.0\r\n\r\n", true},
      {"1.0 keep-alive", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false},
  };
  for (const Case& c : cases) {
    Server s;
    RawPeer peer = s.connect();
    peer.send(c.request);
    ASSERT_TRUE(s.loop.until([&] { return peer.has("you sent: "); })) << c.name;
    s.loop.settle();
    EXPECT_EQ(peer.has_ended(), c.ends) << c.name;
    EXPECT_EQ(peer.has("Connection: close\r\n"), c.ends) << c.name;
  }
}

TEST(HttpServer, sends_no_body_for_head_and_204) {
  Server s;
  RawPeer peer = s.connect();
  peer.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("Content-Length: 10\r\n"); }));
  s.loop.settle();
  EXPECT_TRUE(peer.received().ends_with("\r\n\r\n"));
  peer.forget();
  peer.send(post("/later", ""));
  ASSERT_TRUE(s.loop.until([&] { return s.waiting.size() == 1; }));
  s.waiting[0].respond({204, {}, "not sent"});
  ASSERT_TRUE(s.loop.until([&] { return peer.has("204 No Content\r\n"); }));
  s.loop.settle();
  EXPECT_TRUE(peer.received().ends_with("\r\n\r\n"));
  EXPECT_FALSE(peer.has("Content-Length"));
}

TEST(HttpServer, answers_500_when_the_handler_drops_its_responder) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(post("/nothing", ""));
  ASSERT_TRUE(s.loop.until([&] { return peer.has("HTTP/1.1 500 Internal Server Error\r\n"); }));
  peer.send(kGet);
  EXPECT_TRUE(s.loop.until([&] { return peer.has("200 OK"); }));
}

TEST(HttpServer, refuses_foreign_hosts_and_origins_by_default) {
  struct Case {
    std::string fields;
    int status;
  };
  const std::vector<Case> cases = {
      {"Host: localhost\r\n", 200},
      {"Host: LOCALHOST:1234\r\n", 200},
      {"Host: 127.0.0.1\r\n", 200},
      {"Host: [::1]:80\r\n", 200},
      {"Host: evil.example\r\n", 403},
      {"Host: localhost.evil.example\r\n", 403},
      {"Host: 127.0.0.1.evil.example\r\n", 403},
      {"Host: local host\r\n", 400},
      {"Host: localhost:99999\r\n", 400},
      {"Host: \r\n", 400},
      {"", 400},
      {"Host: localhost\r\nHost: localhost\r\n", 400},
      {"Host: localhost\r\nOrigin: http://localhost:5173\r\n", 200},
      {"Host: localhost\r\nOrigin: https://[::1]\r\n", 200},
      {"Host: localhost\r\nOrigin: http://evil.example\r\n", 403},
      {"Host: localhost\r\nOrigin: http://localhost.evil.example\r\n", 403},
      {"Host: localhost\r\nOrigin: null\r\n", 403},
      {"Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example\r\n", 403},
  };
  Server s;
  for (const Case& c : cases) {
    RawPeer peer = s.connect();
    peer.send("GET / HTTP/1.1\r\n" + c.fields + "\r\n");
    EXPECT_TRUE(s.loop.until([&] { return peer.has("HTTP/1.1 " + std::to_string(c.status)); }))
        << c.fields << peer.received();
  }
}

TEST(HttpServer, answers_to_names_and_origins_that_are_configured) {
  HttpServerOptions options;
  options.policy.hosts = {"mcp.example.org"};
  options.policy.origins = {"https://app.example.org"};
  Server s(std::move(options));
  RawPeer peer = s.connect();
  peer.send(
      "GET http://MCP.example.org:8080/x?q=1 HTTP/1.1\r\nHost: ignored\r\n"
      "Origin: https://app.example.org\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("200 OK"); }));
  EXPECT_EQ(s.paths, (std::vector<std::string>{"/x"}));
  RawPeer other = s.connect();
  other.send("GET / HTTP/1.1\r\nHost: mcp.example.org\r\nOrigin: https://evil.example\r\n\r\n");
  EXPECT_TRUE(s.loop.until([&] { return other.has("403 Forbidden"); }));
}

TEST(HttpServer, lets_pages_of_its_origins_call_with_keys_and_read_the_answers) {
  HttpServerOptions options;
  options.policy.origins = {"https://app.example.org"};
  options.check_head = [](const HttpHead& head, const Peer&) -> std::optional<HttpResponse> {
    if (head.find("Authorization")) return std::nullopt;
    return HttpResponse{401, {}, "no key"};
  };
  std::vector<int> refusals;
  options.on_refusal = [&](int status, const std::string& /*peer*/) { refusals.push_back(status); };
  Server s(std::move(options));
  RawPeer peer = s.connect();
  const std::string from = "Host: localhost\r\nOrigin: https://app.example.org\r\n";
  const std::string asks =
      "Access-Control-Request-Method: POST\r\n"
      "Access-Control-Request-Headers: authorization,mcp-param-city\r\n";
  peer.send("OPTIONS /mcp HTTP/1.1\r\n" + from + asks + "\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("Access-Control-Max-Age"); })) << peer.received();
  EXPECT_TRUE(peer.has("HTTP/1.1 204 "));
  EXPECT_TRUE(peer.has("Access-Control-Allow-Origin: https://app.example.org\r\n"));
  EXPECT_TRUE(peer.has("Access-Control-Allow-Headers: authorization,mcp-param-city\r\n"));
  EXPECT_TRUE(refusals.empty()) << "a browser that asks is not refused";
  peer.send("GET / HTTP/1.1\r\n" + from + "Authorization: Bearer k\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("200 OK"); }));
  EXPECT_EQ(count_of(peer.received(), "Access-Control-Allow-Origin: https://app.example.org"), 2U);
  EXPECT_EQ(count_of(peer.received(), "Vary: Origin"), 2U);
  peer.send("GET / HTTP/1.1\r\n" + from + "\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("no key"); }));
  EXPECT_EQ(count_of(peer.received(), "Access-Control-Allow-Origin: https://app.example.org"), 3U)
      << "the page may read why";
  peer.send("GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return count_of(peer.received(), "200 OK") == 2; }));
  EXPECT_EQ(count_of(peer.received(), "Access-Control-Allow-Origin"), 3U);
  RawPeer other = s.connect();
  other.send("OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n" + asks +
             "\r\n");
  ASSERT_TRUE(s.loop.until([&] { return other.has("403 Forbidden"); }));
  EXPECT_FALSE(other.has("Access-Control-Allow-Origin"));
}

TEST(HttpServer, lets_no_page_read_answers_whose_origin_is_not_allowed) {
  Server s;
  RawPeer peer = s.connect();
  peer.send("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:5173\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has("200 OK"); }));
  EXPECT_FALSE(peer.has("Access-Control-Allow-Origin"));
}

TEST(HttpServer, lets_its_owner_refuse_before_the_body_and_dress_its_own_refusals) {
  HttpServerOptions options;
  options.check_head = [](const HttpHead& head, const Peer&) -> std::optional<HttpResponse> {
    if (head.path() == "/mcp") return std::nullopt;
    return HttpResponse{404, {}, "no such path"};
  };
  options.format_refusal = [](HttpResponse& response, std::string_view message) {
    response.headers.add("Content-Type", "application/json");
    response.body = "{\"error\":\"" + std::string(message) + "\"}";
  };
  Server s(std::move(options));
  RawPeer peer = s.connect();
  peer.send(kGet);
  ASSERT_TRUE(s.loop.until([&] { return peer.has("no such path"); }));
  peer.send(post("/mcp", "x"));
  ASSERT_TRUE(s.loop.until([&] { return peer.has("you sent: x"); }));
  peer.send("POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
  ASSERT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
  EXPECT_EQ(count_of(peer.received(), "404 Not Found"), 2U);
  RawPeer bad = s.connect();
  bad.send("BAD\r\n\r\n");
  EXPECT_TRUE(s.loop.until([&] { return bad.has("{\"error\":\"the request line is not"); }));
}

TEST(HttpServer, tells_the_handler_when_its_client_goes_away) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(post("/later", ""));
  ASSERT_TRUE(s.loop.until([&] { return s.waiting.size() == 1; }));
  int closed = 0;
  s.waiting[0].on_close([&] { ++closed; });
  peer.close();
  ASSERT_TRUE(s.loop.until([&] { return closed == 1; }));
  s.waiting.clear();
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().connections == 0; }));
  EXPECT_EQ(closed, 1);
}

TEST(HttpServer, still_answers_a_client_that_only_stopped_sending) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(post("/later", ""));
  peer.stop_sending();
  ASSERT_TRUE(s.loop.until([&] { return s.waiting.size() == 1; }));
  s.loop.settle();
  EXPECT_TRUE(s.waiting[0].peer().address.starts_with("127.0.0.1:"));
  s.waiting[0].respond({200, {}, "for you"});
  EXPECT_TRUE(s.waiting[0].peer().address.starts_with("127.0.0.1:"));  // for the log
  ASSERT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
  EXPECT_TRUE(peer.has("for you"));
}

TEST(HttpServer, an_answer_after_the_connection_is_gone_is_nothing) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(post("/later", ""));
  ASSERT_TRUE(s.loop.until([&] { return s.waiting.size() == 1; }));
  peer.reset();
  ASSERT_TRUE(s.loop.until([&] { return s.server->stats().connections == 0; }));
  EXPECT_FALSE(s.waiting[0].is_open());
  s.waiting[0].respond({200, {}, "too late"});
  RawPeer next = s.connect();
  next.send(kGet);
  EXPECT_TRUE(s.loop.until([&] { return next.has("200 OK"); }));
}

TEST(HttpServer, responders_outlive_the_server) {
  Server s;
  RawPeer peer = s.connect();
  peer.send(post("/later", ""));
  ASSERT_TRUE(s.loop.until([&] { return s.waiting.size() == 1; }));
  s.server.reset();
  EXPECT_FALSE(s.waiting[0].is_open());
  s.waiting.clear();
  EXPECT_TRUE(s.loop.until([&] { return peer.has_ended(); }));
}

TEST(HttpServer, says_why_it_cannot_listen) {
  Server s;
  HttpServerOptions options;
  options.port = s.server->port();
  const auto second =
      HttpServer::listen(*s.loop, std::move(options), [](HttpRequest&, Responder) {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::conflict);
  EXPECT_EQ(second.error().where, "127.0.0.1:" + std::to_string(s.server->port()));
  EXPECT_FALSE(second.error().hint.empty());
}

TEST(HttpServer, header_values_cannot_end_a_line) {
  HeaderLines lines;
  lines.add("X-Bad Name", "a\r\nSet-Cookie: b\n\0c");
  EXPECT_EQ(lines.text(), "X-Bad-Name: a  Set-Cookie: b \r\n");
}

}  // namespace
}  // namespace enfold::net
