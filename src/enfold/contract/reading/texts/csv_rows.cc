// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/reading/texts/csv_rows.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace enfold::contract::detail {
namespace {

using Cells = std::vector<std::string>;

/// Reads one record after the other.
class Records {
 public:
  Records(std::string_view text, char separator) : text_(text), separator_(separator) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  // The cells of the next record; nullopt: a quoted cell is not closed, or text follows its closing
  // quote.
  std::optional<Cells> next() {
    Cells cells;
    for (;;) {
      auto cell = next_cell();
      if (!cell) return std::nullopt;
      cells.push_back(std::move(*cell));
      if (at_end()) return cells;
      const char after = text_[at_++];
      if (after == '\n') return cells;
    }
  }

 private:
  std::optional<std::string> next_cell() {
    if (!at_end() && text_[at_] == '"') return quoted_cell();
    const std::size_t start = at_;
    while (!at_end() && text_[at_] != separator_ && text_[at_] != '\n') ++at_;
    std::string_view cell = text_.substr(start, at_ - start);
    if (cell.ends_with('\r')) cell.remove_suffix(1);
    return std::string(cell);
  }

  std::optional<std::string> quoted_cell() {
    std::string cell;
    for (++at_; !at_end(); ++at_) {
      if (text_[at_] != '"') {
        cell.push_back(text_[at_]);
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell.push_back(text_[++at_]);
      } else {
        ++at_;
        if (!at_end() && text_[at_] == '\r') ++at_;
        const bool closed = at_end() || text_[at_] == separator_ || text_[at_] == '\n';
        return closed ? std::optional(std::move(cell)) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
};

// Whether the cells can be names of columns: they differ and begin with a letter. A sentence with
// commas is no header: its parts begin with a space.
bool is_header(const Cells& cells) {
  constexpr std::size_t longest_name = 64;
  std::set<std::string> names;
  return cells.size() > 1 && std::ranges::all_of(cells, [&](const std::string& name) {
           return !name.empty() && name.size() <= longest_name && names.insert(name).second &&
                  (is_letter(name.front()) || name.front() == '_') && !name.ends_with('.') &&
                  name.find_first_of("\n{}<>") == std::string::npos;
         });
}

// csv_rows() for one separator.
std::optional<json::Value> rows_with(std::string_view text, char separator) {
  Records records(text, separator);
  const auto header = records.next();
  if (!header || !is_header(*header) || records.at_end()) return std::nullopt;
  json::Writer writer;
  writer.begin_array();
  while (!records.at_end()) {
    const auto cells = records.next();
    if (!cells || cells->size() != header->size()) return std::nullopt;
    writer.begin_object();
    for (std::size_t at = 0; at < cells->size(); ++at) writer.member((*header)[at], (*cells)[at]);
    writer.end_object();
  }
  return std::move(writer.end_array()).finish_value();
}

}  // namespace

std::optional<json::Value> csv_rows(std::string_view text) {
  text = trimmed(text, "\r\n");
  for (const char separator : {',', ';', '\t'}) {
    if (auto rows = rows_with(text, separator)) return rows;
  }
  return std::nullopt;
}

}  // namespace enfold::contract::detail
