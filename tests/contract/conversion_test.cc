// SPDX-License-Identifier: Apache-2.0
// Conversions are honest: with the extension slot they lose nothing, without it every loss is
// named.
#include "enfold/contract/contract.h"
#include "enfold/json/pointer.h"
#include "enfold/schema/schema.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"
#include "tests/support/goldens.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <map>

namespace enfold::contract {
namespace {

using testing::check_property;
using testing::property_cases;

constexpr std::array kEnvelopes{Id::response_v2, Id::response_v1, Id::generic, Id::scalpel_v1,
                                Id::memory};

Result<json::Value> converted(const Reading& reading, Id to, bool extensions) {
  ConvertOptions options{.extensions = extensions};
  options.render.fallback_request_id = "req_000000000000";
  Result<json::Output> output = write(reading, to, options);
  if (!output) return tl::unexpected(output.error());
  return json::parse_own(output->str());
}

// A document that its contract would write so: scalpel-v1 shows no source code of a failure.
json::Value draw_shown(Id id) {
  json::Value document = testing::draw_document(id);
  if (id != Id::scalpel_v1) return document;
  return *converted(*read(id, document.view()), id, true);
}

// X → Y → X, reading each document from its text alone.
json::Value there_and_back(json::View source, Id from, Id to, bool extensions) {
  const auto reading = read(from, source);
  const auto there = converted(*reading, to, extensions);
  const auto again = read(to, there->view());
  return *converted(*again, from, extensions);
}

// Scalars and empty containers by pointer: a second opinion that shares no code with json::diff.
void flatten(json::View value, const std::string& pointer,
             std::map<std::string, std::string>& leaves) {
  if (!value.is_container() || value.size() == 0) {
    leaves[pointer] = value.is_string() ? "s:" + value.string() : json::to_text(value);
    return;
  }
  std::size_t index = 0;
  for (const json::View item : value.items())
    flatten(item, pointer + "/" + std::to_string(index++), leaves);
  for (const json::Member& member : value.members()) {
    std::string key = member.key.string();
    std::string escaped;
    for (const char c : key)
      escaped += c == '~' ? std::string("~0") : c == '/' ? std::string("~1") : std::string(1, c);
    flatten(member.value, pointer + "/" + escaped, leaves);
  }
}

// An object that was empty and now holds something lost nothing.
bool is_kept(const std::string& pointer, const std::string& text, json::View back,
             const std::map<std::string, std::string>& after) {
  const auto same = after.find(pointer);
  if (same != after.end()) return same->second == text;
  const auto now = json::Pointer::parse(pointer)->resolve(back);
  return text == "{}" && now && now->is_object();
}

bool covers(const std::string& path, const std::string& leaf) {
  return leaf == path || leaf.starts_with(path + "/") || path.starts_with(leaf + "/");
}

TEST(Conversion, through_response_v2_is_the_identity) {
  for (const Id id : kEnvelopes) {
    check_property(
        "through_response_v2_is_the_identity " + std::string(name(id)), property_cases(400, 20'000),
        [&] {
          const json::Value source = draw_shown(id);
          const json::Value back = there_and_back(source.view(), id, Id::response_v2, true);
          if (!(back == source))
            RC_FAIL(json::to_text(source.view()) + "\nbecame\n" + json::to_text(back.view()));
        });
  }
}

TEST(Conversion, of_every_pair_proves_identity_or_names_each_loss) {
  for (const Id from : kEnvelopes) {
    for (const Id to : kEnvelopes) {
      if (from == to) continue;
      const std::string pair = std::string(name(from)) + " to " + std::string(name(to));
      check_property("names each loss: " + pair, property_cases(150, 5'000), [&] {
        const json::Value source = testing::draw_document(from);
        const auto reading = read(from, source.view());
        RC_ASSERT(reading.has_value());
        const auto output = converted(*reading, to, false);
        RC_ASSERT(output.has_value());
        const auto report = losses(source.view(), *reading, to, output->view());
        RC_ASSERT(report.has_value());
        const json::Value back = there_and_back(source.view(), from, to, false);
        std::map<std::string, std::string> before;
        std::map<std::string, std::string> after;
        flatten(source.view(), "", before);
        flatten(back.view(), "", after);
        const std::string shown =
            json::to_text(source.view()) + "\nbecame\n" + json::to_text(back.view());
        for (const auto& [pointer, text] : before) {
          if (is_kept(pointer, text, back.view(), after)) continue;
          const bool named = std::any_of(report->begin(), report->end(), [&](const Loss& loss) {
            return covers(loss.path, pointer);
          });
          if (!named) RC_FAIL("not reported: " + pointer + "\n" + shown);
        }
        for (const Loss& loss : *report) {
          const bool real = std::any_of(before.begin(), before.end(), [&](const auto& leaf) {
            return covers(loss.path, leaf.first) &&
                   !is_kept(leaf.first, leaf.second, back.view(), after);
          });
          if (!real) RC_FAIL("reported for nothing: " + loss.path + "\n" + shown);
        }
      });
    }
  }
}

TEST(Conversion, with_a_slot_brings_every_document_back) {
  for (const Id from : kEnvelopes) {
    for (const Id to : {Id::generic, Id::scalpel_v1}) {
      if (from == to) continue;
      check_property(
          "brings back: " + std::string(name(from)) + " by " + std::string(name(to)),
          property_cases(200, 5'000), [&] {
            const json::Value source = draw_shown(from);
            const auto reading = read(from, source.view());
            // scalpel-v1 has its slot inside an object payload and nowhere else, and leaves out
            // what may be source code of a failure.
            const auto& payload = reading->response.payload;
            const bool has_slot = to != Id::scalpel_v1 || (payload && payload->view().is_object() &&
                                                           !reading->response.failure);
            RC_PRE(has_slot);
            const json::Value back = there_and_back(source.view(), from, to, true);
            if (!(back == source))
              RC_FAIL(json::to_text(source.view()) + "\nbecame\n" + json::to_text(back.view()));
          });
    }
  }
}

TEST(Conversion, never_changes_success_into_failure_or_back) {
  for (const Id from : kEnvelopes) {
    for (const Id to : kEnvelopes) {
      check_property(
          "keeps the outcome: " + std::string(name(from)) + " to " + std::string(name(to)),
          property_cases(100, 2'000), [&] {
            const json::Value source = testing::draw_document(from);
            const auto reading = read(from, source.view());
            const auto output = converted(*reading, to, testing::draw_chance(5));
            RC_ASSERT(succeeded(read(to, output->view())->response) ==
                      succeeded(reading->response));
          });
    }
  }
}

TEST(Conversion, of_every_documented_example_is_the_identity) {
  for (const auto& folder : testing::entries_of(testing::golden_folder() / "seeds")) {
    const auto id = from_name(folder.filename().string());
    ASSERT_TRUE(id) << folder;
    for (const auto& entry : testing::entries_of(folder)) {
      const json::Value source = testing::read_json_file(entry / "input.json");
      EXPECT_EQ(
          json::to_text(there_and_back(source.view(), *id, Id::response_v2, true).view()).size(),
          json::to_text(source.view()).size())
          << entry;
      EXPECT_TRUE(there_and_back(source.view(), *id, Id::response_v2, true) == source) << entry;
    }
  }
}

// Whatever a contract has places for: whoever reads a page must be able to go on.
TEST(Conversion, says_in_every_contract_where_a_page_goes_on) {
  model::Response response;
  response.page = model::Page{.cursor = "b3BhcXVl", .has_more = true, .total = model::Number{"7"}};
  for (const char* payload : {R"({"a":1})", R"([1,2])", R"("text")"}) {
    response.payload = json::parse_own(payload);
    for (const Id id : kEnvelopes) {
      for (const bool extensions : {false, true}) {
        SCOPED_TRACE(std::string(name(id)) + " " + payload);
        const auto shown = converted({.response = response}, id, extensions);
        ASSERT_TRUE(shown);
        const auto read_again = read(id, shown->view());
        ASSERT_TRUE(read_again);
        ASSERT_TRUE(read_again->response.page) << json::to_text(shown->view());
        EXPECT_EQ(read_again->response.page->cursor, response.page->cursor);
        EXPECT_EQ(read_again->response.page->has_more, true);
        EXPECT_EQ(read_again->response.page->total, response.page->total);
        if (id != Id::response_v2 && id != Id::generic) {
          EXPECT_EQ(read_again->response.payload, response.payload);
        }
        const auto schema = schema::Schema::compile(*contract::schema(id));
        EXPECT_TRUE(schema->validate(shown->view())->valid) << json::to_text(shown->view());
      }
    }
  }
}

// Strangers count as they like; what the schema of response-v2 refuses travels in the slot.
TEST(Conversion, carries_the_numbers_that_response_v2_cannot_say) {
  const auto schema = schema::Schema::compile(*contract::schema(Id::response_v2));
  for (const char* number : {"0", "-1", "2.5", "-0", "1e400", "1e-3", "2.0"}) {
    SCOPED_TRACE(number);
    const json::Value source = json::parse_own(fmt::format(
        R"({{"toolName":"t","responseType":"list","data":[1],"pagination":{{"offset":{0},"limit":{0}}},"summary":{{"total":{0},"returned":{0}}}}})",
        number));
    const auto reading = read(Id::generic, source.view());
    ASSERT_TRUE(reading);
    const auto shown = converted(*reading, Id::response_v2, true);
    ASSERT_TRUE(shown);
    EXPECT_TRUE(schema->validate(shown->view())->valid) << json::to_text(shown->view());
    EXPECT_EQ(there_and_back(source.view(), Id::generic, Id::response_v2, true), source);
  }
}

TEST(Conversion, takes_a_member_that_is_named_as_the_slot_for_data) {
  const json::Value document = json::parse_own(R"({"success":true,"enfold":{"pagination":{}}})");
  const auto reading = read(Id::memory, document.view());
  ASSERT_TRUE(reading);
  EXPECT_FALSE(reading->response.page);
  EXPECT_EQ(json::to_text(reading->response.payload->view()), R"({"enfold":{"pagination":{}}})");
}

// Whoever can write an answer can write a slot into it.
TEST(Slots, cannot_turn_an_outcome_nor_break_an_envelope) {
  const char* const failed =
      R"("success":false,"data":{"error_code":"NOT_FOUND","error_type":"not_found"},"error":"gone")";
  const char* const slots[] = {
      R"({"from":"response-v2","carry":{"outcome":"ok","failure":null}})",
      R"({"from":"response-v2","carry":{"outcome":"ok"}})",
      R"({"from":"generic","residue":{"/responseType":["single"],"/status":["success"]}})",
      R"({"from":"generic","residue":{"":[{"ok":true}]}})",
      R"({"from":"response-v2","residue":{"/success":[true],"/error":[null],"/data":[{}]}})",
      R"({"from":"response-v2","residue":{"":[5]}})",
      R"({"from":"response-v2","residue":{"/meta/version":["x"]}})",
  };
  for (const char* const slot : slots) {
    const auto document = json::parse_own(fmt::format(
        R"({{{},"meta":{{"version":"response-v2","ext":{{"enfold":{}}}}}}})", failed, slot));
    const auto reading = read(Id::response_v2, document.view());
    ASSERT_TRUE(reading) << slot;
    EXPECT_EQ(reading->response.outcome, model::Outcome::failed) << slot;
    for (const Id to : kEnvelopes) {
      const auto written = converted(*reading, to, true);
      ASSERT_TRUE(written) << slot;
      const auto again = read(to, written->view());
      ASSERT_TRUE(again) << slot;
      EXPECT_EQ(again->response.outcome, model::Outcome::failed) << name(to) << slot;
      const auto schema = schema::Schema::compile(*contract::schema(to));
      EXPECT_TRUE(schema->validate(written->view())->valid)
          << name(to) << slot << json::to_text(written->view());
    }
  }
}

TEST(Slots, of_others_are_data) {
  const auto mail = json::parse_own(
      R"({"tool_id":"m","tool_version":"1.0.0","tier":"community","request_id":"r","capabilities":[],)"
      R"("duration_ms":1,"error":null,"upgrade_hints":[],"data":{"subject":"hi","_envelope":)"
      R"({"from":"alice@example.com","to":["bob@example.com"]}}})");
  const auto reading = read(Id::scalpel_v1, mail.view());
  ASSERT_TRUE(reading);
  const auto there = converted(*reading, Id::response_v2, true);
  EXPECT_NE(json::to_text(there->view()).find("bob@example.com"), std::string::npos);
  EXPECT_TRUE(json::equal(there_and_back(mail.view(), Id::scalpel_v1, Id::response_v2, true).view(),
                          mail.view()));
}

// A server in the contract memory may speak of a version of its own.
TEST(Detection, of_response_v1_needs_all_that_marks_it) {
  const auto versioned = [](const char* more) {
    return json::parse_own(
        fmt::format(R"({{"success":true,"schema_version":"1.0.0","rows":[1]{}}})", more));
  };
  EXPECT_EQ(detect(versioned(R"(,"error":null)").view()), Id::response_v1);
  const json::Value memory = versioned("");
  EXPECT_EQ(detect(memory.view()), Id::memory);
  EXPECT_EQ(detect(memory.view(), Position::inside_result), Id::json);
  const auto there = converted(*read(Id::memory, memory.view()), Id::response_v2, false);
  EXPECT_EQ(json::to_text(*there->view().find("data")), R"({"schema_version":"1.0.0","rows":[1]})");
}

// What a tool calls response-v2 may be anything; what leaves is response-v2.
TEST(Envelopes, that_break_their_contract_leave_whole_and_valid) {
  const auto broken = json::parse_own(
      R"({"success":true,"data":{"a":1},"error":null,"meta":{"version":"response-v2",)"
      R"("pagination":"p","request_id":5,"mine":true}})");
  const auto reading = read(Id::response_v2, broken.view());
  const auto written = converted(*reading, Id::response_v2, true);
  const auto schema = schema::Schema::compile(*contract::schema(Id::response_v2));
  EXPECT_TRUE(schema->validate(written->view())->valid) << json::to_text(written->view());
  EXPECT_NE(json::to_text(written->view()).find(R"("mine":true)"), std::string::npos);
}

}  // namespace
}  // namespace enfold::contract
