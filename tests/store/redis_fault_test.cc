// SPDX-License-Identifier: Apache-2.0
// What goes wrong around a Redis store ends in a typed error, never in a dead handle or wrong
// bytes.
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/store/stores.h"
#include "tests/store/putter.h"
#include "tests/store/stores.h"

#include <csignal>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace enfold::store::testing {
namespace {

TEST(RedisFaults, a_server_that_is_gone_is_an_error_and_a_new_one_is_found) {
  RedisServer server(RedisServer::Keeps::every_write);
  ASSERT_EQ(server.start(), "");
  auto archive = redis_archive(server.url(), kPatient);
  auto counters = redis_counters(server.url(), kPatient.server_timeout);
  ASSERT_TRUE(archive && counters);
  const auto before = (*archive)->put("ann", content_of(1, 1), {}, at(0));
  server.kill();
  for (int i = 0; i < 3; ++i) {
    const auto put = (*archive)->put("ann", "lost", {}, at(0));
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code, ErrorCode::unavailable) << put.error().message;
    EXPECT_NE(put.error().where.find("redis+unix://"), std::string::npos);
    EXPECT_FALSE(put.error().hint.empty());
    EXPECT_EQ((*archive)->get("ann", before->handle, at(0)).error().code, ErrorCode::unavailable);
    EXPECT_EQ((*counters)->take({"ann", "t"}, {}, at(0)).error().code, ErrorCode::unavailable);
    EXPECT_FALSE((*archive)->statistics());
    EXPECT_FALSE((*archive)->expire(at(0)));
    EXPECT_FALSE((*archive)->verify());
    EXPECT_FALSE((*archive)->find("ann", {}, at(0)));
  }
  ASSERT_EQ(server.start(), "");
  EXPECT_EQ((*archive)->get("ann", before->handle, at(0)), content_of(1, 1));
  EXPECT_TRUE((*archive)->put("ann", "kept", {}, at(0)));
  EXPECT_TRUE((*counters)->take({"ann", "t"}, {}, at(0)));
}

TEST(RedisFaults, a_server_that_restarted_between_two_calls_is_not_noticed) {
  RedisServer server(RedisServer::Keeps::every_write);
  ASSERT_EQ(server.start(), "");
  auto archive = redis_archive(server.url(), kPatient);
  const auto before = (*archive)->put("ann", "before", {}, at(0));
  server.kill();
  ASSERT_EQ(server.start(), "");
  EXPECT_EQ((*archive)->get("ann", before->handle, at(0)), "before");
  server.tell({"SCRIPT", "FLUSH"});
  EXPECT_EQ((*archive)->get("ann", before->handle, at(0)), "before");
}

TEST(RedisFaults, a_server_that_does_not_answer_is_an_error_after_the_stated_wait) {
  RedisServer server(RedisServer::Keeps::nothing);
  ASSERT_EQ(server.start(), "");
  auto archive = redis_archive(server.url(), {.server_timeout = std::chrono::milliseconds(50)});
  server.tell({"CLIENT", "PAUSE", "60000", "ALL"});
  const auto put = (*archive)->put("ann", "x", {}, at(0));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::timed_out) << put.error().message;
  EXPECT_NE(put.error().message.find("50 ms"), std::string::npos);
}

TEST(RedisFaults, a_server_without_memory_refuses_and_keeps_what_it_has) {
  RedisServer server(RedisServer::Keeps::nothing);
  ASSERT_EQ(server.start(), "");
  auto archive = redis_archive(server.url(), kPatient);
  const auto before = (*archive)->put("ann", "before", {}, at(0));
  server.tell({"CONFIG", "SET", "maxmemory", "1"});
  const auto put = (*archive)->put("ann", "x", {}, at(0));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::unavailable) << put.error().message;
  EXPECT_NE(put.error().hint.find("maxmemory"), std::string::npos);
  EXPECT_EQ((*archive)->get("ann", before->handle, at(0)), "before");
}

TEST(RedisFaults, a_password_is_needed_and_never_repeated) {
  RedisServer server(RedisServer::Keeps::nothing);
  ASSERT_EQ(server.start(), "");
  server.tell({"CONFIG", "SET", "requirepass", "p@ss/word"});
  EXPECT_EQ(redis_archive(server.url(), kPatient).error().code, ErrorCode::unauthorized);
  const auto wrong = redis_archive("redis+unix://:hunter2@" + server.socket());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::unauthorized) << wrong.error().message;
  const std::string said = wrong.error().message + wrong.error().where + wrong.error().hint;
  EXPECT_EQ(said.find("hunter2"), std::string::npos) << said;
  auto archive = redis_archive("redis+unix://:p%40ss%2Fword@" + server.socket() + "?db=3");
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_TRUE((*archive)->put("ann", "x", {}, at(0)));
}

TEST(RedisFaults, damaged_content_is_an_error_until_it_is_put_again) {
  RedisServer* const server = shared_redis();
  ASSERT_NE(server, nullptr);
  server->tell({"FLUSHALL"});
  auto archive = redis_archive(server->url(), kPatient);
  const std::string tag = "enfold:{" + to_hex(detail::digest_of_parts({"ann"})) + "}:";
  const std::string bytes = content_of(2, 5);
  const auto receipt = (*archive)->put("ann", bytes, {}, at(0));
  const std::string hash = receipt->hash.substr(7);
  const std::vector<std::vector<std::string>> harms{
      {"HSET", tag + "data", hash, "wrong"},
      {"HDEL", tag + "data", hash},
      {"HSET", tag + "entry", hash, receipt->handle + " nonsense"},
      {"HSET", tag + "entry", hash, ""},
  };
  for (const auto& harm : harms) {
    SCOPED_TRACE(harm[0] + " " + harm.back());
    server->tell(harm);
    for (const std::string& reference : {receipt->handle, receipt->hash}) {
      const auto got = (*archive)->get("ann", reference, at(0));
      ASSERT_FALSE(got);
      EXPECT_EQ(got.error().code, ErrorCode::internal) << got.error().message;
    }
    EXPECT_EQ((*archive)->verify()->damaged.size(), 1U);
    EXPECT_TRUE((*archive)->find("ann", {}, at(0))) << "other content is still listed";
    const auto again = (*archive)->put("ann", bytes, {}, at(1));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ((*archive)->get("ann", again->handle, at(1)), bytes);
    EXPECT_TRUE((*archive)->verify()->damaged.empty());
  }
}

TEST(RedisFaults, a_damaged_record_does_not_hide_the_others) {
  RedisServer* const server = shared_redis();
  ASSERT_NE(server, nullptr);
  server->tell({"FLUSHALL"});
  auto archive = redis_archive(server->url(), kPatient);
  const std::string tag = "enfold:{" + to_hex(detail::digest_of_parts({"ann"})) + "}:";
  constexpr std::size_t kEntries = 250;  // more than one page of the list
  std::string damaged;
  for (std::size_t i = 0; i < kEntries; ++i) {
    const auto receipt = (*archive)->put("ann", content_of(1, static_cast<int>(i)), {}, at(0));
    ASSERT_TRUE(receipt);
    if (i + 1 == kEntries) damaged = receipt->hash;
  }
  server->tell({"HSET", tag + "entry", damaged.substr(7), "nonsense"});
  const auto listed = (*archive)->find("ann", {.limit = 1000}, at(0));
  ASSERT_TRUE(listed) << listed.error().message;
  EXPECT_EQ(listed->size(), kEntries - 1);
  const auto got = (*archive)->get("ann", damaged, at(0));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().where, damaged);
  EXPECT_EQ(got.error().hint, "Call the tool again; its new answer replaces the damaged one.");
}

TEST(RedisFaults, a_key_with_the_name_of_an_error_is_no_such_error) {
  RedisServer server(RedisServer::Keeps::nothing, {"--rename-command", "SET", "HIDDEN"});
  ASSERT_EQ(server.start(), "");
  const auto secret = redis_secret(server.url(), "TASK OOM", "fresh", std::chrono::seconds(5));
  ASSERT_FALSE(secret);
  EXPECT_NE(secret.error().message.find("TASK OOM"), std::string::npos) << secret.error().message;
  EXPECT_EQ(secret.error().code, ErrorCode::unavailable);
  EXPECT_EQ(secret.error().hint, "");
}

TEST(RedisFaults, a_handle_that_is_not_of_its_content_is_replaced) {
  RedisServer* const server = shared_redis();
  ASSERT_NE(server, nullptr);
  server->tell({"FLUSHALL"});
  auto archive = redis_archive(server->url(), kPatient);
  const std::string tag = "enfold:{" + to_hex(detail::digest_of_parts({"ann"})) + "}:";
  const auto receipt = (*archive)->put("ann", "bytes", {}, at(0));
  const std::string hash = receipt->hash.substr(7);
  server->tell({"HSET", tag + "entry", hash, "111111111111 5 5 0 1 100000\n0:,0:,0:,"});
  server->tell({"HDEL", tag + "handle", receipt->handle});
  server->tell({"HSET", tag + "handle", "111111111111", hash});
  EXPECT_EQ((*archive)->verify()->damaged.size(), 1U);
  EXPECT_EQ((*archive)->put("ann", "bytes", {}, at(1))->handle, receipt->handle);
  EXPECT_EQ((*archive)->get("ann", receipt->handle, at(1)), "bytes");
  EXPECT_TRUE((*archive)->verify()->damaged.empty());
  EXPECT_EQ((*archive)->statistics()->entries, 1U);
}

TEST(RedisFaults, sums_and_the_size_cap_hold_when_records_are_damaged) {
  RedisServer* const server = shared_redis();
  ASSERT_NE(server, nullptr);
  const std::string tag = "enfold:{" + to_hex(detail::digest_of_parts({"ann"})) + "}:";
  const std::string first(400, 'a');
  const std::string hash = sha256_name(first).substr(7);
  const std::vector<std::vector<std::string>> harms{
      {"HSET", tag + "entry", hash, "nonsense"},
      {"HSET", tag + "entry", hash, "123456789012 1 1 0 1 1\n0:,0:,0:,"},
      {"HSET", tag + "entry", hash, ""},
      {"HDEL", tag + "entry", hash},
      {"HDEL", tag + "data", hash},
  };
  for (const auto& harm : harms) {
    SCOPED_TRACE(harm[0] + " " + harm.back());
    server->tell({"FLUSHALL"});
    auto archive = redis_archive(
        server->url(), {.life = std::chrono::seconds(100), .max_bytes_per_principal = 1000});
    const auto expect = [&](std::uint64_t entries) {
      const auto held = (*archive)->statistics();
      EXPECT_EQ(held->entries, entries);
      EXPECT_EQ(held->bytes, 400 * entries);
      EXPECT_EQ(held->stored_bytes, 400 * entries);
    };
    const auto put = [&](char letter, std::int64_t now) {
      return (*archive)->put("ann", std::string(400, letter), {}, at(now))->handle;
    };
    const std::string handle = put('a', 0);
    for (int again = 1; again <= 5; ++again) {
      server->tell(harm);
      EXPECT_EQ(put('a', again), handle) << "a handle that was printed opens again";
      expect(1);
    }
    put('b', 6);
    server->tell(harm);
    put('c', 7);  // the oldest has to go
    expect(2);
    put('a', 8);
    EXPECT_EQ((*archive)->find("ann", {}, at(8))->size(), 2U);
    server->tell(harm);
    EXPECT_EQ((*archive)->expire(at(200)), 2U);
    expect(0);
    EXPECT_EQ(server->tell({"KEYS", "*"}), tag + "sums\n");
  }
}

TEST(RedisFaults, keys_of_another_type_are_an_error) {
  RedisServer* const server = shared_redis();
  ASSERT_NE(server, nullptr);
  server->tell({"FLUSHALL"});
  const std::string tag = "enfold:{" + to_hex(detail::digest_of_parts({"ann"})) + "}:";
  server->tell({"SET", tag + "sums", "text"});
  auto archive = redis_archive(server->url(), kPatient);
  const auto put = (*archive)->put("ann", "x", {}, at(0));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::internal) << put.error().message;
  EXPECT_FALSE((*archive)->get("ann", "123456789012", at(0)));
}

TEST(RedisFaults, settings_that_endanger_handles_are_told) {
  RedisServer server(RedisServer::Keeps::nothing);
  ASSERT_EQ(server.start(), "");
  auto archive = redis_archive(server.url(), kPatient);
  EXPECT_EQ((*archive)->statistics()->warnings.size(), 1U);
  server.tell({"CONFIG", "SET", "maxmemory", "100mb"});
  server.tell({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
  EXPECT_EQ((*archive)->statistics()->warnings.size(), 2U);
  server.tell({"CONFIG", "SET", "appendonly", "yes"});
  server.tell({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
  EXPECT_TRUE((*archive)->statistics()->warnings.empty());
}
}  // namespace
}  // namespace enfold::store::testing
