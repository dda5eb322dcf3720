// SPDX-License-Identifier: Apache-2.0
// A gateway in memory on the side of its client, in front of a real child on the other.
#pragma once

#include "enfold/gateway/gateway.h"
#include "enfold/json/pointer.h"
#include "enfold/serve/connection.h"
#include "enfold/serve/loop_host.h"
#include "tests/net/running_loop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace enfold::gateway {

inline UpstreamSettings upstream(const std::string& era = "sessions", std::string name = {}) {
  client::StdioTarget target;
  target.command = {ENFOLD_TEST_UPSTREAM, era};
  target.stdin_timeout = std::chrono::milliseconds(50);
  target.sigterm_timeout = std::chrono::milliseconds(50);
  UpstreamSettings settings;
  settings.name = std::move(name);
  settings.target = std::move(target);
  settings.allow_unlisted_tools = true;  // it has more tools than it lists
  return settings;
}

inline UpstreamSettings with_environment(UpstreamSettings one, const std::string& key,
                                         const std::string& value) {
  std::get<client::StdioTarget>(one.target).environment.emplace_back(key, value);
  return one;
}

inline Settings in_front_of(UpstreamSettings one, const std::string& contract = "response-v2") {
  Settings settings;
  settings.upstreams = {std::move(one)};
  settings.answers.contract = contract;
  settings.version = "0.0.0";
  settings.one_client = true;
  return settings;
}

/// Of the tools in an answer to tools/list.
inline std::vector<std::string> names_in(const json::Value& list) {
  std::vector<std::string> names;
  const auto tools = list->find("tools");
  EXPECT_TRUE(tools) << json::to_text(list.view());
  if (!tools) return names;
  for (const json::View tool : tools->items()) names.push_back(tool.find("name")->string());
  return names;
}

/// One client of a gateway, in either era.
class Meeting : private serve::Sink {
 public:
  explicit Meeting(Settings settings, std::string capabilities = "{}", bool stateless = false,
                   std::string client = "tester")
      : host_(*loop, 2, 64),
        capabilities_(std::move(capabilities)),
        stateless_(stateless),
        client_(std::move(client)) {
    settings.answers.log = [this](const serve::LogLine& line) { lines.push_back(line); };
    const bool alone = settings.one_client;
    gateway = std::move(*Gateway::create(std::move(settings), *loop, host_));
    const std::string hello =
        stateless ? message(0, "server/discover", "{}")
                  : fmt::format(R"({{"jsonrpc":"2.0","id":0,"method":"initialize","params":)"
                                R"({{"protocolVersion":"2025-11-25","capabilities":{},)"
                                R"("clientInfo":{{"name":"{}","version":"1"}}}}}})",
                                capabilities_, client_);
    bool greeted = false;
    if (alone) {
      gateway->on_first_message(hello, [&](const std::optional<mcp::RpcError>& error) {
        refusal = error;
        greeted = true;
      });
    } else {
      gateway->connect([&](const Status& connected) { greeted = connected.has_value(); });
    }
    EXPECT_TRUE(loop.until([&] { return greeted; }));
    if (refusal) return;
    connection = serve::Connection::open(*gateway, *this);
    say(hello);
    if (!stateless) say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    greeting = answer_to(0).value_or(json::Value());
    heard.clear();
  }
  ~Meeting() {
    if (connection) connection->detach();
    bool closed = false;
    gateway->close([&] { closed = true; });
    EXPECT_TRUE(loop.until([&] { return closed; }));
  }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  void say(const std::string& text) {
    connection->receive_bytes(json::Buffer(std::string_view(text)));
  }
  int start(const std::string& method, const std::string& params) {
    say(message(++last_id, method, params));
    return last_id;
  }
  /// Result or error of the answer.
  json::Value wait_for(int id) {
    EXPECT_TRUE(loop.until([&] { return answer_to(id).has_value(); })) << "no answer to " << id;
    return answer_to(id).value_or(json::Value());
  }
  json::Value ask(const std::string& method, const std::string& params) {
    return wait_for(start(method, params));
  }
  json::Value call(const std::string& tool, const std::string& arguments = "{}",
                   const std::string& meta = "") {
    return ask("tools/call", fmt::format(R"({{"name":"{}","arguments":{}{}}})", tool, arguments,
                                         meta.empty() ? "" : R"(,"_meta":)" + meta));
  }
  std::vector<std::string> tool_names() { return names_in(ask("tools/list", "{}")); }
  /// The tool `result` gives this back as it is.
  json::Value result(const std::string& raw) {
    return call("result", fmt::format(R"({{"raw":{}}})", json::quote(raw)));
  }
  std::optional<json::Value> answer_to(int id) const {
    for (const json::Value& one : heard) {
      const auto named = one->find("id");
      if (!named || named->integer() != id || one->find("method")) continue;
      if (const auto found = one->find("result")) return json::Value(*found);
      return json::Value(*one->find("error"));
    }
    return std::nullopt;
  }
  /// The first message of this method that the client got.
  json::Value wait_for_method(const std::string& method) {
    std::optional<json::Value> found;
    EXPECT_TRUE(loop.until([&] {
      for (const json::Value& one : heard) {
        const auto named = one->find("method");
        if (named && named->equals(method)) found = one;
      }
      return found.has_value();
    })) << method;
    return found.value_or(json::Value());
  }
  std::string last_bytes() const { return bytes.back(); }
  void reload(Settings next) {
    std::optional<Status> reloaded;
    gateway->reload(std::move(next), [&](const Result<ReloadResult>& done) {
      reloaded = done ? Status() : Status(tl::unexpected(done.error()));
    });
    ASSERT_TRUE(loop.until([&] { return reloaded.has_value(); }));
    EXPECT_TRUE(*reloaded) << reloaded->error().message;
  }

  net::RunningLoop loop;
  std::unique_ptr<Gateway> gateway;
  std::shared_ptr<serve::Connection> connection;
  std::optional<mcp::RpcError> refusal;
  json::Value greeting;
  std::vector<json::Value> heard;
  std::vector<std::string> bytes;
  std::vector<serve::LogLine> lines;
  int last_id = 0;

 private:
  std::string message(int id, const std::string& method, std::string params) const {
    if (stateless_) {
      const std::string meta =
          fmt::format(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                      R"("io.modelcontextprotocol/clientInfo":{{"name":"{}","version":"1"}},)"
                      R"("io.modelcontextprotocol/clientCapabilities":{})",
                      client_, capabilities_);
      if (const std::size_t at = params.find(R"("_meta":{)"); at != std::string::npos) {
        params.insert(at + 9, meta + ",");
      } else {
        params.insert(1, fmt::format(R"("_meta":{{{}}}{})", meta, params == "{}" ? "" : ","));
      }
    }
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{}}})", id, method,
                       params);
  }
  void send(mcp::Send send) override {
    bytes.push_back(send.message.str());
    heard.push_back(json::parse_own(bytes.back()));
  }
  void close_stream(mcp::CallKey /*call*/) override {}

  serve::LoopHost host_;
  std::string capabilities_;
  bool stateless_;
  std::string client_;
};

/// What stands at a pointer, as JSON; "(none)" when nothing does.
inline std::string at(const json::Value& value, const std::string& pointer) {
  const auto found = json::Pointer::parse(pointer)->resolve(value.view());
  return found ? json::to_text(*found) : "(none)";
}

}  // namespace enfold::gateway
