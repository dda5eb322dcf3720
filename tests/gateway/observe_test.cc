// SPDX-License-Identifier: Apache-2.0
// A gateway as those see it who watch it over HTTP, and the traces that go through it.
#include "enfold/gateway/config/settings_from_config.h"
#include "enfold/gateway/observe/metrics_endpoint.h"
#include "enfold/store/archive.h"
#include "tests/gateway/meeting.h"
#include "tests/net/http_peers.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

const std::string kTrace = "0af7651916cd43dd8448eb211c80319c";
const std::string kStep = "b7ad6b7169203331";
const std::string kParent = "00-" + kTrace + "-" + kStep + "-01";

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A gateway behind its own front, and a client without manners.
class Site {
 public:
  explicit Site(Settings settings, ObserveSettings observed = {true, true}) : host_(*loop, 2, 64) {
    settings.one_client = false;
    settings.count_tokens = true;
    settings.answers.log = [this](const serve::LogLine& line) { lines.push_back(line); };
    gateway = std::move(*Gateway::create(std::move(settings), *loop, host_));
    bool connected = false;
    gateway->connect([&](const Status& /*status*/) { connected = true; });
    EXPECT_TRUE(loop.until([&] { return connected; }));
    serve::HttpOptions options;
    const auto report = [this] {
      Report now = gateway->report();
      now.sessions = front->sessions();
      now.draining = front->is_draining();
      return now;
    };
    options.pages = metrics_pages(
        {host_, gateway->metrics(), report, [this] { return gateway->archive(); }}, observed);
    front = std::move(*serve::HttpFront::listen(*gateway, *loop, std::move(options)));
  }
  ~Site() {
    front.reset();
    bool closed = false;
    gateway->close([&] { closed = true; });
    EXPECT_TRUE(loop.until([&] { return closed; }));
  }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  net::ClientResponse fetch(net::ClientRequest request) {
    net::Outcome outcome;
    const net::HttpCall call = client_.fetch(
        std::move(request), [&](Result<net::ClientResponse> r) { outcome = std::move(r); });
    EXPECT_TRUE(loop.until([&] { return outcome.has_value(); }));
    EXPECT_TRUE(outcome && *outcome) << (outcome ? outcome->error().message : "no answer");
    return outcome && *outcome ? **outcome : net::ClientResponse();
  }
  net::ClientResponse get(const std::string& path) {
    net::ClientRequest request;
    request.url = net::url_of(front->port(), path);
    return fetch(std::move(request));
  }
  net::ClientResponse post(const std::string& body, const Headers& headers) {
    net::ClientRequest request = net::post_to(front->port(), body, "/mcp");
    request.headers.add("Content-Type", "application/json")
        .add("Accept", "application/json, text/event-stream");
    for (const auto& [name, value] : headers) request.headers.add(name, value);
    return fetch(std::move(request));
  }
  /// The body of the answer to a call without a session.
  std::string call(const std::string& tool, const std::string& arguments, const Headers& more = {},
                   const std::string& meta = "") {
    Headers headers{
        {"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}, {"Mcp-Name", tool}};
    headers.insert(headers.end(), more.begin(), more.end());
    return post(fmt::format(
                    R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{}",)"
                    R"("arguments":{},"_meta":{{"io.modelcontextprotocol/protocolVersion":)"
                    R"("2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}{}}}}}}})",
                    tool, arguments, meta),
                headers)
        .body;
  }

  net::RunningLoop loop;
  std::unique_ptr<Gateway> gateway;
  std::unique_ptr<serve::HttpFront> front;
  std::vector<serve::LogLine> lines;

 private:
  serve::LoopHost host_;
  net::HttpClient client_{*loop};
};

Settings one(const std::string& contract = "response-v2") {
  Settings settings = in_front_of(upstream("both", "up"), contract);
  settings.upstreams.front().idle_timeout = std::chrono::seconds(10);
  return settings;
}

std::string rows(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    list +=
        fmt::format(R"({}{{"id":{},"title":"Search forgets its filters"}})", i == 0 ? "" : ",", i);
  }
  return fmt::format(R"({{"structuredContent":{{"rows":[{}]}},"content":[]}})", list);
}

TEST(MetricsPage, tells_what_became_of_calls) {
  Settings settings = one();
  settings.answers.budget = budget::Budget{};
  settings.answers.budget->tokens = 500;
  settings.answers.budget->characters = 100'000;
  settings.answers.archive = store::open_archive("memory:").value();
  Site site(std::move(settings));
  const std::string answer = rows(1000);
  (void)site.call("echo", R"({"a":1})");
  (void)site.call("result", fmt::format(R"({{"raw":{}}})", json::quote(answer)));
  (void)site.call("nothing_like_it", "{}");
  (void)site.call("nor_like_this", "{}");
  (void)site.call("enfold_fetch", R"({"handle":"123456789012"})");
  const net::ClientResponse page = site.get("/metrics");
  EXPECT_EQ(page.head.status(), 200);
  EXPECT_EQ(page.head.find("Content-Type"), kMetricsType);
  for (const char* const line : {
           R"(enfold_tool_calls_total{upstream="up",tool="echo",outcome="ok"} 1)",
           R"(enfold_tool_calls_total{upstream="up",tool="result",outcome="ok"} 1)",
           R"-(enfold_tool_calls_total{upstream="up",tool="(unknown)",outcome="refused"} 2)-",
           R"(enfold_tool_calls_total{upstream="enfold",tool="enfold_fetch",outcome="failed"} 1)",
           R"(enfold_tool_answers_total{upstream="up",tool="echo",fidelity="full"} 1)",
           R"(enfold_tool_answers_total{upstream="up",tool="result",fidelity="partial"} 1)",
           R"(enfold_tool_call_duration_seconds_count{upstream="up",tool="echo"} 1)",
           R"(enfold_archive_entries 1)",
           R"(enfold_upstream_state{upstream="up",state="ready"} 1)",
           R"(enfold_upstream_restarts_total{upstream="up"} 0)",
       }) {
    EXPECT_THAT(page.body, HasSubstr(std::string("\n") + line + "\n"));
  }
  const std::string label = R"({upstream="up",tool="result"} )";
  const auto value = [&](const std::string& metric) {
    const std::string line = "\n" + metric + label;
    const std::size_t found = page.body.find(line);
    EXPECT_NE(found, std::string::npos) << metric;
    return found == std::string::npos ? 0 : std::stod(page.body.substr(found + line.size()));
  };
  const auto exact = static_cast<double>(token::default_profile().tokenizer->count(answer));
  EXPECT_EQ(value("enfold_tool_received_bytes_total"), answer.size());
  EXPECT_EQ(value("enfold_tool_archived_bytes_total"), answer.size());
  EXPECT_NEAR(value("enfold_tool_tokens_before_total"), exact, exact * 0.05);
  EXPECT_LE(value("enfold_tool_tokens_after_total"), 500);
  EXPECT_GT(value("enfold_tool_tokens_after_total"), 300);
  EXPECT_LT(value("enfold_tool_sent_bytes_total"), 10'000);
}

TEST(MetricsPage, counts_answers_that_pass_as_they_are) {
  Site site(one("none"));
  (void)site.call("result", R"({"raw":"{\"content\":[],\"isError\":true}"})");
  (void)site.call("echo", "{}");
  const std::string page = site.get("/metrics").body;
  EXPECT_THAT(page, HasSubstr(R"({upstream="up",tool="result",outcome="failed"} 1)"));
  EXPECT_THAT(page, HasSubstr(R"({upstream="up",tool="echo",outcome="ok"} 1)"));
  EXPECT_THAT(page, Not(HasSubstr("fidelity=")));
}

TEST(MetricsPage, grows_by_no_name_that_a_client_makes_up) {
  for (const char* const contract : {"response-v2", "none"}) {
    Site site(one(contract));
    for (int i = 0; i < 20; ++i) (void)site.call(fmt::format("made_up_{}", i), "{}");
    (void)site.call("echo", "{}");
    EXPECT_EQ(site.gateway->metrics().tools().size(), 2U) << contract;
    const ToolCounts* unknown = site.gateway->metrics().find("up", Metrics::kUnknown);
    ASSERT_NE(unknown, nullptr);
    EXPECT_EQ(unknown->calls, 20U);
    EXPECT_EQ(site.lines.front().tool, "made_up_0") << "the log says what was called";
  }
}

// Most of many small answers are estimated from those before; the sums stay close.
TEST(MetricsPage, stays_close_to_what_many_small_answers_cost) {
  Site site(one());
  double exact = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string text =
        fmt::format("{} words about number {}", i % 3 == 0 ? "Some" : "Other", i);
    const std::string raw = fmt::format(R"({{"content":[{{"type":"text","text":"{}"}}]}})", text);
    (void)site.call("result", fmt::format(R"({{"raw":{}}})", json::quote(raw)));
    exact += static_cast<double>(token::default_profile().tokenizer->count(text));
  }
  const ToolCounts* counts = site.gateway->metrics().find("up", "result");
  ASSERT_NE(counts, nullptr);
  EXPECT_EQ(counts->calls, 100U);
  EXPECT_NEAR(static_cast<double>(counts->weight.tokens_before), exact, exact * 0.1);
  EXPECT_GT(counts->weight.tokens_after, counts->weight.tokens_before) << "an envelope is added";
  EXPECT_LT(counts->weight.tokens_after, counts->weight.tokens_before + 6000);
}

TEST(MetricsPage, counts_crashes_and_new_starts) {
  Site site(one());
  (void)site.call("crash", "{}");
  const std::string after = site.get("/metrics").body;
  EXPECT_THAT(after, HasSubstr(R"-({upstream="up",tool="(unknown)",outcome="failed"} 1)-"));
  EXPECT_THAT(after, HasSubstr(R"(enfold_upstream_failures_total{upstream="up"} 1)"));
  EXPECT_THAT(after, HasSubstr(R"(enfold_upstream_state{upstream="up",state="failing"} 1)"));
  EXPECT_EQ(site.get("/healthz").head.status(), 200) << "the next call starts it";
  (void)site.call("echo", "{}");
  EXPECT_THAT(site.get("/metrics").body,
              HasSubstr(R"(enfold_upstream_restarts_total{upstream="up"} 1)"));
}

TEST(HealthPage, fails_when_no_upstream_can_be_used) {
  Settings settings = one();
  settings.upstreams.front().circuit_breaker = {std::chrono::minutes(1), std::chrono::minutes(10),
                                                1};
  Site site(std::move(settings));
  const net::ClientResponse good = site.get("/healthz");
  EXPECT_EQ(good.head.status(), 200);
  EXPECT_EQ(good.head.find("Content-Type"), "application/json");
  EXPECT_EQ(good.body, R"({"status":"ok","version":"0.0.0","upstreams":{"up":"ready"}})"
                       "\n");
  for (int i = 0; i < 3; ++i) (void)site.call("crash", "{}");
  const net::ClientResponse bad = site.get("/healthz");
  EXPECT_EQ(bad.head.status(), 503);
  EXPECT_THAT(bad.body, AllOf(HasSubstr(R"("status":"unavailable")"), HasSubstr(R"("up":"open")")));
}

TEST(Pages, are_for_looking_at_and_only_where_they_are_wanted) {
  Site site(one(), {false, true});
  EXPECT_EQ(site.get("/metrics").head.status(), 404);
  EXPECT_EQ(site.get("/healthz").head.status(), 200);
  const net::ClientResponse posted = site.fetch(net::post_to(site.front->port(), "", "/healthz"));
  EXPECT_EQ(posted.head.status(), 405);
  EXPECT_EQ(posted.head.find("Allow"), "GET");
  serve::HttpOptions options;
  EXPECT_EQ(default_observe_settings(options), (ObserveSettings{true, true}));
  options.host = "0.0.0.0";
  EXPECT_EQ(default_observe_settings(options), (ObserveSettings{false, false}));
}

TEST(Traces, come_in_headers_or_meta_and_go_on_with_a_step_of_their_own) {
  Site site(one("none"));
  const std::string next = R"(00-)" + kTrace + "-[0-9a-f]{16}-01";
  const std::string traced =
      R"(.*\\"traceparent\\":\\")" + next + R"(\\",\\"tracestate\\":\\"a=1\\".*)";
  const std::string by_header =
      site.call("echo", "{}", {{"traceparent", kParent}, {"tracestate", "a=1"}});
  EXPECT_THAT(by_header, MatchesRegex(traced));
  EXPECT_THAT(by_header, Not(HasSubstr(kStep)));
  const std::string by_meta =
      site.call("echo", "{}", {}, R"(,"traceparent":")" + kParent + R"(","tracestate":"a=1")");
  EXPECT_THAT(by_meta, MatchesRegex(traced));
  EXPECT_THAT(by_meta, Not(HasSubstr(kStep)));
  ASSERT_EQ(site.lines.size(), 2U);
  EXPECT_EQ(site.lines[0].trace_id, kTrace);
  EXPECT_EQ(site.lines[1].trace_id, kTrace);
}

TEST(Traces, that_are_not_valid_are_dropped_and_harm_nobody) {
  Site site(one("none"));
  for (const std::string& answer :
       {site.call("echo", "{}", {{"traceparent", "00-nonsense"}}),
        site.call("echo", "{}", {}, R"(,"traceparent":"00-nonsense","tracestate":"a=1")"),
        site.call("echo", "{}", {}, R"(,"traceparent":[1])"), site.call("echo", "{}")}) {
    EXPECT_THAT(answer, AllOf(HasSubstr(R"(\"name\":\"echo\")"), Not(HasSubstr("trace"))));
  }
}

TEST(Traces, of_a_session_belong_to_the_request_that_carries_them) {
  Site site(one("none"));
  const net::ClientResponse opened = site.post(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"tester","version":"1"}}})",
      {});
  const std::string session(opened.head.find("MCP-Session-Id").value_or(""));
  ASSERT_FALSE(session.empty()) << opened.body;
  const auto send = [&](const std::string& body, Headers headers) {
    headers.emplace_back("MCP-Session-Id", session);
    headers.emplace_back("MCP-Protocol-Version", "2025-06-18");
    return site.post(body, headers).body;
  };
  (void)send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", {});
  const std::string call =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})";
  EXPECT_THAT(send(call, {{"traceparent", kParent}}), HasSubstr(kTrace));
  EXPECT_THAT(send(call, {}), Not(HasSubstr("trace")));
  EXPECT_THAT(site.get("/metrics").body, HasSubstr("\nenfold_sessions 1\n"));
}

/// A server with sessions over HTTP that keeps what it was asked.
struct PlayedUpstream {
  explicit PlayedUpstream(net::Loop& loop) {
    server = net::HttpServer::listen(
                 loop, {},
                 [this](net::HttpRequest& request, net::Responder responder) {
                   if (request.head.method() != "POST") {
                     responder.respond({405, {}, ""});
                     return;
                   }
                   const json::Value message = json::parse_own(request.body);
                   const std::string method =
                       message->find("method") ? message->find("method")->string() : "";
                   if (!message->find("id")) {
                     responder.respond({202, {}, ""});
                     return;
                   }
                   if (method == "tools/call") {
                     parents.emplace_back(request.head.find("traceparent").value_or("(none)"));
                     states.emplace_back(request.head.find("tracestate").value_or("(none)"));
                   }
                   net::HttpResponse response{
                       200,
                       {},
                       fmt::format(
                           R"({{"jsonrpc":"2.0","id":{},"result":{}}})",
                           json::to_text(*message->find("id")),
                           method == "initialize"
                               ? R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                                 R"("serverInfo":{"name":"played","version":"1"}})"
                           : method == "tools/list" ? R"({"tools":[]})"
                                                    : R"({"content":[]})")};
                   response.headers.add("Content-Type", "application/json");
                   responder.respond(std::move(response));
                 })
                 .value();
  }
  std::vector<std::string> parents;
  std::vector<std::string> states;
  std::unique_ptr<net::HttpServer> server;
};

TEST(Traces, reach_an_upstream_over_http_in_headers) {
  net::RunningLoop loop;
  PlayedUpstream played(*loop);
  Settings settings = in_front_of(upstream("sessions", "web"), "none");
  settings.upstreams.front().eras = client::ClientOptions::Eras::sessions;
  settings.upstreams.front().target =
      client::http_target(fmt::format("http://127.0.0.1:{}/mcp", played.server->port())).value();
  serve::LoopHost host(*loop, 1, 4);
  settings.answers.log = [](const serve::LogLine&) {};
  const auto gateway = std::move(*Gateway::create(std::move(settings), *loop, host));
  bool ready = false;
  gateway->connect([&](const Status& status) { ready = status.has_value(); });
  ASSERT_TRUE(loop.until([&] { return ready; }));
  mcp::Call call;
  call.method = mcp::Method::tools_call;
  call.method_name = "tools/call";
  call.raw_params = json::parse_own(R"({"name":"x"})");
  call.params = mcp::ToolCall{"x", {}};
  auto caller = std::make_shared<mcp::Caller>();
  caller->era = mcp::Era::stateless;
  call.caller = caller;
  call.traceparent = kParent;
  call.tracestate = "a=1";
  struct Nowhere final : serve::Sink {
    void send(mcp::Send /*send*/) override {}
    void close_stream(mcp::CallKey /*call*/) override {}
  } nowhere;
  const auto port = serve::Connection::open(*gateway, nowhere);
  const auto open = gateway->begin(std::move(call), port);
  ASSERT_TRUE(loop.until([&] { return !played.parents.empty(); }));
  EXPECT_THAT(played.parents.front(), MatchesRegex("00-" + kTrace + "-[0-9a-f]{16}-01"));
  EXPECT_NE(played.parents.front(), kParent);
  EXPECT_EQ(played.states.front(), "a=1");
  port->detach();
  bool closed = false;
  gateway->close([&] { closed = true; });
  EXPECT_TRUE(loop.until([&] { return closed; }));
}

}  // namespace
}  // namespace enfold::gateway
