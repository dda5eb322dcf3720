// SPDX-License-Identifier: Apache-2.0
// The tool `analyze_code`: which functions, classes and methods a file has, and where.
#pragma once

#include "enfold/server/fields.h"
#include "symbols.h"
#include "workbench.h"

namespace scalpel {

struct AnalyzeRequest {
  std::string file;
  bool include_imports = false;
  static constexpr auto arguments() {
    using Request = AnalyzeRequest;
    return server::arguments(
        server::argument("file", &Request::file).describe("Path below the source folder"),
        server::argument("include_imports", &Request::include_imports)
            .describe("The lines that bring other files in, too")
            .defaulted());
  }
};

struct SymbolLine {
  std::string name;
  SymbolKind kind = SymbolKind::function;
  std::size_t first_line = 0;
  std::size_t last_line = 0;
  static constexpr auto fields() {
    return level::fields(level::field("name", &SymbolLine::name, Level::minimal),
                         level::field("kind", &SymbolLine::kind, Level::minimal),
                         level::field("first_line", &SymbolLine::first_line, Level::minimal),
                         level::field("last_line", &SymbolLine::last_line, Level::minimal));
  }
};

struct Analysis {
  bool success = true;
  std::string file;
  Language language = Language::python;
  std::size_t lines = 0;
  std::vector<SymbolLine> symbols;
  std::optional<std::vector<SourceLine>> imports;
  std::size_t lines_with_code = 0;
  static constexpr auto fields() {
    return level::fields(
        level::field("success", &Analysis::success, Level::minimal),
        level::field("file", &Analysis::file, Level::minimal),
        level::field("language", &Analysis::language, Level::minimal),
        level::field("lines", &Analysis::lines, Level::minimal),
        level::field("symbols", &Analysis::symbols, Level::minimal).required(),
        level::field("imports", &Analysis::imports, Level::minimal),
        level::field("lines_with_code", &Analysis::lines_with_code, Level::standard)
            .describe("Neither empty nor comments alone"));
  }
};

[[nodiscard]] server::Answer<Analysis> analyze(const Workbench& bench, const AnalyzeRequest& asked,
                                               server::Context& context);

/// Lines on which at least one token stands.
[[nodiscard]] std::size_t count_lines_with_code(const std::vector<Token>& tokens);

}  // namespace scalpel
