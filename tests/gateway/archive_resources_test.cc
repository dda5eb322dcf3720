// SPDX-License-Identifier: Apache-2.0
// Archived answers as resources.
#include "enfold/gateway/lists/archive_resources.h"

#include "tests/gateway/archived.h"
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

TEST(ArchiveUri, means_the_arguments_of_a_fetch) {
  struct Case {
    std::string uri;
    std::string want;  // empty: cannot be read
  };
  const std::vector<Case> cases{
      {"enfold://archive/184467440737", R"({"handle":"184467440737"})"},
      {"enfold://archive/1?pointer=%2Frows%2F3", R"({"pointer":"/rows/3","handle":"1"})"},
      {"enfold://archive/1?pointer=/rows&find=a%20b",
       R"({"pointer":"/rows","find":"a b","handle":"1"})"},
      {"enfold://archive/1?stat=true", R"({"stat":true,"handle":"1"})"},
      {"enfold://archive/1?raw", R"({"raw":true,"handle":"1"})"},
      {"enfold://archive/1?page_size=20", R"({"page_size":20,"handle":"1"})"},
      {"enfold://archive/1?cursor=abc%3D%3D", R"({"cursor":"abc=="})"},
      {"enfold://archive/1?", R"({"handle":"1"})"},
      {"enfold://archive/sha256:ab#x", R"({"handle":"sha256:ab"})"},
      {"enfold://archive/", ""},
      {"enfold://archive/1/2", ""},
      {"enfold://archive/1?find=%zz", ""},
      {"enfold://archive/1?find=%2", ""},
      {"enfold://archive/1?find=a&find=b", ""},
      {"enfold://archive/1?handle=2", ""},
      {"enfold://other/1", ""},
  };
  for (const Case& each : cases) {
    const auto got = fetch_arguments(each.uri);
    EXPECT_EQ(got ? json::to_text(got->view()) : "", each.want) << each.uri;
  }
}

Settings with_resources(const char* client = nullptr) {
  Settings settings = in_front_of(upstream());
  settings.archive_resources = true;
  settings.answers.budget = budget::Budget{};
  settings.answers.budget->tokens = 2'000;
  if (client != nullptr) settings.answers.client_profiles["tester"] = *token::find_profile(client);
  return settings;
}

json::Value read(Meeting& meeting, const std::string& uri) {
  return meeting.ask("resources/read", fmt::format(R"({{"uri":{}}})", json::quote(uri)));
}

TEST(ArchiveResource, is_read_in_pages_within_the_budget) {
  Meeting meeting(with_resources());
  const std::string handle = handle_in(meeting.result(long_result()));
  std::string uri = fmt::format("enfold://archive/{}?range=0..3999", handle);
  const token::Tokenizer& tokenizer = *token::default_profile().tokenizer;
  std::size_t seen = 0;
  for (int pages = 0; pages < 400 && !uri.empty(); ++pages) {
    const json::Value page = read(meeting, uri);
    const auto text = json::Pointer::parse("/contents/0/text")->resolve(page.view());
    ASSERT_TRUE(text) << json::to_text(page.view());
    EXPECT_EQ(at(page, "/contents/0/uri"), json::quote(uri));
    EXPECT_EQ(at(page, "/contents/0/mimeType"), R"("application/json")");
    EXPECT_LE(tokenizer.count(text->string()), 2'000U);
    const json::Value envelope = json::parse_own(text->string());
    const auto items = json::Pointer::parse("/data/items")->resolve(envelope.view());
    ASSERT_TRUE(items) << text->string();
    for (const json::View row : items->items()) {
      EXPECT_EQ(*row.find("id")->integer(), static_cast<std::int64_t>(seen++));
    }
    const auto next =
        json::Pointer::parse("/contents/0/_meta/dev.enfold~1next")->resolve(page.view());
    uri = next ? next->string() : "";
    meeting.heard.clear();
  }
  EXPECT_EQ(seen, 4000U);
}

TEST(ArchiveResource, has_a_next_page_also_if_its_uri_has_a_fragment) {
  Meeting meeting(with_resources());
  const std::string uri = "enfold://archive/" + handle_in(meeting.result(long_result()));
  EXPECT_THAT(at(read(meeting, uri + "#top"), "/contents/0/_meta/dev.enfold~1next"),
              HasSubstr(uri + "?cursor="));
}

TEST(ArchiveResource, that_is_not_there_is_not_found_in_the_way_of_each_era) {
  for (const bool stateless : {false, true}) {
    Settings settings = with_resources();
    settings.upstreams = {upstream(stateless ? "stateless" : "sessions")};
    Meeting meeting(std::move(settings), "{}", stateless);
    const json::Value error = read(meeting, "enfold://archive/123456789012");
    EXPECT_EQ(at(error, "/code"), stateless ? "-32602" : "-32002");
    EXPECT_EQ(at(error, "/data/error_code"), R"("NOT_FOUND")");
    EXPECT_THAT(at(error, "/data/remediation"), HasSubstr("again"));
    EXPECT_EQ(at(read(meeting, "enfold://archive/123456789012?nothing=1"), "/code"), "-32602");
  }
}

TEST(ArchiveResource, has_a_template_beside_those_of_the_server) {
  Meeting meeting(with_resources());
  const json::Value list = meeting.ask("resources/templates/list", "{}");
  const std::string all = json::to_text(list.view());
  EXPECT_THAT(all, HasSubstr("enfold://archive/{handle}"));
  Meeting without(in_front_of(upstream()));
  EXPECT_EQ(at(without.ask("resources/templates/list", "{}"), "/code"), "-32601")
      << "what the server itself answers";
}

TEST(ArchiveResource, is_announced_for_a_server_without_resources) {
  Settings settings = with_resources();
  std::get_if<client::StdioTarget>(&settings.upstreams[0].target)->command.emplace_back("bare");
  Meeting meeting(std::move(settings));
  EXPECT_EQ(at(meeting.greeting, "/capabilities/resources"), "{}");
  EXPECT_EQ(at(meeting.ask("resources/list", "{}"), "/resources"), "[]");
  EXPECT_THAT(at(meeting.ask("resources/templates/list", "{}"), "/resourceTemplates"),
              HasSubstr("enfold://archive/{handle}"));
  Settings plain = in_front_of(upstream());
  std::get_if<client::StdioTarget>(&plain.upstreams[0].target)->command.emplace_back("bare");
  Meeting other(std::move(plain));
  EXPECT_EQ(at(other.greeting, "/capabilities/resources"), "(none)");
}

TEST(ArchiveLink, stands_in_cut_answers_of_clients_that_open_links) {
  struct Case {
    const char* client;
    bool linked;
  };
  for (const Case& each : {Case{"claude-code", true}, Case{"vscode", true}, Case{"opencode", false},
                           Case{"gemini", false}, Case{"generic", false}}) {
    Meeting meeting(with_resources(each.client));
    const json::Value result = meeting.result(long_result());
    const std::string handle = handle_in(result);
    EXPECT_EQ(at(result, "/content/1/uri"),
              each.linked ? fmt::format(R"("enfold://archive/{}")", handle) : "(none)")
        << each.client;
    const token::Tokenizer& tokenizer = *(*token::find_profile(each.client))->tokenizer;
    const std::string text = result->find("content")->item(0)->find("text")->string();
    const std::size_t link = each.linked ? tokenizer.count(at(result, "/content/1")) : 0;
    EXPECT_LE(tokenizer.count(text) + link, 2'000U) << each.client;
    if (each.linked) {
      EXPECT_EQ(at(read(meeting, fmt::format("enfold://archive/{}", handle)), "/code"), "(none)");
    }
    EXPECT_EQ(at(meeting.result(R"({"content":[],"structuredContent":{"a":1}})"), "/content/1"),
              "(none)")
        << "an answer that is whole needs none";
  }
}

}  // namespace
}  // namespace enfold::gateway
