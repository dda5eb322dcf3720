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

// Reading the statistics of a large archive takes long and blocks writers. So a worker reads them
// once for all scrapes that wait, and the result is cached 50 times as long as the reading took.
class ArchiveStatistics : public std::enable_shared_from_this<ArchiveStatistics> {
 public:
  using Done = std::function<void(const ArchiveReport& report)>;
  explicit ArchiveStatistics(MetricsSource source) : source_(std::move(source)) {}

  /// Calls `done` on the loop, now or later, with the statistics.
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
    if (waiting_.size() > 1) return;
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
  std::weak_ptr<store::Archive> archive_;
  ArchiveReport cached_;
  microseconds cached_until_{0};
  std::vector<Done> waiting_;
};

// Writing the page takes longer than most calls, so under a flood of scrapes it is reused.
class MetricsText {
 public:
  [[nodiscard]] const std::string& write(const MetricsSource& source,
                                         const ArchiveReport& statistics) {
    if (limit_.take(source.host.clock())) {
      Report report = source.report();
      report.archive = statistics;
      text_ = write_metrics(source.metrics, report);
    }
    return text_;
  }

 private:
  PeriodLimit<microseconds> limit_{10, std::chrono::milliseconds(100)};
  std::string text_;
};

}  // namespace

std::vector<serve::Page> metrics_pages(const MetricsSource& source, ObserveSettings which) {
  std::vector<serve::Page> pages;
  if (which.metrics) {
    const auto archive = std::make_shared<ArchiveStatistics>(source);
    const auto text = std::make_shared<MetricsText>();
    pages.push_back(
        {"/metrics", [source, archive, text](net::HttpRequest&, net::Responder responder) {
           auto waiting = std::make_shared<net::Responder>(std::move(responder));
           archive->read([source, text, waiting](const ArchiveReport& statistics) {
             waiting->respond(page(200, text->write(source, statistics), kMetricsType));
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
