// SPDX-License-Identifier: Apache-2.0
// A gateway with its dashboard behind a real HTTP server, an operator who uses it, and the schemas
// that every reply must meet.
#pragma once

#include "enfold/gateway/admin/dashboard.h"
#include "enfold/schema/schema.h"
#include "enfold/store/archive.h"
#include "tests/gateway/front.h"
#include "tests/net/http_peers.h"
#include "tests/support/goldens.h"

namespace enfold::gateway {

using Fields = std::vector<std::pair<std::string, std::string>>;

/// The violations of schema/admin/NAME.json; empty: the value meets it.
inline std::string violations(const std::string& name, json::View value) {
  static const schema::Registry kRegistry = [] {
    schema::Registry all;
    for (const auto& file :
         testing::entries_of(testing::Path(ENFOLD_SOURCE_DIR) / "schema/admin")) {
      all["https://enfold.dev/schema/admin/" + file.filename().string()] =
          testing::read_json_file(file);
    }
    return all;
  }();
  const auto found = kRegistry.find("https://enfold.dev/schema/admin/" + name + ".json");
  if (found == kRegistry.end()) return "there is no schema " + name;
  const auto compiled = schema::Schema::compile(found->second, {.registry = &kRegistry});
  if (!compiled) return compiled.error().message + " at " + compiled.error().where;
  const auto checked = compiled->validate(value);
  if (!checked) return checked.error().message;
  std::string all;
  for (const auto& one : checked->violations) {
    all += fmt::format("{}: expected {}, found {}\n", one.instance, one.expected, one.found);
  }
  return all;
}

inline Settings with_small_budget(Settings settings) {
  settings.answers.budget = budget::Budget{};
  settings.answers.budget->tokens = 500;
  settings.answers.budget->characters = 100'000;
  settings.answers.archive = store::open_archive("memory:").value();
  settings.count_tokens = true;
  return settings;
}

inline Settings one_upstream(const std::string& contract = "response-v2") {
  return with_small_budget(for_many(upstream("both", "up"), contract));
}

class AdminSite {
 public:
  explicit AdminSite(Settings settings = one_upstream(), std::size_t recording_bytes = 1 << 20,
                     bool trusts_loopback = true)
      : host_(*loop, 2, 64) {
    settings.answers.log = [this](const serve::LogLine& line) { lines.push_back(line); };
    gateway = std::move(*Gateway::create(std::move(settings), *loop, host_));
    bool connected = false;
    gateway->connect([&](const Status& /*status*/) { connected = true; });
    EXPECT_TRUE(loop.until([&] { return connected; }));
    dashboard = std::make_unique<Dashboard>(
        gateway->admin_source([this] { return gateway->report(); }),
        DashboardOptions{.recording_bytes = recording_bytes,
                         .trusts_loopback = trusts_loopback,
                         .on_link = [this](const std::string& link) { links.push_back(link); }});
    serve::HttpOptions options;
    options.pages = dashboard->pages();
    options.wait_of_key = dashboard->wait_of_key();
    front = std::move(*serve::HttpFront::listen(*gateway, *loop, std::move(options)));
    dashboard->start(front->origin());
    voice_ = std::make_unique<Voice>(loop, front->url());
  }
  ~AdminSite() {
    front.reset();
    dashboard.reset();
    bool closed = false;
    gateway->close([&] { closed = true; });
    EXPECT_TRUE(loop.until([&] { return closed; }));
  }
  AdminSite(const AdminSite&) = delete;
  AdminSite& operator=(const AdminSite&) = delete;

  net::ClientResponse send(const std::string& method, const std::string& path,
                           const std::string& body = "", const Fields& fields = {}) {
    net::ClientRequest request;
    request.method = method;
    request.url = net::url_of(front->port(), path);
    request.body = body;
    for (const auto& [name, value] : fields) request.headers.add(name, value);
    net::Outcome outcome;
    const net::HttpCall call = client_.fetch(
        std::move(request), [&](Result<net::ClientResponse> r) { outcome = std::move(r); });
    EXPECT_TRUE(loop.until([&] { return outcome.has_value(); })) << path;
    EXPECT_TRUE(outcome && *outcome) << (outcome ? outcome->error().message : "no answer");
    return outcome && *outcome ? **outcome : net::ClientResponse();
  }
  /// Opens the last link and keeps the cookie and the CSRF token.
  void log_in() {
    const net::ClientResponse opened = send("GET", links.back().substr(links.back().find("/ui/")));
    EXPECT_EQ(opened.head.status(), 303);
    const std::string set(opened.head.find("Set-Cookie").value_or(""));
    cookie = set.substr(0, set.find(';'));
    csrf = get("/api/v1/session", "session")->find("csrf")->string();
  }
  [[nodiscard]] Fields own_fields() const { return {{"Cookie", cookie}, {"X-Enfold-Csrf", csrf}}; }
  /// A reply, after a check against its schema.
  json::Value get(const std::string& path, const std::string& schema) {
    return checked(path, send("GET", path, "", own_fields()), schema);
  }
  json::Value post(const std::string& path, const std::string& body, const std::string& schema) {
    return checked(path, send("POST", path, body, own_fields()), schema);
  }
  Heard call(const std::string& tool, const std::string& arguments = "{}") {
    return voice_->call(tool, arguments);
  }
  Heard result(const std::string& raw) { return voice_->result(raw); }
  /// The row of the last call.
  json::Value last_row() {
    const json::Value list = get("/api/v1/answers?limit=1", "answers");
    const auto row = list->find("answers")->item(0);
    EXPECT_TRUE(row);
    return row ? json::Value(*row) : json::Value();
  }
  std::string last_path() {
    return fmt::format("/api/v1/answers/{}", last_row()->find("id")->raw());
  }

  net::RunningLoop loop;
  std::vector<std::string> links;
  std::vector<serve::LogLine> lines;
  std::string cookie;
  std::string csrf;

 private:
  static json::Value checked(const std::string& path, const net::ClientResponse& response,
                             const std::string& schema) {
    const auto document = json::parse(std::string_view(response.body));
    EXPECT_TRUE(document) << path << ": " << response.body;
    if (!document) return {};
    EXPECT_EQ(violations(schema, document->root()), "") << path << ": " << response.body;
    return document->value();
  }
  serve::LoopHost host_;
  net::HttpClient client_{*loop};

 public:
  std::unique_ptr<Gateway> gateway;
  std::unique_ptr<Dashboard> dashboard;
  std::unique_ptr<serve::HttpFront> front;

 private:
  std::unique_ptr<Voice> voice_;
};

inline std::string text_at(const json::Value& value, const std::string& pointer) {
  const auto found = json::Pointer::parse(pointer)->resolve(value.view());
  return found ? json::to_text(*found) : "(none)";
}

}  // namespace enfold::gateway
