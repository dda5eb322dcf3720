// SPDX-License-Identifier: Apache-2.0
// A load generator: so many keep-alive connections to one HTTP server on loopback, each with one
// request under way at any time. One thread, and no cost that depends on who is asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace enfold::bench {

/// A measurement has no use for half of its answers: ends the program.
[[noreturn]] void give_up(const std::string& why);

struct LoadResult {
  std::size_t answers = 0;
  double seconds = 0;
  std::vector<std::uint32_t> waits;  ///< microseconds, one for each answer
  std::string first_body;            ///< of the first answer

  [[nodiscard]] double per_second() const { return static_cast<double>(answers) / seconds; }
  /// `share` 0.99: the wait that 99 % of the answers do not exceed. Sorts the waits.
  [[nodiscard]] double quantile(double share);
};

/// One blocking exchange on a fresh or kept connection.
struct Answer {
  int status = 0;
  std::string head;
  std::string body;
};

/// A blocking connection, for the handshake and for sessions that stay idle.
class Connection {
 public:
  explicit Connection(std::uint16_t port);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();
  /// Ends the program when the peer goes away: a measurement has no use for half an answer.
  [[nodiscard]] Answer exchange(const std::string& request) const;

 private:
  int socket_ = -1;
};

/// Text of a POST to /mcp with the usual header fields of an MCP client and `fields` ("A: b\r\n").
[[nodiscard]] std::string post(std::uint16_t port, const std::string& fields,
                               const std::string& body);

class Load {
 public:
  /// A connection for each request, which is sent again and again.
  Load(std::uint16_t port, const std::vector<std::string>& requests);
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load();

  /// Answers other than 200 end the program.
  [[nodiscard]] LoadResult run(double seconds);

 private:
  struct Peer;
  static void send(Peer& peer);
  [[nodiscard]] static bool read(Peer& peer);

  int poll_ = -1;
  std::vector<std::unique_ptr<Peer>> peers_;
};

}  // namespace enfold::bench
