// SPDX-License-Identifier: Apache-2.0
// One HTTP endpoint in front of a server, for any number of clients.
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/gateway_options.h"
#include "enfold/gateway/run.h"

#include <charconv>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct ServeOptions {
  GatewayOptions gateway;
  std::string listen = "127.0.0.1:8080";
  std::vector<std::string> hosts;
  std::vector<std::string> origins;
};

Result<server::HttpOptions> http_options(const ServeOptions& options) {
  const std::size_t colon = options.listen.rfind(':');
  server::HttpOptions http;
  if (colon != std::string::npos) {
    http.host = options.listen.substr(0, colon);
    const char* const end = options.listen.data() + options.listen.size();
    const auto [stopped, problem] =
        std::from_chars(options.listen.data() + colon + 1, end, http.port);
    if (problem == std::errc() && stopped == end && !http.host.empty()) {
      http.policy.hosts = options.hosts;
      http.policy.origins = options.origins;
      return http;
    }
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("expected HOST:PORT to listen on, found \"{}\"", options.listen), {},
              "for example --listen 127.0.0.1:8080; port 0 lets the system choose");
}

int run_serve(const ServeOptions& options, Terminal& terminal) {
  const Result<server::HttpOptions> http = http_options(options);
  if (!http) {
    terminal.report(http.error());
    return kBadUsage;
  }
  int code = kOk;
  Result<gateway::Settings> settings = gateway_settings(options.gateway, code);
  if (!settings) {
    terminal.report(settings.error());
    return code;
  }
  const Status done = gateway::run_http(std::move(*settings), *http, [&](const std::string& url) {
    terminal.err(fmt::format("listening on {}\n", url));
  });
  if (done) return kOk;
  terminal.report(done.error());
  return exit_code_of(done.error());
}

void accept_serve(Arguments& arguments, ServeOptions& options) {
  arguments.text("--listen", "HOST:PORT", options.listen, "Where to listen; the path is /mcp");
  arguments.texts("--allow-host", "NAME", options.hosts,
                  "A name that clients use for this machine, beside localhost");
  arguments.texts("--allow-origin", "ORIGIN", options.origins,
                  "A web page's origin that may call, such as https://app.example");
  accept_gateway(arguments, options.gateway);
  arguments.footer(
      "Clients connect to http://HOST:PORT/mcp with either protocol:\n"
      "  {\"mcpServers\": {\"some-server\": {\"type\": \"http\", \"url\": "
      "\"http://127.0.0.1:8080/mcp\"}}}\n"
      "A server with sessions is started once for each client's session, one without serves all.\n"
      "There is no login: whoever reaches the port may call. SIGTERM answers what was accepted,\n"
      "then ends.\n\n" +
      std::string(kGatewayHelp) +
      "Examples:\n"
      "  enfold serve -- npx -y @modelcontextprotocol/server-everything\n"
      "  enfold serve --listen 127.0.0.1:9000 --upstream http://127.0.0.1:8080/mcp");
}

}  // namespace

Run set_up_serve(Arguments& arguments) { return set_up(arguments, accept_serve, run_serve); }

}  // namespace enfold::cli
