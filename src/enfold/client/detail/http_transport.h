// SPDX-License-Identifier: Apache-2.0
// A server over Streamable HTTP. Every message is a POST; the answer is one JSON body or a stream
// of events. In a session a broken stream is resumed, and one stream belongs to no call.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/client/transport.h"
#include "enfold/mcp/wire/sse.h"
#include "enfold/net/http/client.h"

#include <deque>
#include <map>
#include <vector>

namespace enfold::client::detail {

/// One HTTP request and its response.
struct Exchange {
  /// `standalone`: the GET that opens the stream which belongs to no call.
  enum class Purpose { call, notification, standalone, session_end };
  /// What the body of the response is. `nothing`: no head yet, or no body is expected. `other`: of
  /// a content type that is not used in MCP. `refusal`: the status is not a success.
  enum class Body { nothing, json, events, other, refusal };

  Purpose purpose = Purpose::call;
  std::optional<mcp::CallKey> call;  ///< nullopt: the purpose is another
  net::HttpCall http;
  int status = 0;   ///< of the response; 0: its head has not come
  Refusal refusal;  ///< set if `kind` is `refusal`
  Body kind = Body::nothing;
  std::string content_type;
  std::string text;                        ///< of a JSON body or a refusal, as far as received
  std::optional<mcp::SseDecoder> decoder;  ///< of an event stream
  std::string last_event_id;               ///< of an event stream; empty: no event had an id
  std::optional<std::chrono::milliseconds> retry;  ///< the wait that the event stream named last
  std::size_t events = 0;                          ///< received in this response
  std::size_t empty_attempts = 0;                  ///< responses in a row without an event
  bool dropped = false;                            ///< by drop(): no report follows
  std::optional<Error> failure;                    ///< why the body cannot be used
  std::unique_ptr<net::Timer> wait;                ///< requests the stream again; null: not set
};

class HttpTransport final : public Transport {
 public:
  HttpTransport(net::Loop& loop, HttpTarget target, const ClientOptions& options,
                TransportOwner& owner);
  HttpTransport(const HttpTransport&) = delete;
  HttpTransport& operator=(const HttpTransport&) = delete;
  ~HttpTransport() override;

  [[nodiscard]] Status start() override { return {}; }
  [[nodiscard]] Status send(mcp::Transmit message) override;
  [[nodiscard]] bool is_sent(mcp::CallKey call) const override;
  [[nodiscard]] bool may_keep_cancelled_calls() const override;
  void forget(mcp::CallKey call) override;
  void resume(const mcp::Resume& resume, std::vector<mcp::Header> headers) override;
  void listen(std::vector<mcp::Header> headers) override;
  void close(std::vector<mcp::Header> headers, net::Task done) override;

 private:
  using ExchangePtr = std::shared_ptr<Exchange>;

  /// Sends a message now; send() makes it wait for the gate.
  void post(mcp::Transmit message);
  /// A request to the URL of the target, with these headers and those of the target.
  [[nodiscard]] net::ClientRequest request(std::string method,
                                           const std::vector<mcp::Header>& headers) const;
  /// Sends the request of an exchange, and forgets its former response.
  void run(const ExchangePtr& exchange, net::ClientRequest request);
  /// Requests the event stream of an exchange, from its `last_event_id` on.
  void get(const ExchangePtr& exchange, const std::vector<mcp::Header>& headers);
  /// Cancels an exchange; nothing is reported about it any more.
  void drop(const ExchangePtr& exchange);

  void on_head(Exchange& exchange, const net::HttpHead& head);
  void on_data(const ExchangePtr& exchange, std::string_view bytes);
  void on_events(const ExchangePtr& exchange, std::string_view bytes);
  void on_end(const ExchangePtr& exchange, const Status& status);
  void end_call(const ExchangePtr& exchange, const Status& status);
  void end_standalone(const ExchangePtr& exchange);
  /// If `exchange` is the gate: waits for the standalone stream next, or sends the messages that
  /// wait.
  void open_gate(const Exchange& exchange);
  [[nodiscard]] Error make_error(ErrorCode code, std::string message, std::string hint = {}) const;

  net::Loop& loop_;
  HttpTarget target_;
  std::size_t max_bytes_;
  std::size_t max_resumes_;
  TransportOwner& owner_;
  net::HttpClient http_;
  std::map<mcp::CallKey, ExchangePtr> calls_;
  std::vector<ExchangePtr> others_;  ///< notifications, and the end of the session
  ExchangePtr standalone_;
  std::vector<mcp::Header> standalone_headers_;
  // In a session `notifications/initialized` must reach the server before any other message, and
  // messages on other connections might overtake it. So they wait until it is answered, and then
  // until the stream that belongs to no call has its response head, or kStreamTimeout is over.
  const Exchange* gate_ = nullptr;  ///< the exchange that messages wait for; nullptr: none
  bool stream_was_tried_ = false;   ///< the standalone stream was requested once
  net::Timer gate_timeout_;
  std::deque<mcp::Transmit> behind_gate_;  ///< the messages that wait
  bool closing_ = false;
  net::Task on_closed_;  ///< of close(); empty when it was called
  Lifetime lifetime_;
};

}  // namespace enfold::client::detail
