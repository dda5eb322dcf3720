// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/connect_lines.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

std::string base64(std::string_view bytes) {
  std::string out = to_base64url(bytes);
  std::ranges::replace(out, '-', '+');
  std::ranges::replace(out, '_', '/');
  return out;
}

// As cursor.com/docs/mcp/install-links describes: the server's entry of mcp.json in Base64.
std::string cursor_link(const std::string& url) {
  json::Writer entry;
  entry.begin_object().member("url", url).end_object();
  return "cursor://anysphere.cursor-deeplink/mcp/install?name=enfold&config=" +
         percent_encode(base64(std::move(entry).finish().str()));
}

// As code.visualstudio.com describes under "Create an MCP installation URL": the server's entry of
// mcp.json, with the name of the server.
std::string vscode_link(const std::string& url) {
  json::Writer entry;
  entry.begin_object().member("name", "enfold").member("type", "http").member("url", url);
  entry.end_object();
  return "vscode:mcp/install?" + percent_encode(std::move(entry).finish().str());
}

}  // namespace

std::vector<ConnectLine> connect_lines(const std::string& url, bool needs_key) {
  const std::string header =
      needs_key ? " --header \"Authorization: Bearer $ENFOLD_KEY\"" : std::string();
  std::vector<ConnectLine> out{
      {"Claude Code", "claude mcp add --transport http enfold " + url + header},
      {"Gemini CLI", "gemini mcp add --transport http enfold " + url + header},
      {"Codex", "codex mcp add enfold --url " + url +
                    (needs_key ? " --bearer-token-env-var ENFOLD_KEY" : "")},
      {"OpenCode", "opencode mcp add enfold --url " + url +
                       (needs_key ? " --header \"Authorization=Bearer $ENFOLD_KEY\"" : "")},
      {"Cursor", cursor_link(url)},
      {"VS Code", vscode_link(url)}};
  json::Writer entry;
  entry.begin_object().key("mcpServers").begin_object().key("enfold").begin_object();
  entry.member("type", "http").member("url", url).end_object().end_object().end_object();
  out.push_back({"others", std::move(entry).finish().str()});
  return out;
}

std::string connect_text(const std::string& url, bool needs_key) {
  std::string out;
  for (const ConnectLine& line : connect_lines(url, needs_key)) {
    out += fmt::format("  {:<12} {}\n", line.client, line.text);
  }
  if (needs_key) out += "  Calls need a key: Authorization: Bearer KEY\n";
  return out;
}

}  // namespace enfold::cli
