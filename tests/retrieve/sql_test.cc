// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/sql/sql.h"

#include "enfold/json/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <latch>
#include <sqlite3.h>
#include <thread>

namespace enfold::retrieve {
namespace {

using ::testing::HasSubstr;

json::Value text(std::string_view utf8) { return json::string_value(utf8); }

/// The rows as JSON text, or "error: message | hint".
std::string ask(const json::Value& payload, std::string_view sql) {
  const Tables tables = tables_of(payload);
  const SqlSource source{"a", &tables};
  const auto result = run_sql(sql, {&source, 1});
  if (!result) return "error: " + result.error().message + " | " + result.error().hint;
  return json::to_text(result->rows.view());
}

std::string ask(std::string_view payload, std::string_view sql) {
  return ask(json::parse_own(payload), sql);
}

constexpr std::string_view kShop = R"({"total":3,"orders":[
  {"id":"o1","status":"open","sum":12.5,"paid":true,"customer":{"tier":"gold","name":"Ann"},
   "lines":[{"sku":"a","n":2},{"sku":"b","n":1}]},
  {"id":"o2","status":"done","sum":3,"paid":false,"customer":{"tier":"basic","name":"Bo"},"lines":[]},
  {"id":"o3","status":"open","sum":7,"paid":true,"customer":{"tier":"gold","name":"Cy"},
   "lines":[{"sku":"a","n":5}]}]})";

struct Case {
  std::string_view name;
  std::string_view payload;
  std::string_view sql;
  std::string_view rows;
};

class SqlAnswers : public ::testing::TestWithParam<Case> {};

TEST_P(SqlAnswers, as_the_tables_of_the_answer_say) {
  EXPECT_EQ(ask(GetParam().payload, GetParam().sql), GetParam().rows);
}

constexpr Case kCases[] = {
    {"counts", kShop, "select count(*) n from orders", R"([{"n":3}])"},
    {"the_only_list_by_other_names", kShop, "select count(*) n from items", R"([{"n":3}])"},
    {"a_list_by_its_own_name_though_others_are_numbered",
     R"({"a":{"x":[{"v":1}]},"b":{"x":[{"v":2}]},"x_2":[{"v":3}]})",
     "select a.v a, b.v b, c.v c from x a, x_2 b, x_3 c", R"([{"a":1,"b":3,"c":2}])"},
    {"lists_with_the_names_of_functions",
     R"({"json_each":[{"v":1},{"v":2}],"json_tree":[{"v":3}]})",
     "select count(*) n, (select v from _json_tree) v from _json_each", R"([{"n":2,"v":3}])"},
    {"the_first_answer_by_its_name", kShop, "select count(*) n from a.orders, main.orders",
     R"([{"n":9}])"},
    {"a_map_in_one_record_and_a_list_in_another",
     R"([{"m":{"x":{"v":1},"":{"v":2},"z":{"v":3}}},{"m":[{"v":4}]}])",
     "select group_concat(_key) k, sum(v) s, group_concat(_at) p from items_m",
     R"([{"k":"x,,z","s":10,"p":"/0/m/x,/0/m/,/0/m/z,/1/m/0"}])"},
    {"places_of_records_inside_a_text", R"({"log":"[{\"v\":1},{\"v\":2}]","n":5})",
     "select v, _at from log", R"([{"v":1,"_at":"/log"},{"v":2,"_at":"/log"}])"},
    {"groups", kShop, "select status, count(*) n, sum(sum) s from orders group by 1 order by 1",
     R"([{"status":"done","n":1,"s":3},{"status":"open","n":2,"s":19.5}])"},
    {"nested_scalars", kShop, "select customer_name from orders where \"customer.tier\" = 'gold'",
     R"([{"customer_name":"Ann"},{"customer_name":"Cy"}])"},
    {"json_operators", kShop, "select id from orders where customer->>'tier' = 'basic'",
     R"([{"id":"o2"}])"},
    {"booleans", kShop, "select id from orders where paid = true and paid = 1 order by id desc",
     R"([{"id":"o3"},{"id":"o1"}])"},
    {"nested_lists", kShop,
     "select o.id, sum(l.n) n from orders o join orders_lines l on l._parent = o._i group by o.id",
     R"([{"id":"o1","n":3},{"id":"o3","n":5}])"},
    {"json_each", kShop,
     "select orders.id, j.value->>'sku' sku from orders, json_each(lines) j where orders.id = 'o1'",
     R"([{"id":"o1","sku":"a"},{"id":"o1","sku":"b"}])"},
    {"objects_come_back_as_values", kShop, "select customer from orders where id = 'o2'",
     R"([{"customer":{"tier":"basic","name":"Bo"}}])"},
    {"nested_lists_by_their_path_and_any_name_of_the_parent",
     R"({"data":{"pods":[{"status":{"conditions":[{"ok":1}]}}]}})",
     "select count(*) n from items_status_conditions a, pods_conditions b, "
     "pods_status_conditions c, items_conditions d",
     R"([{"n":1}])"},
    {"positions", kShop, "select _i, _at from orders_lines where sku = 'a'",
     R"([{"_i":0,"_at":"/orders/0/lines/0"},{"_i":2,"_at":"/orders/2/lines/0"}])"},
    {"everything", kShop, "select json->>'total' t from doc", R"([{"t":3}])"},
    {"star_shows_members_only", kShop, "select * from orders_lines limit 1",
     R"([{"sku":"a","n":2,"_parent":0}])"},
    {"a_root_list", R"([{"a":1},{"a":2}])", "select sum(a) s from items", R"([{"s":3}])"},
    {"maps_with_keys", R"({"pods":{"x":{"up":true},"y":{"up":false},"z":{"up":true}}})",
     "select _key, key from pods where up = 0", R"([{"_key":"y","key":"y"}])"},
    {"lists_inside_members", R"([{"status":{"conditions":[{"type":"Ready","ok":true}]}}])",
     "select c.value->>'type' t from items, json_each(status_conditions) c", R"([{"t":"Ready"}])"},
    {"blocks_of_other_types",
     R"([{"type":"text","text":"a\nb"},{"type":"image","size":9},{"type":"resource_link","uri":"x"}])",
     "select text from lines where n = 2", R"([{"text":"b"}])"},
    {"scalars", R"({"tags":["b","a"]})", "select _i, value from tags order by value",
     R"([{"_i":1,"value":"a"},{"_i":0,"value":"b"}])"},
    {"columns_and_rows", R"({"columns":["id",{"name":"age"}],"rows":[[1,30],[2,40]]})",
     "select age from rows where id = 2", R"([{"age":40}])"},
    {"lists_of_lists", R"([[1,"a"],[2,"b"]])", "select c1 from items where c0 = 2",
     R"([{"c1":"b"}])"},
    {"long_integers_keep_their_digits", R"([{"id":12345678901234567890123}])",
     "select id from items", R"([{"id":"12345678901234567890123"}])"},
    {"numbers_and_texts_compare_by_the_column", R"([{"zip":"01234","n":64}])",
     "select count(*) c from items where zip = '01234' and n = '64'", R"([{"c":1}])"},
    {"absent_is_null", R"([{"a":1},{"b":2}])", "select count(*) c from items where a is null",
     R"([{"c":1}])"},
    {"reserved_words", R"([{"from":"x","order":1}])", "select from_, order_ from items",
     R"([{"from_":"x","order_":1}])"},
    {"a_member_keeps_its_name_beside_a_reserved_word", R"([{"order":1,"order_":2}])",
     "select order_, \"order\" from items", R"([{"order_":2,"order":1}])"},
    {"a_member_keeps_its_name_beside_a_repeated_one", R"([{"id":1,"ID":2,"id_2":3}])",
     "select id, id_2, id_3 from items", R"([{"id":1,"id_2":3,"ID_3":2}])"},
    {"doc_is_the_whole_even_if_a_list_has_that_name", R"({"doc":[{"a":1}]})",
     "select json ->> '$.doc[0].a' w, a from doc, doc_2", R"([{"w":1,"a":1}])"},
    {"names_that_sqlite_keeps_for_itself",
     R"({"sqlite_x":[{"a":1}],"dbstat":[{"b":2}],"pragma_x":[{"c":3}],"FTS5y":[{"d":4}]})",
     "select * from _sqlite_x, _dbstat, _pragma_x, _fts5y", R"([{"a":1,"b":2,"c":3,"d":4}])"},
    {"names_that_differ_in_case", R"([{"userId":1,"userID":2}])",
     "select userId, userID_2 from items", R"([{"userId":1,"userID_2":2}])"},
    {"own_columns_give_way", R"([{"_i":"mine"}])", "select _i, _i_ from items",
     R"([{"_i":"mine","_i_":0}])"},
    {"records_without_scalars_are_no_map",
     R"({"items":[{"metadata":{"name":"p"},"spec":{"n":1},"status":{"ok":true}}]})",
     "select metadata_name, spec_n from items", R"([{"metadata_name":"p","spec_n":1}])"},
    {"equal_names_of_a_join", R"({"a":[{"id":1}],"b":[{"id":1}]})",
     "select a.id, b.id from a join b on a.id = b.id", R"([{"id":1,"id_2":1}])"},
    {"like_reads_escape_in_every_row", R"([{"t":"5%","e":"!"},{"t":"5x","e":"#"}])",
     "select count(*) n from items where t like '5!%' escape e", R"([{"n":1}])"},
    {"printf_knows_every_conversion", R"([{"t":"é!"}])",
     "select printf('%z|%s|%c|%q|%Q|%w|%d|%x|%.1f|%%', t, t, t, t, t, t, 7, 255, 1.5) p from items",
     R"([{"p":"é!|é!|é|é!|'é!'|é!|7|ff|1.5|%"}])"},
    {"groups_of_infinite_numbers_are_json", R"([{"n":1}])",
     "select json_extract(json_group_array(9e999), '$[0]') is null g from items", R"([{"g":1}])"},
    {"like_ignores_case", R"([{"t":"Hello World"}])",
     "select count(*) n from items where t like '%o w%' and t not like 'o%'", R"([{"n":1}])"},
    {"regexp", R"([{"t":"err42"},{"t":"ok"}])", "select t from items where t regexp '^err[0-9]+$'",
     R"([{"t":"err42"}])"},
};

INSTANTIATE_TEST_SUITE_P(Sql, SqlAnswers, ::testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Sql, reads_tables_written_as_text) {
  EXPECT_EQ(ask(text("id,name,zip\n1,\"A, B\",01234\n2,,5\n"),
                "select id, name, zip from rows where id > 0"),
            R"([{"id":1,"name":"A, B","zip":"01234"},{"id":2,"name":null,"zip":5}])");
  EXPECT_EQ(ask(text("intro\n\n| k | v |\n|---|---|\n| a | 1 |\n| b | 2 |\n\ntext"),
                "select sum(v) s from rows"),
            R"([{"s":3}])");
  EXPECT_EQ(ask(text("a\tb\n1\t2\n"), "select b from rows"), R"([{"b":2}])");
  EXPECT_EQ(ask(text("{\"a\":1}\n{\"a\":2}\n"), "select sum(a) s from rows"), R"([{"s":3}])");
  EXPECT_EQ(ask(text("Found:\n```json\n[{\"a\":5}]\n```"), "select a from items"), R"([{"a":5}])");
  EXPECT_EQ(ask(text("one\ntwo\nthree"), "select n, text from lines where text like 't%'"),
            R"([{"n":2,"text":"two"},{"n":3,"text":"three"}])");
}

TEST(Sql, reads_listings_of_folders) {
  const json::Value tree = text(
      "src\n├── app\n│   ├── main.cc\n│   └── data\n│       └── big.json\n├── README\n└── link.md "
      "-> "
      "x/y\n\n2 directories, 4 files\n");
  EXPECT_EQ(ask(tree, "select path, ext from files where is_folder = 0"),
            R"([{"path":"app/main.cc","ext":"cc"},{"path":"app/data/big.json","ext":"json"},)"
            R"({"path":"README","ext":""},{"path":"link.md","ext":"md"}])");
}

TEST(Sql, does_not_take_prose_for_a_table) {
  EXPECT_THAT(ask(text("Hello, world.\nThis is prose, too.\n"), "select * from rows"),
              HasSubstr("expected a table that there is"));
}

TEST(Sql, reads_every_content_block) {
  EXPECT_EQ(ask(R"([{"type":"text","text":"x"},{"type":"text","text":"{\"a\":[{\"n\":7}]}"}])",
                "select n from a"),
            R"([{"n":7}])");
}

TEST(Sql, names_what_there_is_when_a_name_is_wrong) {
  EXPECT_EQ(ask(kShop, "select stat from orders"),
            "error: expected a column that there is, found \"stat\"; there are orders(id, status, "
            "sum, paid, customer, lines, customer_tier, customer_name, _i, _at, _json) | did you "
            "mean status?");
  EXPECT_EQ(ask(kShop, "select * from order_lines"),
            "error: expected a table that there is, found \"order_lines\"; there are orders, "
            "orders_lines, doc | did you mean orders_lines?");
  EXPECT_THAT(ask(kShop, "select id from orders where status = \"open\""),
              HasSubstr("single quotes: 'open'"));
  EXPECT_THAT(ask(kShop, "selec 1"), HasSubstr("found selec"));
  EXPECT_THAT(ask(kShop, "select id from orders, json_each(lines)"), HasSubstr("orders.id"));
  EXPECT_THAT(ask(kShop, "  "), HasSubstr("expected a SELECT, found nothing"));
  EXPECT_THAT(ask(kShop, "select 1; select 2"), HasSubstr("one statement"));
}

TEST(Sql, joins_two_answers) {
  const json::Value one = json::parse_own(R"([{"id":1},{"id":2}])");
  const json::Value two = json::parse_own(R"([{"id":2},{"id":3}])");
  const Tables first = tables_of(one);
  const Tables second = tables_of(two);
  const SqlSource sources[] = {{"a", &first}, {"b", &second}};
  const auto result =
      run_sql("select id from items where id not in (select id from b.items)", sources);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(json::to_text(result->rows.view()), R"([{"id":1}])");
}

TEST(Sql, keeps_only_the_rows_of_the_window_and_counts_all) {
  const json::Value list = json::parse_own("[10,11,12,13]");
  const Tables tables = tables_of(list);
  const SqlSource source{"a", &tables};
  const auto result = run_sql("select value from items", {&source, 1}, {}, {1, 2});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->total, 4U);
  EXPECT_EQ(json::to_text(result->rows.view()), R"([{"value":11},{"value":12}])");
}

class SqlRefuses : public ::testing::TestWithParam<std::string_view> {};

TEST_P(SqlRefuses, what_is_more_than_a_select) {
  EXPECT_THAT(ask(kShop, GetParam()), HasSubstr("error: expected a SELECT over the tables"));
}

INSTANTIATE_TEST_SUITE_P(
    Sql, SqlRefuses,
    ::testing::Values("delete from orders", "drop table orders", "create table t(a)",
                      "attach 'file' as f", "pragma database_list", "vacuum", "begin",
                      "select load_extension('x')", "select fts3_tokenizer('simple')",
                      "select random()", "select randomblob(10)", "select zeroblob(100)",
                      "select * from sqlite_master", "select * from pragma_table_info('orders')",
                      "select * from pragma_database_list", "select * from dbstat",
                      "with t as (select 1) insert into orders select * from t",
                      "select sqlite_version()", "explain select 1", "reindex", "analyze"));

TEST(Sql, is_not_ended_for_the_memory_of_another_statement) {
  const Tables tables = tables_of(json::parse_own("[1,2]"));
  const SqlSource source{"a", &tables};
  const auto distinct = [&](int count, std::function<bool()> is_late) {
    return run_sql(
        "with recursive t(n) as (select 1 union all select n + 1 from t where n < " +
            std::to_string(count) + ") select count(distinct printf('%0100d', n)) c from t",
        {&source, 1}, {.is_late = std::move(is_late), .most_memory = std::size_t{32} << 20});
  };
  std::latch has_much(1);
  std::latch has_ended(1);
  std::thread other;
  int asked = 0;
  const auto ended = distinct(100'000, [&] {
    if (asked++ > 0) return false;
    other = std::thread([&] {
      const auto before = sqlite3_memory_used();
      bool waits = true;
      const auto kept = distinct(180'000, [&] {
        if (waits && sqlite3_memory_used() - before > 20'000'000) {
          waits = false;
          has_much.count_down();
          has_ended.wait();
        }
        return false;
      });
      EXPECT_TRUE(kept && !waits);
    });
    has_much.wait();
    return false;
  });
  has_ended.count_down();
  other.join();
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(json::to_text(ended->rows.view()), R"([{"c":100000}])");
}

TEST(Sql, ends_statements_that_take_too_long) {
  int asked = 0;
  const Tables tables = tables_of(json::parse_own("[1,2]"));
  const SqlSource source{"a", &tables};
  const SqlBounds bounds{.is_late = [&] { return ++asked > 10; }};
  for (const std::string_view sql :
       {"with recursive t(n) as (select 1 union all select n+1 from t) select count(*) from t",
        "select count(*) from items a, items b, items c, items d, items e, items f, items g, "
        "items h, items i, items j, items k, items l, items m, items n, items o, items p, items q, "
        "items r, items s, items t, items u, items v, items w, items x, items y, items z"}) {
    asked = 0;
    const auto result = run_sql(sql, {&source, 1}, bounds);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::limit_exceeded);
  }
}

TEST(Sql, ends_statements_that_take_too_much_memory) {
  EXPECT_THAT(ask(kShop, "select readfile('/etc/passwd')"), HasSubstr("found readfile"));
  EXPECT_THAT(ask("[1]",
                  "with recursive t(n, x) as (select 1, 'x' union all select n+1, x||n||x from t "
                  "where n < 25) select group_concat(x) from t order by x"),
              HasSubstr("8 MiB"));
  EXPECT_THAT(
      ask("[1]",
          "with recursive t(n) as (select 1 union all select n+1 from t limit 3000000) select n, "
          "printf('%.1000c', 'x') p from t order by p desc, n"),
      HasSubstr("memory"));
}

TEST(Sql, refuses_expressions_that_copy_each_other) {
  std::string sql = "with t0 as (select 1 x)";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "t" + std::to_string(i - 1);
    sql += ", t" + std::to_string(i) + " as (select * from " + before + ", " + before + ")";
  }
  EXPECT_THAT(ask("[1]", sql + " select count(*) from t39"), HasSubstr("500 copies"));
}

TEST(Sql, takes_the_time_from_its_caller) {
  const Tables tables = tables_of(json::parse_own("[1]"));
  const SqlSource source{"a", &tables};
  const auto result =
      run_sql("select date('now') d, datetime('2026-01-02') e", {&source, 1}, {.now = 86'400'000});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(json::to_text(result->rows.view()),
            R"([{"d":"1970-01-02","e":"2026-01-02 00:00:00"}])");
}

TEST(Sql, text_functions_take_linear_time) {
  const std::string long_a(std::size_t{1} << 20, 'a');
  json::Writer writer;
  writer.begin_array().begin_object().member("t", long_a).end_object().end_array();
  const json::Value payload = std::move(writer).finish_value();
  EXPECT_EQ(ask(payload, "select t like '%a%a%a%a%a%a%a%a%a%b' x from items"), R"([{"x":0}])");
  EXPECT_EQ(ask(payload, "select instr(t, substr(t, 1, 500000)||'b') x from items"),
            R"([{"x":0}])");
  EXPECT_EQ(ask(payload, "select length(trim(t, t)) x from items"), R"([{"x":0}])");
  EXPECT_EQ(ask(payload, "select length(replace(t, substr(t, 1, 500000)||'b', '')) x from items"),
            R"([{"x":1048576}])");
}

}  // namespace
}  // namespace enfold::retrieve
