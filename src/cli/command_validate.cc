// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_code.h"
#include "cli/input.h"
#include "enfold/json/schema.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct Checked {
  contract::Id contract = contract::Id::json;
  json::Validation validation;
  std::vector<model::Warning> warnings;
};

Result<Checked> check(const std::string& file, const ValidateOptions& options,
                      std::optional<contract::Id> wanted) {
  Result<json::Buffer> bytes = read_all(file, options.input.limits);
  if (!bytes) return tl::unexpected(bytes.error());
  Result<json::Document> document = json::parse(std::move(*bytes), options.input.limits);
  if (!document) return tl::unexpected(document.error());
  Checked checked;
  checked.warnings = pipeline::json_warnings(*document);
  if (options.input.strict && !checked.warnings.empty()) {
    return fail(ErrorCode::invalid_input,
                "refused by --strict: " + checked.warnings.front().message, "",
                "without --strict it is accepted with a warning");
  }
  checked.contract = wanted.value_or(contract::detect(document->root()));
  const auto schema = contract::schema(checked.contract);
  if (!schema) {
    checked.validation.valid = false;
    checked.validation.violations.push_back(
        {"", "", "a document of one of the contracts", "JSON that shows none of their marks"});
    return checked;
  }
  // A JSON-RPC response carries the tool result that the schema describes.
  json::View instance = document->root();
  if (checked.contract == contract::Id::mcp) {
    if (const auto result = instance.find("result"); result && instance.find("jsonrpc"))
      instance = *result;
  }
  Result<json::Schema> compiled = json::Schema::compile(*schema);
  if (!compiled) return tl::unexpected(compiled.error());
  Result<json::Validation> validation = compiled->validate(instance, options.input.limits);
  if (!validation) return tl::unexpected(validation.error());
  checked.validation = std::move(*validation);
  return checked;
}

void print_text(const std::string& file, const Checked& checked, Terminal& terminal) {
  const auto& violations = checked.validation.violations;
  if (checked.validation.valid) {
    terminal.out(fmt::format("{}: {} {}\n", display_name(file),
                             terminal.styled("valid", Style::green),
                             contract::name(checked.contract)));
  } else {
    terminal.out(fmt::format(
        "{}: {} {}, {} violation{}\n", display_name(file), terminal.styled("not valid", Style::red),
        contract::name(checked.contract), violations.size(), violations.size() == 1 ? "" : "s"));
  }
  for (const json::Violation& violation : violations) {
    terminal.out(fmt::format(
        "  {}: expected {}, found {}\n",
        terminal.styled(violation.instance.empty() ? "(root)" : violation.instance, Style::bold),
        violation.expected, violation.found));
    if (!violation.schema.empty()) {
      terminal.out(terminal.styled(fmt::format("    by {}\n", violation.schema), Style::dim));
    }
  }
  for (const model::Warning& warning : checked.warnings) {
    terminal.warn(fmt::format("{}: {}", display_name(file), warning.message));
  }
}

void print_json(const std::string& file, const Checked& checked, Terminal& terminal) {
  json::Writer writer;
  writer.begin_object().member("file", file).member("contract", contract::name(checked.contract));
  writer.member("valid", checked.validation.valid).key("violations").begin_array();
  for (const json::Violation& violation : checked.validation.violations) {
    writer.begin_object()
        .member("pointer", violation.instance)
        .member("expected", violation.expected);
    writer.member("found", violation.found).member("schema", violation.schema).end_object();
  }
  writer.end_array().key("warnings").begin_array();
  for (const model::Warning& warning : checked.warnings) writer.string(warning.message);
  writer.end_array().end_object();
  terminal.out(std::move(writer).finish());
  terminal.out("\n");
}

}  // namespace

int run_validate(const ValidateOptions& options, Terminal& terminal) {
  const Result<std::optional<contract::Id>> wanted = contract_named(options.contract);
  if (!wanted) {
    terminal.report(wanted.error());
    return kBadUsage;
  }
  int code = kOk;
  for (const std::string& file : sources(options.input)) {
    const Result<Checked> checked = check(file, options, *wanted);
    if (!checked) {
      terminal.report(checked.error(), display_name(file));
      code = std::max(code, exit_code_of(checked.error()));
      continue;
    }
    options.as_json ? print_json(file, *checked, terminal) : print_text(file, *checked, terminal);
    if (!checked->validation.valid) code = std::max<int>(code, kNegative);
  }
  return code;
}

}  // namespace enfold::cli
