// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/contract.h"
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Contracts : public ProgramTest {};
class Schema : public ProgramTest {};

TEST_F(Contracts, are_listed_with_status_and_removal) {
  const Ended ended = enfold({"contracts"});
  EXPECT_THAT(ended, ends(0, golden("cli/contracts.txt", ended.out), ""));
  EXPECT_THAT(ended.out, HasSubstr("response-v1  deprecated  2.0.0"));
}

TEST_F(Contracts, are_one_json_array_for_programs) {
  const Ended ended = enfold({"contracts", "--json"});
  EXPECT_THAT(ended, ends(0,
                          StartsWith(R"([{"name":"response-v2","status":"current","removal":null,)"
                                     R"("summary":)"),
                          ""));
  const json::Value listed = json::parse_own(ended.out);
  ASSERT_EQ(listed->size(), contract::all().size());
  std::size_t index = 0;
  for (const contract::Description& one : contract::all()) {
    const json::View entry = *listed->item(index++);
    EXPECT_EQ(entry.find("name")->string(), one.name);
    EXPECT_EQ(entry.find("has_schema")->raw(), one.schema.empty() ? "false" : "true");
  }
}

TEST_F(Contracts, take_no_argument) {
  EXPECT_THAT(enfold({"contracts", "extra"}),
              ends(5, "",
                   "error: expected no further argument, found \"extra\"\n"
                   "hint: see `enfold contracts --help`\n"));
}

TEST_F(Schema, of_every_contract_is_the_file_that_was_built_in) {
  for (const contract::Description& one : contract::all()) {
    if (one.schema.empty()) continue;
    SCOPED_TRACE(one.name);
    const Ended ended = enfold({"schema", std::string(one.name)});
    EXPECT_THAT(ended, ends(0, json::pretty(contract::schema(one.id)->view()) + "\n", ""));
  }
}

TEST_F(Schema, takes_json_as_every_verb_does) {
  EXPECT_THAT(enfold({"schema", "memory", "--json"}), ends(0, StartsWith("{\n"), ""));
}

TEST_F(Schema, refuses_names_that_have_none) {
  struct Case {
    std::vector<std::string> arguments;
    std::string want;
  };
  const std::string listed =
      "hint: contracts with a schema: response-v2, response-v1, generic, scalpel-v1, memory, mcp\n";
  const std::vector<Case> cases{
      {{"schema", "scalpel"},
       "error: expected the name of a contract, found \"scalpel\"\nhint: did you mean "
       "scalpel-v1?\n"},
      {{"schema", "Response_v2"},
       "error: expected the name of a contract, found \"Response_v2\"\n"
       "hint: did you mean response-v2?\n"},
      {{"schema", "envelope"},
       "error: expected the name of a contract, found \"envelope\"\n" + listed},
      {{"schema", ""}, "error: expected the name of a contract, found \"\"\n" + listed},
      {{"schema", "text"}, "error: text has no schema: anything goes\n" + listed},
      {{"schema"}, "error: expected NAME, found none\nhint: `enfold contracts` lists the names\n"}};
  for (const Case& one : cases) {
    SCOPED_TRACE(::testing::PrintToString(one.arguments));
    EXPECT_THAT(enfold(one.arguments), ends(5, "", one.want));
  }
}

}  // namespace
}  // namespace enfold::cli
