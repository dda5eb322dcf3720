// SPDX-License-Identifier: Apache-2.0
// The composition root: turns the command line into options and hands them to one verb.
// The only file that includes CLI11, which costs seconds to compile.
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/suggest.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

// CLI11 alone would take -1 for the largest number there is.
std::string check_bytes(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 20 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  const auto value = digits ? std::strtoull(text.c_str(), nullptr, 10) : 0;
  if (value >= 1 && value <= kLargestDocument) return "";
  return fmt::format("expected a number of bytes from 1 to {}, found \"{}\"", kLargestDocument,
                     text);
}

void add_max_bytes(CLI::App& verb, InputOptions& input) {
  verb.add_option("--max-bytes", input.limits.max_bytes, "Largest input, or line, to accept")
      ->type_name("N")
      ->check(CLI::Validator(check_bytes, ""))
      ->capture_default_str();
}

void add_input(CLI::App& verb, InputOptions& input, bool with_from = true) {
  verb.add_option("FILE", input.files, "Files to read; none or - reads standard input")
      ->type_name("");
  if (with_from) {
    verb.add_option("--from", input.from, "Contract of the input; text for text that is not JSON")
        ->type_name("NAME")
        ->capture_default_str();
    verb.add_option("--tool", input.tool, "Name of the tool that answered")->type_name("NAME");
  }
  verb.add_flag("--strict", input.strict,
                "Refuse repeated keys, lone surrogates and very wide objects");
  add_max_bytes(verb, input);
}

void add_redaction(CLI::App& verb, InputOptions& input) {
  verb.add_flag_callback(
      "--no-redact", [&input] { input.redact = false; },
      "Show credentials instead of replacing them");
  verb.add_flag("--redact-personal", input.personal_data,
                "Also replace e-mail, phone and card numbers");
}

void add_output(CLI::App& verb, ConvertOptions& options) {
  verb.add_flag("--pretty", options.pretty, "Indent for people");
  verb.add_flag("--jsonl", options.lines, "JSON Lines in, JSON Lines out");
}

// Every verb takes --json, also those that write nothing else.
void accept_json(CLI::App& verb) {
  verb.add_flag_callback("--json", [] {}, "The output is JSON in any case");
}

CLI::App* add_contracts(CLI::App& app, bool& as_json) {
  CLI::App* verb =
      app.add_subcommand("contracts", "List the contracts, their status and removal version");
  verb->add_flag("--json", as_json, "One JSON array");
  verb->footer(
      "Examples:\n"
      "  enfold contracts\n"
      "  enfold contracts --json | jq -r '.[].name'");
  return verb;
}

CLI::App* add_schema(CLI::App& app, std::string& name) {
  CLI::App* verb = app.add_subcommand("schema", "Print the JSON Schema (2020-12) of a contract");
  verb->add_option("NAME", name, "Contract, as `enfold contracts` lists it")
      ->type_name("")
      ->required();
  accept_json(*verb);
  verb->footer("Example:\n  enfold schema response-v2 > response-v2.schema.json");
  return verb;
}

CLI::App* add_validate(CLI::App& app, ValidateOptions& options) {
  CLI::App* verb = app.add_subcommand("validate", "Check answers against a contract's schema");
  verb->add_option("--contract", options.contract, "Contract, or auto to detect it")
      ->type_name("NAME")
      ->capture_default_str();
  add_input(*verb, options.input, false);
  verb->add_flag("--json", options.as_json, "One JSON object a file");
  verb->footer(
      "Each violation names its place (a JSON Pointer), what was expected and what was found.\n"
      "Exit code 2 when an answer is not valid.\n\n"
      "Examples:\n"
      "  enfold validate answer.json\n"
      "  my-tool | enfold validate --contract response-v2 --json");
  return verb;
}

CLI::App* add_convert(CLI::App& app, ConvertOptions& options) {
  CLI::App* verb = app.add_subcommand("convert", "Turn any tool answer into a contract");
  verb->add_option("--to", options.to, "Contract to write")->type_name("NAME")->required();
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  verb->add_option("--level", options.level,
                   "minimal, standard or full; else as --levels says, else full")
      ->type_name("LEVEL");
  verb->add_option("--levels", options.levels_file,
                   "What each level shows of each tool, as docs/levels.md says")
      ->type_name("FILE");
  verb->add_option("--members", options.members,
                   "Members of scalpel-v1: strict, minimal, standard, verbose or debug")
      ->type_name("SET")
      ->capture_default_str();
  verb->add_flag_callback(
      "--no-extensions", [&options] { options.extensions = false; },
      "Leave the extension slot out; the report lists what is lost");
  verb->add_option("--report", options.report_file,
                   "Write outcome, rule and losses here, one JSON line an answer")
      ->type_name("FILE");
  verb->add_flag("--mcp-result", options.mcp_result, "Put the envelope into an MCP tool result");
  add_output(*verb, options);
  accept_json(*verb);
  verb->footer(
      "One line of JSON an answer. Secrets are replaced by markers such as [REDACTED:API_KEY].\n\n"
      "Examples:\n"
      "  enfold convert --to response-v2 result.json\n"
      "  enfold convert --to scalpel-v1 --no-extensions --report losses.jsonl result.json\n"
      "  enfold convert --to generic --from mcp --tool list_issues --jsonl < results.jsonl\n"
      "  enfold convert --to response-v2 --tool search --levels levels.json --level minimal "
      "a.json");
  return verb;
}

CLI::App* add_parse(CLI::App& app, ConvertOptions& options) {
  CLI::App* verb = app.add_subcommand("parse", "Read any tool output as the generic contract");
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  add_output(*verb, options);
  accept_json(*verb);
  verb->footer(
      "The same input gives the same output, without a model: docs/contracts/generic.md has the\n"
      "rules. With --tool its verb helps to tell lists, actions and single things apart.\n\n"
      "Examples:\n"
      "  enfold parse --tool discord_list_channels answer.json\n"
      "  my-tool | enfold parse --from text --tool send_message");
  return verb;
}

CLI::App* add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "explain", "Say what an answer is, what is wrong with it, what to do next");
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  verb->add_flag("--json", options.as_json, "One JSON object a file");
  verb->footer(
      "Exit code 0 also for a failed answer: it was explained.\n\n"
      "Examples:\n"
      "  enfold explain answer.json\n"
      "  my-tool | enfold explain");
  return verb;
}

CLI::App* add_tokens(CLI::App& app, TokensOptions& options) {
  CLI::App* verb = app.add_subcommand("tokens", "Count what texts cost a model");
  verb->add_option("FILE", options.input.files, "Files to read; none or - reads standard input")
      ->type_name("");
  verb->add_option("--encoding", options.encoding,
                   "o200k_base or cl100k_base; without this and --client o200k_base")
      ->type_name("NAME");
  verb->add_option("--client", options.client,
                   "As for openai, claude, claude-code, opencode, gemini, codex or generic")
      ->type_name("NAME");
  add_max_bytes(*verb, options.input);
  verb->add_flag("--json", options.as_json, "One JSON object a file");
  verb->footer(
      "Counts in an encoding are exact. Where a client's tokenizer is not public the count is an\n"
      "estimate and says so: docs/tokens.md.\n\n"
      "Examples:\n"
      "  enfold tokens answer.json\n"
      "  my-tool | enfold tokens --client claude-code --json");
  return verb;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

Error usage(std::string message, std::string hint) {
  return {ErrorCode::invalid_input, std::move(message), "", std::move(hint)};
}

Error unknown_option(const CLI::App& verb, const std::string& word, const std::string& help) {
  const std::string name = word.substr(0, word.find('='));
  return usage(fmt::format("{} has no option {}", verb.get_name(), name),
               did_you_mean(name, option_names(verb), help));
}

Error verb_error(const CLI::App& app) {
  const std::vector<std::string> verbs = verb_names(app);
  const auto words = app.remaining();
  const std::string list = fmt::format("{}", fmt::join(verbs, ", "));
  if (words.empty()) return usage("expected a verb: " + list, "`enfold --help` says what they do");
  if (words.front().starts_with("-")) {
    return unknown_option(app, words.front(), "`enfold --help` shows what is accepted");
  }
  return usage(fmt::format("expected a verb ({}), found \"{}\"", list, words.front()),
               did_you_mean(words.front(), verbs, "`enfold --help` says what they do"));
}

// CLI11 names the first rule that was broken, which may follow from a mistyped word; the word
// itself is what helps.
Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  if (app.get_subcommands().empty()) return verb_error(app);
  const CLI::App& verb = *app.get_subcommands().front();
  std::string help = fmt::format("`enfold {} --help` shows what is accepted", verb.get_name());
  const auto words = verb.remaining();
  for (const std::string& word : words) {
    if (word.starts_with("-")) return unknown_option(verb, word, help);
  }
  if (!words.empty()) {
    return usage(fmt::format("expected no further argument, found \"{}\"", words.front()), help);
  }
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return usage("expected a value after " + what.substr(0, what.find(':')), help);
  }
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {  // "--name: our own words"
    return usage(what.substr(std::min(what.size(), what.find(": ") + 2)), help);
  }
  if (what.starts_with("--to ")) {
    help = "say what you want, for example --to response-v2; `enfold contracts` lists them";
  }
  return usage(what, help);
}

// With a closed standard stream the next file to be opened would take its place.
void keep_standard_streams() {
  int opened = 0;
  do {
    opened = ::open("/dev/null", O_RDONLY);
  } while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened > STDERR_FILENO) ::close(opened);
}

int run(int argc, char** argv, Terminal& terminal) {
  CLI::App app("Enfold: one response contract for every MCP tool answer", "enfold");
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
  bool contracts_json = false;
  std::string schema_name;
  ValidateOptions validate;
  ConvertOptions convert;
  ConvertOptions parse;
  ExplainOptions explain;
  TokensOptions tokens;
  const CLI::App* contracts_verb = add_contracts(app, contracts_json);
  const CLI::App* schema_verb = add_schema(app, schema_name);
  const CLI::App* validate_verb = add_validate(app, validate);
  const CLI::App* convert_verb = add_convert(app, convert);
  const CLI::App* parse_verb = add_parse(app, parse);
  const CLI::App* explain_verb = add_explain(app, explain);
  const CLI::App* tokens_verb = add_tokens(app, tokens);
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) verb->group("Verbs");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    terminal.out(app.help());
    return kOk;
  } catch (const CLI::CallForVersion& version) {
    terminal.out(fmt::format("{}\n", version.what()));
    return kOk;
  } catch (const CLI::ParseError& error) {
    terminal.report(usage_error(app, error));
    return kBadUsage;
  }
  if (contracts_verb->parsed()) return run_contracts(contracts_json, terminal);
  if (schema_verb->parsed()) return run_schema(schema_name, terminal);
  if (validate_verb->parsed()) return run_validate(validate, terminal);
  if (convert_verb->parsed()) return run_convert(convert, terminal);
  if (parse_verb->parsed()) return run_parse(parse, terminal);
  if (explain_verb->parsed()) return run_explain(explain, terminal);
  if (tokens_verb->parsed()) return run_tokens(tokens, terminal);
  return kBadUsage;
}

}  // namespace
}  // namespace enfold::cli

int main(int argc, char** argv) {
  // A reader that has seen enough, such as `head`, is no reason to die without a word.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    enfold::cli::keep_standard_streams();
    enfold::cli::Terminal terminal;
    return terminal.finish(enfold::cli::run(argc, argv, terminal));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\nhint: this is a defect of Enfold; please report it\n",
                 error.what());
    return enfold::cli::kUnexpected;
  }
}
