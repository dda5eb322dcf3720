// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/sql/virtual_table.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unordered_map>

namespace enfold::retrieve::detail {

const Rows& TableRows::rows() {
  if (!rows_) rows_ = std::make_unique<Rows>(tables_, index_);
  return *rows_;
}

json::View value_in(const Column& column, json::View record) {
  if (column.source == Column::Source::cell) return record.item(column.cell).value_or(json::View());
  for (const std::string& name : column.path) {
    const auto member = record.find(name);
    if (!member) return {};
    record = *member;
  }
  return record;
}

namespace {

using Source = Column::Source;

// How xFilter finds the rows: sqlite3_index_info::idxNum.
enum Plan : int { kScan, kByPosition, kByParent, kByValue };

/// Equal values, as SQL compares them with any affinity, have equal keys: 64, 64.0 and '64'.
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

using ValueIndex = std::unordered_multimap<std::string, std::uint32_t>;

struct VirtualTable {
  sqlite3_vtab base{};  // must be first
  TableRows* rows = nullptr;
  // A column that is looked up twice, as the inner side of a join is, gets an index.
  struct Lookup {
    int times = 0;
    ValueIndex index;
  };
  std::unordered_map<std::size_t, Lookup> lookups;
};

struct RowCursor {
  sqlite3_vtab_cursor base{};  // must be first
  std::size_t row = 0;
  std::size_t end = 0;
  std::vector<std::uint32_t> chosen;  ///< rows that an index found
  bool uses_index = false;

  [[nodiscard]] std::size_t current() const { return uses_index ? chosen[row] : row; }
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

std::string declaration(const Table& table) {
  std::string out = "CREATE TABLE x(";
  for (const Column& column : table.columns) {
    if (out.back() != '(') out += ',';
    out += fmt::format("{} {} {}", quoted(column.name), affinity(column.type),
                       column.is_hidden ? "HIDDEN" : "");
  }
  return out + ")";
}

int connect(sqlite3* database, void* context, int count, const char* const* arguments,
            sqlite3_vtab** made, char** /*error*/) {
  auto& tables = *static_cast<TableList*>(context);
  std::size_t index = tables.size();
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

Plan plan_for(const Column& column) {
  switch (column.source) {
    case Source::position: return kByPosition;
    case Source::parent: return kByParent;
    case Source::path:
    case Source::cell: return column.type == ColumnType::json ? kScan : kByValue;
    default: return kScan;
  }
}

int best_index(sqlite3_vtab* base, sqlite3_index_info* info) {
  const Table& table = table_of(base).rows->table();
  const auto count = static_cast<double>(table.count + 1);
  Plan best = kScan;
  int best_constraint = -1;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.iColumn < 0) continue;
    const Plan plan = plan_for(table.columns[static_cast<std::size_t>(constraint.iColumn)]);
    const bool is_binary = std::string_view(sqlite3_vtab_collation(info, i)) == "BINARY";
    if (plan == kScan || (plan == kByValue && !is_binary)) continue;
    if (best != kScan && plan > best) continue;
    best = plan;
    best_constraint = i;
  }
  info->idxNum = best;
  info->estimatedCost = count;
  info->estimatedRows = static_cast<sqlite3_int64>(table.count + 1);
  if (best == kScan) return SQLITE_OK;
  info->aConstraintUsage[best_constraint].argvIndex = 1;  // and SQLite checks each row again
  info->idxStr = sqlite3_mprintf("%d", info->aConstraint[best_constraint].iColumn);
  info->needToFreeIdxStr = 1;
  info->estimatedCost = best == kByPosition ? 1 : 10;
  info->estimatedRows = best == kByPosition ? 1 : 10;
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

// The first lookup of a column scans, because most statements have only one.
bool choose_by_value(VirtualTable& table, std::size_t column, sqlite3_value* wanted,
                     RowCursor& cursor) {
  constexpr std::size_t most_indexed = 1'000'000;
  const Rows& rows = table.rows->rows();
  VirtualTable::Lookup& lookup = table.lookups[column];
  if (lookup.times++ == 0 || rows.size() > most_indexed) return false;
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
  return true;
}

int filter(sqlite3_vtab_cursor* base, int plan, const char* column, int count,
           sqlite3_value** values) {
  RowCursor& cursor = cursor_of(base);
  VirtualTable& table = table_of(base->pVtab);
  const Rows& rows = table.rows->rows();
  cursor.row = 0;
  cursor.end = rows.size();
  cursor.uses_index = false;
  cursor.chosen.clear();
  if (plan == kScan || count == 0) return SQLITE_OK;
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
    cursor.end = 0;
    return SQLITE_OK;
  }
  if (plan == kByValue) {
    choose_by_value(table, std::stoul(column), values[0], cursor);
    return SQLITE_OK;
  }
  const sqlite3_int64 wanted = sqlite3_value_int64(values[0]);
  if (wanted < 0) {
    cursor.end = 0;
  } else if (plan == kByPosition) {
    cursor.row = std::min(static_cast<std::size_t>(wanted), rows.size());
    cursor.end = std::min(cursor.row + 1, rows.size());
  } else {
    std::tie(cursor.row, cursor.end) = rows.with_parent(static_cast<std::size_t>(wanted));
  }
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

void give_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void give_number(sqlite3_context* context, json::View value) {
  const std::string_view text = value.raw();
  if (const auto integer = value.integer()) {
    sqlite3_result_int64(context, *integer);
  } else if (text.find_first_of(".eE") != std::string_view::npos && value.real()) {
    sqlite3_result_double(context, *value.real());
  } else {
    give_text(context, text);  // SQLite would round an integer beyond 64 bits
  }
}

void give(sqlite3_context* context, json::View value) {
  switch (value.kind()) {
    case json::Kind::null: return sqlite3_result_null(context);
    case json::Kind::boolean: return sqlite3_result_int(context, value.boolean() ? 1 : 0);
    case json::Kind::number: return give_number(context, value);
    case json::Kind::string:
      return value.has_escapes() ? give_text(context, value.string())
                                 : give_text(context, value.string_source());
    case json::Kind::array:
    case json::Kind::object: break;
  }
  if (value.is_compact()) return give_text(context, value.raw());
  give_text(context, json::to_text(value));
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) {
  VirtualTable& table = table_of(base->pVtab);
  const Rows& rows = table.rows->rows();
  const std::size_t row = cursor_of(base).current();
  const Column& wanted = table.rows->table().columns[static_cast<std::size_t>(index)];
  switch (wanted.source) {
    case Source::path:
    case Source::cell: give(context, value_in(wanted, rows.value(row))); break;
    case Source::position: sqlite3_result_int64(context, static_cast<sqlite3_int64>(row)); break;
    case Source::line: sqlite3_result_int64(context, static_cast<sqlite3_int64>(row + 1)); break;
    case Source::key: give_text(context, rows.key(row)); break;
    case Source::parent:
      sqlite3_result_int64(context, static_cast<sqlite3_int64>(rows.parent(row)));
      break;
    case Source::pointer: give_text(context, rows.pointer(row)); break;
    case Source::record: give_text(context, json::to_text(rows.value(row))); break;
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
