// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"

namespace enfold::cli {
namespace {

class Diff : public ProgramTest {
 protected:
  Diff() {
    write("old.json", R"({"items":[{"id":1},{"id":2}]})");
    write("turned.json", R"({"items":[{"id":2},{"id":1}]})");
    write("new.json", R"({"items":[{"id":1},{"id":3}]})");
  }
};

TEST_F(Diff, of_the_same_records_in_another_order_is_a_difference) {
  EXPECT_THAT(enfold({"diff", "old.json", "old.json"}),
              ends(0, "/items by id: 0 added, 0 removed, 0 changed, 2 the same\n", ""));
  EXPECT_THAT(enfold({"diff", "old.json", "turned.json"}),
              ends(2,
                   "/items by id: 0 added, 0 removed, 0 changed, 2 the same\n"
                   "the records are the same; their order or the text around them differs\n",
                   ""));
  EXPECT_THAT(enfold({"diff", "--json", "old.json", "turned.json"}),
              ends(2, ::testing::HasSubstr(R"("only_order":true,"left_out":0})"), ""));
}

TEST_F(Diff, counts_in_json_what_it_leaves_out) {
  const Ended all = enfold({"diff", "--json", "old.json", "new.json"});
  EXPECT_THAT(all, ends(2, ::testing::HasSubstr(R"("only_order":false,"left_out":0})"), ""));
  std::string many = R"({"items":[)";
  for (int i = 0; i < 50; ++i) many += R"({"id":)" + std::to_string(100 + i) + "},";
  write("many.json", many + R"({"id":1}]})");
  const Ended few = enfold({"diff", "--json", "--budget", "16", "old.json", "many.json"});
  std::size_t shown = 0;
  for (std::size_t at = 0; (at = few.out.find("\"change\"", at)) != std::string::npos; ++at)
    ++shown;
  EXPECT_THAT(few.out, ::testing::HasSubstr("\"left_out\":" + std::to_string(51 - shown) + "}"));
}

TEST_F(Diff, names_a_missing_file_once) {
  EXPECT_THAT(enfold({"diff", "old.json", "none.json"}),
              ends(4, "",
                   "error: expected a file or the handle of an archived answer, found neither\n"
                   "  at none.json\nhint: `enfold archive ls` lists the handles\n"));
}

}  // namespace
}  // namespace enfold::cli
