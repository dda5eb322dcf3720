// SPDX-License-Identifier: Apache-2.0
#include "analyze.h"

#include <algorithm>

namespace scalpel {

std::size_t count_lines_with_code(const std::vector<Token>& tokens) {
  std::size_t count = 0;
  std::size_t counted = 0;  // the last line that was
  for (const Token& token : tokens) {
    const std::size_t first = std::max(token.line, counted + 1);
    if (token.last_line >= first) count += token.last_line - first + 1;
    counted = std::max(counted, token.last_line);
  }
  return count;
}

server::Answer<Analysis> analyze(const Workbench& bench, const AnalyzeRequest& asked,
                                 server::Context& context) {
  const Or<SourceFile> file = read_source(bench, asked.file, context);
  if (!file) return file.error();
  const std::vector<Token> tokens = tokens_of(file->text, file->language);
  Analysis analysis{.file = file->path,
                    .language = file->language,
                    .lines = lines_of(file->text).size(),
                    .lines_with_code = count_lines_with_code(tokens)};
  for (const Symbol& symbol : symbols_of(file->text, tokens, file->language)) {
    analysis.symbols.push_back({symbol.name, symbol.kind, symbol.first_line, symbol.last_line});
  }
  if (asked.include_imports) analysis.imports = granted_imports(bench, *file, tokens, context);
  return analysis;
}

}  // namespace scalpel
