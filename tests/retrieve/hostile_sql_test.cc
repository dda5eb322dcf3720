// SPDX-License-Identifier: Apache-2.0
// Statements that try to read files, write, run for long or take much memory. Each one ends, within
// its bounds of processor time and memory, with an error or with rows of the answer.
#include "enfold/json/write.h"
#include "enfold/retrieve/sql/sql.h"

#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

namespace enfold::retrieve {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kSeconds = 0.25;  // a caller of the tool has 1.5
constexpr double kDelay = 0.5;     // until a statement that is late has ended
constexpr std::size_t kMemory = std::size_t{48} << 20;

// The time of this thread: other work on the machine does not count.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

Tables items() {
  json::Writer writer;
  writer.begin_array();
  for (int i = 0; i < 5000; ++i) {
    writer.begin_object().member("id", i).member("name", "name " + std::to_string(i));
    writer.member("status", i % 3 == 0 ? "open" : "closed").member("price", i * 3);
    writer.member("text", std::string(120, 'x'));
    writer.key("customer").begin_object().member("tier", "gold").end_object().end_object();
  }
  return tables_of(std::move(writer.end_array()).finish_value());
}

const Tables& orders() {
  static const Tables made = [] {
    json::Writer writer;
    writer.begin_object().key("orders").begin_array();
    for (int i = 0; i < 2000; ++i) {
      writer.begin_object().member("id", i).member("note", std::string(200, 'x'));
      writer.key("lines").begin_array().integer(i).integer(i + 1).end_array().end_object();
    }
    writer.end_array().end_object();
    return tables_of(std::move(writer).finish_value());
  }();
  return made;
}

struct Ended {
  std::string text;  ///< rows, or the error
  bool failed = false;
  double seconds = 0;
  std::int64_t memory = 0;  ///< most bytes that SQLite held beyond those before
};

Ended run(const std::string& statement, const Tables& tables) {
  const double start = processor_time();
  SqlBounds bounds;
  bounds.is_late = [&] { return processor_time() - start > kSeconds; };
  bounds.most_memory = kMemory;
  const std::int64_t before = sqlite3_memory_used();
  sqlite3_memory_highwater(1);
  const SqlSource source{"a", &tables};
  const auto result = run_sql(statement, {&source, 1}, bounds, {.size = 100});
  Ended ended{.failed = !result, .seconds = processor_time() - start};
  ended.text = result ? json::to_text(result->rows.view()) : result.error().message;
  ended.memory = sqlite3_memory_highwater(0) - before;
  return ended;
}

/// A file with a secret in an otherwise empty folder, which is the current one.
class HostileSql : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    folder_ = std::filesystem::temp_directory_path() / ("enfold-sql-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
    std::filesystem::current_path(folder_);
    std::ofstream("secret.txt") << "canary-4711";
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  Ended expect_harmless(const std::string& statement, const Tables& tables = orders()) {
    const Ended ended = run(statement, tables);
    EXPECT_THAT(ended.text, Not(HasSubstr("canary"))) << statement.substr(0, 200);
    EXPECT_LT(ended.seconds, kSeconds + kDelay) << statement.substr(0, 200);
    EXPECT_LT(ended.memory, std::int64_t{64} << 20) << statement.substr(0, 200);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder_)) ++files;
    EXPECT_EQ(files, 1U) << statement.substr(0, 200);
    return ended;
  }
  void expect_refused(const std::string& statement) {
    EXPECT_TRUE(expect_harmless(statement).failed) << statement.substr(0, 200);
  }

 private:
  std::filesystem::path before_, folder_;
};

TEST_F(HostileSql, is_refused_if_it_reads_files_or_writes) {
  const char* const statements[] = {
      "attach 'secret.txt' as s",
      "attach database 'new.db' as n",
      "select 1; attach 'new.db' as n",
      "detach a",
      "pragma table_info(orders)",
      "pragma temp_store_directory = '.'",
      "pragma writable_schema = on",
      "PRAGMA database_list",
      "select * from pragma_database_list",
      "select * from pragma_function_list",
      "select * from pragma_compile_options()",
      "select * from \"pragma_table_list\"",
      "select readfile('secret.txt')",
      "select writefile('new.txt', 'x')",
      "select load_extension('./secret.txt')",
      "select edit('x')",
      "select fts3_tokenizer('simple')",
      "select fts3_tokenizer('simple', x'00')",
      "select hex(fts3_tokenizer('simple'))",
      "select * from dbstat",
      "select * from sqlite_dbpage",
      "select * from sqlite_stmt",
      "select * from sqlite_master",
      "select * from sqlite_schema",
      "select * from sqlite_temp_master",
      "select * from main.sqlite_master",
      "select * from fts3tokenize('simple', 'x')",
      "select * from fsdir('.')",
      "select * from csv('secret.txt')",
      "select * from zipfile('secret.txt')",
      "create table t(a)",
      "create temp table t as select 1",
      "create virtual table f using fts5(a)",
      "create virtual table c using csv(filename='secret.txt')",
      "create trigger t after insert on orders begin select 1; end",
      "create view v as select 1",
      "insert into orders(id) values (1)",
      "update orders set id = 1",
      "delete from orders",
      "drop table orders",
      "replace into orders(id) values (1)",
      "vacuum into 'new.db'",
      "analyze",
      "reindex",
      "begin exclusive",
      "savepoint s",
      "rollback",
      "explain select 1",
      "with t as (select 1) insert into orders(id) select * from t",
      "select random()",
      "select randomblob(10)",
      "select hex(randomblob(1000000000))",
      "select sqlite_source_id()",
      "select sqlite_compileoption_get(0)",
      "select last_insert_rowid(), changes(), total_changes()",
      "select \"no such name\" from orders",
      "select ? from orders",
      "select :a, @b, $c",
      "select 'unfinished",
      "",
      ";;;",
      "select 1; select 2",
      "\xff\xfe select 1",
  };
  for (const char* statement : statements) expect_refused(statement);
}

TEST_F(HostileSql, ends_within_its_bounds) {
  std::string deep = "1";
  for (int i = 0; i < 1000; ++i) deep = "(" + deep + ")";
  std::string wide = "select 1";
  for (int i = 0; i < 3000; ++i) wide += ",1";
  std::string many = "select 1";
  for (int i = 0; i < 600; ++i) many += " union select 1";
  const std::string statements[] = {
      "with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t",
      "with recursive t(n) as (select 1 union all select n + 1 from t) select max(n) from t",
      "with recursive t(s) as (select 'x' union all select s || s from t) select length(s) from t",
      "with recursive t(s) as (select 'x' union all select s || s from t) select s from t",
      "select count(*) from orders a, orders b, orders c, orders d",
      "select group_concat(a.note) from orders a, orders b",
      "select a.note || b.note || c.note from orders a, orders b, orders c order by 1",
      "select json_group_array(a._json) from orders a, orders b",
      "select distinct a.note || b.id || c.id from orders a, orders b, orders c",
      "select printf('%.*c', 2000000000, 'x')",
      "select zeroblob(2000000000)",
      "select hex(zeroblob(500000000))",
      "select replace(printf('%.*c', 1000000, 'x'), 'x', printf('%.*c', 1000, 'y'))",
      "select count(*) from orders where note like '%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%y'",
      "select count(*) from orders where note glob '*x*x*x*x*x*x*x*x*x*x*x*x*x*x*y'",
      "select count(*) from orders where note regexp '(x+x+)+y'",
      "select count(*) from orders where note regexp '(((((x{100}){100}){100}){100}){100})'",
      "select count(*) from orders a left join orders b on a.note < b.note || 'y' where b.id is "
      "null",
      "select sum(length(a.note || b.note)) over (order by a.note) from orders a, orders b",
      "select json_extract(printf('%.*c', 5000000, '['), '$')",
      "select count(*) from json_tree((select json from doc)) a, json_tree((select json from doc)) "
      "b",
      "select " + deep,
      "values (1), (2)",
      "select 1 /* unfinished",
      "select format('%99999999999d', 1), printf('%.1000000s', 'x')",
      "select json_group_object(a.id, a._json) from orders a, orders b",
      wide,
      many,
      "select count(*) from (select 1 union all select 2), " + std::string("orders a, orders b") +
          " where a.id + b.id > -1",
  };
  for (const std::string& statement : statements) expect_harmless(statement);
}

// The text of a group is memory of SQLite, so that its bound counts it.
TEST_F(HostileSql, cannot_hold_many_groups_in_memory) {
  std::string statement = "select 0";
  for (int i = 0; i < 24; ++i) {
    statement += ", length(json_group_array(a.note || " + std::to_string(i) + "))";
  }
  expect_refused(statement + " from orders a, orders b");
}

// One text of 4 MB, on which one call of a function can take seconds.
TEST_F(HostileSql, ends_in_time_inside_one_long_text) {
  std::string text;
  for (std::uint32_t x = 1; text.size() < 4'000'000; x = x * 1'103'515'245 + 12'345) {
    text += ((x >> 16U) & 1U) != 0 ? 'a' : 'b';
  }
  json::Writer writer;
  writer.begin_array().begin_object().member("t", text).end_object();
  writer.begin_object().member("t", "short").end_object();
  const Tables tables = tables_of(std::move(writer.end_array()).finish_value());
  const auto repeated = [](std::string_view part, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += part;
    return all;
  };
  const std::string alike = "%" + repeated("a_", 400);
  const std::string statements[] = {
      "select count(*) from items where t like '" + alike + "c'",
      "select count(*) from items where t like '" + alike + "c' or t like '" + alike + "d'",
      "select count(*) from items where t glob '*" + repeated("[ab]", 240) + "c'",
      "select count(*) from items where t regexp '(a|b)*a(a|b){200}c'",
      "select count(*) from items where t regexp '^(a|b)*a(a|b){200}c'",
      "select count(*) from items where t regexp 'a.{0,900}c'",
      "select 1" + repeated(", t regexp 'a[ab]{200}c\\b'", 45) + " from items",
      "select count(*) from items where t regexp '(a|b)*a(a|b){200}c$'",
      "select count(*) from items where substr(t, 1, 460000) regexp 'a[ab]{200}c\\b'",
      "select 1" + repeated(", json_valid(t || 1)", 400) + " from items",
      "select 1" + repeated(", json_valid(t || 1)", 45) + " from items",
      "select 1" + repeated(", length(upper(t))", 20) + " from items",
      "select 1" + repeated(", (t || 1) < (t || 2)", 350) + " from items",
  };
  for (const std::string& statement : statements) expect_harmless(statement, tables);
  for (const char* fast :
       {"t like '%aab%'", "t regexp 'error|warning|fatal|panic|aaab'", "t regexp '(?i)aab.*bba'",
        "t regexp '[^c]{30}\\b'", "t regexp '^[ab]+$'", "t glob '*a?b*'", "instr(t, 'bab') > 0"}) {
    const Ended ended = run(fmt::format("select count(*) as n from items where {}", fast), tables);
    EXPECT_EQ(ended.text, R"([{"n":1}])") << fast;
  }
}

std::string statement_of(json::View one) {
  if (const auto sql = one.find("sql")) return sql->string();
  const json::View parts = *one.find("repeat");
  std::string statement = parts.find("prefix")->string();
  const std::string body = parts.find("body")->string();
  for (std::int64_t i = 0; i < *parts.find("times")->integer(); ++i) statement += body;
  return statement + parts.find("suffix")->string();
}

TEST_F(HostileSql, that_was_written_blind_is_refused_or_bounded) {
  std::ifstream file(ENFOLD_SOURCE_DIR "/tests/golden/hostile_sql/blind.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto cases = json::parse(text);
  ASSERT_TRUE(cases);
  const Tables tables = items();
  for (const json::View one : cases->root().items()) {
    SCOPED_TRACE(one.find("name")->string());
    const Ended ended = expect_harmless(statement_of(one), tables);
    if (one.find("must")->equals("refused")) {
      EXPECT_TRUE(ended.failed) << ended.text.substr(0, 300);
    }
  }
}

}  // namespace
}  // namespace enfold::retrieve
