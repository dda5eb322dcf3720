// SPDX-License-Identifier: Apache-2.0
// One tool, `echo`, over Streamable HTTP with its envelope, next to nginx with a fixed body of the
// same size and to the TypeScript SDK on Node. Turns alternate; ratios are medians of the ratios
// inside a round.
//   server_bench [--quick] [--only ENFOLD] [--record FOLDER]
//   server_bench --serve         serves on a port that it prints, for a profiler
#include "bench/mcp_requests.h"
#include "bench/nginx.h"
#include "bench/verdicts.h"
#include "enfold/net/loop.h"
#include "enfold/serve/http/http.h"
#include "enfold/server/detail/dispatch.h"
#include "enfold/server/run.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace enfold::bench {
namespace {

constexpr std::size_t kConnections = 32;
constexpr std::size_t kSessions = 1'000;
constexpr const char* kNode = ENFOLD_SOURCE_DIR "/tests/peers/node_modules/.bin/node";
constexpr const char* kNodeEcho = ENFOLD_SOURCE_DIR "/bench/node_echo.mjs";

struct Said {
  std::string text;
  static constexpr auto arguments() {
    return server::arguments(server::argument("text", &Said::text).describe("What to say again"));
  }
  static constexpr auto fields() {
    return level::fields(level::field("text", &Said::text, level::Level::minimal));
  }
};

Said echo(const Said& said) { return said; }

// As server::run does it, except that it prints its port.
void serve() {
  server::Server offered("echo", "1.0.0");
  offered.tool("echo", "Says the same again", echo).read_only();
  offered.settings().log = [](const serve::LogLine&) {};  // nginx writes none either
  net::raise_descriptor_limit();
  auto loop = std::move(*net::Loop::create());
  serve::LoopHost host(*loop, offered.settings().workers, offered.settings().max_waiting);
  auto dispatcher = std::move(*server::Dispatcher::create(offered, host));
  serve::HttpOptions options;
  options.limits.idle_timeout = std::chrono::hours(1);
  auto front = serve::HttpFront::listen(*dispatcher, *loop, std::move(options));
  if (!front) return;
  std::signal(SIGPIPE, SIG_IGN);
  fmt::print("{}\n", (*front)->port());
  std::fflush(stdout);
  loop->run();
}

// --- requests ----------------------------------------------------------------------------------

const std::string kArguments = R"({"text":"The quick brown fox jumps over the lazy dog."})";

std::string stateless_call(std::uint16_t port) {
  return post(port,
              "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n",
              fmt::format(R"({{"jsonrpc":"2.0","id":7,"method":"tools/call","params":)"
                          R"({{"name":"echo","arguments":{},"_meta":{{)"
                          R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                          R"("io.modelcontextprotocol/clientInfo":{{"name":"load",)"
                          R"("version":"1.0.0"}},)"
                          R"("io.modelcontextprotocol/clientCapabilities":{{}}}}}}}})",
                          kArguments));
}

// --- contestants -------------------------------------------------------------------------------

struct Turn {
  double per_second = 0;
  double p50 = 0;
  double p99 = 0;  ///< µs
  double cpu = 0;  ///< µs of the server for one answer
};

struct Contestant {
  std::string name;
  WebProcess* server;
  std::unique_ptr<Load> load;
  std::vector<Turn> turns{};
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

template <class Take>
double median_of(const Contestant& one, Take take) {
  std::vector<double> values;
  values.reserve(one.turns.size());
  for (const Turn& turn : one.turns) values.push_back(take(turn));
  return median(std::move(values));
}

template <class Take>
double ratio(const Contestant& one, const Contestant& other, Take take) {
  std::vector<double> values;
  values.reserve(one.turns.size());
  for (std::size_t i = 0; i < one.turns.size(); ++i) {
    values.push_back(take(one.turns[i]) / take(other.turns[i]));
  }
  return median(std::move(values));
}

void take_turn(Contestant& one, double seconds) {
  static_cast<void>(one.load->run(seconds / 5));
  const double before = one.server->process().cpu_time();
  LoadResult result = one.load->run(seconds);
  const double used = one.server->process().cpu_time() - before;
  one.turns.push_back({result.per_second(), result.quantile(0.5), result.quantile(0.99),
                       used / static_cast<double>(result.answers) * 1e6});
}

class Bench {
 public:
  Bench(bool quick, std::string only) : quick_(quick), only_(std::move(only)) {}

  std::string run() {
    static_cast<void>(getloadavg(&load_before_, 1));
    const bool two = stay_on_load_processor();
    auto enfold = WebProcess::start({"/proc/self/exe", "--serve"});
    if (!enfold) std::exit(1);
    const std::uint16_t port = enfold->port();
    const Connection handshake(port);
    const std::string session = open_session(handshake, port);
    const Answer sample = handshake.exchange(session_call(port, session, 7, "echo", kArguments));
    add("Enfold, session 2025-11-25", *enfold, session_call(port, session, 7, "echo", kArguments));
    add("Enfold, stateless 2026-07-28", *enfold, stateless_call(port));

    const Folder folder;
    auto nginx = only_.empty() ? start_nginx_with_body(folder, sample.body.size()) : std::nullopt;
    if (nginx)
      add("nginx, fixed body", *nginx, session_call(nginx->port(), session, 7, "echo", kArguments));
    auto node = only_.empty() ? WebProcess::start({kNode, kNodeEcho}) : std::optional<WebProcess>();
    std::optional<Connection> node_handshake;
    if (node) {
      node_handshake.emplace(node->port());
      const std::string id = open_session(*node_handshake, node->port());
      add("TypeScript SDK on Node", *node, session_call(node->port(), id, 7, "echo", kArguments));
    }
    for (int round = 0; round < (quick_ ? 3 : 7); ++round) {
      for (Contestant& one : contestants_) take_turn(one, quick_ ? 0.5 : 1.5);
    }
    report(sample.body.size(), two);
    contestants_.clear();
    measure_memory();
    text_ += verdicts_.to_markdown();
    return text_;
  }

 private:
  void add(const std::string& name, WebProcess& server, const std::string& request) {
    contestants_.push_back(
        {name, &server, std::make_unique<Load>(server.port(), std::vector(kConnections, request))});
  }

  [[nodiscard]] const Contestant* find(std::string_view name) const {
    for (const Contestant& one : contestants_) {
      if (one.name.starts_with(name)) return &one;
    }
    return nullptr;
  }

  void report(std::size_t body, bool two) {
    text_ += fmt::format(
        "## Server\n\nOne tool over HTTP, {} kept connections, answers of {} bytes; server and "
        "load "
        "on {}.\n\n| server | answers/s | p50 µs | p99 µs | CPU µs per answer |\n"
        "|---|---:|---:|---:|---:|\n",
        kConnections, body, two ? "one processor each" : "the same processor");
    for (const Contestant& one : contestants_) {
      text_ += fmt::format("| {} | {:.0f} | {:.0f} | {:.0f} | {:.1f} |\n", one.name,
                           median_of(one, [](const Turn& t) { return t.per_second; }),
                           median_of(one, [](const Turn& t) { return t.p50; }),
                           median_of(one, [](const Turn& t) { return t.p99; }),
                           median_of(one, [](const Turn& t) { return t.cpu; }));
    }
    text_ += fmt::format(
        "\nThe load average at the start was {:.1f}. If it is above 0.5, other programs used the "
        "processors too. In that case, compare the ratios of CPU time, and not those of throughput "
        "and p99.\n",
        load_before_);
    judge();
  }

  void judge() {
    const auto speed = [](const Turn& t) { return t.per_second; };
    const auto p99 = [](const Turn& t) { return t.p99; };
    const auto cpu = [](const Turn& t) { return t.cpu; };
    const Contestant* nginx = find("nginx");
    const Contestant* node = find("TypeScript");
    for (const char* era : {"session", "stateless"}) {
      const Contestant& ours = *find(fmt::format("Enfold, {}", era));
      if (nginx != nullptr) {
        // A stateless request carries what a session keeps, in its body and its headers.
        const double share = std::string_view(era) == "session" ? 0.75 : 0.70;
        verdicts_.at_least(fmt::format("CPU time of nginx ÷ Enfold, {}", era), share,
                           ratio(*nginx, ours, cpu));
        verdicts_.at_most(fmt::format("p99 ÷ nginx, {}", era), 1.5, ratio(ours, *nginx, p99));
        text_ += fmt::format("\nThroughput ÷ nginx, {}: {:.2f}\n", era, ratio(ours, *nginx, speed));
      }
      if (node != nullptr) {
        verdicts_.at_least(fmt::format("throughput ÷ Node, {}", era), 10,
                           ratio(ours, *node, speed));
      }
    }
    if (nginx == nullptr && only_.empty()) text_ += "\nnginx is not installed: tools/setup bench\n";
    if (node == nullptr && only_.empty()) text_ += "\nNode does not start: tools/setup peers\n";
  }

  // Each session on a connection of its own, as real clients have it.
  void measure_memory() {
    auto fresh = WebProcess::start({"/proc/self/exe", "--serve"});
    if (!fresh) return;
    const std::size_t alone = fresh->process().anonymous_memory();
    std::vector<Connection> idle;
    for (std::size_t i = 0; i < kSessions; ++i) {
      static_cast<void>(open_session(idle.emplace_back(fresh->port()), fresh->port()));
    }
    const std::size_t full = fresh->process().anonymous_memory();
    text_ += fmt::format(
        "\n### Memory\n\n| sessions, each with its connection | anonymous resident MB "
        "|\n|---:|---:|\n"
        "| 0 | {:.2f} |\n| {} | {:.2f} |\n\n{:.1f} KB for each session.\n",
        static_cast<double>(alone) / 1e6, kSessions, static_cast<double>(full) / 1e6,
        static_cast<double>(full - alone) / 1e3 / kSessions);
    verdicts_.at_most("anonymous memory at 1,000 idle sessions, MB", 25 + 12e3 * kSessions / 1e6,
                      static_cast<double>(full) / 1e6);
  }

  bool quick_;
  std::string only_;
  double load_before_ = 0;
  std::vector<Contestant> contestants_;
  std::string text_;
  Verdicts verdicts_;
};

int run(int argc, char** argv) {
  bool quick = false;
  std::string only;
  std::string folder;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--serve") {
      serve();
      return 0;
    }
    if (word == "--quick") quick = true;
    if (word == "--only" && i + 1 < argc) only = argv[++i];
    if (word == "--record" && i + 1 < argc) folder = argv[++i];
  }
  const std::string text = Bench(quick, only).run();
  fmt::print("{}", text);
  if (!folder.empty()) record(folder, "server", "Serving", text);
  return 0;
}

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) { return enfold::bench::run(argc, argv); }
