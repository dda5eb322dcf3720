// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/archive_program.h"
#include "tests/cli/large_answer.h"

#include <fstream>

namespace enfold::cli {
namespace {

class QueryVerb : public ArchiveProgramTest {};

TEST_F(QueryVerb, draws_a_table_of_standard_input) {
  const Ended ended = enfold({"query", "select name, n from items order by n desc"},
                             R"([{"name":"ann","n":5},{"name":"bo","n":12}])");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, "name  n\n----  --\nbo    12\nann    5\n(2 rows)\n");
}

TEST_F(QueryVerb, writes_json_and_csv) {
  const std::string rows = "a,b\n1,\"x, y\"\n2,\n";
  EXPECT_EQ(enfold({"query", "select * from rows", "--json"}, rows).out,
            "[{\"a\":1,\"b\":\"x, y\"},{\"a\":2,\"b\":null}]\n");
  EXPECT_EQ(enfold({"query", "select * from rows", "--csv"}, rows).out,
            "a,b\r\n1,\"x, y\"\r\n2,\r\n");
}

TEST_F(QueryVerb, reads_several_files_as_a_and_b) {
  const std::string one = (folder() / "one.json").string();
  const std::string two = (folder() / "two.json").string();
  std::ofstream(one) << R"([{"id":1},{"id":2}])";
  std::ofstream(two) << R"({"success":true,"data":{"items":[{"id":2},{"id":3}]},"error":null,)"
                     << R"("meta":{"version":"response-v2"}})";
  EXPECT_EQ(
      enfold({"query", one, two, "select id from b.items except select id from items", "--json"})
          .out,
      "[{\"id\":3}]\n");
}

TEST_F(QueryVerb, warns_that_an_answer_was_cut) {
  const Ended ended = enfold(
      {"query", "select count(*) as n from items", "--json"},
      R"({"success":true,"data":{"items":[{"id":1},"…[+8 items]"]},"error":null,"meta":)"
      R"({"version":"response-v2","content_fidelity":"partial","content_archive_hashes":)"
      R"({"229160588364":"sha256:0000000000000000000000000000000000000000000000000000000000000000"},)"
      R"("content_fidelity_schema_version":"1.0"}})");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_NE(ended.err.find("this answer was cut"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("enfold fetch 229160588364 --sql"), std::string::npos) << ended.err;
}

TEST_F(QueryVerb, lists_the_tables) {
  const Ended ended = enfold({"query", "--tables"}, R"({"orders":[{"id":7,"lines":["x"]}]})");
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("orders: 1 row\n  id  integer  \"7\"\n"));
  EXPECT_THAT(ended.out, HasSubstr("orders_lines: 1 row\n  value  text  \"x\"\n"));
}

TEST_F(QueryVerb, says_what_is_wrong_and_what_there_is) {
  const Ended column = enfold({"query", "select nam from items"}, R"([{"name":"ann"}])");
  EXPECT_EQ(column.exit_code, 4);
  EXPECT_THAT(column.err, HasSubstr("there are items(name, _i, _at, _json)"));
  EXPECT_THAT(column.err, HasSubstr("hint: did you mean name?"));
  EXPECT_EQ(enfold({"query"}, "[]").exit_code, 5);
  EXPECT_EQ(enfold({"query", "/nowhere.json", "select 1"}, "").exit_code, 4);
}

TEST_F(QueryVerb, of_a_handle_names_the_verb_for_archived_answers) {
  EXPECT_THAT(enfold({"query", "130917537533", "select 1"}),
              ends(4, "",
                   "error: cannot open the file: No such file or directory\n  at 130917537533\n"
                   "hint: for an archived answer: enfold fetch 130917537533 --sql \"SELECT …\"\n"));
}

TEST_F(QueryVerb, refuses_digits_that_are_too_long_for_the_name_of_a_file) {
  EXPECT_THAT(enfold({"query", std::string(300, '1'), "select 1"}),
              ends(4, "", StartsWith("error: cannot open the file: File name too long\n")));
}

TEST_F(QueryVerb, answers_from_the_archive_in_pages) {
  const std::string handle =
      put(large_answer(200), {.media_type = "application/json; contract=mcp"});
  const Ended counted = enfold(
      {"fetch", handle, "--sql", "select state, count(*) n from items group by state order by n"});
  EXPECT_THAT(counted.out,
              HasSubstr(R"("items":[{"state":"open","n":67},{"state":"closed","n":133}])"));
  std::size_t seen = 0;
  std::vector<std::string> arguments{"fetch", handle, "--sql", "select id, body from items"};
  for (int page = 0; page < 50; ++page) {
    arguments.insert(arguments.end(), {"--budget", "1000"});
    const Ended ended = enfold(arguments);
    ASSERT_EQ(ended.exit_code, 0) << ended.err;
    const auto document = json::parse(ended.out);
    seen += document->root().find("data")->find("items")->size();
    const auto cursor = document->root().find("meta")->find("pagination")->find("cursor");
    if (!cursor || !cursor->is_string()) break;
    arguments = {"fetch", "--cursor", cursor->string()};
  }
  EXPECT_EQ(seen, 200U);
}

}  // namespace
}  // namespace enfold::cli
