// SPDX-License-Identifier: Apache-2.0
// Serves the files of the web page below /ui/. A program that was built without them
// (ENFOLD_WEB=OFF) serves one plain page, which names the admin API.
#pragma once

#include "enfold/net/http/server.h"

namespace enfold::gateway {

/// The response to a GET of a path below /ui/. Every path without a dot gets the page itself
/// (index.html), whose script reads from the URL what to show.
[[nodiscard]] net::HttpResponse web_page(const net::HttpHead& head);

/// The content of a file of the web build, not compressed; nullopt: the program has none.
[[nodiscard]] std::optional<std::string> web_file(std::string_view path);

}  // namespace enfold::gateway
