// SPDX-License-Identifier: Apache-2.0
// Clients of a gateway over HTTP, in both eras, each with a key of its own or with none.
#pragma once

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/net/http/client.h"
#include "tests/net/running_loop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::gateway {

struct Heard {
  int status = 0;  ///< 0: nobody answered
  std::string body;
  std::string session;    ///< MCP-Session-Id
  std::string challenge;  ///< WWW-Authenticate
  json::Value message;    ///< the answer, of a stream the last
  json::Value result;     ///< result or error of the answer

  /// What stands at a pointer into the result, as JSON; "(none)" when nothing does.
  [[nodiscard]] std::string at(const std::string& pointer) const {
    const auto found = json::Pointer::parse(pointer)->resolve(result.view());
    return found ? json::to_text(*found) : "(none)";
  }
};

class Voice {
 public:
  Voice(net::RunningLoop& loop, const std::string& url)
      : loop_(loop), client_(*loop), url_(net::parse_url(url).value()) {}

  /// Shown with every request; empty: none.
  std::string key;
  std::string key_header = "Authorization: Bearer ";
  std::string more_meta;  ///< of calls without a session: `,"a":1`

  struct Sent {
    net::HttpCall call;
    std::optional<Heard> heard;
  };
  [[nodiscard]] std::unique_ptr<Sent> send(const std::string& method, const std::string& body,
                                           const std::string& more_headers = "") {
    net::ClientRequest request;
    request.method = method;
    request.url = url_;
    if (!body.empty()) request.headers.add("Content-Type", "application/json");
    request.headers.add("Accept", "application/json, text/event-stream");
    const auto add = [&](std::string_view line) {
      const std::size_t colon = line.find(": ");
      request.headers.add(line.substr(0, colon), line.substr(colon + 2));
    };
    if (!key.empty()) add(key_header + key);
    for (std::size_t begin = 0; begin < more_headers.size();) {
      const std::size_t end = more_headers.find('\n', begin);
      add(std::string_view(more_headers).substr(begin, end - begin));
      begin = end + 1;
    }
    request.body = body;
    auto sent = std::make_unique<Sent>();
    sent->call =
        client_.fetch(std::move(request), [out = sent.get()](Result<net::ClientResponse> response) {
          out->heard = response ? read(*response) : Heard{};
        });
    return sent;
  }
  Heard wait(Sent& sent) {
    EXPECT_TRUE(loop_.until([&] { return sent.heard.has_value(); })) << "no answer";
    return sent.heard.value_or(Heard{});
  }
  Heard request(const std::string& method, const std::string& body,
                const std::string& more_headers = "") {
    return wait(*send(method, body, more_headers));
  }

  // Without a session.
  [[nodiscard]] std::unique_ptr<Sent> send_call(const std::string& tool,
                                                const std::string& arguments = "{}",
                                                const std::string& more_params = "",
                                                const std::string& capabilities = "{}") {
    return send(
        "POST",
        fmt::format(R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{}",)"
                    R"("arguments":{},"_meta":{{"io.modelcontextprotocol/protocolVersion":)"
                    R"("2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"tester",)"
                    R"("version":"1"}},"io.modelcontextprotocol/clientCapabilities":{}{}}}{}}}}})",
                    tool, arguments, capabilities, more_meta, more_params),
        fmt::format("MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: {}\n",
                    tool));
  }
  Heard call(const std::string& tool, const std::string& arguments = "{}",
             const std::string& more_params = "", const std::string& capabilities = "{}") {
    return wait(*send_call(tool, arguments, more_params, capabilities));
  }
  /// The tool `result` of the test's server gives this back as it is.
  Heard result(const std::string& raw) {
    return call("result", fmt::format(R"({{"raw":{}}})", json::quote(raw)));
  }

  // With one.
  std::string open_session() {
    const Heard hello = request(
        "POST", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":)"
                R"("2025-11-25","capabilities":{},"clientInfo":{"name":"tester","version":"1"}}})");
    if (!hello.session.empty()) {
      request("POST", R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
              in(hello.session));
    }
    return hello.session;
  }
  Heard call_in(const std::string& session, const std::string& tool,
                const std::string& arguments = "{}") {
    return request("POST",
                   fmt::format(R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                               R"({{"name":"{}","arguments":{}}}}})",
                               tool, arguments),
                   in(session));
  }
  static std::string in(const std::string& session) { return "MCP-Session-Id: " + session + "\n"; }

 private:
  static Heard read(const net::ClientResponse& response) {
    Heard heard;
    heard.status = response.head.status();
    heard.body = response.body;
    heard.session = response.head.find("MCP-Session-Id").value_or("");
    heard.challenge = response.head.find("WWW-Authenticate").value_or("");
    std::string text = response.body;
    if (const std::size_t event = text.rfind("data: "); event != std::string::npos) {
      text = text.substr(event + 6, text.find('\n', event) - event - 6);
    }
    const auto parsed = json::parse(std::string_view(text));
    if (!parsed) return heard;
    heard.message = json::Value(parsed->root());
    for (const char* const member : {"result", "error"}) {
      if (const auto found = heard.message->find(member)) heard.result = json::Value(*found);
    }
    return heard;
  }

  net::RunningLoop& loop_;
  net::HttpClient client_;
  net::Url url_;
};

/// An answer that is over every budget: rows with an id and a text each.
inline std::string large_answer(std::size_t rows = 2000, const std::string& word = "row") {
  std::string list;
  for (std::size_t i = 0; i < rows; ++i) {
    list += fmt::format(R"({}{{"id":{},"text":"{} number {} of many"}})", i == 0 ? "" : ",", i,
                        word, i);
  }
  return fmt::format(R"({{"content":[],"structuredContent":{{"rows":[{}]}}}})", list);
}

}  // namespace enfold::gateway
