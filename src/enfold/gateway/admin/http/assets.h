// SPDX-License-Identifier: Apache-2.0
// Serves the files of the web page below /ui/. Without the web build it is one plain page that
// names the admin API.
#pragma once

#include "enfold/net/http/server.h"

namespace enfold::gateway {

/// The response to a GET of a path below /ui/. A path without a dot is the page itself, which reads
/// its state from the URL.
[[nodiscard]] net::HttpResponse web_page(const net::HttpHead& head);

/// The content of a file of the web build, not compressed; nullopt: the program has none.
[[nodiscard]] std::optional<std::string> web_file(std::string_view path);

}  // namespace enfold::gateway
