// SPDX-License-Identifier: Apache-2.0
// The monitoring pages of the HTTP server: /metrics for Prometheus and /healthz for load balancers.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/observe/metrics.h"
#include "enfold/serve/http/http.h"
#include "enfold/store/archive.h"

namespace enfold::gateway {

/// Where the pages get their values. The referenced objects must outlive the pages.
struct MetricsSource {
  serve::Host& host;
  const Metrics& metrics;
  std::function<Report()> report;  ///< without archive statistics, which /metrics adds
  std::function<std::shared_ptr<store::Archive>()> archive;  ///< returns null without an archive
};

/// The pages that `which` enables.
[[nodiscard]] std::vector<serve::Page> metrics_pages(const MetricsSource& source,
                                                     ObserveSettings which);

}  // namespace enfold::gateway
