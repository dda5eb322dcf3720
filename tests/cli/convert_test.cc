// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/contract.h"
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Convert : public ProgramTest {
 protected:
  Convert() {
    write("result.json", R"({"content":[{"type":"text","text":"{\"rows\":[1,2.50]}"}]})");
    write("failed.json", R"({"content":[{"type":"text","text":"it broke"}],"isError":true})");
  }
};

TEST_F(Convert, writes_every_contract_on_one_line) {
  struct Case {
    std::string to;
    std::string want;
    std::string want_failed;
  };
  const std::vector<Case> cases{
      {"response-v2",
       R"({"success":true,"data":{"rows":[1,2.50]},"error":null,"meta":{"version":"response-v2"}})",
       R"({"success":false,"data":{"error_code":"TOOL_ERROR","error_type":"internal"},)"
       R"("error":"it broke","meta":{"version":"response-v2"}})"},
      {"response-v1", R"({"success":true,"schema_version":"1.0.0","rows":[1,2.50],"error":null})",
       R"({"success":false,"schema_version":"1.0.0","error":"it broke",)"
       R"("error_code":"TOOL_ERROR","error_type":"internal"})"},
      {"generic",
       R"({"toolName":"query","responseType":"list","data":[1,2.50],"summary":{"returned":2}})",
       R"({"toolName":"query","responseType":"error","status":"error","message":"it broke",)"
       R"("error":{"message":"it broke"}})"},
      {"memory", R"({"success":true,"rows":[1,2.50]})",
       R"({"success":false,"error":"TOOL_ERROR","message":"it broke"})"},
      {"json", R"({"rows":[1,2.50]})", R"({"error":"it broke"})"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.to);
    EXPECT_THAT(enfold({"convert", "--no-extensions", "--tool", "query", "--to", one.to,
                        "result.json", "failed.json"}),
                ends(0, one.want + "\n" + one.want_failed + "\n", ""));
  }
}

TEST_F(Convert, writes_what_its_own_schema_accepts) {
  for (const contract::Description& one : contract::all()) {
    if (one.schema.empty()) continue;
    SCOPED_TRACE(one.name);
    const std::string name(one.name);
    const Ended made = enfold({"convert", "--to", name, "--tool", "query"}, read("result.json"));
    EXPECT_THAT(made, ends(0, EndsWith("}\n"), ""));
    EXPECT_THAT(enfold({"validate", "--contract", name}, made.out),
                ends(0, "standard input: valid " + name + "\n", ""));
  }
}

TEST_F(Convert, returns_to_where_it_came_from) {
  const std::string origin =
      R"({"toolName":"list_rows","responseType":"list","data":[1],"metadata":{"took":"3 ms"}})";
  const Ended there = enfold({"convert", "--to", "response-v2"}, origin);
  EXPECT_THAT(there, ends(0, HasSubstr(R"("ext":{"enfold":{)"), ""));
  EXPECT_THAT(enfold({"convert", "--to", "generic"}, there.out), ends(0, origin + "\n", ""));
}

TEST_F(Convert, believes_what_it_is_told_about_the_input) {
  const std::string text = "{\"a\":1}";
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--from", "json"}, R"({"content":[]})"),
              ends(0, "{\"success\":true,\"content\":[]}\n", ""));
  EXPECT_THAT(enfold({"convert", "--to", "response-v2", "--no-extensions", "--from", "text"}, text),
              ends(0,
                   R"({"success":true,"data":{"text":"{\"a\":1}"},"error":null,)"
                   R"("meta":{"version":"response-v2"}})"
                   "\n",
                   ""));
}

TEST_F(Convert, refuses_text_that_is_not_utf_8) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--from", "text"}, "caf\xe9"),
              ends(4, "",
                   "error: expected UTF-8 text\n  at standard input, line 1, column 4 (byte 3)\n"
                   "hint: convert the text to UTF-8\n"));
}

TEST_F(Convert, names_the_tool_that_it_was_told) {
  EXPECT_THAT(enfold({"convert", "--to", "scalpel-v1", "--tool", "list_rows", "result.json"}),
              ends(0, AllOf(HasSubstr(R"("tool_id":"list_rows")"), StartsWith(R"({"tier":)")), ""));
}

TEST_F(Convert, writes_as_many_members_as_are_paid_for) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"minimal", R"({"data":{"rows":[1,2.50]}})"},
      {"standard", R"({"error":null,"upgrade_hints":[],"data":{"rows":[1,2.50]}})"},
      {"verbose", R"({"duration_ms":0,"error":null,"upgrade_hints":[],"data":{"rows":[1,2.50]}})"}};
  for (const auto& [members, want] : cases) {
    SCOPED_TRACE(members);
    EXPECT_THAT(enfold({"convert", "--to", "scalpel-v1", "--no-extensions", "--members", members,
                        "result.json"}),
                ends(0, want + "\n", ""));
  }
}

TEST_F(Convert, shows_the_level_that_was_asked_for) {
  write("levels.json", R"({"default_level":"standard","tools":{"query":{
      "standard":{"drop":["/rows/*/body"]},"minimal":{"keep":["/rows/*/id"]}}}})");
  write("rows.json", R"({"rows":[{"id":1,"title":"t","body":"b"}],"took":3})");
  const auto at = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"convert", "--to", "memory", "--tool", "query", "rows.json"});
    return enfold(more);
  };
  const std::string full = R"({"success":true,"rows":[{"id":1,"title":"t","body":"b"}],"took":3})"
                           "\n";
  const std::string standard = R"({"success":true,"rows":[{"id":1,"title":"t"}],"took":3})"
                               "\n";
  const std::string minimal = "{\"success\":true,\"rows\":[{\"id\":1}]}\n";
  EXPECT_THAT(at({"--levels", "levels.json", "--level", "full"}), ends(0, full, ""));
  EXPECT_THAT(at({"--levels", "levels.json", "--level", "standard"}), ends(0, standard, ""));
  EXPECT_THAT(at({"--levels", "levels.json", "--level", "minimal"}), ends(0, minimal, ""));
  EXPECT_THAT(at({"--levels", "levels.json"}), ends(0, standard, ""));
  EXPECT_THAT(at({}), ends(0, full, ""));
  EXPECT_THAT(at({"--level", "minimal"}),
              ends(0, full,
                   "warning: --level changes nothing without --levels: no level of any tool is "
                   "known\n"));
}

TEST_F(Convert, takes_the_level_configured_for_the_tool_before_the_default) {
  write("levels.json", R"({"default_level":"full","tools":{"query":{"level":"minimal",
      "minimal":{"drop":["/rows"]}}}})");
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--tool", "query", "--levels", "levels.json"},
                     R"({"rows":[],"n":1})"),
              ends(0, "{\"success\":true,\"n\":1}\n", ""));
}

TEST_F(Convert, refuses_a_levels_file_that_it_does_not_understand) {
  write("levels.json", R"({"tools":{"query":{"tiny":{}}}})");
  EXPECT_THAT(
      enfold({"convert", "--to", "memory", "--levels", "levels.json", "result.json"}),
      ends(4, "", AllOf(StartsWith("error: "), HasSubstr("\n  at levels.json, /tools/query"))));
  write("levels.json", "{");
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--levels", "levels.json", "result.json"}),
              ends(4, "", HasSubstr("\n  at levels.json, line 1, column 2 (byte 1)\n")));
  EXPECT_THAT(
      enfold({"convert", "--to", "memory", "--levels", "none.json", "result.json"}),
      ends(4, "", HasSubstr("cannot open the file: No such file or directory\n  at none.json")));
}

TEST_F(Convert, indents_for_people) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--pretty", "result.json"}),
              ends(0, "{\n  \"success\": true,\n  \"rows\": [\n    1,\n    2.50\n  ]\n}\n", ""));
}

TEST_F(Convert, puts_the_envelope_into_both_channels_of_an_mcp_result) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--mcp-result", "failed.json"}),
              ends(0,
                   R"({"content":[{"type":"text","text":"{\"success\":false,)"
                   R"(\"error\":\"TOOL_ERROR\",\"message\":\"it broke\"}"}],)"
                   R"("structuredContent":{"success":false,"error":"TOOL_ERROR",)"
                   R"("message":"it broke"},"isError":true})"
                   "\n",
                   ""));
}

TEST_F(Convert, takes_secrets_out_unless_told_otherwise) {
  const std::string answer = R"({"password":"hunter2hunter2","mail":"joe@example.com"})";
  EXPECT_THAT(enfold({"convert", "--to", "memory"}, answer),
              ends(0,
                   R"({"success":true,"password":"[REDACTED:PASSWORD]","mail":"joe@example.com"})"
                   "\n",
                   ""));
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--redact-personal"}, answer),
              ends(0, AllOf(HasSubstr("[REDACTED:EMAIL]"), Not(HasSubstr("joe@"))), ""));
  EXPECT_THAT(enfold({"convert", "--to", "memory", "--no-redact"}, answer),
              ends(0, HasSubstr(R"("password":"hunter2hunter2")"), ""));
}

TEST_F(Convert, goes_on_after_a_missing_file) {
  EXPECT_THAT(enfold({"convert", "--to", "memory", "none.json", "result.json"}),
              ends(4, "{\"success\":true,\"rows\":[1,2.50]}\n",
                   "error: cannot open the file: No such file or directory\n  at none.json\n"
                   "hint: check the name; - is standard input\n"));
}

TEST_F(Convert, tells_apart_what_else_is_no_json) {
  struct Case {
    std::string input;
    std::string hint;
  };
  const std::vector<Case> cases{
      {"Done, 3 rows written", "is it text and not JSON? use --from text"},
      {"{\"a\":1}\n{\"a\":2}\n", "is it one answer per line? use --jsonl"},
      {"{\"a\":1,}", "JSON has no comments, trailing commas or single quotes"},
      {"{\"a\":[1,2", "the text was probably cut off"},
      {"", "did the tool print anything? empty text is read with --from text"},
      {" \n", "did the tool print anything? empty text is read with --from text"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.input);
    EXPECT_THAT(
        enfold({"convert", "--to", "memory"}, one.input),
        ends(4, "",
             AllOf(StartsWith("error: expected "), HasSubstr("\n  at standard input, line "),
                   EndsWith("\nhint: " + one.hint + "\n"))));
  }
}

}  // namespace
}  // namespace enfold::cli
