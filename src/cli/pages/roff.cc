// SPDX-License-Identifier: Apache-2.0
#include "cli/pages/roff.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::cli::roff {

std::string escaped(std::string_view text) {
  std::string out;
  bool at_line = true;
  for (const char c : text) {
    if (at_line && (c == '.' || c == '\'')) out += "\\&";
    at_line = c == '\n';
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '~': out += "\\(ti"; break;
      case '^': out += "\\(ha"; break;
      case '`': out += "\\(ga"; break;
      default: out += c;
    }
  }
  return out;
}

std::string filled(std::string_view text) {
  constexpr std::size_t kWidth = 78;
  std::string out;
  std::size_t width = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(" \n"), rest.size());
    const std::string word = escaped(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.empty()) continue;
    const bool breaks = width > 0 && width + 1 + word.size() > kWidth;
    if (width > 0) out += breaks ? '\n' : ' ';
    width = (breaks || width == 0 ? 0 : width + 1) + word.size();
    out += word;
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }

std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string head(const PageTitle& title) {
  std::string upper = title.name;
  std::ranges::transform(upper, upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return fmt::format(".TH {} {} {} \"Enfold {}\" \"Enfold\"\n.ad l\n.SH NAME\n{} \\- {}\n",
                     escaped(upper), title.section, title.date, title.version, escaped(title.name),
                     escaped(title.summary));
}

std::string section(std::string_view heading, const std::string& body) {
  return body.empty() ? "" : fmt::format(".SH {}\n{}", heading, body);
}

}  // namespace enfold::cli::roff
