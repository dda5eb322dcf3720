// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/tools.h"

#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/base/text.h"
#include "enfold/json/document.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

constexpr std::size_t kMostTypeBytes = 40;  // of the type of an argument

struct ToolsOptions {
  ServerOptions server;
  bool as_json = false;
};

/// A line about an argument of a tool.
struct ArgumentRow {
  std::string name;
  std::string type;
  bool required = false;
  std::string description;
};

// The first line of a description. If it has more than `max_bytes` it is cut, and "…" is appended.
std::string first_line(std::string_view text, std::size_t max_bytes) {
  const std::string line = printable(text.substr(0, text.find('\n')));
  if (line.size() <= max_bytes) return line;
  return std::string(utf8::prefix(line, max_bytes - 1)) + "…";
}

std::string type_of(json::View schema);

// The type of the items of a list; for objects, their members: "{book, count}".
std::string item_type_of(json::View schema) {
  const auto properties = mcp::object_member(schema, "properties");
  if (!properties || properties->size() == 0) return type_of(schema);
  std::vector<std::string> names;
  for (const json::Member& member : properties->members()) names.push_back(member.key.string());
  return first_line(fmt::format("{{{}}}", fmt::join(names, ", ")), kMostTypeBytes);
}

// The type that the schema of an argument declares; for a list, that of its items; for an enum, its
// values; "any" if it has neither.
std::string type_of(json::View schema) {
  if (!schema.is_object()) return "any";
  if (const auto choices = schema.find("enum"); choices && choices->is_array()) {
    std::vector<std::string> texts;
    for (const json::View one : choices->items()) texts.push_back(json::to_text(one));
    return first_line(fmt::format("{}", fmt::join(texts, "|")), kMostTypeBytes);
  }
  const auto type = schema.find("type");
  if (!type) return "any";
  const auto items = schema.find("items");
  if (type->equals("array") && items && items->is_object()) {
    return first_line(fmt::format("array of {}", item_type_of(*items)), kMostTypeBytes);
  }
  if (type->is_string()) return type->string();
  std::vector<std::string> names;
  for (const json::View one : type->items()) names.push_back(one.string());
  return fmt::format("{}", fmt::join(names, "|"));
}

std::vector<ArgumentRow> rows_of(json::View schema) {
  std::vector<ArgumentRow> rows;
  const auto properties = mcp::object_member(schema, "properties");
  if (!properties) return rows;
  const auto required = schema.find("required");
  for (const json::Member& member : properties->members()) {
    ArgumentRow row{printable(member.key.string()), printable(type_of(member.value)),
                    /*required=*/false,
                    json::string_member(member.value, "description").value_or("")};
    if (required) {
      for (const json::View one : required->items()) {
        row.required = row.required || one.equals(member.key.string());
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// The hints that the tool declares, as the end of its line: "  (only reads)"; empty: none.
std::string hints_of(const mcp::Tool& tool) {
  if (!tool.annotations) return {};
  std::vector<std::string> words;
  const auto says = [&](std::string_view hint) {
    const auto member = tool.annotations->view().find(hint);
    return member && member->boolean();
  };
  if (says("readOnlyHint")) words.emplace_back("only reads");
  if (says("destructiveHint")) words.emplace_back("may destroy");
  if (says("idempotentHint")) words.emplace_back("safe to repeat");
  return words.empty() ? "" : fmt::format("  ({})", fmt::join(words, ", "));
}

void print_tool(const mcp::Tool& tool, Terminal& terminal) {
  terminal.out(fmt::format("\n{}{}\n", terminal.styled(printable(tool.name), Style::bold),
                           terminal.styled(hints_of(tool), Style::dim)));
  const std::string about = tool.description.value_or(tool.title.value_or(""));
  if (!about.empty()) terminal.out(fmt::format("  {}\n", first_line(about, /*max_bytes=*/96)));
  const std::vector<ArgumentRow> rows = rows_of(tool.input_schema.view());
  std::size_t widest_name = 0;
  std::size_t widest_type = 0;
  for (const ArgumentRow& row : rows) {
    widest_name = std::max(widest_name, row.name.size());
    widest_type = std::max(widest_type, row.type.size());
  }
  for (const ArgumentRow& row : rows) {
    std::string line =
        fmt::format("    {} {:<{}}  {:<{}}  {}", row.required ? "*" : " ", row.name, widest_name,
                    row.type, widest_type, first_line(row.description, /*max_bytes=*/60));
    line.resize(line.find_last_not_of(' ') + 1);
    terminal.out(line + "\n");
  }
}

void declare_tools_options(Arguments& arguments, ToolsOptions& options) {
  declare_server_options(arguments, options.server);
  arguments.flag("--json", options.as_json, "The tools as the server describes them");
  arguments.footer(std::string(kServerHelp) +
                   "Arguments with a * are required.\n\n"
                   "Examples:\n"
                   "  enfold tools --url http://127.0.0.1:8080/mcp\n"
                   "  enfold tools --json -- npx -y some-server | jq -r '.tools[].name'");
}

int run_tools(const ToolsOptions& options, Terminal& terminal) {
  int code = kOk;
  const auto link = ServerLink::open(options.server, terminal, code);
  if (!link) return code;
  const auto tools = fetch_tools(*link, terminal, code);
  if (tools) print_tools(*tools, link->server(), options.as_json, terminal);
  return code;
}

}  // namespace

std::optional<client::Toolbox> fetch_tools(ServerLink& link, Terminal& terminal, int& code) {
  auto tools = link->tools();
  if (!tools) {
    code = terminal.report(tools.error().error);
    return std::nullopt;
  }
  for (const client::UnusableTool& one : tools->unusable) {
    terminal.warn(fmt::format("the tool {} cannot be used: {}", one.name, one.why.message));
  }
  return std::move(*tools);
}

void print_tools(const client::Toolbox& tools, const mcp::ServerIdentity& server, bool as_json,
                 Terminal& terminal) {
  if (as_json) {
    json::Writer writer;
    writer.begin_object().key("tools").begin_array();
    for (const client::OfferedTool& one : tools.tools) writer.value(one.tool.original);
    writer.end_array().end_object();
    terminal.out_line(std::move(writer).finish());
    return;
  }
  terminal.out(
      fmt::format("{}: {}\n", printable(describe(server)), counted(tools.tools.size(), "tool")));
  for (const client::OfferedTool& one : tools.tools) print_tool(one.tool, terminal);
}

Run set_up_tools(Arguments& arguments) {
  return set_up(arguments, declare_tools_options, run_tools);
}

}  // namespace enfold::cli
