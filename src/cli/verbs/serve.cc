// SPDX-License-Identifier: Apache-2.0
// One HTTP endpoint in front of one server or, with a configuration, of many; for any number of
// clients.
#include "cli/exit_code.h"
#include "cli/input/archive_place.h"
#include "cli/input/gateway_options.h"
#include "cli/input/serve_config.h"
#include "cli/verbs/verbs.h"
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/gateway/observe/metrics_endpoint.h"
#include "enfold/gateway/run.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <iostream>

namespace enfold::cli {
namespace {

struct ServeOptions {
  GatewayOptions gateway;
  std::string listen = "127.0.0.1:8080";
  std::vector<std::string> hosts;
  std::vector<std::string> origins;
  std::string config;
  bool check = false;
  bool observe = false;
  bool hash_key = false;
  bool as_json = false;
  std::vector<std::string> given;  ///< options, by name
};

// What a file decides cannot be decided beside it: nobody would know which of the two holds.
std::vector<std::string> said_beside_config(const ServeOptions& options) {
  std::vector<std::string> beside = options.given;
  std::erase_if(beside, [](const std::string& name) {
    return name == "--config" || name == "--check" || name == "--json";
  });
  if (!options.gateway.command.empty()) beside.emplace_back("a command behind --");
  return beside;
}

Status check_usage(const ServeOptions& options) {
  const auto usage = [](std::string message, std::string hint) {
    return fail(ErrorCode::invalid_input, std::move(message), {}, std::move(hint));
  };
  if (options.config.empty()) {
    if (options.check) {
      return usage("expected --config with --check", "for example --config enfold.toml --check");
    }
    if (!options.gateway.upstream.empty() || !options.gateway.command.empty()) return {};
    return usage(
        "expected servers: --config FILE, --upstream URL, or a command behind --",
        "for example `enfold serve -- npx -y some-server`; for many, `enfold import` makes "
        "the file for --config");
  }
  const std::vector<std::string> beside = said_beside_config(options);
  if (beside.empty()) return {};
  return usage(fmt::format("expected nothing beside --config but --check and --json, found {}",
                           fmt::join(beside, ", ")),
               fmt::format("say it in {}: docs/configuration.md has its keys", options.config));
}

int serve(gateway::Settings settings, serve::HttpOptions http, Terminal& terminal,
          const gateway::LoadSettings& reload = {}) {
  const auto listening = [&](const std::string& url) {
    terminal.err(fmt::format("listening on {}\n", url));
  };
  const Status done = gateway::run_http(std::move(settings), std::move(http), listening, reload);
  if (done) return kOk;
  terminal.report(done.error());
  return exit_code_of(done.error());
}

int serve_config(const ServeOptions& options, Terminal& terminal) {
  if (options.check) return check_config(options.config, options.as_json, terminal);
  tools::ConfigResult<gateway::Serving> serving = load_serving(options.config);
  if (!serving) {
    for (const Error& error : serving.error()) terminal.report(error);
    return exit_code_of(serving.error().front());
  }
  if (const Status opened = open_state(serving->archive, serving->settings); !opened) {
    terminal.report(opened.error());
    return exit_code_of(opened.error());
  }
  const auto reload = [file = options.config, first = LastingConfig(*serving)] {
    return reload_serving(file, first);
  };
  return serve(std::move(serving->settings), std::move(serving->http), terminal, reload);
}

// What a configuration holds of a key. The key itself is neither shown nor kept.
int hash_key(Terminal& terminal) {
  constexpr std::size_t kShortest = 16;
  constexpr std::size_t kLongest = 4096;
  std::string key;
  std::getline(std::cin, key);
  if (key.ends_with('\r')) key.pop_back();
  const bool visible = std::ranges::all_of(key, [](char c) { return c > ' ' && c < 0x7f; });
  if (key.size() < kShortest || key.size() > kLongest || !visible) {
    terminal.report({ErrorCode::invalid_input,
                     fmt::format("expected a key of {} to {} visible ASCII characters on standard "
                                 "input, found something else",
                                 kShortest, kLongest),
                     {},
                     "make one: openssl rand -hex 32"});
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
  settings->observed =
      options.observe ? gateway::Observed{true, true} : gateway::observed_by_default(http);
  settings->weighs = settings->weighs || settings->observed.metrics;
  return serve(std::move(*settings), std::move(http), terminal);
}

void accept_serve(Arguments& arguments, ServeOptions& options) {
  arguments.note_given(options.given);
  arguments.text("--config", "FILE", options.config,
                 "Upstreams and everything else from a TOML file; beside it only --check\n"
                 "and --json");
  arguments.flag("--check", options.check,
                 "Say what --config asks for, or what is wrong with it, and end");
  arguments.flag("--hash-key", options.hash_key,
                 "Read a key from standard input, print its hash for [principals.NAME]");
  arguments.text("--listen", "HOST:PORT", options.listen, "Where to listen; the path is /mcp");
  arguments.texts("--allow-host", "NAME", options.hosts,
                  "A name that clients use for this machine, beside localhost");
  arguments.texts("--allow-origin", "ORIGIN", options.origins,
                  "A web page's origin that may call, such as https://app.example");
  arguments.flag("--observe", options.observe,
                 "Serve /metrics and /healthz on any address, not only on loopback");
  accept_gateway(arguments, options.gateway);
  arguments.flag("--json", options.as_json, "With --check: one JSON object");
  arguments.footer(
      "Clients connect to http://HOST:PORT/mcp with either protocol:\n"
      "  {\"mcpServers\": {\"some-server\": {\"type\": \"http\", \"url\": "
      "\"http://127.0.0.1:8080/mcp\"}}}\n"
      "A server with sessions is started once for each client's session, one without serves all.\n"
      "Without [principals] in a configuration there is no login: whoever reaches the port may\n"
      "call. SIGTERM answers what was accepted, then ends; SIGHUP reads the configuration "
      "again.\n\n" +
      std::string(kGatewayHelp) + std::string(kArchivePlaces) +
      "Examples:\n"
      "  enfold serve -- npx -y @modelcontextprotocol/server-everything\n"
      "  enfold serve --listen 127.0.0.1:9000 --upstream http://127.0.0.1:8080/mcp\n"
      "  enfold serve --config enfold.toml --check\n"
      "  openssl rand -hex 32 | tee key | enfold serve --hash-key");
}

}  // namespace

Run set_up_serve(Arguments& arguments) { return set_up(arguments, accept_serve, run_serve); }

}  // namespace enfold::cli
