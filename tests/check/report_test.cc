// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::check {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report sample() {
  Report report{.server = "demo <1>", .protocol = "2026-07-28", .tools = {}};
  ToolReport search{.tool = "search", .contract = "response-v2", .calls = 2};
  search.findings = {{Rule::secret, Severity::error, "JWT at /a", "first & best"},
                     {Rule::double_emission, Severity::note, "6 tokens", "first"}};
  report.tools = {search, {.tool = "write", .not_called = "it may change something"}};
  return report;
}

TEST(Report, counts_by_severity) {
  const Counts counts = count(sample());
  EXPECT_EQ(counts.errors, 1U);
  EXPECT_EQ(counts.warnings, 0U);
  EXPECT_EQ(counts.notes, 1U);
  EXPECT_EQ(counts.calls, 2U);
}

TEST(Report, says_the_same_finding_once) {
  Findings all;
  const Finding found{Rule::secret, Severity::error, "JWT at /a", "first"};
  merge(all, {found});
  merge(all, {{Rule::secret, Severity::error, "JWT at /a", "second"}});
  EXPECT_EQ(all, Findings{found});
  merge(all, {{Rule::secret, Severity::error, "JWT at /b", "second"}});
  EXPECT_EQ(all.size(), 2U);
  merge(all, {{Rule::double_emission, Severity::note, "said twice: 6 tokens", "first"},
              {Rule::double_emission, Severity::note, "said twice: 7 tokens", "first"}});
  EXPECT_EQ(all.size(), 3U) << "it is a habit, whatever the figure";
  merge(all, {{Rule::error_shape, Severity::warning, "no code: a", "first"},
              {Rule::error_shape, Severity::warning, "no code: b", "first"},
              {Rule::error_shape, Severity::warning, "protocol error: b", "first"}});
  EXPECT_EQ(all.size(), 5U);
}

TEST(Report, is_one_json_object) {
  EXPECT_EQ(to_json(sample()).str(),
            R"({"server":"demo <1>","protocol":"2026-07-28","tools":[{"name":"search","calls":2,)"
            R"("contract":"response-v2","findings":[{"rule":"secret","severity":"error",)"
            R"("message":"JWT at /a","call":"first & best","advice":"leave them out, or put )"
            R"(`enfold wrap` in front"},{"rule":"double-emission","severity":"note",)"
            R"("message":"6 tokens","call":"first","advice":"clients that read both pay twice; )"
            R"(`enfold serve` in front of the server, with the key `channels`, sends only )"
            R"(one"}]},{"name":"write",)"
            R"("calls":0,)"
            R"("not_called":"it may change something","findings":[]}],"calls":2,"errors":1,)"
            R"("warnings":0,"notes":1})");
}

TEST(Report, does_not_advise_what_the_server_has) {
  Report report = sample();
  report.has_enfold = true;
  EXPECT_THAT(to_json(report).str(), Not(HasSubstr("in front")));
  EXPECT_THAT(to_junit(report, true), Not(HasSubstr("in front")));
}

TEST(Report, is_junit_with_a_case_for_each_tool_and_rule) {
  const std::string xml = to_junit(sample(), false);
  EXPECT_THAT(
      xml,
      HasSubstr("<testsuite name=\"demo &lt;1&gt;\" tests=\"26\" failures=\"1\" skipped=\"10\">"));
  EXPECT_THAT(
      xml,
      HasSubstr("<testcase classname=\"search\" name=\"secret\">\n"
                "      <failure type=\"error\" message=\"JWT at /a (call: first &amp; best)\">"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"search\" name=\"double-emission\"/>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"it may change something\"/>"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"write\" name=\"tool-name\"/>"));
  EXPECT_THAT(to_junit(sample(), true), HasSubstr("failures=\"2\""));
}

TEST(Report, has_only_characters_that_xml_allows) {
  Report report = sample();
  report.tools[0].tool = "a\x01\"b\r\n";
  EXPECT_THAT(to_junit(report, false), HasSubstr("classname=\"a?&quot;b&#13;&#10;\""));
}

}  // namespace
}  // namespace enfold::check
