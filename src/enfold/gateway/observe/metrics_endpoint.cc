// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/observe/metrics_endpoint.h"

#include "enfold/net/endpoint.h"
#include "enfold/serve/on_worker.h"

#include <chrono>

namespace enfold::gateway {
namespace {

net::HttpResponse page(int status, std::string body, std::string_view type) {
  net::HttpResponse response{.status = status, .body = std::move(body)};
  response.headers.add("Content-Type", type).add("Cache-Control", "no-store");
  return response;
}

ArchiveReport look_at(store::Archive& archive) {
  const Result<store::Statistics> held = archive.statistics();
  if (!held) return {};
  return {true, held->entries, held->bytes, held->stored_bytes};
}

// The archive may be a file or far away, so a worker asks it; when none is free the page goes
// without.
void show_metrics(Gateway& gateway, const FrontState& front, net::Responder responder) {
  auto waiting = std::make_shared<net::Responder>(std::move(responder));
  const auto finish = [&gateway, front, waiting](const ArchiveReport& archive) {
    Report report = gateway.report();
    report.sessions = front.sessions;
    report.draining = front.draining;
    report.archive = archive;
    waiting->respond(page(200, write_metrics(gateway.metrics(), report), kMetricsType));
  };
  const std::shared_ptr<store::Archive> archive = gateway.archive();
  const bool asked =
      archive && serve::on_worker(gateway.host(), [archive] { return look_at(*archive); }, finish);
  if (!asked) finish({});
}

void show_health(Gateway& gateway, const FrontState& front, net::Responder responder) {
  Report report = gateway.report();
  report.draining = front.draining;
  responder.respond(
      page(report.is_usable() ? 200 : 503, write_health(report) + "\n", "application/json"));
}

}  // namespace

std::vector<serve::Page> observation_pages(Gateway& gateway, ObserveSettings which,
                                           const std::function<FrontState()>& front) {
  std::vector<serve::Page> pages;
  if (which.metrics) {
    pages.push_back({"/metrics", [&gateway, front](net::Responder responder) {
                       show_metrics(gateway, front(), std::move(responder));
                     }});
  }
  if (which.health) {
    pages.push_back({"/healthz", [&gateway, front](net::Responder responder) {
                       show_health(gateway, front(), std::move(responder));
                     }});
  }
  return pages;
}

serve::Log log_to(bool json, bool calls) {
  void (*const write)(const serve::LogLine&) =
      json ? serve::log_json_to_stderr : serve::log_to_stderr;
  return [write, calls](const serve::LogLine& line) {
    if (calls || line.level != serve::LogLine::Level::info || line.event != "call") write(line);
  };
}

ObserveSettings default_observe_settings(const serve::HttpOptions& options) {
  const bool near = net::is_loopback_name(options.host);
  return {near, near};
}

}  // namespace enfold::gateway
