// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/names.h"
#include "enfold/gateway/upstream/upstream_set.h"

#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

UpstreamSet set_of(const std::vector<std::string>& names) {
  std::vector<UpstreamSettings> settings;
  for (const std::string& name : names) {
    UpstreamSettings one;
    one.name = name;
    settings.push_back(std::move(one));
  }
  return UpstreamSet(std::move(settings));
}

json::Value tool(const std::string& name) {
  json::Writer writer;
  writer.begin_object().member("name", name).key("inputSchema").begin_object();
  writer.member("type", "object").end_object().end_object();
  return std::move(writer).finish_value();
}

std::string told(const Route& route) {
  return route.upstream == nullptr ? "(none)" : route.upstream->settings.name + ":" + route.name;
}

TEST(Routes, find_the_upstream_by_the_prefix_of_a_name) {
  const UpstreamSet upstreams = set_of({"one", "two", "one__deep", "t"});
  const Routes routes(upstreams);
  const struct {
    const char* shown;
    const char* want;
  } rows[] = {
      {"one__echo", "one:echo"},
      {"two__echo", "two:echo"},
      {"two____echo", "two:__echo"},
      {"one__deep__echo", "one:deep__echo"},  // the first that is configured
      {"t__wo__echo", "t:wo__echo"},
      {"oneecho", "(none)"},
      {"one__", "(none)"},
      {"three__echo", "(none)"},
      {"__echo", "(none)"},
      {"", "(none)"},
  };
  for (const auto& row : rows) EXPECT_EQ(told(routes.tool(row.shown)), row.want) << row.shown;
  EXPECT_EQ(told(routes.task("two__")), "two:");
  EXPECT_EQ(told(routes.task("two__" + std::string(100, 'x'))), "two:" + std::string(100, 'x'));
}

TEST(Routes, of_a_single_upstream_are_all_names) {
  const UpstreamSet upstreams = set_of({"one"});
  const Routes routes(upstreams);
  EXPECT_EQ(told(routes.tool("echo")), "one:echo");
  EXPECT_EQ(told(routes.prompt("one__echo")), "one:one__echo");
  EXPECT_EQ(told(routes.task("1")), "one:1");
  EXPECT_EQ(routes.shown(upstreams.first(), "echo"), "echo");
}

TEST(Routes, find_names_that_were_cut_by_the_lists) {
  const UpstreamSet upstreams = set_of({"one", "two"});
  Routes routes(upstreams);
  const std::string longest(80, 'x');
  const std::string shown = shown_name("two", longest);
  ASSERT_EQ(shown.size(), kMaxNameLength);
  EXPECT_EQ(told(routes.tool(shown)), "(none)");
  upstreams.current()[1]->tools.replace({tool(longest)}, "1.0.0");
  routes.invalidate();
  EXPECT_EQ(told(routes.tool(shown)), "two:" + longest);
  EXPECT_EQ(told(routes.prompt(shown)), "two:" + longest) << "a tool's name serves for a prompt";
  upstreams.current()[0]->known[mcp::Method::prompts_list] = {tool(longest)};
  routes.invalidate();
  EXPECT_EQ(told(routes.prompt(shown_name("one", longest))), "one:" + longest);
  EXPECT_EQ(told(routes.tool(shown_name("one", longest))), "(none)");
}

TEST(UpstreamSet, keeps_upstreams_whose_connections_do_not_change) {
  UpstreamSet upstreams = set_of({"one", "two"});
  const std::uint64_t one = upstreams.with_name("one")->number;
  const std::uint64_t two = upstreams.with_name("two")->number;
  UpstreamSettings kept;
  kept.name = "two";
  kept.tools_deny = {"x"};
  UpstreamSettings added;
  added.name = "three";
  upstreams.join({kept, added});
  EXPECT_EQ(upstreams.joining().size(), 1U);
  EXPECT_EQ(upstreams.with_name("three"), nullptr) << "not current yet";
  const UpstreamSet::Change change = upstreams.replace({added, kept});
  EXPECT_EQ(change.kept, 1U);
  EXPECT_EQ(change.joined, 1U);
  ASSERT_EQ(change.removed.size(), 1U);
  EXPECT_EQ(change.removed.front()->number, one);
  EXPECT_EQ(upstreams.with_number(one), nullptr);
  EXPECT_EQ(upstreams.with_number(two)->settings.tools_deny.size(), 1U);
  EXPECT_EQ(upstreams.current()[0]->settings.name, "three");
  EXPECT_EQ(upstreams.leaving().size(), 1U);
  upstreams.erase_leaving([](const Upstream&) { return true; });
  EXPECT_TRUE(upstreams.leaving().empty());
}

}  // namespace
}  // namespace enfold::gateway
