// SPDX-License-Identifier: Apache-2.0
// The composition root: turns the command line into options and hands them to one verb.
// The only file that includes CLI11, which costs seconds to compile.
#include "cli/commands.h"
#include "cli/exit_code.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

namespace enfold::cli {
namespace {

void add_input(CLI::App& verb, InputOptions& input, bool with_from = true) {
  verb.add_option("FILE", input.files, "Files to read; none or - reads standard input");
  if (with_from) {
    verb.add_option("--from", input.from, "Contract of the input; text for text that is not JSON")
        ->capture_default_str();
    verb.add_option("--tool", input.tool, "Name of the tool that answered");
  }
  verb.add_flag("--strict", input.strict,
                "Refuse repeated keys, lone surrogates and very wide objects");
  verb.add_option("--max-bytes", input.limits.max_bytes, "Largest input to accept")
      ->capture_default_str();
}

void add_redaction(CLI::App& verb, InputOptions& input) {
  verb.add_flag("!--no-redact", input.redact, "Show credentials instead of replacing them");
  verb.add_flag("--redact-personal", input.personal_data,
                "Also replace e-mail, phone, card numbers");
}

// Every verb takes --json, also those that write nothing else.
void accept_json(CLI::App& verb) {
  verb.add_flag_callback("--json", [] {}, "The output is JSON in any case");
}

CLI::App* add_contracts(CLI::App& app, bool& as_json) {
  CLI::App* verb =
      app.add_subcommand("contracts", "List the contracts, their status and removal version");
  verb->add_flag("--json", as_json, "One JSON array");
  verb->footer("Example:\n  enfold contracts --json | jq -r '.[].name'");
  return verb;
}

CLI::App* add_schema(CLI::App& app, std::string& name) {
  CLI::App* verb = app.add_subcommand("schema", "Print the JSON Schema (2020-12) of a contract");
  verb->add_option("NAME", name, "Contract, as `enfold contracts` lists it")->required();
  accept_json(*verb);
  verb->footer("Example:\n  enfold schema response-v2 > response-v2.schema.json");
  return verb;
}

CLI::App* add_validate(CLI::App& app, ValidateOptions& options) {
  CLI::App* verb = app.add_subcommand("validate", "Check answers against a contract's schema");
  verb->add_option("--contract", options.contract, "Contract, or auto to detect it")
      ->capture_default_str();
  add_input(*verb, options.input, false);
  verb->add_flag("--json", options.as_json, "One JSON object a file");
  verb->footer(
      "Exit code 2 when an answer is not valid.\n"
      "Examples:\n"
      "  enfold validate answer.json\n"
      "  my-tool | enfold validate --contract response-v2 --json");
  return verb;
}

CLI::App* add_convert(CLI::App& app, ConvertOptions& options) {
  CLI::App* verb = app.add_subcommand("convert", "Turn any tool answer into a contract");
  verb->add_option("--to", options.to, "Contract to write")->required();
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  verb->add_option("--level", options.level, "minimal, standard or full; needs --levels")
      ->capture_default_str();
  verb->add_option("--levels", options.levels_file, "What each level shows of each tool (JSON)");
  verb->add_option(
          "--members", options.members,
          "Envelope members of scalpel-v1 to write: strict, minimal, standard, verbose, debug")
      ->capture_default_str();
  verb->add_flag("!--no-extensions", options.extensions,
                 "Leave the extension slot out; the report lists what is lost");
  verb->add_option("--report", options.report_file,
                   "Write outcome, rule and losses here, one JSON line an answer");
  verb->add_flag("--mcp-result", options.mcp_result, "Put the envelope into an MCP tool result");
  verb->add_flag("--pretty", options.pretty, "Indent for people");
  verb->add_flag("--jsonl", options.lines, "JSON Lines in, JSON Lines out");
  accept_json(*verb);
  verb->footer(
      "Examples:\n"
      "  enfold convert --to response-v2 result.json\n"
      "  enfold convert --to scalpel-v1 --no-extensions --report losses.jsonl result.json\n"
      "  enfold convert --to generic --from mcp --tool list_issues --jsonl < results.jsonl");
  return verb;
}

CLI::App* add_parse(CLI::App& app, ConvertOptions& options) {
  CLI::App* verb = app.add_subcommand("parse", "Read any tool output as the generic contract");
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  verb->add_flag("--pretty", options.pretty, "Indent for people");
  verb->add_flag("--jsonl", options.lines, "JSON Lines in, JSON Lines out");
  accept_json(*verb);
  verb->footer(
      "The same input gives the same output, without a model: docs/contracts/generic.md has the "
      "rules.\n"
      "Example:\n"
      "  enfold parse --tool discord_list_channels answer.json");
  return verb;
}

CLI::App* add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "explain", "Say what an answer is, what is wrong with it, what to do next");
  add_input(*verb, options.input);
  add_redaction(*verb, options.input);
  verb->add_flag("--json", options.as_json, "One JSON object a file");
  verb->footer("Example:\n  enfold explain answer.json");
  return verb;
}

int run(int argc, char** argv) {
  Terminal terminal;
  CLI::App app("Enfold: one response contract for every MCP tool answer", "enfold");
  app.set_version_flag("--version", "enfold " ENFOLD_VERSION);
  app.require_subcommand(1);
  app.footer(
      "`enfold VERB --help` shows examples. Exit codes: 0 ok, 1 unexpected, 2 negative answer,\n"
      "3 unsupported, 4 bad input, 5 bad usage.");
  bool contracts_json = false;
  std::string schema_name;
  ValidateOptions validate;
  ConvertOptions convert;
  ConvertOptions parse;
  ExplainOptions explain;
  const CLI::App* contracts_verb = add_contracts(app, contracts_json);
  const CLI::App* schema_verb = add_schema(app, schema_name);
  const CLI::App* validate_verb = add_validate(app, validate);
  const CLI::App* convert_verb = add_convert(app, convert);
  const CLI::App* parse_verb = add_parse(app, parse);
  const CLI::App* explain_verb = add_explain(app, explain);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    const std::string verb =
        app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " ";
    terminal.report({ErrorCode::invalid_input, error.what(), "",
                     "`enfold " + verb + "--help` shows what is accepted"});
    return kBadUsage;
  }
  if (contracts_verb->parsed()) return run_contracts(contracts_json, terminal);
  if (schema_verb->parsed()) return run_schema(schema_name, terminal);
  if (validate_verb->parsed()) return run_validate(validate, terminal);
  if (convert_verb->parsed()) return run_convert(convert, terminal);
  if (parse_verb->parsed()) return run_parse(parse, terminal);
  if (explain_verb->parsed()) return run_explain(explain, terminal);
  return kBadUsage;
}

}  // namespace
}  // namespace enfold::cli

int main(int argc, char** argv) {
  // A reader that has seen enough, such as `head`, is no reason to die without a word.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return enfold::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\nhint: this is a defect of Enfold; please report it\n",
                 error.what());
    return enfold::cli::kUnexpected;
  }
}
