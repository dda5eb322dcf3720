// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/run.h"

#include "enfold/gateway/admin/dashboard.h"
#include "enfold/gateway/admin/dashboard_server.h"
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/observe/metrics_endpoint.h"
#include "enfold/net/endpoint.h"
#include "enfold/net/loop.h"
#include "enfold/serve/stdio.h"

#include <algorithm>
#include <fmt/format.h>
#include <malloc.h>

namespace enfold::gateway {
namespace {

// Limit for the body of a request. It is parsed on the loop, while all other clients wait: 4 MiB
// take 50 ms at the most.
constexpr std::size_t kMaxBodyBytes = std::size_t{4} << 20;

// The objects of a serving process; destroyed in reverse order.
struct Serving {
  std::unique_ptr<net::Loop> loop;
  std::unique_ptr<serve::LoopHost> host;
  std::unique_ptr<Gateway> gateway;

  Serving() = default;
  Serving(Serving&&) = default;
  Serving& operator=(Serving&&) = delete;
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  /// Waits for the workers, which use the gateway; at most ten seconds, in case a store hangs.
  ~Serving() {
    if (host) static_cast<void>(host->workers().is_idle_within(std::chrono::seconds(10)));
  }
};

// By default glibc raises these thresholds when a large block is freed. After that, large blocks
// come from the heap, and small blocks between them keep the heap from shrinking after a burst of
// large answers. Setting the thresholds keeps them fixed.
void limit_kept_memory() {
#ifdef __GLIBC__
  constexpr int kLargeBlockBytes = 4 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargeBlockBytes);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kLargeBlockBytes);
#endif
}

// Every minute drops what the gateway keeps without need, and returns freed memory to the system.
class MemoryTrimmer {
 public:
  MemoryTrimmer(net::Loop& loop, Gateway& gateway)
      : gateway_(gateway), timer_(loop, [this] { trim(); }) {
    timer_.set_after(kEvery);
  }

 private:
  static constexpr std::chrono::minutes kEvery{1};

  void trim() {
    gateway_.drop_unused();
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
    timer_.set_after(kEvery);
  }

  Gateway& gateway_;
  net::Timer timer_;
};

Result<Serving> prepare(Settings settings) {
  std::signal(SIGPIPE, SIG_IGN);
  limit_kept_memory();
  Serving serving;
  auto loop = net::Loop::create();
  if (!loop) return tl::unexpected(loop.error());
  serving.loop = std::move(*loop);
  serving.host = std::make_unique<serve::LoopHost>(*serving.loop, settings.answers.workers,
                                                   settings.answers.max_waiting);
  auto gateway = Gateway::create(std::move(settings), *serving.loop, *serving.host);
  if (!gateway) return tl::unexpected(gateway.error());
  serving.gateway = std::move(*gateway);
  return serving;
}

// Closes the upstreams, then stops the loop.
void end_serving(Serving& serving) {
  serving.gateway->close([&loop = *serving.loop] { loop.stop(); });
}

bool reached_any(const Gateway& gateway) {
  return std::ranges::any_of(gateway.upstreams(),
                             [](const auto& one) { return one->identity.has_value(); });
}

// Why no upstream was ever reached, for the operator.
Status never_reached(const Gateway& gateway) {
  for (const auto& one : gateway.upstreams()) {
    if (!gateway.has_client()) {
      if (Status found = client::check_program(one->settings.target); !found) return found;
    } else if (one->last_failure) {
      Error error = *one->last_failure;
      error.message = fmt::format("the server was never reached: {}", error.message);
      return tl::unexpected(std::move(error));
    }
  }
  if (!gateway.has_client()) return {};
  return fail(ErrorCode::unavailable, "the server was never reached", {},
              "run it by hand to see what it says");
}

// net::Signals restores the dispositions set here when it is destroyed, after the loop has ended: a
// second signal must not kill a process that is exiting anyway. Called right before `catch_all`,
// which catches the signals again, so that no child process inherits the dispositions.
void ignore_signals_at_exit() {
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
}

// Handles SIGTERM and SIGINT of a gateway over stdio. After the first signal open calls are still
// answered. But a client that has closed its end, or whose first message still waits for the
// upstreams, will soon kill the gateway; then the upstreams are told to end at once, because
// otherwise they would be left running. The second signal stops the loop.
class StopHandler {
 public:
  StopHandler(Serving& serving, serve::StdioServer& stdio)
      : serving_(serving),
        stdio_(stdio),
        stop_timeout_(*serving.loop, [&serving] { serving.loop->stop(); }) {}

  void on_signal() {
    const bool is_second = std::exchange(was_signalled_, true);
    const bool was_serving = stdio_.is_serving();
    stdio_.drain();
    if (was_serving) return;
    serving_.gateway->close([] {});
    is_second ? serving_.loop->stop() : stop_timeout_.set_after(kStopTimeout);
  }

 private:
  static constexpr std::chrono::seconds kStopTimeout{1};  // how long upstreams may take to end

  Serving& serving_;
  serve::StdioServer& stdio_;
  net::Timer stop_timeout_;
  bool was_signalled_ = false;
};

// Runs one reload at a time. All requests that come while it runs together start one more after it.
class Reloader {
 public:
  Reloader(Gateway& gateway, const LoadSettings& load,
           const std::unique_ptr<serve::HttpFront>& front, serve::HttpOptions& options)
      : gateway_(gateway), load_(load), front_(front), options_(options) {}

  void start() {
    is_requested_ = is_running_;
    if (!std::exchange(is_running_, true)) begin();
  }
  /// `done` gets the errors of the next reload that ends; none: it succeeded.
  void start(std::function<void(std::vector<Error>)> done) {
    waiting_.push_back(std::move(done));
    start();
  }

 private:
  void begin() {
    tools::ConfigResult<ReloadedSettings> loaded = load_();
    if (!loaded) {
      for (const Error& error : loaded.error()) log_failure(error);
      end(loaded.error());
      return;
    }
    const auto done = [this, tls = loaded->tls](const Result<ReloadResult>& reloaded) {
      reloaded ? finish(*reloaded, tls) : log_failure(reloaded.error());
      end(reloaded ? std::vector<Error>() : std::vector{reloaded.error()});
    };
    gateway_.reload(std::move(loaded->settings), done);
  }
  void finish(const ReloadResult& reloaded, const std::shared_ptr<net::TlsContext>& tls) {
    // Without `front_` the server does not listen yet, because no upstream has answered; it will
    // use `options_`.
    if (tls && !front_) options_.tls = tls;
    if (tls && front_) front_->renew(tls);
    if (front_) front_->dismiss(reloaded.dismissed);
    log(serve::LogLine::Level::info, "reloaded", reloaded.summary);
  }
  void end(const std::vector<Error>& errors) {
    is_running_ = false;
    for (const auto& done : std::exchange(waiting_, {})) done(errors);
    if (std::exchange(is_requested_, false)) start();
  }
  void log_failure(const Error& error) {
    std::string note = error.message;
    if (!error.where.empty()) note += fmt::format(" at {}", error.where);
    if (!error.hint.empty()) note += fmt::format("; {}", error.hint);
    log(serve::LogLine::Level::error, "reload_failed", std::move(note));
  }
  void log(serve::LogLine::Level level, std::string_view event, std::string note) {
    gateway_.settings().log({.level = level, .event = std::string(event), .note = std::move(note)});
  }

  Gateway& gateway_;
  const LoadSettings& load_;
  const std::unique_ptr<serve::HttpFront>& front_;
  serve::HttpOptions& options_;
  bool is_running_ = false;
  bool is_requested_ = false;  ///< another reload must follow the one that runs
  std::vector<std::function<void(std::vector<Error>)>> waiting_;
};

// The configuration file, for the dashboard.
ConfigSource config_source(const HttpEvents& events, Reloader& reloader) {
  ConfigSource source{.path = events.config_file};
  if (!events.load) return source;
  source.check = events.check_config;
  source.reload = [&reloader](std::function<void(std::vector<Error>)> done) {
    reloader.start(std::move(done));
  };
  return source;
}

// `front`: null until the server listens.
MetricsSource metrics_of(const Gateway& gateway, const std::unique_ptr<serve::HttpFront>& front) {
  const auto report = [&gateway, &front] {
    Report now = gateway.report();
    if (front) now.sessions = front->sessions();
    now.draining = front && front->is_draining();
    return now;
  };
  return {gateway.host(), gateway.metrics(), report, [&gateway] { return gateway.archive(); }};
}

}  // namespace

Status run_stdio(Settings settings, const StdioDashboard& dashboard) {
  settings.one_client = true;
  const DashboardSettings dashboard_settings = settings.dashboard;
  Result<Serving> serving = prepare(std::move(settings));
  if (!serving) return tl::unexpected(serving.error());
  std::unique_ptr<DashboardServer> ui;
  if (dashboard_settings.enabled) {
    const Gateway& gateway = *serving->gateway;
    auto listening = DashboardServer::listen(
        serving->gateway->admin_source([&gateway] { return gateway.report(); }),
        {.recording_bytes = dashboard_settings.recording_bytes, .on_link = dashboard.on_link},
        dashboard.port);
    if (!listening) return tl::unexpected(listening.error());
    ui = std::move(*listening);
  }
  auto stdio = serve::StdioServer::open(*serving->gateway, *serving->loop,
                                        [&serving = *serving] { end_serving(serving); });
  if (!stdio) return tl::unexpected(stdio.error());
  StopHandler stop_handler(*serving, **stdio);
  ignore_signals_at_exit();
  auto signals = net::Signals::catch_all(*serving->loop, {SIGTERM, SIGINT},
                                         [&](int) { stop_handler.on_signal(); });
  if (!signals) return tl::unexpected(signals.error());
  const MemoryTrimmer trimmer(*serving->loop, *serving->gateway);
  serving->loop->run();
  Status status = reached_any(*serving->gateway) ? Status() : never_reached(*serving->gateway);
  stdio->reset();
  return status;
}

Status run_http(Settings settings, serve::HttpOptions options, const HttpEvents& events) {
  net::raise_descriptor_limit();
  const ObserveSettings observe = settings.observe;
  const DashboardSettings dashboard_settings = settings.dashboard;
  Result<Serving> serving = prepare(std::move(settings));
  if (!serving) return tl::unexpected(serving.error());
  net::Loop& loop = *serving->loop;
  Status status;
  // Opened first, so that an address in use is reported before any upstream starts. Clients that
  // connect before HttpFront listens wait.
  ENFOLD_TRY(options.listener,
             net::Listener::open(options.host, options.port, options.socket_mode));
  std::unique_ptr<serve::HttpFront> front;
  Reloader reloader(*serving->gateway, events.load, front, options);
  std::unique_ptr<Dashboard> dashboard;
  if (dashboard_settings.enabled) {
    AdminSource source =
        serving->gateway->admin_source(metrics_of(*serving->gateway, front).report);
    source.config = config_source(events, reloader);
    dashboard = std::make_unique<Dashboard>(
        std::move(source), DashboardOptions{.recording_bytes = dashboard_settings.recording_bytes,
                                            .is_secure = options.tls != nullptr,
                                            .on_link = events.on_dashboard_link});
  }
  serving->gateway->connect([&](Status connected) {
    status = std::move(connected);
    if (!status) {
      loop.stop();
      return;
    }
    options.pages = metrics_pages(metrics_of(*serving->gateway, front), observe);
    if (dashboard) {
      std::ranges::move(dashboard->pages(), std::back_inserter(options.pages));
      options.wait_of_key = dashboard->wait_of_key();
    }
    options.limits.message.max_body_bytes = kMaxBodyBytes;
    auto listening = serve::HttpFront::listen(*serving->gateway, loop, std::move(options));
    if (!listening) {
      status = tl::unexpected(listening.error());
      end_serving(*serving);
      return;
    }
    front = std::move(*listening);
    events.on_listening(front->url());
    if (dashboard) dashboard->start(front->origin());
  });
  ignore_signals_at_exit();
  auto signals = net::Signals::catch_all(loop, {SIGTERM, SIGINT, SIGHUP}, [&](int signal) {
    if (signal == SIGHUP && events.load) {
      reloader.start();
    } else {
      if (dashboard) dashboard->stop();
      front ? front->drain([&] { end_serving(*serving); }) : end_serving(*serving);
    }
  });
  if (!signals) return tl::unexpected(signals.error());
  const MemoryTrimmer trimmer(loop, *serving->gateway);
  loop.run();
  front.reset();
  return status;
}

}  // namespace enfold::gateway
