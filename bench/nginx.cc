// SPDX-License-Identifier: Apache-2.0
#include "bench/nginx.h"

#include <fstream>

namespace enfold::bench {
namespace {

std::optional<WebProcess> start(const Folder& folder, const std::string& before_server,
                                const std::string& location) {
  const std::uint16_t port = free_port();
  const std::string file = folder.path() + "/nginx.conf";
  std::ofstream(file) << fmt::format(
      R"(daemon off; master_process off; worker_processes 1;
pid {0}/nginx.pid; error_log {0}/error.log crit;
events {{ worker_connections 1024; }}
http {{
  access_log off; tcp_nodelay on; keepalive_requests 100000000; keepalive_timeout 3600s;
  client_body_temp_path {0}/body; proxy_temp_path {0}/proxy; fastcgi_temp_path {0}/fastcgi;
  uwsgi_temp_path {0}/uwsgi; scgi_temp_path {0}/scgi;
  {2}
  server {{
    listen 127.0.0.1:{1};
    location / {{ {3} }}
  }}
}}
)",
      folder.path(), port, before_server, location);
  return WebProcess::start({"/usr/sbin/nginx", "-p", folder.path(), "-c", file, "-e", "stderr"},
                           port);
}

}  // namespace

std::optional<WebProcess> start_nginx_with_body(const Folder& folder, std::size_t bytes) {
  return start(
      folder, "",
      fmt::format("default_type application/json; return 200 '{}';", std::string(bytes, 'x')));
}

std::optional<WebProcess> start_nginx_in_front_of(const Folder& folder, std::uint16_t port) {
  const std::string upstream = fmt::format(
      "upstream behind {{ server 127.0.0.1:{}; keepalive 64; keepalive_requests 100000000; "
      "keepalive_timeout 3600s; }}",
      port);
  return start(
      folder, upstream,
      "proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection \"\"; "
      "proxy_set_header Host $http_host; proxy_buffering off;");
}

}  // namespace enfold::bench
