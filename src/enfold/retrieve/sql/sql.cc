// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/sql/sql.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/sql/sandbox.h"
#include "enfold/retrieve/sql/virtual_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <sqlite3.h>

namespace enfold::retrieve {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// The name as a quoted identifier of SQL.
std::string quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

bool execute(sqlite3* database, const std::string& sql) {
  return sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// The tables of all sources. SQLite learns of a table when a statement first names it, because an
/// answer may have many tables, and each of them many names.
class Catalog {
 public:
  Catalog(sqlite3* database, std::span<const SqlSource> sources)
      : database_(database), sources_(sources) {}

  /// Makes a schema for each source: the first is `main`, renamed to the name of the source; each
  /// other source has a schema with its name. False: SQLite failed.
  [[nodiscard]] bool open() {
    bool done = detail::register_tables(database_, rows_) &&
                sqlite3_db_config(database_, SQLITE_DBCONFIG_MAINDBNAME,
                                  sources_.front().name.c_str()) == SQLITE_OK;
    for (const SqlSource& source : sources_.subspan(1)) {
      done =
          done && execute(database_, fmt::format("attach ':memory:' as {}", quoted(source.name)));
    }
    return done;
  }

  [[nodiscard]] std::span<const SqlSource> sources() const { return sources_; }

  /// Creates the table with this name: "orders", "b.orders". False: no source has it, or SQLite
  /// failed.
  [[nodiscard]] bool create(std::string_view name) {
    const std::size_t dot = name.find('.');
    const std::string_view schema = dot == std::string_view::npos ? "" : name.substr(0, dot);
    const std::string_view table = dot == std::string_view::npos ? name : name.substr(dot + 1);
    for (const SqlSource& source : sources_) {
      const bool is_first = &source == &sources_.front();
      const bool is_meant = schema.empty() ? is_first
                                           : to_lower(schema) == to_lower(source.name) ||
                                                 (is_first && to_lower(schema) == "main");
      const auto index = is_meant ? source.tables->find(table) : std::nullopt;
      if (!index) continue;
      rows_.push_back(std::make_unique<detail::TableRows>(*source.tables, *index));
      return execute(database_, fmt::format("create virtual table {}.{} using enfold({})",
                                            quoted(is_first ? "main" : source.name), quoted(table),
                                            rows_.size() - 1));
    }
    return false;
  }

 private:
  sqlite3* database_;
  std::span<const SqlSource> sources_;
  detail::TableList rows_;  ///< of the tables that were created
};

/// The names of the first 30 tables, for a message.
std::string names_of(const Tables& tables) {
  std::vector<std::string_view> names;
  for (const Table& table : tables.tables) names.push_back(table.name);
  constexpr std::size_t most = 30;
  if (names.size() > most) names.resize(most);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// "TABLE(COLUMN, …)" with the first 40 columns, for a message.
std::string columns_of(const Table& table) {
  constexpr std::size_t most = 40;
  std::vector<std::string_view> names;
  for (const Column& column : table.columns) {
    const bool is_dotted = column.name.find('.') != std::string::npos;
    if (!is_dotted && names.size() < most) names.push_back(column.name);
  }
  return fmt::format("{}({})", table.name, fmt::join(names, ", "));
}

/// The tables whose names occur in the statement; if none does, all tables. At most five.
std::vector<const Table*> tables_named(std::string_view statement, const Tables& tables) {
  const std::string lower = to_lower(statement);
  std::vector<const Table*> named;
  for (const Table& table : tables.tables) {
    bool occurs = lower.find(to_lower(table.name)) != std::string::npos;
    for (const std::string& other : table.other_names) {
      occurs = occurs || lower.find(other) != std::string::npos;
    }
    if (occurs) named.push_back(&table);
  }
  if (named.empty()) {
    for (const Table& table : tables.tables) named.push_back(&table);
  }
  constexpr std::size_t most = 5;
  if (named.size() > most) named.resize(most);
  return named;
}

Error no_such_column(std::string_view column, std::string_view statement, const Tables& tables) {
  const std::size_t dot = column.rfind('.');
  const std::string_view bare = dot == std::string_view::npos ? column : column.substr(dot + 1);
  std::vector<std::string> listed;
  std::vector<std::string> names;
  for (const Table* table : tables_named(statement, tables)) {
    listed.push_back(columns_of(*table));
    for (const Column& each : table->columns) names.push_back(each.name);
  }
  const bool was_quoted = statement.find(fmt::format("\"{}\"", column)) != std::string_view::npos;
  const std::string near = nearest_name(bare, names);
  std::string hint = "name a column that is listed, or use _json ->> 'name'";
  if (!near.empty()) hint = fmt::format("did you mean {}?", near);
  if (was_quoted) hint = fmt::format("a text is written in single quotes: '{}'", column);
  return {ErrorCode::invalid_input,
          fmt::format("expected a column that there is, found {}; there are {}",
                      json::quote(column), fmt::join(listed, "; ")),
          "sql", std::move(hint)};
}

Error no_such_table(std::string_view table, std::span<const SqlSource> sources) {
  std::vector<std::string> known;
  std::string listed;
  for (const SqlSource& source : sources) {
    const bool is_first = &source == &sources.front();
    for (const Table& each : source.tables->tables) {
      known.push_back(is_first ? each.name : source.name + "." + each.name);
    }
    if (!listed.empty()) listed += fmt::format("; in {}: ", source.name);
    listed += names_of(*source.tables);
  }
  return {ErrorCode::invalid_input,
          fmt::format("expected a table that there is, found {}; there are {}", json::quote(table),
                      listed),
          "sql", did_you_mean(table, known, "name one of these tables")};
}

/// The error of a statement that SQLite refused with `code`, with the tables and columns to choose
/// from.
Error statement_error(sqlite3* database, const detail::Sandbox& sandbox, int code,
                      std::string_view statement, std::span<const SqlSource> sources) {
  using Stop = detail::Sandbox::Stop;
  const std::string_view message = sqlite3_errmsg(database);
  // The rest of SQLite's message, if the message begins with `start`.
  const auto rest_after = [&](std::string_view start) -> std::optional<std::string_view> {
    if (!message.starts_with(start)) return std::nullopt;
    return message.substr(start.size());
  };
  if (!sandbox.denied().empty()) {
    return {
        ErrorCode::unauthorized,
        fmt::format("expected a SELECT over the tables of the answer, found {}", sandbox.denied()),
        "sql", "only SELECT, and functions without side effects, may be used"};
  }
  if (sandbox.stop() == Stop::calls) {
    return {ErrorCode::limit_exceeded,
            "expected at most 50 calls of functions and operators such "
            "as like",
            "sql", "select fewer columns, or ask in several statements"};
  }
  if (sandbox.stop() == Stop::memory || code == SQLITE_NOMEM) {
    return {ErrorCode::limit_exceeded, "the statement needs more memory than it may use", "sql",
            "select fewer columns, or add a condition"};
  }
  if (sandbox.stop() != Stop::none) {
    return {ErrorCode::limit_exceeded, "the statement takes longer than it may", "sql",
            "join over _parent = _i or another column with =, or add a condition"};
  }
  if (code == SQLITE_TOOBIG) {
    return {ErrorCode::limit_exceeded, "a value is larger than the 8 MiB that one may have", "sql",
            "use the tables of the answer, not the whole of it"};
  }
  if (const auto column = rest_after("no such column: ")) {
    return no_such_column(*column, statement, *sources.front().tables);
  }
  if (const auto column = rest_after("ambiguous column name: ")) {
    const auto named = tables_named(statement, *sources.front().tables);
    return {
        ErrorCode::invalid_input,
        fmt::format("expected a column of one table, found {}, which several have", *column), "sql",
        fmt::format("write the table before it, for example {}.{}", named.front()->name, *column)};
  }
  if (const auto function = rest_after("no such function: ")) {
    return {ErrorCode::invalid_input,
            fmt::format("expected a function of SQLite that may be used, found {}", *function),
            "sql", "functions that read files, load extensions or are random are not there"};
  }
  return {ErrorCode::invalid_input, fmt::format("expected a SELECT of SQLite, found: {}", message),
          "sql", fmt::format("the tables are {}", names_of(*sources.front().tables))};
}

/// The text with invalid UTF-8 replaced; casts in a statement can make such texts.
std::string valid_text(std::string_view text) {
  if (!utf8::first_invalid(text)) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) utf8::append(out, utf8::next(text, at));
  return out;
}

// Objects and lists of the answer are JSON texts in SQL; in the result they are objects and lists
// again.
void write_text(json::Writer& writer, std::string_view text) {
  if (text.starts_with('{') || text.starts_with('[')) {
    if (const auto document = json::parse(text)) {
      writer.value(document->value());
      return;
    }
  }
  writer.string(valid_text(text));
}

void write_value(json::Writer& writer, sqlite3_stmt* row, int column) {
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER: writer.integer(sqlite3_column_int64(row, column)); return;
    case SQLITE_FLOAT: {
      const double value = sqlite3_column_double(row, column);
      std::isfinite(value) ? writer.real(value) : writer.null();
      return;
    }
    case SQLITE_TEXT:
      write_text(writer, {reinterpret_cast<const char*>(sqlite3_column_text(row, column)),
                          static_cast<std::size_t>(sqlite3_column_bytes(row, column))});
      return;
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(row, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
      writer.string(to_hex({bytes, size}));
      return;
    }
    default: writer.null(); return;
  }
}

/// Names of the result's columns. If several have the same name, the second gets "_2", the third
/// "_3".
std::vector<std::string> result_columns(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  std::set<std::string> used;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const std::string name = valid_text(sqlite3_column_name(statement, i));
    std::string distinct = name;
    for (int n = 2; !used.insert(distinct).second; ++n) distinct = fmt::format("{}_{}", name, n);
    names.push_back(std::move(distinct));
  }
  return names;
}

/// The table that is missing according to SQLite's last error; nullopt: it was another error.
std::optional<std::string> missing_table(sqlite3* database) {
  constexpr std::string_view start = "no such table: ";
  const std::string_view message = sqlite3_errmsg(database);
  if (!message.starts_with(start)) return std::nullopt;
  return std::string(message.substr(start.size()));
}

/// Compiles the statement. SQLite names one missing table after the other; each is created, and the
/// statement compiled again. `error` makes the Error for a code of SQLite.
Result<Statement> prepare(sqlite3* database, std::string_view text, Catalog& catalog,
                          detail::Sandbox& sandbox, const std::function<Error(int)>& error) {
  constexpr int most_tables = 64;
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  int code = SQLITE_ERROR;
  for (int created = 0; created < most_tables; ++created) {
    sandbox.lock_down(database);
    code = sqlite3_prepare_v2(database, text.data(), static_cast<int>(text.size()), &raw, &tail);
    const auto missing = code == SQLITE_OK ? std::nullopt : missing_table(database);
    if (!missing) break;
    sandbox.unlock(database);
    if (catalog.create(*missing)) continue;
    return tl::unexpected(no_such_table(*missing, catalog.sources()));
  }
  Statement statement(raw);
  if (code != SQLITE_OK) return tl::unexpected(error(code));
  if (!statement) {
    return fail(ErrorCode::invalid_input, "expected a SELECT, found nothing", "sql",
                "for example: select count(*) from items");
  }
  const auto used = static_cast<std::size_t>(tail - text.data());
  if (!trimmed(text.substr(used), " \t\r\n;").empty()) {
    return fail(ErrorCode::invalid_input, "expected one statement, found another one behind it",
                fmt::format("byte {} of sql", used), "send one SELECT at a time");
  }
  return statement;
}

Result<SqlResult> run(std::string_view text, std::span<const SqlSource> sources,
                      const SqlBounds& bounds, answer::Window window) {
  if (text.size() > kLongestStatement) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} bytes, found {}", kLongestStatement, text.size()),
                "sql", "shorten the statement");
  }
  ENFOLD_TRY(detail::check_statement(text));
  detail::Sandbox sandbox(bounds);
  ENFOLD_TRY(const detail::Connection database, sandbox.open());
  Catalog catalog(database.get(), sources);
  if (!catalog.open()) return fail(ErrorCode::internal, "SQLite could not be started");
  const auto error = [&](int code) {
    return statement_error(database.get(), sandbox, code, text, sources);
  };
  ENFOLD_TRY(const Statement statement, prepare(database.get(), text, catalog, sandbox, error));
  SqlResult result{.columns = result_columns(statement.get())};
  json::Writer rows;
  rows.begin_array();
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
    const std::size_t position = result.total++;
    if (result.total > bounds.most_rows) {
      return fail(ErrorCode::limit_exceeded,
                  fmt::format("expected at most {} rows, found more", bounds.most_rows), "sql",
                  "count or group the rows, or add a limit");
    }
    if (!window.holds(position)) continue;
    rows.begin_object();
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      rows.key(result.columns[i]);
      write_value(rows, statement.get(), static_cast<int>(i));
    }
    rows.end_object();
  }
  if (code != SQLITE_DONE) return tl::unexpected(error(code));
  result.rows = std::move(rows.end_array()).finish_value();
  return result;
}

}  // namespace

extern "C" {
extern const detail::SqlEngine enfold_sql_engine;
const detail::SqlEngine enfold_sql_engine{.run = run};
}

}  // namespace enfold::retrieve
