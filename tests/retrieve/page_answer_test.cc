// SPDX-License-Identifier: Apache-2.0
// Retrieval within a budget: pages that hold what fits, cursors that end, places that open.
#include "enfold/base/hash.h"
#include "enfold/retrieve/page.h"
#include "tests/budget/payloads.h"
#include "tests/support/cases.h"
#include "tests/support/results.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace enfold::retrieve {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const contract::CursorKey& key() {
  static const contract::CursorKey key = *contract::CursorKey::from_bytes(std::string(32, 'k'));
  return key;
}

struct Asked {
  json::Document archived;
  PageRequest request;
  answer::FitSettings settings;

  explicit Asked(const std::string& text, const QueryOptions& query, std::size_t tokens)
      : archived(*json::parse(text)) {
    request.position = {"184467440737", *parse_query(query), 0};
    request.archived = {"184467440737", sha256_name(text)};
    request.key = &key();
    request.principal = "ann";
    settings.budget = {.tokens = tokens, .characters = 1'000'000};
  }
  [[nodiscard]] Result<answer::FittedAnswer> answer() const {
    const Result<QueryResult> found = retrieve(archived.root(), request.position.query);
    if (!found) return tl::unexpected(found.error());
    return answer_page(*found, request, settings);
  }
  /// False at the end.
  [[nodiscard]] bool turn_page(const answer::FittedAnswer& finished) {
    const auto& page = finished.answer.reading.response.page;
    if (!page || !page->cursor) return false;
    request.position = *from_cursor(*page->cursor, key(), "ann");
    return true;
  }
};

std::string list_of(int count, std::size_t bytes) {
  json::Writer writer;
  writer.begin_object().key("items").begin_array();
  for (int i = 0; i < count; ++i) {
    writer.begin_object().member("id", std::int64_t{100 + i});
    writer.member("text", std::string(bytes, 'x') + std::to_string(i)).end_object();
  }
  writer.end_array().end_object();
  return std::move(writer).finish().str();
}

std::size_t tokens_of(const answer::FittedAnswer& finished, const Asked& asked) {
  return token::o200k_base().count(
      answer::write_envelope(finished.answer, asked.settings.shape)->str());
}

std::string warnings_of(const answer::FittedAnswer& finished) {
  std::string all;
  for (const model::Warning& warning : finished.answer.reading.response.warnings) {
    all += warning.message + "\n";
  }
  return all;
}

TEST(RetrieveAnswer, shows_whole_records_as_many_as_fit) {
  Asked asked(list_of(50, 40), {.range = "0.."}, 500);
  const auto answer = asked.answer();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_LE(tokens_of(*answer, asked), 500U);
  EXPECT_GE(tokens_of(*answer, asked), 400U);
  EXPECT_FALSE(answer->answer.reading.response.reduction);
}

TEST(RetrieveAnswer, ends_after_every_record_was_shown_once) {
  Asked asked(list_of(50, 40), {.range = "0.."}, 500);
  int next = 100;
  for (int pages = 0; pages < 60; ++pages) {
    const auto answer = asked.answer();
    ASSERT_TRUE(answer) << answer.error().message;
    for (const json::View item : answer->answer.reading.response.payload->view().items()) {
      EXPECT_EQ(item.find("id")->integer(), next++);
    }
    if (!asked.turn_page(*answer)) break;
  }
  EXPECT_EQ(next, 150);
}

TEST(RetrieveAnswer, cuts_only_a_record_that_does_not_fit_by_itself) {
  Asked asked(R"({"items":[{"id":1},{"id":2,"rows":)" + list_of(300, 10) + R"(},{"id":3}]})",
              {.range = "0.."}, 500);
  std::vector<bool> cut;
  do {
    const auto answer = asked.answer();
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_LE(tokens_of(*answer, asked), 500U);
    const auto& reduction = answer->answer.reading.response.reduction;
    cut.push_back(reduction.has_value());
    if (reduction) {
      for (const std::string& place : reduction->dropped_ids) {
        EXPECT_THAT(place, StartsWith("/items/1/"));
        EXPECT_TRUE(retrieve(asked.archived.root(), *parse_query({.ids = {place}}))) << place;
      }
    }
    if (!asked.turn_page(*answer)) break;
  } while (cut.size() < 10);
  EXPECT_EQ(cut, (std::vector<bool>{false, true, false}));
}

TEST(RetrieveAnswer, of_an_object_that_is_mostly_one_member_goes_on_in_that_member) {
  Asked asked(list_of(500, 40), {}, 600);
  const auto answer = asked.answer();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_LE(tokens_of(*answer, asked), 600U);
  EXPECT_FALSE(answer->answer.reading.response.reduction);
  const std::size_t shown = answer->answer.reading.response.payload->view().find("items")->size();
  ASSERT_TRUE(asked.turn_page(*answer));
  EXPECT_EQ(asked.request.position.query.selection, Selection(select::At{"/items"}));
  EXPECT_EQ(asked.request.position.offset, shown);
}

TEST(RetrieveAnswer, pages_through_the_members_of_a_map) {
  json::Writer writer;
  writer.begin_object();
  for (int i = 0; i < 100; ++i) writer.member("key" + std::to_string(i), std::string(30, 'v'));
  Asked asked(std::move(writer.end_object()).finish().str(), {}, 500);
  int shown = 0;
  for (int pages = 0; pages < 100; ++pages) {
    const auto answer = asked.answer();
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_LE(tokens_of(*answer, asked), 500U);
    shown += static_cast<int>(answer->answer.reading.response.payload->view().size());
    if (!asked.turn_page(*answer)) break;
  }
  EXPECT_EQ(shown, 100);
}

TEST(RetrieveAnswer, shows_the_numbers_of_lines_that_were_found) {
  Asked asked(R"({"log":"one\ntwo\nthree two\n","other":"two"})", {.find = "two"}, 500);
  const auto answer = asked.answer();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(json::to_text(answer->answer.reading.response.payload->view()),
            R"([{"pointer":"/log/1..1","line":2,"text":"two\n"},)"
            R"({"pointer":"/log/2..2","line":3,"text":"three two\n"},)"
            R"({"pointer":"/other","value":"two"}])");
}

TEST(RetrieveAnswer, shows_the_places_of_members_that_were_found) {
  Asked asked(R"({"a":{"state":"a timeout"},"rows":[{"id":1},{"id":2,"state":"timeout"}]})",
              {.find = "timeout"}, 500);
  const auto answer = asked.answer();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(json::to_text(answer->answer.reading.response.payload->view()),
            R"([{"pointer":"/a/state","value":"a timeout"},)"
            R"({"pointer":"/rows/1","value":{"id":2,"state":"timeout"}}])");
  Asked records(R"({"a":{"state":"a timeout"},"b":{"state":"ok"}})", {.find = "timeout"}, 500);
  const auto of_a_map = records.answer();
  ASSERT_TRUE(of_a_map) << of_a_map.error().message;
  EXPECT_EQ(json::to_text(of_a_map->answer.reading.response.payload->view()),
            R"([{"pointer":"/a","value":{"state":"a timeout"}}])");
}

TEST(RetrieveAnswer, without_a_key_says_that_there_is_more) {
  Asked asked(list_of(50, 40), {.range = "0.."}, 500);
  asked.request.key = nullptr;
  const auto answer = asked.answer();
  ASSERT_TRUE(answer) << answer.error().message;
  const auto& page = answer->answer.reading.response.page;
  EXPECT_EQ(page->has_more, true);
  EXPECT_FALSE(page->cursor);
}

TEST(RetrieveAnswer, never_over_budget_and_no_loop) {
  testing::check_property(
      "retrieve_answer/never_over_budget", testing::property_cases(300, 20'000), [] {
        json::Writer writer;
        writer.begin_object().member("n", std::int64_t{1}).key("items").begin_array();
        for (int left = testing::draw_below(20); left > 0; --left) {
          writer.value(testing::draw_result().result);
        }
        const std::string archived = std::move(writer.end_array().end_object()).finish().str();
        const std::vector<QueryOptions> queries{
            {}, {.range = "0.."}, {.pointer = ""}, {.find = "a"}};
        const auto budget = static_cast<std::size_t>(400 + testing::draw_below(400));
        Asked asked(archived, queries[static_cast<std::size_t>(testing::draw_below(4))], budget);
        for (int pages = 0;; ++pages) {
          RC_ASSERT(pages < 2000);
          const auto answer = asked.answer();
          if (!answer && answer.error().code == ErrorCode::not_found)
            break;  // no list to take from
          RC_ASSERT(answer.has_value());
          RC_ASSERT(tokens_of(*answer, asked) <= budget);
          if (const auto& reduction = answer->answer.reading.response.reduction) {
            for (const std::string& place : reduction->dropped_ids) {
              const auto again = retrieve(asked.archived.root(), *parse_query({.ids = {place}}));
              if (!again) RC_LOG() << place << ": " << again.error().message << "\n";
              RC_ASSERT(again.has_value());
            }
          }
          if (!asked.turn_page(*answer)) break;
        }
      });
}

/// The characters of all texts, and the other scalars and empty containers.
void add_content(json::View value, std::map<std::string, int>& all) {
  if (value.is_string()) {
    const std::string text = value.string();
    for (const char c : text) ++all[std::string(1, c)];
  } else if (!value.is_container() || value.size() == 0) {
    ++all[std::string(value.raw())];
  }
  for (const json::View item : value.items()) add_content(item, all);
  for (const json::Member& member : value.members()) add_content(member.value, all);
}

TEST(RetrieveAnswer, of_a_place_is_never_cut_and_its_pages_show_every_part_once) {
  testing::check_property(
      "retrieve_answer/every_part_once", testing::property_cases(200, 20'000), [] {
        const json::Value payload =
            testing::random_payload(testing::draw_below(testing::kPayloadKinds),
                                    static_cast<std::size_t>(1 + testing::draw_below(60)),
                                    static_cast<std::uint64_t>(testing::draw_below(1 << 30)));
        json::Writer writer;
        writer.begin_object().key("first").value(payload).key("second").value(payload);
        Asked asked(std::move(writer.end_object()).finish().str(), {},
                    static_cast<std::size_t>(1'000 + testing::draw_below(2'000)));
        std::map<std::string, int> shown;
        std::map<std::string, int> all;
        add_content(asked.archived.root(), all);
        for (int pages = 0;; ++pages) {
          RC_ASSERT(pages < 2000);
          const auto answer = asked.answer();
          RC_ASSERT(answer.has_value());
          const model::Response& response = answer->answer.reading.response;
          RC_ASSERT(!response.reduction);
          add_content(response.payload->view(), shown);
          if (!asked.turn_page(*answer)) break;
        }
        for (const auto& [part, count] : all) {
          if (shown[part] != count)
            RC_FAIL(fmt::format("{} is shown {} of {} times", part, shown[part], count));
        }
        RC_ASSERT(shown.size() == all.size());
      });
}

TEST(RetrieveAnswer, says_from_which_part_a_page_is_that_was_not_asked_for) {
  const std::string half = list_of(40, 40);
  Asked asked(R"({"name":"x","a":)" + half + R"(,"b":)" + half + R"(,"end":1})", {}, 500);
  std::vector<std::string> notes;
  for (int pages = 0; pages < 60; ++pages) {
    const auto answer = asked.answer();
    ASSERT_TRUE(answer) << answer.error().message;
    const std::string note = warnings_of(*answer);
    if (notes.empty() || notes.back() != note) notes.push_back(note);
    if (!asked.turn_page(*answer)) break;
  }
  EXPECT_EQ(notes, (std::vector<std::string>{"", "from /a\n", "from /a/items\n", "from /b\n",
                                             "from /b/items\n", ""}));
}

TEST(RetrieveAnswer, works_with_the_smallest_budget) {
  Asked asked(list_of(50, 60), {.pointer = "/items"}, 128);
  std::size_t seen = 0;
  for (int pages = 0; pages < 60; ++pages) {
    const Result<answer::FittedAnswer> done = asked.answer();
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_LE(done->size.tokens, 128U);
    seen += done->answer.reading.response.payload->view().size();
    if (!asked.turn_page(*done)) break;
  }
  EXPECT_EQ(seen, 50U);
}

// Names so long that the report of a cut part is most of the budget.
TEST(RetrieveAnswer, names_the_budget_that_was_given_when_it_is_too_small) {
  std::string place;
  for (int i = 0; i < 60; ++i) place += "name" + std::to_string(i * 7919);
  const std::string big(3000, 'y');
  Asked asked("{\"" + place + "\":[{\"a\":[\"" + big + "\",\"" + big + "\"]},{\"a\":1}]}",
              {.pointer = "/" + place}, 200);
  for (const std::size_t tokens : {128U, 200U, 300U, 400U, 500U}) {
    asked.settings.budget.tokens = tokens;
    const Result<answer::FittedAnswer> done = asked.answer();
    if (done) {
      EXPECT_LE(done->size.tokens, tokens);
    } else {
      EXPECT_EQ(done.error().code, ErrorCode::budget_too_small);
      EXPECT_THAT(done.error().message, HasSubstr("found " + std::to_string(tokens)));
      EXPECT_THAT(done.error().message, Not(HasSubstr("characters")));
    }
  }
  asked.settings.budget.tokens = 128;
  EXPECT_FALSE(asked.answer());
}

// A page that fits some budget fits every larger one.
TEST(RetrieveAnswer, that_fits_a_budget_fits_every_larger_one) {
  const std::string name = "a_rather_long_name_of_a_member_in_the_middle_of_the_answer";
  const std::string big(500, 'y');
  const std::string deep =
      "{\"" + name + "\":[{\"a\":[\"" + big + "\",\"" + big + "\"]},{\"a\":1}]}";
  struct Case {
    std::string document;
    QueryOptions query;
  };
  const Case cases[] = {
      {deep, {.pointer = "/*"}},
      {deep, {.range = "0.."}},
      {deep, {.pointer = "/" + name + "/0/a/0"}},
      {R"({"items":[{"id":2,"rows":)" + list_of(40, 9) + R"(},{"id":3}]})", {.range = "0.."}},
      {"{\"" + name + "\":{\"" + name + "\":" + list_of(20, 4) + ",\"b\":[1,2,3]}}", {}},
      {"{\"log\":\"first\\n" + big + big + "\\nlast\"}", {.find = "y"}}};
  for (const contract::Description& to : contract::all()) {
    if (!contract::is_envelope(to.id)) continue;
    for (const Case& c : cases) {
      Asked asked(c.document, c.query, 128);
      asked.settings.shape.contract = to.id;
      std::size_t fitted = 0;
      for (std::size_t tokens = 128; tokens <= 400; ++tokens) {
        SCOPED_TRACE(::testing::Message()
                     << to.name << ", " << c.document.substr(0, 70) << ", case " << &c - cases
                     << ", " << tokens << " tokens");
        asked.settings.budget.tokens = tokens;
        const Result<answer::FittedAnswer> done = asked.answer();
        if (done) {
          EXPECT_LE(done->size.tokens, tokens);
          fitted = tokens;
        } else {
          EXPECT_EQ(done.error().code, ErrorCode::budget_too_small);
          ASSERT_EQ(fitted, 0U) << done.error().message;
        }
      }
      EXPECT_EQ(fitted, 400U) << to.name;
    }
  }
}

TEST(PagePlaces, tell_a_range_of_lines_from_a_name_that_looks_like_one) {
  const json::Value lines = json::string_value("d\ne\n");
  const ResultPage page{.value = lines, .offset = 3, .size = 2, .total = 9};
  QueryResult found{.value = lines, .unit = Unit::lines, .total = 9, .pointer = "/texts/1..2"};
  model::Reduction of_a_name{.dropped_ids = {""}};
  PagePointers(found, page).apply(of_a_name);
  EXPECT_EQ(of_a_name.dropped_ids, std::vector<std::string>{"/texts/1..2/3..4"});
  found.lines_before = 1;
  model::Reduction of_a_range{.dropped_ids = {""}};
  PagePointers(found, page).apply(of_a_range);
  EXPECT_EQ(of_a_range.dropped_ids, std::vector<std::string>{"/texts/4..5"});
}

// A part of the raw result that does not fit on one page, too.
TEST(Pages, of_a_place_in_the_raw_result_go_on) {
  const std::string text = R"({"content":[],"structuredContent":{"a":1},"extra":{"log":")" +
                           std::string(9'000, 'z') + R"("}})";
  Asked asked(text, {.pointer = "/extra/log", .raw = true}, 300);
  std::size_t seen = 0;
  for (int pages = 0; pages < 100; ++pages) {
    const auto finished = asked.answer();
    ASSERT_TRUE(finished) << finished.error().message;
    seen += finished->answer.reading.response.payload->view().string().size();
    if (!asked.turn_page(*finished)) break;
  }
  EXPECT_EQ(seen, 9'000U);
}

// The same words stand at other places of the payload.
TEST(Pages, of_characters_of_the_raw_result_stay_in_it) {
  const std::string text(5'000, 'w');
  Asked asked(R"({"content":[{"type":"text","text":")" + text +
                  R"("}],"structuredContent":{"content":[{"text":")" + std::string(5'000, 's') +
                  R"("}],"n":1}})",
              {.pointer = "/content/0/text", .characters = "0..4499", .raw = true}, 300);
  std::string seen;
  for (int pages = 0; pages < 100; ++pages) {
    const auto finished = asked.answer();
    ASSERT_TRUE(finished) << finished.error().message;
    seen += finished->answer.reading.response.payload->view().string();
    if (!asked.turn_page(*finished)) break;
  }
  EXPECT_EQ(seen, text.substr(0, 4'500));
}

TEST(RetrieveAnswer, says_which_ids_are_missing_beside_a_record_that_does_not_fit) {
  const std::string documents[] = {
      list_of(3, 9'000), R"({"items":[{"id":100,"rows":)" + list_of(99, 40) + R"(},{"id":101}]})"};
  for (const std::string& document : documents) {
    Asked asked(document, {.ids = {"100", "zz1"}}, 400);
    const auto answer = asked.answer();
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_THAT(warnings_of(*answer), HasSubstr("no record has the id zz1\n"));
  }
  Asked text(R"({"items":[{"id":100},")" + std::string(9'000, 'x') + R"("]})",
             {.ids = {"/items/1", "zz1"}}, 400);
  const auto answer = text.answer();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_THAT(warnings_of(*answer), HasSubstr("no record has the id zz1\n"));
}

TEST(RetrieveAnswer, says_how_many_more_ids_are_missing) {
  QueryOptions query{.ids = {"100"}};
  for (int i = 0; i < 8; ++i) query.ids.push_back("z" + std::to_string(i));
  Asked asked(list_of(3, 9), query, 500);
  const auto answer = asked.answer();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_THAT(warnings_of(*answer),
              HasSubstr("no record has the id z0, z1, z2, z3, z4 and 3 more\n"));
}

// The note of an answer that was cut before it was archived, on its first page.
TEST(RetrieveAnswer, says_the_notes_of_the_query_beside_what_does_not_fit) {
  for (const QueryOptions& query : {QueryOptions{}, QueryOptions{.ids = {"100"}}}) {
    Asked asked(list_of(3, 9'000), query, 400);
    QueryResult found = *retrieve(asked.archived.root(), asked.request.position.query);
    found.notes.push_back("the archived answer was cut");
    const auto answer = answer_page(found, asked.request, asked.settings);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_THAT(warnings_of(*answer), HasSubstr("the archived answer was cut\n"));
  }
}

TEST(RetrieveAnswer, of_no_record_that_does_not_fit_is_an_error) {
  Asked asked(list_of(3, 9), {.ids = {std::string(60, 'z')}}, 128);
  QueryResult found{.value = json::parse_own("[]"), .unit = Unit::records, .total = 0};
  found.notes.push_back(std::string(9'000, 'n'));
  const auto answer = answer_page(found, asked.request, asked.settings);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::budget_too_small) << answer.error().message;
}

// What a caller made up may not take the room of what was found.
TEST(RetrieveAnswer, says_the_beginning_of_a_long_id_that_is_missing) {
  Asked asked(list_of(3, 9), {.ids = {"100", std::string(3'000, 'z')}}, 200);
  const auto answer = asked.answer();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_THAT(warnings_of(*answer), HasSubstr("no record has the id zzzz"));
}

}  // namespace
}  // namespace enfold::retrieve
