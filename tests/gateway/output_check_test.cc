// SPDX-License-Identifier: Apache-2.0
// Tools that declare an output schema and break it.
#include "enfold/answer/announced_schema.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/schema/schema.h"
#include "tests/gateway/meeting.h"

#include <array>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

const char* const kRight = R"({"content":[],"structuredContent":{"rows":[{"id":1}]}})";
const char* const kWrong = R"({"content":[],"structuredContent":{"rows":[{"id":"x"}]}})";
const char* const kOnlyText = R"({"content":[{"type":"text","text":"{\"rows\":[{\"id\":7}]}"}]})";
const char* const kWords = R"({"content":[{"type":"text","text":"two rows, I think"}]})";
const char* const kFailed = R"({"content":[{"type":"text","text":"no"}],"isError":true})";

std::string long_answer(const std::string& id) {
  std::string rows;
  for (int i = 0; i < 9000; ++i) {
    rows += fmt::format(R"({}{{"id":{}}})", i == 0 ? "" : ",", i == 5 ? id : std::to_string(i));
  }
  return fmt::format(R"({{"content":[],"structuredContent":{{"rows":[{}]}}}})", rows);
}

json::Value listed(Meeting& meeting, const std::string& raw) {
  return meeting.call("listed", fmt::format(R"({{"raw":{}}})", json::quote(raw)));
}

json::Value announced(Meeting& meeting) {
  const json::Value list = meeting.ask("tools/list", "{}");
  for (const json::View tool : list->find("tools")->items()) {
    if (tool.find("name")->equals("listed")) return json::Value(*tool.find("outputSchema"));
  }
  return {};
}

Settings checking(OutputCheck check, const std::string& contract = "response-v2") {
  Settings settings = in_front_of(upstream(), contract);
  settings.output_schema = check;
  return settings;
}

std::string codes(const json::Value& result) {
  std::string out;
  const auto details =
      json::Pointer::parse("/structuredContent/meta/warning_details")->resolve(result.view());
  if (!details) return out;
  for (const json::View one : details->items()) out += one.find("code")->string() + " ";
  return out;
}

TEST(OutputSchema, is_kept_by_what_the_tool_wrote_as_text) {
  Meeting meeting(checking(OutputCheck::warn));
  (void)announced(meeting);
  const json::Value result = listed(meeting, kOnlyText);
  EXPECT_EQ(at(result, "/structuredContent/data"), R"({"rows":[{"id":7}]})");
  EXPECT_EQ(at(result, "/isError"), "false");
  EXPECT_EQ(codes(result), "SCHEMA_REPAIRED ");
  EXPECT_EQ(codes(listed(meeting, kRight)), "") << "nothing is said of an answer as declared";
}

TEST(OutputSchema, that_is_broken_is_told_with_the_place) {
  Meeting meeting(checking(OutputCheck::warn));
  (void)announced(meeting);
  const json::Value result = listed(meeting, kWrong);
  EXPECT_EQ(at(result, "/structuredContent/data"), R"({"rows":[{"id":"x"}]})") << "as it came";
  EXPECT_EQ(at(result, "/isError"), "false");
  EXPECT_EQ(codes(result), "SCHEMA_MISMATCH ");
  EXPECT_THAT(at(result, "/structuredContent/meta/warnings/0"),
              HasSubstr("/structuredContent/rows/0/id: expected integer, found string"));
  EXPECT_EQ(codes(listed(meeting, kWords)), "SCHEMA_MISMATCH ");
  EXPECT_EQ(codes(listed(meeting, kFailed)), "") << "a failure need not keep to it";
}

TEST(OutputSchema, strictly_makes_a_failure_and_keeps_the_answer) {
  Meeting meeting(checking(OutputCheck::strict));
  (void)announced(meeting);
  for (const std::string& raw : {std::string(kWrong), long_answer(R"("x")")}) {
    const json::Value result = listed(meeting, raw);
    EXPECT_EQ(at(result, "/isError"), "true");
    EXPECT_EQ(at(result, "/structuredContent/data/error_code"), R"("OUTPUT_SCHEMA_MISMATCH")");
    const std::string first = "/structuredContent/data/details/violations/0";
    EXPECT_THAT(at(result, first + "/pointer"), HasSubstr("/structuredContent/rows/"));
    EXPECT_EQ(at(result, first + "/expected"), R"("integer")");
    EXPECT_THAT(at(result, first + "/found"), HasSubstr("string"));
    const std::string handle = at(result, "/structuredContent/data/details/original");
    const json::Value fetched =
        meeting.call("enfold_fetch", fmt::format(R"({{"handle":{},"pointer":"/rows/5"}})", handle));
    const json::Value stat =
        meeting.call("enfold_fetch", fmt::format(R"({{"handle":{},"stat":true}})", handle));
    EXPECT_EQ(at(stat, "/isError"), "false") << json::to_text(stat.view());
    if (raw != kWrong) {
      EXPECT_EQ(at(fetched, "/structuredContent/data"), R"({"id":"x"})");
    }
  }
  const json::Value missing = listed(meeting, kOnlyText);
  EXPECT_EQ(at(missing, "/isError"), "true");
  EXPECT_EQ(at(missing, "/structuredContent/data/details/violations/0/found"), R"("missing")");
  EXPECT_EQ(at(listed(meeting, kRight), "/isError"), "false");
  EXPECT_EQ(at(listed(meeting, kFailed), "/structuredContent/error"), R"("no")");
}

// 40 levels with two ways each: no validator can try them all.
TEST(OutputSchema, that_takes_too_much_work_to_check_is_not_taken_for_kept) {
  std::string levels;
  for (int i = 0; i < 40; ++i) {
    levels += fmt::format(
        R"("d{0}":{{"anyOf":[{{"$ref":"#/$defs/d{1}"}},{{"$ref":"#/$defs/d{1}"}}]}},)", i, i + 1);
  }
  const std::string schema = fmt::format(
      R"({{"type":"object","$defs":{{{}"d40":{{"required":["absent"]}}}},"$ref":"#/$defs/d0"}})",
      levels);
  for (const OutputCheck check : {OutputCheck::strict, OutputCheck::warn}) {
    Settings settings =
        in_front_of(with_environment(upstream(), "ENFOLD_TEST_OUTPUT_SCHEMA", schema));
    settings.output_schema = check;
    Meeting meeting(std::move(settings));
    (void)announced(meeting);
    const json::Value result = listed(meeting, kRight);
    const std::string text = json::to_text(result.view());
    const bool is_strict = check == OutputCheck::strict;
    EXPECT_EQ(at(result, "/isError"), is_strict ? "true" : "false") << text;
    EXPECT_THAT(text, HasSubstr(is_strict ? "OUTPUT_SCHEMA_MISMATCH" : "SCHEMA_MISMATCH"));
    EXPECT_THAT(text, HasSubstr("more work than the limits allow"));
  }
}

TEST(OutputSchema, is_nobodys_business_when_off_and_may_be_set_for_one_tool) {
  Settings settings = checking(OutputCheck::strict);
  settings.tools["listed"].output_schema = OutputCheck::off;
  Meeting meeting(std::move(settings));
  (void)announced(meeting);
  const json::Value result = listed(meeting, kWrong);
  EXPECT_EQ(at(result, "/isError"), "false");
  EXPECT_EQ(codes(result), "");
}

// A client that checks what it gets against what was announced must take every answer.
TEST(OutputSchema, as_announced_accepts_every_envelope) {
  for (const char* const contract :
       {"response-v2", "response-v1", "generic", "scalpel-v1", "memory"}) {
    for (const OutputCheck check : {OutputCheck::warn, OutputCheck::strict}) {
      Meeting meeting(checking(check, contract));
      const Result<schema::Schema> schema = schema::Schema::compile(announced(meeting));
      ASSERT_TRUE(schema) << schema.error().message;
      for (const std::string& raw :
           {std::string(kRight), std::string(kWrong), std::string(kOnlyText), std::string(kWords),
            std::string(kFailed), long_answer("5"), long_answer(R"("x")")}) {
        const json::Value result = listed(meeting, raw);
        const auto structured = result->find("structuredContent");
        ASSERT_TRUE(structured);
        EXPECT_TRUE(*schema->accepts(*structured))
            << contract << " " << json::to_text(*structured).substr(0, 600);
      }
    }
  }
}

// What an upstream of ours answers in a contract of its own, and a failure.
std::vector<std::string> answers_in(contract::Id id) {
  model::Response good;
  good.tool = {"listed", "1", model::Tier::pro, {}};
  good.request_id = "req_1";
  good.payload = json::parse_own(R"({"rows":[{"id":1}],"schema_version":"1.0.0"})");
  model::Response failed = contract::make_failure(contract::failures::NotFound{"Row", "7"});
  failed.tool = good.tool;
  failed.request_id = good.request_id;
  std::vector<std::string> out;
  for (const model::Response& response : {good, failed}) {
    const answer::ShapeSettings settings{.contract = id, .channels = answer::Channels::structured};
    const auto answer = answer::read_response(response, "test", settings, {.tool = "t"});
    out.push_back(answer::write_result(*answer, settings)->str());
  }
  return out;
}

TEST(OutputSchema, of_a_server_with_envelopes_of_its_own_accepts_what_is_made_of_them) {
  using contract::Id;
  const json::Value payload = json::parse_own(
      R"({"type":"object","properties":{"rows":{"type":"array"}},"required":["rows"]})");
  const std::array ids{Id::response_v2, Id::response_v1, Id::generic, Id::scalpel_v1, Id::memory};
  for (const Id theirs : ids) {
    const json::Value declared = answer::announced_schema(theirs, payload.view());
    for (const Id ours : ids) {
      Settings settings = in_front_of(
          with_environment(upstream(), "ENFOLD_TEST_OUTPUT_SCHEMA", json::to_text(declared.view())),
          std::string(contract::name(ours)));
      settings.output_schema = OutputCheck::strict;
      Meeting meeting(std::move(settings));
      const Result<schema::Schema> schema = schema::Schema::compile(announced(meeting));
      ASSERT_TRUE(schema) << schema.error().message;
      for (const std::string& raw : answers_in(theirs)) {
        const json::Value result = listed(meeting, raw);
        EXPECT_TRUE(*schema->accepts(*result->find("structuredContent")))
            << contract::name(theirs) << " → " << contract::name(ours) << " "
            << json::to_text(result.view());
        const bool failed = raw.find("Row") != std::string::npos;
        EXPECT_EQ(at(result, "/isError"), failed ? "true" : "false") << raw;
      }
    }
  }
}

TEST(OutputSchema, that_describes_no_envelope_is_broken_by_one) {
  const std::string raw =
      R"({"content":[],"structuredContent":{"rows":[],"success":true,"schema_version":"1.0.0",)"
      R"("error":null,"note":{"id":1}}})";
  const char* const declared =
      R"({"type":"object","properties":{"success":{"type":"boolean"}},"required":["success"]})";
  Settings settings =
      in_front_of(with_environment(upstream(), "ENFOLD_TEST_OUTPUT_SCHEMA", declared));
  Meeting meeting(std::move(settings));
  const Result<schema::Schema> schema = schema::Schema::compile(announced(meeting));
  const json::Value result = listed(meeting, raw);
  EXPECT_EQ(at(result, "/structuredContent/data"), R"({"rows":[],"note":{"id":1}})");
  EXPECT_EQ(codes(result), "SCHEMA_MISMATCH ");
  EXPECT_TRUE(*schema->accepts(*result->find("structuredContent")));
}

json::Value announced_for(const char* declared) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_OUTPUT_SCHEMA", declared)));
  return announced(meeting);
}

// As data a reference is a value like any other; as a property's name `default` is no data.
TEST(OutputSchema, is_moved_into_the_envelope_without_touching_data) {
  const std::string shown = json::to_text(
      announced_for(R"({"type":"object","properties":{"a":{"const":{"$ref":"#/x"}},)"
                    R"("default":{"$ref":"#/$defs/b"},"c":{"default":{"$ref":"#/y"}}},)"
                    R"("$defs":{"b":{"type":"string"}}})")
          .view());
  EXPECT_THAT(shown, HasSubstr(R"("const":{"$ref":"#/x"})"));
  EXPECT_THAT(shown, HasSubstr(R"("default":{"$ref":"#/anyOf/0/properties/data/$defs/b"})"));
  EXPECT_THAT(shown, HasSubstr(R"("default":{"$ref":"#/y"})"));
}

TEST(OutputSchema, of_an_older_dialect_is_promised_only_where_both_read_it_alike) {
  const char* const old = R"({"$schema":"http://json-schema.org/draft-07/schema#","type":"object",)"
                          R"("properties":{"pair":{"type":"array","items":)";
  const std::string alike = std::string(old) + R"({"type":"string"}}}})";
  EXPECT_THAT(json::to_text(announced_for(alike.c_str()).view()), HasSubstr("pair"));
  const std::string tuple = std::string(old) + R"([{"type":"string"},{"type":"number"}]}}})";
  const json::Value shown = announced_for(tuple.c_str());
  EXPECT_TRUE(schema::Schema::compile(shown));
  EXPECT_EQ(json::to_text(shown.view()).find("pair"), std::string::npos);
}

TEST(OutputSchema, as_announced_still_refuses_what_nobody_warned_of) {
  for (const OutputCheck check : {OutputCheck::warn, OutputCheck::strict}) {
    Meeting meeting(checking(check));
    const Result<schema::Schema> schema = schema::Schema::compile(announced(meeting));
    EXPECT_FALSE(*schema->accepts(
        json::parse_own(R"({"success":true,"data":{"rows":[{"id":"x"}]},"error":null,"meta":{}})")
            .view()));
  }
}

// Records cannot stand where the schema asks for a text, so such a list has no pages of records.
TEST(OutputSchema, of_a_text_holds_for_a_list_inside_the_text) {
  Meeting meeting(in_front_of(with_environment(
      upstream(), "ENFOLD_TEST_OUTPUT_SCHEMA",
      R"({"type":"object","properties":{"content":{"type":"string"}},"required":["content"]})")));
  EXPECT_THAT(meeting.tool_names(), ::testing::Contains("listed"));
  std::string list = "[";
  for (int i = 0; i < 60; ++i) {
    list += fmt::format(R"({}{{"name":"file-{}","type":"file"}})", i == 0 ? "" : ",", i);
  }
  const std::string raw = fmt::format(R"({{"content":[],"structuredContent":{{"content":{}}}}})",
                                      json::quote(list + "]"));
  const json::Value cut =
      meeting.call("listed", fmt::format(R"({{"raw":{}}})", json::quote(raw)),
                   R"({"dev.enfold/budget":450,"dev.enfold/contract":"response-v2"})");
  EXPECT_EQ(at(cut, "/structuredContent/data/content").substr(0, 3), R"("[{)");
  EXPECT_EQ(at(cut, "/structuredContent/meta/content_fidelity"), R"("partial")");
  EXPECT_EQ(at(cut, "/structuredContent/meta/pagination"), "(none)");
}

}  // namespace
}  // namespace enfold::gateway
