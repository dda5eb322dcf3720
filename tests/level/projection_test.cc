// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/projection.h"

#include "enfold/json/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::level {
namespace {

using ::testing::HasSubstr;

std::string shown(std::string_view payload, std::vector<std::string> keep,
                  std::vector<std::string> drop) {
  const auto compiled =
      CompiledProjection::compile({Level::minimal, std::move(keep), std::move(drop)});
  if (!compiled) return "error: " + compiled.error().message;
  return json::to_text(project(json::parse_own(payload).view(), *compiled).view());
}

TEST(Projection, shows_what_the_patterns_say) {
  using Patterns = std::vector<std::string>;
  const struct {
    const char* name;
    const char* payload;
    Patterns keep;
    Patterns drop;
    const char* want;
  } cases[] = {
      {"no pattern", R"({"a":1})", {}, {}, R"({"a":1})"},
      {"keep a member", R"({"a":1,"b":2})", {"/b"}, {}, R"({"b":2})"},
      {"keep keeps the document's order",
       R"({"a":1,"b":2,"c":3})",
       {"/c", "/a"},
       {},
       R"({"a":1,"c":3})"},
      {"keep a subtree", R"({"a":{"b":[1,2]},"c":3})", {"/a"}, {}, R"({"a":{"b":[1,2]}})"},
      {"keep with ancestors", R"({"a":{"b":1,"c":2},"d":3})", {"/a/b"}, {}, R"({"a":{"b":1}})"},
      {"keep the whole", R"({"a":1})", {""}, {}, R"({"a":1})"},
      {"keep through items",
       R"({"i":[{"x":1,"y":2},{"y":3,"x":4}],"n":2})",
       {"/i/*/x"},
       {},
       R"({"i":[{"x":1},{"x":4}]})"},
      {"keep through any member",
       R"({"p":{"x":1,"y":2},"q":{"x":3}})",
       {"/*/x"},
       {},
       R"({"p":{"x":1},"q":{"x":3}})"},
      {"keep at any depth",
       R"({"id":1,"a":[{"id":2,"b":{"c":3}}],"d":{"e":{}}})",
       {"/**/id"},
       {},
       R"({"id":1,"a":[{"id":2}]})"},
      {"any depth may be none", R"({"a":{"id":1},"id":2})", {"/a/**/id"}, {}, R"({"a":{"id":1}})"},
      {"any depth at the end is all of it",
       R"({"a":{"b":1},"c":2})",
       {"/a/**"},
       {},
       R"({"a":{"b":1}})"},
      {"any depth twice is any depth",
       R"({"a":{"b":{"id":1,"x":2}}})",
       {"/**/**/id"},
       {},
       R"({"a":{"b":{"id":1}}})"},
      {"nothing matches", R"({"a":1})", {"/z"}, {}, "{}"},
      {"a list on the way keeps its length",
       R"({"i":[{"x":1},{"y":2},{}]})",
       {"/i/*/x"},
       {},
       R"({"i":[{"x":1},{},{}]})"},
      {"an empty list on the way stays", R"({"i":[],"n":0})", {"/i/*/x"}, {}, R"({"i":[]})"},
      {"scalars on the way go", R"({"i":[1,{"x":1}]})", {"/i/*/x"}, {}, R"({"i":[{"x":1}]})"},
      {"empties that only ** passes go", R"({"i":[],"n":{}})", {"/**/x"}, {}, "{}"},
      {"a root array", R"([{"x":1,"y":2},{"x":3}])", {"/*/x"}, {}, R"([{"x":1},{"x":3}])"},
      {"a scalar root stays", R"("text")", {"/a"}, {"/b"}, R"("text")"},
      {"drop a member", R"({"a":1,"b":2})", {}, {"/a"}, R"({"b":2})"},
      {"drop in items", R"([{"x":1,"y":2},{"y":3}])", {}, {"/*/y"}, R"([{"x":1},{}])"},
      {"drop all items", R"({"i":[1,2]})", {}, {"/i/*"}, R"({"i":[]})"},
      {"drop at any depth",
       R"({"_links":1,"a":[{"_links":2,"b":{"_links":3,"c":4}}]})",
       {},
       {"/**/_links"},
       R"({"a":[{"b":{"c":4}}]})"},
      {"drop something and all below", R"({"a":{"b":1},"c":2})", {}, {"/a/**"}, R"({"c":2})"},
      {"drop out of what is kept",
       R"({"a":{"b":1,"c":2},"d":3})",
       {"/a"},
       {"/a/c"},
       R"({"a":{"b":1}})"},
      {"drop beats keep", R"({"a":1,"b":2})", {"/a", "/b"}, {"/a"}, R"({"b":2})"},
      {"an ancestor of nothing but dropped values goes",
       R"({"p":{"q":{"id":1}}})",
       {"/**/id"},
       {"/p/q/id"},
       "{}"},
      {"kept and emptied stays", R"({"a":{"b":1}})", {"/a"}, {"/a/b"}, R"({"a":{}})"},
      {"items have no names",
       R"({"i":["x","y"],"o":{"0":1,"1":2}})",
       {},
       {"/i/0", "/o/0"},
       R"({"i":["x","y"],"o":{"1":2}})"},
      {"escaped names",
       R"({"a/b":1,"c~d":2,"\u0065":3,"f":4})",
       {"/a~1b", "/c~0d", "/e"},
       {},
       R"({"a/b":1,"c~d":2,"\u0065":3})"},
      {"the empty name", R"({"":{"":1,"x":2},"x":3})", {"//"}, {}, R"({"":{"":1}})"},
      {"a star inside a name is a star", R"({"a*":1,"ab":2})", {"/a*"}, {}, R"({"a*":1})"},
      {"duplicate keys are all kept", R"({"a":1,"b":2,"a":3})", {"/a"}, {}, R"({"a":1,"a":3})"},
      {"values stay verbatim",
       R"({"n": 1.50, "s": "\u00e9", "x": 0})",
       {},
       {"/x"},
       R"({"n":1.50,"s":"\u00e9"})"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(shown(c.payload, c.keep, c.drop), c.want);
  }
}

TEST(Projection, an_untouched_payload_is_not_copied) {
  const json::Value payload = json::parse_own(R"({ "a" : [1, {"b": 2}] })");
  const Projection cases[] = {
      {Level::minimal, {}, {}},
      {Level::minimal, {"/a"}, {"/z"}},
      {Level::minimal, {"/**/b", "/a/*"}, {"/**/z"}},
  };
  for (const Projection& projection : cases) {
    const json::Value result =
        project(payload.view(), CompiledProjection::compile(projection).value());
    EXPECT_EQ(result->raw().data(), payload->raw().data());
  }
}

TEST(Projection, refuses_what_cannot_be_meant) {
  const struct {
    const char* name;
    Projection projection;
    const char* message;
    const char* where;
  } cases[] = {
      {"no pointer",
       {Level::minimal, {"items"}, {}},
       "beginning with '/'",
       R"(keep pattern "items")"},
      {"bare tilde", {Level::minimal, {}, {"/a~2"}}, "expected ~0 or ~1", R"(drop pattern "/a~2")"},
      {"drop all", {Level::minimal, {}, {""}}, "matches all of it", R"(drop pattern "")"},
      {"drop any depth",
       {Level::minimal, {}, {"/a", "/**"}},
       "matches all of it",
       R"(drop pattern "/**")"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto compiled = CompiledProjection::compile(c.projection);
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, ErrorCode::invalid_input);
    EXPECT_THAT(compiled.error().message, HasSubstr(c.message));
    EXPECT_EQ(compiled.error().where, c.where);
    EXPECT_FALSE(compiled.error().hint.empty());
  }
}

TEST(Projection, many_wildcards_cost_no_backtracking) {
  // A backtracking matcher needs about 10^17 steps here.
  std::string payload;
  for (int i = 0; i < 500; ++i) payload += R"({"a":)";
  payload += "1" + std::string(500, '}');
  const std::string pattern = "/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/b";
  EXPECT_EQ(shown(payload, {pattern}, {}), "{}");
  EXPECT_EQ(shown(payload, {}, {pattern}), payload);
}

ProjectionConfig issue_tracker() {
  return {{"search",
           {{Level::minimal, {"/items/*/id", "/next"}, {}},
            {Level::standard, {}, {"/**/url", "/next"}}}}};
}

TEST(ProjectionSet, a_lower_level_is_cut_from_the_next_higher_one) {
  const ProjectionSet set = ProjectionSet::compile(issue_tracker()).value();
  const json::Value payload =
      json::parse_own(R"({"items":[{"id":1,"url":"u","t":"x"}],"next":"c","url":"v"})");
  const auto at = [&](Level level) {
    return json::to_text(set.project(payload.view(), "search", level).view());
  };
  EXPECT_EQ(at(Level::full), json::to_text(payload.view()));
  EXPECT_EQ(at(Level::standard), R"({"items":[{"id":1,"t":"x"}]})");
  // `next` is kept by minimal, but standard dropped it: it cannot come back.
  EXPECT_EQ(at(Level::minimal), R"({"items":[{"id":1}]})");
}

TEST(ProjectionSet, a_level_without_a_projection_shows_what_the_next_higher_one_shows) {
  const ProjectionSet set =
      ProjectionSet::compile({{"t", {{Level::full, {}, {"/debug"}}}}}).value();
  const json::Value payload = json::parse_own(R"({"a":1,"debug":2})");
  for (const Level level : {Level::minimal, Level::standard, Level::full}) {
    EXPECT_EQ(json::to_text(set.project(payload.view(), "t", level).view()), R"({"a":1})");
  }
}

TEST(ProjectionSet, a_tool_without_projections_is_shown_whole_at_every_level) {
  const ProjectionSet set = ProjectionSet::compile(issue_tracker()).value();
  const json::Value payload = json::parse_own(R"({"url":"u"})");
  for (const Level level : {Level::minimal, Level::standard, Level::full}) {
    EXPECT_EQ(set.project(payload.view(), "other", level)->raw().data(), payload->raw().data());
  }
  EXPECT_TRUE(set.has("search"));
  EXPECT_FALSE(set.has("other"));
}

TEST(ProjectionSet, says_which_tool_and_level_is_wrong) {
  const auto bad = ProjectionSet::compile({{"t", {{Level::standard, {"x"}, {}}}}});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, R"(tool "t", level standard, keep pattern "x")");
  const auto twice =
      ProjectionSet::compile({{"t", {{Level::full, {}, {}}, {Level::full, {}, {}}}}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::conflict);
  EXPECT_EQ(twice.error().where, R"(tool "t", level full)");
}

}  // namespace
}  // namespace enfold::level
