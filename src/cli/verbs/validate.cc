// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct ValidateOptions {
  InputOptions input;
  std::string contract = "auto";
  bool as_json = false;
};

/// What `validate` found out about one file.
struct CheckResult {
  contract::Id contract = contract::Id::json;  ///< wanted or detected
  schema::Validation validation;
  std::vector<model::Warning> warnings;  ///< of the JSON text
};

// `wanted`: the contract of --contract; nullopt: it is detected.
Result<CheckResult> check(const std::string& file, const ValidateOptions& options,
                          std::optional<contract::Id> wanted) {
  ENFOLD_TRY(json::Buffer bytes, read_all(file, options.input.limits));
  ENFOLD_TRY(json::Document document, read_json(std::move(bytes), options.input));
  CheckResult checked;
  checked.warnings = answer::json_warnings(document);
  checked.contract = wanted.value_or(contract::detect(document.root()));
  ENFOLD_TRY(checked.validation,
             cli::validate(checked.contract, document.root(), options.input.limits));
  return checked;
}

// Validation stops at kMostViolations, so there may be more.
std::string count_of(const std::vector<schema::Violation>& violations) {
  if (violations.size() == 1) return "1 violation";
  return fmt::format("{}{} violations", violations.size() < kMostViolations ? "" : "at least ",
                     violations.size());
}

void print_text(const std::string& file, const CheckResult& checked, Terminal& terminal) {
  const auto& violations = checked.validation.violations;
  const bool recognised = !contract::describe(checked.contract).schema.empty();
  const std::string name = printable(display_name(file));
  if (checked.validation.valid) {
    terminal.out(fmt::format("{}: {} {}\n", name, terminal.styled("valid", Style::green),
                             contract::name(checked.contract)));
  } else {
    terminal.out(fmt::format("{}: {} {}, {}\n", name, terminal.styled("not valid", Style::red),
                             recognised ? contract::name(checked.contract) : "in any contract",
                             count_of(violations)));
  }
  for (const schema::Violation& violation : violations) {
    const std::string place = violation.instance.empty() ? "(root)" : printable(violation.instance);
    terminal.out(fmt::format("  {}: expected {}, found {}\n", terminal.styled(place, Style::bold),
                             printable(violation.expected), printable(violation.found)));
    if (!violation.schema.empty()) {
      terminal.out(
          terminal.styled(fmt::format("    by {}\n", printable(violation.schema)), Style::dim));
    }
  }
  if (!recognised) terminal.out("  name the one it should be: --contract NAME\n");
  for (const model::Warning& warning : checked.warnings) {
    terminal.warn(fmt::format("{}: {}", display_name(file), warning.message));
  }
}

void print_json(const std::string& file, const CheckResult& checked, Terminal& terminal) {
  json::Writer writer;
  writer.begin_object().member("file", file).member("contract", contract::name(checked.contract));
  writer.member("valid", checked.validation.valid).key("violations").begin_array();
  for (const schema::Violation& violation : checked.validation.violations) {
    writer.begin_object()
        .member("pointer", violation.instance)
        .member("expected", violation.expected);
    writer.member("found", violation.found).member("schema", violation.schema).end_object();
  }
  writer.end_array().key("warnings").begin_array();
  for (const model::Warning& warning : checked.warnings) writer.string(warning.message);
  writer.end_array().end_object();
  terminal.out_line(std::move(writer).finish());
}

int run_validate(const ValidateOptions& options, Terminal& terminal) {
  const Result<std::optional<contract::Id>> wanted = contract_named(options.contract, "--contract");
  if (!wanted) return terminal.report_usage(wanted.error());
  if (*wanted && contract::describe(**wanted).schema.empty()) {
    terminal.report({ErrorCode::invalid_input,
                     options.contract + " has no schema: there is nothing to check", "",
                     "`enfold contracts` lists the contracts; mcp, json and text are inputs"});
    return kBadUsage;
  }
  return for_each_source(options.input, terminal, [&](const std::string& file) -> Result<int> {
    ENFOLD_TRY(const CheckResult checked, check(file, options, *wanted));
    options.as_json ? print_json(file, checked, terminal) : print_text(file, checked, terminal);
    return checked.validation.valid ? kOk : kNegative;
  });
}

void declare_validate_options(Arguments& arguments, ValidateOptions& options) {
  arguments.text("--contract", "NAME", options.contract, "Contract, or auto to detect it");
  declare_file_options(arguments, options.input);
  declare_limit_options(arguments, options.input);
  arguments.flag("--json", options.as_json, "One JSON object per file");
  arguments.footer(
      "Each violation names its place (a JSON Pointer), what was expected and what was found.\n"
      "Exit code 2 when an answer is not valid.\n\n"
      "Examples:\n"
      "  enfold validate answer.json\n"
      "  my-tool | enfold validate --contract response-v2 --json");
}

}  // namespace

Run set_up_validate(Arguments& arguments) {
  return set_up(arguments, declare_validate_options, run_validate);
}

}  // namespace enfold::cli
