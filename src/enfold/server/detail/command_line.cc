// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/command_line.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <vector>

namespace enfold::server {
namespace {

// The options that the program accepts.
std::vector<std::string> options(bool takes_config) {
  std::vector<std::string> known{"--http", "--host", "--help"};
  if (takes_config) known.emplace_back("--config");
  return known;
}

Result<std::uint16_t> read_port(const std::string& word) {
  std::uint16_t port = 0;
  const char* end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, port);
  if (read.ec == std::errc() && read.ptr == end) return port;
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a port from 0 to 65535 after --http, found \"{}\"", word), "",
              "0 lets the system choose a free one");
}

// The type of the values of a key, or the values of an enum: "a|b".
std::string kind_of(json::View schema) {
  if (const auto names = schema.find("enum")) {
    std::string out;
    for (const json::View one : names->items()) out += (out.empty() ? "" : "|") + one.string();
    return out;
  }
  const auto type = schema.find("type");
  return type ? type->string() : "any";
}

struct Row {
  std::string left;   // an option, or a key and its type
  std::string right;  // what it means
};

// Adds one row per key, with `prefix` before its name; a key of a nested object is named OUTER.KEY.
void add_keys(json::View schema, const std::string& prefix, std::vector<Row>& rows) {
  const auto properties = schema.find("properties");
  if (!properties) return;
  for (const json::Member& member : properties->members()) {
    const std::string name = prefix + member.key.string();
    const auto described = member.value.find("description");
    std::string text = described ? described->string() : std::string();
    const auto fallback = member.value.find("default");
    const bool has_short_default = fallback && !fallback->is_container();
    if (has_short_default) text += fmt::format(" (default {})", json::to_text(*fallback));
    rows.push_back({fmt::format("{}  {}", name, kind_of(member.value)), std::move(text)});
    add_keys(member.value, name + ".", rows);
  }
}

// The rows as lines of two aligned columns.
std::string table(const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.left.size());
  std::string out;
  for (const Row& row : rows) out += fmt::format("  {:<{}}  {}\n", row.left, width, row.right);
  return out;
}

}  // namespace

Result<CommandLine> read_command_line(std::span<const std::string> words, bool takes_config) {
  CommandLine line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--help" || word == "-h") {
      line.help = true;
      continue;
    }
    const std::vector<std::string> known = options(takes_config);
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      return fail(ErrorCode::invalid_input, fmt::format("expected an option, found \"{}\"", word),
                  "", did_you_mean(word, known, "--help lists the options"));
    }
    if (i + 1 == words.size()) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("expected a value after {}, found nothing", word), "",
                  "--help shows what it takes");
    }
    const std::string& value = words[++i];
    if (word == "--http") {
      ENFOLD_TRY(const std::uint16_t port, read_port(value));
      line.http_port = port;
    } else {
      (word == "--host" ? line.host : line.config) = value;
    }
  }
  if (line.host && !line.http_port) {
    return fail(ErrorCode::invalid_input, "expected --http with --host, found only --host", "",
                "stdio has no address: add --http PORT");
  }
  return line;
}

std::string usage_line(std::string_view program, bool takes_config) {
  return fmt::format("usage: {}{} [--http PORT [--host ADDRESS]]", program,
                     takes_config ? " [--config FILE]" : "");
}

std::string help_page(std::string_view program, const json::Value& schema) {
  const bool takes_config = !schema->is_null();
  std::vector<Row> rows;
  if (takes_config) rows.push_back({"--config FILE", "its configuration, a JSON object"});
  rows.push_back({"--http PORT", "serves http://127.0.0.1:PORT/mcp; 0: any free port"});
  rows.push_back({"--host ADDRESS", "with --http: listens there and not only on this machine"});
  rows.push_back({"--help", "this page"});
  std::string page = fmt::format(
      "{}\n\nAn MCP server. Without options it speaks over stdio: one message a line.\n"
      "\nOptions:\n{}",
      usage_line(program, takes_config), table(rows));
  if (takes_config) {
    std::vector<Row> keys;
    add_keys(schema.view(), "", keys);
    page += fmt::format("\nKeys of the configuration:\n{}", table(keys));
  }
  return page +
         "\nExit codes: 0 ended gracefully, 1 could not serve, 4 the configuration is wrong,\n"
         "5 the command line is wrong.\n";
}

}  // namespace enfold::server
