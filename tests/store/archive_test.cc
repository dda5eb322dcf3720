// SPDX-License-Identifier: Apache-2.0
// The contract of an archive, for every store.
#include "enfold/store/archive.h"

#include "enfold/base/hash.h"
#include "tests/store/stores.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace enfold::store::testing {
namespace {

using Archives = EveryStore;
INSTANTIATE_TEST_SUITE_P(Store, Archives, kEveryKind, kind_of_test);

std::string text_of(std::size_t size) {
  std::string text;
  while (text.size() < size) text += "{\"id\":" + std::to_string(text.size()) + "},";
  text.resize(size);
  return text;
}

/// Bytes that no compressor makes smaller.
std::string noise(std::size_t size, std::uint64_t seed) {
  std::string bytes;
  for (std::uint64_t i = 0; bytes.size() < size; ++i) {
    const auto block = sha256(std::to_string(seed) + ":" + std::to_string(i));
    bytes.append(block.begin(), block.end());
  }
  bytes.resize(size);
  return bytes;
}

ErrorCode code_of(const Error& error) { return error.code; }
template <class T>
ErrorCode code_of(const Result<T>& result) {
  EXPECT_FALSE(result) << "expected an error";
  return result ? ErrorCode::cancelled : code_of(result.error());
}

TEST_P(Archives, gives_back_the_bytes_that_were_put) {
  const auto archive = store.open();
  using namespace std::string_literals;
  for (const std::string& bytes :
       {""s, "x"s, "\0\xff\r\n"s, "日本語"s, text_of(1023), text_of(1024), text_of(100'000),
        noise(5'000, 1), noise(2'000'000, 2)}) {
    const auto receipt = archive->put("ann", bytes, {}, at(1000));
    ASSERT_TRUE(receipt) << receipt.error().message;
    EXPECT_EQ(receipt->hash, sha256_name(bytes));
    EXPECT_EQ(archive->get("ann", receipt->handle, at(1001)), bytes);
    EXPECT_EQ(archive->get("ann", receipt->hash, at(1001)), bytes);
  }
}

TEST_P(Archives, handles_are_twelve_digits_without_a_leading_zero) {
  const auto archive = store.open();
  for (int i = 0; i < 20; ++i) {
    const std::string handle = archive->put("ann", std::to_string(i), {}, at(0))->handle;
    EXPECT_EQ(handle.size(), 12U);
    EXPECT_EQ(handle.find_first_not_of("0123456789"), std::string::npos) << handle;
    EXPECT_NE(handle.front(), '0');
  }
}

TEST_P(Archives, accept_a_hash_in_either_case) {
  const auto archive = store.open();
  std::string hash = archive->put("ann", "content", {}, at(0))->hash;
  std::transform(hash.begin() + 7, hash.end(), hash.begin() + 7,
                 [](char c) { return static_cast<char>(std::toupper(c)); });
  EXPECT_EQ(archive->get("ann", hash, at(1)), "content");
}

TEST_P(Archives, the_same_bytes_have_one_handle_and_a_longer_life) {
  const auto archive = store.open({.life = std::chrono::seconds(100)});
  const auto first = archive->put("ann", "content", {.tool = "list"}, at(1000));
  const auto again = archive->put("ann", "content", {.tool = "search"}, at(1050));
  EXPECT_EQ(again->handle, first->handle);
  EXPECT_EQ(first->expires, at(1100));
  EXPECT_EQ(again->expires, at(1150));
  const auto entry = archive->stat("ann", first->handle, at(1149));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->created, at(1000));
  EXPECT_EQ(entry->expires, at(1150));
  EXPECT_EQ(entry->meta.tool, "search");
  EXPECT_EQ(archive->statistics()->entries, 1U);
}

TEST_P(Archives, a_handle_opens_as_the_media_type_it_was_given_for) {
  const auto archive = store.open({.life = std::chrono::seconds(100)});
  const std::vector<std::string> kinds{"application/json", "text/plain", ""};
  std::vector<Receipt> given;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Time now = at(1000 + static_cast<int>(i));
    given.push_back(*archive->put("ann", "[1]", {.media_type = kinds[i]}, now));
    EXPECT_EQ(archive->stat("ann", given[i].hash, now)->meta.media_type, kinds[i]);
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(archive->stat("ann", given[i].handle, at(1003))->meta.media_type, kinds[i]);
    EXPECT_EQ(archive->get("ann", given[i].handle, at(1003)), "[1]");
    EXPECT_EQ(given[i].hash, given[0].hash);
  }
  EXPECT_EQ(archive->find("ann", {}, at(1003))->size(), 3U);
  EXPECT_EQ(archive->statistics()->stored_bytes, 9U);
  EXPECT_TRUE(archive->verify()->damaged.empty());
  // Put again, each keeps its own; the last one stays when the others have gone.
  EXPECT_EQ(archive->put("ann", "[1]", {.media_type = kinds[1]}, at(1050))->handle,
            given[1].handle);
  EXPECT_EQ(archive->expire(at(1120)), 2U);
  EXPECT_EQ(archive->stat("ann", given[1].hash, at(1120))->meta.media_type, kinds[1]);
  EXPECT_EQ(archive->get("ann", given[1].handle, at(1120)), "[1]");
  EXPECT_EQ(archive->put("ann", "[1]", {.media_type = kinds[1]}, at(1120))->handle,
            given[1].handle);
  EXPECT_EQ(archive->statistics()->entries, 1U);
}

TEST_P(Archives, a_clock_that_lags_does_not_shorten_a_life) {
  const auto archive = store.open({.life = std::chrono::seconds(100)});
  const auto first = archive->put("ann", "content", {}, at(1000));
  EXPECT_EQ(archive->put("ann", "content", {}, at(900))->expires, first->expires);
  EXPECT_EQ(archive->get("ann", first->handle, at(1099)), "content");
}

TEST_P(Archives, keep_content_for_seven_days_unless_told_otherwise) {
  const auto archive = store.open();
  EXPECT_EQ(archive->put("ann", "content", {}, at(1000))->expires, at(1000 + 168 * 3600));
}

TEST_P(Archives, foreign_expired_and_unknown_are_one_error) {
  const auto archive = store.open({.life = std::chrono::seconds(100)});
  const auto receipt = archive->put("ann", "content", {}, at(1000));
  for (const std::string& reference : {receipt->handle, receipt->hash}) {
    const auto foreign = archive->get("bob", reference, at(1000));
    const auto expired = archive->get("ann", reference, at(1100));
    const auto another = store.kind() == Kind::memory ? store.open() : nullptr;
    ASSERT_FALSE(foreign);
    ASSERT_FALSE(expired);
    EXPECT_EQ(foreign.error(), expired.error());
    EXPECT_EQ(foreign.error().code, ErrorCode::not_found);
    EXPECT_NE(foreign.error().hint.find("kept for 100 seconds"), std::string::npos)
        << foreign.error().hint;
    EXPECT_EQ(archive->stat("bob", reference, at(1000)).error(), expired.error());
    ASSERT_TRUE(archive->expire(at(1100)));
    EXPECT_EQ(archive->get("ann", reference, at(1000)).error(), expired.error());
    ASSERT_TRUE(archive->put("ann", "content", {}, at(1000)));
  }
}

TEST_P(Archives, what_is_no_reference_is_not_found_and_not_repeated_in_full) {
  const auto archive = store.open();
  ASSERT_TRUE(archive->put("ann", "content", {}, at(0)));
  using namespace std::string_literals;
  for (const std::string& reference :
       {""s, "1"s, "12345678901"s, "1234567890123"s, "12345678901a"s, "-23456789012"s, "*"s,
        "../../etc/passwd"s, "sha256:"s, "sha256:xyz"s, "sha256:" + std::string(63, 'a'),
        std::string(64, 'a'), "sha1:" + std::string(64, 'a'), "' OR 1=1 --"s, "\0"s,
        std::string(100'000, 'x')}) {
    const auto got = archive->get("ann", reference, at(0));
    EXPECT_EQ(code_of(got), ErrorCode::not_found) << reference.substr(0, 80);
    EXPECT_LE(got.error().where.size(), 90U);
    EXPECT_EQ(got.error().where.find('\0'), std::string::npos);
  }
}

TEST_P(Archives, two_principals_with_the_same_bytes_do_not_share_a_handle) {
  const auto archive = store.open();
  const auto ann = archive->put("ann", "content", {.tool = "a"}, at(0));
  const auto bob = archive->put("bob", "content", {.tool = "b"}, at(0));
  EXPECT_NE(ann->handle, bob->handle);
  EXPECT_EQ(ann->hash, bob->hash);
  EXPECT_EQ(code_of(archive->get("bob", ann->handle, at(1))), ErrorCode::not_found);
  EXPECT_EQ(archive->stat("ann", ann->hash, at(1))->meta.tool, "a");
  EXPECT_EQ(archive->stat("bob", ann->hash, at(1))->meta.tool, "b");
}

TEST_P(Archives, an_empty_principal_is_refused) {
  const auto archive = store.open();
  const auto receipt = archive->put("ann", "content", {}, at(0));
  EXPECT_EQ(code_of(archive->put("", "content", {}, at(0))), ErrorCode::invalid_input);
  EXPECT_EQ(code_of(archive->get("", receipt->hash, at(0))), ErrorCode::invalid_input);
  EXPECT_EQ(code_of(archive->find("", {}, at(0))), ErrorCode::invalid_input);
}

TEST_P(Archives, principals_may_be_any_bytes) {
  const auto archive = store.open();
  using namespace std::string_literals;
  const std::vector<std::string> names{"a"s,   "a\0"s, "A"s,    "{a}"s,
                                       "a:b"s, "ä"s,   "' --"s, std::string(10'000, 'p')};
  for (const std::string& name : names) ASSERT_TRUE(archive->put(name, "of " + name, {}, at(0)));
  for (const std::string& name : names) {
    const auto mine = archive->find(name, {}, at(0));
    ASSERT_EQ(mine->size(), 1U);
    EXPECT_EQ(archive->get(name, mine->front().handle, at(0)), "of " + name);
  }
}

TEST_P(Archives, stat_tells_size_and_description) {
  const auto archive = store.open();
  const std::string bytes = text_of(50'000);
  const Meta meta{"list\nitems", "sha256:aa", "application/json"};
  const auto receipt = archive->put("ann", bytes, meta, at(7));
  const auto entry = archive->stat("ann", receipt->hash, at(8));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->handle, receipt->handle);
  EXPECT_EQ(entry->hash, receipt->hash);
  EXPECT_EQ(entry->expires, receipt->expires);
  EXPECT_EQ(entry->meta, meta);
  EXPECT_EQ(entry->size, 50'000U);
  EXPECT_LT(entry->stored_size, 25'000U);
}

TEST_P(Archives, compress_from_a_kilobyte_on_and_only_when_that_helps) {
  const auto archive = store.open();
  const auto stored = [&](const std::string& bytes) {
    return archive->stat("ann", archive->put("ann", bytes, {}, at(0))->hash, at(0))->stored_size;
  };
  EXPECT_EQ(stored(text_of(1023)), 1023U);
  EXPECT_LT(stored(text_of(1024)), 1024U);
  EXPECT_EQ(stored(noise(4096, 3)), 4096U);
}

TEST_P(Archives, list_the_latest_first_by_tool_and_by_page) {
  const auto archive = store.open({.life = std::chrono::seconds(1000)});
  for (int i = 0; i < 450; ++i) {
    ASSERT_TRUE(
        archive->put("ann", std::to_string(i), {.tool = i % 3 == 0 ? "three" : "other"}, at(i)));
  }
  ASSERT_TRUE(archive->put("ann", "5", {.tool = "other"}, at(450)));
  ASSERT_TRUE(archive->put("bob", "secret", {.tool = "three"}, at(450)));
  const auto newest = archive->find("ann", {.limit = 2}, at(450));
  ASSERT_EQ(newest->size(), 2U);
  EXPECT_EQ(newest->at(0).hash, sha256_name("5"));
  EXPECT_EQ(newest->at(1).hash, sha256_name("449"));
  EXPECT_EQ(archive->find("ann", {.limit = 1000}, at(450))->size(), 450U);
  const auto threes = archive->find("ann", {.tool = "three", .limit = 1000}, at(450));
  EXPECT_EQ(threes->size(), 150U);
  const auto page = archive->find("ann", {.tool = "three", .skip = 148, .limit = 10}, at(450));
  ASSERT_EQ(page->size(), 2U);
  EXPECT_EQ(page->at(1).hash, sha256_name("0"));
  EXPECT_TRUE(archive->find("ann", {.limit = 0}, at(450))->empty());
  EXPECT_TRUE(archive->find("carol", {}, at(450))->empty());
  // Those of the first 100 seconds have expired, but for the one that was put again.
  EXPECT_EQ(archive->find("ann", {.limit = 1000}, at(1099))->size(), 351U);
}

TEST_P(Archives, expire_removes_what_is_due_and_says_how_much) {
  const auto archive = store.open({.life = std::chrono::seconds(100)});
  const auto old = archive->put("ann", text_of(5000), {}, at(1000));
  ASSERT_TRUE(archive->put("bob", "b", {}, at(1000)));
  const auto young = archive->put("ann", "young", {}, at(1050));
  EXPECT_EQ(archive->expire(at(1099)), 0U);
  EXPECT_EQ(archive->expire(at(1100)), 2U);
  EXPECT_EQ(archive->expire(at(1100)), 0U);
  EXPECT_EQ(code_of(archive->get("ann", old->handle, at(1000))), ErrorCode::not_found);
  EXPECT_EQ(archive->get("ann", young->handle, at(1100)), "young");
  const auto left = archive->statistics();
  EXPECT_EQ(left->principals, 1U);
  EXPECT_EQ(left->entries, 1U);
  EXPECT_EQ(left->bytes, 5U);
  EXPECT_EQ(left->stored_bytes, 5U);
}

TEST_P(Archives, puts_remove_expired_content_step_by_step) {
  const auto archive = store.open({.life = std::chrono::seconds(100)});
  constexpr std::uint64_t kExpired = 300;
  for (std::uint64_t i = 0; i < kExpired; ++i) {
    ASSERT_TRUE(archive->put("ann", "old " + std::to_string(i), {}, at(0)));
  }
  std::uint64_t left = kExpired;
  std::uint64_t puts = 0;
  while (left > puts && puts < 5000) {
    ASSERT_TRUE(archive->put("ann", "new " + std::to_string(puts++), {}, at(100)));
    left = archive->statistics()->entries;
  }
  EXPECT_EQ(left, puts) << "the backlog is gone";
  EXPECT_EQ(archive->expire(at(100)), 0U);
}

TEST_P(Archives, expired_content_that_is_put_again_is_new) {
  const auto archive = store.open({.life = std::chrono::seconds(100)});
  const auto first = archive->put("ann", "bytes", {}, at(0));
  const auto again = archive->put("ann", "bytes", {}, at(500));
  EXPECT_EQ(again->handle, first->handle);
  EXPECT_EQ(again->expires, at(600));
  EXPECT_EQ(archive->stat("ann", again->handle, at(500))->created, at(500));
}

TEST_P(Archives, both_durabilities_store_the_same) {
  for (const Durability durability : {Durability::disk, Durability::process}) {
    const auto archive = store.open({.durability = durability});
    const auto receipt = archive->put("ann", text_of(5000), {}, at(0));
    ASSERT_TRUE(receipt);
    EXPECT_EQ(archive->get("ann", receipt->handle, at(0)), text_of(5000));
  }
}

TEST_P(Archives, large_content_that_does_not_shrink_is_stored_as_it_is) {
  const auto archive = store.open();
  const auto stored = [&](const std::string& bytes) {
    return archive->stat("ann", archive->put("ann", bytes, {}, at(0))->hash, at(0))->stored_size;
  };
  EXPECT_EQ(stored(noise(200'000, 3)), 200'000U);
  EXPECT_LT(stored(text_of(200'000)), 100'000U);
}

TEST_P(Archives, the_oldest_goes_when_a_principal_holds_too_much) {
  const auto archive = store.open({.max_bytes_per_principal = 1000});
  const auto bob = archive->put("bob", noise(900, 9), {}, at(0));
  const auto first = archive->put("ann", noise(400, 1), {}, at(1));
  const auto second = archive->put("ann", noise(400, 2), {}, at(2));
  ASSERT_TRUE(archive->put("ann", noise(400, 1), {}, at(3)));  // the first is now the newest
  const auto third = archive->put("ann", noise(400, 3), {}, at(4));
  EXPECT_TRUE(archive->get("ann", first->handle, at(5)));
  EXPECT_EQ(code_of(archive->get("ann", second->handle, at(5))), ErrorCode::not_found);
  EXPECT_TRUE(archive->get("ann", third->handle, at(5)));
  EXPECT_TRUE(archive->get("bob", bob->handle, at(5))) << "one principal's cap is no other's";
  const auto all = archive->put("ann", noise(1000, 4), {}, at(6));
  EXPECT_EQ(archive->get("ann", all->handle, at(6)), noise(1000, 4));
  EXPECT_EQ(archive->find("ann", {}, at(6))->size(), 1U);
}

TEST_P(Archives, what_is_larger_than_the_cap_is_refused_and_displaces_nothing) {
  const auto archive = store.open({.max_bytes_per_principal = 1000});
  const auto kept = archive->put("ann", noise(900, 1), {}, at(1));
  EXPECT_EQ(code_of(archive->put("ann", noise(1001, 2), {}, at(2))), ErrorCode::limit_exceeded);
  EXPECT_TRUE(archive->get("ann", kept->handle, at(2)));
  EXPECT_TRUE(archive->put("ann", text_of(5000), {}, at(3))) << "the cap counts bytes at rest";
}

TEST_P(Archives, a_principal_has_at_most_so_many_entries) {
  const auto archive = store.open({.max_entries_per_principal = 3});
  const auto bob = archive->put("bob", "of bob", {}, at(1));
  std::vector<Receipt> receipts;
  for (std::uint64_t i = 0; i < 5; ++i) {
    receipts.push_back(*archive->put("ann", noise(50, i), {}, at(1)));
  }
  EXPECT_EQ(archive->find("ann", {}, at(1))->size(), 3U);
  EXPECT_FALSE(archive->get("ann", receipts[1].handle, at(1)));
  EXPECT_TRUE(archive->get("ann", receipts[2].handle, at(1)));
  EXPECT_TRUE(archive->get("bob", bob->handle, at(1)));
}

// Redis evicts nothing for the cap of the whole, which is its maxmemory.
TEST_P(Archives, a_flood_of_one_principal_evicts_nothing_of_another) {
  const auto archive = store.open({.max_bytes_per_principal = 4000, .max_bytes = 5000});
  std::vector<Receipt> kept;
  for (std::uint64_t i = 0; i < 3; ++i) {
    kept.push_back(*archive->put("ann", noise(500, i), {}, at(1)));
  }
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(archive->put("bob", noise(400, 100 + i), {}, at(2)));
    for (const Receipt& one : kept) ASSERT_TRUE(archive->get("ann", one.handle, at(2))) << i;
  }
  EXPECT_LE(archive->statistics()->stored_bytes, store.kind() == Kind::redis ? 5500U : 5000U);
}

TEST_P(Archives, large_content_evicts_as_many_entries_as_it_needs) {
  const auto archive = store.open({.max_bytes_per_principal = 100'000});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(archive->put("ann", noise(100, i), {}, at(1)));
  }
  const auto large = archive->put("ann", noise(95'000, 5000), {}, at(2));
  ASSERT_TRUE(large) << large.error().message;
  EXPECT_EQ(archive->find("ann", {.limit = 2000}, at(2))->size(), 51U);
}

TEST_P(Archives, who_holds_most_makes_room_for_who_holds_less_than_a_share) {
  if (store.kind() == Kind::redis) return;
  const auto archive = store.open({.max_bytes_per_principal = 4000, .max_bytes = 4000});
  std::vector<Receipt> receipts;
  for (std::uint64_t i = 0; i < 8; ++i) {
    receipts.push_back(*archive->put("ann", noise(500, i), {}, at(1)));
  }
  const auto bob = archive->put("bob", noise(700, 9), {}, at(2));
  ASSERT_TRUE(bob);
  EXPECT_FALSE(archive->get("ann", receipts[0].handle, at(2)));
  EXPECT_FALSE(archive->get("ann", receipts[1].handle, at(2)));
  EXPECT_TRUE(archive->get("ann", receipts[2].handle, at(2)));
  const auto large = archive->put("cid", noise(3500, 10), {}, at(2));
  EXPECT_EQ(code_of(large), ErrorCode::limit_exceeded) << "bob and ann keep their shares";
  EXPECT_TRUE(archive->get("bob", bob->handle, at(2)));
  EXPECT_TRUE(archive->get("ann", receipts[2].handle, at(2)));
}

TEST_P(Archives, a_description_that_is_too_long_is_refused) {
  const auto archive = store.open();
  EXPECT_TRUE(archive->put("ann", "x", {.tool = std::string(kMostMetaBytes, 't')}, at(0)));
  const auto described =
      archive->put("ann", "x", {.tool = std::string(kMostMetaBytes + 1, 't')}, at(0));
  ASSERT_FALSE(described);
  EXPECT_FALSE(described.error().where.empty());
  EXPECT_FALSE(described.error().hint.empty());
  EXPECT_EQ(described.error().code, ErrorCode::limit_exceeded);
}

detail::Handles two_handles(const detail::Digest&, const detail::Digest&) {
  return {"100000000001", "100000000002"};
}

TEST_P(Archives, contents_that_want_the_same_handle_get_different_ones) {
  const auto archive = store.open_with(two_handles);
  EXPECT_EQ(archive->put("ann", "one", {}, at(0))->handle, "100000000001");
  EXPECT_EQ(archive->put("ann", "two", {}, at(0))->handle, "100000000002");
  EXPECT_EQ(archive->put("bob", "two", {}, at(0))->handle, "100000000001");
  EXPECT_EQ(archive->get("ann", "100000000001", at(0)), "one");
  EXPECT_EQ(archive->get("ann", "100000000002", at(0)), "two");
  const auto third = archive->put("ann", "three", {}, at(0));
  EXPECT_EQ(code_of(third), ErrorCode::unavailable);
  EXPECT_EQ(third.error().where, "the archive of this principal");
  EXPECT_FALSE(third.error().hint.empty());
  EXPECT_EQ(archive->put("ann", "one", {}, at(0))->handle, "100000000001");
}

TEST_P(Archives, content_outlives_the_object_that_put_it) {
  if (!store.is_shared()) return;
  const auto receipt = store.open()->put("ann", text_of(3000), {.tool = "t"}, at(5));
  const auto again = store.open();
  EXPECT_EQ(again->get("ann", receipt->handle, at(6)), text_of(3000));
  EXPECT_EQ(again->stat("ann", receipt->handle, at(6))->meta.tool, "t");
  EXPECT_EQ(again->put("ann", text_of(3000), {}, at(6))->handle, receipt->handle);
}

TEST_P(Archives, two_openings_see_each_others_content) {
  if (!store.is_shared()) return;
  const auto one = store.open(), two = store.open();
  for (int i = 0; i < 10; ++i) {
    const auto receipt = (i % 2 == 0 ? one : two)->put("ann", std::to_string(i), {}, at(i));
    EXPECT_EQ((i % 2 == 0 ? two : one)->get("ann", receipt->handle, at(i)), std::to_string(i));
  }
}

TEST_P(Archives, verify_counts_what_is_sound) {
  const auto archive = store.open();
  for (int i = 0; i < 70; ++i) {
    ASSERT_TRUE(archive->put(i % 2 == 0 ? "ann" : "bob", text_of(1000U + static_cast<unsigned>(i)),
                             {}, at(0)));
  }
  const auto verified = archive->verify();
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_EQ(verified->checked, 70U);
  EXPECT_TRUE(verified->damaged.empty());
}

TEST_P(Archives, many_threads_may_use_one_archive) {
  const auto archive = store.open();
  std::vector<std::thread> threads;
  std::vector<int> opened(4, 0);
  for (std::size_t t = 0; t < opened.size(); ++t) {
    threads.emplace_back([&, t] {
      const std::string principal = "p" + std::to_string(t % 2);
      for (std::size_t i = 0; i < 25; ++i) {
        const std::string bytes = text_of(900 + 10 * i + t);
        const auto receipt = archive->put(principal, bytes, {}, at(1));
        if (receipt && archive->get(principal, receipt->handle, at(1)) == bytes) ++opened[t];
        if (i % 8 == 0) (void)archive->find(principal, {}, at(1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : opened) EXPECT_EQ(count, 25);
  EXPECT_TRUE(archive->verify()->damaged.empty());
}

TEST(OpenArchive, refuses_what_it_cannot_open) {
  const struct {
    const char* place;
    ErrorCode want;
  } cases[] = {{"", ErrorCode::invalid_input},
               {"sqlite:", ErrorCode::invalid_input},
               {"postgres://u:secret@h/db", ErrorCode::invalid_input},
               {"redis://", ErrorCode::invalid_input},
               {"rediss://h", ErrorCode::unsupported},
               {"/proc/no/such/archive.db", ErrorCode::unavailable}};
  for (const auto& [place, want] : cases) {
    const auto archive = open_archive(place);
    EXPECT_EQ(code_of(archive), want) << place;
    EXPECT_FALSE(archive.error().message.empty());
    EXPECT_FALSE(archive.error().hint.empty()) << place;
    EXPECT_EQ((archive.error().message + archive.error().where).find("secret"), std::string::npos);
    EXPECT_EQ(code_of(open_counters(place)), want) << place;
  }
}

}  // namespace
}  // namespace enfold::store::testing
