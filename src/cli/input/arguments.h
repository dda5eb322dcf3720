// SPDX-License-Identifier: Apache-2.0
// What a verb accepts on the command line: each verb declares it in its own file, in the order of
// its help page. Keeps CLI11, which costs seconds to compile, out of those files.
#pragma once

#include "cli/terminal/terminal.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace enfold::cli {

/// Where a value goes must live until the verb has run.
class Arguments {
 public:
  explicit Arguments(CLI::App& verb) : verb_(verb) {}

  struct Numbers {
    const char* what;  ///< "a number of bytes"
    std::uint64_t least;
    std::uint64_t most;
  };

  void positional(const std::string& name, std::string& value, const std::string& help);
  void positional(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);
  /// A value that is not empty is the default, and shown.
  void text(const std::string& name, const char* type, std::string& value, const std::string& help);
  void text(const std::string& name, const char* type, std::optional<std::string>& value,
            const std::string& help);
  /// May be given several times.
  void texts(const std::string& name, const char* type, std::vector<std::string>& values,
             const std::string& help);
  void number(const std::string& name, std::size_t& value, const Numbers& numbers,
              const std::string& help);
  void number(const std::string& name, std::optional<std::size_t>& value, const Numbers& numbers,
              const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help, bool becomes = true);
  /// Every verb takes --json, also those that write nothing else.
  void json_anyway();

  /// Everything behind `--`, for a verb that starts another program.
  void command(std::vector<std::string>& words) { command_ = &words; }

  /// What was declared as `name` must be given; `hint` helps those who left it out.
  void require(const std::string& name, const std::string& hint);
  /// What stands below the options: what cannot be told in a line, and examples.
  void footer(const std::string& text);

  /// Fills in, before the verb runs, which options were given, as their help page spells them.
  void note_given(std::vector<std::string>& names) { given_ = &names; }

  [[nodiscard]] const std::map<std::string, std::string>& hints() const { return hints_; }
  [[nodiscard]] std::vector<std::string>* command() const { return command_; }
  [[nodiscard]] std::vector<std::string>* given() const { return given_; }

 private:
  CLI::App& verb_;
  std::vector<std::string>* command_ = nullptr;
  std::vector<std::string>* given_ = nullptr;
  std::map<std::string, std::string> hints_;
};

/// Does what the verb was asked to; answers the exit code.
using Run = std::function<int(Terminal&)>;

/// A row of the table in main.cc.
struct Verb {
  const char* name;
  const char* summary;
  Run (*set_up)(Arguments&);  ///< declares the arguments and answers what is done with them
};

/// For a verb whose arguments are one struct of options.
template <class Options>
[[nodiscard]] Run set_up(Arguments& arguments, void (*accept)(Arguments&, Options&),
                         int (*run)(const Options&, Terminal&)) {
  const auto options = std::make_shared<Options>();
  accept(arguments, *options);
  return [options, run](Terminal& terminal) { return run(*options, terminal); };
}

/// Runs the verb that the arguments name, or says what is wrong with them.
[[nodiscard]] int run_verb(std::span<const Verb> verbs, int argc, char** argv, Terminal& terminal);

}  // namespace enfold::cli
