// SPDX-License-Identifier: Apache-2.0
// A gateway for many clients over HTTP, in front of a server that follows the test's orders.
#pragma once

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/serve/http/http.h"
#include "tests/gateway/meeting.h"
#include "tests/gateway/voice.h"

namespace enfold::gateway {

inline Principal principal(const std::string& name, const std::string& key) {
  return {name, to_hex(sha256(key))};
}

inline Settings for_many(UpstreamSettings one, const std::string& contract = "response-v2") {
  Settings settings = in_front_of(std::move(one), contract);
  settings.one_client = false;
  return settings;
}

class Front {
 public:
  explicit Front(Settings settings, serve::HttpOptions options = {}) : host_(*loop, 2, 64) {
    settings.answers.log = [this](const serve::LogLine& line) { lines.push_back(line); };
    gateway = std::move(*Gateway::create(std::move(settings), *loop, host_));
    bool connected = false;
    gateway->connect([&](const Status& status) {
      EXPECT_TRUE(status) << status.error().message;
      connected = true;
    });
    EXPECT_TRUE(loop.until([&] { return connected; }));
    http = std::move(*serve::HttpFront::listen(*gateway, *loop, std::move(options)));
  }
  ~Front() {
    http.reset();
    bool closed = false;
    gateway->close([&] { closed = true; });
    EXPECT_TRUE(loop.until([&] { return closed; }));
  }
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  [[nodiscard]] std::unique_ptr<Voice> voice(const std::string& key = "") {
    auto made = std::make_unique<Voice>(loop, http->url());
    made->key = key;
    return made;
  }

  net::RunningLoop loop;

 private:
  serve::LoopHost host_;

 public:
  std::unique_ptr<Gateway> gateway;
  std::unique_ptr<serve::HttpFront> http;
  std::vector<serve::LogLine> lines;
};

}  // namespace enfold::gateway
