// SPDX-License-Identifier: Apache-2.0
// A server over standard input and output: one message a line, one connection, until the client
// closes its end. Nothing else may be written to standard output.
#pragma once

#include "enfold/net/line_channel.h"
#include "enfold/serve/connection.h"
#include "enfold/serve/loop_host.h"

#include <memory>
#include <string>
#include <vector>

namespace enfold::serve {

class StdioServer final : private Sink {
 public:
  /// `on_end`: the client sends no more and everything it asked for is answered.
  [[nodiscard]] static Result<std::unique_ptr<StdioServer>> open(Service& service, net::Loop& loop,
                                                                 net::Task on_end);
  /// Over any two descriptors.
  [[nodiscard]] static Result<std::unique_ptr<StdioServer>> open(Service& service, net::Loop& loop,
                                                                 net::FileDescriptor input,
                                                                 net::FileDescriptor output,
                                                                 net::Task on_end);
  StdioServer(const StdioServer&) = delete;
  StdioServer& operator=(const StdioServer&) = delete;
  ~StdioServer();

  /// A client is there that may ask more, and the service knows what it serves.
  [[nodiscard]] bool is_serving() const { return !ending_ && !greeting_; }
  /// Takes nothing new, answers what is open, then calls `on_end`; what takes longer than
  /// Settings::drain is given up. At once when nobody is served: during the greeting, after the end
  /// of input, and when it is said again.
  void drain();

 private:
  StdioServer(Service& service, net::Loop& loop, net::Task on_end);
  [[nodiscard]] net::LineEvents events();
  void send(mcp::Send send) override;
  void close_stream(mcp::CallKey /*call*/) override {}
  [[nodiscard]] net::LineChannel::Sent send_instead(const json::Output& message);
  void receive(std::string_view line);
  void greeted(const std::optional<mcp::RpcError>& refusal);
  void end_of_input();
  void begin_ending();
  void lose_patience();
  [[nodiscard]] bool is_answering() const;
  void set(std::unique_ptr<Alarm>& alarm, std::chrono::milliseconds wait, net::Task task);
  void end_when_answered();
  void end_if_answered();
  void end();

  Service& service_;
  net::Loop& loop_;
  net::Task on_end_;
  std::unique_ptr<net::LineChannel> channel_;
  std::shared_ptr<Connection> connection_;  ///< once the service has greeted
  std::vector<std::string> held_;           ///< what came before that
  std::size_t held_bytes_ = 0;
  std::unique_ptr<Alarm> patience_;
  std::unique_ptr<Alarm> retry_;
  bool ending_ = false;
  bool told_to_end_ = false;  ///< not by the end of input
  bool greeting_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace enfold::serve
