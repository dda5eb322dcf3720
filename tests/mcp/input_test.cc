// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/notifications.h"
#include "enfold/mcp/types/result.h"
#include "enfold/mcp/types/uri_template.h"

#include <gtest/gtest.h>

namespace enfold::mcp {
namespace {

Capabilities caps(const char* text) { return Capabilities(json::parse_own(text)); }

TEST(Input, needs_the_capability_that_the_client_declared) {
  const json::Value schema = json::parse_own(R"({"type":"object"})");
  const InputRequest form = ask_form("k", "m", schema.view());
  const InputRequest url = ask_url("k", "m", "https://example.com", "e1");
  const InputRequest sampling = ask_sampling("k", json::parse_own("{}"));
  const struct {
    const char* name;
    const InputRequest& request;
    const char* client;
    const char* missing;
  } table[] = {
      {"form, nothing", form, "{}", R"({"elicitation":{}})"},
      {"form, implied", form, R"({"elicitation":{}})", "null"},
      {"form, said", form, R"({"elicitation":{"form":{},"url":{}}})", "null"},
      {"form, url only", form, R"({"elicitation":{"url":{}}})", R"({"elicitation":{}})"},
      {"url, implied form", url, R"({"elicitation":{}})", R"({"elicitation":{"url":{}}})"},
      {"url, said", url, R"({"elicitation":{"url":{}}})", "null"},
      {"sampling", sampling, R"({"roots":{}})", R"({"sampling":{}})"},
      {"roots", ask_roots("r"), R"({"sampling":{}})", R"({"roots":{}})"},
      {"roots, said", ask_roots("r"), R"({"roots":{"listChanged":true}})", "null"},
      {"unknown", InputRequest{"k", "vendor/x", {}}, "{}", "null"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(json::to_text(missing_capabilities(row.request, caps(row.client)).view()),
              row.missing)
        << row.name;
  }
}

TEST(Input, a_result_that_requires_input_must_say_which) {
  EXPECT_FALSE(read_input_required(json::parse_own("{}").view()));
  EXPECT_FALSE(read_input_required(json::parse_own(R"({"inputRequests":{"a":5}})").view()));
  EXPECT_FALSE(read_input_required(json::parse_own(R"({"inputRequests":[]})").view()));
  EXPECT_TRUE(read_input_required(json::parse_own(R"({"requestState":""})").view()));
  EXPECT_TRUE(read_input_required(json::parse_own(R"({"inputRequests":{}})").view()));
}

TEST(Input, an_elicitation_is_accepted_declined_or_cancelled) {
  const auto read = [](const char* text) {
    return read_elicit_result(json::parse_own(text).view());
  };
  EXPECT_EQ(read(R"({"action":"accept","content":{"a":1}})")->action, ElicitAction::accept);
  EXPECT_TRUE(read(R"({"action":"decline","content":{"a":1}})")->content->is_null());
  EXPECT_EQ(read(R"({"action":"cancel"})")->action, ElicitAction::cancel);
  EXPECT_FALSE(read(R"({"action":"maybe"})"));
  EXPECT_FALSE(read("{}"));
}

TEST(Input, roots_are_read) {
  const json::Value result =
      json::parse_own(R"({"roots":[{"uri":"file:///a","name":"A"},{"uri":"file:///b"},{}]})");
  const std::vector<Root> roots{{"file:///a", "A"}, {"file:///b", std::nullopt}};
  EXPECT_EQ(read_roots(result.view()), roots);
}

TEST(Result, types_are_read) {
  const auto type = [](const char* text) { return result_type(json::parse_own(text).view()); };
  EXPECT_EQ(type("{}"), ResultType::complete);
  EXPECT_EQ(type(R"({"resultType":"input_required"})"), ResultType::input_required);
  EXPECT_EQ(type(R"({"resultType":"task"})"), ResultType::other);
}

TEST(Result, a_tool_result_is_written_for_its_era) {
  ToolResult result = text_result("t", true);
  result.structured = json::parse_own("[1]");
  const auto text = [](CompleteResult complete) {
    return std::get<json::Output>(complete.object).str();
  };
  EXPECT_EQ(text(complete(result, Era::stateless)),
            R"({"content":[{"type":"text","text":"t"}],"structuredContent":[1],"isError":true})");
  EXPECT_EQ(text(complete(result, Era::sessions)),
            R"({"content":[{"type":"text","text":"t"}],"structuredContent":{"result":[1]},)"
            R"("isError":true})");
  CompletionValues values;
  values.values.assign(101, "v");
  const json::Value completion = json::parse_own(text(complete(values)));
  EXPECT_EQ(completion->find("completion")->find("values")->size(), 100U);
  EXPECT_TRUE(completion->find("completion")->find("hasMore")->boolean());
}

TEST(Notifications, log_levels_have_an_order) {
  EXPECT_LT(LogLevel::debug, LogLevel::emergency);
  EXPECT_EQ(log_level_from_name("warning"), LogLevel::warning);
  EXPECT_EQ(log_level_from_name("WARNING"), std::nullopt);
  EXPECT_EQ(name(LogLevel::critical), "critical");
}

TEST(UriTemplate, matches_and_decodes_variables) {
  const struct {
    const char* form;
    const char* uri;
    std::optional<UriVariables> want;
  } table[] = {
      {"test://t/{id}/data", "test://t/7/data", UriVariables{{"id", "7"}}},
      {"test://t/{id}/data", "test://t/a%20b/data", UriVariables{{"id", "a b"}}},
      {"test://t/{id}/data", "test://t/a/b/data", std::nullopt},
      {"test://t/{id}/data", "test://t//data", std::nullopt},
      {"test://t/{id}/data", "test://t/7%2F8/data", UriVariables{{"id", "7/8"}}},
      {"test://t/{id}/data", "test://t/7/data/", std::nullopt},
      {"file:///{+path}", "file:///a/b.txt", UriVariables{{"path", "a/b.txt"}}},
      {"a:{x}/{y}", "a:1/2", UriVariables{{"x", "1"}, {"y", "2"}}},
      {"a:{x,y}", "a:1,2", UriVariables{{"x", "1"}, {"y", "2"}}},
      {"a:{+x,y}/z", "a:1/0,2/z", UriVariables{{"x", "1/0"}, {"y", "2"}}},
      {"a:b{/x,y}", "a:b/1/2", UriVariables{{"x", "1"}, {"y", "2"}}},
      {"a:b{/x,y}", "a:b/1", std::nullopt},
      {"a:{name}{.type}", "a:x.png", UriVariables{{"name", "x"}, {"type", "png"}}},
      {"a:b{;x}", "a:b;x=1", UriVariables{{"x", "1"}}},
      {"a:b{#x}", "a:b#1/2", UriVariables{{"x", "1/2"}}},
      {"a:b{?x,y}", "a:b?y=2&x=a%20b", UriVariables{{"y", "2"}, {"x", "a b"}}},
      {"a:b{?x}{&y}", "a:b?x=1&y=2", UriVariables{{"x", "1"}, {"y", "2"}}},
      {"a:b{?x,y}", "a:b?y=", UriVariables{{"y", ""}}},
      {"a:b{?x,y}", "a:b", UriVariables{}},
      {"a:{id}{?x}", "a:7?x=1", UriVariables{{"id", "7"}, {"x", "1"}}},
      {"{?x}", "?x=1", UriVariables{{"x", "1"}}},
      {"a:b{?x}", "a:b?z=1", std::nullopt},
      {"a:b{?x}", "a:b?x=1&x=2", std::nullopt},
      {"a:b{?x}", "a:c?x=1", std::nullopt},
      {"a:b", "a:b", UriVariables{}},
      {"a:b", "a:c", std::nullopt},
  };
  for (const auto& row : table) {
    const auto parsed = UriTemplate::parse(row.form);
    ASSERT_TRUE(parsed) << row.form;
    EXPECT_EQ(parsed->match(row.uri), row.want) << row.form << " " << row.uri;
  }
  for (const char* broken : {"a{", "a}", "{}", "{a,}b{}", "{/x*}", "{a:3}", "{a}{b}", "a{b}{+c}/",
                             "{?a}b", "{?a}{b}", "{&a}", "{a}/{a}", "{a}{?a}", "{!a}", "{?}"}) {
    EXPECT_FALSE(UriTemplate::parse(broken)) << broken;
  }
  EXPECT_EQ(
      UriTemplate::parse("a{+b*}").error().message,
      "expected {name}, {+name}, {#name}, {.a,b}, {/a,b}, {;a,b} or {?a,b} in a URI template, "
      "found {+b*}");
  EXPECT_EQ(UriTemplate::parse("a:{b}{/c}{?d}")->variables(),
            (std::vector<std::string>{"b", "c", "d"}));
}

}  // namespace
}  // namespace enfold::mcp
