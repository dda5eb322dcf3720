// SPDX-License-Identifier: Apache-2.0
// Declares the arguments of a verb. The file of each verb declares its arguments, in the order in
// which the help page shows them. This header keeps CLI11, which takes seconds to compile, out of
// the files of the verbs.
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

/// The arguments of one verb. The functions that declare an argument keep a reference to the
/// variable that gets its value; the variable must live until the verb has run. `name`: "--name",
/// or for positional arguments "NAME".
class Arguments {
 public:
  Arguments(CLI::App& verb, std::span<const Verb> verbs) : verb_(verb), verbs_(verbs) {}

  struct Numbers {
    const char* what;   ///< for errors: "a number of bytes"
    std::uint64_t min;  ///< the smallest that is accepted
    std::uint64_t max;  ///< the largest that is accepted
  };

  void positional(const std::string& name, std::string& value, const std::string& help);
  void positional(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);
  /// `type`: the placeholder of the value in the help: "URL". A `value` that is not empty is the
  /// default and appears in the help.
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
  /// `becomes`: what the flag assigns to `value`.
  void flag(const std::string& name, bool& value, const std::string& help, bool becomes = true);
  /// A flag that may have a value, `--name=VALUE`. `--name` alone sets `value` to "true".
  void flag_or_text(const std::string& name, std::string& value, const std::string& help);
  /// Accepts --json, without effect, in a verb that always writes JSON.
  void accept_json_flag();

  /// For a verb that starts another program: all words after `--` are stored in `words`.
  void command(std::vector<std::string>& words) { command_ = &words; }

  /// Makes `name` required; `hint` is shown when it is missing.
  void require(const std::string& name, const std::string& hint);
  /// Text below the options: explanations and examples.
  void footer(const std::string& text);

  /// Stores the names of the options that were used ("--name") in `names`, before the verb runs.
  void record_used_options(std::vector<std::string>& names) { used_options_ = &names; }

  /// All verbs of the program.
  [[nodiscard]] std::span<const Verb> verbs() const { return verbs_; }
  /// The hints of require(), by name of the argument.
  [[nodiscard]] const std::map<std::string, std::string>& hints() const { return hints_; }
  /// Where to store the words after `--`; nullptr: the verb takes no command.
  [[nodiscard]] std::vector<std::string>* command() const { return command_; }
  /// Where to store the names of the used options; nullptr: nowhere.
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

/// Implements Verb::set_up for a verb whose options are one struct: `declare` declares its members
/// as arguments, `run` gets it with the values of the command line.
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
