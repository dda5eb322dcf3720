// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/rows_table.h"

#include <gtest/gtest.h>

namespace enfold::cli {
namespace {

const std::vector<std::string> kColumns{"a", "b"};

json::Document rows_of(std::string_view text) { return json::parse(text).value(); }

TEST(RowsTable, ignores_members_beyond_the_columns) {
  const json::Document rows = rows_of(R"([{"a":1,"b":"x","c":"long","d":4},{"a":22,"b":"y"}])");
  EXPECT_EQ(drawn_table(kColumns, rows.root()), "a   b\n--  -\n 1  x\n22  y\n(2 rows)\n");
  EXPECT_EQ(as_csv(kColumns, rows.root()), "a,b\r\n1,x\r\n22,y\r\n");
}

TEST(RowsTable, ends_a_row_that_lacks_members) {
  const json::Document rows = rows_of(R"([{"a":1},{}])");
  EXPECT_EQ(drawn_table(kColumns, rows.root()), "a  b\n-  -\n1\n\n(2 rows)\n");
  EXPECT_EQ(as_csv(kColumns, rows.root()), "a,b\r\n1\r\n\r\n");
}

TEST(RowsTable, draws_rows_without_columns) {
  const json::Document rows = rows_of(R"([{"a":1}])");
  EXPECT_EQ(drawn_table({}, rows.root()), "\n\n\n(1 row)\n");
  EXPECT_EQ(as_csv({}, rows.root()), "\r\n\r\n");
}

}  // namespace
}  // namespace enfold::cli
