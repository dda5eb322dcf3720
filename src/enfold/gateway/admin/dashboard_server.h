// SPDX-License-Identifier: Apache-2.0
// The dashboard on a loopback port of its own, for a gateway over stdio.
#pragma once

#include "enfold/gateway/admin/dashboard.h"

namespace enfold::gateway {

class DashboardServer {
 public:
  /// `port` 0: the system chooses. Fails if the port is in use.
  [[nodiscard]] static Result<std::unique_ptr<DashboardServer>> listen(AdminSource source,
                                                                       DashboardOptions options,
                                                                       std::uint16_t port);

 private:
  DashboardServer(AdminSource source, DashboardOptions options)
      : dashboard_(std::move(source), std::move(options)), pages_(dashboard_.pages()) {}
  /// nullptr: no page of the dashboard serves this path.
  [[nodiscard]] const serve::Page* page_at(std::string_view path) const;

  Dashboard dashboard_;
  std::vector<serve::Page> pages_;
  std::unique_ptr<net::HttpServer> server_;
};

}  // namespace enfold::gateway
