// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/legacy/flags.h"

#include "enfold/json/write.h"

#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

namespace enfold::contract {
namespace {

constexpr std::int64_t kNow = 1'767'225'600;  // 2026-01-01T00:00:00Z
constexpr std::int64_t kDay = 86'400;

Flags with(std::vector<Flag> list) {
  Flags flags;
  for (Flag& flag : list) EXPECT_TRUE(flags.add(std::move(flag)));
  return flags;
}

bool is_on(const Flags& flags, std::string_view name, std::string_view client = "c") {
  const bool enabled = flags.evaluate(name, client, kNow).enabled;
  EXPECT_EQ(flags.is_enabled(name, client, kNow), enabled) << name << " for " << client;
  return enabled;
}

Flag on(std::string name) { return {.name = std::move(name), .default_enabled = true}; }

TEST(Rollout, bucket_is_the_md5_rule) {
  struct Case {
    const char* name;
    const char* client;
    int want;
  };
  const Case cases[] = {{"new_search", "user123", 61},
                        {"response_contract_v2", "anonymous", 33},
                        {"response_contract_v2", "client-a", 24},
                        {"response_contract_v2", "client-b", 94},
                        {"flag", "client_0", 91},
                        {"response_v3", "client_alpha", 31}};
  for (const Case& c : cases) EXPECT_EQ(rollout_bucket(c.name, c.client), c.want) << c.name;
}

TEST(Rollout, spreads_clients_near_the_percentage) {
  Flag flag = on("spread");
  flag.percentage_rollout = 30;
  const Flags flags = with({flag});
  int enabled = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::string client = "client_" + std::to_string(i);
    const int bucket = rollout_bucket("spread", client);
    ASSERT_GE(bucket, 1);
    ASSERT_LE(bucket, 100);
    const bool here = is_on(flags, "spread", client);
    EXPECT_EQ(here, bucket <= 30) << client;
    enabled += here ? 1 : 0;
  }
  EXPECT_NEAR(enabled, 3000, 200);
}

TEST(Rollout, differs_between_flags_for_one_client) {
  int different = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string client = std::to_string(i);
    different += rollout_bucket("one", client) != rollout_bucket("two", client) ? 1 : 0;
  }
  EXPECT_GT(different, 90);
}

TEST(Rollout, has_sharp_ends_and_only_restricts) {
  const auto at = [](double percentage, bool enabled) {
    return is_on(
        with({{.name = "f", .default_enabled = enabled, .percentage_rollout = percentage}}), "f",
        "client_0");
  };
  ASSERT_EQ(rollout_bucket("f", "client_0"), 94);
  EXPECT_FALSE(at(0, true));
  EXPECT_FALSE(at(93, true));
  EXPECT_FALSE(at(93.9, true));
  EXPECT_TRUE(at(94, true)) << "the bucket of the percentage itself is in";
  EXPECT_TRUE(at(100, true));
  EXPECT_FALSE(at(100, false)) << "a rollout never switches on what is off by default";
  EXPECT_FALSE(at(50, false));
}

TEST(Flags, have_a_default_by_state) {
  for (const auto& [state, want] :
       std::vector<std::pair<FlagState, bool>>{{FlagState::experimental, false},
                                               {FlagState::beta, false},
                                               {FlagState::stable, true},
                                               {FlagState::deprecated, true}}) {
    const FlagDecision decision = with({{.name = "f", .state = state}}).evaluate("f", "c", kNow);
    EXPECT_EQ(decision.enabled, want) << name(state);
    EXPECT_NE(decision.rule.find(name(state)), std::string::npos) << decision.rule;
  }
  EXPECT_TRUE(is_on(with({on("f")}), "f")) << "a stated default beats the state's";
}

TEST(Flags, are_registered_once) {
  Flags flags = with({on("f")});
  const Status again = flags.add({.name = "f"});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
  EXPECT_NE(again.error().message.find("'f'"), std::string::npos);
  EXPECT_TRUE(is_on(flags, "f")) << "the first one stays";
}

TEST(Flags, are_refused_with_a_bad_name_or_percentage) {
  Flags flags;
  for (const char* bad : {"", "a b", "a:b", "é"}) EXPECT_FALSE(flags.add({.name = bad})) << bad;
  for (const double bad : {-1.0, 100.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(flags.add({.name = "f", .percentage_rollout = bad})) << bad;
  }
  EXPECT_EQ(flags.find("f"), nullptr);
}

TEST(Flags, that_are_unknown_answer_the_fallback) {
  const Flags flags;
  EXPECT_FALSE(flags.evaluate("f", "c", kNow).enabled);
  EXPECT_TRUE(flags.evaluate("f", "c", kNow, true).enabled);
  EXPECT_EQ(flags.evaluate("f", "c", kNow).rule, "unknown flag 'f'");
}

TEST(Flags, that_are_expired_answer_the_fallback) {
  Flag flag = on("f");
  flag.expires_at = kNow;
  const Flags flags = with({flag});
  EXPECT_TRUE(flags.evaluate("f", "c", kNow - 1).enabled);
  EXPECT_FALSE(flags.evaluate("f", "c", kNow).enabled);
  EXPECT_TRUE(flags.evaluate("f", "c", kNow + kDay, true).enabled);
  EXPECT_EQ(flags.evaluate("f", "c", kNow).rule, "expired on 2026-01-01T00:00:00Z");
}

TEST(Flags, that_are_deprecated_work_and_warn) {
  const Flags flags =
      with({{.name = "old", .state = FlagState::deprecated, .expires_at = kNow + 31 * kDay}});
  const FlagDecision decision = flags.evaluate("old", "c", kNow);
  EXPECT_TRUE(decision.enabled);
  ASSERT_EQ(decision.warnings.size(), 1U);
  EXPECT_EQ(decision.warnings[0].code, "FEATURE_DEPRECATED");
  EXPECT_EQ(decision.warnings[0].message,
            "'old' is deprecated and will be removed on 2026-02-01T00:00:00Z");
  EXPECT_TRUE(with({on("new")}).evaluate("new", "c", kNow).warnings.empty());
}

// Each row has everything that the rows after it have, so that only the order explains the rule.
TEST(Flags, are_evaluated_in_a_fixed_order) {
  const auto build = [](int first) {
    Flag flag = on("f");
    if (first <= 3) flag.expires_at = kNow - 1;
    if (first <= 4) flag.blocked_clients = {"c"};
    if (first <= 5) flag.allowed_clients = {"other"};
    if (first <= 6) flag.dependencies = {"off"};
    if (first <= 7) flag.percentage_rollout = 0;
    Flags flags = with({{.name = "off"}});
    if (first != 2) {
      EXPECT_TRUE(flags.add(flag));
    }
    if (first <= 1) flags.set_override("f", true);
    if (first <= 0) flags.set_override("f", "c", false);
    return flags;
  };
  const char* const rules[] = {"override for client 'c'",
                               "override for all clients",
                               "unknown flag 'f'",
                               "expired on 2025-12-31T23:59:59Z",
                               "client 'c' is on the block list",
                               "client 'c' is not on the allow list",
                               "dependency 'off' is off",
                               "rollout of 0 %: client 'c' is in bucket ",
                               "on by default (beta)"};
  for (int first = 0; first < 9; ++first) {
    const FlagDecision decision = build(first).evaluate("f", "c", kNow);
    EXPECT_TRUE(decision.rule.starts_with(rules[first])) << first << ": " << decision.rule;
    EXPECT_EQ(decision.enabled, first == 1 || first == 8) << first;
  }
}

TEST(Flags, heed_block_and_allow_lists) {
  Flag flag = on("f");
  flag.allowed_clients = {"a", "b"};
  flag.blocked_clients = {"b"};
  const Flags flags = with({flag});
  EXPECT_TRUE(is_on(flags, "f", "a"));
  EXPECT_FALSE(is_on(flags, "f", "b")) << "blocked beats allowed";
  EXPECT_FALSE(is_on(flags, "f", "c"));
  EXPECT_FALSE(is_on(flags, "f", ""));
}

TEST(Flags, treat_a_nameless_client_as_anonymous) {
  Flag flag = on("f");
  flag.allowed_clients = {"anonymous"};
  Flags flags = with({flag});
  EXPECT_TRUE(is_on(flags, "f", ""));
  flags.set_override("f", "", false);
  EXPECT_FALSE(is_on(flags, "f", "anonymous"));
  flags.clear_override("f", "anonymous");
  EXPECT_TRUE(is_on(flags, "f", ""));
}

TEST(Flags, need_all_their_dependencies_recursively) {
  Flag top = on("top");
  top.dependencies = {"left", "right"};
  Flag left = on("left");
  left.dependencies = {"base"};
  Flag right = on("right");
  right.dependencies = {"base"};
  Flags flags = with({top, left, right, on("base")});
  EXPECT_TRUE(is_on(flags, "top"));
  flags.set_override("base", "c", false);
  EXPECT_FALSE(is_on(flags, "top"));
  EXPECT_EQ(flags.evaluate("top", "c", kNow).rule, "dependency 'left' is off");
  EXPECT_TRUE(is_on(flags, "top", "other")) << "the override was for one client";
}

TEST(Flags, with_a_missing_dependency_are_off_whatever_the_fallback) {
  Flag flag = on("f");
  flag.dependencies = {"nowhere"};
  EXPECT_FALSE(with({flag}).evaluate("f", "c", kNow, true).enabled);
}

TEST(Flags, in_a_cycle_are_off) {
  Flag a = on("a");
  a.dependencies = {"b"};
  Flag b = on("b");
  b.dependencies = {"a"};
  Flag self = on("self");
  self.dependencies = {"self"};
  Flags flags = with({a, b, self});
  EXPECT_FALSE(is_on(flags, "a"));
  EXPECT_FALSE(is_on(flags, "b"));
  EXPECT_FALSE(is_on(flags, "self"));
  flags.set_override("b", true);
  EXPECT_TRUE(is_on(flags, "a")) << "an override opens the cycle";
}

// Every flag depends on two of the next layer: without memory that is 2^60 questions.
TEST(Flags, with_many_shared_dependencies_are_decided_once_each) {
  Flags flags;
  for (int layer = 0; layer < 60; ++layer) {
    for (const char* side : {"l", "r"}) {
      Flag flag = on(side + std::to_string(layer));
      if (layer > 0) {
        flag.dependencies = {"l" + std::to_string(layer - 1), "r" + std::to_string(layer - 1)};
      }
      ASSERT_TRUE(flags.add(flag));
    }
  }
  EXPECT_TRUE(is_on(flags, "l59"));
}

TEST(Flags, in_an_endless_chain_are_off_without_harm) {
  Flags flags;
  for (int i = 0; i < 100'000; ++i) {
    Flag flag = on("f" + std::to_string(i));
    if (i > 0) flag.dependencies = {"f" + std::to_string(i - 1)};
    ASSERT_TRUE(flags.add(flag));
  }
  EXPECT_FALSE(is_on(flags, "f99999"));
  EXPECT_TRUE(is_on(flags, "f50"));
}

TEST(Overrides, beat_everything_and_can_be_taken_back) {
  Flag flag = on("f");
  flag.blocked_clients = {"c"};
  flag.expires_at = kNow - 1;
  Flags flags = with({flag});
  flags.set_override("f", true);
  EXPECT_TRUE(is_on(flags, "f"));
  flags.set_override("f", "c", false);
  EXPECT_FALSE(is_on(flags, "f"));
  EXPECT_TRUE(is_on(flags, "f", "d"));
  flags.clear_override("f", "c");
  EXPECT_TRUE(is_on(flags, "f"));
  flags.clear_override("f");
  EXPECT_FALSE(is_on(flags, "f"));
  flags.set_override("unregistered", true);
  EXPECT_TRUE(is_on(flags, "unregistered"));
}

TEST(Overrides, of_a_scope_nest_and_are_restored) {
  Flags flags = with({on("f")});
  {
    const ScopedFlagOverride outer(flags, "f", false);
    EXPECT_FALSE(is_on(flags, "f"));
    {
      const ScopedFlagOverride inner(flags, "f", true);
      EXPECT_TRUE(is_on(flags, "f"));
      const ScopedFlagOverride client(flags, "f", "c", false);
      EXPECT_FALSE(is_on(flags, "f"));
      EXPECT_TRUE(is_on(flags, "f", "d"));
    }
    EXPECT_FALSE(is_on(flags, "f"));
    EXPECT_FALSE(is_on(flags, "f", "d"));
  }
  EXPECT_EQ(flags.evaluate("f", "c", kNow).rule, "on by default (beta)");
}

TEST(Overrides, of_a_scope_restore_what_was_set_before) {
  Flags flags = with({on("f")});
  flags.set_override("f", "c", false);
  {
    const ScopedFlagOverride scope(flags, "f", "c", true);
  }
  EXPECT_EQ(flags.evaluate("f", "c", kNow).rule, "override for client 'c'");
  EXPECT_FALSE(is_on(flags, "f"));
}

TEST(Overrides, of_a_scope_are_restored_after_an_exception) {
  Flags flags = with({on("f")});
  EXPECT_THROW(
      {
        const ScopedFlagOverride scope(flags, "f", false);
        throw std::runtime_error("leaves the scope");
      },
      std::runtime_error);
  EXPECT_TRUE(is_on(flags, "f"));
}

TEST(Gate, answers_feature_disabled_with_the_name) {
  const Flags flags = with({on("open"), {.name = "shut"}});
  EXPECT_EQ(flags.gate("open", "c", kNow), std::nullopt);
  for (const char* name : {"shut", "unknown"}) {
    const auto answer = flags.gate(name, "c", kNow);
    ASSERT_TRUE(answer) << name;
    EXPECT_EQ(answer->outcome, model::Outcome::failed);
    EXPECT_EQ(answer->failure->code, "FEATURE_DISABLED");
    EXPECT_EQ(answer->failure->type, model::ErrorType::feature_flag);
    EXPECT_FALSE(answer->failure->remediation.empty());
    EXPECT_TRUE(answer->payload->view().find("feature")->equals(name));
  }
}

TEST(Gate, runs_the_action_the_fallback_or_neither) {
  const Flags flags =
      with({on("open"), {.name = "shut"}, {.name = "old", .state = FlagState::deprecated}});
  const auto say = [](const char* text) {
    return [text] {
      model::Response response;
      response.message = text;
      return response;
    };
  };
  EXPECT_EQ(flags.run("open", "c", kNow, say("new"), say("old way")).message, "new");
  EXPECT_EQ(flags.run("shut", "c", kNow, say("new"), say("old way")).message, "old way");
  EXPECT_EQ(flags.run("shut", "c", kNow, say("new")).failure->code, "FEATURE_DISABLED");
  const auto warned = flags.run("old", "c", kNow, say("still here"));
  ASSERT_EQ(warned.warnings.size(), 1U);
  const auto twice = flags.run("old", "c", kNow, [&] { return warned; });
  EXPECT_EQ(twice.warnings.size(), 1U) << "the same warning is not repeated";
}

TEST(FlagListing, shows_state_and_deprecation) {
  Flags flags = with({{.name = "b",
                       .description = "second",
                       .state = FlagState::deprecated,
                       .expires_at = kNow + kDay},
                      {.name = "a", .description = "first"}});
  flags.set_override("a", "c", true);
  EXPECT_EQ(json::to_text(to_json(flags.list("c", kNow)).view()),
            R"({"a":{"enabled":true,"state":"beta","description":"first"},)"
            R"("b":{"enabled":true,"state":"deprecated","description":"second",)"
            R"("deprecation":"'b' is deprecated and will be removed on 2026-01-02T00:00:00Z"}})");
  EXPECT_FALSE(flags.list("d", kNow)[0].enabled);
}

TEST(FlagAudit, finds_what_has_stayed_too_long) {
  const auto rules = [](FlagState state, std::int64_t age_days,
                        std::optional<std::int64_t> expires) {
    std::string out;
    const Flags flags = with({{.name = "f",
                               .state = state,
                               .created_at = kNow - age_days * kDay,
                               .expires_at = expires}});
    for (const FlagFinding& finding : flags.audit(kNow)) {
      EXPECT_EQ(finding.flag, "f");
      EXPECT_FALSE(finding.message.empty());
      out += finding.rule + ' ';
    }
    return out;
  };
  EXPECT_EQ(rules(FlagState::stable, 90, {}), "");
  EXPECT_EQ(rules(FlagState::stable, 91, {}), "stable_too_long ");
  EXPECT_EQ(rules(FlagState::experimental, 30, {}), "");
  EXPECT_EQ(rules(FlagState::experimental, 31, {}), "experimental_too_long ");
  EXPECT_EQ(rules(FlagState::beta, 1000, {}), "");
  EXPECT_EQ(rules(FlagState::beta, 1, kNow - 1), "expired ");
  EXPECT_EQ(rules(FlagState::stable, 91, kNow), "expired stable_too_long ");
  EXPECT_TRUE(with({{.name = "f", .state = FlagState::stable}}).audit(kNow).empty());
}

}  // namespace
}  // namespace enfold::contract
