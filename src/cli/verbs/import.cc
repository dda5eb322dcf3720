// SPDX-License-Identifier: Apache-2.0
// `enfold import`: converts the MCP servers in the settings of a client into a configuration.
#include "enfold/gateway/config/import.h"

#include "cli/input/input.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct ImportOptions {
  std::string file;
  bool as_json = false;
};

Result<gateway::ImportResult> import_file(const std::string& file) {
  ENFOLD_TRY(const json::Buffer bytes, read_all(file, {}));
  const std::string text = gateway::without_comments(std::string(bytes.view()));
  ENFOLD_TRY(const json::Document document, json::parse(text));
  return gateway::import_servers(document.root(), "");
}

void print_json(const gateway::ImportResult& imported, Terminal& terminal) {
  json::Writer writer;
  writer.begin_object().member("toml", imported.toml).key("notes").begin_array();
  for (const std::string& note : imported.notes) writer.string(note);
  writer.end_array().end_object();
  terminal.out_line(std::move(writer).finish());
}

int run_import(const ImportOptions& options, Terminal& terminal) {
  const Result<gateway::ImportResult> imported = import_file(options.file);
  if (!imported) return terminal.report(imported.error(), display_name(options.file));
  if (options.as_json) {
    print_json(*imported, terminal);
    return kOk;
  }
  // The text begins with a blank line.
  terminal.out(std::string_view(imported->toml).substr(1));
  for (const std::string& note : imported->notes) terminal.warn(note);
  return kOk;
}

void declare_import_options(Arguments& arguments, ImportOptions& options) {
  arguments.positional("FILE", options.file, "Settings file of a client, or - for standard input");
  arguments.require("FILE", "pass the settings file of an MCP client");
  arguments.flag("--json", options.as_json, "One JSON object: toml, notes");
  arguments.footer(
      "Reads mcpServers (Claude Desktop, Claude Code, Cursor) and servers (VS Code), and prints a\n"
      "configuration for enfold serve --config. Secrets are not copied: the configuration refers\n"
      "to environment variables instead. What was changed or left out is listed on standard\n"
      "error.\n\n"
      "Examples:\n"
      "  enfold import ~/.cursor/mcp.json > enfold.toml\n"
      "  enfold import .vscode/mcp.json > enfold.toml && enfold serve --config enfold.toml "
      "--check");
}

}  // namespace

Run set_up_import(Arguments& arguments) {
  return set_up(arguments, declare_import_options, run_import);
}

}  // namespace enfold::cli
