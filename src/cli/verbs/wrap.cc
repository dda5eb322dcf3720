// SPDX-License-Identifier: Apache-2.0
// `enfold wrap`: a gateway over stdio in front of one server, in place of its command.
#include "cli/settings/archive_place.h"
#include "cli/settings/gateway_options.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/gateway/run.h"

#include <charconv>
#include <fmt/format.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

// For a user who starts `wrap` in a terminal, where no client is: checks that the program of the
// server exists, and says what to do.
Status explain_use(const gateway::UpstreamSettings& upstream, Terminal& terminal) {
  if (Status found = client::check_program(upstream.target); !found) return found;
  terminal.err(
      "waiting for an MCP client on standard input; Ctrl-C exits. To call a tool yourself:\n"
      "  enfold call TOOL -- enfold wrap …\n");
  return {};
}

struct WrapOptions {
  GatewayOptions gateway;
  std::string ui;  ///< value of --ui: "true" or a port; empty: no dashboard
};

// The port of the dashboard; 0: the system chooses; nullopt: there is no dashboard. `text`: the
// value of --ui.
Result<std::optional<std::uint16_t>> dashboard_port(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::uint16_t port = 0;
  if (text == "true") return port;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (problem == std::errc() && end == text.data() + text.size()) return port;
  return fail(ErrorCode::invalid_input, fmt::format("expected a port, found \"{}\"", text), "--ui",
              "for example --ui=8090; --ui alone lets the system choose");
}

int run_wrap(const WrapOptions& options, Terminal& terminal) {
  int code = kOk;
  const Result<std::optional<std::uint16_t>> port = dashboard_port(options.ui);
  if (!port) return terminal.report_usage(port.error());
  Result<gateway::Settings> settings = gateway_settings(options.gateway, code);
  if (!settings) {
    terminal.report(settings.error());
    return code;
  }
  settings->dashboard.enabled = port->has_value();
  settings->count_tokens = settings->count_tokens || port->has_value();
  if (::isatty(STDIN_FILENO) == 1) {
    if (const Status found = explain_use(settings->upstreams.front(), terminal); !found)
      return terminal.report(found.error());
  }
  const gateway::StdioDashboard dashboard{.port = port->value_or(0),
                                          .on_link = [&](const std::string& link) {
                                            terminal.err(fmt::format("dashboard at {}\n", link));
                                          }};
  const Status done = gateway::run_stdio(std::move(*settings), dashboard);
  if (done) return kOk;
  return terminal.report(done.error());
}

void declare_wrap_options(Arguments& arguments, WrapOptions& options) {
  declare_gateway_options(arguments, options.gateway);
  arguments.flag_or_text("--ui", options.ui,
                         "Serve the dashboard on 127.0.0.1 beside standard input; --ui=PORT\n"
                         "sets the port. The link is printed on standard error");
  arguments.accept_json_flag();
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
