// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/http/assets.h"

#include "enfold/base/text.h"
#include "enfold/gateway/admin/http/request.h"
#include "enfold/gateway/admin/web_files.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {

namespace {

constexpr std::string_view kPlainPage =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Enfold</title>\n"
    "<h1>Enfold</h1>\n<p>This program was built without the dashboard (ENFOLD_WEB=OFF). The admin "
    "API is at <a href=\"/api/v1/session\">/api/v1/</a>.</p>\n</html>\n";

const WebFile* find_file(std::string_view path) {
  const std::span<const WebFile> files = web_files();
  const auto found = std::ranges::find(files, path, &WebFile::path);
  return found != files.end() ? &*found : nullptr;
}

// Whether a list of entity tags names this one, compared as weak tags (RFC 9110, 13.1.2).
bool names_tag(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view one = trimmed(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == tag || one == "*") return true;
  }
  return false;
}

net::HttpResponse plain_page() {
  net::HttpResponse response{.body = std::string(kPlainPage)};
  response.headers.add("Content-Type", "text/html; charset=utf-8").add("Cache-Control", "no-cache");
  add_security_headers(response.headers);
  return response;
}

}  // namespace

net::HttpResponse web_page(const net::HttpHead& head) {
  constexpr std::string_view kRoot = "/ui/";
  std::string_view path = head.path();
  path.remove_prefix(std::min(kRoot.size(), path.size()));
  const bool is_page = path.find('.') == std::string_view::npos;
  // One of the files is picture.html, the template of a saved answer. The dashboard fetches it to
  // save the answer that it shows (web/src/parts/save_file.ts).
  const WebFile* const file = find_file(is_page ? "index.html" : path);
  if (file == nullptr && is_page) return plain_page();
  if (file == nullptr) return error_reply(404, "not_found", "there is no such file");
  net::HttpResponse response;
  response.headers.add("Content-Type", file->type).add("Cache-Control", "no-cache");
  // Weak, because it belongs to the compressed file too.
  response.headers.add("ETag", fmt::format("W/{}", file->etag)).add("Vary", "Accept-Encoding");
  add_security_headers(response.headers);
  if (const auto known = head.find("If-None-Match"); known && names_tag(*known, file->etag)) {
    response.status = 304;
    return response;
  }
  if (const auto accepted = head.find("Accept-Encoding");
      accepted && net::has_token(*accepted, "gzip")) {
    response.headers.add("Content-Encoding", "gzip");
    response.body.resize(file->gzip.size());
    std::ranges::transform(file->gzip, response.body.begin(),
                           [](std::byte one) { return static_cast<char>(one); });
  } else {
    response.body = std::string(file->plain);
  }
  return response;
}

std::optional<std::string> web_file(std::string_view path) {
  const WebFile* const file = find_file(path);
  return file != nullptr ? std::optional(std::string(file->plain)) : std::nullopt;
}

}  // namespace enfold::gateway
