// SPDX-License-Identifier: Apache-2.0
// What the dashboard shows of a configuration file.
#include "enfold/gateway/config/shown_config.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ShownConfig, hides_values_of_variables_headers_and_hashes_by_their_place) {
  EXPECT_EQ(without_secret_values(R"(# für alle
archive = "a.db"
[principals.ada]
key_sha256 = "0123456789abcdef"
[upstreams.one]
command = "server"  # an ä
env = { PIN = "hunter2-correct-horse", NAME = { env = "OTHER" } }
[upstreams.two]
url = "http://localhost/mcp"
[upstreams.two.headers]
"X-Tenant" = """
several
lines"""
)"),
            R"(# für alle
archive = "a.db"
[principals.ada]
key_sha256 = "***"
[upstreams.one]
command = "server"  # an ä
env = { PIN = "***", NAME = { env = "OTHER" } }
[upstreams.two]
url = "http://localhost/mcp"
[upstreams.two.headers]
"X-Tenant" = "***"
)");
}

TEST(ShownConfig, hides_every_value_of_a_file_that_is_no_toml) {
  const std::string shown = without_secret_values("[upstreams.one.env]\nPIN = \"hunter2\nrest\n");
  EXPECT_THAT(shown, HasSubstr("[upstreams.one.env]\nPIN = \"***\""));
  EXPECT_THAT(shown, Not(HasSubstr("hunter2")));
  EXPECT_THAT(shown, Not(HasSubstr("rest")));
}

}  // namespace
}  // namespace enfold::gateway
