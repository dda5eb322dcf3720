// SPDX-License-Identifier: Apache-2.0
// The dashboard on a port of its own, beside a gateway over stdio.
#include "enfold/gateway/admin/dashboard_server.h"
#include "tests/admin/site.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

TEST(DashboardServer, shows_the_calls_of_the_only_client) {
  Settings settings = with_small_budget(in_front_of(upstream()));
  Meeting meeting(std::move(settings));
  std::string link;
  const Gateway& gateway = *meeting.gateway;
  const auto server = DashboardServer::listen(
      meeting.gateway->admin_source([&gateway] { return gateway.report(); }),
      {.on_link = [&](const std::string& made) { link = made; }}, 0);
  ASSERT_TRUE(server) << server.error().message;
  (void)meeting.call("echo", R"({"a":1})");
  net::HttpClient client(*meeting.loop);
  const std::string host = link.substr(0, link.find("/ui/"));
  const auto get = [&](const std::string& path, const std::string& cookie = "") {
    net::ClientRequest request;
    request.url = net::parse_url(host + path).value();
    if (!cookie.empty()) request.headers.add("Cookie", cookie);
    net::Outcome outcome;
    const net::HttpCall call = client.fetch(
        std::move(request), [&](Result<net::ClientResponse> r) { outcome = std::move(r); });
    EXPECT_TRUE(meeting.loop.until([&] { return outcome.has_value(); }));
    return outcome && *outcome ? **outcome : net::ClientResponse();
  };
  const net::ClientResponse opened = get(link.substr(host.size()));
  const std::string set(opened.head.find("Set-Cookie").value_or(""));
  const net::ClientResponse list = get("/api/v1/answers", set.substr(0, set.find(';')));
  EXPECT_EQ(list.head.status(), 200);
  EXPECT_THAT(list.body, HasSubstr(R"("tool":"echo")"));
  EXPECT_EQ(get("/mcp").head.status(), 404) << "no client connects here";
  EXPECT_EQ(get("/api/v1/answers").head.status(), 401);
}

}  // namespace
}  // namespace enfold::gateway
