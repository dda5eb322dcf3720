// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/sql/virtual_table.h"

#include "enfold/json/write.h"
#include "enfold/retrieve/sql/functions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unordered_map>

namespace enfold::retrieve::detail {

const Rows& TableRows::rows() {
  if (!rows_) rows_ = std::make_unique<Rows>(tables_, index_);
  return *rows_;
}

namespace {

using Source = Column::Source;

// How `filter` finds the rows: all rows, one row by its number, a range of numbers, the rows of one
// parent, or the rows with a value. If a statement has several equalities, `best_index` takes the
// one with the smallest plan. It passes the plan and the flags in sqlite3_index_info::idxNum.
enum Plan : int { kScan, kByPosition, kByRange, kByParent, kByValue };
constexpr int kPlan = 15;        // mask of the plan
constexpr int kLower = 16;       // kByRange has a lower bound
constexpr int kUpper = 32;       // kByRange has an upper bound
constexpr int kDescending = 64;  // rows in reverse order

/// Values that SQL may find equal, with any column type, have equal keys: 64, 64.0 and '64'. Values
/// with equal keys need not be equal, because SQLite compares the rows again.
std::string comparison_key(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::string(text);
  return fmt::format("{:.15g}", number);
}

std::string comparison_key(json::View value) {
  if (value.is_boolean()) return value.boolean() ? "1" : "0";
  if (value.is_string()) return comparison_key(value.string());
  if (value.is_container()) return json::to_text(value);
  return comparison_key(value.raw());
}

/// Rows by the comparison_key of their value in one column.
using ValueIndex = std::unordered_multimap<std::string, std::uint32_t>;

struct VirtualTable {
  sqlite3_vtab base{};  // must be first
  TableRows* rows = nullptr;
  // A column that is looked up twice, as the inner side of a join is, gets an index.
  struct Lookup {
    int times = 0;     // that the column was looked up
    ValueIndex index;  // built for the second lookup
  };
  std::unordered_map<std::size_t, Lookup> lookups;  // by number of the column
};

struct RowCursor {
  sqlite3_vtab_cursor base{};  // must be first
  // `row` runs from `begin` to `end`. All three are numbers of rows, or if `uses_index` positions
  // in `chosen`.
  std::size_t begin = 0;
  std::size_t row = 0;
  std::size_t end = 0;
  std::vector<std::uint32_t> chosen;  ///< rows that an index found, ascending
  bool uses_index = false;            ///< `chosen` is used
  bool is_descending = false;

  [[nodiscard]] std::size_t current() const {
    const std::size_t at = is_descending ? begin + end - 1 - row : row;
    return uses_index ? chosen[at] : at;
  }
};

VirtualTable& table_of(sqlite3_vtab* base) { return *reinterpret_cast<VirtualTable*>(base); }
RowCursor& cursor_of(sqlite3_vtab_cursor* base) { return *reinterpret_cast<RowCursor*>(base); }

std::string quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    if (c != '\0') out += c;
  }
  return out + '"';
}

std::string_view affinity(ColumnType type) {
  switch (type) {
    case ColumnType::integer: return "INTEGER";
    case ColumnType::real: return "REAL";
    case ColumnType::text:
    case ColumnType::json: return "TEXT";
    case ColumnType::mixed: return "";
  }
  return "";
}

// The statement by which SQLite learns the columns of a table.
std::string declaration(const Table& table) {
  std::string out = "CREATE TABLE x(";
  for (const Column& column : table.columns) {
    if (out.back() != '(') out += ',';
    out += fmt::format("{} {} {}", quoted(column.name), affinity(column.type),
                       column.is_hidden ? "HIDDEN" : "");
  }
  return out + ")";
}

// From here to make_module: the functions of the module, which SQLite calls, and their helpers.

// CREATE VIRTUAL TABLE … USING enfold(NUMBER): `arguments` are the module, the database, the name
// of the table, and the index of the table in `tables`.
int connect(sqlite3* database, void* context, int count, const char* const* arguments,
            sqlite3_vtab** made, char** /*error*/) {
  auto& tables = *static_cast<TableList*>(context);
  std::size_t index = tables.size();  // no table, unless an argument names one
  if (count == 4) {
    const std::string_view text = arguments[3];
    std::from_chars(text.data(), text.data() + text.size(), index);
  }
  if (index >= tables.size()) return SQLITE_ERROR;
  const int code = sqlite3_declare_vtab(database, declaration(tables[index]->table()).c_str());
  if (code != SQLITE_OK) return code;
  auto table = std::make_unique<VirtualTable>();
  table->rows = tables[index].get();
  *made = &table.release()->base;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* base) {
  delete &table_of(base);
  return SQLITE_OK;
}

// The plan for an equality with a value in this column; kScan: the column does not help.
Plan plan_for(const Column& column) {
  switch (column.source) {
    case Source::position:
    case Source::line: return kByPosition;
    case Source::parent: return kByParent;
    case Source::path:
    case Source::cell: return column.type == ColumnType::json ? kScan : kByValue;
    default: return kScan;
  }
}

const Column& column_of(const Table& table, int column) {
  return table.columns[static_cast<std::size_t>(column)];
}

// Whether the column has the number of the row. SQLite passes -1 for its own row id.
bool is_position(const Table& table, int column) {
  return column >= 0 && plan_for(column_of(table, column)) == kByPosition;
}

/// The indexes of the constraints that bound a position from below and above; -1: none.
struct Bounds {
  int lower = -1;
  int upper = -1;
};

Bounds bounds_in(const Table& table, const sqlite3_index_info& info) {
  Bounds bounds;
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    if (constraint.usable == 0 || !is_position(table, constraint.iColumn)) continue;
    const bool is_lower =
        constraint.op == SQLITE_INDEX_CONSTRAINT_GT || constraint.op == SQLITE_INDEX_CONSTRAINT_GE;
    const bool is_upper =
        constraint.op == SQLITE_INDEX_CONSTRAINT_LT || constraint.op == SQLITE_INDEX_CONSTRAINT_LE;
    if (is_lower && bounds.lower < 0) bounds.lower = i;
    if (is_upper && bounds.upper < 0) bounds.upper = i;
  }
  // Both bounds must be of one column, because `_i` counts from 0 and `n` from 1.
  const bool differ =
      bounds.lower >= 0 && bounds.upper >= 0 &&
      info.aConstraint[bounds.lower].iColumn != info.aConstraint[bounds.upper].iColumn;
  if (differ) bounds.upper = -1;
  return bounds;
}

/// The index of the best constraint of the form `column = value`, and its plan in `best`; -1: there
/// is none.
int equality_in(const Table& table, sqlite3_index_info* info, Plan& best) {
  int chosen = -1;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.iColumn < 0) continue;
    const Plan plan = plan_for(column_of(table, constraint.iColumn));
    const bool is_binary = std::string_view(sqlite3_vtab_collation(info, i)) == "BINARY";
    if (plan == kScan || (plan == kByValue && !is_binary)) continue;
    if (best != kScan && plan > best) continue;
    best = plan;
    chosen = i;
  }
  return chosen;
}

// Chooses the plan for `filter`, which may find too many rows: SQLite checks the constraints of
// each row again.
int best_index(sqlite3_vtab* base, sqlite3_index_info* info) {
  const Table& table = table_of(base).rows->table();
  double rows = static_cast<double>(table.count + 1);
  Plan best = kScan;
  int column = -1;
  int flags = 0;
  int arguments = 0;
  // Asks SQLite to pass the value of the constraint with this index to `filter`; -1: does nothing.
  const auto use = [&](int constraint, int flag) {
    if (constraint < 0) return;
    info->aConstraintUsage[constraint].argvIndex = ++arguments;
    column = info->aConstraint[constraint].iColumn;
    flags |= flag;
  };
  use(equality_in(table, info, best), /*flag=*/0);
  if (best == kScan) {
    const Bounds bounds = bounds_in(table, *info);
    use(bounds.lower, kLower);
    use(bounds.upper, kUpper);
    for (int i = 0; i < arguments; ++i) rows = 1 + rows / 4;  // a guess, as are the 10 below
    if (arguments > 0) best = kByRange;
  } else {
    rows = best == kByPosition ? 1 : 10;
  }
  const bool is_ordered = info->nOrderBy == 1 && is_position(table, info->aOrderBy[0].iColumn);
  if (is_ordered) info->orderByConsumed = 1;
  if (is_ordered && info->aOrderBy[0].desc != 0) flags |= kDescending;
  info->idxNum = best | flags;
  info->estimatedCost = rows;
  info->estimatedRows = static_cast<sqlite3_int64>(rows);
  info->idxStr = sqlite3_mprintf("%d", column);
  info->needToFreeIdxStr = 1;
  return SQLITE_OK;
}

int open(sqlite3_vtab* /*base*/, sqlite3_vtab_cursor** made) {
  *made = &(new RowCursor)->base;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* base) {
  delete &cursor_of(base);
  return SQLITE_OK;
}

// Chooses the rows whose column has the value. The first lookup of a column leaves the cursor at
// all rows, because most statements have only one lookup, for which an index would cost more.
void choose_by_value(VirtualTable& table, std::size_t column, sqlite3_value* wanted,
                     RowCursor& cursor) {
  constexpr std::size_t most_indexed = 1'000'000;
  const Rows& rows = table.rows->rows();
  VirtualTable::Lookup& lookup = table.lookups[column];
  if (lookup.times++ == 0 || rows.size() > most_indexed) return;
  const Column& described = table.rows->table().columns[column];
  if (lookup.index.empty()) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      lookup.index.emplace(comparison_key(value_in(described, rows.value(row))),
                           static_cast<std::uint32_t>(row));
    }
  }
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(wanted));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(wanted));
  const auto [first, last] = lookup.index.equal_range(comparison_key(std::string_view(text, size)));
  for (auto it = first; it != last; ++it) cursor.chosen.push_back(it->second);
  std::sort(cursor.chosen.begin(), cursor.chosen.end());
  cursor.uses_index = true;
  cursor.end = cursor.chosen.size();
}

// Chooses the rows between the bounds in `values`, which may be fractions. `flags` says which
// bounds there are; `from` is the number of the first row.
void choose_range(int flags, std::int64_t from, sqlite3_value** values, RowCursor& cursor) {
  const auto first = static_cast<double>(from);
  const auto size = static_cast<double>(cursor.end);
  double lower = 0;
  double upper = size;
  // `step`: 1 for the upper bound, because `cursor.end` is the row after the last one.
  const auto bound = [&](sqlite3_value* value, double& to, double step) {
    const int type = sqlite3_value_numeric_type(value);
    if (type == SQLITE_NULL) upper = 0;
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return;
    to = std::clamp(std::floor(sqlite3_value_double(value)) - first + step, 0.0, size);
  };
  if ((flags & kLower) != 0) bound(*values++, lower, /*step=*/0);
  if ((flags & kUpper) != 0) bound(*values, upper, /*step=*/1);
  cursor.end = static_cast<std::size_t>(upper);
  cursor.begin = std::min(static_cast<std::size_t>(lower), cursor.end);
}

// Starts a pass over the rows. `flags` and `column` are the idxNum and idxStr that best_index set.
int filter(sqlite3_vtab_cursor* base, int flags, const char* column, int count,
           sqlite3_value** values) {
  RowCursor& cursor = cursor_of(base);
  VirtualTable& table = table_of(base->pVtab);
  const Rows& rows = table.rows->rows();
  cursor.begin = cursor.row = 0;
  cursor.end = rows.size();
  cursor.uses_index = false;
  cursor.is_descending = (flags & kDescending) != 0;
  cursor.chosen.clear();
  const int plan = flags & kPlan;
  if (plan == kScan || count == 0) return SQLITE_OK;
  const std::size_t index = std::stoul(column);
  const std::int64_t from = table.rows->table().columns[index].source == Source::line ? 1 : 0;
  const sqlite3_int64 wanted = sqlite3_value_int64(values[0]);
  if (plan == kByRange) {
    choose_range(flags, from, values, cursor);
  } else if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
    cursor.end = 0;
  } else if (plan == kByValue) {
    choose_by_value(table, index, values[0], cursor);
  } else if (wanted < from) {
    cursor.end = 0;
  } else if (plan == kByPosition) {
    cursor.begin = std::min(static_cast<std::size_t>(wanted - from), rows.size());
    cursor.end = std::min(cursor.begin + 1, rows.size());
  } else {
    std::tie(cursor.begin, cursor.end) = rows.with_parent(static_cast<std::size_t>(wanted));
  }
  cursor.row = cursor.begin;
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* base) {
  ++cursor_of(base).row;
  return SQLITE_OK;
}

int is_at_end(sqlite3_vtab_cursor* base) {
  const RowCursor& cursor = cursor_of(base);
  return cursor.row >= cursor.end ? 1 : 0;
}

void return_number(sqlite3_context* context, json::View value) {
  const std::string_view text = value.raw();
  if (const auto integer = value.integer()) {
    sqlite3_result_int64(context, *integer);
  } else if (text.find_first_of(".eE") != std::string_view::npos && value.real()) {
    sqlite3_result_double(context, *value.real());
  } else {
    return_text(context, text);  // SQLite would round an integer beyond 64 bits
  }
}

void return_value(sqlite3_context* context, json::View value) {
  switch (value.kind()) {
    case json::Kind::null: return sqlite3_result_null(context);
    case json::Kind::boolean: return sqlite3_result_int(context, value.boolean() ? 1 : 0);
    case json::Kind::number: return return_number(context, value);
    case json::Kind::string:
      return value.has_escapes() ? return_text(context, value.string())
                                 : return_text(context, value.string_source());
    case json::Kind::array:
    case json::Kind::object: break;
  }
  if (value.is_compact()) return return_text(context, value.raw());
  return_text(context, json::to_text(value));
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) {
  VirtualTable& table = table_of(base->pVtab);
  const Rows& rows = table.rows->rows();
  const std::size_t row = cursor_of(base).current();
  const Column& wanted = table.rows->table().columns[static_cast<std::size_t>(index)];
  switch (wanted.source) {
    case Source::path:
    case Source::cell: return_value(context, value_in(wanted, rows.value(row))); break;
    case Source::position: sqlite3_result_int64(context, static_cast<sqlite3_int64>(row)); break;
    case Source::line: sqlite3_result_int64(context, static_cast<sqlite3_int64>(row + 1)); break;
    case Source::key:
      if (const auto key = rows.key(row)) return_text(context, *key);  // else NULL
      break;
    case Source::parent:
      sqlite3_result_int64(context, static_cast<sqlite3_int64>(rows.parent(row)));
      break;
    case Source::pointer: return_text(context, rows.pointer(row)); break;
    case Source::record: return_text(context, json::to_text(rows.value(row))); break;
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
  *id = static_cast<sqlite3_int64>(cursor_of(base).current());
  return SQLITE_OK;
}

constexpr sqlite3_module make_module() {
  sqlite3_module module{};
  module.xCreate = connect;
  module.xConnect = connect;
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xDestroy = disconnect;
  module.xOpen = open;
  module.xClose = close;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = is_at_end;
  module.xColumn = column;
  module.xRowid = row_id;
  return module;
}

constexpr sqlite3_module kModule = make_module();

}  // namespace

bool register_tables(sqlite3* database, TableList& tables) {
  return sqlite3_create_module_v2(database, "enfold", &kModule, &tables, nullptr) == SQLITE_OK;
}

}  // namespace enfold::retrieve::detail
