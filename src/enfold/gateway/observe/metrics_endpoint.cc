// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/metrics_endpoint.h"

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
  const Result<store::Statistics> held = archive.statistics();
  if (!held) return {};
  return {true, held->entries, held->bytes, held->stored_bytes};
}

// Reading the statistics of a large archive takes long and blocks writers. So a worker reads them,
// once for all scrapes that wait, and they are cached: reading takes at most 1/kShare of the time.
class ArchiveStatistics : public std::enable_shared_from_this<ArchiveStatistics> {
 public:
  using Done = std::function<void(const ArchiveReport& report)>;
  explicit ArchiveStatistics(MetricsSource source) : source_(std::move(source)) {}

  void read(Done done) {
    const std::shared_ptr<store::Archive> archive = source_.archive();
    if (!archive) {
      done({});
      return;
    }
    if (archive_.lock() == archive && source_.host.clock() < good_until_) {
      done(known_);
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
          self->known_ = read.first;
          self->good_until_ = self->source_.host.clock() + kShare * read.second;
          self->finish(read.first);
        });
    if (!is_queued) finish({});  // the page then has no archive statistics
  }

 private:
  static constexpr int kShare = 50;  ///< reading takes at most 1/kShare of the time

  void finish(const ArchiveReport& report) {
    for (const Done& done : std::exchange(waiting_, {})) done(report);
  }

  MetricsSource source_;
  std::weak_ptr<store::Archive> archive_;
  ArchiveReport known_;
  microseconds good_until_{0};
  std::vector<Done> waiting_;
};

}  // namespace

std::vector<serve::Page> metrics_pages(const MetricsSource& source, ObserveSettings which) {
  std::vector<serve::Page> pages;
  if (which.metrics) {
    const auto archive = std::make_shared<ArchiveStatistics>(source);
    pages.push_back({"/metrics", [source, archive](net::Responder responder) {
                       auto waiting = std::make_shared<net::Responder>(std::move(responder));
                       archive->read([source, waiting](const ArchiveReport& held) {
                         Report report = source.report();
                         report.archive = held;
                         waiting->respond(
                             page(200, write_metrics(source.metrics, report), kMetricsType));
                       });
                     }});
  }
  if (which.health) {
    pages.push_back({"/healthz", [source](net::Responder responder) {
                       const Report report = source.report();
                       responder.respond(page(report.is_usable() ? 200 : 503,
                                              write_health(report) + "\n", "application/json"));
                     }});
  }
  return pages;
}

}  // namespace enfold::gateway
