// SPDX-License-Identifier: Apache-2.0
// Runs a server as a child process: one message per line over its pipes. The last lines of its
// error output are kept, because they often say why it ended.
#include "enfold/client/transport.h"
#include "enfold/net/line_channel.h"
#include "enfold/net/process.h"

#include <deque>
#include <fmt/format.h>

namespace enfold::client {
namespace {

// How much of the error output of a child is kept.
constexpr std::size_t kMaxErrorLines = 20;
constexpr std::size_t kMaxErrorBytes = std::size_t{8} << 10;

// Exit, end of output and end of error output come in any order. After the first of them Enfold
// waits only this long for the others, because a grandchild may hold a pipe open forever.
constexpr std::chrono::milliseconds kEndTimeout{500};

class StdioTransport final : public Transport {
 public:
  StdioTransport(net::Loop& loop, StdioTarget target, const ClientOptions& options,
                 TransportOwner& owner);
  StdioTransport(const StdioTransport&) = delete;
  StdioTransport& operator=(const StdioTransport&) = delete;
  ~StdioTransport() override = default;

  [[nodiscard]] Status start() override;
  [[nodiscard]] Status send(mcp::Transmit message) override;
  void hold() override;
  void release() override;
  void close(std::vector<mcp::Header> headers, net::Task done) override;
  void terminate() override;

 private:
  [[nodiscard]] Status open_channels();
  void keep_error_line(std::string_view line);
  /// Called at the exit of the child, at the end of each of its outputs, and if it stops reading.
  void on_part_ended();
  void on_end_timeout();
  /// Reports the end once: to the callback of close(), else to the owner.
  void report_end();
  /// Why the server cannot be used any more, with the last lines of its error output.
  [[nodiscard]] Error end_error() const;

  net::Loop& loop_;
  StdioTarget target_;
  net::LineLimits limits_;
  TransportOwner& owner_;
  std::unique_ptr<net::Process> process_;
  std::unique_ptr<net::LineChannel> channel_;  ///< standard input and output of the child
  std::unique_ptr<net::LineChannel> errors_;   ///< its error output; null: not piped
  std::deque<std::string> error_lines_;        ///< the last lines of the error output
  std::size_t error_bytes_ = 0;                ///< of `error_lines_`
  std::optional<net::ProcessExit> exit_;       ///< nullopt: the child has not exited
  bool is_held_ = false;                       ///< by hold()
  bool output_ended_ = false;
  bool errors_ended_ = false;  ///< also true if the error output is not piped
  bool reported_ = false;      ///< report_end() has run
  net::Timer end_timeout_;
  net::Task on_closed_;  ///< `done` of close(); empty: close() was not called
};

StdioTransport::StdioTransport(net::Loop& loop, StdioTarget target, const ClientOptions& options,
                               TransportOwner& owner)
    : loop_(loop),
      target_(std::move(target)),
      owner_(owner),
      end_timeout_(loop, [this] { on_end_timeout(); }) {
  limits_.max_line_bytes = options.limits.max_bytes;
}

Status StdioTransport::start() {
  net::ProcessOptions options;
  options.arguments = target_.command;
  options.environment = target_.environment;
  options.inherited_variables = target_.inherited_variables;
  options.limits = target_.limits;
  options.folder = target_.folder;
  options.error_output = target_.shares_error_output ? net::ProcessOptions::ErrorOutput::inherit
                                                     : net::ProcessOptions::ErrorOutput::pipe;
  options.stdin_timeout = target_.stdin_timeout;
  options.sigterm_timeout = target_.sigterm_timeout;
  auto process = net::Process::spawn(loop_, options, [this](net::ProcessExit exit) {
    exit_ = exit;
    on_part_ended();
  });
  if (!process) return tl::unexpected(process.error());
  process_ = std::move(*process);
  return open_channels();
}

Status StdioTransport::open_channels() {
  net::LineEvents events;
  events.on_line = [this](std::string_view line) {
    if (!on_closed_) owner_.on_message(line, std::nullopt);
  };
  events.on_noise = [this](const Error& error) {
    if (!on_closed_) owner_.on_noise(error);
  };
  events.on_oversize = [this](const Error& error, std::string_view beginning) {
    if (!on_closed_) owner_.on_oversize(error, beginning);
  };
  events.on_skipped = [this](std::string_view end) {
    if (!on_closed_) owner_.on_skipped(end);
  };
  events.on_end = [this] {
    output_ended_ = true;
    on_part_ended();
  };
  // A server that stops reading is usually about to exit; kEndTimeout gives time for its output.
  events.on_failure = [this](const Error&) { on_part_ended(); };
  auto channel = net::LineChannel::open(loop_, process_->take_output(), process_->take_input(),
                                        limits_, std::move(events));
  if (!channel) return tl::unexpected(channel.error());
  channel_ = std::move(*channel);
  errors_ended_ = target_.shares_error_output;
  if (errors_ended_) return {};
  net::LineEvents error_events;
  error_events.on_line = [this](std::string_view line) { keep_error_line(line); };
  error_events.on_end = [this] {
    errors_ended_ = true;
    on_part_ended();
  };
  auto errors = net::LineChannel::open(loop_, process_->take_error_output(), net::FileDescriptor(),
                                       {.max_line_bytes = kMaxErrorBytes}, std::move(error_events));
  if (!errors) return tl::unexpected(errors.error());
  errors_ = std::move(*errors);
  return {};
}

void StdioTransport::keep_error_line(std::string_view line) {
  error_lines_.emplace_back(line);
  error_bytes_ += line.size();
  while (error_lines_.size() > kMaxErrorLines || error_bytes_ > kMaxErrorBytes) {
    error_bytes_ -= error_lines_.front().size();
    error_lines_.pop_front();
  }
  if (!on_closed_) owner_.on_error_line(line);
}

Status StdioTransport::send(mcp::Transmit message) {
  if (channel_->send(mcp::to_line(message.message)) != net::LineChannel::Sent::refused) return {};
  if (exit_ || output_ended_) return {};  // report_end() will soon tell the owner why it failed
  return fail(ErrorCode::limit_exceeded,
              fmt::format("the server has not read what it was sent before: {} bytes wait",
                          channel_->queued()),
              target_.command.front(), "wait for its answers, or start it again");
}

void StdioTransport::on_part_ended() {
  if (reported_) return;
  if (exit_ && output_ended_ && errors_ended_) {
    report_end();
  } else if (!end_timeout_.is_set()) {
    end_timeout_.set_after(kEndTimeout);
  }
}

void StdioTransport::hold() {
  is_held_ = true;
  if (channel_) channel_->hold();
}

void StdioTransport::release() {
  is_held_ = false;
  if (channel_) channel_->release();
}

// While closing, the exit of the child is awaited however long it takes: stop() makes it exit. Its
// output may hold answers that were not read yet.
void StdioTransport::on_end_timeout() {
  if (is_held_) {
    end_timeout_.set_after(kEndTimeout);
    return;
  }
  if (exit_ || !on_closed_) report_end();
}

void StdioTransport::report_end() {
  if (std::exchange(reported_, true)) return;
  end_timeout_.cancel();
  if (on_closed_) {
    std::exchange(on_closed_, nullptr)();
  } else {
    owner_.on_lost(end_error());
  }
}

Error StdioTransport::end_error() const {
  Error error{ErrorCode::unavailable, {}, target_.command.front(), {}};
  error.message = exit_           ? fmt::format("the server ended with {}", exit_->text())
                  : output_ended_ ? "the server closed its output"
                                  : "the server does not read what it is sent";
  if (error_lines_.empty()) {
    error.hint = "run it by hand to see what it says";
    return error;
  }
  error.hint = kSaidLast;
  for (const std::string& line : error_lines_) error.hint += "\n  " + line;
  return error;
}

void StdioTransport::close(std::vector<mcp::Header> /*headers*/, net::Task done) {
  if (reported_ || !process_ || !channel_) {
    loop_.defer(std::move(done));
    return;
  }
  on_closed_ = std::move(done);
  release();
  channel_->finish_output();
  process_->stop();
  end_timeout_.cancel();
  if (exit_) end_timeout_.set_after(kEndTimeout);
}

void StdioTransport::terminate() {
  if (process_ && !exit_) process_->stop();
}

}  // namespace

std::unique_ptr<Transport> make_transport(net::Loop& loop, const StdioTarget& target,
                                          const ClientOptions& options, TransportOwner& owner) {
  return std::make_unique<StdioTransport>(loop, target, options, owner);
}

}  // namespace enfold::client
