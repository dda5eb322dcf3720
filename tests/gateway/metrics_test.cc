// SPDX-License-Identifier: Apache-2.0
// What is counted, and how it is written for Prometheus.
#include "enfold/gateway/observe/metrics.h"

#include "enfold/gateway/observe/answer_cost.h"
#include "enfold/json/document.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

namespace enfold::gateway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

serve::LogLine call(std::string tool, std::chrono::microseconds duration = {}) {
  serve::LogLine line;
  line.event = "call";
  line.tool = std::move(tool);
  line.outcome = "ok";
  line.fidelity = "full";
  line.duration = duration;
  line.weight = {100, 60, 30, 20, 7};
  return line;
}

Report report() {
  Report out;
  out.version = "1.2.3";
  out.sessions = 3;
  out.upstreams = {{"files", UpstreamState::ready, 2, 1, 4, 0},
                   {"web", UpstreamState::open, 0, 0, 5, 5}};
  out.archive = {true, 11, 5000, 700};
  return out;
}

TEST(Metrics, say_what_was_recorded_of_a_tool) {
  Metrics metrics;
  metrics.record("files", call("read", std::chrono::microseconds(2'500)));
  metrics.record("files", call("read", std::chrono::milliseconds(30)));
  serve::LogLine failed = call("read", std::chrono::seconds(90));
  failed.outcome = "failed";
  failed.fidelity.clear();
  metrics.record("files", failed);
  const std::string text = write_metrics(metrics, report());
  const std::string who = R"({upstream="files",tool="read")";
  const std::vector<std::string> lines{
      "enfold_tool_calls_total" + who + ",outcome=\"failed\"} 1\n",
      "enfold_tool_calls_total" + who + ",outcome=\"ok\"} 2\n",
      "enfold_tool_answers_total" + who + ",fidelity=\"full\"} 2\n",
      "enfold_tool_call_duration_seconds_bucket" + who + ",le=\"0.001\"} 0\n",
      "enfold_tool_call_duration_seconds_bucket" + who + ",le=\"0.0025\"} 1\n",
      "enfold_tool_call_duration_seconds_bucket" + who + ",le=\"0.05\"} 2\n",
      "enfold_tool_call_duration_seconds_bucket" + who + ",le=\"60\"} 2\n",
      "enfold_tool_call_duration_seconds_bucket" + who + ",le=\"+Inf\"} 3\n",
      "enfold_tool_call_duration_seconds_sum" + who + "} 90.0325\n",
      "enfold_tool_call_duration_seconds_count" + who + "} 3\n",
      "enfold_tool_tokens_before_total" + who + "} 90\n",
      "enfold_tool_tokens_after_total" + who + "} 60\n",
      "enfold_tool_received_bytes_total" + who + "} 300\n",
      "enfold_tool_sent_bytes_total" + who + "} 180\n",
      "enfold_tool_archived_bytes_total" + who + "} 21\n",
  };
  for (const std::string& line : lines) EXPECT_THAT(text, HasSubstr("\n" + line));
}

TEST(Metrics, say_how_things_are) {
  const std::string text = write_metrics({}, report());
  for (const char* const line : {
           "enfold_build_info{version=\"1.2.3\"} 1\n",
           "enfold_ready 1\n",
           "enfold_sessions 3\n",
           "enfold_upstream_state{upstream=\"files\",state=\"ready\"} 1\n",
           "enfold_upstream_state{upstream=\"files\",state=\"open\"} 0\n",
           "enfold_upstream_state{upstream=\"web\",state=\"open\"} 1\n",
           "enfold_upstream_connections{upstream=\"files\"} 2\n",
           "enfold_upstream_breaker_open{upstream=\"files\"} 0\n",
           "enfold_upstream_breaker_open{upstream=\"web\"} 1\n",
           "enfold_upstream_failures_in_row{upstream=\"web\"} 5\n",
           "enfold_upstream_failures_total{upstream=\"files\"} 4\n",
           "enfold_upstream_restarts_total{upstream=\"files\"} 1\n",
           "enfold_archive_entries 11\n",
           "enfold_archive_bytes 5000\n",
           "enfold_archive_stored_bytes 700\n",
       }) {
    EXPECT_THAT(text, HasSubstr(std::string("\n") + line));
  }
  Report unknown = report();
  unknown.archive.is_known = false;
  EXPECT_THAT(write_metrics({}, unknown), Not(HasSubstr("archive_")));
}

// Every line is a comment or a sample of the family that was announced last, each family once, in
// the form that Prometheus reads.
TEST(Metrics, are_in_the_form_that_prometheus_reads) {
  Metrics metrics;
  metrics.record("files", call("a \"tool\"\\ of\ntwo lines"));
  metrics.record("files", call("größe"));
  std::istringstream text(write_metrics(metrics, report()));
  const std::regex sample(
      R"(([a-z_]+)(\{[a-z]+="([^"\\]|\\["\\n])*"(,[a-z]+="([^"\\]|\\["\\n])*")*\})? [0-9.]+)");
  const std::regex type("# TYPE ([a-z_]+) (counter|gauge|histogram)");
  std::set<std::string> families;
  std::set<std::string> series;
  std::string family;
  std::string kind;
  std::string line;
  while (std::getline(text, line)) {
    std::smatch match;
    if (line.starts_with("# HELP ")) continue;
    if (std::regex_match(line, match, type)) {
      family = match[1];
      kind = match[2];
      EXPECT_TRUE(families.insert(family).second) << line;
      EXPECT_EQ(kind == "counter", family.ends_with("_total")) << line;
      continue;
    }
    ASSERT_TRUE(std::regex_match(line, match, sample)) << line;
    std::string metric = match[1];
    if (kind == "histogram")
      metric = std::regex_replace(metric, std::regex("_(bucket|sum|count)$"), "");
    EXPECT_EQ(metric, family) << line;
    EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << "twice: " << line;
  }
  EXPECT_GT(families.size(), 10U);
  EXPECT_THAT(write_metrics(metrics, report()),
              HasSubstr(R"(tool="a \"tool\"\\ of\ntwo lines",outcome)"));
}

TEST(Metrics, have_a_limit_to_the_tools_that_they_tell_apart) {
  Metrics metrics;
  for (std::size_t i = 0; i < 2 * Metrics::kMaxTools; ++i) {
    metrics.record("files", call(fmt::format("tool{}", i)));
  }
  EXPECT_EQ(metrics.tools().size(), Metrics::kMaxTools + 1);
  const Metrics::ToolKey other{Metrics::kOther, Metrics::kOther};
  EXPECT_EQ(metrics.tools().at(other).calls, Metrics::kMaxTools);
  metrics.record("files", call("tool0"));
  EXPECT_EQ(metrics.tools().at({"files", "tool0"}).calls, 2U) << "a known one is still known";
}

TEST(Health, is_ok_while_a_call_has_a_chance) {
  Report now = report();
  EXPECT_TRUE(now.is_usable());
  EXPECT_EQ(write_health(now),
            R"({"status":"ok","version":"1.2.3","upstreams":{"files":"ready","web":"open"}})");
  now.upstreams[0].state = UpstreamState::failing;
  EXPECT_TRUE(now.is_usable()) << "the next call tries it";
  now.upstreams[0].state = UpstreamState::open;
  EXPECT_FALSE(now.is_usable());
  EXPECT_THAT(write_health(now), HasSubstr(R"("status":"unavailable")"));
  now.draining = true;
  EXPECT_THAT(write_health(now), HasSubstr(R"("status":"draining")"));
}

TEST(Health, names_stores_that_fail_and_counts_their_failures) {
  Report now = report();
  now.stores = {{"archive", false, 7}, {"rate_limits", true, 0}};
  EXPECT_TRUE(now.is_usable()) << "calls that need no store are served";
  EXPECT_THAT(write_health(now),
              HasSubstr(R"("stores":{"archive":"failing","rate_limits":"ready"})"));
  const std::string text = write_metrics({}, now);
  EXPECT_THAT(text, HasSubstr("\nenfold_store_up{store=\"archive\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("\nenfold_store_up{store=\"rate_limits\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\nenfold_store_failures_total{store=\"archive\"} 7\n"));
}

TEST(Weighing, is_exact_for_short_texts_and_close_for_long_ones) {
  const token::Tokenizer& tokenizer = token::o200k_base();
  EXPECT_EQ(estimate_tokens("", tokenizer), 0U);
  EXPECT_EQ(estimate_tokens("hello world", tokenizer), tokenizer.count("hello world"));
  std::string rows;
  for (int i = 0; i < 2000; ++i) {
    rows += fmt::format(R"({{"id":{},"title":"Some issue about search","state":"open"}},)", i);
  }
  const auto exact = static_cast<double>(tokenizer.count(rows));
  EXPECT_NEAR(static_cast<double>(estimate_tokens(rows, tokenizer)), exact, exact * 0.05);
}

TEST(Weighing, counts_what_is_said_twice_once) {
  const token::Tokenizer& tokenizer = token::o200k_base();
  const auto of = [&](const char* result) {
    return estimate_result_tokens(json::parse_own(result).view(), tokenizer);
  };
  const token::TokenCount once = of(R"({"structuredContent":{"a":"some words"}})");
  EXPECT_GT(once, 2U);
  EXPECT_EQ(of(R"({"content":[{"type":"text","text":"{\"a\":\"some words\"}"}],)"
               R"("structuredContent":{"a":"some words"}})"),
            once);
  EXPECT_EQ(of(R"({"content":[{"type":"image","data":"AAAA"}]})"), 0U);
}

}  // namespace
}  // namespace enfold::gateway
