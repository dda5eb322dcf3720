// SPDX-License-Identifier: Apache-2.0
// What the program declares about its command line, without CLI11, and what is generated from it:
// man pages and the completions of three shells.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::cli {

struct Verb;

struct OptionPage {
  std::vector<std::string> names;  ///< "-h", "--help"; of an argument without dashes one: "FILE"
  std::string type;                ///< of the value; empty: a flag
  std::string standard;            ///< the default
  std::string help;
  bool required = false;
  bool repeats = false;
  std::vector<std::string> values;  ///< known ones; empty: any
};

struct VerbPage {
  std::string name;
  std::string summary;
  std::vector<OptionPage> options;
  std::vector<OptionPage> arguments;
  bool has_command = false;  ///< a command may follow --
  std::string footer;
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

/// Without hidden verbs. Implemented beside the declarations, in input/arguments.cc.
[[nodiscard]] ProgramPage describe_program(std::span<const Verb> verbs);

/// Sets the values of options that take the name of a contract, a client, …
void add_known_values(ProgramPage& program);

/// enfold.1 and enfold-VERB.1. `date`: "2026-11-18".
[[nodiscard]] std::vector<PageFile> man_pages(const ProgramPage& program, const std::string& date);
/// enfold.toml.5
[[nodiscard]] PageFile config_man_page(const ProgramPage& program, const std::string& date);
[[nodiscard]] PageFile bash_completion(const ProgramPage& program);
[[nodiscard]] PageFile zsh_completion(const ProgramPage& program);
[[nodiscard]] PageFile fish_completion(const ProgramPage& program);

/// The help of an option in one line, up to the end of its first sentence.
[[nodiscard]] std::string short_help(const OptionPage& option);

/// Whether the value of an option or an argument is the name of a file.
[[nodiscard]] bool takes_file(const OptionPage& option);

}  // namespace enfold::cli
