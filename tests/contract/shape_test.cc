// SPDX-License-Identifier: Apache-2.0
// Which of the five shapes an answer has, rule by rule. The same rules serve parsing and
// conversion, so they are asked through the rendering.
#include "enfold/contract/contract.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

struct Case {
  const char* name;
  const char* tool;
  const char* payload;
  const char* type;
  const char* data;
};

json::Value generic_of(const model::Response& response) {
  json::Writer writer;
  render(Id::generic, response, {}, writer);
  return std::move(writer).finish_value();
}

void expect_all(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    model::Response response;
    response.tool.id = one.tool;
    response.payload = json::parse_own(one.payload);
    const json::Value got = generic_of(response);
    EXPECT_EQ(got->find("responseType")->string(), one.type);
    EXPECT_EQ(json::to_text(*got->find("data")), json::to_text(json::parse_own(one.data).view()));
  }
}

TEST(Shape, follows_the_first_verb_of_the_tool) {
  expect_all({
      {"list", "list_x", R"({"xs":[1],"y":2})", "list", "[1]"},
      {"in camel case", "chatListX", R"({"xs":[1],"y":2})", "list", "[1]"},
      {"with hyphens", "chat-search-x", R"({"xs":[1],"y":2})", "list", "[1]"},
      {"inside a word it is no verb", "checklist", R"({"xs":[1],"y":2})", "single",
       R"({"xs":[1],"y":2})"},
      {"an abbreviation is one word", "XMLRead", R"({"xs":[1],"y":2})", "single",
       R"({"xs":[1],"y":2})"},
      {"the first verb wins", "get_sent_list", R"({"xs":[1],"y":2})", "single",
       R"({"xs":[1],"y":2})"},
      {"an action", "create_list", R"({"xs":[{"a":1}],"total":1})", "action",
       R"({"xs":[{"a":1}],"total":1})"},
      {"an action that answers with a list", "delete_x", "[1]", "list", "[1]"},
      {"an action that answers with a number", "delete_x", "3", "action", R"({"result":3})"},
      {"a list tool that answers with one object", "list_x", R"({"a":1})", "list", R"([{"a":1}])"},
      {"but not with nothing", "list_x", "{}", "single", "{}"},
      {"a search that answers with one object", "search_x", R"({"a":1})", "single", R"({"a":1})"},
      {"a list tool that answers with text", "list_x", R"("a, b")", "single", R"({"text":"a, b"})"},
  });
}

TEST(Shape, of_a_tool_without_a_name_does_not_depend_on_the_script_of_the_keys) {
  expect_all({
      {"Latin", "", R"({"orders":{"items":[{"a":1}]}})", "list", R"([{"a":1}])"},
      {"Japanese", "", R"({"注文":{"items":[{"a":1}]}})", "list", R"([{"a":1}])"},
      {"a name that ends in another character", "get_", R"({"注文":{"items":[{"a":1}]}})", "list",
       R"([{"a":1}])"},
  });
}

TEST(Shape, finds_the_array_that_the_answer_is_about) {
  expect_all({
      {"the one that the tool is named after", "list_guild_members",
       R"({"errors":[{}],"items":[2],"guild-Members":[1]})", "list", "[1]"},
      {"not when two are", "list_guild_members", R"({"guild":[1],"members":[2],"items":[3]})",
       "list", "[3]"},
      {"a usual name", "list_x", R"({"b":[{}],"rows":[1],"results":[2]})", "list", "[2]"},
      {"the only one of objects", "list_x", R"({"b":["x"],"c":[{"a":1}],"d":[]})", "list",
       R"([{"a":1}])"},
      {"the only one", "list_x", R"({"b":["x"]})", "list", R"(["x"])"},
      {"none of two", "find_x", R"({"b":["x"],"c":[1]})", "single", R"({"b":["x"],"c":[1]})"},
      {"none whose name comes twice", "find_x", R"({"b":[1],"b":[2]})", "single",
       R"({"b":[1],"b":[2]})"},
      {"not even once as something else", "find_x", R"({"b":"y","b":[2]})", "single",
       R"({"b":"y","b":[2]})"},
  });
}

TEST(Shape, is_told_by_the_data_where_the_tool_tells_nothing) {
  expect_all({
      {"a list of objects alone", "x", R"({"b":[{"a":1}]})", "list", R"([{"a":1}])"},
      {"a list of objects beside a counter", "x", R"({"b":[{"a":1}],"hasMore":false,"c":1})",
       "list", R"([{"a":1}])"},
      {"a list of objects beside pagination", "x", R"({"b":[{"a":1}],"pagination":{}})", "list",
       R"([{"a":1}])"},
      {"a list of objects beside anything else", "x", R"({"b":[{"a":1}],"c":1})", "single",
       R"({"b":[{"a":1}],"c":1})"},
      {"a counter of the wrong type", "x", R"({"b":[{"a":1}],"total":[1]})", "single",
       R"({"b":[{"a":1}],"total":[1]})"},
      {"words that page through differences", "x", R"({"b":[{"a":1}],"before":"1","after":"2"})",
       "single", R"({"b":[{"a":1}],"before":"1","after":"2"})"},
      {"an empty list that has the tool's name", "get_members", R"({"members":[],"total":0})",
       "list", "[]"},
      {"an empty list that has not", "get_x", R"({"members":[],"total":0})", "list", "[]"},
      {"texts", "x", R"({"b":["a"],"total":1})", "list", R"(["a"])"},
      {"success and an id", "x", R"({"success":true,"fileID":1})", "action",
       R"({"success":true,"fileID":1})"},
      {"success and a time", "x", R"({"success":true,"created_at":1})", "action",
       R"({"success":true,"created_at":1})"},
      {"success alone", "x", R"({"success":true,"format":1})", "single",
       R"({"success":true,"format":1})"},
  });
}

TEST(Shape, of_tools_is_a_catalog) {
  expect_all({
      {"by shape", "get_x", R"({"a":[{"name":"n","inputSchema":{}}],"b":1})", "tool_catalog",
       R"([{"name":"n","inputSchema":{}}])"},
      {"at the root", "x", R"([{"name":"n","schema":{}}])", "tool_catalog",
       R"([{"name":"n","schema":{}}])"},
      {"tables are no tools", "list_tables", R"([{"name":"n","schema":"public"}])", "list",
       R"([{"name":"n","schema":"public"}])"},
      {"one item that is none", "x", R"([{"name":"n","schema":{}},{"name":"m"}])", "list",
       R"([{"name":"n","schema":{}},{"name":"m"}])"},
      {"by name, even when empty", "mcp_list_tools", R"({"tools":[]})", "tool_catalog", "[]"},
  });
}

TEST(Shape, that_the_source_named_is_kept) {
  struct Named {
    const char* name;
    model::Shape shape;
    const char* payload;
    const char* data;
  };
  const std::vector<Named> cases{
      {"list as it is", model::Shape::list, "[1]", "[1]"},
      {"list inside an object", model::Shape::list, R"({"a":[1],"b":2})", "[1]"},
      {"list of one object", model::Shape::list, R"({"b":2})", R"([{"b":2}])"},
      {"list of one text", model::Shape::tool_catalog, R"("b")", R"(["b"])"},
      {"single with an array", model::Shape::single, "[1]", R"({"items":[1]})"},
      {"action with an array of objects", model::Shape::action, R"({"b":[{}]})", R"({"b":[{}]})"},
  };
  for (const Named& one : cases) {
    SCOPED_TRACE(one.name);
    model::Response response;
    response.shape = one.shape;
    response.payload = json::parse_own(one.payload);
    const json::Value got = generic_of(response);
    EXPECT_EQ(got->find("responseType")->string(), model::name(one.shape));
    EXPECT_EQ(json::to_text(*got->find("data")), one.data);
  }
}

TEST(Shape, of_a_failure_is_error_whatever_its_data) {
  for (const char* payload : {"[1]", R"({"a":1})"}) {
    model::Response response;
    response.outcome = model::Outcome::failed;
    response.failure = model::Failure{.message = "No"};
    response.shape = model::Shape::list;
    response.payload = json::parse_own(payload);
    const json::Value got = generic_of(response);
    EXPECT_EQ(got->find("responseType")->string(), "error");
    EXPECT_EQ(json::to_text(*got->find("data")), payload);
  }
}

}  // namespace
}  // namespace enfold::contract
