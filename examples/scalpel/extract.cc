// SPDX-License-Identifier: Apache-2.0
#include "extract.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace scalpel {
namespace {

using namespace enfold;

constexpr std::size_t kMostSuggestions = 3;

struct Range {
  std::size_t first;
  std::size_t last;
};

std::string dotted(std::string_view name) {
  std::string out;
  for (std::size_t at = name.find("::"); at != std::string_view::npos; at = name.find("::")) {
    out.append(name.substr(0, at)).push_back('.');
    name.remove_prefix(at + 2);
  }
  return out.append(name);
}

// close and Account.close are both names of Account.close.
bool is_called(const Symbol& symbol, const std::string& name) {
  return symbol.name == name || symbol.name.ends_with("." + name);
}

// The names that were probably meant: safe to tell, they are no code.
model::Response with_suggestions(std::string message, const std::vector<std::string>& names) {
  model::Response response = refuse("correction_needed", std::move(message),
                                    fmt::format("Did you mean {}?", fmt::join(names, " or ")));
  json::Writer details;
  details.begin_object().key("suggestions").begin_array();
  for (const std::string& name : names) details.string(name);
  details.end_array().end_object();
  response.failure->details = std::move(details).finish_value();
  return response;
}

std::vector<std::string> near_names(const std::vector<Symbol>& symbols, const std::string& asked) {
  std::vector<std::string> known;
  for (const Symbol& symbol : symbols) {
    known.push_back(symbol.name);
    known.push_back(symbol.name.substr(symbol.name.rfind('.') + 1));
  }
  std::vector<std::string> near;
  while (near.size() < kMostSuggestions) {
    std::string name = nearest_name(asked, known);
    if (name.empty()) break;
    known.erase(std::remove(known.begin(), known.end(), name), known.end());
    near.push_back(std::move(name));
  }
  return near;
}

Or<Symbol> find_symbol(const std::vector<Symbol>& symbols, const ExtractRequest& asked,
                       Extract& extract) {
  const std::string name = dotted(*asked.symbol);
  std::vector<Symbol> found;
  std::copy_if(symbols.begin(), symbols.end(), std::back_inserter(found),
               [&](const Symbol& symbol) { return is_called(symbol, name); });
  if (found.empty()) {
    const std::string message =
        fmt::format("There is no symbol {} in {}", quoted_name(name), extract.file);
    const std::vector<std::string> near = near_names(symbols, name);
    if (!near.empty()) return tl::unexpected(with_suggestions(message, near));
    return refused("not_found", message, "Extract the lines that you need instead.");
  }
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const Symbol& symbol : found) names.push_back(symbol.name);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const bool exact = std::count(names.begin(), names.end(), name) == 1;
  if (names.size() > 1 && !exact) {
    return tl::unexpected(with_suggestions(
        fmt::format("{} is the name of {} symbols in {}", name, names.size(), extract.file),
        names));
  }
  const std::string& chosen = exact ? name : names.front();
  const auto first = std::find_if(found.begin(), found.end(),
                                  [&](const Symbol& symbol) { return symbol.name == chosen; });
  for (auto other = first + 1; other < found.end(); ++other) {
    if (other->name == chosen) extract.also_at_lines.push_back(other->first_line);
  }
  return *first;
}

Or<Range> asked_lines(const ExtractRequest& asked, std::size_t line_count) {
  const std::size_t first = asked.from_line.value_or(1);
  const std::size_t last = asked.to_line.value_or(line_count);
  if (first > last && asked.to_line) {
    return refused("invalid_argument",
                   fmt::format("expected from_line up to to_line, found {} and {}", first, last));
  }
  if (first > line_count) {
    return refused("invalid_argument", fmt::format("{} has {} lines, found from_line {}",
                                                   asked.file, line_count, first));
  }
  return Range{first, std::min(last, line_count)};
}

Or<void> check_request(const ExtractRequest& asked) {
  const bool lines = asked.from_line || asked.to_line;
  if (lines == asked.symbol.has_value()) {
    return refused("invalid_argument",
                   lines ? "expected either a symbol or lines, found both"
                         : "expected a symbol or lines, found neither",
                   "Give `symbol`, or `from_line` and `to_line`.");
  }
  return {};
}

void show(Range range, const std::vector<std::string_view>& lines, Extract& extract) {
  extract.first_line = range.first;
  extract.last_line = range.last;
  for (std::size_t line = range.first; line <= range.last; ++line) {
    extract.code += lines[line - 1];
    extract.code += '\n';
  }
}

Range within_limits(const Workbench& bench, const ExtractRequest& asked, Range range,
                    std::size_t line_count, Extract& extract, server::Context& context) {
  const std::size_t around = granted_context(bench, asked.context_lines, context);
  range.first = range.first > around ? range.first - around : 1;
  range.last = std::min(range.last + around, line_count);
  const std::size_t most = limits_of(bench.tier).extract_lines;
  if (range.last - range.first + 1 > most) {
    range.last = range.first + most - 1;
    extract.truncated = true;
    hint_at(context, bench.tier, &TierLimits::extract_lines, "longer_extracts", "lines");
  }
  return range;
}

}  // namespace

server::Answer<Extract> extract(const Workbench& bench, const ExtractRequest& asked,
                                server::Context& context) {
  Or<void> request = check_request(asked);
  if (!request) return std::move(request.error());
  const Or<SourceFile> file = read_source(bench, asked.file, context);
  if (!file) return file.error();

  const std::vector<Token> tokens = tokens_of(file->text, file->language);
  const std::vector<std::string_view> lines = lines_of(file->text);
  const std::vector<Symbol> symbols = symbols_of(file->text, tokens, file->language);
  Extract extract{.file = file->path, .language = file->language, .file_lines = lines.size()};
  for (const Symbol& symbol : symbols) extract.symbols_in_file.push_back(symbol.name);
  Range range{1, lines.size()};
  if (asked.symbol) {
    Or<Symbol> symbol = find_symbol(symbols, asked, extract);
    if (!symbol) return std::move(symbol.error());
    extract.symbol = symbol->name;
    extract.kind = symbol->kind;
    range = {symbol->first_line, symbol->last_line};
  } else {
    Or<Range> asked_for = asked_lines(asked, lines.size());
    if (!asked_for) return std::move(asked_for.error());
    range = *asked_for;
  }
  show(within_limits(bench, asked, range, lines.size(), extract, context), lines, extract);
  if (asked.include_imports) extract.imports = granted_imports(bench, *file, tokens, context);
  return extract;
}

}  // namespace scalpel
