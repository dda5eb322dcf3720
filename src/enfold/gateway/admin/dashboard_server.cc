// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/dashboard_server.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {

const serve::Page* DashboardServer::page_at(std::string_view path) const {
  const auto found =
      std::ranges::find_if(pages_, [path](const serve::Page& page) { return page.serves(path); });
  return found != pages_.end() ? &*found : nullptr;
}

Result<std::unique_ptr<DashboardServer>> DashboardServer::listen(AdminSource source,
                                                                 DashboardOptions options,
                                                                 std::uint16_t port) {
  net::Loop& loop = source.calls.environment.loop;
  std::unique_ptr<DashboardServer> created(
      new DashboardServer(std::move(source), std::move(options)));
  net::HttpServerOptions server;
  server.port = port;
  server.check_head = [created = created.get()](const net::HttpHead& head,
                                                const net::Peer& peer) -> net::HeadCheck {
    const serve::Page* const page = created->page_at(head.path());
    if (page != nullptr) return serve::check_page(*page, head, peer);
    return error_reply(404, "not_found", "the dashboard is at /ui/");
  };
  ENFOLD_TRY(created->server_,
             net::HttpServer::listen(
                 loop, std::move(server),
                 [created = created.get()](net::HttpRequest& request, net::Responder responder) {
                   const auto* page = created->page_at(request.head.path());
                   // Never null: `check_head` has refused such paths.
                   if (page != nullptr) page->show(request, std::move(responder));
                 }));
  created->dashboard_.start(fmt::format("http://127.0.0.1:{}", created->server_->port()));
  return created;
}

}  // namespace enfold::gateway
