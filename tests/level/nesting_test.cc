// SPDX-License-Identifier: Apache-2.0
// What levels promise, for any answer and any patterns.
#include "enfold/json/pointer.h"
#include "enfold/level/projection.h"
#include "enfold/level/render.h"
#include "enfold/level/schema_of.h"
#include "tests/level/random_json.h"
#include "tests/support/cases.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace enfold::level {
namespace {

using enfold::testing::check_property;
using enfold::testing::property_cases;
using testing::Dice;
using testing::random_json;
using testing::random_pattern;

// Every member of `lower` is in `higher`, in the same order, with an equal value; of arrays, items
// may be missing. Scalars are compared by their bytes.
bool is_part_of(json::View lower, json::View higher) {
  if (lower.kind() != higher.kind()) return false;
  if (!lower.is_container()) return lower.raw() == higher.raw();
  if (lower.is_array()) {
    auto at = higher.items().begin();
    for (const json::View item : lower.items()) {
      while (at != std::default_sentinel && !is_part_of(item, *at)) ++at;
      if (at == std::default_sentinel) return false;
      ++at;
    }
    return true;
  }
  auto at = higher.members().begin();
  for (const json::Member& member : lower.members()) {
    while (at != std::default_sentinel &&
           !((*at).key.raw() == member.key.raw() && is_part_of(member.value, (*at).value))) {
      ++at;
    }
    if (at == std::default_sentinel) return false;
    ++at;
  }
  return true;
}

struct Leaf {
  std::optional<std::string> name;
  std::vector<int> numbers;
  json::Value raw;
  bool wanted = false;
  static constexpr auto fields() {
    return level::fields(level::field("name", &Leaf::name, Level::standard),
                         level::field("numbers", &Leaf::numbers, Level::minimal),
                         level::field("raw", &Leaf::raw, Level::minimal).when(&Leaf::wanted));
  }
};

struct Answer {
  bool ok = true;
  Leaf leaf;
  std::optional<Leaf> maybe;
  std::vector<Leaf> list;
  std::map<std::string, Leaf> by_name;
  std::vector<std::string> always;
  static constexpr auto fields() {
    return level::fields(level::field("ok", &Answer::ok, Level::minimal),
                         level::field("leaf", &Answer::leaf, Level::minimal),
                         level::field("maybe", &Answer::maybe, Level::minimal),
                         level::field("list", &Answer::list, Level::standard),
                         level::field("by_name", &Answer::by_name, Level::full),
                         level::field("always", &Answer::always, Level::minimal).required());
  }
};

Leaf random_leaf(Dice& dice) {
  Leaf leaf;
  if (dice.below(2) == 1) leaf.name = std::string(dice.below(3), 'n');
  leaf.numbers.assign(dice.below(3), 7);
  leaf.wanted = dice.below(2) == 1;
  leaf.raw = json::parse_own(random_json(dice, 2));
  return leaf;
}

Answer random_answer(Dice& dice) {
  Answer answer;
  answer.ok = dice.below(2) == 1;
  answer.leaf = random_leaf(dice);
  if (dice.below(2) == 1) answer.maybe = random_leaf(dice);
  for (std::size_t i = dice.below(4); i > 0; --i) answer.list.push_back(random_leaf(dice));
  for (std::size_t i = dice.below(3); i > 0; --i) {
    answer.by_name["k" + std::to_string(i)] = random_leaf(dice);
  }
  answer.always.assign(dice.below(2), "x");
  return answer;
}

RenderOptions random_options(Dice& dice) {
  const std::size_t choice = dice.below(4);
  return {choice == 3 ? std::nullopt : std::optional(static_cast<Level>(choice))};
}

TEST(Nesting, declared_levels_nest_whatever_the_answer_holds) {
  check_property("declared_levels_nest", property_cases(500, 20000), [] {
    Dice dice = Dice::arbitrary();
    const RenderOptions options = random_options(dice);
    const Answer answer = random_answer(dice);
    const json::Value minimal = render(answer, Level::minimal, options);
    const json::Value standard = render(answer, Level::standard, options);
    const json::Value full = render(answer, Level::full, options);
    RC_ASSERT(is_part_of(minimal.view(), standard.view()));
    RC_ASSERT(is_part_of(standard.view(), full.view()));
    RC_ASSERT(minimal->find("ok") && minimal->find("always"));
  });
}

bool is_required(const json::Value& schema, std::string_view name) {
  const auto required = schema->find("required");
  if (!required) return false;
  for (const json::View item : required->items()) {
    if (item.equals(name)) return true;
  }
  return false;
}

TEST(Nesting, what_a_schema_requires_is_always_there) {
  check_property("required_members_are_there", property_cases(300, 10000), [] {
    Dice dice = Dice::arbitrary();
    const RenderOptions options = random_options(dice);
    const Answer answer = random_answer(dice);
    const json::Value any = schema_of<Answer>(options);
    for (const Level level : {Level::minimal, Level::standard, Level::full}) {
      const json::Value exact = schema_of<Answer>(level, options);
      const json::Value shown = render(answer, level, options);
      for (const json::Member& property : any->find("properties")->members()) {
        const std::string name = property.key.string();
        if (is_required(any, name) || is_required(exact, name)) RC_ASSERT(shown->find(name));
        if (shown->find(name)) RC_ASSERT(exact->find("properties")->find(name));
      }
    }
  });
}

// The definition of a projection, without any thought of speed.
using Path = std::vector<std::optional<std::string>>;  // nullopt: an item

bool matches(const std::vector<std::string>& pattern, std::size_t p, const Path& path,
             std::size_t at) {
  if (p == pattern.size()) return at == path.size();
  if (pattern[p] == "**") {
    return matches(pattern, p + 1, path, at) ||
           (at < path.size() && matches(pattern, p, path, at + 1));
  }
  return at < path.size() && (pattern[p] == "*" || path[at] == pattern[p]) &&
         matches(pattern, p + 1, path, at + 1);
}

bool any_matches(const std::vector<std::string>& patterns, const Path& path) {
  for (const std::string& pattern : patterns) {
    if (matches(json::Pointer::parse(pattern)->tokens(), 0, path, 0)) return true;
  }
  return false;
}

bool any_leads_through(const std::vector<std::string>& patterns, const Path& path) {
  for (const std::string& pattern : patterns) {
    auto tokens = json::Pointer::parse(pattern)->tokens();
    if (tokens.size() <= path.size()) continue;
    tokens.resize(path.size());
    const bool has_deep = std::find(tokens.begin(), tokens.end(), "**") != tokens.end();
    if (!has_deep && matches(tokens, 0, path, 0)) return true;
  }
  return false;
}

std::optional<std::string> defined(json::View value, const Projection& projection, Path& path,
                                   bool kept) {
  if (!path.empty() && any_matches(projection.drop, path)) return std::nullopt;
  kept = kept || projection.keep.empty() || any_matches(projection.keep, path);
  const bool stays = kept || path.empty();
  if (!value.is_container()) {
    return stays ? std::optional(std::string(value.raw())) : std::nullopt;
  }
  std::string below;
  const auto add = [&](const std::string& key, json::View child) {
    if (const auto text = defined(child, projection, path, kept)) {
      below += (below.empty() ? "" : ",") + key + *text;
    }
    path.pop_back();
  };
  for (const json::View item : value.items()) {
    path.emplace_back(std::nullopt);
    add("", item);
  }
  for (const json::Member& member : value.members()) {
    path.emplace_back(member.key.string());
    add(std::string(member.key.raw()) + ":", member.value);
  }
  if (below.empty() && !stays && !any_leads_through(projection.keep, path)) return std::nullopt;
  return value.is_array() ? "[" + below + "]" : "{" + below + "}";
}

Projection random_projection(Dice& dice, Level level) {
  Projection projection{level, {}, {}};
  for (std::size_t i = dice.below(4); i > 0; --i) {
    projection.keep.push_back(random_pattern(dice, 0));
  }
  for (std::size_t i = dice.below(3); i > 0; --i) {
    std::string pattern = random_pattern(dice, 1);
    if (pattern.find_first_not_of("/*") == std::string::npos) pattern += "/a";
    projection.drop.push_back(std::move(pattern));
  }
  return projection;
}

TEST(Nesting, a_projection_is_what_its_definition_says) {
  check_property("projection_as_defined", property_cases(2000, 50000), [] {
    Dice dice = Dice::arbitrary();
    const Projection projection = random_projection(dice, Level::minimal);
    const json::Value payload = json::parse_own(random_json(dice));
    const json::Value shown =
        project(payload.view(), CompiledProjection::compile(projection).value());
    Path path;
    RC_ASSERT(json::to_text(shown.view()) ==
              defined(payload.view(), projection, path, false).value());
  });
}

TEST(Nesting, a_projection_keeps_values_verbatim_and_is_idempotent) {
  check_property("projection_verbatim_idempotent", property_cases(1000, 50000), [] {
    Dice dice = Dice::arbitrary();
    const auto projection =
        CompiledProjection::compile(random_projection(dice, Level::minimal)).value();
    const json::Value payload = json::parse_own(random_json(dice));
    const json::Value once = project(payload.view(), projection);
    const json::Value twice = project(once.view(), projection);
    RC_ASSERT(is_part_of(once.view(), payload.view()));
    RC_ASSERT(twice->raw().data() == once->raw().data());
  });
}

TEST(Nesting, projected_levels_nest_whatever_the_patterns_say) {
  check_property("projected_levels_nest", property_cases(1000, 50000), [] {
    Dice dice = Dice::arbitrary();
    std::vector<Projection> projections;
    for (const Level level : {Level::minimal, Level::standard, Level::full}) {
      if (dice.below(4) != 0) projections.push_back(random_projection(dice, level));
    }
    const auto set = ProjectionSet::compile({{"t", projections}}).value();
    const json::Value payload = json::parse_own(random_json(dice));
    const json::Value full = set.project(payload.view(), "t", Level::full);
    const json::Value standard = set.project(payload.view(), "t", Level::standard);
    const json::Value minimal = set.project(payload.view(), "t", Level::minimal);
    RC_ASSERT(is_part_of(minimal.view(), standard.view()));
    RC_ASSERT(is_part_of(standard.view(), full.view()));
    RC_ASSERT(is_part_of(full.view(), payload.view()));
  });
}

// The checks above are only as good as this one.
TEST(Nesting, the_test_of_being_a_part_can_say_no) {
  const struct {
    const char* lower;
    const char* higher;
    bool want;
  } cases[] = {
      {"{}", R"({"a":1})", true},
      {R"({"a":1})", "{}", false},
      {R"({"a":1})", R"({"a":1.0})", false},
      {R"([1,2])", "[1,0,2]", true},
      {R"([2,1])", "[1,2]", false},
      {R"({"b":1,"a":1})", R"({"a":1,"b":1})", false},
      {"[]", "{}", false},
      {R"({"a":[{}]})", R"({"a":[{"b":1}]})", true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(is_part_of(json::parse_own(c.lower).view(), json::parse_own(c.higher).view()), c.want)
        << c.lower << " in " << c.higher;
  }
}

}  // namespace
}  // namespace enfold::level
