// SPDX-License-Identifier: Apache-2.0
// One HTTP endpoint in front of one server or, with a configuration, of many; for any number of
// clients.
#include "cli/archive_place.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/gateway_options.h"
#include "cli/serve_config.h"
#include "enfold/gateway/run.h"

#include <fmt/core.h>

namespace enfold::cli {
namespace {

struct ServeOptions {
  GatewayOptions gateway;
  std::string listen = "127.0.0.1:8080";
  std::vector<std::string> hosts;
  std::vector<std::string> origins;
  std::string config;
  bool check = false;
  bool as_json = false;
};

// What a file decides cannot be decided beside it: nobody would know which of the two holds.
Status check_usage(const ServeOptions& options) {
  const auto usage = [](const char* message, const char* hint) {
    return fail(ErrorCode::invalid_input, message, {}, hint);
  };
  if (options.config.empty()) {
    if (!options.check) return {};
    return usage("expected --config with --check", "for example --config enfold.toml --check");
  }
  const bool says_more = options.gateway != GatewayOptions{} ||
                         options.listen != ServeOptions{}.listen || !options.hosts.empty() ||
                         !options.origins.empty();
  if (!says_more) return {};
  return usage("expected no other options with --config, found some",
               "say it in the file: docs/configuration.md has its keys");
}

int serve(gateway::Settings settings, server::HttpOptions http, Terminal& terminal) {
  const auto listening = [&](const std::string& url) {
    terminal.err(fmt::format("listening on {}\n", url));
  };
  const Status done = gateway::run_http(std::move(settings), std::move(http), listening);
  if (done) return kOk;
  terminal.report(done.error());
  return exit_code_of(done.error());
}

int serve_config(const ServeOptions& options, Terminal& terminal) {
  if (options.check) return check_config(options.config, options.as_json, terminal);
  server::ConfigResult<gateway::Serving> serving = load_serving(options.config);
  if (!serving) {
    for (const Error& error : serving.error()) terminal.report(error);
    return exit_code_of(serving.error().front());
  }
  if (const Status opened = open_state(serving->archive, serving->settings.answers); !opened) {
    terminal.report(opened.error());
    return exit_code_of(opened.error());
  }
  return serve(std::move(serving->settings), std::move(serving->http), terminal);
}

int run_serve(const ServeOptions& options, Terminal& terminal) {
  server::HttpOptions http;
  Status usable = check_usage(options);
  if (usable && options.config.empty()) usable = gateway::read_address(options.listen, http);
  if (!usable) {
    terminal.report(usable.error());
    return kBadUsage;
  }
  if (!options.config.empty()) return serve_config(options, terminal);
  http.policy.hosts = options.hosts;
  http.policy.origins = options.origins;
  int code = kOk;
  Result<gateway::Settings> settings = gateway_settings(options.gateway, code);
  if (!settings) {
    terminal.report(settings.error());
    return code;
  }
  return serve(std::move(*settings), std::move(http), terminal);
}

void accept_serve(Arguments& arguments, ServeOptions& options) {
  arguments.text("--config", "FILE", options.config,
                 "Upstreams and everything else from a TOML file");
  arguments.flag("--check", options.check,
                 "Say what --config asks for, or what is wrong with it, and end");
  arguments.text("--listen", "HOST:PORT", options.listen, "Where to listen; the path is /mcp");
  arguments.texts("--allow-host", "NAME", options.hosts,
                  "A name that clients use for this machine, beside localhost");
  arguments.texts("--allow-origin", "ORIGIN", options.origins,
                  "A web page's origin that may call, such as https://app.example");
  accept_gateway(arguments, options.gateway);
  arguments.flag("--json", options.as_json, "With --check: one JSON object");
  arguments.footer(
      "Clients connect to http://HOST:PORT/mcp with either protocol:\n"
      "  {\"mcpServers\": {\"some-server\": {\"type\": \"http\", \"url\": "
      "\"http://127.0.0.1:8080/mcp\"}}}\n"
      "A server with sessions is started once for each client's session, one without serves all.\n"
      "There is no login: whoever reaches the port may call. SIGTERM answers what was accepted,\n"
      "then ends.\n\n" +
      std::string(kGatewayHelp) + std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold serve -- npx -y @modelcontextprotocol/server-everything\n"
      "  enfold serve --listen 127.0.0.1:9000 --upstream http://127.0.0.1:8080/mcp\n"
      "  enfold serve --config enfold.toml --check");
}

}  // namespace

Run set_up_serve(Arguments& arguments) { return set_up(arguments, accept_serve, run_serve); }

}  // namespace enfold::cli
