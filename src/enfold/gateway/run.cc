// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/run.h"

#include "enfold/gateway/gateway.h"
#include "enfold/gateway/observe/metrics_endpoint.h"
#include "enfold/net/loop.h"
#include "enfold/serve/stdio.h"

#include <fmt/format.h>
#include <malloc.h>

namespace enfold::gateway {
namespace {

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
  /// Waits for the workers, which use the gateway; a store that hangs has its own timeout.
  ~Serving() {
    if (host) static_cast<void>(host->workers().is_idle_within(std::chrono::seconds(10)));
  }
};

// glibc keeps freed blocks of sizes that were in use before, and small blocks settle between them:
// after a burst of large answers the process would stay several times as large.
void limit_kept_memory() {
#ifdef __GLIBC__
  constexpr int kLarge = 4 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLarge);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kLarge);
#endif
}

// Returns freed memory to the system from time to time.
class MemoryTrimmer {
 public:
  explicit MemoryTrimmer(net::Loop& loop) : timer_(loop, [this] { trim(); }) {
    timer_.set_after(kEvery);
  }

 private:
  static constexpr std::chrono::minutes kEvery{1};

  void trim() {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
    timer_.set_after(kEvery);
  }

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
void end(Serving& serving) {
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
      if (Status there = client::check_program(one->settings.target); !there) return there;
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

// `Signals` restores these when the loop has ended: a second signal must not kill a process that is
// exiting anyway. Call right before `catch_all`, so that no child inherits them.
void ignore_signals_at_exit() {
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
}

// Signals of a gateway over stdio. The first one lets it answer open calls. A client that has
// closed its end, or that never sent a message, will soon kill the gateway, so the upstreams are
// asked to end at once: otherwise they would be left running. The second signal stops the loop.
class Stopping {
 public:
  Stopping(Serving& serving, serve::StdioServer& stdio)
      : serving_(serving),
        stdio_(stdio),
        limit_(*serving.loop, [&serving] { serving.loop->stop(); }) {}

  void on_signal() {
    const bool is_last = std::exchange(was_told_, true);
    const bool was_serving = stdio_.is_serving();
    stdio_.drain();
    if (was_serving) return;
    serving_.gateway->close([] {});
    is_last ? serving_.loop->stop() : limit_.set_after(kStopTimeout);
  }

 private:
  static constexpr std::chrono::seconds kStopTimeout{1};

  Serving& serving_;
  serve::StdioServer& stdio_;
  net::Timer limit_;
  bool was_told_ = false;
};

// One reload at a time; a request that comes meanwhile starts another one after it.
class Reloader {
 public:
  Reloader(Gateway& gateway, const LoadSettings& load,
           const std::unique_ptr<serve::HttpFront>& front, serve::HttpOptions& options)
      : gateway_(gateway), load_(load), front_(front), options_(options) {}

  void start() {
    again_ = is_running_;
    if (!std::exchange(is_running_, true)) begin();
  }

 private:
  void begin() {
    tools::ConfigResult<ReloadedSettings> renewal = load_();
    if (!renewal) {
      for (const Error& error : renewal.error()) tell(error);
      end();
      return;
    }
    const auto done = [this, tls = renewal->tls](const Result<ReloadResult>& reloaded) {
      reloaded ? finish(*reloaded, tls) : tell(reloaded.error());
      end();
    };
    gateway_.reload(std::move(renewal->settings), done);
  }
  void finish(const ReloadResult& reloaded, const std::shared_ptr<net::TlsContext>& tls) {
    if (!front_)
      options_.tls = tls;  // the server starts to listen when the first upstream has answered
    if (front_ && tls) front_->renew(tls);
    if (front_) front_->dismiss(reloaded.dismissed);
    log(serve::LogLine::Level::info, "reloaded", reloaded.summary);
  }
  void end() {
    is_running_ = false;
    if (std::exchange(again_, false)) start();
  }
  void tell(const Error& error) {
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
  bool again_ = false;
};

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

Status run_stdio(Settings settings) {
  settings.one_client = true;
  Result<Serving> serving = prepare(std::move(settings));
  if (!serving) return tl::unexpected(serving.error());
  auto stdio = serve::StdioServer::open(*serving->gateway, *serving->loop,
                                        [&serving = *serving] { end(serving); });
  if (!stdio) return tl::unexpected(stdio.error());
  Stopping stopping(*serving, **stdio);
  ignore_signals_at_exit();
  auto signals = net::Signals::catch_all(*serving->loop, {SIGTERM, SIGINT},
                                         [&](int) { stopping.on_signal(); });
  if (!signals) return tl::unexpected(signals.error());
  serving->loop->run();
  Status status = reached_any(*serving->gateway) ? Status() : never_reached(*serving->gateway);
  stdio->reset();
  return status;
}

Status run_http(Settings settings, serve::HttpOptions options,
                const std::function<void(const std::string& url)>& on_listening,
                const LoadSettings& load) {
  net::raise_descriptor_limit();
  const ObserveSettings observe = settings.observe;
  Result<Serving> serving = prepare(std::move(settings));
  if (!serving) return tl::unexpected(serving.error());
  net::Loop& loop = *serving->loop;
  Status status;
  std::unique_ptr<serve::HttpFront> front;
  serving->gateway->connect([&](Status connected) {
    status = std::move(connected);
    if (!status) {
      loop.stop();
      return;
    }
    options.pages = metrics_pages(metrics_of(*serving->gateway, front), observe);
    auto listening = serve::HttpFront::listen(*serving->gateway, loop, std::move(options));
    if (!listening) {
      status = tl::unexpected(listening.error());
      end(*serving);
      return;
    }
    front = std::move(*listening);
    on_listening(front->url());
  });
  Reloader reloader(*serving->gateway, load, front, options);
  ignore_signals_at_exit();
  auto signals = net::Signals::catch_all(loop, {SIGTERM, SIGINT, SIGHUP}, [&](int signal) {
    if (signal == SIGHUP && load) {
      reloader.start();
    } else {
      front ? front->drain([&] { end(*serving); }) : end(*serving);
    }
  });
  if (!signals) return tl::unexpected(signals.error());
  const MemoryTrimmer trimmer(loop);
  loop.run();
  front.reset();
  return status;
}

}  // namespace enfold::gateway
