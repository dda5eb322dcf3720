// SPDX-License-Identifier: Apache-2.0
#include "bench/gateways.h"

#include "bench/mcp_requests.h"
#include "bench/nginx.h"

#include <fstream>

namespace enfold::bench {
namespace {

constexpr const char* kNode = ENFOLD_SOURCE_DIR "/tests/peers/node_modules/.bin/node";
constexpr const char* kPeers = ENFOLD_SOURCE_DIR "/bench/peers/node_modules";
constexpr const char* kLoopback = ENFOLD_SOURCE_DIR "/bench/peers/loopback.cjs";

std::string beside(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name).string();
}

// Where it really is: civic compares that with the name that it is started by.
std::string peer(const std::string& file) {
  std::error_code absent;
  return std::filesystem::canonical(fmt::format("{}/{}", kPeers, file), absent).string();
}

// The name under which a gateway shows the tool `echo`.
std::string name_of_echo(const Connection& connection, std::uint16_t port,
                         const std::string& session) {
  const Answer answer = connection.exchange(
      post(port, session_fields(session), R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
  const std::size_t end = answer.body.find("echo\"");
  if (answer.status != 200 || end == std::string::npos) {
    fmt::print(stderr, "error: expected a tool echo, found: {}{}\n", answer.head, answer.body);
    std::exit(1);
  }
  const std::size_t begin = answer.body.rfind('"', end) + 1;
  return answer.body.substr(begin, end + 4 - begin);
}

}  // namespace

std::string upstream_program() { return beside("bench_upstream"); }
std::string enfold_program() { return beside("enfold"); }

std::vector<std::string> wrap_command(const Folder& folder, const std::vector<std::string>& options,
                                      const std::string& program) {
  std::vector<std::string> command{program, "wrap", "--archive", folder.path() + "/wrap.db"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", upstream_program()});
  return command;
}

std::optional<WebProcess> start_serve(const Folder& folder, const std::string& program) {
  const std::uint16_t port = free_port();
  return WebProcess::start({program, "serve", "--archive", folder.path() + "/serve.db", "--listen",
                            fmt::format("127.0.0.1:{}", port), "--", upstream_program()},
                           port);
}

Web connect_to(const std::string& name, Kind kind, WebProcess started) {
  Web web{name, kind, std::make_shared<WebProcess>(std::move(started)), {}, {}, {}};
  web.greeted = std::make_shared<Connection>(web.server->port());
  web.session = open_session(*web.greeted, web.server->port());
  web.tool = name_of_echo(*web.greeted, web.server->port(), web.session);
  return web;
}

Gateways::Gateways() {
  on_pipes_.push_back({"direct, stdio", Kind::direct,
                       std::make_shared<StdioLoad>(std::vector<std::string>{upstream_program()})});
  on_pipes_.push_back({"enfold wrap, stdio, response-v2", Kind::enfold,
                       std::make_shared<StdioLoad>(wrap_command(folder_))});
  on_pipes_.push_back({"enfold wrap, stdio, contract none", Kind::enfold,
                       std::make_shared<StdioLoad>(wrap_command(folder_, {"--contract", "none"}))});

  const std::uint16_t upstream = free_port();
  add("direct, HTTP", Kind::direct,
      WebProcess::start({upstream_program(), "--http", std::to_string(upstream)}, upstream));
  add("enfold serve, HTTP to stdio, response-v2", Kind::enfold, start_serve(folder_));
  add("nginx proxy_pass, HTTP to HTTP", Kind::nginx,
      start_nginx_in_front_of(nginx_folder_, upstream));
  start_npm(upstream);
}

void Gateways::start_npm(std::uint16_t upstream) {
  const std::string preload = fmt::format("NODE_OPTIONS=--require {}", kLoopback);
  std::uint16_t port = free_port();
  add("mcp-proxy, HTTP to stdio", Kind::npm,
      WebProcess::start({kNode, peer(".bin/mcp-proxy"), "--host", "127.0.0.1", "--port",
                         std::to_string(port), "--server", "stream", "--", upstream_program()},
                        port));
  port = free_port();
  add("supergateway, HTTP to stdio", Kind::npm,
      WebProcess::start(
          {"/usr/bin/env", preload, kNode, peer(".bin/supergateway"), "--stdio", upstream_program(),
           "--outputTransport", "streamableHttp", "--stateful", "--port", std::to_string(port),
           "--streamableHttpPath", "/mcp", "--logLevel", "none"},
          port));
  port = free_port();
  std::filesystem::create_directories(folder_.path() + "/config");
  std::ofstream(folder_.path() + "/config/mcporter.json")
      << fmt::format(R"({{"mcpServers":{{"bench":{{"command":"{}","lifecycle":"keep-alive"}}}}}})",
                     upstream_program());
  add("mcporter, HTTP to stdio", Kind::npm,
      WebProcess::start({"/usr/bin/env", "-C", folder_.path(), preload, kNode,
                         peer(".bin/mcporter"), "serve", "--http", std::to_string(port)},
                        port));
  port = free_port();
  add("civic passthrough, HTTP to HTTP", Kind::npm,
      WebProcess::start({"/usr/bin/env", preload, fmt::format("PORT={}", port),
                         fmt::format("TARGET_SERVER_URL=http://127.0.0.1:{}", upstream),
                         "TARGET_SERVER_TRANSPORT=httpStream", kNode,
                         peer("@civic/passthrough-mcp-server/dist/cli.js")},
                        port));
}

void Gateways::add(const std::string& name, Kind kind, std::optional<WebProcess> started) {
  if (!started) {
    absent_.push_back(name);
    return;
  }
  on_the_web_.push_back(connect_to(name, kind, std::move(*started)));
}

}  // namespace enfold::bench
