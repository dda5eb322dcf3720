// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/endpoint.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace enfold::net {
namespace {

TEST(Url, is_taken_apart_or_refused) {
  struct Case {
    std::string text;
    std::string origin;  ///< empty: refused
    std::string target;
    std::string authority;
  };
  const std::vector<Case> cases = {
      {"http://localhost", "http://localhost:80", "/", "localhost"},
      {"HTTP://LocalHost:8080/Mcp?x=1#frag", "http://localhost:8080", "/Mcp?x=1", "localhost:8080"},
      {"https://example.org/", "https://example.org:443", "/", "example.org"},
      {"http://[::1]:81?q", "http://[::1]:81", "/?q", "[::1]:81"},
      {"example.org", "", "", ""},
      {"ftp://example.org", "", "", ""},
      {"http://", "", "", ""},
      {"http://a b/", "", "", ""},
      {"http://a:0/", "", "", ""},
      {"http://a:65536/", "", "", ""},
      {"http://a:80x/", "", "", ""},
      {"http://user:secret@a/", "", "", ""},
      {"htp://a/secret", "", "", ""},
      {"http://a/secret path", "", "", ""},
      {"http://[::1/", "", "", ""},
      {"http://a/b c", "", "", ""},
      {"http://a/b\r\nX: y", "", "", ""},
      {std::string("http://[::1\0\r\nX: y]/", 20), "", "", ""},
  };
  for (const Case& c : cases) {
    const Result<Url> url = parse_url(c.text);
    ASSERT_EQ(url.has_value(), !c.origin.empty()) << c.text;
    if (!url) {
      EXPECT_EQ(url.error().message.find("secret"), std::string::npos) << url.error().message;
      continue;
    }
    EXPECT_EQ(url->origin(), c.origin);
    EXPECT_EQ(url->target, c.target);
    EXPECT_EQ(url->authority(), c.authority);
  }
}

TEST(Network, is_the_half_of_an_ipv6_address_that_one_host_may_vary) {
  EXPECT_EQ(network_of("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(network_of("2001:db8:0:1:a:b:c:d"), "2001:db8:0:1::/64");
  EXPECT_EQ(network_of("2001:db8:0:1::"), network_of("2001:db8:0:1:ffff:ffff:ffff:ffff"));
  EXPECT_NE(network_of("2001:db8:0:1::1"), network_of("2001:db8:0:2::1"));
  EXPECT_EQ(network_of("fe80::1%eth0"), "fe80::/64");
  EXPECT_EQ(network_of("::1"), "::1");
  EXPECT_EQ(network_of(""), "");
}

}  // namespace
}  // namespace enfold::net
