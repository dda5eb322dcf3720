// SPDX-License-Identifier: Apache-2.0
// generic: every valid document survives the way through response-v2, however odd it is, and
// every payload the way through generic.
#include "enfold/contract/contract.h"
#include "enfold/schema/schema.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

using testing::check_property;
using testing::draw_below;
using testing::draw_chance;
using testing::property_cases;

json::Value converted(const Reading& reading, Id to) {
  const Result<json::Output> output = write(reading, to, {});
  EXPECT_TRUE(output) << output.error().message;
  return json::parse_own(output->str());
}

json::Value there_and_back(json::View source, Id from, Id to) {
  const json::Value there = converted(*read(from, source), to);
  return converted(*read(to, there.view()), from);
}

model::Response response_with(const char* tool, const char* payload) {
  model::Response response;
  response.tool.id = tool;
  response.payload = json::parse_own(payload);
  return response;
}

std::string rendered(const model::Response& response) {
  json::Writer writer;
  render(Id::generic, response, {}, writer);
  return std::move(writer).finish().str();
}

TEST(Generic, writes_a_failure_with_only_what_is_known) {
  model::Response response;
  response.outcome = model::Outcome::failed;
  response.failure = model::Failure{.message = "No"};
  EXPECT_EQ(rendered(response),
            R"({"toolName":"unknown","responseType":"error","status":"error","message":"No",)"
            R"("error":{"message":"No"}})");
  response.failure->code = "-32603";
  response.failure->type = model::ErrorType::rate_limit;
  response.failure->remediation = {"Wait"};
  response.failure->retry_after = model::Number{"3"};
  response.failure->details = json::parse_own(R"({"type":"http","a":1})");
  EXPECT_EQ(rendered(response),
            R"({"toolName":"unknown","responseType":"error","status":"error","message":"No",)"
            R"("error":{"code":-32603,"message":"No","details":{"type":"rate_limit",)"
            R"("remediation":["Wait"],"retry_after_seconds":3,"type_":"http","a":1}}})");
}

TEST(Generic, writes_a_code_as_a_number_only_when_it_is_a_whole_one) {
  struct Case {
    const char* code;
    const char* want;
  };
  for (const Case& one :
       {Case{"404", "404"}, Case{"-1", "-1"}, Case{"007", R"("007")"}, Case{"1.5", R"("1.5")"},
        Case{"-", R"("-")"}, Case{"1234567890123456789", R"("1234567890123456789")"}}) {
    model::Response response;
    response.outcome = model::Outcome::failed;
    response.failure = model::Failure{.code = one.code, .message = "No"};
    const std::string text = rendered(response);
    EXPECT_NE(text.find(std::string(R"("code":)") + one.want + ","), std::string::npos) << text;
  }
}

TEST(Generic, keeps_the_counters_of_an_envelope_and_leaves_those_of_the_data_alone) {
  model::Response response = response_with("list_x", R"({"x":[1],"total":7})");
  response.page = model::Page{.total = model::Number{"9"}};
  EXPECT_EQ(rendered(response), R"({"toolName":"list_x","responseType":"list","data":[1],)"
                                R"("summary":{"total":9,"returned":1},"metadata":{"total":7}})");
}

TEST(Generic, joins_what_stands_beside_a_list_with_the_metadata_there_is) {
  model::Response response = response_with("list_x", R"({"x":[1],"a":2})");
  response.metadata = json::parse_own(R"({"a":3,"a_":4,"b":5})");
  EXPECT_EQ(rendered(response),
            R"({"toolName":"list_x","responseType":"list","data":[1],"summary":{"returned":1},)"
            R"("metadata":{"a":2,"a_":3,"a__":4,"b":5}})");
}

TEST(Generic, gives_back_every_payload_byte_for_byte) {
  struct Case {
    const char* name;
    const char* tool;
    const char* payload;
  };
  const std::vector<Case> cases{
      {"list first", "list_x", R"({"x":[1],"total":5,"a":{"b":1.0}})"},
      {"list in the middle", "list_x", R"({"total":5,"x":[1],"a":{"b":1.0}})"},
      {"list last", "list_x", R"({"total":5,"pagination":{"limit":2},"message":"m","x":[]})"},
      {"list alone", "list_x", R"({"x":[{"a":1}]})"},
      {"list of one", "list_x", R"({"a":1})"},
      {"array", "get_x", "[1,2]"},
      {"number", "get_x", "1e400"},
      {"text", "send_x", R"("sent")"},
      {"null", "get_x", "null"},
      {"single", "get_x", R"({"z":1,"a":2})"},
      {"action", "send_x", R"({"message":"m","a":2})"},
      {"a list of counters only", "list_x", R"({"x":[1],"count":1,"returned":1,"hasMore":true})"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const Reading source{response_with(one.tool, one.payload), {"memory", {}}, ""};
    const json::Value generic = converted(source, Id::generic);
    const Result<Reading> back = read(Id::generic, generic.view());
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(json::to_text(back->response.payload->view()), one.payload);
    EXPECT_EQ(back->response, source.response) << json::to_text(generic.view());
  }
}

TEST(Generic, does_not_take_a_member_of_the_tool_for_its_own_slot) {
  const json::Value source = json::parse_own(
      R"({"toolName":"x","responseType":"single","data":{},"metadata":{"enfold":{"a":1}}})");
  EXPECT_EQ(json::to_text(read(Id::generic, source.view())->response.metadata->view()),
            R"({"enfold":{"a":1}})");
  // And with a slot beside it, it comes back under its own name.
  Reading reading = *read(Id::generic, source.view());
  reading.response.request_id = "req_1";
  reading.origin.contract = "response-v2";
  const json::Value with_slot = converted(reading, Id::generic);
  EXPECT_EQ(read(Id::generic, with_slot.view())->response, reading.response);
}

// --- Documents as other people write them.

void draw_scalar(json::Writer& writer, const std::vector<json::Kind>& kinds) {
  switch (kinds[static_cast<std::size_t>(draw_below(static_cast<int>(kinds.size())))]) {
    case json::Kind::boolean: writer.boolean(draw_chance(5)); return;
    case json::Kind::number: writer.number(testing::draw_number().text); return;
    case json::Kind::string: writer.string(testing::draw_text()); return;
    case json::Kind::object: writer.value(testing::draw_object(2)); return;
    default: writer.null(); return;
  }
}

using Kinds = std::vector<json::Kind>;
const Kinds kNumber{json::Kind::number, json::Kind::null};
const Kinds kText{json::Kind::string, json::Kind::null};
const Kinds kFlag{json::Kind::boolean, json::Kind::null};
const Kinds kPlace{json::Kind::number, json::Kind::string, json::Kind::null};
const Kinds kFacts{json::Kind::object, json::Kind::string, json::Kind::null};

struct Field {
  const char* key;
  const Kinds& kinds;
};

void draw_part(json::Writer& writer, const char* key, const std::vector<Field>& fields,
               bool sentence) {
  if (draw_chance(5)) return;
  writer.key(key);
  if (draw_chance(1)) return static_cast<void>(writer.null());
  if (sentence && draw_chance(3)) return static_cast<void>(writer.string(testing::draw_text()));
  writer.begin_object();
  for (const Field& field : fields) {
    if (!draw_chance(5)) continue;
    writer.key(field.key);
    draw_scalar(writer, field.kinds);
  }
  if (draw_chance(2)) {
    writer.key("x-more");
    testing::draw_json(writer, 2);
  }
  writer.end_object();
}

json::Value draw_generic() {
  static const std::vector<std::string> tools{"list_items", "send", "x", "unknown",
                                              "mcp_list_tools"};
  const int type = draw_below(5);
  static const std::vector<std::string> types{"list", "single", "action", "tool_catalog", "error"};
  json::Writer writer;
  writer.begin_object();
  writer.member("toolName", tools[static_cast<std::size_t>(draw_below(5))]);
  writer.member("responseType", types[static_cast<std::size_t>(type)]);
  if (draw_chance(7)) {
    const bool array = type == 0 || type == 3 || (type == 4 && draw_chance(5));
    writer.key("data");
    if (array) writer.begin_array();
    for (int i = array ? draw_below(3) : 1; i > 0; --i) writer.value(testing::draw_object(2));
    if (array) writer.end_array();
  }
  draw_part(writer, "pagination",
            {{"offset", kNumber},
             {"limit", kNumber},
             {"hasMore", kFlag},
             {"nextOffset", kPlace},
             {"before", kText},
             {"after", kText}},
            false);
  draw_part(writer, "summary", {{"total", kNumber}, {"returned", kNumber}, {"hasMore", kFlag}},
            true);
  if (draw_chance(4)) {
    static const std::vector<std::string> words{"\"success\"", "\"error\"", "\"partial\"",
                                                "\"done\"",    "null",      "{\"a\":1}"};
    writer.member("status", json::parse_own(words[static_cast<std::size_t>(draw_below(6))]));
  }
  if (draw_chance(4)) {
    writer.key("message");
    draw_scalar(writer, kText);
  }
  draw_part(writer, "error", {{"code", kPlace}, {"message", kText}, {"details", kFacts}}, true);
  if (draw_chance(4)) {
    writer.key("metadata");
    draw_scalar(writer, {json::Kind::object, json::Kind::null});
  }
  for (const char* key : {"enfold", "x", "success", "meta"}) {
    if (!draw_chance(1)) continue;
    writer.key(key);
    testing::draw_json(writer, 2);
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

TEST(Generic, through_response_v2_or_itself_is_the_identity) {
  const schema::Schema compiled = *schema::Schema::compile(*schema(Id::generic));
  for (const Id to : {Id::response_v2, Id::generic}) {
    check_property(
        "generic/identity through " + std::string(name(to)), property_cases(2'000, 100'000), [&] {
          const json::Value source = draw_generic();
          RC_ASSERT(*compiled.accepts(source.view()));
          const json::Value back = there_and_back(source.view(), Id::generic, to);
          if (!(back == source)) {
            RC_FAIL(json::to_text(source.view()) + "\nbecame\n" + json::to_text(back.view()));
          }
        });
  }
}

TEST(Generic, gives_back_every_response) {
  check_property("generic/gives_back_every_response", property_cases(2'000, 100'000), [] {
    const Reading source{testing::draw_response(), {"response-v2", {}}, ""};
    const json::Value generic = converted(source, Id::generic);
    const Result<Reading> back = read(Id::generic, generic.view());
    RC_ASSERT(back.has_value());
    if (!(back->response == source.response)) RC_FAIL(json::to_text(generic.view()));
  });
}

}  // namespace
}  // namespace enfold::contract
