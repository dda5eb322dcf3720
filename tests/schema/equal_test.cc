// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/evaluate/description.h"

#include <gtest/gtest.h>
#include <string>

namespace enfold::schema::detail {
namespace {

TEST(SchemaEqual, compares_values_and_not_texts) {
  const struct {
    std::string a;
    std::string b;
    bool want;
  } rows[] = {
      {"1", "1.0", true},
      {"[1, 2e0]", "[1.0,2]", true},
      {R"({"a":1,"b":[true]})", R"({ "b": [true], "a": 10e-1 })", true},
      {R"("\u0061")", R"("a")", true},
      {R"({"\u0061":null})", R"({"a":null})", true},
      {R"({"a":1,"a":2})", R"({"a":2})", true},
      {R"({"a":1,"a":2})", R"({"a":1})", false},
      {"0", "false", false},
      {"1", "true", false},
      {"[]", "{}", false},
      {R"("1")", "1", false},
      {"null", "false", false},
      {"[1,2]", "[2,1]", false},
      {"[1]", "[1,1]", false},
      {R"({"a":1})", R"({"b":1})", false},
      {R"({"a":1})", R"({"a":1,"b":1})", false},
  };
  for (const auto& row : rows) {
    const json::Value a = json::parse_own(row.a);
    const json::Value b = json::parse_own(row.b);
    EXPECT_EQ(schema::detail::schema_equal(*a, *b), row.want) << row.a << " and " << row.b;
    EXPECT_EQ(schema::detail::schema_equal(*b, *a), row.want) << row.b << " and " << row.a;
    EXPECT_EQ(schema::detail::schema_hash(*a) == schema::detail::schema_hash(*b), row.want)
        << row.a << " and " << row.b;
  }
}

}  // namespace
}  // namespace enfold::schema::detail
