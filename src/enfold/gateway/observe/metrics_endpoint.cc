// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/metrics_endpoint.h"

#include "enfold/base/period_limit.h"
#include "enfold/net/endpoint.h"
#include "enfold/serve/service.h"

namespace enfold::gateway {
namespace {

using std::chrono::microseconds;

net::HttpResponse page(int status, std::string body, std::string_view type) {
  net::HttpResponse response{.status = status, .body = std::move(body)};
  response.headers.add("Content-Type", type).add("Cache-Control", "no-store");
  return response;
}

ArchiveReport read_archive(store::Archive& archive) {
  const Result<store::Statistics> statistics = archive.statistics();
  if (!statistics) return {};
  return {true, statistics->entries, statistics->bytes, statistics->stored_bytes};
}

// Reads the statistics of the archive, which for a large one takes long and blocks writers. So a
// worker reads them once for all waiting scrapes, and the result is cached 50 times as long as
// reading took.
class ArchiveStatistics : public std::enable_shared_from_this<ArchiveStatistics> {
 public:
  using Done = std::function<void(const ArchiveReport& report)>;
  explicit ArchiveStatistics(MetricsSource source) : source_(std::move(source)) {}

  /// Calls `done` on the loop's thread, now or later, with the statistics; `is_known` is false
  /// if there is no archive, it cannot be read, or no worker is free.
  void read(Done done) {
    const std::shared_ptr<store::Archive> archive = source_.archive();
    if (!archive) {
      done({});
      return;
    }
    if (archive_.lock() == archive && source_.host.clock() < cached_until_) {
      done(cached_);
      return;
    }
    waiting_.push_back(std::move(done));
    if (waiting_.size() > 1) return;  // a worker is reading already
    archive_ = archive;
    const bool is_queued = serve::on_worker(
        source_.host,
        [archive, &host = source_.host] {
          const microseconds began = host.clock();
          ArchiveReport report = read_archive(*archive);
          return std::pair(report, host.clock() - began);
        },
        [self = shared_from_this()](const std::pair<ArchiveReport, microseconds>& read) {
          self->cached_ = read.first;
          self->cached_until_ = self->source_.host.clock() + kCacheFactor * read.second;
          self->finish(read.first);
        });
    if (!is_queued) finish({});  // the page then has no archive statistics
  }

 private:
  static constexpr int kCacheFactor = 50;

  void finish(const ArchiveReport& report) {
    for (const Done& done : std::exchange(waiting_, {})) done(report);
  }

  MetricsSource source_;
  std::weak_ptr<store::Archive> archive_;  ///< that `cached_` is about
  ArchiveReport cached_;
  microseconds cached_until_{0};  ///< on the host's clock
  std::vector<Done> waiting_;
};

// The text of /metrics. Writing it takes longer than most calls, so it is written at most ten times
// in 100 ms; further scrapes get the last text.
class MetricsPage {
 public:
  [[nodiscard]] const std::string& text(const MetricsSource& source,
                                        const ArchiveReport& statistics) {
    if (limit_.take(source.host.clock())) {
      Report report = source.report();
      report.archive = statistics;
      text_ = write_metrics(source.metrics, report);
    }
    return text_;
  }

 private:
  PeriodLimit<microseconds> limit_{10, std::chrono::milliseconds(100)};  ///< of writing
  std::string text_;
};

}  // namespace

std::vector<serve::Page> metrics_pages(const MetricsSource& source, ObserveSettings which) {
  std::vector<serve::Page> pages;
  if (which.metrics) {
    const auto archive = std::make_shared<ArchiveStatistics>(source);
    const auto metrics = std::make_shared<MetricsPage>();
    pages.push_back(
        {"/metrics", [source, archive, metrics](net::HttpRequest&, net::Responder responder) {
           // std::function needs copyable captures, and a Responder is not copyable.
           auto shared = std::make_shared<net::Responder>(std::move(responder));
           archive->read([source, metrics, shared](const ArchiveReport& statistics) {
             shared->respond(page(200, metrics->text(source, statistics), kMetricsType));
           });
         }});
  }
  if (which.health) {
    pages.push_back({"/healthz", [source](net::HttpRequest&, net::Responder responder) {
                       const Report report = source.report();
                       responder.respond(page(report.is_usable() ? 200 : 503,
                                              write_health(report) + "\n", "application/json"));
                     }});
  }
  return pages;
}

}  // namespace enfold::gateway
