// SPDX-License-Identifier: Apache-2.0
#include "references.h"

#include "symbols.h"

#include <algorithm>
#include <set>

namespace scalpel {
namespace {

// Account.close and Account::close → close
std::string last_part(const std::string& name) {
  const std::size_t at = name.find_last_of(".:");
  return at == std::string::npos ? name : name.substr(at + 1);
}

bool is_word(const std::string& name) {
  const std::vector<Token> tokens = tokens_of(name, Language::javascript);
  return tokens.size() == 1 && tokens[0].kind == Token::Kind::word && tokens[0].spelled == name;
}

// Where the name of a symbol stands first within it: behind decorators and modifiers.
std::set<std::size_t> definition_lines(const SourceFile& file, const std::vector<Token>& tokens,
                                       const std::string& name) {
  std::set<std::size_t> lines;
  for (const Symbol& symbol : symbols_of(file.text, tokens, file.language)) {
    if (last_part(symbol.name) != name) continue;
    const auto begin =
        std::lower_bound(tokens.begin(), tokens.end(), symbol.first_line,
                         [](const Token& token, std::size_t line) { return token.line < line; });
    const auto found =
        std::find_if(begin, tokens.end(), [&](const Token& token) { return token.is(name); });
    if (found != tokens.end()) lines.insert(found->line);
  }
  return lines;
}

void add_references(const SourceFile& file, const std::string& name,
                    std::vector<Reference>& references) {
  const std::vector<Token> tokens = tokens_of(file.text, file.language);
  const std::set<std::size_t> definitions = definition_lines(file, tokens, name);
  std::size_t last_line = 0;  // one reference for a line
  for (const Token& token : tokens) {
    if (token.line == last_line || token.kind != Token::Kind::word || !token.is(name)) continue;
    last_line = token.line;
    references.push_back({file.path, token.line, definitions.contains(token.line)});
  }
}

}  // namespace

server::Answer<References> find_references(const Workbench& bench, const ReferencesRequest& asked,
                                           server::Context& context) {
  const std::string name = last_part(asked.symbol);
  if (!is_word(name)) {
    return refuse("invalid_argument", "expected one name in `symbol`, found something else",
                  "analyze_code lists the names of a file.");
  }
  References found{.symbol = name};
  Or<Coverage> coverage = survey(
      bench, asked.path, [](Language) { return std::nullopt; },
      [&](const SourceFile& file) { add_references(file, name, found.references); }, context);
  if (!coverage) return std::move(coverage.error());
  const std::size_t most = limits_of(bench.tier).references;
  if (found.references.size() > most) {
    found.references_left_out = found.references.size() - most;
    found.references.resize(most);
    hint_at(context, bench.tier, &TierLimits::references, "more_references", "references");
  }
  found.warnings = coverage->warnings();
  found.coverage = std::move(*coverage);
  return found;
}

}  // namespace scalpel
