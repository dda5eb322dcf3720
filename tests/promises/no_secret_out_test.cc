// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/answer.h"
#include "tests/support/cases.h"
#include "tests/support/results.h"

#include <array>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using contract::Id;

// Put together here, so that no file of this repository holds anything that looks like a secret.
std::string draw_secret() {
  const std::string tail =
      std::to_string(*rc::gen::resize(rc::kNominalSize, rc::gen::inRange(100000, 999999)));
  const std::array<std::string, 6> secrets{
      std::string("gh") + "p_" + "abcdEFGH1234ijklMNOP5678qrst" + tail + "Zz",
      std::string("AK") + "IA" + "ABCDEFGHIJ" + tail,
      std::string("sk") + "-ant-api03-" + "abcdEFGH1234ijklMNOP5678qrstUVWX" + tail,
      std::string("glp") + "at-" + "abcDEF1234567890" + tail,
      std::string("xox") + "b-" + "123456789012-1234567890123-abcdefghijklmnopqrst" + tail,
      std::string("ey") +
          "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijklmnopqrstuvwxyz" + tail};
  return secrets[static_cast<std::size_t>(testing::draw_below(secrets.size()))];
}

std::string in_some_text(const std::string& secret) {
  switch (testing::draw_below(5)) {
    case 0: return secret;
    case 1: return "Authorization: Bearer " + secret;
    case 2: return "log line\nexport API_KEY=" + secret + "\nmore";
    case 3: return R"({"config":{"token":")" + secret + R"("}})";
    default: return "see https://user:" + secret + "@host/path for it";
  }
}

// A result that holds the secret in one place: a leaf, a key, a text block, an error, a resource.
json::Value result_with(const std::string& secret) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  const int place = testing::draw_below(7);
  const std::string text = in_some_text(secret);
  if (place == 0) testing::write_text_block(writer, text);
  if (place == 1)
    testing::write_text_block(writer, R"({"items":[{"note":)" + json::quote(text) + "}]}");
  if (place == 2) {
    writer.begin_object().member("type", "resource").key("resource").begin_object();
    writer.member("uri", "x:1").member("text", text).end_object().end_object();
  }
  if (place == 3) testing::write_text_block(writer, "Failed: " + text);
  writer.end_array();
  if (place == 3) writer.member("isError", true);
  if (place == 4)
    writer.key("structuredContent").begin_object().member("password", secret).end_object();
  if (place == 5)
    writer.key("structuredContent").begin_object().member(secret, "value").end_object();
  if (place == 6) writer.key("futureMember").begin_array().string(text).end_array();
  writer.end_object();
  return std::move(writer).finish_value();
}

// All strings of a document, unescaped, and of the JSON inside them, down to where it stops.
void collect_text(json::View value, std::string& out, int depth = 0) {
  if (value.is_string()) {
    const std::string text = value.string();
    out += text + "\n";
    if (const auto inner = json::parse(text); depth < 4 && inner && inner->root().is_container()) {
      collect_text(inner->root(), out, depth + 1);
    }
  }
  for (const json::View item : value.items()) collect_text(item, out, depth);
  for (const json::Member& member : value.members()) {
    out += member.key.string() + "\n";
    collect_text(member.value, out, depth);
  }
}

TEST(Promise, no_secret_out) {
  constexpr std::array contracts{Id::response_v2, Id::response_v1, Id::generic, Id::scalpel_v1,
                                 Id::memory};
  testing::check_property("no_secret_out", testing::property_cases(2'000, 100'000), [&] {
    const std::string secret = draw_secret();
    const auto document = json::parse(json::to_text(result_with(secret).view()));
    answer::ShapeSettings settings;
    settings.contract = contracts[static_cast<std::size_t>(testing::draw_below(contracts.size()))];
    settings.extensions = testing::draw_chance(5);
    const auto answer = answer::read_answer(*document, Id::mcp, settings, {.tool = "tool"});
    RC_ASSERT(answer.has_value());
    const json::Value written = json::parse_own(answer::write_result(*answer, settings)->str());
    std::string shown = json::to_text(written.view());
    collect_text(written.view(), shown);
    AnswerPlan plan;  // and as the gateway sends it, small answers uncounted
    plan.contract = settings.contract;
    plan.fit.shape = settings;
    plan.tool.id = "tool";
    BeginResult begun = begin(document->value(), plan, {});
    if (auto* const prepared = std::get_if<PreparedAnswer>(&begun)) {
      begun = finish(std::move(*prepared), fail(ErrorCode::unavailable, "no archive"), plan);
    }
    const json::Value sent = json::parse_own(std::get<ShapedAnswer>(begun).result.str());
    shown += json::to_text(sent.view());
    collect_text(sent.view(), shown);
    if (shown.find(secret) != std::string::npos)
      RC_FAIL("shown: " + json::to_text(document->root()) + "\nbecame " + shown);
  });
}

}  // namespace
}  // namespace enfold::answer
