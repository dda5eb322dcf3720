// SPDX-License-Identifier: Apache-2.0
// Reading a whole archived answer page by page, and what comes back as it was.
#include "enfold/base/hash.h"
#include "enfold/retrieve/page.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::retrieve {
namespace {

using enfold::testing::check_property;
using enfold::testing::draw_below;
using enfold::testing::draw_chance;
using enfold::testing::property_cases;

const contract::CursorKey& key() {
  static const contract::CursorKey key = *contract::CursorKey::from_bytes(std::string(32, 'k'));
  return key;
}

/// Follows the cursors of an answer to the last page.
class Reader {
 public:
  Reader(std::string bytes, const QueryOptions& options, std::size_t tokens)
      : bytes_(std::move(bytes)) {
    request_.position = {.archive = "184467440737", .query = *parse_query(options)};
    request_.archived = {"184467440737", sha256_name(bytes_)};
    request_.key = &key();
    request_.principal = "ann";
    settings_.budget = {.tokens = tokens, .characters = 10'000'000};
  }

  /// The response of the next page; nullopt behind the last one.
  std::optional<model::Response> next() {
    if (is_done_) return std::nullopt;
    const auto found = retrieve_bytes(bytes_, {}, request_.position.query, {}, window_of(request_));
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    auto page = found ? answer_page(*found, request_, settings_)
                      : Result<answer::FittedAnswer>(tl::unexpected(found.error()));
    EXPECT_TRUE(page) << (page ? "" : page.error().message);
    is_done_ = true;
    if (!page) return std::nullopt;
    const auto text = answer::write_envelope(page->answer, settings_.shape);
    tokens_ += token::o200k_base().count(text->str());
    model::Response response = std::move(page->answer.reading.response);
    if (response.page && response.page->cursor) {
      request_.position = *from_cursor(*response.page->cursor, key(), "ann");
      is_done_ = false;
    }
    ++pages_;
    return response;
  }

  [[nodiscard]] std::size_t tokens() const { return tokens_; }
  [[nodiscard]] std::size_t pages() const { return pages_; }

 private:
  std::string bytes_;
  PageRequest request_;
  answer::FitSettings settings_;
  std::size_t tokens_ = 0;
  std::size_t pages_ = 0;
  bool is_done_ = false;
};

void collect_ids(json::View value, std::vector<std::int64_t>& ids) {
  if (const auto id = value.is_object() ? value.find("id") : std::nullopt) {
    ids.push_back(id->integer().value_or(-1));
    return;
  }
  for (const json::View item : value.items()) collect_ids(item, ids);
  for (const json::Member& member : value.members()) collect_ids(member.value, ids);
}

TEST(Reading, costs_little_more_than_the_answer_and_shows_each_record_once) {
  check_property("reading_in_pages", property_cases(12, 300), [] {
    const int count = 300 + draw_below(1500);
    const int words = draw_below(30);
    const bool is_wrapped = draw_chance(5);
    json::Writer writer;
    if (is_wrapped)
      writer.begin_object().member("total", count).key("data").begin_object().key("rows");
    writer.begin_array();
    for (int i = 0; i < count; ++i) {
      writer.begin_object().member("id", i);
      std::string text;
      for (int w = draw_below(words + 1); w > 0; --w) text += "word" + std::to_string(w) + " ";
      writer.member("text", text).end_object();
    }
    writer.end_array();
    if (is_wrapped) writer.end_object().member("done", true).end_object();
    const std::string bytes = std::move(writer).finish().str();
    Reader reader(bytes, {}, 4000);
    std::vector<std::int64_t> ids;
    while (const auto page = reader.next()) {
      RC_ASSERT(!page->reduction.has_value());
      collect_ids(page->payload->view(), ids);
      RC_ASSERT(reader.pages() < 1000);
    }
    RC_ASSERT(ids.size() == static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) RC_ASSERT(ids[static_cast<std::size_t>(i)] == i);
    const std::size_t whole = token::o200k_base().count(bytes);
    RC_ASSERT(reader.tokens() * 100 <= whole * 115 + 20000);  // the envelope of a short answer
  });
}

TEST(Reading, of_a_text_costs_little_more_than_the_text) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += "commit " + std::to_string(i * 7919) + " changes a line\n";
  Reader reader(text, {}, 4000);
  std::string again;
  while (const auto page = reader.next()) again += page->payload->view().string();
  EXPECT_EQ(again, text);
  const std::size_t whole = token::o200k_base().count(text);
  EXPECT_LE(reader.tokens() * 100, whole * 115);
}

TEST(Reading, of_an_object_begins_with_everything_beside_its_bulk) {
  std::string log;
  for (int i = 0; i < 3000; ++i) log += "line " + std::to_string(i) + "\n";
  json::Writer writer;
  writer.begin_object().member("job", 7).member("log", log).member("state", "done").end_object();
  Reader reader(std::move(writer).finish().str(), {}, 1000);
  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->payload->view().find("state")->string(), "done");
  std::string again = first->payload->view().find("log")->string();
  while (const auto page = reader.next()) again += page->payload->view().string();
  EXPECT_EQ(again, log);
}

TEST(Reading, gives_images_back_as_blocks) {
  const std::string bytes =
      R"({"content":[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]})";
  Reader reader(bytes, {.ids = {"/result/content/1"}}, 4000);
  const auto page = reader.next();
  ASSERT_TRUE(page);
  ASSERT_EQ(page->blocks.size(), 1U);
  EXPECT_EQ(page->blocks.front()->find("data")->string(), "iVBORw0KGgo=");
  EXPECT_EQ(json::to_text(page->payload->view()).find("iVBOR"), std::string::npos);
}

}  // namespace
}  // namespace enfold::retrieve
