// SPDX-License-Identifier: Apache-2.0
// What becomes of tool answers: contract, budget, archive, schemas.
#include "enfold/schema/schema.h"
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

TEST(Answer, is_an_envelope_in_both_channels) {
  Meeting meeting(in_front_of(upstream()));
  const json::Value result = meeting.result(
      R"({"content":[{"type":"text","text":"{\"a\":1.0}"}],"structuredContent":{"a":1.0},)"
      R"("_meta":{"com.example/trace":"t"},"com.example/odd":[1]})");
  EXPECT_EQ(at(result, "/structuredContent/data"), R"({"a":1.0})");
  EXPECT_EQ(at(result, "/structuredContent/success"), "true");
  EXPECT_EQ(at(result, "/isError"), "false");
  EXPECT_EQ(at(result, "/_meta/com.example~1trace"), R"("t")");
  EXPECT_EQ(at(result, "/com.example~1odd"), "[1]");
  EXPECT_EQ(at(result, "/content/1"), "(none)") << "the model does not pay twice";
  const auto text = result->find("content")->item(0)->find("text")->string();
  EXPECT_EQ(text, at(result, "/structuredContent"));
}

TEST(Answer, names_each_member_once_for_a_client_without_a_session) {
  Meeting meeting(in_front_of(upstream("stateless")), "{}", true);
  for (const std::string meta :
       {"", R"(,"_meta":{})", R"(,"_meta":{"com.example/trace":"t"},"com.example/odd":[1])",
        R"(,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"2"}})"}) {
    const json::Value result = meeting.result(
        R"({"resultType":"complete","content":[],"structuredContent":{"a":1})" + meta + "}");
    const auto message = json::parse(meeting.bytes.back());
    EXPECT_EQ(message->oddities().duplicate_key_count, 0U) << meeting.bytes.back();
    EXPECT_NE(at(result, "/_meta/dev.enfold~1request_id"), "(none)");
    EXPECT_EQ(at(result, "/_meta/io.modelcontextprotocol~1serverInfo/name"), R"("upstream")");
  }
}

TEST(Answer, that_failed_stays_a_failure_and_a_success_a_success) {
  Meeting meeting(in_front_of(upstream()));
  const json::Value failed =
      meeting.result(R"({"content":[{"type":"text","text":"no such file"}],"isError":true})");
  EXPECT_EQ(at(failed, "/isError"), "true");
  EXPECT_EQ(at(failed, "/structuredContent/success"), "false");
  EXPECT_EQ(at(failed, "/structuredContent/error"), R"("no such file")");
  const json::Value odd =
      meeting.result(R"({"content":[{"type":"text","text":"Error: it seems to have failed"}]})");
  EXPECT_EQ(at(odd, "/isError"), "false");
  EXPECT_EQ(at(odd, "/structuredContent/success"), "true");
}

TEST(Answer, has_the_request_id_in_meta_and_in_the_envelope_of_failures) {
  const std::string good = json::quote(
      R"({"content":[],"structuredContent":{"a":1},"_meta":{"x":1,"dev.enfold/request_id":"theirs"}})");
  const std::string failed =
      json::quote(R"({"content":[{"type":"text","text":"no such file"}],"isError":true})");
  const std::string id = R"({"dev.enfold/request_id":"trace-9"})";
  const char* const in_meta = "/_meta/dev.enfold~1request_id";
  const char* const in_envelope = "/structuredContent/meta/request_id";
  const auto ask = [&](Settings settings, const std::string& raw) {
    Meeting meeting(std::move(settings));
    return meeting.call("result", fmt::format(R"({{"raw":{}}})", raw), id);
  };
  const json::Value brief = ask(in_front_of(upstream()), good);
  EXPECT_EQ(at(brief, in_meta), R"("trace-9")") << "not the upstream's";
  EXPECT_EQ(at(brief, "/_meta/x"), "1");
  EXPECT_EQ(at(brief, in_envelope), "(none)");
  const json::Value failure = ask(in_front_of(upstream()), failed);
  EXPECT_EQ(at(failure, in_meta), R"("trace-9")");
  EXPECT_EQ(at(failure, in_envelope), R"("trace-9")");
  Settings whole = in_front_of(upstream());
  whole.request_id_in_envelope = true;
  EXPECT_EQ(at(ask(std::move(whole), good), in_envelope), R"("trace-9")");
  Settings scalpel = in_front_of(upstream());
  scalpel.answers.contract = "scalpel-v1";
  EXPECT_EQ(at(ask(std::move(scalpel), good), "/structuredContent/request_id"), R"("trace-9")");
}

TEST(Answer, has_the_request_id_where_the_last_reload_wants_it) {
  Meeting meeting(in_front_of(upstream()));
  EXPECT_EQ(at(meeting.call("echo"), "/structuredContent/meta/request_id"), "(none)");
  Settings next = in_front_of(upstream());
  next.request_id_in_envelope = true;
  meeting.reload(next);
  EXPECT_NE(at(meeting.call("echo"), "/structuredContent/meta/request_id"), "(none)");
}

TEST(Answer, is_parsed_in_one_cache_before_and_after_a_reload) {
  Meeting meeting(in_front_of(upstream()));
  const auto cache = [&] {
    return meeting.gateway->admin_source({}).calls.local.services()->opened.get();
  };
  const auto* const before = cache();
  meeting.reload(in_front_of(upstream()));
  EXPECT_EQ(cache(), before) << "a recorded call may keep the objects of its configuration";
}

TEST(Answer, that_failed_says_what_to_do_and_what_was_missing) {
  Meeting meeting(in_front_of(upstream()));
  const json::Value failed = meeting.result(
      R"({"content":[{"type":"text","text":"Spec not found: invalid-spec-id"}],"isError":true})");
  EXPECT_EQ(at(failed, "/structuredContent/data/remediation"),
            R"("Check the name or id, or list what exists.")");
  EXPECT_EQ(at(failed, "/structuredContent/data/details"),
            R"({"resource_type":"spec","resource_id":"invalid-spec-id"})");
}

TEST(Answer, shows_no_secret) {
  Meeting meeting(in_front_of(upstream()));
  const std::string secret = "ghp_" + std::string(36, 'a');
  const json::Value result = meeting.result(
      fmt::format(R"({{"content":[{{"type":"text","text":"token {}"}}],"_meta":{{"x":"{}"}}}})",
                  secret, secret));
  EXPECT_THAT(json::to_text(result.view()), ::testing::Not(HasSubstr(secret)));
}

TEST(Answer, follows_the_call_before_the_gateway) {
  Settings settings = in_front_of(upstream());
  settings.answers.allow_none = true;
  Meeting meeting(std::move(settings));
  const std::string raw = json::quote(R"({"content":[{"type":"text","text":"x"}]})");
  const json::Value bare = meeting.call("result", fmt::format(R"({{"raw":{}}})", raw),
                                        R"({"dev.enfold/contract":"none"})");
  EXPECT_EQ(json::to_text(bare.view()), R"({"content":[{"type":"text","text":"x"}]})");
  const json::Value refused =
      meeting.call("result", fmt::format(R"({{"raw":{}}})", raw), R"({"dev.enfold/budget":7})");
  EXPECT_EQ(at(refused, "/isError"), "true");
}

TEST(ToolList, has_schemas_that_accept_every_answer) {
  Meeting meeting(in_front_of(upstream()));
  const json::Value list = meeting.ask("tools/list", "{}");
  std::vector<std::string> names;
  json::Value listed;
  for (const json::View tool : list->find("tools")->items()) {
    names.push_back(tool.find("name")->string());
    if (names.back() == "listed") listed = json::Value(*tool.find("outputSchema"));
  }
  EXPECT_THAT(names,
              ::testing::ElementsAre("echo", "result", "listed", "last", "server", "enfold_fetch"));
  EXPECT_EQ(at(list, "/tools/0/com.example~1kept"), "1");
  EXPECT_EQ(at(list, "/nextCursor"), "(none)");
  const Result<schema::Schema> schema = schema::Schema::compile(listed);
  ASSERT_TRUE(schema) << schema.error().message;
  std::string rows;
  for (int i = 0; i < 4000; ++i) rows += fmt::format(R"({}{{"id":{}}})", i == 0 ? "" : ",", i);
  const std::vector<std::string> answers{
      R"({"content":[],"structuredContent":{"rows":[{"id":1}]}})",
      fmt::format(R"({{"content":[],"structuredContent":{{"rows":[{}]}}}})", rows),
      R"({"content":[{"type":"text","text":"no"}],"isError":true})"};
  for (const std::string& raw : answers) {
    const json::Value result =
        meeting.call("listed", fmt::format(R"({{"raw":{}}})", json::quote(raw)));
    const auto checked = schema->validate(*result->find("structuredContent"));
    ASSERT_TRUE(checked);
    EXPECT_TRUE(checked->valid) << json::to_text(result.view()).substr(0, 400);
  }
  EXPECT_FALSE(*schema->accepts(
      json::parse_own(R"({"success":true,"data":{"rows":[{"id":"x"}]},"error":null,"meta":{}})")
          .view()))
      << "what the tool declares still counts";
}

}  // namespace
}  // namespace enfold::gateway
