// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/http/refusal_log.h"

#include <fmt/format.h>
#include <utility>

namespace enfold::serve {
namespace {

// The note of a log line; for the statuses that are logged.
std::string_view meaning_of(int status) {
  switch (status) {
    case 401: return "no valid key";
    case 403: return "the Host or Origin header is not allowed";
    case 429: return "too many requests, or too many wrong keys before";
    default: return "too many connections, streams or bytes at a time";
  }
}

}  // namespace

void RefusalLog::add(const Refusal& refusal, mcp::Time now, const Log& log) {
  const int status = refusal.status;
  if (status != 401 && status != 403 && status != 429 && status != 503) return;
  if (!limit_.take(now)) {
    ++left_out_;
    return;
  }
  std::string note(meaning_of(status));
  if (const std::uint64_t more = std::exchange(left_out_, 0); more > 0) {
    note += fmt::format("; {} refusals before it were not logged", more);
  }
  log({.level = LogLine::Level::warning,
       .event = "http_refused",
       .code = std::to_string(status),
       .note = std::move(note),
       .principal = refusal.principal,
       .client_address = refusal.client_address});
}

}  // namespace enfold::serve
