// SPDX-License-Identifier: Apache-2.0
// Handles as arguments: what was too large to read is handed on.
#include "enfold/gateway/call/handles.h"

#include "enfold/store/stores.h"
#include "tests/gateway/archived.h"
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kMediaType = "application/json; contract=mcp";

struct Archived {
  std::shared_ptr<store::Archive> archive = store::memory_archive();
  std::string put(const std::string& result, const std::string& principal = "local") const {
    return archive->put(principal, result, {.tool = "t", .media_type = std::string(kMediaType)}, {})
        ->handle;
  }
  [[nodiscard]] tl::expected<json::Value, model::Response> fill(
      const std::string& arguments) const {
    return replace_handles(json::parse_own(arguments).view(), {archive.get(), "local", {}});
  }
};

TEST(Handles, stand_for_the_payload_anywhere_in_the_arguments) {
  const Archived archived;
  const std::string page =
      archived.put(R"({"content":[],"structuredContent":{"html":"<p>","rows":[1.0,2]}})");
  const std::string text = archived.put(R"({"content":[{"type":"text","text":"plain words"}]})");
  struct Case {
    std::string arguments;
    std::string want;
  };
  const std::vector<Case> cases{
      {fmt::format(R"({{"a":{{"$enfold":"{}"}}}})", page),
       R"({"a":{"html":"<p>","rows":[1.0,2]}})"},
      {fmt::format(R"({{"a":[1,{{"b":{{"$enfold":"{}","pointer":"/rows/0"}}}}]}})", page),
       R"({"a":[1,{"b":1.0}]})"},
      {fmt::format(R"({{"$enfold":"{}"}})", page), R"({"html":"<p>","rows":[1.0,2]})"},
      {fmt::format(R"({{"body":{{"$enfold":"{}"}},"kept":null}})", text),
       R"({"body":"plain words","kept":null})"},
  };
  for (const Case& each : cases) {
    EXPECT_TRUE(has_handles(json::parse_own(each.arguments).view()));
    const auto filled = archived.fill(each.arguments);
    ASSERT_TRUE(filled) << each.arguments << " " << filled.error().failure->message;
    EXPECT_EQ(json::to_text(filled->view()), each.want);
  }
  EXPECT_FALSE(has_handles(json::parse_own(R"({"a":[{"enfold":"1"}]})").view()));
}

TEST(Handles, that_do_not_open_are_failures_that_say_what_to_do) {
  const Archived archived;
  const std::string own = archived.put(R"({"content":[],"structuredContent":{"a":1}})");
  const std::string foreign =
      archived.put(R"({"content":[],"structuredContent":{"b":1}})", "somebody else");
  struct Case {
    std::string name;
    std::string reference;
    std::string code;
  };
  const std::vector<Case> cases{
      {"unknown", R"({"$enfold":"999999999999"})", "NOT_FOUND"},
      {"somebody else's", fmt::format(R"({{"$enfold":"{}"}})", foreign), "NOT_FOUND"},
      {"no such place", fmt::format(R"({{"$enfold":"{}","pointer":"/zz"}})", own), "NOT_FOUND"},
      {"no text", R"({"$enfold":7})", "VALIDATION_ERROR"},
      {"more members", fmt::format(R"({{"$enfold":"{}","x":1}})", own), "VALIDATION_ERROR"},
  };
  for (const Case& each : cases) {
    const auto filled = archived.fill(R"({"a":)" + each.reference + "}");
    ASSERT_FALSE(filled) << each.name;
    EXPECT_EQ(filled.error().failure->code, each.code) << each.name;
    EXPECT_FALSE(filled.error().failure->remediation.empty()) << each.name;
  }
}

TEST(Handles, never_bring_back_the_marker_of_a_secret) {
  const Archived archived;
  const std::string handle = archived.put(
      R"({"content":[],"structuredContent":{"key":"[REDACTED:GITHUB_TOKEN]","open":1}})");
  const auto filled = archived.fill(fmt::format(R"({{"a":{{"$enfold":"{}"}}}})", handle));
  ASSERT_FALSE(filled);
  EXPECT_THAT(filled.error().failure->message, HasSubstr("GITHUB_TOKEN"));
  EXPECT_TRUE(archived.fill(fmt::format(R"({{"$enfold":"{}","pointer":"/open"}})", handle)));
}

TEST(HandlesInCalls, are_replaced_where_the_configuration_allows_it) {
  Settings settings = in_front_of(upstream());
  settings.handles_as_arguments = true;
  Meeting meeting(std::move(settings));
  const std::string handle = handle_in(meeting.result(long_result()));
  ASSERT_EQ(handle.size(), 12U);
  const json::Value echoed = meeting.call(
      "echo", fmt::format(R"({{"in":{{"$enfold":"{}","pointer":"/rows/3999"}}}})", handle));
  EXPECT_THAT(at(echoed, "/structuredContent/data"), HasSubstr(R"("in":{"id":3999})"));
  const json::Value unknown = meeting.call("echo", R"({"in":{"$enfold":"123456789012"}})");
  EXPECT_EQ(at(unknown, "/isError"), "true");
  EXPECT_EQ(at(unknown, "/structuredContent/data/error_code"), R"("NOT_FOUND")");
}

TEST(HandlesInCalls, are_ordinary_arguments_otherwise) {
  Meeting meeting(in_front_of(upstream()));
  const json::Value echoed = meeting.call("echo", R"({"in":{"$enfold":"123456789012"}})");
  EXPECT_EQ(at(echoed, "/isError"), "false");
  EXPECT_THAT(at(echoed, "/structuredContent/data"), HasSubstr("123456789012"));
}

// A model that writes back what it was shown of a secret would destroy it.
TEST(Markers, of_secrets_are_refused_as_arguments) {
  Settings settings = in_front_of(upstream());
  settings.answers.allow_none = true;
  Meeting meeting(std::move(settings));
  const std::string secret = "ghp_" + std::string(36, 'a');
  const json::Value shown = meeting.result(
      fmt::format(R"({{"content":[],"structuredContent":{{"note":"token {}"}}}})", secret));
  const std::string note = at(shown, "/structuredContent/data/note");
  ASSERT_THAT(note, HasSubstr("REDACTED"));
  const json::Value refused = meeting.call("echo", fmt::format(R"({{"text":{}}})", note));
  EXPECT_EQ(at(refused, "/isError"), "true");
  EXPECT_EQ(at(refused, "/structuredContent/data/error_code"), R"("VALIDATION_ERROR")");
  const json::Value bare = meeting.call("echo", fmt::format(R"({{"text":{}}})", note),
                                        R"({"dev.enfold/contract":"none"})");
  EXPECT_EQ(at(bare, "/isError"), "true");
  EXPECT_THAT(at(bare, "/content/0/text"), HasSubstr("REDACTED")) << "it names the marker";
}

// An upstream that is an Enfold too has a tool of the same name.
TEST(Handles, open_where_the_upstream_has_an_enfold_fetch_of_its_own) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_FETCH", "1")));
  EXPECT_THAT(meeting.tool_names(), ::testing::Contains("enfold_fetch"));
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    rows += fmt::format(R"({}{{"id":{},"topic":"what is said in it"}})", i == 0 ? "" : ",", i);
  }
  const std::string raw =
      fmt::format(R"({{"content":[],"structuredContent":{{"rows":[{}]}}}})", rows);
  const json::Value cut =
      meeting.call("result", fmt::format(R"({{"raw":{}}})", json::quote(raw)),
                   R"({"dev.enfold/budget":450,"dev.enfold/contract":"response-v2"})");
  const auto hashes = cut->find("structuredContent")->find("meta")->find("content_archive_hashes");
  ASSERT_TRUE(hashes);
  std::string handle;
  for (const json::Member& member : hashes->members()) handle = member.key.string();
  const auto fetch = [&](const std::string& sql, const std::string& of) {
    const std::string arguments = fmt::format(R"({{"handle":"{}","sql":"{}"}})", of, sql);
    return meeting.call("enfold_fetch", arguments);
  };
  const json::Value own = fetch("select count(*) n from items", handle);
  EXPECT_EQ(at(own, "/structuredContent/data/items/0/n"), "60") << json::to_text(own.view());
  EXPECT_EQ(meeting.lines.back().fetched_handle, handle) << "the dashboard counts it as opened";
  const json::Value number =
      meeting.call("enfold_fetch", fmt::format(R"({{"handle":{},"sql":"select 7 n"}})", handle));
  EXPECT_EQ(at(number, "/structuredContent/data/items/0/n"), "7") << "some models send a number";
  const std::string cursor = at(cut, "/structuredContent/meta/pagination/cursor");
  const json::Value rest = meeting.call("enfold_fetch", fmt::format(R"({{"cursor":{}}})", cursor));
  EXPECT_EQ(at(rest, "/structuredContent/success"), "true") << json::to_text(rest.view());
  const json::Value wrong = fetch("select", handle);
  EXPECT_EQ(at(wrong, "/structuredContent/success"), "false") << "it is not the upstream's to say";
  const json::Value other = fetch("select 1", "000000000000");
  EXPECT_EQ(at(other, "/structuredContent/success"), "true") << json::to_text(other.view());
  EXPECT_EQ(meeting.lines.back().fetched_handle, "") << "it is a handle of the upstream";
}

TEST(Handles, of_the_upstream_open_for_a_client_that_lists_no_tools) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_FETCH", "1")));
  const json::Value opened =
      meeting.call("enfold_fetch", R"({"handle":"000000000000","sql":"select 1"})");
  EXPECT_EQ(at(opened, "/structuredContent/success"), "true") << json::to_text(opened.view());
}

// What the upstream left out is missing in the gateway's archive too: the answer and everything
// that is asked about it say so.
TEST(Handles, of_an_answer_that_its_upstream_had_cut_say_so) {
  Meeting meeting(in_front_of(upstream()));
  std::string rows;
  std::string index;
  for (int i = 0; i < 60; ++i) {
    const char* comma = i == 0 ? "" : ",";
    rows += fmt::format(R"({}{{"id":{},"topic":"what is said in it"}})", comma, i);
    index += fmt::format(R"({}["{}","what is said in row {}"])", comma, i + 60, i + 60);
  }
  const std::string raw = fmt::format(
      R"({{"content":[],"structuredContent":{{"success":true,"data":{{"rows":[{}]}},"error":null,)"
      R"("meta":{{"version":"response-v2","warnings":["1940 of 2000 rows not shown"],)"
      R"("warning_details":[{{"code":"CONTENT_TRUNCATED","message":"1940 of 2000 rows not shown"}}],)"
      R"("content_fidelity":"partial","content_fidelity_schema_version":"1.0",)"
      R"("content_archive_hashes":{{"476438866981":"sha256:{}"}},)"
      R"("ext":{{"enfold":{{"index":{{"/rows":{{"cols":["id","topic"],"rows":[{}]}}}}}}}}}}}}}})",
      rows, std::string(64, 'a'), index);
  const json::Value cut =
      meeting.call("result", fmt::format(R"({{"raw":{}}})", json::quote(raw)),
                   R"({"dev.enfold/budget":600,"dev.enfold/contract":"response-v2"})");
  EXPECT_THAT(at(cut, "/structuredContent/meta/warnings"),
              HasSubstr("1940 of 2000 rows not shown"));
  const std::string handle = handle_in(cut);
  const json::Value counted = meeting.call(
      "enfold_fetch",
      fmt::format(R"({{"handle":"{}","sql":"select count(*) n from items"}})", handle));
  EXPECT_EQ(at(counted, "/structuredContent/data/items/0/n"), "60");
  EXPECT_THAT(at(counted, "/structuredContent/meta/warnings"),
              HasSubstr("its handle 476438866981 opens the whole"));
}

}  // namespace
}  // namespace enfold::gateway
