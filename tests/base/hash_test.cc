// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"

#include "enfold/base/text.h"

#include <gtest/gtest.h>
#include <string>

namespace enfold {
namespace {

TEST(Hash, computes_published_sha256_vectors) {
  const struct {
    std::string input;
    const char* want;
  } rows[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"Hello, world!", "315f5bdb76d078c43b8ac0064e4a0164612b1fce77c869345bfc94c75894edd3"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(to_hex(sha256(row.input)), row.want);
    EXPECT_EQ(sha256_name(row.input), std::string("sha256:") + row.want);
  }
}

TEST(Hash, takes_nul_bytes_as_content) {
  EXPECT_NE(sha256(std::string_view("a\0b", 3)), sha256(std::string_view("a\0c", 3)));
  EXPECT_NE(sha256(std::string_view("\0", 1)), sha256(""));
}

// A rollout bucket is the MD5 of "flag:client" as an integer, modulo 100, plus 1.
TEST(Hash, computes_md5_as_rollout_buckets_need_it) {
  EXPECT_EQ(to_hex(md5("")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(to_hex(md5("message digest")), "f96b697d7cb7938d525a2f31aaf161d0");
  const struct {
    const char* input;
    unsigned bucket;
  } rows[] = {
      {"new_search:user123", 61},
      {"response_contract_v2:anonymous", 33},
      {"response_contract_v2:client-a", 24},
      {"response_contract_v2:client-b", 94},
      {"flag:client_0", 91},
      {"response_v3:client_alpha", 31},
  };
  for (const auto& row : rows) {
    unsigned remainder = 0;
    for (const std::uint8_t byte : md5(row.input)) remainder = (remainder * 256 + byte) % 100;
    EXPECT_EQ(remainder + 1, row.bucket) << row.input;
  }
}

// RFC 4231, cases 1, 2, 3 and 6 (a key longer than the block); RFC 2104 pads an empty key.
TEST(Hash, computes_published_hmac_vectors) {
  const struct {
    std::string key;
    std::string input;
    const char* want;
  } rows[] = {
      {std::string(20, '\x0b'), "Hi There",
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"Jefe", "what do ya want for nothing?",
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {std::string(20, '\xaa'), std::string(50, '\xdd'),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
      {"", "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(to_hex(hmac_sha256(row.key, row.input)), row.want) << row.input;
  }
}

TEST(Hash, compares_secrets_by_every_byte_and_by_length) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equal_in_constant_time("abc", "xbc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "ab"));
  EXPECT_FALSE(equal_in_constant_time("abc", ""));
}

}  // namespace
}  // namespace enfold
