// SPDX-License-Identifier: Apache-2.0
// `enfold query`: a SELECT over answers, files and pipes that were never archived.
#include "cli/input/input.h"
#include "cli/settings/sql_bounds.h"
#include "cli/terminal/rows_table.h"
#include "cli/verbs/verbs.h"
#include "enfold/contract/contract.h"
#include "enfold/retrieve/retrieve.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace enfold::cli {
namespace {

struct QueryOptions {
  std::vector<std::string> words;  ///< files, then the statement; with `tables` only files
  bool tables = false;             ///< list the tables instead of running a statement
  bool as_json = false;
  bool as_csv = false;
  InputOptions input;
};

constexpr std::size_t kMostFiles = 8;  // statements name them a to h

/// The tables of one file. Statements name the files a, b, c … in their order.
struct NamedTables {
  std::string name;
  retrieve::Tables tables;
};

// A cut answer has fewer records than its original, so a statement that counts them would be wrong.
void warn_if_cut(json::View document, const std::string& file, Terminal& terminal) {
  const Result<contract::Reading> reading = contract::read(contract::detect(document), document);
  if (!reading || !reading->response.reduction) return;
  const model::Reduction& cut = *reading->response.reduction;
  if (cut.level == model::Fidelity::full) return;
  terminal.warn(fmt::format(
      "{}: this answer was cut, so records are missing{}", display_name(file),
      cut.archive.empty() ? std::string()
                          : fmt::format("; the whole answer: enfold fetch {} --sql \"SELECT …\"",
                                        cut.archive.front().handle)));
}

// `index`: position of the file in the command line, from 0.
Result<NamedTables> read_tables(const std::string& file, std::size_t index,
                                const InputOptions& options, Terminal& terminal) {
  ENFOLD_TRY(const json::Buffer bytes, read_all(file, options.limits));
  // payload_of() reads the bytes again. Here they are parsed to warn of a cut answer; bytes that
  // are not JSON must be text.
  if (const Result<json::Document> document = json::parse(bytes.view(), options.limits);
      !document) {
    ENFOLD_TRY(check_text(bytes.view()));
  } else {
    warn_if_cut(document->root(), file, terminal);
  }
  ENFOLD_TRY(const json::Value payload, retrieve::payload_of(bytes.view(), {}, options.limits));
  return NamedTables{std::string(1, static_cast<char>('a' + index)), retrieve::tables_of(payload)};
}

// Whether the name of a file has the form of a handle or hash of an archived answer.
bool is_reference(const std::string& name) {
  return name.starts_with("sha256:") ||
         (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos);
}

Result<std::vector<NamedTables>> read_files(std::vector<std::string> files,
                                            const InputOptions& options, Terminal& terminal) {
  if (files.empty()) files.emplace_back("-");
  if (files.size() > kMostFiles) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} files, found {}", kMostFiles, files.size()));
  }
  std::vector<NamedTables> all;
  for (const std::string& file : files) {
    Result<NamedTables> tables = read_tables(file, all.size(), options, terminal);
    if (!tables) {
      Error error = tables.error();
      error.where = error.where.empty() ? display_name(file)
                                        : fmt::format("{}, {}", display_name(file), error.where);
      std::error_code ignored;  // a file that cannot be looked up counts as missing
      if (is_reference(file) && !std::filesystem::exists(file, ignored)) {
        error.hint =
            fmt::format("for an archived answer: enfold fetch {} --sql \"SELECT …\"", file);
      }
      return tl::unexpected(std::move(error));
    }
    all.push_back(std::move(*tables));
  }
  return all;
}

std::string column_line(json::View column) {
  std::vector<std::string> values;
  if (const auto samples = column.find("values")) {
    for (const json::View value : samples->items()) values.push_back(json::quote(value.string()));
  }
  return printable(fmt::format("  {}  {}{}{}\n", column.find("name")->string(),
                               column.find("type")->string(), values.empty() ? "" : "  ",
                               fmt::join(values, ", ")));
}

void print_tables(const std::vector<NamedTables>& files, bool as_json, Terminal& terminal) {
  for (const NamedTables& file : files) {
    const json::Value described = retrieve::describe_tables(file.tables);
    if (as_json) {
      terminal.out_line(json::to_text(described.view()));
      continue;
    }
    const std::string prefix = files.size() > 1 ? file.name + "." : std::string();
    for (const json::View table : described->items()) {
      const auto rows = static_cast<std::size_t>(table.find("rows")->integer().value_or(0));
      terminal.out(fmt::format(
          "{}: {}\n",
          terminal.styled(printable(prefix + table.find("table")->string()), Style::bold),
          counted(rows, "row")));
      for (const json::View column : table.find("columns")->items()) {
        terminal.out(column_line(column));
      }
    }
    if (file.tables.left_out != 0) {
      terminal.warn(fmt::format("{} more tables are not listed", file.tables.left_out));
    }
  }
}

Status query(const QueryOptions& options, Terminal& terminal) {
  std::vector<std::string> files = options.words;
  std::string statement;
  if (!options.tables) {
    statement = files.back();
    files.pop_back();
  }
  ENFOLD_TRY(const std::vector<NamedTables> read,
             read_files(std::move(files), options.input, terminal));
  if (options.tables) {
    print_tables(read, options.as_json, terminal);
    return {};
  }
  std::vector<retrieve::SqlSource> sources;
  for (const NamedTables& file : read) sources.push_back({file.name, &file.tables});
  ENFOLD_TRY(const retrieve::SqlResult result, retrieve::run_sql(statement, sources, sql_bounds()));
  if (options.as_json) {
    terminal.out_line(json::to_text(result.rows.view()));
  } else if (options.as_csv) {
    terminal.out(as_csv(result.columns, result.rows.view()));
  } else {
    terminal.out(drawn_table(result.columns, result.rows.view()));
  }
  return {};
}

int run_query(const QueryOptions& options, Terminal& terminal) {
  if (options.words.empty() && !options.tables) {
    return terminal.report_usage(
        {ErrorCode::invalid_input, "expected a SELECT, found none", "",
         "enfold query answer.json 'select count(*) from items'; --tables lists the tables"});
  }
  if (options.as_json && options.as_csv) {
    return terminal.report_usage(
        {ErrorCode::invalid_input, "--json and --csv exclude each other", "", "use one of them"});
  }
  const Status done = query(options, terminal);
  return done ? kOk : terminal.report(done.error());
}

void declare_query_options(Arguments& arguments, QueryOptions& options) {
  arguments.positional("FILE", options.words,
                       "Files, then a SELECT. Without a file: standard input");
  arguments.flag("--tables", options.tables,
                 "List the tables with their columns, types and two values of each");
  arguments.flag("--json", options.as_json, "Rows as a JSON list of objects");
  arguments.flag("--csv", options.as_csv, "Rows as CSV");
  declare_max_bytes_options(arguments, options.input);
  arguments.footer(
      "Reads tool answers in any contract, JSON, JSON Lines, CSV, TSV, Markdown tables and\n"
      "plain text. Every list of records is a table under its last name; if there is one list,\n"
      "items names it too. Members of members are columns (customer_tier), nested lists are\n"
      "tables (orders_lines, with _parent), and a text has lines(n, text).\n"
      "The tables of the first file need no name; all files are a, b, c … in their order.\n"
      "docs/reference/sql.md has the rules. Only SELECT is possible.\n\n"
      "Examples:\n"
      "  enfold query answer.json --tables\n"
      "  enfold query answer.json 'select state, count(*) from items group by 1'\n"
      "  enfold query old.json new.json 'select id from b.items except select id from items'\n"
      "  my-tool | enfold query 'select * from items order by size desc limit 5' --csv");
}

}  // namespace

Run set_up_query(Arguments& arguments) {
  return set_up(arguments, declare_query_options, run_query);
}

}  // namespace enfold::cli
