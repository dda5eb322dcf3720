// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/sent_arguments.h"
#include "enfold/tools/declare/read_arguments.h"

#include <gtest/gtest.h>

namespace enfold::tools {
namespace {

struct Anything {
  std::vector<json::Value> items;
  std::map<std::string, json::Value> by_name;
  static constexpr auto arguments() {
    return tools::arguments(tools::argument("items", &Anything::items),
                            tools::argument("by_name", &Anything::by_name));
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

struct Part {
  std::string name;
  std::optional<int> count;
  static constexpr auto fields() { return level::fields<&Part::name, &Part::count>(); }
};
struct Order {
  std::string id;
  std::optional<std::string> note;
  std::vector<Part> parts;
  std::vector<std::optional<int>> sizes;
  static constexpr auto fields() {
    return level::fields<&Order::id, &Order::note, &Order::parts, &Order::sizes>();
  }
};

TEST(Arguments, that_may_be_left_out_are_left_out_if_they_are_null) {
  const json::Value schema = input_schema_of<Order>();
  const json::Value sent = json::parse_own(
      R"({"id":null,"note":null,"parts":[{"name":null,"count":null}],"sizes":[null],"x":null})");
  EXPECT_EQ(json::to_text(without_nulls(sent, schema.view()).view()),
            R"({"id":null,"parts":[{"name":null}],"sizes":[null],"x":null})");
}

TEST(Arguments, that_a_reference_lets_be_null_stay) {
  const json::Value schema = json::parse_own(R"({"type":"object","properties":{
    "y":{"$ref":"#/$defs/n"},"z":{"$ref":"#/$defs/s"},"c":{"$ref":"#/properties/c"}},
    "$defs":{"n":{"type":["integer","null"]},"s":{"type":"string"}}})");
  const json::Value sent = json::parse_own(R"({"y":null,"z":null,"c":null})");
  EXPECT_EQ(json::to_text(without_nulls(sent, schema.view()).view()), R"({"y":null,"c":null})");
}

}  // namespace
}  // namespace enfold::tools
