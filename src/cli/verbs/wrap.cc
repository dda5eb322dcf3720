// SPDX-License-Identifier: Apache-2.0
// `enfold wrap`: a gateway over stdio in front of one server, in place of its command.
#include "cli/settings/archive_place.h"
#include "cli/settings/gateway_options.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/gateway/run.h"

#include <unistd.h>

namespace enfold::cli {
namespace {

// Standard input is a terminal, so there is no client: check the command and explain.
Status explain_use(const gateway::UpstreamSettings& upstream, Terminal& terminal) {
  if (Status found = client::check_program(upstream.target); !found) return found;
  terminal.err(
      "waiting for an MCP client on standard input; Ctrl-C exits. To call a tool yourself:\n"
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
    if (const Status found = explain_use(settings->upstreams.front(), terminal); !found)
      return terminal.report(found.error());
  }
  const Status done = gateway::run_stdio(std::move(*settings));
  if (done) return kOk;
  return terminal.report(done.error());
}

void declare_wrap_options(Arguments& arguments, GatewayOptions& options) {
  declare_gateway_options(arguments, options);
  arguments.declare_json();
  arguments.footer(
      "Put it before the command of a server in the configuration of your client. Replace\n"
      "  \"command\": \"npx\", \"args\": [\"-y\", \"some-server\"]\n"
      "by\n"
      "  {\"mcpServers\": {\"some-server\": {\"command\": \"enfold\",\n"
      "    \"args\": [\"wrap\", \"--\", \"npx\", \"-y\", \"some-server\"]}}}\n"
      "The environment is passed on to the server. Everything but tool answers passes "
      "through\nunchanged.\n\n" +
      std::string(kGatewayHelp) + std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold wrap -- npx -y @modelcontextprotocol/server-everything\n"
      "  enfold wrap --client claude-code --budget 8000 -- ./my-server --stdio\n"
      "  enfold wrap --contract none --upstream http://127.0.0.1:8080/mcp");
}

}  // namespace

Run set_up_wrap(Arguments& arguments) { return set_up(arguments, declare_wrap_options, run_wrap); }

}  // namespace enfold::cli
