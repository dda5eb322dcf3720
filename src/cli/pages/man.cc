// SPDX-License-Identifier: Apache-2.0
// The man pages of the program and its verbs.
#include "cli/pages/pages.h"
#include "cli/pages/roff.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

using roff::bold;
using roff::escaped;
using roff::italic;
using roff::section;

// The paragraph of an option or, if `is_argument`, of an argument without dashes.
std::string option_entry(const OptionPage& option, bool is_argument) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) {
    names.push_back(is_argument ? italic(name) : bold(name));
  }
  std::string out = fmt::format(".TP\n{}", fmt::join(names, ", "));
  if (!option.type.empty()) out += " " + italic(option.type);
  if (is_argument && option.repeats) out += " ...";
  out += "\n" + roff::filled(option.help);
  if (!option.help.ends_with('.')) out += ".";
  if (!option.default_value.empty()) {
    out += fmt::format("\nDefault: {}.", escaped(option.default_value));
  }
  if (option.required) out += "\nRequired.";
  if (option.repeats && !is_argument) out += "\nMay be repeated.";
  return out + "\n";
}

// A footer of --help as roff paragraphs; lines that begin with a space are examples, which roff
// must not fill.
std::string paragraphs(std::string_view text) {
  std::string out;
  bool is_literal = false;  // the last line was an example
  bool begins = true;       // the next line begins a paragraph
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool wants_literal = line.starts_with(' ');
    if (line.empty()) {
      if (is_literal) out += ".EE\n";
      is_literal = false;
      begins = true;
      continue;
    }
    if (wants_literal != is_literal) {
      out += wants_literal ? (begins ? ".PP\n.EX\n" : ".EX\n") : ".EE\n";
      is_literal = wants_literal;
    } else if (begins && !is_literal) {
      out += ".PP\n";
    }
    begins = false;
    out += (is_literal ? escaped(line) : roff::filled(line)) + "\n";
  }
  return out + (is_literal ? ".EE\n" : "");
}

// The parts of a footer before and after "Examples:".
std::pair<std::string_view, std::string_view> split_examples(std::string_view footer) {
  for (const std::string_view title : {"Examples:\n", "Example:\n"}) {
    const std::size_t at = footer.find(title);
    if (at == std::string_view::npos) continue;
    return {footer.substr(0, at), footer.substr(at + title.size())};
  }
  return {footer, {}};
}

// The text of a section without a leading .PP, which man page linters report directly after a
// heading.
std::string after_heading(std::string body) {
  return body.starts_with(".PP\n") ? body.substr(4) : body;
}

std::string exit_codes() {
  constexpr std::array<std::string_view, 6> kMeanings{
      "done",
      "unexpected: output could not be written, no answer in time, a defect",
      "negative answer: not valid, over the budget, problems found",
      "unsupported",
      "bad input",
      "bad usage"};
  std::string out;
  for (std::size_t code = 0; code < kMeanings.size(); ++code) {
    out += fmt::format(".TP\n{}\n{}.\n", code, escaped(kMeanings[code]));
  }
  return out;
}

std::string verb_page(const VerbPage& verb, const ProgramPage& program, const std::string& date) {
  std::string synopsis = bold("enfold " + verb.name) + " [" + italic("OPTIONS") + "]";
  std::string arguments;
  for (const OptionPage& argument : verb.arguments) {
    const std::string name = italic(argument.names.back()) + (argument.repeats ? " ..." : "");
    synopsis += argument.required ? " " + name : " [" + name + "]";
    arguments += option_entry(argument, /*is_argument=*/true);
  }
  if (verb.has_command) synopsis += " [" + bold("--") + " " + italic("COMMAND") + " ...]";
  std::string options;
  for (const OptionPage& option : verb.options) {
    options += option_entry(option, /*is_argument=*/false);
  }
  const auto [text, examples] = split_examples(verb.footer);
  const std::string about = paragraphs(text);
  return roff::head({.name = "enfold-" + verb.name,
                     .summary = verb.summary,
                     .date = date,
                     .version = program.version}) +
         section("SYNOPSIS", synopsis + "\n") +
         section("DESCRIPTION", escaped(verb.summary) + ".\n" + about) +
         section("ARGUMENTS", arguments) + section("OPTIONS", options) +
         section("EXIT STATUS", exit_codes()) +
         section("EXAMPLES", after_heading(paragraphs(examples))) +
         section("SEE ALSO", ".BR enfold (1)\n");
}

std::string program_page(const ProgramPage& program, const std::string& date) {
  std::string options;
  for (const OptionPage& option : program.options) {
    options += option_entry(option, /*is_argument=*/false);
  }
  std::string verbs;
  std::vector<std::string> pages;
  for (const VerbPage& verb : program.verbs) {
    verbs +=
        fmt::format(".TP\n.BR enfold\\-{} (1)\n{}.\n", escaped(verb.name), escaped(verb.summary));
    pages.push_back(fmt::format(".BR enfold\\-{} (1)", escaped(verb.name)));
  }
  const std::string variables =
      ".TP\n.B ENFOLD_ARCHIVE\nThe archive: a file or a Redis server.\n"
      ".TP\n.B XDG_STATE_HOME\nThe archive is enfold/archive.db in this folder; default: "
      "\\(ti/.local/state.\n.TP\n.B NO_COLOR\nIf it is set and not empty, no colour is used.\n";
  return roff::head({.name = "enfold",
                     .summary = program.summary,
                     .date = date,
                     .version = program.version}) +
         section("SYNOPSIS", bold("enfold") + " " + italic("VERB") + " [" + italic("OPTIONS") +
                                 "] [" + italic("FILE") + " ...]\n") +
         section("DESCRIPTION", escaped(program.summary) + ".\n" + paragraphs(program.footer)) +
         section("VERBS", verbs) + section("OPTIONS", options) +
         section("EXIT STATUS", exit_codes()) + section("ENVIRONMENT", variables) +
         section("SEE ALSO", fmt::format("{}\n", fmt::join(pages, " ,\n")));
}

}  // namespace

std::vector<PageFile> man_pages(const ProgramPage& program, const std::string& date) {
  std::vector<PageFile> out{{"man1/enfold.1", program_page(program, date)}};
  for (const VerbPage& verb : program.verbs) {
    out.push_back({fmt::format("man1/enfold-{}.1", verb.name), verb_page(verb, program, date)});
  }
  return out;
}

}  // namespace enfold::cli
