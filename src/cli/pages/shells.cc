// SPDX-License-Identifier: Apache-2.0
// Completions for bash, zsh and fish: of verbs, options, known values and files, and after -- of
// the command of a server.
#include "cli/pages/pages.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

constexpr std::string_view kOrigin =
    "written by `enfold generate`, from the same declarations as "
    "--help";

// The text in single quotes for bash and fish; a single quote inside becomes a typographic one.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "\u2019";
    } else if (c == '\\') {
      out += "\\\\";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// The names of all options, separated by spaces.
std::string option_names(const std::vector<OptionPage>& options) {
  std::vector<std::string> names;
  for (const OptionPage& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

// Whether an argument of the verb can be a file.
bool takes_files(const VerbPage& verb) { return std::ranges::any_of(verb.arguments, takes_file); }

std::vector<std::string> argument_values(const VerbPage& verb) {
  std::vector<std::string> out;
  for (const OptionPage& argument : verb.arguments) {
    out.insert(out.end(), argument.values.begin(), argument.values.end());
  }
  return out;
}

// The command that completes the value of an option.
std::string bash_value(const OptionPage& option) {
  if (!option.values.empty()) {
    return fmt::format("COMPREPLY=($(compgen -W {} -- \"$cur\"))",
                       quoted(fmt::format("{}", fmt::join(option.values, " "))));
  }
  return takes_file(option) ? "_enfold_files" : "COMPREPLY=()";
}

std::string bash_verb(const VerbPage& verb) {
  std::string out = fmt::format("    {})\n      case $prev in\n", verb.name);
  for (const OptionPage& option : verb.options) {
    if (option.type.empty()) continue;
    out += fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, " | "),
                       bash_value(option));
  }
  out += "      esac\n";
  out += fmt::format(
      "      if [[ $cur == -* ]]; then\n        COMPREPLY=($(compgen -W {} -- "
      "\"$cur\"))\n        return\n      fi\n",
      quoted(option_names(verb.options) + (verb.has_command ? " --" : "")));
  const std::vector<std::string> values = argument_values(verb);
  if (takes_files(verb)) out += "      _enfold_files\n";
  if (!values.empty()) {
    out += fmt::format("      COMPREPLY+=($(compgen -W {} -- \"$cur\"))\n",
                       quoted(fmt::format("{}", fmt::join(values, " "))));
  }
  return out + "      ;;\n";
}

// The text, escaped for single-quoted specifications of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    if (c == '\'') {
      out += "\u2019";
    } else {
      out += c;
    }
  }
  return out;
}

// How _arguments completes a value; " ": not at all.
std::string zsh_action(const OptionPage& option) {
  if (!option.values.empty()) {
    return fmt::format("({})", fmt::join(option.values, " "));
  }
  return takes_file(option) ? "_files" : " ";
}

std::string zsh_option(const OptionPage& option, const std::string& name) {
  const std::string value =
      option.type.empty() ? "" : fmt::format(":{}:{}", zsh_text(option.type), zsh_action(option));
  return fmt::format("        '{}{}[{}]{}'", option.repeats ? "*" : "", name,
                     zsh_text(short_help(option)), value);
}

std::string zsh_verb(const VerbPage& verb) {
  std::vector<std::string> parts;
  for (const OptionPage& option : verb.options) {
    for (const std::string& name : option.names) parts.push_back(zsh_option(option, name));
  }
  for (const OptionPage& argument : verb.arguments) {
    std::string action = takes_file(argument) ? "_files" : zsh_action(argument);
    if (takes_file(argument) && !argument.values.empty()) {
      action = fmt::format("_alternative \"names:name:({})\" \"files:file:_files\"",
                           fmt::join(argument.values, " "));
      action = "{" + action + "}";
    }
    parts.push_back(fmt::format("        '{}:{}:{}'", argument.repeats ? "*" : "",
                                zsh_text(argument.names.back()), action));
  }
  return fmt::format("    {})\n      _arguments -S \\\n{}\n      ;;\n", verb.name,
                     fmt::join(parts, " \\\n"));
}

std::string fish_option(const VerbPage& verb, const OptionPage& option) {
  std::string out = fmt::format("complete -c enfold -n '__enfold_verb {}'", verb.name);
  for (const std::string& name : option.names) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.type.empty()) {
    out += takes_file(option) ? " -r -F" : " -x";
    if (!option.values.empty()) {
      out += " -a " + quoted(fmt::format("{}", fmt::join(option.values, " ")));
    }
  }
  return out + " -d " + quoted(short_help(option)) + "\n";
}

std::string fish_verb(const VerbPage& verb) {
  std::string out = fmt::format("complete -c enfold -n __enfold_no_verb -a {} -d {}\n", verb.name,
                                quoted(verb.summary));
  for (const OptionPage& option : verb.options) out += fish_option(verb, option);
  const std::vector<std::string> values = argument_values(verb);
  if (!values.empty()) {
    out += fmt::format("complete -c enfold -n '__enfold_verb {}' -a {}\n", verb.name,
                       quoted(fmt::format("{}", fmt::join(values, " "))));
  }
  if (takes_files(verb)) {
    out += fmt::format("complete -c enfold -n '__enfold_verb {}' -F\n", verb.name);
  }
  return out;
}

}  // namespace

PageFile bash_completion(const ProgramPage& program) {
  std::vector<std::string> verbs;
  std::string cases;
  for (const VerbPage& verb : program.verbs) {
    verbs.push_back(verb.name);
    cases += bash_verb(verb);
  }
  const std::string names =
      fmt::format("{} {}", fmt::join(verbs, " "), option_names(program.options));
  std::string out = fmt::format("# bash completion for enfold, {}\n", kOrigin);
  out += R"(_enfold_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$cur"))
}

_enfold() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i
  COMPREPLY=()
  # After -- comes the command of a server.
  for ((i = 2; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -- ]] || continue
    if ((i + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- "$cur")); else _enfold_files; fi
    return
  done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W )";
  out += quoted(names) + " -- \"$cur\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n";
  return {"bash/enfold", out + cases + "  esac\n}\n\ncomplete -F _enfold enfold\n"};
}

PageFile zsh_completion(const ProgramPage& program) {
  std::vector<std::string> verbs;
  std::string cases;
  for (const VerbPage& verb : program.verbs) {
    verbs.push_back(fmt::format("    '{}:{}'", verb.name, zsh_text(verb.summary)));
    cases += zsh_verb(verb);
  }
  std::string out = fmt::format("#compdef enfold\n# {}\n", kOrigin);
  out += "_enfold() {\n  local -a verbs\n  verbs=(\n";
  out += fmt::format("{}\n  )\n", fmt::join(verbs, "\n"));
  out += R"(  local place=${words[(i)--]}
  # After -- comes the command of a server.
  if ((CURRENT > 2 && place < CURRENT)); then
    words=("${words[@]:$place}")
    ((CURRENT -= place))
    _normal
    return
  fi
  if ((CURRENT == 2)); then
    if [[ $PREFIX == -* ]]; then
      compadd -- --help --version
    else
      _describe -t verbs verb verbs
    fi
    return
  fi
  local verb=${words[2]}
  shift words
  ((CURRENT -= 1))
  case $verb in
)";
  return {"zsh/_enfold", out + cases + "  esac\n}\n\n_enfold \"$@\"\n"};
}

PageFile fish_completion(const ProgramPage& program) {
  std::string out = fmt::format("# fish completion for enfold, {}\n", kOrigin);
  out += R"(function __enfold_no_verb
    test (count (commandline -opc)) -eq 1
end
function __enfold_verb
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]; and not contains -- -- $words
end
function __enfold_command
    contains -- -- (commandline -opc)
end
complete -c enfold -f
complete -c enfold -n __enfold_no_verb -l version -d 'Print the version and exit'
complete -c enfold -n __enfold_no_verb -s h -l help -d 'Print this help and exit'
complete -c enfold -n __enfold_command -F -a '(__fish_complete_command)'
)";
  for (const VerbPage& verb : program.verbs) out += fish_verb(verb);
  return {"fish/enfold.fish", out};
}

}  // namespace enfold::cli
