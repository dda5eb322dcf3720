// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/cut_message.h"

#include "enfold/json/write.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

namespace enfold::mcp {
namespace {

std::string said(const CutMessage& seen) {
  const char* const kinds[] = {"no message", "unclear", "answer", "no answer"};
  return fmt::format("{}{}", kinds[static_cast<int>(seen.kind)],
                     seen.id ? " " + text_of(*seen.id) : "");
}

TEST(CutMessage, is_known_by_its_beginning_as_far_as_that_goes) {
  const struct {
    const char* beginning;
    const char* want;
  } cases[] = {
      {R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"te)", "answer 7"},
      {R"( { "id" : "a\"b" , "error" : {"code")", R"(answer "a\"b")"},
      {R"({"result":{"id":3,"deep":[{"id":4}],"te)", "answer"},
      {R"({"result":{"id":3},"id":5,"x":"lo)", "answer 5"},
      {R"({"id":7,"method":"sampling/createMessage","params":{"me)", "no answer 7"},
      {R"({"method":"notifications/message","params":{"id":1,"da)", "no answer"},
      {R"({"id":7)", "unclear"},
      {R"({"id":"7)", "unclear"},
      {R"({"id":7,"extra":{"method":"x","res)", "unclear 7"},
      {R"({"te)", "unclear"},
      {R"([{"id":7,"result":{)", "unclear"},
      {R"({"a\\":"}","id":2,"result":[)", "answer 2"},
      {"Listening on port 8080, and much more", "no message"},
      {"", "no message"},
  };
  for (const auto& [beginning, want] : cases) {
    EXPECT_EQ(said(read_cut_beginning(beginning)), want) << beginning;
  }
}

TEST(CutMessage, is_known_by_its_end_as_far_as_that_goes) {
  const struct {
    const char* end;
    const char* want;
  } cases[] = {
      {R"(xt"}]},"jsonrpc":"2.0","id":7})", "unclear 7"},
      {R"(xt"}]} , "id" : "a\\" , "jsonrpc" : "2.0" } )", R"(unclear "a\\")"},
      {R"(},"id":7,"method":"ping"})", "no answer 7"},
      {R"("id":7}})", "unclear"},
      {R"("id":7}]})", "unclear"},
      {R"( a text with \"id\":7"})", "unclear"},
      {R"("id":7)", "unclear"},
      {R"(7})", "unclear"},
      {R"(\"id":7})", "unclear"},
      {"xxxx", "unclear"},
      {"", "unclear"},
  };
  for (const auto& [end, want] : cases) EXPECT_EQ(said(read_cut_end(end)), want) << end;
}

RC_GTEST_PROP(CutMessage, no_cut_finds_another_id_than_the_whole,
              (const std::string& text, int id)) {
  json::Writer writer;
  writer.begin_object()
      .key("result")
      .begin_object()
      .member("id", std::int64_t{77})
      .member("text", text);
  writer.end_object().member("id", std::int64_t{id}).end_object();
  const std::string whole = std::move(writer).finish().str();
  for (std::size_t i = 0; i <= whole.size(); ++i) {
    const CutMessage head = read_cut_beginning(std::string_view(whole).substr(0, i));
    const CutMessage tail = read_cut_end(std::string_view(whole).substr(i));
    RC_ASSERT(!head.id || *head.id == Id(std::int64_t{id}));
    RC_ASSERT(!tail.id || *tail.id == Id(std::int64_t{id}));
  }
}

}  // namespace
}  // namespace enfold::mcp
