// SPDX-License-Identifier: Apache-2.0
// Any URI template and any URI: a match has the template's variables, and a URI that is written by
// the template's rules matches it. The input is a template and a URI with a record separator (0x1E)
// between them.
#include "enfold/mcp/types/uri_template.h"

#include "fuzz/check.h"

#include <algorithm>
#include <string>

namespace enfold::fuzz {
namespace {

// RFC 6570, for variables that all have the same value.
std::string expanded(std::string_view text, std::string_view value) {
  std::string out;
  bool in_query = false;
  while (true) {
    const std::size_t open = std::min(text.find('{'), text.size());
    out += text.substr(0, open);
    if (open == text.size()) return out;
    std::string_view names = text.substr(open + 1, text.find('}') - open - 1);
    text.remove_prefix(text.find('}') + 1);
    const char sign = names.find_first_of("+#./;?&") == 0 ? names.front() : '\0';
    if (sign != '\0') names.remove_prefix(1);
    for (bool first = true; !names.empty(); first = false) {
      const std::string_view name = names.substr(0, names.find(','));
      names.remove_prefix(std::min(name.size() + 1, names.size()));
      if (sign == '?' || sign == '&')
        out += std::exchange(in_query, true) ? '&' : '?';
      else if (sign == '.' || sign == '/' || sign == ';')
        out += sign;
      else if (!first)
        out += ',';
      else if (sign == '#')
        out += '#';
      if (sign == '?' || sign == '&' || sign == ';') out.append(name).append("=");
      out += value;
    }
  }
}

void require_variables(const mcp::UriTemplate& parsed, const mcp::UriVariables& found,
                       std::string_view input) {
  const std::vector<std::string> names = parsed.variables();
  require(found.size() <= names.size(), "no variable is found twice", input);
  for (const auto& [name, value] : found)
    require(std::ranges::find(names, name) != names.end(), "only variables are found", input);
}

void check(std::string_view input) {
  const std::size_t cut = std::min(input.find('\x1e'), input.size());
  const std::string_view text = input.substr(0, cut);
  const auto parsed = mcp::UriTemplate::parse(text);
  if (!parsed) {
    require(!parsed.error().message.empty(), "a refused template says why", input);
    return;
  }
  if (const auto found = parsed->match(input.substr(std::min(cut + 1, input.size()))))
    require_variables(*parsed, *found, input);
  // A character that the template does not use, so that no literal ends a value early.
  const std::string_view unused = "0123456789~";
  const std::size_t at = unused.find_first_not_of(text);
  if (at == std::string_view::npos) return;
  const std::string value(2, unused[at]);
  // A question mark outside a query is taken for the beginning of one.
  if (text.find('?') != text.rfind('?') ||
      (text.find('?') != std::string_view::npos && text.find("{?") == std::string_view::npos))
    return;
  const auto found = parsed->match(expanded(text, value));
  require(found.has_value(), "a URI by the template's rules matches", input);
  require(found->size() == parsed->variables().size(), "it has all variables", input);
  for (const auto& [name, got] : *found) require(got == value, "a value comes back", input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
