// SPDX-License-Identifier: Apache-2.0
// Settings of every service: principal, threads, sessions, shutdown, log.
#pragma once

#include "enfold/serve/log.h"

#include <cstddef>

namespace enfold::serve {

struct Settings {
  std::string principal = "local";  ///< of every client, unless the service identifies them by keys

  std::size_t workers = 4;        ///< threads
  std::size_t max_waiting = 256;  ///< jobs queued for a worker; calls that need one more fail

  // HTTP; `drain` over stdio too.
  std::size_t max_sessions = 10'000;  ///< a further one evicts an idle session, or gets 503
  std::chrono::seconds session_idle_timeout = std::chrono::minutes(30);
  /// A session ends so long after its client has closed the event stream of the session and has
  /// sent nothing since: clients open it again at once, unless they are gone.
  std::chrono::seconds session_gone_timeout = std::chrono::seconds(45);
  std::chrono::seconds drain = std::chrono::seconds(10);  ///< time for open calls after SIGTERM
  std::vector<std::string> headers;  ///< of requests, that handlers may read; others are not kept

  Log log = log_to_stderr;
};

}  // namespace enfold::serve
