// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/redis/address.h"

#include <gtest/gtest.h>

namespace enfold::store::detail {
namespace {

TEST(RedisAddress, reads_the_forms_of_a_url) {
  const struct {
    const char* url;
    RedisAddress want;
    const char* shown;
  } cases[] = {
      {"redis://localhost", {"", "localhost", 6379, 0, "", ""}, "redis://localhost:6379/0"},
      {"redis://h:1/", {"", "h", 1, 0, "", ""}, "redis://h:1/0"},
      {"redis://10.0.0.1:6380/15", {"", "10.0.0.1", 6380, 15, "", ""}, "redis://10.0.0.1:6380/15"},
      {"redis://[::1]:6380/2", {"", "::1", 6380, 2, "", ""}, "redis://[::1]:6380/2"},
      {"redis://[fe80::1]", {"", "fe80::1", 6379, 0, "", ""}, "redis://[fe80::1]:6379/0"},
      {"redis://:pass@h", {"", "h", 6379, 0, "", "pass"}, "redis://h:6379/0"},
      {"redis://u:p%40%3A%2f@h/1", {"", "h", 6379, 1, "u", "p@:/"}, "redis://h:6379/1"},
      {"redis+unix:///run/redis.sock",
       {"/run/redis.sock", "", 6379, 0, "", ""},
       "redis+unix:///run/redis.sock?db=0"},
      {"redis+unix://u:p@/a@b?db=7", {"/a@b", "", 6379, 7, "u", "p"}, "redis+unix:///a@b?db=7"},
  };
  for (const auto& [url, want, shown] : cases) {
    const auto address = parse_redis_url(url);
    ASSERT_TRUE(address) << url << ": " << address.error().message;
    EXPECT_EQ(*address, want) << url;
    EXPECT_EQ(address->shown(), shown);
  }
}

TEST(RedisAddress, refuses_everything_else_without_repeating_it) {
  for (const char* url : {"",
                          "redis",
                          "redis:/h",
                          "http://h",
                          "redis://",
                          "redis://:6379",
                          "redis://h:",
                          "redis://h:0",
                          "redis://h:65536",
                          "redis://h:12x",
                          "redis://h/x",
                          "redis://h/-1",
                          "redis://h/1/2",
                          "redis://[::1",
                          "redis://[::1]x",
                          "redis://user@h",
                          "redis://:secret%4@h",
                          "redis://:secret%zz@h",
                          "redis+unix://",
                          "redis+unix://host",
                          "redis+unix://host/path",
                          "redis+unix:///path?db=x",
                          "redis+unix://secret/path"}) {
    const auto address = parse_redis_url(url);
    ASSERT_FALSE(address) << url;
    EXPECT_EQ(address.error().code, ErrorCode::invalid_input) << url;
    EXPECT_FALSE(address.error().hint.empty());
    const std::string said = address.error().message + address.error().where + address.error().hint;
    EXPECT_EQ(said.find("secret"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace enfold::store::detail
