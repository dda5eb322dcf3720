// SPDX-License-Identifier: Apache-2.0
// Declares the arguments of a verb. Each verb does so in its own file, in the order of its help
// page. Keeps CLI11, which takes seconds to compile, out of those files.
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

struct Verb;

/// The functions keep references to the variables, which must live until the verb has run.
class Arguments {
 public:
  Arguments(CLI::App& verb, std::span<const Verb> verbs) : verb_(verb), verbs_(verbs) {}

  struct Numbers {
    const char* what;   ///< "a number of bytes"
    std::uint64_t min;  ///< accepted
    std::uint64_t max;  ///< accepted
  };

  void positional(const std::string& name, std::string& value, const std::string& help);
  void positional(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);
  /// A value that is not empty is the default and appears in the help.
  void text(const std::string& name, const char* type, std::string& value, const std::string& help);
  void text(const std::string& name, const char* type, std::optional<std::string>& value,
            const std::string& help);
  /// An option that may be repeated.
  void texts(const std::string& name, const char* type, std::vector<std::string>& values,
             const std::string& help);
  void number(const std::string& name, std::size_t& value, const Numbers& numbers,
              const std::string& help);
  void number(const std::string& name, std::optional<std::size_t>& value, const Numbers& numbers,
              const std::string& help);
  /// `becomes`: the value that the flag assigns.
  void flag(const std::string& name, bool& value, const std::string& help, bool becomes = true);
  /// A flag that may have a value, `--name=VALUE`: without one, `value` becomes "true".
  void flag_or_text(const std::string& name, std::string& value, const std::string& help);
  /// Accepts --json in a verb that always writes JSON.
  void declare_json();

  /// Everything after `--`, for a verb that starts another program.
  void command(std::vector<std::string>& words) { command_ = &words; }

  /// Makes `name` required; `hint` is shown when it is missing.
  void require(const std::string& name, const std::string& hint);
  /// Text below the options: explanations and examples.
  void footer(const std::string& text);

  /// Stores the names of the options that were used ("--name") in `names`, before the verb runs.
  void record_used_options(std::vector<std::string>& names) { used_options_ = &names; }

  /// All verbs of the program.
  [[nodiscard]] std::span<const Verb> verbs() const { return verbs_; }
  [[nodiscard]] const std::map<std::string, std::string>& hints() const { return hints_; }
  [[nodiscard]] std::vector<std::string>* command() const { return command_; }
  [[nodiscard]] std::vector<std::string>* used_options() const { return used_options_; }

 private:
  CLI::App& verb_;
  std::span<const Verb> verbs_;
  std::vector<std::string>* command_ = nullptr;
  std::vector<std::string>* used_options_ = nullptr;
  std::map<std::string, std::string> hints_;
};

/// Runs the verb and returns the exit code.
using Run = std::function<int(Terminal&)>;

/// A row of the table in main.cc.
struct Verb {
  const char* name;
  const char* summary;
  Run (*set_up)(Arguments&);  ///< declares the arguments and returns the function to run
  bool is_hidden = false;     ///< not in the help
};

/// For a verb whose options are one struct.
template <class Options>
[[nodiscard]] Run set_up(Arguments& arguments, void (*declare)(Arguments&, Options&),
                         int (*run)(const Options&, Terminal&)) {
  const auto options = std::make_shared<Options>();
  declare(arguments, *options);
  return [options, run](Terminal& terminal) { return run(*options, terminal); };
}

/// Runs the verb that the arguments name, or reports what is wrong with them.
[[nodiscard]] int run_verb(std::span<const Verb> verbs, int argc, char** argv, Terminal& terminal);

}  // namespace enfold::cli
