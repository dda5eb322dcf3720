// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using ServeKey = ProgramTest;

// The hash of a key is what sha256sum says of it.
constexpr const char* kHash = "b3968bdcf7fd8101ac10aef0c1246e9d0f9b25c810d15f5a1f1764beea16f950\n";

TEST_F(ServeKey, prints_the_hash_of_a_key_and_nothing_else) {
  for (const std::string end : {"", "\n", "\r\n"}) {
    EXPECT_THAT(enfold({"serve", "--hash-key"}, "0123456789abcdef-key" + end), ends(0, kHash, ""));
  }
}

TEST_F(ServeKey, refuses_what_is_no_key) {
  for (const std::string key :
       {"", "short", "with a space in it, so what", "p\xc3\xa4ssword-0123456"}) {
    const Ended ended = enfold({"serve", "--hash-key"}, key + "\n");
    EXPECT_THAT(ended, ends(4, "", HasSubstr("expected a key of 16 to 4096 visible ASCII")));
    EXPECT_THAT(ended.err, Not(HasSubstr("short")));
    EXPECT_THAT(ended.err, Not(HasSubstr("ssword")));
  }
}

TEST_F(ServeKey, is_what_a_configuration_takes) {
  const std::string hash(kHash, 64);
  const std::string upstream = "[upstreams.a]\ncommand = \"x\"\n";
  write("good.toml", "archive = \"memory\"\n" + upstream + "[principals.anna]\nkey_sha256 = \"" +
                         hash + "\"\nrate_limit.per_minute = 5\n");
  EXPECT_THAT(enfold({"serve", "--config", "good.toml", "--check"}),
              ends(0,
                   AllOf(HasSubstr("  principal anna, 5 calls of a tool a minute, 10 at once\n"),
                         Not(HasSubstr(hash))),
                   ""));
  write("bad.toml", upstream + "[principals.anna]\nkey_sha256 = \"" + hash +
                        "\"\n[principals.ben]\nkey_sha256 = \"" + hash +
                        "\"\n[principals.\"a b\"]\nkey_sha256 = \"" + std::string(64, '0') +
                        "\"\n");
  EXPECT_THAT(enfold({"serve", "--config", "bad.toml", "--check"}),
              ends(2, "bad.toml: not valid, 2 problems\n",
                   AllOf(HasSubstr("expected a unique key, found the key of anna"),
                         HasSubstr("expected the name of a principal, found \"a b\""))));
  write("plain.toml", upstream + "[principals.anna]\nkey_sha256 = \"my-own-key\"\n");
  EXPECT_THAT(enfold({"serve", "--config", "plain.toml", "--check"}),
              ends(2, HasSubstr("1 problem"), HasSubstr("principals.anna.key_sha256: expected ")));
}

}  // namespace
}  // namespace enfold::cli
