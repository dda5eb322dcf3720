// SPDX-License-Identifier: Apache-2.0
// The list of answers, its export, one answer before and after, and the event stream.
#include "tests/admin/site.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kSecret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

std::string text_result(const std::string& text, bool failed = false) {
  return fmt::format(R"({{"content":[{{"type":"text","text":{}}}]{}}})", json::quote(text),
                     failed ? R"(,"isError":true)" : "");
}

std::vector<std::string> texts(const json::Value& list) {
  std::vector<std::string> all;
  for (const json::View one : list->items()) all.push_back(one.string());
  return all;
}

std::vector<std::string> what(const json::Value& row) {
  return texts(json::Value(*row->find("what")));
}

TEST(AdminAnswers, lists_what_happened_to_each_answer) {
  AdminSite site;
  site.log_in();
  (void)site.result(text_result("fine"));
  EXPECT_THAT(what(site.last_row()), ElementsAre("whole"));
  (void)site.result(large_answer());
  const json::Value cut = site.last_row();
  EXPECT_THAT(what(cut), ElementsAre("cut"));
  EXPECT_EQ(cut->find("handle")->string().size(), 12U);
  EXPECT_GT(cut->find("tokens_before")->integer(), cut->find("tokens_after")->integer());
  (void)site.result(text_result("the key is " + kSecret));
  EXPECT_THAT(what(site.last_row()), ElementsAre("redacted"));
  (void)site.result(text_result("no such file", true));
  const json::Value failed = site.last_row();
  EXPECT_THAT(what(failed), ElementsAre("failed"));
  EXPECT_EQ(failed->find("error")->string(), "no such file");
  EXPECT_EQ(failed->find("outcome")->string(), "failed");
  EXPECT_EQ(failed->find("tool")->string(), "result");
  EXPECT_EQ(failed->find("upstream")->string(), "up");
  EXPECT_EQ(failed->find("client")->string(), "tester 1");
}

TEST(AdminAnswers, filters_and_pages_rows) {
  AdminSite site;
  site.log_in();
  for (int i = 0; i < 5; ++i) (void)site.result(text_result("fine"));
  (void)site.result(text_result("no such file", true));
  (void)site.call("echo", R"({"a":1})");
  const auto ids = [&](const std::string& query) {
    std::vector<std::string> all;
    const json::Value list = site.get("/api/v1/answers?" + query, "answers");
    for (const json::View row : list->find("answers")->items()) {
      all.emplace_back(row.find("id")->raw());
    }
    if (list->find("has_more")->boolean()) all.emplace_back("more");
    return all;
  };
  EXPECT_THAT(ids("tool=echo"), ElementsAre("7"));
  EXPECT_THAT(ids("what=failed"), ElementsAre("6"));
  EXPECT_THAT(ids("outcome=failed"), ElementsAre("6"));
  EXPECT_THAT(ids("q=SUCH%20file"), ElementsAre("6"));
  EXPECT_THAT(ids("upstream=nobody"), ElementsAre());
  EXPECT_THAT(ids("limit=2"), ElementsAre("7", "6", "more"));
  EXPECT_THAT(ids("limit=2&before=3"), ElementsAre("2", "1"));
  EXPECT_THAT(ids("after=5"), ElementsAre("7", "6"));
}

TEST(AdminAnswers, exports_what_the_log_says) {
  AdminSite site;
  site.log_in();
  (void)site.result(text_result("fine"));
  (void)site.result(large_answer());
  (void)site.result(text_result("no such file", true));
  const net::ClientResponse file =
      site.send("GET", "/api/v1/answers/export", "", site.own_fields());
  EXPECT_THAT(std::string(file.head.find("Content-Disposition").value_or("")),
              HasSubstr("attachment"));
  std::vector<json::Value> rows;
  for (std::size_t begin = 0; begin < file.body.size();) {
    const std::size_t end = file.body.find('\n', begin);
    rows.push_back(json::parse_own(file.body.substr(begin, end - begin)));
    EXPECT_EQ(violations("row", rows.back().view()), "");
    begin = end + 1;
  }
  std::vector<serve::LogLine> calls;
  for (const serve::LogLine& line : site.lines) {
    if (line.event == "call") calls.push_back(line);
  }
  ASSERT_EQ(rows.size(), calls.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto number = [&](const char* key) {
      return static_cast<std::uint64_t>(rows[i]->find(key)->integer().value_or(0));
    };
    EXPECT_EQ(rows[i]->find("request_id")->string(), calls[i].request_id);
    EXPECT_EQ(rows[i]->find("tool")->string(), calls[i].tool);
    EXPECT_EQ(rows[i]->find("outcome")->string(), calls[i].outcome);
    EXPECT_EQ(number("tokens_before"), calls[i].weight.tokens_before);
    EXPECT_EQ(number("tokens_after"), calls[i].weight.tokens_after);
    EXPECT_EQ(number("bytes_before"), calls[i].weight.bytes_in);
    EXPECT_EQ(number("bytes_after"), calls[i].weight.bytes_out);
  }
}

TEST(AdminAnswers, shows_what_the_server_sent_and_what_the_client_got) {
  AdminSite site;
  site.log_in();
  const std::string raw = large_answer();
  const Heard heard = site.result(raw);
  const json::Value view = site.get(site.last_path(), "view");
  const std::string got = heard.at("/structuredContent");
  EXPECT_EQ(view->find("after")->find("text")->string(), got) << "byte for byte";
  EXPECT_EQ(view->find("before")->find("text")->string(),
            text_at(json::parse_own(raw), "/structuredContent"));
  EXPECT_EQ(text_at(view, "/before/root"), R"("/structuredContent")");
  EXPECT_EQ(text_at(view, "/after/payload"), R"("/data")");
  EXPECT_EQ(text_at(view, "/fits"), "false");
  EXPECT_EQ(text_at(view, "/after/size/tokens"), text_at(view, "/row/tokens_after"));
  EXPECT_EQ(text_at(view, "/handle"), text_at(view, "/row/handle"));
  std::size_t parts = 0;
  for (const json::View part : view->find("parts")->items()) {
    if (part.find("what")->string() != "added" && part.find("what")->string() != "envelope") {
      ++parts;
      EXPECT_FALSE(part.find("why")->string().empty()) << json::to_text(part);
    }
  }
  EXPECT_GT(parts, 0U);
  EXPECT_THAT(text_at(view, "/parts"),
              HasSubstr(R"({"side":"after","pointer":"/meta/ext/enfold/facts","what":"facts")"));
}

TEST(AdminAnswers, shows_answers_that_were_not_cut_and_secrets_only_as_markers) {
  AdminSite site;
  site.log_in();
  (void)site.result(fmt::format(
      R"({{"content":[],"structuredContent":{{"a":{{"note":"the key is {}"}}}}}})", kSecret));
  const json::Value view = site.get(site.last_path(), "view");
  const std::string text = json::to_text(view.view());
  EXPECT_THAT(text, Not(HasSubstr(kSecret)));
  EXPECT_EQ(text_at(view, "/fits"), "true");
  EXPECT_THAT(text_at(view, "/parts"),
              HasSubstr(R"({"side":"before","pointer":"/a/note","what":"redacted")"));
  EXPECT_THAT(text_at(view, "/parts"),
              HasSubstr(R"({"side":"after","pointer":"/data/a/note","what":"redacted")"));
}

TEST(AdminAnswers, shows_failures_of_the_tool_and_of_the_upstream) {
  AdminSite site;
  site.log_in();
  (void)site.result(text_result("no such file", true));
  const json::Value failed = site.get(site.last_path(), "view");
  EXPECT_EQ(text_at(failed, "/failure/message"), R"("no such file")");
  (void)site.call("crash");
  const json::Value crashed = site.get(site.last_path(), "view");
  EXPECT_EQ(text_at(crashed, "/before/text"), R"("")") << "there was no result";
  EXPECT_THAT(text_at(crashed, "/after/text"), HasSubstr("UPSTREAM_UNAVAILABLE"));
}

TEST(AdminAnswers, shows_answers_without_a_contract) {
  AdminSite site(one_upstream("none"));
  site.log_in();
  (void)site.result(text_result("just text"));
  const json::Value view = site.get(site.last_path(), "view");
  EXPECT_EQ(text_at(view, "/before/text"), R"("just text")");
  EXPECT_EQ(text_at(view, "/after/text"), R"("just text")");
}

TEST(AdminAnswers, fits_an_original_anew_without_storing_anything) {
  AdminSite site;
  site.log_in();
  (void)site.result(large_answer());
  const std::string path = site.last_path();
  const auto tokens = [&](const std::string& body) {
    const json::Value view = site.post(path + "/fit", body, "view");
    return view->find("after")->find("size")->find("tokens")->integer().value_or(0);
  };
  EXPECT_LE(tokens(R"({"budget":{"tokens":300}})"), 300);
  const std::int64_t larger = tokens(R"({"budget":{"tokens":3000}})");
  EXPECT_GT(larger, 300);
  EXPECT_LE(larger, 3000);
  EXPECT_GT(tokens(R"({"client":"claude-code"})"), 0);
  const json::Value other =
      site.post(path + "/fit", R"({"budget":{"tokens":600},"contract":"generic"})", "view");
  EXPECT_EQ(text_at(other, "/settings/contract"), R"("generic")");
  EXPECT_EQ(site.gateway->archive()->statistics()->entries, 1U);
  (void)site.post(path + "/fit", R"({"contract":"mcp"})", "error");
  (void)site.post(path + "/fit", R"({"client":"nobody"})", "error");
  (void)site.post(path + "/fit", R"({"budget":{"tokens":1}})", "error");
  (void)site.post(path + "/fit", "[]", "error");
  const json::Value golden = site.get(path + "/golden?tokens=300", "golden");
  EXPECT_THAT(text_at(golden, "/files"), HasSubstr("input.json"));
}

TEST(AdminAnswers, fits_no_answer_that_the_upstream_did_not_send) {
  AdminSite site;
  site.log_in();
  (void)site.result(text_result("fine"));
  EXPECT_EQ(text_at(site.get(site.last_path(), "view"), "/has_original"), "true");
  (void)site.call("crash");
  const std::string path = site.last_path();
  EXPECT_EQ(text_at(site.get(path, "view"), "/has_original"), "false");
  const json::Value golden = site.get(path + "/golden", "error");
  EXPECT_EQ(text_at(golden, "/error/code"), R"("unsupported")");
  EXPECT_THAT(text_at(golden, "/error/message"), HasSubstr("Enfold wrote this answer itself"));
  EXPECT_EQ(site.send("GET", path + "/golden", "", site.own_fields()).head.status(), 404);
  const json::Value fitted = site.post(path + "/fit", R"({"budget":{"tokens":300}})", "error");
  EXPECT_EQ(text_at(fitted, "/error/code"), R"("unsupported")");
}

TEST(AdminAnswers, say_why_tokens_differ_only_where_it_is_known) {
  AdminSite site;
  site.log_in();
  const auto reason = [&](const std::string& raw) {
    (void)site.result(raw);
    return text_at(site.last_row(), "/reason");
  };
  EXPECT_EQ(reason(text_result("the first line\nthe second line")), R"("text")");
  EXPECT_EQ(reason(text_result(R"({"a":1})")), R"("envelope")") << "the text holds JSON";
  EXPECT_EQ(reason(R"({"content":[],"structuredContent":{"a":1}})"), R"("envelope")");
  EXPECT_EQ(reason(text_result("no such file", true)), R"("envelope")");
  EXPECT_EQ(reason(large_answer()), R"("cut")");
  EXPECT_EQ(reason(text_result("the key is " + kSecret)), "null") << "the data is not the same";
  (void)site.call("crash");
  EXPECT_EQ(text_at(site.last_row(), "/reason"), "null") << "there was nothing before";
  AdminSite bare(one_upstream("none"));
  bare.log_in();
  (void)bare.result(text_result("just text"));
  EXPECT_EQ(text_at(bare.last_row(), "/reason"), "null") << "there is no envelope";
}

TEST(AdminAnswers, forgets_originals_beyond_its_memory_and_opens_the_archive_instead) {
  AdminSite site(one_upstream(), 30'000);
  site.log_in();
  (void)site.result(large_answer(200));
  const std::string cut = site.last_path();
  (void)site.result(text_result("fine"));
  const std::string whole = site.last_path();
  for (int i = 0; i < 20; ++i) (void)site.result(text_result(std::string(3'000, 'x')));
  EXPECT_LE(site.dashboard->recorder().bytes(), 30'000U);
  EXPECT_EQ(site.send("GET", whole, "", site.own_fields()).head.status(), 404);
  (void)site.get(whole, "error");
  const json::Value opened = site.get(cut, "view");
  EXPECT_THAT(text_at(opened, "/before/text"), HasSubstr("row number 199 of many"));
  EXPECT_EQ(text_at(opened, "/given"), "false") << "not all that the answer depended on is known";
  EXPECT_EQ(text_at(opened, "/settings/budget/tokens"), "500") << "the budget of the call";
  EXPECT_EQ(text_at(opened, "/handle"), text_at(opened, "/row/handle"));
  (void)site.get("/api/v1/answers/99999", "error");
  (void)site.get("/api/v1/answers/none", "error");
}

TEST(AdminAnswers, records_no_original_when_recording_is_off) {
  AdminSite site(one_upstream(), 0);
  site.log_in();
  (void)site.result(text_result("fine"));
  EXPECT_EQ(text_at(site.last_row(), "/recorded"), "false");
  EXPECT_EQ(text_at(site.get("/api/v1/session", "session"), "/recording/is_on"), "false");
  (void)site.get(site.last_path(), "error");
}

TEST(AdminAnswers, shows_hostile_content_as_text) {
  AdminSite site;
  site.log_in();
  const std::string hostile = "</script><img src=x onerror=alert(1)>\x01\x1b[31m\xe2\x80\xae\n";
  (void)site.result(text_result(hostile, true));
  (void)site.call("<script>alert(1)</script>");
  const net::ClientResponse list = site.send("GET", "/api/v1/answers", "", site.own_fields());
  EXPECT_EQ(list.head.find("Content-Type"), "application/json");
  EXPECT_THAT(list.body, HasSubstr("<script>alert(1)</script>"));
  EXPECT_THAT(list.body, Not(HasSubstr("\x1b"))) << "control characters are escaped";
  (void)site.get("/api/v1/answers", "answers");
  (void)site.get("/api/v1/tools", "tools");
}

class Reader {
 public:
  Reader(AdminSite& site, net::HttpClient& client) {
    net::ClientRequest request;
    request.url = net::url_of(site.front->port(), "/api/v1/events");
    for (const auto& [name, value] : site.own_fields()) request.headers.add(name, value);
    call_ = client.send(std::move(request),
                        {.on_head = [](const net::HttpHead&) {},
                         .on_data = [this](std::string_view bytes) { text += bytes; },
                         .on_end = [this](const Status&) { ended = true; }});
  }
  /// The data of all events of a name.
  [[nodiscard]] std::vector<json::Value> events(const std::string& name) const {
    std::vector<json::Value> all;
    const std::string head = "event: " + name + "\ndata: ";
    for (std::size_t at = text.find(head); at != std::string::npos; at = text.find(head, at + 1)) {
      const std::size_t begin = at + head.size();
      const std::size_t end = text.find("\n\n", begin);
      if (end == std::string::npos) break;
      all.push_back(json::parse_own(text.substr(begin, end - begin)));
    }
    return all;
  }
  [[nodiscard]] std::size_t rows() const {
    std::size_t count = 0;
    for (const json::Value& one : events("answers")) count += one->find("answers")->size();
    return count;
  }
  std::string text;
  bool ended = false;

 private:
  net::HttpCall call_;
};

TEST(AdminEvents, tell_of_answers_and_of_the_state) {
  AdminSite site;
  site.log_in();
  net::HttpClient client(*site.loop);
  Reader reader(site, client);
  ASSERT_TRUE(site.loop.until([&] { return !reader.events("state").empty(); }));
  EXPECT_EQ(violations("state-event", reader.events("state").front().view()), "");
  (void)site.result(text_result("fine"));
  (void)site.result(text_result("no such file", true));
  ASSERT_TRUE(site.loop.until([&] { return reader.rows() == 2; }));
  for (const json::Value& event : reader.events("answers")) {
    EXPECT_EQ(violations("answers-event", event.view()), "");
    EXPECT_EQ(text_at(event, "/dropped"), "0");
  }
  site.dashboard->stop();
  EXPECT_TRUE(site.loop.until([&] { return reader.ended; }));
}

TEST(AdminAnswers, have_one_number_of_tokens_in_the_row_and_in_the_view) {
  AdminSite site;
  site.log_in();
  const auto figures = [&] {
    const json::Value view = site.get(site.last_path(), "view");
    const json::Value row = site.last_row();
    EXPECT_EQ(text_at(view, "/before/size/tokens"), text_at(row, "/tokens_before"));
    EXPECT_EQ(text_at(view, "/after/size/tokens"), text_at(row, "/tokens_after"));
    return row;
  };
  (void)site.result(large_answer());
  EXPECT_FALSE(site.last_row()->find("exact")->boolean()) << "counting would slow the call down";
  EXPECT_TRUE(figures()->find("exact")->boolean()) << "counted when it was opened";
  (void)site.result(text_result("the key is " + kSecret));
  (void)figures();
  EXPECT_THAT(text_at(site.get(site.last_path(), "view"), "/after/text"),
              HasSubstr("SECRET_REDACTED"))
      << "as the client got it";
  (void)site.result(text_result("no such file", true));
  (void)figures();
  // Of a longer answer that is not cut, only samples are counted until it is opened.
  std::string words;
  for (int i = 0; i < 200; ++i) words += "information ";
  (void)site.result(text_result(words));
  EXPECT_FALSE(site.last_row()->find("exact")->boolean());
  EXPECT_TRUE(figures()->find("exact")->boolean());
}

}  // namespace
}  // namespace enfold::gateway
