// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/http/exchange.h"

#include "enfold/mcp/wire/sse.h"

#include <chrono>

namespace enfold::serve {
namespace {

constexpr std::chrono::milliseconds kRetry{500};

}  // namespace

net::HttpResponse stream_head(std::string_view session) {
  net::HttpResponse head;
  head.headers.add("Content-Type", "text/event-stream").add("Cache-Control", "no-cache, no-store");
  head.headers.add("X-Accel-Buffering", "no");
  if (!session.empty()) head.headers.add(mcp::header::session, session);
  return head;
}

net::HttpResponse json_response(int status, std::string body) {
  net::HttpResponse response{.status = status, .body = std::move(body)};
  if (!response.body.empty()) response.headers = json_headers();
  return response;
}

net::HeaderLines json_headers(std::string_view session) {
  net::HeaderLines headers;
  headers.add("Content-Type", "application/json");
  if (!session.empty()) headers.add(mcp::header::session, session);
  return headers;
}

bool HttpExchange::send(const mcp::Send& send) {
  if (send.last && expected_ > 0) --expected_;
  const bool is_alone = send.last && expected_ == 0 && !streams_;
  if (is_alone) {
    respond(send);
    return true;
  }
  open_stream();
  write_event(send.message);
  if (expected_ > 0) return false;
  end_stream();
  return true;
}

void HttpExchange::withdraw() {
  if (expected_ == 0) return;
  --expected_;
  if (expected_ > 0) return;
  open_stream();
  end_stream();
}

void HttpExchange::end_stream() {
  if (!body_.is_open()) return;
  body_.end();
  if (log_ != nullptr) log_->events.forget(key_);
}

void HttpExchange::respond(const mcp::Send& send) {
  static const net::HeaderLines stateless = json_headers();
  const net::HeaderLines& headers = log_ != nullptr ? log_->json : stateless;
  if (const auto whole = send.message.whole()) {
    responder_.respond(send.status, headers, *whole);
  } else {
    responder_.respond({send.status, headers, send.message.str()});
  }
}

void HttpExchange::watch_close() {
  responder_.on_close([this] {
    if (on_close_) on_close_();
  });
}

void HttpExchange::open_stream() {
  if (streams_) return;
  streams_ = true;
  net::HttpResponse head = stream_head(log_ != nullptr ? std::string_view(log_->session) : "");
  if (log_ != nullptr && log_->primes) {
    head.body = mcp::priming_event(log_->events.append(key_, ""), kRetry);
  }
  body_ = responder_.stream(head);
  body_.on_close([this] {
    if (on_close_) on_close_();
  });
}

void HttpExchange::write_event(const json::Output& message) {
  if (log_ == nullptr) {
    body_.write(mcp::message_event(message.str()));
    return;
  }
  std::string text = message.str();
  const std::string id = log_->events.append(key_, text);
  if (body_.is_open()) {
    body_.write(mcp::message_event(text, id));
  }
}

void HttpExchange::close_stream() {
  if (log_ == nullptr) return;
  open_stream();
  if (body_.is_open()) body_.end();
}

void HttpExchange::take_up(net::BodyWriter body) {
  body_ = std::move(body);
  body_.on_close([this] {
    if (on_close_) on_close_();
  });
}

void HttpExchange::keep_alive() {
  if (streams_ && body_.is_open()) body_.write(mcp::kSseKeepAlive);
}

}  // namespace enfold::serve
