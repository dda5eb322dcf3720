// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/run.h"

#include "enfold/net/signals.h"
#include "enfold/server/stdio.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace enfold::server {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 5;

int report(const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.message.c_str());
  if (!error.where.empty()) std::fprintf(stderr, "  at %s\n", error.where.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "hint: %s\n", error.hint.c_str());
  return kFailed;
}

// Everything that a serving process has, in the order in which it must go.
struct Serving {
  std::unique_ptr<net::Loop> loop;
  std::unique_ptr<LoopHost> host;
  std::unique_ptr<Dispatcher> dispatcher;
};

Result<Serving> prepare(const Server& server) {
  Serving serving;
  auto loop = net::Loop::create();
  if (!loop) return tl::unexpected(loop.error());
  serving.loop = std::move(*loop);
  const Settings& settings = server.settings();
  serving.host = std::make_unique<LoopHost>(*serving.loop, settings.workers, settings.max_waiting);
  auto dispatcher = Dispatcher::create(server, *serving.host);
  if (!dispatcher) return tl::unexpected(dispatcher.error());
  serving.dispatcher = std::move(*dispatcher);
  return serving;
}

// A handler that ignores its cancellation keeps its thread. It cannot be stopped, only left.
int leave(Serving& serving) {
  if (serving.host->workers().is_idle_within(std::chrono::seconds(1))) return 0;
  std::fflush(nullptr);
  std::_Exit(0);
}

Result<std::unique_ptr<net::Signals>> on_termination(net::Loop& loop, net::Task task) {
  std::signal(SIGPIPE, SIG_IGN);
  return net::Signals::catch_all(loop, {SIGTERM, SIGINT},
                                 [task = std::move(task)](int) mutable { task(); });
}

}  // namespace

int serve_stdio(const Server& server) {
  Result<Serving> serving = prepare(server);
  if (!serving) return report(serving.error());
  net::Loop& loop = *serving->loop;
  auto stdio = StdioServer::open(*serving->dispatcher, loop, [&loop] { loop.stop(); });
  if (!stdio) return report(stdio.error());
  auto signals = on_termination(loop, [&] { (*stdio)->drain(); });
  if (!signals) return report(signals.error());
  loop.run();
  stdio->reset();
  return leave(*serving);
}

int serve_http(const Server& server, HttpOptions options) {
  net::raise_descriptor_limit();
  Result<Serving> serving = prepare(server);
  if (!serving) return report(serving.error());
  net::Loop& loop = *serving->loop;
  auto front = HttpFront::listen(*serving->dispatcher, loop, std::move(options));
  if (!front) return report(front.error());
  auto signals = on_termination(loop, [&] { (*front)->drain([&loop] { loop.stop(); }); });
  if (!signals) return report(signals.error());
  std::fprintf(stderr, "listening on %s\n", (*front)->url().c_str());
  loop.run();
  front->reset();
  return leave(*serving);
}

int run(const Server& server, int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::optional<HttpOptions> http;
  std::string host;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    if (words[i] == "--http" && has_value) {
      const std::string& port = words[++i];
      http.emplace();
      const auto read = std::from_chars(port.data(), port.data() + port.size(), http->port);
      if (read.ec == std::errc() && read.ptr == port.data() + port.size()) continue;
    } else if (words[i] == "--host" && has_value) {
      host = words[++i];
      continue;
    }
    std::fprintf(stderr, "usage: %s [--http PORT [--host ADDRESS]]\n", argv[0]);
    return kBadUsage;
  }
  if (!http) return serve_stdio(server);
  if (!host.empty()) http->host = host;
  return serve_http(server, std::move(*http));
}

}  // namespace enfold::server
