// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/http/http.h"
#include "enfold/serve/loop_host.h"
#include "tests/net/running_loop.h"

#include <gtest/gtest.h>

namespace enfold::serve {
namespace {

class Silent final : public Service {
 public:
  explicit Silent(Host& host) : host_(host) {}
  [[nodiscard]] const std::shared_ptr<const mcp::ServerConfig>& config() const override {
    return config_;
  }
  [[nodiscard]] const Settings& settings() const override { return settings_; }
  [[nodiscard]] Host& host() const override { return host_; }
  [[nodiscard]] std::shared_ptr<OpenCall> begin(
      mcp::Call&& /*call*/, const std::shared_ptr<ClientChannel>& /*port*/) override {
    return nullptr;
  }

 private:
  Host& host_;
  Settings settings_;
  std::shared_ptr<const mcp::ServerConfig> config_ = std::make_shared<const mcp::ServerConfig>();
};

class Sessions : public testing::Test {
 protected:
  void add(const std::string& id, const std::string& principal) { add(id, principal, principal); }
  void add(const std::string& id, const std::string& principal, const std::string& owner) {
    sessions.add(id, owner, std::make_unique<HttpSession>(service, id, principal));
  }
  [[nodiscard]] bool has(const std::string& id, const std::string& principal) {
    return sessions.find(id, principal) != nullptr;
  }

  net::RunningLoop loop;
  LoopHost host{*loop, 1, 1};
  Silent service{host};
  HttpSessions sessions;
};

TEST_F(Sessions, belong_to_their_principals) {
  add("1", "anna");
  EXPECT_TRUE(has("1", "anna"));
  EXPECT_FALSE(has("1", "ben"));
  EXPECT_FALSE(has("2", "anna"));
  EXPECT_TRUE(sessions.erase("1"));
  EXPECT_FALSE(sessions.erase("1"));
  EXPECT_EQ(sessions.size(), 0U);
}

TEST_F(Sessions, are_evicted_among_those_of_the_same_principal_first) {
  add("a1", "anna");
  add("b1", "ben");
  add("b2", "ben");
  add("b3", "ben");
  EXPECT_TRUE(sessions.evict_for("anna"));
  EXPECT_FALSE(has("a1", "anna"));
  EXPECT_TRUE(sessions.evict_for("ben"));
  EXPECT_FALSE(has("b1", "ben"));
  EXPECT_TRUE(has("b2", "ben"));
}

// Without keys all clients have one principal.
TEST_F(Sessions, of_one_principal_are_shared_out_by_their_addresses) {
  for (const char* const id : {"1", "2", "3"}) add(id, "local", "192.0.2.7");
  add("a", "local", "192.0.2.8");
  EXPECT_TRUE(sessions.evict_for("192.0.2.8"));
  EXPECT_FALSE(has("a", "local")) << "its own first";
  EXPECT_TRUE(sessions.evict_for("192.0.2.8"));
  EXPECT_FALSE(has("1", "local"));
  EXPECT_TRUE(has("2", "local"));
}

TEST_F(Sessions, are_evicted_from_the_principal_with_the_most_otherwise) {
  add("c1", "cleo");
  add("b1", "ben");
  add("b2", "ben");
  EXPECT_TRUE(sessions.evict_for("anna"));
  EXPECT_FALSE(has("b1", "ben"));
  EXPECT_TRUE(sessions.evict_for("anna"));
  EXPECT_FALSE(has("c1", "cleo")) << "of two with as many the longest idle";
  EXPECT_TRUE(sessions.evict_for("anna"));
  EXPECT_FALSE(sessions.evict_for("anna")) << "there is none left";
}

TEST_F(Sessions, can_be_very_many) {
  constexpr int kMany = 20'000;
  for (int i = 0; i < kMany; ++i) add(std::to_string(i), "p" + std::to_string(i % 5'000));
  for (int i = 0; i < kMany; ++i) {
    ASSERT_TRUE(sessions.evict_for("p" + std::to_string(i % 5'000)));
    ASSERT_FALSE(has(std::to_string(i), "p" + std::to_string(i % 5'000)));
  }
  EXPECT_EQ(sessions.size(), 0U);
}

}  // namespace
}  // namespace enfold::serve
