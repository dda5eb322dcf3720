// SPDX-License-Identifier: Apache-2.0
// The man page enfold.toml(5), written from the JSON Schema of the configuration.
#include "cli/pages/pages.h"
#include "cli/pages/roff.h"
#include "enfold/gateway/config/config.h"
#include "enfold/json/write.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

using roff::bold;
using roff::escaped;
using roff::italic;

// A member that is a text; empty: the schema does not have it.
std::string member(json::View schema, std::string_view name) {
  return json::string_member(schema, name).value_or("");
}

// The type of a value, in words.
std::string kind(json::View schema) {
  if (schema.find("$ref")) return "text or secret";
  if (const auto names = schema.find("enum")) {
    std::string out;
    for (const json::View name : names->items()) out += (out.empty() ? "" : " | ") + name.string();
    return out;
  }
  if (member(schema, "pattern").find("(ms|s|m|h)") != std::string::npos) return "duration";
  const std::string type = member(schema, "type");
  if (type == "array") return "list of " + kind(*schema.find("items"));
  if (type == "object") {
    const auto inner = schema.find("additionalProperties");
    return inner && inner->is_object() ? "table of " + kind(*inner) : "table";
  }
  if (type == "integer") return "whole number";
  return type == "boolean" ? "true or false" : "text";
}

// The default as JSON; empty: none, or an empty one.
std::string default_of(json::View schema) {
  const auto value = schema.find("default");
  if (!value || (value->is_container() && value->size() == 0)) return {};
  const std::string text = json::to_text(*value);
  return text == "\"\"" || text == "null" ? "" : text;
}

// One paragraph for each key of a table.
std::string keys(json::View table) {
  std::string out;
  for (const json::Member& one : table.find("properties")->members()) {
    const json::View schema = one.value;
    out += fmt::format(".TP\n{} ({})\n{}.\n", bold(one.key.string()), escaped(kind(schema)),
                       roff::filled(member(schema, "description")));
    if (const std::string value = default_of(schema); !value.empty()) {
      out += fmt::format("Default: {}.\n", escaped(value));
    }
  }
  return out;
}

// Adds a section for each table inside `table`, in the order of the declarations. `path`: dotted
// name of `table`; empty: the whole file.
void add_tables(json::View table, const std::string& path, std::string& out) {
  for (const json::Member& one : table.find("properties")->members()) {
    const std::string place = path.empty() ? one.key.string() : path + "." + one.key.string();
    const auto inner = one.value.find("additionalProperties");
    if (one.value.find("properties")) {
      out += roff::section("[" + escaped(place) + "]", keys(one.value));
      add_tables(one.value, place, out);
    } else if (inner && inner->is_object() && inner->find("properties")) {
      const std::string named = place + (path.empty() ? ".NAME" : ".TOOL");
      out += roff::section("[" + escaped(named) + "]", keys(*inner));
      add_tables(*inner, named, out);
    }
  }
}

constexpr std::string_view kDescription =
    "A file in TOML for enfold serve --config. enfold serve --config FILE --check prints a\n"
    "summary, or all errors with line and column; an unknown key is an error. enfold import\n"
    "prints a first file from the settings of MCP clients.\n"
    "Durations are text: a whole number and ms, s, m or h. Text or secret is text, or a table\n"
    "with env (an environment variable) or file, and an optional prefix.";

constexpr std::string_view kExample =
    "[listen]\naddress = \"127.0.0.1:8080\"\n\n[upstreams.files]\ncommand = \"npx\"\n"
    "args = [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"/srv/data\"]\n";

}  // namespace

PageFile config_man_page(const ProgramPage& program, const std::string& date) {
  const json::Value schema = gateway::config_schema();
  std::string text = roff::head({.name = "enfold.toml",
                                 .section = 5,
                                 .summary = "configuration of enfold serve",
                                 .date = date,
                                 .version = program.version});
  text += roff::section("DESCRIPTION", roff::filled(kDescription) + "\n");
  text += roff::section("EXAMPLE", fmt::format(".EX\n{}.EE\n", escaped(kExample)));
  text += roff::section("KEYS", keys(*schema));
  add_tables(*schema, "", text);
  text += roff::section("SEE ALSO", ".BR enfold\\-serve (1),\n.BR enfold\\-import (1)\n");
  return {"man5/enfold.toml.5", std::move(text)};
}

}  // namespace enfold::cli
