// SPDX-License-Identifier: Apache-2.0
// In the place of a server's own command: speaks for it over stdio.
#include "cli/exit_code.h"
#include "cli/input/archive_place.h"
#include "cli/input/gateway_options.h"
#include "cli/verbs/verbs.h"
#include "enfold/gateway/run.h"

#include <unistd.h>

namespace enfold::cli {
namespace {

// At a terminal nobody speaks the protocol: somebody sees what the command does.
Status try_out(const gateway::UpstreamSettings& upstream, Terminal& terminal) {
  if (Status there = client::check_program(upstream.target); !there) return there;
  terminal.err(
      "waiting for an MCP client on standard input; Ctrl-C ends. To call a tool by hand:\n"
      "  enfold call TOOL -- enfold wrap …\n");
  return {};
}

int run_wrap(const GatewayOptions& options, Terminal& terminal) {
  int code = kOk;
  Result<gateway::Settings> settings = gateway_settings(options, code);
  if (!settings) {
    terminal.report(settings.error());
    return code;
  }
  if (::isatty(STDIN_FILENO) == 1) {
    if (const Status there = try_out(settings->upstreams.front(), terminal); !there) {
      terminal.report(there.error());
      return exit_code_of(there.error());
    }
  }
  const Status done = gateway::run_stdio(std::move(*settings));
  if (done) return kOk;
  terminal.report(done.error());
  return exit_code_of(done.error());
}

void accept_wrap(Arguments& arguments, GatewayOptions& options) {
  accept_gateway(arguments, options);
  arguments.json_anyway();
  arguments.footer(
      "Put it before the command of a server in your client's configuration. Where that says\n"
      "  \"command\": \"npx\", \"args\": [\"-y\", \"some-server\"]\n"
      "write\n"
      "  {\"mcpServers\": {\"some-server\": {\"command\": \"enfold\",\n"
      "    \"args\": [\"wrap\", \"--\", \"npx\", \"-y\", \"some-server\"]}}}\n"
      "The environment is passed on to the server. Only tool answers are touched.\n\n" +
      std::string(kGatewayHelp) + std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold wrap -- npx -y @modelcontextprotocol/server-everything\n"
      "  enfold wrap --client claude-code --budget 8000 -- ./my-server --stdio\n"
      "  enfold wrap --contract none --upstream http://127.0.0.1:8080/mcp");
}

}  // namespace

Run set_up_wrap(Arguments& arguments) { return set_up(arguments, accept_wrap, run_wrap); }

}  // namespace enfold::cli
