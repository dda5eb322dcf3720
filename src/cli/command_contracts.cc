// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "enfold/base/suggest.h"
#include "enfold/contract/contract.h"

#include <fmt/core.h>

namespace enfold::cli {

int run_contracts(bool as_json, Terminal& terminal) {
  if (as_json) {
    json::Writer writer;
    writer.begin_array();
    for (const contract::Description& one : contract::all()) {
      writer.begin_object().member("name", one.name).member("status", one.status);
      writer.key("removal");
      one.removal.empty() ? writer.null() : writer.string(one.removal);
      writer.member("summary", one.summary).member("has_schema", !one.schema.empty()).end_object();
    }
    writer.end_array();
    terminal.out(std::move(writer).finish());
    terminal.out("\n");
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

int run_schema(const std::string& name, Terminal& terminal) {
  const auto id = contract::from_name(name);
  const auto schema = id ? contract::schema(*id) : std::nullopt;
  if (schema) {
    terminal.out(json::pretty(schema->view()));
    terminal.out("\n");
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
  terminal.report({ErrorCode::invalid_input,
                   id ? fmt::format("{} has no schema: anything goes", name)
                      : fmt::format("expected the name of a contract, found \"{}\"", name),
                   "", id ? listed : did_you_mean(name, known, listed)});
  return kBadUsage;
}

}  // namespace enfold::cli
