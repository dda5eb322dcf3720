// SPDX-License-Identifier: Apache-2.0
// Who may use the dashboard and the admin API, and who may not.
#include "tests/admin/site.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kKey = "operator-key-0123456789";
const std::string kOther = "another-key-0123456789";

Settings with_principals() {
  Settings settings = one_upstream();
  settings.principals = {principal("olga", kKey), principal("ann", kOther)};
  settings.principals.front().is_operator = true;
  return settings;
}

constexpr std::array<const char*, 13> kReads{"/api/v1/session",
                                             "/api/v1/answers",
                                             "/api/v1/answers/export",
                                             "/api/v1/answers/1",
                                             "/api/v1/answers/1/golden",
                                             "/api/v1/events",
                                             "/api/v1/tools",
                                             "/api/v1/archive",
                                             "/api/v1/archive/stats",
                                             "/api/v1/archive/123456789012/tables",
                                             "/api/v1/upstreams",
                                             "/api/v1/sessions",
                                             "/api/v1/config"};
constexpr std::array<const char*, 6> kChanges{
    "/api/v1/answers/1/fit", "/api/v1/archive/123456789012/query",
    "/api/v1/config/check",  "/api/v1/config/reload",
    "/api/v1/check",         "/api/v1/logout"};

TEST(AdminAccess, refuses_every_path_without_a_login) {
  AdminSite site;
  for (const char* path : kReads) {
    const net::ClientResponse reply = site.send("GET", path);
    EXPECT_EQ(reply.head.status(), 401) << path;
    EXPECT_EQ(violations("error", json::parse_own(reply.body).view()), "") << reply.body;
  }
  for (const char* path : kChanges) {
    EXPECT_EQ(site.send("POST", path, "{}").head.status(), 401) << path;
    EXPECT_EQ(site.send("POST", path, "{}", {{"Cookie", "enfold_ui=00"}}).head.status(), 401);
  }
  EXPECT_EQ(site.send("GET", "/api/v1/nothing_of_the_kind").head.status(), 401);
  EXPECT_EQ(site.send("GET", "/ui/").head.status(), 200) << "the page shows a login";
}

TEST(AdminAccess, lets_in_the_holder_of_the_link_once) {
  AdminSite site;
  ASSERT_EQ(site.links.size(), 1U);
  const std::string first = site.links.front().substr(site.links.front().find("/ui/"));
  site.log_in();
  EXPECT_THAT(site.cookie, HasSubstr("enfold_ui"));
  EXPECT_EQ(site.send("GET", "/api/v1/answers", "", site.own_fields()).head.status(), 200);
  const net::ClientResponse again = site.send("GET", first);
  EXPECT_EQ(again.head.status(), 303);
  EXPECT_FALSE(again.head.find("Set-Cookie")) << "the token was used up";
  EXPECT_EQ(site.links.size(), 2U) << "a new link was made";
  EXPECT_EQ(site.send("POST", "/api/v1/login", R"({"token":"x"})").head.status(), 401);
  const std::string token = site.links.back().substr(site.links.back().find('=') + 1);
  const auto by_api = site.send("POST", "/api/v1/login", R"({"token":")" + token + R"("})");
  EXPECT_EQ(by_api.head.status(), 200);
  const std::string set(by_api.head.find("Set-Cookie").value_or(""));
  for (const char* const want : {"HttpOnly", "SameSite=Strict", "Path=/"}) {
    EXPECT_THAT(set, HasSubstr(want));
  }
}

// A body of 4 MB took the loop 160 ms, and unfinished ones took the memory for those of others.
TEST(AdminAccess, refuses_a_long_body_of_a_client_without_a_key_before_it_arrives) {
  AdminSite site;
  const auto status = [&](const std::string& target, const std::string& rest) {
    net::RawPeer peer = net::RawPeer::to_port(site.front->port());
    peer.send(target + " HTTP/1.1\r\nHost: localhost\r\n" + rest);
    EXPECT_TRUE(site.loop.until([&] { return peer.has("HTTP/1.1 "); })) << target;
    return peer.received().substr(9, 3);
  };
  const std::string long_body = "Content-Length: 4000000\r\n\r\n";
  const std::string chunk = "Transfer-Encoding: chunked\r\n\r\n1001\r\n" + std::string(4097, ' ');
  for (const char* const target : {"POST /api/v1/login", "GET /ui/", "GET /ui/app.js"}) {
    EXPECT_EQ(status(target, long_body), "413") << target;
    EXPECT_EQ(status(target, chunk), "413") << target;
  }
  for (const char* const target :
       {"POST /api/v1/check", "POST /api/v1/login/", "GET /api/v1/login"})
    EXPECT_EQ(status(target, long_body), "401") << target;
  EXPECT_EQ(site.front->server().stats().requests, 0U);
  const std::string padded = R"({"token":"x"})" + std::string(4000, ' ');
  EXPECT_EQ(site.send("POST", "/api/v1/login", padded).head.status(), 401) << "it is read";
  site.log_in();
  const std::string by_operator = "{}" + std::string(100'000, ' ');
  EXPECT_EQ(site.send("POST", "/api/v1/config/check", by_operator, site.own_fields()).head.status(),
            200);
}

TEST(AdminAccess, needs_the_csrf_token_for_every_change) {
  AdminSite site;
  site.log_in();
  const Fields only_cookie{{"Cookie", site.cookie}};
  const Fields wrong{{"Cookie", site.cookie}, {"X-Enfold-Csrf", std::string(32, '0')}};
  for (const char* path : kChanges) {
    EXPECT_EQ(site.send("POST", path, "{}", only_cookie).head.status(), 403) << path;
    EXPECT_EQ(site.send("POST", path, "{}", wrong).head.status(), 403) << path;
  }
  EXPECT_EQ(site.send("POST", "/api/v1/config/check", "{}", site.own_fields()).head.status(), 200);
  EXPECT_EQ(site.send("DELETE", "/api/v1/answers", "", site.own_fields()).head.status(), 405);
}

TEST(AdminAccess, refuses_pages_of_other_origins) {
  AdminSite site;
  site.log_in();
  const std::string own = fmt::format("http://127.0.0.1:{}", site.front->port());
  const auto status = [&](const std::string& name, const std::string& value,
                          const std::string& method = "GET") {
    Fields fields = site.own_fields();
    fields.emplace_back(name, value);
    const std::string path = method == "GET" ? "/api/v1/answers" : "/api/v1/config/check";
    return site.send(method, path, "", fields).head.status();
  };
  EXPECT_EQ(status("Origin", own), 200);
  EXPECT_EQ(status("Origin", own, "POST"), 200);
  EXPECT_EQ(status("Sec-Fetch-Site", "same-origin"), 200);
  EXPECT_EQ(status("Sec-Fetch-Site", "none"), 200);
  for (const char* const method : {"GET", "POST"}) {
    EXPECT_EQ(status("Origin", "http://127.0.0.1:1", method), 403) << "another port";
    EXPECT_EQ(status("Origin", "https://evil.example", method), 403);
    EXPECT_EQ(status("Origin", "null", method), 403);
    EXPECT_EQ(status("Sec-Fetch-Site", "same-site", method), 403);
    EXPECT_EQ(status("Sec-Fetch-Site", "cross-site", method), 403);
    EXPECT_GE(status("Host", "evil.example", method), 400);
  }
  const auto login =
      site.send("POST", "/api/v1/login", R"({"key":"x"})", {{"Origin", "http://127.0.0.1:1"}});
  EXPECT_EQ(login.head.status(), 403);
  EXPECT_FALSE(site.send("GET", "/api/v1/session", "", site.own_fields())
                   .head.find("Access-Control-Allow-Origin"));
}

TEST(AdminAccess, needs_an_operator_where_there_are_principals) {
  AdminSite site(with_principals());
  ASSERT_EQ(site.links.size(), 1U);
  EXPECT_THAT(site.links.front(), Not(HasSubstr("token"))) << "a key is needed";
  const auto with_key = [&](const std::string& key) {
    return site.send("GET", "/api/v1/session", "", {{"Authorization", "Bearer " + key}});
  };
  EXPECT_EQ(with_key(kKey).head.status(), 200);
  EXPECT_THAT(with_key(kKey).body, HasSubstr(R"("principal":"olga")"));
  EXPECT_EQ(with_key(kOther).head.status(), 401) << "ann is no operator";
  EXPECT_EQ(with_key("no key at all").head.status(), 401);
  const auto login = [&](const std::string& key) {
    return site.send("POST", "/api/v1/login", R"({"key":")" + key + R"("})");
  };
  EXPECT_EQ(login(kOther).head.status(), 401);
  const net::ClientResponse opened = login(kKey);
  EXPECT_EQ(opened.head.status(), 200);
  const std::string set(opened.head.find("Set-Cookie").value_or(""));
  site.cookie = set.substr(0, set.find(';'));
  EXPECT_EQ(text_at(site.get("/api/v1/session", "session"), "/principal"), R"("olga")");
  // A script needs no CSRF token: no page of another origin can send its key.
  EXPECT_EQ(site.send("POST", "/api/v1/config/check", "{}", {{"Authorization", "Bearer " + kKey}})
                .head.status(),
            200);
}

TEST(AdminAccess, ends_when_the_operator_logs_out_or_loses_the_role) {
  AdminSite site(with_principals());
  const auto opened = site.send("POST", "/api/v1/login", R"({"key":")" + kKey + R"("})");
  const std::string set(opened.head.find("Set-Cookie").value_or(""));
  site.cookie = set.substr(0, set.find(';'));
  site.csrf = site.get("/api/v1/session", "session")->find("csrf")->string();
  Settings changed = with_principals();
  changed.principals.front().is_operator = false;
  bool reloaded = false;
  site.gateway->reload(std::move(changed),
                       [&](const Result<ReloadResult>& done) { reloaded = done.has_value(); });
  ASSERT_TRUE(site.loop.until([&] { return reloaded; }));
  EXPECT_EQ(site.send("GET", "/api/v1/session", "", site.own_fields()).head.status(), 401);

  AdminSite other;
  other.log_in();
  const auto out = other.send("POST", "/api/v1/logout", "", other.own_fields());
  EXPECT_EQ(out.head.status(), 200);
  EXPECT_THAT(std::string(out.head.find("Set-Cookie").value_or("")), HasSubstr("Max-Age=0"));
  EXPECT_EQ(other.send("GET", "/api/v1/session", "", other.own_fields()).head.status(), 401);
}

net::RawPeer open_events(AdminSite& site, const std::string& field) {
  net::RawPeer reader = net::RawPeer::to_port(site.front->port());
  reader.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n" + field + "\r\n\r\n");
  EXPECT_TRUE(site.loop.until([&] { return reader.has("event: state"); }));
  return reader;
}

void reload(AdminSite& site, Settings settings) {
  bool reloaded = false;
  site.gateway->reload(std::move(settings),
                       [&](const Result<ReloadResult>& done) { reloaded = done.has_value(); });
  ASSERT_TRUE(site.loop.until([&] { return reloaded; }));
}

bool has_ended(net::RawPeer& reader) { return reader.has("\r\n0\r\n\r\n"); }

TEST(AdminAccess, ends_the_streams_of_a_login_that_ends) {
  AdminSite site;
  site.log_in();
  net::RawPeer reader = open_events(site, "Cookie: " + site.cookie);
  (void)site.send("POST", "/api/v1/logout", "", site.own_fields());
  EXPECT_TRUE(site.loop.until([&] { return has_ended(reader); }));
}

TEST(AdminAccess, ends_sessions_and_streams_when_the_key_changes) {
  AdminSite site(with_principals());
  const auto opened = site.send("POST", "/api/v1/login", R"({"key":")" + kKey + R"("})");
  const std::string set(opened.head.find("Set-Cookie").value_or(""));
  site.cookie = set.substr(0, set.find(';'));
  net::RawPeer by_cookie = open_events(site, "Cookie: " + site.cookie);
  net::RawPeer by_key = open_events(site, "Authorization: Bearer " + kKey);
  reload(site, with_principals());
  EXPECT_EQ(site.send("GET", "/api/v1/session", "", site.own_fields()).head.status(), 200);
  Settings changed = with_principals();
  changed.principals.front() = principal("olga", "a-new-key-0123456789");
  changed.principals.front().is_operator = true;
  reload(site, std::move(changed));
  EXPECT_EQ(site.send("GET", "/api/v1/session", "", site.own_fields()).head.status(), 401);
  site.loop->advance(EventStream::kPeriod);
  EXPECT_TRUE(site.loop.until([&] { return has_ended(by_cookie) && has_ended(by_key); }));
}

TEST(AdminAccess, ends_a_session_after_a_week_even_if_it_is_used) {
  AdminSite site;
  site.log_in();
  const auto has_status = [&](const std::string& status) {
    net::RawPeer peer = net::RawPeer::to_port(site.front->port());
    peer.send("GET /api/v1/session HTTP/1.1\r\nHost: localhost\r\nCookie: " + site.cookie +
              "\r\n\r\n");
    return site.loop.until([&] { return peer.has("HTTP/1.1 " + status); });
  };
  for (int i = 0; i < 16; ++i) {
    EXPECT_TRUE(has_status("200"));
    site.loop->advance(std::chrono::hours(10));
  }
  site.loop->advance(std::chrono::hours(9));
  EXPECT_TRUE(has_status("401"));
}

TEST(AdminAccess, gives_a_link_when_a_reload_has_removed_the_last_principal) {
  AdminSite site(with_principals());
  reload(site, one_upstream());
  (void)site.send("GET", "/ui/");
  ASSERT_EQ(site.links.size(), 2U);
  site.log_in();
  reload(site, with_principals());
  EXPECT_EQ(site.send("GET", "/api/v1/session", "", site.own_fields()).head.status(), 401);
}

TEST(AdminAccess, guards_every_reply_with_its_headers) {
  AdminSite site;
  for (const char* const path : {"/ui/", "/ui/answers/17", "/api/v1/session", "/ui/nothing.js"}) {
    const net::ClientResponse reply = site.send("GET", path);
    EXPECT_THAT(std::string(reply.head.find("Content-Security-Policy").value_or("")),
                HasSubstr("default-src 'none'; script-src 'self'"))
        << path;
    EXPECT_EQ(reply.head.find("X-Content-Type-Options"), "nosniff") << path;
    EXPECT_EQ(reply.head.find("Referrer-Policy"), "no-referrer") << path;
    EXPECT_EQ(reply.head.find("Cross-Origin-Resource-Policy"), "same-origin") << path;
  }
}

// A site whose operator comes from a network that has a limit, as all but loopback have.
class FromOutside {
 public:
  FromOutside() : site(with_principals(), 1 << 20, /*trusts_loopback=*/false) {}
  int by_key(const std::string& key, const std::string& path = "/api/v1/session",
             const char* method = "GET") {
    return site.send(method, path, "", {{"Authorization", "Bearer " + key}}).head.status();
  }
  int by_login(const std::string& key) {
    return site.send("POST", "/api/v1/login", R"({"key":")" + key + R"("})").head.status();
  }
  int by_mcp(const std::string& key) { return by_key(key, "/mcp", "DELETE"); }
  void send_wrong_keys(const std::function<int(const std::string& key)>& send) {
    for (std::size_t i = 0; i < LoginLimit::kMaxWrongKeys; ++i) {
      EXPECT_EQ(send(fmt::format("wrong {}", i)), 401);
    }
  }
  AdminSite site;
};

TEST(AdminAccess, refuses_all_keys_of_operators_after_many_wrong_ones) {
  for (const int first : {0, 1, 2}) {
    FromOutside outside;
    const net::ClientResponse opened =
        outside.site.send("POST", "/api/v1/login", R"({"key":")" + kKey + R"("})");
    const std::string set(opened.head.find("Set-Cookie").value_or(""));
    outside.site.cookie = set.substr(0, set.find(';'));
    outside.send_wrong_keys([&](const std::string& key) {
      return first == 0   ? outside.by_login(key)
             : first == 1 ? outside.by_key(key)
                          : outside.by_mcp(key);
    });
    for (const std::string& key : {std::string("wrong"), kKey}) {
      EXPECT_EQ(outside.by_login(key), 429) << key;
      EXPECT_EQ(outside.by_key(key), 429) << key;
      EXPECT_EQ(outside.by_key(key, "/api/v1/config/check", "POST"), 429) << key;
      EXPECT_EQ(outside.by_mcp(key), 429) << key;
    }
    EXPECT_EQ(outside.by_mcp(kOther), 400) << "clients that are no operators are served";
    const auto refused =
        outside.site.send("GET", "/api/v1/session", "", {{"Authorization", "Bearer " + kKey}});
    EXPECT_EQ(violations("error", json::parse_own(refused.body).view()), "");
    EXPECT_TRUE(refused.head.find("Retry-After"));
    EXPECT_EQ(
        outside.site.send("GET", "/api/v1/answers", "", outside.site.own_fields()).head.status(),
        200)
        << "sessions go on";
  }
}

TEST(AdminAccess, counts_each_wrong_key_once) {
  FromOutside outside;
  for (std::size_t i = 0; i < 2 * LoginLimit::kMaxWrongKeys; ++i) {
    EXPECT_EQ(outside.by_key("an old key of a script"), 401);
    EXPECT_EQ(outside.by_login("an old key of a script"), 401);
    EXPECT_EQ(outside.by_mcp("an old key of a script"), 401);
  }
  EXPECT_EQ(outside.by_key(kKey), 200);
  EXPECT_EQ(outside.by_login(kKey), 200);
}

// Behind a proxy all clients come from loopback, those who guess and the operators.
TEST(AdminAccess, accepts_right_keys_from_loopback_whatever_others_send) {
  AdminSite site(with_principals());
  for (int i = 0; i < 30; ++i) {
    const Fields wrong{{"Authorization", fmt::format("Bearer wrong {}", i)}};
    EXPECT_EQ(site.send("GET", "/api/v1/session", "", wrong).head.status(), 401);
    EXPECT_EQ(site.send("DELETE", "/mcp", "", wrong).head.status(), 401);
    EXPECT_EQ(site.send("POST", "/api/v1/login", R"({"key":"wrong"})").head.status(), 401);
  }
  const Fields right{{"Authorization", "Bearer " + kKey}};
  EXPECT_EQ(site.send("GET", "/api/v1/session", "", right).head.status(), 200);
  EXPECT_EQ(site.send("POST", "/api/v1/login", R"({"key":")" + kKey + R"("})").head.status(), 200);
}

// A page of any site can embed <img src="http://127.0.0.1:8080/ui/?token=x">.
TEST(AdminAccess, counts_no_tokens) {
  AdminSite site(one_upstream(), 1 << 20, /*trusts_loopback=*/false);
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(site.send("GET", fmt::format("/ui/?token={}", i)).head.status(), 303);
    EXPECT_EQ(
        site.send("POST", "/api/v1/login", fmt::format(R"({{"token":"{}"}})", i)).head.status(),
        401);
  }
  site.log_in();
  EXPECT_EQ(site.send("GET", "/api/v1/answers", "", site.own_fields()).head.status(), 200);
  FromOutside outside;
  for (int i = 0; i < 30; ++i) (void)outside.site.send("GET", "/ui/?token=x");
  EXPECT_EQ(outside.by_login(kKey), 200);
}

TEST(AdminAccess, logs_and_counts_wrong_keys_with_the_address) {
  FromOutside outside;
  const auto logged = [&](const std::string& code) {
    return std::ranges::count_if(outside.site.lines, [&](const serve::LogLine& line) {
      return line.event == "http_refused" && line.code == code &&
             line.client_address.starts_with("127.0.0.1:");
    });
  };
  EXPECT_EQ(outside.by_key("wrong"), 401);
  EXPECT_EQ(outside.by_login("wrong"), 401);
  EXPECT_EQ(outside.by_mcp("wrong"), 401);
  EXPECT_EQ(logged("401"), 3);
  EXPECT_EQ(outside.site.front->server().stats().refused, 3U);
  outside.send_wrong_keys([&](const std::string& key) {
    return key == "wrong 9" ? 401 : outside.by_key(key);  // one is counted already
  });
  EXPECT_EQ(outside.by_login(kKey), 429);
  EXPECT_EQ(logged("429"), 1);
}

TEST(AdminAccess, refuses_wrong_keys_before_the_body) {
  AdminSite site(with_principals());
  const auto reply = [&](const std::string& head) {
    net::RawPeer peer = net::RawPeer::to_port(site.front->port());
    peer.send("POST /api/v1/config/check HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
              head);
    EXPECT_TRUE(site.loop.until([&] { return peer.has("\r\n\r\n"); }));
    return peer.received().substr(0, 12);
  };
  EXPECT_EQ(reply("wrong\r\nContent-Length: 2\r\n\r\n"), "HTTP/1.1 401");
  EXPECT_EQ(reply(kKey + "\r\nContent-Length: 2\r\n\r\n}{"), "HTTP/1.1 400");
  EXPECT_EQ(reply(kKey + "\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
            "HTTP/1.1 200");
}

TEST(AdminAccess, needs_the_csrf_token_if_authorization_has_no_key) {
  AdminSite site;
  site.log_in();
  const Fields basic{{"Cookie", site.cookie}, {"Authorization", "Basic YTpi"}};
  EXPECT_EQ(site.send("POST", "/api/v1/config/check", "{}", basic).head.status(), 403);
}

void count(LoginLimit& limit, const std::string& network, std::size_t keys, mcp::Time now) {
  for (std::size_t i = 0; i < keys; ++i) limit.count_wrong_key(network, fmt::format("{}", i), now);
}

TEST(LoginLimit, accepts_keys_again_after_the_period) {
  LoginLimit limit(/*trusts_loopback=*/true);
  mcp::Time now = std::chrono::hours(1);
  count(limit, "192.0.2.7", LoginLimit::kMaxWrongKeys - 1, now);
  EXPECT_EQ(limit.wait_of("192.0.2.7", now), std::nullopt);
  count(limit, "192.0.2.7", LoginLimit::kMaxWrongKeys, now);
  EXPECT_EQ(limit.wait_of("192.0.2.7", now), std::chrono::seconds(60));
  EXPECT_EQ(limit.wait_of("192.0.2.8", now), std::nullopt) << "another network";
  now += LoginLimit::kPeriod;
  EXPECT_EQ(limit.wait_of("192.0.2.7", now), std::nullopt);
  count(limit, "192.0.2.7", 1, now);
  EXPECT_EQ(limit.wait_of("192.0.2.7", now), std::nullopt) << "the count began again";
}

TEST(LoginLimit, is_the_limit_of_one_network_however_many_there_are) {
  LoginLimit limit(/*trusts_loopback=*/true);
  const mcp::Time now = std::chrono::hours(1);
  for (std::size_t i = 0; i < 3 * LoginLimit::kMaxNetworks; ++i) {
    count(limit, fmt::format("2001:db8:{:x}::/64", i), LoginLimit::kMaxWrongKeys, now);
  }
  count(limit, "", LoginLimit::kMaxWrongKeys, now);  // peers whose address cannot be read
  EXPECT_EQ(limit.wait_of("2001:db8:ffff::/64", now), std::nullopt);
  EXPECT_EQ(limit.wait_of("192.0.2.7", now), std::nullopt);
  EXPECT_NE(limit.wait_of("2001:db8:2fff::/64", now), std::nullopt);
  EXPECT_NE(limit.wait_of("", now), std::nullopt);
}

TEST(LoginLimit, has_none_for_loopback) {
  for (const char* const network : {"127.0.0.1", "::1", "unix"}) {
    for (const bool trusts_loopback : {true, false}) {
      LoginLimit limit(trusts_loopback);
      count(limit, network, LoginLimit::kMaxWrongKeys, std::chrono::hours(1));
      EXPECT_EQ(limit.wait_of(network, std::chrono::hours(1)).has_value(), !trusts_loopback);
    }
  }
}

}  // namespace
}  // namespace enfold::gateway
