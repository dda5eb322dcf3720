// SPDX-License-Identifier: Apache-2.0
// The dashboard of a real `enfold serve`: its numbers are those of `enfold fit` and `enfold fetch`.
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "tests/net/http_peers.h"
#include "tests/serve_command/serving.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What a command prints.
std::string output_of(const std::string& command) {
  std::string out;
  std::array<char, 4096> piece{};
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), pipe)) {
    out.append(piece.data(), got);
  }
  ::pclose(pipe);
  return out;
}

class DashboardOfServe : public ::testing::Test {
 protected:
  static std::string config(const std::string& more = "", const std::string& archive = "memory") {
    return "archive = \"" + archive + "\"\nbudget = 500\nlog_calls = false\n" + more +
           "[listen]\naddress = \"127.0.0.1:0\"\n" + upstream_table("one");
  }
  void open(Serving& serving) {
    const std::string line = serving.wait_for_line("dashboard at ");
    link = line.substr(line.find("http://"));
    host = link.substr(0, link.find("/ui/"));
  }
  net::ClientResponse send(const std::string& method, const std::string& path,
                           const std::string& body = "") {
    net::ClientRequest request;
    request.method = method;
    request.url = net::parse_url(host + path).value();
    request.body = body;
    if (!cookie.empty()) request.headers.add("Cookie", cookie).add("X-Enfold-Csrf", csrf);
    net::Outcome outcome;
    const net::HttpCall call = client.fetch(
        std::move(request), [&](Result<net::ClientResponse> r) { outcome = std::move(r); });
    EXPECT_TRUE(loop.until([&] { return outcome.has_value(); })) << path;
    return outcome && *outcome ? **outcome : net::ClientResponse();
  }
  json::Value get(const std::string& path) { return json::parse_own(send("GET", path).body); }
  json::Value post(const std::string& path, const std::string& body) {
    return json::parse_own(send("POST", path, body).body);
  }
  void log_in(Serving& serving) {
    open(serving);
    const net::ClientResponse opened = send("GET", link.substr(host.size()));
    const std::string set(opened.head.find("Set-Cookie").value_or(""));
    cookie = set.substr(0, set.find(';'));
    csrf = get("/api/v1/session")->find("csrf")->string();
  }
  static std::string at(const json::Value& value, const std::string& pointer) {
    const auto found = json::Pointer::parse(pointer)->resolve(value.view());
    return found ? json::to_text(*found) : "(none)";
  }
  json::Value last_row() {
    return json::Value(*get("/api/v1/answers?limit=1")->find("answers")->item(0));
  }

  net::RunningLoop loop;
  net::HttpClient client{*loop};
  std::string link;
  std::string host;
  std::string cookie;
  std::string csrf;
};

TEST_F(DashboardOfServe, is_there_on_loopback_and_prints_a_new_link_after_each_use) {
  Serving serving(config());
  log_in(serving);
  EXPECT_EQ(send("GET", "/ui/").head.status(), 200);
  EXPECT_EQ(at(get("/api/v1/session"), "/can_reload"), "true");
  EXPECT_THAT(serving.wait_for_line("dashboard at "), HasSubstr("/ui/?token="));
  serving.signal(SIGTERM);
}

TEST_F(DashboardOfServe, is_off_with_one_line) {
  Serving serving(config("[dashboard]\nenabled = false\n"));
  host = serving.url().substr(0, serving.url().find("/mcp"));
  EXPECT_EQ(send("GET", "/ui/").head.status(), 404);
  EXPECT_EQ(send("GET", "/api/v1/session").head.status(), 404);
  for (const std::string& line : serving.lines()) EXPECT_THAT(line, Not(HasSubstr("dashboard")));
}

TEST_F(DashboardOfServe, fits_again_exactly_as_enfold_fit_does) {
  Serving serving(config());
  log_in(serving);
  const auto voice = serving.voice(loop);
  (void)voice->result(large_answer(400));
  const json::Value row = last_row();
  const std::string path = "/api/v1/answers/" + std::string(row->find("id")->raw());
  const std::string file = serving.file("answer.json");
  std::ofstream(file) << large_answer(400);
  for (const auto& [body, options] : std::vector<std::pair<std::string, std::string>>{
           {R"({"budget":{"tokens":300}})", "--budget 300"},
           {R"({"budget":{"tokens":800}})", "--budget 800"},
           {R"({"budget":{"tokens":2500},"client":"claude-code"})",
            "--budget 2500 --client claude-code"},
           {R"({"budget":{"tokens":1000},"contract":"generic"})", "--budget 1000 --to generic"},
           {R"({"client":"codex"})", "--client codex"},
           {R"({"budget":{"tokens":1000000}})", "--budget 1000000"}}) {
    const json::Value view = post(path + "/fit", body);
    const json::Value told = json::parse_own(
        output_of(fmt::format("{} fit {} --explain --json {}", ENFOLD_PROGRAM, options, file)));
    for (const char* const size : {"/tokens", "/characters", "/lines"}) {
      EXPECT_EQ(at(view, std::string("/after/size") + size), at(told, std::string("/shown") + size))
          << options;
      EXPECT_EQ(at(view, std::string("/whole") + size), at(told, std::string("/whole") + size))
          << options;
    }
    EXPECT_EQ(at(view, "/fits"), at(told, "/fits")) << options;
    EXPECT_EQ(at(view, "/fidelity"), at(told, "/level")) << options;
    std::string parts;
    for (const json::View part : view->find("parts")->items()) {
      if (!part.find("side")->equals("before")) continue;
      parts += fmt::format("{} {} {} {}\n", part.find("pointer")->raw(), part.find("what")->raw(),
                           part.find("items")->raw(), part.find("tokens")->raw());
    }
    std::string want;
    if (const auto all = told->find("parts")) {
      for (const json::View part : all->items()) {
        want += fmt::format("{} {} {} {}\n", part.find("pointer")->raw(), part.find("shown")->raw(),
                            part.find("items")->raw(), part.find("tokens")->raw());
      }
    }
    EXPECT_EQ(parts, want) << options;
    const std::string fitted = output_of(fmt::format("{} fit {} --archive {} {}", ENFOLD_PROGRAM,
                                                     options, serving.file("other.db"), file));
    EXPECT_EQ(view->find("after")->find("text")->string() + "\n", fitted) << options;
  }
}

TEST_F(DashboardOfServe, answers_questions_exactly_as_enfold_fetch_does) {
  const std::string archive = "archive.db";
  Serving serving(config());
  serving.kill();
  serving.write(config("", serving.file(archive)));
  serving.start();
  log_in(serving);
  (void)serving.voice(loop)->result(large_answer(400));
  const std::string handle = last_row()->find("handle")->string();
  for (const auto& [key, value, option] : std::vector<std::array<std::string, 3>>{
           {"sql", "select count(*) as n from rows", "--sql"},
           {"sql", "select id, text from rows where id > 390", "--sql"},
           {"find", "number 17 of", "--find"},
           {"pointer", "/rows/3", "--pointer"},
           {"where", "id >= 398", "--where"}}) {
    const json::Value got = post("/api/v1/archive/" + handle + "/query",
                                 fmt::format(R"({{"{}":{}}})", key, json::quote(value)));
    const std::string want =
        output_of(fmt::format("{} fetch {} {} '{}' --archive {}", ENFOLD_PROGRAM, handle, option,
                              value, serving.file(archive)));
    EXPECT_EQ(at(got, "/answer") + "\n", want) << option << " " << value;
  }
}

TEST_F(DashboardOfServe, checks_and_reloads_the_configuration) {
  Serving serving(config());
  log_in(serving);
  const json::Value shown = get("/api/v1/config");
  EXPECT_EQ(shown->find("path")->string(), serving.config_file());
  EXPECT_THAT(shown->find("text")->string(), HasSubstr("budget = 500"));
  serving.write(config("contract = \"generic\"\n"));
  EXPECT_EQ(at(post("/api/v1/config/check", "{}"), "/problems"), "[]");
  EXPECT_EQ(at(post("/api/v1/config/reload", "{}"), "/applied"), "true");
  const Heard heard = serving.voice(loop)->call("echo");
  EXPECT_EQ(heard.at("/structuredContent/toolName"), R"("echo")") << heard.body;
  serving.write(config("budgett = 1\n"));
  const json::Value wrong = post("/api/v1/config/reload", "{}");
  EXPECT_EQ(at(wrong, "/applied"), "false");
  EXPECT_THAT(at(wrong, "/problems/0/where"), HasSubstr("line"));
}

TEST_F(DashboardOfServe, opens_nothing_to_check_the_configuration) {
  const store::testing::TemporaryFolder folder;
  const std::string archive = folder.file("later.db");
  Serving serving(config());
  log_in(serving);
  serving.write(config("", archive));
  EXPECT_EQ(at(post("/api/v1/config/check", "{}"), "/problems"), "[]");
  EXPECT_FALSE(std::filesystem::exists(archive));
}

}  // namespace
}  // namespace enfold::gateway
