// SPDX-License-Identifier: Apache-2.0
// Settings of every service: principal, threads, sessions, shutdown, log.
#pragma once

#include "enfold/serve/log.h"

#include <cstddef>

namespace enfold::serve {

struct Settings {
  std::string principal = "local";  ///< of every client, unless the service identifies them by keys

  std::size_t workers = 4;        ///< most worker threads
  std::size_t max_waiting = 256;  ///< jobs queued for a worker; a call whose job does not fit fails

  // Used over HTTP; `drain` also over stdio.
  std::size_t max_sessions = 10'000;  ///< a further one evicts an idle session, or gets 503
  std::chrono::seconds session_idle_timeout = std::chrono::minutes(30);
  /// A session ends when its client has closed the event stream of the session (GET) and has sent
  /// nothing for this time. Clients open the stream again at once, unless they are gone.
  std::chrono::seconds session_gone_timeout = std::chrono::seconds(45);
  std::chrono::seconds drain = std::chrono::seconds(10);  ///< time for open calls after SIGTERM
  /// Names of the HTTP request headers that handlers may read; other headers are not kept.
  std::vector<std::string> headers;

  Log log = log_to_stderr;
};

}  // namespace enfold::serve
