// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/render.h"

#include "tests/level/memory_answers.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace enfold::level {
namespace {

using testing::Memory;
using testing::MemoryStored;

template <class Response>
std::string text(const Response& response, Level level, const RenderOptions& options = {}) {
  json::Writer writer;
  render(response, level, writer, options);
  return std::move(writer).finish().str();
}

MemoryStored stored() {
  MemoryStored answer;
  answer.memory_id = "mem_1";
  answer.created_at = "2025-01-01T00:00:00Z";
  answer.scope = "work/notes";
  answer.message = "stored";
  answer.memory = Memory{"mem_1", "work/notes", "the content", {}};
  return answer;
}

TEST(Render, memory_store_at_minimal_is_success_id_and_creation_time) {
  EXPECT_EQ(text(stored(), Level::minimal),
            R"({"success":true,"memory_id":"mem_1","created_at":"2025-01-01T00:00:00Z"})");
}

TEST(Render, memory_store_adds_fields_with_the_level) {
  EXPECT_EQ(text(stored(), Level::standard),
            R"({"success":true,"memory_id":"mem_1","created_at":"2025-01-01T00:00:00Z",)"
            R"("message":"stored"})");
  EXPECT_EQ(text(stored(), Level::full),
            R"({"success":true,"memory_id":"mem_1","created_at":"2025-01-01T00:00:00Z",)"
            R"("message":"stored","memory":{"id":"mem_1","scope":"work/notes",)"
            R"("content":"the content","tags":[]},"associations":[]})");
}

TEST(Render, conditional_fields_appear_when_their_condition_holds) {
  MemoryStored answer = stored();
  answer.scope_changed = true;
  answer.metadata_generated = true;
  answer.metadata = {{"topic", "c++"}};
  EXPECT_EQ(text(answer, Level::minimal),
            R"({"success":true,"memory_id":"mem_1","created_at":"2025-01-01T00:00:00Z",)"
            R"("scope":"work/notes","metadata":{"topic":"c++"}})");
}

TEST(Render, preview_adds_three_dots_only_when_the_text_is_longer) {
  const struct {
    const char* name;
    std::string input;
    std::size_t length;
    std::string want;
  } cases[] = {
      {"shorter", "abc", 5, "abc"},
      {"equal", "abcde", 5, "abcde"},
      {"longer", "abcdef", 5, "abcde..."},
      {"empty", "", 5, ""},
      {"nothing of something", "a", 0, "..."},
      {"150 at 100", std::string(150, 'x'), 100, std::string(100, 'x') + "..."},
      {"code points, not bytes", "äöüß", 3, "äöü..."},
      {"exact in code points", "äöüß", 4, "äöüß"},
      {"outside the basic plane", "😀😀😀", 2, "😀😀..."},
      {"a lone surrogate is one", "\xED\xA0\x80\xED\xA0\x80", 1, "\xED\xA0\x80..."},
      {"a flag is not split", "\U0001F1E9\U0001F1EA!", 1, "..."},
      {"a family is not split", "ab\U0001F468\u200d\U0001F469\u200d\U0001F467!", 5, "ab..."},
      {"an accent stays with its letter", "ae\u0301b", 2, "a..."},
      {"a marker is not split", "key [REDACTED:API_KEY] ok", 9, "key ..."},
      {"broken bytes count one by one", "\xFF\xFF\xFF", 2, "\xFF\xFF..."},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(preview_of(c.input, c.length), c.want);
  }
}

TEST(Render, full_replaces_a_preview_by_the_whole) {
  const Memory memory{"m", "s", std::string(150, 'x'), {}};
  EXPECT_EQ(text(memory, Level::minimal),
            R"({"id":"m","content":")" + std::string(100, 'x') + R"(..."})");
  EXPECT_EQ(text(memory, Level::full),
            R"({"id":"m","scope":"s","content":")" + std::string(150, 'x') + R"(","tags":[]})");
}

struct Part {
  std::optional<int> number;
  static constexpr auto fields() {
    return level::fields(level::field("number", &Part::number, Level::minimal));
  }
};

struct Everything {
  bool flag = true;
  std::int8_t small = -7;
  std::uint64_t large = std::numeric_limits<std::uint64_t>::max();
  double ratio = 0.1;
  double infinite = std::numeric_limits<double>::infinity();
  std::string string = "a\"b";
  std::string_view view = "v";
  model::Severity severity = model::Severity::warning;
  std::optional<int> none;
  std::optional<int> some = 3;
  std::vector<Part> parts{{1}, {std::nullopt}};
  std::vector<bool> bits{true, false};
  std::vector<std::optional<int>> holes{1, std::nullopt};
  std::map<std::string, double> scores{{"a", 1.5}};
  Part part;
  json::Value raw = json::parse_own(R"({"n": 1.0, "n": 1e2})");
  [[nodiscard]] std::size_t count() const { return parts.size(); }

  static constexpr auto fields() {
    using E = Everything;
    const Level at = Level::minimal;
    return level::fields(level::field("flag", &E::flag, at), level::field("small", &E::small, at),
                         level::field("large", &E::large, at), level::field("ratio", &E::ratio, at),
                         level::field("infinite", &E::infinite, at),
                         level::field("string", &E::string, at), level::field("view", &E::view, at),
                         level::field("severity", &E::severity, at),
                         level::field("none", &E::none, at), level::field("some", &E::some, at),
                         level::field("parts", &E::parts, at), level::field("bits", &E::bits, at),
                         level::field("holes", &E::holes, at),
                         level::field("scores", &E::scores, at), level::field("part", &E::part, at),
                         level::field("raw", &E::raw, at), level::field("count", &E::count, at));
  }
};

TEST(Render, every_type_of_field_has_its_json) {
  EXPECT_EQ(text(Everything{}, Level::standard),
            R"({"flag":true,"small":-7,"large":18446744073709551615,"ratio":0.1,)"
            R"("string":"a\"b","view":"v","severity":"warning","some":3,)"
            R"("parts":[{"number":1},{}],"bits":[true,false],"holes":[1,null],)"
            R"("scores":{"a":1.5},"part":{},"raw":{"n":1.0,"n":1e2},"count":2})");
}

struct Empties {
  std::string text;
  int zero = 0;
  bool no = false;
  std::vector<int> list;
  std::map<std::string, int> map;
  Part part;
  json::Value null;
  json::Value object = json::parse_own("{ }");
  std::optional<std::vector<int>> held = std::vector<int>{};
  std::vector<int> kept_list;
  std::optional<int> kept_none;
  std::vector<Part> items{Part{}};

  static constexpr auto fields() {
    using E = Empties;
    const Level at = Level::minimal;
    return level::fields(level::field("text", &E::text, at), level::field("zero", &E::zero, at),
                         level::field("no", &E::no, at), level::field("list", &E::list, at),
                         level::field("map", &E::map, at), level::field("part", &E::part, at),
                         level::field("null", &E::null, at), level::field("object", &E::object, at),
                         level::field("held", &E::held, at),
                         level::field("kept_list", &E::kept_list, at).required(),
                         level::field("kept_none", &E::kept_none, at).required(),
                         level::field("items", &E::items, at));
  }
};

TEST(Render, nulls_and_empties_go_only_where_the_level_option_says) {
  const std::string pruned =
      R"({"text":"","zero":0,"no":false,"kept_list":[],"kept_none":null,"items":[{}]})";
  const std::string whole =
      R"({"text":"","zero":0,"no":false,"list":[],"map":{},"part":{},"null":null,"object":{},)"
      R"("held":[],"kept_list":[],"kept_none":null,"items":[{}]})";
  const struct {
    const char* name;
    Level level;
    std::optional<Level> prune_up_to;
    std::string want;
  } cases[] = {
      {"minimal by default", Level::minimal, RenderOptions{}.prune_up_to, pruned},
      {"standard by default", Level::standard, RenderOptions{}.prune_up_to, whole},
      {"full by default", Level::full, RenderOptions{}.prune_up_to, whole},
      {"never", Level::minimal, std::nullopt, whole},
      {"up to standard", Level::standard, Level::standard, pruned},
      {"up to standard, at full", Level::full, Level::standard, whole},
      {"always", Level::full, Level::full, pruned},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(text(Empties{}, c.level, {c.prune_up_to}), c.want);
  }
}

struct Outer {
  struct Inner {
    Part part;
    static constexpr auto fields() {
      return level::fields(level::field("part", &Inner::part, Level::minimal));
    }
  };
  Inner inner;
  static constexpr auto fields() {
    return level::fields(level::field("inner", &Outer::inner, Level::minimal));
  }
};

TEST(Render, a_struct_that_shows_nothing_is_empty_too) {
  EXPECT_EQ(text(Outer{}, Level::minimal), "{}");
  EXPECT_EQ(text(Outer{{Part{5}}}, Level::minimal), R"({"inner":{"part":{"number":5}}})");
}

struct Extended : Memory {
  double score = 0.5;
  static constexpr auto fields() {
    return level::fields(
        level::field("id", &Extended::id, Level::minimal),
        level::field("score", &Extended::score, Level::standard).when([](const Extended& e) {
          return !e.tags.empty();
        }));
  }
};

TEST(Render, fields_and_conditions_may_use_inherited_members) {
  Extended extended;
  extended.id = "x";
  EXPECT_EQ(text(extended, Level::full), R"({"id":"x"})");
  extended.tags = {"t"};
  EXPECT_EQ(text(extended, Level::full), R"({"id":"x","score":0.5})");
}

TEST(Render, optional_text_can_be_previewed) {
  struct Note {
    std::optional<std::string> body;
    static constexpr auto fields() {
      return level::fields(level::preview("body", &Note::body, 2, Level::standard).required());
    }
  };
  EXPECT_EQ(text(Note{"abc"}, Level::minimal), "{}");
  EXPECT_EQ(text(Note{"abc"}, Level::standard), R"({"body":"ab..."})");
  EXPECT_EQ(text(Note{"abc"}, Level::full), R"({"body":"abc"})");
  EXPECT_EQ(text(Note{}, Level::standard), R"({"body":null})");
  EXPECT_EQ(text(Note{}, Level::full), R"({"body":null})");
}

}  // namespace
}  // namespace enfold::level
