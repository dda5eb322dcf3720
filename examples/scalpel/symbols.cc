// SPDX-License-Identifier: Apache-2.0
#include "symbols.h"

#include "spans.h"

#include <algorithm>

namespace scalpel {
namespace {

struct Enclosing {
  std::size_t last;
  std::string name;
  bool is_type;
};

SymbolKind kind_of(const Span& span, const std::vector<Enclosing>& around) {
  if (span.is_type) return SymbolKind::type;
  const bool qualified = span.name.find('.') != std::string::npos;
  const bool inside = !around.empty() && around.back().is_type;
  return qualified || inside ? SymbolKind::method : SymbolKind::function;
}

std::vector<Symbol> nested(std::vector<Span> spans, const Tokens& tokens) {
  // What encloses stands before what it encloses.
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.first != b.first ? a.first < b.first : a.last > b.last;
  });
  std::vector<Symbol> symbols;
  std::vector<Enclosing> around;
  for (const Span& span : spans) {
    while (!around.empty() && around.back().last < span.first) around.pop_back();
    const std::string outer = around.empty() ? std::string() : around.back().name;
    const std::string name = outer.empty() ? span.name : outer + "." + span.name;
    if (!span.is_scope) {
      symbols.push_back(
          {name, kind_of(span, around), tokens[span.first].line, tokens[span.last].last_line});
    }
    around.push_back({span.last, span.is_scope ? outer : name, span.is_type});
  }
  return symbols;
}

bool is_import(const Tokens& tokens, std::size_t at, Language language) {
  const Token& token = tokens[at];
  switch (language) {
    case Language::python: return is_one(token, {"import", "from"});
    case Language::go: return token.is("import");
    case Language::cpp:
      return token.is("#") && at + 1 < tokens.size() && tokens[at + 1].is("include");
    case Language::javascript:
    case Language::typescript: break;
  }
  if (token.is("import")) return true;
  for (std::size_t i = at; i < tokens.size() && tokens[i].line == token.line; ++i) {
    if (tokens[i].is("require")) return is_one(token, {"const", "let", "var"});
  }
  return false;
}

// An import goes on to the end of the brackets that it opens.
std::size_t last_line_of_import(const Tokens& tokens, std::size_t at) {
  const std::size_t line = tokens[at].line;
  std::size_t last = line;
  for (std::size_t i = at; i < tokens.size() && tokens[i].line == line; ++i) {
    const std::size_t close = opens(tokens[i]) ? closing_of(tokens, i) : tokens.size();
    if (close < tokens.size()) last = std::max(last, tokens[close].last_line);
  }
  return last;
}

}  // namespace

std::vector<Symbol> symbols_of(std::string_view text, const std::vector<Token>& tokens,
                               Language language) {
  switch (language) {
    case Language::python: return nested(python_spans(text, tokens), tokens);
    case Language::javascript:
    case Language::typescript: return nested(script_spans(tokens), tokens);
    case Language::go: return nested(go_spans(tokens), tokens);
    case Language::cpp: break;
  }
  return nested(cpp_spans(tokens), tokens);
}

std::vector<std::size_t> import_lines(const std::vector<Token>& tokens, Language language) {
  std::vector<std::size_t> lines;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!is_first_on_line(tokens, i) || !is_import(tokens, i, language)) continue;
    const std::size_t last = last_line_of_import(tokens, i);
    for (std::size_t line = tokens[i].line; line <= last; ++line) lines.push_back(line);
  }
  return lines;
}

}  // namespace scalpel
