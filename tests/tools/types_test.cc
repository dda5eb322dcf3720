// SPDX-License-Identifier: Apache-2.0
// The types that a declared field may have: their schema, reading, writing, and back.
#include "enfold/level/render.h"
#include "enfold/tools/declare/read_arguments.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace {

enum class Binding { hardback, paperback, default_ };

class BookId {
 public:
  BookId() = default;
  explicit BookId(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_ = "b-0";
};

}  // namespace

template <>
struct enfold::As<BookId> {
  using Type = std::string;
  static constexpr std::string_view pattern = "^b-[0-9]+$";
  static std::string to(const BookId& id) { return id.text(); }
  static Result<BookId> from(const std::string& text) {
    if (text == "b-13") return fail(ErrorCode::invalid_input, "expected a lucky id, found b-13");
    return BookId(text);
  }
};

namespace enfold::tools {
namespace {

struct Author {
  std::string name;
  static constexpr auto fields() { return level::fields<&Author::name>(); }
};

struct Everything {
  BookId id;
  Binding binding = Binding::paperback;
  std::chrono::milliseconds wait{250};
  std::chrono::sys_seconds at{};
  std::chrono::year_month_day day{std::chrono::year(2026), std::chrono::month(7),
                                  std::chrono::day(28)};
  std::filesystem::path file;
  std::set<std::string> tags;
  std::variant<std::int64_t, std::string, Author> owner;
  std::optional<Binding> other;
  double price = 16.919999999999998;
  static constexpr auto fields() {
    return level::fields(
        level::field<&Everything::id>(), level::field<&Everything::binding>().defaulted(),
        level::field<&Everything::wait>().defaulted(), level::field<&Everything::at>(),
        level::field<&Everything::day>().defaulted(), level::field<&Everything::file>(),
        level::field<&Everything::tags>().pattern("^[a-z]+$").at_most(3),
        level::field<&Everything::owner>(), level::field<&Everything::other>(),
        level::field<&Everything::price>().decimals(2).defaulted());
  }
};

TEST(Types, are_written_and_read_back) {
  const json::Value sent = json::parse_own(
      R"({"id":"b-7","binding":"hardback","wait":5,"at":"2026-07-28T14:30:05+02:00",)"
      R"("day":"2024-02-29","file":"a/b.txt","tags":["y","x"],"owner":{"name":"Ada"},)"
      R"("other":"default"})");
  std::vector<Problem> problems;
  const auto read = read_arguments<Everything>(sent.view(), problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(read.wait, std::chrono::milliseconds(5));
  EXPECT_EQ(read.other, Binding::default_);
  EXPECT_EQ(std::get<Author>(read.owner).name, "Ada");
  EXPECT_EQ(json::to_text(level::render(read, level::Level::full).view()),
            R"({"id":"b-7","binding":"hardback","wait":5,"at":"2026-07-28T12:30:05Z",)"
            R"("day":"2024-02-29","file":"a/b.txt","tags":["x","y"],"owner":{"name":"Ada"},)"
            R"("other":"default","price":16.92})");
}

TEST(Types, have_schemas_that_say_what_they_are) {
  const std::string schema = json::to_text(input_schema_of<Everything>().view());
  for (
      const char* part :
      {R"("id":{"type":"string","pattern":"^b-[0-9]+$"})",
       R"("binding":{"type":"string","enum":["hardback","paperback","default"],"default":"paperback"})",
       R"("wait":{"type":"integer","description":"In milliseconds.","default":250})",
       R"("at":{"type":"string","format":"date-time"})",
       R"("day":{"type":"string","format":"date","default":"2026-07-28"})",
       R"("tags":{"type":"array","uniqueItems":true,"items":{"type":"string","pattern":"^[a-z]+$"},"maxItems":3})",
       R"("owner":{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"object",)"}) {
    EXPECT_NE(schema.find(part), std::string::npos) << part << "\nin " << schema;
  }
}

TEST(Types, that_cannot_be_read_are_problems_with_their_place) {
  const json::Value sent =
      json::parse_own(R"({"id":"b-13","at":"yesterday","file":"","tags":[],"owner":[1]})");
  std::vector<Problem> problems;
  static_cast<void>(read_arguments<Everything>(sent.view(), problems));
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0].place, "/id");
  EXPECT_EQ(problems[0].expected, "a lucky id");
  EXPECT_EQ(problems[1].expected, "a time such as 2026-07-28T12:30:00Z");
  EXPECT_EQ(problems[2].place, "/owner");
}

struct Review {
  int rating = 0;
  std::string text;
  static constexpr auto fields() { return level::fields<&Review::rating, &Review::text>(); }
  void check(Problems& problems) const {
    if (rating <= 2 && text.size() < 20) {
      problems.add("text", "at least 20 characters", text.size(), "minLength");
    }
    if (rating > 5) problems.add("rating", "at most 5", rating);
  }
};

TEST(Types, check_themselves_when_they_are_read) {
  std::vector<Problem> problems;
  static_cast<void>(
      read_arguments<Review>(json::parse_own(R"({"rating":1,"text":"bad"})").view(), problems));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].place, "/text");
  EXPECT_EQ(problems[0].rule, "#/minLength");
  EXPECT_EQ(json::to_text(problems[0].received.view()), "3");
}

TEST(Types, of_times_survive_and_nothing_else_is_taken_for_one) {
  for (const char* text :
       {"2026-07-28T12:30:00Z", "1969-12-31T23:59:59.5Z", "2000-02-29T00:00:00.000001Z"}) {
    const auto read = level::read_instant(text);
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(level::write_instant(*read), text);
  }
  for (const char* text : {"", "2026-07-28", "2026-02-30T00:00:00Z", "2026-07-28T24:00:00Z",
                           "2026-07-28T12:30:00Zz", "2026-7-28T12:30:00Z", "12:30"}) {
    EXPECT_FALSE(level::read_instant(text).has_value()) << text;
  }
  EXPECT_FALSE(level::read_date("2026-07-28x").has_value());
}

}  // namespace
}  // namespace enfold::tools
