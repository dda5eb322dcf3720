// SPDX-License-Identifier: Apache-2.0
// Servers for the client to meet: the examples as they are, children that follow a script, and an
// HTTP server that says what a test tells it to.
#pragma once

#include "enfold/client/client.h"
#include "enfold/client/tools.h"
#include "enfold/net/http/server.h"
#include "enfold/net/line_channel.h"
#include "enfold/net/process.h"
#include "tests/net/running_loop.h"

#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace enfold::client {

/// A child that is a few lines of shell.
inline StdioTarget script(std::string text) {
  StdioTarget target;
  target.command = {"bash", "-c", std::move(text)};
  target.stdin_timeout = std::chrono::milliseconds(200);
  target.sigterm_timeout = std::chrono::milliseconds(200);
  return target;
}

inline StdioTarget program(std::string path) {
  StdioTarget target;
  target.command = {std::move(path)};
  return target;
}

/// Answers of a scripted server. Ids of a client count from 1: the greeting of a server that only
/// knows sessions takes two.
inline std::string refuses(int id) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"error":{{"code":-32601,"message":"Method not found"}}}})", id);
}
inline std::string initialized(int id) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"result":{{"protocolVersion":"2025-11-25","capabilities":{{}},)"
      R"("serverInfo":{{"name":"scripted","version":"1"}}}}}})",
      id);
}
inline std::string discovered(int id) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":{},"result":{{"resultType":"complete","supportedVersions":)"
      R"(["2026-07-28"],"capabilities":{{}},"ttlMs":0,"cacheScope":"private"}}}})",
      id);
}
inline std::string result(int id, std::string_view members) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{{{}}}}})", id, members);
}

/// Shell that reads one line and then prints one.
inline std::string reply(std::string_view line) {
  return fmt::format("read -r line; printf '%s\\n' '{}'; ", line);
}
/// The greeting of a server of the stateless era, which takes id 1.
inline std::string greeting() { return reply(discovered(1)); }

/// A handler of one kind of event.
template <class E, class F>
OnEvent on(F handle) {
  return [handle](const Event& event) {
    if (const E* one = std::get_if<E>(&event)) handle(*one);
  };
}

/// One client on a loop of the test.
class Talk {
 public:
  explicit Talk(Target target, ClientOptions options = {}, OnEvent on_event = {})
      : client_(std::make_unique<Client>(*loop_, std::move(target), std::move(options),
                                         std::move(on_event))) {}

  Result<mcp::ServerIdentity> connect() {
    std::optional<Result<mcp::ServerIdentity>> outcome;
    client_->connect([&](Result<mcp::ServerIdentity> server) { outcome = std::move(server); });
    EXPECT_TRUE(loop_.until([&] { return outcome.has_value(); }));
    return outcome.value_or(fail(ErrorCode::internal, "nothing came"));
  }
  CallResult request(std::string_view method, std::string_view params = "null") {
    return request(client_->prepare(method, json::parse_own(params)));
  }
  CallResult request(mcp::CallOptions options) {
    std::optional<CallResult> outcome;
    client_->request(std::move(options),
                     {.done = [&](CallResult result) { outcome = std::move(result); }});
    EXPECT_TRUE(loop_.until([&] { return outcome.has_value(); }));
    return outcome.value_or(tl::unexpected(CallFailure{}));
  }
  tl::expected<Toolbox, CallFailure> tools() {
    std::optional<tl::expected<Toolbox, CallFailure>> outcome;
    list_tools(*client_, [&](auto tools) { outcome = std::move(tools); });
    EXPECT_TRUE(loop_.until([&] { return outcome.has_value(); }));
    return outcome.value_or(tl::unexpected(CallFailure{}));
  }
  ToolOutcome call(ToolRequest request, ToolEvents events = {}) {
    std::optional<ToolOutcome> outcome;
    events.done = [&](ToolOutcome done) { outcome = std::move(done); };
    call_tool(*client_, std::move(request), std::move(events));
    EXPECT_TRUE(loop_.until([&] { return outcome.has_value(); }));
    return outcome.value_or(tl::unexpected(CallFailure{}));
  }
  ToolOutcome call(std::string name, std::string_view arguments = "null") {
    ToolRequest request;
    request.name = std::move(name);
    request.arguments = json::parse_own(arguments);
    return call(std::move(request));
  }
  void close() {
    bool closed = false;
    client_->close([&] { closed = true; });
    EXPECT_TRUE(loop_.until([&] { return closed; }));
  }
  void drop() { client_.reset(); }

  Client& client() { return *client_; }
  net::RunningLoop& loop() { return loop_; }

 private:
  net::RunningLoop loop_;
  std::unique_ptr<Client> client_;
};

/// An HTTP server that answers each request as the test says, and keeps what it was asked.
class ScriptedHttp {
 public:
  struct Seen {
    std::string method;
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
    [[nodiscard]] std::string header(std::string_view name) const {
      for (const auto& [key, value] : headers)
        if (equals_ignoring_case(key, name)) return value;
      return {};
    }
  };
  using Handler = std::function<void(const Seen& seen, net::Responder responder)>;

  ScriptedHttp(net::Loop& loop, Handler handler, std::uint16_t port = 0)
      : handler_(std::move(handler)) {
    net::HttpServerOptions options;
    options.port = port;
    server_ = std::move(*net::HttpServer::listen(
        loop, std::move(options), [this](net::HttpRequest& request, net::Responder responder) {
          Seen seen{std::string(request.head.method()), request.body, {}};
          for (std::size_t i = 0; i < request.head.field_count(); ++i) {
            const net::HeaderField field = request.head.field(i);
            seen.headers.emplace_back(field.name, field.value);
          }
          seen_.push_back(seen);
          handler_(seen, std::move(responder));
        }));
  }
  [[nodiscard]] HttpTarget target() const {
    return http_target(fmt::format("http://127.0.0.1:{}/mcp", server_->port())).value();
  }
  [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }
  [[nodiscard]] std::size_t count(std::string_view text) const {
    std::size_t n = 0;
    for (const Seen& one : seen_) n += one.body.find(text) != std::string::npos ? 1U : 0U;
    return n;
  }

 private:
  Handler handler_;
  std::vector<Seen> seen_;
  std::unique_ptr<net::HttpServer> server_;
};

inline net::HttpResponse json_body(std::string body, int status = 200) {
  net::HttpResponse response{.status = status, .headers = {}, .body = std::move(body)};
  response.headers.add("Content-Type", "application/json");
  return response;
}
inline net::HttpResponse event_stream(std::string body = {}) {
  net::HttpResponse response{.status = 200, .headers = {}, .body = std::move(body)};
  response.headers.add("Content-Type", "text/event-stream");
  return response;
}
/// The id that a message carries, as it stands.
inline int id_of(const ScriptedHttp::Seen& seen) {
  const auto parsed = json::parse(seen.body);
  const auto id = parsed ? parsed->root().find("id") : std::nullopt;
  return id && id->integer() ? static_cast<int>(*id->integer()) : 0;
}

/// An example that serves HTTP on a port of the system's choice.
class HttpExample {
 public:
  HttpExample(net::RunningLoop& loop, std::string path) {
    process_ = std::move(*net::Process::spawn(
        *loop, {.arguments = {std::move(path), "--http", "0"}}, [](net::ProcessExit) {}));
    net::LineEvents events;
    events.on_line = [this](std::string_view line) {
      constexpr std::string_view kPrefix = "listening on ";
      if (line.starts_with(kPrefix)) url_ = line.substr(kPrefix.size());
    };
    log_ = std::move(*net::LineChannel::open(*loop, process_->take_error_output(),
                                             net::FileDescriptor(), {}, std::move(events)));
    EXPECT_TRUE(loop.until([&] { return !url_.empty(); }));
  }
  [[nodiscard]] HttpTarget target() const { return http_target(url_).value(); }
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  std::string url_;
  std::unique_ptr<net::Process> process_;
  std::unique_ptr<net::LineChannel> log_;
};

}  // namespace enfold::client
