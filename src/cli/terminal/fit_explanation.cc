// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/fit_explanation.h"

#include "cli/input/input.h"
#include "enfold/base/numbers.h"
#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/format.h>

namespace enfold::cli {
namespace {

// Widths of columns of the table, in characters.
constexpr std::size_t kPlaceColumns = 32;
constexpr std::size_t kBarColumns = 16;
constexpr std::size_t kMaxRows = 60;  // that the table shows; --json shows all

/// The style of the rows for parts with this budget::Part::what.
struct PartStyle {
  std::string_view what;
  Style style;
};
constexpr PartStyle kPartStyles[] = {
    {"whole", Style::green}, {"brief", Style::yellow}, {"clipped", Style::yellow},
    {"row", Style::cyan},    {"facts", Style::cyan},   {"lines", Style::cyan},
    {"dropped", Style::dim}, {"", Style::yellow},  // all others
};
Style style_of(std::string_view what) {
  return std::find_if(std::begin(kPartStyles), std::end(kPartStyles) - 1,
                      [&](const PartStyle& one) { return one.what == what; })
      ->style;
}

// A bar in proportion to `tokens`, to an eighth of a character; kBarColumns long for `most` tokens.
std::string bar(std::size_t tokens, std::size_t most) {
  constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (most == 0) return "";
  const std::size_t eighths =
      tokens == 0 ? 0 : std::max<std::size_t>(1, tokens * kBarColumns * 8 / most);
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  return out + std::string(kEighths[eighths % 8]);
}

// Pads or cuts the text to `columns` characters. std::format would count bytes.
std::string in_columns(const std::string& text, std::size_t columns) {
  const std::size_t length = utf8::length(text);
  if (length <= columns) return text + std::string(columns - length, ' ');
  std::size_t end = 0;
  for (std::size_t count = 0; count + 1 < columns; ++count) {
    for (++end; end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80;) ++end;
  }
  return text.substr(0, end) + "…";
}

std::string described(const budget::Size& size) {
  return fmt::format("{} tokens, {} characters, {} line{}", grouped(size.tokens),
                     grouped(size.characters), grouped(size.lines), size.lines == 1 ? "" : "s");
}

// The limits of the budget, and in parentheses the names of the client and of the tokenizer.
std::string described_budget(const FitExplanation& explanation) {
  const budget::Budget& budget = explanation.settings->budget;
  std::string text = grouped(budget.tokens) + " tokens";
  // A budget without a limit of characters has kLargestDocument there.
  if (budget.characters < kLargestDocument)
    text += fmt::format(", {} characters", grouped(budget.characters));
  if (budget.lines) text += fmt::format(", {} lines", grouped(*budget.lines));
  const std::string_view encoding = explanation.settings->tokenizer->name();
  if (explanation.client.empty()) return fmt::format("{} ({})", text, encoding);
  return fmt::format("{} ({}, {})", text, explanation.client, encoding);
}

// Combines neighbouring facts with the same pointer, which the fitter chose one by one, into one
// row.
std::vector<budget::Part> combined(const std::vector<budget::Part>& parts) {
  std::vector<budget::Part> rows;
  for (const budget::Part& part : parts) {
    const bool same = !rows.empty() && part.what == "facts" && rows.back().what == "facts" &&
                      rows.back().pointer == part.pointer;
    if (same) {
      rows.back().tokens += part.tokens;
    } else {
      rows.push_back(part);
    }
  }
  return rows;
}

void print_parts(const FitExplanation& explanation, Terminal& terminal) {
  const std::vector<budget::Part> parts = combined(explanation.finished->fitted.parts);
  if (parts.empty()) return;
  std::size_t most = answer::tokens_beside_parts(*explanation.finished);
  for (const budget::Part& part : parts) most = std::max(most, part.tokens);
  terminal.out(terminal.styled(
      fmt::format("{}  {:<8} {:>7}  {:>7}  {} {}\n", in_columns("PLACE", kPlaceColumns), "SHOWN",
                  "ITEMS", "TOKENS", in_columns("", kBarColumns), "WHY"),
      Style::bold));
  const auto row = [&](const std::string& place, std::string_view what, const std::string& count,
                       std::size_t tokens, std::string_view reason) {
    const std::string picture = in_columns(bar(tokens, most), kBarColumns);
    terminal.out(fmt::format("{}  {} {:>7}  {:>7}  {} {}\n",
                             in_columns(printable(place), kPlaceColumns),
                             terminal.styled(fmt::format("{:<8}", what), style_of(what)), count,
                             grouped(tokens), terminal.styled(picture, style_of(what)), reason));
  };
  const std::size_t shown = std::min(parts.size(), kMaxRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const budget::Part& part = parts[i];
    row(part.pointer.empty() ? "(payload)" : part.pointer, part.what, grouped(part.count),
        part.tokens, answer::reason_of(part.what));
  }
  if (shown < parts.size()) {
    terminal.out(fmt::format("… and {} more rows; --json has them all\n", parts.size() - shown));
  }
  row("(around it)", "", "", answer::tokens_beside_parts(*explanation.finished),
      "envelope, keys of the index, report of what is missing");
}

}  // namespace

void print_text(const FitExplanation& explanation, Terminal& terminal) {
  const budget::FitResult& fitted = explanation.finished->fitted;
  const budget::Size& size = explanation.finished->size;
  terminal.out_row("answer", printable(display_name(explanation.file)));
  terminal.out_row("budget", described_budget(explanation));
  terminal.out_row("whole", described(explanation.whole));
  if (explanation.fits) {
    terminal.out_row("fits",
                     terminal.styled("as it is; nothing is left out or stored", Style::green));
    return;
  }
  const double share = 100.0 * static_cast<double>(size.tokens) /
                       static_cast<double>(std::max<std::size_t>(1, explanation.whole.tokens));
  terminal.out_row("shown", fmt::format("{} ({:.1f} % of the tokens)", described(size), share));
  terminal.out_row("level", std::string(model::name(answer::fidelity_of(*explanation.finished))));
  terminal.out_row("left out",
                   fmt::format("{} item{}", grouped(fitted.dropped_count),
                               fitted.dropped_count == 1 ? " or member" : "s and members"));
  terminal.out_row("archive", fmt::format("would be stored as {}: enfold fetch {}",
                                          explanation.receipt.handle, explanation.receipt.handle));
  if (fitted.schema_note) terminal.out_row("schema", printable(*fitted.schema_note));
  terminal.out("\n");
  print_parts(explanation, terminal);
}

void print_json(const FitExplanation& explanation, Terminal& terminal) {
  json::Writer writer;
  answer::write_explanation(writer, explanation);
  terminal.out_line(std::move(writer).finish());
}

}  // namespace enfold::cli
