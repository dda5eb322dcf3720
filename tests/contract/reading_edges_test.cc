// SPDX-License-Identifier: Apache-2.0
// Answers at the edges of what the reader looks at.
#include "enfold/json/write.h"
#include "tests/contract/parse_any.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

model::Response read_as(const std::string& answer, const std::string& tool) {
  const auto document = json::parse(std::string_view(answer));
  EXPECT_TRUE(document);
  return parse_any(document->root(), {.tool = tool, .limits = {}})->reading.response;
}

TEST(ReadingEdges, names_of_any_length_are_read) {
  for (const char* const part : {"n", "num", "str", "opensearch", "total"}) {
    std::string name;
    for (int i = 0; i < 200'000; ++i) name += part;
    const model::Response read =
        read_as(R"({"status":"x","items":[1,2],")" + name + R"(":1})", "x");
    EXPECT_EQ(read.outcome, model::Outcome::ok) << part;
  }
}

TEST(ReadingEdges, a_batch_of_which_all_failed_is_a_failure_however_long_it_is) {
  for (const int count : {3, 1'000, 1'001, 5'000}) {
    std::string items;
    for (int i = 0; i < count; ++i) items += R"(,{"id":1,"success":false,"error":"no"})";
    const model::Response read = read_as("[" + items.substr(1) + "]", "delete_items");
    EXPECT_EQ(read.outcome, model::Outcome::failed) << count;
  }
}

TEST(ReadingEdges, a_tool_that_reads_reports_failures_of_others) {
  EXPECT_EQ(read_as(R"({"data":{"build":{"id":7,"success":false}}})", "get_build").outcome,
            model::Outcome::ok);
}

TEST(ReadingEdges, kinds_are_not_found_inside_of_words) {
  for (const char* const message : {"Zoom meeting not found", "The room does not exist"}) {
    const model::Response read =
        read_as(R"({"error":)" + json::quote(message) + "}", "get_meeting");
    ASSERT_TRUE(read.failure);
    EXPECT_EQ(read.failure->kind, model::ErrorKind::missing) << message;
  }
}

}  // namespace
}  // namespace enfold::contract
