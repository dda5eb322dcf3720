// SPDX-License-Identifier: Apache-2.0
// The files of the dashboard's page, built from web/ and embedded by cmake/web.cmake. Without
// ENFOLD_WEB there are none.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace enfold::gateway {

struct WebFile {
  std::string_view path;  ///< below /ui/: "index.html", "app.js" …
  std::string_view type;  ///< for Content-Type
  std::string_view etag;  ///< with quotes; changes with the content
  std::span<const std::byte> gzip;
  std::string_view plain;  ///< the same content, not compressed
};

std::span<const WebFile> web_files();

}  // namespace enfold::gateway
