// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/run.h"

#include "enfold/net/loop.h"
#include "enfold/serve/http/http.h"
#include "enfold/serve/stdio.h"
#include "enfold/server/detail/command_line.h"
#include "enfold/server/detail/dispatch.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace enfold::server {
namespace {

constexpr int kFailed = 1;    // exit code: the server could not serve
constexpr int kBadUsage = 5;  // exit code: the command line is wrong

// Prints the error and returns kFailed.
int report(const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.message.c_str());
  if (!error.where.empty()) std::fprintf(stderr, "  at %s\n", error.where.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "hint: %s\n", error.hint.c_str());
  return kFailed;
}

// What a serving process owns. Each member uses those before it, so they are destroyed in reverse.
struct Serving {
  std::unique_ptr<net::Loop> loop;
  std::unique_ptr<serve::LoopHost> host;
  std::unique_ptr<Dispatcher> dispatcher;
};

Result<Serving> prepare(const Server& server) {
  Serving serving;
  ENFOLD_TRY(auto loop, net::Loop::create());
  serving.loop = std::move(loop);
  const Settings& settings = server.settings();
  serving.host =
      std::make_unique<serve::LoopHost>(*serving.loop, settings.workers, settings.max_waiting);
  serve::Workers& workers = serving.host->workers();
  ENFOLD_TRY(auto dispatcher,
             Dispatcher::create(server, *serving.host,
                                [&workers](std::size_t count) { workers.allow(count); }));
  serving.dispatcher = std::move(dispatcher);
  return serving;
}

// Cancels all tasks and returns the exit code. A handler that ignores its cancellation keeps its
// thread, which cannot be stopped: after a second the process ends without waiting for it.
int leave(Serving& serving) {
  serving.dispatcher->tasks().cancel_all();
  if (serving.host->workers().is_idle_within(std::chrono::seconds(1))) return 0;
  std::fflush(nullptr);
  std::_Exit(0);
}

// Calls `task` on SIGTERM and SIGINT, as long as the result lives. Ignores SIGPIPE, so that writing
// to a closed pipe is an error and does not end the process.
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
  auto stdio = serve::StdioServer::open(*serving->dispatcher, loop, [&loop] { loop.stop(); });
  if (!stdio) return report(stdio.error());
  auto signals = on_termination(loop, [&] { (*stdio)->drain(); });
  if (!signals) return report(signals.error());
  loop.run();
  stdio->reset();
  return leave(*serving);
}

int serve_http(const Server& server, serve::HttpOptions options) {
  net::raise_descriptor_limit();
  Result<Serving> serving = prepare(server);
  if (!serving) return report(serving.error());
  net::Loop& loop = *serving->loop;
  auto front = serve::HttpFront::listen(*serving->dispatcher, loop, std::move(options));
  if (!front) return report(front.error());
  auto signals = on_termination(loop, [&] { (*front)->drain([&loop] { loop.stop(); }); });
  if (!signals) return report(signals.error());
  std::fprintf(stderr, "listening on %s\n", (*front)->url().c_str());
  loop.run();
  front->reset();
  return leave(*serving);
}

namespace {

int serve(const Server& server, const CommandLine& line) {
  if (!line.http_port) return serve_stdio(server);
  serve::HttpOptions options;
  options.port = *line.http_port;
  if (line.host) options.host = *line.host;
  return serve_http(server, std::move(options));
}

// Reports a wrong command line, or prints the help, and returns the exit code; nullopt: serve.
// `schema`: of the configuration; null: the program takes none.
std::optional<int> ended_early(const Result<CommandLine>& line, const char* program,
                               const json::Value& schema) {
  if (!line) {
    report(line.error());
    std::fprintf(stderr, "%s\n", usage_line(program, !schema->is_null()).c_str());
    return kBadUsage;
  }
  if (!line->help) return std::nullopt;
  std::fputs(help_page(program, schema).c_str(), stdout);
  return 0;
}

}  // namespace

int run(const Server& server, int argc, char** argv) {
  constexpr bool takes_config = false;
  const std::vector<std::string> words(argv + 1, argv + argc);
  const Result<CommandLine> line = read_command_line(words, takes_config);
  if (const auto ended = ended_early(line, argv[0], /*schema=*/{})) return *ended;
  return serve(server, *line);
}

detail::Folder detail::folder_of(const std::string& file) {
  return {std::filesystem::path(file).parent_path().string()};
}

int detail::run_configured(int argc, char** argv, const json::Value& schema, ServerMaker& maker) {
  constexpr bool takes_config = true;
  const std::vector<std::string> words(argv + 1, argv + argc);
  const Result<CommandLine> line = read_command_line(words, takes_config);
  if (const auto ended = ended_early(line, argv[0], schema)) return *ended;
  const Result<std::string> text =
      line->config ? tools::detail::read_config_file(*line->config) : Result<std::string>("{}");
  if (!text) {
    report(text.error());
    return mapping(text.error().code).exit_code;
  }
  std::unique_ptr<Server> server;
  const std::vector<Error> errors = maker.make(*text, line->config.value_or(""), server);
  if (server) return serve(*server, *line);
  for (const Error& error : errors) report(error);
  return mapping(errors.front().code).exit_code;
}

}  // namespace enfold::server
