// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/stdio.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::serve {
namespace {

// How often a client that still has to read is looked at.
constexpr std::chrono::milliseconds kLook{10};

// What somebody waits for is sent even to a client that does not read, if it is no longer than
// this.
constexpr std::size_t kShort = std::size_t{4} << 10;

// What a client may say before it is greeted; the rest waits where it is.
constexpr std::size_t kMostHeld = std::size_t{1} << 20;

bool holds_request(const std::string& line) {
  const auto read = mcp::read_messages(json::Buffer(line));
  return read && std::ranges::any_of(read->messages, [](const mcp::Message& one) {
           return std::holds_alternative<mcp::Request>(one);
         });
}

}  // namespace

StdioServer::StdioServer(Service& service, net::Loop& loop, net::Task on_end)
    : service_(service), loop_(loop), on_end_(std::move(on_end)) {}

StdioServer::~StdioServer() {
  *alive_ = false;
  if (connection_) connection_->detach();
}

Result<std::unique_ptr<StdioServer>> StdioServer::open(Service& service, net::Loop& loop,
                                                       net::Task on_end) {
  std::unique_ptr<StdioServer> server(new StdioServer(service, loop, std::move(on_end)));
  auto channel = net::LineChannel::open_stdio(loop, {}, server->events());
  if (!channel) return tl::unexpected(channel.error());
  server->channel_ = std::move(*channel);
  return server;
}

Result<std::unique_ptr<StdioServer>> StdioServer::open(Service& service, net::Loop& loop,
                                                       net::FileDescriptor input,
                                                       net::FileDescriptor output,
                                                       net::Task on_end) {
  std::unique_ptr<StdioServer> server(new StdioServer(service, loop, std::move(on_end)));
  auto channel =
      net::LineChannel::open(loop, std::move(input), std::move(output), {}, server->events());
  if (!channel) return tl::unexpected(channel.error());
  server->channel_ = std::move(*channel);
  return server;
}

net::LineEvents StdioServer::events() {
  net::LineEvents events;
  events.on_line = [this](std::string_view line) {
    if (!ending_) receive(line);
  };
  const auto note = [this](const Error& error) {
    // Half a line or one beyond any limit has no id that could be answered.
    service_.settings().log(
        {.level = LogLine::Level::warning, .event = "noise", .note = error.message});
  };
  events.on_noise = note;
  events.on_rest = [this, note](const Error& error, std::string_view rest) {
    // Whoever pipes a file may have left out the last line feed.
    const bool is_whole = mcp::read_messages(json::Buffer(rest)).has_value();
    is_whole && !ending_ ? receive(rest) : note(error);
  };
  events.on_end = [this] { end_of_input(); };
  events.on_failure = [this](const Error& error) {
    service_.settings().log(
        {.level = LogLine::Level::error, .event = "stdio_broke", .note = error.message});
    if (connection_) connection_->detach();
    ending_ = true;
    loop_.defer([this] { end(); });
  };
  events.on_drain = [this] {
    if (!ending_) channel_->resume();
  };
  return events;
}

void StdioServer::receive(std::string_view line) {
  if (connection_) {
    connection_->receive_bytes(json::Buffer(line));
    return;
  }
  held_.emplace_back(line);
  held_bytes_ += line.size();
  if (held_bytes_ > kMostHeld) channel_->pause();
  if (std::exchange(greeting_, true)) return;
  service_.greet(line, [this, alive = alive_](const std::optional<mcp::RpcError>& refusal) {
    if (*alive) greeted(refusal);
  });
}

void StdioServer::greeted(const std::optional<mcp::RpcError>& refusal) {
  greeting_ = false;
  if (!ending_) channel_->resume();
  const std::vector<std::string> held = std::exchange(held_, {});
  held_bytes_ = 0;
  if (!refusal) connection_ = Connection::open(service_, *this);
  for (const std::string& line : held) {
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
  if (ending_) end_when_answered();
}

void StdioServer::send(mcp::Send send) {
  net::LineChannel::Sent sent = channel_->send(send.message.str());
  if (sent == net::LineChannel::Sent::refused) sent = send_instead(send.message);
  // A client that does not read is not read either, until it has caught up.
  if (sent == net::LineChannel::Sent::full) channel_->pause();
  if (ending_) end_when_answered();
}

// Nothing may wait for ever: an answer that has no room gives way to an error, which always has.
net::LineChannel::Sent StdioServer::send_instead(const json::Output& message) {
  const bool is_short = message.size() <= kShort;
  Limits limits;
  limits.max_bytes = message.size();
  const auto read = mcp::read_messages(message.buffer(), limits);
  const mcp::Message* const lost =
      read && !read->messages.empty() ? &read->messages.front() : nullptr;
  const bool is_awaited = lost != nullptr && !std::holds_alternative<mcp::Notification>(*lost);
  if (is_awaited && is_short) return channel_->send_anyway(message.str());
  service_.settings().log(
      {.level = LogLine::Level::error,
       .event = "message_lost",
       .note = "the client does not read, and more than the limit waits for it"});
  const auto* const response = is_awaited ? std::get_if<mcp::Response>(lost) : nullptr;
  if (response == nullptr) return net::LineChannel::Sent::refused;
  const mcp::RpcError told{
      mcp::code::internal_error,
      fmt::format("The answer of {} bytes was dropped: {} bytes wait for the client to read them",
                  message.size(), channel_->queued()),
      std::nullopt};
  return channel_->send_anyway(mcp::write_response(response->id, told).str());
}

void StdioServer::drain() {
  told_to_end_ = true;
  is_serving() ? begin_ending() : end();
}

// Who pipes requests into a server closes the pipe and waits for the answers.
void StdioServer::end_of_input() {
  if (!ending_) begin_ending();
}

void StdioServer::begin_ending() {
  ending_ = true;
  set(patience_, service_.settings().drain, [this] { lose_patience(); });
  if (connection_) connection_->end_subscriptions();
  end_when_answered();
}

// A call has its own deadline; a client that is gone is noticed by the end of the output.
void StdioServer::lose_patience() {
  if (told_to_end_ || !is_answering()) {
    end();
  } else {
    set(patience_, service_.settings().drain, [this] { lose_patience(); });
  }
}

// A greeting alone is of little use to a client that says no more, and no question will be
// answered.
bool StdioServer::is_answering() const {
  if (greeting_) return std::ranges::count_if(held_, holds_request) > 1;
  return connection_ && connection_->open_calls() > connection_->peer().open_questions();
}

// The alarm before it may be the caller: it goes when nobody is inside it any more.
void StdioServer::set(std::unique_ptr<Alarm>& alarm, std::chrono::milliseconds wait,
                      net::Task task) {
  service_.host().post([before = std::move(alarm)] {});
  alarm = service_.host().after(wait, std::move(task));
}

// Deferred: the peer counts a call as open until its answer has been handed to us.
void StdioServer::end_when_answered() {
  loop_.defer([this] { end_if_answered(); });
}

void StdioServer::end_if_answered() {
  const bool is_open = greeting_ || (connection_ && connection_->open_calls() > 0);
  if (is_open || !on_end_) return;
  channel_->finish_output();
  if (channel_->queued() == 0) {
    end();
    return;
  }
  set(retry_, kLook, [this] { end_if_answered(); });
}

void StdioServer::end() {
  if (on_end_) std::exchange(on_end_, nullptr)();
}

}  // namespace enfold::serve
