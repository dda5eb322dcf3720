// SPDX-License-Identifier: Apache-2.0
// A server over standard input and output: one message per line, one connection, which lasts until
// the client closes its end. Nothing else in the process may write to standard output.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/mcp/wire/cut_message.h"
#include "enfold/net/line_channel.h"
#include "enfold/serve/connection.h"
#include "enfold/serve/loop_host.h"

namespace enfold::serve {

class StdioServer final : private Sink {
 public:
  /// `on_end` is called once: when the client sends no more and every request is answered, at the
  /// end of drain(), or when a descriptor has failed.
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

  /// False while the service starts, after the end of input, and after drain().
  [[nodiscard]] bool is_serving() const { return !ending_ && !starting_; }
  /// Takes no new requests, answers the open ones, then calls `on_end`; what takes longer than
  /// Settings::drain is dropped. If is_serving() is false, calls `on_end` at once.
  void drain();

 private:
  StdioServer(Service& service, net::Loop& loop, net::Task on_end);
  [[nodiscard]] net::LineEvents events();
  void send(mcp::Send send) override;
  void close_stream(mcp::CallKey /*call*/) override {}
  /// Called when the output queue refuses a message. Sends a short answer or request all the same,
  /// and a short error instead of a long answer; drops everything else.
  [[nodiscard]] net::LineChannel::Sent send_error_instead(const json::Output& message);
  /// Keeps the line in `early_lines_` if the service has not started.
  void receive(std::string_view line);
  void refuse_skipped(const mcp::CutMessage& message);
  /// Called by the service; nullopt: it has started.
  void on_started(const std::optional<mcp::RpcError>& refusal);
  // The server ends in this order: the input ends or drain() is called, open calls are answered,
  // the output queue is written, on_end_ is called.
  void on_end_of_input();
  void begin_ending();
  void end_subscriptions();
  void on_drain_timeout();
  /// After the end of input: whether a call is open whose answer the client may still want.
  [[nodiscard]] bool is_answering() const;
  /// Sets one of the alarms below; it may be set already.
  void set_alarm(std::unique_ptr<Alarm>& alarm, std::chrono::milliseconds wait, net::Task task);
  void defer_end_if_answered();
  void end_if_answered();
  void end();

  Service& service_;
  net::Loop& loop_;
  net::Task on_end_;  ///< empty: it was called
  std::unique_ptr<net::LineChannel> channel_;
  std::shared_ptr<Connection> connection_;  ///< null: the service has not started
  std::vector<std::string> early_lines_;    ///< received before the service had started
  std::size_t early_bytes_ = 0;             ///< of `early_lines_`
  /// A line that is too long and whose id is not known yet; nullopt: there is none.
  std::optional<mcp::CutMessage> skipped_;
  std::unique_ptr<Alarm> drain_timeout_;  ///< Settings::drain after begin_ending()
  std::unique_ptr<Alarm> queue_check_;    ///< checks again whether the output queue is empty
  bool ending_ = false;                   ///< the input has ended, or drain() was called
  bool draining_ = false;                 ///< drain() was called
  bool starting_ = false;                 ///< the service is starting, after the first message
  Lifetime alive_;                        ///< guards the callback that on_first_message gets
};

}  // namespace enfold::serve
