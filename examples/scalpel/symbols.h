// SPDX-License-Identifier: Apache-2.0
// Functions, classes and methods of a source with the lines they really span: by indentation in
// Python, by braces outside of text and comments elsewhere.
#pragma once

#include "source.h"

#include <string>
#include <vector>

namespace scalpel {

enum class SymbolKind { function, method, type };

struct Symbol {
  std::string name;  ///< with what encloses it: Account.close
  SymbolKind kind = SymbolKind::function;
  std::size_t first_line = 0;
  std::size_t last_line = 0;
};

/// In the order of their first lines.
[[nodiscard]] std::vector<Symbol> symbols_of(std::string_view text,
                                             const std::vector<Token>& tokens, Language language);

/// Lines that bring other files in.
[[nodiscard]] std::vector<std::size_t> import_lines(const std::vector<Token>& tokens,
                                                    Language language);

}  // namespace scalpel

template <>
struct enfold::model::Names<scalpel::SymbolKind> {
  static constexpr std::array<std::string_view, 3> values{"function", "method", "class"};
};
