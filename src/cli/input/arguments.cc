// SPDX-License-Identifier: Apache-2.0
// The only file that includes CLI11.
#include "cli/input/arguments.h"

#include "cli/pages/pages.h"
#include "enfold/base/text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

namespace enfold::cli {
namespace {

constexpr const char* kSummary = "Enfold: one response contract for every MCP tool answer";

// Accepts the numbers from min to max. The conversion of CLI11 alone would read -1 as the largest
// number.
CLI::Validator check_number(const Arguments::Numbers& numbers) {
  const auto check = [numbers](const std::string& text) -> std::string {
    // Up to 19 digits, which always fit into 64 bits.
    const bool is_decimal = !text.empty() && text.size() < 20 &&
                            text.find_first_not_of("0123456789") == std::string::npos;
    const auto value = is_decimal ? std::strtoull(text.c_str(), nullptr, 10) : 0;
    if (is_decimal && value >= numbers.min && value <= numbers.max) return "";
    return fmt::format("expected {} from {} to {}, found \"{}\"", numbers.what, numbers.min,
                       numbers.max, text);
  };
  return {check, ""};
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> used_option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() > 0) names.push_back(option->get_name());
  }
  return names;
}

// `where`: the option or argument; empty if the message names it.
Error bad_usage(std::string message, std::string hint, std::string where = {}) {
  return {ErrorCode::invalid_input, std::move(message), std::move(where), std::move(hint)};
}

// `word`: "--name" or "--name=VALUE". `otherwise`: the hint if no option has a similar name.
Error unknown_option(const CLI::App& verb, const std::string& word, const std::string& otherwise) {
  const std::string name = word.substr(0, word.find('='));
  return bad_usage(fmt::format("{} has no option {}", verb.get_name(), name),
                   did_you_mean(name, option_names(verb), otherwise));
}

// Why the first of `words` names no verb: it is missing, an unknown option or another word.
Error verb_error(const CLI::App& app, std::span<const Verb> verbs,
                 const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) {
    if (!verb.is_hidden) names.emplace_back(verb.name);
  }
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  if (words.empty()) return bad_usage("expected a verb: " + list, "see `enfold --help`");
  if (words.front().starts_with("-") && words.front() != "--") {
    return unknown_option(app, words.front(), "see `enfold --help`");
  }
  return bad_usage(fmt::format("expected a verb ({}), found \"{}\"", list, words.front()),
                   did_you_mean(words.front(), names, "see `enfold --help`"));
}

// `name` may be any word of the command line; false if it is no long option.
bool takes_value(const CLI::App& verb, const std::string& name) {
  const CLI::Option* option = name.starts_with("--") ? verb.get_option_no_throw(name) : nullptr;
  return option != nullptr && option->get_items_expected_max() > 0;
}

// The words of the command line after the name of the program, in reverse order, as CLI11 wants
// them. CLI11 reads "--name=" as "--name" and takes the next word as its value, so the empty value
// is passed as a separate word.
std::vector<std::string> words_to_parse(const CLI::App& verb, int argc, char** argv) {
  std::vector<std::string> words;
  for (int at = 1; at < argc; ++at) {
    std::string word = argv[at];
    if (word == "--") {
      words.insert(words.end(), argv + at, argv + argc);
      break;
    }
    const std::size_t equals = word.find('=');
    const bool has_empty_value = equals != std::string::npos && equals + 1 == word.size();
    const std::string name = word.substr(0, equals);
    // The value is the next word, even if that is "--".
    const bool takes_next = equals == std::string::npos && takes_value(verb, name);
    if (has_empty_value && takes_value(verb, name)) {
      words.push_back(name);
      word.clear();
    }
    words.push_back(std::move(word));
    if (takes_next && at + 1 < argc) words.emplace_back(argv[++at]);
  }
  std::reverse(words.begin(), words.end());
  return words;
}

// Describes an error of CLI11, which is the first rule that the command line breaks. A mistyped
// word often is the cause, so the words that CLI11 could not assign are reported instead of the
// rule.
Error usage_error(const CLI::App& verb, const Arguments& arguments, const CLI::ParseError& error) {
  const std::string help = fmt::format("see `enfold {} --help`", verb.get_name());
  const auto words = verb.remaining();  // that CLI11 could not assign
  const bool has_bare_command = arguments.command() != nullptr && arguments.command()->empty() &&
                                !words.empty() && !words.front().starts_with("-");
  if (has_bare_command) {
    return bad_usage(
        fmt::format("expected the command of a server after --, found \"{}\"", words.front()),
        fmt::format("for example `enfold {} -- {}`", verb.get_name(), fmt::join(words, " ")));
  }
  for (const std::string& word : words) {
    if (word.starts_with("-")) return unknown_option(verb, word, help);
  }
  if (!words.empty()) {
    return bad_usage(fmt::format("expected no further argument, found \"{}\"", words.front()),
                     help);
  }
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string name = what.substr(0, what.find(':'));
    const CLI::Option* option = verb.get_option_no_throw(name);
    const std::size_t times = option != nullptr ? option->count() : 0;
    if (times < 2) return bad_usage("expected a value after " + name, help);
    return bad_usage(fmt::format("expected {} once, found it {} times", name, times),
                     fmt::format("remove all but one {}", name));
  }
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {  // "--name: MESSAGE"
    const std::size_t colon = std::min(what.size(), what.find(": "));
    return bad_usage(what.substr(std::min(what.size(), colon + 2)), help, what.substr(0, colon));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return bad_usage(what, help);
  const std::string name = what.substr(0, what.find(' '));  // "NAME is required"
  const auto hint = arguments.hints().find(name);
  return bad_usage(fmt::format("expected {}, found none", name),
                   hint == arguments.hints().end() ? help : hint->second);
}

}  // namespace

void Arguments::positional(const std::string& name, std::string& value, const std::string& help) {
  verb_.add_option(name, value, help)->type_name("");
}

void Arguments::positional(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) {
  verb_.add_option(name, values, help)->type_name("");
}

void Arguments::text(const std::string& name, const char* type, std::string& value,
                     const std::string& help) {
  CLI::Option* option = verb_.add_option(name, value, help)->type_name(type);
  if (!value.empty()) option->capture_default_str();
}

void Arguments::text(const std::string& name, const char* type, std::optional<std::string>& value,
                     const std::string& help) {
  verb_.add_option(name, value, help)->type_name(type);
}

void Arguments::texts(const std::string& name, const char* type, std::vector<std::string>& values,
                      const std::string& help) {
  verb_.add_option(name, values, help)->type_name(type)->allow_extra_args(false);
}

void Arguments::number(const std::string& name, std::size_t& value, const Numbers& numbers,
                       const std::string& help) {
  verb_.add_option(name, value, help)
      ->type_name("N")
      ->check(check_number(numbers))
      ->capture_default_str();
}

void Arguments::number(const std::string& name, std::optional<std::size_t>& value,
                       const Numbers& numbers, const std::string& help) {
  verb_.add_option(name, value, help)->type_name("N")->check(check_number(numbers));
}

void Arguments::flag(const std::string& name, bool& value, const std::string& help, bool becomes) {
  verb_.add_flag_callback(name, [&value, becomes] { value = becomes; }, help);
}

void Arguments::flag_or_text(const std::string& name, std::string& value, const std::string& help) {
  verb_.add_flag(name, value, help);
}

void Arguments::accept_json_flag() {
  verb_.add_flag_callback("--json", [] {}, "No effect: the output is always JSON");
}

void Arguments::require(const std::string& name, const std::string& hint) {
  verb_.get_option(name)->required();
  hints_[name] = hint;
}

void Arguments::footer(const std::string& text) { verb_.footer(text); }

namespace {

// Adds the command after --, which CLI11 does not know, to the usage line of a help page.
class UsageWithCommand : public CLI::Formatter {
 public:
  explicit UsageWithCommand(const CLI::Formatter& plain) : Formatter(plain) {}
  std::string make_usage(const CLI::App* verb, std::string name) const override {
    std::string usage = Formatter::make_usage(verb, std::move(name));
    while (usage.ends_with('\n')) usage.pop_back();
    return usage + " [-- COMMAND...]\n";
  }
};

}  // namespace

namespace {

struct DeclaredVerb {
  CLI::App* verb;
  Arguments arguments;
  Run run;
};

// Declares the whole command line. Returns an element for each of `verbs`, in their order.
std::vector<DeclaredVerb> declare(CLI::App& app, std::span<const Verb> verbs) {
  app.set_version_flag("--version", "enfold " ENFOLD_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.get_formatter()->label("Positionals", "Arguments");
  app.get_formatter()->label("REQUIRED", "(required)");
  app.footer(
      "`enfold VERB --help` shows options and examples.\n"
      "Exit codes: 0 ok, 1 unexpected, 2 negative answer, 3 unsupported, 4 bad input, 5 bad "
      "usage.\n\n"
      "Start here:\n"
      "  enfold explain answer.json");
  std::vector<DeclaredVerb> declared;
  for (const Verb& one : verbs) {
    // CLI11 hides what is in no group.
    CLI::App* verb = app.add_subcommand(one.name, one.summary)->group(one.is_hidden ? "" : "Verbs");
    declared.push_back({verb, Arguments(*verb, verbs), {}});
    declared.back().run = one.set_up(declared.back().arguments);
    if (declared.back().arguments.command() == nullptr) continue;
    const auto plain = std::dynamic_pointer_cast<CLI::Formatter>(app.get_formatter());
    if (plain) verb->formatter(std::make_shared<UsageWithCommand>(*plain));
  }
  return declared;
}

// Describes an option or a positional argument for man pages and shell completions.
OptionPage describe_option(const CLI::Option& option) {
  OptionPage out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (option.get_positional()) out.names.push_back(option.get_name(/*positional=*/true));
  out.type = option.get_items_expected_max() > 0 && !option.get_positional()
                 ? option.get_type_name()
                 : std::string();
  out.default_value = option.get_default_str();
  out.help = option.get_description();
  out.required = option.get_required();
  out.repeats = option.get_items_expected_max() > 1;
  return out;
}

}  // namespace

ProgramPage describe_program(std::span<const Verb> verbs) {
  CLI::App app(kSummary, "enfold");
  const std::vector<DeclaredVerb> declared = declare(app, verbs);
  ProgramPage out{
      .summary = app.get_description(), .version = ENFOLD_VERSION, .footer = app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    out.options.push_back(describe_option(*option));
  }
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (verbs[i].is_hidden) continue;
    const CLI::App& verb = *declared[i].verb;
    VerbPage page{.name = verb.get_name(), .summary = verb.get_description()};
    page.has_command = declared[i].arguments.command() != nullptr;
    page.footer = verb.get_footer();
    for (const CLI::Option* option : verb.get_options()) {
      (option->get_positional() ? page.arguments : page.options)
          .push_back(describe_option(*option));
    }
    out.verbs.push_back(std::move(page));
  }
  return out;
}

int run_verb(std::span<const Verb> verbs, int argc, char** argv, Terminal& terminal) {
  CLI::App app(kSummary, "enfold");
  std::vector<DeclaredVerb> declared = declare(app, verbs);
  // The verb that CLI11 has parsed; declared.end(): none.
  const auto chosen = [&] {
    return std::find_if(declared.begin(), declared.end(),
                        [](const DeclaredVerb& one) { return one.verb->parsed(); });
  };
  const std::string_view first = argc > 1 ? argv[1] : "";
  // The verb that is the first word; known before CLI11 parses anything.
  const auto named = std::find_if(declared.begin(), declared.end(), [&](const DeclaredVerb& one) {
    return one.verb->get_name() == first;
  });
  // A first word that is no verb is reported before CLI11 parses: --help or a verb among the later
  // words would hide the error.
  if (named == declared.end() && argc > 1 && (!first.starts_with("-") || first == "--")) {
    return terminal.report_usage(verb_error(app, verbs, {std::string(first)}));
  }
  // The words after -- are the command of a server, which CLI11 must not parse.
  int parsed_argc = argc;
  if (named != declared.end() && named->arguments.command() != nullptr) {
    parsed_argc = static_cast<int>(std::find(argv, argv + argc, std::string_view("--")) - argv);
    if (parsed_argc < argc) named->arguments.command()->assign(argv + parsed_argc + 1, argv + argc);
  }
  try {
    app.parse(words_to_parse(named == declared.end() ? app : *named->verb, parsed_argc, argv));
  } catch (const CLI::CallForHelp&) {
    // `enfold --help WORD`: a word that is no verb has no help page and is reported.
    const bool mistyped = chosen() == declared.end() && !app.remaining().empty();
    if (mistyped) return terminal.report_usage(verb_error(app, verbs, app.remaining()));
    terminal.out(app.help());
    return kOk;
  } catch (const CLI::CallForVersion& version) {
    terminal.out(fmt::format("{}\n", version.what()));
    return kOk;
  } catch (const CLI::ParseError& error) {
    const auto verb = chosen();
    return terminal.report_usage(verb == declared.end()
                                     ? verb_error(app, verbs, app.remaining())
                                     : usage_error(*verb->verb, verb->arguments, error));
  }
  const auto verb = chosen();
  if (verb->arguments.used_options() != nullptr)
    *verb->arguments.used_options() = used_option_names(*verb->verb);
  return verb->run(terminal);
}

}  // namespace enfold::cli
