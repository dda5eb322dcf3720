// SPDX-License-Identifier: Apache-2.0
// scalpel-v1 shows no source code of a failure. tests/source_code runs generated failures through
// the program.
#include "enfold/contract/errors/source_code.h"

#include "enfold/contract/contract.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

TEST(SourceCode, messages_without_code_stay_as_they_are) {
  for (const char* const message : {
           "File not found: /missing.py.",
           "File not found: missing.py",
           "main.c:3:3: error: unknown type name 'foo_t'",
           "TypeError: Cannot read properties of undefined (reading 'id')",
           "404: Not Found",
           "Invalid transition: open -> closed",
           "panic: runtime error: index out of range [3] with length 3",
           "error[E0425]: cannot find value `x` in this scope",
           "ENOENT: no such file or directory, open '/a/b c.txt'",
           "connect ECONNREFUSED 127.0.0.1:5432",
           "Rate limit exceeded; retry after 30 s",
           "The file has 2 error(s) and 3 warning(s)",
           "Timed out after 30000 ms (limit=30000)",
           "column \"user_id\" of relation \"users\" does not exist",
           "fatal: not a git repository (or any of the parent directories): .git",
           "C:\\new\\file.txt is locked",
           "Function not found: parse_args() in cli.py",
           "can't open the file: it's locked",
           "size 12 > 10",
           "Zeile 3: unerwartetes Zeichen",
           "",
       }) {
    EXPECT_EQ(without_source(message), message);
  }
}

TEST(SourceCode, code_in_a_message_becomes_an_ellipsis) {
  struct Row {
    const char* name;
    const char* text;
    const char* want;
  };
  for (const Row& row : {
           Row{"below prose", "Cannot extract g:\nclass A:\n    def f(self):", "Cannot extract g:"},
           {"fence", "Bad ```py\nimport os\n``` here", "Bad"},
           {"fence on one line", "Bad ~~~x = 1~~~ here", "Bad"},
           {"other line breaks", "Bad\u2028x = 1", "Bad"},
           {"escaped line breaks", R"(Bad: one\nx = 1)", "Bad: one"},
           {"quoted", "expected 'a = b(c)' here", "expected '…' here"},
           {"backticks", "near `return x + 1`", "near `…`"},
           {"open quotation", "near \"def f(", "near \"…"},
           {"after a colon", "Syntax error: total = a_b + 3;", "Syntax error: …"},
           {"a declared name", "Syntax error: x_1: u32 = 5", "Syntax error: …"},
           {"a call", "Failed at load_all(path)", ""},
           {"a statement", "Syntax error near return my_value", "Syntax error near …"},
           {"traceback",
            "Traceback (most recent call last):\n  File \"a.py\", line 1\n    f(x)\nKeyError: "
            "'port'",
            "KeyError: 'port'"},
           {"only code", "const a = 1;", ""},
           {"indented", "    puts value", ""},
           {"a difference", "+x = 1", ""},
       }) {
    EXPECT_EQ(without_source(row.text), row.want) << row.name;
    EXPECT_EQ(without_source(row.want), row.want) << row.name << ", again";
  }
}

TEST(SourceCode, details_keep_listed_scalars_only) {
  model::Response response;
  response.outcome = model::Outcome::failed;
  response.failure = model::Failure{
      .code = "PARSE_ERROR",
      .message = "Cannot parse a.py",
      .remediation = {"Close the bracket.", "Write:\nx = (1)"},
      .details = json::parse_own(
          R"({"line":3,"path":"a.py","symbol":"x = 1","source":"x = 1","lines":["x = 1"],"ok":false})")};
  response.payload =
      json::parse_own(R"({"success":false,"error":"Cannot parse a.py","code":["x = 1"]})");
  EXPECT_TRUE(withhold_source(response));
  EXPECT_EQ(json::to_text(response.failure->details->view()),
            R"({"line":3,"path":"a.py","ok":false})");
  EXPECT_EQ(json::to_text(response.payload->view()),
            R"({"success":false,"error":"Cannot parse a.py"})");
  EXPECT_EQ(response.failure->remediation,
            (std::vector<std::string>{"Close the bracket.", "Write:"}));
  EXPECT_FALSE(withhold_source(response)) << "nothing is left to leave out";
}

TEST(SourceCode, a_success_is_left_alone) {
  model::Response response;
  response.payload = json::parse_own(R"({"code":"x = 1\ny = 2"})");
  const model::Response before = response;
  EXPECT_FALSE(withhold_source(response));
  EXPECT_EQ(response, before);
}

TEST(SourceCode, withholding_again_changes_nothing) {
  testing::check_property("withhold_again", testing::property_cases(500, 20'000), [] {
    const auto reading = read(Id::scalpel_v1, testing::draw_document(Id::scalpel_v1).view());
    model::Response response = reading->response;
    withhold_source(response);
    const model::Response once = response;
    RC_ASSERT(!withhold_source(response));
    RC_ASSERT(response == once);
  });
}

}  // namespace
}  // namespace enfold::contract
