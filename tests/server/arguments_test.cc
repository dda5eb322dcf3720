// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/read_arguments.h"

#include <gtest/gtest.h>

namespace enfold::server {
namespace {

struct Anything {
  std::vector<json::Value> items;
  std::map<std::string, json::Value> by_name;
  static constexpr auto arguments() {
    return server::arguments(server::argument("items", &Anything::items),
                             server::argument("by_name", &Anything::by_name));
  }
};

TEST(Arguments, lists_and_maps_of_anything_hold_no_empty_schemas) {
  EXPECT_EQ(json::to_text(input_schema_of<Anything>().view()),
            R"({"type":"object","properties":{"items":{"type":"array"},)"
            R"("by_name":{"type":"object","additionalProperties":true}},)"
            R"("required":["items","by_name"],"additionalProperties":false})");
}

TEST(Arguments, lists_and_maps_of_anything_are_read) {
  std::vector<Problem> problems;
  const json::Value sent = json::parse_own(R"({"items":[1,"a"],"by_name":{"k":[true]}})");
  const auto read = read_arguments<Anything>(sent.view(), problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(read.items.size(), 2U);
  EXPECT_EQ(json::to_text(read.by_name.at("k").view()), "[true]");
}

}  // namespace
}  // namespace enfold::server
