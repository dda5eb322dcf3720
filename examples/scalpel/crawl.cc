// SPDX-License-Identifier: Apache-2.0
#include "crawl.h"

#include "symbols.h"

#include <map>

namespace scalpel {

server::Answer<Inventory> crawl(const Workbench& bench, const CrawlRequest& asked,
                                server::Context& context) {
  Inventory inventory;
  std::map<Language, LanguageLine> languages;
  const auto add = [&](const SourceFile& file) {
    const std::vector<Token> tokens = tokens_of(file.text, file.language);
    const FileLine line{file.path, file.language, lines_of(file.text).size(),
                        symbols_of(file.text, tokens, file.language).size()};
    LanguageLine& sum = languages[file.language];
    sum.language = file.language;
    ++sum.files;
    sum.lines += line.lines;
    sum.symbols += line.symbols;
    inventory.files.push_back(line);
  };
  Or<Coverage> coverage =
      survey(bench, asked.path, [](Language) { return std::nullopt; }, add, context);
  if (!coverage) return std::move(coverage.error());
  for (const auto& [language, sum] : languages) inventory.languages.push_back(sum);
  inventory.warnings = coverage->warnings();
  inventory.coverage = std::move(*coverage);
  return inventory;
}

}  // namespace scalpel
