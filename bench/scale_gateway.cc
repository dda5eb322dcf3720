// SPDX-License-Identifier: Apache-2.0
#include "bench/folder.h"
#include "bench/mcp_requests.h"
#include "bench/scale.h"
#include "bench/web_process.h"
#include "enfold/base/hash.h"
#include "enfold/base/text.h"

#include <fstream>
#include <functional>

namespace enfold::bench {
namespace {

constexpr double kLimit = 1.2;
constexpr std::size_t kConnections = 8;
constexpr const char* kText = R"({"text":"What a tool says in a sentence or two."})";

std::string beside(const std::string& program) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(program).string();
}

WebProcess start(const std::vector<std::string>& command, std::uint16_t port) {
  auto started = WebProcess::start(command, port);
  if (!started) give_up(fmt::format("{} does not start", command.front()));
  return std::move(*started);
}

/// The server of bench/upstream.cc with so many further tools, over HTTP.
WebProcess start_upstream(int tools) {
  const std::uint16_t port = free_port();
  return start({"/usr/bin/env", fmt::format("ENFOLD_BENCH_TOOLS={}", tools),
                beside("bench_upstream"), "--http", std::to_string(port)},
               port);
}

std::string key_of(int principal) { return fmt::format("bench-key-{:08}", principal); }
std::string authorization(int principal) {
  return fmt::format("Authorization: Bearer {}\r\n", key_of(principal));
}

struct ServeConfig {
  std::uint16_t upstream_port = 0;
  int upstreams = 1;
  int principals = 0;
  int max_sessions = 10'000;
};

/// `enfold serve` with a configuration, and the way to ask what a request costs it.
class Serve {
 public:
  explicit Serve(const ServeConfig& config) : process_(start(config)) {}

  [[nodiscard]] std::uint16_t port() const { return process_.port(); }

  void prepare_calls(const std::string& tool, const std::string& fields = {}) {
    std::vector<std::string> requests;
    for (std::size_t i = 0; i < kConnections; ++i) {
      const std::string session = open_session(Connection(port()), port(), fields);
      requests.push_back(
          post(port(), session_fields(session) + fields, call_message(i, tool, kText)));
    }
    load_ = std::make_unique<Load>(port(), requests);
    const std::string body = load_->run(0.2).first_body;
    if (body.find("a sentence or two") == std::string::npos) give_up("expected an echo: " + body);
  }

  /// CPU time of one prepared call, in microseconds.
  double call_time(double seconds) {
    const double before = process_.process().cpu_time();
    const std::size_t answers = load_->run(seconds).answers;
    return (process_.process().cpu_time() - before) * 1e6 / static_cast<double>(answers);
  }

  /// CPU time of one new session, in microseconds.
  double session_time(int count) {
    const Connection connection(port());
    const double before = process_.process().cpu_time();
    for (int i = 0; i < count; ++i) (void)open_session(connection, port());
    return (process_.process().cpu_time() - before) * 1e6 / count;
  }

 private:
  WebProcess start(const ServeConfig& config) const {
    const std::uint16_t port = free_port();
    const std::string file = folder_.path() + "/enfold.toml";
    std::ofstream out(file);
    out << fmt::format("archive = \"memory\"\n[listen]\naddress = \"127.0.0.1:{}\"\n", port);
    out << fmt::format("max_sessions = {}\n", config.max_sessions);
    for (int i = 0; i < config.principals; ++i) {
      out << fmt::format("[principals.p{}]\nkey_sha256 = \"{}\"\n", i, to_hex(sha256(key_of(i))));
    }
    for (int i = 0; i < config.upstreams; ++i) {
      out << fmt::format("[upstreams.u{}]\nurl = \"http://127.0.0.1:{}/mcp\"\n", i,
                         config.upstream_port);
    }
    out.close();
    return bench::start({beside("enfold"), "serve", "--config", file}, port);
  }

  Folder folder_;
  WebProcess process_;
  std::unique_ptr<Load> load_;
};

/// The two take turns; the ratio is the median of the ratios of five rounds.
void compare(ScaleReport& report, const std::string& what, const std::function<double()>& little,
             const std::function<double()>& much) {
  std::vector<double> few, many, ratios;
  for (int round = 0; round < 5; ++round) {
    few.push_back(little());
    many.push_back(much());
    ratios.push_back(many.back() / few.back());
  }
  report.row(what, fmt::format("{:.1f}", median_of(few)), fmt::format("{:.1f}", median_of(many)),
             median_of(ratios), kLimit);
}

void compare_calls(ScaleReport& report, const std::string& what, Serve& little, Serve& much) {
  const double seconds = report.quick ? 0.3 : 1.5;
  compare(
      report, what, [&] { return little.call_time(seconds); },
      [&] { return much.call_time(seconds); });
}

void compare_principals(ScaleReport& report, std::uint16_t upstream) {
  constexpr int kMany = 8'000;
  Serve little({.upstream_port = upstream, .principals = 1});
  Serve much({.upstream_port = upstream, .principals = kMany});
  little.prepare_calls("echo", authorization(0));
  much.prepare_calls("echo", authorization(kMany - 1));
  compare_calls(report, "a call with 1 and with 8,000 principals, µs", little, much);
}

void compare_tools(ScaleReport& report, std::uint16_t upstream) {
  constexpr int kMany = 2'000;
  const WebProcess large = start_upstream(kMany);
  Serve little({.upstream_port = upstream});
  Serve first({.upstream_port = large.port()});
  Serve last({.upstream_port = large.port()});
  little.prepare_calls("echo");
  first.prepare_calls("echo_1");
  last.prepare_calls(fmt::format("echo_{}", kMany));
  compare_calls(report, "a call with 2 and with 2,000 tools, µs", little, last);
  compare_calls(report, "a call of the first and of the last of 2,000 tools, µs", first, last);
}

void compare_upstreams(ScaleReport& report, std::uint16_t upstream) {
  Serve little({.upstream_port = upstream, .upstreams = 2});
  Serve much({.upstream_port = upstream, .upstreams = 200});
  little.prepare_calls("u1__echo");
  much.prepare_calls("u199__echo");
  compare_calls(report, "a call with 2 and with 200 upstreams, µs", little, much);
}

void compare_sessions(ScaleReport& report, std::uint16_t upstream) {
  constexpr int kMost = 10'000;
  Serve little({.upstream_port = upstream, .max_sessions = kMost});
  Serve much({.upstream_port = upstream, .max_sessions = kMost});
  (void)much.session_time(kMost);
  little.prepare_calls("echo");
  much.prepare_calls("echo");
  compare_calls(report, "a call with 8 and with 10,000 sessions (max_sessions), µs", little, much);
  constexpr int kNew = 200;
  compare(
      report, "a new session below and at max_sessions, µs",
      [&] { return little.session_time(kNew); }, [&] { return much.session_time(kNew); });
}

}  // namespace

void measure_gateway(ScaleReport& report) {
  report.heading(
      "Gateway",
      "CPU time of `enfold serve` for one call of `echo`, with eight open calls and one HTTP "
      "server behind it. Of many principals, tools or upstreams, the last one is used. Few and "
      "many take turns; figures are medians of five rounds.");
  (void)stay_on_load_processor();
  const WebProcess upstream = start_upstream(0);
  compare_principals(report, upstream.port());
  compare_tools(report, upstream.port());
  compare_upstreams(report, upstream.port());
  compare_sessions(report, upstream.port());
}

}  // namespace enfold::bench
