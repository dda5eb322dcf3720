// SPDX-License-Identifier: Apache-2.0
// The pages of lists that the gateway cut, one by one; pages_test.cc follows them to the end.
#include "tests/budget/truth.h"
#include "tests/gateway/front.h"
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>
#include <set>

namespace enfold::gateway {
namespace {

std::string channels(int count, const std::string& beside) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    list += fmt::format(R"({}{{"id":{},"name":"channel-{}","topic":"what is said in it"}})",
                        i == 0 ? "" : ",", i, i);
  }
  return fmt::format(R"({{"content":[],"structuredContent":{{"channels":[{}]{}}}}})", list, beside);
}

json::Value ask(Meeting& meeting, const std::string& raw, const std::string& more, int budget,
                const std::string& contract = "generic") {
  return meeting.call(
      "result", fmt::format(R"({{"raw":{}{}}})", json::quote(raw), more),
      fmt::format(R"({{"dev.enfold/budget":{},"dev.enfold/contract":"{}"}})", budget, contract));
}

std::string text_at(const json::Value& value, const std::string& pointer) {
  const std::string found = at(value, pointer);
  return found.front() == '"' ? found.substr(1, found.size() - 2) : found;
}

std::set<std::int64_t> ids_of(const json::Value& result) {
  std::set<std::int64_t> ids;
  for (const json::View item : testing::records_of(*result->find("structuredContent")->find("data"))) {
    ids.insert(*item.find("id")->integer());
  }
  return ids;
}

TEST(PagesOfACut, say_that_there_is_more_and_lead_to_the_first_record_left_out) {
  Meeting meeting(in_front_of(upstream()));
  const std::string raw = channels(60, R"(,"total":60,"hasMore":false)");
  const json::Value cut = ask(meeting, raw, "", 450);
  EXPECT_EQ(at(cut, "/structuredContent/responseType"), R"("list")");
  EXPECT_EQ(at(cut, "/structuredContent/pagination/hasMore"), "true");
  EXPECT_EQ(at(cut, "/structuredContent/summary/hasMore"), "true");
  EXPECT_EQ(at(cut, "/structuredContent/summary/total"), "60");
  const std::set<std::int64_t> shown = ids_of(cut);
  EXPECT_EQ(at(cut, "/structuredContent/summary/returned"), std::to_string(shown.size()));
  ASSERT_LT(shown.size(), 60U);
  std::int64_t first = 0;
  while (shown.contains(first)) ++first;
  const std::string cursor = text_at(cut, "/structuredContent/pagination/nextOffset");
  const json::Value next = meeting.call("enfold_fetch", fmt::format(R"({{"cursor":"{}"}})", cursor),
                                        R"({"dev.enfold/contract":"generic"})");
  EXPECT_EQ(at(next, "/structuredContent/data/0/id"), std::to_string(first))
      << json::to_text(next.view());
  EXPECT_EQ(at(next, "/structuredContent/summary/hasMore"), "false") << "the tool said so";
  EXPECT_EQ(at(next, "/structuredContent/summary/total"), "60");
}

TEST(PagesOfACut, are_given_by_the_same_tool_without_calling_the_server) {
  Meeting meeting(in_front_of(upstream()));
  const std::string raw = channels(60, R"(,"next_cursor":"upstream-2","team":"T1")");
  const json::Value cut = ask(meeting, raw, "", 450, "response-v2");
  const std::string cursor = text_at(cut, "/structuredContent/meta/pagination/cursor");
  // The server would give back what `raw` says now.
  const json::Value next = ask(meeting, R"({"content":[{"type":"text","text":"called"}]})",
                               fmt::format(R"(,"cursor":"{}")", cursor), 9'000, "response-v2");
  EXPECT_EQ(at(next, "/isError"), "false") << json::to_text(next.view());
  EXPECT_EQ(at(next, "/structuredContent/data/team"), R"("T1")") << "in the form of the tool";
  EXPECT_NE(at(next, "/structuredContent/data/channels/0/id"), "(none)");
  EXPECT_EQ(at(next, "/structuredContent/meta/pagination/has_more"), "true");
  EXPECT_EQ(at(next, "/structuredContent/meta/pagination/cursor"), R"("upstream-2")")
      << "the last page of ours leads to the tool's next page";
}

TEST(PagesOfACut, refuse_an_altered_cursor_and_one_of_another_tool) {
  Meeting meeting(in_front_of(upstream()));
  const json::Value cut = ask(meeting, channels(60, ""), "", 450, "response-v2");
  std::string cursor = text_at(cut, "/structuredContent/meta/pagination/cursor");
  const json::Value other = meeting.call("echo", fmt::format(R"({{"cursor":"{}"}})", cursor));
  EXPECT_EQ(at(other, "/structuredContent/data/error_code"), R"("INVALID_FORMAT")");
  cursor[10] = cursor[10] == 'A' ? 'B' : 'A';
  for (const char* tool : {"result", "enfold_fetch"}) {
    const json::Value refused = meeting.call(tool, fmt::format(R"({{"cursor":"{}"}})", cursor));
    EXPECT_EQ(at(refused, "/structuredContent/data/error_code"), R"("INVALID_FORMAT")") << tool;
  }
}

TEST(PagesOfACut, belong_to_one_principal) {
  Settings settings = for_many(upstream(), "response-v2");
  settings.principals = {principal("anna", "anna-0123456789abcdef"),
                         principal("ben", "ben-0123456789abcdef")};
  Front front(std::move(settings));
  const auto anna = front.voice("anna-0123456789abcdef");
  const auto ben = front.voice("ben-0123456789abcdef");
  const std::string raw = fmt::format(R"({{"raw":{}}})", json::quote(channels(900, "")));
  const Heard cut = anna->call("result", raw);
  std::string cursor = cut.at("/structuredContent/meta/pagination/cursor");
  ASSERT_EQ(cursor.substr(0, 5), "\"EnfC");
  for (const char* tool : {"result", "enfold_fetch"}) {
    const std::string arguments = fmt::format(R"({{"cursor":{}}})", cursor);
    EXPECT_EQ(anna->call(tool, arguments).at("/isError"), "false") << tool;
    EXPECT_EQ(ben->call(tool, arguments).at("/structuredContent/data/error_code"),
              "\"INVALID_FORMAT\"")
        << tool;
  }
}

TEST(PagesOfACut, keep_the_type_of_the_answer_within_the_smallest_budget) {
  Meeting meeting(in_front_of(upstream()));
  for (const int budget : {128, 140, 160, 200, 300}) {
    const json::Value cut = ask(meeting, channels(60, R"(,"total":60)"), "", budget);
    EXPECT_EQ(at(cut, "/structuredContent/responseType"), R"("list")") << budget;
    const auto data = cut->find("structuredContent")->find("data");
    ASSERT_TRUE(data && data->is_array()) << budget << json::to_text(cut.view());
    for (const json::View item : testing::records_of(*data)) EXPECT_TRUE(item.find("id")) << budget;
    EXPECT_EQ(at(cut, "/structuredContent/summary/hasMore"), "true") << json::to_text(cut.view());
    EXPECT_EQ(text_at(cut, "/structuredContent/pagination/nextOffset").substr(0, 4), "EnfC")
        << budget << json::to_text(cut.view());
  }
}

}  // namespace
}  // namespace enfold::gateway
