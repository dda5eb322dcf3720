// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Validate : public ProgramTest {
 protected:
  Validate() {
    write("good.json",
          R"({"success":true,"data":{"n":1},"error":null,"meta":{"version":"response-v2"}})");
    write("bad.json",
          R"({"success":"yes","data":[],"error":null,"meta":{"version":"response-v2"}})");
    write("raw.json", R"({"rows":[1,2]})");
  }
};

TEST_F(Validate, detects_the_contract) {
  EXPECT_THAT(enfold({"validate", "good.json"}), ends(0, "good.json: valid response-v2\n", ""));
}

TEST_F(Validate, reads_standard_input) {
  const std::string answer = R"({"content":[{"type":"text","text":"hi"}]})";
  EXPECT_THAT(enfold({"validate"}, answer), ends(0, "standard input: valid mcp\n", ""));
  EXPECT_THAT(enfold({"validate", "-"}, answer), ends(0, "standard input: valid mcp\n", ""));
}

TEST_F(Validate, names_place_expectation_and_finding_of_each_violation) {
  EXPECT_THAT(enfold({"validate", "--contract", "response-v2", "bad.json"}),
              ends(2,
                   "bad.json: not valid response-v2, 2 violations\n"
                   "  /success: expected boolean, found string \"yes\"\n"
                   "    by https://enfold.dev/schema/response-v2.json#/properties/success/type\n"
                   "  /data: expected object, found empty array\n"
                   "    by https://enfold.dev/schema/response-v2.json#/properties/data/type\n",
                   ""));
}

TEST_F(Validate, says_the_same_to_programs) {
  EXPECT_THAT(
      enfold({"validate", "--json", "--contract", "response-v2", "bad.json", "good.json"}),
      ends(2,
           R"({"file":"bad.json","contract":"response-v2","valid":false,"violations":[)"
           R"({"pointer":"/success","expected":"boolean","found":"string \"yes\"",)"
           R"("schema":"https://enfold.dev/schema/response-v2.json#/properties/success/type"},)"
           R"({"pointer":"/data","expected":"object","found":"empty array",)"
           R"("schema":"https://enfold.dev/schema/response-v2.json#/properties/data/type"}],)"
           R"("warnings":[]})"
           "\n"
           R"({"file":"good.json","contract":"response-v2","valid":true,"violations":[],)"
           R"("warnings":[]})"
           "\n",
           ""));
}

TEST_F(Validate, tells_what_to_do_when_no_contract_is_recognised) {
  EXPECT_THAT(enfold({"validate", "raw.json"}),
              ends(2,
                   "raw.json: not valid in any contract, 1 violation\n"
                   "  (root): expected a document of one of the contracts, found JSON that is not "
                   "recognised as one\n"
                   "  name the one it should be: --contract NAME\n",
                   ""));
  EXPECT_THAT(enfold({"validate", "--json", "raw.json"}),
              ends(2, HasSubstr(R"("contract":"json","valid":false)"), ""));
}

TEST_F(Validate, goes_on_after_a_bad_file_and_ends_with_the_highest_code) {
  write("broken.json", "{");
  EXPECT_THAT(enfold({"validate", "raw.json", "broken.json", "missing.json", "good.json"}),
              ends(4, AllOf(HasSubstr("raw.json: not valid"), HasSubstr("good.json: valid")),
                   "error: expected a member name in double quotes, found the end of the input\n"
                   "  at broken.json, line 1, column 2 (byte 1)\n"
                   "hint: the text was probably cut off\n"
                   "error: cannot open the file: No such file or directory\n"
                   "  at missing.json\n"
                   "hint: check the name; - is standard input\n"));
}

TEST_F(Validate, explains_that_a_directory_is_no_file) {
  EXPECT_THAT(enfold({"validate", "."}),
              ends(4, "",
                   "error: expected a file, found a directory\n  at .\nhint: name the files in "
                   "it\n"));
}

TEST_F(Validate, judges_a_json_rpc_response_by_what_it_carries) {
  EXPECT_THAT(enfold({"validate"}, R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})"),
              ends(0, "standard input: valid mcp\n", ""));
  EXPECT_THAT(
      enfold({"validate"}, R"({"jsonrpc":"2.0","id":1,"result":{"content":[{}]}})"),
      ends(2, HasSubstr("  /result/content/0: expected member \"type\", found missing\n"), ""));
  EXPECT_THAT(
      enfold({"validate"}, R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})"),
      ends(0, "standard input: valid mcp\n", ""));
  EXPECT_THAT(enfold({"validate"}, R"({"jsonrpc":"2.0","id":1,"error":{"code":"x"}})"),
              ends(2,
                   "standard input: not valid mcp, 2 violations\n"
                   "  /error/code: expected number, found string\n"
                   "  /error/message: expected string, found missing\n",
                   ""));
}

TEST_F(Validate, counts_no_further_than_it_lists) {
  std::string many = R"({"success":true,"data":{},"error":null,"meta":{"version":"response-v2",)"
                     R"("warnings":[0)";
  for (int i = 0; i < 99; ++i) many += ",0";
  EXPECT_THAT(enfold({"validate"}, many + "]}}"),
              ends(2, HasSubstr("not valid response-v2, at least 50 violations\n"), ""));
}

TEST_F(Validate, warns_about_what_readers_disagree_on) {
  const std::string twice = R"({"success":true,"a":1,"a":2})";
  const std::string where =
      "1 repeated member name, the first at line 1, column 23 (byte 22); readers take the last";
  EXPECT_THAT(enfold({"validate"}, twice), ends(0, "standard input: valid memory\n",
                                                "warning: standard input: " + where + "\n"));
  EXPECT_THAT(
      enfold({"validate", "--json"}, twice),
      ends(0, HasSubstr(R"("valid":true,"violations":[],"warnings":[")" + where + "\"]"), ""));
  EXPECT_THAT(enfold({"validate", "--strict"}, twice),
              ends(4, "",
                   "error: refused by --strict: " + where +
                       "\n  at standard input\n"
                       "hint: without --strict it is accepted with a warning\n"));
}

TEST_F(Validate, shows_no_secret_that_stands_in_the_wrong_place) {
  const std::string key =
      "ghp_"
      "abcdefghijklmnopqrstuvwxyzABCDEF0123";
  const Ended ended = enfold({"validate", "--contract", "memory"}, R"({"success":")" + key + "\"}");
  EXPECT_THAT(ended, ends(2, HasSubstr("/success: expected boolean, found string"), ""));
  EXPECT_THAT(ended.out, Not(HasSubstr(key)));
}

}  // namespace
}  // namespace enfold::cli
