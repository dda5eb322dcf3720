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

// One principal with all sessions left each other principal only one.
TEST_F(Sessions, of_the_principal_with_the_most_make_room_until_all_have_their_share) {
  for (int i = 0; i < 12; ++i) add("b" + std::to_string(i), "ben");
  for (int i = 0; i < 40; ++i) {  // anna and cleo open sessions; there are places for twelve
    const std::string principal = i % 2 == 0 ? "anna" : "cleo";
    ASSERT_TRUE(sessions.evict_for(principal));
    add(std::to_string(i), principal);
  }
  const auto count_of = [&](const std::string& principal) {
    int count = 0;
    sessions.for_each([&](HttpSession& one) { count += one.principal() == principal ? 1 : 0; });
    return count;
  };
  EXPECT_EQ(count_of("anna"), 4);
  EXPECT_EQ(count_of("ben"), 4);
  EXPECT_EQ(count_of("cleo"), 4);
  EXPECT_TRUE(has("b11", "ben")) << "the longest idle go first";
}

TEST_F(Sessions, are_evicted_among_those_of_a_principal_with_its_share) {
  for (const char* const id : {"a1", "a2"}) add(id, "anna");
  for (const char* const id : {"b1", "b2", "b3"}) add(id, "ben");
  EXPECT_TRUE(sessions.evict_for("ben"));
  EXPECT_FALSE(has("b1", "ben"));
  EXPECT_TRUE(sessions.evict_for("anna"));
  EXPECT_FALSE(has("a1", "anna")) << "ben has no more than she";
}

// Without keys all clients have one principal.
TEST_F(Sessions, of_one_principal_are_shared_out_by_their_addresses) {
  for (const char* const id : {"1", "2", "3"}) add(id, "local", "192.0.2.7");
  add("a", "local", "192.0.2.8");
  EXPECT_TRUE(sessions.evict_for("192.0.2.8"));
  EXPECT_FALSE(has("1", "local"));
  EXPECT_TRUE(sessions.evict_for("192.0.2.8"));
  EXPECT_FALSE(has("a", "local")) << "the other address has no more than its share";
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
