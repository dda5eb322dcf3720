// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/base/text.h"
#include "enfold/contract/contract.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct ContractsOptions {
  bool as_json = false;
};

struct SchemaOptions {
  std::string name;
  std::string draft = "2020-12";
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// The schemas use only keywords that draft-07 has too; `$defs` is named `definitions` there.
std::string as_draft_07(std::string schema) {
  replace_all(schema, "https://json-schema.org/draft/2020-12/schema",
              "http://json-schema.org/draft-07/schema#");
  replace_all(schema, "$defs", "definitions");
  return schema;
}

int run_contracts(const ContractsOptions& options, Terminal& terminal) {
  if (options.as_json) {
    json::Writer writer;
    writer.begin_array();
    for (const contract::Description& one : contract::all()) {
      writer.begin_object().member("name", one.name).member("status", one.status);
      writer.key("removal");
      one.removal.empty() ? writer.null() : writer.string(one.removal);
      writer.member("summary", one.summary).member("has_schema", !one.schema.empty()).end_object();
    }
    writer.end_array();
    terminal.out_line(std::move(writer).finish());
    return kOk;
  }
  terminal.out(terminal.styled(
      fmt::format("{:<12} {:<11} {:<8} {}\n", "NAME", "STATUS", "REMOVAL", "WHAT IT IS"),
      Style::bold));
  for (const contract::Description& one : contract::all()) {
    terminal.out(fmt::format("{:<12} {:<11} {:<8} {}\n", one.name, one.status,
                             one.removal.empty() ? "-" : one.removal, one.summary));
  }
  return kOk;
}

int run_schema(const SchemaOptions& options, Terminal& terminal) {
  const std::string& name = options.name;
  const bool is_draft_07 = options.draft == "7" || options.draft == "draft-07";
  if (!is_draft_07 && options.draft != "2020-12") {
    return terminal.report_usage(
        {ErrorCode::invalid_input,
         fmt::format("expected 2020-12 or 7 as draft, found \"{}\"", options.draft), "", ""});
  }
  const auto id = contract::from_name(name);
  const auto schema = id ? contract::schema(*id) : std::nullopt;
  if (schema) {
    const std::string text = json::pretty(schema->view());
    terminal.out_line(is_draft_07 ? as_draft_07(text) : text);
    return kOk;
  }
  std::string all;
  std::vector<std::string> known;
  for (const contract::Description& one : contract::all()) {
    if (one.schema.empty()) continue;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", one.name);
    known.emplace_back(one.name);
  }
  const std::string listed = "contracts with a schema: " + all;
  return terminal.report_usage(
      {ErrorCode::invalid_input,
       id ? fmt::format("{} has no schema: anything goes", name)
          : fmt::format("expected the name of a contract, found \"{}\"", name),
       "", id ? listed : did_you_mean(name, known, listed)});
}

void declare_contracts_options(Arguments& arguments, ContractsOptions& options) {
  arguments.flag("--json", options.as_json, "One JSON array");
  arguments.footer(
      "Examples:\n"
      "  enfold contracts\n"
      "  enfold contracts --json | jq -r '.[].name'");
}

void declare_schema_options(Arguments& arguments, SchemaOptions& options) {
  arguments.positional("NAME", options.name, "Contract, as `enfold contracts` lists it");
  arguments.require("NAME", "`enfold contracts` lists the names");
  arguments.text("--draft", "D", options.draft,
                 "2020-12, or 7 for programs that read draft-07 only");
  arguments.accept_json_flag();
  arguments.footer(
      "Examples:\n"
      "  enfold schema response-v2 > response-v2.schema.json\n"
      "  enfold schema generic --draft 7");
}

}  // namespace

Run set_up_contracts(Arguments& arguments) {
  return set_up(arguments, declare_contracts_options, run_contracts);
}

Run set_up_schema(Arguments& arguments) {
  return set_up(arguments, declare_schema_options, run_schema);
}

}  // namespace enfold::cli
