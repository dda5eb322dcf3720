// SPDX-License-Identifier: Apache-2.0
// The composition root: turns the command line into options and hands them to one verb.
// The only file that includes CLI11, which costs seconds to compile.
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "enfold/base/suggest.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

// CLI11 alone would take -1 for the largest number there is.
CLI::Validator check_number(const char* what, std::uint64_t least, std::uint64_t most) {
  const auto check = [=](const std::string& text) -> std::string {
    const bool digits = !text.empty() && text.size() < 20 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    const auto value = digits ? std::strtoull(text.c_str(), nullptr, 10) : 0;
    if (digits && value >= least && value <= most) return "";
    return fmt::format("expected {} from {} to {}, found \"{}\"", what, least, most, text);
  };
  return {check, ""};
}

void add_max_bytes(CLI::App& verb, InputOptions& input) {
  verb.add_option("--max-bytes", input.limits.max_bytes, "Largest input, or line, to accept")
      ->type_name("N")
      ->check(check_number("a number of bytes", 1, kLargestDocument))
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
  verb->footer(help::of_contracts());
  return verb;
}

CLI::App* add_schema(CLI::App& app, std::string& name) {
  CLI::App* verb = app.add_subcommand("schema", "Print the JSON Schema (2020-12) of a contract");
  verb->add_option("NAME", name, "Contract, as `enfold contracts` lists it")
      ->type_name("")
      ->required();
  accept_json(*verb);
  verb->footer(help::of_schema());
  return verb;
}

CLI::App* add_validate(CLI::App& app, ValidateOptions& options) {
  CLI::App* verb = app.add_subcommand("validate", "Check answers against a contract's schema");
  verb->add_option("--contract", options.contract, "Contract, or auto to detect it")
      ->type_name("NAME")
      ->capture_default_str();
  add_input(*verb, options.input, false);
  verb->add_flag("--json", options.as_json, "One JSON object a file");
  verb->footer(help::of_validate());
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
  verb->footer(help::of_convert());
  return verb;
}

CLI::App* add_parse(CLI::App& app, ConvertOptions& options) {
  CLI::App* verb = app.add_subcommand("parse", "Read any tool output as the generic contract");
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  add_output(*verb, options);
  accept_json(*verb);
  verb->footer(help::of_parse());
  return verb;
}

CLI::App* add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "explain", "Say what an answer is, what is wrong with it, what to do next");
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  verb->add_flag("--json", options.as_json, "One JSON object a file");
  verb->footer(help::of_explain());
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
  verb->footer(help::of_tokens());
  return verb;
}

void add_archive_place(CLI::App& verb, std::string& archive) {
  verb.add_option("--archive", archive, "File, or redis://HOST; see below for the default")
      ->type_name("PLACE");
}

void add_budget(CLI::App& verb, BudgetOptions& options, const std::string& usual) {
  constexpr std::size_t kMost = 1'000'000'000;
  verb.add_option("--budget", options.tokens, "Tokens that the answer may cost" + usual)
      ->type_name("N")
      ->check(check_number("a number of tokens", 128, kMost));
  verb.add_option("--max-chars", options.characters, "Characters that it may have")
      ->type_name("N")
      ->check(check_number("a number of characters", 512, kMost));
  verb.add_option("--max-lines", options.lines, "Lines that it may have")
      ->type_name("N")
      ->check(check_number("a number of lines", 1, kMost));
  verb.add_option("--client", options.client,
                  "Count and limit as for openai, claude, claude-code, opencode, gemini,\n"
                  "codex or generic; the options above go before its limits")
      ->type_name("NAME");
  verb.add_option("--policy", options.policy_file,
                  "What to keep, drop and order by, as docs/fitting.md says")
      ->type_name("FILE");
}

void add_contract(CLI::App& verb, std::string& to) {
  verb.add_option("--to", to, "Contract to write")->type_name("NAME")->capture_default_str();
}

CLI::App* add_fit(CLI::App& app, FitOptions& options) {
  CLI::App* verb = app.add_subcommand("fit", "Bring an answer under a budget and lose nothing");
  add_budget(*verb, options.budget, "; required without --client");
  verb->add_option("--schema", options.schema_file,
                   "Output schema of the tool; what is left of the payload still meets it")
      ->type_name("FILE");
  add_archive_place(*verb, options.archive);
  verb->add_flag("--require-archive", options.require_archive,
                 "Fail when the original cannot be archived, rather than show it whole");
  add_contract(*verb, options.to);
  verb->add_flag("--mcp-result", options.mcp_result, "Put the envelope into an MCP tool result");
  verb->add_flag("--explain", options.explain,
                 "Show what would be kept and dropped and what it costs; store nothing");
  verb->add_flag("--json", options.as_json, "The explanation as JSON; an answer is JSON anyway");
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  verb->footer(help::of_fit());
  return verb;
}

CLI::App* add_fetch(CLI::App& app, FetchOptions& options) {
  CLI::App* verb = app.add_subcommand("fetch", "Get what was left out, by handle or hash");
  verb->add_option("REFERENCE", options.reference,
                   "Handle or hash of a cut answer; not needed with --cursor")
      ->type_name("");
  verb->add_option("--id", options.ids, "Records by id, or as dropped_content_ids names them")
      ->type_name("ID")
      ->allow_extra_args(false);
  verb->add_option("--pointer", options.pointer, "What stands at a JSON Pointer")
      ->type_name("POINTER");
  verb->add_option("--range", options.range, "Records by position from 0: 18..499")
      ->type_name("A..B");
  verb->add_option("--lines", options.lines, "Lines of a text from 1: 40..80")->type_name("A..B");
  verb->add_option("--chars", options.characters, "Characters of a text from 0")->type_name("A..B");
  verb->add_option("--find", options.find, "Records that hold a text, in any case")
      ->type_name("TEXT");
  verb->add_option("--where", options.where, "Records of which a condition is true")
      ->type_name("EXPR");
  verb->add_flag("--stat", options.stat, "What there is: kind, size, lists and their ids");
  verb->add_flag("--raw", options.raw, "The archived bytes, exactly");
  verb->add_option("--cursor", options.cursor, "The next page, as the page before names it")
      ->type_name("CURSOR");
  verb->add_option("--page-size", options.page_size, "Most records, members or lines of a page")
      ->type_name("N")
      ->check(check_number("a page size", 1, 1000))
      ->capture_default_str();
  add_budget(*verb, options.budget, "; 10000 without --client");
  add_archive_place(*verb, options.archive);
  add_contract(*verb, options.to);
  accept_json(*verb);
  verb->footer(help::of_fetch());
  return verb;
}

CLI::App* add_archive(CLI::App& app, ArchiveOptions& options) {
  CLI::App* verb = app.add_subcommand("archive", "List, count, clean and check what was archived");
  verb->add_option("ACTION", options.action,
                   "ls: what there is; stats: how much; gc: remove what has expired;\n"
                   "verify: read everything and check it against its hash")
      ->type_name("")
      ->required();
  add_archive_place(*verb, options.archive);
  verb->add_option("--tool", options.tool, "ls: answers of this tool only")->type_name("NAME");
  verb->add_option("--limit", options.limit, "ls: at most so many, the latest first")
      ->type_name("N")
      ->check(check_number("a number of answers", 1, 1'000'000))
      ->capture_default_str();
  verb->add_flag("--json", options.as_json, "One JSON object, of ls one for each answer");
  verb->footer(help::of_archive());
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
  if (what.starts_with("ACTION ")) help = "for example `enfold archive ls`";
  if (what.starts_with("--to ")) {
    help = "say what you want, for example --to response-v2; `enfold contracts` lists them";
  }
  return usage(what, help);
}

int run(int argc, char** argv, Terminal& terminal) {
  CLI::App app("Enfold: one response contract for every MCP tool answer", "enfold");
  app.set_version_flag("--version", "enfold " ENFOLD_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.get_formatter()->label("Positionals", "Arguments");
  app.get_formatter()->label("REQUIRED", "(required)");
  app.footer(help::of_program());
  bool contracts_json = false;
  std::string schema_name;
  ValidateOptions validate;
  ConvertOptions convert;
  ConvertOptions parse;
  ExplainOptions explain;
  TokensOptions tokens;
  FitOptions fit;
  FetchOptions fetch;
  ArchiveOptions archive;
  const CLI::App* contracts_verb = add_contracts(app, contracts_json);
  const CLI::App* schema_verb = add_schema(app, schema_name);
  const CLI::App* validate_verb = add_validate(app, validate);
  const CLI::App* convert_verb = add_convert(app, convert);
  const CLI::App* parse_verb = add_parse(app, parse);
  const CLI::App* explain_verb = add_explain(app, explain);
  const CLI::App* tokens_verb = add_tokens(app, tokens);
  const CLI::App* fit_verb = add_fit(app, fit);
  const CLI::App* fetch_verb = add_fetch(app, fetch);
  const CLI::App* archive_verb = add_archive(app, archive);
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
  if (fit_verb->parsed()) return run_fit(fit, terminal);
  if (fetch_verb->parsed()) return run_fetch(fetch, terminal);
  if (archive_verb->parsed()) return run_archive(archive, terminal);
  return kBadUsage;
}

}  // namespace
}  // namespace enfold::cli

int main(int argc, char** argv) {
  // Neither a reader that has seen enough, such as `head`, nor a file that may not grow is a reason
  // to die without a word.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
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
