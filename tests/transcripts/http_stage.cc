// SPDX-License-Identifier: Apache-2.0
// Each message is a POST with the headers that a client of its era sends; what comes of it has to
// come on the stream of the right POST, with the right status, and the stream has to end with the
// answer. What belongs to no call comes on the session's standalone stream.
#include "enfold/json/document.h"
#include "enfold/mcp/wire/sse.h"
#include "enfold/net/http/client.h"
#include "enfold/serve/http/http.h"
#include "tests/transcripts/line.h"
#include "tests/transcripts/socket_stage.h"

#include <fmt/core.h>

namespace enfold::transcripts {
namespace {

constexpr std::string_view kVersionMeta = "io.modelcontextprotocol/protocolVersion";

/// A request under way, and what has come of it.
struct Exchange {
  net::HttpCall call;
  std::size_t requests = 0;
  std::size_t answers = 0;
  bool said = false;       ///< anything at all
  std::string request;     ///< its id, as text; of a batch none
  bool withdrawn = false;  ///< the client has cancelled it
  int status = 0;
  std::string session;
  bool streams = false;
  bool ended = false;
  std::string body;
  mcp::SseDecoder decoder;
  std::deque<std::string> messages;
};

std::size_t requests_in(json::View message) {
  if (message.is_array()) {
    std::size_t count = 0;
    for (const json::View one : message.items()) count += requests_in(one);
    return count;
  }
  return message.is_object() && message.find("method") && message.find("id") ? 1 : 0;
}

class HttpStage final : public SocketStage {
 public:
  explicit HttpStage(json::View setup) : SocketStage(setup), client_(*loop_) {
    front_ = std::move(*serve::HttpFront::listen(service_, *loop_, {}));
    url_ = net::parse_url(front_->url()).value();
  }

 private:
  void receive(json::View line) override {
    const std::string text = message_at(line);
    const auto parsed = json::parse(text);
    const json::View message = parsed ? parsed->root() : json::View();
    net::ClientRequest request = prepared("POST");
    request.headers.add("Content-Type", "application/json");
    request.headers.add("Accept", "application/json, text/event-stream");
    for (const mcp::Header& header : headers_for(message)) {
      request.headers.add(header.name, header.value);
    }
    request.body = text;
    if (json::string_member(message, "method") == "notifications/cancelled") withdraw(message);
    latest_ = start(std::move(request));
    const auto id = message.is_object() ? message.find("id") : std::nullopt;
    if (id) latest_->request = json::to_text(*id);
    latest_->requests = requests_in(message);
    loop_.until_quiet([&] { return latest_->status != 0; });
    if (!latest_->session.empty()) session_ = latest_->session;
    const bool opened = json::string_member(message, "method") == "notifications/initialized";
    if (opened && !session_.empty() && !standalone_) open_standalone();
  }

  void withdraw(json::View message) {
    const auto params = mcp::object_member(message, "params");
    const auto id = params ? params->find("requestId") : std::nullopt;
    for (const auto& exchange : exchanges_) {
      if (id && exchange->request == json::to_text(*id)) exchange->withdrawn = true;
    }
  }

  std::vector<mcp::Header> headers_for(json::View message) {
    const std::string method = json::string_member(message, "method").value_or("");
    const auto params = mcp::object_member(message, "params");
    const auto meta = params ? mcp::object_member(*params, "_meta") : std::nullopt;
    const auto version = meta ? json::string_member(*meta, kVersionMeta) : std::nullopt;
    std::vector<mcp::Header> headers;
    if (version || method == "server/discover") {
      is_stateless_ = true;
      headers = mcp::standard_headers(version.value_or("2026-07-28"), method,
                                      params.value_or(json::View()));
    } else if (is_stateless_ && session_.empty() && !method.empty() && method != "initialize") {
      headers = mcp::standard_headers("2026-07-28", method, params.value_or(json::View()));
    }
    if (!session_.empty()) headers.push_back({std::string(mcp::header::session), session_});
    return headers;
  }

  net::ClientRequest prepared(std::string method) const {
    net::ClientRequest request;
    request.method = std::move(method);
    request.url = url_;
    request.head_timeout = request.stall_timeout = net::Duration::max();
    return request;
  }

  std::shared_ptr<Exchange> start(net::ClientRequest request) {
    auto exchange = std::make_shared<Exchange>();
    net::CallEvents events;
    events.on_head = [one = exchange.get()](const net::HttpHead& head) {
      one->status = head.status();
      one->session = std::string(head.find(mcp::header::session).value_or(""));
      one->streams = head.find("Content-Type").value_or("") == "text/event-stream";
    };
    events.on_data = [one = exchange.get()](std::string_view bytes) {
      if (!one->streams) {
        one->body += bytes;
        return;
      }
      std::vector<mcp::SseEvent> told;
      EXPECT_TRUE(one->decoder.feed(bytes, told).has_value());
      for (mcp::SseEvent& event : told) {
        if (!event.data.empty()) one->messages.push_back(std::move(event.data));
      }
    };
    events.on_end = [one = exchange.get()](const Status& status) {
      EXPECT_TRUE(status.has_value()) << (status ? "" : status.error().message);
      if (!one->body.empty()) one->messages.push_back(std::move(one->body));
      one->ended = true;
    };
    exchange->call = client_.send(std::move(request), std::move(events));
    exchanges_.push_back(exchange);
    return exchange;
  }

  void open_standalone() {
    net::ClientRequest request = prepared("GET");
    request.headers.add("Accept", "text/event-stream");
    request.headers.add(mcp::header::session, session_);
    standalone_ = start(std::move(request));
    loop_.until_quiet([&] { return standalone_->status != 0; });
    if (standalone_->status != 200) {
      complain(fmt::format("the standalone stream was refused with {}", standalone_->status));
    }
  }

  void bind(std::int64_t call) override { bound_.try_emplace(call, latest_); }

  std::shared_ptr<Exchange> exchange_for(json::View line) {
    if (const auto call = line.find("call")) {
      bind(call->integer().value_or(0));
      return bound_.at(call->integer().value_or(0));
    }
    return flag_at(line, "last") ? latest_ : standalone_;
  }

  std::optional<std::string> see_send(json::View line) override {
    const std::shared_ptr<Exchange> exchange = exchange_for(line);
    if (!exchange) return "nothing";
    loop_.until_quiet([&] { return !exchange->messages.empty(); });
    if (exchange->messages.empty()) return "nothing";
    std::string found = std::move(exchange->messages.front());
    exchange->messages.pop_front();
    exchange->said = true;
    const auto message = json::parse(found);
    if (!message || !json::equal(message->root(), value_at(line, "message").view())) return found;
    const bool last = flag_at(line, "last");
    if (last) ++exchange->answers;
    const bool is_over = exchange->withdrawn || (last && exchange->answers >= exchange->requests);
    if (is_over) loop_.until_quiet([&] { return exchange->ended; });
    if (exchange->ended && exchange->messages.empty() && !is_over) {
      return "the end of its stream after " + found;
    }
    if (is_over && !exchange->ended) return "a stream that goes on after " + found;
    const auto status = static_cast<int>(number_at(line, "status"));
    if (exchange->status != (status != 0 ? status : 200)) {
      return fmt::format("status {} with {}", exchange->status, found);
    }
    return std::nullopt;
  }

  std::vector<std::string> take_messages() override {
    std::vector<std::string> rest;
    for (const auto& exchange : exchanges_) {
      for (std::string& message : exchange->messages) rest.push_back(std::move(message));
      exchange->messages.clear();
    }
    // What needs no answer and is not refused is accepted, and that is all.
    if (latest_ && latest_->requests == 0 && !latest_->said && latest_->status != 202) {
      rest.push_back(fmt::format("status {} instead of 202", latest_->status));
    }
    std::erase_if(exchanges_, [](const auto& exchange) { return exchange->ended; });
    return rest;
  }

  bool close_stream(std::int64_t call) override {
    const auto found = bound_.find(call);
    if (found == bound_.end()) return false;
    found->second->call.cancel();
    return true;
  }

  bool close() override {
    net::ClientRequest request = prepared("DELETE");
    request.headers.add(mcp::header::session, session_);
    const auto exchange = start(std::move(request));
    loop_.until_quiet([&] { return exchange->ended; });
    return exchange->status == 200;
  }

  bool end() override {
    front_->drain([] {});
    return true;
  }

  net::HttpClient client_;
  std::unique_ptr<serve::HttpFront> front_;
  net::Url url_;
  std::string session_;
  bool is_stateless_ = false;  ///< the client has begun so, and opened no session
  std::shared_ptr<Exchange> latest_;
  std::shared_ptr<Exchange> standalone_;
  std::vector<std::shared_ptr<Exchange>> exchanges_;
  std::map<std::int64_t, std::shared_ptr<Exchange>> bound_;
};

}  // namespace

std::unique_ptr<Stage> http_stage(json::View setup) { return std::make_unique<HttpStage>(setup); }

}  // namespace enfold::transcripts
