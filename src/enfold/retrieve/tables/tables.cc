// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/tables/tables.h"

#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/tables/answer_parts.h"
#include "enfold/retrieve/tables/value_shape.h"

#include <algorithm>
#include <array>
#include <set>

namespace enfold::retrieve {
namespace {

using Source = Column::Source;

/// The type of a column with values of these kinds.
ColumnType type_of(const SeenKinds& kinds) {
  const bool numbers = kinds.integer || kinds.boolean || kinds.real;
  const bool nested = kinds.list || kinds.object;
  if (nested) return numbers || kinds.text ? ColumnType::mixed : ColumnType::json;
  if (kinds.text) return numbers ? ColumnType::mixed : ColumnType::text;
  if (kinds.real) return ColumnType::real;
  return numbers ? ColumnType::integer : ColumnType::mixed;
}

/// The names used so far by the columns of a table or the tables of an answer, ignoring case as SQL
/// does.
class Names {
 public:
  /// Takes `name` if it is free, else `name` with "_2", "_3" … after it; returns the name taken.
  std::string distinct(const std::string& name) {
    std::string tried = name;
    for (int n = 2; !used_.insert(to_lower(tried)).second; ++n) {
      tried = name + "_" + std::to_string(n);
    }
    return tried;
  }
  /// The same for each name. Those that are free are taken first, so that no other gets one of
  /// them.
  std::vector<std::string> distinct(std::vector<std::string> names) {
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!take(names[i])) used.push_back(i);
    }
    for (const std::size_t i : used) names[i] = distinct(names[i]);
    return names;
  }
  /// Takes the name; false: it is used already.
  bool take(const std::string& name) { return used_.insert(to_lower(name)).second; }

 private:
  std::set<std::string> used_;
};

// Words of SQL that are common names of members and cannot be used without quotes.
bool is_reserved(std::string_view name) {
  static constexpr std::array<std::string_view, 34> kWords{
      "add",    "all",    "and",  "as",     "between", "case",   "check",  "create", "default",
      "delete", "drop",   "else", "exists", "from",    "group",  "having", "in",     "index",
      "insert", "into",   "is",   "join",   "limit",   "not",    "null",   "on",     "or",
      "order",  "select", "set",  "table",  "to",      "values", "where"};
  const std::string lower = to_lower(name);
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

std::string joined(const std::vector<std::string>& path, char separator) {
  std::string out;
  for (const std::string& name : path) {
    if (!out.empty()) out += separator;
    out += name;
  }
  return out;
}

/// When a statement shows a column. `if_named`: only if it names the column, not for `select *`.
enum class Shown { always, if_named };

/// The columns of one table: members first, then what is nested in them, then the columns that
/// Enfold adds (`_key`, `_i`, …).
class ColumnList {
 public:
  /// `rows`: the position of the table's records in `shape`.
  ColumnList(const ValueShape& shape, const ShapePosition& rows) : shape_(shape) {
    std::vector<Column> columns;
    // Some records are values without members.
    const bool has_values = rows.kinds.scalar() || (rows.kinds.null && !rows.kinds.object);
    if (has_values && rows.cells.empty()) {
      columns.push_back({.name = "value", .type = type_of(rows.kinds)});
    }
    for (const std::uint32_t child : rows.children) {
      const ShapePosition& member = shape.at(child);
      columns.push_back(
          {.name = member.name, .path = {member.name}, .type = type_of(member.kinds)});
    }
    add(std::move(columns));
    for (const std::uint32_t child : rows.children) {
      add_nested(shape.at(child), /*path=*/{}, /*depth=*/0);
    }
  }

  /// Adds the columns of records that are lists. `names`: of the first columns; the others are
  /// named by their index, such as "c3".
  void add_cells(const std::vector<SeenKinds>& cells, const std::vector<std::string>& names) {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      columns.push_back({.name = i < names.size() ? names[i] : "c" + std::to_string(i),
                         .source = Source::cell,
                         .cell = i,
                         .type = type_of(cells[i])});
    }
    add(std::move(columns));
  }

  // A column that Enfold adds. If a member has its name, the added column gets a trailing "_".
  void add_own(Source source, std::string name, ColumnType type, Shown shown) {
    while (!names_.take(name)) name += '_';
    columns_.push_back({.name = std::move(name),
                        .source = source,
                        .type = type,
                        .is_hidden = shown == Shown::if_named});
  }

  [[nodiscard]] std::vector<Column> finish() && { return std::move(columns_); }

 private:
  // Adds as many of these columns as there is room for, and then the aliases of reserved words.
  void add(std::vector<Column> columns) {
    columns.resize(std::min(columns.size(), kMostColumns - columns_.size()));
    std::vector<std::string> wanted;
    for (const Column& column : columns) wanted.push_back(column.name);
    const std::vector<std::string> names = names_.distinct(wanted);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].name = names[i];
      columns_.push_back(columns[i]);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (is_reserved(wanted[i])) add_alias(std::move(columns[i]), wanted[i] + "_");
    }
  }

  // A second, hidden name of a column; none if the name is used.
  void add_alias(Column column, std::string alias) {
    if (columns_.size() >= kMostColumns || !names_.take(alias)) return;
    column.name = std::move(alias);
    column.is_hidden = true;
    columns_.push_back(std::move(column));
  }

  // Hidden columns for members of members: customer_tier and "customer.tier".
  void add_nested(const ShapePosition& position, std::vector<std::string> path, int depth) {
    constexpr int deepest = 12;
    path.push_back(position.name);
    if (path.size() > 1) {
      Column column{.path = path, .type = type_of(position.kinds)};
      add_alias(column, joined(path, '_'));
      add_alias(std::move(column), joined(path, '.'));
    }
    if (depth == deepest) return;
    for (const std::uint32_t child : position.children)
      add_nested(shape_.at(child), path, depth + 1);
  }

  const ValueShape& shape_;
  Names names_;
  std::vector<Column> columns_;
};

/// Names of columns beside a list of lists: {"columns": ["id", {"name": "age"}], "rows": [[…]]}.
std::vector<std::string> column_names(json::View holder) {
  for (const std::string_view name :
       {"columns", "fields", "headers", "header", "column_names", "columnNames", "schema"}) {
    const auto found = holder.find(name);
    if (!found || !found->is_array() || found->size() == 0) continue;
    std::vector<std::string> names;
    for (const json::View item : found->items()) {
      if (item.is_string()) names.push_back(item.string());
      if (auto inner = json::string_member(item, "name")) names.push_back(std::move(*inner));
    }
    if (names.size() == found->size()) return names;
  }
  return {};
}

// Whether a table of this name would be one of SQLite's own.
bool is_name_of_sqlite(std::string_view name) {
  const std::string lower = to_lower(name);
  return is_sqlite_table(name) || lower == "json_each" || lower == "json_tree";
}

/// The tables of all documents in one answer.
class TableFinder {
 public:
  TableFinder() { static_cast<void>(names_.take(kDoc)); }  // a list `doc` gets another name
  void add(const AnswerPart& part) {
    if (part.is_text) return add_lines(part);
    const ValueShape shape(part.value.view());
    find({shape, part.value, part.pointer, part.is_in_text}, ValueShape::kRoot,
         /*parent=*/std::nullopt, /*path=*/{}, part.name);
  }

  // The table `doc`, which every answer has: one row with the whole payload.
  void add_whole(const json::Value& payload) {
    Table doc{.name = kDoc, .form = Table::Form::document, .root = payload, .count = 1};
    doc.columns = {{.name = "json", .type = ColumnType::json}};
    out_.tables.push_back(std::move(doc));
  }

  [[nodiscard]] Tables finish() && {
    name_tables();
    name_the_only_list();
    return std::move(out_);
  }

 private:
  static constexpr const char* kDoc = "doc";

  struct Document {
    const ValueShape& shape;
    const json::Value& root;
    std::string pointer;
    bool is_in_text;  ///< read from a text of the answer
  };

  // Adds the tables at position `at` of the shape and below. `parent`: the table whose records hold
  // the position; nullopt: it is outside of records. `path`: the members that lead to the position
  // from the record of `parent`, or from the root. `name`: of the table of a list at this position.
  void find(const Document& document, std::uint32_t at, std::optional<std::size_t> parent,
            std::vector<std::string> path, const std::string& name) {
    const ShapePosition& position = document.shape.at(at);
    if (position.rows) {
      const std::size_t made = add_list(document, position, parent, path, name);
      for (const std::uint32_t child : document.shape.at(*position.rows).children) {
        find_below(document, child, made, /*path=*/{});
      }
    }
    for (const std::uint32_t child : position.children) find_below(document, child, parent, path);
  }

  // As `find`, for the member `child`. `path`: to the object that has the member.
  void find_below(const Document& document, std::uint32_t child, std::optional<std::size_t> parent,
                  std::vector<std::string> path) {
    constexpr std::size_t deepest = 64;
    if (path.size() == deepest) return;
    const std::string& name = document.shape.at(child).name;
    path.push_back(name);
    find(document, child, parent, std::move(path), name);
  }

  // Adds the table of the lists at a position; returns its index.
  std::size_t add_list(const Document& document, const ShapePosition& position,
                       std::optional<std::size_t> parent, const std::vector<std::string>& path,
                       const std::string& name) {
    const ShapePosition& rows = document.shape.at(*position.rows);
    Table table{.form = position.is_map ? Table::Form::members : Table::Form::items,
                .root = document.root,
                .pointer = document.pointer,
                .is_in_text = document.is_in_text,
                .parent = parent,
                .path = path,
                .count = rows.count};
    ColumnList columns(document.shape, rows);
    if (!rows.cells.empty()) columns.add_cells(rows.cells, names_beside(document, parent, path));
    if (position.is_map) {
      columns.add_own(Source::key, "_key", ColumnType::text, Shown::always);
      columns.add_own(Source::key, "key", ColumnType::text, Shown::if_named);
    }
    if (parent) columns.add_own(Source::parent, "_parent", ColumnType::integer, Shown::always);
    columns.add_own(Source::position, "_i", ColumnType::integer, Shown::if_named);
    columns.add_own(Source::pointer, "_at", ColumnType::text, Shown::if_named);
    columns.add_own(Source::record, "_json", ColumnType::json, Shown::if_named);
    table.columns = std::move(columns).finish();
    return add(std::move(table), name);
  }

  // The column names in the object that holds the list of lists at `path`; empty: there are none.
  static std::vector<std::string> names_beside(const Document& document,
                                               std::optional<std::size_t> parent,
                                               const std::vector<std::string>& path) {
    if (parent || path.empty()) return {};
    const json::Pointer holder(std::vector<std::string>(path.begin(), path.end() - 1));
    const auto object = holder.resolve(document.root.view());
    return object ? column_names(*object) : std::vector<std::string>();
  }

  void add_lines(const AnswerPart& part) {
    Table lines{.form = Table::Form::lines, .root = part.value, .pointer = part.pointer};
    const std::string decoded = part.value->string();
    lines.count = static_cast<std::size_t>(std::count(decoded.begin(), decoded.end(), '\n')) +
                  (decoded.empty() || decoded.ends_with('\n') ? 0U : 1U);
    lines.columns = {{.name = "n", .source = Source::line, .type = ColumnType::integer},
                     {.name = "text", .type = ColumnType::text}};
    add(std::move(lines), part.name);
  }

  // Adds a table and returns its index. If there are kMostTables already, the table is left out,
  // and the index is that of the last table. The caller uses the index only as the parent of tables
  // that are then left out too.
  std::size_t add(Table table, const std::string& name) {
    if (out_.tables.size() >= kMostTables) {
      ++out_.left_out;
      return out_.tables.size() - 1;
    }
    table.name = name.empty() ? "items" : name;
    out_.tables.push_back(std::move(table));
    return out_.tables.size() - 1;
  }

  // Until now each table has the name of its list. A table inside the records of another one gets
  // the name of that one in front. First those outside of records get their names, so that no other
  // table gets the name of such a list.
  void name_tables() {
    std::vector<std::size_t> depths;
    for (const Table& table : out_.tables) {
      depths.push_back(table.parent ? depths[*table.parent] + 1 : 0);
    }
    const std::size_t deepest = depths.empty() ? 0 : std::ranges::max(depths);
    for (std::size_t depth = 0; depth <= deepest; ++depth) name_tables_at(depth, depths);
  }

  void name_tables_at(std::size_t depth, const std::vector<std::size_t>& depths) {
    std::vector<Table*> tables;
    std::vector<std::string> wanted;
    for (std::size_t i = 0; i < depths.size(); ++i) {
      Table& table = out_.tables[i];
      if (depths[i] != depth || table.form == Table::Form::document) continue;
      const std::string name =
          table.parent ? out_.tables[*table.parent].name + "_" + table.name : table.name;
      wanted.push_back(is_name_of_sqlite(name) ? "_" + name : name);
      tables.push_back(&table);
    }
    const std::vector<std::string> names = names_.distinct(std::move(wanted));
    for (std::size_t i = 0; i < tables.size(); ++i) tables[i]->name = names[i];
  }

  // If the answer has one list outside of records, statements may call it items, rows, ….
  void name_the_only_list() {
    Table* only = nullptr;
    for (Table& table : out_.tables) {
      const bool is_list = table.form == Table::Form::items || table.form == Table::Form::members;
      if (!is_list || table.parent) continue;
      if (only != nullptr) return;
      only = &table;
    }
    if (only == nullptr) return;
    for (const char* name : {"items", "rows", "data", "records", "results"}) {
      if (names_.take(name)) only->other_names.emplace_back(name);
    }
  }

  Names names_;
  Tables out_;
};

}  // namespace

std::string_view name(ColumnType type) {
  switch (type) {
    case ColumnType::mixed: return "any";
    case ColumnType::integer: return "integer";
    case ColumnType::real: return "real";
    case ColumnType::text: return "text";
    case ColumnType::json: return "json";
  }
  return "any";
}

bool is_sqlite_table(std::string_view name) {
  const std::string lower = to_lower(name);
  return lower == "dbstat" ||
         std::ranges::any_of(
             std::array<std::string_view, 5>{"sqlite_", "pragma_", "fts3", "fts4", "fts5"},
             [&](std::string_view start) { return lower.starts_with(start); });
}

std::optional<std::size_t> Tables::find(std::string_view wanted) const {
  const std::string lower = to_lower(wanted);
  const auto is_called = [&](const Table& table) {
    return to_lower(table.name) == lower ||
           std::ranges::find(table.other_names, lower) != table.other_names.end();
  };
  const auto exact = std::ranges::find_if(tables, is_called);
  if (exact != tables.end()) return static_cast<std::size_t>(exact - tables.begin());
  // A nested list also has the names that join any name of its parent to its own last name or whole
  // path: `rows_lines` for orders_lines, if `rows` names the table orders.
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!tables[i].parent) continue;
    for (const std::string& suffix : {tables[i].path.back(), joined(tables[i].path, '_')}) {
      const std::string ending = "_" + to_lower(suffix);
      if (lower.size() <= ending.size() || !lower.ends_with(ending)) continue;
      const auto holder = find(lower.substr(0, lower.size() - ending.size()));
      if (holder == tables[i].parent) return i;
    }
  }
  return std::nullopt;
}

Tables tables_of(const json::Value& payload, const Limits& limits, const std::string& pointer) {
  TableFinder finder;
  for (const AnswerPart& part : parts_of(payload, limits, pointer)) finder.add(part);
  finder.add_whole(payload);
  return std::move(finder).finish();
}

}  // namespace enfold::retrieve
