// SPDX-License-Identifier: Apache-2.0
// `enfold serve`: a gateway over HTTP, for one server or, with a configuration, for several.
#include "cli/clients/connect_lines.h"
#include "cli/settings/archive_place.h"
#include "cli/settings/gateway_options.h"
#include "cli/settings/serve_config.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/gateway/config/risks.h"
#include "enfold/gateway/run.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <iostream>
#include <unistd.h>

namespace enfold::cli {
namespace {

struct ServeOptions {
  GatewayOptions gateway;
  std::string listen = "127.0.0.1:8080";
  std::vector<std::string> hosts;           ///< accepted values of Host, besides localhost
  std::vector<std::string> origins;         ///< accepted values of Origin
  std::vector<std::string> accepted_risks;  ///< names of risks; see gateway/config/risks.h
  std::string config;                       ///< file; empty: the options set everything
  bool check = false;                       ///< only check the file
  bool observe = false;                     ///< serve /metrics and /healthz on any address
  bool hash_key = false;                    ///< only hash a key; all other options are ignored
  bool links = false;                       ///< only print how clients connect
  bool as_json = false;                     ///< with `check` and `links`
  std::vector<std::string> used_options;    ///< names, to find those that conflict with `config`
};

// The used options that conflict with --config, because the file sets what they set.
std::vector<std::string> conflicts_with_config(const ServeOptions& options) {
  std::vector<std::string> conflicts = options.used_options;
  std::erase_if(conflicts, [](const std::string& name) {
    return name == "--config" || name == "--check" || name == "--links" || name == "--json";
  });
  if (!options.gateway.command.empty()) conflicts.emplace_back("a command after --");
  return conflicts;
}

Status check_usage(const ServeOptions& options) {
  const auto usage = [](std::string message, std::string hint) {
    return fail(ErrorCode::invalid_input, std::move(message), {}, std::move(hint));
  };
  if (options.config.empty()) {
    if (options.links) return {};
    if (options.check) {
      return usage("expected --config with --check", "for example --config enfold.toml --check");
    }
    if (!options.gateway.upstream.empty() || !options.gateway.command.empty()) return {};
    return usage(
        "expected servers: --config FILE, --upstream URL, or a command after --",
        "for example `enfold serve -- npx -y some-server`; for several, create the file for "
        "--config with `enfold import`");
  }
  const std::vector<std::string> conflicts = conflicts_with_config(options);
  if (conflicts.empty()) return {};
  return usage(
      fmt::format("expected only --check, --links and --json with --config, found {}",
                  fmt::join(conflicts, ", ")),
      fmt::format("set it in {}: docs/reference/configuration.md lists the keys", options.config));
}

int print_links(const std::string& url, bool needs_key, bool as_json, Terminal& terminal) {
  if (!as_json) {
    terminal.out(connect_text(url, needs_key));
    return kOk;
  }
  json::Writer writer;
  writer.begin_object().member("url", url).key("clients").begin_array();
  for (const ConnectLine& line : connect_lines(url, needs_key)) {
    writer.begin_object().member("client", line.client).member("text", line.text).end_object();
  }
  writer.end_array().end_object();
  terminal.out_line(std::move(writer).finish());
  return kOk;
}

// Runs the gateway until it ends. `reload` and `config_file`: only with a configuration; without
// `reload`, SIGHUP ends the gateway.
int serve(gateway::Settings settings, serve::HttpOptions http, Terminal& terminal,
          gateway::LoadSettings reload = {}, const std::string& config_file = {}) {
  const bool needs_key = !settings.principals.empty();
  gateway::HttpEvents events{.load = std::move(reload), .config_file = config_file};
  if (!config_file.empty()) {
    events.check_config = [config_file] {
      const auto loaded = load_config(config_file);
      return loaded ? std::vector<Error>() : loaded.error();
    };
  }
  events.on_listening = [&terminal, needs_key](const std::string& url) {
    terminal.err(fmt::format("listening on {}\n", url));
    // The commands for clients are for a person, so a log file does not get them.
    if (::isatty(STDERR_FILENO) == 1) terminal.err(connect_text(url, needs_key));
  };
  events.on_dashboard_link = [&](const std::string& link) {
    terminal.err(fmt::format("dashboard at {}\n", link));
  };
  const Status done = gateway::run_http(std::move(settings), std::move(http), events);
  if (done) return kOk;
  return terminal.report(done.error());
}

int serve_config(const ServeOptions& options, Terminal& terminal) {
  if (options.check) return check_config(options.config, options.as_json, terminal);
  tools::ConfigResult<gateway::ServeSettings> serving = load_config(options.config);
  if (!serving) {
    for (const Error& error : serving.error()) terminal.report(error);
    return exit_code_of(serving.error().front());
  }
  if (options.links) {
    return print_links(url_of(serving->http), !serving->settings.principals.empty(),
                       options.as_json, terminal);
  }
  if (const Status opened = open_state(serving->archive, serving->settings); !opened)
    return terminal.report(opened.error());
  const auto reload = [file = options.config, startup = StartupConfig(*serving)] {
    return reload_config(file, startup);
  };
  return serve(std::move(serving->settings), std::move(serving->http), terminal, reload,
               options.config);
}

// Reads a key from standard input and prints its hash for the configuration. The key itself is
// neither printed nor stored.
int hash_key(Terminal& terminal) {
  constexpr std::size_t kMinKeyLength = 16;
  constexpr std::size_t kMaxKeyLength = 4096;
  std::string key;
  std::getline(std::cin, key);
  if (key.ends_with('\r')) key.pop_back();
  const bool is_visible = std::ranges::all_of(key, [](char c) { return c > ' ' && c < 0x7f; });
  if (key.size() < kMinKeyLength || key.size() > kMaxKeyLength || !is_visible) {
    terminal.report({ErrorCode::invalid_input,
                     fmt::format("expected a key of {} to {} visible ASCII characters on standard "
                                 "input, found something else",
                                 kMinKeyLength, kMaxKeyLength),
                     {},
                     "create one: openssl rand -hex 32"});
    return kBadInput;
  }
  terminal.out(to_hex(sha256(key)) + "\n");
  return kOk;
}

int run_serve(const ServeOptions& options, Terminal& terminal) {
  if (options.hash_key) return hash_key(terminal);
  serve::HttpOptions http;
  Status usable = check_usage(options);
  if (usable && options.config.empty()) usable = gateway::read_address(options.listen, http);
  if (usable && options.config.empty()) {
    usable = gateway::check_risks(gateway::listening_risks(http, /*has_keys=*/false),
                                  options.accepted_risks, /*is_command=*/true);
    if (!usable) usable.error().where = "--listen";
  }
  if (!usable) return terminal.report_usage(usable.error());
  if (!options.config.empty()) return serve_config(options, terminal);
  if (options.links)
    return print_links(url_of(http), /*needs_key=*/false, options.as_json, terminal);
  http.policy.hosts = options.hosts;
  http.policy.origins = options.origins;
  int code = kOk;
  Result<gateway::Settings> settings = gateway_settings(options.gateway, code);
  if (!settings) {
    terminal.report(settings.error());
    return code;
  }
  for (gateway::UpstreamSettings& one : settings->upstreams) {
    if (auto* program = std::get_if<client::StdioTarget>(&one.target)) {
      program->limits = {.no_new_privileges = true, .no_core_files = true};
    }
  }
  settings->observe = options.observe ? gateway::ObserveSettings{.metrics = true, .health = true}
                                      : gateway::default_observe_settings(http);
  settings->dashboard.enabled = gateway::serves_dashboard(http);
  settings->count_tokens =
      settings->count_tokens || settings->observe.metrics || settings->dashboard.enabled;
  return serve(std::move(*settings), std::move(http), terminal);
}

void declare_serve_options(Arguments& arguments, ServeOptions& options) {
  arguments.record_used_options(options.used_options);
  arguments.text("--config", "FILE", options.config,
                 "Read upstreams and all other settings from a TOML file; only --check,\n"
                 "--links and --json may be combined with it");
  arguments.flag("--check", options.check,
                 "Check the file of --config, print a summary or its errors, and exit");
  arguments.flag("--links", options.links,
                 "Print the commands and links that connect clients, and exit");
  arguments.flag("--hash-key", options.hash_key,
                 "Read an API key from standard input and print its hash for\n"
                 "[principals.NAME]");
  arguments.text("--listen", "ADDRESS", options.listen,
                 "HOST:PORT or unix:PATH to listen on; the path of the URL is /mcp");
  arguments.texts("--allow-host", "NAME", options.hosts,
                  "Value of the Host header to accept besides localhost");
  arguments.texts("--allow-origin", "ORIGIN", options.origins,
                  "Value of the Origin header to accept, such as https://app.example");
  arguments.texts("--accept-risk", "NAME", options.accepted_risks,
                  "Start in spite of an unsafe setting: open_address");
  arguments.flag("--observe", options.observe,
                 "Serve /metrics and /healthz on any address, not only on loopback");
  declare_gateway_options(arguments, options.gateway);
  arguments.flag("--json", options.as_json, "With --check and --links: one JSON object");
  arguments.footer(
      "Clients connect to http://HOST:PORT/mcp with any revision of MCP:\n"
      "  {\"mcpServers\": {\"some-server\": {\"type\": \"http\", \"url\": "
      "\"http://127.0.0.1:8080/mcp\"}}}\n"
      "A server with sessions is started once per client session; a stateless one serves all\n"
      "clients. Without [principals] in a configuration, calls need no key. SIGTERM finishes open\n"
      "calls and exits; SIGHUP reloads the configuration.\n\n" +
      std::string(kGatewayHelp) + std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold serve -- npx -y @modelcontextprotocol/server-everything\n"
      "  enfold serve --listen 127.0.0.1:9000 --upstream http://127.0.0.1:8080/mcp\n"
      "  enfold serve --config enfold.toml --check\n"
      "  enfold serve --config enfold.toml --links\n"
      "  openssl rand -hex 32 | tee key | enfold serve --hash-key");
}

}  // namespace

Run set_up_serve(Arguments& arguments) {
  return set_up(arguments, declare_serve_options, run_serve);
}

}  // namespace enfold::cli
