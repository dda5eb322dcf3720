// SPDX-License-Identifier: Apache-2.0
// The two steps around storing: nothing is cut without a way back, and nothing is over the budget.
#include "enfold/answer/fit/prepare.h"

#include "enfold/retrieve/retrieve.h"
#include "tests/answer/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Prepare, stores_nothing_when_the_answer_fits) {
  const auto prepared = prepare(large_answer(2), std::nullopt, {}, {});
  ASSERT_TRUE(prepared);
  EXPECT_TRUE(prepared->fits);
  EXPECT_TRUE(prepared->to_store().empty());
  const auto finished = finish(*prepared, fail(ErrorCode::unavailable, "never asked"), {});
  ASSERT_TRUE(finished);
  EXPECT_FALSE(finished->answer.reading.response.reduction);
}

TEST(Prepare, refuses_a_budget_that_is_too_small_to_say_anything) {
  const auto prepared = prepare(large_answer(2), std::nullopt, with_budget(127), {});
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::budget_too_small);
  EXPECT_THAT(prepared.error().message, HasSubstr("at least 128 tokens, found 127"));
}

TEST(Prepare, refuses_a_contract_that_cannot_say_what_is_missing) {
  for (const auto id : {contract::Id::mcp, contract::Id::json, contract::Id::text}) {
    FitSettings settings = with_budget(400);
    settings.shape.contract = id;
    const auto prepared = prepare(large_answer(500), std::nullopt, settings, {});
    ASSERT_FALSE(prepared) << contract::name(id);
    EXPECT_EQ(prepared.error().code, ErrorCode::invalid_input);
    EXPECT_THAT(prepared.error().hint, HasSubstr("response-v2"));
  }
}

TEST(Prepare, stores_a_text_whoever_read_it) {
  const FitSettings settings = with_budget(400);
  std::string text;
  for (int i = 0; i < 2'000; ++i) text += "line " + std::to_string(i) + "\n";
  const auto prepared = prepare(read_text_answer(text, settings.shape, {}), settings);
  ASSERT_TRUE(prepared);
  EXPECT_FALSE(prepared->fits);
  EXPECT_EQ(prepared->to_store(), text);
}

TEST(Prepare, hands_out_the_result_value_exactly_as_it_came) {
  const json::Document answer = large_answer(500);
  const auto prepared = prepare(answer, std::nullopt, with_budget(1'000), {});
  ASSERT_TRUE(prepared);
  EXPECT_FALSE(prepared->fits);
  EXPECT_EQ(prepared->to_store(), answer.bytes());
}

TEST(Prepare, reduces_within_the_budget_and_says_what_it_did) {
  const FitSettings settings = with_budget(1'000);
  auto prepared = prepare(large_answer(500), std::nullopt, settings, {});
  const auto stored = receipt_for(*prepared);
  const auto finished = finish(std::move(*prepared), stored, settings);
  ASSERT_TRUE(finished) << finished.error().message;
  const std::string envelope = write_envelope(finished->answer, settings.shape)->str();
  EXPECT_LE(token::o200k_base().count(envelope), 1'000U);
  EXPECT_GE(token::o200k_base().count(envelope), 500U);
  const json::Value document = json::parse_own(envelope);
  EXPECT_TRUE(document->find("success")->boolean());
  const json::View meta = *document->find("meta");
  EXPECT_NE(meta.find("content_fidelity")->string(), "full");
  EXPECT_TRUE(meta.find("content_archive_hashes")->find("000000000042")->equals(stored->hash));
  EXPECT_GE(meta.find("dropped_content_ids")->size(), 1U);
  EXPECT_THAT(envelope, HasSubstr("CONTENT_TRUNCATED"));
}

TEST(Prepare, sends_the_answer_whole_when_it_cannot_be_stored) {
  const FitSettings settings = with_budget(1'000);
  auto prepared = prepare(large_answer(500), std::nullopt, settings, {});
  const auto finished =
      finish(std::move(*prepared), fail(ErrorCode::unavailable, "disk full"), settings);
  ASSERT_TRUE(finished);
  const std::string envelope = write_envelope(finished->answer, settings.shape)->str();
  EXPECT_THAT(envelope, HasSubstr("ARCHIVE_WRITE_FAILED"));
  EXPECT_THAT(envelope, HasSubstr("Item number 499"));
}

TEST(Prepare, fails_with_a_type_when_the_operator_wants_that) {
  FitSettings settings = with_budget(1'000);
  settings.if_unstored = Unstored::fail;
  auto prepared =
      prepare(large_answer(500), std::nullopt, settings, {.tool = "t", .request_id = "req_1"});
  const auto finished =
      finish(std::move(*prepared), fail(ErrorCode::unavailable, "disk full"), settings);
  ASSERT_TRUE(finished);
  const std::string envelope = write_envelope(finished->answer, settings.shape)->str();
  EXPECT_THAT(envelope, HasSubstr(R"("error_code":"UNAVAILABLE")"));
  EXPECT_THAT(envelope, HasSubstr("req_1"));
}

TEST(Prepare, says_nothing_of_the_store_to_the_model) {
  const FitSettings settings = with_budget(1'000);
  auto prepared = prepare(large_answer(500), std::nullopt, settings, {});
  const auto finished =
      finish(std::move(*prepared),
             fail(ErrorCode::timed_out, "/var/lib/secret/archive.db is locked"), settings);
  ASSERT_TRUE(finished);
  const std::string envelope = write_envelope(finished->answer, settings.shape)->str();
  EXPECT_THAT(envelope, Not(HasSubstr("/var/lib")));
  EXPECT_THAT(envelope, HasSubstr(R"("context":{"reason":"timed_out"})"));
  EXPECT_THAT(envelope, Not(HasSubstr("content_archive_hashes")));
}

struct Form {
  const char* name;
  std::string bytes;
  std::optional<contract::Id> from;
  bool is_text = false;
};

std::vector<Form> forms() {
  const std::string rows = json::to_text(*large_answer(60).root().find("structuredContent"));
  const std::string quoted = json::quote(rows);
  const std::string envelope =
      R"({"success":true,"data":)" + rows + R"(,"error":null,"meta":{"version":"response-v2"}})";
  const auto text_block = [](const std::string& text) {
    return R"({"type":"text","text":)" + json::quote(text) + "}";
  };
  std::string log;
  for (int i = 0; i < 200; ++i) log += "line " + std::to_string(i) + " of a log\n";
  return {
      {"structured content", R"({"content":[],"structuredContent":)" + rows + "}",
       contract::Id::mcp},
      {"JSON in text", R"({"content":[)" + text_block(rows) + "]}", contract::Id::mcp},
      {"plain text in a block", R"({"content":[)" + text_block(log) + "]}", contract::Id::mcp},
      {"several blocks",
       R"({"content":[)" + text_block(log) + "," + text_block(rows) + "," + text_block(log) + "]}",
       contract::Id::mcp},
      {"a JSON-RPC response",
       R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":)" + rows + "}}",
       std::nullopt},
      {"an envelope", envelope, std::nullopt},
      {"an envelope in structured content",
       R"({"content":[],"structuredContent":)" + envelope + "}", contract::Id::mcp},
      {"an envelope in text", R"({"content":[)" + text_block(envelope) + "]}", contract::Id::mcp},
      {"an envelope that is meant as data", envelope, contract::Id::json},
      {"a result that is meant as data", R"({"content":[1,2],"rows":)" + rows + "}",
       contract::Id::json},
      {"data that looks like a result but is not one", R"({"content":[1,2],"rows":)" + rows + "}",
       std::nullopt},
      {"any JSON", rows, std::nullopt},
      {"a text", log, std::nullopt, true},
      {"a text that is JSON", quoted, std::nullopt, true},
      {"a failed result", R"({"isError":true,"content":[],"structuredContent":)" + rows + "}",
       contract::Id::mcp},
  };
}

// The places of a report are places of what retrieval opens, because it is the same payload.
TEST(Prepare, what_is_stored_opens_as_the_payload_that_was_fitted) {
  for (const Form& form : forms()) {
    const FitSettings settings = with_budget(400);
    const auto prepared = form.is_text ? prepare_text(form.bytes, settings, {})
                                       : prepare(*json::parse(form.bytes), form.from, settings, {});
    ASSERT_TRUE(prepared) << form.name;
    ASSERT_FALSE(prepared->fits) << form.name;
    const auto opened = retrieve::retrieve_bytes(prepared->to_store(), prepared->media_type, {});
    ASSERT_TRUE(opened) << form.name << ": " << opened.error().message;
    EXPECT_TRUE(
        json::equal(opened->value.view(), prepared->answer.reading.response.payload->view()))
        << form.name;
  }
}

TEST(Prepare, an_archived_text_is_the_text_itself) {
  const std::string text(5'000, 'z');
  const auto prepared = prepare_text(text, with_budget(200), {});
  EXPECT_EQ(prepared->to_store(), text);
  EXPECT_EQ(prepared->media_type, "text/plain");
}

TEST(Prepare, cuts_a_long_message_of_a_failure_at_its_end) {
  const std::string message = "Disk full: " + std::string(9'000, 'm');
  const auto document =
      json::parse(R"({"isError":true,"content":[{"type":"text","text":")" + message + R"("}]})");
  const FitSettings settings = with_budget(600);
  auto prepared = prepare(*document, contract::Id::mcp, settings, {});
  const auto stored = receipt_for(*prepared);
  const auto finished = finish(std::move(*prepared), stored, settings);
  ASSERT_TRUE(finished);
  const json::Value envelope =
      json::parse_own(write_envelope(finished->answer, settings.shape)->str());
  EXPECT_FALSE(envelope->find("success")->boolean());
  EXPECT_THAT(envelope->find("error")->string(), StartsWith("Disk full: mmm"));
  EXPECT_THAT(envelope->find("error")->string(), HasSubstr("…[+"));
  EXPECT_LE(finished->size.tokens, 600U);
}

// The words, the hash and the places: everything that is there because something is not.
std::size_t report_tokens(const FittedAnswer& finished, const ShapeSettings& settings) {
  const auto count = [&](const ReadAnswer& answer) {
    return token::o200k_base().count(write_envelope(answer, settings)->str());
  };
  ReadAnswer said = finished.answer;
  said.reading.response.reduction->facts.reset();
  said.reading.response.reduction->index.reset();
  ReadAnswer silent = said;
  silent.reading.response.reduction.reset();
  silent.reading.response.warnings.clear();
  return count(said) - count(silent);
}

TEST(Prepare, the_report_costs_at_most_200_tokens_however_much_was_left_out) {
  for (const int items : {8, 40, 500, 20'000, 500'000}) {
    json::Writer writer;
    writer.begin_object().member("total", std::int64_t{items}).key("items").begin_array();
    for (int i = 0; i < items; ++i) {
      writer.begin_object().member("id", std::int64_t{i});
      writer.member("body", std::string(items < 100 ? 400 : 12, 'b')).end_object();
    }
    const json::Value payload = std::move(writer.end_array().end_object()).finish_value();
    for (const std::size_t tokens : {300U, 500U, 2'000U}) {
      const FitSettings settings = with_budget(tokens);
      auto prepared =
          prepare(*json::parse(json::to_text(payload.view())), contract::Id::json, settings, {});
      if (prepared->fits) continue;
      const auto stored = receipt_for(*prepared);
      const auto finished = finish(std::move(*prepared), stored, settings);
      ASSERT_TRUE(finished);
      EXPECT_GE(finished->fitted.dropped_count, 1U);
      EXPECT_LE(report_tokens(*finished, settings.shape), 200U) << items << ", " << tokens;
    }
  }
}

TEST(Prepare, media_is_priced_by_the_clients_rule_and_not_as_text) {
  const std::string data(40'000, 'A');
  const auto document =
      json::parse(R"({"content":[{"type":"image","mimeType":"image/png","data":")" + data +
                  R"("},{"type":"text","text":"a picture"}]})");
  FitSettings settings = with_budget(3'000);
  settings.media = {.rule = token::ImageRule::flat, .most = 1'600};
  EXPECT_TRUE(prepare(*document, contract::Id::mcp, settings, {})->fits);
  settings.media.most = 3'000;
  auto prepared = prepare(*document, contract::Id::mcp, settings, {});
  ASSERT_FALSE(prepared->fits);
  const auto stored = receipt_for(*prepared);
  const auto finished = finish(std::move(*prepared), stored, settings);
  ASSERT_TRUE(finished);
  const model::Response& response = finished->answer.reading.response;
  EXPECT_TRUE(response.blocks.empty());
  EXPECT_THAT(response.reduction->dropped_ids, Contains("/result/content/0"));
}

TEST(Prepare, damaged_content_is_a_failure_that_says_so) {
  const model::Response failed = retrieve::archive_failure(
      {ErrorCode::internal, "blob 7 does not match its hash"}, "184467440737");
  ASSERT_TRUE(failed.failure);
  EXPECT_EQ(failed.warnings.at(0).code, "ARCHIVE_READ_CORRUPT");
  const model::Response gone = retrieve::archive_failure({ErrorCode::unavailable, "no route"}, "1");
  EXPECT_EQ(gone.failure->code, "UNAVAILABLE");
}

}  // namespace
}  // namespace enfold::answer
