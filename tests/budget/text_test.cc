// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/fit.h"
#include "enfold/json/pointer.h"
#include "tests/budget/answer.h"
#include "tests/budget/payloads.h"
#include "tests/budget/truth.h"

#include <algorithm>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::budget {
namespace {

using enfold::testing::answer_text;
using enfold::testing::Dice;
using enfold::testing::fit_to;
using json::View;
using model::Fidelity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::size_t tokens_of(const std::string& text) { return token::o200k_base().count(text); }

View at(const json::Value& value, std::string_view pointer) {
  const auto found = json::Pointer::parse(pointer)->resolve(value.view());
  EXPECT_TRUE(found) << pointer << " in " << value.view().raw().substr(0, 300);
  return found.value_or(View());
}

TEST(FitText, texts_show_their_beginning_and_the_lines_that_matter) {
  Dice dice(8);
  struct Row {
    std::string name;
    std::string text;
    std::string form;
    std::string in_index;
  };
  const Row rows[] = {
      {"log", enfold::testing::log_text(2'000), "log", "ERROR code=E_1096"},
      {"markdown", enfold::testing::markdown_text(dice, 60), "markdown", "## Section 40"},
      {"csv", enfold::testing::csv_text(dice, 3'000), "csv", "2999,"},
      {"one line", std::string(60'000, 'a') + "b", "text", ""},
      {"prose", enfold::testing::paragraph(dice, 500), "text", ""}};
  for (const Row& row : rows) {
    for (const bool wrapped : {false, true}) {
      json::Writer writer;
      if (wrapped) writer.begin_object().key("content");
      writer.string(row.text);
      if (wrapped) writer.end_object();
      const json::Value payload = std::move(writer).finish_value();
      const auto fitted = fit_to(payload.view(), 1'500);
      ASSERT_TRUE(fitted) << row.name;
      EXPECT_EQ(fitted->fidelity, Fidelity::partial) << row.name;
      const std::string place = wrapped ? "/content" : "";
      EXPECT_THAT(fitted->clipped, ElementsAre(place)) << row.name;
      const View shown = at(fitted->payload, place);
      EXPECT_TRUE(enfold::testing::is_clip_of(shown.string(), row.text)) << row.name;
      const auto facts = fitted->facts->view().find(place);
      EXPECT_EQ(facts->find("form")->string(), row.form);
      EXPECT_EQ(facts->find("bytes")->integer(), static_cast<std::int64_t>(row.text.size()));
      const std::string index = fitted->index ? json::to_text(fitted->index->view()) : "";
      EXPECT_THAT(index, HasSubstr(row.in_index)) << row.name;
      EXPECT_GE(tokens_of(answer_text(*fitted)), 1'425U) << row.name;
    }
  }
}

TEST(FitText, a_cut_text_says_at_which_line_it_stopped_and_how_many_are_missing) {
  const std::string log = enfold::testing::log_text(2'000);
  const auto fitted = fit_to(json::string_value(log).view(), 1'500);
  ASSERT_TRUE(fitted);
  const std::string shown = fitted->payload.view().string();
  const std::size_t mark = shown.rfind("…[");
  const auto lines =
      std::count(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(mark), '\n');
  EXPECT_EQ(shown.substr(mark),
            fmt::format("…[stopped at line {} of 2000, +{} bytes]", lines, log.size() - mark));
  EXPECT_EQ(fitted->lines_left, 2'000U - static_cast<std::size_t>(lines));
  EXPECT_EQ(fitted->dropped_count, fitted->lines_left);
  EXPECT_EQ(fitted->text_lines, 2'000U);
}

TEST(FitText, base64_is_shown_by_type_and_size_even_where_there_is_room) {
  Dice dice(3);
  std::string base64 = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAAf";
  while (base64.size() < 30'000) base64 += "8/9hAAAAB" + enfold::testing::hex(dice, 7);
  json::Writer writer;
  writer.begin_object().member("name", "plot.png").member("data", base64).end_object();
  const json::Value payload = std::move(writer).finish_value();
  const auto fitted = fit_to(payload.view(), 4'000);
  ASSERT_TRUE(fitted);
  EXPECT_LT(fitted->size.tokens, 400U);
  EXPECT_LT(at(fitted->payload, "/data").string().size(), 80U);
  EXPECT_EQ(
      json::to_text(at(*fitted->facts, "/~1data")),
      R"({"form":"base64","bytes":30008,"lines":1,"media_type":"image/png","decoded_bytes":22506,"pixels":[640,480]})");
  const auto kept = fit_to(payload.view(), 4'000, {.keep = {"/name"}, .drop = {}});
  EXPECT_EQ(at(kept->payload, "/name").string(), "plot.png");
}

TEST(FitText, facts_of_a_text_that_is_shown_whole_are_left_out) {
  Dice dice(5);
  json::Writer writer;
  writer.begin_object().member("short", enfold::testing::paragraph(dice, 12));
  writer.member("log", enfold::testing::log_text(2'000)).end_object();
  const auto fitted = fit_to(std::move(writer).finish_value().view(), 2'000);
  ASSERT_TRUE(fitted);
  EXPECT_THAT(fitted->clipped, ElementsAre("/log"));
  EXPECT_FALSE(fitted->facts->view().find("/short"));
  EXPECT_TRUE(fitted->facts->view().find("/log"));
}

TEST(FitText, rows_and_lines_are_not_torn) {
  Dice dice(8);
  const std::string csv = enfold::testing::csv_text(dice, 3'000);
  const auto fitted = fit_to(json::string_value(csv).view(), 1'000);
  const std::string shown = fitted->payload.view().string();
  EXPECT_EQ(shown[shown.rfind("…") - 1], '\n');
}

TEST(FitText, a_backslash_before_the_letter_n_ends_no_line) {
  std::string csv = "number,folder\n";
  for (int i = 0; i < 3'000; ++i) csv += fmt::format("{},C:\\new\\notes\\n\\n\n", i);
  const auto fitted = fit_to(json::string_value(csv).view(), 250);
  ASSERT_TRUE(fitted);
  EXPECT_THAT(fitted->payload.view().string(), HasSubstr("\n6,C:\\new"));
}

TEST(FitText, of_html_that_repeats_a_block_shows_it_once_in_the_index) {
  std::string page = "<!doctype html><html><body>";
  for (int i = 0; i < 60; ++i) {
    page += fmt::format("<h2>Part {}</h2><p>The same notice stands in every part.</p>", i);
    page += fmt::format("<p>{}</p>", std::string(300, 'x'));
  }
  const auto fitted = fit_to(json::string_value(page + "</body></html>").view(), 2'000);
  ASSERT_TRUE(fitted);
  const std::string index = json::to_text(fitted->index->view());
  EXPECT_EQ(index.find("same notice"), index.rfind("same notice")) << index;
}

TEST(FitText, several_long_texts_share_the_room) {
  Dice dice(2);
  json::Writer writer;
  writer.begin_object();
  for (const char* name : {"a", "b", "c"})
    writer.member(name, enfold::testing::paragraph(dice, 200));
  writer.end_object();
  const auto fitted = fit_to(std::move(writer).finish_value().view(), 1'500);
  ASSERT_TRUE(fitted);
  for (const char* name : {"/a", "/b", "/c"}) {
    EXPECT_GT(at(fitted->payload, name).string().size(), 1'000U) << name;
  }
}

}  // namespace
}  // namespace enfold::budget
