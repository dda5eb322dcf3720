// SPDX-License-Identifier: Apache-2.0
// Somebody to talk to for the tests of the HTTP client: our own server, or one played by hand.
#pragma once

#include "enfold/net/http/client.h"
#include "enfold/net/http/server.h"
#include "tests/net/running_loop.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace enfold::net {

using Outcome = std::optional<Result<ClientResponse>>;

inline Url url_of(std::uint16_t port, const std::string& target = "/") {
  return parse_url("http://127.0.0.1:" + std::to_string(port) + target).value();
}

inline ClientRequest post_to(std::uint16_t port, std::string body,
                             const std::string& target = "/") {
  ClientRequest request;
  request.method = "POST";
  request.url = url_of(port, target);
  request.body = std::move(body);
  return request;
}

/// A server of ours and a client of ours on one loop.
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

/// A client of ours that asks such a server.
struct PlayedFetch {
  void start(ClientRequest request) {
    outcome.reset();
    call = client.fetch(std::move(request),
                        [this](Result<ClientResponse> r) { outcome = std::move(r); });
  }
  void post(std::string body) { start(post_to(server.port, std::move(body))); }
  /// The connection that the client has made.
  RawPeer accept() {
    loop.settle();
    return server.accept();
  }
  bool has_outcome() {
    return loop.until([this] { return outcome.has_value(); });
  }

  RunningLoop loop;
  HttpClient client{*loop};
  PlayedServer server;
  Outcome outcome;
  HttpCall call;
};

}  // namespace enfold::net
