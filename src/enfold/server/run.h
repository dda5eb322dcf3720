// SPDX-License-Identifier: Apache-2.0
// The main function of a server: over stdio, or over HTTP with --http PORT.
#pragma once

#include "enfold/server/http.h"
#include "enfold/server/server.h"

namespace enfold::server {

/// Until the client closes its end, or SIGTERM or SIGINT. Answers what was accepted first. The
/// result is an exit code: 0, or 1 with an error on standard error.
[[nodiscard]] int serve_stdio(const Server& server);
/// Says its URL on standard error: `listening on http://127.0.0.1:8080/mcp`.
[[nodiscard]] int serve_http(const Server& server, HttpOptions options);

/// PROGRAM [--http PORT [--host ADDRESS]]; PORT 0: the system chooses. Exit code 5 for any other
/// command line.
[[nodiscard]] int run(const Server& server, int argc, char** argv);

}  // namespace enfold::server
