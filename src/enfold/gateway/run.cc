// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/run.h"

#include "enfold/gateway/gateway.h"
#include "enfold/gateway/observe/metrics_endpoint.h"
#include "enfold/net/signals.h"
#include "enfold/serve/stdio.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <malloc.h>

namespace enfold::gateway {
namespace {

// Everything that a serving process has, in the order in which it must go.
struct Serving {
  std::unique_ptr<net::Loop> loop;
  std::unique_ptr<serve::LoopHost> host;
  std::unique_ptr<Gateway> gateway;

  Serving() = default;
  Serving(Serving&&) = default;
  Serving& operator=(Serving&&) = delete;
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  /// What a worker still does is done with the gateway; a store that hangs has its own patience.
  ~Serving() {
    if (host) static_cast<void>(host->workers().is_idle_within(std::chrono::seconds(10)));
  }
};

// The system's allocator learns from large blocks that were freed to keep such blocks, between
// which small ones then settle: after some floods of an upstream the process stays several times as
// large.
void give_back_large_blocks() {
#ifdef __GLIBC__
  constexpr int kLarge = 4 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLarge);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kLarge);
#endif
}

// And it keeps what many answers at once have needed, long after the last of them.
class GivingBack {
 public:
  explicit GivingBack(net::Loop& loop) : timer_(loop, [this] { give_back(); }) {
    timer_.set_after(kEvery);
  }

 private:
  static constexpr std::chrono::minutes kEvery{1};

  void give_back() {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
    timer_.set_after(kEvery);
  }

  net::Timer timer_;
};

Result<Serving> prepare(Settings settings) {
  std::signal(SIGPIPE, SIG_IGN);
  give_back_large_blocks();
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

// The upstreams, then the loop.
void end(Serving& serving) {
  serving.gateway->close([&loop = *serving.loop] { loop.stop(); });
}

bool reached_any(const Gateway& gateway) {
  return std::ranges::any_of(gateway.upstreams(),
                             [](const auto& one) { return one->identity.has_value(); });
}

// Nobody was served: whoever started this wants to know why.
Status never_reached(const Gateway& gateway) {
  for (const auto& one : gateway.upstreams()) {
    if (!gateway.was_greeted()) {
      if (Status there = client::check_program(one->settings.target); !there) return there;
    } else if (one->last_failure) {
      Error error = *one->last_failure;
      error.message = fmt::format("the server was never reached: {}", error.message);
      return tl::unexpected(std::move(error));
    }
  }
  if (!gateway.was_greeted()) return {};
  return fail(ErrorCode::unavailable, "the server was never reached", {},
              "run it by hand to see what it says");
}

// What a signal means to a gateway over stdio: the first lets it answer what is open. Who has
// closed its end, or was not greeted yet, waits for nothing, and kills us if we do; then nobody
// would end the upstreams, which are asked to end at once. The second signal is the last.
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
    is_last ? serving_.loop->stop() : limit_.set_after(kLastGrace);
  }

 private:
  static constexpr std::chrono::seconds kLastGrace{1};

  Serving& serving_;
  serve::StdioServer& stdio_;
  net::Timer limit_;
  bool was_told_ = false;
};

// One at a time; who asks meanwhile gets another one behind it.
class Reloader {
 public:
  Reloader(Gateway& gateway, const Reload& load, const std::unique_ptr<serve::HttpFront>& front,
           serve::HttpOptions& options)
      : gateway_(gateway), load_(load), front_(front), options_(options) {}

  void start() {
    again_ = is_running_;
    if (!std::exchange(is_running_, true)) begin();
  }

 private:
  void begin() {
    server::ConfigResult<Renewal> renewal = load_();
    if (!renewal) {
      for (const Error& error : renewal.error()) tell(error);
      end();
      return;
    }
    const auto done = [this, tls = renewal->tls](const Result<Reloaded>& reloaded) {
      reloaded ? finish(*reloaded, tls) : tell(reloaded.error());
      end();
    };
    gateway_.reload(std::move(renewal->settings), done);
  }
  void finish(const Reloaded& reloaded, const std::shared_ptr<net::TlsContext>& tls) {
    if (!front_) options_.tls = tls;  // it listens when the first upstream has answered
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
  const Reload& load_;
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
                const Reload& reload) {
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
  Reloader reloader(*serving->gateway, reload, front, options);
  auto signals = net::Signals::catch_all(loop, {SIGTERM, SIGINT, SIGHUP}, [&](int signal) {
    if (signal == SIGHUP && reload) {
      reloader.start();
    } else {
      front ? front->drain([&] { end(*serving); }) : end(*serving);
    }
  });
  if (!signals) return tl::unexpected(signals.error());
  const GivingBack giving_back(loop);
  loop.run();
  front.reset();
  return status;
}

}  // namespace enfold::gateway
