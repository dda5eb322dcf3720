// SPDX-License-Identifier: Apache-2.0
// The program of docs/internals/networking.md, stopped with SIGTERM under load: no request that it
// took is lost.
#include "enfold/net/http/server.h"
#include "enfold/net/loop.h"

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace enfold {
namespace {

constexpr std::string_view kRequest =
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nping";

constexpr int kClients = 8;

/// Asks over one kept connection until the server says that it closes. Returns requests without
/// answer. When all clients are well under way, the last to be so stops the server.
int ask_until_closed(std::uint16_t port, std::atomic<int>& answered, std::atomic<int>& under_way) {
  const net::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 1;
  for (int mine = 1;; ++mine) {
    if (::send(socket.get(), kRequest.data(), kRequest.size(), MSG_NOSIGNAL) < 0) return 1;
    std::string answer;
    std::array<char, 4096> buffer{};
    while (answer.find("pong") == std::string::npos) {
      const ssize_t got = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
      if (got <= 0) return 1;
      answer.append(buffer.data(), static_cast<std::size_t>(got));
    }
    ++answered;
    if (mine == 50 && ++under_way == kClients) ::kill(::getpid(), SIGTERM);
    if (answer.find("Connection: close") != std::string::npos) return 0;
  }
}

TEST(Documentation, the_server_of_the_networking_page_loses_no_request_on_sigterm) {
  const auto answer_to = [](const std::string& body) { return body == "ping" ? "pong" : "?"; };
  std::atomic<int> answered = 0;
  std::atomic<int> under_way = 0;
  std::atomic<int> lost = 0;
  std::vector<std::thread> clients;
  auto loop = net::Loop::create().value();
  auto server =
      net::HttpServer::listen(*loop, {}, [&](net::HttpRequest& request, net::Responder responder) {
        net::HttpResponse response;
        response.headers.add("Content-Type", "application/json");
        response.body = answer_to(request.body);
        responder.respond(std::move(response));
      }).value();
  auto signals = net::Signals::catch_all(*loop, {SIGTERM, SIGINT}, [&](int) {
                   server->drain(std::chrono::seconds(30), [&] { loop->stop(); });
                 }).value();

  for (int i = 0; i < kClients; ++i)
    clients.emplace_back(
        [&, port = server->port()] { lost += ask_until_closed(port, answered, under_way); });
  loop->run();
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(lost, 0);
  EXPECT_GE(answered, 50 * kClients);
  EXPECT_EQ(static_cast<std::uint64_t>(answered), server->stats().requests);
}

}  // namespace
}  // namespace enfold
