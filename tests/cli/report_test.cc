// SPDX-License-Identifier: Apache-2.0
// `enfold convert --report`: how each answer was understood and what did not fit.
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class Report : public ProgramTest {
 protected:
  Report() {
    write("paged.json",
          R"({"success":true,"data":{"rows":[1]},"error":null,"meta":{)"
          R"("version":"response-v2","pagination":{"cursor":null,"has_more":false}}})");
    write("failed.json", R"({"content":[{"type":"text","text":"it broke"}],"isError":true})");
  }
};

TEST_F(Report, lists_losses_and_the_rule_that_decided) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--no-extensions", "--report", "report.jsonl",
                      "paged.json", "failed.json"}),
              ends(0,
                   "{\"success\":true,\"rows\":[1]}\n"
                   R"({"success":false,"error":"TOOL_ERROR","message":"it broke"})"
                   "\n",
                   ""));
  const std::string report = read("report.jsonl");
  EXPECT_EQ(report, golden("cli/report.jsonl", report));
  EXPECT_THAT(report, HasSubstr(R"("lost":[{"path":"/meta/pagination)"));
  EXPECT_THAT(report, HasSubstr(R"("outcome":"failed","rule":"isError)"));
}

TEST_F(Report, is_empty_of_losses_when_the_slot_keeps_them) {
  EXPECT_THAT(enfold({"convert", "--to", "generic", "--report", "report.jsonl", "paged.json"}),
              ends(0, HasSubstr(R"("toolName")"), ""));
  EXPECT_THAT(read("report.jsonl"), EndsWith("\"lost\":[],\"warnings\":[]}\n"));
}

TEST_F(Report, counts_redactions_and_repeats_warnings) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--report", "report.jsonl"},
                     R"({"password":"hunter2hunter2","a":1,"a":2})"),
              ends(0, HasSubstr("[REDACTED:PASSWORD]"), HasSubstr("warning: standard input: 1 ")));
  EXPECT_THAT(read("report.jsonl"), HasSubstr(R"("file":"-","from":"json","to":"memory")"));
  EXPECT_THAT(read("report.jsonl"), HasSubstr(R"("redactions":1)"));
  EXPECT_THAT(read("report.jsonl"), HasSubstr("1 repeated member name"));
}

TEST_F(Report, names_the_line_in_json_lines) {
  EXPECT_THAT(
      enfold({"convert", "--to", "memory", "--jsonl", "--report", "report.jsonl"}, "{}\n\n{}\n"),
      ends(0, "{\"success\":true}\n{\"success\":true}\n", ""));
  EXPECT_THAT(read("report.jsonl"), HasSubstr(R"({"file":"-:1",)"));
  EXPECT_THAT(read("report.jsonl"), HasSubstr("\n"
                                              R"({"file":"-:3",)"));
}

TEST_F(Report, that_cannot_be_opened_stops_before_anything_is_written) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--report", "none/report.jsonl", "paged.json"}),
              ends(5, "",
                   "error: cannot write the report: No such file or directory\n"
                   "  at none/report.jsonl\nhint: name a file that you may write\n"));
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--report", "-", "paged.json"}),
              ends(5, "",
                   "error: the report cannot go where the answers go\n"
                   "hint: name a file: --report losses.jsonl\n"));
}

TEST_F(Report, that_cannot_be_written_is_an_error) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--report", "/dev/full", "paged.json"}),
              ends(1, "{\"success\":true,\"rows\":[1]}\n",
                   "error: cannot write the report: No space left on device\n  at /dev/full\n"
                   "hint: what was written of it is not complete\n"));
}

TEST_F(Report, that_breaks_in_the_middle_stops_the_run_once) {
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += "{\"n\":" + std::to_string(i) + "}\n";
  const Ended ended =
      enfold({"convert", "--to", "memory", "--jsonl", "--report", "/dev/full"}, lines);
  EXPECT_THAT(ended, ends(1, HasSubstr("{\"success\":true,\"n\":0}\n"),
                          HasSubstr("error: cannot write the report: No space left on device\n")));
  EXPECT_EQ(ended.err.find("error:"), ended.err.rfind("error:"));
}

}  // namespace
}  // namespace enfold::cli
