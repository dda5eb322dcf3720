// SPDX-License-Identifier: Apache-2.0
// The tool `extract_code`: a function, class or method by its name, or a range of lines.
#pragma once

#include "enfold/server/fields.h"
#include "symbols.h"
#include "workbench.h"

namespace scalpel {

struct ExtractRequest {
  std::string file;
  std::optional<std::string> symbol;
  std::optional<std::size_t> from_line;
  std::optional<std::size_t> to_line;
  std::size_t context_lines = 0;
  bool include_imports = false;

  static constexpr auto arguments() {
    using Request = ExtractRequest;
    return server::arguments(
        server::argument("file", &Request::file).describe("Path below the source folder"),
        server::argument("symbol", &Request::symbol)
            .describe("Name of a function, class or method: close, or Account.close")
            .at_least(1)
            .at_most(200),
        server::argument("from_line", &Request::from_line)
            .describe("First line, from 1; instead of a symbol")
            .at_least(1),
        server::argument("to_line", &Request::to_line)
            .describe("Last line; without it the end of the file")
            .at_least(1),
        server::argument("context_lines", &Request::context_lines)
            .describe("Lines to add before and after")
            .at_most(20)
            .defaulted(),
        server::argument("include_imports", &Request::include_imports)
            .describe("The lines that bring other files in, too")
            .defaulted());
  }
};

struct Extract {
  bool success = true;
  std::string file;
  std::optional<std::string> symbol;
  std::optional<SymbolKind> kind;
  std::size_t first_line = 0;
  std::size_t last_line = 0;
  std::string code;
  bool truncated = false;
  std::optional<std::vector<SourceLine>> imports;
  std::vector<std::size_t> also_at_lines;
  Language language = Language::python;
  std::size_t file_lines = 0;
  std::vector<std::string> symbols_in_file;

  static constexpr auto fields() {
    return level::fields(level::field("success", &Extract::success, Level::minimal),
                         level::field("file", &Extract::file, Level::minimal),
                         level::field("symbol", &Extract::symbol, Level::minimal),
                         level::field("kind", &Extract::kind, Level::minimal),
                         level::field("first_line", &Extract::first_line, Level::minimal),
                         level::field("last_line", &Extract::last_line, Level::minimal),
                         level::field("code", &Extract::code, Level::minimal),
                         level::field("truncated", &Extract::truncated, Level::minimal)
                             .when(&Extract::truncated)
                             .describe("The tier's limit of lines cut the end off"),
                         level::field("imports", &Extract::imports, Level::minimal),
                         level::field("also_at_lines", &Extract::also_at_lines, Level::minimal)
                             .describe("Further definitions of the same name, such as overloads"),
                         level::field("language", &Extract::language, Level::standard),
                         level::field("file_lines", &Extract::file_lines, Level::standard),
                         level::field("symbols_in_file", &Extract::symbols_in_file, Level::full));
  }
};

[[nodiscard]] server::Answer<Extract> extract(const Workbench& bench, const ExtractRequest& asked,
                                              server::Context& context);

}  // namespace scalpel
