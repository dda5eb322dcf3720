// SPDX-License-Identifier: Apache-2.0
// A description of the program's command line as plain values, without CLI11, and the files that
// are generated from it: man pages and the completions of three shells.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace enfold::cli {

struct Verb;

/// An option, or an argument without dashes.
struct OptionPage {
  std::vector<std::string> names;  ///< "-h", "--help"; of an argument one name: "FILE"
  std::string type;                ///< of the value, such as "FILE"; empty: a flag or an argument
  std::string default_value;       ///< empty: none
  std::string help;
  bool required = false;
  bool repeats = false;             ///< may occur several times
  std::vector<std::string> values;  ///< the known values, for completion; empty: any text
};

struct VerbPage {
  std::string name;
  std::string summary;
  std::vector<OptionPage> options;
  std::vector<OptionPage> arguments;
  bool has_command = false;  ///< the command of a server may follow after --
  std::string footer;        ///< the text after the options in --help
};

struct ProgramPage {
  std::string summary;
  std::string version;
  std::vector<OptionPage> options;
  std::vector<VerbPage> verbs;
  std::string footer;
};

/// A file to write: its path inside the target folder, and its text.
struct PageFile {
  std::string path;
  std::string text;
};

/// The program and its verbs, without hidden ones. Implemented in input/arguments.cc, next to the
/// declaration of arguments.
[[nodiscard]] ProgramPage describe_program(std::span<const Verb> verbs);

/// Sets `values` of all options and arguments that take one of some names, such as a contract.
void add_known_values(ProgramPage& program);

/// The pages enfold.1 and enfold-VERB.1. `date`: "2026-11-18".
[[nodiscard]] std::vector<PageFile> man_pages(const ProgramPage& program, const std::string& date);
/// The page enfold.toml.5.
[[nodiscard]] PageFile config_man_page(const ProgramPage& program, const std::string& date);
[[nodiscard]] PageFile bash_completion(const ProgramPage& program);
[[nodiscard]] PageFile zsh_completion(const ProgramPage& program);
[[nodiscard]] PageFile fish_completion(const ProgramPage& program);

/// The help of an option in one line, up to the first "." or ";" if a space or nothing follows it.
[[nodiscard]] std::string short_help(const OptionPage& option);

/// Whether the value of an option, or an argument, can be a path, so that files complete it.
[[nodiscard]] bool takes_file(const OptionPage& option);

}  // namespace enfold::cli
