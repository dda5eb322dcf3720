// SPDX-License-Identifier: Apache-2.0
// Anything → generic: the goldens of chat tools, the rules one by one, and what always holds.
#include "enfold/contract/contract.h"
#include "enfold/json/write.h"
#include "enfold/schema/schema.h"
#include "tests/contract/parse_any.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"
#include "tests/support/goldens.h"

#include <gtest/gtest.h>
#include <map>

namespace enfold::contract {
namespace {

using testing::check_property;
using testing::draw_below;
using testing::draw_chance;
using testing::property_cases;

const schema::Schema& generic_schema() {
  static const schema::Schema compiled = *schema::Schema::compile(*schema(Id::generic));
  return compiled;
}

std::string first_violation(json::View document) {
  const auto validation = generic_schema().validate(document);
  if (!validation) return validation.error().message;
  if (validation->valid) return "";
  const schema::Violation& first = validation->violations.front();
  return first.instance + ": expected " + first.expected + ", found " + first.found;
}

json::Value parsed(json::View document, const std::string& tool) {
  const Result<Parsed> result = parse_any(document, {.tool = tool, .limits = {}});
  EXPECT_TRUE(result) << result.error().message;
  return result ? json::parse_own(result->output.str()) : json::Value();
}

std::string text_of(const json::Value& value) { return json::to_text(value.view()); }

TEST(Parse, makes_of_every_recorded_answer_what_is_wanted) {
  for (const testing::Path& folder : testing::entries_of(testing::golden_folder() / "discord")) {
    SCOPED_TRACE(folder.filename().string());
    std::string tool = testing::read_file(folder / "args");
    tool.erase(tool.find_last_not_of('\n') + 1);
    const json::Value got = parsed(testing::read_json_file(folder / "input.json").view(), tool);
    const json::Value want = testing::read_json_file(folder / "want.json");
    EXPECT_EQ(first_violation(got.view()), "");
    EXPECT_TRUE(got == want) << text_of(got) << "\nis not\n" << text_of(want);
  }
}

TEST(Parse, writes_the_members_in_the_order_of_the_table) {
  const json::Value got = parsed(json::parse_own(R"({"items":[{"a":1}],"offset":0,"total":5,
      "limit":1,"message":"One of five","took":3})")
                                     .view(),
                                 "list_things");
  EXPECT_EQ(text_of(got), R"({"toolName":"list_things","responseType":"list","data":[{"a":1}],)"
                          R"("pagination":{"offset":0,"limit":1,"hasMore":true,"nextOffset":1},)"
                          R"("summary":{"total":5,"returned":1,"hasMore":true},)"
                          R"("message":"One of five","metadata":{"took":3}})");
}

struct Case {
  const char* name;
  const char* tool;
  const char* input;
  const char* want;
};

void expect_all(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const json::Value got = parsed(json::parse_own(one.input).view(), one.tool);
    EXPECT_EQ(first_violation(got.view()), "");
    EXPECT_TRUE(got == json::parse_own(one.want)) << text_of(got) << "\nis not\n" << one.want;
  }
}

TEST(Parse, takes_off_what_is_wrapped_around_the_answer) {
  expect_all({
      {"a string that holds JSON", "x", R"("{\"a\":1}")",
       R"({"toolName":"x","responseType":"single","data":{"a":1}})"},
      {"output around a string that holds JSON", "x", R"({"output":"{\"output\":{\"a\":1}}"})",
       R"({"toolName":"x","responseType":"single","data":{"a":1}})"},
      {"result alone", "x", R"({"result":{"a":1}})",
       R"({"toolName":"x","responseType":"single","data":{"a":1}})"},
      {"output beside others is data", "x", R"({"output":{"a":1},"exit":0})",
       R"({"toolName":"x","responseType":"single","data":{"output":{"a":1},"exit":0}})"},
      {"a JSON-RPC response that holds a plain value", "x",
       R"({"jsonrpc":"2.0","id":1,"result":5})",
       R"({"toolName":"x","responseType":"single","data":{"result":5}})"},
      {"an MCP result inside an MCP result", "x",
       R"({"content":[{"type":"text","text":"{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}"}]})",
       R"({"toolName":"x","responseType":"single","data":{"text":"hi"}})"},
      {"null", "x", "null", R"({"toolName":"x","responseType":"single","data":{"result":null}})"},
      {"an empty MCP result", "x", R"({"content":[]})",
       R"({"toolName":"x","responseType":"single"})"},
      {"an empty MCP result of an action", "send_x", R"({"content":[],"isError":false})",
       R"({"toolName":"send_x","responseType":"action","status":"success"})"},
      {"a result that waits for input", "x",
       R"({"resultType":"input_required","content":[],"requestState":"s"})",
       R"({"toolName":"x","responseType":"single",
           "data":{"resultType":"input_required","content":[],"requestState":"s"}})"},
      {"structured content beside another text", "x",
       R"({"content":[{"type":"text","text":"Weather"}],"structuredContent":{"t":21},
           "_meta":{"content":1}})",
       R"({"toolName":"x","responseType":"single","data":{"t":21},
           "metadata":{"_meta":{"content":1},"content":[{"type":"text","text":"Weather"}]}})"},
      {"several blocks", "read_x",
       R"({"content":[{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}]})",
       R"({"toolName":"read_x","responseType":"single","data":{"content":[
           {"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}]}})"},
  });
}

TEST(Parse, goes_no_deeper_than_eight_layers) {
  std::string text = R"({"a":1})";
  for (int i = 0; i < 10; ++i) text = R"({"output":)" + text + "}";
  EXPECT_EQ(text_of(parsed(json::parse_own(text).view(), "x")),
            R"({"toolName":"x","responseType":"single","data":{"output":{"a":1}}})");
}

TEST(Parse, reads_a_failure_out_of_the_members_that_tools_use) {
  expect_all({
      {"an error in words", "x", R"({"error":"No such channel","hint":"list them"})",
       R"({"toolName":"x","responseType":"error","status":"error","message":"No such channel",
           "error":{"message":"No such channel"},"metadata":{"hint":"list them"}})"},
      {"an error in words beside a code", "x", R"({"error":"No such channel","code":10003})",
       R"({"toolName":"x","responseType":"error","status":"error","message":"No such channel",
           "error":{"code":10003,"message":"No such channel"}})"},
      {"an error object with more to say", "x",
       R"({"error":{"code":null,"message":"Slow down","retryable":true,"details":[1]}})",
       R"({"toolName":"x","responseType":"error","status":"error","message":"Slow down",
           "error":{"message":"Slow down","details":{"retryable":true,"details":[1]}}})"},
      {"details that name a type", "x",
       R"({"error":{"message":"No","details":{"type":"http","status":502}}})",
       R"({"toolName":"x","responseType":"error","status":"error","message":"No",
           "error":{"message":"No","details":{"type":"http","status":502}}})"},
      {"an error that is neither", "x", R"({"error":[1,2],"success":true})",
       R"({"toolName":"x","responseType":"error","status":"error",
           "message":"The tool reported a failure without a message.",
           "error":{"message":"The tool reported a failure without a message."},
           "metadata":{"error":[1,2],"success":true}})"},
      {"two messages", "x", R"({"error":{"message":"A"},"message":"B"})",
       R"({"toolName":"x","responseType":"error","status":"error","message":"A",
           "error":{"message":"A"},"metadata":{"message":"B"}})"},
      {"no error, said in four ways", "get_x", R"({"error":false,"errors":[]})",
       R"({"toolName":"get_x","responseType":"single","data":{"error":false,"errors":[]}})"},
      {"an empty error", "get_x", R"({"error":"","a":1})",
       R"({"toolName":"get_x","responseType":"single","data":{"error":"","a":1}})"},
      {"an error of 0", "get_x", R"({"error":0.0,"a":1})",
       R"({"toolName":"get_x","responseType":"single","data":{"error":0.0,"a":1}})"},
      {"an error of nothing", "get_x", R"({"error":{},"a":1})",
       R"({"toolName":"get_x","responseType":"single","data":{"error":{},"a":1}})"},
      {"isError around data that says nothing of it", "x",
       R"({"isError":true,"content":[{"type":"text","text":"{\"rows\":[1]}"}]})",
       R"({"toolName":"x","responseType":"error","status":"error",
           "message":"The tool reported a failure without a message.",
           "error":{"message":"The tool reported a failure without a message."},
           "metadata":{"rows":[1]}})"},
      {"isError around an array", "x", R"({"isError":true,"structuredContent":[1],
           "content":[{"type":"text","text":"Half of it"}]})",
       R"({"toolName":"x","responseType":"error","data":[1],"status":"error","message":"Half of it",
           "error":{"message":"Half of it"},
           "metadata":{"content":[{"type":"text","text":"Half of it"}]}})"},
      {"isError around several blocks", "x", R"({"isError":true,"content":[
           {"type":"text","text":"First"},{"type":"text","text":"Second"}]})",
       R"({"toolName":"x","responseType":"error","status":"error","message":"First",
           "error":{"message":"First"},
           "data":[{"type":"text","text":"First"},{"type":"text","text":"Second"}]})"},
  });
}

TEST(Parse, counts_what_a_list_says_of_itself) {
  expect_all({
      {"the plainest total wins", "list_x", R"({"totalPages":3,"totalUnread":2,"total":9,"x":[1]})",
       R"({"toolName":"list_x","responseType":"list","data":[1],
           "summary":{"total":9,"returned":1},
           "metadata":{"totalPages":3,"totalUnread":2}})"},
      {"a count above the length is the total", "list_x", R"({"count":9,"x":[1]})",
       R"({"toolName":"list_x","responseType":"list","data":[1],
           "summary":{"total":9,"returned":1}})"},
      {"counters of the wrong type", "list_x", R"({"total":"9","offset":null,"hasMore":1,"x":[]})",
       R"({"toolName":"list_x","responseType":"list","data":[],"summary":{"total":9,"returned":0},
           "metadata":{"offset":null,"hasMore":1}})"},
      {"a second claim", "list_x", R"({"limit":5,"pageSize":6,"count":1,"returned":1,"x":[1],
           "nextOffset":7,"cursor":"c"})",
       R"({"toolName":"list_x","responseType":"list","data":[1],
           "pagination":{"limit":5,"hasMore":true,"nextOffset":7},
           "summary":{"returned":1,"hasMore":true},
           "metadata":{"pageSize":6,"returned":1,"cursor":"c"}})"},
      {"a list that was cut behind the back of its total", "list_x",
       R"({"total":1,"originalCount":9,"has_more":false,"x":[1]})",
       R"({"toolName":"list_x","responseType":"list","data":[1],
           "summary":{"total":1,"returned":1,"hasMore":true},
           "metadata":{"originalCount":9,"has_more":false}})"},
      {"an offset that is not whole", "list_x",
       R"({"offset":0.5,"hasMore":true,"x":[1],"total":3})",
       R"({"toolName":"list_x","responseType":"list","data":[1],
           "summary":{"total":3,"returned":1,"hasMore":true},"metadata":{"offset":0.5}})"},
  });
}

TEST(Parse, leaves_an_answer_that_is_generic_already_as_it_is) {
  expect_all({
      {"nulls, unknown members, unusual words", "x",
       R"({"toolName":"y","responseType":"list","data":[1],"summary":"one","status":{"s":1},
           "error":null,"x":[null],"metadata":null,"pagination":{"limit":null}})",
       R"({"toolName":"y","responseType":"list","data":[1],"summary":"one","status":{"s":1},
           "error":null,"x":[null],"metadata":null,"pagination":{"limit":null}})"},
      {"without a name anywhere", "", R"({"responseType":"single","data":{"a":1}})",
       R"({"toolName":"unknown","responseType":"single","data":{"a":1}})"},
      {"but isError is stronger", "x",
       R"({"isError":true,"structuredContent":{"responseType":"single","data":{"a":1},
           "status":"fine"}})",
       R"({"toolName":"x","responseType":"error","data":{"a":1},"status":"error",
           "message":"The tool reported a failure without a message.",
           "error":{"message":"The tool reported a failure without a message."}})"},
  });
}

TEST(Parse, converts_an_envelope_of_another_contract) {
  const json::Value got = parsed(json::parse_own(R"({"output":{"success":true,
      "data":{"channels":[{"id":"1"}],"totalChannels":4},"error":null,
      "meta":{"version":"response-v2","request_id":"req_1"}}})")
                                     .view(),
                                 "discord_list_channels");
  EXPECT_EQ(first_violation(got.view()), "");
  EXPECT_EQ(json::to_text(*got->find("data")), R"([{"id":"1"}])");
  EXPECT_EQ(json::to_text(*got->find("summary")), R"({"total":4,"returned":1})");
  const auto reading = read(Id::generic, got.view());
  EXPECT_EQ(reading->response.request_id, "req_1");
  EXPECT_EQ(text_of(*reading->response.payload), R"({"channels":[{"id":"1"}],"totalChannels":4})");
}

TEST(Parse, takes_text_that_is_not_JSON) {
  const auto text = parse_any(json::string_value("Sent.\n").view(), {.tool = "send_message"});
  EXPECT_EQ(text->output.str(),
            R"({"toolName":"send_message","responseType":"action","data":{"text":"Sent.\n"},)"
            R"("status":"success","message":"Sent.\n"})");
}

TEST(Parse, says_which_rule_decided) {
  const auto rule = [](const char* input, const char* tool) {
    return parse_any(json::parse_own(input).view(), {.tool = tool, .limits = {}})->reading.rule;
  };
  EXPECT_EQ(rule(R"({"a":1})", "x"), "no failure mark");
  EXPECT_EQ(rule(R"({"success":false})", "x"),
            "`success` is false; its kind: nothing says what went wrong");
  EXPECT_EQ(rule(R"({"content":[],"isError":true})", "x"),
            "isError is true; its kind: nothing says what went wrong");
  EXPECT_EQ(rule(R"({"succeeded":1,"failed":1})", "send_x"), "`failed` names parts that failed");
}

// --- What holds for every answer.

void draw_member(json::Writer& writer, const std::string& key) {
  writer.key(key);
  if (draw_chance(1)) {
    testing::draw_json(writer, 2);
  } else if (key == "success" || key == "hasMore" || key == "has_more") {
    writer.boolean(draw_chance(7));
  } else if (key == "error" || key == "details") {
    if (draw_chance(5)) {
      writer.value(testing::draw_object(2));
    } else {
      writer.string(testing::draw_text());
    }
  } else if (key == "pagination") {
    writer.value(testing::draw_object(1));
  } else if (key == "channels" || key == "items" || key == "tools") {
    writer.begin_array();
    for (int i = draw_below(3); i > 0; --i) testing::draw_json(writer, 1);
    writer.end_array();
  } else if (key.ends_with("Id") || key == "message" || key == "filterType" || key == "reason") {
    writer.string(draw_chance(5) ? "after" : "17");
  } else {
    writer.integer(draw_below(4));
  }
}

json::Value draw_raw() {
  static const std::vector<std::string> keys{
      "success",       "error",     "message",    "reason",  "code",       "details",
      "channels",      "items",     "tools",      "total",   "totalCount", "totalChannels",
      "count",         "showing",   "returned",   "offset",  "limit",      "page_size",
      "hasMore",       "has_more",  "nextOffset", "cursor",  "before",     "after",
      "originalCount", "messageId", "id",         "failed",  "succeeded",  "pagination",
      "filterType",    "metadata",  "toolName",   "content", "status"};
  json::Writer writer;
  writer.begin_object();
  for (const std::string& key : keys) {
    if (draw_chance(2)) draw_member(writer, key);
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

json::Value wrapped(const json::Value& answer, int how) {
  json::Writer text;
  text.value(answer);
  json::Writer writer;
  switch (how) {
    case 0: return answer;
    case 1: writer.begin_object().member("output", answer).end_object(); break;
    case 2: writer.string_holding(std::move(text).finish()); break;
    case 3:
      writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
      writer.key("text").string_holding(std::move(text).finish());
      writer.end_object().end_array().end_object();
      break;
    default: writer.begin_object().member("structuredContent", answer).end_object(); break;
  }
  return std::move(writer).finish_value();
}

std::string draw_tool() {
  static const std::vector<std::string> tools{
      "",       "list_channels", "send_channel", "x",           "getItems", "mcp_list_tools",
      "search", "read",          "list_other",   "update-tools"};
  return tools[static_cast<std::size_t>(draw_below(static_cast<int>(tools.size())))];
}

TEST(Parse, gives_the_same_valid_answer_for_anything) {
  check_property("parse/always_valid", property_cases(2'000, 100'000), [] {
    const json::Value answer = draw_chance(8) ? draw_raw() : testing::draw_value();
    const json::Value input = wrapped(answer, draw_below(5));
    const std::string tool = draw_tool();
    const auto first = parse_any(input.view(), {.tool = tool, .limits = {}});
    const auto second = parse_any(input.view(), {.tool = tool, .limits = {}});
    RC_ASSERT(first.has_value());
    RC_ASSERT(first->output.str() == second->output.str());
    const std::string violation = first_violation(json::parse_own(first->output.str()).view());
    if (!violation.empty()) RC_FAIL(first->output.str() + "\n" + violation);
  });
}

using Leaves = std::map<std::string, int>;

// A code is written as a number when it looks like one, so numbers and texts count as one.
void collect(json::View value, Leaves& leaves) {
  for (const json::View item : value.items()) collect(item, leaves);
  for (const json::Member& member : value.members()) collect(member.value, leaves);
  if (value.is_container()) return;
  ++leaves[value.is_string() ? value.string() : std::string(value.raw())];
}

// What need not come back: the flag that the whole answer repeats, and nulls inside an error.
Leaves wanted_leaves(json::View answer) {
  Leaves leaves;
  for (const json::Member& member : answer.members()) {
    if (member.key.equals("success") && member.value.raw() == "false") continue;
    collect(member.value, leaves);
    if (!member.key.equals("error")) continue;
    for (const json::Member& inner : member.value.members()) {
      if (inner.value.is_null()) --leaves["null"];
    }
  }
  return leaves;
}

TEST(Parse, loses_no_value) {
  check_property("parse/loses_nothing", property_cases(2'000, 100'000), [] {
    const json::Value answer = draw_raw();
    const json::Value input = wrapped(answer, draw_below(5));
    const std::string tool = draw_tool();
    const auto result = parse_any(input.view(), {.tool = tool, .limits = {}});
    Leaves got;
    collect(json::parse_own(result->output.str()).view(), got);
    for (const auto& [leaf, times] : wanted_leaves(answer.view())) {
      if (got[leaf] < times) {
        RC_FAIL(leaf + " of\n" + text_of(answer) + "\nis missing for " + tool + " in\n" +
                result->output.str());
      }
    }
  });
}

}  // namespace
}  // namespace enfold::contract
