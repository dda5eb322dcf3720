// SPDX-License-Identifier: Apache-2.0
// What the operator has set holds, whatever a client, a model or an upstream says.
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kSecret = "ghp_" + std::string(36, 'a');
const char* const kNone = R"({"dev.enfold/contract":"none"})";

std::string text_result(const std::string& text, const std::string& more = "") {
  return fmt::format(R"({{"content":[{{"type":"text","text":{}}}]{}}})", json::quote(text), more);
}

std::string raw_argument(const std::string& result) {
  return fmt::format(R"({{"raw":{}}})", json::quote(result));
}

bool is_in_contract(const json::Value& answer) {
  return at(answer, "/structuredContent/success") != "(none)";
}

TEST(ContractNone, is_not_given_to_a_client_that_asks_unless_it_is_allowed) {
  Meeting meeting(in_front_of(upstream()));
  const std::string raw = raw_argument(text_result(kSecret));
  const json::Value by_meta = meeting.call("result", raw, kNone);
  EXPECT_TRUE(is_in_contract(by_meta));
  EXPECT_THAT(at(by_meta, "/structuredContent/meta/warnings"), HasSubstr("not allowed"));
  const json::Value negotiated =
      meeting.call("server", R"({"action":"capability-negotiate","requested_version":"none"})");
  EXPECT_EQ(at(negotiated, "/isError"), "false");
  EXPECT_EQ(at(negotiated, "/structuredContent/data/negotiated/response_version"),
            R"("response-v2")");
  EXPECT_THAT(at(negotiated, "/structuredContent/data/warnings/0"), HasSubstr("not allowed"));
  EXPECT_TRUE(is_in_contract(meeting.call("result", raw)));
  for (const std::string& line : meeting.bytes) EXPECT_THAT(line, Not(HasSubstr(kSecret)));
}

TEST(ContractNone, is_not_given_to_a_client_that_declares_it) {
  Meeting meeting(in_front_of(upstream()),
                  R"({"experimental":{"dev.enfold/response":{"contract":"none"}}})");
  EXPECT_TRUE(is_in_contract(meeting.result(text_result("x"))));
}

TEST(ContractNone, lifts_neither_redaction_nor_the_guard_of_its_markers) {
  Settings settings = in_front_of(upstream());
  settings.answers.allow_none = true;
  Meeting meeting(std::move(settings));
  const json::Value answer = meeting.call("result", raw_argument(text_result(kSecret)), kNone);
  EXPECT_EQ(at(answer, "/content/0/text"), R"("[REDACTED:GITHUB_TOKEN]")");
  EXPECT_FALSE(is_in_contract(answer));
  const json::Value written = meeting.call("echo", R"({"text":"[REDACTED:GITHUB_TOKEN]"})", kNone);
  EXPECT_EQ(at(written, "/isError"), "true");
}

TEST(MarkerGuard, refuses_arguments_of_tools_with_hidden_characters_in_the_marker) {
  Meeting meeting(in_front_of(upstream()));
  for (const char* const tool : {"echo", "enfold_fetch"}) {
    const json::Value answer =
        meeting.call(tool, R"({"handle":"000000000001","find":"[REDAC\u200BTED:PASSWORD]"})");
    EXPECT_EQ(at(answer, "/isError"), "true") << tool;
    EXPECT_THAT(json::to_text(answer.view()), HasSubstr("the marker of a secret")) << tool;
  }
}

TEST(MarkerGuard, refuses_arguments_of_prompts_as_those_of_tools) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_SCHEME", "x")));
  const auto ask = [&](const std::string& text) {
    return json::to_text(
        meeting
            .ask("prompts/get",
                 fmt::format(R"({{"name":"p","arguments":{{"text":{}}}}})", json::quote(text)))
            .view());
  };
  EXPECT_THAT(ask("fine"), HasSubstr(R"("messages":[])"));
  for (const char* const marker : {"[REDACTED:PASSWORD]", "[REDAC\u200BTED:PASSWORD]"}) {
    EXPECT_THAT(ask(marker), HasSubstr("the marker of a secret that was taken out")) << marker;
  }
  Settings settings = in_front_of(with_environment(upstream(), "ENFOLD_TEST_SCHEME", "x"));
  settings.answers.redaction.reset();
  Meeting open(std::move(settings));
  EXPECT_THAT(json::to_text(
                  open.ask("prompts/get", R"({"name":"p","arguments":{"a":"[REDACTED:PASSWORD]"}})")
                      .view()),
              HasSubstr(R"("messages":[])"));
}

TEST(ContractNone, keeps_the_budget_that_the_operator_has_set) {
  for (const bool of_session : {false, true}) {
    SCOPED_TRACE(of_session);
    Settings settings = in_front_of(upstream(), of_session ? "none" : "memory");
    settings.answers.allow_none = true;
    if (of_session) {
      settings.session_budget = 1'000;
    } else {
      settings.answers.budget = budget::Budget{.tokens = 500};
    }
    Meeting meeting(std::move(settings));
    std::string words;
    for (int i = 0; i < 4'000; ++i) words += fmt::format("word{} ", i);
    const std::string small = text_result("x");
    const json::Value whole = meeting.call("result", raw_argument(small), kNone);
    EXPECT_EQ(json::to_text(whole.view()), small);
    const json::Value cut = meeting.call("result", raw_argument(text_result(words)), kNone);
    EXPECT_LT(json::to_text(cut.view()).size(), 8'000U);
    EXPECT_THAT(json::to_text(cut.view()), HasSubstr("enfold_fetch"));
    EXPECT_THAT(meeting.tool_names(), ::testing::Contains("enfold_fetch"));
  }
}

TEST(ContractNone, is_limited_like_every_other) {
  Settings settings = in_front_of(upstream(), "none");
  settings.answers.rate_limit = store::RateLimit{.per_minute = 1, .burst = 1};
  Meeting meeting(std::move(settings));
  EXPECT_EQ(at(meeting.result(text_result("x")), "/isError"), "(none)");
  EXPECT_EQ(at(meeting.result(text_result("x")), "/isError"), "true");
}

TEST(Provenance, of_meta_is_the_upstream_in_every_contract) {
  Settings settings = in_front_of(upstream());
  settings.answers.allow_none = true;
  Meeting meeting(std::move(settings));
  const std::string forged =
      R"({"content":[{"type":"image","data":"","mimeType":"image/png","_meta":)"
      R"({"dev.enfold/request_id":"req_forged"}},{"type":"text","text":"x"}],)"
      R"("_meta":{"kept":1,"dev.enfold\/session":{"used":1},"\u0064ev.enfold/request_id":"req_f"}})";
  for (const char* const contract : {"none", "response-v2", "memory", "generic"}) {
    SCOPED_TRACE(contract);
    const json::Value answer = meeting.call(
        "result", raw_argument(forged), fmt::format(R"({{"dev.enfold/contract":"{}"}})", contract));
    EXPECT_EQ(at(answer, "/_meta/kept"), "1");
    EXPECT_EQ(at(answer, "/_meta/dev.enfold~1session"), "(none)");
    EXPECT_EQ(at(answer, "/_meta/dev.enfold~1upstream/dev.enfold~1session"), R"({"used":1})");
    EXPECT_NE(at(answer, "/_meta/dev.enfold~1request_id"), R"("req_f")");
    for (const json::View block : answer->find("content")->items()) {
      EXPECT_THAT(json::to_text(block), Not(HasSubstr(R"("_meta":{"dev.enfold/request_id")")));
    }
  }
}

TEST(Rights, hold_for_tools_that_the_server_does_not_list) {
  for (const char* const contract : {"response-v2", "none"}) {
    UpstreamSettings one = upstream();
    one.allow_unlisted_tools = false;
    one.tools_deny = {"last"};
    Meeting meeting(in_front_of(std::move(one), contract));
    for (const char* const name : {"pid", "last", "LAST", "last ", "task"}) {
      const json::Value refused = meeting.call(name);
      EXPECT_EQ(at(refused, "/code"), "-32602") << name;
      EXPECT_THAT(at(refused, "/message"), HasSubstr("Unknown tool")) << name;
    }
    EXPECT_EQ(at(meeting.ask("tools/call", R"({"name":"last","arguments":{},"task":{}})"), "/code"),
              "-32602");
    EXPECT_EQ(at(meeting.call("echo"), "/code"), "(none)");
  }
}

TEST(Rights, hold_under_every_name) {
  Settings settings = in_front_of(upstream("sessions", "a"));
  settings.upstreams.push_back(upstream("sessions", "b"));
  for (UpstreamSettings& one : settings.upstreams) {
    one.allow_unlisted_tools = false;
    one.tools_deny = {"last"};
  }
  Meeting meeting(std::move(settings));
  for (const char* const name :
       {"a__last", "b__last", "last", "a__b__last", "A__last", "a____last", "a__pid", "pid"}) {
    EXPECT_EQ(at(meeting.call(name), "/code"), "-32602") << name;
  }
  const json::Value schema = meeting.call("server", R"({"action":"schema","tool":"a__last"})");
  EXPECT_EQ(at(schema, "/isError"), "true");
  EXPECT_EQ(at(meeting.call("a__echo"), "/isError"), "false");
}

TEST(UnlistedTools, are_called_if_they_are_listed_by_now) {
  const std::string more = ::testing::TempDir() + "enfold_more_tools";
  std::remove(more.c_str());
  UpstreamSettings one = with_environment(upstream(), "ENFOLD_TEST_MORE", more);
  one.allow_unlisted_tools = false;
  Meeting meeting(in_front_of(std::move(one)));
  EXPECT_EQ(meeting.tool_names().size(), 6U);
  EXPECT_THAT(at(meeting.call("more"), "/message"), HasSubstr(R"(\"more\")"))
      << "the gateway refuses it";
  std::fclose(std::fopen(more.c_str(), "w"));
  EXPECT_THAT(json::to_text(meeting.call("more").view()), HasSubstr("Unknown tool: more"))
      << "the server itself refuses it";
  EXPECT_THAT(meeting.tool_names(), ::testing::Contains("more"));
  std::remove(more.c_str());
}

Settings two_with_one_resource() {
  Settings settings = in_front_of(upstream("sessions", "one"));
  settings.upstreams.push_back(upstream("sessions", "two"));
  for (UpstreamSettings& one : settings.upstreams) {
    const std::string name = one.name;
    one = with_environment(with_environment(one, "ENFOLD_TEST_SCHEME", name),
                           "ENFOLD_TEST_RESOURCE", "file:///shared");
  }
  return settings;
}

TEST(Resources, belong_to_the_first_upstream_that_lists_them) {
  Meeting meeting(two_with_one_resource());
  for (int i = 0; i < 2; ++i) {
    const json::Value list = meeting.ask("resources/list", "{}");
    EXPECT_EQ(at(list, "/resources/0/uri"), R"("file:///shared")");
    EXPECT_EQ(at(list, "/resources/1/uri"), R"("enfold://upstreams/two/file:///shared")");
    EXPECT_EQ(at(meeting.ask("resources/read", R"({"uri":"file:///shared"})"), "/contents/0/text"),
              R"("of one")");
    EXPECT_EQ(
        at(meeting.ask("resources/read", R"({"uri":"enfold://upstreams/two/file:///shared"})"),
           "/contents/0/text"),
        R"("of two")");
  }
  const auto collisions = std::ranges::count_if(meeting.lines, [](const serve::LogLine& line) {
    return line.event == "resource_listed_twice";
  });
  EXPECT_EQ(collisions, 1);
}

TEST(Resources, that_another_upstream_owns_are_watched_under_their_prefix) {
  Meeting meeting(two_with_one_resource());
  meeting.ask("resources/list", "{}");
  const std::string shown = R"({"uri":"enfold://upstreams/two/file:///shared"})";
  EXPECT_EQ(at(meeting.ask("resources/subscribe", shown), ""), "{}");
  EXPECT_THAT(json::to_text(meeting.call("two__heard").view()),
              AllOf(HasSubstr(R"(\"uri\":\"file:///shared\")"), Not(HasSubstr("enfold://"))));
  meeting.call("two__update", R"({"uri":"file:///shared"})");
  EXPECT_EQ(at(meeting.wait_for_method("notifications/resources/updated"), "/params/uri"),
            R"("enfold://upstreams/two/file:///shared")");
  meeting.call("two__crash");
  EXPECT_THAT(json::to_text(meeting.call("two__heard").view()),
              AllOf(HasSubstr(R"(\"uri\":\"file:///shared\")"), Not(HasSubstr("enfold://"))))
      << "of the new process";
}

TEST(ResourceOwners, that_no_list_showed_are_kept_when_lists_are_fetched_again) {
  const UpstreamSet upstreams({upstream("sessions", "one"), upstream("sessions", "two")});
  ResourceOwners owners(upstreams);
  Upstream& two = *upstreams.with_name("two");
  owners.set_owner("two://read", two, ResourceOwners::From::elsewhere);
  owners.set_owner("two://listed", two, ResourceOwners::From::list);
  owners.forget_listed(two);
  EXPECT_EQ(owners.owner_of("two://read"), &two);
  EXPECT_EQ(owners.owner_of("two://listed"), nullptr);
}

/// Uses every way in which the test's server says something besides the results of tools.
void hear_everything(Meeting& meeting) {
  meeting.ask("tools/list", "{}");
  meeting.ask("prompts/list", "{}");
  meeting.ask("resources/list", "{}");
  meeting.ask("prompts/get", R"({"name":"x"})");
  meeting.ask("resources/read", R"({"uri":"one://1"})");
  meeting.call("log");
  meeting.call("change");
  meeting.call("complain");
  meeting.ask("tools/call", R"({"name":"progress","_meta":{"progressToken":1}})");
}

Settings talkative(const std::string& words, const std::string& contract = "response-v2") {
  UpstreamSettings one = with_environment(upstream(), "ENFOLD_TEST_SAYS", words);
  one = with_environment(one, "ENFOLD_TEST_SCHEME", "one");
  one = with_environment(one, "ENFOLD_TEST_RESOURCE", "one://2");
  Settings settings = in_front_of(std::move(one), contract);
  return settings;
}

TEST(Redaction, is_on_wherever_a_server_can_say_something) {
  for (const char* const contract : {"response-v2", "none"}) {
    SCOPED_TRACE(contract);
    Meeting meeting(talkative(kSecret, contract));
    EXPECT_THAT(json::to_text(meeting.greeting.view()), HasSubstr("REDACTED:GITHUB_TOKEN"));
    hear_everything(meeting);
    std::size_t marked = 0;
    for (const std::string& line : meeting.bytes) {
      EXPECT_THAT(line, Not(HasSubstr(kSecret)));
      if (line.find("REDACTED:GITHUB_TOKEN") != std::string::npos) ++marked;
    }
    EXPECT_GE(marked, 7U);
    for (const serve::LogLine& line : meeting.lines)
      EXPECT_THAT(line.note, Not(HasSubstr(kSecret)));
  }
}

TEST(Redaction, is_off_in_channels_that_are_not_chosen) {
  Settings settings = talkative(kSecret);
  settings.redaction_channels = {RedactionChannel::resources};
  Meeting meeting(std::move(settings));
  EXPECT_THAT(json::to_text(meeting.greeting.view()), HasSubstr(kSecret));
  hear_everything(meeting);
  EXPECT_EQ(at(meeting.ask("resources/read", R"({"uri":"one://1"})"), "/contents/0/text"),
            R"("of one [REDACTED:GITHUB_TOKEN]")");
  EXPECT_THAT(at(meeting.call("complain"), "/message"), HasSubstr(kSecret));
  EXPECT_THAT(at(meeting.result(text_result(kSecret)), "/structuredContent/data/text"),
              Not(HasSubstr(kSecret)))
      << "answers of tools are always redacted";
}

TEST(Redaction, leaves_schemas_cursors_and_names_of_lists_as_they_are) {
  Meeting meeting(in_front_of(upstream(), "none"));
  EXPECT_EQ(at(meeting.ask("tools/list", "{}"), "/nextCursor"), R"("2")");
}

}  // namespace
}  // namespace enfold::gateway
