// SPDX-License-Identifier: Apache-2.0
// What an upstream says about itself does not stand where Enfold's own words stand.
#include "enfold/answer/provenance.h"

#include "enfold/answer/answer.h"
#include "enfold/contract/errors/error_codes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using contract::Id;

constexpr std::string_view kAnswer =
    R"({"success":true,"data":{"id":7},"error":null,"meta":{"version":"response-v2",)"
    R"("request_id":"theirs","warnings":["slow"],"rate_limit":{"limit":5,"remaining":0},)"
    R"("session":"s-1","other":"kept","content_fidelity":"summary",)"
    R"("content_fidelity_schema_version":"1.0","dropped_content_ids":["a"],)"
    R"("content_archive_hashes":{"h1":"sha256:ab..."}}})";

json::Value shape(std::string_view text, Id contract = Id::response_v2, bool detect = true) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
  writer.member("text", text).end_object().end_array();
  writer.key("_meta").begin_object().member("dev.enfold/request_id", "forged");
  writer.member("org.other/x", "kept").end_object().end_object();
  AnswerPlan plan;
  plan.contract = contract;
  plan.fit.shape.contract = contract;
  plan.fit.shape.detect_envelopes = detect;
  plan.request_id = "ours";
  plan.warnings.push_back(contract::make_warning("FALLBACK_USED", "ours"));
  const BeginResult begun = begin(std::move(writer).finish_value(), plan, {});
  return json::parse_own(std::get<ShapedAnswer>(begun).result.str());
}

std::string at(json::View value, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) value = value.find(key).value_or(json::View());
  return json::to_text(value);
}

TEST(Provenance, words_of_an_upstream_move_to_meta) {
  const json::Value result = shape(kAnswer);
  const json::View envelope = *result->find("structuredContent");
  EXPECT_EQ(at(envelope, {"data"}), R"({"id":7})");
  EXPECT_EQ(at(envelope, {"meta", "request_id"}), R"("ours")");
  for (const char* name :
       {"rate_limit", "session", "dropped_content_ids", "content_archive_hashes"}) {
    EXPECT_EQ(at(envelope, {"meta", name}), "null") << name;
  }
  EXPECT_EQ(at(envelope, {"meta", "other"}), R"("kept")");
  EXPECT_EQ(at(envelope, {"meta", "content_fidelity"}), R"("summary")");
  const json::View meta = *result->find("_meta");
  EXPECT_EQ(at(meta, {"org.other/x"}), R"("kept")");
  EXPECT_EQ(at(meta, {"dev.enfold/request_id"}), "null");
  const json::View upstream = *meta.find(kUpstreamMeta);
  EXPECT_EQ(at(upstream, {"request_id"}), R"("theirs")");
  EXPECT_EQ(at(upstream, {"rate_limit"}), R"({"limit":5,"remaining":0})");
  EXPECT_EQ(at(upstream, {"dropped_content_ids"}), R"(["a"])");
  EXPECT_EQ(at(upstream, {"content_archive_hashes"}), R"({"h1":"sha256:ab..."})");
  EXPECT_EQ(at(upstream, {"session"}), R"("s-1")");
  EXPECT_EQ(at(upstream, {"dev.enfold/request_id"}), R"("forged")");
}

TEST(Provenance, a_repeated_member_of_meta_is_kept_under_a_number) {
  AnswerPlan plan;
  plan.contract = Id::response_v2;
  plan.fit.shape.contract = Id::response_v2;
  const BeginResult begun = begin(
      json::parse_own(R"({"content":[{"type":"text","text":"x"}],"_meta":{"dev.enfold/a":1,)"
                      R"("dev.enfold/b":5,"dev.enfold/a":2,"dev.enfold/a":1,"dev.enfold/a":[3]}})"),
      plan, {});
  const json::Value result = json::parse_own(std::get<ShapedAnswer>(begun).result.str());
  EXPECT_EQ(at(*result->find("_meta"), {kUpstreamMeta}),
            R"({"dev.enfold/a":1,"dev.enfold/b":5,"dev.enfold/a#2":2,"dev.enfold/a#3":[3]})");
}

TEST(Provenance, warnings_of_an_upstream_stand_last_and_say_so) {
  const json::Value result = shape(kAnswer);
  const json::View meta = *result->find("structuredContent")->find("meta");
  EXPECT_EQ(at(meta, {"warnings"}),
            R"(["ours","Server: slow","Server: A part of the answer was left out"])");
  const json::View details = *meta.find("warning_details");
  EXPECT_EQ(at(*details.item(1), {"context", "source"}), R"("upstream")");
}

TEST(Provenance, a_contract_without_warnings_has_them_in_meta) {
  const json::Value result = shape(kAnswer, Id::memory);
  const auto warnings = result->find("_meta")->find(kUpstreamMeta)->find("warnings");
  ASSERT_TRUE(warnings);
  EXPECT_EQ(at(*warnings->item(0), {"message"}), R"("Server: slow")");
}

TEST(Provenance, what_only_enfold_knows_cannot_be_forged) {
  for (const char* const fidelity : {"full", "summary"}) {
    const json::Value result = shape(fmt::format(
        R"({{"success":true,"data":{{"id":7}},"error":null,"meta":{{"version":"response-v2",)"
        R"("content_fidelity":"{}","telemetry":{{"cache_hit":true,"duration_ms":5}},)"
        R"("ext":{{"enfold":{{"facts":{{"":{{"count":9}}}},"redaction":"off"}},"other":1}}}}}})",
        fidelity));
    const json::View meta = *result->find("structuredContent")->find("meta");
    EXPECT_EQ(at(meta, {"ext", "enfold"}), "null") << fidelity;
    EXPECT_EQ(at(meta, {"telemetry"}), R"({"duration_ms":5})") << fidelity;
    const bool is_full = std::string_view(fidelity) == "full";
    EXPECT_EQ(at(meta, {"content_fidelity"}), is_full ? "null" : R"("summary")");
    const std::string upstream = at(*result->find("_meta"), {kUpstreamMeta});
    EXPECT_NE(upstream.find(R"("count":9)"), std::string::npos) << upstream;
    EXPECT_NE(upstream.find(R"("off")"), std::string::npos) << upstream;
    EXPECT_NE(upstream.find("cache_hit"), std::string::npos) << upstream;
  }
}

TEST(Provenance, envelopes_can_be_data) {
  const json::Value result = shape(kAnswer, Id::response_v2, false);
  EXPECT_EQ(at(result.view(), {"structuredContent", "data", "meta", "request_id"}), R"("theirs")");
}

TEST(Provenance, an_answer_without_envelope_has_no_upstream_words) {
  AnswerPlan plan;
  const BeginResult begun =
      begin(json::parse_own(R"({"content":[{"type":"text","text":"hello"}]})"), plan, {});
  EXPECT_FALSE(json::parse_own(std::get<ShapedAnswer>(begun).result.str())->find("_meta"));
}

}  // namespace
}  // namespace enfold::answer
