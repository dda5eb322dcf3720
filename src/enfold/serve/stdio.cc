// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/stdio.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::serve {
namespace {

// How often the output queue is checked before the server ends.
constexpr std::chrono::milliseconds kPollInterval{10};

// Answers, and requests to the client, up to this size are sent even if the output queue is full.
constexpr std::size_t kShortBytes = std::size_t{4} << 10;

// Before the service has started, reading pauses when more bytes than this have been read.
constexpr std::size_t kMaxEarlyBytes = std::size_t{1} << 20;

// Whether the line has a call that the service has to answer: a request other than those of the
// handshake, and other than a subscription, which lasts only until the end of the input.
bool holds_call(const std::string& line) {
  const auto read = mcp::read_messages(json::Buffer(line));
  return read && std::ranges::any_of(read->messages, [](const mcp::Message& one) {
           const auto* request = std::get_if<mcp::Request>(&one);
           if (request == nullptr) return false;
           const mcp::Method method = mcp::method_from_name(request->method);
           return method != mcp::Method::initialize && method != mcp::Method::discover &&
                  method != mcp::Method::listen;
         });
}

}  // namespace

StdioServer::StdioServer(Service& service, net::Loop& loop, net::Task on_end)
    : service_(service), loop_(loop), on_end_(std::move(on_end)) {}

StdioServer::~StdioServer() {
  if (connection_) connection_->detach();
}

Result<std::unique_ptr<StdioServer>> StdioServer::open(Service& service, net::Loop& loop,
                                                       net::Task on_end) {
  std::unique_ptr<StdioServer> server(new StdioServer(service, loop, std::move(on_end)));
  ENFOLD_TRY(server->channel_, net::LineChannel::open_stdio(
                                   loop, {.max_line_bytes = kMaxRequestBytes}, server->events()));
  return server;
}

Result<std::unique_ptr<StdioServer>> StdioServer::open(Service& service, net::Loop& loop,
                                                       net::FileDescriptor input,
                                                       net::FileDescriptor output,
                                                       net::Task on_end) {
  std::unique_ptr<StdioServer> server(new StdioServer(service, loop, std::move(on_end)));
  ENFOLD_TRY(server->channel_,
             net::LineChannel::open(loop, std::move(input), std::move(output),
                                    {.max_line_bytes = kMaxRequestBytes}, server->events()));
  return server;
}

net::LineEvents StdioServer::events() {
  net::LineEvents events;
  events.on_line = [this](std::string_view line) {
    if (!ending_) receive(line);
  };
  const auto log_noise = [this](const Error& error) {
    service_.settings().log(
        {.level = LogLine::Level::warning, .event = "noise", .note = error.message});
  };
  events.on_oversize = [this, log_noise](const Error& error, std::string_view beginning) {
    log_noise(error);
    skipped_ = mcp::read_cut_beginning(beginning);
    if (skipped_->id) refuse_skipped(*std::exchange(skipped_, std::nullopt));
  };
  events.on_skipped = [this](std::string_view end) {
    std::optional<mcp::CutMessage> message = std::exchange(skipped_, std::nullopt);
    if (!message) return;
    message->id = mcp::read_cut_end(end).id;
    refuse_skipped(*message);
  };
  events.on_rest = [this, log_noise](const Error& error, std::string_view rest) {
    // A file that is piped in may lack the last line feed. Of an incomplete message the id may be
    // missing, so no error is sent for it.
    const bool is_whole = mcp::read_messages(json::Buffer(rest)).has_value();
    is_whole && !ending_ ? receive(rest) : log_noise(error);
  };
  events.on_end = [this] { on_end_of_input(); };
  events.on_failure = [this](const Error& error) {
    service_.settings().log(
        {.level = LogLine::Level::error, .event = "stdio_broke", .note = error.message});
    if (connection_) connection_->detach();
    ending_ = true;
    loop_.defer([this] { end(); });
  };
  events.on_writable = [this] {
    if (!ending_) channel_->resume();
  };
  return events;
}

// Answers a request that was too long, if its id was found.
void StdioServer::refuse_skipped(const mcp::CutMessage& message) {
  if (message.kind == mcp::CutMessage::Kind::response || !message.id || ending_) return;
  const Error error{
      .code = ErrorCode::limit_exceeded,
      .message = fmt::format("The request is longer than {} bytes", kMaxRequestBytes)};
  channel_->send_anyway(mcp::write_response(*message.id, mcp::to_rpc_error(error)).str());
}

void StdioServer::receive(std::string_view line) {
  if (connection_) {
    connection_->receive_bytes(json::Buffer(line));
    return;
  }
  early_lines_.emplace_back(line);
  early_bytes_ += line.size();
  if (early_bytes_ > kMaxEarlyBytes) channel_->pause();
  if (std::exchange(starting_, true)) return;
  service_.on_first_message(
      line,
      alive_.guarded([this](const std::optional<mcp::RpcError>& refusal) { on_started(refusal); }));
}

void StdioServer::on_started(const std::optional<mcp::RpcError>& refusal) {
  starting_ = false;
  if (!ending_) channel_->resume();
  const std::vector<std::string> early = std::exchange(early_lines_, {});
  early_bytes_ = 0;
  if (!refusal) connection_ = Connection::open(service_, *this);
  for (const std::string& line : early) {
    if (connection_) {
      connection_->receive_bytes(json::Buffer(line));
      continue;
    }
    const auto read = mcp::read_messages(json::Buffer(line));
    if (!read) continue;
    for (const mcp::Message& message : read->messages) {
      const auto* request = std::get_if<mcp::Request>(&message);
      if (request != nullptr) channel_->send(mcp::write_response(request->id, *refusal).str());
    }
  }
  if (ending_) end_subscriptions();
}

void StdioServer::send(mcp::Send send) {
  net::LineChannel::Sent sent = channel_->send(mcp::to_line(send.message));
  if (sent == net::LineChannel::Sent::refused) sent = send_error_instead(send.message);
  // From a client that does not read its answers nothing is read until the queue drains.
  if (sent == net::LineChannel::Sent::full) channel_->pause();
  if (ending_) defer_end_if_answered();
}

// No request may stay unanswered: a long answer that the queue has no room for becomes an error.
net::LineChannel::Sent StdioServer::send_error_instead(const json::Output& message) {
  const bool is_short = message.size() <= kShortBytes;
  Limits limits;
  limits.max_bytes = message.size();
  const auto read = mcp::read_messages(message.buffer(), limits);
  const mcp::Message* const lost =
      read && !read->messages.empty() ? &read->messages.front() : nullptr;
  const bool is_awaited = lost != nullptr && !std::holds_alternative<mcp::Notification>(*lost);
  if (is_awaited && is_short) return channel_->send_anyway(mcp::to_line(message));
  service_.settings().log(
      {.level = LogLine::Level::error,
       .event = "message_lost",
       .note = "the client does not read, and more than the limit waits for it"});
  const auto* const response = is_awaited ? std::get_if<mcp::Response>(lost) : nullptr;
  if (response == nullptr) return net::LineChannel::Sent::refused;
  const mcp::RpcError error{
      mcp::code::internal_error,
      fmt::format("The answer of {} bytes was dropped: {} bytes wait for the client to read them",
                  message.size(), channel_->queued()),
      std::nullopt};
  return channel_->send_anyway(mcp::write_response(response->id, error).str());
}

void StdioServer::drain() {
  draining_ = true;
  is_serving() ? begin_ending() : end();
}

// The open calls are still answered: a client may write all requests to a pipe, close it, and wait
// for the answers.
void StdioServer::on_end_of_input() {
  if (!ending_) begin_ending();
}

void StdioServer::begin_ending() {
  ending_ = true;
  set_alarm(drain_timeout_, service_.settings().drain, [this] { on_drain_timeout(); });
  end_subscriptions();
}

void StdioServer::end_subscriptions() {
  if (connection_) connection_->end_subscriptions();
  defer_end_if_answered();
}

// After the end of input, unlike after drain(), open calls continue: each has its own timeout, and
// writing fails if the client has exited.
void StdioServer::on_drain_timeout() {
  if (draining_ || !is_answering()) {
    end();
  } else {
    set_alarm(drain_timeout_, service_.settings().drain, [this] { on_drain_timeout(); });
  }
}

// The client sends no more. So the answer to a handshake is of no use to it, and it will not answer
// the requests of calls that wait for input.
bool StdioServer::is_answering() const {
  if (starting_) return std::ranges::any_of(early_lines_, holds_call);
  return connection_ && connection_->peer().has_running_call();
}

// The former alarm may be calling this function, so it is destroyed later.
void StdioServer::set_alarm(std::unique_ptr<Alarm>& alarm, std::chrono::milliseconds wait,
                            net::Task task) {
  service_.host().post([before = std::move(alarm)] {});
  alarm = service_.host().after(wait, std::move(task));
}

// Deferred, because the peer counts a call as open until send() has returned.
void StdioServer::defer_end_if_answered() {
  loop_.defer([this] { end_if_answered(); });
}

void StdioServer::end_if_answered() {
  const bool is_open = starting_ || (connection_ && connection_->open_calls() > 0);
  if (is_open || !on_end_) return;
  channel_->finish_output();
  if (channel_->queued() == 0) {
    end();
    return;
  }
  set_alarm(queue_check_, kPollInterval, [this] { end_if_answered(); });
}

void StdioServer::end() {
  if (on_end_) std::exchange(on_end_, nullptr)();
}

}  // namespace enfold::serve
