// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"
#include "tests/support/goldens.h"

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Parse : public ProgramTest {};

TEST_F(Parse, makes_of_every_recorded_answer_what_the_library_makes_of_it) {
  for (const testing::Path& entry : testing::entries_of(testing::golden_folder() / "discord")) {
    SCOPED_TRACE(entry.filename().string());
    std::string tool = testing::read_file(entry / "args");
    tool.erase(tool.find_last_not_of('\n') + 1);
    std::vector<std::string> arguments{"parse", entry / "input.json"};
    if (!tool.empty()) arguments.insert(arguments.end(), {"--tool", tool});
    const Ended ended = enfold(arguments);
    EXPECT_THAT(ended, ends(0, ::testing::EndsWith("}\n"), ""));
    const auto got = json::parse(ended.out);
    ASSERT_TRUE(got);
    EXPECT_TRUE(got->value() == testing::read_json_file(entry / "want.json")) << ended.out;
  }
}

TEST_F(Parse, sorts_by_the_verb_of_the_tool) {
  const std::string answer = R"({"channels":[{"id":"1"}],"total":5})";
  EXPECT_THAT(enfold({"parse", "--tool", "list_channels"}, answer),
              ends(0,
                   R"({"toolName":"list_channels","responseType":"list","data":[{"id":"1"}],)"
                   R"("summary":{"total":5,"returned":1}})"
                   "\n",
                   ""));
  EXPECT_THAT(enfold({"parse", "--tool", "get_channel", "--pretty"}, R"({"id":"1"})"),
              ends(0,
                   "{\n  \"toolName\": \"get_channel\",\n  \"responseType\": \"single\",\n"
                   "  \"data\": {\n    \"id\": \"1\"\n  }\n}\n",
                   ""));
}

TEST_F(Parse, lets_the_root_say_failure_as_convert_does) {
  const std::string answer = R"({"success":false,"message":"Missing Permissions"})";
  EXPECT_THAT(enfold({"parse", "--tool", "send_message"}, answer),
              ends(0, HasSubstr(R"("responseType":"error")"), ""));
  EXPECT_THAT(
      enfold({"convert", "--to", "generic", "--from", "json", "--tool", "send_message"}, answer),
      ends(0, HasSubstr(R"("responseType":"error")"), ""));
}

TEST_F(Parse, reads_text_when_told) {
  EXPECT_THAT(enfold({"parse", "--from", "text", "--tool", "send_message"}, "Message sent"),
              ends(0,
                   AllOf(HasSubstr(R"("toolName":"send_message")"),
                         HasSubstr(R"({"text":"Message sent"})")),
                   ""));
  EXPECT_THAT(enfold({"parse"}, "Message sent"),
              ends(4, "",
                   "error: expected a JSON value, found 'M'\n"
                   "  at standard input, line 1, column 1 (byte 0)\n"
                   "hint: is it text and not JSON? use --from text\n"));
}

TEST_F(Parse, redacts_before_it_sorts) {
  const Ended ended = enfold({"parse"}, R"({"output":{"password":"hunter2hunter2"}})");
  EXPECT_THAT(ended, ends(0, HasSubstr(R"("password":"[REDACTED:PASSWORD]")"), ""));
  EXPECT_THAT(ended.out, Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace enfold::cli
