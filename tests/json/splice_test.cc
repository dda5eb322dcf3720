// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"

#include <gtest/gtest.h>

namespace enfold::json {
namespace {

Output object_of(const Value& value) {
  Writer writer;
  writer.value(value);
  return std::move(writer).finish();
}

TEST(Splice, members_of_a_finished_object_go_into_an_open_one) {
  const std::string large(2000, 'x');
  const struct {
    const char* name;
    std::string object;
  } table[] = {{"empty", "{}"},
               {"one", R"({"a":1})"},
               {"referenced", R"({"a":")" + large + R"(","b":[{}]})"}};
  for (const auto& row : table) {
    const Value value = parse_own(row.object);
    const std::string inside = row.object.substr(1, row.object.size() - 2);
    const std::string comma = inside.empty() ? "" : ",";
    Writer first;
    first.begin_object().splice_members(object_of(value)).member("z", true).end_object();
    EXPECT_EQ(std::move(first).finish().str(), "{" + inside + comma + "\"z\":true}") << row.name;
    Writer last;
    last.begin_object().member("z", true).splice_members(object_of(value)).end_object();
    const Output output = std::move(last).finish();
    EXPECT_EQ(output.str(), "{\"z\":true" + comma + inside + "}") << row.name;
    EXPECT_EQ(output.size(), output.str().size()) << row.name;
  }
}

TEST(Splice, members_that_were_written_piece_by_piece) {
  const std::string large(2000, 'y');
  const Value value = parse_own("\"" + large + "\"");
  Writer inner;
  inner.begin_object().member("a", value).member("b", std::int64_t{2}).end_object();
  Writer outer;
  outer.begin_object().splice_members(std::move(inner).finish()).member("c", value).end_object();
  EXPECT_EQ(std::move(outer).finish().str(),
            R"({"a":")" + large + R"(","b":2,"c":")" + large + "\"}");
}

}  // namespace
}  // namespace enfold::json
